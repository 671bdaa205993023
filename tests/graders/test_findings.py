"""Typed fields as they were handed in: with the tool, as labelled lines of what was written, or in a record's field."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from brownout.core.apps import Thing
from brownout.core.errors import GradingError
from brownout.core.grading import GradingContext, Said, Verdict
from brownout.core.instants import MINUTE, Instant
from brownout.core.values import Json, JsonObject
from graders.findings import findings
from tests.graders.world import START, THINGS, Ended, issue, says

FIELDS: JsonObject = {
    "since": {"asks": "Since when", "kind": "time", "right": ["outage.from"], "within": 3 * MINUTE, "labels": ["seit"]},
    "day": {"asks": "On which day", "kind": "date", "right": ["outage.from"]},
    "hold": {"asks": "How long", "kind": "duration", "right": ["fact:hold-10"]},
    "clinics": {"asks": "How many", "kind": "quantity", "right": ["31"], "unit": "clinic", "units": ["practices", "Praxen"]},
    "who": {"asks": "Who merged it", "kind": "person", "right": ["tomas"]},
    "daniel": {"asks": "Who asked", "kind": "person", "right": ["daniel-k"]},
    "cause": {"asks": "Which change", "kind": "artefact", "right": ["fact:stuck-holds", "jira:BOX-32"]},
    "standby": {
        "asks": "Where", "kind": "part", "right": ["rds/eu-west-1"],
        "of": {"rds/eu-west-1": ["Ireland", "Irland"], "rds/eu-south-1": ["Milan"]},
    },
    "remedy": {"asks": "What helped", "kind": "choice", "right": ["failover"], "of": {"failover": ["moved over"], "restart": []}},
    "nobody_knows": {"asks": "Who paid", "kind": "person", "right": ["unknown"]},
    "either": {"asks": "Who paid", "kind": "person", "right": ["ida", "unknown"]},
    "people": {"asks": "Who was there", "kind": "person", "right": ["tomas", "ida", "daniel-s"], "many": True},
    "tickets": {
        "asks": "Evidence", "kind": "artefact", "many": True, "least": 2,
        "right": ["jira:BOX-32", "jira:BOX-33", "github:#40"],
    },
    "none": {"asks": "Who else", "kind": "person", "right": ["unknown"], "many": True},
}  # fmt: skip
MOMENTS = {"outage.from": START - 15 * 60 * MINUTE - 30 * MINUTE}  # 19:10 in Lisbon on the 23rd
BOX_34 = "jira:BOX.issue/BOX-34"


def at(minutes: int) -> Instant:
    return START + minutes * MINUTE


def recorded(name: str, text: str, *, by: Instant | None = None, when: Instant = START) -> Verdict:
    end = Ended(findings={name: (text, when)}, moments=MOMENTS)
    return findings.judge(end, [name], by, GradingContext(fields=FIELDS))


def written(*texts: Said, fields: Sequence[str] = ("since",), by: Instant | None = None) -> Verdict:
    asks: Json = {"fields": [*fields], "in": "jira:BOX-34"}
    return findings.judge(Ended(said=texts, moments=MOMENTS), asks, by, GradingContext(fields=FIELDS))


def comment(text: str, number: int = 1, *, when: int = 5) -> Said:
    return says(text, "tomas", path=f"{BOX_34}.comment/{number}", at=at(when), app="jira")


def in_record(
    text: str, *, changed: Mapping[str, Instant] | None = None, field: str = "root_cause", **asks: Json
) -> Verdict:
    record = issue("BOX-34", root_cause=text, notes="")
    changes = {f"{BOX_34}.root_cause": at(5)} if changed is None else changed
    end = Ended(things={**THINGS, "jira": [*THINGS["jira"][:2], record]}, changed=changes, moments=MOMENTS)
    return findings.judge(
        end, {"fields": ["cause"], "in": f"jira:BOX-34.{field}", **asks}, None, GradingContext(fields=FIELDS)
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("since", "19:10"),
        ("since", "from 7:12 pm on 23 March"),
        ("since", "19.10 Uhr"),
        ("day", "Monday, 23 March 2026"),
        ("day", "23.03."),
        ("hold", "10 minutes"),
        ("hold", "600s (not 15 minutes)"),
        ("clinics", "31"),
        ("clinics", "31 practices"),
        ("who", "Tomás Herrera"),
        ("who", "tomas@pennywhistle.test"),
        ("who", "Tomás, who told Ida"),
        ("daniel", "Daniel Krüger"),
        ("cause", "#40"),
        ("cause", "'Simplify hold store'"),
        ("cause", "BOX-32"),
        ("cause", "PR 40, tracked as BOX-32"),
        ("cause", "#40, BOX-32"),
        ("cause", "#40 / BOX-32"),
        ("standby", "eu-west-1"),
        ("standby", "Irland (not Milan)"),
        ("remedy", "moved over"),
        ("nobody_knows", "unknown"),
        ("nobody_knows", "weiß niemand"),
        ("either", "Ida"),
        ("either", "unknown"),
        ("people", "Ida, Tomás and Daniel Stein"),
        ("tickets", "BOX-33, #40"),
        ("none", "unknown"),
    ],
)
def test_what_is_right_is_right_in_any_way_of_writing_it(name: str, text: str) -> None:
    found = recorded(name, text)

    assert (found.passed, found.share, found.reason) == (True, 1.0, f"{name}: right")


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("since", "19:35", "expected outage.from"),
        ("since", "19:10 on 24 March", "expected outage.from"),
        ("since", "19:10, or perhaps 19:35", "several values"),
        ("since", "probably 19:10", "it is hedged"),
        ("since", "in the evening", "it cannot be read"),
        ("since", "unknown", "it can be known"),
        ("day", "24 March", "expected outage.from"),
        ("hold", "10 hours", "expected 10 minutes"),
        ("hold", "between 10 and 15 minutes", "several values"),
        ("clinics", "30", "expected 31"),
        ("clinics", "31 patients", "expected 31"),
        ("who", "Ida", "expected tomas"),
        ("who", "Tomás, Ida", "several values"),
        ("daniel", "Daniel", "expected daniel-k"),
        ("cause", "#41", "expected"),
        ("cause", "#40, #41", "several values"),
        ("standby", "Milan", "expected rds/eu-west-1"),
        ("standby", "Ireland or Milan", "it is hedged"),
        ("standby", "Ireland, Milan", "several values"),
        ("remedy", "a restart", "expected failover"),
        ("remedy", "nothing helped", "it cannot be read"),
        ("nobody_knows", "Ida", "expected unknown"),
        ("either", "Tomás", "expected ida or unknown"),
        ("people", "Ida and Tomás", "2 of 3 are there"),
        ("people", "Ida, Tomás, Daniel Stein and Daniel Krüger", "expected tomas or ida or daniel-s"),
        ("tickets", "BOX-33", "1 of 2 are there"),
        ("tickets", "BOX-32, BOX-33, BOX-35", "expected"),
        ("none", "Ida", "expected unknown"),
    ],
)
def test_what_is_not_right_is_named_with_its_reason(name: str, text: str, why: str) -> None:
    found = recorded(name, text)

    assert (found.passed, found.share) == (False, 0.0)
    assert found.reason.startswith(f"{name}: {text!r} in record_findings: ")
    assert why in found.reason


def test_what_was_not_handed_in_earns_nothing() -> None:
    end = Ended(findings={"hold": ("10 minutes", START)}, moments=MOMENTS)
    found = findings.judge(end, ["since", "hold"], None, GradingContext(fields=FIELDS))

    assert (found.passed, found.share, found.reason) == (False, 0.5, "since: nothing was handed in")


def test_what_was_recorded_late_is_too_late() -> None:
    assert recorded("since", "19:10", when=at(30), by=at(30)).passed
    assert recorded("since", "19:10", when=at(30), by=at(29)).reason == "since: handed in too late"


def test_a_field_that_the_task_does_not_ask_for_is_no_verdict() -> None:
    with pytest.raises(GradingError, match="does not ask for: until"):
        findings.judge(Ended(), ["until"], None, GradingContext(fields=FIELDS))


def test_a_thing_that_is_not_there_is_no_verdict() -> None:
    fields: JsonObject = {"cause": {"asks": "Which", "kind": "artefact", "right": ["jira:BOX-99"]}}
    with pytest.raises(GradingError, match="names 'jira:BOX-99', and there is no such thing"):
        findings.judge(Ended(findings={"cause": ("#40", START)}), ["cause"], None, GradingContext(fields=fields))


def test_a_value_that_cannot_be_read_is_no_verdict() -> None:
    fields: JsonObject = {"hold": {"asks": "How long", "kind": "duration", "right": ["a while"]}}
    with pytest.raises(GradingError, match="'a while' cannot be read as a duration"):
        findings.judge(Ended(findings={"hold": ("10 minutes", START)}), ["hold"], None, GradingContext(fields=fields))


@pytest.mark.parametrize(
    "text",
    [
        "Since: 19:10",
        "We know more now.\n\n**Since:** 19:11 (our own figures)\n",
        "| Since | 19:10 |",
        "## Since\n\n19:10",
        "- Seit – 19.10 Uhr",
        "SINCE = 7:10 pm",
        "Since: 19:10\n\n> Since: 19:35\n\nwas what the vendor's page said.",
    ],
)
def test_a_labelled_line_is_handed_in(text: str) -> None:
    found = written(comment(text))

    assert (found.passed, found.evidence[0].rpartition(" in ")[2]) == (
        True,
        f"{BOX_34}.comment/1, Tue 24 Mar 2026 10:45 WET",
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("It has been slow since 19:10.", "nothing was handed in"),
        ("> Since: 19:10", "nothing was handed in"),
        ("~~Since: 19:10~~", "nothing was handed in"),
        ("<!-- Since: 19:10 -->", "nothing was handed in"),
        ("Since: 19:35", "expected outage.from"),
        ("Since: 19:10\nSince: 19:35", "expected outage.from"),
        ("Since: 19:10 or 19:35", "several values"),
    ],
)
def test_lines_that_say_nothing_or_two_things_are_none(text: str, why: str) -> None:
    found = written(comment(text))

    assert not found.passed
    assert why in found.reason


def test_only_what_was_written_there_counts() -> None:
    elsewhere = says("Since: 19:10", "tomas", path="jira:BOX.issue/BOX-33.comment/1", app="jira")

    assert written(elsewhere).reason == "since: nothing was handed in"
    assert written(says("Since: 19:35", path="slack:#support.message/1"), comment("Since: 19:10")).passed


def test_several_fields_may_stand_in_several_comments() -> None:
    both = [comment("Since: 19:10"), comment("Hold: 10 minutes", 2)]

    assert written(*both, fields=["since", "hold"]).passed
    found = written(both[0], fields=["since", "hold"])
    assert (found.passed, found.share, found.reason) == (False, 0.5, "hold: nothing was handed in")


def test_two_comments_that_contradict_each_other_hand_in_nothing() -> None:
    found = written(comment("Since: 19:35"), comment("Since: 19:10", 2, when=11), comment("Since: 19:10", 3, when=12))

    assert not found.passed
    assert "'19:35'" in found.reason


@pytest.mark.parametrize("number", [1, 2], ids=["by an edit", "by another line"])
@pytest.mark.parametrize(("later", "passed"), [(4, True), (6, False)])
def test_what_is_put_right_within_five_minutes_was_never_said(later: int, passed: bool, number: int) -> None:
    found = written(comment("Since: 19:35"), comment("Since: 19:10", number, when=5 + later))

    assert found.passed is passed
    assert ("'19:35'" in found.reason) is not passed


def test_the_last_of_many_lines_is_what_was_said_and_one_text_says_it_once() -> None:
    candidates = [comment(f"Since: 19:{minute}", minute, when=minute) for minute in range(10, 20)]

    assert "'19:19'" in written(*candidates).reason
    assert not written(comment("Since: 19:35\nSince: 19:10")).passed
    assert written(comment("Since: 19:10", when=28), comment("Since: 19:10", 2, when=31), by=at(30)).passed


def test_several_values_put_right_one_after_the_other_are_candidates() -> None:
    tried = [
        comment("Since: 19:35", 1, when=10),
        comment("Since: 19:20", 2, when=11),
        comment("Since: 19:10", 3, when=12),
    ]

    assert written(*tried).reason == "since: it was one of 3 values"
    assert written(tried[0], tried[2]).passed


def test_what_nobody_could_read_a_value_in_is_no_falsehood() -> None:
    assert written(comment("Since: to follow"), comment("Since: 19:10", when=60)).passed
    assert written(comment("Since: unknown"), comment("Since: 19:10", when=60)).passed
    assert written(comment("Since: to follow"), comment("Since: 19:10", 2, when=60)).passed
    assert not written(comment("Since: 19:10"), comment("Since: to follow", 2, when=60)).passed


def test_lines_come_in_time() -> None:
    assert written(comment("Since: 19:10", when=30), by=at(30)).passed
    assert written(comment("Since: 19:10", when=30), by=at(29)).reason == "since: handed in too late"
    assert written(comment("Since: 19:10", when=20), comment("Since: 19:11", 2, when=40), by=at(29)).passed


def test_the_answer_can_hold_the_lines() -> None:
    asks: Json = {"fields": ["since"], "in": "answer"}
    answer = "Done.\n\nSince: 19:10"
    end = Ended(said=[says(answer, path="answer")], answer=answer, moments=MOMENTS)

    assert findings.judge(end, asks, None, GradingContext(fields=FIELDS)).passed
    assert not findings.judge(Ended(moments=MOMENTS), asks, None, GradingContext(fields=FIELDS)).passed


def test_a_page_can_hold_the_lines() -> None:
    page = Thing("docs:1", {"title": "Postmortem", "body": "Intro.\n\nSince: 19:10\n"})
    asks: Json = {"fields": ["since"], "in": "docs:Postmortem"}
    for changed, passed in (({"docs:1": at(5)}, True), ({}, False)):
        end = Ended(things={**THINGS, "docs": [page]}, changed=changed, moments=MOMENTS)
        assert findings.judge(end, asks, None, GradingContext(fields=FIELDS)).passed is passed


def test_a_field_of_a_record_is_handed_in_as_it_is() -> None:
    assert in_record("#40").passed
    assert in_record("Simplify hold store (pull 40)").passed
    for text, why in (("#41", "expected"), ("#40 and #41", "several"), ("not known yet", "it can be known")):
        found = in_record(text)
        assert not found.passed
        assert why in found.reason, text


def test_what_somebody_else_wrote_into_a_record_is_not_handed_in() -> None:
    assert in_record("#40", changed={}).reason == "cause: nothing was handed in"
    assert not in_record("", changed={}, field="notes").passed


def test_a_handed_in_field_of_a_record_comes_in_time() -> None:
    record = issue("BOX-34", root_cause="#40")
    end = Ended(things={**THINGS, "jira": [*THINGS["jira"][:2], record]}, changed={f"{BOX_34}.root_cause": at(5)})
    asks: Json = {"fields": ["cause"], "in": "jira:BOX-34.root_cause"}

    assert findings.judge(end, asks, at(5), GradingContext(fields=FIELDS)).passed
    assert findings.judge(end, asks, at(4), GradingContext(fields=FIELDS)).reason == "cause: handed in too late"


def test_grading_twice_is_equal() -> None:
    assert written(comment("Since: 19:35")) == written(comment("Since: 19:35"))


@pytest.mark.parametrize(("since", "passed"), [(-1, True), (1, False)])
def test_what_never_came_to_be_so_is_nobodys_right_value(since: int, passed: bool) -> None:
    end = Ended(findings={"hold": ("10 minutes", START)}, moments=MOMENTS)
    later = Ended(
        findings={"hold": ("10 minutes", START)},
        moments=MOMENTS,
        facts={**end.facts, "hold-10": replace(end.facts["hold-10"], since=end.end + since)},
    )

    assert findings.judge(later, ["hold"], None, GradingContext(fields=FIELDS)).passed is passed
