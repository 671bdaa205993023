"""Companies of a trade talk about its daily life, and others do not."""

import re
from pathlib import Path

import pytest

from brownout.background.packs import SLOT, MailThread, TicketCase
from brownout.background.scripts import ways_of
from brownout.background.talks import Talks
from brownout.background.written import ALTERNATIVES
from generators.authoring.trades import trade_names
from generators.background.life import _of_trade, _words_of_other_trades
from generators.background.pack_files import (
    pack_mistakes,
    read_cases,
    read_dialogues,
    read_mail_threads,
    read_trade_dialogues,
)
from generators.background.replaced_numbers import moves
from tests.background.lives import FIRST, LAST, life_of_people

_LONG = 6


@pytest.mark.parametrize("trade", trade_names())
def test_every_trade_has_conversations_that_its_companies_may_hold(trade: str) -> None:
    own = read_trade_dialogues(trade)
    texts = [script for scripts in own.values() for script in scripts]

    assert len(texts) >= 15
    assert {"support", "engineering", "general"} <= own.keys() <= read_dialogues().keys()
    assert all(moves(script, _words_of_other_trades(trade)) is not None for script in texts)


def test_a_company_of_no_trade_has_none() -> None:
    assert read_trade_dialogues("") == {}
    assert read_trade_dialogues("./laundry") == {}


def test_a_ticket_that_names_trades_is_of_their_companies_alone_and_says_their_words() -> None:
    cases = (
        TicketCase(title="A cart for the depot", text="", trades=("shops", "logistics")),
        TicketCase(title="A cart", text=""),
        TicketCase(title="A chair", text=""),
    )

    def of(trade: str) -> list[str]:
        return [one.title for one in _of_trade(cases, trade, frozenset(), _words_of_other_trades(trade))]

    assert of("shops") == [one.title for one in cases]
    assert of("logistics") == ["A cart for the depot", "A chair"]
    assert of("clinics") == of("") == ["A chair"]


def test_every_shipped_ticket_and_mail_is_of_companies_of_some_trade() -> None:
    others = {trade: _words_of_other_trades(trade) for trade in trade_names()}
    written: list[TicketCase | MailThread] = [one for found in read_cases().values() for one in found]
    written += [one for found in read_mail_threads().values() for one in found]
    said = {one.texts[0]: {*re.findall("[a-z]+", " ".join(one.texts).lower())} for one in written if not one.trades}
    nobodys = [title for title, words in said.items() if not any(words.isdisjoint(own) for own in others.values())]

    assert nobodys == []


def test_they_are_held_before_others() -> None:
    life = life_of_people(16).model_copy(update={"volumes": {"people": 150}})
    own = read_trade_dialogues("learning")
    life = life.model_copy(
        update={"dialogues": {area: (*found, *own.get(area, ())) for area, found in life.dialogues.items()}}
    )
    talks = Talks(life)
    held = [talk.dialogue for day in range(FIRST, LAST) for talk in talks.opened(day) if talk.dialogue is not None]
    of_trade = {
        (area, number)
        for area, scripts in life.dialogues.items()
        for number, one in enumerate(scripts)
        if one.startswith("(trade)")
    }
    scripts = {script for one in held for script in one.scripts}
    usual = len(scripts) / sum(map(len, life.dialogues.values()))

    assert len(scripts & of_trade) > 3 * usual * len(of_trade)
    assert not any("(trade)" in text for one in held for text in one.texts)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("suport: ['A: hello']", "did you mean 'support'"),
        ("support: ['B: hello']", "in the order in which they first speak"),
        ("support: ['A: at {clock}']", "does not say when it is"),
    ],
)
def test_a_mistake_in_one_is_told(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "talk.yaml").write_text(f"dialogues: {{{text}}}\n")

    assert told in " ".join(mistake.message for mistake in pack_mistakes(tmp_path / "talk.yaml"))


def _every_script() -> list[str]:
    packs = (read_dialogues(), *map(read_trade_dialogues, trade_names()))
    return [script for pack in packs for scripts in pack.values() for script in scripts]


def _share_with_a_choice(scripts: list[str]) -> float:
    """Of the lines of six words and more those that have a slot or an alternative; without them two companies say the same."""
    texts = [text for script in scripts for text in ways_of("x", 0, script)[-1].all_texts if len(text.split()) >= _LONG]
    return sum(bool(ALTERNATIVES.search(text) or SLOT.search(text)) for text in texts) / len(texts)


def test_what_is_written_whole_is_said_in_several_ways() -> None:
    assert _share_with_a_choice(_every_script()) > 0.95


def test_no_line_stands_in_two_conversations() -> None:
    seen: dict[str, str] = {}
    twice = []
    for script in _every_script():
        for text in {text for text in ways_of("x", 0, script)[-1].all_texts if len(text.split()) >= _LONG}:
            if seen.setdefault(text, script) is not script:
                twice.append(text)

    assert twice == []
