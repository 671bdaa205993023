"""The reward and its ledger: gates, needs, penalties, bounds, and what leaves no reward at all."""

from collections.abc import Iterator
from dataclasses import replace
from math import inf, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from brownout.core.errors import GradingError, NobodyReads
from brownout.core.grading import EndState, Grade, GradingContext, LineVerdict, Verdict
from brownout.core.instants import Instant
from brownout.core.values import Json
from graders.grader_lookup import load_grader
from graders.rubric import grade
from tests.graders.world import Ended, says
from worlds.spec.models import Flooding, Rubric

RAISED: dict[str, type[Exception]] = {
    "GradingError": GradingError, "KeyError": KeyError, "RecursionError": RecursionError, "NobodyReads": NobodyReads,
}  # fmt: skip


class Scripted:
    """A grader whose verdict is what it is asked for."""

    name = "scripted"
    version = 7

    def check(self, asks: Json) -> list[str]:
        return []

    def judge(self, end: EndState, asks: Json, by: Instant | None, means: GradingContext) -> Verdict:
        if isinstance(asks, str) and asks.startswith("raise "):
            raise RAISED[asks[6:]]("boom")
        if isinstance(asks, str) and asks.startswith("lines "):
            lines = tuple(LineVerdict(each, int(each), each != "3", "scripted") for each in asks[6:])
            return Verdict(asks[6:] == "12", 0.5, "scripted", (), lines)
        if isinstance(asks, str) and asks.startswith("share "):
            return Verdict(True, float(asks[6:]), "scripted")
        if asks == "seen":
            return Verdict(True, 1.0, ",".join(means.verdicts), (str(means.seed), *means.asks))
        return Verdict(asks is True, float(asks is True), "scripted", ("somewhere",))


scripted = Scripted()


@pytest.fixture(autouse=True, scope="module")
def _scripted() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("graders.rubric.load_grader", lambda name: scripted if name == "scripted" else load_grader(name))
        yield


def rubric(
    points: dict[str, tuple[int, Json]],
    *,
    gates: dict[str, Json] | None = None,
    penalties: dict[str, tuple[int, Json]] | None = None,
    needs: dict[str, list[str]] | None = None,
) -> Rubric:
    def criteria(part: dict[str, tuple[int, Json]]) -> dict[str, object]:
        return {
            name: {"worth": worth, "scripted": asks, "needs": (needs or {}).get(name, [])}
            for name, (worth, asks) in part.items()
        }

    closed = criteria({name: (0, asks) for name, asks in (gates or {}).items()})
    return Rubric.model_validate({"gates": closed, "points": criteria(points), "penalties": criteria(penalties or {})})


def graded(*args: dict[str, tuple[int, Json]], **more: dict[str, object]) -> Grade:
    return grade(rubric(*args, **more), Ended())  # type: ignore[arg-type]


def test_points_are_earned_and_added() -> None:
    found = graded({"a": (3, True), "b": (2, False), "c": (5, True)})

    assert (found.points, found.possible, found.reward, found.resolved) == (8, 10, 0.8, False)
    assert [(line.criterion, line.raw, line.worth, line.earned, line.counted) for line in found.ledger] == [
        ("a", 1.0, 3, 3, 3), ("b", 0.0, 2, 0, 0), ("c", 1.0, 5, 5, 5), ("flooding", 0.0, -3, 0, 0),
    ]  # fmt: skip
    assert {(line.grader, line.version) for line in found.ledger[:3]} == {("scripted", 7)}


def test_a_gate_that_fails_takes_everything_and_the_ledger_shows_what_was_earned() -> None:
    found = graded({"a": (3, True)}, gates={"clean": False}, penalties={"p": (1, True)})

    assert (found.reward, found.points, found.possible) == (0.0, 0, 3)
    assert [(line.earned, line.counted) for line in found.ledger] == [(0, 0), (3, 0), (-1, 0), (0, 0)]


def test_a_penalty_is_deducted_when_it_is_met() -> None:
    found = graded({"a": (8, True), "b": (2, False)}, penalties={"paged": (3, True), "spam": (4, False)})

    assert (found.points, found.possible, found.reward, found.resolved) == (5, 10, 0.5, False)
    assert [(line.criterion, line.worth, line.counted) for line in found.ledger if line.penalty] == [
        ("paged", -3, -3), ("spam", -4, 0), ("flooding", -3, 0),
    ]  # fmt: skip


def test_flooding_costs_a_quarter_of_the_points_unless_the_rubric_says_otherwise() -> None:
    spam = Ended(said=[replace(says("It works again."), call=f"c{number}") for number in range(6)])
    plain = rubric({"a": (10, True)})
    dear = plain.model_copy(update={"flooding": Flooding(worth=9)})

    assert [grade(each, spam).points for each in (plain, dear)] == [7, 1]
    assert not grade(plain, spam).resolved


