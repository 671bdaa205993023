"""The studio as one ASGI application: Streamlit's pages, and beside them the routes that feed the panes."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from studio.serving.companies import company_routes
from studio.serving.guard import Guard
from studio.serving.runs import run_routes

__all__ = ["app"]

_HOSTS = ["127.0.0.1", "localhost"]

app = st.App(
    Path(__file__).with_name("entry.py"),
    routes=[*company_routes(), *run_routes()],
    middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=_HOSTS), Middleware(Guard)],
)
