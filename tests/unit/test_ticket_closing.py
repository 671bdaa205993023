"""Tickets are closed by the work that they ask for."""

from pathlib import Path

import pytest

import brownout
from brownout.core.errors import AuthoringError
from brownout.engine.world import World


def jira(world: World, query: str) -> list[tuple[object, ...]]:
    preview = world.preview()
    preview.go(world.package.task("find-the-change").start)
    return [tuple(row) for row in preview.rows.execute(query)]


def test_a_decided_ticket_is_taken_up_by_who_does_it_and_closed_by_its_merge(tiny: World) -> None:
    [(key, status, assignee, body, merged)] = jira(
        tiny,
        "SELECT i.key, i.status, u.person, p.body, p.merged_us FROM jira_issue i JOIN jira_user u ON u.id = i.assignee "
        "JOIN github_pull p ON p.title LIKE 'Hold seats for 10%' WHERE i.summary LIKE 'Shorten the seat hold%'",
    )
    moves = jira(
        tiny,
        "SELECT h.old, h.new, u.person, h.at_us FROM jira_history h JOIN jira_issue i ON i.id = h.issue "
        f"JOIN jira_user u ON u.id = h.author WHERE i.key = '{key}' AND h.field = 'status' ORDER BY h.at_us",
    )

    assert (key, status, assignee) == ("BOX-31", "Done", "owen")
    assert str(key) in str(body)
    assert [move[:3] for move in moves] == [("To Do", "In Progress", "owen"), ("In Progress", "Done", "owen")]
    assert isinstance(merged, int)
    assert int(str(moves[1][3])) > merged


def test_every_ticket_from_before_the_calendar_is_there_and_closed(tiny: World) -> None:
    found = jira(tiny, "SELECT number, status FROM jira_issue WHERE number <= 30 ORDER BY number")

    assert found == [(number, "Done") for number in range(21, 31)]


@pytest.mark.parametrize(
    ("name", "message"),
    [("boxoffice/ten-minuts", "did you mean 'boxoffice/ten-minutes'"), ("boxoffice/redirect", "was done before")],
)
def test_a_ticket_that_nothing_closes_is_a_mistake(spec_folder: Path, tmp_path: Path, name: str, message: str) -> None:
    path = spec_folder / "storylines/holds.yaml"
    path.write_text(path.read_text().replace("closed_by: boxoffice/ten-minutes", f"closed_by: {name}", 1))

    with pytest.raises(AuthoringError, match=message):
        brownout.build(spec_folder, out=tmp_path / "package")


SHORT = """
says: "Tickets in short."
tickets:
  loose-seat:
    at: 2026-03-05 10:02
    who: marcus
    opens: {issue: "Row C wobbles", project: BOX, type: Bug, assignee: yuki}
    text: "Dora says so."
    then:
      - "2026-03-05 11:30 yuki gives it to owen"
      - "2026-03-05 14:10 owen takes it"
      - "2026-03-06 10:20 owen: a screw. tightened"
      - "2026-03-06 10:25 owen closes it as Won't Do"
  looser-seat:
    at: 2026-03-06 09:40
    who: priya
    opens: {issue: "Row C wobbles more", project: BOX, type: Bug, number: 77}
    then: ["2026-03-06 11:00 yuki closes it as a duplicate of loose-seat"]
"""


def test_a_ticket_in_short_is_all_that_became_of_it(spec_folder: Path, tmp_path: Path) -> None:
    (spec_folder / "storylines" / "short.yaml").write_text(SHORT)
    with World(brownout.build(spec_folder, out=tmp_path / "package"), hot=2) as world:
        [(_, status, resolution, assignee, body)] = jira(
            world,
            "SELECT i.key, i.status, i.resolution, u.person, c.body FROM jira_issue i "
            "JOIN jira_user u ON u.id = i.assignee JOIN jira_comment c ON c.issue = i.id "
            "WHERE i.summary = 'Row C wobbles'",
        )
        [(twin,)] = jira(
            world, "SELECT resolution FROM jira_issue WHERE key = 'BOX-77' AND summary = 'Row C wobbles more'"
        )
        links = jira(world, "SELECT count(*) FROM jira_link")

    assert (status, resolution, assignee, body) == ("Done", "Won't Do", "owen", "a screw. tightened")
    assert twin == "Duplicate"
    assert links == [(1,)]


@pytest.mark.parametrize(
    ("spoilt", "message"),
    [
        ("owen takes it", "owen grabs it"),
        ('then: ["2026', 'than: ["2026'),
        ('opens: {issue: "Row C wobbles more", project: BOX, type: Bug, number: 77}', "opened: 1"),
    ],
)
def test_a_ticket_in_another_form_is_a_mistake(spec_folder: Path, spoilt: str, message: str) -> None:
    (spec_folder / "storylines" / "short.yaml").write_text(SHORT.replace(spoilt, message))

    with pytest.raises(AuthoringError, match=r"storylines/short\.yaml.*tickets\.loose"):
        brownout.build(spec_folder, out=spec_folder / "out")
