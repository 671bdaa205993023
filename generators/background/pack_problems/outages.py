"""What is wrong with what people say of outages."""

from collections.abc import Iterator
from typing import get_args

from brownout.background.outage_texts import GONE, OUTAGE_SLOTS, OutagePack, OutageTexts
from brownout.background.written import turns_of
from brownout.core.faults import Failing
from generators.background.pack_problems.texts import Place, script_problems
from generators.background.pack_problems.tickets import ticket_problems

__all__ = ["outage_problems"]


def outage_problems(pack: OutagePack) -> Iterator[tuple[Place, str]]:
    """What is wrong with what people say of outages."""
    for how in (one for one in get_args(Failing) if not pack.fails.get(one)):
        yield ("fails",), f"expected how something fails that is {how}"
    for kind, texts in (("product", pack.product), ("service", pack.service)):
        yield from (((kind, *place), problem) for place, problem in _outage_text_problems(texts))


def _outage_text_problems(texts: OutageTexts) -> Iterator[tuple[Place, str]]:
    for part, scripts in (("asked", texts.asked), ("private", texts.private), ("over", texts.over)):
        for number, script in enumerate(scripts):
            place: Place = (part, number)
            yield from ((place, problem) for problem in script_problems(script, OUTAGE_SLOTS))
            try:
                letters = {turn.who for turn in turns_of(script.removeprefix(GONE))}
            except ValueError as wrong:
                yield place, str(wrong)
                continue
            if part == "private" and letters != {"A", "B"}:
                yield place, f"expected A and B to say something, found {', '.join(sorted(letters))}"
    for number, thread in enumerate(texts.mails):
        for text in thread.texts:
            yield from ((("mails", number), problem) for problem in script_problems(text, OUTAGE_SLOTS))
    for number, case in enumerate(texts.tickets):
        yield from ((("tickets", number, *place), problem) for place, problem in ticket_problems(case, OUTAGE_SLOTS))
