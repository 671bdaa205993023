"""From free seats to sold ones."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from boxoffice.clock import Clock
from boxoffice.errors import HoldExpired, SeatTaken, StorageError, StorageTimeout
from boxoffice.holds import Hold, HoldStore
from boxoffice.orders import FAILED, PAID, PENDING, REFUNDED, Order, Ticket, new_order_id
from boxoffice.payments import Charge, Gateway, PaymentDeclined, PaymentError
from boxoffice.pricing import quote
from boxoffice.promos import Promo, discount, find_promo
from boxoffice.refunds import refund_cents
from boxoffice.retry import retry_call
from boxoffice.settings import Settings
from boxoffice.shows import Catalogue
from boxoffice.storage import Store

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Availability:
    free: tuple[str, ...]  # in seat map order
    held: int
    sold: int

    @property
    def sold_out(self) -> bool:
        return not self.free


class Checkout:
    def __init__(
        self,
        shows: Catalogue,
        holds: HoldStore,
        store: Store,
        gateway: Gateway,
        clock: Clock,
        settings: Settings,
        promos: Mapping[str, Promo] | None = None,
    ) -> None:
        self.shows = shows
        self.holds = holds
        self.store = store
        self.gateway = gateway
        self.clock = clock
        self.settings = settings
        self.promos = promos or {}

    def availability(self, show_id: str) -> Availability:
        show = self.shows.get(show_id)
        sold = self.store.sold_seats(show_id)
        held = self.holds.seats(show_id) - sold
        free = tuple(seat.id for seat in show.seatmap if seat.id not in sold and seat.id not in held)
        return Availability(free=free, held=len(held), sold=len(sold))

    def hold(self, show_id: str, seat_ids: Sequence[str], buyer: str) -> Hold:
        self.shows.get(show_id).seatmap.require(seat_ids)
        return self.holds.place(show_id, seat_ids, buyer, taken=self.store.sold_seats(show_id))

    def hold_best(self, show_id: str, count: int, buyer: str, section: str | None = None) -> Hold:
        """Hold the best seats next to each other."""
        seatmap = self.shows.get(show_id).seatmap
        free = set(self.availability(show_id).free)
        taken = {seat.id for seat in seatmap} - free
        return self.hold(show_id, seatmap.best_available(count, taken, section), buyer)

    def cancel(self, hold_id: str) -> None:
        """The buyer changed their mind, which they cannot once it is being paid."""
        try:
            self.holds.get_open(hold_id)
        except HoldExpired:
            return
        self.holds.release(hold_id)

    def pay(
        self,
        hold_id: str,
        card_token: str,
        kinds: Mapping[str, str] | None = None,
        promo_code: str | None = None,
    ) -> Order:
        """Charge the card and turn the hold into a paid order.

        `kinds` says which seats get a concession, see pricing.CONCESSIONS.
        """
        order = self._draft(self.holds.get_open(hold_id), kinds or {}, promo_code)
        self.holds.begin_payment(hold_id)
        return self._settle(order, lambda: self.gateway.charge(order.id, order.total_cents, card_token))

    def start_redirect(
        self, hold_id: str, kinds: Mapping[str, str] | None = None, promo_code: str | None = None
    ) -> tuple[Order, str]:
        """Send the buyer to their bank (3-D Secure, MB WAY). Returns the order and where to go.

        If this fails nothing has happened yet and the hold goes on as before.
        """
        order = self._draft(self.holds.get_open(hold_id), kinds or {}, promo_code)
        redirect = self.gateway.open_redirect(order.id, order.total_cents)
        order = replace(order, status=PENDING, payment_ref=redirect.reference)
        self._write(lambda: self.store.save(order))
        self.holds.begin_payment(hold_id)
        return order, redirect.url

    def finish_redirect(self, order_id: str) -> Order:
        """The buyer is back from the bank."""
        order = self.store.get(order_id)
        if order.status == PAID:
            return order  # reloaded the page
        if order.status != PENDING:
            raise HoldExpired(f"order {order.id} is {order.status}, please start over")
        try:
            self.holds.get(order.hold_id)
        except HoldExpired:
            self._void(order)
            self._fail(order, "too late")
            raise HoldExpired("this took too long and your seats are back on sale, you have not been charged") from None
        return self._settle(order, lambda: self.gateway.confirm(order.payment_ref))

    def _settle(self, order: Order, take_money: Callable[[], Charge]) -> Order:
        try:
            charge = take_money()
            sold = replace(order, status=PAID, payment_ref=charge.reference)
            self._write(lambda: self.store.sell(sold))
        except PaymentDeclined:
            self._fail(order, "declined")
            self.holds.release(order.hold_id)
            raise
        except (PaymentError, StorageError, SeatTaken) as exc:
            # could have been charged all the same
            self._void(order)
            self._fail(order, type(exc).__name__)
            self.holds.release(order.hold_id)
            raise
        self.holds.release(order.hold_id)
        return sold

    def refund(self, order_id: str) -> int:
        """Give money back and put the seats on sale again. Returns the cents."""
        order = self.store.get(order_id)
        cents = refund_cents(order, self.shows.get(order.show_id), self.clock.now(), self.settings.refunds)
        self.gateway.refund(order.payment_ref, cents)
        refunded = replace(order, status=REFUNDED)
        self._write(lambda: self.store.unsell(refunded))
        return cents

    def guests(self, show_id: str) -> list[Order]:
        """Paid orders of a show, for the door."""
        self.shows.get(show_id)
        return self.store.orders(show_id, PAID)

    def _draft(self, hold: Hold, kinds: Mapping[str, str], promo_code: str | None) -> Order:
        show = self.shows.get(hold.show_id)
        price = quote(show, hold.seat_ids, kinds, self.settings.fees)
        promo = find_promo(self.promos, promo_code) if promo_code else None
        return Order(
            id=new_order_id(),
            show_id=hold.show_id,
            hold_id=hold.id,
            buyer=hold.buyer,
            tickets=tuple(Ticket(line.seat_id, line.price_cents, line.kind) for line in price.lines),
            created_at=self.clock.now(),
            status=FAILED,
            fee_cents=price.fee_cents,
            discount_cents=discount(promo, show, price, self.clock.now().date()) if promo else 0,
            promo=promo.code if promo else "",
        )

    def _write(self, write: Callable[[], None]) -> None:
        retry_call(
            write,
            attempts=self.settings.database.write_attempts,
            retry_on=StorageTimeout,
            clock=self.clock,
        )

    def _fail(self, order: Order, reason: str) -> None:
        """Note the failed order for support. Not worth failing for if the database is the problem."""
        try:
            self.store.save(replace(order, status=FAILED, reason=reason))
        except StorageError:
            log.exception("could not note that order %s failed (%s)", order.id, reason)

    def _void(self, order: Order) -> None:
        try:
            self.gateway.void(order.id)
        except PaymentError:
            log.exception("could not void the payment of order %s, do it by hand", order.id)
