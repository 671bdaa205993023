"""Not found: an address that no page has, and the nearest there is."""

import streamlit as st

from studio.near_pages import WayOn, near_pages
from studio.page_frame import empty_state, header
from studio.serving.addresses import ASKED


def show() -> None:
    """The page."""
    header("Not found")
    link = st.query_params.to_dict()
    asked = link.pop(ASKED, "")
    ways = [WayOn(page.title, page.file, link) for page in near_pages(asked)]
    text = "No page has this address. The nearest to it:" if ways else "No page has this address."
    empty_state(f"{asked or 'This address'} not found", text, icon="search_off", ways=ways)


show()
