"""Releases, deploys, rollbacks, failover, flags, restarts; and that intent handlers leave the rows operations leave."""

from typing import Any

import pytest

from brownout.core.app_roles import RunsServices
from brownout.core.apps import VendorError
from tests.tools.ops.desk import Desk, rows_of
from tools.ops import app


def refusal(desk: Desk, name: str, **arguments: object) -> str:
    """What an operation refuses to do says."""
    before = rows_of(desk)
    with pytest.raises(VendorError) as caught:
        desk.ask(name, **arguments)
    assert rows_of(desk) == before, "a refused operation wrote something"
    error: Any = caught.value.content["error"]
    assert (caught.value.status, error["code"], error["message"]) in {
        (400, 2001, "Invalid Input Provided"),
        (404, 2100, "Not Found"),
        (401, 2006, "Authentication Failed"),
    }
    return str(error["errors"][0])


def test_releases_are_listed_newest_first_page_by_page(desk: Desk) -> None:
    first = desk.ask("list_releases", service="boxoffice", limit=2)
    rest = desk.ask("list_releases", service="boxoffice", limit=2, cursor=first["next_cursor"])

    assert first["running"] == "1.8.2"
    assert [(r["version"], r["commit"]) for r in first["releases"]] == [("1.8.2", "c3"), ("1.8.1", "b2")]
    assert [r["version"] for r in rest["releases"]] == ["1.8.0"]
    assert (rest["more"], rest["next_cursor"]) == (False, "")
    assert "no service" in refusal(desk, "list_releases", service="nothing")
    assert "not a cursor" in refusal(desk, "list_releases", service="boxoffice", cursor="AAAA")


def test_deploys_tell_who_changed_what(desk: Desk) -> None:
    listed = desk.ask("list_deploys", service="boxoffice")["deploys"]

    assert [(d["version"], d["previous_version"], d["kind"], d["by"]) for d in listed] == [
        ("1.8.2", "1.8.1", "deploy", "tomas"),
        ("1.8.1", "1.8.0", "deploy", "tomas"),
    ]
    assert listed[0]["note"] == "notes of 1.8.2"
    assert desk.ask("list_deploys", service="payments")["deploys"] == []
    assert len(desk.ask("list_deploys")["deploys"]) == 2
    assert "no service" in refusal(desk, "list_deploys", service="nothing")


def test_a_deploy_sets_version_and_commit(desk: Desk) -> None:
    answer = desk.ask("deploy", service="boxoffice", version="1.8.1", note="steadier")

    assert (answer["version"], answer["previous_version"], answer["by"]) == ("1.8.1", "1.8.2", "wren")
    running = app.role(RunsServices)
    assert running is not None
    state = running.states(desk.rows)["boxoffice"]
    assert (state.version, state.commit) == ("1.8.1", "b2")


def test_a_version_that_was_never_released_cannot_be_deployed(desk: Desk) -> None:
    said = refusal(desk, "deploy", service="boxoffice", version="1.9.0")

    assert said == "boxoffice has no release '1.9.0'; the latest are: 1.8.2, 1.8.1, 1.8.0."


def test_a_rollback_goes_back_one_release_each_time(desk: Desk) -> None:
    versions = [desk.ask("rollback", service="boxoffice")["version"] for _ in range(2)]

    assert versions == ["1.8.1", "1.8.0"]
    assert "no release of boxoffice before 1.8.0" in refusal(desk, "rollback", service="boxoffice")


def test_a_rollback_goes_to_an_earlier_version_by_name(desk: Desk) -> None:
    assert desk.ask("rollback", service="boxoffice", to_version="1.8.0")["kind"] == "rollback"
    assert "not earlier" in refusal(desk, "rollback", service="boxoffice", to_version="1.8.1")
    assert "no release" in refusal(desk, "rollback", service="boxoffice", to_version="0.1")


def test_a_failover_moves_a_need_and_back(desk: Desk) -> None:
    there = desk.ask("failover", service="boxoffice", resource="database", to="aws-rds/eu-central-1")
    back = desk.ask("failover", service="boxoffice", resource="database", to="aws-rds/eu-west-1")

    assert there["change"] == {"what": "database", "from": "aws-rds/eu-west-1", "to": "aws-rds/eu-central-1"}
    assert back["change"]["to"] == "aws-rds/eu-west-1"
    assert there["version"] == there["previous_version"] == "1.8.2"


def test_a_failover_to_what_is_no_option_is_refused(desk: Desk) -> None:
    words = {"service": "boxoffice", "resource": "database"}

    assert "expected: aws-rds/eu-central-1, aws-rds/eu-south-1" in refusal(desk, "failover", **words, to="moon")
    assert "already" in refusal(desk, "failover", **words, to="aws-rds/eu-west-1")
    assert "expected: none" in refusal(desk, "failover", service="boxoffice", resource="cards", to="stripe")
    assert "it has: cards, database" in refusal(desk, "failover", service="boxoffice", resource="cache", to="x")


