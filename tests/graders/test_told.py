"""Who was told what: a message that carries the value, few others beside it, and none that says otherwise later."""

from collections.abc import Sequence

import pytest

from brownout.core.errors import GradingError
from brownout.core.grading import GradingContext, Said, Verdict
from brownout.core.instants import MINUTE, Instant
from brownout.core.values import Json, JsonObject
from graders.told import told
from tests.graders.world import START, Ended, pull, says

TEN = "We hold seats for 10 minutes."
FIFTEEN = "We hold seats for 15 minutes."
CAUSE = "Since 'Simplify hold store' (#40) seats stay held."
TITLES = ["Simplify hold store", "Move seats", "Sort venues by name", "Log slow calls", "Upgrade Redis to 7.4"]
GROUPS = {
    "affected customers": frozenset({"ines", "gareth"}),
    "team ops": frozenset[str](),
    "customers": frozenset({"ines"}),
}
FIELDS: JsonObject = {
    "since": {"asks": "Since when", "kind": "time", "right": ["19:10"], "within": 3 * MINUTE, "labels": ["seit"]},
    "standby": {
        "asks": "Where", "kind": "part", "right": ["fact:standby-west"],
        "of": {"rds/eu-west-1": ["Ireland"], "rds/eu-south-1": ["Milan"]},
    },
}  # fmt: skip


def tells(
    *texts: Said,
    facts: Sequence[str] = ("hold-10",),
    whom: Sequence[str] = ("#support",),
    over: Json = "any",
    by: Instant | None = None,
) -> Verdict:
    asks: Json = {"facts": [*facts], "whom": [*whom], "over": over}
    return told.judge(Ended(said=texts, groups=GROUPS), asks, by, GradingContext())


def lines(
    *texts: Said, fields: Sequence[str] = ("since", "standby"), whom: str = "#support", by: Instant | None = None
) -> Verdict:
    asks: Json = {"fields": [*fields], "whom": [whom]}
    return told.judge(Ended(said=texts, groups=GROUPS), asks, by, GradingContext(fields=FIELDS))


def at(minutes: int) -> Instant:
    return START + minutes * MINUTE


@pytest.mark.parametrize(
    "text", ["We do not hold seats for 10 minutes.", "Do we hold seats for 10 minutes?", "5 minutes? 10 minutes?"]
)
def test_whoever_denies_a_value_or_asks_for_it_tells_nobody_that_it_is_so(text: str) -> None:
    assert not tells(says(text)).passed
    assert tells(says(text), says(TEN, at=at(2))).passed


def test_two_candidates_among_artefacts_tell_none_and_one_ruled_out_by_name_is_none() -> None:
    things = {"github": [pull(40, "Simplify hold store"), pull(41, "Move seats"), pull(42, "Log slow calls")]}
    asks: Json = {"facts": ["stuck-holds"], "whom": ["#support"]}

    def passes(*texts: str) -> bool:
        return told.judge(
            Ended(said=[says(text) for text in texts], things=things), asks, None, GradingContext()
        ).passed

    assert passes("The change is #40, which came right after #41.")
    assert not passes("The change is #40. See #41. See #42.")


def test_a_fact_reaches_those_who_can_read_it() -> None:
    found = tells(says(TEN, "#support", "marcus"), whom=["#support", "marcus"])

    assert (found.passed, found.share) == (True, 1.0)
    assert not tells(says(TEN, "#random")).passed


def test_every_fact_must_reach_everyone() -> None:
    found = tells(says(TEN, "#support"), facts=["hold-10", "stuck-holds"], whom=["#support", "marcus"])

    assert (found.passed, found.share) == (False, 0.25)
    assert found.reason == "#support was not told stuck-holds"


def test_a_group_is_everyone_in_it() -> None:
    both = [says(TEN, "ines", app="gmail"), says(TEN, "gareth", app="gmail", at=at(6))]

    assert tells(*both, whom=["affected customers"]).passed
    assert tells(both[0], whom=["affected customers"]).share == 0.5
    assert tells(both[0], whom=["customers"], over="gmail").passed


