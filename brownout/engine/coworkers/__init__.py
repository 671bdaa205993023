"""The people whom an agent meets, coworkers and customers: what they know, what they make of a question, what they say and when."""
