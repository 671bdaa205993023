"""The script Streamlit runs for every page: what all pages have around them, then the page itself."""

import streamlit as st

from studio.last_place import note_place
from studio.page_frame import lay_out, sidebar
from studio.pages import PAGES, note_shown

lay_out()
page = st.navigation([known.page() for known in PAGES], position="hidden")
sidebar(page.title)
here = next(known for known in PAGES if known.title == page.title)
note_shown(here)
page.run()
if here.is_part and st.query_params:
    note_place(here.file, st.query_params.to_dict())
