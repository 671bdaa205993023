"""Authored minutes have seconds; what hangs on something else keeps its distance."""

from pathlib import Path

from brownout.core.instants import MINUTE
from generators.drawn_seconds import Minutes
from generators.timetable import make_timetable
from worlds.spec import read_world


def test_nobody_acts_on_the_full_minute_and_outages_do(spec_folder: Path) -> None:
    spec = read_world(spec_folder)
    times = make_timetable(spec)
    within = [at % MINUTE for name, at in times.moments.items() if name not in spec.outages]

    assert 0 not in within
    assert len({second // 1_000_000 for second in within}) > 50
    assert times.moments["rds-evening"] % MINUTE == 0


def test_what_is_relative_stays_so(spec_folder: Path) -> None:
    path = spec_folder / "storylines/holds.yaml"
    path.write_text(path.read_text().replace("at: 2026-03-24 11:26", "at: suspicion + 38m", 1))
    moments = make_timetable(read_world(spec_folder)).moments

    assert moments["second-complaint"] - moments["suspicion"] == 38 * MINUTE


def test_within_a_minute_the_order_is_the_authors() -> None:
    minutes = Minutes(7)
    moments = [minutes.moment(0, n) for n in range(8)]

    assert moments == sorted(set(moments))
    assert moments[-1] < 2 * MINUTE
