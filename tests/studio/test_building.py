"""Building from any page: what is typed is saved first, what went wrong is in sight with the way there, and nothing moves for it."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from shutil import copytree

import pytest
from streamlit.testing.v1 import AppTest

import studio.jobs.job_control
import studio.known_worlds
from brownout.catalog import built_package, find_spec
from brownout.core.errors import Mistake
from studio.jobs import Job, latest_job
from tests.studio.test_jobs import until
from tests.studio.test_pages import texts

Open = Callable[..., AppTest]
REFUSED = {"said": "ida.manager in people.yaml", "page": "people", "item": "people.yaml#ida"}


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """Where builds of a test are kept."""
    return tmp_path / f"brownout-cache-{Path.home().name}"


@pytest.fixture
def own(at_home: pytest.MonkeyPatch, tmp_path: Path, built: Path) -> Path:
    """A world of the author's own, `tiny` under another name, that nobody has built."""
    at_home.setenv("TMPDIR", str(tmp_path))
    at_home.setattr(studio.known_worlds, "default_cache", lambda: built)
    folder = tmp_path / "worlds" / "own"
    copytree(find_spec("tiny"), folder)
    world = folder / "world.yaml"
    world.write_text(world.read_text().replace("world: tiny", "world: own", 1))
    return folder


def _spoil(folder: Path) -> None:
    people = folder / "people.yaml"
    people.write_text(
        people.read_text().replace("manager: ida", "manager: idaa").replace("voice: terse", "voise: terse", 1)
    )


def _told(app: AppTest, told: Mapping[str, object]) -> AppTest:
    """The page after the pane that every page has told something."""
    app.session_state["keys"] = told
    return app.run()


def _build(folder: Path) -> Job:
    found = latest_job("build", folder=str(folder))
    assert found is not None
    return until(found, "done", "failed")


def _fail_builds_by(at_home: pytest.MonkeyPatch, error: str) -> None:
    """Let every build from now on raise an error while people act, which is written as Python has it."""
    code = (
        "import sys; sys.argv = ['brownout', *sys.argv[1:]]\n"
        "import brownout.engine.carrying_intents as intents\n"
        "from brownout.core.errors import AuthoringError, Mistake\n"
        f"def fail(*given, **more): raise {error}\n"
        "intents.carry = fail\n"
        "from brownout.cli import main; main()"
    )
    at_home.setattr(studio.jobs.job_control, "_BROWNOUT", ("-P", "-c", code))


def _links(app: AppTest) -> list[tuple[str, str]]:
    """Each link to another page: its label, and what it carries."""
    return [
        (one.proto.label.replace("\\", ""), one.proto.query_string) for one in app.get("page_link") if one.proto.query_string
    ]  # fmt: skip


def test_a_build_says_what_is_not_saved_and_saves_it_first(open_page: Open, own: Path) -> None:
    unsaved = {"world": "own", "files": ["people.yaml"], "fields": []}
    app = _told(open_page("overview", world="own"), {"unsaved": unsaved})

    assert app.button(key="build").label == "people.yaml not saved · Save and build"
    assert "Checking" in texts(app)
    app.button(key="build").click().run()
    assert app.button(key="build").label == "Saving"
    assert app.button(key="build").disabled
    assert latest_job("build", folder=str(own)) is None, "not before it is saved"

    rev = app.session_state["save_asked"]["rev"]
    _told(app, {"unsaved": {**unsaved, "files": []}, "saved": {"rev": rev, "refused": []}})
    assert latest_job("build", folder=str(own)) is not None
    assert _build(own).state == "done"


def test_the_badge_says_what_is_wrong_with_the_text_as_it_is_typed_and_leads_there(open_page: Open, own: Path) -> None:
    wrong = {"count": 2, "first": {"file": "people.yaml", "line": 12, "message": "unknown person 'idaa'"}}
    unsaved: dict[str, object] = {"world": "own", "files": ["people.yaml"], "fields": []}
    app = _told(open_page("overview", world="own"), {"unsaved": {**unsaved, "problems": wrong}})

    (button,) = [one for one in app.button if one.key == "problems_here"]
    assert button.label == "2 problems, not saved"
    assert "people.yaml:12" in button.help.replace("\\", "")
    assert "unknown person 'idaa'" in button.help
    button.click().run()
    assert app.title[0].value == "Files"
    assert (app.query_params["file"], app.query_params["line"]) == ("people.yaml", "12")


@pytest.mark.parametrize("page", ["home", "overview", "check"])
def test_text_that_mends_a_world_and_is_not_saved_is_valid_and_not_saved(open_page: Open, own: Path, page: str) -> None:
    _spoil(own)
    right = {"world": "own", "files": ["people.yaml"], "fields": [], "problems": {"count": 0, "first": None}}
    app = open_page(page, world="own")
    assert "2 problems" in [button.label for button in app.button]
    _told(app, {"unsaved": right})

    assert "Valid, not saved" in texts(app)
    assert "problems_here" not in [button.key for button in app.button]


