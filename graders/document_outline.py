"""A document's headings with what stands below them, and whether that is prose or a heap of words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["OutlineSection", "content_words", "is_prose", "outline", "sections_named", "words_in"]

_HASHES: Final = re.compile(r"\s{0,3}(#{1,6})\s+(.+?)\s*#*")
_WIKI: Final = re.compile(r"h([1-6])\.\s+(.+)")
_HTML: Final = re.compile(r"<h([1-6])[^<>]{0,200}>([^<]{1,200})</h\1>", re.IGNORECASE)
_BOLD: Final = re.compile(r"(?:\*\*|__)([^*_]{1,80})(?:\*\*|__)\s*:?")
_LABEL: Final = re.compile(r"([A-Z][^:.!?]{0,60}):")
_UNDERLINE: Final = re.compile(r"\s{0,3}(?:={3,}|-{3,})\s*")
_RULE: Final = re.compile(r"[-=*_\s]{3,}")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d[\d.,:/-]*")
_PLACEHOLDER: Final = re.compile(
    r"\b(?:tbd|tbc|todo|to do|n/a|none|nothing|placeholder|lorem ipsum|coming soon|to be (?:done|filled|written|added)|"
    r"fill (?:me )?in|x{3,})\b",
    re.IGNORECASE,
)
_LEAST: Final = 5
"""Words below a heading that say something."""
_PROSE: Final = 0.12
"""Share of function words; English prose has 0.3 to 0.5, logs and terse bullets 0.15, a heap of keywords none."""
_FUNCTION_WORDS: Final = frozenset(
    _WORD.findall(
        "a about after all also an and any are as at be because been before but by can could did do does for from had has "
        "have he her his how i if in into is it its me more most my no not of off on once only or our out over she should "
        "since so some than that the their them then there these they this those to under until up us was we were what when "
        "where which while who whom why will with within without would you your"
    )
)


@dataclass(frozen=True, slots=True)
class OutlineSection:
    """A heading and all that stands below it, down to the next of its rank.

    Attributes:
        level: 1 is the highest; 7 for a line in bold or with a colon.
    """

    title: str
    level: int
    text: str


def words_in(text: str) -> list[str]:
    """Words and numbers."""
    return _WORD.findall(text)


def outline(body: str) -> list[OutlineSection]:
    """The sections of a Markdown, wiki or HTML text, in order."""
    lines = _HTML.sub(lambda found: f"\n{'#' * int(found[1])} {found[2]}\n", body).split("\n")
    heads = [(at, head) for at in range(len(lines)) if (head := _heading(lines, at)) is not None]
    sections = []
    for number, (at, (title, level)) in enumerate(heads):
        last = next((below for below, (_, other) in heads[number + 1 :] if other <= level), len(lines))
        sections.append(OutlineSection(title, level, "\n".join(lines[at + 1 : last])))
    return sections


def _heading(lines: Sequence[str], at: int) -> tuple[str, int] | None:
    line = lines[at].strip()
    if not line or len(line) > 120 or _RULE.fullmatch(line):
        return None
    if found := _HASHES.fullmatch(lines[at]):
        return found[2], len(found[1])
    if found := _WIKI.fullmatch(line):
        return found[2], int(found[1])
    if at + 1 < len(lines) and _UNDERLINE.fullmatch(lines[at + 1]) and words_in(line):
        return line, 1 if "=" in lines[at + 1] else 2
    if found := _BOLD.fullmatch(line) or _LABEL.fullmatch(line):
        return found[1], 7
    return None


def sections_named(names: Sequence[str], sections: Sequence[OutlineSection]) -> dict[str, OutlineSection]:
    """For each name a section of its own whose heading has its words; the shortest heading is meant."""
    found: dict[str, OutlineSection] = {}
    taken: set[int] = set()
    for name in names:
        wanted = _stems(name)
        fitting = [
            (len(words_in(section.title)), at)
            for at, section in enumerate(sections)
            if at not in taken and wanted <= _stems(section.title)
        ]
        if fitting:
            _, at = min(fitting)
            taken.add(at)
            found[name] = sections[at]
    return found


def _stems(text: str) -> frozenset[str]:
    return frozenset(word.lower().removesuffix("s") for word in words_in(text))


def content_words(section: OutlineSection) -> list[str]:
    """The words below the heading, without further headings and placeholders; empty where they say nothing."""
    lines = section.text.split("\n")
    kept = "\n".join(line for at, line in enumerate(lines) if _heading(lines, at) is None)
    words = words_in(_PLACEHOLDER.sub(" ", kept))
    return words if len(words) >= _LEAST else []


def is_prose(text: str) -> bool:
    """Whether the text is made of sentences: enough small words, and not the same few over and over."""
    words = [word.lower() for word in words_in(text) if word[0].isalpha()]
    if not words:
        return False
    small = sum(word in _FUNCTION_WORDS for word in words)
    different = len(set(words) - _FUNCTION_WORDS)
    content = len(words) - small
    return small >= _PROSE * len(words) and different * 5 >= content
