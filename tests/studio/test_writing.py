"""Changing worlds: who may, what is kept from being lost, what can be taken back."""

import re
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from brownout.catalog import find_spec
from brownout.core.errors import EditRefused
from brownout.core.instants import MINUTE
from generators.authoring.new_world import write_world
from generators.authoring.world_request import WorldRequest
from studio.authoring.name_uses import uses_of
from studio.authoring.problems import problems_of
from studio.authoring.text_entries import ENTRY_PAGES
from studio.authoring.world_folders import delete_world, duplicate_world, import_world, trash_folder
from studio.episodes.run_list import list_runs
from studio.known_worlds import find_world, known_worlds, read_text
from studio.start_options import READ_ONLY, choices
from tests.studio.asking import Post
from worlds.spec import read_world


@pytest.fixture
def acme(at_home: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A world of the author's own: `tiny` under the name `acme`."""
    copytree(find_spec("tiny"), tmp_path / "acme")
    return tmp_path / "acme"


def _read(post: Post, file: str, world: str = "acme") -> dict[str, Any]:
    status, read = post(f"/api/author/{world}/text", method="GET", query=f"file={file}")
    assert status == 200, read
    return dict(read)


def _edit(post: Post, file: str, *operations: object, **more: object) -> tuple[int, Any]:
    read = _read(post, file)
    document = {"file": file, "base": read["hash"], "operations": operations, "label": "Test", **more}
    return post("/api/author/acme/edit", document)


ROLE = {"op": "set", "path": ["ida", "role"], "value": "staff engineer"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"x_studio_token": "guess"}, 403),
        ({"origin": ""}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"sec_fetch_site": "cross-site"}, 403),
        ({"content_type": "text/plain"}, 415),
        ({"host": "evil.example", "origin": "http://evil.example"}, 400),
    ],
)
def test_only_the_studios_own_pages_change_something(
    post: Post, acme: Path, headers: dict[str, str], status: int
) -> None:
    before = (acme / "people.yaml").read_bytes()
    read = _read(post, "people.yaml")
    document = {"file": "people.yaml", "base": read["hash"], "operations": [ROLE]}

    assert post("/api/author/acme/edit", document, **headers)[0] == status
    assert (acme / "people.yaml").read_bytes() == before


def test_more_than_two_mebibytes_are_refused_while_they_come(post: Post, acme: Path) -> None:
    assert post("/api/author/acme/save", body=b'{"file": "' + b"a" * (3 << 20) + b'"}')[0] == 413


def test_a_read_only_studio_checks_and_writes_nothing(post: Post, acme: Path, at_home: pytest.MonkeyPatch) -> None:
    at_home.setenv(READ_ONLY, "1")

    assert _edit(post, "people.yaml", ROLE)[0] == 403
    assert post("/api/author/acme/check", {"texts": {}})[0] == 200


def test_what_is_shipped_says_how_it_can_be_changed(post: Post) -> None:
    read = _read(post, "people.yaml", "tiny")
    status, said = post("/api/author/tiny/save", {"file": "people.yaml", "text": "x", "base": read["hash"]})

    assert status == 422
    assert "duplicate it to change it" in said["error"]


