"""Our own incidents: opened, updated, resolved; whom an update reaches, what a rubric finds of them, and when."""

from typing import Any

import pytest

from brownout.core.apps import VendorError
from brownout.core.instants import HOUR, MINUTE, iso
from tests.tools.ops.desk import NOW, Desk, raise_alert, rows_of
from tools.ops import app

_OPENED = {"title": "Selling fails", "severity": "critical", "services": ["boxoffice"]}


def opened(desk: Desk, **words: Any) -> Any:
    return desk.ask("open_incident", **{**_OPENED, **words})


def test_an_incident_is_opened_with_all_that_is_known(desk: Desk) -> None:
    alert = raise_alert(desk)
    made = opened(
        desk,
        message="Looking at the database.",
        started_at=iso(NOW - 12 * MINUTE),
        next_update_at=iso(NOW + 30 * MINUTE),
        responders=["Ida Lindqvist"],
        subscribers=["#support", "support@pennywhistle.test"],
        tickets=["BOX-41", "BOX-41"],
        alerts=[alert],
    )

    assert (made["status"], made["commander"], made["opened_by"]) == ("investigating", "wren", "wren")
    assert (made["started_at"], made["opened_at"]) == (iso(NOW - 12 * MINUTE), iso(NOW))
    assert (made["responders"], made["subscribers"], made["tickets"]) == (["ida"], ["support"], ["BOX-41"])
    assert [each["id"] for each in made["alerts"]] == [alert]
    assert desk.ask("get_alert", alert=alert)["incident"] == made["id"]
    assert made["updates"][0]["sent_to"] == ["ida", "tomas"]
    assert desk.ask("get_incident", incident=made["id"]) == made


def test_an_update_changes_the_record_and_stands_in_the_timeline(desk: Desk) -> None:
    key = opened(desk, next_update_at=iso(NOW + 20 * MINUTE))["id"]
    later = desk.at("wren", later=15 * MINUTE)
    after = later.ask(
        "update_incident",
        incident=key,
        status="identified",
        message="It is the provider.",
        mitigation="Moved to the other region.",
        runs_on=["boxoffice.database = aws-rds/eu-central-1"],
        next_update_at=iso(NOW + HOUR),
    )

    assert after["runs_on"] == [{"service": "boxoffice", "need": "database", "target": "aws-rds/eu-central-1"}]
    assert [update["number"] for update in after["updates"]] == [2, 1]
    assert after["updates"][0]["by"] == "wren"
    assert after["updates"][0]["changed"] == {
        "status": {"from": "investigating", "to": "identified"},
        "mitigation": {"from": "", "to": "Moved to the other region."},
        "runs_on": {"from": [], "to": ["boxoffice.database=aws-rds/eu-central-1"]},
        "next_update_at": {"from": iso(NOW + 20 * MINUTE), "to": iso(NOW + HOUR)},
    }


def test_what_is_resolved_promises_nothing_and_may_be_opened_again(desk: Desk) -> None:
    key = opened(desk, next_update_at=iso(NOW + 20 * MINUTE))["id"]
    over = desk.ask("update_incident", incident=key, status="resolved")
    again = desk.ask("update_incident", incident=key, status="investigating", next_update_at=iso(NOW + HOUR))

    assert (over["next_update_at"], over["resolved_at"]) == (None, iso(NOW))
    assert (again["next_update_at"], again["resolved_at"]) == (iso(NOW + HOUR), None)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ({"next_update_at": iso(NOW)}, "expected a time to come"),
        ({"next_update_at": "soon"}, "expected a time such as"),
        ({"status": "resolved", "next_update_at": iso(NOW + HOUR)}, "resolved incident has no next update"),
        ({"services": ["nowhere"]}, "The services are: boxoffice, payments, venue-pages"),
        ({"services": []}, "at least 1"),
        ({"runs_on": ["boxoffice.database"]}, "form service.need=target"),
        ({"runs_on": ["nowhere.database=x"]}, "no service 'nowhere'"),
        ({"runs_on": ["boxoffice.queue=x"]}, "no need 'queue'; it has: cards, database"),
        ({"runs_on": ["boxoffice.database=moon/1"]}, "expected: aws-rds/eu-west-1, aws-rds/eu-central-1"),
        ({"subscribers": ["saltworks"]}, "The teams are: support"),
        ({"commander": "saltworks"}, "no user 'saltworks'"),
        ({"alerts": [99]}, "no alert 99"),
        ({"tickets": ["a ticket"]}, "match pattern"),
        ({"message": "  "}, "Nothing of the incident would change"),
        ({"status": "investigating"}, "Nothing of the incident would change"),
    ],
)
def test_an_update_that_makes_no_sense_is_refused_and_leaves_nothing(desk: Desk, words: Any, says: str) -> None:
    key = opened(desk)["id"]
    before, reached = rows_of(desk), [*desk.reached]
    with pytest.raises(VendorError) as refused:
        desk.ask("update_incident", incident=key, **words)

    assert says in str(refused.value.content)
    assert (rows_of(desk), desk.reached) == (before, reached)


