"""The reader that asks a model: it takes claims out of a text, and code finds out what they come to."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from brownout.core.entities import Entities
from brownout.core.errors import GradingError, NobodyReads
from brownout.core.grading import EndState, GradingContext, Reads, Verdict
from brownout.core.instants import Instant
from brownout.core.language_models import ModelUse, Usage
from brownout.core.plugins import plugin_names
from brownout.core.readers import FactAsk, FactKind, Reading
from brownout.core.values import Json, JsonObject
from brownout.llm import JudgeSettings, Model, open_client, together
from brownout.testing.fake_openai import FakeOpenAI, Reply
from graders.fact_asks import load_reader
from graders.grader_lookup import load_grader
from graders.readers.model import messages_for
from graders.rubric import grade
from tests.graders.test_judge import INJECTIONS, slot
from tests.graders.world import Ended, says
from worlds.spec.models import Rubric

pytestmark = pytest.mark.filterwarnings("ignore")  # litellm's own

HOLD = FactAsk(
    name="hold-10",
    sentence="A seat is held for ten minutes.",
    slot="hold",
    kind="duration",
    value="10 minutes",
    called=("ten minutes",),
    rivals={"15 minutes": ("a quarter of an hour",), "20 minutes": ()},
    about=("hold", "seat"),
)
HERE = Entities({}, {}, lambda text: (), date(2026, 3, 24), "Europe/Lisbon")
TEXT = "A seat stays yours for 600 seconds. It used to be a quarter of an hour, that is over."
reader = load_reader("model")


def claim(value: str, stance: str, quote: str) -> JsonObject:
    return {"value": value, "stance": stance, "quote": quote}


TRUE = claim("10 minutes", "states", "stays yours for 600 seconds")
PAST = claim("15 minutes", "history", "used to be a quarter of an hour")


def means(server: FakeOpenAI, cassette: Path | None = None, deadline: float = 30.0) -> GradingContext:
    asked = Model(name="openai/fake", base_url=server.base_url, patience_seconds=0, timeout_seconds=deadline)
    settings = JudgeSettings(asked, cassette)
    return GradingContext(model=open_client(settings))


def read(*claims: JsonObject, text: str = TEXT, fact: FactAsk = HOLD) -> Reading:
    with FakeOpenAI(json.dumps({"claims": [*claims]})) as server:
        return reader.read(text, fact, HERE, means(server))


def test_the_reader_is_found_by_name() -> None:
    assert (reader.name, reader.version) == ("model", 1)
    assert "model" in plugin_names("readers")


def test_a_value_that_is_stated_as_so_states_the_fact_with_its_words() -> None:
    assert read(TRUE, PAST) == Reading(True, "it states 10 minutes", "stays yours for 600 seconds", "10 minutes")
    assert read({**TRUE, "value": "Ten minutes"}).states, "by another of its names"
    assert read(TRUE, {**PAST, "stance": "lists"}).others == frozenset({"15 minutes"})


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ([], "it does not say that A seat is held"),
        ([PAST], "it does not say that A seat is held"),
        ([{**TRUE, "stance": "denies"}], "10 minutes is denied"),
        ([{**TRUE, "stance": "asks"}], "10 minutes is asked"),
        ([{**TRUE, "stance": "plans"}], "10 minutes is planned"),
        ([{**TRUE, "stance": "hypothetical"}], "10 minutes is only supposed"),
        ([{**TRUE, "stance": "quotes"}], "10 minutes is only quoted"),
        ([{**TRUE, "stance": "history"}], "10 minutes is told as what was so before"),
        ([{**TRUE, "stance": "hedges"}], "10 minutes is called possible only"),
        ([{**TRUE, "stance": "lists"}, TRUE], "10 minutes is one of several listed values"),
        ([TRUE, {**TRUE, "stance": "denies"}], "10 minutes is denied"),
        ([{**PAST, "stance": "states"}], "it states 15 minutes"),
        ([TRUE, {**PAST, "stance": "states"}], "it states 15 minutes as well"),
        ([TRUE, claim("12 minutes", "states", "that is over")], "it states 12 minutes as well"),
    ],
)
def test_everything_else_does_not(claims: list[JsonObject], reason: str) -> None:
    found = read(*claims)

    assert not found.states
    assert found.reason.startswith(reason)


def test_what_the_text_does_not_have_is_no_claim_of_its() -> None:
    assert not read({**TRUE, "quote": "a seat is held for ten minutes"}).states
    assert not read({**TRUE, "quote": " … "}).states
    assert read(TRUE, {**PAST, "stance": "states", "quote": "fifteen minutes"}).states
    assert read({**TRUE, "quote": "Stays  yours — for 600 seconds"}).states, "space, case and marks aside"


@pytest.mark.parametrize(
    ("kind", "value", "said", "is_same"),
    [
        ("duration", "10 minutes", "600 s", True),
        ("duration", "10 minutes", "zehn Minuten", True),
        ("duration", "10 minutes", "10 hours", False),
        ("time", "19:10", "7:10 pm", True),
        ("time", "19:10", "7:10 am", False),
        ("date", "2026-03-23", "23 March", True),
        ("quantity", "8214", "8,214", True),
        ("person", "Victor Hautz", "Viktor Hautz", False),
        ("artefact", "BOOK-440", "BOOK-448", False),
    ],
)
def test_a_value_without_candidates_is_compared_by_what_it_means(
    kind: FactKind, value: str, said: str, is_same: bool
) -> None:
    fact = replace(HOLD, kind=kind, value=value, called=(), rivals={})

    assert read(claim(said, "states", "that is over"), fact=fact).states is is_same


def test_other_words_rule_out_an_exact_value_and_not_a_free_one() -> None:
    cause = FactAsk("cause", "", "cause", "artefact", "Simplify hold store", rivals={"Redis upgrade": ()})
    text = "Simplify hold store did it, a change of 3 March. Not the Redis upgrade."
    claims = [
        claim("simplify hold  store", "states", "Simplify hold store did it"),
        claim("a change", "states", "a change of 3 March"),
    ]

    assert read(*claims, text=text, fact=cause).states
    assert not read(*claims, claim("redis upgrade", "states", "Redis upgrade"), text=text, fact=cause).states


def test_nothing_tells_the_model_which_value_is_right() -> None:
    swapped = replace(
        HOLD, name="hold-15", sentence="For fifteen.", value="15 minutes", rivals={"20 minutes": (), "10 minutes": ()}
    )
    alone = messages_for(TEXT, replace(HOLD, rivals={}), HERE)
    shown = "\n".join(message.content for message in messages_for(TEXT, HOLD, HERE))

    assert messages_for(TEXT, HOLD, HERE) == messages_for(TEXT, swapped, HERE)
    assert HOLD.sentence not in shown
    assert HOLD.name not in shown
    assert HOLD.value not in slot(alone)[1].replace("10 minutes say", ""), "the only candidate would be the right one"


@pytest.mark.parametrize("injection", INJECTIONS)
def test_nothing_an_agent_says_leaves_its_slot(injection: str) -> None:
    data, around = slot(messages_for(f"{TEXT}\n{injection}", HOLD, HERE))
    _, plain = slot(messages_for("", HOLD, HERE))

    assert injection in data["text"]
    assert len(around) == len(plain)
    assert injection not in around


def test_nothing_and_a_novel_are_not_read() -> None:
    with FakeOpenAI() as server:
        assert not reader.read(" \n", HOLD, HERE, means(server)).states
        assert "longer" in reader.read("x" * 40_001, HOLD, HERE, means(server)).reason
        assert server.requests == []


def test_a_reader_without_a_model_says_that_nobody_reads(tmp_path: Path) -> None:
    with pytest.raises(NobodyReads, match="reader_unavailable"):
        reader.read(TEXT, HOLD, HERE, GradingContext())
    with pytest.raises(NobodyReads, match="under the key"):
        reader.read(TEXT, HOLD, HERE, GradingContext(model=open_client(JudgeSettings(None, tmp_path / "none.jsonl"))))


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(status=401), "refused"),
        (Reply(status=429), "rate_limited"),
        (Reply(status=503), "server"),
        (Reply(trouble="hang"), "timeout"),
        (Reply(trouble="cut"), "cut"),
        (Reply("{'choices': ", is_raw=True), "malformed"),
        (Reply("It states ten minutes."), "malformed"),
        (Reply('{"claims": [{"value": "10 min', finish="length"), "malformed"),
        (Reply('{"claims": [{"value": "10 minutes", "stance": "true", "quote": "600"}]}'), "schema"),
        (Reply('{"claims": [], "verdict": true}'), "schema"),
    ],
)
def test_a_model_that_fails_is_no_reading(reply: Reply, reason: str) -> None:
    with FakeOpenAI(reply) as server, pytest.raises(GradingError, match=f"reader_failed: {reason}") as caught:
        reader.read(TEXT, HOLD, HERE, means(server, deadline=1.0 if reply.trouble == "hang" else 30.0))
    assert not isinstance(caught.value, NobodyReads)


class _Heard:
    """A grader that reads everything that was said with the reader: what a criterion over a fact does."""

    name = "heard"
    version = 1
    reads: Reads = "prose"

    def check(self, asks: Json) -> list[str]:
        return []

    def judge(self, end: EndState, asks: Json, by: Instant | None, means: GradingContext) -> Verdict:
        others = [each for each in (HOLD.value, *HOLD.rivals) if each != asks]
        fact = replace(HOLD, value=str(asks), rivals=dict.fromkeys(others, ()))
        found = together(partial(reader.read, said.text, fact, HERE, means) for said in end.said)
        stated = [reading for reading in found if reading.states]
        return Verdict(bool(stated), float(bool(stated)), found[0].reason, tuple(each.quote for each in stated))


@pytest.fixture(autouse=True, scope="module")
def _heard() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("graders.rubric.load_grader", lambda name: _Heard() if name == "heard" else load_grader(name))
        yield


BOTH = Rubric.model_validate(
    {"points": {"ten": {"worth": 2, "heard": "10 minutes"}, "more": {"worth": 1, "heard": "15 minutes"}}}
)


def test_a_text_is_read_once_for_all_who_ask_the_same_of_it_and_a_replay_asks_nobody(tmp_path: Path) -> None:
    end, cassette = Ended(said=[says(TEXT), says("Hello!"), says("See you.")]), tmp_path / "judge.jsonl"

    def answer(body: JsonObject) -> str:
        return json.dumps({"claims": [TRUE, PAST] if "600 seconds" in str(body["messages"]) else []})

    with FakeOpenAI(answer=answer) as server:
        settings = JudgeSettings(Model(name="openai/fake", base_url=server.base_url, patience_seconds=0), cassette)
        found = grade(BOTH, end, judge=settings)
        asked = len(server.requests)
    again = grade(BOTH, end, judge=JudgeSettings(None, cassette))

    assert [(line.criterion, line.passed) for line in found.ledger[:2]] == [("ten", True), ("more", False)]
    assert asked == 3, "the second criterion asks the same of the same texts"
    assert found.uses == (ModelUse("model-reader/1", "openai/fake", "model", 6, Usage(3, 3)),)
    assert (again.reward, again.complete) == (found.reward, True)
    assert {use.by for use in again.uses} == {"recorded"}


def test_what_only_the_reader_can_read_is_left_out_by_name() -> None:
    found = grade(BOTH, Ended(said=[says(TEXT)]))

    assert found.failure == "every criterion was left out"
    assert [(one.criterion, one.grader) for one in found.left_out] == [("ten", "heard"), ("more", "heard")]
