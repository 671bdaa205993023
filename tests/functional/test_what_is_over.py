"""What coworkers say of what has ended, whom they point on to, and what a requester still misses."""

from collections.abc import Iterator
from shutil import copytree

import pytest

import brownout
from brownout.catalog import find_spec
from brownout.core.seeds import Stream
from brownout.engine.carrying_intents import learn
from brownout.engine.coworkers.heard_questions import asking, asks_plainly
from brownout.engine.coworkers.missing_answers import missing
from brownout.engine.coworkers.replies import CoworkerReply, reply_to
from brownout.engine.session import Session
from graders.fact_asks import is_so

FACTS = """
facts:
  frozen: {slot: boxoffice.freeze, is: frozen, until: 2026-03-24 09:00, says: ["deploys of boxoffice are frozen"],
    about: [freeze, frozen, deploys]}
  old-code: {slot: office.door_code, is: "4711", until: 2026-03-20 12:00, says: ["the door code is 4711"],
    about: [door, code, entrance]}
  new-code: {slot: office.door_code, is: "0815", since: 2026-03-20 12:00, says: ["the door code is 0815"],
    about: [door, code, entrance]}
  lease: {slot: office.lease_by, is: priya, says: ["Priya signed the lease"], about: [who, signed, lease, office]}
  nobody-knows: {slot: office.piano_owner, is: unknown, says: ["nobody here knows whose piano it is"],
    about: [who, whose, piano, owner]}
  budget: {slot: office.budget, is: "900", says: ["the office budget is 900 euros"], about: [budget, money, euros]}
  small-fee: {slot: office.fee, is: "15", until: 2026-03-10 09:00, again: 2026-03-20 09:00, says: ["the cleaning fee is 15"],
    about: [cleaning, fee, much]}
  large-fee: {slot: office.fee, is: "25", since: 2026-03-10 09:00, until: 2026-03-20 09:00, says: ["the cleaning fee is 25"],
    about: [cleaning, fee, much]}
beats:
  tomas-knows: {at: 2026-03-08 09:00, who: tomas, makes: [small-fee]}
  tomas-hears: {at: 2026-03-12 09:00, who: tomas, makes: [large-fee]}
  ida-knows: {at: 2026-03-16 09:00, who: ida, makes: [frozen, old-code]}
  yuki-knows: {at: 2026-03-23 09:00, who: yuki, makes: [new-code, budget]}
  priya-knows: {at: 2026-03-16 09:00, who: priya, makes: [lease]}
  owen-knows: {at: 2026-03-16 09:00, who: owen, makes: [nobody-knows]}
"""


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    folder = tmp_path_factory.mktemp("spec") / "tiny"
    copytree(find_spec("tiny"), folder)
    (folder / "storylines/more.yaml").write_text(FACTS)
    package = brownout.build(folder, out=folder.parent / "package")
    with brownout.open_session(package, task="find-the-change") as session:
        yield session


@pytest.fixture
def session(opened: Session) -> Iterator[Session]:
    opened.reset()
    yield opened


def ask(session: Session, person: str, text: str) -> CoworkerReply:
    return reply_to(
        session.simulation, session.setting.people[person], session.actor, text, Stream("test", person, text)
    )


def test_what_is_so_again_is_one_fact_with_two_windows(session: Session) -> None:
    """Whoever knew both values tells the one that has come back; a grader knows when it was not so."""
    assert "15" in ask(session, "tomas", "How much is the cleaning fee?").text

    small = session.end_state().facts["small-fee"]
    day = 86_400_000_000
    assert small.until is not None
    assert small.again is not None
    assert [is_so(small, at) for at in (small.until - day, small.until + day, small.again + day)] == [True, False, True]


def test_what_has_ended_and_has_no_successor_is_said_to_be_over(session: Session) -> None:
    reply = ask(session, "ida", "Are deploys frozen at the moment?")

    assert "deploys of boxoffice are frozen" in reply.text.lower()
    assert "Tue 24 Mar 09:00" in reply.text


def test_who_has_not_heard_of_the_new_value_believes_the_old_one(session: Session) -> None:
    assert ask(session, "ida", "What is the door code?").facts == ("old-code",)


