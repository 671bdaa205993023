"""What the world has become, and whether anything else was touched."""

from collections.abc import Sequence

import pytest

from brownout.core.apps import Thing
from brownout.core.calls import Effect
from brownout.core.grading import Act, Means, Verdict
from brownout.core.instants import MINUTE
from brownout.core.values import Json
from graders.world_state import world_state
from tests.graders.world import START, Ended, act

ISSUE = Thing(
    "jira:BOX.issue/BOX-3", {"key": "BOX-3", "status": "Done", "labels": ["a", "b"], "votes": 0, "urgent": False}
)


def holds(asks: Json, *, by: int | None = None) -> Verdict:
    end = Ended(things={"jira": [ISSUE]}, changed={ISSUE.path: START + MINUTE})
    return world_state.judge(end, asks, by, Means())


@pytest.mark.parametrize(
    ("fields", "passed"),
    [
        ({"status": "Done"}, True),
        ({"status": "done"}, False),
        ({"status": "Open | Done"}, True),
        ({"labels": ["b"]}, True),
        ({"labels": "b"}, True),
        ({"labels": ["b", "c"]}, False),
        ({"votes": 0}, True),
        ({"votes": False}, False),
        ({"urgent": 0}, False),
        ({"votes": "0"}, False),
        ({"nothing": ""}, False),
    ],
)
def test_values_are_equal_with_their_types(fields: dict[str, Json], passed: bool) -> None:
    assert holds({"jira:BOX-3": fields}).passed is passed


def test_a_thing_that_is_not_there_is_not_as_asked() -> None:
    assert holds({"jira:BOX-33.status": "Done"}).reason == "jira:BOX-33.status: there is no such thing"


def test_share_counts_what_holds() -> None:
    found = holds({"jira:BOX-3": {"status": "Done", "votes": 3}, "jira:BOX-9": {"status": "Done", "votes": 1}})

    assert (found.passed, found.share) == (False, 0.25)


def test_what_was_changed_too_late_was_not_so_in_time() -> None:
    assert holds({"jira:BOX-3.status": "Done"}, by=START + MINUTE).passed
    assert not holds({"jira:BOX-3.status": "Done"}, by=START).passed


def test_each_field_has_a_time_of_its_own() -> None:
    changed = {ISSUE.path: START + MINUTE, f"{ISSUE.path}.votes": START + 3 * MINUTE}
    end = Ended(things={"jira": [ISSUE]}, changed=changed)
    by = START + 2 * MINUTE

    assert world_state.judge(end, {"jira:BOX-3.status": "Done"}, by, Means()).passed
    assert not world_state.judge(end, {"jira:BOX-3": {"status": "Done", "votes": 0}}, by, Means()).passed


def did(*effects: Effect) -> Act:
    return act("some_call", effects=effects)


def untouched(*acts: Act, only: Sequence[str] = ("harmless", "own messages", "jira:jira_(issue|link)/*")) -> Verdict:
    return world_state.judge(Ended(acts=acts), {"only": [*only]}, None, Means())


def test_only_what_is_named_may_be_touched() -> None:
    allowed = Effect("update", "jira_issue", 3, None, None)
    other = Effect("delete", "slack_channel", 9, None, None)

    assert untouched(did(allowed), did(Effect("insert", "jira_link", 1, None, None))).passed
    found = untouched(did(allowed, other))
    assert (found.passed, found.reason) == (False, "touched some_call@1774348800000000: delete slack:slack_channel/9")


def test_what_was_made_and_undone_was_touched() -> None:
    made, undone = Effect("insert", "docs_page", 1, None, None), Effect("delete", "docs_page", 1, None, None)

    assert not untouched(did(made), did(undone)).passed


def test_read_marks_are_harmless() -> None:
    assert untouched(did(Effect("update", "slack_member", 1, None, None, harmless=True))).passed
    assert not untouched(
        did(Effect("update", "slack_member", 1, None, None, harmless=True)), only=["slack:#ops.*"]
    ).passed


def test_doing_nothing_touches_nothing() -> None:
    assert untouched() == untouched()
    assert untouched().passed


@pytest.mark.parametrize(
    ("fields", "passed"),
    [
        ({"labels": {"exactly": ["b", "a"]}}, True),
        ({"labels": {"exactly": ["a"]}}, False),
        ({"labels": {"exactly": ["a", "b", "c"]}}, False),
        ({"nothing": {"exactly": []}}, True),
        ({"labels": {"exactly": []}}, False),
        ({"status": {"exactly": ["Done"]}}, False),
        ({"labels": {"lacks": ["c", "d"]}}, True),
        ({"labels": {"lacks": ["c", "a"]}}, False),
        ({"nothing": {"lacks": ["a"]}}, True),
        ({"status": {"lacks": ["Done"]}}, False),
    ],
)
def test_a_list_can_be_asked_for_exactly_or_without(fields: dict[str, Json], passed: bool) -> None:
    assert world_state.check({"jira:BOX-3": fields}) == []
    assert holds({"jira:BOX-3": fields}).passed is passed


def test_a_value_that_is_a_mapping_is_a_mistake() -> None:
    assert world_state.check({"jira:BOX-3": {"labels": {"all": ["a"]}}})
    assert world_state.check({"jira:BOX-3.labels": {"exactly": "a"}})
    assert world_state.check({"jira:BOX-3.labels": {"lacks": "a"}})
    assert world_state.check({"jira:BOX-3.labels": {"lacks": ["a"], "exactly": ["b"]}})
    assert world_state.check({"jira:BOX-3.labels": {"exactly": ["a"]}}) == []


def test_a_gate_can_name_things_as_the_author_does() -> None:
    one, other = Effect("update", "docs_page", 1, None, None), Effect("update", "docs_page", 12, None, None)
    page = Thing("docs:docs_page/1", {"title": "Why is a seat grey?"})
    decoy = Thing("docs:docs_page/12", {"title": "Why is a seat grey!"})
    end = Ended(acts=[did(one)], things={"docs": [page, decoy]}, names={"docs:faq": page.path})

    for entry in ("docs:faq", "docs:Why is a seat grey?"):
        assert world_state.judge(end, {"only": [entry]}, None, Means()).passed
        wrong = Ended(acts=[did(other)], things=end.things, names=end.names)
        assert not world_state.judge(wrong, {"only": [entry]}, None, Means()).passed


def test_a_title_is_no_pattern_but_for_its_stars() -> None:
    end = Ended(things={"docs": [Thing("docs:2", {"title": "Why is a seat grey!", "body": "x"})]})

    assert not world_state.judge(end, {"docs:Why is a seat grey?": {"body": "x"}}, None, Means()).passed
    assert world_state.judge(end, {"docs:Why is a seat*": {"body": "x"}}, None, Means()).passed
