"""Alerts, notes and pages, from people and from monitoring; announcements of vendors."""

from typing import Any

import pytest

from brownout.core.apps import VendorError
from brownout.core.instants import MINUTE, iso
from tests.tools.ops.desk import NOW, Desk, raise_alert, rows_of


def test_an_alert_pages_whoever_is_on_call(desk: Desk) -> None:
    key = raise_alert(desk)

    assert desk.reached == [("ida", "page", f"ops:boxoffice.alert/{key}", "[high] boxoffice: error rate 12 %")]
    assert desk.ask("get_alert", alert=key) == {
        "id": key,
        "service": "boxoffice",
        "summary": "boxoffice: error rate 12 %",
        "severity": "high",
        "status": "triggered",
        "assigned_to": "ida",
        "incident": None,
        "triggered_at": iso(NOW),
        "acknowledged_by": None,
        "acknowledged_at": None,
        "resolved_by": None,
        "resolved_at": None,
        "rule": "error_rate > 5% for 3m",
        "details": "error_rate > 5% for 3m on boxoffice; it is 12 % now.",
        "notes": [],
        "pages": [],
    }


def test_an_alert_to_nobody_goes_to_the_services_on_call(desk: Desk) -> None:
    raise_alert(desk, to=())
    raise_alert(desk, to=(), thing="payments")

    assert [person for person, *_ in desk.reached] == ["ida"]


def test_a_rule_that_fires_twice_opens_one_alert(desk: Desk) -> None:
    assert raise_alert(desk) == raise_alert(desk)
    assert len(desk.reached) == 1


def test_a_rule_that_fires_after_its_alert_was_resolved_opens_another(desk: Desk) -> None:
    first = raise_alert(desk)
    desk.ask("resolve_alert", alert=first)

    assert raise_alert(desk) != first
    assert len(desk.reached) == 2


def test_alerts_are_listed_by_status_and_service(desk: Desk) -> None:
    one = raise_alert(desk)
    two = raise_alert(desk, thing="venue-pages")
    desk.ask("acknowledge_alert", alert=two)

    def ids(**arguments: object) -> list[int]:
        return [alert["id"] for alert in desk.ask("list_alerts", **arguments)["alerts"]]

    assert ids() == [two, one]
    assert ids(service="boxoffice") == [one]
    assert ids(status="acknowledged") == [two]
    assert ids(status="resolved") == [1]
    assert ids(status="all") == [two, one, 1]
    first = desk.ask("list_alerts", status="all", limit=2)
    assert ids(status="all", limit=2, cursor=first["next_cursor"]) == [1]
    for arguments in ({"service": "nothing"}, {"status": "sleeping"}, {"cursor": "x"}):
        with pytest.raises(VendorError, match=r"2001|2100"):
            desk.ask("list_alerts", **arguments)


def test_the_first_to_acknowledge_stays_the_one(desk: Desk) -> None:
    key = raise_alert(desk)
    desk.ask("acknowledge_alert", alert=key)
    again = desk.at("ida", later=MINUTE).ask("acknowledge_alert", alert=key)

    assert (again["status"], again["acknowledged_by"], again["acknowledged_at"]) == ("acknowledged", "wren", iso(NOW))


def test_a_resolved_alert_keeps_its_note(desk: Desk) -> None:
    key = raise_alert(desk)
    answer = desk.ask("resolve_alert", alert=key, note="failed over")

    assert (answer["status"], answer["resolved_by"]) == ("resolved", "wren")
    assert desk.ask("get_alert", alert=key)["notes"][0]["text"] == "failed over"
    for name in ("acknowledge_alert", "resolve_alert"):
        with pytest.raises(VendorError) as caught:
            desk.ask(name, alert=key)
        assert (caught.value.status, caught.value.code) == (400, "1001")


def test_a_note_reaches_those_who_work_on_the_alert(desk: Desk) -> None:
    key = raise_alert(desk)
    desk.at("tomas").ask("acknowledge_alert", alert=key)
    desk.reached.clear()
    desk.ask("add_alert_note", alert=key, text="It is the database.")

    text = f"Wren on alert {key}: It is the database."
    assert desk.reached == [(who, "message", f"ops:boxoffice.alert/{key}", text) for who in ("ida", "tomas")]


@pytest.mark.parametrize("name", ["get_alert", "acknowledge_alert", "resolve_alert"])
def test_an_alert_that_is_not_there_is_not_found(desk: Desk, name: str) -> None:
    with pytest.raises(VendorError) as caught:
        desk.ask(name, alert=99)

    assert caught.value.content == {
        "error": {"code": 2100, "message": "Not Found", "errors": ["There is no alert 99."]}
    }


@pytest.mark.parametrize("number", [0, -1, 1 << 63])
def test_a_number_no_alert_can_have_is_invalid_input(desk: Desk, number: int) -> None:
    with pytest.raises(VendorError, match="2001"):
        desk.ask("get_alert", alert=number)


def test_a_note_on_nothing_or_of_nothing_is_refused(desk: Desk) -> None:
    for arguments in ({"alert": 99, "text": "x"}, {"alert": 1, "text": ""}):
        with pytest.raises(VendorError, match=r"2001|2100"):
            desk.ask("add_alert_note", **arguments)


