"""A company that fails on schedule, as an Inspect task."""
