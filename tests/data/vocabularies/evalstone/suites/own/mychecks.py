raise RuntimeError("a module of imports: is not run when its file is read")
