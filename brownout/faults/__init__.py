"""The ways a service can fail, one class each; when and where is an outage's affair."""
