"""Company: world.yaml part by part: what the company is, its calendar, its products, how much life there is."""

from studio.entry_pages import entries_page

entries_page("Company", "company")
