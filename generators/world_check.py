"""Everything that is wrong with an author's folder, at once: what cannot be read, and what is wrong with the rest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from brownout.core.errors import AuthoringError, Mistake
from generators.causal_order import order_mistakes
from generators.commit_history import CommitHistory
from generators.graded_beginnings import graded_mistakes
from generators.repositories import code_bases, landing_mistakes, repository_mistakes
from generators.run_time_phrases import systems_mistakes
from generators.storyline_intents import prose_mistakes
from generators.timetable import Timetable, make_timetable
from generators.unknown_pulls import unknown_pulls
from worlds.advice import warnings_of
from worlds.lint import causes_of, foundations, lint
from worlds.spec import WorldDraft, WorldSpec, read_draft, read_drafts

__all__ = [
    "Checked",
    "FoundMistake",
    "checked",
    "draft_mistakes",
    "mistakes_by_seed",
    "mistakes_in",
    "read_whole",
    "spec_mistakes",
]


@dataclass(frozen=True, slots=True)
class FoundMistake:
    """Something that a seed shows.

    Attributes:
        seed: the smallest of those that were tried that shows it.
        is_own: that is the author's seed.
        is_wrong: a mistake, else advice.
    """

    mistake: Mistake
    seed: int
    is_own: bool
    is_wrong: bool

    @property
    def place(self) -> tuple[str, int | str, bool]:
        """What is said once: of a file as a whole by its words, which name no line."""
        return (self.mistake.file, self.mistake.line or self.mistake.message, self.is_wrong)


def mistakes_in(root: Path) -> list[Mistake]:
    """Every mistake in the folder of a world that shows before it is built, by file and line."""
    return draft_mistakes(read_draft(root))


def mistakes_by_seed(root: Path, count: int) -> Iterator[FoundMistake]:
    """What is wrong with a world, and what could be better, with the author's seed and those that follow it.

    What is said of a line is said once, with the smallest seed that shows it; a seed's advice is given where nothing is wrong.

    Args:
        count: how many seeds; 1 is the author's alone.
    """
    own = read_draft(root)
    first = own.spec.world.generation.seed if own.spec is not None else 0
    said: set[tuple[str, int | str, bool]] = set()
    for number, draft in enumerate(chain([own], read_drafts(root, range(first + 1, first + count)))):
        mistakes = draft_mistakes(draft)
        advice = [] if mistakes or draft.spec is None else warnings_of(draft.spec)
        found = [
            FoundMistake(each, first + number, is_own=not number, is_wrong=bool(mistakes))
            for each in mistakes or advice
        ]
        yield from (each for each in found if each.place not in said)
        said |= {each.place for each in found}


def read_whole(root: Path) -> WorldSpec:
    """The world in the folder `root`, whose text can be read to the end.

    Raises:
        AuthoringError: something cannot be read; what is wrong with the rest is named too.
    """
    draft = read_draft(root)
    if draft.spec is None or draft.mistakes:
        raise AuthoringError(draft_mistakes(draft))
    return draft.spec


def draft_mistakes(draft: WorldDraft) -> list[Mistake]:
    """Every mistake in a world as far as it could be read."""
    if draft.spec is None:
        return [*draft.mistakes]
    return causes_of(draft.spec, draft.mistakes, _wrong_in(draft.spec))


def spec_mistakes(spec: WorldSpec) -> list[Mistake]:
    """Every mistake in what could be read of a world."""
    return causes_of(spec, (), _wrong_in(spec))


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check works out on its way, for a build to go on with: the times of all that happens, and every code base."""

    times: Timetable
    code_bases: Sequence[CommitHistory]


def checked(spec: WorldSpec) -> Checked:
    """A world without mistakes, checked.

    Raises:
        AuthoringError: there are some.
    """
    found = _inquire(spec)
    mistakes = causes_of(spec, (), found.wrong)
    if mistakes or found.checked is None:
        raise AuthoringError(mistakes)
    return found.checked


@dataclass(frozen=True, slots=True)
class _Inquiry:
    wrong: list[Mistake]
    checked: Checked | None


def _wrong_in(spec: WorldSpec) -> list[Mistake]:
    """All that is wrong with what could be read, what follows from something else too."""
    return _inquire(spec).wrong


def _inquire(spec: WorldSpec) -> _Inquiry:
    found = [*lint(spec), *prose_mistakes(spec), *systems_mistakes(spec)]
    founded, whole = foundations(spec), None
    if founded.has_calendar:
        every = code_bases(founded.spec)
        found += [*repository_mistakes(founded.spec, every), *unknown_pulls(founded.spec, every)]
        try:
            times = make_timetable(founded.spec)
        except AuthoringError as error:
            found += error.mistakes
        else:
            found += order_mistakes(founded.spec, times)
            found += graded_mistakes(founded.spec, times)
            found += landing_mistakes(founded.spec, every, times)
            whole = Checked(times, every)
    return _Inquiry([*dict.fromkeys(found)], whole)