@pytest.mark.parametrize(
    "file", ["../elsewhere.yaml", "/etc/passwd", "a\0b", "", ".git/config", "storylines", "out/secret.txt"]
)
def test_nothing_outside_of_the_world_is_read_or_written(post: Post, acme: Path, tmp_path: Path, file: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("secret")
    (acme / "out").symlink_to(outside)

    assert post("/api/author/acme/save", {"file": file, "text": "mine", "base": None})[0] == 422
    assert post("/api/author/acme/check", {"texts": {file: "mine"}})[0] == 422
    assert post("/api/author/acme/check", {"texts": {"repos/../../elsewhere.yaml": "mine"}})[0] == 422
    assert (outside / "secret.txt").read_text() == "secret"
    assert not (tmp_path / "elsewhere.yaml").exists()


def test_an_edit_changes_its_words_and_keeps_every_comment(post: Post, acme: Path) -> None:
    before = (acme / "people.yaml").read_text()

    status, told = _edit(post, "people.yaml", ROLE)

    assert status == 200, told
    after = (acme / "people.yaml").read_text()
    changed = [(a, b) for a, b in zip(before.splitlines(), after.splitlines(), strict=True) if a != b]
    assert len(changed) == 1
    assert "staff engineer" in changed[0][1]
    assert told["read"]["value"]["ida"]["role"] == "staff engineer"


def test_an_edit_that_makes_a_mistake_is_told_and_not_written(post: Post, acme: Path) -> None:
    before = (acme / "people.yaml").read_bytes()
    wrong = {"op": "set", "path": ["ida", "manager"], "value": "priyq"}

    _, told = _edit(post, "people.yaml", wrong)

    assert told["written"] == []
    assert told["refused"][0]["fixes"][0]["wanted"] == "priya"
    assert (acme / "people.yaml").read_bytes() == before

    _, told = _edit(post, "people.yaml", wrong, anyway=True)

    assert told["written"]
    assert told["refused"] == []
    assert "priyq" in told["caused"][0]["message"]
    assert told["caused"][0] in told["problems"]
    assert told["undo"]


def test_a_text_that_is_not_there_yet_is_read_with_the_others(post: Post, acme: Path) -> None:
    story = 'says: "Doors."\nbeats:\n  open: {at: 2026-03-20 10:00, who: markus, told: {"#support": slack}}\n'

    _, told = post("/api/author/acme/check", {"texts": {"storylines/door.yaml": story}})

    assert any("markus" in one["message"] for one in told["problems"] if one["file"] == "storylines/door.yaml")
    assert not (acme / "storylines/door.yaml").exists()


def test_only_what_a_change_itself_makes_wrong_is_told_of_it(post: Post, acme: Path) -> None:
    people = (acme / "people.yaml").read_text()
    (acme / "people.yaml").write_text(people.replace("manager: priya", "manager: priyq", 1))

    _, told = _edit(post, "people.yaml", ROLE, anyway=True)

    assert told["written"]
    assert told["caused"] == []
    assert [one for one in told["problems"] if "priyq" in one["message"]]


def test_what_changed_on_disk_meanwhile_is_not_overwritten(post: Post, acme: Path) -> None:
    read = _read(post, "people.yaml")
    theirs = read["text"] + "# mine\n"
    (acme / "people.yaml").write_text(theirs)

    status, said = post("/api/author/acme/save", {"file": "people.yaml", "text": "x: 1\n", "base": read["hash"]})

    assert status == 409
    assert said["text"] == theirs
    assert said["hash"] == _read(post, "people.yaml")["hash"]
    assert (acme / "people.yaml").read_text() == theirs


def test_changes_are_taken_back_and_made_again_byte_for_byte(post: Post, acme: Path) -> None:
    before = (acme / "people.yaml").read_bytes()
    _edit(post, "people.yaml", ROLE)
    after = (acme / "people.yaml").read_bytes()

    assert post("/api/author/acme/undo", {})[1]["redo"] == "Test"
    assert (acme / "people.yaml").read_bytes() == before
    assert post("/api/author/acme/redo", {})[0] == 200
    assert (acme / "people.yaml").read_bytes() == after
    (acme / "people.yaml").write_bytes(after + b"# theirs\n")
    status, said = post("/api/author/acme/undo", {})
    assert status == 422
    assert "changed by somebody else" in said["error"]


def test_an_outage_that_is_moved_stays_what_it_was_relative_to(post: Post, acme: Path) -> None:
    outages = acme / "outages.yaml"
    outages.write_text(outages.read_text().replace("2026-03-24 11:44", "rds-evening + 16h34m"))
    read = _read(post, "outages.yaml")
    move = {
        "file": "outages.yaml",
        "base": read["hash"],
        "path": ["slack-noon"],
        "field": "from",
        "by": 30 * 60_000_000,
    }

    status, told = post("/api/author/acme/move", {**move, "anyway": True})

    assert status == 200, told
    assert told["read"]["value"]["slack-noon"]["from"] == "rds-evening + 17h4m"


@pytest.mark.parametrize(
    ("by", "longer", "reads", "label"),
    [
        (0, 30, ("2026-03-24 11:44", "1h18m"), "End slack-noon later"),
        (0, -18, ("2026-03-24 11:44", "30m"), "End slack-noon earlier"),
        (-16, 16, ("2026-03-24 11:28", "1h4m"), "Begin slack-noon earlier"),
        (8, -8, ("2026-03-24 11:52", "40m"), "Begin slack-noon later"),
    ],
)
def test_an_end_of_an_outage_is_moved_and_the_other_stays(
    post: Post, acme: Path, by: int, longer: int, reads: tuple[str, str], label: str
) -> None:
    before = (acme / "outages.yaml").read_text()
    move = {"file": "outages.yaml", "base": _read(post, "outages.yaml")["hash"], "path": ["slack-noon"], "anyway": True}
    minutes = {"by": by * 60_000_000, "longer": longer * 60_000_000}

    _, told = post("/api/author/acme/move", {**move, "field": "from", "span": "for", **minutes})

    assert (told["read"]["value"]["slack-noon"]["from"], told["read"]["value"]["slack-noon"]["for"]) == reads
    assert told["undo"] == label
    assert post("/api/author/acme/undo", {})[0] == 200
    assert (acme / "outages.yaml").read_text() == before


def test_an_outage_is_not_made_shorter_than_a_minute(post: Post, acme: Path) -> None:
    before = (acme / "outages.yaml").read_text()
    move = {"file": "outages.yaml", "base": _read(post, "outages.yaml")["hash"], "path": ["slack-noon"], "span": "for"}

    status, said = post("/api/author/acme/move", {**move, "longer": -48 * 60_000_000, "anyway": True})

    assert status == 422
    assert "no minute" in said["error"]
    assert (acme / "outages.yaml").read_text() == before


def test_a_rename_follows_every_reference_and_leaves_sentences(post: Post, acme: Path) -> None:
    world = find_world("acme")
    assert world is not None
    uses = uses_of(world, "marcus")
    assert sum(use.is_reference for use in uses) > 10

    status, told = post("/api/author/acme/rename", {"old": "marcus", "new": "marcel"})

    assert status == 200, told
    assert told["refused"] == []
    assert told["problems"] == []
    assert "marcus" not in [use.text for use in uses_of(world, "marcus") if use.is_reference]
    assert post("/api/author/acme/undo", {})[0] == 200
    assert len(uses_of(world, "marcus")) == len(uses)


def test_who_is_new_in_a_team_is_on_its_lists_too(post: Post, acme: Path) -> None:
    entry = {"name": "Ana Prado", "role": "support", "team": "support", "manager": "marcus"}

    status, told = _edit(post, "people.yaml", {"op": "set", "path": ["ana"], "value": entry}, joins=True)

    assert status == 200, told
    assert {one["file"] for one in told["written"]} == {"people.yaml", "world.yaml"}
    assert "ana" in (acme / "world.yaml").read_text()


def test_somebody_is_suggested_whom_nobody_is_called_yet(post: Post, acme: Path) -> None:
    status, told = post("/api/author/acme/suggest", method="GET", query="kind=person")

    assert status == 200, told
    assert told["short"] not in _read(post, "people.yaml")["value"]
    assert _edit(post, "people.yaml", {"op": "set", "path": [told["short"]], "value": told["entry"]})[1]["written"]


def test_a_task_is_added_with_its_solution_and_its_cases(post: Post, acme: Path) -> None:
    asked = {"name": "who-knew", "asks": "hold-10", "requester": "marcus", "start": "", "title": "Find out"}

    status, told = post("/api/author/acme/new-task", asked)

    assert status == 200, told
    assert (acme / "tasks/who-knew/oracle.yaml").is_file()
    status, told = post("/api/author/acme/new-task", {**asked, "name": "other", "asks": "hold-11"})
    assert status == 422
    assert "no fact 'hold-11'" in told["error"]


def test_a_task_is_chosen_from_questions_and_told_what_goes_on_when_it_begins(post: Post, acme: Path) -> None:
    status, told = post("/api/author/acme/task-offer", method="GET", query="asks=hold-10")

    assert status == 200, told
    hold = next(one for one in told["questions"] if one["slot"] == "boxoffice.hold_minutes")
    assert hold["asks"] == "How many minutes a seat is really kept while somebody pays"
    assert [one["text"] for one in hold["answers"]] == ["15 minutes until 12 Mar", "10 minutes since 12 Mar"]
    assert [one["holds"] for one in hold["answers"]] == [False, True]
    assert told["start"] == told["suggested"] == "2026-03-24 11:35"
    assert "Slack is down from 11:44, 9 minutes later." in told["notes"]

    _, early = post("/api/author/acme/task-offer", method="GET", query="start=2026-03-10%2009:00&asks=hold-10")
    hold = next(one for one in early["questions"] if one["slot"] == "boxoffice.hold_minutes")
    assert [one["holds"] for one in hold["answers"]] == [True, False]
    assert any("Nothing breaks in the four hours" in note for note in early["notes"])

    _, during = post("/api/author/acme/task-offer", method="GET", query="start=slack-noon%20%2B%205m")
    assert any("Slack is down already, until" in note for note in during["notes"]), during


def test_a_start_that_nobody_typed_is_kept_while_what_is_asked_for_has_an_answer_then(post: Post, acme: Path) -> None:
    kept = "2026-03-16%2009:00"
    _, told = post("/api/author/acme/task-offer", method="GET", query=f"start={kept}&asks=hold-10&kept=1")
    assert (told["start"], told["moved"]) == ("2026-03-16 09:00", "")

    early = "2026-03-02 09:00"
    query = f"start={early.replace(' ', '%20')}"
    _, offered = post("/api/author/acme/task-offer", method="GET", query=query)
    late = next(
        one for one in offered["questions"]
        if not any(each["holds"] for each in one["answers"]) and one["answers"][0]["is_ever"]
    )  # fmt: skip
    query += f"&asks={late['answers'][0]['fact']}"
    _, told = post("/api/author/acme/task-offer", method="GET", query=f"{query}&kept=1")
    assert told["start"] == told["suggested"] != early
    assert told["moved"] == f"The start was moved from {early}, when nothing answers “{late['asks']}”."
    _, typed = post("/api/author/acme/task-offer", method="GET", query=query)
    assert (typed["start"], typed["moved"]) == (early, "")


def test_how_long_tasks_of_a_world_last_is_said_where_runs_of_it_tell(post: Post, at_home: pytest.MonkeyPatch) -> None:
    _, told = post("/api/author/tiny/task-offer", method="GET", query="")
    run = next(run.result for run in list_runs(choices().runs).runs if run.id == "solved")
    settle = read_world(find_spec("tiny")).tasks["find-the-change"].limits.settle / MINUTE
    assert run is not None
    done = round(run.sim_minutes - settle)
    assert told["notes"][-1] == f"Reference solutions here were done {done} minutes after their start."


@pytest.mark.parametrize("start", ["tomorrow", "2031-01-01 10:00", "'; drop"])
def test_a_start_that_is_none_is_said_to_be_wrong_and_loses_nothing(post: Post, acme: Path, start: str) -> None:
    status, told = post("/api/author/acme/task-offer", method="GET", query=f"start={start.replace(' ', '%20')}")

    assert status == 200, told
    assert told["wrong"]
    assert told["questions"]
    assert told["notes"] == []


def test_a_storyline_of_a_kind_is_told_by_people_who_are_there(post: Post, tmp_path: Path, acme: Path) -> None:
    write_world(WorldRequest(name="shop", tasks=0), tmp_path / "shop")

    status, told = post("/api/author/shop/new-storyline", {"kind": "policy-changed", "trade": "food-delivery"})

    assert status == 200, told
    assert told["refused"] == []
    assert (tmp_path / "shop/storylines/policy-changed.yaml").is_file()
    assert not [one for one in told["problems"] if one["severity"] == "error"]
    status, kinds = post("/api/author/shop/kinds", method="GET")
    assert kinds["trade"] == "food-delivery"
    assert "policy-changed" in [one["name"] for one in kinds["kinds"]]


@pytest.mark.parametrize("page", [*ENTRY_PAGES])
def test_every_page_of_the_text_has_its_entries_where_the_files_have_them(post: Post, acme: Path, page: str) -> None:
    status, told = post("/api/author/acme/entries", method="GET", query=f"page={page}")

    assert status == 200, told
    assert told["entries"]["items"]
    texts: dict[str, Any] = {}
    for item in told["entries"]["items"]:
        if item["file"] not in texts:
            texts[item["file"]] = _read(post, item["file"])["value"]
        value = texts[item["file"]]
        for step in item["path"]:
            value = value[step]
        assert value is not None


def test_problems_of_a_text_that_is_not_saved_have_their_characters_and_a_click(post: Post, acme: Path) -> None:
    text = (acme / "people.yaml").read_text().replace("manager: priya", "manager: priyq", 1)

    _, told = post("/api/author/acme/check", {"rev": 7, "texts": {"people.yaml": text}})

    assert told["rev"] == 7
    problem = next(one for one in told["problems"] if one["fixes"])
    line = text.splitlines()[problem["line"] - 1]
    assert line[problem["column"] : problem["column"] + problem["length"]] == "priyq"
    assert problem["fixes"][0]["wanted"] == "priya"


def test_a_file_that_cannot_be_read_spoils_no_other_and_the_header_counts_what_is_listed(
    post: Post, acme: Path
) -> None:
    (acme / "storylines/more.yaml").write_text('says: "More."\nmeetings: {}\naccounts: {}\n')
    text = (acme / "world.yaml").read_text()

    _, told = post("/api/author/acme/check", {"texts": {"world.yaml": text.replace("apps:", "apps: [")}})

    [broken] = told["problems"]
    assert broken["file"] == "world.yaml"
    assert broken["fixes"] == []

    (acme / "world.yaml").write_text(text.replace("apps:", "apps: ["))
    world = find_world("acme")
    assert world is not None
    assert len(read_text(world).mistakes) == len(problems_of(world)) == 1


def test_a_fix_that_does_not_mend_is_not_offered(post: Post, acme: Path) -> None:
    """The word that is meant stands there already."""
    text = (acme / "people.yaml").read_text()
    twice = re.sub(r"( *)manager: priya\b", r"\g<0>\n\1manger: priya", text, count=1)

    _, told = post("/api/author/acme/check", {"texts": {"people.yaml": twice}})

    assert [one["fixes"] for one in told["problems"]] == [[]]
    assert "did you mean 'manager'" in told["problems"][0]["message"]


def test_worlds_are_copied_taken_in_and_thrown_into_the_trash(acme: Path, tmp_path: Path) -> None:
    world = find_world("acme")
    assert world is not None
    copy = duplicate_world(world, "acme-two")
    assert "world: acme-two" in (copy / "world.yaml").read_text()
    elsewhere = tmp_path / "elsewhere" / "inner" / "other"
    copytree(acme, elsewhere)
    assert import_world(elsewhere).name == "other"
    with pytest.raises(EditRefused, match="already"):
        duplicate_world(world, "other")

    place = delete_world(known_worlds()["acme-two"])

    assert "acme-two" not in known_worlds()
    assert place.parent == trash_folder()
    assert (place / "world.yaml").is_file()


def test_a_bracket_that_is_not_closed_is_pointed_at_and_no_text_is_taken_for_wrong(acme: Path) -> None:
    outages = acme / "outages.yaml"
    text = 'one: {on: gmail, mode: "{down}", from: 2026-03-24 11:44, for: 45m\ntwo: {on: slack}\n'
    outages.write_text(text)
    world = find_world("acme")
    assert world is not None
    (found,) = [one for one in problems_of(world) if one.file == "outages.yaml"]

    assert (found.line, found.column, found.length) == (1, text.index("{"), 0)
    assert found.message == "broken YAML: the `{` of line 1 is not closed"
