"""Attributes of accounts and snoozed conversations: typed, logged, searched, found by a rubric and dated alone."""

from pathlib import Path
from typing import Any, cast

import pytest

import brownout
from brownout.core.errors import AuthoringError
from brownout.core.grading import EndState, GradingContext
from brownout.core.instants import HOUR, iso
from brownout.engine.session import Session
from graders.world_state import world_state
from tests.tools.customers.test_inbox_operations import one
from tests.tools.customers.test_register_operations import ask, found, refused
from tests.tools.larger import write_spec


def set_to(session: Session, attribute: str, value: str, account: str = "blue-lantern") -> Any:
    shown = ask(session, "set_attribute", account=account, attribute=attribute, value=value)
    return shown["attributes"].get(attribute)


def test_an_account_has_the_attributes_of_the_author_and_of_what_happened_since(session: Session) -> None:
    lantern = {"lead_hours": 48, "first_call": "2025-05-02", "tier": "gold"}

    assert ask(session, "get_account", account="blue-lantern")["attributes"] == lantern
    assert ask(session, "get_account", account="corner-hall")["attributes"] == {"lead_hours": 12.5, "tier": "silver"}
    assert ask(session, "list_attributes")["results"] == [
        {"name": "lead_hours", "type": "number"},
        {"name": "first_call", "type": "date"},
        {"name": "tier", "type": "choice", "choices": ["gold", "silver"]},
        {"name": "nickname", "type": "text"},
    ]


@pytest.mark.parametrize(
    ("attribute", "value", "kept"),
    [
        ("lead_hours", " 024 ", 24),
        ("lead_hours", "-0.50", -0.5),
        ("lead_hours", "-0", 0),
        ("lead_hours", "0.000", 0),
        ("lead_hours", "+7", 7),
        ("first_call", "2026-02-28", "2026-02-28"),
        ("tier", "SILVER", "silver"),
        ("nickname", "  The Lamp ", "The Lamp"),
        ("tier", "", None),
    ],
)
def test_a_value_is_kept_as_its_type_writes_it(session: Session, attribute: str, value: str, kept: Any) -> None:
    assert set_to(session, attribute, value) == kept


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("lead_hours", "48h"),
        ("lead_hours", "1e3"),
        ("lead_hours", "9" * 13),
        ("lead_hours", "\u0664\u0668"),
        ("first_call", "2026-02-30"),
        ("first_call", "tomorrow"),
        ("tier", "bronze"),
        ("tier", "gold, silver"),
        ("nickname", "x" * 2_001),
    ],
)
def test_a_value_of_another_type_is_refused(session: Session, attribute: str, value: str) -> None:
    arguments = {"account": "blue-lantern", "attribute": attribute, "value": value}
    assert refused(session, "set_attribute", **arguments)[0] == "VALIDATION_ERROR"


def test_an_unknown_attribute_lists_those_there_are(session: Session) -> None:
    _, message = refused(session, "set_attribute", account="blue-lantern", attribute="shoe_size", value="1")
    assert message.endswith("there are: lead_hours, first_call, tier, nickname")


def test_a_change_of_an_attribute_is_logged_and_one_to_the_same_is_none(session: Session) -> None:
    set_to(session, "lead_hours", "24")
    again = session.call(
        "customers_set_attribute", {"account": "blue-lantern", "attribute": "lead_hours", "value": "24.0"}
    )
    [change] = ask(session, "list_account_changes", account="blue-lantern")["results"]

    assert again.effects == ()
    assert (change["field"], change["from"], change["to"], change["by"]) == ("lead_hours", "48", "24", "wren")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("lead_hours>=24", ["blue-lantern"]),
        ("lead_hours:48", ["blue-lantern"]),
        ("lead_hours:none plan:house", []),
        ("tier:silver", ["corner-hall"]),
        ("first_call<2026-01-01", ["blue-lantern"]),
        ("tier:none", ["foundry-stage", "saltworks"]),
        ("-tier:none", ["corner-hall", "blue-lantern"]),
    ],
)
def test_accounts_are_found_by_their_attributes(session: Session, query: str, expected: list[str]) -> None:
    assert found(session, query) == expected


