"""Of all that is wrong the causes: what is wrong only because something else is, is not said beside it.

A name that nothing has is a follower
- where it stands in text that could not be read: it may be there all right;
- where the file that such names stand in is not there at all;
- where it is what somebody meant who misspelt it in the place where it is declared, and several others have it right.
What is left of one name in many places is one mistake, with its places.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Final

from brownout.core.errors import AfterTheEnd, Mistake, Unknown
from brownout.core.vocabulary import nearest
from worlds.lint.declared_names import Declared, declared_in
from worlds.lint.foundations import foundations
from worlds.lint.names import Names
from worlds.spec import WorldSpec
from worlds.spec.salvage import STAND_IN_MARKS

__all__ = ["causes_of"]

_MOST_PLACES: Final = 4
_MANY: Final = 3
"""Times after the calendar's end that have one cause, the calendar."""
_ALIKE: Final = 0.6
"""How much of two names is the same where one is the other misspelt, as `difflib` counts."""
_MOST_LETTERS: Final = 2
"""By how many letters a slip makes a name longer or shorter."""
_HOMES: Final = {
    "person": ("people.yaml", "customers.yaml"),
    "person or group": ("people.yaml", "customers.yaml"),
    "service": ("systems.yaml",),
    "outage": ("outages.yaml",),
    "fact": ("storylines",),
    "beat": ("storylines",),
    "mail": ("storylines",),
}
"""The files and folders in which names of a kind are declared."""
_NAMED_IN: Final = {
    "people.yaml": ("person", "person or group", "team", "value"),
    "customers.yaml": ("person", "person or group", "customer", "value"),
    "outsiders.yaml": ("person", "person or group"),
    "systems.yaml": ("service", "need", "flag", "value"),
    "outages.yaml": ("outage", "beat"),
    "storylines/": ("fact", "beat", "mail", "slot", "document"),
}
"""By file or folder, the kinds of names that are missed where nobody can say what stands in there."""
_MEANT: Final = {
    "person": ("person", "person or group", "value"),
    "app": ("app", "service"),
    "service": ("service", "beat", "value"),
    "outage": ("outage", "beat"),
    "beat": ("beat", "mail"),
    "entry": ("channel", "person or group", "value", "beat"),
}
"""By what is declared, what a name may be missed as; as itself where nothing else is said."""


def causes_of(spec: WorldSpec, unreadable: Iterable[Mistake], wrong: Iterable[Mistake]) -> list[Mistake]:
    """What an author has to put right.

    Args:
        unreadable: what could not be read.
        wrong: what is wrong with the rest.
    """
    unreadable = [*unreadable]
    wrong = [mistake for mistake in wrong if not any(mark in mistake.message for mark in STAND_IN_MARKS)]
    unread = Names(foundations(spec).spec).unread
    said: dict[tuple[str, int], list[list[str]]] = defaultdict(list)
    for mistake in unreadable:
        if mistake.line:
            said[mistake.file, mistake.line].append(_path(mistake.message))
    rest = [
        mistake
        for mistake in wrong
        if (mistake.file, mistake.line) not in spec.undrawn
        and not _is_said(mistake.message, said.get((mistake.file, mistake.line), []))
    ]
    every = [*dict.fromkeys([*unreadable, *rest])]
    every = [*_with_one_end(spec, every)]
    found = [mistake for mistake in every if not isinstance(mistake.message, Unknown)]
    groups: dict[tuple[str, str], list[Mistake]] = defaultdict(list)
    for mistake in every:
        if isinstance(mistake.message, Unknown) and not _is_unread(unread, spec.lost, mistake.message):
            groups[mistake.message.name, mistake.message.scope].append(mistake)
    traced = [*_Tracing(spec, groups).causes()]
    homes = {mistake.file for mistake in traced if not mistake.line}
    found = [mistake for mistake in found if mistake.line or mistake.file not in homes]
    return sorted([*found, *traced], key=lambda mistake: (mistake.file, mistake.line))


def _with_one_end(spec: WorldSpec, every: Sequence[Mistake]) -> Iterator[Mistake]:
    """All of it, with one mistake of the calendar where much comes after its end."""
    late = [mistake for mistake in every if isinstance(mistake.message, AfterTheEnd)]
    if len({(mistake.file, mistake.line) for mistake in late}) < _MANY:
        yield from every
        return
    yield from (mistake for mistake in every if mistake not in late)
    line = spec.line("world.yaml", "clock", "until")
    message = (
        f"clock.until: expected an end after all that happens, found {spec.world.clock.until}, before {_places(late)}"
    )
    yield Mistake("world.yaml", line, message)


def _is_said(message: str, paths: Sequence[Sequence[str]]) -> bool:
    """Whether what is wrong in a line may be so because of what could not be read there: not if it is about another word."""
    path = _path(message)
    return bool(paths) and (len(path) < 2 or any(not other or path[-1] in other for other in paths))


def _path(message: str) -> list[str]:
    """The place that a message begins with, `y.share`, in words; none where it begins with something else."""
    place, colon, _ = message.partition(": ")
    return place.split(".") if colon and " " not in place else []


def _is_unread(unread: Mapping[str, Collection[str]], lost: Collection[str], unknown: Unknown) -> bool:
    """Whether a name stands in text that could not be read, or all that it is put together from: `team support`, `shop.failover`.

    Args:
        lost: the files that may have had any name.
    """
    if any(unknown.kind in kinds and any(file.startswith(home) for file in lost) for home, kinds in _NAMED_IN.items()):
        return True
    if not unread or not unknown.name:
        return False
    files = [unknown.scope] if unknown.scope else unread
    parts = [_named(part) for part in re.split(r"[ .]", unknown.name) if part]
    return any(all(any(part.search(piece) for piece in unread.get(file, ())) for part in parts) for file in files)


