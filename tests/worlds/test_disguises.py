"""Names in disguise: what is found, and what is no name."""

from datetime import date

import pytest

from graders.audience import person_named
from worlds.facts.mentions import mention_in
from worlds.values import Context

PEOPLE = {"viktor": "Viktor Haas", "ines": "Inês Rocha", "ida": "Ida Lindqvist", "grace": "Grace Okafor", "jo": "Jo Li"}
CONTEXT = Context(date(2026, 4, 14), "Europe/Berlin")

FOUND = [
    "Viktor decided it.", "VIKTOR decided it.", "Viktor's decision", "Viktors Entscheidung", "decided by V i k t o r today", "V.i.k.t.o.r",
    "V-i-k-t-o-r", "V_i_k_t_o_r", "Vik tor", "Vik-tor", "Vik\u200btor", "Vik\u00adtor", "Vik&shy;tor", "V<b>ik</b>tor", "V**ik**tor",
    "&#86;iktor", "\u0474\u0456kt\u043er", "Vikt\u03bfr", "\uff36\uff49\uff4b\uff54\uff4f\uff52", "\U0001d415\U0001d422\U0001d424\U0001d42d\U0001d428\U0001d42b",
    "\u24cb\u24d8\u24da\u24e3\u24de\u24e1", "V\u0131ktor", "V1kt0r", "Viktor_Haas", "viktor haas", "viktor.haas", "viktorhaas", "viktor@larkspur.test",
    "@viktor", "VIktor", "V\ni\nk\nt\no\nr", "Vik-\ntor", "Haas saw it", "In\u00eas", "Ines", "In\u0435s", "I d a", "I.n.e.s", "Gr\u0430ce", "Li",
]  # fmt: skip
NOT_FOUND = [
    "The victory was ours.", "a grace period of five minutes", "it was decided in es tags", "I do it at once.", "I d say so", "li", "in es",
    "The team lead decided it.", "viktoria", "Idaho", "graceful", "hit it with a job", "Is a hold 10 minutes? I, da", "Rochade", "a V. H. signed",
    "In essence nothing was lost.", "Linking the two", "Okay, for now", "Line 4 @ 10:12", "L i", "J. O.", "10:12 | 10:15 | 11:24",
]  # fmt: skip


@pytest.mark.parametrize("text", FOUND)
def test_a_name_is_found_in_disguise(text: str) -> None:
    assert person_named(f"At ten it was decided. {text}", PEOPLE)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_what_is_no_name_is_none(text: str) -> None:
    assert not person_named(f"At ten it was decided. {text}", PEOPLE)


@pytest.mark.parametrize(
    "text", ["Tw\u0456lio", "T w i l i o", "T.w.i.l.i.o", "Twi lio", "Twi\u200blio", "TW1LIO", "\uff34wilio", "Twi<i>lio</i>", "T*w*i*l*i*o"]
)  # fmt: skip
def test_a_phrase_of_one_word_is_found_in_disguise(text: str) -> None:
    assert mention_in(f"It came from {text} at six.", ["Twilio"], CONTEXT)


def test_a_phrase_of_several_words_is_found_in_other_scripts() -> None:
    assert mention_in("This is \u043eur last w\u043erd.", ["our last word"], CONTEXT)
    assert mention_in("It is \uff12\uff11\uff15.10 euros.", ["215.10"], CONTEXT)
    assert not mention_in("We will, I owe it to you.", ["Twilio"], CONTEXT)
