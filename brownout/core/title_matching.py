"""Finds titles that a text writes out; what apps' `references` share."""

from collections.abc import Iterable, Iterator

from brownout.core.entities import EntityReference

__all__ = ["titles_in"]

_SHORTEST = 8
"""Characters of a title that is found inside a longer text; a shorter one must be all of it."""


def titles_in(text: str, titles: Iterable[tuple[str, str]]) -> Iterator[EntityReference]:
    """Where a text has one of the titles as whole words, whatever their case.

    Args:
        titles: each with the path of what is called so: `("Simplify client", "github:acme/app.pull/51")`.
    """
    plain = text.casefold()
    whole = plain.strip(" \t\n\"'“”„«».")
    if len(plain) != len(text):
        return
    for title, path in titles:
        name = title.strip().casefold()
        if not name:
            continue
        if whole == name:
            yield EntityReference(plain.index(name), plain.index(name) + len(name), path, is_title=True)
        elif len(name) >= _SHORTEST and " " in name and (at := _place(plain, name)) >= 0:
            yield EntityReference(at, at + len(name), path, is_title=True)


def _place(text: str, name: str) -> int:
    at = text.find(name)
    while at >= 0:
        around = text[max(0, at - 1) : at] + text[at + len(name) : at + len(name) + 1]
        if not any(c.isalnum() for c in around):
            return at
        at = text.find(name, at + 1)
    return -1
