"""What the pages say and offer; how they look is tested in the browser."""

import ast
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import orjson
import pytest
from streamlit.testing.v1 import AppTest

import studio.known_worlds
import studio.tables
from brownout.catalog import built_package, find_spec
from studio.company.calendar_strip import strip_of, strip_text
from studio.company.timeline import timeline_of
from studio.jobs import latest_job
from studio.last_place import LastPlace, last_place, note_place
from studio.start_options import READ_ONLY, RUNS
from tests.studio.shown_tables import shown_tables
from tests.studio.test_jobs import until
from worlds.package import Package

Open = Callable[..., AppTest]


def texts(app: AppTest) -> str:
    """Everything written on a page, without the signs that keep Markdown away."""
    return "\n".join(str(element.value) for element in app.markdown).replace("\\", "")


def test_home_shows_the_shipped_worlds_and_opens_one(open_page: Open) -> None:
    app = open_page("home")

    assert "Pennywhistle, tickets for small rooms" in texts(app)
    app.button(key="open_tiny").click().run()
    assert not app.exception
    assert app.title[0].value == "Overview"
    assert app.query_params["world"] == "tiny"


@pytest.mark.parametrize(
    ("page", "query", "label"),
    [
        ("compare", {"runs": "solved,idle", "world": "tiny"}, "Compare of solved and idle"),
        ("replay", {"run": "solved", "step": "12"}, "Replay of solved"),
        ("people", {"world": "tiny", "item": "people.yaml#mara"}, "People of tiny, mara"),
        ("files", {"world": "tiny", "file": "systems.yaml"}, "Files of tiny, systems.yaml"),
        ("preview", {"world": "tiny", "surface": "mail", "item": "rfc:1#2"}, "Preview of tiny"),
        ("runs", {}, "Runs"),
    ],
)
def test_home_says_of_what_the_page_is_to_which_it_leads_back(
    open_page: Open, page: str, query: dict[str, str], label: str
) -> None:
    open_page("home")
    note_place(page, query)
    links = [element.proto.label for element in open_page("home").get("page_link")]

    assert [one.replace("\\", "") for one in links if one.startswith("Continue")] == [f"Continue: {label}"]


@pytest.mark.parametrize(
    "query", [{"world": "deleted"}, {"run": "removed"}, {"runs": "solved,removed", "world": "tiny"}], ids=str
)
def test_home_leads_to_nothing_that_is_gone(open_page: Open, query: dict[str, str]) -> None:
    open_page("home")
    note_place("overview", query)
    links = [element.proto.label for element in open_page("home").get("page_link")]

    assert not [one for one in links if one.startswith("Continue")]


