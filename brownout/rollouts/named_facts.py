"""What scripts say by name: a fact's value, a moment, as people write them."""

from collections.abc import Callable
from datetime import date

from brownout.core.errors import GradingError
from brownout.core.instants import local
from brownout.engine.end_state import EpisodeEnd
from brownout.engine.session import Session
from brownout.rollouts.script_language import OracleMismatch

__all__ = ["truth_of"]


def truth_of(session: Session) -> Callable[[str, str, str], str]:
    """The words for a fact (`10 minutes`, `Viktor Lindqvist`, `BOX-41`) or a moment (`10:12`) of a session's world.

    Days and moments may be asked for in another form, as for `strftime`: `27.01.2026`.
    """

    def words(kind: str, name: str, form: str) -> str:
        end = session.end_state()
        try:
            return _moment(end, name, form) if kind == "time" else _value(end, name, form)
        except (GradingError, LookupError) as error:
            raise OracleMismatch(f"{kind} {name}: {error}") from error

    return words


def _moment(end: EpisodeEnd, text: str, form: str) -> str:
    return local(end.moment(text), end.entities.zone).strftime(form or "%H:%M")


def _value(end: EpisodeEnd, name: str, form: str) -> str:
    fact = end.facts[name]
    if form and fact.kind != "date":
        raise OracleMismatch(f"fact {name}: only a day has a form, found {fact.kind or 'no kind'}")
    match fact.kind:
        case "date" if form:
            return date.fromisoformat(fact.value).strftime(form)
        case "person":
            return end.entities.people[fact.value][0]
        case "part":
            return fact.value.rpartition("/")[2]
        case "artefact":
            app, _, pattern = fact.value.partition(":")
            thing = end.find(app, pattern)[0]
            return str(thing.fields.get("key") or thing.fields.get("title") or pattern)
        case _:
            return fact.value