def test_trouble_cannot_begin_in_the_future(desk: Desk) -> None:
    with pytest.raises(VendorError, match="2001"):
        opened(desk, started_at=iso(NOW + MINUTE))


def test_an_update_reaches_subscribers_and_those_who_work_on_it_once_each(desk: Desk) -> None:
    key = opened(desk, commander="ida", responders=["tomas"], subscribers=["support"], message="Look.")["id"]
    path, text = f"ops:incident/{key}", f"Wren on incident {key}, Selling fails (investigating): Look."

    assert desk.reached == [("ida", "assigned", path, text), ("tomas", "message", path, text)]


def test_incidents_are_listed_by_status_and_service(desk: Desk) -> None:
    one = opened(desk)["id"]
    two = opened(desk, title="Cards are refused", services=["payments", "boxoffice"], status="monitoring")["id"]
    desk.ask("update_incident", incident=one, status="resolved")

    def listed(**words: Any) -> list[int]:
        return [each["id"] for each in desk.ask("list_incidents", **words)["incidents"]]

    assert (listed(), listed(status="all"), listed(status="resolved")) == ([two], [two, one], [one])
    assert (listed(service="payments"), listed(service="venue-pages")) == ([two], [])
    assert listed(service="boxoffice", status="all") == [two, one]
    first = desk.ask("list_incidents", status="all", limit=1)
    assert [
        each["id"] for each in desk.ask("list_incidents", status="all", cursor=first["next_cursor"])["incidents"]
    ] == [one]


@pytest.mark.parametrize(
    ("pattern", "paths"),
    [
        ("incident/1", ["ops:incident/1"]),
        ("incident/boxoffice", ["ops:incident/1", "ops:incident/2"]),
        ("incident/PAY*", ["ops:incident/2"]),
        ("incident/selling fails", ["ops:incident/1"]),
        ("incident/*", ["ops:incident/1", "ops:incident/2"]),
        ("incident/boxoffice*.update/1", ["ops:incident/1.update/1", "ops:incident/2.update/1"]),
        ("incident/1.update/*", ["ops:incident/1.update/1", "ops:incident/1.update/2"]),
        ("incident/1.mitigation/*", ["ops:incident/1.mitigation/boxoffice/database"]),
        ("incident/nothing", []),
        ("status-page.component/box*", ["ops:status-page.component/boxoffice"]),
        ("status-page.post/*", []),
    ],
)
def test_a_rubric_finds_incidents_by_number_service_and_title(desk: Desk, pattern: str, paths: list[str]) -> None:
    opened(desk)
    opened(desk, title="Cards are refused", services=["payments", "boxoffice"])
    desk.ask("update_incident", incident=1, runs_on=["boxoffice.database=aws-rds/eu-south-1"])

    assert [thing.path for thing in app.find(desk.rows, pattern)] == paths


