"""Routes through which the replay pane reads and writes what annotators say of a run."""

import asyncio
from collections.abc import Iterable

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.routing import Route

from brownout.annotations import Annotation, Draft, answers_of, keep_answers, progress_of, read_taxonomy
from brownout.core.values import Json, JsonObject
from brownout.core.wrong_fields import wrong_fields
from studio.episodes.annotation_context import annotations, checked_span, queues
from studio.episodes.run_list import find_run
from studio.serving.route_answers import NotFound, answering
from studio.serving.run_routes import steps_of_run
from studio.start_options import choices

__all__ = ["annotation_routes"]

_MOST = 50


class _DraftsSent(BaseModel):
    """What the pane sends: drafts to add, or a run whose last record is to be taken back."""

    model_config = ConfigDict(extra="forbid")

    author: str = Field(min_length=1, max_length=80)
    run: str = Field(min_length=1, max_length=500)
    queue: str = Field(default="", max_length=80)
    drafts: list[Draft] = Field(default=[], max_length=_MOST)


def annotation_routes() -> list[Route]:
    """The routes."""
    return [
        Route("/api/annotations", answering(_mine), methods=["GET"]),
        Route("/api/annotations/add", answering(_add), methods=["POST"]),
        Route("/api/annotations/undo", answering(_undo), methods=["POST"]),
    ]


async def _mine(request: Request) -> object:
    query = request.query_params
    sent = _DraftsSent(author=query.get("author", "?"), run=query.get("run", "?"), queue=query.get("queue", ""))
    return await asyncio.to_thread(_standing, sent)


async def _add(request: Request) -> object:
    sent = await _body(request)

    def add() -> JsonObject:
        for draft in sent.drafts:
            _check(draft)
        annotations().add(sent.author, *sent.drafts)
        if any(draft.kind == "verdict" for draft in sent.drafts):
            _answer({draft.run for draft in sent.drafts if draft.kind == "verdict"})
        return _standing(sent)

    return await asyncio.to_thread(add)


async def _undo(request: Request) -> object:
    sent = await _body(request)

    def undo() -> JsonObject:
        gone = annotations().undo(sent.author, sent.run)
        if gone is not None and gone.kind == "verdict":
            _answer({gone.run})
        return {**_standing(sent), "undone": gone.kind if gone else None}

    return await asyncio.to_thread(undo)


def _answer(runs: Iterable[str]) -> None:
    """Keep with the runs what annotators now answer, so that it counts wherever they are read."""
    records = annotations().standing()
    for name in runs:
        run = find_run(choices().runs, name)
        if run is not None:
            keep_answers(run.folder, answers_of(records, name))


async def _body(request: Request) -> _DraftsSent:
    try:
        sent = _DraftsSent.model_validate(orjson.loads(await request.body()))
    except orjson.JSONDecodeError as error:
        raise ValueError("expected JSON, found something else") from error
    except ValidationError as error:
        raise ValueError(wrong_fields(error)[0]) from error
    _run_of(sent.run)
    return sent


def _run_of(run: str) -> None:
    if find_run(choices().runs, run) is None:
        raise NotFound(f"Run {run} not found")


def _check(draft: Draft) -> None:
    """Refuse what is about nothing.

    Raises:
        NotFound: there is no such run, step or label.
        ValueError: a span's words do not stand there.
    """
    _run_of(draft.run)
    if draft.other:
        _run_of(draft.other)
    if draft.kind == "label" and read_taxonomy(annotations().folder).find(draft.value) is None:
        raise NotFound(f"Label {draft.value} not found")
    if draft.step is not None:
        step = next((one for one in steps_of_run(draft.run) if one.event.seq == draft.step), None)
        if step is None:
            raise NotFound(f"Event {draft.step} of run {draft.run} is no step")
        if draft.kind == "span":
            checked_span(draft, step)


def _standing(sent: _DraftsSent) -> JsonObject:
    store = annotations()
    records = store.standing()
    mine: list[Json] = [_told(one) for one in records if one.author == sent.author and one.run == sent.run]
    queue = queues().read(sent.queue)
    answer: JsonObject = {"records": mine, "next": "", "done": 0, "total": 0}
    if queue is not None:
        progress = progress_of(queue, sent.author, records)
        answer |= {"next": progress.next, "done": progress.done + progress.skipped, "total": progress.total}
    return answer


def _told(one: Annotation) -> JsonObject:
    told: JsonObject = one.model_dump(exclude_defaults=True)
    return {**told, "id": one.id}
