"""Days as pure functions: presence, conversations, matters, and what one more colleague changes."""

import re
from functools import cache

import pytest

from brownout.background.days import Days, Item
from brownout.background.desk_hours import Desk, day_of, day_start
from brownout.background.life_sources import Life, Project
from brownout.background.packs import SLOT
from brownout.background.talks import DrawnTalk, Talks
from brownout.core.instants import DAY
from generators.background.pack_files import read_work_packs
from tests.background.lives import START, ZONES, colleague, life_of_people


def _items(life: Life) -> list[Item]:
    return [*Days(life).between(None, life.calendar[1])]


def _talks(life: Life) -> list[DrawnTalk]:
    talks = Talks(life)
    first, last = (day_of(at, life.zone) for at in life.calendar)
    return [talk for day in range(first, last) for talk in talks.opened(day)]


@cache
def _of_people(people: int = 14, weeks: int = 2) -> tuple[Item, ...]:
    """All items of a company that several tests look at."""
    return tuple(_items(life_of_people(people, weeks=weeks)))


def test_items_come_in_one_order_and_inside_the_calendar() -> None:
    life = life_of_people()
    places = [item.cursor for item in _of_people()]

    assert len(places) > 300
    assert places == sorted(places)
    assert len({*places}) == len(places)
    assert life.calendar[0] <= places[0].at
    assert places[-1].at <= life.calendar[1]


