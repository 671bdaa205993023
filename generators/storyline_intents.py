"""Storylines as intents: each beat, and each entry of an app's section (`meetings:`), becomes what its people want done."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from brownout.core.apps import COMPLAINT, App, Intent
from brownout.core.error_notes import doing
from brownout.core.errors import Mistake, Unknown
from brownout.core.instants import SECOND, Instant
from brownout.core.seeds import Stream
from brownout.core.storyline_sections import Cause
from brownout.core.values import JsonObject
from brownout.core.vocabulary import near
from generators.planned_intents import Planned
from generators.reactions import plan_background, plan_line
from generators.timetable import TimedMessage, Timetable
from worlds.attendance import attendance_of
from worlds.spec import Action, Beat, Mail, Talk, WorldSpec
from worlds.spec.apps import app_for

__all__ = ["in_order", "plan_sections", "plan_story", "plan_triggered"]


def plan_story(spec: WorldSpec, times: Timetable) -> list[Planned]:
    """Every beat with a time as intents, in the order of their times."""
    planned: list[Planned] = []
    moments = times.moments
    for line, story in spec.storylines.items():
        with doing(f"what is told in storylines/{line}.yaml"):
            for name, beat in story.beats.items():
                if name in moments:
                    planned.extend(_beat(spec, line, name, beat, moments[name]))
            for name, talk in story.talks.items():
                planned.extend(_talk(spec, line, name, talk, times.messages[name]))
            for name, mail in story.mails.items():
                planned.extend(_mail(spec, line, name, mail, moments[name]))
    planned.extend(plan_background(spec, planned))
    return sorted(planned, key=lambda plan: (plan.at, plan.intent.key))


def plan_triggered(spec: WorldSpec) -> list[tuple[str, list[Planned]]]:
    """Every beat that waits for a condition, with its intents; their times count from when that comes true."""
    return [
        (beat.when, _beat(spec, line, name, beat, 0))
        for line, story in spec.storylines.items()
        for name, beat in story.beats.items()
        if beat.when
    ]


def _beat(spec: WorldSpec, line: str, name: str, beat: Beat, at: Instant) -> list[Planned]:
    facts = (*beat.makes, *beat.states)
    planned = []
    stream = Stream(spec.world.generation.seed, "story", line, name)
    for number, action in enumerate(beat.does):
        key = f"{line}/{name}" if number == 0 else f"{line}/{name}/{number}"
        intent = Intent(
            kind=action.kind,
            key=key,
            who=beat.who,
            to=tuple(action.to),
            via=action.via or "",
            subject=action.subject,
            text=_text(spec, line, name, number, action, facts),
            thing=action.thing or name,
            details={name: value for name, value in action.details.items() if name not in ("file", "closed_by")},
            facts=facts,
        )
        planned.append(Planned(at, intent))
        at += stream.between(60, 240) * SECOND + stream.below(SECOND)
    return planned


def _talk(spec: WorldSpec, line: str, name: str, talk: Talk, messages: Sequence[TimedMessage]) -> list[Planned]:
    """A conversation, one intent a message; answers in its thread hang on its first message."""
    first = f"{line}/{name}"
    planned: list[Planned] = []
    people = {person: attendance_of(one, spec.world.clock.zone) for person, one in spec.people.items()}
    for message, at in messages:
        key, said = message.key(first), message.said
        target = talk.where if talk.where.startswith("#") or said.who != talk.where else _other(talk, said.who)
        intent = Intent(
            kind="tell",
            key=key,
            who=said.who,
            to=(target,),
            via=talk.via,
            text=said.was or said.text,
            details={"thread": first} if said.in_thread else {},
            facts=tuple(talk.states),
        )
        planned.append(Planned(at, intent))
        planned.extend(plan_line(key, said, at, talk.via, people, spec.world.generation.seed))
    return planned


def _other(talk: Talk, who: str) -> str:
    """Whom somebody talks to in a direct conversation that is named after themselves."""
    return next((line.who for line in talk.lines if line.who != who), who)


def _mail(spec: WorldSpec, line: str, name: str, mail: Mail, at: Instant) -> Iterator[Planned]:
    """A mail; who answers one has opened it by then."""
    details: JsonObject = {"cc": [*mail.cc]} if mail.cc else {}
    via = app_for("mails", spec.world.apps)
    if mail.re is not None:
        details["thread"] = mail.re if mail.re.startswith(COMPLAINT) else f"{line}/{mail.re}"
        if mail.who in spec.people and not mail.re.startswith(COMPLAINT):
            before = Stream(spec.world.generation.seed, "opens", line, name).between(8 * SECOND, 55 * SECOND)
            opened = Intent("read", f"{line}/{name}/read", mail.who, via=via, thing=f"{line}/{mail.re}")
            yield Planned(at - before, opened)
    intent = Intent(
        kind="tell",
        key=f"{line}/{name}",
        who=mail.who,
        to=tuple(mail.to),
        via=via,
        subject=mail.subject,
        text=mail.text.strip(),
        thing=name,
        details=details,
        facts=tuple(mail.states),
    )
    yield Planned(at, intent)


def _text(spec: WorldSpec, line: str, name: str, number: int, action: Action, facts: tuple[str, ...]) -> str:
    """What the author wrote there, a document, or the passage recorded for the action; else what its facts say.

    What opens something may say nothing: many a ticket is its title.
    """
    if action.text:
        return action.text.strip()
    if isinstance(file := action.details.get("file"), str):
        return spec.document(file)
    passages = spec.prose.get(line, {}).get(name)
    if isinstance(passages, str):
        passages = [passages]
    if isinstance(passages, Mapping):
        found = passages.get(str(action.via or action.kind), passages.get(str(number)))
        return str(found) if found is not None else ""
    if isinstance(passages, list):
        return str(passages[min(number, len(passages) - 1)]) if passages else ""
    known = spec.storylines[line].facts
    said = " ".join(known[fact].says[0] for fact in facts if fact in known and known[fact].says)
    return said or ("" if action.kind == "open" else action.subject)


def prose_mistakes(spec: WorldSpec) -> list[Mistake]:
    """Passages recorded for beats that do not exist."""
    wrong = []
    for line, passages in spec.prose.items():
        beats = spec.storylines[line].beats if line in spec.storylines else {}
        absent = spec.absent.get(f"storylines/{line}.yaml", frozenset())
        wrong += [
            Mistake(f"prose/{line}.yaml", spec.line(f"prose/{line}.yaml", name), _no_beat(line, name, beats))
            for name in passages
            if line != "systems" and name not in beats and name not in absent
        ]
    return wrong


def _no_beat(line: str, name: str, beats: Iterable[str]) -> str:
    return Unknown(f"{name}: storyline {line!r} has no such beat{near(name, beats)}", name=name, kind="beat")


def plan_sections(spec: WorldSpec, apps: Mapping[str, App], times: Timetable) -> list[Planned]:
    """Every entry of the apps' sections as an intent, done as long before its time as its app says, be that before the calendar begins."""
    planned = []
    for line, words in spec.sections.items():
        for word, entries in words.items():
            app = next(app for app in apps.values() if word in app.sections)
            for name, entry in entries.items():
                cause = Cause(f"{line}/{name}", name, times.moments[name], spec.world.clock.zone)
                intent = replace(app.sections[word].intent(entry, cause), via=app.name, facts=tuple(entry.states))
                planned.append(Planned(cause.at - entry.ahead, intent))
    return planned


def in_order(planned: Planned) -> tuple[Instant, str]:
    """The key that puts what is planned in the order it happens in."""
    return planned.at, planned.intent.key
