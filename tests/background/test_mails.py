"""Mails of everyday life: who writes to whom and when, how they read, and what comes of customers' questions."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from brownout.background.days import Days, Item
from brownout.background.integer_math import ONE, at_points
from brownout.background.life_sources import Colleague, Correspondent, Life, Project, Room, Support
from brownout.background.mail_parts import MailParts, Thread
from brownout.background.packs import MailThread
from brownout.background.talks import Talks
from brownout.core.instants import DAY, HOUR, from_datetime, to_datetime
from brownout.core.seeds import Stream
from generators.background import read_mail_packs, read_packs, read_work_packs
from generators.background.life import _manners
from generators.background.outside_senders import read_mail_manners
from generators.background.pack_files import pack_mistakes, read_mail_files, read_mail_threads
from generators.measured_tables import measured_tables

START = from_datetime(to_datetime(0).replace(year=2026, month=3, day=2))
AWAY = (START + 3 * DAY, START + 9 * DAY)
PACK = """\
matter: kitchen
deals: support
words:
  dish: [the soup, the pie]
subjects: |
  About {dish}
acts:
  open:
    heads: |
      I tried {dish} today
    tails: |
      it was cold
  answer:
    heads: |
      {dish} is from yesterday
    tails: |
      there is a new one on {weekday_ahead}
