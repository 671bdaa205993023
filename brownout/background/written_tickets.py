"""Tickets written whole: which the packs hold for a day. Each is dealt once in a world."""

from collections.abc import Callable, Mapping, Sequence

from brownout.background.dealer import Dealer, permuted
from brownout.background.packs import TicketCase
from brownout.core.seeds import Stream

__all__ = ["Cases", "DealtCases"]


class Cases:
    """All that are written, by area, in the order in which a world's seed deals them."""

    def __init__(self, seed: int, cases: Mapping[str, Sequence[TicketCase]]) -> None:
        self._by_area: dict[str, tuple[TicketCase, ...]] = {}
        for area, found in cases.items():
            key = Stream(seed, "cases", area).bits()
            self._by_area[area] = tuple(found[permuted(place, len(found), key)] for place in range(len(found)))

    def dealt(self, dealer: Dealer) -> "DealtCases":
        """What a day has of them."""
        left = dict[str, list[TicketCase]]()
        for area, found in self._by_area.items():
            part = dealer.part(len(found))
            left[area] = [*found[part.start : part.stop]]
        return DealtCases(left)


class DealtCases:
    """What a day has; what is taken is gone."""

    def __init__(self, left: dict[str, list[TicketCase]]) -> None:
        self._left = left

    def take(self, area: str, wish: int, fits: Callable[[TicketCase], bool]) -> TicketCase | None:
        """One of an area that fits, None where none is left."""
        able = [one for one in self._left.get(area, ()) if fits(one)]
        if not able:
            return None
        found = able[wish % len(able)]
        self._left[area].remove(found)
        return found
