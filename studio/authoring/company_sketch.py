"""A company before it is written: who would work there, and what would happen when."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from generators.authoring.new_world import write_world
from generators.authoring.world_request import WorldRequest
from studio.authoring.text_entries import EntryPage, entry_page_of
from worlds.spec import read_world

__all__ = ["Sketch", "sketch_of"]


@dataclass(frozen=True, slots=True)
class Sketch:
    """What a request would give.

    Attributes:
        stories: the storylines with a task, by name, with the task's title.
        calendar: outages, tasks and the storylines' events, on a time line.
    """

    company: str
    does: str
    zone: str
    people: EntryPage
    calendar: EntryPage
    customers: int
    services: tuple[str, ...]
    outages: tuple[str, ...]
    stories: tuple[tuple[str, str], ...]
    files: int


@lru_cache(maxsize=24)
def sketch_of(request: WorldRequest) -> Sketch:
    """What a request gives; the same one gives the same.

    Raises:
        UsageError: no company can be as it was asked for.
    """
    with TemporaryDirectory(prefix="brownout-sketch-") as folder:
        place = Path(folder) / request.name
        files = write_world(request, place)
        spec = read_world(place)
        return Sketch(
            company=spec.world.company.name,
            does=spec.world.company.does,
            zone=spec.world.clock.zone,
            people=entry_page_of(spec, "people"),
            calendar=entry_page_of(spec, "storylines"),
            customers=len(spec.customers),
            services=tuple(spec.services),
            outages=tuple(f"{one.on} {one.mode}" for one in spec.outages.values()),
            stories=tuple((name, task.title) for name, task in spec.tasks.items()),
            files=len(files),
        )
