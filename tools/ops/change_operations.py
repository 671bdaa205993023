"""Changing what runs: releases, deploys and rollbacks, failover, feature flags, restarts."""

from typing import Annotated

from pydantic import Field
from sqlalchemy import Integer, bindparam, select

from brownout.core.apps import Call
from brownout.core.instants import MINUTE, SECOND
from brownout.core.operations import Operations
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from brownout.store import compile_query
from tools.ops import records, serializers, tables
from tools.ops.errors import invalid
from tools.ops.operation_arguments import Cursor, Limit, Reason, Service, before, me, page_of, service_called, unknown

__all__ = ["operations"]

operations = Operations("ops")

_service, _release, _deploy, _flag, _need = (
    tables.service,
    tables.release,
    tables.deploy,
    tables.flag,
    tables.need,
)
_service_wanted = bindparam("service", type_=Integer)
_DEPLOYS = compile_query(
    select(_deploy, _service.c.name)
    .join(_service, _service.c.id == _deploy.c.service)
    .where((_service_wanted == 0) | (_deploy.c.service == _service_wanted), _deploy.c.id < bindparam("before"))
    .order_by(_deploy.c.id.desc())
    .limit(bindparam("most"))
)
_RELEASES = compile_query(
    select(_release)
    .where(_release.c.service == bindparam("service"), _release.c.id < bindparam("before"))
    .order_by(_release.c.id.desc())
    .limit(bindparam("most"))
)
_FLAGS = compile_query(
    select(_flag, _service.c.name.label("service_name"))
    .join(_service, _service.c.id == _flag.c.service)
    .where((_service_wanted == 0) | (_flag.c.service == _service_wanted))
    .order_by(_service.c.name, _flag.c.name)
)
_ALL_NEEDS = compile_query(
    select(_need, _service.c.name.label("service_name"))
    .join(_service, _service.c.id == _need.c.service)
    .where((_service_wanted == 0) | (_need.c.service == _service_wanted))
    .order_by(_service.c.name, _need.c.id)
)
_NEEDS = compile_query(select(_need.c.name).where(_need.c.service == bindparam("service")).order_by(_need.c.name))

_SOME = 10


@operations.read
def list_releases(call: Call, service: Service, limit: Limit = 20, cursor: Cursor = "") -> Json:
    """List the versions of a service that can be deployed, newest first."""
    row = service_called(call, service)
    found = call.rows.all(_RELEASES, service=row.number("id"), before=before("release", cursor), most=limit + 1)
    answer = {"service": row.text("name"), "running": row.text("version")}
    return page_of(
        {**answer, "releases": [serializers.release_json(each) for each in found[:limit]]}, "release", found, limit
    )


