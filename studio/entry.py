"""The script Streamlit runs for every page: what all pages have around them, then the page itself."""

import streamlit as st

from studio.frame import PAGES, lay_out, sidebar

lay_out()
page = st.navigation([known.page() for known in PAGES], position="hidden")
sidebar(page.title)
page.run()
