"""What coworkers take a question to be about: the half of the questions that nothing was tuned on."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from brownout.catalog import find_spec
from brownout.core.rows import Rows
from brownout.engine.coworkers.question_kinds import kinds_of, telling, wanted_by
from brownout.engine.coworkers.spoken_names import as_oneself
from brownout.engine.coworkers.topics import meant, nearest
from brownout.store import create_world
from generators.fact_rows import write_topics
from tests.functional.questions import ASKED_OF, HELD_OUT, Asked
from worlds.package import engine_tables
from worlds.spec import read_world


@pytest.fixture(scope="module")
def topics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Rows]]:
    worlds = {
        name: create_world(_file(tmp_path_factory, name), [engine_tables.metadata]) for name in ("tiny", "larkspur")
    }
    for name, world in worlds.items():
        spec = read_world(find_spec(name))
        facts = [fact for story in spec.storylines.values() for fact in story.facts.values()]
        write_topics(world.rows, facts, spec.world.synonyms)
    yield {name: world.rows for name, world in worlds.items()}
    for world in worlds.values():
        world.discard()


def _file(folder: pytest.TempPathFactory, name: str) -> Path:
    return folder.mktemp(name) / "world.sqlite"


def judged(topics: dict[str, Rows], asked: Asked) -> str:
    """`right`, `wrong`, or `asks back`; whoever is asked about nothing is right to ask back."""
    found = nearest(meant(topics[asked.world], asked.text))
    if len(found) != 1:
        return "asks back" if asked.slot else "right"
    return "right" if found[0].slot == asked.slot else "wrong"


def test_of_the_questions_held_out_four_of_five_are_found_and_none_is_mistaken(topics: dict[str, Rows]) -> None:
    honest = Counter(judged(topics, asked) for asked in HELD_OUT if asked.slot)
    other = Counter(judged(topics, asked) for asked in HELD_OUT if not asked.slot)

    assert honest["right"] * 5 >= sum(honest.values()) * 4, honest
    assert (honest["wrong"], other["wrong"]) == (0, 0)


def test_nothing_is_found_for_what_nobody_wrote_a_fact_about(topics: dict[str, Rows]) -> None:
    mistaken = {asked.text: meant(topics[asked.world], asked.text) for asked in ASKED_OF if not asked.slot}

    assert not {text: found for text, found in mistaken.items() if found}


def test_an_authors_synonym_is_found_and_words_of_another_world_are_not(topics: dict[str, Rows]) -> None:
    question = "How long is a basket kept for while paying?"

    assert [topic.slot for topic in meant(topics["tiny"], question)] == ["boxoffice.hold_minutes"]
    assert meant(topics["larkspur"], question) == []


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Who merged it?", {"who"}),
        ("The bug where seats stay locked, is it known?", set()),
        ("Since when is it mended?", {"when", "long"}),
        ("Quem decidiu isso?", {"who"}),
        ("Wie lange gilt das?", {"when", "long", "many"}),
    ],
)
def test_the_kind_of_answer_is_read_from_the_word_that_asks(text: str, kinds: set[str]) -> None:
    assert wanted_by(text) == kinds


def test_words_that_say_nothing_are_left_out() -> None:
    assert telling("Could you tell me what the hold time is, please?") == ["hold", "time"]
    assert kinds_of("hold", "minutes") == ["long"]


@pytest.mark.parametrize(
    ("said", "own"),
    [
        ("Viktor agreed to Hautzentrum's eight o'clock", "I agreed to Hautzentrum's eight o'clock"),
        ("Viktor is on call this week", "I am on call this week"),
        ("Viktor Sommer has decided it, and only Viktor decides that", "I have decided it, and only I decide that"),
        ("it was agreed by Viktor", "it was agreed by me"),
        ("that is Viktor's ticket", "that is my ticket"),
        ("Viktoria agreed to it", "Viktoria agreed to it"),
    ],
)
def test_nobody_speaks_of_themselves_by_name(said: str, own: str) -> None:
    assert as_oneself(said, "Viktor Sommer") == own
