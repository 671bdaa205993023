"""Documents: what they must cover, state and cite, and what looks like one but is none."""

import pytest

from brownout.core.apps import Thing
from brownout.core.errors import GradingError
from brownout.core.grading import Means, Verdict
from brownout.core.instants import MINUTE, Instant
from brownout.core.values import Json, JsonObject
from graders.document import document
from tests.graders.world import START, Ended, page, says

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
ASKS: JsonObject = {
    "find": "docs:Postmortem*",
    "sections": ["Impact", "Timeline", "Cause", "Actions"],
    "states": ["stuck-holds", "hold-10", "outage.from ~ 5m"],
    "never": ["rivals"],
    "cites": "2 pull or issue",
    "words": "80..600",
}
AT = START + 40 * MINUTE
HEAP = (
    "hold seats 10 minutes Simplify hold store stuck held released Impact Timeline Cause Actions BOX-32 BOX-33 19:40 "
)


def issue(key: str) -> Thing:
    return Thing(f"jira:BOX.issue/{key}", {"key": key, "summary": key})


def pull(number: int) -> Thing:
    return Thing(f"github:pennywhistle/boxoffice.pull/{number}", {"title": "Simplify hold store"})


def ended(*pages: Thing, changed: Instant = AT, **more: object) -> Ended:
    things = {"docs": list(pages), "jira": [issue("BOX-32"), issue("BOX-33")], "github": [pull(40)]}
    moments = {"outage.from": START - 15 * 60 * MINUTE}  # 19:40 in Lisbon and in UTC
    return Ended(things=things, changed={each.path: changed for each in pages}, moments=moments, **more)  # type: ignore[arg-type]


def judged(body: str, *, by: Instant | None = None, **asks: Json) -> Verdict:
    return document.judge(ended(page(body)), {**ASKS, **asks}, by, Means())


def only(body: str, **asks: Json) -> Verdict:
    return document.judge(ended(page(body)), {"find": "docs:Postmortem*", **asks}, None, Means())


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
        (" (#40) a seat stays held", " (#40) the site was slow", "does not state stuck-holds"),
        ("Since 'Simplify hold store'", "Not since 'Simplify hold store'", "does not state stuck-holds"),
        ("we hold seats for 10 minutes", "we hold seats for 15 minutes", "does not state hold-10"),
        ("we hold seats for 10 minutes", "we hold seats for 10 or 15 minutes", "does not state hold-10"),
        (", which is out of date: we", ". We", ""),
        ("The FAQ still says that seats are held for\n15 minutes, which is out of date:", "Seats are held for 15 minutes;", "hold"),
        ("19:40", "20:10", "does not state outage.from"),
        ("BOX-32", "BOX-99", ""),
    ],
)  # fmt: skip
def test_one_thing_wrong_is_named(old: str, new: str, reason: str) -> None:
    assert old in GOOD
    found = judged(GOOD.replace(old, new))

    assert found.passed is (reason == ""), found
    assert reason in found.reason
    assert (found.share == 1.0) is found.passed


def test_citations_must_lead_somewhere() -> None:
    for body, count in [("BOX-98, BOX-99, #41 and PR 7", 0), ("BOX-32, BOX-32 and BOX-32", 1), ("xBOX-32x, #400", 0)]:
        found = only(f"It is all in {body} as we said before.", cites="2 pull or issue")
        assert (found.passed, f"cites {count} pull or issue" in found.reason) == (False, True), found
    for body in (
        "BOX-32 and #40",
        "pennywhistle/boxoffice#40, BOX-33",
        "https://x.test/pennywhistle/boxoffice/pull/40 BOX-32",
    ):
        assert only(f"It is all in {body} as we said before.", cites="2 pull or issue").passed, body
    assert not only("It is all in BOX-32 and BOX-33 as we said.", cites="1 pull").passed


def test_citations_of_what_the_world_does_not_have_are_no_verdict() -> None:
    end = Ended(things={"docs": [page(GOOD)]}, changed={"docs:1": AT})
    with pytest.raises(GradingError, match="not in this world: github"):
        document.judge(end, {"find": "docs:Postmortem*", "cites": "1 pull"}, None, Means())


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
        "```\n" + GOOD + "\n```",
        "\n".join("> " + line for line in GOOD.splitlines()),
    ],
    ids=range(14),
)
def test_what_only_looks_like_a_document_fails(body: str) -> None:
    found = judged(body)

    assert not found.passed
    assert 0 <= found.share < 1


