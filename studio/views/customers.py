"""Customers: whom the company works for, and who else writes from outside."""

from studio.entry_pages import entries_page

entries_page("Customers", "customers")
