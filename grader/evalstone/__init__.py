"""evalstone's checks, references and datasets (rules S2-1 to S2-58), as the format `evalstone` compiles them."""
