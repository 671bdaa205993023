"""Writes world packages: from an author's spec to a company with a past and a future."""
