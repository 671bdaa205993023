"""The studio as one ASGI application: Streamlit's pages, and beside them the routes that feed the panes."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from studio.failures import FailedRequests, show_failure
from studio.serving.addresses import UnknownAddresses
from studio.serving.annotation_routes import annotation_routes
from studio.serving.authoring_routes import authoring_routes
from studio.serving.company_routes import company_routes
from studio.serving.place_routes import place_routes
from studio.serving.request_guard import Guard
from studio.serving.run_routes import run_routes
from studio.serving.script_bundles import asset_routes

__all__ = ["app"]

_HOSTS = ["127.0.0.1", "localhost"]


app = st.App(
    Path(__file__).with_name("streamlit_script.py"),
    on_script_error=show_failure,
    routes=[
        *annotation_routes(),
        *asset_routes(),
        *authoring_routes(),
        *company_routes(),
        *place_routes(),
        *run_routes(),
    ],
    middleware=[
        Middleware(FailedRequests),
        Middleware(TrustedHostMiddleware, allowed_hosts=_HOSTS),
        Middleware(Guard),
        Middleware(UnknownAddresses),
    ],
)
