"""What stands in AgentLasso check lists beside the file itself (`grader/formats/agentlasso.py`)."""
