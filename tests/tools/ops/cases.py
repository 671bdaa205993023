"""The ops products' operations, each seen to succeed and to fail."""

from collections.abc import Mapping

from brownout.core.values import Json
from brownout.testing.conformance import Case, NamedThing, Step

__all__ = ["CASES", "NAMED", "SHAPE"]

SHAPE = frozenset({"error"})
_NONE = "2100"
_BAD = "2001"
_BOX = {"service": "boxoffice"}
_NOWHERE = {"service": "nowhere"}
_BROKEN = Step("ops_failover", {**_BOX, "resource": "database", "to": "aws-rds/eu-central-1", "force": True}, waits=2)
_ALERT = Step("ops_list_alerts", {}, {"alert": "alerts[0].id"})
_OVERRIDE = {"schedule": "boxes", "person": "owen", "since": "2026-03-26T09:00", "until": "2026-03-27T09:00"}
_OVERRIDDEN = Step("ops_create_override", {**_OVERRIDE}, {"override": "id"})
_SILENCED = Step("ops_create_silence", {**_BOX, "reason": "moving house"}, {"silence": "id"})
_INCIDENT: Mapping[str, Json] = {"title": "Selling fails", "severity": "major", "services": ["boxoffice"]}
_OPENED = Step("ops_open_incident", {**_INCIDENT}, {"incident": "id"})
_POST: Mapping[str, Json] = {"title": "Selling fails", "body": "Tickets cannot be bought.", "services": ["boxoffice"]}
_POSTED = Step("ops_publish_post", {**_POST}, {"post": "id"})

CASES = (
    Case("ops_list_services", {}, {"colour": "blue"}, _BAD),
    Case("ops_get_service", _BOX, _NOWHERE, _NONE),
    Case("ops_get_dependencies", {"service": "doorlist"}, _NOWHERE, _NONE),
    Case("ops_get_on_call", _BOX, _NOWHERE, _NONE),
    Case(
        "ops_get_metrics",
        {**_BOX, "metric": "error_rate"},
        {**_BOX, "metric": "error_rate", "since": "yesterday"},
        _BAD,
    ),
    Case("ops_get_logs", _BOX, _NOWHERE, _NONE),
    Case("ops_search_logs", {"contains": "hold"}, {"contains": "hold", "minutes": 10_000}, _BAD),
    Case("ops_list_vendor_status", {}, {"vendor": "nobody"}, _NONE),
    Case("ops_get_vendor_incident", {"incident": 1}, {"incident": 99}, _NONE),
    Case("ops_list_releases", _BOX, _NOWHERE, _NONE),
    Case("ops_list_deploys", {}, {"cursor": "nonsense"}, _BAD),
    Case("ops_deploy", {**_BOX, "version": "2026.3.23-1"}, {**_BOX, "version": "0"}, _BAD),
    Case("ops_rollback", _BOX, {**_BOX, "to_version": "2026.3.23-2"}, _BAD),
    Case(
        "ops_failover",
        {**_BOX, "resource": "database", "to": "aws-rds/eu-central-1", "force": True},
        {**_BOX, "resource": "database", "to": "aws-rds/eu-central-1"},
        "empty standby",
    ),
    Case("ops_list_standbys", {}, _NOWHERE, _NONE),
    Case("ops_list_flags", {}, _NOWHERE, _NONE),
    Case("ops_set_flag", {**_BOX, "flag": "waitlist", "is_on": True}, {**_BOX, "flag": "nothing", "is_on": True}, _BAD),
    Case("ops_restart_service", _BOX, _NOWHERE, _NONE),
    Case("ops_list_alerts", {"status": "all"}, _NOWHERE, _NONE),
    Case("ops_get_alert", {"alert": 1}, {"alert": 99}, _NONE),
    Case("ops_acknowledge_alert", {"alert": "$alert"}, {"alert": 1}, "1001", (_SILENCED, _BROKEN, _ALERT)),
    Case("ops_resolve_alert", {"alert": "$alert"}, {"alert": 1}, "1001", (_BROKEN, _ALERT)),
    Case("ops_escalate_alert", {"alert": "$alert"}, {"alert": 1}, "1001", (_BROKEN, _ALERT)),
    Case("ops_add_alert_note", {"alert": 1, "text": "x"}, {"alert": 99, "text": "x"}, _NONE),
    Case("ops_page_person", {"person": "ida", "text": "x"}, {"person": "wren", "text": "x"}, _BAD),
    Case("ops_list_pages", {"person": "ida"}, {"person": "nobody"}, _NONE),
    Case("ops_list_schedules", {}, {"colour": "blue"}, _BAD),
    Case("ops_get_schedule", {"schedule": "boxes"}, {"schedule": "nothing"}, _NONE),
    Case("ops_create_override", _OVERRIDE, {**_OVERRIDE, "until": "2026-03-26T08:00"}, _BAD),
    Case("ops_delete_override", {"override": "$override"}, {"override": 99}, _NONE, (_OVERRIDDEN,)),
    Case("ops_list_silences", {}, {"colour": "blue"}, _BAD),
    Case("ops_create_silence", {**_BOX, "reason": "x"}, {**_NOWHERE, "reason": "x"}, _NONE),
    Case("ops_list_incidents", {}, _NOWHERE, _NONE),
    Case("ops_get_incident", {"incident": "$incident"}, {"incident": 99}, _NONE, (_OPENED,)),
    Case("ops_open_incident", _INCIDENT, {**_INCIDENT, "services": ["nowhere"]}, _NONE),
    Case(
        "ops_update_incident",
        {"incident": "$incident", "message": "The database is slow.", "status": "identified"},
        {"incident": "$incident", "next_update_at": "2026-03-01T10:00:00Z"},
        _BAD,
        (_OPENED,),
    ),
    Case("ops_get_status_page", {}, {"colour": "blue"}, _BAD),
    Case("ops_set_component_status", {**_BOX, "status": "major_outage"}, {**_NOWHERE, "status": "major_outage"}, _NONE),
    Case("ops_publish_post", _POST, {**_POST, "services": ["nowhere"]}, _NONE),
    Case(
        "ops_update_post",
        {"post": "$post", "status": "resolved", "body": "It works again."},
        {"post": 99, "status": "resolved", "body": "It works again."},
        _NONE,
        (_POSTED,),
    ),
    Case("ops_end_silence", {"silence": "$silence"}, {"silence": 99}, _NONE, (_SILENCED,)),
)

NAMED = (
    NamedThing("ops", "boxoffice"),
    NamedThing("ops", "boxoffice.alert/*"),
    NamedThing("ops", "boxoffice.deploy/*"),
    NamedThing("ops", "boxoffice.failover/database"),
    NamedThing("ops", "vendor/slack"),
    NamedThing("ops", "schedule/boxes.override/*", (_OVERRIDDEN,)),
    NamedThing("ops", "boxoffice.silence/*", (_SILENCED,)),
    NamedThing("ops", "incident/boxoffice", (_OPENED,)),
    NamedThing("ops", "incident/Selling*", (_OPENED,)),
    NamedThing("ops", "incident/$incident.update/*", (_OPENED,)),
    NamedThing("ops", "status-page.component/boxoffice"),
    NamedThing("ops", "status-page.post/$post", (_POSTED,)),
)
