"""What stands in scenario checks beside the file itself (`grader/formats/scenario.py`)."""
