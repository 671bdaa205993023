"""What a talk's lines are sent in: one message each, or several right after one another."""

from collections.abc import Mapping

import pytest

from generators.talk_messages import messages_of, whole_lines
from worlds.spec import Person, Talk

TWO = "The queue is empty again. I look at the retries next."
SEEDS = range(60)


def person(voice: str) -> Person:
    return Person.model_validate({"name": "Somebody", "role": "Engineer", "voice": voice})


PEOPLE: Mapping[str, Person] = {"ida": person("chatty"), "owen": person("formal")}


def talk(*lines: object, **rest: object) -> Talk:
    return Talk.model_validate({"at": "2026-03-10 09:30", "in": "#ops", "lines": [*lines], **rest})


def texts(one: Talk, seed: int) -> list[str]:
    return [message.said.text for message in messages_of(one, PEOPLE, seed=seed, name="talk")]


def test_two_sentences_are_sometimes_two_messages_and_nothing_is_lost() -> None:
    said = talk(f"ida: {TWO}", "> owen: Thanks.")
    found = {tuple(texts(said, seed)) for seed in SEEDS}

    assert found == {(TWO, "Thanks."), ("The queue is empty again.", "I look at the retries next.", "Thanks.")}


def test_some_voices_send_more_messages_than_others_and_long_talks_more_than_short_ones() -> None:
    def broken(who: str, answers: int) -> int:
        said = talk(f"{who}: {TWO}", *["> owen: Thanks."] * answers, "> ida: Yes.")
        return sum(len(texts(said, seed)) - len(said.lines) for seed in range(200))

    assert broken("ida", 4) > broken("owen", 4) + 40
    assert broken("ida", 4) > broken("ida", 1) + 40
    assert 10 < broken("ida", 0) < broken("ida", 1)


def test_a_message_that_goes_on_stands_where_its_line_does_and_comes_at_once() -> None:
    said = talk("ida: Anybody?", {f"> ida: {TWO}".partition(":")[0]: TWO, "after": "6m"})
    found = next(one for seed in SEEDS if len(one := messages_of(said, PEOPLE, seed=seed, name="talk")) == 3)

    assert [one.key("line/talk") for one in found] == ["line/talk", "line/talk/1", "line/talk/1.1"]
    assert [one.said.in_thread for one in found] == [False, True, True]
    assert found[1].said.after is not None
    assert found[2].said.after is None


@pytest.mark.parametrize(
    "one",
    [
        talk(f"ida: {TWO}", states=["queue-empty"]),
        talk({"ida": TWO, "reacts": {"tada": ["owen"]}}),
        talk({"ida": TWO, "edited": "2m", "was": "The queue is full. I look."}),
        talk(f'ida: They wrote: "{TWO}"'),
        talk("ida: Please look at it again (see the page. It is old, as I said)"),
        talk("ida: Two things. First this one here:\n- the queue that is empty\n- the retries that are not"),
        talk("ida: Please ask the good Dr. Wu about all of it again, e.g. today or on Monday at ten"),
        talk("ida: Thank you all very much for this. :) :) :) :) :)"),
        talk("ida: Ok. I look."),
        talk("ida: " + "One of many sentences that were written with care. " * 8),
    ],
)
def test_what_counts_on_being_one_message_or_is_written_with_care_is_one(one: Talk) -> None:
    for seed in SEEDS:
        assert messages_of(one, PEOPLE, seed=seed, name="talk") == whole_lines(one)
