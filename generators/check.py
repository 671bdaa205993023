"""Everything that is wrong with an author's folder, at once: what cannot be read, and what is wrong with the rest."""

from pathlib import Path

from brownout.core.errors import AuthoringError, Mistake
from generators.order import order_mistakes
from generators.phrases import systems_mistakes
from generators.pulls import pull_mistakes
from generators.repositories import code_bases, landing_mistakes, repository_mistakes
from generators.story import prose_mistakes
from generators.timetable import make_timetable
from worlds.lint import causes_of, foundations, lint
from worlds.spec import WorldDraft, WorldSpec, read_draft

__all__ = ["mistakes_in", "read_whole", "spec_mistakes"]


def mistakes_in(root: Path) -> list[Mistake]:
    """Every mistake in the folder of a world that shows before it is built, by file and line."""
    return _all_mistakes(read_draft(root))


def read_whole(root: Path) -> WorldSpec:
    """The world in the folder `root`, whose text can be read to the end.

    Raises:
        AuthoringError: something cannot be read; what is wrong with the rest is named too.
    """
    draft = read_draft(root)
    if draft.spec is None or draft.mistakes:
        raise AuthoringError(_all_mistakes(draft))
    return draft.spec


def _all_mistakes(draft: WorldDraft) -> list[Mistake]:
    if draft.spec is None:
        return [*draft.mistakes]
    return causes_of(draft.spec, draft.mistakes, _wrong_in(draft.spec))


def spec_mistakes(spec: WorldSpec) -> list[Mistake]:
    """Every mistake in what could be read of a world."""
    return causes_of(spec, (), _wrong_in(spec))


def _wrong_in(spec: WorldSpec) -> list[Mistake]:
    """All that is wrong with what could be read, what follows from something else too."""
    found = [*lint(spec), *prose_mistakes(spec), *systems_mistakes(spec)]
    founded = foundations(spec)
    if founded.has_calendar:
        every = code_bases(founded.spec)
        found += [*repository_mistakes(founded.spec, every), *pull_mistakes(founded.spec, every)]
        try:
            times = make_timetable(founded.spec)
        except AuthoringError as error:
            found += error.mistakes
        else:
            found += order_mistakes(founded.spec, times)
            found += landing_mistakes(founded.spec, every, times)
    return [*dict.fromkeys(found)]
