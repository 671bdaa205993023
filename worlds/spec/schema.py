"""The JSON schema of every file that an author writes, in the words that stand in the files; `brownout schema` prints it.

The models say most of it. What they read in short forms (verbs of a beat, lines of a talk, typed values, a criterion's grader)
is added here, and what refers to something by name says so with `x-refers`, for completion and for forms.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from pydantic import BaseModel, TypeAdapter

from brownout.core.apps import App
from brownout.core.instants import duration_text
from brownout.core.plugins import load_plugin, plugin_names
from brownout.core.values import Json, JsonObject
from worlds.spec import models
from worlds.spec.case_scripts import CaseChanges
from worlds.spec.findings import FIELD_KINDS

__all__ = ["FILES", "file_schema", "pattern_of", "schema_document"]

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_TEMPLATE: Final = "#/$defs/{model}"

FILES: Final[Mapping[str, tuple[type[BaseModel], bool]]] = {
    "world.yaml": (models.WorldFile, False),
    "people.yaml": (models.Person, True),
    "customers.yaml": (models.Customer, True),
    "outsiders.yaml": (models.Outsider, True),
    "systems.yaml": (models.Service, True),
    "outages.yaml": (models.OutageSpec, True),
    "storylines/*.yaml": (models.Storyline, False),
    "tasks/*/task.yaml": (models.Task, False),
}
"""By the pattern of its path, what a file holds, and whether it holds several of it by name. Scripts of tasks come beside these."""
_SCRIPTS: Final = ("tasks/*/oracle.yaml", "tasks/*/lazy/*.yaml", "tasks/*/good/*.yaml")

_REFERS: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("Person", "manager"): ("person",),
    ("Person", "team"): ("team",),
    ("Person", "reads"): ("app",),
    ("Person", "zone"): ("zone",),
    ("Person", "asked"): ("fact",),
    ("Customer", "owner"): ("person",),
    ("ClockSpec", "zone"): ("zone",),
    ("Service", "on_call"): ("person",),
    ("Service", "team"): ("team",),
    ("Service", "repo"): ("repository",),
    ("Need", "is"): ("service", "vendor"),
    ("Need", "can_be"): ("service", "vendor"),
    ("Shows", "posts"): ("channel",),
    ("OutageSpec", "on"): ("app", "service", "vendor"),
    ("OutageSpec", "from"): ("moment",),
    ("OutageSpec", "people"): ("person",),
    ("FactSpec", "since"): ("moment",),
    ("FactSpec", "until"): ("moment",),
    ("FactSpec", "slot"): ("slot",),
    ("FactSpec", "audience"): ("person", "customer", "channel"),
    ("Beat", "at"): ("moment",),
    ("Beat", "who"): ("person", "customer"),
    ("Beat", "makes"): ("fact",),
    ("Beat", "states"): ("fact",),
    ("Beat", "learns"): ("fact",),
    ("Talk", "at"): ("moment",),
    ("Talk", "in"): ("channel", "person"),
    ("Talk", "via"): ("app",),
    ("Talk", "states"): ("fact",),
    ("Mail", "at"): ("moment",),
    ("Mail", "who"): ("person", "customer"),
    ("Mail", "to"): ("person", "customer"),
    ("Mail", "cc"): ("person", "customer"),
    ("Mail", "states"): ("fact",),
    ("Task", "start"): ("moment",),
    ("Actor", "apps"): ("app",),
    ("Requester", "person"): ("person",),
    ("WorldFile", "flagship"): ("task",),
    ("OracleStep", "meets"): ("outage",),
}
_DURATION: Final[JsonObject] = {"type": "string", "pattern": r"^(\d+d)?(\d+h)?(\d+m)?(\d+s)?$", "x-kind": "duration"}
_SHARE: Final[JsonObject] = {"type": ["string", "integer"], "x-kind": "share"}
_VERBS: Final[Mapping[str, tuple[str, JsonObject]]] = {
    "told": ("Says it there: a channel or a person, each with its app; an empty app is whichever works then.", {}),
    "asks": ("Asks somebody.", {"person": {}, "about": {}, "via": {}}),
    "mails": ("Writes a mail.", {"to": {}, "cc": {}, "subject": {}}),
    "opens": ("Opens a ticket.", {"issue": {}, "project": {}, "type": {}, "priority": {}, "assignee": {}, "labels": {}}),
    "decides": ("A ticket with the decision, closed at once.", {"issue": {}, "project": {}}),
    "closes": ("Closes a ticket.", {"issue": {}, "duplicate_of": {}, "root_cause": {}, "resolution": {}}),
    "begins": ("Takes a ticket up.", {"issue": {}}),
    "comments": ("Comments on what a beat has opened.", {"on": {}, "text": {}}),
    "assigns": ("Gives a ticket to somebody.", {"issue": {}, "to": {}}),
    "writes": ("Writes a page.", {"doc": {}, "space": {}, "file": {}}),
    "merges": ("Merges a pull request.", {"pull": {}}),
    "deploys": ("Runs a version.", {"service": {}, "version": {}, "commit": {}}),
}  # fmt: skip


def schema_document() -> JsonObject:
    """All of it: `files` by the pattern of their path, each a JSON schema by itself."""
    return {"$schema": _DIALECT, "title": "Brownout world", "files": {name: file_schema(name) for name in _patterns()}}


def file_schema(pattern: str) -> JsonObject:
    """The schema of the files of one pattern, `people.yaml` or `storylines/*.yaml`.

    Raises:
        KeyError: there is no such file.
    """
    if pattern in _SCRIPTS:
        steps: JsonObject = {"type": "array", "items": _step()}
        one = _of(CaseChanges)
        found: JsonObject = {"anyOf": [steps, {"$ref": "#/$defs/CaseChanges"}], "$defs": {**_defs(one), "CaseChanges": _bare(one)}}  # fmt: skip
        return _completed({"$schema": _DIALECT, "title": pattern, **(steps if "oracle" in pattern else found)})
    model, is_map = FILES[pattern]
    schema = _of(model)
    if not is_map:
        return _completed({"$schema": _DIALECT, **schema, "title": pattern}, root=model.__name__)
    defs = {**_defs(schema), model.__name__: _bare(schema)}
    return _completed(
        {
            "$schema": _DIALECT,
            "title": pattern,
            "type": "object",
            "propertyNames": {"pattern": "^[a-z][a-z0-9-]*$"},
            "additionalProperties": {"$ref": _TEMPLATE.format(model=model.__name__)},
            "$defs": defs,
        }
    )


def pattern_of(file: str) -> str:
    """Which of the patterns a path is of, empty where it is of none: `storylines/holds.yaml` is of `storylines/*.yaml`."""
    parts = file.split("/")
    for pattern in _patterns():
        wanted = pattern.split("/")
        if len(wanted) == len(parts) and all(
            one == part or (one == "*") or (one == "*.yaml" and part.endswith(".yaml"))
            for one, part in zip(wanted, parts, strict=True)
        ):
            return pattern
    return ""


def _patterns() -> tuple[str, ...]:
    return (*FILES, *_SCRIPTS)


# -- what the models do not say ---------------------------------------------------------------------------


def _of(model: type[BaseModel]) -> JsonObject:
    schema: JsonObject = TypeAdapter(model).json_schema(by_alias=True, ref_template=_TEMPLATE)
    return schema


def _completed(schema: JsonObject, *, root: str = "") -> JsonObject:
    """The schema with the short forms, references and plain titles, in every definition."""
    defs = _defs(schema)
    for name, definition in [*defs.items(), *([(root, schema)] if root else [])]:
        if isinstance(definition, dict):
            _complete(name, definition, defs)
    schema["$defs"] = defs
    if not defs:
        del schema["$defs"]
    return schema


def _complete(name: str, definition: JsonObject, defs: JsonObject) -> None:
    properties = definition.get("properties")
    if not isinstance(properties, dict):
        return
    definition.pop("title", None) if name else None
    for word, part in properties.items():
        if not isinstance(part, dict):
            continue
        part.pop("title", None)
        default = part.get("default")
        if part.get("x-kind") == "duration" and isinstance(default, int):
            part["default"] = duration_text(default)
        if kinds := _REFERS.get((name, word)):
            part["x-refers"] = [*kinds]
    if form := _FORMS.get(name):
        form(definition, properties, defs)


def _fact(definition: JsonObject, properties: JsonObject, defs: JsonObject) -> None:
    properties.pop("kind", None)
    plain: JsonObject = {"type": ["string", "number", "boolean"]}
    typed: JsonObject = {
        "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": False,
        "properties": {kind: {"type": ["string", "number"]} for kind in FIELD_KINDS},
    }  # fmt: skip
    properties["is"] = {**_described(properties["is"]), "anyOf": [plain, typed]}


def _beat(definition: JsonObject, properties: JsonObject, defs: JsonObject) -> None:
    properties.pop("does", None)
    for verb, (says, words) in _VERBS.items():
        parts: JsonObject = {word: {} for word in words}
        properties[verb] = {"type": "object", "description": says, "properties": parts, "x-verb": True}


def _line(definition: JsonObject, properties: JsonObject, defs: JsonObject) -> None:
    description = definition.get("description", "")
    own: JsonObject = {word: properties[word] for word in ("after", "reacts", "edited", "was")}
    plain: JsonObject = {"type": "string", "pattern": "^(> ?)?[a-z][a-z0-9-]*: ?", "x-kind": "line"}
    more: JsonObject = {"type": "object", "properties": own, "additionalProperties": {"type": "string"}}
    definition.clear()
    definition |= {"description": description, "anyOf": [plain, more]}


def _criterion(definition: JsonObject, properties: JsonObject, defs: JsonObject) -> None:
    for word in ("grader", "asks"):
        properties.pop(word, None)
    graders = plugin_names("graders")
    properties |= {grader: {"description": "What this grader asks.", "x-grader": True} for grader in graders}
    definition["required"] = []


def _finding(definition: JsonObject, properties: JsonObject, defs: JsonObject) -> None:
    for word in ("kind", "right"):
        properties.pop(word, None)
    properties |= {kind: {"description": f"What is right, a {kind}."} for kind in (*FIELD_KINDS, "fact")}
    properties["of"] = {**_described(properties["of"]), "type": ["object", "array"]}
    definition["required"] = ["asks"]


def _outage(definition: JsonObject, properties: JsonObject, defs: JsonObject) -> None:
    """The settings of every mode, which stand beside the outage's own words."""
    properties.pop("settings", None)
    modes: JsonObject = {}
    says: JsonObject = {}
    for name in plugin_names("faults"):
        parameters = getattr(load_plugin("faults", name), "parameters", None)
        if not isinstance(parameters, type) or not issubclass(parameters, BaseModel):
            continue
        says[name] = _says(load_plugin("faults", name))
        own = _of(parameters)
        words = own.get("properties", {})
        modes[name] = [*words] if isinstance(words, dict) else []
        for word, part in words.items() if isinstance(words, dict) else ():
            if isinstance(part, dict):
                part.pop("title", None)
                properties.setdefault(word, {**part, "x-setting": True})
    properties["mode"] = {
        **_described(properties["mode"]),
        "type": "string",
        "examples": [*modes],
        "x-modes": modes,
        "x-says": says,
    }
    definition["additionalProperties"] = True
    for word, default in (("share", _SHARE), ("latency", _DURATION), ("by", _DURATION), ("retry_after", _DURATION)):
        given = properties.get(word)
        if isinstance(given, dict):
            properties[word] = {**_described(given), **default, "x-setting": True}


