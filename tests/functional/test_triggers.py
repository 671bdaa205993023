"""Beats and outages that wait for something to come true."""

from pathlib import Path

from sqlalchemy import select

import brownout
from brownout.core.trajectory import OutageEvent, WorldEvent
from brownout.store import StoreRows, compile_query
from generators.world_check import mistakes_in
from tests.calm import write_outages
from worlds.package.engine_tables import belief, fact


def test_a_beat_waits_until_a_service_has_been_broken_long_enough(spec_folder: Path, tmp_path: Path) -> None:
    story = spec_folder / "storylines/board.yaml"
    story.write_text('beats:\n  worried: {when: boxoffice.errors for 20m, who: priya, told: {"#general": slack}}\n')
    (spec_folder / "prose/board.yaml").write_text('worried: "is the box office all right?"\n')
    with brownout.open_world(brownout.build(spec_folder, out=tmp_path / "package")) as world:
        preview = world.preview()
        preview.go(world.package.manifest.calendar[1])
        began = [
            e.at for e in preview.events if isinstance(e, OutageEvent) and (e.target, e.edge) == ("boxoffice", "errors")
        ]
        asked = [e.at for e in preview.events if isinstance(e, WorldEvent) and e.key == "board/worried"]

    assert [at - began[0] for at in asked] == [20 * 60_000_000]


def test_an_outage_waits_for_what_the_agent_does(spec_folder: Path, tmp_path: Path) -> None:
    write_outages(spec_folder, "jira-too: {on: jira, when: jira_get_issue.called for 2m, for: 30m, mode: down}\n")
    with brownout.open_session(
        brownout.build(spec_folder, out=tmp_path / "package"), task="find-the-change"
    ) as session:
        assert not session.call("jira_search_issues", {"jql": ""}).is_error
        assert not session.call("jira_get_issue", {"issue": "BOX-32"}).is_error
        session.call("wait", {"minutes": 3, "until_notice": False})
        assert session.call("jira_get_issue", {"issue": "BOX-32"}).fault == "jira-too"
        session.call("wait", {"minutes": 30, "until_notice": False})
        assert not session.call("jira_get_issue", {"issue": "BOX-32"}).is_error


def test_a_trigger_fires_once(spec_folder: Path, tmp_path: Path) -> None:
    write_outages(spec_folder, "jira-too: {on: jira, when: slack_list_users.called, for: 5m, mode: down}\n")
    with brownout.open_session(
        brownout.build(spec_folder, out=tmp_path / "package"), task="find-the-change"
    ) as session:
        for _ in range(3):
            session.call("slack_list_users", {})
            session.call("wait", {"minutes": 10, "until_notice": False})

        assert (
            len([e for e in session.events if isinstance(e, OutageEvent) and (e.name, e.edge) == ("jira-too", "began")])
            == 1
        )


def edge(rows: StoreRows, name: str, column: str) -> object:
    return rows.scalar(compile_query(select(fact.c[column]).where(fact.c.fact == name)))


def test_a_fact_begins_when_what_it_waits_for_has_come_true(spec_folder: Path, tmp_path: Path) -> None:
    (spec_folder / "storylines/board.yaml").write_text(
        "facts:\n"
        "  broken: {slot: boxoffice.state, is: broken, since: rds-evening, until: well-again}\n"
        "  works: {slot: boxoffice.state, is: works, since: well-again + 5m}\n"
        'beats:\n  well-again: {when: boxoffice.ok, who: priya, told: {"#general": slack}}\n'
    )
    (spec_folder / "prose/board.yaml").write_text('well-again: "it sells again"\n')
    with brownout.open_world(brownout.build(spec_folder, out=tmp_path / "package")) as world:
        preview = world.preview()
        until = edge(preview.rows, "broken", "until_us")
        since = edge(preview.rows, "works", "since_us")
        calendar = world.package.manifest.calendar
        preview.go(calendar[1])
        ended = [
            e.at for e in preview.events if isinstance(e, OutageEvent) and (e.target, e.edge) == ("boxoffice", "ok")
        ]
        works = edge(preview.rows, "works", "since_us")
        broken = edge(preview.rows, "broken", "until_us")

    assert (until, since) == (None, calendar[1])
    assert (broken, works) == (ended[0], ended[0] + 5 * 60_000_000)


def board(spec_folder: Path, text: str) -> None:
    (spec_folder / "storylines/board.yaml").write_text(text)


def test_what_a_waiting_beat_makes_is_known_from_then_on(spec_folder: Path, tmp_path: Path) -> None:
    board(
        spec_folder,
        "facts:\n  works: {slot: boxoffice.state, is: works, since: well-again}\n"
        "beats:\n  well-again: {when: boxoffice.ok, who: priya, learns: [works]}\n",
    )
    with brownout.open_world(brownout.build(spec_folder, out=tmp_path / "package")) as world:
        preview = world.preview()
        known = compile_query(select(belief.c.person, belief.c.learned_us).where(belief.c.fact == "works"))
        before = preview.rows.all(known)
        preview.go(world.package.manifest.calendar[1])
        ended = [
            e.at for e in preview.events if isinstance(e, OutageEvent) and (e.target, e.edge) == ("boxoffice", "ok")
        ]
        after = [(row.text("person"), row.number("learned_us")) for row in preview.rows.all(known)]

    assert before == []
    assert after == [("priya", ended[0])]


def test_nothing_is_so_before_what_it_waits_for(spec_folder: Path) -> None:
    board(
        spec_folder,
        "facts:\n  works: {slot: boxoffice.state, is: works, since: well-again - 5m}\n"
        "beats:\n  well-again: {when: boxoffice.ok, who: priya, learns: [works]}\n",
    )

    assert any("works.since: expected a time after well-again" in str(mistake) for mistake in mistakes_in(spec_folder))
