"""Our own public status page: a component for each service, and what is posted for everybody to read."""

from collections.abc import Iterable

import orjson
from sqlalchemy import bindparam, select

from brownout.core.apps import Call
from brownout.core.rows import Row
from brownout.store import compile_query
from tools.ops import tables
from tools.ops.records.known_rows import row

__all__ = ["COMPONENT_STATUSES", "add_component", "add_post", "add_visitor", "set_component", "update_post"]

COMPONENT_STATUSES = (
    "operational",
    "degraded_performance",
    "partial_outage",
    "major_outage",
    "under_maintenance",
)
"""The words of Statuspage's API for a component."""

_component, _post, _post_update = tables.component, tables.post, tables.post_update
_COMPONENT = compile_query(select(_component).where(_component.c.service == bindparam("service")))


def add_component(call: Call, service: str) -> None:
    """Show a service on the page; it works."""
    call.rows.insert(_component, service=service, status="operational", updated_us=call.now)


def add_visitor(call: Call, person: str) -> None:
    """Somebody from outside can read the page."""
    call.rows.insert(tables.visitor, person=person)


def set_component(call: Call, service: str, status: str) -> Row:
    """Say publicly how a service is."""
    found = call.rows.one(_COMPONENT, service=service)
    assert found is not None, service
    if found["status"] != status:
        call.rows.update(_component, found.number("id"), status=status, updated_us=call.now)
    return row(call, _component, found.number("id"))


def add_post(
    call: Call,
    *,
    title: str,
    impact: str,
    status: str,
    body: str,
    services: Iterable[str],
    component_status: str,
    incident: int | None,
    who: str,
) -> Row:
    """Tell everybody outside that something is wrong, or was."""
    key = call.rows.insert(
        _post,
        title=title,
        impact=impact,
        status=status,
        services=orjson.dumps([*services]).decode(),
        incident=incident,
        created_us=call.now,
    )
    made = row(call, _post, key)
    return update_post(call, made, status=status, body=body, component_status=component_status, who=who)


def update_post(call: Call, post: Row, *, status: str, body: str, component_status: str, who: str) -> Row:
    """Tell everybody outside how it goes on; with `component_status` its components become so."""
    key = post.number("id")
    call.rows.insert(_post_update, post=key, status=status, body=body, who=who, at_us=call.now)
    if post["status"] != status or (status == "resolved" and post["resolved_us"] is None):
        call.rows.update(_post, key, status=status, resolved_us=call.now if status == "resolved" else None)
    for service in orjson.loads(post.text("services")) if component_status else ():
        set_component(call, str(service), component_status)
    return row(call, _post, key)
