"""Holds: seats that somebody is about to buy."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from boxoffice.clock import Clock
from boxoffice.errors import HoldExpired, InvalidRequest, PaymentInProgress, SeatTaken
from boxoffice.settings import HoldSettings

OPEN = "open"
PAYING = "paying"


@dataclass(slots=True)
class Hold:
    id: str
    show_id: str
    seat_ids: tuple[str, ...]
    buyer: str
    placed_at: datetime
    expires_at: datetime
    state: str = OPEN

    @property
    def is_being_paid(self) -> bool:
        return self.state == PAYING


class HoldStore:
    """All holds of this process, in memory.

    A restart forgets them, which is fine: buyers pick again. A hold is open
    until the buyer presses "pay" and paying from then on. Expired holds are
    swept whenever somebody asks, so nobody sees one.
    """

    def __init__(self, clock: Clock, *, minutes: int, payment_grace_minutes: int, max_seats: int) -> None:
        self._clock = clock
        self._lifetime = timedelta(minutes=minutes)
        self._payment_grace = timedelta(minutes=payment_grace_minutes)
        self._max_seats = max_seats
        self._holds: dict[str, Hold] = {}
        self._lock = threading.RLock()

    @classmethod
    def from_settings(cls, clock: Clock, settings: HoldSettings) -> HoldStore:
        return cls(
            clock,
            minutes=settings.minutes,
            payment_grace_minutes=settings.payment_grace_minutes,
            max_seats=settings.max_seats,
        )

    def place(self, show_id: str, seat_ids: Sequence[str], buyer: str, taken: Collection[str] = ()) -> Hold:
        """Hold these seats for the buyer; `taken` are seats gone for other reasons."""
        if len(seat_ids) > self._max_seats:
            raise InvalidRequest(f"at most {self._max_seats} seats at a time")
        with self._lock:
            gone = (self.seats(show_id) | set(taken)).intersection(seat_ids)
            if gone:
                raise SeatTaken(f"already taken: {', '.join(sorted(gone))}")
            now = self._clock.now()
            hold = Hold(
                id="h_" + secrets.token_hex(8),
                show_id=show_id,
                seat_ids=tuple(seat_ids),
                buyer=buyer,
                placed_at=now,
                expires_at=now + self._lifetime,
            )
            self._holds[hold.id] = hold
            return hold

    def get(self, hold_id: str) -> Hold:
        with self._lock:
            self.sweep()
            try:
                return self._holds[hold_id]
            except KeyError:
                raise HoldExpired("these seats are no longer held for you") from None

    def begin_payment(self, hold_id: str) -> Hold:
        """The buyer pressed "pay". They get the rest of the hold, or the grace if that is longer."""
        with self._lock:
            hold = self.get_open(hold_id)
            hold.state = PAYING
            hold.expires_at = max(hold.expires_at, self._clock.now() + self._payment_grace)
            return hold

    def get_open(self, hold_id: str) -> Hold:
        hold = self.get(hold_id)
        if hold.is_being_paid:
            raise PaymentInProgress("a payment for these seats is already under way")
        return hold

    def release(self, hold_id: str) -> None:
        """Put the seats back on sale. Fine to call twice."""
        with self._lock:
            self._holds.pop(hold_id, None)

    def seats(self, show_id: str) -> set[str]:
        """Ids of the held seats of a show."""
        with self._lock:
            self.sweep()
            return {s for hold in self._holds.values() if hold.show_id == show_id for s in hold.seat_ids}

    def sweep(self) -> list[Hold]:
        """Drop holds that ran out and return them."""
        with self._lock:
            now = self._clock.now()
            # holds being paid are for checkout to end, don't take the seats away under a running charge
            longest = self._lifetime + self._payment_grace
            expired = [
                hold
                for hold in self._holds.values()
                if hold.placed_at + longest <= now or (hold.state == OPEN and hold.expires_at <= now)
            ]
            for hold in expired:
                del self._holds[hold.id]
            return expired
