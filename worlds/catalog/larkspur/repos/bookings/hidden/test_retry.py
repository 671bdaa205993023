"""What becomes of a request while the database does not answer (docs/retries.md)."""

PEOPLE = (
    {"do": "practitioner", "as": "p", "clinic": "c"},
    {"do": "patient", "as": "x"},
)
TRAFFIC = {"do": "traffic"}
CLINIC = {"do": "request", "path": "/v1/clinics/{c}"}
STAFF = {"do": "request", "path": "/v1/clinics/{c}/practitioners"}


def replay(subject, *events, **overrides):
    return subject.call("bookings.devshell", "run_script", list(events), overrides=overrides)


def clinic(stream):
    zone = stream.choice(["Europe/Berlin", "Europe/Lisbon", "Europe/Vienna", "Europe/London"])
    return [{"do": "clinic", "as": "c", "zone": zone}, *PEOPLE]


def faults(kind, times, match="", on="statement"):
    return {"do": "faults", "on": on, "kind": kind, "times": times, "match": match}


def settings(stream, attempts, **more):
    base = stream.between(5, 20) / 100
    return {"attempts": attempts, "backoff_base": base, "backoff_cap": base * stream.between(3, 6)} | more


def assert_pauses(pauses, db):
    for place, pause in enumerate(pauses):
        ceiling = min(db["backoff_cap"], db["backoff_base"] * 2**place)
        assert pause <= ceiling + 0.001, f"pause {place + 1} of {pause} s, at most {ceiling} s"
        assert pause >= ceiling / 2 - 0.001, f"pause {place + 1} of {pause} s, at least {ceiling / 2} s"


def assert_unavailable(page, retry_after):
    assert page["status"] == 503, page
    assert page["retry_after"] == str(retry_after)


def test_as_many_attempts_as_configured(subject, stream):
    for attempts in stream.shuffled(range(1, 7))[:3]:
        retry_after = stream.between(2, 30)
        db = settings(stream, attempts, statement_timeout=0.25)
        api = {"request_timeout": 60.0, "retry_after": retry_after}
        kind = stream.choice(["timeout", "lost"])
        *_, page, traffic = replay(
            subject, *clinic(stream), faults(kind, 400, "FROM clinics"), CLINIC, TRAFFIC, db=db, api=api
        )
        assert_unavailable(page, retry_after)
        assert traffic["failed"] == attempts, f"{traffic['failed']} attempts, allowed were {attempts}"
        assert len(traffic["pauses"]) == attempts - 1
        assert_pauses(traffic["pauses"], db)


def test_it_works_as_soon_as_the_database_does(subject, stream):
    for attempts in (3, stream.between(4, 6)):
        failing = stream.between(1, attempts - 1)
        db = settings(stream, attempts, statement_timeout=0.25)
        script = [*clinic(stream), faults("timeout", failing, "FROM clinics"), CLINIC, TRAFFIC]
        *_, page, traffic = replay(subject, *script, db=db)
        assert page["status"] == 200
        assert traffic["failed"] == failing
        assert len(traffic["pauses"]) == failing
        assert_pauses(traffic["pauses"], db)


def test_pauses_grow_up_to_the_cap(subject, stream):
    attempts = stream.between(10, 14)
    db = settings(stream, attempts, statement_timeout=0.1)
    script = [*clinic(stream), faults("timeout", 400, "FROM clinics"), CLINIC, TRAFFIC]
    *_, page, traffic = replay(subject, *script, db=db, api={"request_timeout": 300.0})
    assert page["status"] == 503
    assert len(traffic["pauses"]) == attempts - 1
    assert_pauses(traffic["pauses"], db)
    assert len(set(traffic["pauses"])) > 4, "pauses without jitter"


def test_the_deadline_of_the_request_comes_first(subject, stream):
    for kind in ("timeout", "lost"):
        seconds = stream.between(40, 70) / 10
        db = settings(stream, 500, statement_timeout=stream.between(5, 15) / 10)
        script = [*clinic(stream), faults(kind, 400, "FROM clinics"), CLINIC, TRAFFIC]
        *_, page, traffic = replay(subject, *script, db=db, api={"request_timeout": seconds})
        assert page["status"] == 503
        assert page["took"] <= seconds + 0.1, f"answered after {page['took']} s, {seconds} s were allowed"
        assert traffic["failed"] >= 2, "there was time for more than one attempt"


def test_opening_connections_has_an_end(subject, stream):
    for outcome in ("timeout", "lost"):
        attempts, opens = stream.between(2, 4), stream.between(1, 3)
        db = settings(stream, attempts, connect_attempts=opens, connect_timeout=0.5, connect_pause=0.1)
        script = [
            *clinic(stream),
            faults("lost", 1, "FROM clinics") | {"and": [{"on": "connect", "kind": outcome, "times": 600}]},
            CLINIC,
            TRAFFIC,
        ]
        *_, page, traffic = replay(subject, *script, db=db, api={"request_timeout": 60.0})
        assert page["status"] == 503
        assert traffic["connect"] <= attempts * opens, f"{traffic['connect']} connections were tried"
        assert traffic["connect"] >= attempts - 1


def test_opening_connections_respects_the_deadline(subject, stream):
    for outcome in ("timeout", "lost"):
        seconds = stream.between(20, 50) / 10
        db = settings(stream, 40, connect_attempts=stream.between(30, 60), connect_timeout=0.7)
        script = [
            *clinic(stream),
            faults("lost", 1, "FROM clinics") | {"and": [{"on": "connect", "kind": outcome, "times": 2000}]},
            CLINIC,
            {"do": "faults", "kinds": []},
            CLINIC,
        ]
        *_, page, _, after = replay(subject, *script, db=db, api={"request_timeout": seconds})
        assert page["status"] == 503
        assert page["took"] <= seconds + 0.1, f"answered after {page['took']} s, {seconds} s were allowed"
        assert after["status"] == 200, "the database is back"


