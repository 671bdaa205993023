"""Programs that run inside the sandbox: standard library only, no import of the project."""
