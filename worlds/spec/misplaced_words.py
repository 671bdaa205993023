"""What the short forms find wrong deep inside a value that they are given as a whole, with its place in there."""

from collections.abc import Iterable

from brownout.core.vocabulary import near

__all__ = ["Misplaced", "UnknownWord"]


class Misplaced(ValueError):
    """Something is wrong with a part of a value.

    Attributes:
        place: the way to the part, from the value.
    """

    def __init__(self, message: str, *place: str | int) -> None:
        super().__init__(message)
        self.place = place


class UnknownWord(Misplaced):
    """A word that there is none of. The last part of the place is the word.

    Attributes:
        options: the words that there are.
    """

    def __init__(self, place: tuple[str | int, ...], options: Iterable[str], listed: str = "") -> None:
        self.options = tuple(options)
        word = str(place[-1])
        super().__init__(f"unknown word{near(word, self.options) or listed}", *place)
