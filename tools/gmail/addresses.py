"""Mail addresses as people write them and as headers show them, and the subjects of answers."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import orjson

__all__ = [
    "Address",
    "InvalidAddress",
    "addresses_in",
    "answer_subject",
    "base_subject",
    "forwarded_subject",
    "listed",
    "parse_addresses",
]

_EMAIL = re.compile(r"[^@\s<>,;:\"()\[\]]+@(?:[a-z0-9][a-z0-9-]*\.)+[a-z0-9-]{2,}")
_LONGEST = 254  # RFC 5321, with the angle brackets
_ANSWERED = re.compile(r"^\s*(?:(?:re|fwd?|aw)\s*:\s*)+", re.IGNORECASE)
_NEEDS_QUOTES = re.compile(r"[,;:<>@()\[\]\\.]")


class InvalidAddress(ValueError):
    """Something that is not `name@domain` or `Name <name@domain>`."""


@dataclass(frozen=True, slots=True)
class Address:
    """Who a mail goes to: the bare address in lower case, and the name beside it."""

    email: str
    name: str = ""

    @property
    def domain(self) -> str:
        """What follows the @."""
        return self.email.rpartition("@")[2]

    def __str__(self) -> str:
        if not self.name:
            return self.email
        name = f'"{self.name}"' if _NEEDS_QUOTES.search(self.name) else self.name
        return f"{name} <{self.email}>"


def parse_addresses(texts: Iterable[str]) -> tuple[Address, ...]:
    """The addresses in texts of one or several, each once, in order.

    Raises:
        InvalidAddress: one of them is no address.
    """
    found: dict[str, Address] = {}
    for text in texts:
        for part in _between_commas(text):
            address = _parsed(part)
            found.setdefault(address.email, address)
    return tuple(found.values())


def _between_commas(text: str) -> list[str]:
    """The parts of a list; commas in quotation marks do not count."""
    parts, is_quoted = [""], False
    for character in text:
        if character == "," and not is_quoted:
            parts.append("")
            continue
        is_quoted ^= character == '"'
        parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def _parsed(text: str) -> Address:
    name, _, email = text.removesuffix(">").rpartition("<") if text.endswith(">") else ("", "", text)
    email = email.strip().lower()
    if len(email) > _LONGEST or not _EMAIL.fullmatch(email):
        raise InvalidAddress(text)
    return Address(email, " ".join(name.replace('"', " ").split()))


def listed(addresses: Iterable[Address]) -> str:
    """Addresses as a column holds them."""
    return orjson.dumps([str(address) for address in addresses]).decode()


def addresses_in(column: str) -> tuple[Address, ...]:
    """The addresses in a column."""
    return parse_addresses(orjson.loads(column))


def base_subject(subject: str) -> str:
    """A subject without `Re:` and its kind, lower case: the same for a whole conversation."""
    return " ".join(_ANSWERED.sub("", subject).lower().split())


def answer_subject(subject: str) -> str:
    """The subject of an answer."""
    return subject if subject.lower().startswith("re:") else f"Re: {subject}".rstrip()


def forwarded_subject(subject: str) -> str:
    """The subject of a message that is passed on."""
    return subject if subject.lower().startswith("fwd:") else f"Fwd: {subject}".rstrip()
