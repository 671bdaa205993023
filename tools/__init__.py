"""The simulated products an agent acts on, one folder an app."""
