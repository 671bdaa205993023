"""The agent's coworkers: what they know, what they make of a question, what they say and when."""