def test_a_rubric_sees_what_an_incident_says(desk: Desk) -> None:
    opened(desk, next_update_at=iso(NOW + HOUR))
    desk.ask("update_incident", incident=1, runs_on=["boxoffice.database=aws-rds/eu-south-1"], tickets=["BOX-1"])
    [found] = app.find(desk.rows, "incident/1")
    [first] = app.find(desk.rows, "incident/1.update/1")

    assert found.fields["database"] == "aws-rds/eu-south-1"
    assert (found.fields["next_update"], found.fields["has_next_update"]) == (iso(NOW + HOUR), True)
    assert (found.fields["services"], found.fields["tickets"], found.fields["updates"]) == (["boxoffice"], ["BOX-1"], 2)
    assert found.fields["opened_at"] == iso(NOW)
    assert found.parts["status"] == (("ops_incident", 1, "status"),)
    assert (first.fields["status"], first.fields["has_next_update"]) == ("investigating", True)


def test_each_need_is_a_field_of_its_own(desk: Desk) -> None:
    opened(desk, services=["boxoffice", "venue-pages"])
    desk.ask(
        "update_incident", incident=1, runs_on=["boxoffice.database=aws-rds/eu-south-1", "boxoffice.cards=payments"]
    )
    [found] = app.find(desk.rows, "incident/1")

    assert (found.fields["database"], found.fields["cards"]) == ("aws-rds/eu-south-1", "payments")


def test_an_alert_opens_an_incident_only_where_the_world_says_so(desk: Desk) -> None:
    raise_alert(desk)
    assert desk.ask("list_incidents", status="all")["incidents"] == []


def test_people_leave_the_rows_of_the_operations(desk: Desk, twin: Desk) -> None:
    opened(desk, message="Look.", subscribers=["support"], tickets=["BOX-1"], next_update_at=iso(NOW + 30 * MINUTE))
    desk.ask(
        "update_incident",
        incident=1,
        status="identified",
        runs_on=["boxoffice.database=aws-rds/eu-south-1"],
        message="x",
    )
    record = {**_OPENED, "subscribers": ["support"], "tickets": ["BOX-1"], "next_update": 30 * MINUTE}
    path = twin.carry("write", thing="trouble", text="Look.", details={"incident": record})
    twin.bind("test/trouble", path)
    more = {"of": "trouble", "status": "identified", "runs_on": {"boxoffice.database": "aws-rds/eu-south-1"}}

    assert twin.carry("write", text="x", details={"incident": more}) == path == "ops:incident/1"
    assert rows_of(desk) == rows_of(twin)
    assert desk.reached == twin.reached


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ({**_OPENED, "services": ["nowhere"]}, "no service 'nowhere'"),
        ({**_OPENED, "commander": "saltworks"}, "saltworks has no account"),
        ({**_OPENED, "subscribers": ["nobody"]}, "nobody has no account"),
        ({**_OPENED, "runs_on": {"boxoffice.database": "moon/1"}}, "could run on 'moon/1'"),
        ({"of": "nothing"}, "no incident stands for 'nothing'"),
    ],
)
def test_an_entry_that_cannot_be_carried_says_why(desk: Desk, record: Any, says: str) -> None:
    with pytest.raises(LookupError, match=says):
        desk.carry("write", details={"incident": record})


def test_the_public_page_shows_what_was_published(desk: Desk) -> None:
    key = opened(desk)["id"]
    made = desk.ask(
        "publish_post",
        title="Selling fails",
        body="We look into it.",
        services=["boxoffice"],
        impact="major",
        component_status="major_outage",
        incident=key,
    )
    desk.at("wren", later=HOUR).ask(
        "update_post", post=made["id"], status="resolved", body="It works.", component_status="operational"
    )
    page = desk.at("ida", later=2 * HOUR).ask("get_status_page")
    [found] = app.find(desk.rows, "status-page.post/1")

    assert {each["service"]: each["status"] for each in page["components"]} == {
        "boxoffice": "operational",
        "payments": "operational",
        "venue-pages": "operational",
    }
    assert [(each["status"], each["body"]) for each in page["posts"][0]["updates"]] == [
        ("resolved", "It works."),
        ("investigating", "We look into it."),
    ]
    assert (page["posts"][0]["resolved_at"], page["posts"][0]["incident"]) == (iso(NOW + HOUR), key)
    assert (found.fields["status"], found.fields["updates"]) == ("resolved", 2)