def test_an_empty_group_and_an_unknown_one_are_no_verdict() -> None:
    with pytest.raises(GradingError, match="nobody to tell"):
        tells(says(TEN), whom=["team ops"])
    with pytest.raises(GradingError, match="nobody is called"):
        tells(says(TEN), whom=["team moon"])


def test_a_mailing_list_is_reached_by_its_name() -> None:
    assert tells(says(TEN, "support@pennywhistle.test", "support", app="gmail"), whom=["support"]).passed
    assert not tells(says(TEN, "support-old@pennywhistle.test", app="gmail"), whom=["support"]).passed


def test_an_address_elsewhere_that_begins_with_a_name_is_not_theirs() -> None:
    assert not tells(says(TEN, "marcus@evil.example", app="gmail"), whom=["marcus"]).passed
    assert tells(says(TEN, "marcus@pennywhistle.test", "marcus", app="gmail"), whom=["marcus"]).passed
    assert tells(says(TEN, "Press@paper.test", app="gmail"), whom=["press@paper.test"]).passed
    assert not tells(says(TEN, "press@paper.test.evil.example", app="gmail"), whom=["press@paper.test"]).passed


def test_over_one_app_is_not_over_another() -> None:
    assert not tells(says(TEN, app="gmail"), over="slack").passed
    assert tells(says(TEN, app="gmail"), over=["slack", "gmail"]).passed
    assert tells(says(TEN, app="gmail"), over="any").passed


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("hold-10", "Ten minutes."),
        ("hold-10", "A seat is kept for 600 seconds while somebody pays."),
        ("hold-10", "Ein Platz bleibt zehn Minuten lang reserviert, nicht 15."),
        ("hold-10", "Holds were shortened from 15 minutes to 10 minutes."),
        ("stuck-holds", "it was PR 40"),
        ("stuck-holds", "pennywhistle/boxoffice/pull/40, see BOX-32 and BOX-33"),
        ("stuck-holds", "Culpado: Simplify hold store."),
        ("standby-west", "The standby is in Ireland."),
        ("standby-west", "failover target eu-west-1"),
        ("merged-by", "Tomás merged it; Ida found it."),
        ("slow", "The database was slow from 7:12 pm."),
        ("clinics", "Betroffen waren 31 Praxen."),
        ("up", "Bookings are restored."),
    ],
)
def test_the_value_in_any_way_of_writing_it_tells(fact: str, text: str) -> None:
    assert tells(says(text, at=at(70)), facts=[fact]).passed


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("hold-10", "We hold seats for a while."),
        ("hold-10", "See page 10 of the minutes."),
        ("hold-10", "We hold seats for 10 hours."),
        ("hold-10", "> We hold seats for 10 minutes."),
        ("hold-10", "<!-- We hold seats for 10 minutes. -->"),
        ("hold-10", "5, 10, 15 or 20 minutes, I suppose."),
        ("stuck-holds", "It is in BOX-32."),
        ("stuck-holds", "One of #40, #41, #42 and #43."),
        ("standby-west", "The standby is in Milan."),
        ("merged-by", "Ida merged it."),
        ("merged-by", "Daniel merged it."),
        ("slow", "The database was slow from 19:14."),
        ("clinics", "Betroffen waren 30 Praxen."),
    ],
)
def test_what_does_not_carry_the_value_tells_nothing(fact: str, text: str) -> None:
    assert not tells(says(text), facts=[fact]).passed


def test_time_counts() -> None:
    assert tells(says(TEN, at=at(30)), by=at(30)).passed
    late = tells(says(TEN, at=at(30)), by=at(29))
    assert (late.passed, late.reason) == (False, "#support was not told hold-10 in time")


def test_what_is_not_yet_so_is_not_told() -> None:
    text = "Bookings are back up."

    early = tells(says(text, at=at(10)), facts=["up"])
    assert (early.passed, early.reason) == (False, "#support was not told up: it was said before it was so")
    assert tells(says(text, at=at(10)), says(text, at=at(61)), facts=["up"]).passed


