"""How samples become a verdict: one rule a vocabulary."""
