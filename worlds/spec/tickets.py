"""Tickets in short: what somebody opened, and what became of it line by line, as the beats that they come to.

shifted-calendar:
at: 2026-03-30 09:12
who: timo
opens: {issue: "Appointments an hour late since Sunday", project: BOOK, type: Bug, assignee: ben}
text: "Greenway and Harbour Street, both since the clocks changed."
then:
- "2026-03-30 10:05 ben: looked at the label, it is right"
- "2026-03-30 10:20 ben gives it to sofia"
- "2026-03-31 09:40 sofia takes it"
- "2026-04-02 16:10 sofia closes it as Won't Do"        # or: as a duplicate of other-ticket
"""

import re
from collections.abc import Mapping

from worlds.spec.misplaced_words import Misplaced, UnknownWord

__all__ = ["beats_of"]

_STEP = re.compile(
    r"(?P<at>\d{4}-\d\d-\d\d \d\d:\d\d) (?P<who>[a-z][a-z0-9-]*)"
    r"(?:: ?(?P<text>.+)| (?P<takes>takes it)| gives it to (?P<to>[a-z][a-z0-9-]*)"
    r"| closes it(?: as a duplicate of (?P<twin>[a-z][a-z0-9-]*)| as (?P<how>[A-Z][\w' ]*))?)",
    re.DOTALL,
)
_WORDS = ("at", "who", "opens", "text", "then", "makes", "states")
_FORMS = (
    "`2026-03-30 10:05 ben: text`, `… ben takes it`, `… ben gives it to sofia`, `… ben closes it`, "
    "`… ben closes it as Won't Do`, `… ben closes it as a duplicate of other-ticket`"
)


def beats_of(tickets: object) -> dict[str, object]:
    """The beats that tickets come to: one of the ticket's own name, and `name-1`, `name-2` … for what follows.

    Raises:
        Misplaced: a ticket or one of its lines is not in the form above.
    """
    if not isinstance(tickets, Mapping):
        raise Misplaced(f"expected tickets by name, found {tickets!r}", "tickets")
    beats: dict[str, object] = {}
    for name, ticket in tickets.items():
        if not isinstance(ticket, Mapping) or not isinstance(ticket.get("opens"), Mapping):
            raise Misplaced(f"expected at, who, opens, text and then, found {ticket!r}", "tickets", str(name))
        unknown = [str(word) for word in ticket if word not in _WORDS]
        if unknown:
            raise UnknownWord(("tickets", str(name), unknown[0]), _WORDS, f"; a ticket has {', '.join(_WORDS)}")
        kept = {word: ticket[word] for word in ("at", "who", "makes", "states") if word in ticket}
        beats[str(name)] = {**kept, "opens": {**ticket["opens"], "text": ticket.get("text", "")}}
        for number, line in enumerate(ticket.get("then") or (), start=1):
            beats[f"{name}-{number}"] = _beat(str(name), str(line), number - 1)
    return beats


def _beat(name: str, line: str, number: int) -> dict[str, object]:
    found = _STEP.fullmatch(line.strip())
    if found is None:
        raise Misplaced(f"expected {_FORMS}; found {line!r}", "tickets", name, "then", number)
    beat: dict[str, object] = {"at": found["at"], "who": found["who"]}
    if found["text"]:
        return beat | {"comments": {"on": name, "text": found["text"].strip()}}
    if found["takes"]:
        return beat | {"begins": {"issue": name}}
    if found["to"]:
        return beat | {"assigns": {"issue": name, "to": found["to"]}}
    closing: dict[str, object] = {"issue": name}
    if found["twin"]:
        closing |= {"duplicate_of": found["twin"], "resolution": "Duplicate"}
    elif found["how"]:
        closing["resolution"] = found["how"]
    return beat | {"closes": closing}