def test_who_has_learned_the_new_value_never_says_the_old_one_again(session: Session) -> None:
    now = session.now
    learn(session.simulation.rows(), "ida", "new-code", now - 2, "")
    learn(session.simulation.rows(), "yuki", "old-code", now - 1, "")

    for person in ("ida", "yuki"):
        assert ask(session, person, "What is the door code?").facts == ("new-code",)


def test_they_point_on_to_somebody_who_knows(session: Session) -> None:
    assert "Yuki" in ask(session, "owen", "How much is the office budget, in euros?").text


def test_they_do_not_point_on_to_who_only_knows_that_nobody_does(session: Session) -> None:
    assert "Owen" not in ask(session, "ida", "Whose piano is it?").text


def test_they_do_not_point_on_to_who_is_away(session: Session) -> None:
    reply = ask(session, "owen", "Who signed the lease?")

    assert session.setting.people["priya"].attendance.is_away(session.now)
    assert "Priya" not in reply.text
    assert reply.text


def test_they_do_not_point_on_to_who_has_asked_it(session: Session) -> None:
    assert "Yuki" not in ask(session, "owen", "Yuki would like to know it, what is the office budget in euros?").text


def test_they_do_not_point_on_to_the_requester(session: Session) -> None:
    learn(session.simulation.rows(), "marcus", "new-code", session.now - 1, "")

    named = {ask(session, "tomas", f"What is the door code{mark}?").text for mark in ("", " now", " of the entrance")}
    assert not [text for text in named if "Marcus" in text]


def test_where_nobody_is_left_they_say_that_they_do_not_know_who_would(session: Session) -> None:
    said = ask(session, "yuki", "Who signed the lease?").text

    assert len(said.split(".")) > 2 or " who " in said or "name anybody" in said


def test_of_two_that_are_near_they_ask_which(session: Session) -> None:
    for fact in ("new-code", "budget"):
        learn(session.simulation.rows(), "ida", fact, session.now - 1, "")

    said = ask(session, "ida", "What is the code or the budget of the office?").text
    assert "door code" in said
    assert "budget" in said


def test_a_requester_asks_once_for_what_is_missing_in_their_own_words(session: Session) -> None:
    first = ask(session, "marcus", "The change is found: 'Simplify hold store' dropped the release.").text
    second = ask(session, "marcus", "The change is found: it is that one.").text

    assert "how many minutes a seat is really kept while somebody pays?" in first
    assert "how many" not in second
    assert second


def test_a_requester_who_has_everything_only_thanks(session: Session) -> None:
    text = "The change 'Simplify hold store' is the cause, and we hold a seat for 10 minutes."

    assert "how many" not in ask(session, "marcus", text).text


@pytest.mark.parametrize(
    ("text", "missed"),
    [
        ("The cause is a merge.", "how many minutes we hold a seat"),
        ("The cause is a merge of BOX-32.", "how many minutes we hold a seat"),
        ("The cause is a merge; seats are held for ten minutes.", ""),
        ("I am looking into it.", ""),
    ],
)
def test_only_who_answers_a_part_misses_the_rest(text: str, missed: str) -> None:
    assert (
        missing("Please sort it out. Then tell me what the cause is and how many minutes we hold a seat.", text)
        == missed
    )


def test_a_question_of_one_telling_word_is_never_missed() -> None:
    assert (
        missing("Tell me who agreed to the quiet hours and until when it holds.", "Viktor agreed, until 30 September.")
        == ""
    )


def test_the_question_in_a_pages_title_is_not_asked() -> None:
    assert not asking('Help page "Why is a seat grey?" is up to date. It says 10 minutes now.')
    assert asking('Is the help page "Why is a seat grey?" up to date?')


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("The change, and how long we hold a seat: 10 minutes, since #14.", False),
        ("I know who did it and when.", False),
        ("who merged it", True),
        ("Is that right?", True),
        ("please tell me where it runs", True),
    ],
)
def test_who_only_uses_a_word_that_asks_does_not_ask_plainly(text: str, asks: bool) -> None:
    assert asks_plainly(text) is asks
