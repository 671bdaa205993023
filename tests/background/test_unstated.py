"""Scripts in worlds whose storylines state numbers: other numbers stand in them, or they are left out."""

import pytest

from brownout.background.packs import MailThread
from generators.background.free_texts import free_part, free_script
from generators.background.replaced_numbers import moved_text, moves

TAKEN = frozenset({"7", "12", "40", "3", "patient"})


@pytest.mark.parametrize(
    ("script", "read"),
    [
        ("A: 12 of 40 are here\nB: [12|13]?", "A: 11 of 35 are here\nB: [11|13]?"),
        ("A: 12 here, 11 there", "A: 13 here, 11 there"),
        ("A: 12 came at 9:45, room 4.33, on 21/09", "A: 11 came at 9:45, room 4.33, on 21/09"),
        ("A: version 3.12 at 12:40", "A: version 3.12 at 12:40"),
        ("A: two points\n  12. paint\n  13. wall", "A: two points\n  12. paint\n  13. wall"),
        ("A: `LIMIT 12`", "A: `LIMIT 11`"),
    ],
)
def test_a_number_of_a_fact_is_another_one_throughout(script: str, read: str) -> None:
    numbers = moves(script, TAKEN)

    assert numbers is not None
    assert moved_text(script, numbers) == read


@pytest.mark.parametrize(
    "script",
    [
        "A: the patient waits",
        "A: file 3 of 4",
        "A: within 12 months",
        "A: since 12 March",
        "A: which\n  12) this\n  14) that\nB: 12",
        "A: 12 of 40 are here, 28 are not",
        "A: 40 invited, 31 came, nine didn't",
        "A: 40 in all\n  25 done\n  8 begun\n  7 open",
        "A: 12 boxes of 15, so 180",
        "A: 12 wrote, half of the 24",
    ],
)
def test_what_cannot_have_another_number_is_left_out(script: str) -> None:
    assert moves(script, TAKEN) is None


def test_all_texts_of_a_conversation_by_mail_have_the_same_number() -> None:
    thread = MailThread(subject="12 chairs", mails=({"A": "12 chairs came."}, {"B": "Not 40?"}))
    found = free_part(thread, TAKEN)

    assert found is not None
    assert found.subject == "11 chairs"
    assert [text for _, text in found.turns] == ["11 chairs came.", "Not 35?"]


@pytest.mark.parametrize(
    ("script", "free"),
    [
        ("A: [12|a dozen] came", "A: a dozen came"),
        ("A: [12|a dozen|some] came", "A: [a dozen|some] came"),
        ("A: [12|40] came", "A: [11|35] came"),
        ("A: here\nB?: 12 boxes of 15, so 180\n  and so on\nA: ok", "A: here\nA: ok"),
        ("A: 12 boxes of 15, so 180\nB?: ok", None),
        ("(C it)\n(by data)\nA: a\nB: b\nC?: 12 boxes of 15, so 180\nA: c", "(by data)\nA: a\nB: b\nA: c"),
        ("A: it is\nB?: 12 of them", "A: it is\nB?: 11 of them"),
    ],
)
def test_an_alternative_or_an_aside_with_a_word_that_is_stated_is_left_out(script: str, free: str | None) -> None:
    assert free_script(script, TAKEN) == free