def _named(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")


@dataclass(frozen=True)
class _Tracing:
    """Names that nothing has, each with the mistakes that are about it, traced to where they were to be declared."""

    spec: WorldSpec
    groups: dict[tuple[str, str], list[Mistake]]

    def causes(self) -> Iterator[Mistake]:
        """One mistake for each name, or for what several come from."""
        homeless: dict[str, list[Mistake]] = defaultdict(list)
        for (name, scope), group in self.groups.items():
            meant = self._misspelt(name, scope, group)
            if meant is not None:
                if not self._is_wrong(meant):
                    yield _misspelt_mistake(meant, name, group)
            elif home := self._missing_home(group):
                homeless[home] += group
            else:
                yield _gathered(group)
        for home, group in homeless.items():
            names = sorted({str(getattr(mistake.message, "name", "")) for mistake in group})
            listed = ", ".join(names[:_MOST_PLACES]) + (" …" if len(names) > _MOST_PLACES else "")
            what = f"expected {listed}, as in {_places(group)}"
            is_there = (self.spec.root / home).exists()
            yield Mistake(home, 0, f"{what}; found {'none of it in there' if is_there else 'no such file'}")

    @cached_property
    def _declared(self) -> list[Declared]:
        return declared_in(self.spec)

    @cached_property
    def _text(self) -> str:
        """All of the author's YAML."""
        paths = sorted(self.spec.root.rglob("*.yaml"))
        return "\n".join(path.read_bytes().decode(errors="replace") for path in paths)

    def _misspelt(self, name: str, scope: str, group: Sequence[Mistake]) -> Declared | None:
        """What was declared under a misspelt name: nobody uses that, and nothing that somebody uses is nearer."""
        kinds = {getattr(mistake.message, "kind", "") for mistake in group}
        options = [one for one in self._declared if one.scope == scope and kinds & _missed_as(one)]
        alike = sorted(
            ((_likeness(name, one.name), one) for one in options if _is_slip(name, one.name)),
            key=lambda pair: -pair[0],
        )
        if not alike or alike[0][0] < _ALIKE:
            return None
        best = alike[0][1]
        if self._is_wrong(best):
            return best
        return best if len({(one.file, one.line) for one in group}) > 1 and not self._is_used(best) else None

    def _is_wrong(self, one: Declared) -> bool:
        """Whether a name is wrong where it is declared, which is said there: `apps: {slakc: …}`."""
        found = (mistake for (name, _), group in self.groups.items() if name == one.name for mistake in group)
        return any((mistake.file, mistake.line) == (one.file, one.line) for mistake in found)

    def _is_used(self, one: Declared) -> bool:
        """Whether something beside its declaration has the name."""
        text = (self.spec.root / one.scope).read_text(errors="replace") if one.scope else self._text
        return len(_named(one.name).findall(text)) > 1

    def _missing_home(self, group: Sequence[Mistake]) -> str:
        """The file that a name was to stand in, where that is not there; empty where it is, or where it may be misspelt."""
        name, kind = getattr(group[0].message, "name", ""), getattr(group[0].message, "kind", "")
        if nearest(name, [one.name for one in self._declared if kind in _missed_as(one)]):
            return ""
        files = {file.partition("/")[0] for file in [*(one.file for one in self._declared), *self.spec.unread]}
        return next((home for home in _HOMES.get(kind, ()) if home not in files), "")


def _missed_as(one: Declared) -> set[str]:
    """The kinds of names that something may be missed as."""
    return {*_MEANT.get(one.kind, (one.kind,))}


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()


def _is_slip(one: str, other: str) -> bool:
    """Whether two names may be one, misspelt: what differs in numbers only (`hold-10`, `hold-15`) is two."""
    if abs(len(one) - len(other)) > _MOST_LETTERS:
        return False
    return one != other and re.sub(r"\d", "", one) != re.sub(r"\d", "", other)


def _misspelt_mistake(declared: Declared, name: str, group: Sequence[Mistake]) -> Mistake:
    message = (
        f"{declared.name}: expected {name!r}, as it is called in {_places(group)}; nothing names {declared.name!r}"
    )
    return Mistake(declared.file, declared.line, message)


def _gathered(group: Sequence[Mistake]) -> Mistake:
    """One mistake for all places where a name is used that nothing has."""
    first, *others = sorted(group, key=lambda mistake: (_is_case(mistake.file), mistake.file, mistake.line))
    others = [other for other in others if (other.file, other.line) != (first.file, first.line)]
    if not others:
        return first
    return Mistake(first.file, first.line, f"{first.message}; likewise in {_places(others)}")


def _is_case(file: str) -> bool:
    """Whether a file is one of those that a rubric is tested by, which follow the reference solution."""
    return file.startswith("tasks/") and file.count("/") > 2


def _places(group: Sequence[Mistake]) -> str:
    """`a.yaml:1, b.yaml:2 and 7 more places`."""
    places = [*dict.fromkeys(f"{one.file}:{one.line}" for one in sorted(group, key=lambda m: (m.file, m.line)))]
    rest = len(places) - _MOST_PLACES
    if rest <= 0:
        return ", ".join(places)
    return ", ".join(places[:_MOST_PLACES]) + f" and {rest} more place{'s' if rest > 1 else ''}"