def test_points_stop_at_zero_and_the_ledger_says_so() -> None:
    found = graded({"a": (2, True), "b": (8, False)}, penalties={"p": (5, True)})
    floor = found.ledger[-1]

    assert (found.reward, found.points) == (0.0, 0)
    assert (floor.criterion, floor.counted, floor.reason) == ("(floor)", 3, "points stop at 0: 2 earned, 5 deducted")
    assert sum(line.counted for line in found.ledger) == found.points


def test_all_points_and_a_penalty_are_not_resolved() -> None:
    assert graded({"a": (2, True)}).resolved
    assert not graded({"a": (2, True)}, penalties={"p": (1, True)}).resolved


def test_what_a_criterion_needs_comes_first_wherever_it_stands() -> None:
    asks: dict[str, tuple[int, Json]] = {"late": (1, True), "early": (1, False), "gated": (1, True)}
    found = graded(asks, gates={"clean": True}, needs={"late": ["early"], "gated": ["clean"]})

    assert [(line.criterion, line.passed) for line in found.ledger] == [
        ("clean", True), ("late", False), ("early", False), ("gated", True), ("flooding", False),
    ]  # fmt: skip
    assert found.ledger[1].reason == "needs early, which is not met"


def test_a_penalty_whose_condition_is_not_met_costs_nothing() -> None:
    found = graded({"a": (2, True), "b": (1, False)}, penalties={"p": (1, True)}, needs={"p": ["b"]})

    assert found.points == 2


def test_needs_that_go_in_a_circle_or_nowhere_are_no_reward() -> None:
    circle = graded({"a": (1, True), "b": (1, True)}, needs={"a": ["b"], "b": ["a"]})
    nowhere = graded({"a": (1, True)}, needs={"a": ["z"]})

    assert (circle.reward, circle.failure) == (None, "needs go in a circle: a -> b -> a")
    assert (nowhere.reward, nowhere.failure) == (None, "a needs z, which is not in the rubric")


@pytest.mark.parametrize(
    ("asks", "failure"),
    [
        ("raise GradingError", "b: boom"),
        ("raise KeyError", "b: grader_failed: scripted raised KeyError: 'boom'"),
        ("raise RecursionError", "b: grader_failed: scripted raised RecursionError: boom"),
        (f"share {nan}", "b: grader_failed: scripted returned a share of nan, not 0 to 1"),
        (f"share {inf}", "b: grader_failed: scripted returned a share of inf, not 0 to 1"),
        ("share -0.1", "b: grader_failed: scripted returned a share of -0.1, not 0 to 1"),
        ("share 1.1", "b: grader_failed: scripted returned a share of 1.1, not 0 to 1"),
    ],
)
def test_a_grader_that_cannot_judge_leaves_no_reward(asks: str, failure: str) -> None:
    for part in ("points", "gates", "penalties"):
        if part == "points":
            found = graded({"a": (1, True), "b": (1, asks)})
        elif part == "gates":
            found = graded({"a": (1, True)}, gates={"b": asks})
        else:
            found = graded({"a": (1, True)}, penalties={"b": (1, asks)})
        assert (found.reward, found.points, found.resolved, found.failure) == (None, 0, False, failure)
        assert found.document()["reward"] is None


def test_a_grader_sees_the_seed_the_rubric_and_the_verdicts_before_it() -> None:
    found = grade(rubric({"a": (1, True), "b": (1, "seen")}, gates={"g": True}), Ended(), seed=9)

    assert found.ledger[2].reason == "g,a"
    assert found.ledger[2].evidence == ("9", "g", "a", "b")


def test_skipped_graders_are_neither_earned_nor_possible_and_so_is_what_needs_them() -> None:
    both = Rubric.model_validate(
        {
            "points": {
                "a": {"worth": 4, "scripted": True},
                "j": {"worth": 1, "judge": {"reads": "answer", "asks": "?"}},
                "k": {"worth": 2, "scripted": True, "needs": ["j"]},
            },
            "penalties": {"p": {"worth": 1, "judge": {"reads": "answer", "asks": "?"}}},
        }
    )
    found = grade(both, Ended(), skip=frozenset({"judge"}))

    assert (found.reward, found.possible, found.resolved) == (1.0, 4, True)
    assert not found.complete
    assert [(one.criterion, one.grader, one.worth, one.because, one.why) for one in found.left_out] == [
        ("j", "judge", 1, "skipped", "judge is skipped"),
        ("k", "scripted", 2, "skipped", "needs j, which is left out"),
        ("p", "judge", -1, "skipped", "judge is skipped"),
    ]
    assert grade(both, Ended(), skip=frozenset({"judge", "scripted"})).failure == "every criterion was left out"


def test_an_unknown_grader_is_no_reward() -> None:
    unknown = Rubric.model_validate({"points": {"a": {"worth": 1, "guess": {}}}})

    found = grade(unknown, Ended())
    assert found.reward is None
    assert "no graders named 'guess'" in found.failure


def test_a_time_that_names_nothing_is_no_reward() -> None:
    late = Rubric.model_validate({"points": {"a": {"worth": 1, "scripted": True, "by": "never + 1m"}}})

    assert grade(late, Ended()).failure.startswith("a: 'never + 1m'")


