"""Services, their needs, flags and releases, and every change to what runs."""

from collections.abc import Iterable
from typing import Literal, TypeAlias

import orjson
from sqlalchemy import bindparam, select

from brownout.core.apps import Call
from brownout.core.calls import Account
from brownout.core.instants import Instant
from brownout.core.rows import Row
from brownout.store import compile_query
from tools.ops import tables
from tools.ops.records.known_rows import row

__all__ = [
    "add_flag",
    "add_need",
    "add_release",
    "add_service",
    "add_user",
    "deploy",
    "fail_over",
    "flag_of",
    "need_of",
    "options_of",
    "release_of",
    "restart",
    "service_named",
    "service_of",
    "set_flag",
    "set_standby",
    "standby_at",
    "user_of",
]

DeployKind: TypeAlias = Literal["deploy", "rollback"]

_user, _service, _need, _flag, _release = tables.user, tables.service, tables.need, tables.flag, tables.release
_deploy, _standby = tables.deploy, tables.standby

_USER = compile_query(select(_user).where(_user.c.person == bindparam("person")))
_SERVICE = compile_query(select(_service).where(_service.c.name == bindparam("name")))
_NEED = compile_query(select(_need).where(_need.c.service == bindparam("service"), _need.c.name == bindparam("name")))
_FLAG = compile_query(select(_flag).where(_flag.c.service == bindparam("service"), _flag.c.name == bindparam("name")))
_RELEASE = compile_query(
    select(_release).where(_release.c.service == bindparam("service"), _release.c.version == bindparam("version"))
)
_STANDBY = compile_query(select(_standby).where(_standby.c.target == bindparam("target")))


def add_user(call: Call, account: Account) -> int:
    """Make somebody's account."""
    return call.rows.insert(_user, person=account.person, name=account.name, email=account.email, role=account.role)


def user_of(call: Call, person: str) -> Row | None:
    """The account of somebody in the world, None for those who have none."""
    return call.rows.one(_USER, person=person)


def add_service(
    call: Call,
    name: str,
    *,
    says: str,
    team: str,
    on_call: str,
    repo: str,
    version: str,
    commit: str,
    released: Instant | None = None,
) -> Row:
    """Put a service into the catalogue, running the release it is set up with, which was made then or now."""
    key = call.rows.insert(
        _service, name=name, says=says, team=team, on_call=on_call, repo=repo, version=version, commit=commit
    )
    made = row(call, _service, key)
    add_release(call, made, version, commit, who="", note="", at=released)
    return made


def service_named(call: Call, name: str) -> Row | None:
    return call.rows.one(_SERVICE, name=name)


def service_of(call: Call, owned: Row) -> Row:
    """The service that a need, flag, release, deploy or alert belongs to."""
    return row(call, _service, owned.number("service"))


def add_need(call: Call, service: Row, name: str, target: str, options: Iterable[str]) -> int:
    """Say what a service depends on, and all that it could depend on; what serves it now is one of these."""
    listed = list(dict.fromkeys((target, *options)))
    return call.rows.insert(
        _need, service=service.number("id"), name=name, target=target, options=orjson.dumps(listed).decode()
    )


def need_of(call: Call, service: Row, name: str) -> Row | None:
    return call.rows.one(_NEED, service=service.number("id"), name=name)


def options_of(need: Row) -> list[str]:
    """What could serve a need, what serves it now included."""
    return [str(option) for option in orjson.loads(need.text("options"))]


def set_standby(call: Call, target: str, state: str, lag_seconds: int) -> None:
    """Say how much of the data a standby has."""
    known = standby_at(call, target)
    if known is None:
        call.rows.insert(_standby, target=target, state=state, lag_seconds=lag_seconds)
    elif (known["state"], known["lag_seconds"]) != (state, lag_seconds):
        call.rows.update(_standby, known.number("id"), state=state, lag_seconds=lag_seconds)


def standby_at(call: Call, target: str) -> Row | None:
    """What is known of a standby, None for one that has everything."""
    return call.rows.one(_STANDBY, target=target)


def add_flag(call: Call, service: Row, name: str, *, is_on: bool) -> int:
    return call.rows.insert(_flag, service=service.number("id"), name=name, is_on=int(is_on))


def flag_of(call: Call, service: Row, name: str) -> Row | None:
    return call.rows.one(_FLAG, service=service.number("id"), name=name)


def add_release(
    call: Call, service: Row, version: str, commit: str, *, who: str, note: str, at: Instant | None = None
) -> Row:
    """Make a version that can be deployed."""
    at = call.now if at is None else at
    key = call.rows.insert(
        _release, service=service.number("id"), version=version, commit=commit, at_us=at, who=who, note=note
    )
    return row(call, _release, key)


def release_of(call: Call, service: Row, version: str) -> Row | None:
    return call.rows.one(_RELEASE, service=service.number("id"), version=version)


def deploy(call: Call, service: Row, release: Row, *, kind: DeployKind, who: str, note: str) -> Row:
    """Let a service run a release, newer or older than the one that runs."""
    version = release.text("version")
    call.rows.update(_service, service.number("id"), version=version, commit=release.text("commit"))
    return _changed(call, service, kind, version=version, who=who, note=note)


def fail_over(call: Call, service: Row, need: Row, target: str, *, who: str, note: str) -> Row:
    """Let something else serve a need; if that is an empty standby, the service has lost what the need kept."""
    standby = standby_at(call, target)
    is_lost = standby is not None and standby["state"] == "empty"
    call.rows.update(_need, need.number("id"), target=target, is_lost=int(is_lost))
    name, old = need.text("name"), need.text("target")
    return _changed(call, service, "failover", subject=name, old=old, new=target, who=who, note=note)


def set_flag(call: Call, service: Row, flag: Row, *, is_on: bool, who: str, note: str) -> Row:
    """Turn a feature flag on or off."""
    call.rows.update(_flag, flag.number("id"), is_on=int(is_on))
    old, new = ("on" if flag["is_on"] else "off"), ("on" if is_on else "off")
    return _changed(call, service, "flag", subject=flag.text("name"), old=old, new=new, who=who, note=note)


def restart(call: Call, service: Row, *, who: str, note: str) -> Row:
    """Restart a service as it is."""
    return _changed(call, service, "restart", who=who, note=note)


def _changed(
    call: Call,
    service: Row,
    kind: str,
    *,
    version: str = "",
    subject: str = "",
    old: str = "",
    new: str = "",
    who: str,
    note: str,
) -> Row:
    """The line that a change leaves in the service's history."""
    before = service.text("version")
    key = call.rows.insert(
        _deploy,
        service=service.number("id"),
        kind=kind,
        version=version or before,
        from_version=before,
        subject=subject,
        old=old,
        new=new,
        at_us=call.now,
        who=who,
        note=note,
    )
    return row(call, _deploy, key)
