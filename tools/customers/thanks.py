"""Mails that only thank: a conversation that was answered does not begin again with them, as Zendesk and Freshdesk have it."""

import re

__all__ = ["is_thanks"]

_THANKS = re.compile(
    r"(?:\w+[,!.] )?(?:many thanks|thank you|thanks|thx|danke|vielen dank|herzlichen dank|(?:muito )?obrigad[oa]|merci)\b",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"\?|\d|\b(?:but|not|still|no|never|however|please|aber|nicht|noch|kein\w*|bitte|mas|n\u00e3o|ainda|\w+n't)\b",
    re.IGNORECASE,
)
_SHORT = 16
"""Words up to which a thank you is only that; the name below it does not count."""


def is_thanks(text: str) -> bool:
    """Whether a mail says thank you and nothing that anybody would have to act on."""
    said = text.strip().partition("\n\n")[0]
    rest = text.strip().removeprefix(said).split()
    return (
        _THANKS.match(said) is not None
        and _BUT.search(said) is None
        and len(said.split()) <= _SHORT
        and len(rest) <= _SHORT // 2
    )
