"""The larger company: it can be built whole, and nobody repeats themselves."""

from collections import Counter
from collections.abc import Callable, Iterator

import pytest

import brownout
from brownout.catalog import built_package
from brownout.core.trajectory import WorldEvent
from worlds.package import Package
from worlds.spec import BackgroundSpec

Rows = Callable[[str], list[tuple[object, ...]]]


def _at_its_end(package: Package) -> Iterator[Rows]:
    with brownout.open_world(package) as world:
        preview = world.preview()
        preview.go(world.package.manifest.calendar[1])
        yield lambda query: [tuple(row) for row in preview.rows.execute(query)]


@pytest.fixture(scope="module")
def rows(larkspur_package: Package) -> Iterator[Rows]:
    """Asks the world as it is when its calendar ends, wherever its tasks begin."""
    yield from _at_its_end(larkspur_package)


@pytest.fixture(scope="module")
def authored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rows]:
    """Asks it as it is without everyday life, when its calendar ends."""
    quiet = BackgroundSpec(machines=0, work=0, people=0)
    package = built_package("larkspur", background=quiet, folder=tmp_path_factory.mktemp("authored"))
    yield from _at_its_end(package)


def test_it_is_a_company_of_its_size(rows: Rows) -> None:
    wanted = {
        "SELECT count(*) FROM slack_user": 40,
        "SELECT count(*) FROM slack_channel": 60,
        "SELECT count(*) FROM slack_message": 3_000,
        "SELECT count(*) FROM gmail_message": 600,
        "SELECT count(*) FROM jira_issue": 300,
        "SELECT count(*) FROM github_pull": 60,
        "SELECT count(*) FROM docs_page": 50,
        "SELECT count(*) FROM ops_service": 12,
    }
    found = {query: rows(query)[0][0] for query in wanted}

    assert [query for query, least in wanted.items() if int(str(found[query])) < least] == []


def test_nobody_says_the_same_thing_more_than_five_times(rows: Rows) -> None:
    said = Counter(rows("SELECT m.user, m.text FROM slack_message m WHERE m.text <> ''"))
    machines = {user for (user,) in rows("SELECT id FROM slack_user WHERE is_bot")}

    assert [(line, times) for line, times in said.items() if times > 5 and line[0] not in machines] == []


def test_the_day_of_the_outage_is_paged(rows: Rows) -> None:
    paged = rows(
        "SELECT DISTINCT s.name FROM ops_alert a JOIN ops_service s ON s.id = a.service "
        "WHERE a.at_us >= 1776153600000000 AND a.at_us < 1776240000000000",
    )

    assert {"bookings", "patient-web", "clinic-web", "reminders"} <= {str(name) for (name,) in paged}


def test_the_page_of_the_outage_goes_to_whoever_has_the_week(rows: Rows) -> None:
    query = (
        "SELECT s.name, a.assigned FROM ops_alert a JOIN ops_service s ON s.id = a.service "
        "WHERE a.at_us >= 1776153600000000 AND a.at_us < 1776240000000000"
    )
    assigned = {str(service): person for service, person in rows(query)}

    assert {assigned[service] for service in ("bookings", "admin", "calendar-sync")} == {"mara"}
    assert (assigned["patient-web"], assigned["reminders"], assigned["search"]) == ("yuki", "viktor", "sofia")


def test_nobody_and_no_room_is_asked_to_be_in_two_places(authored: Rows) -> None:
    declined = (
        "SELECT e.summary, g.name FROM calendar_guest g JOIN calendar_event e ON e.id = g.event "
        "JOIN calendar_calendar c ON c.id = g.calendar WHERE g.response = 'declined' AND (g.comment <> '' OR c.person = '')"
    )

    assert authored(declined) == []
    assert int(str(authored("SELECT count(*) FROM calendar_event")[0][0])) > 150


def test_nothing_is_said_before_it_is_so(larkspur_package: Package) -> None:
    with brownout.open_world(larkspur_package) as world:
        preview = world.preview()
        preview.go(world.package.manifest.calendar[1])
        since = {str(fact): at for fact, at in preview.rows.execute("SELECT fact, since_us FROM engine_fact")}
        said = [event for event in preview.events if isinstance(event, WorldEvent) and event.path]

    early = [(event.key, fact) for event in said for fact in event.facts if event.at < int(str(since[fact] or 0))]
    assert early == []


def test_slack_falls_silent_and_what_was_said_into_it_arrives_afterwards(rows: Rows) -> None:
    said = "SELECT count(*), count(DISTINCT channel), count(DISTINCT user) FROM slack_message WHERE at_us >= {} AND at_us < {}"
    down, up = 1776156180000000, 1776160380000000  # 14 April, 10:43 and 11:53 in Berlin

    assert rows(said.format(down, up)) == [(0, 0, 0)]
    messages, channels, people = (int(str(number)) for number in rows(said.format(up, up + 45 * 60_000_000))[0])
    assert messages >= 18
    assert channels >= 8
    assert people >= 12


def test_while_slack_is_away_people_write_mails(rows: Rows) -> None:
    query = "SELECT DISTINCT subject FROM gmail_message WHERE at_us >= 1776156180000000 AND at_us < 1776160380000000"
    subjects = {str(subject) for (subject,) in rows(query)}

    assert {"Dr. Sander", "Calls, one line a clinic", "Slack is down, for all of us"} <= subjects


def test_no_ticket_about_the_outage_is_opened_once_the_task_has_begun(authored: Rows) -> None:
    query = "SELECT key FROM jira_issue WHERE created_us >= 1776154800000000 AND created_us < 1776171600000000"

    assert authored(query) == []
