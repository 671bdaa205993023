"""The words of JQL and what Jira says where they are wrong.

Sources: the ANTLR grammar and the error tests that Jira Server ships (`Jql.g`, `TestJqlParsing`), and the parity
tests of Atlassian's own editor (`@atlaskit/jql-parser`). Jira Cloud begins the message about a bad value with "Error
in JQL Query" and all others with "Error in the JQL Query", as reports of both from 2019 on agree.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from tools.query_languages.ast import SearchError
from tools.query_languages.limits import bounded

__all__ = ["KEYWORDS", "JqlToken", "TokenKind", "broken", "quoted", "read"]

_QUERIES_KEPT = 1024

TokenKind: TypeAlias = Literal["word", "string", "number", "keyword", "symbol", "end"]

_KEYWORDS = "and or not in is empty null was changed before after from to on during order by asc desc cf"
_RESERVED_WORDS = """
    abort access add alias all alter any as audit avg begin between boolean break byte catch char character check
    checkpoint collate collation column commit connect continue count create current date decimal declare decrement
    default defaults define delete delimiter difference distinct divide do double drop else encoding end equals escape
    exclusive exec execute exists explain false fetch file field first float for function go goto grant greater group
    having identified if immediate increment index initial inner inout input insert int integer intersect intersection
    into isempty isnull join last left less like limit lock long max min minus mode modify modulo more multiply next
    noaudit notin nowait number object of option outer output power previous prior privileges public raise raw remainder
    rename resource return returns revoke right row rowid rownum rows select session set share size sqrt start strict
    string subtract sum synonym table then trans transaction trigger true uid union unique update user validate values
    view when whenever where while with
"""
KEYWORDS = frozenset(_KEYWORDS.split())
_RESERVED = frozenset(_RESERVED_WORDS.split())
_SYMBOLS = ("!=", "!~", "<=", ">=", "(", ")", ",", "[", "]", "!", "<", ">", "=", "~")
_JOINTS = {"&&": "and", "&": "and", "||": "or", "|": "or"}
_SPACES = " \t\r\n"
_RESERVED_CHARACTERS = "{}*/%+^$#@?;"
_STOPS = frozenset("\"'=!<>()~,[]|&" + _RESERVED_CHARACTERS + _SPACES + "\\")
_CONTROL = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
_NUMBER = re.compile(r"-?[0-9]+")
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", '"': '"', "'": "'", "\\": "\\", " ": " "}
_SEQUENCES = r"The valid escape sequences are \', \", \t, \n, \r, \\, '\ ' and \uXXXX."
_BARE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*|-[0-9]+[dhmw]", re.ASCII)
_LONGEST_LONG = 20


@dataclass(frozen=True, slots=True)
class JqlToken:
    """One token; `text` is what it means (a string without quotation marks), `word` a keyword in lower case."""

    kind: TokenKind
    text: str
    position: int
    word: str = ""


def broken(query: str, position: int, message: str, *, has_place: bool = True, article: str = "the ") -> SearchError:
    """A syntax error in Jira's words, with the place where it has one."""
    place = ""
    if has_place:
        line = query.count("\n", 0, position)
        column = position - (query.rfind("\n", 0, position) + 1)
        place = f" (line {line + 1}, character {column + 1})"
    flat = message.replace("\n", " ").replace("\r", " ")
    return SearchError(position, f"Error in {article}JQL Query: {flat}{place}", "syntax")


def quoted(text: str) -> str:
    """A value as it can stand in a query: bare where that is safe, else as a string."""
    if _BARE.fullmatch(text) and text.lower() not in KEYWORDS and text.lower() not in _RESERVED:
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return '"' + _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", escaped) + '"'


@lru_cache(_QUERIES_KEPT)
def read(query: str) -> tuple[JqlToken, ...]:
    """The tokens of a query, `end` last. Many sessions ask the same.

    Raises:
        SearchError: a character, escape, string or word that JQL does not allow.
        BeyondLimits: there are too many tokens.
    """
    return (*bounded(_tokens(query)), JqlToken("end", "", len(query)))