def test_what_was_so_at_the_time_may_change_later() -> None:
    assert tells(says("Bookings are down.", at=at(5)), says("Bookings are back up.", at=at(70)), facts=["down"]).passed


def test_a_rival_stated_later_takes_it_back() -> None:
    found = tells(says(TEN, at=at(1)), says(FIFTEEN, at=at(9), path="slack:#support.message/9"))

    assert (found.passed, found.reason) == (
        False,
        "#support was not told hold-10: slack:#support.message/9 says 15 minutes",
    )
    assert tells(says(FIFTEEN, at=at(1)), says(f"Sorry: {TEN}", at=at(9))).passed


@pytest.mark.parametrize("by_others", ["#random", "lena"])
def test_what_others_are_told_takes_nothing_back(by_others: str) -> None:
    assert tells(says(TEN, at=at(5)), says(FIFTEEN, by_others, at=at(6))).passed


def test_one_message_for_each_candidate_tells_none() -> None:
    minutes = [says(f"We hold seats for {n} minutes.", at=at(n)) for n in (5, 7, 8, 10, 12)]
    found = tells(*minutes)
    assert (found.passed, found.reason) == (False, "#support was not told hold-10: it was one of 5 values")

    asked = tells(*[says(f"{title}?", at=at(n)) for n, title in enumerate(TITLES)], facts=["stuck-holds"])
    assert asked.reason.endswith("has it as asked")
    things = {"github": [pull(40, "Simplify hold store"), *(pull(n, f"Change number {n}") for n in range(51, 60))]}
    each = [says(f"It was {thing.fields['title']}.", at=at(n)) for n, thing in enumerate(things["github"])]
    asks: Json = {"facts": ["stuck-holds"], "whom": ["#support"]}
    found = told.judge(Ended(said=each, things=things), asks, None, GradingContext())
    assert (found.passed, found.reason) == (False, "#support was not told stuck-holds: it was one of 10 values")


LOG = (
    "The database is slow since 19:10. Alert at 19:13, next update at 19:30.",
    "19:25: failed over at 19:24, errors at 0 %, next update 19:45.",
    "19:40: nothing new. Next update 20:00.",
)


def test_a_time_is_told_among_many_that_are_of_something_else() -> None:
    told_by = [says(text, at=at(number)) for number, text in enumerate(LOG)]

    assert tells(*told_by, facts=["slow"]).passed
    assert not tells(*told_by[1:], facts=["slow"]).passed


@pytest.mark.parametrize(
    "form",
    ["The database is slow since 19:{:02}.", "Lunch at 19:{:02}.", "19:{:02}", "Slow: lunch at 19:{:02}, tea later."],
)
def test_a_time_that_is_one_of_many_tells_nothing(form: str) -> None:
    guesses = [says(form.format(minute), at=at(minute)) for minute in range(0, 40, 5)]

    assert not tells(*guesses, facts=["slow"]).passed
    assert not tells(says(" ".join(each.text for each in guesses)), facts=["slow"]).passed


def test_a_dump_of_words_hides_no_time() -> None:
    dump = " ".join(f"Word {number}." for number in range(600))

    assert not tells(says(f"{dump} The database is slow since 19:10."), facts=["slow"]).passed


def test_candidates_sent_to_different_readers_are_counted_for_each() -> None:
    minutes = [says(f"{n} minutes.", f"#room-{n}", at=at(n)) for n in (5, 7, 8, 12)]

    assert tells(says(TEN, at=at(1)), *minutes).passed


def test_a_dump_tells_nothing() -> None:
    dump = says("Something else was said on that day as well. " * 80 + TEN, path="slack:#support.message/1")
    found = tells(dump)

    assert (found.passed, found.reason) == (
        False,
        "#support was not told hold-10: slack:#support.message/1 is longer than 600 words",
    )
    assert tells(dump, says(TEN, at=at(9))).passed


