"""Asking a model through the real litellm, and what comes back when the endpoint misbehaves."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import partial
from pathlib import Path
from threading import Barrier
from time import monotonic

import orjson
import pytest
from pydantic import BaseModel, ConfigDict

from brownout.core.language_models import Message, Prompt, Usage
from brownout.core.values import JsonObject
from brownout.llm import (
    JudgeSettings,
    Model,
    ModelFailure,
    QuestionRelay,
    Questions,
    QuestionsAsked,
    RecordedClient,
    ask,
    open_client,
    prompt_key,
    together,
)
from brownout.testing.fake_openai import FakeOpenAI, Reply

pytestmark = pytest.mark.filterwarnings("ignore")  # litellm's own


class Colour(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    is_warm: bool


RED = '{"name": "red", "is_warm": true}'
ASKED = Prompt("colour/1", (Message("system", "Answer in JSON."), Message("user", "A colour?")))


def model(server: FakeOpenAI, **settings: object) -> Model:
    given = {"timeout_seconds": 20.0, "patience_seconds": 0, "pause_seconds": 0.01} | settings
    return Model.model_validate({"name": "openai/fake", "base_url": server.base_url, **given})


def door(server: FakeOpenAI, cassette: Path | None = None, **settings: object) -> RecordedClient:
    return open_client(JudgeSettings(model(server, **settings), cassette))


def failure(server: FakeOpenAI, **settings: object) -> ModelFailure:
    with pytest.raises(ModelFailure) as caught:
        open_client(JudgeSettings(model(server, **settings))).complete(ASKED, Colour)
    return caught.value


def test_a_model_answers_in_the_shape_asked_for() -> None:
    with FakeOpenAI(RED) as server:
        found = door(server).complete(ASKED, Colour)

    assert (found.value, found.by, found.model) == (Colour(name="red", is_warm=True), "model", "openai/fake")
    [request] = server.requests
    assert request["temperature"] == 0
    assert request["messages"] == [{"role": each.role, "content": each.content} for each in ASKED.messages]
    assert request["response_format"]["json_schema"]["schema"]["required"] == ["name", "is_warm"]  # type: ignore[index,call-overload]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(status=401), "refused"),
        (Reply(status=404), "refused"),
        (Reply(status=400, text="maximum context length exceeded"), "refused"),
        (Reply(status=400, text="This model's maximum context length is 10 tokens"), "context"),
        (
            Reply('{"error": {"message": "too long", "code": "context_length_exceeded"}}', status=400, is_raw=True),
            "context",
        ),
        (Reply(status=429), "rate_limited"),
        (Reply(status=500), "server"),
        (Reply(status=503), "server"),
        (Reply(trouble="cut"), "cut"),
        (Reply(RED, trouble="half"), "cut"),
        (Reply("{'choices': ", is_raw=True), "malformed"),
        (Reply("[]", is_raw=True), "malformed"),
        (Reply('{"choices": []}', is_raw=True), "malformed"),
        (Reply(""), "malformed"),
        (Reply("Red, I think."), "malformed"),
        (Reply(f"```json\n{RED}\n```"), "malformed"),
        (Reply(f"{RED} {RED}"), "malformed"),
        (Reply('{"name": "red", "is_warm": false, "is_warm": true}'), "malformed"),
        (Reply('{"name": "red", "is_warm": NaN}'), "malformed"),
        (Reply("[" * 100_000), "malformed"),
        (Reply(RED[:20], finish="length"), "malformed"),
        (Reply("{}"), "schema"),
        (Reply('"red"'), "schema"),
        (Reply('{"name": "red", "is_warm": "true"}'), "schema"),
        (Reply('{"name": "red", "is_warm": 1}'), "schema"),
        (Reply('{"name": "red", "is_warm": true, "note": ""}'), "schema"),
    ],
)
def test_trouble_has_a_typed_reason(reply: Reply, reason: str) -> None:
    with FakeOpenAI(reply) as server:
        assert failure(server).reason == reason
    assert len(server.requests) == 1


@pytest.mark.parametrize("trouble", ["hang", "trickle"])
def test_a_late_answer_fails_at_the_deadline(trouble: str) -> None:
    with FakeOpenAI(RED) as server:
        door(server).complete(ASKED, Colour)  # litellm's import does not count
    with FakeOpenAI(Reply(RED, trouble=trouble)) as server:  # type: ignore[arg-type]
        begun = monotonic()
        assert failure(server, timeout_seconds=1.0, patience_seconds=30).reason == "timeout"
        assert monotonic() - begun < 2.5
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "trouble", [Reply(status=429), Reply(status=503), Reply(trouble="cut"), Reply(RED, trouble="half")]
)
def test_passing_trouble_is_tried_again_and_no_longer_than_allowed(trouble: Reply) -> None:
    with FakeOpenAI(trouble, Reply(status=503), RED) as server:
        assert door(server, patience_seconds=20).complete(ASKED, Colour).value.name == "red"
    with FakeOpenAI(trouble) as server:
        begun = monotonic()
        told = failure(server, patience_seconds=0.5, pause_seconds=0.1)
        assert 0.5 <= monotonic() - begun < 5
    assert told.reason in ("rate_limited", "server", "cut")
    assert f"asked {len(server.requests)} times, with a patience of 0.5 seconds" in str(told)
    assert 2 <= len(server.requests) <= 5  # 0, .1, .3 and .5 seconds after the first


@pytest.mark.parametrize("status", [429, 503])
def test_what_an_endpoint_says_to_wait_is_waited(status: int) -> None:
    with FakeOpenAI(Reply(status=status, headers={"retry-after": "1"}), RED) as server:
        begun = monotonic()
        assert door(server, patience_seconds=20).complete(ASKED, Colour).value.name == "red"
        assert monotonic() - begun >= 1
    assert len(server.requests) == 2


def test_a_date_to_wait_for_is_read_too() -> None:
    then = format_datetime(datetime.now(UTC) + timedelta(seconds=3), usegmt=True)
    with FakeOpenAI(Reply(status=429, headers={"retry-after": then}), RED) as server:
        begun = monotonic()
        assert door(server, patience_seconds=20).complete(ASKED, Colour).value.name == "red"
        assert monotonic() - begun > 1


def test_a_longer_wait_than_allowed_is_given_up_at_once() -> None:
    with FakeOpenAI(Reply(status=429, headers={"retry-after": "300"})) as server:
        told = failure(server, patience_seconds=5)
    assert len(server.requests) == 1
    assert "the endpoint wants 300 seconds to pass" in str(told)


def test_a_wait_that_nobody_can_read_is_none() -> None:
    with FakeOpenAI(Reply(status=429, headers={"retry-after": "soon"}), RED) as server:
        assert door(server, patience_seconds=20).complete(ASKED, Colour).value.name == "red"


def test_what_would_be_refused_again_is_not_asked_again() -> None:
    with FakeOpenAI(Reply(status=400)) as server:
        assert failure(server, patience_seconds=20).reason == "refused"
    assert len(server.requests) == 1


def test_nobody_there_is_cut() -> None:
    with FakeOpenAI() as server:
        pass
    assert failure(server).reason == "cut"


def test_the_key_comes_from_the_environment_variable_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeOpenAI(RED) as server:
        told = failure(server, api_key_env="NO_SUCH_KEY")
        monkeypatch.setenv("A_KEY", "sk-1")
        door(server, api_key_env="A_KEY").complete(ASKED, Colour)

    assert told.reason == "refused"
    assert "NO_SUCH_KEY" in str(told)


def test_a_recorded_answer_needs_no_model(tmp_path: Path) -> None:
    cassette = tmp_path / "run" / "cassette.jsonl"
    with FakeOpenAI(RED, '{"name": "blue", "is_warm": false}') as server:
        live = door(server, cassette)
        first = [live.complete(replace(ASKED, repeat=repeat), Colour).value.name for repeat in range(2)]
    asked = model(server)

    for settings in (JudgeSettings(None, cassette), JudgeSettings(asked, cassette)):
        again = open_client(settings)
        found = [again.complete(replace(ASKED, repeat=repeat), Colour) for repeat in range(2)]
        assert [each.value.name for each in found] == first == ["red", "blue"]
        assert {(each.by, each.model) for each in found} == {("recorded", "openai/fake")}
    assert len(server.requests) == 2
    assert orjson.loads(cassette.read_bytes().splitlines()[0])["messages"][1]["content"] == "A colour?"


def test_another_model_or_prompt_is_another_answer(tmp_path: Path) -> None:
    cassette = tmp_path / "cassette.jsonl"
    with FakeOpenAI(RED) as server:
        door(server, cassette).complete(ASKED, Colour)
        other = Model(name="openai/other", base_url=server.base_url, patience_seconds=0)
        open_client(JudgeSettings(other, cassette)).complete(ASKED, Colour)
        door(server, cassette).complete(Prompt("colour/1", (Message("user", "A colour!"),)), Colour)
    assert len(server.requests) == 3


def test_neither_configured_nor_recorded_says_so_with_the_key_to_write_by_hand(tmp_path: Path) -> None:
    cassette = tmp_path / "cassette.jsonl"
    with pytest.raises(ModelFailure) as caught:
        open_client(JudgeSettings(None, cassette)).complete(ASKED, Colour)
    assert caught.value.reason == "unavailable"

    key = prompt_key("hand", ASKED.messages, Colour.model_json_schema())
    assert key in str(caught.value)
    cassette.write_text(f'{{"format": 1, "key": "{key}", "by": "hand", "answer": {RED}}}')
    found = open_client(JudgeSettings(None, cassette)).complete(ASKED, Colour)
    assert (found.value.name, found.by, found.model) == ("red", "hand", "hand")


def test_a_hand_written_answer_of_another_shape_is_refused(tmp_path: Path) -> None:
    cassette = tmp_path / "cassette.jsonl"
    key = prompt_key("hand", ASKED.messages, Colour.model_json_schema())
    cassette.write_text(f'{{"format": 1, "key": "{key}", "by": "hand", "answer": {{"name": "red"}}}}\n')
    with pytest.raises(ModelFailure, match="schema: is_warm"):
        open_client(JudgeSettings(None, cassette)).complete(ASKED, Colour)


def test_half_a_last_line_is_no_answer_and_the_next_is_whole(tmp_path: Path) -> None:
    cassette = tmp_path / "cassette.jsonl"
    with FakeOpenAI(RED) as server:
        door(server, cassette).complete(ASKED, Colour)
        cassette.write_bytes(cassette.read_bytes()[:-20])
        door(server, cassette).complete(ASKED, Colour)
    assert len(server.requests) == 2
    with pytest.raises(ModelFailure, match=r"cassette.jsonl:1"):
        open_client(JudgeSettings(None, cassette))


def test_the_same_is_asked_once_and_a_repeat_anew() -> None:
    with FakeOpenAI(RED, '{"name": "blue", "is_warm": false}') as server:
        live = door(server)
        found = [live.complete(replace(ASKED, repeat=repeat), Colour) for repeat in (0, 1, 0, 1)]

    assert [each.value.name for each in found] == ["red", "blue", "red", "blue"]
    assert len(server.requests) == 2


def test_an_answer_comes_with_what_it_took_and_a_recording_keeps_it(tmp_path: Path) -> None:
    cassette = tmp_path / "cassette.jsonl"
    with FakeOpenAI(Reply(RED, tokens=(1000, 100))) as server:
        priced = model(server, name="openai/gpt-4o-mini")
        live = open_client(JudgeSettings(priced, cassette)).complete(ASKED, Colour)
        unknown = open_client(JudgeSettings(model(server))).complete(ASKED, Colour)
    again = open_client(JudgeSettings(None, cassette)).complete(ASKED, Colour)

    assert live.usage == again.usage
    assert live.usage is not None
    assert (live.usage.input_tokens, live.usage.output_tokens) == (1000, 100)
    assert live.usage.cost_usd == pytest.approx(1000 * 0.15e-6 + 100 * 0.6e-6)  # OpenAI's price list of 2024
    assert unknown.usage == Usage(1000, 100, None)
    assert orjson.loads(cassette.read_bytes())["prompt"] == "colour/1"


def test_recordings_of_the_format_before_are_read(tmp_path: Path) -> None:
    cassette = tmp_path / "cassette.jsonl"
    key = prompt_key("hand", ASKED.messages, Colour.model_json_schema())
    cassette.write_text(f'{{"format": 1, "key": "{key}", "by": "hand", "answer": {RED}}}\n')

    assert open_client(JudgeSettings(None, cassette)).complete(ASKED, Colour).value.name == "red"


def test_questions_that_came_up_together_are_asked_together_and_one_failure_is_its_own() -> None:
    both = Barrier(2)

    def answer(body: JsonObject) -> str:
        both.wait(10)  # nobody is answered before both have asked
        return "no JSON" if "A shape?" in str(body["messages"]) else RED

    with FakeOpenAI(answer=answer) as server:
        relay = QuestionRelay()
        asking = open_client(JudgeSettings(model(server)), relay)
        shape = Prompt("colour/1", (Message("user", "A shape?"),))
        calls = [partial(asking.complete, each, Colour) for each in (ASKED, shape, ASKED)]
        with pytest.raises(QuestionsAsked) as caught:
            together(calls)
        questions = caught.value.questions
        answers = Questions(questions, ask)()
        for question, each in zip(questions, answers, strict=True):
            relay.hear(question, each)

        assert len(questions) == 2
        assert calls[0]().value.name == "red"
        with pytest.raises(ModelFailure, match="malformed"):
            calls[1]()


def test_a_request_that_fails_is_a_failure_in_its_place() -> None:
    with FakeOpenAI(Reply(status=404)) as server:
        relay = QuestionRelay()
        with pytest.raises(QuestionsAsked) as caught:
            open_client(JudgeSettings(model(server)), relay).complete(ASKED, Colour)
        [found] = Questions(caught.value.questions, ask)()

    assert isinstance(found, ModelFailure)
    assert found.reason == "refused"
