"""A payment that does not end in a sale gives the seats back at once (docs/holds.md)."""

SHOW = "evening"


def room(stream):
    """A show in a random small room, and all its seats."""
    rows = {row: stream.between(5, 9) for row in "ABCDE"[: stream.between(2, 5)]}
    show = {"do": "show", "show": SHOW, "layout": {"Stalls": rows}, "price": 900 + 50 * stream.below(62)}
    return show, [f"Stalls/{row}{number}" for row, count in rows.items() for number in range(1, count + 1)]


def some(stream, seats, most=4):
    return sorted(stream.shuffled(seats)[: stream.between(1, most)])


def replay(subject, *events, **options):
    return subject.call("boxoffice.devshell", "run_script", list(events), **options)


def hold(name, seats):
    return {"do": "hold", "as": name, "show": SHOW, "seats": seats}


SEATS = {"do": "seats", "show": SHOW}
MONEY = {"do": "money"}


def assert_sellable_again(results, seats, total):
    """The last four results: the failed payment, the seats, another buyer's hold and payment."""
    failed, after, again, paid = results[-4:]
    assert not failed["ok"]
    assert after["held"] == 0, f"{after['held']} seats are still held after {failed['error']}"
    assert after["sold"] == 0
    assert len(after["free"]) == total
    assert again["ok"], again
    assert paid["ok"], paid
    assert paid["seats"] == seats


def test_provider_does_not_answer(subject, stream):
    for outcome in ("timeout", "error"):
        show, every = room(stream)
        seats = some(stream, every)
        results = replay(
            subject,
            show,
            hold("first", seats),
            {"do": "wait", "seconds": stream.between(0, 500)},
            {"do": "pay", "hold": "first", "gateway": outcome},
            SEATS,
            hold("second", seats),
            {"do": "pay", "hold": "second"},
        )
        assert_sellable_again(results, seats, len(every))


def test_database_fails_during_the_payment(subject, stream):
    for outcome in ("timeout", "error"):
        show, every = room(stream)
        seats = some(stream, every)
        results = replay(
            subject,
            show,
            hold("first", seats),
            {"do": "wait", "seconds": stream.between(0, 500)},
            {"do": "pay", "hold": "first", "database": outcome},
            SEATS,
            hold("second", seats),
            {"do": "pay", "hold": "second"},
        )
        assert_sellable_again(results, seats, len(every))


def test_provider_or_database_fails_when_the_buyer_is_back_from_the_bank(subject, stream):
    for trouble in ({"gateway": "timeout"}, {"gateway": "error"}, {"database": "timeout"}, {"database": "error"}):
        show, every = room(stream)
        seats = some(stream, every)
        results = replay(
            subject,
            show,
            hold("first", seats),
            {"do": "redirect", "hold": "first"},
            {"do": "wait", "seconds": stream.between(5, 200)},
            {"do": "return", "hold": "first", **trouble},
            SEATS,
            hold("second", seats),
            {"do": "pay", "hold": "second"},
        )
        assert_sellable_again(results, seats, len(every))


def test_same_buyer_tries_again(subject, stream):
    show, every = room(stream)
    seats = some(stream, every)
    script = [show]
    for attempt in range(stream.between(2, 4)):
        script += [hold(f"try{attempt}", seats), {"do": "pay", "hold": f"try{attempt}", "gateway": "timeout"}]
    results = replay(subject, *script, hold("last", seats), {"do": "pay", "hold": "last"}, SEATS, MONEY)
    paid, after, money = results[-3:]
    assert paid["ok"], paid
    assert (after["sold"], after["held"]) == (len(seats), 0)
    assert money["taken_cents"] == paid["total_cents"], "only the last attempt may cost anything"


