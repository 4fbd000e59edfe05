"""Breaks the rules' code one by one, and looks whether a test of the rule notices."""
