"""A text as its reader sees it: sentences of words, without what is invisible, struck out or somebody else's.

Everything here is linear in the length of the text; what people are shown is hostile.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

__all__ = ["Statement", "plain", "said_in", "statements", "visible"]

_WORD: Final = re.compile(r"[^\W_]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_LONGEST_STATEMENT: Final = 1000
_ABBREVIATIONS: Final = frozenset(
    {"e.g.", "i.e.", "approx.", "ca.", "vs.", "cf.", "no.", "nr.", "etc.", "mins.", "min.", "st."}
)
_TITLES: Final = frozenset({"mr.", "mrs.", "ms.", "dr.", "prof."})
"""Behind these comes a name, and no sentence ends."""
_LOOKALIKES: Final = str.maketrans(
    "аеорсухіјѕԁԛԝһӏАВЕКМНОРСТУХІЈЅοαενρτυικΟΑΕΝΡΤΥΙΚΒΗΜΖΧ",
    "aeopcyxijsdqwhlABEKMHOPCTYXIJSoaevptuikOAENPTYIKBHMZX",
)
_MARKS: Final = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "´": "'", "`": " "}
)
_STRUCK: Final = (
    re.compile(r"~~([^~\n]{1,400})~~"),
    re.compile(r"(?<![\w~])~(?=\S)([^~\n]{1,400})(?<=\S)~(?![\w~])"),
    re.compile(r"<(?:s|del|strike)>([^<]{1,400})</(?:s|del|strike)>", re.IGNORECASE),
)
_OVERLAY: Final = re.compile(r"(?:[^\n\u0335-\u0338][\u0335-\u0338]\s*)+")
_OVERLAYS: Final = re.compile(r"[\u0335-\u0338]")
_FENCE: Final = "```"
_DATA: Final = re.compile(
    r"""\s*(?:[\[{]\s*)+["'][^"'\n]{0,80}["']\s*[:,]|\s*["'][\w-]{1,80}["']\s*:\s*["'\[{\dtfnTFN]"""
)
"""A line of JSON: what a system answered, pasted."""
_BLOCK: Final = re.compile(r"</?(?:p|div|li|ul|ol|br|tr|h[1-6]|blockquote)\b[^<>]{0,200}>", re.IGNORECASE)
_TAG: Final = re.compile(r"</?[a-z][^<>@#|]{0,200}>", re.IGNORECASE)
_COMMENT: Final = "<!--"
_FRONT_MATTER: Final = re.compile(r"\A\s*---[ \t]*\n(?=\s*[\w-]{1,80}\s*:)(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_HIDES: Final = re.compile(
    r"<([a-z][a-z0-9]*)\b(?=[^<>]{0,500}?(?:\shidden\b|aria-hidden\s*=\s*[\"']?true|display\s*:\s*none|visibility\s*:\s*hidden|"
    r"font-size\s*:\s*0|opacity\s*:\s*0(?![.\d])))[^<>]{0,1000}>|<(script|style|template|noscript|head)\b[^<>]{0,1000}>",
    re.IGNORECASE,
)
_DEFINITION: Final = re.compile(r"^ {0,3}\[[^\]\n]{1,200}\]:.*$", re.MULTILINE)
_IMAGE: Final = re.compile(r"!\[[^\]]{0,5000}\](?:\([^()\n]{0,2000}\)|\[[^\]\n]{0,200}\])")
_LINK_TITLE: Final = re.compile(r"(\]\([^()\s\"']{0,2000})\s+(?:\"[^\"\n]{0,2000}\"|'[^'\n]{0,2000}')\s*\)")
_BULLET: Final = re.compile(r"\s*(?:[-—*•#>|]|\d{1,3}[.)]\s)")
_ITEM: Final = re.compile(r"\s*(?:[-—*•+]|\d{1,3}[.)])\s")
_HEADING: Final = re.compile(r"^(?:\S+\s+){0,15}\S*:[*_\s]*$")
"""A short line with a colon at its end."""
_ORDINAL: Final = re.compile(r"\b(?:(am|dem|den|der|vom|zum|bis|ab|seit|vor|nach) )?\d{1,2}$")
_MONTH: Final = re.compile(r"\s+(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Uhr)")
"""A German day, whose point ends no sentence."""
_END: Final = re.compile(r"[.!?]+[\"')\]]*(?=\s|$)|;(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence, line or row that a text says itself, whole and as it is written.

    Attributes:
        heading: the line above the list that it is an item of; empty for others.
        asks: it is a question.
    """

    text: str
    heading: str
    asks: bool


@lru_cache(maxsize=128)
def statements(text: str, *, is_quoted: bool = False) -> tuple[Statement, ...]:
    """What a text says, in its order: nothing quoted, struck out or hidden, and no line without a word.

    A sentence of more than 1,000 characters is cut, so that no rule reaches across a page.

    Args:
        is_quoted: what it only quotes or strikes out instead.
    """
    return tuple(
        Statement(part[start : start + _LONGEST_STATEMENT], above, part.rstrip(" \"')*_").endswith("?"))
        for part, above in _sentences(_said_and_quoted(visible(text))[is_quoted])
        for start in range(0, len(part), _LONGEST_STATEMENT)
        if _WORD.search(part, start)
    )


def said_in(text: str) -> str:
    """What a text says itself, line by line: nothing that is quoted, struck out or not shown."""
    return _said_and_quoted(visible(text))[0]


def visible(text: str) -> str:
    """The text without what its reader is not shown: comments, front matter, hidden elements, names of images and links."""
    text = _FRONT_MATTER.sub("", _without_comments(text), count=1)
    text = _without_hidden(text) if "<" in text else text
    if "]" not in text:
        return text
    return _LINK_TITLE.sub(r"\1)", _IMAGE.sub(" ", _DEFINITION.sub("", text)))


def _without_hidden(text: str) -> str:
    """The text without hidden elements; one that is never closed hides the rest."""
    parts, at = [], 0
    while (found := _HIDES.search(text, at)) is not None:
        parts.append(text[at : found.start()])
        at = _end_of(text, (found[1] or found[2]).lower(), found.end())
    return "".join([*parts, text[at:]])


def _end_of(text: str, tag: str, at: int) -> int:
    depth = 1
    for found in re.compile(rf"<(/?){tag}\b[^<>]{{0,1000}}>", re.IGNORECASE).finditer(text, at):
        depth += -1 if found[1] else 1
        if depth == 0:
            return found.end()
    return len(text)


def plain(text: str) -> str:
    """The text without invisible characters, comments and look-alike letters, with plain quotes and dashes."""
    text = unicodedata.normalize("NFKC", text)
    text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc", "Co", "Cs"))
    text = _OVERLAY.sub(lambda found: f"~~{_OVERLAYS.sub('', found[0]).strip()}~~ ", text)
    text = "".join(c for c in text if unicodedata.category(c) != "Mn").translate(_MARKS)
    if not text.isascii():
        text = re.sub(r"\w+", _latin, text)
    text = re.sub(r"→|⇒|➜|=>|-?->", " -> ", text)
    text = re.sub(r"(?<=\d)\s?[–—]\s?(?=\d)", "-", text)
    return re.sub(r"(?<=\s)--?(?=\s)|--+|[–—―]", " — ", text)


def _latin(word: re.Match[str]) -> str:
    """A word that mixes scripts is meant to be taken for a Latin one."""
    found = word[0].translate(_LOOKALIKES)
    return found if found.isascii() and not word[0].isascii() else word[0]


def _without_comments(text: str) -> str:
    parts, at = [], 0
    while (start := text.find(_COMMENT, at)) >= 0:
        parts.append(text[at:start])
        end = text.find("-->", start)
        if end < 0:
            return "".join(parts)
        at = end + 3
    return "".join([*parts, text[at:]])


def _said_and_quoted(text: str) -> tuple[str, str]:
    """What the text says itself, and what it only shows."""
    said: list[str] = []
    quoted: list[str] = []
    parts = text.split(_FENCE)
    for at, part in enumerate(parts):
        if at % 2 and at < len(parts) - 1:
            quoted.append(part)
            continue
        for line in part.split("\n"):
            is_quote = line.lstrip().startswith(">") or _DATA.match(line) is not None
            (quoted if is_quote else said).append(line.lstrip(" \t>") if is_quote else line)
    return _without_struck(plain("\n".join(said)), quoted), plain("\n".join(quoted))


def _without_struck(text: str, quoted: list[str]) -> str:
    for pattern in _STRUCK:
        quoted += [found[1] for found in pattern.finditer(text)]
        text = pattern.sub(" ", text)
    return _TAG.sub(" ", _BLOCK.sub("\n", text))


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """The sentences, and the heading above each that begins an item of a list."""
    heading = ""
    for block in _unwrapped(text):
        is_item = _ITEM.match(block) is not None
        if block and not is_item:
            heading = block if _HEADING.search(block) else ""
        above, at = heading if is_item else "", 0
        for found in _END.finditer(block):
            last = block[max(at, found.start() - 8) : found.end()].rpartition(" ")[2].lower()
            if last in _TITLES:
                continue
            day = _ORDINAL.search(block[max(at, found.start() - 8) : found.start()])
            if day is not None and (day[1] or _MONTH.match(block, found.end())):
                continue
            if last in _ABBREVIATIONS and not block[found.end() : found.end() + 2].strip().isupper():
                continue
            if part := block[at : found.end()].strip():
                yield part, above
                above = "" if _LETTER.search(part) else above
            at = found.end()
        if part := block[at:].strip():
            yield part, above


def _unwrapped(text: str) -> list[str]:
    """The lines, where a long line that goes on in lower case on the next is one, and so is an indented item."""
    lines: list[str] = []
    is_open = False
    for line in text.split("\n"):
        stripped = line.strip()
        is_open = is_open or (bool(lines) and line.startswith("  ") and _BULLET.match(lines[-1]) is not None)
        if is_open and (stripped[:1].islower() or stripped[:1].isdigit()) and not _BULLET.match(line):
            lines[-1] = f"{lines[-1]} {stripped}"
        else:
            lines.append(stripped)
        is_open = len(stripped) >= 45 and stripped[-1:] not in ".!?:;"
    return lines
