"""A world's tasks as TRL's environments: one class a task, whose public methods are the tools that the task offers.

TRL reads tools off the class, so each method is made from the tool's schema: signature, hints and a docstring in Google's style.
One thread at a time may use the environments of a process, as TRL does.
"""

import inspect
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Literal, Optional

from brownout.core.errors import GradingError
from brownout.core.values import Json, JsonObject
from brownout.exporters.inside.episodes import EpisodeOutcome, ExportedEpisode
from brownout.exporters.inside.opened_export import ExportedWorld, open_export

__all__ = ["TaskEnvironment", "criterion_functions", "environments", "reward", "rows"]

_PLAIN: Mapping[str, type] = {
    "string": str, "integer": int, "number": float, "boolean": bool, "array": list, "object": dict,
}  # fmt: skip
_keys = count()
_log = logging.getLogger(__name__)


class TaskEnvironment:
    """One episode after another of a task. What TRL must not take for a tool begins with an underscore."""

    _folder: Path
    _task: str

    def __init__(self) -> None:
        self._key = f"trl-{next(_keys)}"
        self._episode: ExportedEpisode | None = None
        self._outcome: EpisodeOutcome | None = None

    def reset(self, **row: object) -> None:
        """Begin an episode; the row's `seed` is its session's.

        Raises:
            SandboxUnavailable: the task runs code, and there is no sandbox.
        """
        world = _world(self._folder)
        world.check(self._task)
        world.release(self._key)
        self._outcome = None
        self._episode = world.open(self._key, self._task, seed=int(str(row.get("seed", 0))))

    def _call(self, name: str, arguments: JsonObject) -> str:
        if self._episode is None:
            raise RuntimeError("no episode was begun: call reset(**row) first")
        return self._episode.call(name, arguments).content

    def _finish(self, text: str = "") -> EpisodeOutcome | None:
        """The outcome, the agent's last words being said first; None where the environment is at fault."""
        if self._outcome is None and self._episode is not None:
            try:
                if text and not self._episode.ended:
                    self._episode.say(text)
                self._outcome = self._episode.finish(_world(self._folder).grading)
            except Exception as error:
                if not isinstance(error, GradingError) and not self._episode.failure:
                    raise
                _log.warning("an episode of %s has no reward: %s", self._task, error)
        return self._outcome


@cache
def _world(folder: Path) -> ExportedWorld:
    return open_export(folder)


def environments(folder: str | Path) -> dict[str, type[TaskEnvironment]]:
    """What `environment_factory` takes: the class of each task by the name that rows have in `environment`."""
    place = Path(folder).resolve()
    world = _world(place)
    found = {}
    for task in dict.fromkeys(row.task for row in world.rows):
        with world.world.open_session(task) as session:
            tools = session.tools
        name = "".join(word.capitalize() for word in re.split(r"\W+", task))
        methods = {str(tool["name"]): _method(tool) for tool in tools}
        found[task] = type(name, (TaskEnvironment,), {**methods, "_folder": place, "_task": task})
    return found


def rows(folder: str | Path, split: str = "") -> list[JsonObject]:
    """What `train_dataset` is made of: `datasets.Dataset.from_list(rows(...))`; all splits where none is named."""
    return [
        {
            "prompt": [{"role": "user", "content": row.prompt}],
            "environment": row.task,
            "seed": row.seed,
            "split": row.split,
        }
        for row in _world(Path(folder).resolve()).rows
        if row.split == split or not split
    ]


def reward(
    completions: Sequence[Sequence[JsonObject]], environments: Sequence[TaskEnvironment], **_: object
) -> list[float | None]:
    """The reward of each rollout, for `reward_funcs`; None, which TRL leaves out, where the environment is at fault."""
    outcomes = [each._finish(_said(done)) for each, done in zip(environments, completions, strict=True)]
    return [outcome.reward if outcome else None for outcome in outcomes]


def criterion_functions(folder: str | Path) -> list[Callable[..., list[float | None]]]:
    """A function for each criterion, to be logged beside `reward`: give them weight 0."""
    world = _world(Path(folder).resolve())
    names = dict.fromkeys(name for row in world.rows for name in world.criteria(row.task))
    return [_criterion(name) for name in names]


def _criterion(name: str) -> Callable[..., list[float | None]]:
    def value(
        completions: Sequence[Sequence[JsonObject]], environments: Sequence[TaskEnvironment], **_: object
    ) -> list[float | None]:
        outcomes = [each._finish(_said(done)) for each, done in zip(environments, completions, strict=True)]
        return [outcome.scores.get(name) if outcome else None for outcome in outcomes]

    value.__name__ = name
    return value


def _said(messages: Sequence[JsonObject]) -> str:
    """The text that the rollout ends with; empty where it ends with a call."""
    last = messages[-1] if messages else {}
    return str(last.get("content") or "") if last.get("role") == "assistant" and not last.get("tool_calls") else ""


def _method(tool: JsonObject) -> Callable[..., str]:
    """A method that makes a tool's call, and tells transformers what the tool takes."""
    name, schema = str(tool["name"]), tool["input_schema"]
    assert isinstance(schema, dict)

    def call(self: TaskEnvironment, **arguments: Any) -> str:
        return self._call(name, {key: value for key, value in arguments.items() if value is not None})

    parameters = list(_parameters(schema))
    call.__name__ = call.__qualname__ = name
    call.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": str}
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    call.__signature__ = inspect.Signature([own, *parameters], return_annotation=str)  # type: ignore[attr-defined]
    call.__doc__ = _docstring(str(tool["description"]), schema)
    return call


def _parameters(schema: JsonObject) -> Iterator[inspect.Parameter]:
    required = schema.get("required", [])
    shared = schema.get("$defs", {})
    assert isinstance(required, list)
    for name, given in _properties(schema).items():
        hint = _hint(given, shared)
        if name in required:
            yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=hint)
        else:
            yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=Optional[hint], default=None)  # noqa: UP045


def _properties(schema: JsonObject) -> JsonObject:
    found = schema.get("properties", {})
    assert isinstance(found, dict)
    return found


def _hint(schema: Json, shared: Json) -> Any:
    """The Python type that transformers turns into the same schema, as far as its words go."""
    assert isinstance(schema, dict)
    assert isinstance(shared, dict)
    if "$ref" in schema:
        return _hint(shared[str(schema["$ref"]).rpartition("/")[2]], shared)
    if isinstance(choices := schema.get("enum"), list):
        return Literal[tuple(choices)]
    for several in ("anyOf", "oneOf", "allOf"):
        if isinstance(parts := schema.get(several), list):
            kinds = [part for part in parts if part != {"type": "null"}]
            return _hint(kinds[0], shared) if len(kinds) == 1 else str
    kind = schema.get("type")
    if kind == "array" and isinstance(schema.get("items"), dict):
        return list[_hint(schema["items"], shared)]  # type: ignore[misc]
    return _PLAIN.get(str(kind), str)


def _docstring(description: str, schema: JsonObject) -> str:
    lines = [" ".join(description.split()), "", "Args:"]
    for name, given in _properties(schema).items():
        told = given.get("description", "") if isinstance(given, dict) else ""
        lines.append(f"    {name}: {' '.join(str(told).split()) or name}")
    return "\n".join(lines if _properties(schema) else lines[:1])
