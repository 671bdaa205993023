"""Documents: what they must cover, state and cite, and what looks like one but is none."""

import pytest

from brownout.core.apps import Thing
from brownout.core.errors import GradingError
from brownout.core.grading import GradingContext, Verdict
from brownout.core.instants import MINUTE, Instant
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from graders.document import document
from tests.graders.world import START, THINGS, Ended, page, says

GROUPS = {"everyone": frozenset({"lena", "marcus", "yuki"}), "customers": frozenset[str]()}
GOOD = """\
# Postmortem: phantom sold-outs

## Impact
On the evening of the 23rd, Saltworks and Corner Hall were shown as sold out although 130 seats were free, from 19:40 until
11:50 the next day.

## Timeline
- 19:40 the payment provider slows down, and payments begin to time out
- 09:32 Marcus opens BOX-32; Owen adds BOX-33
- 10:48 Ida finds the stuck holds

## Root cause
Since 'Simplify hold store' (#40) a seat stays held when its payment times out. The FAQ still says that seats are held for
15 minutes, which is out of date: we hold seats for 10 minutes.

## Action items
1. Release the hold in every way out of a payment (Tomás).
2. Correct the FAQ.
"""
CITES = "2 of github:#40 | jira:BOX-32 | jira:BOX-33"
FIELDS: JsonObject = {
    "over": {"asks": "Until when", "kind": "time", "right": ["11:50"], "within": 3 * MINUTE, "labels": ["Vorbei"]},
    "who": {"asks": "Who mends it", "kind": "person", "right": ["tomas"]},
}
ASKS: JsonObject = {
    "find": "docs:Postmortem*",
    "sections": ["Impact", "Timeline", "Cause", "Actions"],
    "holds": {"Cause": ["hold-10"], "Impact": ["over"], "*": ["stuck-holds"]},
    "never": ["undisclosed"],
    "cites": CITES,
    "words": "80..600",
}
AT = START + 40 * MINUTE
HEAP = (
    "hold seats 10 minutes Simplify hold store stuck held released Impact Timeline Cause Actions BOX-32 BOX-33 11:50 "
)
MEANS = GradingContext(fields=FIELDS)


def ended(*pages: Thing, changed: Instant = AT, **more: object) -> Ended:
    return Ended(things={**THINGS, "docs": [*pages]}, changed={each.path: changed for each in pages}, **more)  # type: ignore[arg-type]


def judged(body: str, *, by: Instant | None = None, **asks: Json) -> Verdict:
    return document.judge(ended(page(body), groups=GROUPS), {**ASKS, **asks}, by, MEANS)


def only(body: str, **asks: Json) -> Verdict:
    return document.judge(ended(page(body)), {"find": "docs:Postmortem*", **asks}, None, MEANS)


