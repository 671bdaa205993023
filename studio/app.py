"""The studio as one ASGI application: Streamlit's pages, and beside them the routes that feed the panes."""

import logging
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from studio.markdown import plain
from studio.serving.annotations import annotation_routes
from studio.serving.assets import asset_routes
from studio.serving.authoring import authoring_routes
from studio.serving.companies import company_routes
from studio.serving.guard import Guard
from studio.serving.places import place_routes
from studio.serving.runs import run_routes

__all__ = ["app"]

_LOG = logging.getLogger("brownout.studio")
_HOSTS = ["127.0.0.1", "localhost"]


def _show_failure(error: Exception) -> bool:
    """Say that a page failed, without its traceback; the log has that."""
    _LOG.error("a page failed", exc_info=error)
    what = str(error).strip() or type(error).__name__
    st.error(f"This page could not be shown. The studio's log says why. ({plain(what)[:300]})", icon=":material/error:")
    if st.button("Try again", key="try_again"):
        st.rerun()
    return True


app = st.App(
    Path(__file__).with_name("streamlit_script.py"),
    on_script_error=_show_failure,
    routes=[
        *annotation_routes(),
        *asset_routes(),
        *authoring_routes(),
        *company_routes(),
        *place_routes(),
        *run_routes(),
    ],
    middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=_HOSTS), Middleware(Guard)],
)
