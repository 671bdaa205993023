"""The code bases that people change beside the storylines: which a company has, and their history before the calendar."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from brownout.background.code_bases import CodeBase, Lines, file_texts
from brownout.core.app_roles import KeepsRepositories
from brownout.core.instants import DAY, HOUR, MINUTE, SECOND, Instant, local
from brownout.core.seeds import Stream
from brownout.core.values import JsonObject, digest_of
from brownout.store.git import NewCommit, Signature, create_repository
from generators.background.disciplines import Employed, callings
from generators.background.outside_senders import everyday_bots
from generators.background.pack_files import read_code_packs, read_packs, read_work_packs, taken_words
from worlds.attendance import attendance_of
from worlds.expressions import parse_moment
from worlds.spec import WorldSpec
from worlds.spec.apps import app_with

__all__ = ["everyday_code", "write_code"]

_FEWEST: Final = 3
"""Who looks at changes; where fewer know code, everybody does."""
_OLDEST: Final = 330 * DAY
_TOGETHER: Final = 6
"""Places that one commit adds at most."""


def everyday_code(spec: WorldSpec) -> tuple[CodeBase, ...]:
    """The code bases of everyday life; none where nobody keeps repositories, or no work beside the storylines is wanted."""
    if not app_with(KeepsRepositories, spec.world.apps) or not spec.world.background.permille("work"):
        return ()
    work = [pack for pack in read_work_packs() if pack.on_code]
    words = {slot: found for pack in reversed(work) for slot, found in pack.words.items()}
    words |= {"service": tuple(spec.services)} if spec.services else {}
    areas = {pack.area for pack in work}
    kinds: dict[str, tuple[str, ...]] = {}
    for kind, of_kind in ((kind, of_kind) for pack in work for kind, of_kind in pack.kinds.items()):
        for word in of_kind:
            kinds[word] = (*kinds.get(word, ()), kind)
    authored = {path.parent.name for path in (spec.root / "repos").glob("*/series.yaml")}
    owner = spec.world.company.account
    found = []
    for pack in read_code_packs():
        name = pack.repository if pack.repository not in authored else f"{pack.repository}-files"
        reviewers = _reviewers(spec, areas, {*pack.known_to})
        known = {place: kinds[place] for place in words.get(pack.slot, ()) if place in kinds}
        bare = CodeBase(name="", full_name="", pack=pack, places=(), reviewers=(), kinds=known)
        places = tuple(
            place
            for place in dict.fromkeys((*words.get(pack.slot, ()), *pack.places))
            if any(bare.entries(place, group) for group in pack.entries)
        )
        if places and len(reviewers) > 1 and (pack.by == "people" or "pins" in everyday_bots(spec)):
            found.append(
                CodeBase(
                    name=name, full_name=f"{owner}/{name}", pack=pack, places=places, reviewers=reviewers, kinds=known
                )
            )
    return tuple(found)


def write_code(spec: WorldSpec, folder: Path) -> tuple[JsonObject, dict[str, str]]:
    """Write the repositories below `<folder>/repos`.

    Returns:
        What the app that keeps them is told of each, and the digest of each by its path in the package.
    """
    settings: JsonObject = {}
    digests: dict[str, str] = {}
    taken = taken_words(spec)
    for base in everyday_code(spec):
        lines = Lines(spec.world.generation.seed, base, taken)
        history = [*_history(spec, base, lines)]
        made = create_repository(folder / "repos" / f"{base.name}.git", history)
        settings[base.name] = {
            "owner": base.full_name.partition("/")[0],
            "description": base.pack.says,
            "checks": "none",
            "zone": spec.world.clock.zone,
            "created": history[0].author.seconds * SECOND,
            "refs": dict(made.refs),
            "delete_branch_on_merge": True,
        }
        digests[f"repos/{base.name}.git"] = digest_of(*(f"{name}={to}" for name, to in sorted(made.refs.items())))
    return settings, digests


def _history(spec: WorldSpec, base: CodeBase, lines: Lines) -> Iterator[NewCommit]:
    """A few commits before the calendar, each adding some places."""
    first = parse_moment(spec.world.clock.start, spec.world.clock.zone)
    assert isinstance(first, int)
    stream = Stream(spec.world.generation.seed, "code", base.name)
    places, groups = stream.shuffled(base.places), list[list[str]]()
    while places:
        size = stream.between(1, _TOGETHER)
        groups.append(places[:size])
        del places[:size]
    step = _OLDEST // (len(groups) + 2)
    readme = f"# {base.name}\n\n{base.pack.readme}\n"
    yield _commit(spec, base, stream, first - _OLDEST, "Begin", {"README.md": readme.encode()})
    for number, group in enumerate(groups):
        changes = {path: text.encode() for place in group for path, text in file_texts(lines, place)}
        subject = f"Add {group[0]}" if len(group) == 1 else f"Add {group[0]} and {len(group) - 1} more"
        yield _commit(spec, base, stream, first - _OLDEST + (number + 1) * step, subject, changes)


def _commit(
    spec: WorldSpec, base: CodeBase, stream: Stream, at: Instant, subject: str, changes: dict[str, bytes]
) -> NewCommit:
    """A commit of somebody who was there, on a working day."""
    zone = spec.world.clock.zone
    at += stream.below(5) * DAY - at % DAY + 12 * HOUR
    at += (local(at, zone).weekday() >= 5) * 2 * DAY
    at += stream.between(-5 * 60, 6 * 60) * MINUTE + stream.below(60) * SECOND
    there = [name for name in base.reviewers if not attendance_of(spec.people[name], zone).is_away(at)]
    who = stream.choice(there or base.reviewers)
    person = spec.people[who]
    offset = local(at, person.zone or zone).utcoffset()
    email = f"{who}@{spec.world.company.domain}"
    signed = Signature(person.name, email, at // SECOND, int(offset.total_seconds()) // 60 if offset else 0)
    return NewCommit(f"{subject}\n", signed, changes=dict(changes))


def _reviewers(spec: WorldSpec, areas: set[str], disciplines: set[str]) -> tuple[str, ...]:
    """Who looks at changes: those who do such work, where they are too few those of the areas, then everybody."""
    zone = spec.world.clock.zone
    known = callings(
        (Employed(name, one.role, one.team, one.manager or "") for name, one in spec.people.items()), read_packs()
    )
    there = {name: attendance_of(person, zone) for name, person in spec.people.items()}
    stay = [name for name, one in there.items() if one.hours and one.joins is None and one.leaves is None]
    of_discipline = [name for name in stay if not disciplines.isdisjoint(known[name].disciplines)]
    of_area = [name for name in stay if known[name].area in areas]
    return tuple(next((able for able in (of_discipline, of_area) if len(able) >= _FEWEST), stay))
