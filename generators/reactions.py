"""Reactions and edits: those that authors write, and a few that announcements get by themselves."""

from collections.abc import Iterator, Mapping, Sequence

from brownout.core.apps import Intent
from brownout.core.instants import HOUR, MINUTE, SECOND, Instant
from brownout.core.seeds import Stream
from generators.planned_intents import Planned
from worlds.attendance import Attendance, attendance_of
from worlds.spec import Line, WorldSpec

__all__ = ["plan_background", "plan_line"]

_SOON = (20, 45, 90, 170, 300, 600, 1300, 3000, 6600)
"""Seconds until somebody reacts, as evenly spaced quantiles."""
_LIKELY = 24
"""Percent of the announcements that somebody reacts to unasked."""
_PATIENCE = 4 * HOUR
"""What was said longer ago is not reacted to any more."""
_LONG = 9
"""Words from which something said to a room is an announcement."""
_NEWS = ("live", "out", "released", "tagged", "merged", "fixed", "done", "signed")
_EMOJI = {"plain": "+1", "dry": "+1", "terse": "+1", "formal": "+1", "warm": "heart", "chatty": "raised_hands"}


def plan_line(
    key: str, line: Line, at: Instant, via: str, people: Mapping[str, Attendance], seed: int
) -> Iterator[Planned]:
    """The reactions to a line, and its edit."""
    for name, readers in line.reacts.items():
        for who in readers:
            stream = Stream(seed, "reacts", key, name, who)
            seen = people[who].next_working(at + stream.quantile(_SOON) * SECOND + stream.below(SECOND))
            if seen is not None:
                yield Planned(seen, _reaction(key, who, name, via))
    if line.edited is not None:
        stream = Stream(seed, "edits", key)
        edit = Intent("edit", f"{key}/edit", line.who, via=via, text=line.text, thing=key)
        yield Planned(at + line.edited + stream.below(20 * SECOND), edit)


def plan_background(spec: WorldSpec, said: Sequence[Planned]) -> Iterator[Planned]:
    """A few reactions to what was announced to a room, by those who write there."""
    seed, zone = spec.world.generation.seed, spec.world.clock.zone
    people = {name: attendance_of(person, zone) for name, person in spec.people.items()}
    asked = {one.intent.thing for one in said if one.intent.kind == "react"}
    tells = [one for one in said if one.intent.kind == "tell" and one.intent.to and one.intent.to[0].startswith("#")]
    rooms: dict[str, list[str]] = {}
    for one in tells:
        room = rooms.setdefault(one.intent.to[0], [])
        if one.intent.who in people and one.intent.who not in room:
            room.append(one.intent.who)
    for one in tells:
        intent = one.intent
        stream = Stream(seed, "liked", intent.key)
        if intent.key in asked or not _is_announcement(intent) or not stream.chance(_LIKELY):
            continue
        others = stream.shuffled(sorted(set(rooms[intent.to[0]]) - {intent.who}))
        shared = "tada" if any(f" {word}" in intent.text.lower() for word in _NEWS) and stream.chance(60) else ""
        for who in others[: stream.weighted((1, 2, 3), (60, 30, 10))]:
            name = shared or stream.weighted((_EMOJI[spec.people[who].voice], "+1", "eyes"), (40, 45, 15))
            seen = people[who].next_working(one.at + stream.quantile(_SOON) * SECOND + stream.below(MINUTE))
            if seen is not None and seen - one.at < _PATIENCE:
                yield Planned(seen, _reaction(intent.key, who, name, intent.via))


def _is_announcement(intent: Intent) -> bool:
    words = intent.text.split()
    return len(words) >= _LONG and not intent.text.rstrip().endswith("?") and "thread" not in intent.details


def _reaction(key: str, who: str, name: str, via: str) -> Intent:
    return Intent("react", f"{key}/react/{name}/{who}", who, via=via, thing=key, details={"name": name})
