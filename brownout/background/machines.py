"""What products and senders outside send by themselves: letters to everybody, and the tracker's mails about tickets."""

from collections.abc import Iterator, Sequence
from typing import Final

from brownout.background.attachments import file_of
from brownout.background.integer_math import ONE
from brownout.background.life import Letter, Life
from brownout.background.matter_steps import MatterStep
from brownout.background.packs import SLOT
from brownout.core.apps import Intent
from brownout.core.instants import HOUR, MINUTE, SECOND, Instant, local
from brownout.core.seeds import Stream
from brownout.core.values import JsonObject

__all__ = ["letters", "notifications"]

_LETTERS: Final = 160
"""Letters that an inbox gets a day, of 1,000: a working value without a source."""
_SUBSCRIBED: Final = 4
_WATCHED: Final = 70
"""Percent of a ticket's events that somebody who took part gets a mail about: others have switched it off."""
_TOLD: Final = {
    "comment": "commented on",
    "close": "closed",
    "assign": "assigned",
    "begin": "started work on",
    "review": "asked for review of",
}


def letters(life: Life, day: int, start: Instant) -> Iterator[MatterStep]:
    """The letters of a day; `start` is when it begins."""
    volume = life.volumes.get("machines", 0)
    if not volume or not life.letters:
        return
    factor = 100 if (day + 3) % 7 < 5 else 35
    share = ONE * _LETTERS * volume * factor // 100_000_000
    for inbox in life.inboxes:
        of_day = Stream(life.seed, "letters", day, inbox)
        for slot in range(2):
            if of_day.below(ONE) < share // 2:
                chosen = Stream(life.seed, "subscribed", inbox).shuffled(life.letters)[:_SUBSCRIBED]
                yield _letter(life, of_day.choice(chosen), f"letter/{day}/{inbox}.{slot}", inbox, start)


def _letter(life: Life, sender: Letter, key: str, inbox: str, start: Instant) -> MatterStep:
    stream = Stream(life.seed, key)
    at = start + 6 * HOUR + stream.below(12 * HOUR)

    def filled(text: str) -> str:
        values = {"n": str(stream.between(3, 240)), "company": life.company, "month": f"{local(at, life.zone):%B}"}
        return SLOT.sub(lambda found: values.get(found[1], found[0]), text)

    subject = filled(stream.choice(sender.subject))
    items = [f"- {filled(item)}" for item in stream.shuffled(sender.items)[: stream.between(2, 4)]]
    reference = stream.hex(10)
    footer = f"You get this because {inbox}'s address is on our list. Unsubscribe: https://{sender.email.partition('@')[2]}/u/{reference}"
    body = "\n\n".join(["\n".join(items), f"--\n{sender.name}\n{footer}"])
    wanted = life.files.get(sender.file)
    made = None
    if wanted is not None and any(word in subject.lower() for word in wanted.words):
        made = file_of(wanted, filled, life.is_free, at, stream)
    details: JsonObject = {"attachments": [made]} if made is not None else {}
    intent = Intent(
        "tell", key, sender.short, to=(inbox,), via=life.apps["mails"], subject=subject, text=body, details=details
    )
    return MatterStep(at, intent)


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
                or not stream.chance(_WATCHED * min(life.volumes["machines"], 1000) // 1000)
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
