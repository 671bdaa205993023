"""Routes by which a world's text is read, checked and changed."""

import asyncio
from collections.abc import Callable
from threading import Event
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import Request
from starlette.routing import Route

from brownout.core.errors import EditRefused
from brownout.core.instants import MINUTE
from generators.authoring.new_task import TaskRequest
from generators.authoring.storyline_kinds import kind_names, load_kind
from generators.authoring.trades import load_trade, trade_names
from studio.authoring.earned_cases import cases_of
from studio.authoring.edit_history import history_of
from studio.authoring.edit_operations import (
    Edited,
    EditOperation,
    Move,
    add_storyline,
    add_task,
    edit,
    move_item,
    plain_value,
    write_texts,
)
from studio.authoring.file_tree import file_tree
from studio.authoring.locked_writes import change, read_text_file, redo, undo
from studio.authoring.model_drafts import DraftRequest, draft_entry
from studio.authoring.moving_files import delete_file, rename_file, uses_of_file
from studio.authoring.name_uses import rename_name, uses_of
from studio.authoring.names import names_by_kind
from studio.authoring.problems import AskerLeft, draft_of, problems_of
from studio.authoring.suggestions import suggestion
from studio.authoring.task_offer import task_offer
from studio.authoring.text_entries import ENTRY_PAGES, entry_page_of
from studio.checked_texts import fingerprint_of
from studio.episodes.run_list import list_runs
from studio.known_worlds import KnownWorld, find_world
from studio.serving.route_answers import NotFound, answering
from studio.start_options import choices
from worlds.editing import formatted
from worlds.spec.schema import schema_document
from worlds.spec.yaml_loading import BrokenText, load_yaml

__all__ = ["authoring_routes"]

M = TypeVar("M", bound=BaseModel)


