"""Undoes the disguises of letters that code can undo: look-alikes, invisible characters, markup and separators inside a word.

What is hidden by meaning (initials, a nickname, a role, letters left out) is no matter of letters.
"""

import html
import re
import unicodedata
from functools import lru_cache
from typing import Final

__all__ = ["letters_of", "unmasked"]

_LOOK_ALIKES: Final = str.maketrans(
    "АВЕІЈКМНОРСТУХЅԌԚԜѴаеоѕсрухіјԁһкмнтвгпԛԝѵӏ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαεηικνορτυχω" + "ıɑɡɩʟɴʀᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢŁłØøĐđ",
    "ABEIJKMHOPCTYXSGQWVaeoscpyxijdhkmhtbrnqwvl" + "ABEZHIKMNOPTYXaenikvoptuxw" + "iagilnracdejkmoptuvwzLlOoDd",
)
"""Letters of other scripts that look like a Latin one, after Unicode's confusables; small capitals; barred letters."""
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>\n]{0,80}>")
_BROKEN: Final = re.compile(r"(?<=[^\W\d_])-[ \t]*\n[ \t]*(?=[^\W\d_])")
_READ_AS: Final = {
    "a": "4@",
    "b": "8",
    "e": "3€",
    "g": "9",
    "i": "1!|l",
    "l": "1|I",
    "o": "0",
    "s": "5$",
    "t": "7+",
    "z": "2",
}
"""Digits and marks that are read as a letter in a word (`V1ktor`)."""
_SHORT: Final = 4
"""Letters from which on a name is found in disguise; a shorter one is a part of too much else."""
_LONG: Final = 6
"""Letters from which on a name is found though it is parted in two words."""


def unmasked(text: str) -> str:
    """A text in plain Latin letters without accents, markup and invisible characters: `V<b>ík</b>t&shy;or` is `Viktor`."""
    text = _BROKEN.sub("", _TAG.sub("", html.unescape(text)))
    if text.isascii():
        return text
    letters = unicodedata.normalize("NFKD", text).translate(_LOOK_ALIKES)
    return "".join(map(_plain, letters))


def _plain(letter: str) -> str:
    category = unicodedata.category(letter)
    if category == "Nd":
        return str(unicodedata.decimal(letter))
    return "" if category[0] == "M" or (category[0] == "C" and letter not in "\n\t") else letter


@lru_cache(maxsize=4096)
def letters_of(name: str, *, is_capital: bool = False) -> re.Pattern[str]:
    """Finds a plain name in an unmasked text, letter by letter: `Viktor`, `VIKTOR`, `V1ktor`, `V.i.k.t.o.r`, `V i k t o r`, `Vik-tor`.

    Args:
        is_capital: it begins with a capital letter, as names do.
    """
    first, rest = name[0], name[1:]
    is_short = len(name) < _SHORT
    begins = re.escape(first.upper()) if is_capital else _letter(first, is_short=is_short)
    others = [_letter(letter, is_short=is_short) for letter in rest]
    ways = [begins + "".join(others)]
    if len(name) > 2:
        ways.append(begins + "".join(rf"[\W_]{{1,3}}{one}" for one in others))
    if not is_short:
        between = r"[\W_]{0,3}" if len(name) >= _LONG else r"[^\w\s]{0,3}_{0,3}"
        ways.append(begins + "".join(between + one for one in others))
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(ways)})(?:['’]?s)?(?![^\W_])")


def _letter(letter: str, *, is_short: bool) -> str:
    low, high = letter.lower(), letter.upper()
    if not letter.isalpha():
        return re.escape(letter)
    marks = "" if is_short else _READ_AS.get(low, "")
    return f"[{low}{high if len(high) == 1 else ''}{re.escape(marks)}]"
