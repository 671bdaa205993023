"""The catalogue, on-call, metrics, logs and vendors' status pages."""

import pytest

from brownout.core.apps import VendorError
from brownout.core.instants import DAY, HOUR, MINUTE, iso
from tests.tools.ops.desk import NOW, Desk


def test_the_catalogue_says_what_runs_and_whether_it_is_healthy(desk: Desk) -> None:
    services = desk.ask("list_services")["services"]

    assert [(s["name"], s["version"], s["status"], s["on_call"]) for s in services] == [
        ("boxoffice", "1.8.2", "degraded", "ida"),
        ("payments", "3.0.0", "healthy", None),
        ("venue-pages", "1.0.0", "healthy", None),
    ]


def test_a_service_is_shown_with_its_dependencies_flags_and_health(desk: Desk) -> None:
    shown = desk.ask("get_service", service="boxoffice")

    assert shown["commit"] == "c3"
    assert shown["dependencies"] == [
        {
            "resource": "database",
            "served_by": "aws-rds/eu-west-1",
            "can_fail_over_to": ["aws-rds/eu-central-1", "aws-rds/eu-south-1"],
        },
        {"resource": "cards", "served_by": "payments", "can_fail_over_to": []},
    ]
    assert shown["used_by"] == ["venue-pages"]
    assert shown["flags"] == {"instant-holds": True, "maps": False}
    assert shown["health"] == {
        "status": "degraded",
        "since": iso(NOW - 10 * MINUTE),
        "error_rate": 12,
        "latency_ms": 2_400,
        "load_percent": 600,
    }


def test_monitoring_does_not_give_the_cause_away(desk: Desk) -> None:
    assert "retry-storm" not in str(desk.ask("get_service", service="boxoffice"))


def test_a_service_that_does_not_exist_is_not_found(desk: Desk) -> None:
    with pytest.raises(VendorError) as caught:
        desk.ask("get_service", service="boxofice")

    assert caught.value.status == 404
    assert caught.value.content == {
        "error": {
            "code": 2100,
            "message": "Not Found",
            "errors": ["There is no service 'boxofice'; did you mean 'boxoffice'?"],
        }
    }


def test_on_call_is_known_for_one_service_and_for_all(desk: Desk) -> None:
    ida = {"user": "ida", "name": "Ida Lindqvist", "role": "platform engineer", "email": "ida@pennywhistle.test"}

    assert desk.ask("get_on_call", service="boxoffice") == {"oncalls": [{"service": "boxoffice", "on_call": ida}]}
    assert [each["on_call"] for each in desk.ask("get_on_call")["oncalls"]] == [ida, None, None]
    with pytest.raises(VendorError, match="2100"):
        desk.ask("get_on_call", service="nothing")


def test_a_metric_covers_the_last_hour_or_the_time_asked_for(desk: Desk) -> None:
    last_hour = desk.ask("get_metrics", service="boxoffice", metric="cpu")
    asked = desk.ask(
        "get_metrics",
        service="boxoffice",
        metric="latency_p95",
        since="2026-03-24T07:00:00Z",
        until="2026-03-24T10:00:00+02:00",
        step_minutes=15,
    )

    assert (len(last_hour["points"]), last_hour["unit"]) == (60, "percent")
    assert [point["at"] for point in asked["points"]] == [iso(NOW - (180 - m) * MINUTE) for m in (0, 15, 30, 45)]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"metric": "happiness"}, "Input should be"),
        ({"metric": "cpu", "since": "yesterday"}, "'since' is 'yesterday'"),
        ({"metric": "cpu", "since": "2026-03-25T00:00:00Z"}, "'since' must be before 'until'"),
        ({"metric": "cpu", "minutes": 10**12}, "At most 31d"),
        ({"metric": "cpu", "minutes": 1_440}, "use step_minutes 3 or more"),
    ],
)
def test_a_metric_that_cannot_be_queried_is_invalid_input(desk: Desk, arguments: dict[str, object], says: str) -> None:
    with pytest.raises(VendorError) as caught:
        desk.ask("get_metrics", service="boxoffice", **arguments)

    assert caught.value.status == 400
    assert "'code': 2001" in str(caught.value.content)
    assert says in str(caught.value.content)