def test_home_leads_back_to_where_somebody_was(open_page: Open, at_home: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert last_place() is None
    open_page("overview", world="tiny")
    assert last_place() == LastPlace(page="overview", query={"world": "tiny"})
    open_page("home")
    assert last_place() == LastPlace(page="overview", query={"world": "tiny"})

    at_home.setenv(READ_ONLY, "1")
    note_place("report", {"world": "tiny"})
    assert last_place() == LastPlace(page="overview", query={"world": "tiny"})
    (tmp_path / ".studio" / "last-place.json").write_text("{")
    assert last_place() is None
    assert not open_page("home").exception


def test_home_shows_the_newest_runs_with_their_outcome(open_page: Open) -> None:
    app = open_page("home")

    assert "find-the-change · oracle" in texts(app)
    assert "Passed" in {str(element.label) for element in app.metric}


def test_a_worlds_card_shows_what_happens_in_it(package: Package) -> None:
    timeline = timeline_of(package)
    picture = strip_of(timeline)

    assert picture.count("#D6454F") == 2 and picture.count("#9A56DB") == 3
    assert strip_text(timeline) == "What happens in 30 days: 2 outages in red, 3 tasks begin"
    empty = replace(timeline, bars=(), marks=())
    assert strip_of(empty).endswith("</svg>")


def test_home_without_runs_says_how_to_make_one(open_page: Open, at_home: pytest.MonkeyPatch, tmp_path: Path) -> None:
    at_home.setenv(RUNS, str(tmp_path / "none"))
    app = open_page("home")

    assert "No runs yet" in texts(app)
    assert app.code[0].value.startswith("brownout run tiny --task find-the-change --agent oracle --out ")
    assert "New here?" in texts(app)


def test_the_first_steps_are_told_to_nobody_who_has_gone_them(open_page: Open) -> None:
    assert "New here?" not in texts(open_page("home"))


def test_the_overview_shows_tasks_people_and_outages(open_page: Open) -> None:
    app = open_page("overview", world="tiny")

    assert not app.exception
    assert {metric.label for metric in app.metric} >= {"People", "Storylines", "Outages", "Tasks", "Messages"}
    tables = shown_tables(app)
    assert all(row["Difficulty"] for row in tables["Tasks"])
    assert "Marcus Bell" in [row["Name"] for row in tables["People"]]
    assert [row["Outage"] for row in tables["Outages"]] == ["rds-evening", "slack-noon"]
    assert "Valid" in texts(app)
    assert "Built" in texts(app)


def test_a_link_to_a_task_opens_it(open_page: Open) -> None:
    app = open_page("overview", world="tiny", task="find-the-change")

    assert "Two venues say they are sold out" in app.code[0].value


def test_an_unknown_world_is_not_found(open_page: Open) -> None:
    app = open_page("preview", world="atlantis")

    assert not app.exception
    assert "World atlantis not found" in texts(app)


def test_a_world_that_is_not_built_can_be_built(open_page: Open, at_home: pytest.MonkeyPatch, tmp_path: Path) -> None:
    at_home.setattr(studio.known_worlds, "default_cache", lambda: tmp_path / "empty")
    app = open_page("preview", world="tiny")

    assert "tiny is not built" in texts(app)
    assert app.button(key="build").label == "Not built · Build"
    at_home.setenv(READ_ONLY, "1")
    assert open_page("preview", world="tiny").button(key="build").disabled


def test_a_build_goes_on_by_itself_and_ends_in_the_built_world(
    open_page: Open, at_home: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fresh = tmp_path / "worlds" / "fresh"
    copytree(find_spec("tiny"), fresh)
    world = fresh / "world.yaml"
    world.write_text(world.read_text().replace("world: tiny", "world: fresh", 1))
    at_home.setenv("TMPDIR", str(tmp_path))
    at_home.setattr(studio.known_worlds, "default_cache", lambda: tmp_path / f"brownout-cache-{Path.home().name}")

    app = open_page("overview", world="fresh")
    app.button(key="build").click().run()
    assert "Build fresh" in texts(app)
    build = latest_job("build", folder=str(fresh))
    assert build is not None
    until(build, "done", "failed")
    app = open_page("overview", world="fresh")

    assert "Built" in texts(app)
    assert not [button for button in app.button if button.key == "build"]


def test_problems_are_listed_with_their_file_and_line(open_page: Open, tmp_path: Path) -> None:
    spoiled = tmp_path / "worlds" / "spoiled"
    copytree(find_spec("tiny"), spoiled)
    people = spoiled / "people.yaml"
    people.write_text(people.read_text().replace("manager: ida", "manager: idaa"))

    app = open_page("overview", world="spoiled")

    assert "1 problem in this world's text" in texts(app)
    assert "did you mean 'ida'?" in texts(app)
    (link,) = [one.proto for one in app.main.get("page_link") if "people" in one.proto.label]
    assert link.label.replace("\\", "").startswith("people.yaml:")
    assert link.query_string.startswith("world=spoiled&file=people.yaml&line=")


def test_a_text_that_cannot_be_read_hides_no_other_world(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "worlds" / "broken").mkdir(parents=True)
    (tmp_path / "worlds" / "broken" / "world.yaml").write_text("format: [1")

    app = open_page("home")

    assert not app.exception
    assert "Pennywhistle, tickets for small rooms" in texts(app)
    assert "cannot be read yet" in texts(app)


def test_a_changed_text_is_said_to_be_newer_than_the_build(open_page: Open, cache: Path, tmp_path: Path) -> None:
    changed = tmp_path / "worlds" / "changed"
    copytree(find_spec("tiny"), changed)
    built_package(changed, folder=cache)
    (changed / "customers.yaml").write_text((changed / "customers.yaml").read_text() + "\n# more to come\n")

    app = open_page("overview", world="changed")

    assert "The text has changed since this build" in texts(app)
    assert app.button(key="build").label == "Out of date · Build"


@pytest.mark.parametrize("page", ["customers", "files", "check", "report", "export"])
def test_every_page_of_a_world_has_the_button_that_builds_it(open_page: Open, tmp_path: Path, page: str) -> None:
    new = tmp_path / "worlds" / "new"
    copytree(find_spec("tiny"), new)
    world = new / "world.yaml"
    world.write_text(world.read_text().replace("world: tiny", "world: new", 1))

    assert open_page(page, world="new").button(key="build").label == "Not built · Build"


def test_the_preview_offers_every_pair_of_eyes(open_page: Open) -> None:
    app = open_page("preview", world="tiny", **{"as": "marcus"})

    assert not app.exception
    assert app.selectbox(key="view_as").label == "View as"
    assert app.selectbox(key="view_as").value == "marcus"
    assert app.toggle(key="ground_truth").label == "Ground truth"
    app.selectbox(key="view_as").select("ida").run()
    assert app.query_params["as"] == "ida"


def test_a_link_to_what_is_not_there_says_so(open_page: Open) -> None:
    app = open_page("preview", world="tiny", surface="fax", at="yesterday", **{"as": "nobody"})

    said = app.warning[0].value
    assert not app.exception
    for missing in ("Surface fax not found", "Time yesterday not found", "Person nobody not found"):
        assert missing in said


def _runs(app: AppTest) -> dict[object, dict[str, object]]:
    """The table of runs by their names."""
    return {row["Run"]: row for row in shown_tables(app)["Runs"]}


def test_the_runs_table_says_what_a_run_lacks(open_page: Open) -> None:
    app = open_page("runs")

    table = _runs(app)
    assert not app.exception
    assert table["solved"]["Note"] == "passed"
    assert table["solved"]["Reward"] == "1"
    assert str(table["halfway"]["Note"]).startswith("lacks ")
    assert app.metric[1].value == "1 of 3"


def test_runs_are_filtered_by_agent(open_page: Open) -> None:
    app = open_page("runs")
    app.multiselect(key="runs_agent").select("noop").run()

    assert [*_runs(app)] == ["idle"]


def test_a_damaged_run_is_listed_with_its_reason(
    open_page: Open, at_home: pytest.MonkeyPatch, recorded: Path, tmp_path: Path
) -> None:
    copytree(recorded, tmp_path / "runs")
    (tmp_path / "runs" / "idle" / "run.json").write_text("{}")
    (tmp_path / "runs" / "halfway" / "run.json").unlink()
    at_home.setenv(RUNS, str(tmp_path / "runs"))

    app = open_page("runs")
    app.multiselect(key="runs_columns").select("Status").run()
    table = _runs(app)

    assert table["idle"]["Status"] == "damaged"
    assert str(table["idle"]["Note"]).startswith("ungraded: run.json cannot be read")
    assert table["halfway"]["Note"] == "ungraded: the run has not ended"
    assert table["solved"]["Note"] == "passed"


def test_runs_are_sorted_by_a_column_of_the_link_and_those_without_a_value_come_last(
    open_page: Open, at_home: pytest.MonkeyPatch, recorded: Path, tmp_path: Path
) -> None:
    copytree(recorded, tmp_path / "runs")
    (tmp_path / "runs" / "idle" / "run.json").unlink()
    at_home.setenv(RUNS, str(tmp_path / "runs"))

    assert [*_runs(open_page("runs", sort="Reward"))] == ["halfway", "solved", "idle"]
    assert [*_runs(open_page("runs", sort="-Reward"))] == ["solved", "halfway", "idle"]
    assert [*_runs(open_page("runs", sort="-Run"))] == ["solved", "idle", "halfway"]
    assert {*_runs(open_page("runs", sort="-Colour"))} == {"solved", "idle", "halfway"}


def test_two_ticked_runs_are_compared_and_a_chosen_one_is_replayed(
    open_page: Open, at_home: pytest.MonkeyPatch
) -> None:
    told: list[dict[str, str]] = []
    at_home.setattr(studio.tables, "table_pane", lambda **_: told.pop() if told else {})

    def after(app: AppTest, **what: str) -> AppTest:
        told.append(what)
        return app.run()

    app = open_page("runs")
    for name in ("solved", "halfway", "idle", "idle"):  # the last one is taken back
        after(app, ticked=name)
    assert app.button(key="compare_two").label == "Compare solved with halfway"
    app.button(key="compare_two").click().run()
    assert app.title[0].value == "Compare"
    assert app.query_params["runs"] == "solved,halfway"

    assert after(open_page("runs"), chosen="idle").title[0].value == "idle"
    assert after(open_page("runs"), sorted="-Calls").query_params["sort"] == "-Calls"


def test_an_unknown_run_is_not_found(open_page: Open) -> None:
    app = open_page("replay", run="r-9")

    assert not app.exception
    assert "Run r-9 not found" in texts(app)


def test_a_replay_shows_whose_run_it_is(open_page: Open) -> None:
    app = open_page("replay", run="halfway", step="4")

    shown = texts(app)
    assert not app.exception
    assert app.title[0].value == "halfway"
    assert "tiny / find-the-change" in shown
    assert "oracle · run seed 0" in shown


def test_why_a_run_has_no_reward_is_said_whole(
    open_page: Open, at_home: pytest.MonkeyPatch, recorded: Path, tmp_path: Path
) -> None:
    copytree(recorded, tmp_path / "runs")
    run = tmp_path / "runs" / "halfway" / "run.json"
    why = "the endpoint gave no answer " * 20 + "and went away."
    run.write_bytes(
        orjson.dumps({**orjson.loads(run.read_bytes()), "reward": None, "failure": why, "failure_kind": "defect"})
    )
    at_home.setenv(RUNS, str(tmp_path / "runs"))

    app = open_page("replay", run="halfway")
    shown = texts(app)

    assert not app.exception
    assert f"No reward.** {' '.join(why.split())}" in shown
    (badge,) = [one for one in app.markdown if "no reward" in str(one.value)]
    assert badge.help.replace("\\", "") == " ".join(why.split())


def test_every_field_of_choices_offers_what_holds_the_typed_letters_and_nothing_else() -> None:
    studio_folder = Path(studio.known_worlds.__file__).parent
    fuzzy = [
        f"{place.name}:{node.lineno}"
        for place in studio_folder.rglob("*.py")
        for node in ast.walk(ast.parse(place.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if node.func.attr in ("selectbox", "multiselect")
        if not any(each.arg == "filter_mode" for each in node.keywords)
    ]

    assert fuzzy == []