@operations.read
def list_deploys(
    call: Call,
    service: str = "",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List what was changed on the services, newest first: deploys, rollbacks, failovers, flags, restarts."""
    found = call.rows.all(_DEPLOYS, service=_key_of(call, service), before=before("deploy", cursor), most=limit + 1)
    shown: list[Json] = [serializers.change_json(row, row.text("name")) for row in found[:limit]]
    return page_of({"deploys": shown}, "deploy", found, limit)


@operations.write(final=True, cost=2 * MINUTE)
def deploy(
    call: Call,
    service: Service,
    version: Annotated[str, Field(min_length=1)],
    note: Reason = "",
) -> Json:
    """Deploy a version of a service. It waits until the version runs."""
    row = service_called(call, service)
    release = _release_called(call, row, version)
    made = records.deploy(call, row, release, kind="deploy", who=me(call).text("person"), note=note)
    return serializers.change_json(made, row.text("name"))


@operations.write(final=True, cost=MINUTE)
def rollback(
    call: Call,
    service: Service,
    to_version: Annotated[str, Field(description="Empty for the one before.")] = "",
    note: Reason = "",
) -> Json:
    """Roll a service back to an earlier release."""
    row = service_called(call, service)
    current = records.release_of(call, row, row.text("version"))
    runs = current.number("id") if current else 0
    if to_version:
        release = _release_called(call, row, to_version)
        if release.number("id") >= runs:
            raise invalid(f"{to_version} is not earlier than {row.text('version')}, which runs; use ops_deploy.")
    else:
        earlier = call.rows.one(_RELEASES, service=row.number("id"), before=runs, most=1)
        if earlier is None:
            raise invalid(f"There is no release of {row.text('name')} before {row.text('version')}.")
        release = earlier
    made = records.deploy(call, row, release, kind="rollback", who=me(call).text("person"), note=note)
    return serializers.change_json(made, row.text("name"))


@operations.write(final=True, cost=2 * MINUTE)
def failover(
    call: Call,
    service: Service,
    resource: Annotated[str, Field(description="e.g. database", min_length=1)],
    to: Annotated[str, Field(description="One of can_fail_over_to in ops_get_service.", min_length=1)],
    note: Reason = "",
    force: Annotated[bool, Field(description="Also to an empty standby: the data is lost.")] = False,
) -> Json:
    """Fail a dependency of a service over to a standby. It waits until traffic has moved.

    One that lags (ops_list_standbys) loses the last seconds, an empty one refuses.
    """
    row = service_called(call, service)
    need = records.need_of(call, row, resource.strip())
    if need is None:
        known = ", ".join(found.text("name") for found in call.rows.all(_NEEDS, service=row.number("id")))
        raise invalid(f"{row.text('name')} has no resource '{resource}'; it has: {known or 'none'}.")
    current, target = need.text("target"), to.strip()
    if target == current:
        raise invalid(f"{need.text('name')} is served by {current} already.")
    others = [option for option in records.options_of(need) if option != current]
    if target not in others:
        raise invalid(
            f"'{to}' is not a failover target of {need.text('name')}; expected: {', '.join(others) or 'none'}."
        )
    standby = records.standby_at(call, target)
    if standby is not None and standby["state"] == "empty" and not force:
        raise invalid(f"{target} is an empty standby: it has none of the data. All of it would be lost.")
    made = records.fail_over(call, row, need, target, who=me(call).text("person"), note=note)
    shown = serializers.change_json(made, row.text("name"))
    if standby is None or standby["state"] == "ready":
        return shown
    is_all = standby["state"] == "empty"
    return {**shown, "lost_seconds": None if is_all else standby.number("lag_seconds"), "lost_everything": is_all}


@operations.read
def list_standbys(call: Call, service: str = "") -> Json:
    """List what serves the services' dependencies and what could, and its data: ready has all, lagging all but the last seconds, empty none."""
    listed: list[Json] = []
    for need in call.rows.all(_ALL_NEEDS, service=_key_of(call, service)):
        for target in records.options_of(need):
            serves = target == need["target"]
            standby = None if serves else records.standby_at(call, target)
            listed.append(
                {
                    "service": need.text("service_name"),
                    "resource": need.text("name"),
                    "target": target,
                    "role": "primary" if serves else "standby",
                    "state": standby.text("state") if standby else "ready",
                    "lag_seconds": standby.number("lag_seconds") if standby else 0,
                }
            )
    return {"standbys": listed}


@operations.read
def list_flags(call: Call, service: str = "") -> Json:
    """List the feature flags and whether each is on."""
    found = call.rows.all(_FLAGS, service=_key_of(call, service))
    return {
        "flags": [
            {"service": row.text("service_name"), "flag": row.text("name"), "is_on": bool(row["is_on"])}
            for row in found
        ]
    }


@operations.write(final=True, cost=5 * SECOND)
def set_flag(
    call: Call,
    service: Service,
    flag: Annotated[str, Field(min_length=1)],
    is_on: bool,
    note: Reason = "",
) -> Json:
    """Turn a feature flag of a service on or off, at once and for everybody."""
    row = service_called(call, service)
    found = records.flag_of(call, row, flag.strip())
    if found is None:
        known = [each.text("name") for each in call.rows.all(_FLAGS, service=row.number("id"))]
        raise invalid(unknown("flag", flag, known))
    shown: JsonObject = {"service": row.text("name"), "flag": found.text("name"), "is_on": is_on}
    if bool(found["is_on"]) == is_on:
        return {**shown, "changed": False}
    made = records.set_flag(call, row, found, is_on=is_on, who=me(call).text("person"), note=note)
    return {**shown, "changed": True, "deploy": made.number("id")}


@operations.write(final=True, cost=MINUTE)
def restart_service(call: Call, service: Service, note: Reason = "") -> Json:
    """Restart all instances of a service; version and setup stay."""
    row = service_called(call, service)
    made = records.restart(call, row, who=me(call).text("person"), note=note)
    return serializers.change_json(made, row.text("name"))


def _key_of(call: Call, service: str) -> int:
    return service_called(call, service).number("id") if service else 0


def _release_called(call: Call, service: Row, version: str) -> Row:
    found = records.release_of(call, service, version.strip())
    if found is None:
        newest = call.rows.all(_RELEASES, service=service.number("id"), before=before("release", ""), most=_SOME)
        known = ", ".join(row.text("version") for row in newest)
        raise invalid(f"{service.text('name')} has no release '{version}'; the latest are: {known}.")
    return found