def test_a_flag_is_turned_and_a_turn_to_what_it_is_changes_nothing(desk: Desk) -> None:
    before = rows_of(desk)
    same = desk.ask("set_flag", service="boxoffice", flag="maps", is_on=False)
    assert rows_of(desk) == before
    turned = desk.ask("set_flag", service="boxoffice", flag="instant-holds", is_on=False)

    assert (same["changed"], turned["changed"]) == (False, True)
    assert desk.ask("list_flags", service="boxoffice")["flags"] == [
        {"service": "boxoffice", "flag": "instant-holds", "is_on": False},
        {"service": "boxoffice", "flag": "maps", "is_on": False},
    ]
    assert len(desk.ask("list_flags")["flags"]) == 2
    assert desk.ask("list_deploys", service="boxoffice")["deploys"][0]["change"] == {
        "what": "instant-holds",
        "from": "on",
        "to": "off",
    }


def test_a_flag_that_is_not_there_is_refused(desk: Desk) -> None:
    said = refusal(desk, "set_flag", service="boxoffice", flag="holds", is_on=True)

    assert said == "There is no flag 'holds'. The flags are: instant-holds, maps."
    assert "no service" in refusal(desk, "list_flags", service="nothing")


def test_a_restart_stands_in_the_history(desk: Desk) -> None:
    assert desk.ask("restart_service", service="payments", note="stuck pool")["kind"] == "restart"
    assert desk.ask("list_deploys", service="payments")["deploys"][0]["note"] == "stuck pool"
    assert "no service" in refusal(desk, "restart_service", service="nothing")


def test_who_has_no_account_changes_nothing(desk: Desk) -> None:
    outsider = desk.at("saltworks")

    for name, arguments in (
        ("deploy", {"version": "1.8.1"}),
        ("rollback", {}),
        ("failover", {"resource": "database", "to": "aws-rds/eu-central-1"}),
        ("set_flag", {"flag": "maps", "is_on": True}),
        ("restart_service", {}),
    ):
        assert "no account" in refusal(outsider, name, service="boxoffice", **arguments)


@pytest.mark.parametrize(
    ("operation", "arguments", "details"),
    [
        ("deploy", {"version": "1.8.1"}, {"version": "1.8.1"}),
        ("rollback", {"to_version": "1.8.0"}, {"version": "1.8.0", "rollback": True}),
        (
            "failover",
            {"resource": "database", "to": "aws-rds/eu-south-1"},
            {"resource": "database", "to": "aws-rds/eu-south-1"},
        ),
        ("set_flag", {"flag": "maps", "is_on": True}, {"flag": "maps", "on": "on"}),
        ("restart_service", {}, {"restart": True}),
    ],
)
def test_a_coworkers_change_leaves_the_rows_of_the_operation(
    desk: Desk, twin: Desk, operation: str, arguments: dict[str, object], details: dict[str, object]
) -> None:
    desk.ask(operation, service="boxoffice", note="why", **arguments)
    twin.carry("deploy", thing="boxoffice", details={**details, "note": "why"})

    assert rows_of(desk) == rows_of(twin)


def test_a_coworkers_deploy_of_a_new_version_makes_the_release(desk: Desk) -> None:
    desk.bind("cap-retries", "github:pennywhistle/boxoffice.commit/d4")
    path = desk.at("tomas").carry(
        "deploy", thing="boxoffice", text="caps retries", details={"version": "1.8.3", "commit": "cap-retries"}
    )

    assert path == "ops:boxoffice.deploy/3"
    assert desk.ask("list_releases", service="boxoffice", limit=1)["releases"][0]["note"] == "caps retries"
    shown = desk.ask("get_service", service="boxoffice")
    assert (shown["version"], shown["commit"]) == ("1.8.3", "d4")


@pytest.mark.parametrize(
    ("thing", "details", "says"),
    [
        ("nothing", {"version": "1.8.1"}, "no service 'nothing'"),
        ("boxoffice", {}, "names no version"),
        ("boxoffice", {"version": "2", "commit": "a-pull"}, "which is no commit"),
        ("boxoffice", {"resource": "database", "to": "moon"}, "could be 'moon'"),
        ("boxoffice", {"flag": "holds", "on": True}, "no flag 'holds'"),
        ("boxoffice", {"flag": "maps", "on": "maybe"}, "found 'maybe'"),
    ],
)
def test_an_intent_that_cannot_be_carried_says_why(
    desk: Desk, thing: str, details: dict[str, object], says: str
) -> None:
    desk.bind("a-pull", "github:pennywhistle/boxoffice.pull/4")

    with pytest.raises(LookupError, match=says):
        desk.carry("deploy", thing=thing, details=details)
