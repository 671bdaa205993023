"""Mails that no person writes: letters of senders outside, the tracker's about tickets, the code host's about changes."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from brownout.background.attachments import file_of
from brownout.background.desk_hours import day_of
from brownout.background.integer_math import ONE
from brownout.background.life_sources import Letter, Life
from brownout.background.matter_steps import MatterStep
from brownout.background.packs import filled
from brownout.core.apps import Intent
from brownout.core.instants import HOUR, MINUTE, SECOND, Instant, local
from brownout.core.seeds import Stream
from brownout.core.values import JsonObject

__all__ = ["forge_mails", "letters", "notifications"]

_LETTERS: Final = 160
"""Letters that an inbox gets a day, of 1,000: a working value without a source."""
_SUBSCRIBED: Final = 4
_RANGE: Final = re.compile(r"\{n:(\d+)\.\.(\d+)\}")
"""A number of a range, drawn for each."""
_BY_MAIL: Final = 40
"""Percent of people who get a tracker's mails: others have switched them off and look there. A working value without a source."""
_TOLD_BY_MAIL, _WATCHES = 30, 4
"""Percent: people who have not switched off mails about changes; colleagues who watch a code base. Without a source."""
_TOLD: Final = {
    "comment": "commented on",
    "close": "closed",
    "assign": "assigned",
    "begin": "started work on",
    "review": "asked for review of",
}
_DOES: Final = {"open": "opened", "comment": "commented on", "review": "reviewed", "approve": "approved", "merge": "merged",
                "close": "closed", "push": "pushed to"}  # fmt: skip


def letters(life: Life, day: int, start: Instant) -> Iterator[MatterStep]:
    """The letters of a day; `start` is when it begins."""
    volume = life.volumes.get("machines", 0)
    if not volume or not life.letters:
        return
    factor = 100 if (day + 3) % 7 < 5 else 35
    share = ONE * _LETTERS * volume * factor // 100_000_000
    does = {person.name: person.does for person in life.people}
    for inbox in life.inboxes:
        of_day = Stream(life.seed, "letters", day, inbox)
        sent = set[str]()
        for slot in range(2):
            if of_day.below(ONE) >= share // 2:
                continue
            able = [
                one
                for one in life.letters
                if not one.read_by or not does.get(inbox, ()) or {*one.read_by} & {*does[inbox]}
            ]
            chosen = Stream(life.seed, "subscribed", inbox).shuffled(able)[:_SUBSCRIBED]
            sender = of_day.choice([one for one in chosen if not one.weekly or _is_sent(life, one, day)] or chosen[:1])
            if sender.short not in sent:
                sent.add(sender.short)
                yield _letter(life, sender, f"letter/{day}/{inbox}.{slot}", inbox, start)


def _is_sent(life: Life, sender: Letter, day: int) -> bool:
    """Whether a weekly letter is sent on that day."""
    return (day + 3) % 7 == Stream(life.seed, "weekly", sender.short).below(5)