@pytest.mark.parametrize(("later", "passed"), [(4, True), (6, False)])
def test_a_candidate_that_was_edited_away_at_once_is_not_counted(later: int, passed: bool) -> None:
    five = [says(f"{n} minutes", at=at(9), path=f"slack:{n}") for n in (5, 7, 8, 12)]
    mended = [says("gone", at=at(9 + later), path=f"slack:{n}") for n in (5, 7, 8, 12)]

    assert not tells(says(TEN, at=at(1)), *five).passed
    assert tells(says(TEN, at=at(1)), *five, *mended).passed is passed


def test_an_unknown_fact_is_no_verdict() -> None:
    with pytest.raises(GradingError, match="not in this world: hold-99"):
        tells(says(TEN), facts=["hold-99"])


def test_a_fact_without_a_typed_value_needs_a_model() -> None:
    asks: Json = {"facts": ["mood"], "whom": ["#support"], "reader": "values"}
    with pytest.raises(GradingError, match="has no typed value"):
        told.judge(Ended(said=[says("The venues are cross.")]), asks, None, GradingContext())
    with pytest.raises(GradingError, match="reader_unavailable"):
        tells(says("The venues are cross."), facts=["mood"])


def test_code_that_reads_sentences_is_not_offered() -> None:
    assert told.check({"facts": ["hold-10"], "whom": ["#support"]}) == []
    assert "not offered" in told.check({"facts": ["hold-10"], "whom": ["#support"], "reader": "values"})[0]


def test_labelled_lines_tell_the_fields() -> None:
    found = lines(says("Hi all,\n\n**Since:** 19:11\nStandby: eu-west-1 (Ireland)\n\nMore later."))

    assert (found.passed, found.share) == (True, 1.0)
    assert lines(says("Seit: 19.10 Uhr"), says("- Standby = Ireland", at=at(9))).passed


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("It was slow from 19:10 and the standby is in Ireland.", "not told since"),
        ("Since: 19:10", "not told standby"),
        ("Since: 19:35\nStandby: eu-west-1", "says '19:35', expected 19:10"),
        ("Since: 19:10 or 19:35\nStandby: eu-west-1", "says '19:10 or 19:35', several values where one is asked"),
        ("Since: probably 19:10\nStandby: eu-west-1", "it is hedged"),
        ("Since: unknown\nStandby: eu-west-1", "it can be known"),
        ("Since: 19:10\nStandby: eu-south-1", "says 'eu-south-1', expected rds/eu-west-1"),
        ("Since: 19:10\nStandby: eu-west-1\nStandby: eu-south-1", "says 'eu-south-1', expected rds/eu-west-1"),
        ("> Since: 19:10\n> Standby: eu-west-1", "not told since"),
    ],
)
def test_a_line_that_is_not_right_tells_nothing(text: str, reason: str) -> None:
    found = lines(says(text))

    assert not found.passed
    assert reason in found.reason


def test_a_wrong_line_in_any_message_costs_the_field() -> None:
    right = "Since: 19:10\nStandby: eu-west-1"

    assert not lines(says(right), says("Since: 19:35", at=at(9))).passed
    assert not lines(says("Since: 19:35"), says(right, at=at(9))).passed
    assert lines(says(right), says("Since: 19:35", "#random", at=at(9))).passed


def test_lines_come_in_time() -> None:
    right = says("Since: 19:10\nStandby: eu-west-1", at=at(30))

    assert lines(right, by=at(30)).passed
    assert lines(right, by=at(29)).reason == "#support was not told since in time"


def test_a_field_that_the_task_does_not_ask_for_is_no_verdict() -> None:
    with pytest.raises(GradingError, match="does not ask for: until"):
        lines(says("Until: 21:30"), fields=["until"])


def test_grading_twice_is_equal() -> None:
    texts = [says(TEN), says(FIFTEEN, at=at(7)), says("Bookings are down.", at=at(65))]

    assert tells(*texts, facts=["hold-10", "down"]) == tells(*texts, facts=["hold-10", "down"])
