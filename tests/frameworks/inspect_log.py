"""Inspect's own log of an evaluation, as far as tests look at it."""

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from brownout.core.values import JsonObject

__all__ = ["Log", "Sample", "read_log"]


class Score(BaseModel):
    value: dict[str, float]
    metadata: dict[str, Any]


class Store(BaseModel):
    trajectory: list[JsonObject] = []


class Trouble(BaseModel):
    message: str


class Message(BaseModel):
    role: str
    content: str


class Sample(BaseModel):
    epoch: int
    messages: list[Message]
    scores: dict[str, Score] | None = None
    store: Store
    error: Trouble | None = None

    @property
    def score(self) -> Score:
        assert self.scores is not None
        return self.scores["graded"]

    @property
    def reward(self) -> float:
        return self.score.value["reward"]

    @property
    def trajectory(self) -> list[JsonObject]:
        return self.store.trajectory

    @property
    def calls(self) -> list[JsonObject]:
        return [event for event in self.trajectory if event["kind"] == "call"]


class Log(BaseModel):
    status: str
    samples: list[Sample] = []

    @property
    def rewards(self) -> list[float]:
        assert self.status == "success"
        return [sample.reward for sample in self.samples]


def read_log(folder: Path) -> Log:
    """The one log below a folder, with the long texts that Inspect keeps apart put back."""
    (path,) = (folder / "logs").glob("*.json")
    log = json.loads(path.read_text())
    for sample in log.get("samples") or []:
        texts = sample.pop("attachments", {})
        for name in ("messages", "store"):
            sample[name] = _whole(sample[name], texts)
    return Log.model_validate({**log, "samples": log.get("samples") or []})


def _whole(value: Any, texts: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _whole(each, texts) for name, each in value.items()}
    if isinstance(value, list):
        return [_whole(each, texts) for each in value]
    return texts.get(value.removeprefix("attachment://"), value) if isinstance(value, str) else value
