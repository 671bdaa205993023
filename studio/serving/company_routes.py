"""Routes that show a company at a moment: its calendar, its surfaces, its truth.

What a package says of a moment to somebody never changes, so answers are kept and given to whoever asks the same.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path

import orjson
from starlette.requests import Request
from starlette.routing import Route

from studio.company.company_view import CompanyView, PersonView, Viewing, ViewRefused
from studio.company.ground_truth import truth_at
from studio.company.mentions import with_mentions
from studio.company.moment import moment_of
from studio.company.pane_content import PreviewQuestion, PreviewReading, ShownPlace, Surface
from studio.company.status import status_at
from studio.company.surfaces import SURFACES
from studio.company.timeline import timeline_of
from studio.company.week import week_of
from studio.known_worlds import find_world, package_of
from studio.serving.kept_answers import KeptAnswers
from studio.serving.route_answers import NotFound, answering, integer
from studio.serving.worker import Worker
from worlds.package import Package, open_package

__all__ = ["company_routes"]

_Key = tuple[str, str]
"""Folder of the package, its digest."""
_COMPANIES = 3
_MOST_LINES = 200
_MOST_KEPT = 24 << 20
"""Bytes of answers."""
_OF_THE_VIEWER = frozenset({"viewer", "package"})
"""Parameters that say nothing of what is asked for."""

_worker: Worker[_Key, CompanyView] = Worker(
    "companies", lambda key: CompanyView(open_package(Path(key[0]))), most=_COMPANIES
)

_answers: KeptAnswers[tuple[str, ...]] = KeptAnswers(_MOST_KEPT)
_packages: dict[tuple[str, str], tuple[Package, int]] = {}


def company_routes() -> list[Route]:
    """The routes."""
    found = {
        "calendar": _calendar,
        "moment": _moment,
        "places": _places,
        "lines": _lines,
        "reading": _reading,
        "week": _week,
        "status": _status,
        "truth": _truth,
    }
    return [Route(f"/api/worlds/{{world}}/{name}", answering(work), methods=["GET"]) for name, work in found.items()]


def _package(request: Request) -> Package:
    """The package that the page shows, which it names by its digest; looking for the newest one takes longer."""
    name, digest = request.path_params["world"], request.query_params.get("package", "")
    known = _packages.get((name, digest))
    if known is not None and _stamp(known[0]) == known[1]:
        return known[0]
    world = find_world(name)
    if world is None:
        raise NotFound(f"World {name} not found")
    package = package_of(world)
    if package is None:
        raise NotFound(f"World {name} is not built")
    while len(_packages) >= _COMPANIES:
        _packages.pop(next(iter(_packages)), None)
    _packages[name, package.manifest.digest] = package, _stamp(package)
    return package


def _stamp(package: Package) -> int:
    """When a package was written, 0 where it is gone."""
    try:
        return (package.folder / "manifest.json").stat().st_mtime_ns
    except FileNotFoundError:
        return 0


async def _with(request: Request, work: Callable[[Viewing], object]) -> object:
    """Do some work on a preview moved to the moment of the request, unless its answer is known."""
    package = await asyncio.to_thread(_package, request)
    query = request.query_params
    at = integer(request, "at", package.manifest.calendar[0])
    asked = (f"{name}={value}" for name, value in sorted(query.items()) if name not in _OF_THE_VIEWER)
    key = (package.manifest.digest, request.url.path, *asked)
    known = _answers.find(key)
    if known is None:

        def moved(company: CompanyView) -> bytes:
            viewing = company.viewing(query.get("viewer", "")[:64], at)
            viewing.go(at)
            return orjson.dumps(work(viewing))

        opened = str(package.folder), package.manifest.digest
        known = await asyncio.wrap_future(_worker.ask(opened, moved))
        _answers.keep(key, known)
    return orjson.Fragment(known)


def _surface(request: Request) -> Surface:
    name = request.query_params.get("surface", "")
    found = next((surface for key, surface in SURFACES.items() if key == name), None)
    if found is None:
        raise NotFound(f"Surface {name} not found")
    return found


def _eyes(request: Request, viewing: Viewing, surface: Surface) -> PersonView:
    if surface.app not in viewing.setting.apps:
        raise ViewRefused(f"{viewing.package.manifest.company} does not use {surface.app}")
    return viewing.as_person(request.query_params.get("as", ""))


async def _calendar(request: Request) -> object:
    return timeline_of(await asyncio.to_thread(_package, request))


async def _moment(request: Request) -> object:
    person = request.query_params.get("as", "")
    return await _with(request, lambda viewing: moment_of(viewing, person))


async def _places(request: Request) -> object:
    surface = _surface(request)
    return await _with(request, lambda viewing: _places_of(surface, _eyes(request, viewing, surface)))


def _places_of(surface: Surface, eyes: PersonView) -> list[ShownPlace]:
    try:
        return surface.places(eyes)
    except ViewRefused as error:
        setting = eyes.viewing.setting
        name, title = setting.people[eyes.person].account.name, setting.apps[surface.app].title
        raise ViewRefused(f"{name} cannot look into {title}; it says: {error}") from error


async def _lines(request: Request) -> object:
    surface, query = _surface(request), request.query_params
    most = min(max(integer(request, "most", 60), 1), _MOST_LINES)
    asked = PreviewQuestion(
        place=query.get("place", ""),
        q=query.get("q", "").strip()[:200],
        cursor=query.get("cursor", ""),
        until=query.get("until", ""),
        most=most,
    )
    return await _with(request, lambda viewing: surface.lines(_eyes(request, viewing, surface), asked))


async def _reading(request: Request) -> object:
    surface, item = _surface(request), request.query_params.get("item", "")
    return await _with(request, lambda viewing: _reading_of(surface, _eyes(request, viewing, surface), item))


def _reading_of(surface: Surface, eyes: PersonView, item: str) -> PreviewReading:
    return with_mentions(eyes, surface.name, surface.reading(eyes, item))


async def _week(request: Request) -> object:
    query = request.query_params
    return await _with(
        request,
        lambda viewing: week_of(
            _eyes(request, viewing, SURFACES["calendar"]), query.get("place", ""), query.get("week", "")
        ),
    )


async def _status(request: Request) -> object:
    person = request.query_params.get("as", "")
    return await _with(request, lambda viewing: status_at(viewing, person))


async def _truth(request: Request) -> object:
    return await _with(request, truth_at)