class _Sent(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Check(_Sent):
    """Texts that are not saved yet."""

    rev: int = 0
    texts: dict[str, str] = {}


class _Save(_Sent):
    """A file's new text; `base` is the hash of the old one, None where the file is new."""

    file: str
    text: str | None
    base: str | None = None
    label: str = ""


class _Edit(_Sent):
    file: str
    base: str | None
    operations: list[EditOperation]
    label: str = "Edit"
    anyway: bool = False
    joins: bool = False


class _Move(_Sent):
    file: str
    base: str
    path: list[str | int]
    field: str = ""
    by: int = 0
    span: str = ""
    longer: int = 0
    anyway: bool = False


class _Rename(_Sent):
    old: str
    new: str
    anyway: bool = False


class _DraftedText(_Sent):
    file: str
    text: str
    base: str | None


class _Write(_Sent):
    """Texts of several files, written together or not at all."""

    files: list[_DraftedText]
    label: str
    anyway: bool = False


class _Path(_Sent):
    """A file or a folder of the world, and what becomes of it."""

    path: str
    to: str = ""
    base: str | None = None
    anyway: bool = False


class _NewTask(_Sent):
    name: str
    asks: str
    requester: str
    start: str
    title: str


class _NewStoryline(_Sent):
    kind: str
    trade: str
    name: str = ""


class _Text(_Sent):
    text: str


class _Nothing(_Sent):
    pass


def authoring_routes() -> list[Route]:
    """The routes."""
    reads = {
        "suggest": _suggest,
        "task-offer": _task_offer,
        "kinds": _kinds,
        "files": _files,
        "text": _text,
        "entries": _entries,
        "names": _names,
        "uses": _uses,
        "file-uses": _file_uses,
        "state": _state,
    }
    writes = {
        "check": _check, "save": _save, "edit": _edit, "move": _move, "rename": _rename, "undo": _undo, "redo": _redo,
        "format": _format, "new-task": _new_task, "new-storyline": _new_storyline, "draft": _draft, "write": _write, "rename-file": _rename_file, "delete-file": _delete_file,
    }  # fmt: skip
    return [
        Route("/api/schema", answering(_schema), methods=["GET"]),
        *(Route(f"/api/author/{{world}}/{name}", answering(work), methods=["GET"]) for name, work in reads.items()),
        *(Route(f"/api/author/{{world}}/{name}", answering(work), methods=["POST"]) for name, work in writes.items()),
    ]


def _world(request: Request) -> KnownWorld:
    name = request.path_params["world"]
    world = find_world(name)
    if world is None:
        raise NotFound(f"World {name} not found")
    return world


async def _sent(request: Request, model: type[M]) -> M:
    try:
        return model.model_validate(orjson.loads(await request.body()))
    except (orjson.JSONDecodeError, ValidationError) as error:
        raise ValueError(f"expected {model.__name__[1:].lower()}, found something else") from error


async def _done(request: Request, work: Callable[[KnownWorld], object]) -> object:
    """Do some work on a world away from the server's own loop."""
    return await asyncio.to_thread(lambda: work(_world(request)))


# -- reading ------------------------------------------------------------------------------------------------


async def _schema(request: Request) -> object:
    return await asyncio.to_thread(schema_document)


async def _files(request: Request) -> object:
    return await _done(request, lambda world: {"files": file_tree(world), **_standing(world)})


async def _state(request: Request) -> object:
    return await _done(request, _standing)


def _standing(world: KnownWorld) -> dict[str, object]:
    """How a world's text stands: what is wrong, what can be taken back, whether it changed."""
    history = history_of(world.folder)
    return {
        "problems": problems_of(world),
        "undo": history.undoable,
        "redo": history.redoable,
        "can_change": world.can_change,
        "stamp": _stamp(world),
    }


def _stamp(world: KnownWorld) -> str:
    from studio.authoring.edit_history import hash_of

    return hash_of(str(fingerprint_of(world.folder)))[:16]


async def _text(request: Request) -> object:
    file = request.query_params.get("file", "")
    return await _done(request, lambda world: _read(world, file))


def _read(world: KnownWorld, file: str) -> dict[str, object]:
    written = read_text_file(world, file)
    value: object = None
    if file.endswith(".yaml"):
        try:
            value = plain_value(load_yaml(written.text.encode()))
        except BrokenText:
            value = None
    return {"file": file, "text": written.text, "hash": written.hash, "value": value}


async def _entries(request: Request) -> object:
    page = request.query_params.get("page", "")
    if page not in ENTRY_PAGES:
        raise NotFound(f"Page {page} not found")
    return await _done(request, lambda world: _entry_page_of(world, page))


def _entry_page_of(world: KnownWorld, page: str) -> dict[str, object]:
    spec = draft_of(world).spec
    found = entry_page_of(spec, page) if spec is not None else None
    cases = cases_of(world) if page == "graders" else {}
    return {"entries": found, "cases": cases, "names": names_by_kind(spec), **_standing(world)}


async def _names(request: Request) -> object:
    return await _done(request, lambda world: names_by_kind(draft_of(world).spec))


async def _uses(request: Request) -> object:
    name = request.query_params.get("name", "")
    return await _done(request, lambda world: {"uses": uses_of(world, name) if name else []})


async def _file_uses(request: Request) -> object:
    path = request.query_params.get("path", "")
    return await _done(request, lambda world: {"uses": uses_of_file(world, path)})


async def _suggest(request: Request) -> object:
    kind = request.query_params.get("kind", "")
    return await _done(request, lambda world: suggestion(world, kind))


async def _task_offer(request: Request) -> object:
    asks, start = (request.query_params.get(name, "") for name in ("asks", "start"))
    may_move = request.query_params.get("kept") == "1"
    return await _done(request, lambda world: _task_offer_for(world, _words(asks), start, may_move=may_move))


def _task_offer_for(world: KnownWorld, asks: list[str], start: str, *, may_move: bool) -> object:
    """What a task of a world can ask for."""
    spec = draft_of(world).spec
    if spec is None:
        raise EditRefused(f"{world.name} cannot be read yet; mend it first")
    runs = (run.result for run in list_runs(choices().runs).runs if run.resolved)
    minutes = [  # until it was done: the world runs on for a while before it is judged
        one.sim_minutes - spec.tasks[one.task].limits.settle / MINUTE
        for one in runs
        if one is not None and one.agent == "oracle" and one.world == spec.world.world and one.task in spec.tasks
    ]
    return task_offer(spec, asks, start, may_move=may_move, minutes=minutes)


async def _kinds(request: Request) -> object:
    return await _done(request, _kinds_for)


def _kinds_for(world: KnownWorld) -> dict[str, object]:
    """The kinds of storylines that can be added to a world, and the trades in whose words."""
    spec = draft_of(world).spec
    kinds = {name: load_kind(name) for name in kind_names()}
    return {
        "kinds": [{"name": name, "title": kind.title} for name, kind in kinds.items() if not kind.codebase],
        "trades": [{"name": name, "title": load_trade(name).title} for name in trade_names()],
        "trade": spec.world.generation.trade if spec is not None else "",
    }


# -- changing -----------------------------------------------------------------------------------------------


async def _check(request: Request) -> object:
    """The problems of texts that are not saved; a page that asks again has left its earlier question."""
    sent = await _sent(request, _Check)
    left = Event()
    watching = asyncio.create_task(_notice(request, left))
    try:
        return await _done(
            request,
            lambda world: {"rev": sent.rev, "problems": problems_of(world, sent.texts, has_left=left.is_set)},
        )
    except AskerLeft:
        return {"rev": sent.rev, "problems": []}
    finally:
        watching.cancel()


async def _notice(request: Request, left: Event) -> None:
    """Say when whoever sent a request waits no longer."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    left.set()


async def _save(request: Request) -> object:
    sent = await _sent(request, _Save)
    label = sent.label or f"Edit {sent.file}"

    def saved(world: KnownWorld) -> object:
        written = change(world, label, {sent.file: sent.text}, {sent.file: sent.base})
        return {"written": written, **_standing(world)}

    return await _done(request, saved)


async def _edit(request: Request) -> object:
    sent = await _sent(request, _Edit)
    return await _done(
        request,
        lambda world: _told(
            world,
            edit(
                world,
                sent.file,
                sent.base,
                sent.operations,
                label=sent.label,
                anyway=sent.anyway,
                joins=sent.joins,
            ),
            sent.file,
        ),
    )


async def _move(request: Request) -> object:
    sent = await _sent(request, _Move)
    move = Move(tuple(sent.path), sent.field, sent.by, sent.span, sent.longer)
    return await _done(
        request,
        lambda world: _told(world, move_item(world, sent.file, sent.base, move, anyway=sent.anyway), sent.file),
    )


async def _new_task(request: Request) -> object:
    sent = await _sent(request, _NewTask)

    def done(world: KnownWorld) -> object:
        asked = TaskRequest(sent.name, tuple(_words(sent.asks)), sent.requester, sent.requester, sent.start, sent.title)
        return _told(world, add_task(world, asked))

    return await _done(request, done)


async def _new_storyline(request: Request) -> object:
    sent = await _sent(request, _NewStoryline)
    return await _done(request, lambda world: _told(world, add_storyline(world, sent.kind, sent.trade, sent.name)))


async def _rename_file(request: Request) -> object:
    sent = await _sent(request, _Path)
    return await _done(request, lambda world: _told(world, rename_file(world, sent.path, sent.to, anyway=sent.anyway)))


async def _delete_file(request: Request) -> object:
    sent = await _sent(request, _Path)
    return await _done(
        request, lambda world: _told(world, delete_file(world, sent.path, base=sent.base, anyway=sent.anyway))
    )


async def _draft(request: Request) -> object:
    sent = await _sent(request, DraftRequest)
    model = choices().drafter
    if model is None:
        raise NotFound("No model was chosen; start the studio with --draft-model")
    return await _done(request, lambda world: draft_entry(world, sent, model))


async def _write(request: Request) -> object:
    sent = await _sent(request, _Write)
    texts = {one.file: one.text for one in sent.files}
    bases = {one.file: one.base for one in sent.files}
    return await _done(
        request, lambda world: _told(world, write_texts(world, texts, bases, sent.label, anyway=sent.anyway))
    )


def _words(text: str) -> list[str]:
    return [word for word in text.replace(",", " ").split() if word]


async def _rename(request: Request) -> object:
    sent = await _sent(request, _Rename)
    return await _done(request, lambda world: _told(world, rename_name(world, sent.old, sent.new, anyway=sent.anyway)))


def _told(world: KnownWorld, edited: Edited, file: str = "") -> dict[str, Any]:
    """What came of an edit: what it was refused for, or what was written and is wrong by it."""
    problems = (
        {"refused": [], "caused": edited.problems} if edited.is_written else {"refused": edited.problems, "caused": []}
    )
    told: dict[str, Any] = {**problems, "written": edited.written, **_standing(world)}
    if file and edited.written:
        told["read"] = _read(world, file)
    return told


async def _undo(request: Request) -> object:
    await _sent(request, _Nothing)
    return await _done(request, lambda world: {"label": undo(world).label, **_standing(world)})


async def _redo(request: Request) -> object:
    await _sent(request, _Nothing)
    return await _done(request, lambda world: {"label": redo(world).label, **_standing(world)})


async def _format(request: Request) -> object:
    sent = await _sent(request, _Text)
    try:
        return {"text": await asyncio.to_thread(formatted, sent.text)}
    except EditRefused as error:
        raise ValueError(str(error)) from error
