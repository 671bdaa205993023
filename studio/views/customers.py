"""Customers: whom the company works for, and who else writes from outside."""

from studio.entries import entries_page

entries_page("Customers", "customers")