def _says(mode: object) -> str:
    """What a fault mode does, as it says itself."""
    return (getattr(getattr(mode, "apply", None), "__doc__", None) or "").strip().partition("\n")[0]


def _world(definition: JsonObject, properties: JsonObject, defs: JsonObject) -> None:
    apps: JsonObject = {}
    for name in plugin_names("apps"):
        app = load_plugin("apps", name)
        section: JsonObject = {"type": ["object", "null"]}
        if isinstance(app, App) and app.text is not None:
            own = _of(app.text.settings)
            defs |= {key: value for key, value in _defs(own).items() if key not in defs}
            section = {**_bare(own), "type": ["object", "null"]}
            section.pop("title", None)
        apps[name] = section
    properties["apps"] = {
        **_described(properties["apps"]),
        "anyOf": [{"type": "object", "properties": apps, "additionalProperties": True}, {"type": "array", "items": {"enum": [*apps]}}],
    }  # fmt: skip
    properties["background"] = {
        **_described(properties["background"]),
        "anyOf": [{"type": "number", "minimum": 0, "maximum": 3}, {"$ref": _TEMPLATE.format(model="BackgroundSpec")}],
    }


def _storyline(definition: JsonObject, properties: JsonObject, defs: JsonObject) -> None:
    ticket: JsonObject = {
        "type": "object",
        "required": ["at", "who", "opens"],
        "properties": {
            "at": {"type": "string", "description": "When it is opened.", "x-refers": ["moment"]},
            "who": {"type": "string", "description": "Who opens it.", "x-refers": ["person", "customer"]},
            "opens": {"type": "object", "description": "issue, project, type, priority, assignee, labels."},
            "text": {"type": "string", "description": "What it says."},
            "then": {"type": "array", "items": {"type": "string"}, "description": "What became of it, a line each."},
            "makes": {"type": "array", "items": {"type": "string"}, "x-refers": ["fact"]},
            "states": {"type": "array", "items": {"type": "string"}, "x-refers": ["fact"]},
        },
    }
    defs["Ticket"] = ticket
    properties["tickets"] = {
        "type": "object",
        "description": "Tickets in short, with all that became of them.",
        "additionalProperties": {"$ref": _TEMPLATE.format(model="Ticket")},
    }
    for word, entry in _sections():
        own = _of(entry)
        defs |= {key: value for key, value in _defs(own).items() if key not in defs}
        name = entry.__name__
        defs[name] = _bare(own)
        properties[word] = {
            "type": "object",
            "description": (entry.__doc__ or "").partition("\n")[0],
            "additionalProperties": {"$ref": _TEMPLATE.format(model=name)},
        }
    definition["additionalProperties"] = False


