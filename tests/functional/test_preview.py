"""The company at any moment of its calendar."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import orjson
import pytest

from brownout.background.days import Days
from brownout.catalog import built_package
from brownout.core.instants import DAY, HOUR
from brownout.core.trajectory import WorldEvent
from brownout.engine import kept_moments
from brownout.engine import world as world_module
from brownout.engine.preview import Preview
from brownout.engine.world import World
from worlds.expressions import parse_moment
from worlds.package import Package, open_package
from worlds.spec.company import BackgroundSpec


def test_a_past_time_is_shown_as_it_was_then(tiny: World) -> None:
    preview = tiny.preview()

    def product_channel(day: str) -> int:
        at = parse_moment(day, tiny.setting.zone)
        assert isinstance(at, int)
        preview.go(at)
        answer = preview.ask("slack_read_channel", {"channel": "#product"}, "yuki")
        assert isinstance(answer, dict)
        messages = answer["messages"]
        assert isinstance(messages, list)
        return len(messages)

    later, earlier, again = (
        product_channel(day) for day in ("2026-03-25 12:00", "2026-03-05 12:00", "2026-03-25 12:00")
    )

    assert earlier < later == again


def _live(preview: Preview, package: Package) -> None:
    """Live through the whole calendar, day by day, as what keeps moments for others does."""
    first, last = package.manifest.calendar
    for at in [*range(first, last, DAY), last]:
        preview.go(at)


def _without_events(package: Package, folder: Path) -> Package:
    """A copy that does not say what happens, so that a preview of it begins with the first day."""
    copied = copytree(package.folder, folder)
    manifest = orjson.loads((copied / "manifest.json").read_bytes())
    del manifest["digests"]["events.jsonl"]
    (copied / "manifest.json").write_bytes(orjson.dumps(manifest))
    return open_package(copied)


def test_a_preview_that_begins_with_a_tasks_start_shows_what_is_lived_through_from_the_first_day(
    tiny_package: Package, tmp_path: Path
) -> None:
    first, last = tiny_package.manifest.calendar
    starts = sorted({task.start for task in tiny_package.tasks.values()})
    without = _without_events(tiny_package, tmp_path / "earlier")
    assert without.events() is None
    with World(tiny_package) as world, World(without) as earlier:
        opened, lived = world.preview(), earlier.preview()
        for at in (first + DAY, *starts, starts[0] + 3 * HOUR, last):
            opened.go(at)
            lived.go(at)
            for table in ("slack_message", "gmail_copy", "jira_issue", "engine_belief"):
                seen = [preview.rows.execute(f"SELECT * FROM {table} ORDER BY id") for preview in (opened, lived)]
                assert seen[0] == seen[1] != []
            to_come = f"SELECT * FROM engine_schedule WHERE at_us >= {at} ORDER BY id"
            assert opened.rows.execute(to_come) == lived.rows.execute(to_come)
        assert opened.events == [
            replace(event, effects=()) if isinstance(event, WorldEvent) else event for event in lived.events
        ]


def test_the_start_of_a_task_is_what_the_preview_shows_then(tiny: World) -> None:
    preview = tiny.preview()
    preview.go(tiny.package.task("find-the-change").start)
    session = tiny.open_session("find-the-change")

    shown = preview.ask("jira_search_issues", {"jql": "ORDER BY key"}, "wren")

    assert session.call("jira_search_issues", {"jql": "ORDER BY key"}).structured == shown


def test_what_one_viewer_has_lived_through_another_has_at_hand(tiny_package: Package) -> None:
    with World(tiny_package) as world:
        first, last = tiny_package.manifest.calendar
        one, other = world.preview(), world.preview()
        one.go(last)
        other.near(last)
        assert last - other.now < 2 * DAY

        middle = (first + last) // 2
        other.go(middle)
        assert one.now == last
        assert other.now == middle
        happened = [event.seq for event in other.events]
        assert happened == [*range(len(happened))]

        one.close()
        other.go(last)
        assert other.now == last


def test_however_a_moment_is_reached_it_is_the_same(tiny_package: Package) -> None:
    first, last = tiny_package.manifest.calendar
    middle = (first + last) // 2
    with World(tiny_package) as world, World(tiny_package) as another:
        there, back = world.preview(), another.preview()
        there.go(middle)
        back.go(last)
        back.go(middle)
        for table in ("slack_message", "gmail_copy", "jira_issue", "engine_belief", "engine_schedule"):
            seen = [preview.rows.execute(f"SELECT * FROM {table} ORDER BY id") for preview in (there, back)]
            assert seen[0] == seen[1] != []


def test_the_next_process_begins_at_moments_that_were_kept(tiny_package: Package, tmp_path: Path) -> None:
    last = tiny_package.manifest.calendar[1]
    with World(tiny_package, hot=2) as world:
        preview = world.preview(kept=tmp_path)
        preview.go(last)
        events = [*preview.events]
        shown = preview.ask("jira_search_issues", {"jql": "ORDER BY created"}, "ida")
    kept = [*tmp_path.glob("*.changeset.z")]
    assert kept

    with World(tiny_package, hot=2) as world:
        preview = world.preview(kept=tmp_path)
        preview.near(last)
        assert preview.now > tiny_package.manifest.calendar[0]
        preview.go(last)
        assert preview.ask("jira_search_issues", {"jql": "ORDER BY created"}, "ida") == shown
        assert preview.events == events


def test_kept_moments_that_are_damaged_are_lived_through_again(tiny_package: Package, tmp_path: Path) -> None:
    last = tiny_package.manifest.calendar[1]
    with World(tiny_package, hot=2) as world:
        preview = world.preview(kept=tmp_path)
        preview.go(last)
        events = [*preview.events]
    for path in tmp_path.glob("*.changeset.z"):
        path.write_bytes(b"no changeset")

    with World(tiny_package, hot=2) as world:
        preview = world.preview(kept=tmp_path)
        preview.go(last)
        assert preview.now == last
        assert preview.events == events


def test_two_processes_keep_moments_in_one_folder(tiny_package: Package, tmp_path: Path) -> None:
    first, last = tiny_package.manifest.calendar
    with World(tiny_package, hot=2) as one, World(tiny_package, hot=2) as other:
        behind, ahead = one.preview(kept=tmp_path), other.preview(kept=tmp_path)
        behind.go((first + last) // 3)
        ahead.go(last)
        behind.near(last)
        assert last - behind.now < (last - first) // 4
        behind.go(last)
        assert behind.events == ahead.events


def test_a_preview_stays_where_it_is_told_that_it_is_enough(tiny_package: Package) -> None:
    first = tiny_package.manifest.calendar[0]
    with World(tiny_package, hot=2) as world:
        preview = world.preview()
        middle = min(task.start for task in tiny_package.tasks.values()) - DAY
        preview.go(middle, is_enough=lambda: True)
        assert preview.now <= first + DAY


def test_a_preview_that_keeps_nothing_uses_what_another_process_keeps(tiny_package: Package, tmp_path: Path) -> None:
    first, last = tiny_package.manifest.calendar
    with World(tiny_package, hot=2) as one, World(tiny_package, hot=2) as other:
        looking, ahead = one.preview(kept=tmp_path, keeps=False), other.preview(kept=tmp_path)
        looking.go((first + last) // 2)
        assert not [*tmp_path.glob("*.changeset.z")]
        ahead.go(last)
        looking.near(last)
        assert last - looking.now < (last - first) // 4
        looking.go(first + DAY)
        looking.go(last)
        assert looking.events == ahead.events


def test_moments_above_a_stand_are_the_same_as_those_that_were_lived_through(
    tiny_package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_moments, "_STAND_AT_BYTES", 1 << 15)
    first, last = tiny_package.manifest.calendar
    with World(tiny_package, hot=2) as world:
        _live(world.preview(kept=tmp_path), tiny_package)
    stands = [*tmp_path.glob("*.sqlite")]
    assert len(stands) > 2
    with World(tiny_package, hot=2) as fresh, World(tiny_package, hot=2) as kept:
        lived, opened = fresh.preview(), kept.preview(kept=tmp_path, keeps=False)
        for at in (last, first + 3 * DAY, (first + last) // 2, last - DAY):
            opened.near(at)
            assert at - opened.now <= 2 * DAY
            opened.go(at)
            lived.go(at)
            for table in ("slack_message", "gmail_copy", "jira_issue", "engine_belief", "engine_schedule"):
                seen = [preview.rows.execute(f"SELECT * FROM {table} ORDER BY id") for preview in (lived, opened)]
                assert seen[0] == seen[1] != []
            found = [preview.ask("slack_search_messages", {"query": "sheet"}, "wren") for preview in (lived, opened)]
            assert found[0] == found[1]


def test_moments_whose_stand_is_gone_or_damaged_are_lived_through_again(
    tiny_package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_moments, "_STAND_AT_BYTES", 1 << 15)
    last = tiny_package.manifest.calendar[1]
    with World(tiny_package, hot=2) as world:
        preview = world.preview(kept=tmp_path)
        _live(preview, tiny_package)
        events = [*preview.events]
    *others, latest = sorted(tmp_path.glob("*.sqlite"))
    latest.unlink()
    for other in others:
        other.write_bytes(b"no world")

    with World(tiny_package, hot=2) as world:
        preview = world.preview(kept=tmp_path)
        preview.go(last)
        assert preview.now == last
        assert preview.events == events


def test_stands_take_no_more_of_the_disk_than_they_may(
    tiny_package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_moments, "_STAND_AT_BYTES", 1 << 15)
    most = 3 * tiny_package.origin.stat().st_size
    monkeypatch.setattr(kept_moments, "_MOST_BYTES", most)
    last = tiny_package.manifest.calendar[1]
    with World(tiny_package, hot=2) as world:
        _live(world.preview(kept=tmp_path), tiny_package)
    assert 0 < sum(path.stat().st_size for path in tmp_path.glob("*.sqlite")) <= most
    with World(tiny_package, hot=2) as world:
        preview = world.preview(kept=tmp_path)
        preview.near(last)
        assert last - preview.now <= 2 * DAY


def test_going_to_a_kept_moment_draws_no_day_and_shows_the_same_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = built_package("tiny", background=BackgroundSpec(people=0.2), folder=tmp_path / "packages")
    first, last = package.manifest.calendar
    wanted = first + 10 * DAY + 9 * HOUR
    with World(package, hot=2) as world:
        lived = world.preview(kept=tmp_path / "kept")
        lived.go(wanted)
        shown = _rows(lived)
        lived.go(last)
    days = [*(tmp_path / "kept").glob("*.day.z")]
    assert days

    def refuse(life: object) -> Days:
        raise AssertionError("a day was drawn")

    monkeypatch.setattr(world_module, "Days", refuse)
    with World(package, hot=2) as world:
        opened = world.preview(kept=tmp_path / "kept", keeps=False)
        opened.go(wanted)
        assert _rows(opened) == shown

    monkeypatch.undo()
    for day in days:
        day.write_bytes(day.read_bytes()[:-3])
    with World(package, hot=2) as world:
        again = world.preview(kept=tmp_path / "kept", keeps=False)
        again.go(wanted)
        assert _rows(again) == shown


def _rows(preview: Preview) -> list[object]:
    tables = ("slack_message", "gmail_copy", "engine_schedule")
    return [preview.now, *(preview.rows.execute(f"SELECT * FROM {table} ORDER BY id") for table in tables)]


def test_days_take_no_more_of_the_disk_than_they_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = kept_moments.Moments(tmp_path, apart=DAY)
    kept.keep_day(1, b"a day\n")
    size = (tmp_path / "1.day.z").stat().st_size
    monkeypatch.setattr(kept_moments, "_MOST_DAYS_BYTES", size + 1)

    kept_moments.Moments(tmp_path, apart=DAY).keep_day(2, b"another day\n")

    assert kept.day(1) == b"a day\n"
    assert kept.day(2) is None


def test_what_a_killed_process_had_begun_to_write_is_taken_away(tiny_package: Package, tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left, others = tmp_path / f".{ended.pid}-5.sqlite", tmp_path / f".{os.getppid()}-5.sqlite"
    for path in (left, others, tmp_path / ".ahead"):
        path.touch()

    with World(tiny_package) as world:
        world.preview(kept=tmp_path)

    assert not left.exists()
    assert others.exists()
    assert (tmp_path / ".ahead").exists()
