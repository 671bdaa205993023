"""Runs in the formats of others: ATIF, messages of chat models, Inspect's logs; and strangers' runs read in."""
