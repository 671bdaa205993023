"""Runs agents through tasks: the runner, the agents, the recorder, replay."""