def test_what_cannot_get_better_is_not_repeated(subject, stream):
    db = settings(stream, stream.between(3, 6))
    script = [*clinic(stream), faults("error", 50, "FROM clinics"), CLINIC, TRAFFIC]
    *_, page, traffic = replay(subject, *script, db=db)
    assert page["status"] == 500
    assert traffic["failed"] == 1
    assert traffic["pauses"] == []


def book(stream):
    at = f"2025-11-{stream.between(17, 28)}T{stream.between(8, 16):02}:00"
    body = {"practitioner_id": "p", "patient_id": "x", "at": at, "minutes": 30}
    return {"do": "request", "method": "POST", "path": "/v1/appointments", "body": body}


PATIENTS_APPOINTMENTS = {"do": "request", "path": "/v1/patients/{x}/appointments"}


def test_a_commit_without_an_answer_is_not_repeated(subject, stream):
    script = [*clinic(stream), faults("timeout", 50, on="commit"), book(stream), TRAFFIC]
    *_, page, traffic = replay(subject, *script, db=settings(stream, stream.between(3, 6)))
    assert page["status"] == 503
    assert traffic["commit"] == 1


def test_a_booking_happens_once(subject, stream):
    attempts = stream.between(3, 6)
    db = settings(stream, attempts, statement_timeout=0.2)
    for failing in (stream.between(1, attempts - 1), 400):
        match = stream.choice(["INSERT INTO appointments", "INSERT INTO outbox"])
        script = [*clinic(stream), faults("timeout", failing, match), book(stream), TRAFFIC]
        *_, page, traffic, calm, found, events = replay(
            subject, *script, {"do": "faults", "kinds": []}, PATIENTS_APPOINTMENTS, {"do": "events"}, db=db
        )
        assert calm["ok"]
        assert page["status"] == (503 if failing == 400 else 201)
        assert traffic["failed"] == min(failing, attempts)
        times = 0 if failing == 400 else 1
        assert len(found["body"]["appointments"]) == times
        assert events["topics"].count("appointment.booked") == times


def test_others_are_served_meanwhile(subject, stream):
    """With a single connection: who waits must not keep it."""
    attempts = stream.between(3, 5)
    db = settings(stream, attempts, statement_timeout=0.3, pool_size=1)
    others = [CLINIC for _ in range(stream.between(1, 3))]
    *_, page = replay(
        subject, *clinic(stream), faults("timeout", 400, "FROM practitioners"), STAFF | {"meanwhile": others}, db=db
    )
    assert page["status"] == 503
    assert [one["status"] for one in page["meanwhile"]] == [200] * len(others), "others waited for it to end"
    assert all(one["took"] < 0.05 for one in page["meanwhile"])


def test_nothing_is_lost_after_a_bad_minute(subject, stream):
    """Many requests fail; afterwards there are as many connections as before."""
    size = stream.between(1, 3)
    db = settings(stream, 3, pool_size=size, statement_timeout=0.2)
    script = [*clinic(stream)]
    for _ in range(size + stream.between(3, 6)):
        kind = stream.choice(["timeout", "lost"])
        script += [faults(kind, 300, "FROM clinics"), CLINIC, {"do": "faults", "kinds": []}, CLINIC]
    results = replay(subject, *script, db=db)
    answers = [one["status"] for one in results if one["do"] == "request"]
    assert answers == [503, 200] * (len(answers) // 2)


def test_jobs_are_bounded_too(subject, stream):
    """There is no deadline outside of a request, but still a number of attempts."""
    attempts = stream.between(2, 5)
    db = settings(stream, attempts, statement_timeout=0.2)
    script = [*clinic(stream), faults("timeout", 300, "FROM clinics"), {"do": "patient", "as": "y"}]
    *_, asked, traffic = replay(
        subject, *script, {"do": "book", "practitioner": "p", "patient": "y", "at": "2025-11-20T09:00"}, TRAFFIC, db=db
    )
    assert asked["error"] == "StatementTimeout"
    assert traffic["failed"] == attempts


def test_each_request_has_attempts_of_its_own(subject, stream):
    """Whatever became of the ones before it, and of those that come while it waits."""
    attempts = stream.between(3, 5)
    db = settings(stream, attempts, statement_timeout=0.2)
    bad = [faults("timeout", 400, "FROM clinics"), CLINIC, TRAFFIC]
    good = [{"do": "faults", "kinds": []}, STAFF]
    script = [*bad, CLINIC, TRAFFIC, *(good if stream.choice([True, False]) else []), *bad]
    results = replay(subject, *clinic(stream), *script, db=db, api={"request_timeout": 60.0})
    seen = [one for one in results if one["do"] == "traffic"]
    assert [one["failed"] for one in seen] == [attempts] * 3, "attempts are counted over several requests"
    for one in seen:
        assert_pauses(one["pauses"], db)

    script = [faults("timeout", 400, "FROM practitioners"), STAFF | {"meanwhile": [CLINIC, STAFF]}, TRAFFIC]
    *_, page, traffic = replay(subject, *clinic(stream), *script, db=db, api={"request_timeout": 60.0})
    clinics, staff = page["meanwhile"]
    assert (page["status"], clinics["status"], staff["status"]) == (503, 200, 503)
    assert traffic["failed"] == 2 * attempts
