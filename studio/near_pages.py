"""The pages nearest to an address that nothing has, and ways on from where something was not found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

from studio.pages import PAGES, KnownPage

__all__ = ["WayOn", "near_pages"]

_MOST: Final = 3
_LEAST: Final = 4
"""Letters of a word that a page's help is searched for."""
_OTHER_WORDS: Final[Mapping[str, str]] = {
    "beats": "storylines", "build": "overview", "calendar": "preview", "chat": "preview", "criteria": "graders", "edit": "files",
    "episodes": "runs", "facts": "storylines", "mail": "preview", "qa": "check", "rubric": "graders", "services": "systems",
    "spec": "files", "timeline": "storylines", "validate": "check", "worlds": "home", "yaml": "files",
}  # fmt: skip
"""What other tools, or our own command line, call what a page has."""


@dataclass(frozen=True, slots=True)
class WayOn:
    """A link from where something was not found to what may have been meant.

    Attributes:
        page: the file of a page: `replay`.
    """

    label: str
    page: str
    link: Mapping[str, str] = field(default_factory=dict)


def near_pages(address: str) -> list[KnownPage]:
    """Pages that an address may be a slip of: `preveiw`, `new-world`, `worlds/acme/overview`; those whose help speaks of it come last."""
    words = [word.replace("-", "_") for word in address.casefold().split("/") if len(word) > 1]
    by_name = {name: page for page in PAGES if page.is_part for name in (page.file, page.title.casefold())}
    by_name |= {word: by_name[file] for word, file in _OTHER_WORDS.items()}
    found = [
        by_name[name] for word in reversed(words) for name in get_close_matches(word, by_name, n=_MOST, cutoff=0.6)
    ]
    said = [
        page
        for word in words
        if len(word) >= _LEAST
        for page in PAGES
        if get_close_matches(word, page.help.casefold().replace(",", "").replace(".", "").split(), n=1, cutoff=0.8)
    ]
    return [*dict.fromkeys([*found, *said])][:_MOST]