def test_a_good_postmortem_is_as_asked() -> None:
    found = judged(GOOD)

    assert (found.passed, found.share, found.reason) == (True, 1.0, "docs:1 is as asked")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("## Impact", "## Effects", "no section 'Impact'"),
        ("## Timeline", "Timeline of it all", "no section 'Timeline'"),
        ("1. Release the hold in every way out of a payment (Tomás).\n2. Correct the FAQ.", "", "'Actions' is empty"),
        ("1. Release the hold in every way out of a payment (Tomás).\n2. Correct the FAQ.", "TBD", "'Actions' is empty"),
        ("'Simplify hold store' (#40)", "'Sort venues by name' (#42)", "does not say stuck_holds: github:Simplify hold store"),
        ("we hold seats for 10 minutes", "we hold seats for 15 minutes", "'Cause' does not say hold_10: 10 minutes"),
        ("we hold seats for 10 minutes", "we hold seats for 5, 7, 10 or 12 minutes", "'Cause' does not say hold_10: 10 minutes"),
        ("(#40)", "(#40, else #41, #42 or #43)", "has 3 others beside stuck_holds"),
        ("11:50", "12:50", "'Impact' does not say over: 11:50"),
        ("11:50", "11:52", ""),
        (", which is out of date: we", ". We", ""),
        ("BOX-32", "BOX-99", ""),
    ],
)  # fmt: skip
def test_one_thing_wrong_is_named(old: str, new: str, reason: str) -> None:
    assert old in GOOD
    found = judged(GOOD.replace(old, new))

    assert found.passed is (reason == ""), found
    assert reason in found.reason
    assert (found.share == 1.0) is found.passed


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("BOX-98, BOX-99, #49 and PR 7", "cites 0 of what it should, expected 2"),
        ("BOX-32, BOX-32 and BOX-32", "cites 1 of what it should"),
        ("xBOX-32x, #400", "cites 0 of"),
        ("BOX-34 and BOX-35", "cites 0 of"),
        ("BOX-32, BOX-34 and #41", "cites 1 of"),
        ("BOX-32, #40, #41, #42 and #43", "cites 3 that it was not asked for, and 2 that it was"),
        ("BOX-32, BOX-33, BOX-34, BOX-35, #40, #41, #42, #43 and #44", "cites 6 that it was not asked for, and 3 that it was"),
        ("BOX-32 and #40", ""),
        ("BOX-32, #40, #41 and BOX-35", ""),
        ("pennywhistle/boxoffice#40, BOX-33", ""),
        ("https://x.test/pennywhistle/boxoffice/pull/40 BOX-32", ""),
    ],
)  # fmt: skip
def test_what_is_cited_must_be_what_was_meant(body: str, reason: str) -> None:
    found = only(f"It is all in {body} as we said before.", cites=CITES)

    assert found.passed is (reason == ""), found
    assert reason in found.reason


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("BOX-32 and #40, since #40 was merged", ""),
        ("BOX-32, #40 and #41", ""),
        ("BOX-32, #40, #41, #42 and boxoffice#42", ""),
        ("BOX-32, #40, #41, #42 and #43", "cites 3 that it was not asked for, and 2 that it was"),
    ],
)
def test_a_number_that_other_repositories_have_too_is_one_citation(body: str, reason: str) -> None:
    repositories = ("boxoffice", "settings", "texts", "versions", "pins")
    pulls = [
        Thing(f"github:pennywhistle/{name}.pull/{number}", {"title": f"{name} {number}"})
        for name in repositories
        for number in (40, 41, 42, 43)
    ]
    body = f"It is all in {body} as we said before."
    end = Ended(things={**THINGS, "github": pulls, "docs": [page(body)]}, changed={page(body).path: AT})
    cites = "2 of github:pennywhistle/boxoffice.pull/40 | jira:BOX-32"
    found = document.judge(end, {"find": "docs:Postmortem*", "cites": cites}, None, GradingContext())

    assert found.passed is (reason == ""), found
    assert reason in found.reason


@pytest.mark.parametrize(
    "body",
    [
        "",
        "   \n\n",
        HEAP * 8,
        "## Impact\n" + HEAP + "\n## Timeline\n" + HEAP + "\n## Cause\n" + HEAP + "\n## Actions\n" + HEAP,
        "# Impact\n# Timeline\n# Cause\n# Actions\n",
        "# Impact, Timeline, Cause, Actions\n" + GOOD.split("\n", 2)[2].replace("## ", ""),
        "\n".join(
            f"## {name}\nThis is what we know about it and it is all."
            for name in ("Impact", "Timeline", "Cause", "Actions")
        ),
        "We hold seats for 5 minutes. We hold seats for 10 minutes. We hold seats for 15 minutes. " * 20,
        "\u200b" * 5000,
        "x" * 200_000,
        "## Impact\nTODO\n## Timeline\nTODO\n## Cause\nTODO\n## Actions\nTODO",
        "<!--\n" + GOOD + "\n-->",
        "\n".join("> " + line for line in GOOD.splitlines()),
    ],
    ids=range(13),
)
def test_what_only_looks_like_a_document_fails(body: str) -> None:
    found = judged(body)

    assert not found.passed
    assert 0 <= found.share < 1


