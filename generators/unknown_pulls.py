"""Names of pull requests, commits and branches in facts and rubrics that nothing in the code bases has, as mistakes of the author's."""

from collections.abc import Iterable, Iterator, Sequence

from brownout.core.app_roles import KeepsRepositories
from brownout.core.errors import Mistake, Unknown, under
from brownout.core.values import Json
from brownout.core.vocabulary import near
from generators.commit_history import CommitHistory
from worlds.expressions import parse_selector
from worlds.spec import WorldSpec
from worlds.spec.apps import app_with

__all__ = ["unknown_pulls"]


def unknown_pulls(spec: WorldSpec, every: Sequence[CommitHistory]) -> Iterator[Mistake]:
    """Facts whose value is work that nobody did, and rubrics with a title that is nearly one of those that there are.

    Only where all code bases can be read. What else a rubric names may be the agent's own.
    """
    keeper = app_with(KeepsRepositories, spec.world.apps)
    if not keeper or any(series.mistakes for series in every):
        return
    entries = [(series.name, step.entry) for series in every for step in series.steps]
    titles = {title for _, entry in entries for title in (entry.message.partition("\n")[0], entry.pull) if title}
    names = {f"{name}/{made}" for name, entry in entries for made in (entry.branch, entry.patch.removesuffix(".patch"))}
    known = titles | names | {entry.beat for _, entry in entries} | {series.name for series in every}
    for line, story in spec.storylines.items():
        file = f"storylines/{line}.yaml"
        for name, fact in story.facts.items():
            thing = fact.value.removeprefix(f"{keeper}:")
            if fact.kind == "artefact" and thing != fact.value and thing not in known and not _is_open(thing):
                yield Mistake(
                    file, spec.line(file, "facts", name, "is"), under(f"facts.{name}", _none(keeper, thing, known))
                )
    for task, written in spec.tasks.items():
        file = f"tasks/{task}/task.yaml"
        rubric = written.rubric
        for part, criteria in (("gates", rubric.gates), ("points", rubric.points), ("penalties", rubric.penalties)):
            for name, criterion in criteria.items():
                for thing in _things(keeper, criterion.asks):
                    if thing not in known and not _is_open(thing) and near(thing, titles):
                        line_ = spec.line(file, "rubric", part, name)
                        yield Mistake(file, line_, under(f"rubric.{part}.{name}", _none(keeper, thing, titles)))


def _none(app: str, thing: str, known: Iterable[str]) -> Unknown:
    text = f"nothing in {app} is called {thing!r}{near(thing, known)}"
    return Unknown(text, name=thing, kind="pull")


def _is_open(thing: str) -> bool:
    """Whether it is more than a title: a pattern, a number, a path."""
    return any(mark in thing for mark in "*#/|") or thing.isdigit()


def _things(app: str, asks: Json) -> Iterator[str]:
    """What a criterion names in an app."""
    if isinstance(asks, dict):
        for word, part in asks.items():
            yield from _things(app, word)
            yield from _things(app, part)
    elif isinstance(asks, list):
        for part in asks:
            yield from _things(app, part)
    elif isinstance(asks, str):
        yield from (
            parse_selector(option).thing
            for option in asks.split(" | ")
            if option.startswith(f"{app}:") and option != f"{app}:"
        )
