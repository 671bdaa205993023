"""An agent's text before a language model: only data between marks, and what a model says of it only with its words.

The text stands as a JSON object between two lines that begin with a mark, a digest of the text, which it therefore cannot
contain. What a model quotes is looked for in the text by code.
"""

import json
import re
import unicodedata
from typing import Final

from brownout.core.errors import GradingError, ModelError, NobodyReads
from brownout.core.values import digest_of

__all__ = ["LONGEST", "PromptSlot", "is_quoted", "no_answer"]

LONGEST: Final = 40_000
"""Characters of a text; what is longer is not what was asked for, and is not read."""
_DANGEROUS: Final = re.compile(r"[<>]|\[(?=/?[A-Z]{2,})")
"""What chat templates mark turns with; spelled as JSON escapes, so that a text cannot begin one."""


class PromptSlot:
    """Where a text stands in a prompt.

    Attributes:
        mark: begins the lines before and behind it.
        block: the marked lines and the text between them.
    """

    def __init__(self, title: str, body: str) -> None:
        self.mark = f"DATA-{digest_of(title, body)}"
        data = _escaped(json.dumps({"title": title, "text": body}, ensure_ascii=False))
        self.block = f"{self.mark} begin\n{data}\n{self.mark} end"


def _escaped(text: str) -> str:
    """JSON without characters that are invisible or could begin a turn; it still decodes to the same."""
    text = _DANGEROUS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return "".join(c if unicodedata.category(c)[0] != "C" else json.dumps(c)[1:-1] for c in text)


def is_quoted(quote: str, text: str) -> bool:
    """Whether the text has the quote, which is not empty; models mend white space, quotation marks and dashes when they copy."""
    plain = _plain(quote)
    return bool(plain) and plain in _plain(text)


def _plain(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text).lower() if c.isalnum())


def no_answer(who: str, error: ModelError) -> GradingError:
    """What a grader raises where a model gave no answer: left out where nobody was there to ask, else no reward.

    Args:
        who: reads, one word: `judge`.
    """
    if error.failure_kind == "model_unavailable":
        return NobodyReads(f"{who}_unavailable: {error}")
    return GradingError(f"{who}_failed: {error}", error.failure_kind)