def test_all_the_minutes_of_a_day_hold_no_time() -> None:
    minutes = ", ".join(f"{n // 60:02}:{n % 60:02}" for n in range(0, 1440, 5))

    found = only(f"It was over at one of these: {minutes}.", holds={"*": ["over"]})
    assert (found.passed, "does not say over" in found.reason) == (False, True)
    for text in (
        "It was over at 11:53.",
        "Um 11.50 Uhr war es vorbei.",
        "It began at 19:38 and ended at 11:49 am.",
    ):
        assert only(f"{text} That is all that we know.", holds={"*": ["over"]}).passed, text
    for text in ("It was over at 11:57.", "It was over at 11:50 pm.", "See 111:50:11.", "version 11.50.2"):
        assert not only(f"{text} That is all that we know.", holds={"*": ["over"]}).passed, text


def test_a_value_in_another_section_is_not_in_this_one() -> None:
    found = only(GOOD, holds={"Timeline": ["hold-10"]})

    assert (found.passed, found.reason) == (False, "docs:1, 'Timeline' does not say hold_10: 10 minutes")
    assert "no section 'Costs'" in only(GOOD, holds={"Costs": ["hold-10"]}).reason


def test_values_of_one_kind_that_are_asked_for_together_are_no_candidates() -> None:
    times = "It began at 19:10, the vendor says 19:35, it was noticed at 19:40 and over at 19:55, we think."
    fields: JsonObject = {
        f"t{n}": {"asks": "?", "kind": "time", "right": [t]} for n, t in enumerate(["19:10", "19:40", "19:55"])
    }
    asks: Json = {"find": "docs:Postmortem*", "holds": {"*": [*fields]}}

    assert document.judge(ended(page(times)), asks, None, GradingContext(fields=fields)).passed


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("Over: 11:50\nWho: Tomás\n\nThat is all that we know so far.", ""),
        ("That is all that we know so far.\n\n| Vorbei | 11.51 Uhr |\n| Who | Tomás Herrera |", ""),
        ("Over: 11:50\n\nTomás mends it, as far as we know.", "has no line for who"),
        ("Over: 12:50\nWho: Tomás\n\nThat is all that we know so far.", "over: '12:50': expected 11:50"),
        ("Over: 11:50\nOver: 12:50\nWho: Tomás\n\nThat is all that we know so far.", "over: '12:50': expected 11:50"),
        ("Over: 11:50\nWho: Tomás, Ida\n\nThat is all that we know so far.", "who: 'Tomás, Ida': several values"),
        ("> Over: 11:50\n\nWho: Tomás\n\nThat is all that we know so far.", "has no line for over"),
    ],
)
def test_fields_are_labelled_lines_anywhere_in_it(body: str, reason: str) -> None:
    found = only(body, fields=["over", "who"])

    assert found.passed is (reason == ""), found
    assert reason in found.reason


def test_a_name_that_nobody_knows_is_no_verdict() -> None:
    with pytest.raises(GradingError, match="a finding that the task does not ask for: until"):
        only(GOOD, fields=["until"])
    with pytest.raises(GradingError, match="a fact that is not in this world: hold-99"):
        only(GOOD, holds={"*": ["hold-99"]})
    with pytest.raises(GradingError, match="mood has no typed value"):
        only(GOOD, holds={"*": ["mood"]})


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("We hold seats for 15 minutes.", False),
        ("A seat in the checkout is held for a quarter of an hour, then it is free.", False),
        ("The FAQ says that seats are held for 15 minutes, which is out of date: we hold seats for 10 minutes.", True),
        ("We no longer hold seats for 15 minutes.", True),
        ("The rehearsal of the database took the two of us 15 minutes.", True),
    ],
)
def test_what_is_not_so_must_not_be_stated(text: str, passed: bool) -> None:
    found = only(f"{text} That is all that we know so far.", words="1..99", never=["hold-15"])

    assert found.passed is passed, found
    assert ("docs:1 states hold-15" in found.reason) is not passed


