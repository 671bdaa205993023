"""What packs hold is dealt once in a world, spread over its calendar, before anything comes again."""

from collections import Counter

from brownout.background.dealer import Dealer
from brownout.background.packs import Pack
from brownout.background.phrase_decks import Bank, Hand, Pair

MONDAY, DAYS = 20_514, 28


def _pack(**more: object) -> Pack:
    fields: dict[str, object] = {
        "area": "kitchen",
        "roles": {"cooking": ["cook"]},
        "short": {"ack": ["ok"]},
        "joints": [", "],
        "subjects": {
            name: {"acts": {"report": {"heads": [f"{name} {n}" for n in range(6)], "tails": [f"tail {n}" for n in range(5)]}}}
            for name in ("soup", "pie")
        },
        "prose": [{"subject": name, "act": "report", "text": f"{name} passage {n}"} for name in ("soup", "pie") for n in range(20)],
    }  # fmt: skip
    return Pack.model_validate(fields | more)


def _hands(bank: Bank) -> list[Hand]:
    return [bank.hand("kitchen", Dealer(3, MONDAY + day, MONDAY, MONDAY + DAYS)) for day in range(DAYS)]


def _pairs(hand: Hand) -> list[Pair]:
    found = [hand.pair("soup", "report", wish, lambda pair: True) for wish in range(200)]
    return [pair for pair in found if pair is not None]


def test_every_pair_is_dealt_once_over_the_calendar() -> None:
    found = Counter(pair for hand in _hands(Bank(3, [_pack()])) for pair in _pairs(hand))

    assert len(found) == 30
    assert {*found.values()} == {1}


def test_neighbours_have_different_heads() -> None:
    hand = Bank(3, [_pack()]).hand("kitchen", Dealer(3, MONDAY, MONDAY, MONDAY + 5))
    heads = [pair.head for pair in _pairs(hand)]

    assert len(heads) == 5
    assert len({*heads}) == len(heads)


def test_every_passage_is_dealt_once_and_a_subjects_come_together() -> None:
    hands = _hands(Bank(3, [_pack()]))
    texts = []
    for hand in hands:
        for subject in ("soup", "pie"):
            while (text := hand.passage(subject, "report", 11)) is not None:
                texts.append(text)
    busy = [hand for hand in hands if len(hand.passages) > 1]

    assert len(texts) == len({*texts}) == 40
    assert sum(len({one.subject for one in hand.passages}) == 1 for hand in busy) > len(busy) / 2


def test_a_subject_carries_what_the_day_has_of_it() -> None:
    hand = Bank(3, [_pack()]).hand("kitchen", Dealer(3, MONDAY, MONDAY, MONDAY + 1))

    assert hand.carried["soup"]["report"] == (30, 20)


def test_an_act_that_a_subject_lacks_has_nothing() -> None:
    hand = Bank(3, [_pack()]).hand("kitchen", Dealer(3, MONDAY, MONDAY, MONDAY + 1))

    assert hand.pair("soup", "ask", 1, lambda pair: True) is None
    assert hand.passage("soup", "ask", 1) is None
