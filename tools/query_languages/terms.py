"""Reading `word "a phrase" name:value -not (groups)`: what Gmail's, GitHub's and Slack's languages share.

`read` takes everything within the limits: a group left open ends with the query, a stray bracket is skipped, a quotation
mark left open reaches to the end. Brackets nest `DEEPEST` deep; those inside are skipped.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from tools.query_languages.ast import Condition, TextNode, negate
from tools.query_languages.limits import DEEPEST, bounded
from tools.query_languages.words import phrase, word

__all__ = ["Grammar", "Joint", "Mark", "Term", "quoted", "read", "tree"]

_CLOSERS = ")}"
_LONGEST_NAME = 40

Joint: TypeAlias = Literal["AND", "OR"]


@dataclass(frozen=True, slots=True)
class Grammar:
    """What sets one language apart.

    Attributes:
        names: operators, lower case; `other:thing` is an ordinary word.
        lists: those whose value may be several, with commas between.
        brackets: the brackets that group.
        joints: the words that join or negate, if in capitals.
        spaced: a value may follow after spaces (`from: mara`) or as a group (`subject:(a b)`).
    """

    names: frozenset[str]
    lists: frozenset[str] = frozenset()
    brackets: str = ""
    joints: frozenset[str] = frozenset()
    spaced: bool = False


@dataclass(frozen=True, slots=True)
class Term:
    """A word, a phrase or an operator with its value; `parts` are several only where a list was written."""

    parts: tuple[str, ...]
    name: str = ""
    is_quoted: bool = False
    is_negated: bool = False

    @property
    def text(self) -> str:
        """The value as one text."""
        return ",".join(self.parts)

    def as_text(self) -> TextNode | None:
        """The term as ordinary words, its operator one of them; None if it holds no letter or digit."""
        if self.is_quoted:
            return phrase(f"{self.name} {self.text}")
        return word(f"{self.name}:{self.text}" if self.name else self.text)


@dataclass(frozen=True, slots=True)
class Mark:
    """A bracket or a joining word; `name` is the operator a group is the value of."""

    kind: str
    name: str = ""
    is_negated: bool = False


Token: TypeAlias = Term | Mark


def quoted(text: str, stops: str = "(){}") -> str:
    """A value as it has to be written: between quotation marks if it would otherwise fall apart."""
    unsafe = not text or any(character.isspace() or character in stops for character in text)
    return f'"{text}"' if unsafe else text


def read(text: str, grammar: Grammar) -> list[Token]:
    """The tokens of a query, brackets balanced.

    Raises:
        BeyondLimits: there are too many.
    """
    return _balanced(bounded(_QueryReader(text, grammar).tokens()))


class _QueryReader:
    """Goes through a query once."""

    def __init__(self, text: str, grammar: Grammar) -> None:
        self._text = text
        self._grammar = grammar
        self._at = 0

    def tokens(self) -> Iterator[Token]:
        while True:
            self._skip_spaces()
            if self._at >= len(self._text):
                return
            if self._here() in _CLOSERS and self._here() in self._grammar.brackets:
                self._at += 1
                yield Mark(")")
            elif (token := self._token(self._dashes())) is not None:
                yield token

    def _here(self) -> str:
        return self._text[self._at : self._at + 1]

    def _skip_spaces(self) -> None:
        while self._here().isspace():
            self._at += 1

    def _dashes(self) -> bool:
        """Skip dashes; whether they negate what follows. One that stands alone does not count."""
        start = self._at
        while self._here() == "-":
            self._at += 1
        alone = not self._here() or self._here().isspace()
        return not alone and (self._at - start) % 2 == 1

    def _token(self, is_negated: bool) -> Token | None:
        here = self._here()
        if not here or here.isspace() or (here in _CLOSERS and here in self._grammar.brackets):
            return None
        if here in self._grammar.brackets:
            self._at += 1
            return Mark(here, is_negated=is_negated)
        if here == '"':
            parts, _ = self._value(is_list=False, stops_after_quote=True)
            return Term(parts, is_quoted=True, is_negated=is_negated) if parts[0].strip() else None
        name = self._name()
        if name:
            return self._operator(name, is_negated)
        word = self._bare()
        if word in self._grammar.joints:
            return Mark(word)
        return Term((word,), is_negated=is_negated)

    def _name(self) -> str:
        """Skip `name:` if it is an operator of this language, and return it."""
        end = self._text.find(":", self._at, self._at + _LONGEST_NAME)
        name = self._text[self._at : end].lower() if end > 0 else ""
        if name not in self._grammar.names:
            return ""
        self._at = end + 1
        return name

    def _operator(self, name: str, is_negated: bool) -> Token:
        if self._grammar.spaced:
            start = self._at
            self._skip_spaces()
            if not self._here() or self._here() in _CLOSERS:
                self._at = start
            elif self._here() in self._grammar.brackets:
                self._at += 1
                return Mark(self._text[self._at - 1], name, is_negated)
        parts, is_quoted = self._value(is_list=name in self._grammar.lists, stops_after_quote=False)
        if not any(part.strip() for part in parts):
            return Term((name,), is_negated=is_negated)
        return Term(tuple(part for part in parts if part.strip()), name, is_quoted, is_negated)

    def _bare(self) -> str:
        start = self._at
        while (here := self._here()) and not here.isspace() and here != '"' and here not in self._grammar.brackets:
            self._at += 1
        return self._text[start : self._at]

    def _value(self, *, is_list: bool, stops_after_quote: bool) -> tuple[tuple[str, ...], bool]:
        """A value up to the next space or bracket, quoted stretches included; whether any of it was quoted."""
        parts, is_quoted = [""], False
        while (here := self._here()) and not here.isspace():
            if here == '"':
                is_quoted = True
                end = self._text.find('"', self._at + 1)
                end = len(self._text) if end < 0 else end
                parts[-1] += self._text[self._at + 1 : end]
                self._at = end + 1
                if stops_after_quote:
                    break
            elif here in self._grammar.brackets:
                break
            else:
                self._at += 1
                if is_list and here == ",":
                    parts.append("")
                else:
                    parts[-1] += here
        return tuple(parts), is_quoted


def _balanced(tokens: Iterator[Token]) -> list[Token]:
    """The tokens without brackets that close nothing or nest too deep, and with those that were left open closed."""
    result: list[Token] = []
    depth = skipped = 0
    for token in tokens:
        if not isinstance(token, Mark) or token.kind not in "(){}":
            result.append(token)
        elif token.kind != ")":
            if depth == DEEPEST:
                skipped += 1
                continue
            depth += 1
            result.append(token)
        elif skipped:
            skipped -= 1
        elif depth:
            depth -= 1
            result.append(token)
    return result + [Mark(")")] * depth


def tree(
    tokens: list[Token],
    leaf: Callable[[Term], Condition | None],
    join: Callable[[list[Condition | Joint], bool], Condition | None],
) -> Condition | None:
    """The condition that the tokens say.

    Args:
        tokens: what `read` returned.
        leaf: makes a condition of one term, None if it says nothing.
        join: joins conditions and the words between them; told whether they stood in braces.
    """
    found, _ = _group(tokens, 0, Mark("("), leaf, join)
    return found


def _group(
    tokens: list[Token],
    at: int,
    opener: Mark,
    leaf: Callable[[Term], Condition | None],
    join: Callable[[list[Condition | Joint], bool], Condition | None],
) -> tuple[Condition | None, int]:
    """The condition of one group and the place after it."""
    elements: list[Condition | Joint] = []
    is_negated = False
    while at < len(tokens):
        token = tokens[at]
        at += 1
        found: Condition | None
        match token:
            case Mark(")"):
                break
            case Mark("NOT"):
                is_negated = not is_negated
                continue
            case Mark("AND"):
                elements.append("AND")
                continue
            case Mark("OR"):
                elements.append("OR")
                continue
            case Mark():
                inner = token if token.name else replace(token, name=opener.name)
                found, at = _group(tokens, at, inner, leaf, join)
            case Term():
                found = leaf(token if token.name or not opener.name else replace(token, name=opener.name))
        if found is not None:
            elements.append(negate(found) if token.is_negated != is_negated else found)
        is_negated = False
    return join(elements, opener.kind == "{"), at
