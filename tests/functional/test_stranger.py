"""A third-party app (examples/todo), fault mode and grader, found through the same door as our own, on every path."""

import sys
from pathlib import Path
from typing import cast

import pytest

import brownout
from brownout.cli.main import main
from brownout.core import plugins
from brownout.core.errors import AuthoringError, BrokenApp, BrokenPlugin, UnknownPlugin
from brownout.core.grading import EndState, GradingContext
from brownout.core.plugins import load_plugin, plugin_names
from brownout.core.trajectory import WorldEvent
from brownout.core.values import JsonObject
from brownout.engine.simulation_setting import load_app
from brownout.testing.conformance import (
    Case,
    NamedThing,
    Step,
    check_failure,
    check_found,
    check_success,
    faults_of,
    uncovered,
)
from generators.world_check import mistakes_in
from graders.world_state import world_state
from tests.todo import installed_todo, unpack_todo


@pytest.fixture
def with_todo(installed: Path, spec_folder: Path, tmp_path: Path) -> brownout.Package:
    """`tiny` with the stranger's app, a beat that it carries, its outage and its grader."""
    edits = {
        "world.yaml": ("  jira:\n", "  todo: {items: {order seeds: yuki}}\n  jira:\n"),
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
    with (spec_folder / "outages.yaml").open("a") as outages:
        outages.write('sulk: {on: todo, from: "2026-03-24 12:00", for: 1h, mode: sulking, letter: w}\n')
    return brownout.build(spec_folder, out=tmp_path / "package")


def test_a_stranger_is_found_beside_the_built_ins(installed: Path) -> None:
    assert {"slack", "todo"} <= set(plugin_names("apps"))
    assert "sulking" in plugin_names("faults")


def test_a_package_says_which_plugins_shaped_it(with_todo: brownout.Package, tiny_package: brownout.Package) -> None:
    assert tiny_package.manifest.plugins == {}
    assert set(with_todo.manifest.plugins) == {"apps/todo", "faults/sulking"}
    assert with_todo.manifest.plugins["apps/todo"].startswith("1.0@")


def test_a_strangers_app_takes_part_on_every_path(with_todo: brownout.Package) -> None:
    with brownout.open_session(with_todo, task="find-the-change") as session:
        assert {"todo_list_items", "todo_add_item", "todo_finish_item"} <= {str(tool["name"]) for tool in session.tools}
        session.call("todo_add_item", {"text": "call Inês"})
        session.call("wait", {"minutes": 15, "until_notice": False})

        carried = [e for e in session.events if isinstance(e, WorldEvent) and e.app == "todo"]
        assert [(e.who, e.outcome, e.path) for e in carried] == [("ida", "done", "todo:item/3")]
        found = session.setting.apps["todo"].find(session.simulation.rows(), "item/3")
        assert [thing.fields["text"] for thing in found] == ["water the plants"]
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


def test_what_a_strangers_app_declares_an_addition_is_one(with_todo: brownout.Package) -> None:
    def is_whole(*calls: tuple[str, JsonObject]) -> bool:
        with brownout.open_session(with_todo, task="find-the-change") as session:
            for name, arguments in calls:
                assert not session.call(name, arguments).is_error
            return world_state.judge(cast(EndState, session.end_state()), {"only": []}, None, GradingContext()).passed

    assert is_whole(("todo_add_item", {"text": "call Inês"}))
    assert is_whole(("todo_add_item", {"text": "call Inês"}), ("todo_finish_item", {"number": 2}))
    assert not is_whole(("todo_finish_item", {"number": 1}))


CASES = (
    Case("todo_list_items", {}, {"colour": "blue"}, "no argument 'colour'"),
    Case("todo_add_item", {"text": "call Inês"}, {"text": ""}, "at least 1 character"),
    Case(
        "todo_finish_item",
        {"number": "$item"},
        {"number": 99},
        "no item 99",
        (Step("todo_add_item", {"text": "x"}, {"item": "id"}),),
    ),
)

NAMED = (
    NamedThing("todo", "order*"),
    NamedThing("todo", "item/1"),
    NamedThing("todo", "item/$item", (Step("todo_add_item", {"text": "call Inês"}, {"item": "id"}),)),
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
    for named in NAMED:
        with brownout.open_session(with_todo, task="find-the-change") as session:
            check_found(session, named)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('    number = pattern.removeprefix("item/")', "    number = pattern", "by which find has nothing"),
        ('Thing(\n            f"todo:item/', 'Thing(\n            f"todo:task/', "by which find has nothing"),
        ("like=pattern.replace", "like='%' or pattern.replace", "something called 'nothing is called this'"),
        ('    return f"todo:item/{row', '    return f"todo:list/{row', "path_of has its rows at todo:list/"),
        ('(("todo_item", row.number("id")),),', "(),", "consists of no rows"),
    ],
)
def test_conformance_names_what_is_not_found(
    installed: Path, old: str, new: str, expected: str, request: pytest.FixtureRequest
) -> None:
    spoil(installed, old, new)
    package = request.getfixturevalue("with_todo")
    with (
        brownout.open_session(package, task="find-the-change") as session,
        pytest.raises(AssertionError, match=expected),
    ):
        check_found(session, NAMED[0])


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


