"""Asking a model through the real litellm, and what comes back when the endpoint misbehaves."""

from pathlib import Path
from time import monotonic

import orjson
import pytest
from pydantic import BaseModel, ConfigDict

from brownout.core.grading import Message
from brownout.llm import Door, JudgeSettings, Model, ModelFailure, open_door, prompt_key
from brownout.testing.fake_openai import FakeOpenAI, Reply

pytestmark = pytest.mark.filterwarnings("ignore")  # litellm's own


class Colour(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    is_warm: bool


RED = '{"name": "red", "is_warm": true}'
ASKED = [Message("system", "Answer in JSON."), Message("user", "A colour?")]


def model(server: FakeOpenAI, **settings: object) -> Model:
    given = {"timeout_seconds": 20.0, "retries": 0, "pause_seconds": 0.01} | settings
    return Model.model_validate({"name": "openai/fake", "base_url": server.base_url, **given})


def door(server: FakeOpenAI, cassette: Path | None = None, **settings: object) -> Door:
    return open_door(JudgeSettings(model(server, **settings), cassette))


def failure(server: FakeOpenAI, **settings: object) -> ModelFailure:
    with pytest.raises(ModelFailure) as caught:
        open_door(JudgeSettings(model(server, **settings))).complete(ASKED, Colour)
    return caught.value


def test_a_model_answers_in_the_shape_asked_for() -> None:
    with FakeOpenAI(RED) as server:
        found = door(server).complete(ASKED, Colour)

    assert (found.value, found.by, found.model) == (Colour(name="red", is_warm=True), "model", "openai/fake")
    [request] = server.requests
    assert request["temperature"] == 0
    assert request["messages"] == [{"role": each.role, "content": each.content} for each in ASKED]
    assert request["response_format"]["json_schema"]["schema"]["required"] == ["name", "is_warm"]  # type: ignore[index,call-overload]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(status=401), "refused"),
        (Reply(status=404), "refused"),
        (Reply(status=400, text="maximum context length exceeded"), "refused"),
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
        assert failure(server, timeout_seconds=1.0, retries=3).reason == "timeout"
        assert monotonic() - begun < 2.5
    assert len(server.requests) == 1


def test_passing_trouble_is_tried_again_and_no_longer_than_allowed() -> None:
    with FakeOpenAI(Reply(status=429), Reply(status=503), RED) as server:
        assert door(server, retries=2).complete(ASKED, Colour).value.name == "red"
    with FakeOpenAI(Reply(status=503)) as server:
        assert failure(server, retries=2).reason == "server"
    assert len(server.requests) == 3


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
        first = [live.complete(ASKED, Colour).value.name for _ in range(2)]
    asked = model(server)

    for settings in (JudgeSettings(None, cassette), JudgeSettings(asked, cassette)):
        again = open_door(settings)
        found = [again.complete(ASKED, Colour) for _ in range(2)]
        assert [each.value.name for each in found] == first == ["red", "blue"]
        assert {(each.by, each.model) for each in found} == {("recorded", "openai/fake")}
    assert len(server.requests) == 2
    assert orjson.loads(cassette.read_bytes().splitlines()[0])["messages"][1]["content"] == "A colour?"


def test_another_model_or_prompt_is_another_answer(tmp_path: Path) -> None:
    cassette = tmp_path / "cassette.jsonl"
    with FakeOpenAI(RED) as server:
        door(server, cassette).complete(ASKED, Colour)
        other = Model(name="openai/other", base_url=server.base_url, retries=0)
        open_door(JudgeSettings(other, cassette)).complete(ASKED, Colour)
        door(server, cassette).complete([Message("user", "A colour!")], Colour)
    assert len(server.requests) == 3


def test_neither_configured_nor_recorded_says_so_with_the_key_to_write_by_hand(tmp_path: Path) -> None:
    cassette = tmp_path / "cassette.jsonl"
    with pytest.raises(ModelFailure) as caught:
        open_door(JudgeSettings(None, cassette)).complete(ASKED, Colour)
    assert caught.value.reason == "unavailable"

    key = prompt_key("hand", ASKED, Colour.model_json_schema())
    assert key in str(caught.value)
    cassette.write_text(f'{{"format": 1, "key": "{key}", "by": "hand", "answer": {RED}}}')
    found = open_door(JudgeSettings(None, cassette)).complete(ASKED, Colour)
    assert (found.value.name, found.by, found.model) == ("red", "hand", "hand")


def test_a_hand_written_answer_of_another_shape_is_refused(tmp_path: Path) -> None:
    cassette = tmp_path / "cassette.jsonl"
    key = prompt_key("hand", ASKED, Colour.model_json_schema())
    cassette.write_text(f'{{"format": 1, "key": "{key}", "by": "hand", "answer": {{"name": "red"}}}}\n')
    with pytest.raises(ModelFailure, match="schema: is_warm"):
        open_door(JudgeSettings(None, cassette)).complete(ASKED, Colour)


def test_half_a_last_line_is_no_answer_and_the_next_is_whole(tmp_path: Path) -> None:
    cassette = tmp_path / "cassette.jsonl"
    with FakeOpenAI(RED) as server:
        door(server, cassette).complete(ASKED, Colour)
        cassette.write_bytes(cassette.read_bytes()[:-20])
        door(server, cassette).complete(ASKED, Colour)
    assert len(server.requests) == 2
    with pytest.raises(ModelFailure, match=r"cassette.jsonl:1"):
        open_door(JudgeSettings(None, cassette))
