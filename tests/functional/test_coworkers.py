"""What coworkers answer: what they know, when they may, in ninety of a hundred ways of asking; and nothing else."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import brownout
from brownout.core.calls import Account
from brownout.core.seeds import Stream
from brownout.core.values import JsonObject
from brownout.engine.coworkers.replies import CoworkerReply, reply_to
from brownout.engine.session import Session
from tests.functional.phrasings import ASKED, OTHER

FACTS = """
facts:
  standby: {slot: boxoffice.standby, is: eu-central-1, says: ["the standby database runs in eu-central-1"],
    about: [where, standby, replica, replication, secondary, backup, follower, region, datacenter, located, failover, dies, host]}
  move-date: {slot: database.move_date, is: 16 April, says: ["the database moves to the new region on 16 April"],
    about: [when, move, moving, migration, cutover, relocation, changing, schedule, planned]}
  on-call: {slot: boxoffice.on_call, is: ida, says: ["Ida is on call for boxoffice this week"],
    about: [who, call, on-call, pager, duty, rota, rotation, week, tonight, alert, escalation, ring, wake]}
  saltworks-contract: {slot: saltworks.renewal, is: renewed until 2028, says: ["Saltworks have renewed until 2028"],
    about: [saltworks, contract, renewal, renew, sign, extend, expire, deal]}
  fee: {slot: boxoffice.booking_fee, is: "1.20", says: ["the booking fee is 1.20 euros a ticket"],
    about: [fee, booking, charge, ticket, surcharge, cost, price, amount, cut, percent, commission]}
  who-merged: {slot: boxoffice.hold_store_author, is: tomas, says: ["Tomás merged that one"],
    about: [who, merge, owner, author, pushed, approved, change, commit, hold, seats, stuck, blocked, sold, bug, pull, blame, landed]}
beats:
  ida-knows: {at: 2026-03-20 09:00, who: ida, makes: [standby, move-date, on-call, fee, who-merged]}
  priya-knows: {at: 2026-03-20 09:00, who: priya, makes: [saltworks-contract]}
