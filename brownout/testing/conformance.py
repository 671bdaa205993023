"""Every app's operations seen to succeed and to fail, and its things seen to be found: one suite for ours and for strangers'.

An app's tests declare a table of cases, one for each operation, and the words by which authors name its things, and run the
checks over them in a session of any world that has the app:

    CASES = (
        Case("todo_add_item", {"text": "call Inês"}, {"text": ""}, error="bad"),
        Case("todo_finish_item", {"number": "$item"}, {"number": 99}, error="bad", before=(
            Step("todo_add_item", {"text": "x"}, keep={"item": "id"}),)),
    )

    NAMED = (NamedThing("todo", "call In*", before=(Step("todo_add_item", {"text": "call Inês"}),)),)

    def test_every_operation_has_a_case(): assert uncovered(app, CASES) == []
    def test_the_app_is_sound(): assert faults_of(app) == []
    def test_it_succeeds(session, case): check_success(session, case)
    def test_it_repeats(session, case): check_repeats(session, case)
    def test_it_fails(session, case): check_failure(session, case, shape={"problem"})
    def test_it_is_found(session, named): check_found(session, named)

`keep` takes parts of an answer as a reference solution does (`issues[0].key`); `$name` stands for one from then on.
"""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import get_args

from brownout.core.apps import App, VendorError
from brownout.core.calls import Observation
from brownout.core.faults import Refusal, RefusalKind
from brownout.core.values import Json, JsonObject
from brownout.engine.session import Session
from brownout.rollouts.named_facts import truth_of
from brownout.rollouts.script_language import fill, keep

__all__ = [
    "Case",
    "NamedThing",
    "Step",
    "check_failure",
    "check_found",
    "check_repeats",
    "check_success",
    "faults_of",
    "uncovered",
]

_NOTHING = "nothing is called this"


@dataclass(frozen=True, slots=True)
class Step:
    """A call made beforehand; `waits` minutes pass after it."""

    operation: str
    arguments: Mapping[str, Json] = field(default_factory=dict)
    keep: Mapping[str, str] = field(default_factory=dict)
    waits: int = 0


@dataclass(frozen=True, slots=True)
class Case:
    """One operation: arguments with which it succeeds, arguments with which it fails, and the vendor's word for that.

    Attributes:
        operation: the full name.
        error: stands somewhere in the answer of the failing call.
        before: calls that both need; a number kept from them is given as one where the operation wants one.
        changes: a writing operation leaves an effect; False where what it writes lies outside the tables.
    """

    operation: str
    succeeds: Mapping[str, Json]
    fails: Mapping[str, Json]
    error: str
    before: tuple[Step, ...] = ()
    changes: bool = True

    def __str__(self) -> str:
        return self.operation


@dataclass(frozen=True, slots=True)
class NamedThing:
    """What an author writes behind `<app>:` for something that is there: `NamedThing("jira", "BOX-31")`, `NamedThing("docs", "Runbook*")`.

    Attributes:
        before: calls that make it; `$name` in the word stands for what was kept from them.
    """

    app: str
    word: str
    before: tuple[Step, ...] = ()

    def __str__(self) -> str:
        return f"{self.app}:{self.word}"


def uncovered(app: App, cases: Iterable[Case]) -> list[str]:
    """The operations of an app that no case sees succeed and fail, and the cases of operations that it does not have."""
    covered = {case.operation for case in cases}
    return sorted(set(app.operations) ^ {name for name in covered if name.startswith(f"{app.name}_")})


def faults_of(app: App) -> list[str]:
    """What is wrong with an app as it stands: names that clash, tables without a key, outages it has no words for."""
    wrong = []
    for name, table in app.tables.tables.items():
        if str(name).startswith("engine_"):
            continue  # the store's own, which an app may share
        keys = [column.name for column in table.primary_key.columns]
        if not str(name).startswith(f"{app.name}_"):
            wrong.append(f"table {name}: expected a name that begins with {app.name}_")
        if keys != ["id"]:
            wrong.append(f"table {name}: expected the primary key id, found {', '.join(keys) or 'none'}")
    for name, operation in app.operations.items():
        if operation.name != name or not name.startswith(f"{app.name}_"):
            wrong.append(f"operation {name}: expected a name that begins with {app.name}_")
        if not operation.summary.endswith((".", "?")):
            wrong.append(f"operation {name}: expected a summary that is a sentence, found {operation.summary!r}")
    for kind in get_args(RefusalKind):
        refused = app.refuse(Refusal(kind))
        if not isinstance(refused, VendorError) or not refused.content:
            wrong.append(f"refuse: expected an error for {kind}")
    return wrong


def check_success(session: Session, case: Case) -> None:
    """See an operation succeed; a read leaves no effects, a write leaves some, each at a path of its app's.

    Raises:
        AssertionError: it does not.
    """
    answer = _called(session, case, case.succeeds)
    assert not answer.is_error, f"{case.operation} was to succeed: {answer.content[:500]}"
    operation = session.setting.operations[case.operation]
    app = session.setting.apps[operation.app]
    if not operation.writes:
        assert answer.effects == (), f"{case.operation} reads, and wrote to {answer.effects[0].table}"
    elif case.changes:
        assert answer.effects, f"{case.operation} writes, and left no effect"
    for effect in answer.effects:
        row = effect.after or effect.before
        owner = session.setting.apps[session.setting.tables[effect.table]]
        assert row is not None
        path = owner.path_of(session.simulation.rows(), effect.table, row)
        assert path.startswith(f"{owner.name}:"), f"{app.name}: {effect.table} is at {path!r}, which is not the app's"


