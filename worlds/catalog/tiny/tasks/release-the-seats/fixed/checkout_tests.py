import pytest

from boxoffice.checkout import Checkout
from boxoffice.errors import (
    HoldExpired,
    InvalidRequest,
    PaymentInProgress,
    SeatTaken,
    StorageError,
    StorageTimeout,
    UnknownSeat,
)
from boxoffice.holds import HoldStore
from boxoffice.orders import FAILED, PAID
from boxoffice.payments import PaymentDeclined, PaymentError, PaymentTimeout, ScriptedGateway
from boxoffice.settings import load_settings
from boxoffice.shows import Catalogue
from boxoffice.storage import FaultyStore, MemoryStore

SHOW = "lantern-fado"


@pytest.fixture
def gateway(clock):
    return ScriptedGateway(clock=clock)


@pytest.fixture
def checkout(show, clock, gateway):
    holds = HoldStore(clock, minutes=15, payment_grace_minutes=5, max_seats=4)
    return Checkout(Catalogue([show]), holds, FaultyStore(MemoryStore(), clock), gateway, clock, load_settings())


def test_hold_pay_sold(checkout, gateway):
    hold = checkout.hold(SHOW, ["Stalls/A1", "Floor/1"], "Ana Sousa")
    assert checkout.availability(SHOW).held == 2
    order = checkout.pay(hold.id, "tok_visa")
    assert order.status == PAID
    assert order.total_cents == 3700 + 268
    assert gateway.taken == {order.id: 3968}
    now = checkout.availability(SHOW)
    assert (len(now.free), now.held, now.sold) == (12, 0, 2)


def test_sold_seats_cannot_be_held(checkout):
    checkout.pay(checkout.hold(SHOW, ["Stalls/A1"], "ana").id, "tok")
    with pytest.raises(SeatTaken):
        checkout.hold(SHOW, ["Stalls/A1"], "rui")


def test_unknown_seat(checkout):
    with pytest.raises(UnknownSeat):
        checkout.hold(SHOW, ["Stalls/Q1"], "ana")


def test_paying_too_late(checkout, clock, gateway):
    hold = checkout.hold(SHOW, ["Stalls/A1"], "ana")
    clock.advance(minutes=15)
    with pytest.raises(HoldExpired):
        checkout.pay(hold.id, "tok")
    assert gateway.taken == {}


def test_cancel_puts_the_seats_back(checkout):
    hold = checkout.hold(SHOW, ["Stalls/A1"], "ana")
    checkout.cancel(hold.id)
    assert "Stalls/A1" in checkout.availability(SHOW).free


def test_declined_payment_puts_the_seats_back(checkout, gateway):
    gateway.outcomes = ["declined"]
    hold = checkout.hold(SHOW, ["Stalls/A1"], "ana")
    with pytest.raises(PaymentDeclined):
        checkout.pay(hold.id, "tok")
    assert "Stalls/A1" in checkout.availability(SHOW).free
    assert [order.reason for order in checkout.store.orders(SHOW, FAILED)] == ["declined"]


def test_money_taken_before_a_timeout_is_voided(checkout, gateway):
    gateway.outcomes = ["timeout"]
    hold = checkout.hold(SHOW, ["Stalls/A1"], "ana")
    with pytest.raises(PaymentTimeout):
        checkout.pay(hold.id, "tok")
    assert gateway.taken == {}
    assert [order.reason for order in checkout.store.orders(SHOW, FAILED)] == ["PaymentTimeout"]


def test_sold_out(checkout, show):
    for seat in show.seatmap:
        checkout.pay(checkout.hold(SHOW, [seat.id], "ana").id, "tok")
    assert checkout.availability(SHOW).sold_out


def test_paying_with_a_concession(checkout):
    hold = checkout.hold(SHOW, ["Stalls/A1", "Stalls/A2"], "ana")
    order = checkout.pay(hold.id, "tok", {"Stalls/A2": "senior"})
    assert [ticket.kind for ticket in order.tickets] == ["full", "senior"]
    assert order.tickets[1].price_cents == 1760


def test_a_wrong_concession_keeps_the_hold(checkout):
    hold = checkout.hold(SHOW, ["Stalls/A1"], "ana")
    with pytest.raises(InvalidRequest):
        checkout.pay(hold.id, "tok", {"Stalls/A1": "pirate"})
    checkout.pay(hold.id, "tok")