"""
TOLD = {
    "hold": "10",
    "stuck": "Simplify hold store",
    "standby": "eu-central-1",
    "move-date": "16 April",
    "on-call": "I am on call",
    "fee": "1.20",
    "who-merged": "Tomás",
}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    from shutil import copytree

    from brownout.catalog import find_spec

    folder = tmp_path_factory.mktemp("spec") / "tiny"
    copytree(find_spec("tiny"), folder)
    (folder / "storylines/more.yaml").write_text(FACTS)
    package = brownout.build(folder, out=folder.parent / "package")
    with brownout.open_session(package, task="find-the-change") as opened:
        opened.call("wait", {"minutes": 60, "until_notice": False})
        yield opened


def ask(session: Session, person: str, text: str, *, sender: Account | None = None) -> CoworkerReply:
    profile = session.setting.people[person]
    return reply_to(session.simulation, profile, sender or session.actor, text, Stream("test", person, text))


@pytest.mark.parametrize("topic", sorted(TOLD))
def test_what_they_know_they_tell_however_they_are_asked(session: Session, topic: str) -> None:
    person = "yuki" if topic == "hold" else "ida"
    answers = {text: ask(session, person, text).text for text in ASKED[topic]}

    missed = {text: answer for text, answer in answers.items() if TOLD[topic].lower() not in answer.lower()}
    assert len(missed) <= len(answers) // 10, missed


@pytest.mark.parametrize("topic", ["saltworks-contract"])
def test_what_they_do_not_know_they_never_say(session: Session, topic: str) -> None:
    for text in ASKED[topic]:
        answer = ask(session, "ida", text).text
        assert "2028" not in answer
        assert answer


def test_they_name_who_would_know(session: Session) -> None:
    named = sum("Priya" in ask(session, "ida", text).text for text in ASKED["saltworks-contract"])

    assert named >= 8


def test_what_is_no_question_about_it_gets_no_fact(session: Session) -> None:
    told = {text: reply for text in OTHER if (reply := ask(session, "ida", text)).facts}

    assert not told


def test_two_questions_get_two_answers(session: Session) -> None:
    reply = ask(session, "ida", "Which region is the standby database in? And who is on call for boxoffice this week?")

    assert set(reply.facts) == {"standby", "on-call"}


def test_of_two_questions_they_say_which_they_cannot_answer(session: Session) -> None:
    text = "Two short questions.\n1. Which region is the standby database in?\n2. Has Saltworks signed the renewal of the contract?"
    reply = ask(session, "ida", text)
    alone = ask(session, "ida", "Which region is the standby database in?")

    assert reply.facts == alone.facts == ("standby",)
    assert len(reply.text) > len(alone.text) + 10


def test_nobody_says_the_same_twice_running(session: Session) -> None:
    twin = session.fork()
    said = [ask(twin, "ida", NEWS).text for _ in range(12)]

    assert all(one != next_one for one, next_one in pairwise(said))


def test_somebody_can_have_words_of_their_own(spec_folder: Path, tmp_path: Path) -> None:
    people = spec_folder / "people.yaml"
    rule = 'asked: {stuck-holds: {says: "that was me, and I am sorry"}}'
    people.write_text(people.read_text().replace("voice: dry\n", f"voice: dry\n  {rule}\n", 1))
    package = brownout.build(spec_folder, out=tmp_path / "package")
    with brownout.open_session(package, task="find-the-change") as session:
        answers = [ask(session, "ida", text) for text in ASKED["stuck"]]

    assert all("that was me" in each.text.lower() for each in answers if each.facts)


def test_outsiders_are_not_told_the_companys_business(session: Session) -> None:
    dora = session.setting.people["blue-lantern"].account

    assert all(not ask(session, "ida", text, sender=dora).facts for text in ASKED["move-date"])


def test_asked_in_slack_they_answer_in_their_own_time(session: Session) -> None:
    twin = session.fork()
    twin.call(
        "slack_send_message", {"channel": "@yuki", "text": "How many minutes do we hold a seat while somebody pays?"}
    )
    answer = twin.call("wait", {"minutes": 120})

    assert "10 minutes" in answer.content
    assert [notice.sender for notice in answer.notices] == ["yuki"]


def test_a_question_to_the_room_is_answered_by_one_who_knows(session: Session) -> None:
    twin = session.fork()
    twin.call("slack_send_message", {"channel": "#ops", "text": "Which region is the standby database in?"})
    twin.call("wait", {"minutes": 90, "until_notice": False})

    assert "eu-central-1" in twin.call("slack_read_channel", {"channel": "#ops"}).content + "".join(
        twin.call("slack_read_thread", {"channel": "#ops", "ts": ts}).content for ts in _posted(twin)
    )


def _posted(session: Session) -> list[str]:
    found = [a.answer.structured for a in session.acts if a.call.name == "slack_send_message"]
    return [str(answer["ts"]) for answer in found if isinstance(answer, dict) and "ts" in answer]


def test_the_requester_answers_too(session: Session) -> None:
    replies = {**brownout.open_package("tiny").tasks}["find-the-change"].requester_replies

    assert replies is False
    assert ask(session, "marcus", "How many minutes do we hold seats?").facts == ("hold-10",)


def test_they_do_not_do_the_agents_work(session: Session) -> None:
    reply = ask(session, "tomas", "Could you fix the ticket and close the duplicate for me?")

    assert reply.facts == ()
    assert reply.text


def test_a_rule_can_keep_them_silent(spec_folder: Path, tmp_path: Path) -> None:
    people = spec_folder / "people.yaml"
    people.write_text(
        people.read_text().replace("voice: dry\n", "voice: dry\n  asked: {stuck-holds: {tells: never}}\n", 1)
    )
    package = brownout.build(spec_folder, out=tmp_path / "package")
    with brownout.open_session(package, task="find-the-change") as session:
        answers = [ask(session, "ida", text).text for text in ASKED["stuck"]]

    assert all("hold store" not in answer.lower() for answer in answers)


@pytest.mark.parametrize(
    "text",
    [
        "Cause (BOX-32): since 'Simplify hold store' seats stay held when a payment times out. Tomás has the ticket.",
        "For the venues: we hold a seat for 10 minutes while somebody pays.",
        "The page is mended; I wrote down what happened and when.",
    ],
)
def test_being_told_something_is_not_being_asked(session: Session, text: str) -> None:
    assert ask(session, "marcus", text).facts == ()


def test_a_mail_is_answered_once(session: Session) -> None:
    twin = session.fork()
    mail: JsonObject = {
        "to": ["marcus@pennywhistle.test"],
        "subject": "hold time",
        "body": "How many minutes do we hold a seat?",
    }
    twin.call("gmail_send", mail)
    twin.call("wait", {"minutes": 240, "until_notice": False})

    answers = [notice for notice in twin.notices if notice.sender == "marcus"]
    assert len(answers) == 1
    assert "10 minutes" in answers[0].text


NEWS = """Booking fails for most of our venues since ten past ten. What is broken: the database is slow. We are moving it, that
can take a while, and nothing that was sold before is lost. Please do not restart anything. Next update at noon."""


def test_news_is_no_question_however_it_is_put(session: Session) -> None:
    for person in ("ida", "marcus", "yuki", "priya"):
        reply = ask(session, person, NEWS)
        assert reply.facts == ()
        assert reply.text in {ask(session, person, f"Thanks for that, number {n}.").text for n in range(40)}


def test_of_many_people_one_answers(session: Session) -> None:
    twin = session.fork()
    everyone = "everyone@pennywhistle.test"
    twin.call("gmail_send", {"to": [everyone], "subject": "news", "body": NEWS})
    twin.call("gmail_send", {"to": [everyone], "subject": "a question", "body": "How many minutes do we hold a seat?"})
    twin.call("wait", {"minutes": 300, "until_notice": False})

    answers = [notice for notice in twin.notices if notice.kind == "mail"]
    assert sum("a question" in notice.text for notice in answers) == 1
    assert sum("news" in notice.text for notice in answers) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "BOX-41 waits for your word. Would you write there whether you approve, and until when?",
        "Could you review #41, please?",
        "Please review my pull request when you find the time.",
        "#41 needs your approval",
    ],
)
def test_asked_for_a_review_they_do_not_refuse(session: Session, text: str) -> None:
    reply = ask(session, "owen", text)

    assert (reply.facts, "look" in reply.text or "list" in reply.text) == ((), True)


def test_under_a_ticket_nobody_says_thanks_and_only_who_is_called_answers(session: Session) -> None:
    twin = session.fork()
    before = twin.call("jira_get_issue", {"issue": "BOX-32"}).structured
    for text in ("Found it, it came in on the ninth.", "@yuki, how many minutes do we hold a seat?"):
        assert not twin.call("jira_add_comment", {"issue": "BOX-32", "body": text}).is_error
    twin.call("wait", {"minutes": 90, "until_notice": False})

    after = twin.call("jira_get_issue", {"issue": "BOX-32"}).structured
    added = _comments(after)[len(_comments(before)) :]
    assert [author for author, _ in added] == ["Wren", "Wren", "Yuki Tanabe"]


def _comments(issue: object) -> list[tuple[str, str]]:
    assert isinstance(issue, dict)
    found = issue["fields"]["comment"]["comments"]
    return [(each["author"]["displayName"], str(each["body"])) for each in found]
