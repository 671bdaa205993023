"""Outages: what breaks, when, how, and for whom."""

from studio.entry_pages import entries_page

entries_page("Outages", "outages")
