"""Schedules, overrides, escalation, silences, standbys: what was not there when there was one person on call."""

from typing import Any, cast

import pytest

import brownout
from brownout.core.errors import AuthoringError
from brownout.engine.session import Session
from tests.tools.larger import OPS, write_spec


def ask(session: Session, name: str, **arguments: Any) -> Any:
    """The answer to a call that succeeds."""
    answer = session.call(f"ops_{name}", arguments)
    assert not answer.is_error, answer.content
    return cast(Any, answer.structured)


def refused(session: Session, name: str, **arguments: Any) -> str:
    """What is wrong with a call, in words."""
    answer = session.call(f"ops_{name}", arguments)
    assert answer.is_error, answer.content
    return str(cast(Any, answer.structured)["error"]["errors"][0])


def broken(session: Session) -> int:
    """The id of an alert of boxoffice that has lost its database."""
    ask(session, "failover", service="boxoffice", resource="database", to="aws-rds/eu-central-1", force=True)
    session.call("wait", {"minutes": 3, "until_notice": False})
    return int(ask(session, "list_alerts")["alerts"][0]["id"])


def test_people_take_turns_also_when_clocks_change(session: Session) -> None:
    shifts = ask(session, "get_schedule", schedule="boxes", since="2026-03-16", days=28)["shifts"]

    assert [shift["user"] for shift in shifts] == ["tomas", "owen", "ida", "tomas", "owen"]
    assert [shift["from"][11:16] for shift in shifts[1:]] == ["09:00", "09:00", "08:00", "08:00"]


def test_an_override_stands_in_and_is_taken_back(session: Session) -> None:
    made = ask(
        session, "create_override", schedule="boxes", person="owen", since="2026-03-24T14:00", until="2026-03-25T09:00"
    )
    now = ask(session, "get_on_call", service="boxoffice")["oncalls"][0]["on_call"]["user"]
    shifts = ask(session, "get_schedule", schedule="boxes", since="2026-03-24T12:00", days=1)["shifts"]
    ask(session, "delete_override", override=made["id"])

    assert now == "owen"
    assert [(shift["user"], shift["override"]) for shift in shifts] == [
        ("ida", None),
        ("owen", made["id"]),
        ("ida", None),
    ]
    assert ask(session, "get_service", service="boxoffice")["on_call"] == "ida"
    assert "in the future" in refused(
        session, "create_override", schedule="boxes", person="owen", since="2026-03-01", until="2026-03-02"
    )


def test_an_alert_pages_whoever_is_on_call_by_then(session: Session) -> None:
    ask(session, "create_override", schedule="boxes", person="wren", since="2026-03-24T13:00", until="2026-03-25T09:00")
    alert = broken(session)

    assert ask(session, "get_alert", alert=alert)["assigned_to"] == "wren"
    assert "page" in [notice.kind for notice in session.notices]


def test_an_alert_is_handed_on_to_whose_turn_is_next(session: Session) -> None:
    alert = broken(session)
    on = ask(session, "escalate_alert", alert=alert, text="Please take this one.")
    further = ask(session, "escalate_alert", alert=alert, to="priya")

    assert (on["assigned_to"], on["status"]) == ("tomas", "triggered")
    assert [page["to"] for page in further["pages"]] == ["tomas", "priya"]
    assert [page["to"] for page in ask(session, "list_pages")["pages"]] == ["priya", "tomas"]
    assert "nobody else" in refused(session, "escalate_alert", alert=alert, to="priya")


def test_in_a_silence_alerts_open_and_nobody_is_paged(session: Session) -> None:
    ask(session, "create_override", schedule="boxes", person="wren", since="2026-03-24T13:00", until="2026-03-25T09:00")
    made = ask(session, "create_silence", service="boxoffice", reason="Moving the database.", minutes=30)
    alert = broken(session)

    assert ask(session, "get_alert", alert=alert)["status"] == "triggered"
    assert [notice for notice in session.notices if notice.kind == "page"] == []
    assert ask(session, "end_silence", silence=made["id"])["status"] == "over"
    assert ask(session, "list_silences")["silences"] == []
    assert "is over" in refused(session, "end_silence", silence=made["id"])


def test_a_maintenance_window_begins_later(session: Session) -> None:
    made = ask(session, "create_silence", service="boxoffice", reason="Upgrade.", since="2026-03-25T20:00", minutes=60)

    assert (made["status"], made["until"]) == ("planned", "2026-03-25T21:00:00Z")


def test_an_empty_standby_refuses_and_loses_everything_where_forced(session: Session) -> None:
    failover = {"service": "boxoffice", "resource": "database", "to": "aws-rds/eu-central-1"}
    standbys = ask(session, "list_standbys", service="boxoffice")["standbys"]
    assert [(each["role"], each["state"]) for each in standbys] == [("primary", "ready"), ("standby", "empty")]
    assert "empty standby" in refused(session, "failover", **failover)
    assert ask(session, "get_service", service="boxoffice")["health"]["status"] == "healthy"

    forced = ask(session, "failover", **failover, force=True)
    assert forced["lost_everything"] is True
    assert ask(session, "get_service", service="boxoffice")["health"]["status"] == "down"
    assert ask(session, "get_dependencies", service="boxoffice")["used_by"][0]["service"] == "doorlist"

    ask(session, "failover", service="boxoffice", resource="database", to="aws-rds/eu-west-1")
    assert ask(session, "get_service", service="boxoffice")["health"]["status"] == "healthy"


def test_dependencies_are_followed_both_ways(session: Session) -> None:
    doorlist = ask(session, "get_dependencies", service="doorlist")

    assert doorlist["depends_on"][0]["served_by"] == "boxoffice"
    assert doorlist["depends_on"][0]["depends_on"][0] == {"resource": "database", "served_by": "aws-rds/eu-west-1"}
    assert doorlist["used_by"] == []


def test_logs_are_searched_across_services(session: Session) -> None:
    lines = ask(session, "search_logs", contains="e", minutes=120, limit=500)["lines"]

    assert {line["service"] for line in lines} <= {"boxoffice", "doorlist"}
    assert [line["at"] for line in lines] == sorted(line["at"] for line in lines)
    assert "At most 6h" in refused(session, "search_logs", contains="e", minutes=500)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rotation: [ida", "rotation: [idah", "nobody is called 'idah'"),
        ("covers: [boxoffice]", "covers: [boxofice]", "there is no service 'boxofice'"),
        ("every: 7d", "every: often", "expected a duration"),
        ("aws-rds/eu-central-1: empty", "aws-rds/eu-south-1: empty", "nothing could be served by"),
    ],
)
def test_mistakes_in_schedules_and_standbys_are_said(tmp_path: Any, old: str, new: str, message: str) -> None:
    folder = write_spec(tmp_path / "spec")
    world = folder / "world.yaml"
    assert OPS in world.read_text()
    world.write_text(world.read_text().replace(old, new))
    with pytest.raises(AuthoringError, match=message):
        brownout.build(folder, out=tmp_path / "package")
