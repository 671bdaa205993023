"""How what people, monitoring and vendors want done becomes deploys, alerts, pages and status updates."""

import re

from brownout.core.apps import Call, Intent, IntentHandler, IntentKind
from brownout.core.rows import Row
from brownout.core.values import Json
from tools.ops import records, tables
from tools.ops.incident_intents import open_for, write_incident
from tools.ops.paths import alert_path, change_path, page_path, service_path, standby_path, vendor_incident_path
from tools.ops.rota import on_call_for
from tools.ops.schedules import make_schedule, put_on_call

__all__ = ["handlers"]

_ALERT = re.compile(r"ops:.+\.alert/(\d+)")
_INCIDENT = re.compile(r"ops:vendor/.+\.incident/(\d+)")


def _deploy(call: Call, intent: Intent) -> str:
    """Change what runs: a version; or with `resource`, `flag` or `restart` in the details that part of a service."""
    service = _service(call, intent)
    details, name = intent.details, service.text("name")
    note = _text(details.get("note")) or intent.text
    if "resource" in details:
        need = records.need_of(call, service, _text(details["resource"]))
        target = _text(details.get("to"))
        if need is None or target not in records.options_of(need):
            raise LookupError(f"{intent.key}: {name} has no resource {details['resource']!r} that could be {target!r}")
        standby = records.standby_at(call, target)
        if standby is not None and standby["state"] == "empty" and not details.get("force"):
            raise LookupError(f"{intent.key}: {target} is an empty standby of {name}")
        made = records.fail_over(call, service, need, target, who=intent.who, note=note)
    elif "flag" in details:
        flag = records.flag_of(call, service, _text(details["flag"]))
        if flag is None:
            raise LookupError(f"{intent.key}: {name} has no flag {details['flag']!r}")
        made = records.set_flag(call, service, flag, is_on=_is_on(intent), who=intent.who, note=note)
    elif details.get("restart"):
        made = records.restart(call, service, who=intent.who, note=note)
    elif details.get("runs") is False:
        return change_path(name, "deploy", f"release-{_build(call, intent, service, note)}")
    else:
        made = _run_version(call, intent, service, note)
    return change_path(name, made.text("kind"), made.number("id"))


def _build(call: Call, intent: Intent, service: Row, note: str) -> str:
    """The version that the pipeline made, for somebody to deploy; a name that is taken counts on."""
    day, _, number = _text(intent.details.get("version")).rpartition("-")
    count = int(number)
    while records.release_of(call, service, f"{day}-{count}") is not None:
        count += 1
    records.add_release(call, service, f"{day}-{count}", _commit(call, intent), who=intent.who, note=note)
    return f"{day}-{count}"


def _run_version(call: Call, intent: Intent, service: Row, note: str) -> Row:
    version = _text(intent.details.get("version"))
    if not version:
        raise LookupError(f"{intent.key}: a deploy of {service.text('name')} names no version")
    release = records.release_of(call, service, version)
    if release is None:
        commit = _commit(call, intent)
        release = records.add_release(call, service, version, commit, who=intent.who, note=note)
    if intent.details.get("rollback"):
        return records.deploy(call, service, release, kind="rollback", who=intent.who, note=note)
    return records.deploy(call, service, release, kind="deploy", who=intent.who, note=note)


def _commit(call: Call, intent: Intent) -> str:
    """The commit that a version is built from, named by itself or by the beat that made it."""
    named = _text(intent.details.get("commit"))
    path = call.bound(named) if named else None
    if path is None:
        return named
    if ".commit/" not in path:
        raise LookupError(f"{intent.key}: {named!r} stands for {path}, which is no commit")
    return path.rpartition("/")[2]


def _raise_alert(call: Call, intent: Intent) -> str:
    service = _service(call, intent)
    on_call = on_call_for(call.rows, service, call.now)
    alert = records.open_alert(
        call,
        service,
        rule=_text(intent.details.get("rule")) or intent.subject,
        summary=intent.subject or intent.text,
        details=intent.text,
        severity=_text(intent.details.get("severity")) or "critical",
        whom=intent.to or ((on_call,) if on_call else ()),
    )
    open_for(call, service, alert)
    return alert_path(service.text("name"), alert.number("id"))


def _resolve(call: Call, intent: Intent) -> str:
    """Resolve the alert that is named, else every open alert of the service."""
    if "alert" in intent.details:
        alert = _alert(call, intent)
        records.resolve(call, alert, who=intent.who)
        return alert_path(records.service_of(call, alert).text("name"), alert.number("id"))
    service = _service(call, intent)
    path = service_path(service.text("name"))
    for alert in records.open_alerts(call, service):
        records.resolve(call, alert, who=intent.who)
        path = alert_path(service.text("name"), alert.number("id"))
    return path


