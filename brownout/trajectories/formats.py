"""Other formats of runs by name: what writes each to a file, and what reads it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson

from brownout.core.errors import RunError, UsageError
from brownout.core.values import Json, JsonObject
from brownout.rollouts.recorder import RunResult, StoredRun
from brownout.trajectories.atif import from_atif, to_atif
from brownout.trajectories.chat_messages import from_messages, to_messages
from brownout.trajectories.conversation import Conversation, conversation_of
from brownout.trajectories.foreign_runs import ForeignRun, StoredEvents, keep_run
from brownout.trajectories.inspect_log import to_inspect, write_inspect_log

__all__ = ["FORMATS", "ImportedRun", "TrajectoryFormat", "convert_run", "import_runs"]


@dataclass(frozen=True, slots=True)
class TrajectoryFormat:
    """A format of runs.

    Attributes:
        suffix: how its files' names end.
        document: a run's conversation and name, as a document.
        read: what a document says, None where the format is only written.
    """

    suffix: str
    document: Callable[[Conversation, str], JsonObject]
    write: Callable[[JsonObject, Path], None]
    read: Callable[[Json], StoredEvents | ForeignRun] | None = None


@dataclass(frozen=True, slots=True)
class ImportedRun:
    """A run that was read in: its folder, and what came of it as far as its source says."""

    folder: Path
    result: RunResult | None


def _write_json(document: JsonObject, place: Path) -> None:
    place.write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n")


FORMATS: Final = {
    "atif": TrajectoryFormat(".atif.json", to_atif, _write_json, from_atif),
    "inspect": TrajectoryFormat(".eval", to_inspect, write_inspect_log),
    "openai": TrajectoryFormat(".messages.json", to_messages, _write_json, from_messages),
}


def convert_run(run: StoredRun, to: str, place: Path | None = None) -> Path:
    """Write a run in another format; where.

    Args:
        to: one of `FORMATS`.
        place: the file; None puts it beside the run's log, named after the run.

    Raises:
        UsageError: there is no such format, or the file is there.
        RunError: the run is damaged, or the file cannot be written.
    """
    target = _named(to)
    name = run.folder.resolve().name
    place = place or run.folder / f"{name}{target.suffix}"
    if to == "inspect" and place.suffix != ".eval":
        raise UsageError(f"a log of Inspect is called NAME.eval, not {place.name}")
    if place.exists():
        raise UsageError(f"{place} is there already; name another file with --out")
    draft = place.with_name(f".{place.name}")  # of the same suffix, by which formats go
    try:
        target.write(target.document(conversation_of(run), name), draft)
        draft.rename(place)
    except OSError as error:
        raise RunError(f"cannot write {place}: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)
    return place


def import_runs(source: Path, folder: Path, form: str = "") -> list[ImportedRun]:
    """Read a file of runs in, each as a folder below `folder`: a document, a list of documents or a document a line.

    Args:
        form: one of `FORMATS` that can be read; empty takes what the file looks like.

    Raises:
        UsageError: it is no such file; where several documents stand in it nothing is written unless all can be read.
        RunError: a folder holds a run already, or cannot be written.
    """
    documents = _documents(source)
    found = []
    for number, document in enumerate(documents, start=1):
        read = _named(form or _looks_like(document)).read
        if read is None:
            raise UsageError(f"runs cannot be read from {form}; from: {', '.join(_readable())}")
        try:
            found.append(read(document))
        except UsageError as error:
            where = f"{source}, document {number}" if len(documents) > 1 else str(source)
            raise UsageError(f"{where}: {error}") from error
    stem = source.name.partition(".")[0]
    names = [stem] if len(found) == 1 else [f"{stem}-{number}" for number in range(1, len(found) + 1)]
    for name in names:
        if (folder / name).exists():
            raise UsageError(f"{folder / name} is there already; name another folder with --out")
    return [
        ImportedRun(folder / name, keep_run(run, folder / name, name)) for name, run in zip(names, found, strict=True)
    ]


def _named(name: str) -> TrajectoryFormat:
    if name not in FORMATS:
        raise UsageError(f"no format named {name!r}; there are: {', '.join(FORMATS)}")
    return FORMATS[name]


def _readable() -> list[str]:
    return [name for name, each in FORMATS.items() if each.read is not None]


def _looks_like(document: Json) -> str:
    return "atif" if isinstance(document, dict) and "schema_version" in document else "openai"


def _documents(source: Path) -> list[Json]:
    try:
        content = source.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {source}: {error.strerror}") from error
    try:
        whole = orjson.loads(content)
    except orjson.JSONDecodeError:
        return _lines(source, content)
    is_list_of_runs = isinstance(whole, list) and whole and all(_is_run(each) for each in whole)
    return list(whole) if is_list_of_runs else [whole]


def _is_run(value: Json) -> bool:
    return isinstance(value, dict) and ("messages" in value or "steps" in value)


def _lines(source: Path, content: bytes) -> list[Json]:
    documents: list[Json] = []
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            documents.append(orjson.loads(line))
        except orjson.JSONDecodeError as error:
            raise UsageError(f"{source}:{number}: expected JSON, a document or one a line: {error}") from error
    if not documents:
        raise UsageError(f"{source} is empty")
    return documents
