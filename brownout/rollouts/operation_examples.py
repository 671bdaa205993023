"""What an operation answers, by an example from the world: it is really called, in a copy that is thrown away.

Arguments are tried in this order: those that the world's own scripts call the operation with, then values that stand together in
an answer of the same app, then values from different ones, then one more argument than must be given. What needs something that
the world does not have at that moment (a draft, a branch with commits) is tried again after each of the app's writes, then while the
world's reference solutions are played.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, islice, product, zip_longest
from typing import Final, Self, TypeAlias

from brownout.core.apps import App, Operation, VendorError
from brownout.core.errors import SandboxError
from brownout.core.values import Json, JsonObject
from brownout.engine.session import Session
from brownout.engine.throwaway_company import Trial
from brownout.engine.world import World
from brownout.rollouts.named_facts import truth_of
from brownout.rollouts.script_language import OracleMismatch, fill, keep
from worlds.package import TaskRecord
from worlds.spec import OracleStep
from worlds.spec.script_names import NAME_USED, TRUTH_USED

__all__ = ["Example", "Examples"]

_MOST_TRIES: Final = 60
_FEW_TRIES: Final = 24
"""Tries of an operation that is called only to learn values."""
_MOST_STAGES: Final = 6
"""Moments of one reference solution at which one that found nothing is tried again."""
_FEW_OF_A_FORM: Final = 4
"""Tries with the same arguments given, where it may be others that must be."""
_MOST_ANSWERS: Final = 6
"""Answers of a reading operation of which the fullest is taken."""
_MOST_VALUES: Final = 24
_FEW_VALUES: Final = 8
"""Values of an argument that are tried with each other where there are three or more arguments."""
_MOST_RECORDS: Final = 240
_MOST_THINGS: Final = 12
"""Things of one answer that are remembered."""
_MOST_MAKERS: Final = 6
"""Writing operations after which one that found nothing is tried again."""
_FAR: Final = 3
"""How unlike a field's name may be to an argument's for its value to be taken with others of the same thing."""

_WORD: Final = re.compile("[A-Z]?[a-z0-9]+|[A-Z]+")
_NAMING: Final = frozenset({"id", "key", "name", "number"})
"""Fields by which things are called, and words that arguments are given for them."""

_Leaf: TypeAlias = tuple[str, str, Json]
"""What a value stands in (`messages`), the name of its field (`id`), and the value."""


@dataclass(frozen=True, slots=True)
class _KnownRecord:
    """Values that belong together: those of one thing in an answer and what was asked to see it; and who saw it."""

    leaves: list[_Leaf]
    person: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """What came of looking for an example.

    Attributes:
        person: as whom the operation was called.
        arguments: with what.
        after: what made what it needs; empty where the world has it.
        answer: what came back, None where nothing did.
        why_not: the refusal that is the nearest to an answer, where there is none.
    """

    person: str = ""
    arguments: JsonObject = field(default_factory=dict)
    after: str = ""
    answer: Json = None
    why_not: str = ""

    @property
    def is_full(self) -> bool:
        """Whether there is an answer with something in it."""
        return self.answer is not None and not _is_empty(self.answer)


@dataclass(frozen=True, slots=True)
class _Stage:
    """A moment of a reference solution, and the call that led to it."""

    place: str
    trial: Trial
    call: str = ""
    arguments: JsonObject = field(default_factory=dict)
    answer: Json = None


class Examples:
    """The examples of an open world at one moment. What one search has learned of an app, the next one knows.

    with preview.trial() as trial, Examples(world, trial) as examples:
        examples.of("jira_add_comment").answer
    """

    def __init__(self, world: World, trial: Trial, person: str = "") -> None:
        """Look in a trial, as one person or as whoever plays a task with the app."""
        self._world, self._trial, self._person = world, trial, person
        self._scripts = list(_steps(world))
        self._known: dict[str, list[_KnownRecord]] = {}
        self._stages: dict[str, list[_Stage]] = {}
        self._outages: list[_Stage] | None = None

    def of(self, name: str) -> Example:
        """An example of an operation.

        Raises:
            KeyError: the world has no such operation.
        """
        operation = self._world.setting.operations[name]
        app = self._world.setting.apps[operation.app]
        known = self._learned(app)
        found = self._try(self._trial, operation, known, _MOST_TRIES)
        for looking in (self._after_a_write, self._in_a_script, self._in_an_outage):
            if not found.is_full:
                later = looking(app, operation, known)
                found = later if later.is_full else found
        return found

    def _after_a_write(self, app: App, operation: Operation, known: list[_KnownRecord]) -> Example:
        """The example that there is once another operation of the app has made what it needs."""
        makers = [other for other in app.operations.values() if other.writes and other is not operation]
        for maker in sorted(makers, key=lambda other: -_likeness(other.name, operation.name))[:_MOST_MAKERS]:
            with self._trial.fork() as trial:
                made = self._search(trial, maker, known, _FEW_TRIES)
                if made.answer is None:
                    continue
                seen = list(_records(maker.name, made))
                self._read(trial, app, seen, _FEW_OF_A_FORM)
                found = self._search(trial, operation, [*seen, *known], _FEW_TRIES, made.person)
            if found.is_full:
                return replace(found, after=f"{maker.name} {made.arguments}")
        return Example()

    def _in_a_script(self, app: App, operation: Operation, known: list[_KnownRecord]) -> Example:
        """The example that a reference solution makes, or that there is before it or after one of its calls of the app."""
        tasks = [task for task in self._world.package.tasks.values() if app.name in task.apps]
        for task in sorted(tasks, key=lambda task: operation.name not in self._calls(task)):
            stages = [stage for stage in self._played(task) if stage.call in ("", *app.operations)]
            for stage in sorted(stages, key=lambda stage: -_likeness(stage.call, operation.name))[:_MOST_STAGES]:
                if stage.call == operation.name:
                    found = Example(task.actor, stage.arguments, "", stage.answer)
                else:
                    seen = list(_records(stage.call, Example(task.actor, stage.arguments, "", stage.answer)))
                    found = self._try(stage.trial, operation, [*seen, *known], _FEW_TRIES, task.actor)
                if found.is_full:
                    return replace(found, after=stage.place)
        return Example()

    def _in_an_outage(self, app: App, operation: Operation, known: list[_KnownRecord]) -> Example:
        """The example that there is in the middle of one of the calendar's outages."""
        if self._outages is None:
            preview, self._outages = self._world.preview(), []
            for outage in self._world.package.outages:
                if outage.start is not None:
                    preview.go(outage.start + outage.lasts // 2)
                    self._outages.append(_Stage(f"what happens by the middle of {outage.name}", preview.trial()))
            preview.close()
        for stage in self._outages:
            seen: list[_KnownRecord] = []
            self._read(stage.trial, app, seen, _FEW_OF_A_FORM)
            found = self._try(stage.trial, operation, [*seen, *known], _FEW_TRIES)
            if found.is_full:
                return replace(found, after=stage.place)
        return Example()

    def _calls(self, task: TaskRecord) -> set[str]:
        return {step.call for step in self._world.package.oracle(task.id)}

    def _played(self, task: TaskRecord) -> list[_Stage]:
        """The stages of a task's reference solution, as far as it can be played here: its start and each call."""
        if task.id not in self._stages:
            with self._world.open_session(task.id) as session:
                stages = self._stages[task.id] = [_Stage(f"the start of {task.id}", session.trial())]
                with suppress(SandboxError):
                    for number in _steps_played(session):
                        made, place = session.acts[-1], f"step {number} of the reference solution of {task.id}"
                        if not made.answer.is_error:
                            call, answer = made.call, made.answer.structured
                            stages.append(_Stage(place, session.trial(), call.name, call.arguments, answer))
        return self._stages[task.id]

    def close(self) -> None:
        """Forget what was done."""
        for stage in chain(*self._stages.values(), self._outages or []):
            stage.trial.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _learned(self, app: App) -> list[_KnownRecord]:
        """What the world's scripts and the app's reading operations tell."""
        if app.name in self._known:
            return self._known[app.name]
        known = self._known[app.name] = []
        for actor, step in self._scripts:
            if step.call in app.operations:
                known.append(
                    _KnownRecord([leaf for leaf in _leaves("", step.arguments) if not _is_open(leaf[2])], actor)
                )
        for profile in self._world.setting.people.values():
            account = profile.account
            known.append(
                _KnownRecord([("person", name, str(getattr(account, name))) for name in ("person", "email", "name")])
            )
        self._read(self._trial, app, known, _FEW_TRIES)
        return known

    def _read(self, trial: Trial, app: App, known: list[_KnownRecord], tries: int) -> None:
        """Add what the app's reading operations tell, those first that need the least."""
        reads = [operation for operation in app.operations.values() if not operation.writes]
        for operation in sorted(reads, key=lambda one: len(_required(one.schema))):
            found = self._search(trial, operation, known, tries)
            known[:0] = islice(_records(operation.name, found), _MOST_THINGS)
            del known[_MOST_RECORDS:]

    def _try(
        self, trial: Trial, operation: Operation, known: list[_KnownRecord], tries: int, person: str = ""
    ) -> Example:
        """What `_search` finds; the trial stays as it is."""
        if not operation.writes:
            return self._search(trial, operation, known, tries, person)
        with trial.fork() as copy:
            return self._search(copy, operation, known, tries, person)

    def _search(
        self, trial: Trial, operation: Operation, known: list[_KnownRecord], tries: int, person: str = ""
    ) -> Example:
        """The fullest of the first answers; of a writing operation the first."""
        best, why_not, answers = Example(), "", 0
        for who, arguments in islice(self._candidates(operation, known, person), tries):
            try:
                answer = trial.call(operation.name, arguments, who)
            except VendorError as error:
                why_not = why_not or f"{error.line} (asked with {arguments})"
                continue
            except SandboxError as error:
                return Example(why_not=str(error))
            answers += 1
            if best.answer is None or (not _is_empty(answer), _size(answer)) > (best.is_full, _size(best.answer)):
                best = Example(who, arguments, "", answer)
            if operation.writes or (best.is_full and (not arguments or answers >= _MOST_ANSWERS)):
                break
        return best if best.answer is not None else Example(why_not=why_not or "nothing to ask it with")

    def _candidates(
        self, operation: Operation, known: list[_KnownRecord], person: str
    ) -> Iterator[tuple[str, JsonObject]]:
        """Whom to ask as and with what, the likeliest first, each once."""
        scripted = [
            (actor, step.arguments) for actor, step in self._scripts if step.call == operation.name and not step.fails
        ]
        usual = person or self._actor(operation)
        required, optional = _required(operation.schema), _optional(operation.schema)
        forms: list[tuple[str, JsonObject, list[str], int]] = [
            (actor, {name: value for name, value in given.items() if not _is_open(value)}, [*given], _FEW_OF_A_FORM)
            for actor, given in scripted[:_MOST_VALUES]
        ]
        forms.append((usual, {}, required, _FEW_TRIES // 2))
        forms += [(other, {}, required, 1) for other in self._others(usual)]
        seen, values_known = [], _ArgumentValues(operation.schema, known)
        _, likely = next(values_known.together(required), ("", {}))
        forms += [(usual, likely, [*required, name], _FEW_OF_A_FORM) for name in optional]
        forms.append((usual, {}, required, _MOST_TRIES))
        for actor, given, names, tries in forms:
            wanted = [name for name in names if name not in given]
            for whose, values in islice(values_known.together(wanted), tries):
                candidate = (self._person or (whose if actor == usual else "") or actor, {**given, **values})
                if candidate not in seen:
                    seen.append(candidate)
                    yield candidate

    def _others(self, usual: str) -> list[str]:
        """People beside whoever is asked as, for what nobody may do with what is their own."""
        found = [name for name, profile in self._world.setting.people.items() if profile.account.kind == "person"]
        return [name for name in found if name != usual][:_FEW_OF_A_FORM] if not self._person else []

    def _actor(self, operation: Operation) -> str:
        """Who asks: whoever was asked for, else the actor of a task with the app, else the first person."""
        actors = [task.actor for task in self._world.package.tasks.values() if operation.app in task.apps]
        people = self._world.setting.people
        return (
            self._person or next(iter(actors), "") or next(n for n, p in people.items() if p.account.kind == "person")
        )


def _steps(world: World) -> Iterator[tuple[str, OracleStep]]:
    """The steps of the world's reference solutions and of its good cases, with who plays them."""
    for task in world.package.tasks.values():
        for steps in (world.package.oracle(task.id), *world.package.cases(task.id, "good").values()):
            for step in steps:
                yield task.actor, step


def _steps_played(session: Session) -> Iterator[int]:
    """Plays a task's reference solution, and yields the number of each step that was made."""
    kept: dict[str, str] = {}
    for number, step in enumerate(session.package.oracle(session.task.id), 1):
        with suppress(OracleMismatch):
            answer = session.call(step.call, fill(step.arguments, kept, truth_of(session)))
            yield number
            kept |= keep(step.keep, answer.structured)
        if session.ended:
            return


def _is_open(value: Json) -> bool:
    """Whether a script's argument has parts that only an earlier answer gives."""
    if isinstance(value, str):
        return NAME_USED.search(value) is not None or TRUTH_USED.search(value) is not None
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(_is_open(part) for part in parts)


class _ArgumentValues:
    """What an operation's arguments may be given, of what is known."""

    def __init__(self, schema: JsonObject, known: Iterable[_KnownRecord]) -> None:
        self._schema, self._known = schema, list(known)
        self._chosen: dict[tuple[str, int], list[Json]] = {}

    def together(self, names: list[str]) -> Iterator[tuple[str, JsonObject]]:
        """Values for arguments, with who saw them: those of one record, then any with each other, the likeliest first."""
        parts = {name: _part(self._schema, name) for name in names}
        for record in self._known if names else ():
            found = {name: self._of_one(name, parts[name], record) for name in names}
            if None not in found.values():
                yield record.person, found
        most = _FEW_VALUES if len(names) > 2 else _MOST_VALUES
        choices = [self._choices(name, parts[name])[:most] for name in names]
        for ranks in sorted(product(*(range(len(values)) for values in choices)), key=sum):
            yield "", {name: values[rank] for name, values, rank in zip(names, choices, ranks, strict=True)}

    def _of_one(self, name: str, part: JsonObject, record: _KnownRecord) -> Json:
        """The value of one record that an argument is likely to take; None where there is none."""
        kind = self._kind(part)
        if "enum" in part or kind not in ("string", "integer"):
            return next(iter(self._choices(name, part)), None)
        likely = (leaf for leaf in record.leaves if _distance(name, leaf[0], leaf[1]) < _FAR and _fits(leaf[2], kind))
        best = min(likely, key=lambda leaf: _distance(name, leaf[0], leaf[1]), default=None)
        return None if best is None else best[2]

    def _choices(self, name: str, part: JsonObject) -> list[Json]:
        """Values to try for an argument, the likeliest first."""
        key = name, id(part)
        if key not in self._chosen:
            self._chosen[key] = self._chosen_anew(name, part)
        return self._chosen[key]

    def _chosen_anew(self, name: str, part: JsonObject) -> list[Json]:
        if isinstance(words := part.get("enum"), list):
            return words
        if isinstance(options := part.get("anyOf"), list):
            several = [self._choices(name, option) for option in options if isinstance(option, dict)]
            return [value for values in zip_longest(*several) for value in values if value is not None]
        match self._kind(part):
            case "boolean":
                return [True, False]
            case "array":
                items = part.get("items")
                return [[value] for value in self._choices(name, items)] if isinstance(items, dict) else []
            case "object":
                inner = _ArgumentValues({**self._schema, **self._resolved(part)}, self._known)
                return [{**values} for _, values in islice(inner.together(_required(self._resolved(part))), _FEW_TRIES)]
            case kind:
                leaves = dict.fromkeys(leaf for record in self._known for leaf in record.leaves if _fits(leaf[2], kind))
                fitting = dict.fromkeys(
                    leaf[2] for leaf in sorted(leaves, key=lambda one: _distance(name, one[0], one[1]))
                )
                return [*islice(fitting, _MOST_VALUES), *([1] if kind == "integer" else [""])]

    def _resolved(self, part: JsonObject) -> JsonObject:
        kinds, name = self._schema.get("$defs"), str(part.get("$ref", "")).rpartition("/")[2]
        found = kinds.get(name) if isinstance(kinds, dict) else None
        return found if isinstance(found, dict) else part

    def _kind(self, part: JsonObject) -> str:
        return str(self._resolved(part).get("type", "string"))


def _part(schema: JsonObject, name: str) -> JsonObject:
    properties = schema.get("properties")
    part = properties.get(name) if isinstance(properties, dict) else None
    return part if isinstance(part, dict) else {}


def _fits(value: Json, kind: str) -> bool:
    return isinstance(value, int) if kind == "integer" else isinstance(value, str)


@cache
def _distance(name: str, place: str, called: str) -> int:
    """How unlike the name of a field, and of what it stands in, is to that of an argument, from 0 (the same) to 4."""
    wanted, found, thing = _words(name), _words(called), _words(place)
    if wanted == found:
        return 0
    meant = wanted - _NAMING
    is_of_it = any(word.endswith(wish) for word in thing for wish in meant)
    if is_of_it and found <= _NAMING:
        return 1
    if meant & found:
        return 2
    return 3 if is_of_it else 4


def _likeness(name: str, other: str) -> int:
    """How many words two operations share; one that is the other is the most like it."""
    return len(_words(name) & _words(other)) + (name == other)


@cache
def _words(name: str) -> frozenset[str]:
    """The words of a name in whatever case, without their plural: `threadId` and `thread_ids` have the same."""
    return frozenset(word.lower().removesuffix("s") for word in _WORD.findall(name))


def _required(schema: JsonObject) -> list[str]:
    required = schema.get("required")
    return [str(name) for name in required] if isinstance(required, list) else []


def _optional(schema: JsonObject) -> list[str]:
    properties = schema.get("properties")
    return [name for name in properties if name not in _required(schema)] if isinstance(properties, dict) else []


def _records(operation: str, example: Example) -> Iterator[_KnownRecord]:
    """The things in an answer, each with what was asked; the whole of it where it lists none."""
    asked = _leaves("", example.arguments)
    for name, things in _parts(example.answer):
        for thing in things[:_MOST_VALUES] if isinstance(things, list) else ():
            yield _KnownRecord([*_leaves(name, thing), *asked], example.person)
    yield _KnownRecord([*_leaves(operation, example.answer), *asked], example.person)


def _parts(answer: Json) -> list[tuple[str, Json]]:
    return [*answer.items()] if isinstance(answer, dict) else [("", answer)]


def _leaves(place: str, value: Json, name: str = "") -> list[_Leaf]:
    """Every text and number in a value, with what it stands in and the name of its field."""
    if isinstance(value, dict):
        return [leaf for key, part in value.items() for leaf in _leaves(name or place, part, key)]
    if isinstance(value, list):
        return [leaf for part in value[:_MOST_VALUES] for leaf in _leaves(place, part, name)]
    if isinstance(value, bool) or value is None or value == "" or isinstance(value, float):
        return []
    return [(place, name, value)]


def _is_empty(answer: Json) -> bool:
    """Whether an answer lists nothing and says nothing."""
    lists = [part for _, part in _parts(answer) if isinstance(part, list)]
    return bool(lists) and not any(lists) and not any(isinstance(value, str) for _, _, value in _leaves("", answer))


def _size(value: Json) -> int:
    """How many fields a value shows."""
    if isinstance(value, dict):
        return len(value) + sum(_size(part) for part in value.values())
    return max((_size(part) for part in value), default=0) if isinstance(value, list) else 0
