"""What somebody wants with a text: whether it asks, in which sentences, or wants something done."""

import re
from dataclasses import dataclass

__all__ = ["HeardQuestion", "asking", "asks_plainly", "bare", "is_own_doing", "points_back", "questions", "request_of"]

_WORK = "fix|deploy|roll|close|write(?! (?:here|there|back|whether|if|me|us)\\b)|merge|do|handle|take care|send|post|update|assign"
_JOB = re.compile(
    rf"\b(?:can|could|would|will) you (?:please )?(?:{_WORK})\b|^please (?!do not)(?:{_WORK})\b(?! (?:nothing|no|none)\b)"
)
_REVIEW = re.compile(
    r"\b(?:can|could|would|will) you (?:please )?(?:review|approve|(?:have a )?look(?! up| into| for| out))\b"
    r"|\bplease (?:review|approve)\b|\byour (?:review|approval|word|sign-off)\b|\b(?:whether|if|do) you approve\b"
)
_FAVOUR = re.compile(
    r"\b(?:can|could|would|will) you (?:please )?(?:call|ring|phone|speak (?:to|with)|talk (?:to|with)|reach|remind(?! me| us)|"
    r"let (?!me|us)\w+ know|tell (?!me|us))\b|^please (?:call|ring|phone|reach)\b"
)
_OWN_DOING = re.compile(r"\b(?:have|did|were|are) you (?:already |been |able to |still )*\w+")
_SPOKEN = re.compile(
    r"\b(?:have|did) you (?:already |been able to |manage to )?"
    r"(?:reach|call|ring|rung|phone|speak|spoken|spoke|talk|get hold|got hold|get through|got through|hear from|heard from)"
)
_REQUESTS = {"job": _JOB, "look": _REVIEW, "will": _FAVOUR, "not_yet": _SPOKEN}
_ASKS = re.compile(
    r"\?|(?:^|[,;:!(\u2013\u2014-]\s*|\b(?:but|and|so|also|then|rn)\s+)"
    r"(?:who|whose|whos|who's|what|whats|what's|when|where|which|why|how|is|are|was|were|do|does|did|can|could|has|have|any)\b"
    r"|\b(?:trying to|need to|need a|want to)\b"
)
_ASKS_PLAINLY = re.compile(
    r"\?|\b(?:tell me|let me know|do you (?:happen to )?know|wondering|remind me|need to know|"
    r"(?:don't|do not|not|like to|want to) know (?:who|what|when|where|which|why|how)|"
    r"not sure (?:who|what|when|where|which|why|how|if)|no idea|any idea)\b"
)
_BETWEEN = re.compile(r"(?<=[.!?])(?<!\bdr\.)(?<!\bmr\.)(?<!\bms\.)(?<!\bmrs\.)\s+|\n+")
"""Between two sentences; not behind a title."""
_POINTS_BACK = re.compile(r"\b(?:it|they|them|their|those|these|one)\b|^(?:\S+ ){0,3}(?:that|this|so)\b")
"""A question with such a word may be about what the sentence before it says: `Is that right?`, `Are they staying?`."""
_ANSWERS = re.compile(r"(?:re|aw|wg|fwd?): .* - ", re.IGNORECASE)
"""How a notice of a mail begins that answers another one; its subject is somebody else's words."""
_QUOTED = re.compile(
    r"[\"\u201c\u201e\u00ab\u00bb][^\"\u201c\u201d\u201e\u00ab\u00bb\n]{1,200}[\"\u201c\u201d\u00ab\u00bb]"
)
"""Words in quotation marks: the question in a page's title is not asked by whoever names the page."""
_SHORT = 30
"""Words up to which a text without a question mark may still be a question; a longer one tells something."""


@dataclass(frozen=True, slots=True)
class HeardQuestion:
    """A sentence that asks, and the same with the one before it."""

    sentence: str
    context: str


def bare(text: str) -> str:
    """A notice's text without who said it where, the mentions in it, and the subject of what a mail answers."""
    said = text.partition(": ")[2]
    if _ANSWERS.match(said):
        said = said.partition(" - ")[2]
    return " ".join(word for word in said.split() if not word.startswith(("<@", "@"))) or text


def asking(text: str) -> str:
    """The part of a text that asks for something: all of a short one, the asking sentences of a long one with what
    stands before each; empty where nothing is asked.
    """
    sentences = _sentences(text)
    if len(text.split()) <= _SHORT:
        return text if any(_ASKS.search(each) or _ASKS_PLAINLY.search(each) for each in sentences) else ""
    asked = [place for place, each in enumerate(sentences) if _ASKS_PLAINLY.search(each)]
    kept = sorted({near for place in asked for near in (place - 1, place) if near >= 0})
    return " ".join(sentences[place] for place in kept)


def asks_plainly(text: str) -> bool:
    """Whether a sentence of a text ends in a question mark, begins with a word that asks, or says that it asks; not one that
    only has such a word: `The change, and how long we hold a seat` does not.
    """
    return any(_ASKS_PLAINLY.search(each) or _ASKS.match(each) for each in _sentences(text))


def questions(text: str) -> list[HeardQuestion]:
    """The questions of a text, each with the sentence before it unless that is a question itself."""
    sentences = _sentences(text)
    asked = [place for place, each in enumerate(sentences) if _ASKS_PLAINLY.search(each)]
    return [
        HeardQuestion(
            sentences[at], sentences[at] if at == 0 or at - 1 in asked else f"{sentences[at - 1]} {sentences[at]}"
        )
        for at in asked
    ]


def points_back(question: HeardQuestion) -> bool:
    """Whether a question only points to what stands before it: `Is that right?`."""
    return _POINTS_BACK.search(question.sentence) is not None


def request_of(text: str) -> str:
    """What a text wants its reader to do: `job` (the work itself), `look` at something and approve it, `will` (speak with
    somebody), or say whether they have (`not_yet`); empty where it wants none of these. So are the phrases called.
    """
    sentences = _sentences(text)
    return next((kind for kind, words in _REQUESTS.items() if any(words.search(each) for each in sentences)), "")


def is_own_doing(text: str) -> bool:
    """Whether a text asks what the reader has done."""
    return any(each.endswith("?") and _OWN_DOING.search(each) for each in _sentences(text))


def _sentences(text: str) -> list[str]:
    own = _QUOTED.sub(lambda found: found[0].replace("?", ""), text.lower())
    return [each.strip() for each in _BETWEEN.split(own) if each.strip()]
