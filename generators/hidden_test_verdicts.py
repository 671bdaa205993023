"""Which releases of the past pass which hidden tests, as their author says in `repos/<name>/hidden/verdicts.yaml`.

    test_release.py: {fails: {from: simplify-hold-store - 14m}}

A test of the shipped worlds runs the hidden tests on both sides and so keeps what is written true. With it a session
knows how a service behaves without running anything.
"""

from pathlib import Path

import orjson
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from brownout.core.errors import AuthoringError, Mistake
from brownout.store import StoreRows
from generators.timetable import Timetable
from worlds.expressions import Anchor, ExpressionError, parse_moment
from worlds.spec import WorldSpec
from worlds.spec.yaml_loading import BrokenText, load_yaml

__all__ = ["known_verdicts"]


class _Window(BaseModel):
    model_config = ConfigDict(extra="forbid")
    start: str = Field(alias="from")
    until: str = ""


class _Test(BaseModel):
    model_config = ConfigDict(extra="forbid")
    fails: _Window


_FILE = TypeAdapter(dict[str, _Test])


def known_verdicts(spec: WorldSpec, times: Timetable, rows: StoreRows) -> dict[str, dict[str, bool]]:
    """By commit, then by test: whether what was deployed from it passes.

    Raises:
        AuthoringError: a file of verdicts cannot be read, or names a moment that there is not.
    """
    found: dict[str, dict[str, bool]] = {}
    for file in sorted((spec.root / "repos").glob("*/hidden/verdicts.yaml")):
        services = [name for name, service in spec.services.items() if service.repo == file.parent.parent.name]
        for test, window in _read(spec, file).items():
            start, until = (_moment(spec, times, file, name) for name in (window.fails.start, window.fails.until))
            for commit, at in _releases(rows, services):
                fails = start is not None and at >= start and (until is None or at < until)
                found.setdefault(commit, {})[test] = not fails
    return found


def _read(spec: WorldSpec, file: Path) -> dict[str, _Test]:
    name = file.relative_to(spec.root).as_posix()
    try:
        return _FILE.validate_python(load_yaml(file.read_bytes()))
    except BrokenText as error:
        raise AuthoringError([Mistake(name, error.line, str(error))]) from error
    except ValidationError as error:
        raise AuthoringError([Mistake(name, 0, str(error.errors()[0]["msg"]))]) from error


def _moment(spec: WorldSpec, times: Timetable, file: Path, name: str) -> int | None:
    if not name:
        return None
    place = file.relative_to(spec.root).as_posix()
    try:
        found = parse_moment(name, spec.world.clock.zone)
    except ExpressionError as error:
        raise AuthoringError([Mistake(place, 0, str(error))]) from error
    if not isinstance(found, Anchor):
        return found
    if found.name not in times.moments:
        raise AuthoringError([Mistake(place, 0, f"nothing called {found.name!r} has a time")])
    return times.moments[found.name] + found.offset


def _releases(rows: StoreRows, services: list[str]) -> list[tuple[str, int]]:
    """Commits that are deployed, with the moment; none where the world has no app that runs services."""
    if not rows.execute("SELECT 1 FROM sqlite_schema WHERE name = 'ops_release'"):
        return []
    query = (
        'SELECT r."commit", r.at_us FROM ops_release r JOIN ops_service s ON s.id = r.service '
        "WHERE s.name IN (SELECT value FROM json_each(?)) AND r.\"commit\" != '' ORDER BY r.at_us"
    )
    listed = orjson.dumps(services).decode()
    return [(str(commit), int(str(at))) for commit, at in rows.execute(query, (listed,))]
