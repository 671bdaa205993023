"""The company's services: how they are, what that looks like, and who notices."""
