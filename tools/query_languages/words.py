"""How text falls into words, the same as SQLite's FTS5 does, and how words become a `TextNode`.

The reference tokenizer is `unicode61 remove_diacritics 2`: letters, digits and private-use characters make tokens,
everything else separates them; case and the accents of Latin letters do not count. No stemming: `report` does not
find `reports`. A number is found however its thousands are set apart: `8214`, `8,214`, `8.214`.
"""

import re
from functools import lru_cache
from unicodedata import category, decomposition

from tools.query_languages.ast import TextNode

__all__ = ["contains", "phrase", "spellings", "tokens", "word"]

_ACCENTS = frozenset(map(chr, (*range(0x300, 0x305), *range(0x306, 0x30D), 0x30F, 0x311, 0x31B, *range(0x323, 0x329),
                               0x32D, 0x32E, 0x330, 0x331)))  # fmt: skip
"""Combining accents that FTS5 drops; all others part words (`sqlite3Fts5UnicodeIsdiacritic`)."""


def tokens(text: str) -> tuple[str, ...]:
    """The tokens of a text in order, lower case and without accents."""
    return tuple("".join(_folded(character) for character in text).split())


@lru_cache(maxsize=4096)
def _folded(character: str) -> str:
    """What a character adds to a token: itself folded, nothing for an accent that stands alone, or a separator."""
    kind = category(character)
    if character in _ACCENTS:
        return ""
    if kind[0] not in "LN" and kind != "Co":
        return " "
    base = character
    while (parts := decomposition(base)) and not parts.startswith("<"):
        base = chr(int(parts.split()[0], 16))
    plain, folded = base.casefold(), character.casefold()
    if len(plain) == 1 and plain.isascii():
        return plain
    return folded if len(folded) == 1 else character.lower()[:1]


_APART = "(?![\\w]|[.,'’-]\\w)"
_PLAIN = re.compile(rf"(?<![\w.,'’-])[1-9][0-9]{{3,14}}{_APART}")
_GROUPED = re.compile(rf"(?<![\w.,'’-])[1-9][0-9]{{0,2}}(?:[,.'’][0-9]{{3}}){{1,4}}{_APART}")
_SEPARATOR = re.compile("[,.'’]")


def spellings(text: str) -> tuple[str, ...]:
    """A text as it was written, then with its numbers without and with separators of thousands, where it has any."""
    plain = _GROUPED.sub(lambda found: _SEPARATOR.sub("", found[0]), text)
    grouped = _PLAIN.sub(lambda found: f"{int(found[0]):,}", plain)
    return tuple(dict.fromkeys((text, plain, grouped)))


def contains(text: TextNode, values: tuple[str, ...]) -> bool:
    """Whether the values hold what `text` looks for, as FTS5 would say; words without any token do not count.

    A phrase stands within one value; loose words may be spread over several. A text of which no word has a token
    is found nowhere.
    """
    written = [" ".join(text.words)] if text.phrase else list(text.words)
    last = len(written) - 1
    is_open = [text.prefix and place == last for place in range(len(written))]
    wanted = [[tokens(one) for one in ((part,) if goes_on else spellings(part))]
              for part, goes_on in zip(written, is_open, strict=True)]  # fmt: skip
    if not any(map(any, wanted)):
        return False
    haystacks = [tokens(value) for value in values]
    return all(
        any(_holds(haystack, needle, goes_on) for haystack in haystacks for needle in needles)
        for needles, goes_on in zip(wanted, is_open, strict=True)
        if any(needles)
    )


def _holds(haystack: tuple[str, ...], needle: tuple[str, ...], prefix: bool) -> bool:
    size = len(needle)
    for start in range(len(haystack) - size + 1):
        window = haystack[start : start + size]
        if window == needle or (prefix and window[:-1] == needle[:-1] and window[-1].startswith(needle[-1])):
            return True
    return False


def word(text: str, *, prefix: bool = False) -> TextNode | None:
    """One word to look for, None if it holds no letter or digit."""
    return TextNode((text,), prefix=prefix) if tokens(text) else None


def phrase(text: str) -> TextNode | None:
    """Words to look for side by side, None if they hold no letter or digit."""
    return TextNode(tuple(text.split()), phrase=True) if tokens(text) else None
