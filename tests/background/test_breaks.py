"""How a script's turns fall into messages: as many as are wanted, in the same words, nobody's before somebody else's."""

import pytest

from brownout.background.message_breaks import Said, broken_into, fewest_and_most
from brownout.background.scripts import Dialogue, ways_of

SAID: tuple[Said, ...] = (
    (0, "is it up? [No. Wait|I can not see it], but the page is"),
    (1, "looking"),
    (1, "it is not"),
    (0, "ok. thanks"),
)


def _words(said: tuple[Said, ...]) -> list[tuple[int, str]]:
    return [(who, word.strip(".,;-")) for who, text in said for word in text.split()]


@pytest.mark.parametrize("wanted", range(1, 12))
def test_the_words_stay_and_their_order_and_whose_they_are(wanted: int) -> None:
    fewest, most = fewest_and_most(SAID)
    assert (fewest, most) == (3, 7)
    for bits in range(20):
        broken = broken_into(SAID, wanted, bits)
        assert len(broken) == min(max(wanted, fewest), most)
        assert _words(broken) == _words(SAID)
        assert all(text.count("[") == text.count("]") for _, text in broken)


def test_where_it_is_broken_is_drawn() -> None:
    assert len({broken_into(SAID, 5, bits) for bits in range(30)}) == 3


def test_what_is_pasted_or_long_is_never_broken() -> None:
    careful = "One sentence. " * 20
    said = ((0, "see. this\n```\na. b\n```"), (0, careful.strip()), (0, "end"))
    assert fewest_and_most(said) == (3, 3)
    assert broken_into(said, 9, 1) == said


def test_a_dialogue_is_held_in_as_many_messages_as_the_shape_has() -> None:
    dialogue = ways_of("all", 3, "A: one. two\nB: three\nB: four\nA: five")[0]
    assert isinstance(dialogue, Dialogue)
    assert [dialogue.reaches(lines) for lines in (1, 4, 9)] == [3, 4, 5]
    assert dialogue.in_messages(5, 1).speakers == (0, 0, 1, 1, 0)
    assert dialogue.in_messages(2, 1).texts == ("one. two", "three\nfour", "five")
    assert dialogue.in_messages(4, 1) == dialogue
