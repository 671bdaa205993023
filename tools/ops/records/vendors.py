"""Vendors' status pages and what stands on them."""

from sqlalchemy import bindparam, select

from brownout.core.apps import Call
from brownout.core.rows import Row
from brownout.store import compile_query
from tools.ops import tables
from tools.ops.records.known_rows import row

__all__ = [
    "IMPACTS",
    "STATUSES",
    "add_vendor",
    "post_vendor_update",
    "start_vendor_incident",
    "unresolved_vendor_incident",
    "vendor_named",
]

IMPACTS = ("none", "minor", "major", "critical")
STATUSES = ("investigating", "identified", "monitoring", "resolved")
"""The words of Statuspage, where most vendors keep their status, and we keep ours."""

_vendor, _incident, _update = tables.vendor, tables.vendor_incident, tables.vendor_update

_VENDOR = compile_query(select(_vendor).where(_vendor.c.name == bindparam("name")))
_UNRESOLVED = compile_query(
    select(_incident)
    .where(_incident.c.vendor == bindparam("vendor"), _incident.c.status != "resolved")
    .order_by(_incident.c.id.desc())
    .limit(1)
)


def vendor_named(call: Call, name: str) -> Row | None:
    return call.rows.one(_VENDOR, name=name)


def add_vendor(call: Call, name: str) -> Row:
    """Follow a vendor's status page; harmless where it is followed already."""
    return vendor_named(call, name) or row(call, _vendor, call.rows.insert(_vendor, name=name))


def unresolved_vendor_incident(call: Call, vendor: Row) -> Row | None:
    """The newest incident that a vendor has not resolved."""
    return call.rows.one(_UNRESOLVED, vendor=vendor.number("id"))


def start_vendor_incident(call: Call, vendor: Row, *, title: str, impact: str) -> Row:
    """Let a vendor say that something is wrong; what it says follows as its first update."""
    key = call.rows.insert(
        _incident,
        vendor=vendor.number("id"),
        title=title,
        impact=impact,
        status="investigating",
        started_us=call.now,
    )
    return row(call, _incident, key)


def post_vendor_update(call: Call, incident: Row, *, status: str, impact: str, body: str) -> Row:
    """Let a vendor say how an incident goes on; `resolved` ends it."""
    key = incident.number("id")
    call.rows.insert(_update, incident=key, status=status, body=body, at_us=call.now)
    resolved = call.now if status == "resolved" else None
    call.rows.update(_incident, key, status=status, impact=impact, resolved_us=resolved)
    return row(call, _incident, key)
