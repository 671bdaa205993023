"""The studio as one ASGI application: Streamlit's pages, and beside them the routes that feed the panes."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from studio.failures import FailedRequests, show_failure
from studio.serving.annotations import annotation_routes
from studio.serving.assets import asset_routes
from studio.serving.authoring import authoring_routes
from studio.serving.companies import company_routes
from studio.serving.guard import Guard
from studio.serving.places import place_routes
from studio.serving.runs import run_routes

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
    ],
)
