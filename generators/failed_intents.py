"""What an author's people were to do and could not, while the company lived its past: a mistake, never left out quietly."""

from collections.abc import Collection, Iterable, Iterator

from brownout.core.apps import COMPLAINT
from brownout.core.errors import Mistake
from brownout.core.trajectory import Event, WorldEvent
from worlds.spec import Storyline, WorldSpec

__all__ = ["undone_mistakes"]

_FAILED = "failed: "
_HELD_UP = "no channel works"


def undone_mistakes(spec: WorldSpec, events: Iterable[Event]) -> list[Mistake]:
    """A mistake for each beat, talk, mail and patch that no app could carry out.

    An outage is none: people try again. Nor is a complaint that a customer, by this seed, has not made. What fails because it was itself held up by one, or what it is about was, is none.
    """
    done = [event for event in events if isinstance(event, WorldEvent)]
    held_up = {
        name for event in done if event.outcome == _HELD_UP for name in (event.key, event.key.rpartition("/")[2])
    }
    found = [
        mistake
        for event in done
        if event.key not in held_up and not any(repr(name) in event.outcome for name in held_up)
        for mistake in _mistakes(spec, event)
    ]
    return sorted(dict.fromkeys(found), key=lambda mistake: (mistake.file, mistake.line))


def _is_drawn(story: Storyline, name: str) -> bool:
    """Whether a beat or mail is about somebody's complaint: who complains of an outage is drawn by the seed."""
    beat, mail = story.beats.get(name), story.mails.get(name)
    things = [action.thing for action in beat.does] if beat else [mail.re or ""] if mail else []
    return any(thing.startswith(COMPLAINT) for thing in things)


def _mistakes(spec: WorldSpec, event: WorldEvent) -> Iterator[Mistake]:
    if not event.outcome.startswith(_FAILED):
        return
    why = event.outcome.removeprefix(_FAILED).removeprefix(f"{event.key}: ")
    line, _, rest = event.key.partition("/")
    name, _, number = rest.partition("/")
    message = f"{name}: {event.who} could not {event.act}: {why}"
    story = spec.storylines.get(line)
    if story is not None:
        file = f"storylines/{line}.yaml"
        named: dict[str, Collection[str]] = {"beats": story.beats, "talks": story.talks, "mails": story.mails}
        for word, entries in {**named, **spec.sections.get(line, {})}.items():
            if name in entries and not _is_drawn(story, name):
                said = number.partition(".")[0]
                place = ("lines", int(said)) if word == "talks" and said.isdigit() else ()
                yield Mistake(file, spec.line(file, word, name, *place), message)
    elif (spec.root / "repos" / line / "series.yaml").is_file():
        yield Mistake(f"repos/{line}/series.yaml", 0, message)
