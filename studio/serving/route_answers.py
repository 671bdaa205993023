"""How the routes answer: JSON for what was found, one sentence for what went wrong."""

import logging
from collections.abc import Awaitable, Callable

import orjson
from starlette.requests import Request
from starlette.responses import Response

from brownout.core.errors import BrownoutError
from studio.authoring.edit_history import hash_of
from studio.authoring.locked_writes import FileChanged
from studio.company.company_view import NotThereYet, ViewRefused
from studio.failures import failure_document
from studio.serving.grading_processes import GradeFailed
from studio.serving.request_guard import MOST_BYTES, TooLong

__all__ = ["NotFound", "StillWorking", "answering", "integer"]

_LOG = logging.getLogger("brownout.studio")


class NotFound(Exception):
    """What a link names is not here."""


class StillWorking(Exception):
    """The answer is on its way; ask again.

    Args:
        doing: what is being done, in words.
        share: how much of that, 0 to 1.
    """

    def __init__(self, doing: str, share: float) -> None:
        super().__init__(doing)
        self.doing = doing
        self.share = share


def answering(work: Callable[[Request], Awaitable[object]]) -> Callable[[Request], Awaitable[Response]]:
    """A route of a function that returns what is to be shown (dataclasses and plain values)."""

    async def answer(request: Request) -> Response:
        try:
            return _json(await work(request), 200)
        except NotThereYet as error:
            return _json({"progress": error.share, "doing": "Simulating"}, 202)
        except StillWorking as error:
            return _json({"progress": error.share, "doing": error.doing}, 202)
        except NotFound as error:
            return _json({"error": str(error)}, 404)
        except FileChanged as error:
            said = {"error": str(error), "file": error.file, "text": error.text, "hash": hash_of(error.text)}
            return _json(said, 409)
        except TooLong:
            return _json({"error": f"expected at most {MOST_BYTES >> 20} MiB"}, 413)
        except (GradeFailed, ViewRefused, BrownoutError, ValueError) as error:
            return _json({"error": str(error)}, 422)
        except Exception as error:
            _LOG.exception("%s failed", request.url.path)
            return _json(failure_document(error), 500)

    return answer


def integer(request: Request, name: str, default: int = 0) -> int:
    """A whole number of the query.

    Raises:
        ValueError: it is something else.
    """
    given = request.query_params.get(name, "")
    if not given:
        return default
    try:
        return int(given)
    except ValueError:
        raise ValueError(f"{name}: expected a whole number, found {given[:40]!r}") from None


def _json(value: object, status: int) -> Response:
    return Response(orjson.dumps(value), status, {"Cache-Control": "no-store"}, "application/json")
