"""A third-party app, fault mode and grader, found through the same door as our own, on every path."""

from pathlib import Path

import pytest

import brownout
from brownout.core import plugins
from brownout.core.errors import BrokenPlugin, UnknownPlugin
from brownout.core.plugins import load_plugin, plugin_names
from brownout.core.trajectory import WorldEvent
from brownout.engine.setting import load_app
from brownout.testing.conformance import Case, Step, check_failure, check_success, faults_of, uncovered


@pytest.fixture
def with_todo(installed: None, spec_folder: Path, tmp_path: Path) -> brownout.Package:
    """`tiny` with the stranger's app, a beat that it carries, its outage and its grader."""
    edits = {
        "world.yaml": ("  jira:\n", "  todo: {}\n  jira:\n"),
        "storylines/holds.yaml": (
            "beats:\n",
            'beats:\n  chore:\n    at: 2026-03-24 11:50\n    who: ida\n    does: [{kind: assign, via: todo, to: [wren], subject: "water the plants"}]\n',
        ),
        "tasks/find-the-change/task.yaml": ("  points:\n", "  points:\n    chore: {worth: 1, listed: 'water*'}\n"),
    }
    for name, (old, new) in (
        *edits.items(),
        ("tasks/find-the-change/task.yaml", ("apps: [gmail", "apps: [todo, gmail")),
    ):
        path = spec_folder / name
        path.write_text(path.read_text().replace(old, new, 1))
    (spec_folder / "outages.yaml").write_text(
        'sulk: {on: todo, from: "2026-03-24 12:00", for: 1h, mode: sulking, letter: w}\n'
    )
    return brownout.build(spec_folder, out=tmp_path / "package")


def test_a_stranger_is_found_beside_the_built_ins(installed: None) -> None:
    assert {"slack", "todo"} <= set(plugin_names("apps"))
    assert "sulking" in plugin_names("faults")


def test_a_strangers_app_takes_part_on_every_path(with_todo: brownout.Package) -> None:
    with brownout.open_session(with_todo, task="find-the-change") as session:
        assert {"todo_list_items", "todo_add_item", "todo_finish_item"} <= {str(tool["name"]) for tool in session.tools}
        session.call("todo_add_item", {"text": "call Inês"})
        session.call("wait", {"minutes": 15, "until_notice": False})

        carried = [e for e in session.events if isinstance(e, WorldEvent) and e.app == "todo"]
        assert [(e.who, e.outcome, e.path) for e in carried] == [("ida", "done", "todo:item/water the plants")]
        assert [notice.text for notice in session.notices] == ["Ida Lindqvist put 'water the plants' on your list"]

        session.call("wait", {"minutes": 15, "until_notice": False})
        refused = session.call("todo_list_items", {})
        assert (refused.is_error, refused.structured) == (True, {"problem": "unavailable"})

        wrong = session.call("todo_finish_item", {"number": "x"})
        assert wrong.is_error
        session.submit("done")
        grade = session.grade()
        assert {line.criterion: line.passed for line in grade.ledger}["chore"]
        assert session.diff()


CASES = (
    Case("todo_list_items", {}, {"colour": "blue"}, "Extra inputs"),
    Case("todo_add_item", {"text": "call Inês"}, {"text": ""}, "at least 1 character"),
    Case(
        "todo_finish_item",
        {"number": "$item"},
        {"number": 99},
        "no item 99",
        (Step("todo_add_item", {"text": "x"}, {"item": "id"}),),
    ),
)


def test_a_strangers_app_is_held_to_the_same_conformance(with_todo: brownout.Package) -> None:
    app = load_app("todo")
    assert uncovered(app, CASES) == []
    assert faults_of(app) == []
    for case in CASES:
        with brownout.open_session(with_todo, task="find-the-change") as session:
            check_success(session, case)
        with brownout.open_session(with_todo, task="find-the-change") as session:
            check_failure(session, case, shape={"problem"})


def test_conformance_names_what_is_missing_and_what_does_not_fail(with_todo: brownout.Package) -> None:
    assert uncovered(load_app("todo"), CASES[:-1]) == ["todo_finish_item"]
    assert uncovered(load_app("todo"), [*CASES, Case("todo_burn_item", {}, {}, "")]) == ["todo_burn_item"]
    with brownout.open_session(with_todo, task="find-the-change") as session:
        with pytest.raises(AssertionError, match="was to fail"):
            check_failure(session, Case("todo_add_item", {}, {"text": "x"}, "bad"), shape={"problem"})
        with pytest.raises(AssertionError, match="was to succeed"):
            check_success(session, Case("todo_add_item", {}, {}, "bad"))
        with pytest.raises(AssertionError, match="expected"):
            check_failure(session, CASES[2], shape={"errors"})


def test_an_unknown_name_lists_what_is_installed() -> None:
    with pytest.raises(UnknownPlugin, match=r"no apps named 'zendesk'; installed: .*jira"):
        load_plugin("apps", "zendesk")


def test_a_broken_plugin_says_so(installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(plugins._BUILT_IN["apps"], "broken", "strange_todo:nothing")

    with pytest.raises(BrokenPlugin, match="cannot be loaded"):
        load_plugin("apps", "broken")


def test_two_of_one_name_are_an_error(installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(plugins._BUILT_IN["apps"], "todo", "tools.slack:app")

    with pytest.raises(BrokenPlugin, match="two plug-ins"):
        load_plugin("apps", "todo")
