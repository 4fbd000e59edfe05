"""The open file: what lies beside it, who may touch it, whether it is still ours."""