def _tokens(query: str) -> Iterator[JqlToken]:
    at = 0
    while at < len(query):
        if query[at] in _SPACES:
            at += 1
        else:
            token, at = _token(query, at)
            yield token


def _token(query: str, at: int) -> tuple[JqlToken, int]:
    here = query[at]
    if here in "\"'":
        return _string(query, at)
    if here in "&|":
        typed = next(joint for joint in _JOINTS if query.startswith(joint, at))
        return JqlToken("keyword", typed, at, _JOINTS[typed]), at + len(typed)
    for symbol in _SYMBOLS:
        if query.startswith(symbol, at):
            return JqlToken("symbol", symbol, at), at + len(symbol)
    if here in _RESERVED_CHARACTERS:
        raise broken(
            query,
            at,
            f"The character '{here}' is a reserved JQL character. You must enclose it in a string or use the "
            f"escape '\\u{ord(here):04x}' instead.",
        )
    _check_character(query, at)
    return _bare(query, at)


def _check_character(query: str, at: int) -> None:
    here = query[at]
    if _CONTROL.match(here):
        line = query.count("\n", 0, at) + 1
        column = at - query.rfind("\n", 0, at)
        shown = "TAB" if here == "\t" else f"U+{ord(here):04X}"
        message = f"The character '{shown}' on line {line} at position {column} must be escaped."
        raise broken(query, at, f"{message} Use the escape '\\u{ord(here):04x}' instead.")


def _bare(query: str, start: int) -> tuple[JqlToken, int]:
    """A keyword, a number or a word without quotation marks."""
    at, parts = start, []
    while at < len(query) and (query[at] not in _STOPS or query[at] == "\\") and not _CONTROL.match(query[at]):
        if query[at] == "\\":
            text, at = _escape(query, at)
        else:
            text, at = query[at], at + 1
        parts.append(text)
    typed, text = query[start:at], "".join(parts)
    if typed.lower() in KEYWORDS:
        return JqlToken("keyword", typed, start, typed.lower()), at
    if _NUMBER.fullmatch(typed):
        _check_number(query, start, typed)
        return JqlToken("number", typed, start), at
    if text.lower() in _RESERVED:
        message = f"'{text}' is a reserved JQL word. You must surround it in quotation marks to use it in a query."
        raise broken(query, start, message)
    return JqlToken("word", _whole(text), start), at


def _check_number(query: str, at: int, typed: str) -> None:
    """Numbers are Java's `long`."""
    if len(typed) > _LONGEST_LONG or not -(1 << 63) <= int(typed) < 1 << 63:
        raise broken(
            query,
            at,
            f"'{typed}' is not a valid number. Numbers must be between "
            "-9,223,372,036,854,775,808 and 9,223,372,036,854,775,807.",
        )


def _string(query: str, start: int) -> tuple[JqlToken, int]:
    mark, at, parts = query[start], start + 1, []
    while at < len(query) and query[at] != mark:
        if query[at] == "\\":
            text, at = _escape(query, at)
        else:
            _check_character(query, at)
            text, at = query[at], at + 1
        parts.append(text)
    text = _whole("".join(parts))
    if at == len(query):
        shown = f" '{text}'" if text.strip() else ""
        raise broken(query, start, f"The quoted string{shown} has not been completed.")
    return JqlToken("string", text, start), at + 1


def _escape(query: str, at: int) -> tuple[str, int]:
    """The character that an escape stands for and the place after it."""
    kind = query[at + 1 : at + 2]
    if not kind:
        raise broken(query, at, f"The escape sequence has not been completed. {_SEQUENCES}")
    if kind in _ESCAPES:
        return _ESCAPES[kind], at + 2
    digits = re.compile(r"[0-9A-Fa-f]{0,4}").match(query, at + 2) if kind == "u" else None
    if digits and len(digits[0]) == 4:
        return chr(int(digits[0], 16)), at + 6
    wrong = digits.end() + 1 if digits else at + 2
    raise broken(query, at, f"'{query[at:wrong]}' is an illegal JQL escape sequence. {_SEQUENCES}")


def _whole(text: str) -> str:
    """Text with pairs of surrogates joined and lone ones replaced, so that it can be stored."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
