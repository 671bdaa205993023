"""Making worlds in the browser: five questions, copies, imports, the trash."""

from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest
from streamlit.testing.v1 import AppTest

from brownout.catalog import find_spec
from generators.authoring.world_request import WorldRequest
from studio.authoring.company_sketch import sketch_of
from studio.authoring.world_folders import trash_folder
from studio.jobs import latest_job
from studio.start_options import READ_ONLY
from worlds.spec import read_world

Open = Callable[..., AppTest]


def texts(app: AppTest) -> str:
    return "\n".join(str(element.value) for element in app.markdown).replace("\\", "")


def test_five_answers_become_the_company_that_was_shown(
    open_page: Open, tmp_path: Path, at_home: pytest.MonkeyPatch
) -> None:
    at_home.setattr("studio.jobs.job_control._spawn", lambda folder, command: None)
    app = open_page("new_world")
    assert not app.exception
    sketch = sketch_of(WorldRequest(name="acme", storylines=(), outages=("payments", "slack")))
    assert sketch.company in texts(app)

    app.text_input(key="new_name").set_value("harbour").run()
    assert sketch.company in texts(app)
    app.text_input(key="new_company").set_value("Harbour & Sons").run()
    assert sketch.company not in texts(app)
    app.number_input(key="new_people").set_value(30).run()
    shown = next(metric.value for metric in app.metric if metric.label == "People")
    app.button(key="make_world").click().run()

    assert not app.exception
    assert app.title[0].value == "Overview"
    spec = read_world(tmp_path / "harbour")
    assert len(spec.people) == 30 == int(shown)
    assert spec.world.company.name == "Harbour & Sons"
    assert "Harbour & Sons" in texts(app)
    job = latest_job("build", folder=str(tmp_path / "harbour"))
    assert job is not None


def test_the_short_name_follows_the_company_until_it_is_typed(open_page: Open) -> None:
    app = open_page("new_world")
    app.text_input(key="new_company").set_value("Tidewater Freight & Söhne").run()
    assert app.text_input(key="new_name").value == "tidewater-freight-sohne"
    app.text_input(key="new_company").set_value("").run()
    assert app.text_input(key="new_name").value == "acme"
    app.text_input(key="new_name").set_value("harbour").run()
    app.text_input(key="new_company").set_value("Tidewater").run()

    assert app.text_input(key="new_name").value == "harbour"
    assert "None chosen: one a task is picked for you, by the world seed." in [one.value for one in app.caption]


def test_what_no_company_can_be_is_said(open_page: Open) -> None:
    app = open_page("new_world")
    app.multiselect(key="new_zones").set_value([]).run()

    assert "expected at least one time zone" in texts(app)
    assert not [button for button in app.button if button.key == "make_world"]


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("new_people", -4, "people, found -4"),
        ("new_days", 9999, "days, found 9999"),
        ("new_customers", 99_999_999, "customers, found 99999999"),
    ],
)
def test_a_number_that_no_company_can_have_is_said_and_makes_none(
    open_page: Open, field: str, value: int, says: str
) -> None:
    app = open_page("new_world")
    app.number_input(key=field).set_value(value).run()

    assert says in texts(app)
    assert not [button for button in app.button if button.key == "make_world"]


def test_a_short_name_that_is_taken_is_said_below_it_while_it_is_typed(open_page: Open) -> None:
    app = open_page("new_world")
    app.text_input(key="new_name").set_value("tiny").run()

    assert "there is a world 'tiny' already; choose another name" in texts(app)
    assert app.button(key="make_world").disabled


def test_a_shipped_world_is_duplicated_and_the_copy_deleted(open_page: Open, tmp_path: Path) -> None:
    app = open_page("people", world="tiny")
    assert "stays as it is" in texts(app)
    app.button(key="duplicate_to_change").click().run()

    assert not app.exception
    assert app.query_params["world"] in ("my-tiny", ["my-tiny"])
    assert "world: my-tiny" in (tmp_path / "my-tiny" / "world.yaml").read_text()
    assert "stays as it is" not in texts(app)
    assert not trash_folder().exists()


@pytest.mark.parametrize(
    "page", ["people", "customers", "systems", "storylines", "outages", "tasks", "graders", "files"]
)
def test_every_page_of_the_text_opens_also_where_the_text_is_broken(open_page: Open, tmp_path: Path, page: str) -> None:
    copytree(find_spec("tiny"), tmp_path / "acme")
    (tmp_path / "acme" / "world.yaml").write_text("world: [")

    app = open_page(page, world="acme")

    assert not app.exception
    assert [button.label for button in app.button if button.key == "problems_here"] == ["1 problem"]


def test_a_read_only_studio_makes_nothing(open_page: Open, at_home: pytest.MonkeyPatch) -> None:
    at_home.setenv(READ_ONLY, "1")

    app = open_page("home")

    assert not [button for button in app.button if button.key in ("new_world", "import_world")]
