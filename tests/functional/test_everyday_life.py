"""Everyday life beside the storylines: before a task's start written in bulk, afterwards lived, one history."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from brownout.background.days import Days
from brownout.background.kept_days import days_between, packed, unpacked
from brownout.background.life_sources import Life, read_life
from brownout.core.instants import DAY, HOUR
from brownout.core.trajectory import WorldEvent
from brownout.engine import everyday
from brownout.engine.session import Session
from brownout.engine.world import World
from brownout.rollouts.recorder import read_run
from brownout.rollouts.replay import replay
from generators.authoring.new_world import write_world
from generators.authoring.world_request import WorldRequest
from generators.build import build_world
from tests.functional.playing import lively_spec, marked_tasks, play
from worlds.package import Package

TASK = "find-the-change"
SAID = """
    SELECT m.id, c.name, u.handle, m.at_us, m.thread_us, m.text
    FROM slack_message m JOIN slack_channel c ON c.id = m.channel JOIN slack_user u ON u.id = m.user ORDER BY m.id
"""


def _rows(package: Package, table: str) -> list[tuple[object, ...]]:
    return _query(package, f"SELECT * FROM {table} ORDER BY 1")


def _query(package: Package, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(package.base)) as base:
        return base.execute(sql).fetchall()


def _events(session: Session) -> list[WorldEvent]:
    return [event for event in session.events if isinstance(event, WorldEvent) and event.key.startswith("talk/")]


def test_what_is_written_in_bulk_is_what_would_have_been_lived(
    lively_package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(everyday, "writer_of", lambda simulation, item: None)
    lived = build_world(lively_spec(), out=tmp_path / "lived")

    for table in (*(table for table in lived.manifest.counts if "_" in table), "engine_binding"):
        assert _rows(lived, table) == _rows(lively_package, table), table
    assert lived.manifest.counts["slack_message"] > 600


def test_customers_questions_and_meetings_are_lived_as_they_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generators.background.life.read_mail_threads", dict)  # those put together lead to tickets
    write_world(WorldRequest(name="acme", people=7, days=28, customers=12, tasks=1, seed=4), tmp_path / "text")
    spec = lively_spec(3, folder=tmp_path / "text")
    written = build_world(spec, out=tmp_path / "written")
    monkeypatch.setattr(everyday, "writer_of", lambda simulation, item: None)
    lived = build_world(spec, out=tmp_path / "lived")

    for table in (*(table for table in lived.manifest.counts if "_" in table), "engine_binding"):
        assert _rows(lived, table) == _rows(written, table), table
    conversations = {f"conversation {row[0]}" for row in _rows(written, "customers_conversation")}
    tickets = " ".join(str(row) for row in _rows(written, "jira_issue"))
    cited = {*re.findall(r"wrote to us about it: (conversation \d+)", tickets)}
    assert cited
    assert cited <= conversations
    assert "their mail" not in tickets
    assert "solved" in {value for row in _rows(written, "customers_conversation") for value in row}
    assert len(_rows(written, "calendar_event")) > 10


def test_the_full_text_index_knows_what_was_written_in_bulk(lively_package: Package) -> None:
    with closing(sqlite3.connect(lively_package.base)) as base:
        total = base.execute("SELECT count(*) FROM slack_message").fetchone()
        base.execute("INSERT INTO slack_message_search (slack_message_search) VALUES ('integrity-check')")
        found = base.execute(
            "SELECT count(*) FROM slack_message_search WHERE slack_message_search MATCH 'lunch OR the'"
        )
        assert 0 < found.fetchone()[0] <= total[0]


def test_volume_nothing_leaves_a_world_as_it_was(tiny_package: Package, tmp_path: Path) -> None:
    silent = build_world(lively_spec(0), out=tmp_path / "silent")

    assert silent.manifest.digest == tiny_package.manifest.digest


def test_building_twice_gives_the_same_package(lively_package: Package, tmp_path: Path) -> None:
    assert build_world(lively_spec(), out=tmp_path / "again").manifest.digest == lively_package.manifest.digest


def test_life_goes_on_after_the_start(lively: World) -> None:
    with lively, lively.open_session(TASK) as session:
        session.call("wait", {"minutes": 100})
        session.call("wait", {"minutes": 100})
        said = _events(session)

        assert len(said) > 1
        assert [event.at for event in said] == sorted(event.at for event in said)
        assert {event.outcome for event in said} == {"done"}


def test_sessions_live_the_same_days_whatever_their_seed(lively: World) -> None:
    keys = []
    with lively:
        for seed in (0, 7):
            with lively.open_session(TASK, seed=seed) as session:
                for _ in range(2):
                    session.call("wait", {"minutes": 100})
                keys.append([(event.at, event.key) for event in _events(session)])

    assert keys[0] == keys[1]
    assert keys[0]


def test_reset_fork_and_digest_hold(lively: World) -> None:
    with lively, lively.open_session(TASK) as session:
        before = session.digest()
        session.call("wait", {"minutes": 100})
        twin = session.fork()
        for one in (session, twin):
            one.call("wait", {"minutes": 100})
        assert session.digest() == twin.digest() != before
        lived = [(event.at, event.key) for event in _events(session)]
        session.reset()
        assert session.digest() == before
        for _ in range(2):
            session.call("wait", {"minutes": 100})
        assert session.digest() == twin.digest()
        assert [(event.at, event.key) for event in _events(session)] == lived
        twin.close()


@pytest.mark.parametrize("task", marked_tasks())
def test_the_oracle_is_still_exactly_one_and_replays(lively: World, tmp_path: Path, task: str) -> None:
    with lively:
        result = play(lively, tmp_path / "run", task, "oracle", seed=3)
        report = replay(lively, read_run(tmp_path / "run"))

    assert (result.status, result.reward, result.failure) == ("ok", 1.0, None)
    assert (report.matches, report.first_divergence) == (True, None)


@pytest.mark.parametrize("task", marked_tasks())
def test_doing_nothing_is_still_exactly_zero(lively: World, tmp_path: Path, task: str) -> None:
    with lively:
        assert play(lively, tmp_path / "run", task, "noop", answer="Done.").reward == 0.0


def test_a_preview_shows_what_the_package_has(lively: World, lively_package: Package) -> None:
    with lively:
        preview = lively.preview()
        preview.go(lively_package.manifest.start - 1)
        shown = preview.rows.execute(SAID)
        preview.close()
    with closing(sqlite3.connect(lively_package.base)) as base:
        assert shown == base.execute(SAID).fetchall()


def test_nobody_talks_while_away(lively: World, lively_package: Package) -> None:
    with lively:
        people = lively.setting.people
    rows = _rows(lively_package, "engine_binding")
    talks = {path for _, name, path in rows if str(name).startswith("talk/")}
    with closing(sqlite3.connect(lively_package.base)) as base:
        for _, channel, handle, at, _, _ in base.execute(SAID):
            if f"slack:#{channel}.message/{at // 1_000_000}.{at % 1_000_000:06d}" in talks:
                assert not people[handle].attendance.is_away(at), (handle, at)


def test_what_others_need_comes_first_and_is_named(lively: World, lively_package: Package) -> None:
    with lively:
        days = lively.shared.days
        assert days is not None
        items = [*days.between(None, lively_package.manifest.calendar[0] + 20 * DAY)]
    parents = {item.intent.key: item for item in items}
    needing = [item for item in items if item.needs]

    assert len(needing) > 100
    assert all(parents[item.needs].cursor < item.cursor for item in needing)
    assert all(parents[item.needs].is_named for item in needing)


def test_a_digest_counts_what_is_there(lively_package: Package) -> None:
    """Tickets of the project that were created in the week before it, beside those that people of a storyline opened."""
    digests = [
        str(body)
        for subject, body in _query(lively_package, "SELECT subject, body FROM gmail_message")
        if "week before" in str(subject)
    ]
    listed = [found for text in digests for found in re.findall(r"(\w+-\d+)  (.+?) \(", text)]
    tickets = {str(row[1]): [*map(str, row)] for row in _rows(lively_package, "jira_issue")}

    assert listed
    assert all(any(title in value for value in tickets[key]) for key, title in listed)
    for text in digests:
        if counted := re.search(r"(\w+): (\d+) created", text):
            assert int(counted[2]) == len(re.findall(rf"{counted[1]}-\d+  ", text))
        if counted := re.search(r"Alerts: (\d+)", text):
            assert int(counted[1]) == sum(map(int, re.findall(r"(\d+)x  ", text)))


def test_what_an_outage_refuses_takes_its_answers_with_it_and_people_write_mails_instead(
    spec_folder: Path, tmp_path: Path
) -> None:
    outages = spec_folder / "outages.yaml"
    outages.write_text(
        f"{outages.read_text()}\nno-chat: {{on: slack, mode: down, from: 2026-03-10 09:00, lasts: 5h}}\n"
    )
    package = build_world(lively_spec(folder=spec_folder), out=tmp_path / "down")
    with World(package) as world:
        days = world.shared.days
        outage = next(one for one in package.outages if one.name == "no-chat")
        assert days is not None
        assert outage.start is not None
        ends = outage.start + outage.lasts
        items = [item for item in days.between(None, ends + 3 * DAY) if item.intent.via == "slack"]
    bound = {str(name): str(path) for _, name, path in _rows(package, "engine_binding")}
    refused = {item.intent.key for item in items if outage.start <= item.at < ends and item.is_named}

    assert refused
    assert not refused & {*bound}
    assert {item.intent.key for item in items if item.is_named and item.at < outage.start} <= {*bound}
    left = [item for item in items if item.at >= ends and item.is_named and not item.needs]
    assert left
    assert {item.intent.key for item in left} <= {*bound}
    assert [name for name in bound if name.startswith("outage/no-chat/mail.")]
    assert [name for name in bound if name.startswith("outage/no-chat/over.")]


def test_a_day_is_the_same_whoever_asks_first(lively_package: Package) -> None:
    with World(lively_package) as one, World(lively_package) as other:
        assert one.shared.days is not None
        assert other.shared.days is not None
        start = lively_package.manifest.start
        late = [*other.shared.days.between(None, start + 3 * HOUR)][-40:]
        cursor = late[0].cursor
        assert [*one.shared.days.between(cursor, start + 3 * HOUR)] == late[1:]


def test_the_days_that_tasks_are_played_on_are_kept_as_they_are_drawn(lively_package: Package) -> None:
    drawn, zone = Days(read_life(lively_package.life)), lively_package.manifest.zone
    for task in lively_package.tasks.values():
        for day in days_between(task.start, task.start + task.limit_sim + task.settle, zone):
            lines = lively_package.kept_day(day)
            assert lines is not None
            assert unpacked(lines) == [*drawn.on(day)]
            assert packed(unpacked(lines)) == lines


def test_an_episode_opens_nothing_that_days_are_drawn_from(lively: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Life, "model_validate_json", None)
    with lively.open_session(TASK) as session:
        while not session.ended:
            session.call("wait", {"minutes": 120})
        assert any(isinstance(event, WorldEvent) for event in session.events)
        session.reset()
        with pytest.raises(TypeError):
            lively.preview().go(lively.package.manifest.calendar[1])
