"""What a sceptic looks for in the shipped company: full minutes, births, read marks, machines that say something."""

import pytest

from brownout.core.calls import Account
from brownout.core.seeds import Stream
from brownout.engine.coworkers.replies import reply_to
from brownout.engine.preview import Preview
from brownout.engine.world import World

MOMENTS = (
    ("slack_message", "at_us"),
    ("slack_channel", "created_us"),
    ("gmail_message", "at_us"),
    ("jira_issue", "created_us"),
    ("jira_history", "at_us"),
    ("github_pull", "created_us"),
    ("github_review", "at_us"),
    ("github_comment", "at_us"),
    ("github_push", "at_us"),
    ("ops_deploy", "at_us"),
    ("ops_release", "at_us"),
    ("ops_vendor_update", "at_us"),
    ("docs_page", "created_us"),
)


@pytest.fixture
def past(tiny: World) -> Preview:
    preview = tiny.preview()
    preview.go(tiny.package.task("find-the-change").start)
    return preview


@pytest.mark.parametrize(("table", "column"), MOMENTS)
def test_nothing_happens_on_the_full_minute(past: Preview, table: str, column: str) -> None:
    [(found, full)] = past.rows.execute(f"SELECT count(*), sum({column} % 60000000 = 0) FROM {table}")

    assert found
    assert full == 0


def test_what_was_there_from_the_start_was_not_all_made_at_once(past: Preview) -> None:
    channels = [row[0] for row in past.rows.execute("SELECT created_us FROM slack_channel WHERE kind != 'im'")]
    [(first,)] = past.rows.execute("SELECT min(at_us) FROM slack_message")

    assert len(set(channels)) == len(channels)
    assert max(int(str(at)) for at in channels) < int(str(first))


def test_a_release_is_made_on_the_day_that_it_names(past: Preview) -> None:
    found = past.rows.execute("SELECT version, date(at_us / 1000000, 'unixepoch') FROM ops_release")

    for version, day in found:
        year, month, number = str(day).split("-")
        assert str(version).startswith(f"{year}.{int(month)}.{int(number)}-")


def test_mail_is_opened_by_those_who_had_the_time(past: Preview) -> None:
    answered = past.rows.execute(
        "SELECT c.is_read FROM gmail_copy c JOIN gmail_mailbox b ON b.id = c.owner JOIN gmail_message m ON m.id = c.message "
        "JOIN gmail_message a ON a.in_reply_to = m.rfc_id AND a.author = c.owner WHERE b.is_outside = 0"
    )
    [(late,)] = past.rows.execute(
        "SELECT count(*) FROM gmail_copy c JOIN gmail_message m ON m.id = c.message "
        "WHERE c.is_read = 0 AND c.owner IN (SELECT id FROM gmail_mailbox WHERE person IN ('marcus', 'owen')) "
        "AND m.at_us < (SELECT max(at_us) FROM gmail_message) - 3600000000"
    )

    assert len(answered) > 20
    assert {row[0] for row in answered} == {1}
    assert late == 0


def test_machines_post_and_whoever_was_paged_leaves_a_note(past: Preview) -> None:
    bots = {
        str(who): int(str(number))
        for who, number in past.rows.execute(
            "SELECT u.person, count(*) FROM slack_message m JOIN slack_user u ON u.id = m.user WHERE u.is_bot = 1 GROUP BY 1"
        )
    }
    notes = [tuple(row) for row in past.rows.execute("SELECT who, text != '' FROM ops_note")]
    learners = {row[0] for row in past.rows.execute("SELECT DISTINCT person FROM engine_belief")}

    assert bots["deploys"] > 10
    assert bots["monitoring"] == 2
    assert bots["status"] >= 2
    assert notes == [("ida", 1)]
    assert not learners & {*bots, "wren"}


def test_people_react_now_and_then(past: Preview) -> None:
    [(messages,)] = past.rows.execute("SELECT count(*) FROM slack_message")
    [(reactions,)] = past.rows.execute("SELECT count(*) FROM slack_reaction")
    [(edited,)] = past.rows.execute("SELECT count(*) FROM slack_message WHERE edited_us > at_us")

    assert 0.08 < int(str(reactions)) / int(str(messages)) < 0.4
    assert edited == 3


def test_people_have_their_own_ways_to_put_things(tiny: World) -> None:
    session = tiny.open_session("find-the-change")
    marcus, wren = session.setting.people["marcus"], Account("wren", "Wren", "", "agent")
    said = [
        reply_to(session.simulation, marcus, wren, text, Stream("test", text, n)).text
        for text in ("Thanks, the page is done.", "What about the thing?", "Please close the ticket for me.")
        for n in range(8)
    ]

    assert all("haha" not in text and "!" not in text for text in said)
    assert any(text[0].islower() for text in said)
