"""What people and services say at run time: the voices, the log lines, the customers' complaints."""

from collections.abc import Iterator, Mapping
from functools import cache

from brownout.core.errors import Mistake, Unknown, under
from brownout.core.vocabulary import near, unknown
from generators.data_files import data_path, read_data
from worlds.expressions import ExpressionError
from worlds.spec import WorldSpec
from worlds.systems import parse_complaint

__all__ = ["phrases_of", "systems_mistakes"]

Phrases = dict[str, dict[str, list[str]]]


def phrases_of(spec: WorldSpec) -> Phrases:
    """Phrases by `voice.dry`, `person.ida`, `logs.boxoffice`, then by occasion; complaints by
    `customers.boxoffice.errors`, then by customer, by voice, or `any`.
    """
    phrases: Phrases = {f"voice.{voice}": dict(kinds) for voice, kinds in _pack().items()}
    phrases |= {f"person.{name}": dict(person.phrases) for name, person in spec.people.items() if person.phrases}
    prose = spec.prose.get("systems", {})
    for service, kinds in _mapping(prose.get("logs")).items():
        phrases[f"logs.{service}"] = {str(kind): _texts(texts) for kind, texts in _mapping(kinds).items()}
    for service, states in _mapping(prose.get("customers")).items():
        for state, written in _mapping(states).items():
            by = written if isinstance(written, Mapping) else {"any": written}
            phrases[f"customers.{service}.{state}"] = {str(who): _texts(texts) for who, texts in by.items()}
    return phrases


def _mapping(value: object) -> Mapping[object, object]:
    return value if isinstance(value, Mapping) else {}


def _texts(value: object) -> list[str]:
    return [str(text) for text in value] if isinstance(value, list) else [str(value)]


def systems_mistakes(spec: WorldSpec) -> Iterator[Mistake]:
    """What is wrong with prose/systems.yaml, and with the phrases of people."""
    for topic, services in spec.prose.get("systems", {}).items():
        if topic not in ("logs", "customers") or not isinstance(services, Mapping):
            yield Mistake(
                "prose/systems.yaml",
                spec.line("prose/systems.yaml", topic),
                f"{topic}: expected logs: or customers:, each a mapping of services",
            )
            continue
        for service, kinds in services.items():
            place, line = f"{topic}.{service}", spec.line("prose/systems.yaml", topic, str(service))
            if service not in spec.services:
                yield Mistake("prose/systems.yaml", line, under(topic, unknown("service", str(service), spec.services)))
            elif not isinstance(kinds, Mapping):
                yield Mistake("prose/systems.yaml", line, f"{place}: expected texts by state or cause")
            elif topic == "logs" and not all(isinstance(texts, list) for texts in kinds.values()):
                yield Mistake("prose/systems.yaml", line, f"{place}: expected lists of texts by state or cause")
            elif topic == "customers":
                yield from _writers(spec, place, kinds)
    yield from _occasions(spec)
    yield from _speechless(spec)


def _speechless(spec: WorldSpec) -> Iterator[Mistake]:
    """Services whose customers are to complain, and have no words for it."""
    prose = spec.prose.get("systems", {})
    written = _mapping(prose.get("customers"))
    is_sound = set(prose) <= {"logs", "customers"} and set(written) <= spec.services.keys()
    if spec.unread.get("prose/systems.yaml") or not is_sound:
        return  # what it has is called otherwise, which is said there
    for name, service in spec.services.items():
        try:
            state = parse_complaint(service.shows.customers).state if service.shows.customers else ""
        except ExpressionError:
            continue  # lint has said so
        states = _mapping(written.get(name))
        if state and not states.get(state):
            found = ", ".join(map(str, states)) or "none"
            place = f"customers.{name}.{state}"
            message = f"{name}.shows.customers: expected words for it in prose/systems.yaml, {place}; found {found}"
            yield Mistake("systems.yaml", spec.line("systems.yaml", name, "shows", "customers"), message)


def _writers(spec: WorldSpec, place: str, states: Mapping[object, object]) -> Iterator[Mistake]:
    """Complaints by somebody who is neither a customer nor a voice."""
    known = ["any", *spec.customers, *spec.contacts, *_pack()]
    for state, written in states.items():
        for who in written if isinstance(written, Mapping) else ():
            if who not in known:
                text = f"{place}.{state}: expected a customer, a voice or any, found {who!r}{near(str(who), known)}"
                message = Unknown(text, name=str(who), kind="person")
                yield Mistake(
                    "prose/systems.yaml",
                    spec.line("prose/systems.yaml", *place.split("."), str(state), str(who)),
                    message,
                )


def _occasions(spec: WorldSpec) -> Iterator[Mistake]:
    """Phrases of people for occasions that there are none of."""
    known = sorted({kind for kinds in _pack().values() for kind in kinds})
    for name, person in spec.people.items():
        for kind in person.phrases:
            if kind not in known:
                line = spec.line("people.yaml", name, "phrases", kind)
                message = f"{name}.phrases: expected one of {', '.join(known)}, found {kind!r}"
                yield Mistake("people.yaml", line, message)


@cache
def _pack() -> Mapping[str, Mapping[str, list[str]]]:
    """The voices that come with Brownout."""
    return read_data(data_path("packs", "voices.yaml"), dict[str, dict[str, list[str]]])