def test_a_slow_evening_sells_the_whole_room(subject, stream):
    """Every second payment or so fails; in the end the room is full and not before."""
    show, every = room(stream)
    every = stream.shuffled(every)
    left, script, number = list(every), [show], 0
    while left:
        number += 1
        name, seats = f"b{number}", left[:1]
        script.append(hold(name, seats))
        fate = stream.choice(["ok", "ok", "ok", "provider", "database", "declined", "closed tab"])
        if fate == "ok":
            script.append({"do": "pay", "hold": name})
            left = left[1:]
        elif fate == "provider":
            script.append({"do": "pay", "hold": name, "gateway": stream.choice(["timeout", "error"])})
        elif fate == "database":
            script.append({"do": "pay", "hold": name, "database": stream.choice(["timeout", "error"])})
        elif fate == "declined":
            script.append({"do": "pay", "hold": name, "gateway": "declined"})
        else:
            script += [{"do": "redirect", "hold": name}, {"do": "wait", "minutes": 16}]
        script.append(SEATS)
    results = replay(subject, *script)
    for event, result in zip(script, results, strict=True):
        if event["do"] == "hold":
            assert result["ok"], result
        if event["do"] == "seats":
            assert result["held"] == 0
            assert len(result["free"]) == len(every) - result["sold"]
    assert results[-1]["sold"] == len(every)
    assert results[-1]["sold_out"]


def test_other_endings_stay_as_they_were(subject, stream):
    show, every = room(stream)
    seats = some(stream, every)
    results = replay(
        subject,
        show,
        hold("declined", seats),
        {"do": "pay", "hold": "declined", "gateway": "declined"},
        SEATS,
        hold("slow", seats),
        # tried again behind the scenes, the third attempt works
        {"do": "pay", "hold": "slow", "database": ["timeout", "timeout", "ok"]},
        SEATS,
        hold("nosy", seats[:1]),
        {"do": "refund", "hold": "slow"},
        SEATS,
    )
    _, _, declined, after_declined, _, paid, after_paid, nosy, refund, after_refund = results
    assert declined["error"] == "PaymentDeclined"
    assert len(after_declined["free"]) == len(every)
    assert paid["ok"]
    assert (after_paid["sold"], after_paid["held"]) == (len(seats), 0)
    assert nosy["error"] == "SeatTaken"
    assert refund["ok"]
    assert len(after_refund["free"]) == len(every)


def test_no_money_is_kept_for_unsold_seats(subject, stream):
    for trouble in ({"gateway": "timeout"}, {"database": "timeout"}, {"database": "error"}):
        show, every = room(stream)
        seats = some(stream, every)
        results = replay(subject, show, hold("first", seats), {"do": "pay", "hold": "first", **trouble}, SEATS, MONEY)
        assert not results[2]["ok"]
        assert results[3]["sold"] == 0
        assert results[4]["taken_cents"] == 0


def test_a_failed_payment_takes_nothing_from_others(subject, stream):
    """Neither from who chose seats, nor from who is at the bank, nor from another hold of the same buyer."""
    for trouble in ({"gateway": "timeout"}, {"database": "error"}, {"gateway": "declined"}):
        show, every = room(stream)
        mine, again, open_, away, free = stream.shuffled(every)[:5]
        other = {**show, "show": "matinee"}
        at_the_bank = stream.choice([True, False])
        begin = [{"do": "redirect", "hold": "mine"}] if at_the_bank else []
        results = replay(
            subject,
            show,
            other,
            {**hold("mine", [mine]), "buyer": "ana"},
            {**hold("again", [again]), "buyer": "ana"},
            hold("open", [open_]),
            hold("away", [away]),
            {"do": "hold", "as": "elsewhere", "show": "matinee", "seats": [mine]},
            {"do": "redirect", "hold": "away"},
            *begin,
            {"do": "return" if at_the_bank else "pay", "hold": "mine", **trouble},
            SEATS,
            {"do": "seats", "show": "matinee"},
            hold("rude", [stream.choice([again, open_, away])]),
            {"do": "pay", "hold": "again"},
            {"do": "pay", "hold": "open"},
            {"do": "return", "hold": "away"},
            {"do": "pay", "hold": "elsewhere"},
        )
        failed, after, there, rude, *paid = results[-8:]
        assert not failed["ok"]
        assert after["held"] == 3, f"{after['held']} of 3 seats of others are held after {failed['error']}"
        assert {mine, free} <= {*after["free"]}
        assert there["held"] == 1
        assert rude["error"] == "SeatTaken"
        assert all(each["ok"] for each in paid), paid