def _acknowledge(call: Call, intent: Intent) -> str:
    """Say that somebody is on it, with a note; `late` in the details is the note where it was over by then."""
    alert = _alert(call, intent)
    records.acknowledge(call, alert, who=intent.who)
    note = _text(intent.details.get("late")) if alert["status"] == "resolved" else intent.text
    if note:
        records.add_note(call, alert, who=intent.who, text=note)
    return alert_path(records.service_of(call, alert).text("name"), alert.number("id"))


def _page(call: Call, intent: Intent) -> str:
    whom = intent.to[0] if intent.to else ""
    if records.user_of(call, whom) is None:
        raise LookupError(f"{intent.key}: {whom or 'nobody'} cannot be paged")
    made = records.page(
        call,
        who=intent.who,
        whom=whom,
        text=intent.text or intent.subject,
        urgency=_text(intent.details.get("urgency")) or "high",
        alert=_alert(call, intent) if "alert" in intent.details else None,
    )
    return page_path(whom, made.number("id"))


def _announce(call: Call, intent: Intent) -> str:
    """What a vendor says on its status page: about the incident it has spoken of before, else about a new one.

    An outage that is announced only when it is over becomes an incident that is resolved at once.
    """
    details = intent.details
    name = _text(details.get("vendor")) or intent.thing
    if not name or records.service_named(call, name) is not None:
        raise LookupError(f"{intent.key}: {name!r} is no vendor that could have a status page")
    vendor = records.add_vendor(call, name)
    status = _one_of(intent.key, "status", details.get("status", "investigating"), records.STATUSES)
    known = _spoken_of(call, intent, vendor)
    impact = _one_of(
        intent.key, "impact", details.get("impact", known.text("impact") if known else "minor"), records.IMPACTS
    )
    title = _text(details.get("title")) or intent.subject or f"Issues with {name}"
    incident = known or records.start_vendor_incident(call, vendor, title=title, impact=impact)
    records.post_vendor_update(
        call, incident, status=status, impact=impact, body=_text(details.get("body")) or intent.text or title
    )
    path = vendor_incident_path(name, incident.number("id"))
    if known is None and intent.thing not in ("", name) and call.bound(intent.thing) is None:
        call.bind(intent.thing, path)
    return path


def _spoken_of(call: Call, intent: Intent, vendor: Row) -> Row | None:
    """The incident that an announcement goes on about: its thing's own, so that two outages at once stay apart."""
    path = call.bound(intent.thing) if intent.thing else None
    if path is None and intent.thing not in ("", vendor["name"]):
        return None
    found = _INCIDENT.fullmatch(path or "")
    incident = call.rows.get(tables.vendor_incident, int(found.group(1))) if found else None
    if incident is not None and incident["vendor"] == vendor["id"]:
        return incident
    return records.unresolved_vendor_incident(call, vendor)


def _write(call: Call, intent: Intent) -> str:
    """Make a schedule, or with `standby` in the details say how much of the data that has, with `incident` what is broken."""
    if "incident" in intent.details:
        return write_incident(call, intent)
    if "standby" not in intent.details:
        return make_schedule(call, intent)
    target, lag = _text(intent.details["standby"]), intent.details.get("lag_seconds")
    if records.vendor_named(call, target) is None:
        raise LookupError(f"{intent.key}: nothing could be served by {target!r}")
    records.set_standby(call, target, _text(intent.details.get("state")), lag if isinstance(lag, int) else 0)
    return standby_path(target)


def _service(call: Call, intent: Intent) -> Row:
    name = _text(intent.details.get("service")) or intent.thing.removeprefix("ops:")
    found = records.service_named(call, name)
    if found is None:
        raise LookupError(f"{intent.key}: there is no service {name!r}")
    return found


def _alert(call: Call, intent: Intent) -> Row:
    """The alert in the details (or acted on), by its path or by the name of what raised it."""
    name = _text(intent.details.get("alert")) or intent.thing
    path = name if name.startswith("ops:") else call.bound(name) or ""
    found = _ALERT.fullmatch(path)
    alert = call.rows.get(tables.alert, int(found.group(1))) if found else None
    if alert is None:
        raise LookupError(f"{intent.key}: no alert stands for {name!r}")
    return alert


def _one_of(key: str, what: str, value: Json, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise LookupError(f"{key}: {what} is {value!r}; expected one of {', '.join(allowed)}")
    return str(value)


def _is_on(intent: Intent) -> bool:
    """What a flag is turned to; YAML 1.2 reads an author's bare `on` and `off` as words."""
    value = intent.details.get("on")
    if value not in (True, False, "on", "off"):
        raise LookupError(f"{intent.key}: a flag is turned on or off, found {value!r}")
    return value in (True, "on")


def _text(value: Json) -> str:
    return "" if value is None else str(value)


handlers: dict[IntentKind, IntentHandler] = {
    "deploy": _deploy,
    "alert": _raise_alert,
    "resolve": _resolve,
    "acknowledge": _acknowledge,
    "page": _page,
    "announce": _announce,
    "write": _write,
    "assign": put_on_call,
}
