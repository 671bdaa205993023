"""The session server: hosts of sessions in worker processes, and the two ports through which they are reached."""
