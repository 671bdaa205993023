"""What a world's author has people say in its chat: how many messages each conversation has, and who speaks them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set

from brownout.background.dealer import monday_of
from brownout.background.desk_hours import day_of
from brownout.core.instants import Instant
from generators.planned_intents import Planned, talk_of

__all__ = ["authored_talk"]


def authored_talk(
    story: Iterable[Planned], app: str, people: Set[str], zone: str
) -> Mapping[int, tuple[tuple[int, ...], ...]]:
    """The author's conversations by the Monday of the week that each begins in, a day counted from 1970-01-01.

    A conversation is who speaks each of its messages, 0 being who opens: `(0, 1, 1, 0)`.

    Args:
        story: what is planned; what waits for something to come true is not counted.
        app: what carries talk; what is said by another app is none.
        people: who is a person. What machines say is no conversation.
    """
    talks: dict[str, list[tuple[Instant, str]]] = defaultdict(list)
    for planned in story:
        intent = planned.intent
        if intent.kind == "tell" and intent.via in ("", app) and intent.who in people:
            talks[talk_of(intent.key)].append((planned.at, intent.who))
    weeks: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for said in sorted(sorted(one) for one in talks.values()):
        numbers: dict[str, int] = {}
        speakers = tuple(numbers.setdefault(who, len(numbers)) for _, who in said)
        weeks[monday_of(day_of(said[0][0], zone))].append(speakers)
    return {monday: tuple(found) for monday, found in weeks.items()}
