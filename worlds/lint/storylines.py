"""Storylines: facts and who may hear them, beats and whether they can be carried out, talks, mails."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from brownout.core.apps import COMPLAINT
from brownout.core.errors import Mistake, Unknown, under
from worlds.lint.company import condition_problem
from worlds.lint.names import Names, near, nearest, unknown
from worlds.spec import Action, Beat, Storyline, WorldSpec
from worlds.spec.apps import app_for, apps_with

__all__ = ["storyline_mistakes"]

_VERBS: Final = {
    "tell": ("told", "mails"), "ask": ("asks",), "open": ("opens", "decides"), "begin": ("begins",), "close": ("closes", "decides"),
    "assign": ("assigns",), "comment": ("comments",), "write": ("writes",), "merge": ("merges",), "deploy": ("deploys",),
}  # fmt: skip
"""The words of an author's that come to each kind of intent."""
_ADDRESSED: Final = ("tell", "ask", "answer")
_STEM: Final = 4
"""Letters that forms of one word share."""
_EVERYWHERE: Final = ("file", "closed_by")


def storyline_mistakes(names: Names) -> Iterator[Mistake]:
    """What is wrong with the storylines."""
    for line, story in names.spec.storylines.items():
        file = f"storylines/{line}.yaml"
        yield from _facts(names, file, story)
        for name, beat in story.beats.items():
            yield from _beat(names, file, name, beat)
        yield from _talks(names, file, story)
        yield from _mails(names, file, story)
    yield from _twice(names)
    yield from _sections(names)
    yield from _synonyms(names)


def _twice(names: Names) -> Iterator[Mistake]:
    """Names that several storylines give: facts are one list for the whole world, and so are moments."""
    spec = names.spec
    facts: dict[str, str] = {}
    moments = {name: f"outages.yaml:{spec.line('outages.yaml', name)}" for name in spec.outages}
    for line, story in spec.storylines.items():
        file = f"storylines/{line}.yaml"
        entries: list[tuple[str, Iterable[str]]] = [
            ("beats", story.beats),
            ("talks", story.talks),
            ("mails", story.mails),
        ]
        entries += [*spec.sections.get(line, {}).items()]
        given = [("fact", facts, "facts", name) for name in story.facts]
        given += [("moment", moments, word, name) for word, named in entries for name in named]
        for kind, known, word, name in given:
            at = spec.line(file, word, name)
            if name in known:
                yield Mistake(file, at, f"{name}: expected a name of its own, found that of a {kind} in {known[name]}")
            known.setdefault(name, f"{file}:{at}")


def _synonyms(names: Names) -> Iterator[Mistake]:
    """Synonyms of a word that no fact has, under which nobody would be understood; only where all storylines can be read."""
    if any(file.startswith("storylines/") for file in names.spec.unread):
        return
    facts = [fact for story in names.spec.storylines.values() for fact in story.facts.values()]
    texts = (" ".join((fact.slot, *fact.about, *fact.says)) for fact in facts)
    used = {word[:_STEM] for text in texts for word in re.findall(r"[^\W_]+", text.lower())}
    for word in names.spec.world.synonyms:
        if any(part[:_STEM] not in used for part in re.findall(r"[^\W_]+", word.lower())):
            line = names.spec.line("world.yaml", "synonyms", word)
            yield Mistake(
                "world.yaml", line, f"synonyms.{word}: expected a word of a fact's slot, about or says; none has it"
            )


def _sections(names: Names) -> Iterator[Mistake]:
    """Entries of the apps' own words (`meetings:`) that name people or facts who are not there."""
    for line, words in names.spec.sections.items():
        file = f"storylines/{line}.yaml"
        for word, entries in words.items():
            for name, entry in entries.items():
                for person in entry.people:
                    if person not in names.everyone and "@" not in person:
                        at = names.spec.line(file, word, name)
                        yield Mistake(file, at, under(f"{word}.{name}", unknown("person", person, names.everyone)))
                yield from _states(names, file, f"{word}.{name}", (word, name, "states"), entry.states)


def _facts(names: Names, file: str, story: Storyline) -> Iterator[Mistake]:
    spec = names.spec
    teams = {f"team {team}" for team in names.teams}
    known = {*names.everyone, *(names.channels() or ()), *teams, "customers", "company"}
    for name, fact in story.facts.items():
        for number, target in enumerate(fact.audience or ()):
            if target not in known and not (target.startswith("#") and names.channels() is None):
                kind = "channel" if target.startswith("#") else "team" if target.startswith("team ") else "person"
                line = spec.line(file, "facts", name, "audience", number)
                yield Mistake(file, line, under(f"{name}.audience", unknown(kind, target, known)))