def test_a_broken_plugin_says_so(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(plugins._BUILT_IN["apps"], "broken", "todo_app:nothing")

    with pytest.raises(
        BrokenPlugin, match="app 'broken' of package todo_app cannot be loaded: module 'todo_app' has no"
    ):
        load_plugin("apps", "broken")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('name="todo",\n    title', 'name="chores",\n    title', "its entry point is called 'todo' and its App.name is 'chores'"),
        ('    "todo_item",\n', '    "item",\n', "the name of its table 'item' must begin with 'todo_'"),
        ('Operations("todo")', 'Operations("list")', "its operation 'list_list_items' must begin with 'todo_'"),
        ('    """Tick something off."""\n', "", "operation todo_finish_item needs a docstring: it is what an agent reads"),
        ("    find=find,\n", "", "App missing 1 required keyword-only argument: 'find'"),
        ("from sqlalchemy import Column", "import sqlalchemist\nfrom sqlalchemy import Column", "No module named 'sqlalchemist'"),
    ],
)  # fmt: skip
def test_an_app_that_breaks_a_rule_says_which(
    installed: Path, spec_folder: Path, old: str, new: str, expected: str
) -> None:
    path = installed / "todo_app/__init__.py"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    world = spec_folder / "world.yaml"
    world.write_text(world.read_text().replace("  jira:\n", "  todo: {}\n  jira:\n", 1))

    with pytest.raises(BrokenPlugin) as error:
        load_plugin("apps", "todo")
    assert str(error.value).startswith("app 'todo' of package brownout-todo cannot be loaded: ")
    assert expected in str(error.value)
    assert any(expected in str(mistake) for mistake in mistakes_in(spec_folder))


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("{itmes: {order seeds: yuki}}", "apps.todo.itmes: unknown word; did you mean 'items'?"),
        ("{items: [seeds]}", "apps.todo.items: expected a mapping of words to values, found a list"),
        (
            "{items: {order seeds: yuky}}",
            "apps.todo.items.order seeds: there is no person 'yuky'; did you mean 'yuki'?",
        ),
    ],
)
def test_a_strangers_section_is_checked_by_the_same_door(
    installed: Path, spec_folder: Path, section: str, expected: str
) -> None:
    world = spec_folder / "world.yaml"
    world.write_text(world.read_text().replace("  jira:\n", f"  todo: {section}\n  jira:\n", 1))

    found = [str(mistake) for mistake in mistakes_in(spec_folder)]

    assert len(found) == 1
    assert found[0].startswith(f"world.yaml:{world.read_text().partition('  todo:')[0].count(chr(10)) + 1}: {expected}")


