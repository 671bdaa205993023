"""Brownout: compose simulated companies and break them on schedule."""