passages:
  answer: |
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
"""


@cache
def _of_anybody() -> tuple[MailThread, ...]:
    """The shipped conversations between colleagues as if everybody could have every part."""
    anybody = {"area": "", "by": (), "to": (), "third": (), "place": ""}
    return tuple(one.model_copy(update=anybody) for one in read_mail_threads()[""])


def _life(people: int = 14, *, taken: frozenset[str] = frozenset(), volume: int = 1000) -> Life:
    names = tuple(f"p{number:02d}" for number in range(people))
    return Life(
        seed=5, zone="Europe/Berlin", calendar=(START - HOUR, START + 4 * 7 * DAY), domain="acme.test", company="Acme",
        volumes={"people": volume, "machines": volume, "work": volume},
        apps={"mails": "mail", "talks": "chat", "opens": "tracker", "meets": "calendar"},
        people=tuple(
            Colleague(
                name=name, full=f"{name.title()} Surname", zone="Europe/Berlin", hours=(540, 1050),
                away=(AWAY,) if name in ("p03", "p04", "p05") else (),
            )
            for name in names
        ),
        rooms=(Room(name="#help", members=names, area="support"),), words={"room": ("#help",)}, manners=_manners(),
        packs=read_packs(), tables=measured_tables(), taken=taken, mail=read_mail_packs(), mail_threads={} if taken else {"": _of_anybody()}, mail_manners=read_mail_manners(),
        work=read_work_packs(), projects=(Project(key="ONE", lead="p00", people=names, area="engineering"),),
        outsiders=tuple(
            Correspondent(short=f"c{number}", name=f"Kim Number{number}", email=f"c{number}@firm.test", firm="Firm", deals=deals)
            for number, deals in enumerate(("customer",) * 9 + ("supplies", "premises"))
        ),
        support=Support(inbox="support", people=("p00", "p01"), app="register", room="#help", experts=("p02",)),
        calendar_mail="calendar-mail",
    )  # fmt: skip


@cache
def _whole(people: int, taken: frozenset[str], volume: int) -> tuple[Item, ...]:
    """All items of such a life, lived once for all tests."""
    life = _life(people, taken=taken, volume=volume)
    return tuple(Days(life).between(None, life.calendar[1]))


def _items(*kinds: str, people: int = 14, taken: frozenset[str] = frozenset(), volume: int = 1000) -> list[Item]:
    return _of_kinds(_whole(people, taken, volume), *kinds)


def _of_kinds(items: Iterable[Item], *kinds: str) -> list[Item]:
    return [item for item in items if item.intent.key.startswith(kinds)]


@pytest.fixture(scope="module")
def mails() -> list[Item]:
    return [item for item in _items("mail/", people=30) if item.intent.via == "mail"]


SAID = {
    "The list is attached.": {"list.csv"},
    "I've attached the form, signed.": {"document.pdf"},
    "The notes were attached to the old entry.": set[str](),
    "No file.": set[str](),
}


def _copied(item: Item) -> list[str]:
    copied = item.intent.details.get("cc", [])
    assert isinstance(copied, list)
    return [str(one) for one in copied]


def _files(item: Item) -> set[str]:
    files = item.intent.details.get("attachments", [])
    assert isinstance(files, list)
    return {str(one["filename"]) for one in files if isinstance(one, dict)}


def test_a_mail_written_whole_has_a_file_where_it_says_so() -> None:
    threads = tuple(MailThread(subject="S", mails=({"A": text}, {"B": "Thanks, {a}."})) for text in [*SAID] * 40)
    life = _life(30).model_copy(
        update={"mail_threads": {"": threads}, "files": read_mail_files(), "mail": read_mail_packs()}
    )
    seen: dict[str, set[str]] = {}
    for item in _of_kinds(Days(life).between(None, life.calendar[1]), "mail/"):
        for text in SAID:
            if item.intent.key.endswith("/0") and text.rstrip(".").lower() in item.intent.text.lower():
                seen.setdefault(text, set()).update(_files(item))

    assert seen == SAID


@pytest.mark.parametrize("place", ["", "home"])
def test_what_concerns_everybody_is_told_to_all_or_to_all_at_the_companys_place(place: str) -> None:
    thread = MailThread.model_validate(
        {"subject": "Drill", "everybody": True, "place": place, "mails": [{"A": "The drill is soon."}, {"B": "Noted."}]}
    )
    life = _life(20).model_copy(update={"mail_threads": {"": (thread,) * 120}})
    told = [
        item
        for item in _of_kinds(Days(life).between(None, life.calendar[1]), "mail/")
        if item.intent.key.endswith("/0")
        and item.intent.subject == "Drill"
        and "drill is soon" in item.intent.text.lower()
    ]

    assert told
    for item in told:
        there = {
            one.name
            for one in life.people
            if one.is_employed(item.at) and (not place or one.zone == life.zone) and one.name != item.intent.who
        }
        assert {*item.intent.to} == there
        assert _copied(item) == []


def test_what_is_written_to_one_alone_has_one_reader() -> None:
    thread = MailThread.model_validate({"subject": "Cup", "alone": True, "mails": [{"A": "Your cup is here."}]})
    life = _life(20).model_copy(update={"mail_threads": {"": (thread,) * 120}})
    told = [
        item
        for item in _of_kinds(Days(life).between(None, life.calendar[1]), "mail/")
        if item.intent.key.endswith("/0") and item.intent.subject == "Cup"
    ]

    assert len(told) > 5
    assert all(len(item.intent.to) == 1 and not _copied(item) for item in told)


def test_conversations_put_together_have_files_about_their_matter_and_say_so() -> None:
    life = _life(40, volume=20_000).model_copy(update={"files": read_mail_files(), "mail_threads": {}})
    items = [*Days(life).between(None, life.calendar[1])]
    having = [item for item in _of_kinds(items, "mail/") if _files(item) and item.intent.key.endswith("/0")]

    assert len(having) > 3
    assert all("attached" in item.intent.text.lower() for item in having)
    assert [item for item in _of_kinds(items, "meeting/") if _files(item) == {"invite.ics"}]


def test_conversations_are_of_the_measured_kind(mails: list[Item]) -> None:
    lengths = Counter(item.intent.key.rsplit("/", 1)[0] for item in mails if item.intent.key[-1].isdigit())

    assert len(lengths) > 40
    assert 1.8 <= sum(lengths.values()) / len(lengths) <= 5
    assert 0.1 <= sum(count == 1 for count in lengths.values()) / len(lengths) <= 0.6


def test_sales_office_and_whoever_leads_write_most_of_the_mail() -> None:
    life, roles = _life(30), ("sales lead", "office assistant", "backend engineer", "night desk", "platform engineer")
    people = tuple(one.model_copy(update={"role": roles[n % 5]}) for n, one in enumerate(life.people))
    wrote = Counter(item.intent.who for seed in (1, 2, 3) for item in _of_kinds(
        Days(life.model_copy(update={"people": people, "seed": seed})).between(None, life.calendar[1]), "mail/"
    ))  # fmt: skip
    by_role = {role: sum(wrote[one.name] for one in people if one.role == role) for role in roles}

    assert by_role["sales lead"] + by_role["office assistant"] > 0.6 * wrote.total()
    assert min(by_role.values()) > 0.01 * wrote.total()


def test_an_answer_comes_after_what_it_answers_from_somebody_who_got_it(mails: list[Item]) -> None:
    sent = {item.intent.key: item for item in mails}
    answers = [item for item in mails if item.needs and not item.intent.subject.startswith("Automatic")]

    assert len(answers) > 60
    for item in answers:
        before = sent[item.needs]
        assert before.cursor < item.cursor
        assert before.is_named
        assert item.intent.who in (before.intent.who, *before.intent.to, *_copied(before))
        if not item.intent.subject.startswith("Fwd: "):
            assert item.intent.subject == f"Re: {before.intent.subject.removeprefix('Re: ')}"
        assert before.intent.who in (*item.intent.to, *_copied(item), item.intent.who)


def test_most_answers_quote_what_they_answer(mails: list[Item]) -> None:
    answers = [item.intent.text for item in mails if item.intent.subject.startswith("Re: ")]
    quoting = [text for text in answers if " wrote:\n\n> " in text]

    assert 0.75 <= len(quoting) / len(answers) <= 1


def test_no_slot_is_left_and_no_long_text_is_used_twice(mails: list[Item]) -> None:
    own = [item.intent.text.partition("\n\nOn ")[0].partition("\n\n-----")[0] for item in mails]
    said = Counter(line for text in own for line in text.split("\n") if len(line.split()) > 25)

    assert not [text for text in own if "{" in text or "}" in text]
    assert said
    assert max(said.values()) == 1


def test_what_storylines_state_is_not_written() -> None:
    numbers = frozenset(map(str, range(60))) | {"laptops", "lift"}
    items = [
        item for item in _items("mail/", taken=numbers, volume=9000) if item.intent.subject[:2] not in ("Au", "Fw")
    ]
    own = [line for item in items for line in item.intent.text.partition("\n\nOn ")[0].split("\n")]

    assert len(items) > 20
    assert not [
        line for line in own if {word.strip(".,;:!?()").lower() for word in line.split()} & {*map(str, range(60))}
    ]


def test_nobody_writes_while_away_but_their_mail_may_answer_by_itself() -> None:
    items = [item for item in _items("mail/", people=30) if AWAY[0] <= item.at < AWAY[1]]
    away = [item for item in items if item.intent.who in ("p03", "p04", "p05")]

    assert all(item.intent.subject.startswith("Automatic reply: ") for item in away)
    assert len({(item.intent.key.rsplit("/", 3)[0], item.intent.who) for item in away}) == len(away)


def test_questions_are_heard_cited_and_mostly_answered() -> None:
    items = _items("question/", people=30)
    asked = [item for item in items if item.intent.to == ("support",)]
    answered = {item.needs for item in items if item.intent.via == "mail" and item.needs}
    tickets = [item for item in items if item.intent.kind == "open"]

    assert len(asked) > 20
    assert all(item.is_heard for item in items if item.intent.via == "mail" and item.intent.who[0] == "c")
    assert 0.6 <= sum(item.intent.key in answered for item in asked) / len(asked) <= 1
    assert tickets
    assert all("[[register:question/" in item.intent.text for item in tickets)


def test_meetings_are_answered_before_they_begin() -> None:
    items = _items("meeting/", people=30)
    begins = {item.intent.key: item.intent.details["start_us"] for item in items if item.intent.kind == "invite"}
    answers = [item for item in items if item.intent.kind == "acknowledge"]
    moved = [item for item in items if "moves" in item.intent.details]

    assert len(begins) > 20
    assert {item.intent.details["response"] for item in answers} == {"accepted", "declined"}
    assert moved
    for item in answers:
        start = begins[item.needs]
        assert isinstance(start, int)
        assert item.at < start
        assert start % (30 * 60 * 1_000_000) == 0


def test_one_more_colleague_leaves_most_mails_as_they_were() -> None:
    few, more = (
        {(item.at, item.intent.who, item.intent.subject) for item in _items("mail/", people=count)}
        for count in (30, 31)
    )

    assert len(few & more) / len(few) > 0.6


def test_volume_nothing_writes_nothing() -> None:
    assert _items("mail/", "question/", "meeting/", volume=0) == []


@pytest.mark.parametrize(("rank", "value"), [(0, 1), (ONE // 2, 6), (ONE - 1, 11)])
def test_values_between_points_are_interpolated(rank: int, value: int) -> None:
    assert at_points(((0, 1), (50, 6), (100, 11)), rank) == value


def test_the_shipped_matters_have_no_mistake() -> None:
    packs = read_mail_packs()

    assert len(packs) >= 15
    assert {"", "customer", "support"} <= {pack.deals for pack in packs}


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("I tried {dish}", "I tried {dihs}", 10, "did you mean 'dish'?"),
        ("  answer:\n    heads", "  agree:\n    heads", 8, "expected sentences for answer"),
        ("one two three", "three", 20, "expected more than 15 words"),
        ("      it was cold", "      It was cold", 11, "expected a small letter"),
        ("  answer: |\n    one", "  later: |\n    one", 18, "no sentences for later"),
    ],
)
def test_a_mistake_in_a_matter_is_told_with_its_line(tmp_path: Path, old: str, new: str, line: int, told: str) -> None:
    path = tmp_path / "matters" / "kitchen.yaml"
    path.parent.mkdir()
    path.write_text(PACK)
    assert pack_mistakes(path) == []

    path.write_text(PACK.replace(old, new, 1))
    found = pack_mistakes(path)

    assert any(told in mistake.message and abs(mistake.line - line) <= 1 for mistake in found), found


def test_nobody_sends_a_mail_of_six_words_and_more_twice(mails: list[Item]) -> None:
    said = Counter[tuple[str, str]]()
    for item in mails:
        own = item.intent.text.partition("\n\nOn ")[0]
        if len(own.split()) > 5 and not item.intent.subject.startswith("Automatic reply"):
            said[item.intent.who, own.lower()] += 1

    assert [said_twice for said_twice in said.items() if said_twice[1] > 1] == []


def test_a_mail_written_whole_goes_to_those_whose_matter_it_is() -> None:
    people = [
        Colleague.model_validate({**_life().people[number].model_dump(), "does": does, "zone": zone, "area": ""})
        for number, (does, zone) in enumerate(
            [(("sales",), "America/New_York"), (("finance",), "Europe/Berlin"), (("support",), "Europe/Berlin")]
        )
    ]
    company = _life().model_copy(update={"people": tuple(people), "zone": "Europe/Berlin"})
    talks = Talks(company)
    at = company.calendar[0] + 3 * DAY

    def holds(number: int, **said: object) -> bool:
        written = MailThread.model_validate({"subject": "VAT", "mails": [{"A": "Well?"}, {"B": "Yes."}], **said})
        name = people[number].name
        thread = Thread("mail/1", Stream(1, "mail"), name, name, None, at, 2)
        return MailParts(company, talks.acquaintances).is_theirs(thread, written)

    assert [holds(number, by=["finance"]) for number in range(3)] == [False, True, False]
    assert [holds(number, place="home") for number in range(3)] == [False, True, True]
    assert holds(0, to=["support"]) and not holds(2, to=["support"])
    assert not holds(1, new=12) and not holds(1, leaver=True)