def test_two_of_one_name_are_an_error(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(plugins._BUILT_IN["apps"], "todo", "tools.slack:app")

    with pytest.raises(BrokenPlugin, match="two plug-ins"):
        load_plugin("apps", "todo")


def test_a_new_app_works_under_its_name(
    spec_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["brownout", "new", "app", "menu", "--out", str(tmp_path / "menu")])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 0, capsys.readouterr().err
    world = spec_folder / "world.yaml"
    world.write_text(world.read_text().replace("  jira:\n", "  menu: {items: {order seeds: yuki}}\n  jira:\n", 1))

    with installed_todo(unpack_todo(tmp_path / "plugins", tmp_path / "menu"), monkeypatch):
        package = brownout.build(spec_folder, out=tmp_path / "package")
        with brownout.open_session(package, task="release-the-seats") as session:
            assert "order seeds" in session.call("menu_list_items", {}).content
            for word in ("order seeds", "order*", "item/1"):
                check_found(session, NamedThing("menu", word))
    assert not [path for path in (tmp_path / "menu").rglob("*.*") if "todo" in path.read_text().lower()]


@pytest.mark.parametrize(
    ("name", "expected"), [("slack", "there is an app 'slack' already"), ("My-App", "expected a name")]
)
def test_a_name_that_no_app_can_have_is_refused(
    name: str, expected: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["brownout", "new", "app", name])
    with pytest.raises(SystemExit) as stop:
        main()

    assert stop.value.code == 2
    assert expected in capsys.readouterr().err


def spoil(installed: Path, old: str, new: str) -> None:
    path = installed / "todo_app/__init__.py"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_whoever_reaches_nobody_is_told_who_there_is(installed: Path, request: pytest.FixtureRequest) -> None:
    spoil(
        installed,
        '    return {"id": add(call',
        '    call.reach("idda", "message", "todo:item/1", "hi")\n    return {"id": add(call',
    )
    package = request.getfixturevalue("with_todo")
    with brownout.open_session(package, task="find-the-change") as session:
        answer = session.call("todo_add_item", {"text": "x"})
        [defect] = session.simulation.defects

    assert (answer.is_error, answer.structured) == (True, {"problem": "unavailable"})
    assert defect.error.startswith("BrokenApp: app 'todo', todo_add_item, todo_app/__init__.py:")
    assert "in add_item: call.reach: there is nobody called 'idda'; did you mean 'ida'?; there are " in defect.error


def test_a_mistake_of_an_app_in_an_episode_names_its_line(installed: Path, request: pytest.FixtureRequest) -> None:
    spoil(installed, "    call.rows.update(item, number, is_done=1)", "    call.rows.update(item, number, is_dnoe=1)")
    package = request.getfixturevalue("with_todo")
    with brownout.open_session(package, task="find-the-change") as session:
        session.call("todo_finish_item", {"number": 1})
        [defect] = session.simulation.defects

    assert defect.where == "todo_finish_item"
    assert "app 'todo', todo_finish_item, todo_app/__init__.py:" in defect.error
    assert "is_dnoe" in defect.error


@pytest.mark.parametrize(
    ("old", "new", "kind", "expected"),
    [
        (
            "    pass\n",
            "    call.reach('nobody', 'message', 'todo:x', 'hi')\n",
            BrokenApp,
            "app 'todo', open_account for ",
        ),
        (
            "    for text, owner in Settings",
            "    call.reach('nobody', 'message', 'todo:x', 'hi')\n    for text, owner in Settings",
            BrokenApp,
            "app 'todo', prepare, todo_app/__init__.py:",
        ),
        (
            "    for text, owner in Settings",
            "    settings['itms']\n    for text, owner in Settings",
            AuthoringError,
            "todo cannot be set up from this: KeyError: 'itms' (todo_app/__init__.py:",
        ),
    ],
)
def test_a_mistake_of_an_app_in_a_build_names_its_line(
    installed: Path, request: pytest.FixtureRequest, old: str, new: str, kind: type[Exception], expected: str
) -> None:
    spoil(installed, old, new)
    with pytest.raises(kind) as caught:
        request.getfixturevalue("with_todo")
    assert expected in str(caught.value)
