"""A reference solution uses nothing that it could not know: every name and number was asked for or seen before."""

import re
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from brownout.core.trajectory import ResultEvent, ToolCallEvent
from brownout.core.values import Json
from brownout.engine.world import World
from brownout.rollouts.recorder import read_run
from tests.functional.playing import marked_tasks, play

OWN_WORDS = frozenset({"text", "body", "subject", "message", "title", "answer", "content", "query", "comment"})
"""Arguments in which the agent speaks for itself."""
TOKEN = re.compile(r"[A-Za-zÀ-ÿ0-9][\wÀ-ÿ.@/-]{2,}")
LANGUAGE = frozenset(["and", "order", "by", "desc", "created", "updated", "text", "type", "bug", "done"])


def literals(value: Json, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from literals(part, key)
    elif isinstance(value, list):
        for part in value:
            yield from literals(part, name)
    elif isinstance(value, str) and name not in OWN_WORDS:
        yield from TOKEN.findall(value)


@pytest.mark.parametrize("task", marked_tasks())
def test_every_literal_was_known(tiny: World, tmp_path: Path, task: str) -> None:
    play(tiny, tmp_path / "run", task, "oracle")
    session = tiny.open_session(task)
    known = (session.instructions + orjson.dumps(session.tools).decode()).lower()
    unknown: list[tuple[str, str]] = []
    for event in read_run(tmp_path / "run").events:
        if isinstance(event, ToolCallEvent):
            found = [word for word in literals(event.arguments) if word.lower().strip(".") not in known]
            unknown += [(event.name, word) for word in found if word.lower() not in LANGUAGE]
        elif isinstance(event, ResultEvent):
            known += event.content.lower()

    assert unknown == []