@pytest.mark.parametrize(
    "spoiled",
    [
        {"points": {"a": {"worth": 1, "told": {}}}, "gates": {"a": {"told": {}}}},
        {"points": {"a": {"worth": 1, "told": {}}}, "penalties": {"a": {"worth": 1, "told": {}}}},
        {"points": {"a": {"worth": 1, "told": {}}}, "penalties": {"p": {"told": {}}}},
        {"points": {"a": {"worth": -1, "told": {}}}},
    ],
)
def test_a_rubric_that_means_two_things_is_refused(spoiled: object) -> None:
    with pytest.raises(ValidationError):
        Rubric.model_validate(spoiled)


VERDICTS = st.dictionaries(st.sampled_from("abcdef"), st.tuples(st.integers(1, 9), st.booleans()), min_size=1)


@settings(max_examples=60, deadline=None)
@given(VERDICTS, st.dictionaries(st.sampled_from("pqr"), st.tuples(st.integers(1, 9), st.booleans())), st.booleans())
def test_the_ledger_adds_up(
    points: dict[str, tuple[int, bool]], lost: dict[str, tuple[int, bool]], is_open: bool
) -> None:
    found = grade(rubric(points, penalties=lost, gates={"g": is_open}), Ended())  # type: ignore[arg-type]
    again = grade(rubric(points, penalties=lost, gates={"g": is_open}), Ended())  # type: ignore[arg-type]

    assert found == again
    assert found.reward is not None
    assert 0 <= found.reward <= 1
    assert sum(line.counted for line in found.ledger) == found.points == round(found.reward * found.possible)
    earned = sum(worth for worth, passed in points.values() if passed) - sum(w for w, met in lost.values() if met)
    assert found.points == (max(0, earned) if is_open else 0)
    assert sum(1 for line in found.ledger if line.criterion == "(floor)") == (is_open and earned < 0)


def test_what_is_disclosed_forfeits_what_was_told() -> None:
    whole = Rubric.model_validate(
        {
            "gates": {"discreet": {"disclosure": ["layoffs"]}},
            "points": {"told": {"worth": 1, "told": {"facts": ["hold-10"], "whom": ["#support"]}}},
        }
    )
    true = grade(whole, Ended(said=[says("We hold seats for 10 minutes.")]))
    both = grade(whole, Ended(said=[says("Holds: 10 minutes."), says("No layoffs, I hope.", "yuki", path="slack:2")]))

    assert (true.reward, both.reward, both.ledger[1].earned) == (1.0, 0.0, 1)


UNREAD = "raise NobodyReads"


def test_what_nobody_can_read_and_what_needs_it_shrink_what_is_possible() -> None:
    found = graded(
        {"a": (4, True), "b": (1, UNREAD), "c": (2, True), "d": (3, False), "e": (5, True)},
        penalties={"p": (2, UNREAD)},
        needs={"c": ["b"], "e": ["d", "b"]},
    )

    assert (found.points, found.possible, found.complete, found.resolved) == (4, 12, False, False)
    assert [(one.criterion, one.worth, one.because, one.why) for one in found.left_out] == [
        ("b", 1, "unread", "boom"), ("c", 2, "unread", "needs b, which is left out"), ("p", -2, "unread", "boom"),
    ]  # fmt: skip
    assert found.ledger[2].reason == "needs d, which is not met", "what fails anyway is not left out"
    document = found.document()
    assert (document["complete"], document["reward"]) == (False, 4 / 12)
    assert document["left_out"] == [one.document() for one in found.left_out]


def test_whoever_is_strict_has_no_reward_for_what_nobody_can_read() -> None:
    found = grade(rubric({"a": (4, True), "b": (1, UNREAD)}), Ended(), strict=True)

    assert (found.reward, found.failure, found.complete) == (None, "b: boom", False)


def test_a_gate_is_never_left_out() -> None:
    assert graded({"a": (1, True)}, gates={"g": UNREAD}).failure == "g: boom"
    needing = Rubric.model_validate(
        {"points": {"a": {"worth": 1, "scripted": UNREAD}}, "gates": {"g": {"scripted": True, "needs": ["a"]}}}
    )
    assert grade(needing, Ended()).failure == "g: needs a, which is left out"


def test_a_failed_gate_is_whole_whatever_nobody_can_read() -> None:
    found = graded({"a": (1, True), "b": (1, UNREAD)}, gates={"g": False})

    assert (found.reward, found.possible, found.complete) == (0.0, 2, True)


def test_when_nobody_can_read_anything_there_is_no_reward() -> None:
    assert graded({"b": (1, UNREAD)}).failure == "every criterion was left out"


def test_lines_that_are_not_the_criterion_are_the_graders_fault() -> None:
    assert graded({"a": (6, "lines 123")}).points == 3
    assert graded({"a": (3, "lines 12")}).resolved
    assert "lines worth 3 for a criterion worth 4" in graded({"a": (4, "lines 12")}).failure
    assert "say something else than the whole" in graded({"a": (2, "lines 11")}).failure
