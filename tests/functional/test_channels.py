"""What somebody wants done goes through the first channel that can carry it."""

from pathlib import Path

import pytest

import brownout
from brownout.core.errors import AuthoringError
from brownout.core.trajectory import WorldEvent
from tests.calm import write_outages


def carried(spec_folder: Path, tmp_path: Path, does: str, *, outages: str = "") -> list[tuple[str, str]]:
    """The app and the outcome of each attempt at what Priya does on a Monday morning."""
    (spec_folder / "storylines/reach.yaml").write_text(
        f"beats:\n  reach: {{at: 2026-03-16 10:00, who: priya, does: [{does}]}}\n"
    )
    (spec_folder / "prose/reach.yaml").write_text('reach: "We fixed what you wrote about."\n')
    write_outages(spec_folder, outages)
    with brownout.open_world(brownout.build(spec_folder, out=tmp_path / "package")) as world:
        preview = world.preview()
        preview.go(world.package.manifest.calendar[1])
        events = [event for event in preview.events if isinstance(event, WorldEvent) and event.key == "reach/reach"]
    return [(event.app, event.outcome) for event in events]


def test_who_cannot_be_reached_by_the_first_channel_is_reached_by_the_next(spec_folder: Path, tmp_path: Path) -> None:
    assert carried(spec_folder, tmp_path, "{kind: tell, to: [blue-lantern]}") == [("gmail", "done")]


def test_what_no_channel_can_carry_fails_the_build_with_every_reason(spec_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(AuthoringError) as error:
        carried(spec_folder, tmp_path, '{kind: tell, to: ["no address@"]}')

    assert "storylines/reach.yaml:2: reach: priya could not tell: no address@ has no Slack account" in str(error.value)
    assert "'no address@' is no mail address" in str(error.value)


def test_the_channel_an_author_names_is_the_only_one(spec_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(AuthoringError, match="reach: priya could not tell: blue-lantern has no Slack account"):
        carried(spec_folder, tmp_path, "{kind: tell, to: [blue-lantern], via: slack}")


def test_a_channel_that_does_not_work_just_now_is_waited_for(spec_folder: Path, tmp_path: Path) -> None:
    down = "mail: {on: gmail, from: 2026-03-16 09:50, for: 12m, mode: down}\n"

    attempts = carried(spec_folder, tmp_path, "{kind: tell, to: [blue-lantern]}", outages=down)

    assert attempts == [("gmail", "no channel works"), ("gmail", "done")]
