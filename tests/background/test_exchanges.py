"""What is put together are short exchanges: somebody begins, somebody else answers, whoever asked hears it, and then it is about something else."""

import itertools
import re

from brownout.background.days import Days
from brownout.background.dealer import Dealer
from brownout.background.packs import OPENING, Act, Pack
from brownout.background.part_holders import areas_for_all
from brownout.background.phrase_decks import Bank, Hand
from brownout.background.talks import Talks
from brownout.background.topics import goes_on, is_over
from brownout.background.wording import Worded, Wording
from brownout.core.instants import MINUTE
from brownout.core.seeds import Stream
from tests.background.lives import FIRST, LAST, life_of_people


def _pack() -> Pack:
    acts = {act: {"heads": [f"{act} {n}" for n in range(4)], "tails": ["so", "now"]} for act in ("ask", "plan")}
    return Pack.model_validate(
        {
            "area": "kitchen", "roles": {"cooking": ["cook"]}, "joints": [", "], "short": {"ack": ["ok"], "thanks": ["thanks"]},
            "subjects": {"soup": {"acts": acts | {"report": {"heads": ["the {dish} burnt", "it burnt all over the place"], "tails": ["so"]}}}},
            "words": {"dish": ["soup", "pie"]}, "prose": [{"subject": "soup", "act": "report", "text": "It burnt"}],
        }
    )  # fmt: skip


def _hand() -> Hand:
    return Bank(3, [_pack()]).hand("kitchen", Dealer(3, 20_514, 20_514, 20_521, days=7))


def test_whoever_asked_hears_the_answer_and_then_it_is_over() -> None:
    for number in range(20):
        acts: list[tuple[str, Act]] = [("a", "ask")]
        assert not is_over(acts)
        assert goes_on(acts, "b", Stream(3, number)) == "answer"
        acts.append(("b", "answer"))
        assert goes_on(acts, "c", Stream(3, number)) is None
        heard = goes_on(acts, "a", Stream(3, number))
        assert heard == "thanks"
        assert is_over(acts)


def test_nobody_goes_on_after_themselves_nor_answers_what_nobody_asked() -> None:
    for opening in ("ask", "report", "plan", "status"):
        for number in range(20):
            assert goes_on([("a", opening)], "a", Stream(3, number)) is None
            assert (goes_on([("a", opening)], "b", Stream(3, number)) == "answer") == (opening == "ask")


def test_only_what_was_done_or_will_be_is_thanked_for() -> None:
    heard = {
        opening: {goes_on([("a", opening)], "b", Stream(3, number)) for number in range(60)} for opening in OPENING
    }

    assert heard["report"] == {"ack", None}
    assert heard["plan"] == heard["status"] == {"ack", "thanks", None}


def test_put_together_talk_is_short_exchanges_whose_answers_follow_somebody_else() -> None:
    life = life_of_people(20).model_copy(update={"dialogues": {}})
    wording = Wording(life, lambda talk: ())
    exchanges: list[list[Worded]] = []
    for day in range(FIRST, LAST):
        deal = wording.deal(day, FIRST, LAST)
        for talk in Talks(life).opened(day):
            if talk.dialogue is None:
                for worded in wording.words(talk, deal):
                    if worded.begins:
                        exchanges.append([])
                    exchanges[-1].append(worded)

    assert len(exchanges) > 40
    turns = [[[*said] for _, said in itertools.groupby(lines, lambda one: one.line.who)] for lines in exchanges]
    assert {1, 2} <= {len(each) for each in turns} <= {1, 2, 3}
    assert all(len(said) == 1 for each in turns for said in each[1:])
    assert any(len(each[0]) > 1 for each in turns)
    assert all((each[0][0].act == "ask") == (each[1][0].act == "answer") for each in turns if len(each) > 1)


def test_nobody_comes_to_something_else_right_after_what_they_said_themselves() -> None:
    life = life_of_people(20).model_copy(update={"dialogues": {}})
    wording = Wording(life, lambda talk: ())
    said = [wording.words(talk, wording.deal(FIRST, FIRST, LAST)) for talk in Talks(life).opened(FIRST)]
    following = [(one.line, other.line) for lines in said for one, other in itertools.pairwise(lines) if other.begins]

    assert following
    assert all(one.who != other.who or other.at - one.at >= 5 * MINUTE for one, other in following)


def test_an_address_is_of_what_the_line_speaks_of() -> None:
    life = life_of_people(20).model_copy(update={"dialogues": {}})
    hosts = {page.split("/")[2] for pack in life.packs for page in pack.pages}
    pointing = [
        (text[: found.start()], found[1])
        for item in Days(life).between(None, life.calendar[1])
        if item.intent.kind == "tell" and "```" not in (text := item.intent.text)
        if (found := re.search(r" https://([^/]+)/\S+$", text)) and found[1] in hosts
    ]
    named = [host.removeprefix("www.").partition(".")[0].rstrip("s")[:4] in text.lower() for text, host in pointing]

    assert pointing
    assert sum(named) > 0.9 * len(named)  # now and then the word is mistyped


def test_a_head_is_said_alone_once() -> None:
    hand = _hand()
    found = [hand.alone("soup", "report", wish, lambda pair: True) for wish in range(20)]

    assert sorted(pair.head for pair in found if pair is not None) == [
        "it burnt all over the place", "the {dish} burnt",
    ]  # fmt: skip


def test_somebody_begins_with_a_passage_about_something_else_while_there_is_one() -> None:
    hand = _hand()

    assert hand.opening(7) == ("soup", "report")
    assert hand.opening(7, but="soup") is None
    assert hand.passage("soup", "report", 7) == "It burnt"
    assert hand.opening(7) is None


def test_private_talk_about_work_is_mostly_among_those_who_do_it() -> None:
    life = life_of_people(20)
    talks = Talks(life)
    area = {person.name: person.area for person in life.people}
    private = [talk for day in range(FIRST, LAST) for talk in talks.opened(day) if not talk.room]
    alike = sum(len({area[name] for name in talk.people}) == 1 for talk in private)

    assert alike > len(private) * 3 // 5
    assert areas_for_all(life) == frozenset()
    written = [
        talk for talk in private if talk.dialogue is not None and talk.dialogue.area in ("engineering", "support")
    ]
    asked = [talk for talk in written if len({area[name] for name in talk.people}) > 1]
    assert len(asked) < len(written) // 10
    # by what a script says: support asks developers
    assert all(talk.dialogue is not None and len({*talk.dialogue.parts}) > 1 for talk in asked)
