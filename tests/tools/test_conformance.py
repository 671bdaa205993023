"""Every operation of every built-in app succeeds and fails as its vendor does, every app is sound, and its things are found."""

from importlib import import_module

import pytest
from _pytest.mark.structures import ParameterSet

from brownout.core.plugins import plugin_names
from brownout.engine.session import Session
from brownout.engine.simulation_setting import load_app
from brownout.testing.conformance import (
    Case,
    NamedThing,
    check_failure,
    check_found,
    check_repeats,
    check_success,
    faults_of,
    uncovered,
)

_TABLES = {name: import_module(f"tests.tools.{name}.cases") for name in plugin_names("apps")}
_SANDBOXED = frozenset({"terminal"})


def _each(attribute: str = "CASES") -> list[ParameterSet]:
    marks = {name: [pytest.mark.sandbox] if name in _SANDBOXED else [] for name in _TABLES}
    return [
        pytest.param(case, id=str(case), marks=marks[name])
        for name, table in _TABLES.items()
        for case in getattr(table, attribute)
    ]


@pytest.mark.parametrize("name", _TABLES)
def test_every_operation_has_a_case(name: str) -> None:
    assert uncovered(load_app(name), _TABLES[name].CASES) == []


@pytest.mark.parametrize("name", _TABLES)
def test_the_app_is_sound(name: str) -> None:
    assert faults_of(load_app(name)) == []


@pytest.mark.parametrize("case", _each())
def test_an_operation_succeeds(session: Session, case: Case) -> None:
    check_success(session, case)


@pytest.mark.parametrize("case", _each())
def test_an_operation_repeats_itself(session: Session, case: Case) -> None:
    check_repeats(session, case)


@pytest.mark.parametrize("case", _each())
def test_an_operation_fails_as_its_vendor_says_it(session: Session, case: Case) -> None:
    app = session.setting.operations[case.operation].app
    check_failure(session, case, shape=_TABLES[app].SHAPE)


@pytest.mark.parametrize("name", _TABLES)
def test_every_app_has_things_that_authors_name(name: str) -> None:
    assert {named.app for named in _TABLES[name].NAMED} == {name}


@pytest.mark.parametrize("named", _each("NAMED"))
def test_what_an_author_names_is_found_and_its_path_leads_back(session: Session, named: NamedThing) -> None:
    check_found(session, named)


def test_there_are_many_operations() -> None:
    assert sum(len(load_app(name).operations) for name in _TABLES) >= 110