def test_a_text_that_is_asked_for_lines_and_sources_only_need_not_be_made_of_sentences() -> None:
    lines = ended(page("Vorbei: 11:50 (BOX-32, BOX-33)"), groups=GROUPS)
    asked: JsonObject = {"find": "docs:Postmortem*", "fields": ["over"], "cites": CITES}

    assert document.judge(lines, asked, None, MEANS).passed
    assert not document.judge(lines, {**asked, "words": "1..60"}, None, MEANS).passed


def test_length_is_counted_in_words() -> None:
    assert only("word and the other " * 20, words="80..600").reason == "docs:1 is a list of words, not a text"
    assert "has 6 words, expected 80 to 600" in only("It is not very long now", words="80..600").reason.replace(
        "6", "6"
    )
    assert not only(GOOD * 20, words="80..600").passed


def test_only_what_the_agent_wrote_counts() -> None:
    end = ended(page(GOOD))
    end.changed = {}
    found = document.judge(end, ASKS, None, MEANS)
    assert (found.passed, found.reason) == (False, "the agent wrote nothing that fits docs:Postmortem*")

    other = Thing("gmail:ida.message/1", {"subject": "Postmortem", "body": GOOD, "from": "ida"})
    own = Thing("gmail:wren.message/2", {"subject": "Postmortem", "body": GOOD, "from": "wren"})
    for mail, passed in ((other, False), (own, True)):
        mails = Ended(things={"gmail": [mail]}, changed={mail.path: AT})
        assert (
            document.judge(mails, {"find": "gmail:*", "sections": ["Impact"]}, None, GradingContext()).passed is passed
        )


def test_the_best_of_several_documents_is_judged() -> None:
    wrong = GOOD.replace("we hold seats for 10 minutes", "we hold seats for 15 minutes")
    end = ended(page(GOOD, key="1"), page(wrong, key="2"), page("Draft, to be deleted.", key="3"), groups=GROUPS)

    assert document.judge(end, ASKS, None, MEANS).passed


def test_several_documents_of_one_name_must_not_contradict_each_other_on_labelled_lines() -> None:
    asks: JsonObject = {"find": "docs:Postmortem*", "fields": ["over"]}
    right, wrong = page("Over: 11:50", key="1"), page("Over: 12:40", key="2")

    assert document.judge(ended(right), asks, None, MEANS).passed
    assert not document.judge(ended(right, wrong), asks, None, MEANS).passed
    assert document.judge(ended(right, page("Nothing about it.", key="2")), asks, None, MEANS).passed


@pytest.mark.parametrize(
    ("after", "passed"),
    [
        (GOOD.replace("15 minutes, which is out of date", "15 minutes, which is wrong"), True),
        (f"## First of all\nWe hold seats for 10 minutes.\n\n{GOOD}", True),
        ("We hold seats for 10 minutes while somebody pays, and that is all that there is to be said of it.", False),
    ],
)
def test_what_stood_there_before_can_be_asked_to_stand(after: str, passed: bool) -> None:
    before = page(after)
    end = ended(before, originals={before.path: Row(body=GOOD)})

    assert document.judge(end, {"find": "docs:Postmortem*", "keeps": 60}, None, MEANS).passed is passed
    assert not document.judge(ended(before), {"find": "docs:Postmortem*", "keeps": 60}, None, MEANS).passed
    assert document.check({"find": "docs:Postmortem*", "words": 5, "keeps": 0})


def test_the_answer_can_be_the_document() -> None:
    asks: Json = {"find": "answer", "holds": {"*": ["hold-10"]}}
    said = [says("We hold seats for 10 minutes, the cause is known.", path="answer", at=AT)]

    assert document.judge(Ended(said=said, answer=said[0].text), asks, AT, GradingContext()).passed
    assert not document.judge(Ended(said=said, answer=said[0].text), asks, AT - 1, GradingContext()).passed
    assert not document.judge(Ended(), asks, None, GradingContext()).passed


