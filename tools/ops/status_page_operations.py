"""Our own public status page: what customers read there of the services."""

from typing import Annotated, Literal

from pydantic import Field
from sqlalchemy import Integer, bindparam, select

from brownout.core.apps import Call
from brownout.core.instants import DAY
from brownout.core.operations import Operations
from brownout.core.rows import Row
from brownout.core.values import Json
from brownout.store import compile_query
from tools.ops import records, serializers, tables
from tools.ops.errors import not_found
from tools.ops.operation_arguments import Service, incident_numbered, me, service_called

__all__ = ["operations"]

operations = Operations("ops")

Impact = Literal["none", "minor", "major", "critical"]
Status = Literal["investigating", "identified", "monitoring", "resolved"]
ComponentStatus = Literal["operational", "degraded_performance", "partial_outage", "major_outage", "under_maintenance"]
Body = Annotated[str, Field(min_length=1, max_length=10_000)]
Becomes = Annotated[ComponentStatus | None, Field(description="Of its components.")]

_SHOWN_AFTER_RESOLVED = 14 * DAY
_component, _post = tables.component, tables.post
_COMPONENTS = compile_query(select(_component).order_by(_component.c.service))
_RECENT = compile_query(
    select(_post)
    .where((_post.c.status != "resolved") | (_post.c.resolved_us >= bindparam("since", type_=Integer)))
    .order_by(_post.c.id.desc())
)


@operations.read
def get_status_page(call: Call) -> Json:
    """See our public status page: components, and the posts of two weeks, newest first."""
    posts = call.rows.all(_RECENT, since=call.now - _SHOWN_AFTER_RESOLVED)
    return {
        "components": [serializers.component_json(row) for row in call.rows.all(_COMPONENTS)],
        "posts": [serializers.post_json(call, row) for row in posts],
    }


@operations.write()
def set_component_status(call: Call, service: Service, status: ComponentStatus) -> Json:
    """Say on the public status page how a service is, without a post."""
    me(call)
    name = service_called(call, service).text("name")
    return serializers.component_json(records.set_component(call, name, status))


@operations.write()
def publish_post(
    call: Call,
    title: Annotated[str, Field(min_length=1, max_length=200)],
    body: Body,
    services: Annotated[list[str], Field(min_length=1, max_length=50)],
    impact: Impact = "minor",
    status: Status = "investigating",
    component_status: Becomes = None,
    incident: Annotated[int, Field(description="One of ours.", ge=0, le=1 << 53)] = 0,
) -> Json:
    """Publish an incident on our public status page, which customers and all outside read at once."""
    who = me(call).text("person")
    made = records.add_post(
        call,
        title=title,
        impact=impact,
        status=status,
        body=body,
        services=dict.fromkeys(service_called(call, name).text("name") for name in services),
        component_status=component_status or "",
        incident=incident_numbered(call, incident).number("id") if incident else None,
        who=who,
    )
    return serializers.post_json(call, made)


@operations.write()
def update_post(
    call: Call,
    post: Annotated[int, Field(ge=1, le=(1 << 53) - 1)],
    body: Body,
    status: Status,
    component_status: Becomes = None,
) -> Json:
    """Publish an update to a post on our public status page."""
    who = me(call).text("person")
    made = records.update_post(
        call, _post_numbered(call, post), status=status, body=body, component_status=component_status or "", who=who
    )
    return serializers.post_json(call, made)


def _post_numbered(call: Call, number: int) -> Row:
    found = call.rows.get(_post, number)
    if found is None:
        raise not_found(f"There is no post {number} on our status page.")
    return found