def _sections() -> Iterator[tuple[str, type[BaseModel]]]:
    """What apps add to storylines: the word, and the model of an entry."""
    for name in plugin_names("apps"):
        app = load_plugin("apps", name)
        if isinstance(app, App):
            yield from ((word, section.entry) for word, section in app.sections.items())


def _step() -> JsonObject:
    words: JsonObject = {
        "keep": {"type": "object", "description": "Parts of the answer under names of yours."},
        "meets": {"type": "string", "description": "The outage that this call runs into.", "x-refers": ["outage"]},
        "fails": {"type": "boolean", "description": "It is refused, and must be."},
    }
    call: JsonObject = {"type": ["object", "string", "null"], "properties": words}
    return {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": call}


def _case(definition: JsonObject, properties: JsonObject, defs: JsonObject) -> None:
    """Steps stand by themselves or in a list, and the oracle's own by what names them."""
    one: JsonObject = {"anyOf": [_step(), {"type": ["string", "integer"]}]}
    for word in ("replace", "before", "after"):
        steps: JsonObject = {
            "type": "object",
            "additionalProperties": {"anyOf": [one, {"type": "array", "items": one}]},
        }
        properties[word] = {**_described(properties[word]), **steps}


def _contact(definition: JsonObject, properties: JsonObject, defs: JsonObject) -> None:
    """A single permission stands by itself."""
    may = properties["may"]
    words = may.get("items") if isinstance(may, dict) else None
    properties["may"] = {**_described(may), "anyOf": [{"type": "array", "items": words or {}}, words or {}]}


_FORMS: Final[Mapping[str, Callable[[JsonObject, JsonObject, JsonObject], None]]] = {
    "FactSpec": _fact,
    "Beat": _beat,
    "Line": _line,
    "Criterion": _criterion,
    "Finding": _finding,
    "CaseChanges": _case,
    "CustomerContact": _contact,
    "OutageSpec": _outage,
    "WorldFile": _world,
    "Storyline": _storyline,
}


def _defs(schema: JsonObject) -> JsonObject:
    found = schema.get("$defs", {})
    return dict(found) if isinstance(found, dict) else {}


def _bare(schema: JsonObject) -> JsonObject:
    return {key: value for key, value in schema.items() if key != "$defs"}


def _described(part: Json) -> JsonObject:
    """What a word means, without what it may be."""
    return {key: part[key] for key in ("description", "x-refers") if key in part} if isinstance(part, dict) else {}