def test_all_the_minutes_of_a_day_state_no_time() -> None:
    minutes = ", ".join(f"{n // 60:02}:{n % 60:02}" for n in range(0, 1440, 5))

    assert not only(f"It began at one of these: {minutes}.", states=["outage.from ~ 5m"]).passed
    for text in ("It began at 19:43.", "It began at 7:41 pm", "It began at 19:38 UTC and ended at 23:10."):
        assert only(text, states=["outage.from ~ 5m"]).passed, text
    for text in ("It began at 19:47.", "It began at 7:40.", "See 119:40:11.", "version 19.40"):
        assert not only(text, states=["outage.from ~ 5m"]).passed, text


def test_length_is_counted_in_words() -> None:
    assert only("word and the other " * 20, words="80..600").reason == "docs:1 is a list of words, not a text"
    assert "has 6 words, expected 80 to 600" in only("It is not very long now", words="80..600").reason.replace(
        "6", "6"
    )
    assert not only(GOOD * 20, words="80..600").passed


def test_only_what_the_agent_wrote_counts() -> None:
    end = ended(page(GOOD))
    end.changed = {}
    found = document.judge(end, ASKS, None, Means())
    assert (found.passed, found.reason) == (False, "the agent wrote nothing that fits docs:Postmortem*")

    other = Thing("gmail:ida.message/1", {"subject": "Postmortem", "body": GOOD, "from": "ida"})
    own = Thing("gmail:wren.message/2", {"subject": "Postmortem", "body": GOOD, "from": "wren"})
    for mail, passed in ((other, False), (own, True)):
        mails = Ended(things={"gmail": [mail]}, changed={mail.path: AT})
        assert document.judge(mails, {"find": "gmail:*", "sections": ["Impact"]}, None, Means()).passed is passed


def test_one_document_for_each_candidate_states_none() -> None:
    wrong = GOOD.replace("we hold seats for 10 minutes", "we hold seats for 15 minutes")
    end = ended(page(GOOD, key="1"), page(wrong, key="2"))

    found = document.judge(end, ASKS, None, Means())
    assert (found.passed, found.reason) == (False, "docs:2 says otherwise about hold-10")
    assert document.judge(
        ended(page(GOOD, key="1"), page("Draft, to be deleted.", key="2")), ASKS, None, Means()
    ).passed


def test_the_answer_can_be_the_document() -> None:
    asks: Json = {"find": "answer", "states": ["hold-10"], "never": ["rivals"]}
    said = [says("We hold seats for 10 minutes, the cause is known.", path="answer", at=AT)]

    assert document.judge(Ended(said=said, answer=said[0].text), asks, AT, Means()).passed
    assert not document.judge(Ended(said=said, answer=said[0].text), asks, AT - 1, Means()).passed
    assert not document.judge(Ended(), asks, None, Means()).passed


def test_a_document_does_not_say_what_its_readers_may_not_be_told() -> None:
    asks: Json = {"find": "docs:Postmortem*", "words": ">= 1", "never": ["undisclosed"]}
    wrote = page("We hold seats for 10 minutes. Twelve people are laid off.", key="1")
    groups = {"everyone": frozenset({"lena", "marcus", "yuki"}), "customers": frozenset[str]()}

    def read_by(*people: str) -> Verdict:
        heard = says("Twelve people are laid off, we lay off twelve.", *people, path=wrote.path, app="docs", at=AT)
        return document.judge(ended(wrote, said=[heard], groups=groups), asks, None, Means())

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
        document.judge(end, {"find": "ops:boxoffice", "words": "1..2"}, None, Means())


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
        assert document.judge(ended(page(body), colleagues=people), asks, None, Means()).passed is passed


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
        ("'Simplify hold store' (#40)", "a change", "the section 'Cause' does not name github:#40"),
        ("(#40) a seat", "(#40, else #41, #42 or #43) a seat", "the section 'Cause' names 3 besides github:#40"),
        ("(#40) a seat", "(or 'Move seats', 'Sort venues', 'Log slow calls') a seat", "names 3 besides github:#40"),
        ("## Root cause", "## What happened", "no section 'Cause'"),
    ],
)
def test_a_section_names_the_one_thing(old: str, new: str, reason: str) -> None:
    page = Thing("docs:1", {"title": "Postmortem of 23 March", "body": GOOD.replace(old, new)})
    titles = {41: "Move seats", 42: "Sort venues", 43: "Log slow calls"}
    others = [Thing(pull(number).path, {"title": title}) for number, title in titles.items()]
    things = {"docs": [page], "github": [pull(40), *others]}
    end = Ended(things=things, changed={page.path: AT})
    found = document.judge(end, {"find": "docs:Postmortem*", "cites_in": {"Cause": "github:#40"}}, None, Means())

    assert found.passed is (reason == "")
    assert reason in found.reason
