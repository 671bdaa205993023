"""Outages: what breaks, when, how, and for whom."""

from studio.entries import entries_page

entries_page("Outages", "outages")
