"""Holds in a payment nobody finishes run out, but not a second too early (docs/holds.md)."""

SHOW = "evening"
SEATS = {"do": "seats", "show": SHOW}
SWEEP = {"do": "sweep"}


def room(stream):
    count = stream.between(6, 14)
    show = {"do": "show", "show": SHOW, "layout": {"Floor": count}, "price": 900 + 50 * stream.below(62)}
    return show, [f"Floor/{number}" for number in range(1, count + 1)]


def replay(subject, *events, **options):
    return subject.call("boxoffice.devshell", "run_script", list(events), **options)


def hold(name, seats):
    return {"do": "hold", "as": name, "show": SHOW, "seats": seats}


def wait(seconds):
    return {"do": "wait", "seconds": seconds}


def test_buyer_never_comes_back_from_the_bank(subject, stream):
    show, every = room(stream)
    seats = sorted(stream.shuffled(every)[: 3])
    results = replay(
        subject,
        show,
        hold("gone", seats),
        {"do": "redirect", "hold": "gone"},
        wait(16 * 60 + stream.between(0, 600)),
        SEATS,
        hold("next", seats),
        {"do": "pay", "hold": "next"},
    )
    after, again, paid = results[-3:]
    assert after["held"] == 0, f"{after['held']} seats wait for a buyer who is gone"
    assert again["ok"], again
    assert paid["seats"] == seats


def test_sweep_drops_unfinished_payments(subject, stream):
    show, every = room(stream)
    names = [f"b{number}" for number in range(stream.between(2, len(every)))]
    script = [show]
    for name, seat in zip(names, every, strict=False):
        script.append(hold(name, [seat]))
    paying = sorted(stream.shuffled(names)[: stream.between(1, len(names) - 1)])
    script += [{"do": "redirect", "hold": name} for name in paying]
    results = replay(subject, *script, wait(16 * 60), SWEEP, SEATS)
    assert results[-2]["swept"] == sorted(names)
    assert results[-1]["held"] == 0


def test_the_end_of_a_payment_is_the_rest_of_the_hold_or_the_grace(subject, stream):
    minutes, grace = stream.between(4, 12), stream.between(2, 6)
    overrides = {"holds": {"minutes": minutes, "payment_grace_minutes": grace}}
    for pressed in (stream.between(0, 60), stream.between(0, minutes * 60 - 1), minutes * 60 - stream.between(1, 59)):
        end = max(minutes * 60, pressed + grace * 60)
        show, every = room(stream)
        results = replay(
            subject,
            show,
            hold("b", every[:2]),
            wait(pressed),
            {"do": "redirect", "hold": "b"},
            wait(end - pressed - 1),
            SEATS,
            hold("early", every[:1]),
            wait(2),
            SEATS,
            hold("late", every[:2]),
            overrides=overrides,
        )
        before, early, _, after, late = results[-5:]
        assert before["held"] == 2, "taken away too early"
        assert early["error"] == "SeatTaken"
        assert after["held"] == 0, "still held after the payment should have ended"
        assert late["ok"]


def test_a_running_payment_keeps_its_seats(subject, stream):
    show, every = room(stream)
    seats = sorted(stream.shuffled(every)[: 2])
    results = replay(
        subject,
        show,
        hold("slow", seats),
        wait(stream.between(570, 599)),
        {"do": "redirect", "hold": "slow"},
        wait(stream.between(60, 280)),
        SWEEP,
        hold("quick", seats[:1]),
        {"do": "return", "hold": "slow"},
        SEATS,
    )
    swept, quick, paid, after = results[-4:]
    assert swept["swept"] == []
    assert quick["error"] == "SeatTaken"
    assert paid["ok"], paid
    assert after["sold"] == 2


def test_coming_back_too_late(subject, stream):
    show, every = room(stream)
    seats = sorted(stream.shuffled(every)[: 2])
    late = wait(16 * 60 + stream.between(0, 600))
    for meanwhile in ([], [hold("next", seats), {"do": "pay", "hold": "next"}]):
        results = replay(
            subject,
            show,
            hold("late", seats),
            {"do": "redirect", "hold": "late"},
            late,
            *meanwhile,
            {"do": "return", "hold": "late"},
            SEATS,
            {"do": "money"},
        )
        assert all(result["ok"] for result in results[4:-3]), results
        back, after, money = results[-3:]
        assert not back["ok"], "seats were sold to somebody whose time was up"
        assert back["error"] == "HoldExpired"
        assert after["sold"] == (2 if meanwhile else 0)
        assert money["taken_cents"] == sum(result["total_cents"] for result in results[5:-3] if result["do"] == "pay")


def test_open_holds_run_out_as_before(subject, stream):
    show, every = room(stream)
    seats = sorted(stream.shuffled(every)[: 2])
    results = replay(subject, show, hold("b", seats), wait(599), SEATS, wait(1), SEATS, {"do": "pay", "hold": "b"})
    assert results[3]["held"] == 2
    assert results[5]["held"] == 0
    assert results[6]["error"] == "HoldExpired"


def test_what_runs_out_takes_nothing_from_others(subject, stream):
    show, every = room(stream)
    old, young, paying, *_ = stream.shuffled(every)
    results = replay(
        subject,
        show,
        hold("old", [old]),
        {"do": "redirect", "hold": "old"},
        wait(stream.between(200, 500)),
        hold("young", [young]),
        hold("paying", [paying]),
        {"do": "redirect", "hold": "paying"},
        wait(stream.between(405, 590)),
        SWEEP,
        SEATS,
        {"do": "return", "hold": "old"},
        {"do": "pay", "hold": "young"},
        {"do": "return", "hold": "paying"},
    )
    swept, after, late, *paid = results[-5:]
    assert swept["swept"] == ["old"]
    assert after["held"] == 2
    assert late["error"] == "HoldExpired"
    assert all(each["ok"] for each in paid), paid