def check_failure(session: Session, case: Case, *, shape: Set[str]) -> None:
    """See an operation fail as its vendor says it: the keys of `shape`, the case's word, and nothing written.

    Raises:
        AssertionError: it does not.
    """
    answer = _called(session, case, case.fails)
    assert answer.is_error, f"{case.operation} was to fail: {answer.content[:500]}"
    assert not answer.fault, f"{case.operation} met the outage {answer.fault}"
    body = answer.structured
    assert isinstance(body, dict) and shape <= body.keys(), (
        f"{case.operation}: expected {sorted(shape)}: {answer.content[:500]}"
    )
    assert case.error in answer.content, f"{case.operation}: expected {case.error!r} in {answer.content[:500]}"
    assert answer.effects == (), f"{case.operation} failed, and wrote to {answer.effects[0].table}"


def check_repeats(session: Session, case: Case) -> None:
    """See what an operation wrote gone after a reset, and there again, byte for byte, when it is played once more.

    Raises:
        AssertionError: it is not.
    """
    begun = session.digest()
    first = _called(session, case, case.succeeds)
    after = session.digest()
    session.reset()
    assert session.digest() == begun, f"{case.operation} left something behind that a reset does not take away"
    again = _called(session, case, case.succeeds)
    assert again.content == first.content, f"{case.operation} answered differently when it was played again"
    assert session.digest() == after, f"{case.operation} wrote something else when it was played again"


def check_found(session: Session, named: NamedThing) -> None:
    """See what an author's word names be found: at a path of its app's that finds it again, with rows of which some are there.

    Raises:
        AssertionError: it is not, or a word that names nothing finds something.
    """
    kept = _made(session, str(named), named.before)
    word = str(fill({"word": named.word}, kept, truth_of(session))["word"])
    app, rows = session.setting.apps[named.app], session.simulation.rows()
    found = app.find(rows, word)
    assert found, f"{app.name}: expected {word!r} to name something; find has nothing"
    tables = {str(name): table for name, table in app.tables.tables.items()}
    for thing in found:
        assert thing.path.startswith(f"{app.name}:"), (
            f"{app.name}: {word!r} is at {thing.path!r}, which is not the app's"
        )
        again = [one.path for one in app.find(rows, thing.path.removeprefix(f"{app.name}:"))]
        assert again == [thing.path], (
            f"{app.name}: {word!r} is at {thing.path!r}, by which find has {again or 'nothing'}"
        )
        assert thing.rows, f"{app.name}: {thing.path} consists of no rows, so its last change has no time"
        paths = []
        for table, key in thing.rows:
            row = rows.get(tables[table], key)
            assert row is not None, f"{app.name}: {thing.path} names row {key} of {table}, which is not there"
            paths.append(app.path_of(rows, table, row))
        assert any(path == thing.path or path.startswith((f"{thing.path}.", f"{thing.path}/")) for path in paths), (
            f"{app.name}: find has a thing at {thing.path!r}, path_of has its rows at {', '.join(paths)}"
        )
    assert app.find(rows, _NOTHING) == [], f"{app.name}: find has something called {_NOTHING!r}"


def _called(session: Session, case: Case, arguments: Mapping[str, Json]) -> Observation:
    kept = _made(session, case.operation, case.before)
    return session.call(case.operation, _typed(session, case.operation, fill(dict(arguments), kept, truth_of(session))))


def _made(session: Session, what: str, steps: Iterable[Step]) -> dict[str, str]:
    """What was kept of calls that are made beforehand."""
    kept: dict[str, str] = {}
    for step in steps:
        made = session.call(
            step.operation, _typed(session, step.operation, fill(dict(step.arguments), kept, truth_of(session)))
        )
        assert not made.is_error, f"{what}: {step.operation} went wrong before it: {made.content[:500]}"
        kept |= keep(step.keep, made.structured)
        if step.waits:
            session.call("wait", {"minutes": step.waits, "until_notice": False})
    return kept


def _typed(session: Session, operation: str, arguments: JsonObject) -> JsonObject:
    """Texts as numbers where the operation takes only numbers: what is kept is text."""
    properties = session.setting.operations[operation].schema.get("properties", {})
    assert isinstance(properties, dict)
    return {name: _number(value, properties.get(name)) for name, value in arguments.items()}


def _number(value: Json, schema: Json) -> Json:
    options = schema.get("anyOf", [schema]) if isinstance(schema, dict) else []
    kinds = (
        {option.get("type") for option in options if isinstance(option, dict)} if isinstance(options, list) else set()
    )
    if isinstance(value, str) and value.isdecimal() and "integer" in kinds and "string" not in kinds:
        return int(value)
    return value