def test_the_step_that_an_error_proposes_works(desk: Desk) -> None:
    desk.ask("get_metrics", service="boxoffice", metric="cpu", minutes=1_440, step_minutes=3)


def test_the_newest_log_lines_are_kept(desk: Desk) -> None:
    few = desk.ask("get_logs", service="boxoffice", limit=3)
    found = desk.ask("get_logs", service="boxoffice", contains="minute 59")

    assert [line["message"] for line in few["lines"]] == ["minute 57", "minute 58", "minute 59"]
    assert few["older_left_out"] is True
    assert found == {
        "service": "boxoffice",
        "lines": [{"at": iso(NOW - MINUTE), "level": "INFO", "message": "minute 59"}],
        "older_left_out": False,
    }


def test_logs_of_more_than_a_day_or_of_nothing_are_refused(desk: Desk) -> None:
    for arguments in ({"service": "boxoffice", "minutes": 1_441}, {"service": "nothing"}):
        with pytest.raises(VendorError, match=r"2001|2100"):
            desk.ask("get_logs", **arguments)


def test_a_quiet_vendor_is_operational(desk: Desk) -> None:
    vendors = desk.ask("list_vendor_status")["vendors"]

    assert [vendor["vendor"] for vendor in vendors] == [
        "aws-rds/eu-central-1",
        "aws-rds/eu-south-1",
        "aws-rds/eu-west-1",
        "cdn/static",
        "slack",
        "stripe",
    ]
    assert vendors[0] == {
        "vendor": "aws-rds/eu-central-1",
        "status": {"indicator": "none", "description": "All Systems Operational"},
        "incidents": [],
    }


def test_what_a_vendor_announces_stands_on_its_page_until_a_week_after(desk: Desk) -> None:
    status = desk.at("status")
    words = {"subject": "Elevated latency", "thing": "rds-brownout"}
    status.carry("announce", **words, text="Looking into it.", details={"vendor": "aws-rds", "impact": "major"})
    during = desk.ask("list_vendor_status", vendor="aws-rds/eu-west-1")["vendors"]
    over = desk.at("status", later=HOUR)
    over.carry("announce", **words, text="All good.", details={"vendor": "aws-rds", "status": "resolved"})
    after = desk.at("wren", later=HOUR).ask("list_vendor_status", vendor="aws-rds/eu-west-1")["vendors"]
    later = desk.at("wren", later=8 * DAY).ask("list_vendor_status", vendor="aws-rds/eu-west-1")["vendors"]

    assert during[0]["status"] == {"indicator": "major", "description": "Partial System Outage"}
    assert after[0]["status"]["indicator"] == "none"
    assert [incident["status"] for incident in after[0]["incidents"]] == ["resolved"]
    assert later[0]["incidents"] == []


def test_an_incident_is_read_with_its_updates_newest_first(desk: Desk) -> None:
    status = desk.at("status")
    details = {"vendor": "slack", "title": "Messages fail"}
    path = status.carry("announce", text="We are looking.", details=details)
    status.carry("announce", text="We found it.", details={**details, "status": "identified"})
    incident = desk.ask("get_vendor_incident", incident=int(path.rpartition("/")[2]))

    assert (incident["name"], incident["status"], incident["vendor"]) == ("Messages fail", "identified", "slack")
    assert [update["body"] for update in incident["updates"]] == ["We found it.", "We are looking."]


def test_an_unknown_vendor_or_incident_is_not_found(desk: Desk) -> None:
    with pytest.raises(VendorError, match="2100"):
        desk.ask("list_vendor_status", vendor="heroku")
    with pytest.raises(VendorError, match="2100"):
        desk.ask("get_vendor_incident", incident=99)