def test_a_rubric_names_an_attribute_and_dates_it_alone(session: Session) -> None:
    answer = session.call("customers_set_attribute", {"account": "saltworks", "attribute": "lead_hours", "value": "72"})
    session.call("wait", {"minutes": 30, "until_notice": False})
    ask(session, "update_account", account="saltworks", sites=4)
    set_to(session, "tier", "gold", "saltworks")
    end = cast(EndState, session.end_state())

    def holds(asks: Any) -> bool:
        return world_state.judge(end, asks, end.moment("start + 15m"), GradingContext()).passed

    assert holds({"customers:saltworks": {"attributes.lead_hours": 72, "plan": "festival"}})
    assert holds({"customers:saltworks.attributes.lead_hours": 72})
    assert not holds({"customers:saltworks.sites": 4})
    assert not holds({"customers:saltworks.attributes.tier": "gold"})
    assert "customers:saltworks.attributes/lead_hours" in [end.path_of(effect) for effect in answer.effects]


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        (
            "customers.yaml",
            "lead_hours: 48",
            "lead_hours: soon",
            "blue-lantern.attributes.lead_hours: expected a number",
        ),
        ("customers.yaml", "lead_hours: 48", "lead_hour: 48", "did you mean 'lead_hours'"),
        ("customers.yaml", "tier: gold", "tier: bronze", "expected one of gold, silver"),
        ("customers.yaml", "tier: gold", "tier: true", "between quotation marks"),
        ("world.yaml", "lead_hours: number", "plan: number", "accounts have plan already"),
        ("world.yaml", "lead_hours: number", "lead_hours: amount", "attributes.lead_hours"),
        ("world.yaml", "[gold, silver]", "[]", "expected at least one choice"),
    ],
)
def test_a_mistake_of_the_author_is_named(tmp_path: Path, file: str, old: str, new: str, says: str) -> None:
    folder = write_spec(tmp_path / "spec")
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    with pytest.raises(AuthoringError, match=says):
        brownout.build(folder, out=tmp_path / "package")


def test_a_snoozed_conversation_opens_again_by_itself(session: Session) -> None:
    grey, until = one(session, '"C is grey"'), iso(session.now + HOUR)
    ask(session, "set_conversation_status", conversation=grey["id"], status="snoozed", until=until)
    asleep = one(session, '"C is grey"')
    session.call("wait", {"minutes": 61, "until_notice": False})
    awake = one(session, '"C is grey"')

    assert (asleep["status"], asleep["snoozed_until"]) == ("snoozed", until)
    assert (awake["status"], awake["snoozed_until"]) == ("open", None)


def test_what_was_solved_meanwhile_is_not_opened_again(session: Session) -> None:
    grey = one(session, '"C is grey"')
    until = iso(session.now + HOUR)
    ask(session, "set_conversation_status", conversation=grey["id"], status="snoozed", until=until)
    ask(session, "set_conversation_status", conversation=grey["id"], status="solved")
    session.call("wait", {"minutes": 61, "until_notice": False})

    assert one(session, '"C is grey"')["status"] == "solved"


@pytest.mark.parametrize(
    ("status", "until"),
    [("snoozed", ""), ("snoozed", "2026-03-01T10:00:00Z"), ("snoozed", "later"), ("open", "2027-03-01T10:00:00Z")],
)
def test_a_snooze_that_makes_no_sense_is_refused(session: Session, status: str, until: str) -> None:
    grey = one(session, '"C is grey"')
    arguments = {"conversation": grey["id"], "status": status, "until": until}
    assert refused(session, "set_conversation_status", **arguments)[0] == "VALIDATION_ERROR"


def test_status_and_tags_of_a_conversation_are_dated_alone(session: Session) -> None:
    grey = one(session, '"C is grey"')
    ask(session, "set_conversation_status", conversation=grey["id"], status="solved")
    session.call("wait", {"minutes": 30, "until_notice": False})
    ask(session, "tag", conversation=grey["id"], add=["seats"])
    end = cast(EndState, session.end_state())
    name = f"customers:conversation/{grey['id']}"

    assert world_state.judge(end, {f"{name}.status": "solved"}, end.moment("start + 15m"), GradingContext()).passed
    assert not world_state.judge(end, {f"{name}.tags": ["seats"]}, end.moment("start + 15m"), GradingContext()).passed