def test_a_field_that_was_refused_is_a_button_that_shows_it(open_page: Open, own: Path) -> None:
    unsaved = {"world": "own", "files": [], "fields": [REFUSED]}
    app = _told(open_page("people", world="own"), {"unsaved": unsaved})

    assert app.button(key="problems_fields").label == "1 field not written"
    assert "ida.manager in people.yaml" in app.button(key="problems_fields").help.replace("\\", "")
    app.button(key="problems_fields").click().run()
    assert app.session_state["show_asked"]


def test_a_field_that_was_refused_on_another_page_is_a_button_that_leads_there(open_page: Open, own: Path) -> None:
    unsaved = {"world": "own", "files": [], "fields": [REFUSED]}
    app = _told(open_page("report", world="own"), {"unsaved": unsaved})
    app.button(key="problems_fields").click().run()

    assert app.title[0].value == "People"
    assert app.query_params["item"] == "people.yaml#ida"


def test_nothing_is_built_where_something_typed_cannot_be_saved(open_page: Open, own: Path) -> None:
    files = ["people.yaml", "outages.yaml"]
    app = _told(open_page("overview", world="own"), {"unsaved": {"world": "own", "files": files, "fields": []}})
    assert app.button(key="build").label == "2 files not saved · Save and build"
    app.button(key="build").click().run()
    rev = app.session_state["save_asked"]["rev"]
    unsaved = {"world": "own", "files": ["people.yaml"], "fields": []}
    refused = [{"file": "people.yaml", "why": "it was changed on disk meanwhile"}]
    _told(app, {"unsaved": unsaved, "saved": {"rev": rev, "refused": refused}})

    assert "Nothing was built" in texts(app)
    assert "it was changed on disk meanwhile" in texts(app)
    assert ("people.yaml", "world=own&file=people.yaml&line=1") in _links(app)
    assert latest_job("build", folder=str(own)) is None
    assert app.button(key="build").label == "people.yaml not saved · Save and build"


def test_a_built_world_can_be_built_with_what_is_typed(open_page: Open, own: Path, built: Path) -> None:
    built_package(own, folder=built)
    app = open_page("people", world="own")
    assert not [button for button in app.button if button.key == "build"]
    _told(app, {"unsaved": {"world": "own", "files": ["people.yaml"], "fields": []}})

    assert app.button(key="build").label == "people.yaml not saved · Save and build"
    for other in ({"world": "other", "files": ["people.yaml"]}, {"world": "own", "files": ["gone.yaml"]}):
        assert not [button for button in _told(app, {"unsaved": other}).button if button.key == "build"]


def test_a_field_that_was_refused_is_named_by_the_button_that_builds_without_it(open_page: Open, own: Path) -> None:
    unsaved = {"world": "own", "files": [], "fields": [REFUSED]}
    app = _told(open_page("people", world="own"), {"unsaved": unsaved})

    assert app.button(key="build").label == "Not built · Build"
    assert "Builds without what was typed in ida.manager in people.yaml" in app.button(key="build").help


def test_a_build_that_fails_says_why_with_the_way_to_the_line_and_folds_the_rest(open_page: Open, own: Path) -> None:
    app = open_page("report", world="own")
    _spoil(own)
    app.button(key="build").click().run()
    job = _build(own)
    app = open_page("overview", world="own")

    line = next(
        number for number, text in enumerate((own / "people.yaml").read_text().splitlines(), 1) if "idaa" in text
    )
    first, second = job.reasons
    assert isinstance(first, Mistake)
    assert {first.line, second.line} == {20, line}
    assert first.message in texts(app)
    assert (f"people.yaml:{first.line}", f"world=own&file=people.yaml&line={first.line}") in _links(app)
    (rest,) = [one for one in app.expander if "log" in one.label.casefold()]
    assert rest.label == "1 more, and the log"
    assert not rest.proto.expanded
    assert second.message in [one.value.replace("\\", "").partition("] ")[2] for one in rest.markdown]

    people = own / "people.yaml"
    people.write_text((find_spec("tiny") / "people.yaml").read_text())
    assert first.message not in texts(open_page("report", world="own")), "what was mended since is no reason any more"


@pytest.mark.parametrize("page", ["home", "overview", "people", "check", "preview"])
def test_a_count_of_problems_leads_to_the_first_one(open_page: Open, own: Path, page: str) -> None:
    _spoil(own)
    app = open_page(page, world="own")
    (button, *_) = [button for button in app.button if button.label == "2 problems"]
    button.click().run()

    assert app.title[0].value == "Files"
    assert app.query_params["file"] == "people.yaml"
    assert app.query_params["line"] == "20"


