"""The company's services: how they are, what that looks like, who notices, and what waits for it."""