def _beat(names: Names, file: str, name: str, beat: Beat) -> Iterator[Mistake]:
    spec = names.spec
    known = [*names.people, *names.customers, *names.outsiders]
    if beat.who not in known:
        line = spec.line(file, "beats", name, "who")
        yield Mistake(file, line, under(f"{name}.who", unknown("person", beat.who, known)))
    if bool(beat.at) == bool(beat.when) and not spec.has_hole(file, "beats", name):
        yield Mistake(file, spec.line(file, "beats", name), f"{name}: expected either at: or when:")
    if beat.when and (problem := condition_problem(names, beat.when)):
        yield Mistake(file, spec.line(file, "beats", name, "when"), under(f"{name}.when", problem))
    for word, facts in (("makes", beat.makes), ("states", beat.states), ("learns", beat.learns)):
        yield from _states(names, file, f"{name}", ("beats", name, word), facts)
    for action in beat.does:
        for place, problem in _action_problems(names, action):
            yield Mistake(file, _line(spec, file, name, action, place), under(name, problem))


def _line(spec: WorldSpec, file: str, name: str, action: Action, place: str) -> int:
    """The line of a part of what a beat does, whichever of its words it was written with."""
    verbs = (*_VERBS.get(action.kind, ()), "does")
    parts = (place,) if place else ()
    return max(spec.line(file, "beats", name, verb, *parts) for verb in verbs)


def _states(names: Names, file: str, name: str, place: tuple[str, ...], facts: Iterable[str]) -> Iterator[Mistake]:
    for number, fact in enumerate(facts):
        if not names.is_fact(fact):
            line = names.spec.line(file, *place, number)
            yield Mistake(file, line, under(name, unknown("fact", fact, names.facts)))


# -- what a beat does ---------------------------------------------------------------------------------------


def _action_problems(names: Names, action: Action) -> Iterator[tuple[str, str]]:
    """Why an action could not be carried out, each with the word that is meant."""
    spec = names.spec
    file = action.details.get("file")
    if isinstance(file, str) and not _is_document(spec, file):
        yield "file", f"expected documents/{file}, found no such file"
    if action.via is None and action.verb:
        if names.knows_all_operations:
            yield "", _nowhere(names, action.verb)
        return
    if action.via is not None and action.via not in spec.world.apps:
        yield action.to[0] if action.to else "via", unknown("app", action.via, spec.world.apps)
        return
    if problem := _carrier_problem(names, action):
        yield action.to[0] if action.to else "via", problem
        return
    if action.kind in ("tell", "ask") and not action.to:
        yield "to", f"expected whom it is for; found nobody to {action.kind}"
    for target in action.to:
        problem = _target_problem(names, target, action)
        if problem:
            yield target, problem
    if action.kind == "deploy" and action.thing not in names.services:
        yield "service", unknown("service", action.thing, names.services)
    if action.via is not None:
        yield from _detail_problems(names, action, action.via)


def _carrier_problem(names: Names, action: Action) -> str:
    """Why no product takes it; one that could not be loaded may."""
    if action.via in names.apps:
        app = names.apps[action.via]
        can = ", ".join(sorted(app.intents)) or "nothing"
        return (
            "" if action.kind in app.intents else f"{app.name} cannot carry what is to {action.kind}; it carries {can}"
        )
    is_carried = any(action.kind in app.intents for app in names.apps.values())
    return "" if is_carried or not names.knows_all_operations else f"no app of this world can {action.kind}"


def _target_problem(names: Names, target: str, action: Action) -> str:
    if target.startswith("#"):
        return names.channel_problem(target, action.via or "") if action.kind in _ADDRESSED else ""
    known = [*names.everyone, *names.groups]
    return "" if "@" in target or target in known else unknown("person", target, known)


def _detail_problems(names: Names, action: Action, app: str) -> Iterator[tuple[str, str]]:
    vocabulary = names.vocabularies.get(app)
    words = vocabulary.details.get(action.kind) if vocabulary else None
    if words is None:
        return
    made = names.made_in(app)
    misspelt = {nearest(name, [*words, *_EVERYWHERE]) for name in action.details if name not in words}
    if (
        action.thing
        and action.kind in ("begin", "close", "comment", "assign")
        and not _is_made(action.thing, made, app)
    ):
        yield (
            "on" if action.kind == "comment" else "issue",
            _no_beat(action.thing, made, app),
        )
    for name, word in words.items():
        if word.is_required and name not in action.details and name not in misspelt:
            yield name, f"expected {name}: for what is to {action.kind} in {app}"
    for name, value in action.details.items():
        if name not in words:
            if name not in _EVERYWHERE:
                yield name, f"unknown word {name!r}{near(name, [*words, *_EVERYWHERE])}"
            continue
        given = value if isinstance(value, list) else [value]
        allowed = words[name].values
        for one in given:
            if allowed is not None and one not in allowed:
                hint = (
                    near(str(one), map(str, allowed))
                    or f"; expected one of {', '.join(map(str, allowed)) or 'nothing'}"
                )
                yield name, Unknown(f"{name}: {app} has no {one!r}{hint}", name=str(one), kind="value")
            elif words[name].is_thing and not _is_made(str(one), made, app):
                yield name, under(name, _no_beat(str(one), made, app))