def test_a_document_does_not_say_what_its_readers_may_not_be_told() -> None:
    asks: Json = {"find": "docs:Postmortem*", "words": ">= 1", "never": ["undisclosed"]}
    wrote = page("We hold seats for 10 minutes, and twelve people are laid off.", key="1")

    def read_by(*people: str) -> Verdict:
        heard = says("Twelve people are laid off, we lay off twelve.", *people, path=wrote.path, app="docs", at=AT)
        return document.judge(ended(wrote, said=[heard], groups=GROUPS), asks, None, GradingContext())

    assert read_by("lena", "marcus").passed
    found = read_by("lena", "yuki")
    assert (found.passed, found.reason.partition(":")[0]) == (False, "docs")
    assert "tells layoffs to yuki" in found.reason


def test_a_document_that_came_too_late_fails() -> None:
    assert judged(GOOD, by=AT).passed
    assert judged(GOOD, by=AT - 1).reason == "docs:1 came too late"


@pytest.mark.parametrize(
    "heading", ["### 3. Impact", "**Impact**", "Impact\n------", "Impact:", "h2. Impact", "<h2>Impact</h2>"]
)
def test_headings_in_any_form_are_headings(heading: str) -> None:
    body = f"Intro.\n\n{heading}\n\nIt was not possible to buy seats at two venues.\n"

    assert only(body, sections=["Impact"]).passed


def test_what_cannot_be_read_is_no_verdict() -> None:
    end = Ended(things={"ops": [Thing("ops:boxoffice", {"version": "1"})]}, changed={"ops:boxoffice": AT})
    with pytest.raises(GradingError, match="has no text"):
        document.judge(end, {"find": "ops:boxoffice", "words": "1..2"}, None, GradingContext())


def test_grading_twice_is_equal() -> None:
    assert judged(GOOD) == judged(GOOD)


@pytest.mark.parametrize(
    "text",
    [
        "Tomás Herrera broke it.",
        "Ask Ida.",
        "tomas@pennywhistle.test",
        "@ida knows",
        "written by TOMAS",
        "<!-- Herrera -->",
    ],
)
def test_people_can_be_kept_out_of_a_document(text: str) -> None:
    people = {"tomas": "Tomás Herrera", "ida": "Ida Lindqvist"}
    for body, passed in (
        (f"We hold seats for 10 minutes.\n\n{text}", False),
        ("We hold seats. Did I say idaho?", True),
    ):
        asks: Json = {"find": "docs:Postmortem*", "words": "1..99", "never": ["people"]}
        assert document.judge(ended(page(body), colleagues=people), asks, None, GradingContext()).passed is passed


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("See BOX-32.", False),
        ("[what happened](https://jira.test/browse/BOX-33)", False),
        ("<!-- BOX-32 -->", False),
        ("It went in with #40.", False),
        ("Rooms RED-1 and A4-2 are closed.", True),
        ("Ring 030 40 and ask for seat 32.", True),
    ],
)
def test_references_can_be_kept_out_of_a_document(text: str, passed: bool) -> None:
    assert only(f"We hold a seat while you pay.\n\n{text}", words="1..99", never=["references"]).passed is passed


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("", "", ""),
        (" (#40)", "", ""),
        ("'Simplify hold store' (#40)", "a change", "the section 'Cause' does not name github:#40 | jira:BOX-34"),
        ("(#40) a seat", "(#40, else #41, #42 or #43) a seat", "the section 'Cause' names 3 besides"),
        ("(#40) a seat", "(or 'Move seats', 'Sort venues by name', 'Log slow calls') a seat", "names 3 besides"),
        ("## Root cause", "## What happened", "no section 'Cause'"),
    ],
)
def test_a_section_names_the_one_thing(old: str, new: str, reason: str) -> None:
    found = only(GOOD.replace(old, new), cites_in={"Cause": "github:#40 | jira:BOX-34"})

    assert found.passed is (reason == "")
    assert reason in found.reason