def test_a_failed_build_is_a_line_elsewhere_and_whole_on_overview_as_of_then_and_can_be_put_away(
    open_page: Open, own: Path
) -> None:
    app = open_page("report", world="own")
    _spoil(own)
    app.button(key="build").click().run()
    job = _build(own)
    (first, *_) = job.reasons
    beside = open_page("report", world="own")

    assert f"Build own, failed: {first.message}"[:80] in texts(beside)
    assert (f"people.yaml:{first.line}", f"world=own&file=people.yaml&line={first.line}") in _links(beside)
    assert not beside.expander
    assert "the text has changed since" not in texts(beside)
    assert [one for one in open_page("overview", world="own").expander if "log" in one.label.casefold()]

    people = own / "people.yaml"
    people.write_text(people.read_text() + "\n# more\n")
    assert "the text has changed since" in texts(open_page("report", world="own"))
    changed = open_page("overview", world="own")
    assert "The text has changed since: this is what the build said of it as it was then" in texts(changed)
    assert first.message in texts(changed)
    assert [one for one in changed.expander if "log" in one.label.casefold()], "the way that a line elsewhere leads"

    changed.button(key=f"close_{job.id}").click().run()
    assert "Build own, failed" not in texts(changed)
    assert "Build own, failed" not in texts(open_page("report", world="own"))


def test_a_build_that_a_mistake_of_ours_ends_says_what_of_the_world_it_was_about(
    open_page: Open, own: Path, at_home: pytest.MonkeyPatch
) -> None:
    _fail_builds_by(at_home, "TypeError('one argument is missing')")
    app = open_page("overview", world="own")
    app.button(key="build").click().run()
    job = _build(own)
    app = open_page("overview", world="own")

    assert re.search(r"It was about \w+ by \w+, of [\w/-]+; intent [\w/-]+, on \w{3} \d\d \w{3} 20", texts(app))
    assert "the stage “Living up to the first task”" in texts(app)
    assert "BROWNOUT_TRACEBACK" not in texts(app) + job.log
    assert "Traceback (most recent call last)" in app.code[0].value
    assert "in carry_due" in app.code[0].value


def test_a_build_that_fails_by_what_no_check_finds_says_so_until_the_text_changes(
    open_page: Open, own: Path, at_home: pytest.MonkeyPatch
) -> None:
    _fail_builds_by(at_home, "AuthoringError([Mistake('world.yaml', 5, 'no owner can be called so')])")
    app = open_page("overview", world="own")
    app.button(key="build").click().run()
    assert _build(own).reasons

    assert "no owner can be called so" in texts(open_page("overview", world="own"))
    (own / "world.yaml").write_text((own / "world.yaml").read_text() + "\n# mended\n")
    assert "no owner can be called so" not in texts(open_page("overview", world="own"))


def test_what_a_build_says_moves_nothing_to_another_place(open_page: Open, own: Path) -> None:
    """What moves is seen twice while the page is drawn anew: where it was, and where it is."""

    def place(app: AppTest) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}

        def walk(block: object, path: list[int]) -> None:
            for number, child in getattr(block, "children", {}).items():
                if getattr(child, "tag", "") in ("h2", "h3") or type(child).__name__ == "Subheader":
                    found[child.value] = [*path, number]
                walk(child, [*path, number])

        walk(app.main, [])
        return found

    before = open_page("overview", world="own")
    assert {"Tasks", "Outages", "People"} <= {*place(before)}
    before.button(key="build").click().run()
    _build(own)
    built = open_page("overview", world="own")
    assert {*place(built)} == {*place(before), "Calendar"}
    people = own / "people.yaml"
    people.write_text(people.read_text() + "\n# more\n")
    changed = open_page("overview", world="own")

    assert "The text has changed since this build" in texts(changed)
    assert place(changed) == place(built)
    assert {name: at for name, at in place(built).items() if name != "Calendar"} == place(before)


@pytest.mark.parametrize("page", ["preview", "report", "export"])
def test_a_page_of_what_was_built_has_the_button_that_builds(open_page: Open, own: Path, page: str) -> None:
    app = open_page(page, world="own")
    assert "own is not built" in texts(app)
    app.button(key="build_here").click().run()

    assert app.button(key="build_here").label == "Building"
    assert _build(own).state == "done"


@pytest.mark.parametrize("page", ["preview", "report", "export"])
def test_a_page_of_what_was_built_says_what_keeps_a_world_from_being_built(
    open_page: Open, own: Path, page: str
) -> None:
    _spoil(own)
    app = open_page(page, world="own")

    assert "own has 2 problems" in texts(app)
    assert not [button for button in app.button if button.key == "build_here"]
    assert any("file=people.yaml" in link for _, link in _links(app))
