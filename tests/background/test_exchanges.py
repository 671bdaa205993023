"""What is put together is a row of short exchanges: somebody begins, others answer, whoever asked hears it, and that is that."""

from functools import partial

from brownout.background.dealer import Dealer
from brownout.background.packs import Act, Pack
from brownout.background.phrase_decks import Bank, Hand
from brownout.background.talks import Talks, areas_for_all
from brownout.background.topics import Exchange, Topic, acts_instead
from brownout.core.seeds import Stream
from tests.background.lives import FIRST, LAST, life_of_people


def _pack() -> Pack:
    acts = {
        act: {"heads": [f"{act} {n}" for n in range(4)], "tails": ["so", "now"]} for act in ("ask", "answer", "more")
    }
    return Pack.model_validate(
        {
            "area": "kitchen", "roles": {"cooking": ["cook"]}, "joints": [", "], "short": {"ack": ["ok"], "thanks": ["thanks"], "disagree": ["no"]},
            "subjects": {"soup": {"acts": acts | {"report": {"heads": ["the {dish} burnt", "it burnt all over the place"], "tails": ["so"]}}}},
            "words": {"dish": ["soup", "pie"]}, "prose": [{"subject": "soup", "act": "report", "text": "It burnt"}],
        }
    )  # fmt: skip


def _hand() -> Hand:
    return Bank(3, [_pack()]).hand("kitchen", Dealer(3, 20_514, 20_514, 20_521, days=7))


def test_whoever_asked_thanks_and_then_it_is_over() -> None:
    topic, ended = Topic(_pack(), "soup", _hand()), 0
    for number in range(60):
        exchange, stream = Exchange.begun("a", Stream(3, "try", number)), Stream(3, "said", number)
        exchange.said("a", "ask")
        exchange.said("b", "answer")
        act = exchange.act_of("a", topic, stream, brevity=1000, is_last=False)
        assert act in ("thanks", "ack", "ask", "disagree")
        exchange.said("a", act)
        ended += exchange.is_over("b")
        assert exchange.is_over("b") == (act in ("thanks", "ack"))
    assert ended > 20


def test_nobody_says_a_third_thing_on_a_topic_without_an_answer() -> None:
    exchange = Exchange("a", 6)
    exchange.said("a", "report")
    exchange.said("a", "more")

    assert exchange.is_over("a")
    assert not exchange.is_over("b")


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


def _after(*acts: tuple[str, Act]) -> Exchange:
    exchange = Exchange.begun(acts[0][0], Stream(3, "begun"))
    for who, act in acts:
        exchange.said(who, act)
    return exchange


def test_nobody_answers_their_own_question_nor_thanks_themselves() -> None:
    assert not _after(("a", "ask")).may("a", "answer")
    assert not _after(("a", "ask"), ("a", "more")).may("a", "answer")
    assert _after(("a", "ask")).may("b", "answer")
    assert not _after(("a", "ask"), ("b", "answer"), ("a", "more")).may("a", "thanks")


def test_only_those_thank_who_wanted_to_hear_something_or_for_whom_something_is_done() -> None:
    assert _after(("a", "ask"), ("b", "answer")).may("a", "thanks")
    assert not _after(("a", "ask"), ("b", "answer")).may("c", "thanks")
    assert not _after(("a", "report")).may("b", "thanks")
    assert _after(("a", "hand_over")).may("b", "thanks")


def test_a_question_is_answered_before_anything_else_is_said_by_others() -> None:
    topic = Topic(_pack(), "soup", _hand())
    for number in range(40):
        stream = Stream(3, "open", number)
        assert _after(("a", "ask")).act_of("b", topic, stream, brevity=1000, is_last=True) in ("answer", "ask")
        assert _after(("a", "ask"), ("a", "more")).act_of("b", topic, stream, brevity=1000, is_last=True) == "answer"


def test_what_a_line_does_where_the_day_has_nothing_left_is_nothing_that_its_author_could_not_do() -> None:
    topic, exchange = Topic(_pack(), "soup", _hand()), _after(("a", "ask"))

    assert "answer" not in acts_instead(topic, "more", partial(exchange.may, "a"))
    assert "answer" in acts_instead(topic, "more", partial(exchange.may, "b"))
