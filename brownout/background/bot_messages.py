"""What bots say about the work of people: cards in rooms of theirs, lines below tickets, the question of a standup."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from brownout.background.integer_math import ONE
from brownout.background.life_sources import Life
from brownout.background.matter_steps import MatterStep
from brownout.background.packs import filled
from brownout.core.apps import Intent
from brownout.core.instants import HOUR, MINUTE, SECOND, Instant
from brownout.core.seeds import Stream

__all__ = ["MachineAlert", "alerts", "alerts_of", "builds", "standups"]

_LINKED, _CLOSED, _SLOW = 30, 16, 6
"""Percent: tickets that a machine links their change to, or says that it was merged; builds of which something is said.
Without a source."""
_BUILT, _CHECKED = 11, 6
"""Minutes that a build of main and the checks of a change take at most: a red check is told of before anybody mends it."""
_ALERTS: Final = 1_800
"""Alerts a day, of 1,000 for each ten people; a third of them comes back."""


def builds(life: Life, steps: Sequence[MatterStep]) -> Iterator[MatterStep]:
    """Cards and lines below tickets about the change in a matter, where there is one."""
    cards, builder = life.cards, life.bots.get("builds", "")
    if cards is None or not builder:
        return
    room = cards.rooms.get("builds")
    title = {base.full_name: base.name for base in life.code}
    things = {base.full_name: base.pack.check for base in life.code}
    opened = next(
        (step for step in steps if step.intent.via == life.apps.get("keeps", "") and step.intent.kind == "open"), None
    )
    if opened is None:
        return
    key, repository = opened.intent.key, str(opened.intent.details["repo"])
    stream = Stream(life.seed, key, "cards")
    people = {person.name: person.full for person in life.people}
    words = {"pull": f"{title[repository]}#[[{key}]]", "repository": title[repository], "things": things[repository]}
    red = _failed(opened)
    for step in steps:
        intent = step.intent
        if intent.via != life.apps.get("keeps", ""):
            continue
        failed = _failed(step)
        texts: tuple[str, ...] = ()
        if failed:
            texts = cards.red
        elif red and intent.kind in ("push", "check"):
            texts, red = cards.green, 0
        elif intent.kind == "merge":
            texts = cards.slow if stream.chance(_SLOW) else cards.merged
        minutes = stream.between(2, _BUILT if intent.kind == "merge" else _CHECKED)
        at = step.at + minutes * MINUTE + stream.between(5, 50) * SECOND + stream.below(SECOND)
        words |= {
            "failed": str(failed), "total": str(stream.between(26, 60)), "minutes": str(minutes),
            "n": str(_build_number(life, repository, at)), "commit": f"[[{intent.key}:7]]", "who": people.get(intent.who, "A machine"),
        }  # fmt: skip
        needs = intent.key if step.is_named else key
        if texts and room is not None:
            yield _told(life, builder, room.name, f"{intent.key}/card", at, filled(stream.choice(texts), words), needs)
        below = {"open": (cards.linked, _LINKED), "merge": (cards.closed, _CLOSED)}.get(intent.kind)
        ticket = steps[0].intent
        if below and ticket.via == life.apps["opens"] and "automation" in life.bots and stream.chance(below[1]):
            text = filled(stream.choice(below[0]), words)
            who = life.bots["automation"]
            said = Intent("comment", f"{intent.key}/linked", who, via=ticket.via, text=text, thing=ticket.key)
            yield MatterStep(step.at + stream.between(2, 9) * SECOND + stream.below(SECOND), said, needs)


class MachineAlert(NamedTuple):
    """Something that the monitoring saw, until it was over."""

    key: str
    at: Instant
    over: Instant
    rule: str
    host: str


def alerts_of(life: Life, day: int, start: Instant) -> Iterator[MachineAlert]:
    """What machines that no storyline knows had on a day; some of it comes back again and again. `start` is when it begins."""
    cards, volume = life.cards, life.volumes.get("machines", 0)
    if cards is None or "watch" not in cards.rooms or not volume or "watch" not in life.bots:
        return
    of_day = Stream(life.seed, "alerts", day)
    for slot in range(2 + len(life.people) // 5):
        if of_day.below(ONE) >= ONE * _ALERTS * volume // 2_000_000:
            continue
        stream = Stream(life.seed, "alerts", day, slot)
        rule, host = stream.choice([(rule, host) for rule, hosts in cards.rules.items() for host in hosts])
        at = start + stream.below(24 * HOUR)
        for turn in range(stream.weighted((1, 2, 3, 5, 9), (64, 16, 10, 7, 3))):
            over = at + stream.between(2, 40) * MINUTE
            yield MachineAlert(f"alerts/{day}/{slot}/{turn}", at, over, rule, host)
            at = over + stream.between(3, 50) * MINUTE


def alerts(life: Life, day: int, start: Instant) -> Iterator[MatterStep]:
    """What the monitoring says in its room of the alerts of a day."""
    if life.cards is None:
        return
    for alert in alerts_of(life, day, start):
        lasted = (alert.over - alert.at) // MINUTE
        for word, at, texts in (("on", alert.at, life.cards.firing), ("off", alert.over, life.cards.resolved)):
            key = f"{alert.key}/{word}"
            stream = Stream(life.seed, key)
            minutes = lasted if word == "off" else stream.between(2, 9)
            words = {"rule": alert.rule, "host": alert.host, "minutes": str(minutes), "n": str(stream.between(71, 98))}
            text = filled(stream.choice(texts), words)
            if life.is_free(text):
                moment = at + stream.below(MINUTE)
                yield _told(life, life.bots["watch"], life.cards.rooms["watch"].name, key, moment, text, "")


def standups(life: Life, day: int, start: Instant) -> Iterator[MatterStep]:
    """The question of the morning, on working days."""
    cards = life.cards
    room = cards.rooms.get("standup") if cards else None
    if cards is not None and room is not None and "standup" in life.bots and (day + 3) % 7 < 5:
        stream = Stream(life.seed, "standup", day)
        at = start + 9 * HOUR + 15 * MINUTE + stream.below(4 * SECOND)
        asked = _told(life, life.bots["standup"], room.name, f"standup/{day}", at, stream.choice(cards.asked), "")
        yield replace(asked, is_named=True)


def _build_number(life: Life, repository: str, at: Instant) -> int:
    """The number of a repository's build that is told of at a moment: one more every minute, so that it rises without counting builds."""
    before = Stream(life.seed, "build numbers", repository).between(1_000, 9_000)
    return before + (at - life.calendar[0]) // MINUTE


def _failed(step: MatterStep) -> int:
    checks = step.intent.details.get("checks")
    return int(str(checks.get("failed", 0))) if isinstance(checks, dict) else 0


def _told(life: Life, who: str, room: str, key: str, at: Instant, text: str, needs: str) -> MatterStep:
    return MatterStep(at, Intent("tell", key, who, to=(room,), via=life.apps["talks"], text=text), needs)
