"""What somebody sees where the studio itself fails: what happened, what to do, that nothing is lost, and the trace for whoever asks for it."""

import html
import logging
import traceback

import orjson
import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from studio.escaped_markdown import plain

__all__ = ["FailedRequests", "failure_document", "show_failure"]

_LOG = logging.getLogger("brownout.studio")
_MOST = 12_000
"""Characters of a trace that are shown, its last ones."""
_KEPT = "What was saved is saved, and jobs that were begun go on."
_HOME = '<a href="./" target="_self">Go to Home</a>'
"""Loads the studio anew, without what the failed page's address said; it needs nothing that may have failed."""
_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Brownout</title>
<style>
:root { color-scheme: light dark; }
body { font: 14px/1.5 "Source Sans", "Source Sans Pro", system-ui, sans-serif; margin: 12vh auto; max-width: 46rem; padding: 0 1.5rem;
  background: light-dark(#fff, #12151c); color: light-dark(#1b2130, #e6e9f0); }
h1 { font-size: 21px; } a { color: light-dark(#3451c6, #91a7ff); }
pre { overflow: auto; padding: 12px; border: 1px solid light-dark(#dfe3ea, #2b3240); border-radius: 6px; font-size: 12.5px; }
summary { cursor: pointer; }
</style>
<h1>The studio could not answer this</h1>
<p>%(what)s</p>
<p>%(kept)s</p>
<p><a href="">Try again</a> &nbsp; <a href="/">Go to Home</a></p>
<details><summary>Details, for a report of this</summary><pre>%(trace)s</pre></details>
"""


def show_failure(error: Exception) -> bool:
    """Say on a page that it failed, with the ways on; the trace is folded. Streamlit shows nothing else then."""
    _LOG.error("a page failed", exc_info=error)
    with st.container(border=True, key="failure"):
        st.markdown(":red[:material/error:] **This page could not be shown**")
        st.markdown(f"{plain(_what(error))}  \n:gray[{_KEPT}]")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if st.button("Try again", key="try_again", icon=":material/refresh:", type="primary"):
                st.rerun()
            st.html(_HOME)
        with st.expander("Details, for a report of this", icon=":material/bug_report:"):
            st.code(_trace(error), language=None)
    return True


def failure_document(error: Exception) -> dict[str, str]:
    """The same for a pane: `error`, a sentence, and `details`, the trace."""
    return {"error": f"The studio could not do this: {_what(error)} {_KEPT}", "details": _trace(error)}


class FailedRequests:
    """Answers a request whose answer failed: a page for who reads it, JSON for a pane."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; what fails before anything was sent is answered here."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_begun = False

        async def noted(message: Message) -> None:
            nonlocal has_begun
            has_begun = has_begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Exception as error:
            if has_begun:
                raise
            _LOG.exception("%s failed", scope["path"])
            await _answer(scope, error)(scope, receive, send)


def _answer(scope: Scope, error: Exception) -> Response:
    if "text/html" in Headers(scope=scope).get("accept", ""):
        told = {"what": _what(error), "kept": _KEPT, "trace": _trace(error)}
        return HTMLResponse(_PAGE % {name: html.escape(text) for name, text in told.items()}, 500)
    return Response(orjson.dumps(failure_document(error)), 500, media_type="application/json")


def _what(error: Exception) -> str:
    """What went wrong in a sentence: `ValueError: expected a number.`."""
    text = " ".join(str(error).split())[:300]
    return f"{type(error).__name__}{': ' if text else ''}{text}{'' if text.endswith('.') else '.'}"


def _trace(error: Exception) -> str:
    return "".join(traceback.format_exception(error))[-_MOST:]
