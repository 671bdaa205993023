"""Mailboxes, looked at: what somebody has read by a moment, where nobody has put down what they read."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from shutil import copytree

import pytest

from brownout.catalog import built_package, find_spec
from brownout.core.instants import from_datetime, zone
from studio.company.company_view import CompanyView, NotThereYet, PersonView, Viewing
from studio.company.pane_content import PreviewQuestion, ShownLine
from studio.company.surfaces import SURFACES
from studio.company.vendor_json import number
from worlds.attendance import Attendance


@pytest.fixture(scope="module")
def lively(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewing]:
    """`tiny` with everyday life, on Tuesday 17 March 2026 at half past two."""
    home = tmp_path_factory.mktemp("lively")
    folder = copytree(find_spec("tiny"), home / "spec")
    world = folder / "world.yaml"
    world.write_text(world.read_text().replace("world: tiny", "world: lively\nbackground: {people: 1.0}", 1))
    with closing(CompanyView(built_package(folder, folder=home / "cache"))) as company:
        at = from_datetime(datetime(2026, 3, 17, 14, 30, tzinfo=zone("Europe/Lisbon")))
        viewing = company.viewing("me", at)
        while viewing.now < at:
            try:
                viewing.go(at)
            except NotThereYet:
                continue
        yield viewing


def _shown(eyes: PersonView, place: str) -> list[ShownLine]:
    return [*SURFACES["mail"].lines(eyes, PreviewQuestion(place=place, most=100)).lines]


def test_who_has_written_a_mail_has_read_what_came_before(lively: Viewing) -> None:
    colleagues = [name for name, one in lively.setting.people.items() if one.account.kind == "person"]
    recorded, unread = 0, 0
    for eyes in map(lively.as_person, colleagues):
        recorded += number(eyes.ask("gmail_search", q="in:inbox is:unread", max_results=1), "resultSizeEstimate")
        wrote = max((line.at for line in _shown(eyes, "in:sent")), default=0)
        closed = eyes.viewing.setting.people[eyes.person].attendance.last_closing(lively.now)
        assert closed is not None
        new = [line for line in _shown(eyes, "in:inbox") if line.is_unread]
        assert all(line.at > max(wrote, closed) for line in new)
        unread += len(new)
        places = {place.id: place.fresh for place in SURFACES["mail"].places(eyes)}
        assert places["in:inbox"] == len(new)
        assert [line.id for line in _shown(eyes, "is:unread")] == [line.id for line in new]

    assert 0 < unread < recorded


def test_the_last_closing_is_the_end_of_a_day_at_work() -> None:
    def at(day: int, hour: int) -> int:
        return from_datetime(datetime(2026, 3, day, hour, 30, tzinfo=zone("Europe/Lisbon")))

    friday_off = (at(13, 0), at(14, 0))
    here = Attendance("Europe/Lisbon", (9 * 60, 17 * 60 + 30), (friday_off,))

    assert here.last_closing(at(17, 18)) == at(17, 17)
    assert here.last_closing(at(17, 14)) == at(16, 17)
    assert here.last_closing(at(16, 8)) == at(12, 17)
    assert Attendance("Europe/Lisbon", (540, 1050), joins=at(17, 0)).last_closing(at(17, 14)) is None
