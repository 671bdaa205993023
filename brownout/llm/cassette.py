"""Recorded answers: one JSON object a line, found by the model, the prompt and how often it was asked before.

A person may write a line: `{"format": 2, "key": …, "occurrence": 0, "by": "hand", "answer": {…}}`; its key is the
prompt's under the name `hand`, which the error for a missing answer tells.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from brownout.core.language_models import Message, Usage
from brownout.core.values import JsonObject, canonical, digest_of
from brownout.llm.failures import ModelFailure
from brownout.llm.line_append import append_line

__all__ = ["HAND", "Cassette", "Recorded", "prompt_key", "recorded_lines"]

HAND: Final = "hand"
"""The model's name in the keys of lines that a person wrote."""


class Recorded(BaseModel):
    """One line: what was asked and answered.

    Attributes:
        key: `prompt_key` of the model's name and the prompt.
        occurrence: how often the same had been asked before, in one grade or episode.
        by: who answered.
        prompt: name and version of the prompt.
        messages: what was asked, for people; the key decides.
        usage: what the answer took; None where nobody counted.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1, 2] = 2
    key: str
    occurrence: int = Field(default=0, ge=0)
    by: Literal["model", "hand"] = "model"
    model: str = ""
    answer: JsonObject
    prompt: str = ""
    messages: list[JsonObject] = []
    usage: Usage | None = None


def prompt_key(model: str, messages: Sequence[Message], schema: JsonObject) -> str:
    """The digest by which an answer is found again."""
    prompt = canonical([[message.role, message.content] for message in messages])
    return digest_of(model, prompt, canonical(schema))


class Cassette:
    """The recorded answers of one file, or of none, and those that were given beforehand."""

    def __init__(self, path: Path | None, given: bytes = b"") -> None:
        """Read the file; one that does not exist yet is empty.

        Args:
            path: what is asked anew is added to it.
            given: lines that count where the file has none for the same; they are not copied.

        Raises:
            ModelFailure: it cannot be read, or a line is not one of ours.
        """
        self.path = path
        self._lines: dict[tuple[str, int], Recorded] = {}
        self._is_cut = False
        for line in [*self._read(), *recorded_lines(given, "the task's recorded answers")]:
            self._lines.setdefault((line.key, line.occurrence), line)

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models that answered, each once."""
        return tuple(dict.fromkeys(line.model for line in self._lines.values() if line.by == "model"))

    def find(self, key: str, occurrence: int) -> Recorded | None:
        """What was answered then, None where it was not asked."""
        return self._lines.get((key, occurrence))

    def add(self, line: Recorded) -> None:
        """Keep an answer, in the file where there is one.

        Raises:
            ModelFailure: the file cannot be written.
        """
        self._lines[line.key, line.occurrence] = line
        if self.path is None:
            return
        start = b"\n" if self._is_cut else b""
        self._is_cut = False
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            append_line(self.path, start + orjson.dumps(line.model_dump()))
        except OSError as error:
            raise ModelFailure("cassette", f"cannot write {self.path}: {error.strerror}") from error

    def _read(self) -> list[Recorded]:
        if self.path is None:
            return []
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise ModelFailure("cassette", f"cannot read {self.path}: {error.strerror}") from error
        whole, newline, last = data.rpartition(b"\n")
        self._is_cut = bool(last)  # a killed run may leave half a line; it was never answered from
        return recorded_lines(data if _is_whole(last) else whole + newline, str(self.path))


def recorded_lines(data: bytes, where: str) -> list[Recorded]:
    """The lines of a recording.

    Raises:
        ModelFailure: one is not of ours; the message begins with `where` and its number.
    """
    found = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            try:
                found.append(Recorded.model_validate_json(line))
            except ValidationError as error:
                why = error.errors()[0]
                place = ".".join(str(part) for part in why["loc"])
                raise ModelFailure("cassette", f"{where}:{number}: {place}: {why['msg']}") from error
    return found


def _is_whole(line: bytes) -> bool:
    """A last line without its newline counts where it is JSON: people's editors leave it out."""
    try:
        json.loads(line)
    except ValueError:
        return False
    return True