def test_going_on_from_any_place_gives_the_rest() -> None:
    life = life_of_people()
    items = _of_people()
    for place in (0, len(items) // 3, len(items) - 2):
        assert tuple(Days(life).between(items[place].cursor, life.calendar[1])) == items[place + 1 :]


def test_another_seed_is_another_life() -> None:
    one, other = ({item.intent.text for item in _items(life_of_people(seed=seed))} for seed in (1, 2))

    assert len(one & other) < len(one) / 2


def test_one_more_colleague_leaves_most_conversations_without_them_as_they_were() -> None:
    lives = (life_of_people(40, weeks=1), life_of_people(40, weeks=1, extra=(colleague(99),)))
    before, after = ({talk.key: talk for talk in _talks(life)} for life in lives)
    others = [key for key in before if key not in after or "p99" not in after[key].people]
    same = [key for key in others if key in after and after[key].lines == before[key].lines]

    assert len(others) > 0.9 * len(before)
    assert len(same) > 0.9 * len(others)
    assert len([key for key in same if after[key] == before[key]]) > 0.8 * len(others)

    said, later = ({item.intent.key: item.intent.text for item in _items(life)} for life in lives)
    assert len([key for key, text in said.items() if later.get(key) == text]) > 0.65 * len(said)


def test_everybody_is_at_their_desk_when_they_speak_or_has_a_phone_in_the_evening() -> None:
    away = (START + 2 * DAY, START + 9 * DAY)
    life = life_of_people(30, extra=(colleague(50, away=(away,)), colleague(51, leaves=START + 5 * DAY)))
    desks = {person.name: Desk(life.seed, person) for person in life.people}
    items = _items(life)

    elsewhere = [item for item in items if not desks[item.intent.who].is_there(item.at)]
    assert all(desks[item.intent.who].is_awake(item.at) for item in elsewhere)
    assert 0 < len(elsewhere) < len(items) * 8 // 100
    assert not [item for item in items if item.intent.who == "p50" and away[0] <= item.at < away[1]]
    assert [item for item in items if item.intent.who == "p51"]


def test_weekends_are_quiet_and_nobody_is_silent_for_ever() -> None:
    items = [item for item in _items(life_of_people(30, weeks=3)) if item.intent.kind == "tell"]
    weekend = sum((item.at // DAY + 3) % 7 >= 5 for item in items)

    assert 0 < weekend < 0.12 * len(items)
    assert len({item.intent.who for item in items}) >= 25


def test_texts_have_no_slot_left() -> None:
    texts = [item.intent.text for item in _of_people()]

    assert not [text for text in texts if SLOT.search(text)]


def test_nobody_says_a_text_of_six_words_twice_and_hardly_two_people_the_same() -> None:
    said = [item.intent for item in _items(life_of_people(20, weeks=8)) if item.intent.kind == "tell"]
    long = [(intent.who, intent.text.lower()) for intent in said if len(intent.text.split()) >= 6]

    assert len(long) > 2000
    assert len({*long}) == len(long)
    assert len({text for _, text in long}) > 0.995 * len(long)


def test_passages_come_where_there_is_talk_enough_and_none_comes_twice() -> None:
    life = life_of_people(30, weeks=8)
    few = tuple(pack.model_copy(update={"prose": pack.prose[:40]}) for pack in life.packs)
    life = life.model_copy(update={"packs": few, "dialogues": {}})
    beginnings = {SLOT.split(one.text)[0][3:40]: pack.area for pack in life.packs for one in pack.prose}
    plain = [one for one, area in beginnings.items() if len(one) > 25 and area in ("engineering", "support")]
    texts = [item.intent.text for item in _items(life) if item.intent.kind == "tell"]
    used = [sum(one in text for text in texts) for one in plain]

    assert len(plain) > 20
    assert max(used) == 1
    assert sum(used) > 0.25 * len(plain)


def test_talk_has_links_code_lines_and_mentions() -> None:
    texts = [item.intent.text for item in _of_people(20, 3) if item.intent.kind == "tell"]

    for mark, least in (("https://", 0.012), ("`", 0.012), ("\n", 0.05), ("@p", 0.02), ("?", 0.1)):
        assert sum(mark in text for text in texts) > least * len(texts), mark
    assert all(text.count("```") % 2 == 0 for text in texts)


def test_what_was_typed_wrong_is_mended_by_its_author_while_they_are_there() -> None:
    life = life_of_people(20, weeks=3)
    items = {item.intent.key: item for item in _of_people(20, 3)}
    desks = {person.name: Desk(life.seed, person) for person in life.people}
    changed = [item for item in items.values() if item.intent.kind == "edit"]

    assert changed
    for item in changed:
        said = items[item.needs]
        assert said.is_named
        assert said.intent.who == item.intent.who
        assert said.intent.text != item.intent.text
        assert said.at < item.at
        assert desks[item.intent.who].is_there(item.at)


def test_people_of_a_project_talk_about_its_tickets_after_they_were_opened() -> None:
    project = Project(key="BOX", lead="p01", people=("p01", "p03", "p05", "p07"), area="engineering")
    scripts = tuple(f'A: {n} zebra "{{title}}", {{ticket}}\nB?: {{a}}, {{ticket}}?' for n in range(200))
    life = life_of_people(weeks=6).model_copy(
        update={"projects": (project,), "dialogues": {"tickets": scripts}, "work": read_work_packs(), "volumes": {"people": 4000, "work": 1000},
                "apps": {"talks": "chat", "opens": "board", "keeps": "", "mails": ""}, "ticket_page": "https://board.test/t/"}
    )  # fmt: skip
    items = {item.intent.key: item for item in _items(life)}
    named = re.compile(r"\[\[(.+?/.+?)\]\]")
    naming = [item for item in items.values() if item.intent.key.startswith("talk/") and named.search(item.intent.text)]

    areas = {person.name: person.area for person in life.people}
    assert len(naming) > 5
    assert {areas[item.intent.who] for item in naming} == {"engineering"}
    titles = {key: items[key].intent.subject for item in naming for key in named.findall(item.intent.text)}
    assert any(title in item.intent.text for item in naming for title in titles.values())
    assert any("https://board.test/t/[[" in item.intent.text for item in naming)
    for item in naming:
        [key] = {*named.findall(item.intent.text)}
        opened = items[key]
        assert opened.intent.kind == "open"
        assert opened.at < item.at


def test_what_storylines_state_is_not_said() -> None:
    life = life_of_people()
    numbers = frozenset(map(str, range(100)))
    spoken = _items(life.model_copy(update={"taken": numbers}))
    words = {word.strip(".,;:!?()`") for item in spoken for word in item.intent.text.split()}

    assert not words & numbers


@pytest.mark.parametrize("zone", ZONES)
def test_a_day_begins_where_it_is_counted(zone: str) -> None:
    day = day_of(START, zone)

    assert day_start(day, zone) <= START < day_start(day + 1, zone)


def test_a_silent_life_has_no_items() -> None:
    assert _items(life_of_people().model_copy(update={"volumes": {"people": 0}})) == []
