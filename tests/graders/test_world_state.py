"""What the world has become, and whether anything else was touched."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from brownout.core.apps import Thing
from brownout.core.calls import Effect
from brownout.core.errors import GradingError
from brownout.core.grading import CallRecord, GradingContext, Verdict
from brownout.core.instants import MINUTE
from brownout.core.values import Json, JsonObject
from graders.world_state import world_state
from tests.graders.world import START, Ended, act, says

ISSUE = Thing(
    "jira:BOX.issue/BOX-3", {"key": "BOX-3", "status": "Done", "labels": ["a", "b"], "votes": 0, "urgent": False}
)


def holds(asks: Json, *, by: int | None = None) -> Verdict:
    end = Ended(things={"jira": [ISSUE]}, changed={ISSUE.path: START + MINUTE})
    return world_state.judge(end, asks, by, GradingContext())


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


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"status": "Open"}, "status is 'Done', expected 'Open'"),
        ({"labels": {"exactly": ["a", "c"]}}, "labels is a, b, expected exactly a, c"),
        ({"labels": {"exactly": []}}, "labels is a, b, expected none"),
        ({"labels": {"lacks": ["b", "c"]}}, "labels is a, b, expected without b, c"),
        ({"due": {"exactly": ["x"]}}, "due is not set, expected exactly x"),
        ({"urgent": True}, "urgent is no, expected yes"),
    ],
)
def test_a_reason_says_what_is_and_what_was_expected_in_words(fields: dict[str, Json], reason: str) -> None:
    assert holds({"jira:BOX-3": fields}).reason == f"jira:BOX.issue/BOX-3: {reason}"


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

    assert world_state.judge(end, {"jira:BOX-3.status": "Done"}, by, GradingContext()).passed
    assert not world_state.judge(end, {"jira:BOX-3": {"status": "Done", "votes": 0}}, by, GradingContext()).passed


@pytest.mark.parametrize(
    ("asks", "changed", "passed"),
    [
        ({"jira:BOX-3.status": "Done", "after": "up"}, 59, False),
        ({"jira:BOX-3.status": "Done", "after": "up"}, 60, True),
        ({"jira:BOX-3.status": "Done", "after": "stuck-holds"}, 1, True),
        ({"jira:BOX-3.status": "Open", "after": "up"}, 60, False),
    ],
)
def test_what_was_said_to_be_over_before_it_was_does_not_count(asks: Json, changed: int, passed: bool) -> None:
    end = Ended(things={"jira": [ISSUE]}, changed={ISSUE.path: START + changed * MINUTE})
    found = world_state.judge(end, asks, None, GradingContext())

    assert (found.passed, found.share) == (passed, float(passed))
    assert ("before it was true" in found.reason) is (changed == 59)


def test_what_the_agent_never_changed_was_so_before_it_began() -> None:
    end = Ended(things={"jira": [ISSUE]})

    assert world_state.judge(end, {"jira:BOX-3.status": "Done", "after": "up"}, None, GradingContext()).passed
    with pytest.raises(GradingError, match="not in this world: over"):
        world_state.judge(end, {"jira:BOX-3.status": "Done", "after": "over"}, None, GradingContext())


UPDATES = [
    Thing("ops:incident/1.update/1", {"status": "investigating", "sent_to": []}),
    Thing("ops:incident/1.update/2", {"status": "investigating", "sent_to": ["lena", "ida"]}),
    Thing("ops:incident/1.update/3", {"status": "resolved", "sent_to": ["lena"]}),
]


@pytest.mark.parametrize(
    ("asks", "by", "passed"),
    [
        ({"sent_to": ["lena", "ida"]}, 20, True),
        ({"sent_to": ["lena", "ida"]}, 15, False),
        ({"sent_to": ["lena", "ida"], "status": "resolved"}, 60, False),
        ({"status": "monitoring"}, 60, False),
    ],
)
def test_one_of_several_things_may_be_enough(asks: JsonObject, by: int, passed: bool) -> None:
    changed = {each.path: START + number * 20 * MINUTE for number, each in enumerate(UPDATES)}
    end = Ended(things={"ops": UPDATES}, changed=changed)
    every: Json = {"ops:incident/1.update/*": asks}
    some: Json = {"ops:incident/1.update/*": asks, "some": True}

    assert world_state.judge(end, some, START + by * MINUTE, GradingContext()).passed is passed
    assert not world_state.judge(end, every, START + by * MINUTE, GradingContext()).passed
    assert world_state.check({"jira:BOX-3.status": "Done", "some": "yes"}) == ["some takes true or false"]


def test_outsiders_may_read_a_place_that_is_named() -> None:
    post = says("It works again.", "hafen", app="ops", path="ops:status-page.post/1.update/2")
    mail = says("It works again.", "hafen", app="gmail", path="gmail:wren.message/1")
    outside = {"hafen": "hafen"}
    asks: Json = {"only": [], "outsiders": ["ops:status-page.*"]}

    assert world_state.judge(
        Ended(said=[replace(post, call="c1")], outside=outside), asks, None, GradingContext()
    ).passed
    assert not world_state.judge(
        Ended(said=[replace(mail, call="c1")], outside=outside), asks, None, GradingContext()
    ).passed


def did(*effects: Effect) -> CallRecord:
    return act("some_call", effects=effects)


def untouched(*acts: CallRecord, only: Sequence[str] = ("jira:jira_(issue|link)/*",), strict: bool = False) -> Verdict:
    return world_state.judge(Ended(acts=acts), {"only": [*only], "strict": strict}, None, GradingContext())


def test_only_what_is_named_may_be_touched() -> None:
    allowed = Effect("update", "jira_issue", 3, None, None)
    other = Effect("delete", "slack_channel", 9, None, None)

    assert untouched(did(allowed), did(Effect("insert", "jira_link", 1, None, None))).passed
    found = untouched(did(allowed, other))
    assert (found.passed, found.reason) == (False, "touched some_call@1774348800000000: delete slack:slack_channel/9")


def test_what_was_made_and_undone_was_touched() -> None:
    made, undone = Effect("insert", "docs_page", 1, None, None), Effect("delete", "docs_page", 1, None, None)

    assert not untouched(did(made), did(undone)).passed


def test_read_marks_are_harmless_even_where_a_gate_is_strict() -> None:
    mark = Effect("update", "slack_member", 1, None, None, harmless=True)

    assert untouched(did(mark), only=[]).passed
    assert untouched(did(mark), only=[], strict=True).passed


def adds(table: str, key: int) -> Effect:
    return Effect("insert", table, key, None, None, addition=True)


def test_additions_need_no_mention_where_a_gate_is_not_strict() -> None:
    assert untouched(did(adds("slack_message", 1)), only=[]).passed
    assert not untouched(did(adds("slack_message", 1)), only=[], strict=True).passed
    assert untouched(did(adds("slack_message", 1)), only=["slack:slack_message/*"], strict=True).passed


def test_what_was_added_may_be_changed_and_taken_back_by_any_call() -> None:
    changed, removed = Effect("update", "jira_issue", 7, None, None), Effect("delete", "jira_issue", 7, None, None)

    assert untouched(did(adds("jira_issue", 7)), did(changed), did(removed), only=[]).passed
    assert not untouched(did(adds("jira_issue", 7)), did(Effect("update", "jira_issue", 8, None, None)), only=[]).passed


def test_what_an_addition_merely_moved_does_not_become_its_own() -> None:
    stamp = Effect("update", "jira_issue", 3, None, None, addition=True)

    assert untouched(did(adds("jira_comment", 1), stamp), only=[]).passed
    assert not untouched(
        did(adds("jira_comment", 1), stamp), did(Effect("delete", "jira_issue", 3, None, None)), only=[]
    ).passed


def test_outsiders_are_written_to_only_where_they_are_named() -> None:
    mail = replace(says("It works again", "luz", "ana@luz.test", app="gmail"), call="c1")
    end = Ended(said=[mail], outside={"luz": "luz", "ana@luz.test": "luz"}, groups={"customers": frozenset({"luz"})})

    for named in (["luz"], ["customers"], ["ana@luz.test"]):
        assert world_state.judge(end, {"only": [], "outsiders": [*named]}, None, GradingContext()).passed
    found = world_state.judge(end, {"only": ["gmail:*"], "outsiders": ["hafen"]}, None, GradingContext())
    assert (found.passed, found.reason) == (False, f"c1: wrote to luz, who is outside, in {mail.path}")


@pytest.mark.parametrize(
    "asks",
    [
        {"only": "harmless"}, {"only": [1]}, {"only": [], "strict": "yes"}, {"only": [], "outsiders": "customers"},
        {"only": [], "status": "Done"},
    ],
)  # fmt: skip
def test_a_closed_world_has_three_words(asks: Json) -> None:
    assert world_state.check(asks)
    assert world_state.check({"only": ["jira:*"], "outsiders": ["customers"], "strict": True}) == []


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
        assert world_state.judge(end, {"only": [entry]}, None, GradingContext()).passed
        wrong = Ended(acts=[did(other)], things=end.things, names=end.names)
        assert not world_state.judge(wrong, {"only": [entry]}, None, GradingContext()).passed


def test_a_title_is_no_pattern_but_for_its_stars() -> None:
    end = Ended(things={"docs": [Thing("docs:2", {"title": "Why is a seat grey!", "body": "x"})]})

    assert not world_state.judge(end, {"docs:Why is a seat grey?": {"body": "x"}}, None, GradingContext()).passed
    assert world_state.judge(end, {"docs:Why is a seat*": {"body": "x"}}, None, GradingContext()).passed
