"""Seconds: authors write full minutes, nobody acts on them. Every authored minute gets its own part of it."""

from brownout.core.instants import MINUTE, SECOND, Duration, Instant
from brownout.core.seeds import Stream

__all__ = ["Minutes", "into_the_minute"]


def into_the_minute(seed: int, *path: str | int) -> Duration:
    """How far into its minute something happens that an author gave only the minute of."""
    return Stream(seed, "second", *path).below(MINUTE)


class Minutes:
    """Moments of one author's list, in which a later entry of the same minute comes later."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._taken: dict[Instant, Duration] = {}

    def moment(self, minute: Instant, *path: str | int) -> Instant:
        """A moment within the minute, after all that were given for it before."""
        least = self._taken.get(minute, -SECOND) + SECOND
        room = max(MINUTE - least, 1)
        self._taken[minute] = least + into_the_minute(self._seed, *path) * room // MINUTE
        return minute + self._taken[minute]
