"""The route through which a pane says where somebody is, so that Home leads back there."""

import asyncio

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.routing import Route

from studio.last_place import note_place
from studio.serving.route_answers import answering

__all__ = ["place_routes"]


class _PlaceSent(BaseModel):
    """A page that a pane fills, with what stands behind the question mark of its address."""

    model_config = ConfigDict(extra="forbid")

    page: str = Field(pattern="^(preview|replay)$")
    query: dict[str, str] = Field(max_length=20)


def place_routes() -> list[Route]:
    """The route."""
    return [Route("/api/place", answering(_place), methods=["POST"])]


async def _place(request: Request) -> object:
    try:
        sent = _PlaceSent.model_validate(orjson.loads(await request.body()))
    except (orjson.JSONDecodeError, ValidationError) as error:
        raise ValueError("expected a page and its query") from error
    await asyncio.to_thread(note_place, sent.page, sent.query)
    return {"noted": True}