def _letter(life: Life, sender: Letter, key: str, inbox: str, start: Instant) -> MatterStep:
    own = Stream(life.seed, key)
    at = start + 6 * HOUR + own.below(12 * HOUR)
    week = day_of(at, life.zone) // 7
    stream = Stream(life.seed, "issue", sender.short, week) if sender.weekly else own
    begun = 40 + Stream(life.seed, "begun", sender.short).below(200)
    values = {"company": life.company, "issue": str(begun + week - day_of(life.calendar[0], life.zone) // 7)}
    values |= _months(local(at, life.zone))

    def issued(text: str) -> str:
        text = _RANGE.sub(lambda found: str(stream.between(int(found[1]), int(found[2]))), text)
        return filled(text, values)

    issue = stream.choice(sender.issues)
    subject = issued(stream.choice(issue.subject))
    items = [f"- {issued(item)}" for item in stream.shuffled(issue.items)[: stream.between(2, 4)]]
    reference = own.hex(10)
    footer = f"You get this because {inbox}'s address is on our list. Unsubscribe: https://{sender.email.partition('@')[2]}/u/{reference}"
    parts = (issued(issue.opens), "\n".join(items), f"--\n{sender.name}\n{footer}")
    wanted = life.files.get(sender.file)
    made = None
    if wanted is not None and any(word in subject.lower() for word in wanted.words):
        made = file_of(wanted, lambda text: issued(text.replace("{month_past}", "{before}")), life.is_free, at, stream)
    details: JsonObject = {"attachments": [made]} if made is not None else {}
    body = "\n\n".join(part for part in parts if part)
    intent = Intent(
        "tell", key, sender.short, to=(inbox,), via=life.apps["mails"], subject=subject, text=body, details=details
    )
    return MatterStep(at, intent)


def _months(at: datetime) -> dict[str, str]:
    """The names of the month of a moment, of the one before and of the next: March, February, April."""
    first = at.replace(day=15)
    return {name: f"{first + timedelta(days=days):%B}" for name, days in (("before", -30), ("month", 0), ("after", 30))}


def _has_left_on(life: Life, sender: str, person: str, percent: int) -> bool:
    """Whether somebody is one of so many in a hundred who have not switched off a product's mails; the same for all of them."""
    return Stream(life.seed, "left on", sender, person).chance(percent)


def notifications(life: Life, steps: Sequence[MatterStep]) -> Iterator[MatterStep]:
    """The tracker's mails about a ticket, each to somebody who took part in it and did not do it themselves."""
    if not life.volumes.get("machines", 0) or not life.tracker or not steps:
        return
    opened = steps[0].intent
    if opened.via != life.apps["opens"]:
        return
    part = [opened.who]
    names = {person.name: person.full for person in life.people}
    for step in steps:
        intent = step.intent
        for person in dict.fromkeys([*part, *intent.to]):
            key = f"{intent.key}/mail/{person}"
            stream = Stream(life.seed, key)
            told = _TOLD.get(intent.kind) if intent.via == opened.via else None
            if (
                person == intent.who
                or told is None
                or not _has_left_on(life, life.tracker, person, _BY_MAIL)
                or stream.below(1000) >= life.volumes["machines"]
            ):
                continue
            at = step.at + stream.between(15 * SECOND, 4 * MINUTE) + stream.below(SECOND)
            who = names[intent.who]
            to = f" to {names[intent.to[0]]}" if intent.to else ""
            lines = [
                f"{who} {told} [[{opened.key}]]{to}.",
                opened.subject,
                intent.text,
                f"Status changes and comments: [[{opened.key}]]",
            ]
            mail = Intent(
                "tell", key, life.tracker, to=(person,), via=life.apps["mails"],
                subject=f"[{life.tracker_title}] ([[{opened.key}]]) {opened.subject}",
                text="\n\n".join(line for line in lines if line),
            )  # fmt: skip
            yield MatterStep(at, mail, opened.key)
        if intent.via == opened.via:
            part = [*dict.fromkeys([*part, intent.who, *intent.to])]


def forge_mails(life: Life, steps: Sequence[MatterStep]) -> Iterator[MatterStep]:
    """The code host's mails about a change, each to somebody who takes part in it or watches, and did not do it themselves."""
    sender, volume = life.bots.get("keeper", ""), min(life.volumes.get("machines", 0), 1000)
    opened = next(
        (step for step in steps if step.intent.via == life.apps.get("keeps", "") and step.intent.kind == "open"), None
    )
    if not sender or not life.apps["mails"] or opened is None:
        return
    first = opened.intent
    names = {person.name: person.full for person in life.people}
    base = next(base for base in life.code if base.full_name == first.details["repo"])
    part = [name for name in base.reviewers if Stream(life.seed, "watches", base.name, name).chance(_WATCHES)]
    asked = first.details.get("reviewers")
    part += [str(name) for name in asked] if isinstance(asked, list) else []
    for step in steps:
        intent = step.intent
        if intent.via != first.via:
            continue
        does = _DOES.get(intent.kind, "")
        for person in dict.fromkeys(part):
            key = f"{intent.key}/mail/{person}"
            stream = Stream(life.seed, key)
            if person == intent.who or not does or not _has_left_on(life, sender, person, _TOLD_BY_MAIL):
                continue
            if stream.below(1000) >= volume:
                continue
            place = intent.details.get("path")
            lines = [
                f"{names.get(intent.who, 'A machine')} {does} {base.full_name}#[[{first.key}]].",
                f"On {place}:" if isinstance(place, str) else "",
                intent.text,
                f"--\nYou get this because you take part in {base.full_name}#[[{first.key}]], or watch it.",
            ]
            mail = Intent(
                "tell", key, sender, to=(person,), via=life.apps["mails"],
                subject=f"[{base.full_name}] {first.subject} (#[[{first.key}]])",
                text="\n\n".join(line for line in lines if line),
            )  # fmt: skip
            at = step.at + stream.between(10 * SECOND, 3 * MINUTE) + stream.below(SECOND)
            yield MatterStep(at, mail, first.key)
        part = [*dict.fromkeys([*part, *([intent.who] if intent.who in names else [])])]
