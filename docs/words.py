"""Writes docs/words.md: every word of every file of a world, from the models that read them. Run: python -m docs.words."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from brownout.core.apps import App
from brownout.core.instants import duration_text
from brownout.core.plugins import load_plugin, plugin_names
from brownout.core.vocabulary import FieldSpec, WorldNames
from worlds.spec import models
from worlds.spec.case_scripts import CaseChanges
from worlds.spec.short_forms import VERBS, actions_of_verb

__all__ = ["PAGE", "page"]

PAGE: Final = Path(__file__).with_name("words.md")
_HEAD: Final = """\
# Every word

Made from what reads the files, by `python -m docs.words`; do not edit. How things hang together stands in
[the world format](world-format.md). A word without a default is required.
"""
_FILES: Final[Mapping[str, Mapping[str, type[BaseModel]]]] = {
    "world.yaml": {
        "": models.WorldFile, "company": models.CompanySpec, "clock": models.ClockSpec, "generation": models.Generation,
        "background": models.BackgroundSpec,
    },
    "people.yaml": {
        "a person, by short name": models.Person, "asked, by fact": models.AskedRule, "away": models.Away
    },
    "customers.yaml": {
        "a customer, by short name": models.Customer, "contract": models.CustomerContract,
        "contacts": models.CustomerContact,
    },
    "outsiders.yaml": {"an outsider, by short name": models.Outsider},
    "systems.yaml": {
        "a service, by name": models.Service, "needs, by name": models.Need, "behaves, by name": models.Behaviour,
        "shows": models.Shows,
    },
    "outages.yaml": {"an outage, by name": models.OutageSpec},
    "storylines/*.yaml": {
        "": models.Storyline, "drawn, by name": models.DrawnSlot, "facts, by name": models.FactSpec, "beats, by name": models.Beat,
        "does, each": models.Action,
        "talks, by name": models.Talk, "lines": models.Line, "mails, by name": models.Mail,
    },
    "tasks/<id>/task.yaml": {
        "": models.Task, "actor": models.Actor, "requester": models.Requester, "limits": models.TaskLimits,
        "rubric": models.Rubric, "flooding": models.Flooding, "a criterion, by name": models.Criterion,
    },
    "tasks/<id>/oracle.yaml, tasks/<id>/lazy/*.yaml, tasks/<id>/good/*.yaml": {
        "a step": models.OracleStep, "a case like the oracle": CaseChanges,
    },
}  # fmt: skip
_NOBODY: Final = WorldNames("company.test", frozenset(), frozenset(), {})


def page() -> str:
    """The whole page."""
    parts = [_HEAD]
    for file, sections in _FILES.items():
        parts.append(f"## {file}\n")
        for title, model in sections.items():
            parts.append("\n".join([*([f"**{title}**\n"] if title else []), *_table(model), ""]))
    parts.append("\n".join([*_intents(), ""]))
    parts.append(
        "## Apps\n\nEach app's section of world.yaml, what a beat may say to it, and the fields of its things.\n"
    )
    parts += [part for name in plugin_names("apps") if (part := _app(name))]
    return "\n".join(parts)


def _table(model: type[BaseModel]) -> Iterator[str]:
    yield "| word | default | meaning |"
    yield "|---|---|---|"
    for name, field in model.model_fields.items():
        if model is models.OutageSpec and name == "settings":
            continue
        yield f"| `{field.alias or name}` | {_default(field)} | {_shown(field.description or '')}{_choices(field)} |"


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    if isinstance(value, BaseModel):
        return "as below"
    if value in ("", None) or value == [] or value == {}:
        return ""
    if isinstance(value, dict):
        return ", ".join(f"`{name}`" for name in value)
    if isinstance(value, int) and value > 1_000_000:
        return f"`{duration_text(value)}`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _choices(field: FieldInfo) -> str:
    """The values of a word that may be one of a few."""
    options = [option for option in get_args(field.annotation) if isinstance(option, str)]
    return f" One of {', '.join(f'`{option}`' for option in options)}." if len(options) > 1 else ""


def _shown(text: str) -> str:
    return text.replace("|", "\\|")


def _intents() -> Iterator[str]:
    """What a beat's people may want done, by which verb, in which app, with which fields."""
    kinds = get_args(models.Action.model_fields["kind"].annotation)
    verbs = {
        verb: {str(action["kind"]) for action in actions}
        for verb in VERBS
        for actions in [actions_of_verb(verb, {"-": "-"})]
    }
    yield "## Intents\n"
    yield "What a beat does, of each kind: the verbs that come to it, the apps that can carry it, and the fields that the verb (or"
    yield "`details` of `does`) may have there beside whom it is meant for, what it acts on and what it says. `file` and `closed_by` may"
    yield "stand with any; `via` names the app where several can carry it.\n"
    yield "| kind | verbs | app | fields |"
    yield "|---|---|---|---|"
    for kind in kinds:
        by = ", ".join(f"`{verb}`" for verb, comes_to in verbs.items() if kind in comes_to)
        for name in plugin_names("apps"):
            app = load_plugin("apps", name)
            if isinstance(app, App) and kind in app.intents:
                details = app.text.vocabulary({}, _NOBODY).details if app.text else {}
                fields = (_words(details[kind]) or "none") if kind in details else "any, unchecked"
                yield f"| {kind} | {by} | {name} | {fields} |"


def _app(name: str) -> str:
    """An app's part, empty where it says nothing of what an author may write."""
    app = load_plugin("apps", name)
    if not isinstance(app, App) or app.text is None:
        return ""
    vocabulary = app.text.vocabulary({}, _NOBODY)
    lines = [f"### {name}\n", *_settings(app.text.settings, f"apps.{name}")]
    if app.intents:
        lines += [f"It can carry: {', '.join(sorted(app.intents))}.\n"]
    fields = vocabulary.fields("")
    if fields:
        lines += [f"Fields of its things: {_words(fields)}.\n"]
    return "\n".join(lines)


def _settings(model: type[BaseModel], place: str) -> Iterator[str]:
    if not model.model_fields:
        yield "No settings.\n"
        return
    yield f"**{place}**\n"
    yield from _table(model)
    yield ""
    for name, field in model.model_fields.items():
        for part in get_args(field.annotation):
            if isinstance(part, type) and issubclass(part, BaseModel):
                yield from _settings(part, f"{place}.{name}, by name")


def _words(words: Mapping[str, FieldSpec]) -> str:
    """Words with the few values that each may have, and which must be there."""
    shown = []
    for name, word in words.items():
        values = " or ".join(value for value in word.values or () if value)
        notes = [*(["required"] if word.is_required else []), *(["the name of a beat"] if word.is_thing else [])]
        shown.append(f"`{name}`" + (f" ({', '.join(notes)})" if notes else "") + (f": {values}" if values else ""))
    return ", ".join(shown)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