def _no_beat(thing: str, made: Iterable[str], app: str) -> Unknown:
    return Unknown(f"no beat makes {thing!r} in {app}{near(thing, made)}", name=thing, kind="beat")


def _is_made(thing: str, made: Iterable[str], app: str) -> bool:
    return thing in made or thing.startswith(f"{app}:")


def _is_document(spec: WorldSpec, name: str) -> bool:
    """Whether the author has such a document; a name that leads out of the folder is none."""
    root = (spec.root / "documents").resolve()
    path = (root / name).resolve()
    return path.is_file() and path.is_relative_to(root)


# -- talks and mails ----------------------------------------------------------------------------------------


def _talks(names: Names, file: str, story: Storyline) -> Iterator[Mistake]:
    spec = names.spec
    for name, talk in story.talks.items():
        place = ("talks", name)
        if not talk.via and names.knows_all_operations:
            yield Mistake(file, spec.line(file, *place), f"{name}: {_nowhere(names, 'talks')}")
        elif talk.via and talk.via not in spec.world.apps:
            yield Mistake(
                file, spec.line(file, *place, "via"), under(f"{name}.via", unknown("app", talk.via, spec.world.apps))
            )
        if not talk.where.startswith("#"):
            if talk.where not in names.people:
                line = spec.line(file, *place, "in")
                yield Mistake(file, line, under(f"{name}.in", unknown("person", talk.where, names.people)))
        elif talk.via in spec.world.apps and (problem := names.channel_problem(talk.where, talk.via)):
            yield Mistake(file, spec.line(file, *place, "in"), under(f"{name}.in", problem))
        for number, said in enumerate(talk.lines):
            line = spec.line(file, *place, "lines", number)
            for who in (said.who, *(reader for readers in said.reacts.values() for reader in readers)):
                if who not in names.people:
                    yield Mistake(file, line, under(name, unknown("person", who, names.people)))
            if said.was and said.edited is None:
                yield Mistake(file, line, f"{name}: was: only a line that was `edited` said something else before")
        yield from _states(names, file, name, (*place, "states"), talk.states)


def _mails(names: Names, file: str, story: Storyline) -> Iterator[Mistake]:
    spec = names.spec
    if story.mails and names.knows_all_operations and not app_for("mails", spec.world.apps):
        yield Mistake(file, spec.line(file, "mails"), _nowhere(names, "mails"))
    known = [*names.everyone, *names.groups]
    for name, mail in story.mails.items():
        place = ("mails", name)
        if mail.who not in names.everyone:
            line = spec.line(file, *place, "who")
            yield Mistake(file, line, under(f"{name}.who", unknown("person", mail.who, names.everyone)))
        for word, targets in (("to", mail.to), ("cc", mail.cc)):
            for number, target in enumerate(targets):
                if "@" not in target and target not in known:
                    line = spec.line(file, *place, word, number)
                    yield Mistake(file, line, under(f"{name}.{word}", unknown("person or group", target, known)))
        answerable = [*story.mails, *_mailed(story), *(COMPLAINT + one for one in names.customers)]
        if mail.re is not None and mail.re not in answerable:
            customer = mail.re.removeprefix(COMPLAINT)
            kind = "mail" if customer == mail.re else "person"
            text = f"{name}.re: there is no mail {mail.re!r}{near(mail.re, answerable)}"
            yield Mistake(file, spec.line(file, *place, "re"), Unknown(text, name=customer, kind=kind))
        yield from _states(names, file, name, (*place, "states"), mail.states)


def _mailed(story: Storyline) -> list[str]:
    """The beats that are mails."""
    return [name for name, beat in story.beats.items() if any(action.verb == "mails" for action in beat.does)]


def _nowhere(names: Names, verb: str) -> str:
    """That no app of the world has a verb, and which would; or that several have it, and how to name one."""
    takers = [app.name for app in names.apps.values() if verb in app.verbs]
    if takers:
        return (
            f"{verb}: {' and '.join(takers)} of this world both take it; name the one that is meant, via: {takers[0]}"
        )
    others = ", ".join(apps_with(verb))
    can = f"; add one to apps in world.yaml: {others}" if others else ""
    return f"{verb}: no app of this world takes it{can}"
