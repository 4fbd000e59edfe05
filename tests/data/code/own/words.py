"""What a module beside the suite imports from beside it."""

SORRY = "sorry"
