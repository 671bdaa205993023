"""What a requester still misses in what they are told: judged by their own words, never by what a rubric knows."""

import re

from brownout.engine.coworkers.question_kinds import telling, wanted_by

__all__ = ["missing"]

_WANTS = re.compile(r"\b(?:tell|let|show|give|write|answer) me\b|\b(?:to|must|should|like to) know\b|\?", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n\s*\n|\n\s*-\s+")
_CLAUSE = re.compile(
    r"\b(?:(?:at|for|from|since|until|till|by|on) )?(?:what|who|whose|whom|when|where|which|why|how)\b.*?"
    r"(?=[,;:.?!()]|\s(?:and|or) (?:(?:at|for|from|since|until|till|by|on) )?(?:what|who|whose|whom|when|where|which|why|how)\b|$)"
)
_FIGURE = re.compile(
    r"(?<![\w-])\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty)\b"
)
_STEM = 4
_ENOUGH = 2
"""Telling words of a question from which on its answer can be known by them."""


def missing(prompt: str, text: str) -> str:
    """The first thing that a prompt wants told and a text says nothing of, as the prompt puts it; empty where none is.

    A text that says nothing of anything that is wanted is about something else, and misses nothing: `tell me what the cause
    is and how many minutes we hold a seat` and `The cause is a merge` give `how many minutes we hold a seat`. Nor is one
    missed that has too few words to know its answer by: `until when it holds`.
    """
    wanted = _wanted(prompt)
    said = [_is_said(clause, text) for clause in wanted]
    unsaid = [clause for clause, is_said in zip(wanted, said, strict=True) if not is_said]
    return next((clause for clause in unsaid if len(telling(clause)) >= _ENOUGH), "") if any(said) else ""


def _wanted(prompt: str) -> list[str]:
    """The indirect and direct questions of a prompt's sentences that want something told, of those that say what about."""
    found = []
    for sentence in _SENTENCE.split(prompt):
        if _WANTS.search(sentence):
            flat = " ".join(sentence.split())
            found += [clause[0].strip() for clause in _CLAUSE.finditer(flat) if telling(clause[0])]
    return found


def _is_said(clause: str, text: str) -> bool:
    """Whether a text has a word of a clause, and a figure where one is wanted."""
    words = {word[:_STEM] for word in telling(text)}
    is_figure = "many" in wanted_by(clause) or bool({"when", "long"} & wanted_by(clause))
    return any(word[:_STEM] in words for word in telling(clause)) and (
        not is_figure or bool(_FIGURE.search(text.lower()))
    )