@pytest.mark.parametrize("person", ["ida", "@ida", "ida@pennywhistle.test", "Ida Lindqvist"])
def test_a_person_is_paged_by_any_of_their_names(desk: Desk, person: str) -> None:
    key = raise_alert(desk)
    desk.reached.clear()
    sent = desk.ask("page_person", person=person, text="Please look", alert=key)

    assert (sent["from"], sent["to"], sent["urgency"], sent["alert"]) == ("wren", "ida", "high", key)
    assert desk.reached == [("ida", "page", f"ops:@ida.page/{sent['id']}", "Wren: Please look")]
    assert desk.ask("get_alert", alert=key)["pages"] == [sent]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"person": "nobody", "text": "x"}, "2100"),
        ({"person": "saltworks", "text": "x"}, "2100"),
        ({"person": "wren", "text": "x"}, "2001"),
        ({"person": "ida", "text": ""}, "2001"),
        ({"person": "ida", "text": "x", "urgency": "extreme"}, "2001"),
        ({"person": "ida", "text": "x", "alert": 99}, "2100"),
    ],
)
def test_a_page_that_cannot_be_sent_is_refused(desk: Desk, arguments: dict[str, object], code: str) -> None:
    before = rows_of(desk)
    with pytest.raises(VendorError, match=code):
        desk.ask("page_person", **arguments)

    assert (rows_of(desk), desk.reached) == (before, [])


def test_a_coworkers_page_and_acknowledgement_leave_the_rows_of_the_operations(desk: Desk, twin: Desk) -> None:
    key = raise_alert(desk)
    desk.ask("acknowledge_alert", alert=key)
    desk.ask("page_person", person="ida", text="Please look", urgency="low", alert=key)
    desk.ask("resolve_alert", alert=key)
    path = f"ops:boxoffice.alert/{raise_alert(twin)}"
    twin.bind("alert/boxoffice/1", path)
    details = {"alert": "alert/boxoffice/1"}
    assert twin.carry("acknowledge", details=details) == path
    assert twin.carry("page", to=("ida",), text="Please look", details={**details, "urgency": "low"}).startswith(
        "ops:@ida.page/"
    )
    assert twin.carry("resolve", details={"alert": path}) == path

    assert rows_of(desk) == rows_of(twin)
    assert desk.reached == twin.reached


def test_monitoring_resolves_every_open_alert_of_a_service(desk: Desk) -> None:
    keys = [raise_alert(desk), raise_alert(desk, details={"rule": "latency > 2s for 5m"})]
    path = desk.at("monitoring").carry("resolve", details={"service": "boxoffice"})

    assert path == f"ops:boxoffice.alert/{keys[1]}"
    assert desk.ask("list_alerts")["alerts"] == []
    assert desk.at("monitoring").carry("resolve", details={"service": "boxoffice"}) == "ops:boxoffice"


def test_resolving_what_somebody_resolved_before_changes_nothing(desk: Desk) -> None:
    key = raise_alert(desk)
    desk.ask("resolve_alert", alert=key)
    before = rows_of(desk)
    desk.at("monitoring", later=MINUTE).carry("resolve", details={"alert": f"ops:boxoffice.alert/{key}"})

    assert rows_of(desk) == before


@pytest.mark.parametrize(
    ("kind", "words", "says"),
    [
        ("alert", {"thing": "nothing"}, "no service 'nothing'"),
        ("resolve", {"details": {"alert": "never-raised"}}, "no alert stands for 'never-raised'"),
        ("acknowledge", {"thing": "ops:boxoffice.alert/99"}, "no alert stands for"),
        ("page", {"to": ("saltworks",), "text": "x"}, "saltworks cannot be paged"),
        ("page", {"text": "x"}, "nobody cannot be paged"),
        ("announce", {"details": {"vendor": "boxoffice"}}, "'boxoffice' is no vendor"),
        ("announce", {"details": {"vendor": "slack", "status": "fine"}}, "status is 'fine'"),
        ("announce", {"details": {"vendor": "slack", "impact": "huge"}}, "impact is 'huge'"),
    ],
)
def test_an_intent_that_cannot_be_carried_says_why(desk: Desk, kind: Any, words: dict[str, Any], says: str) -> None:
    with pytest.raises(LookupError, match=says):
        desk.carry(kind, **words)


def test_each_outage_has_an_incident_of_its_own(desk: Desk) -> None:
    status = desk.at("status")
    details = {"vendor": "slack"}
    one = status.carry("announce", thing="search-slow", subject="Search is slow", details=details)
    status.carry("announce", thing="search-slow", details={**details, "status": "resolved"})
    two = status.carry("announce", thing="slack-down", subject="Slack is down", details=details)
    again = status.carry("announce", thing="slack-down", details={**details, "status": "monitoring"})

    assert one == "ops:vendor/slack.incident/1"
    assert two == again == "ops:vendor/slack.incident/2"
    assert desk.bound("slack-down") == two


def test_an_outage_announced_when_it_is_over_is_an_incident_resolved_at_once(desk: Desk) -> None:
    details = {"vendor": "cloudflare", "status": "resolved", "impact": "minor"}
    path = desk.at("status").carry("announce", subject="Errors", text="It is over.", details=details)
    shown = desk.ask("get_vendor_incident", incident=int(path.rpartition("/")[2]))

    assert (shown["started_at"], shown["resolved_at"], len(shown["updates"])) == (iso(NOW), iso(NOW), 1)
    assert desk.ask("list_vendor_status", vendor="cloudflare")["vendors"][0]["status"]["indicator"] == "none"


def test_two_outages_of_one_vendor_at_once_are_two_incidents(desk: Desk) -> None:
    status = desk.at("status")
    one = status.carry("announce", thing="search-slow", details={"vendor": "slack"})
    two = status.carry("announce", thing="uploads-fail", details={"vendor": "slack"})

    assert one != two