class SlowGateway(ScriptedGateway):
    """Runs a callback while the card is being charged."""

    def charge(self, key, amount_cents, card_token):
        self.meanwhile()
        return super().charge(key, amount_cents, card_token)


def test_seats_stay_put_while_the_card_is_charged(checkout, clock):
    checkout.gateway = gateway = SlowGateway()
    hold = checkout.hold(SHOW, ["Stalls/A1"], "ana")
    clock.advance(minutes=14, seconds=30)

    def meanwhile():
        clock.advance(minutes=1)
        checkout.holds.sweep()
        assert checkout.availability(SHOW).held == 1
        with pytest.raises(SeatTaken):
            checkout.hold(SHOW, ["Stalls/A1"], "rui")
        with pytest.raises(PaymentInProgress):
            checkout.pay(hold.id, "tok")
        with pytest.raises(PaymentInProgress):
            checkout.cancel(hold.id)

    gateway.meanwhile = meanwhile
    assert checkout.pay(hold.id, "tok").status == PAID
    assert checkout.availability(SHOW).held == 0


def test_a_slow_write_is_tried_again(checkout):
    hold = checkout.hold(SHOW, ["Stalls/A1"], "ana")
    checkout.store.script(["timeout", "timeout"])
    assert checkout.pay(hold.id, "tok").status == PAID
    assert checkout.availability(SHOW).sold == 1


def test_money_is_given_back_when_the_database_stays_slow(checkout, gateway):
    hold = checkout.hold(SHOW, ["Stalls/A1"], "ana")
    checkout.store.script("timeout")
    with pytest.raises(StorageTimeout):
        checkout.pay(hold.id, "tok")
    assert gateway.taken == {}
    assert checkout.availability(SHOW).sold == 0


def test_redirect_holds_the_seats_until_the_buyer_is_back(checkout, clock):
    hold = checkout.hold(SHOW, ["Stalls/A1"], "ana")
    clock.advance(minutes=14)
    order, url = checkout.start_redirect(hold.id)
    assert url.endswith(order.id)
    clock.advance(minutes=4)
    with pytest.raises(SeatTaken):
        checkout.hold(SHOW, ["Stalls/A1"], "rui")
    assert checkout.finish_redirect(order.id).status == PAID
    assert checkout.availability(SHOW).sold == 1


def test_declined_at_the_bank(checkout, gateway):
    order, _ = checkout.start_redirect(checkout.hold(SHOW, ["Stalls/A1"], "ana").id)
    gateway.outcomes = ["declined"]
    with pytest.raises(PaymentDeclined):
        checkout.finish_redirect(order.id)
    assert "Stalls/A1" in checkout.availability(SHOW).free
    with pytest.raises(HoldExpired):
        checkout.finish_redirect(order.id)


def test_redirect_that_cannot_start_leaves_the_hold(checkout):
    hold = checkout.hold(SHOW, ["Stalls/A1"], "ana")
    checkout.store.script("timeout")
    with pytest.raises(StorageTimeout):
        checkout.start_redirect(hold.id)
    checkout.store.script("ok")
    checkout.pay(hold.id, "tok")


@pytest.mark.parametrize(
    ("outcome", "database"), [("timeout", "ok"), ("error", "ok"), ("ok", "timeout"), ("ok", "error")]
)
def test_seats_are_back_on_sale_when_the_payment_breaks(checkout, gateway, outcome, database):
    hold = checkout.hold(SHOW, ["Stalls/A1"], "ana")
    gateway.outcomes = [outcome]
    checkout.store.script(database)
    with pytest.raises((PaymentError, StorageError)):
        checkout.pay(hold.id, "tok")
    checkout.store.script("ok")
    assert "Stalls/A1" in checkout.availability(SHOW).free
    checkout.pay(checkout.hold(SHOW, ["Stalls/A1"], "rui").id, "tok")
    assert checkout.availability(SHOW).sold == 1


def test_nobody_comes_back_from_the_bank(checkout, clock, gateway):
    order, _ = checkout.start_redirect(checkout.hold(SHOW, ["Stalls/A1"], "ana").id)
    clock.advance(minutes=15)
    assert "Stalls/A1" in checkout.availability(SHOW).free
    with pytest.raises(HoldExpired):
        checkout.finish_redirect(order.id)
    assert gateway.taken == {}
