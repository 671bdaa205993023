"""Who notices: alerts page the person on call, customers write, vendors' status pages follow, sooner or later."""

from typing import Final

from brownout.core.apps import COMPLAINT, Health, Intent, Thing
from brownout.core.instants import HOUR, MINUTE, SECOND, Instant
from brownout.core.seeds import Stream
from brownout.core.values import JsonObject
from brownout.engine.carrying_intents import carry
from brownout.engine.outages import words_of
from brownout.engine.schedule import BACKGROUND, EDGE, Due
from brownout.engine.scheduled_intents import intent_document
from brownout.engine.simulation import Simulation
from brownout.engine.systems.health import health_at, history, recompute
from brownout.engine.systems.triggers import watch_triggers
from worlds.package import Outage
from worlds.spec import Service
from worlds.systems import AlertRule, is_as_bad, parse_alert, parse_complaint

__all__ = ["check_alert", "check_customers", "complain", "notice_changes", "post_deploy", "schedule_announcements"]

MONITORING, STATUS, DEPLOYS = "monitoring", "status", "deploys"
_STILL_CROSS: Final = 10 * MINUTE
"""How long after the trouble somebody still complains of it."""


def notice_changes(simulation: Simulation) -> None:
    """Bring health up to date, and put on the schedule who will notice what has changed."""
    for change in recompute(simulation):
        watch_triggers(simulation, change.service, change.state, change.since)
        spec = simulation.setting.services.get(change.service)
        if spec is not None:
            _watch(simulation, change, spec)
    for service, key in sorted(simulation.state.alerts.items()):
        if _is_resolved(simulation, key):
            _watch_again(simulation, service)


def _watch(simulation: Simulation, change: Health, spec: Service) -> None:
    payload: JsonObject = {"service": change.service, "since": change.since}
    if spec.shows.alert:
        rule = parse_alert(spec.shows.alert)
        if _is_over(rule, change):
            key = f"alert/{change.service}/{change.since}"
            looks = simulation.stream("alert", change.service).below(MINUTE)
            simulation.schedule.push(change.since + rule.lasting + looks, "alert", key, payload)
        elif change.service in simulation.state.alerts:
            _resolve(simulation, change.service)
    if spec.shows.customers:
        complaint = parse_complaint(spec.shows.customers)
        if is_as_bad(change.state, complaint.state):
            key = f"customers/{change.service}/{change.since}"
            simulation.schedule.push(change.since + complaint.lasting, "customers", key, payload)


def _is_over(rule: AlertRule, health: Health) -> bool:
    value = health.error_percent if rule.metric == "error_rate" else health.latency_ms
    return value > rule.above


def check_alert(simulation: Simulation, due: Due) -> None:
    """Page whoever is on call, if the trouble has lasted and nobody was paged for it yet."""
    service, since = str(due.payload["service"]), int(str(due.payload["since"]))
    spec = simulation.setting.services[service]
    rule = parse_alert(spec.shows.alert)
    lasted = all(_is_over(rule, health) for health in history(simulation.rows(), service, since, simulation.state.now))
    if not lasted or service in simulation.state.alerts:
        return
    now = health_at(simulation.rows(), service, simulation.state.now)
    whom = "" if rule.whom == "on_call" else rule.whom  # the app that pages knows who is on call at this hour
    figure = f"{now.error_percent} %" if rule.metric == "error_rate" else f"{now.latency_ms} ms"
    intent = Intent(
        kind="alert",
        key=due.key,
        who=MONITORING,
        to=(whom,) if whom else (),
        subject=f"{service}: {rule.metric.replace('_', ' ')} {figure}",
        text=f"{rule.text} on {service}; it is {figure} now.",
        thing=service,
        details={"service": service, "severity": "critical" if now.state == "down" else "high", "rule": rule.text},
    )
    simulation.state.alerts[service] = due.key
    carry(simulation, intent)
    post = f":rotating_light: {intent.subject}. {rule.text}.{_paged(simulation, due.key)}"
    _post(simulation, service, MONITORING, f"{due.key}/posted", post)


def _resolve(simulation: Simulation, service: str) -> None:
    key = simulation.state.alerts.pop(service)
    text = f"{service} is back to normal."
    intent = Intent(
        kind="resolve",
        key=f"{key}/resolved",
        who=MONITORING,
        text=text,
        thing=service,
        details={"service": service, "alert": key},
    )
    at = simulation.state.now + simulation.stream("alert", service).below(MINUTE)
    simulation.schedule.push(at, "intent", intent.key, intent_document(intent), priority=EDGE)
    _post(simulation, service, MONITORING, f"{key}/resolved/posted", f":white_check_mark: {text}")


def post_deploy(simulation: Simulation, intent: Intent) -> None:
    """Say in the service's channels what runs now; what is only built for somebody to deploy does not."""
    service, version = str(intent.details.get("service") or intent.thing), intent.details.get("version")
    if version and intent.details.get("runs") is not False:
        name = simulation.person(intent.who).account.name
        note = intent.details.get("note") or intent.text or "no notes"
        text = f":package: {service} {version} is live: {note} ({name})"
        _post(simulation, service, DEPLOYS, f"{intent.key}/posted", text)


def _post(simulation: Simulation, service: str, bot: str, key: str, text: str) -> None:
    """Let a machine say something in the channels that a service posts to, some seconds later."""
    spec = simulation.setting.services.get(service)
    for channel, app in spec.shows.posts.items() if spec is not None and bot in simulation.setting.people else ():
        intent = Intent("tell", f"{key}/{channel}", bot, to=(channel,), via=app, text=text)
        at = simulation.state.now + simulation.stream("posts", intent.key).between(2 * SECOND, 60 * SECOND)
        simulation.schedule.push(at, "intent", intent.key, intent_document(intent), priority=BACKGROUND)


def _is_resolved(simulation: Simulation, key: str) -> bool:
    """Whether somebody resolved the alert that was raised under that key."""
    return any(thing.fields.get("status") == "resolved" for thing in _raised(simulation, key))


def _paged(simulation: Simulation, key: str) -> str:
    """A sentence about whom an alert was given to, by the app that knows who is on call; empty for nobody."""
    names = [str(thing.fields.get("assigned") or "") for thing in _raised(simulation, key)]
    people = [person for name in names if (person := simulation.setting.people.get(name)) is not None]
    return f" {people[0].account.name} was paged." if people else ""


def _raised(simulation: Simulation, key: str) -> list[Thing]:
    """The alert that was raised under that key, as its app has it now."""
    path = simulation.acting(simulation.person(MONITORING).account).bound(key) or ""
    name, _, pattern = path.partition(":")
    return simulation.setting.apps[name].find(simulation.rows(), pattern) if path else []


def _watch_again(simulation: Simulation, service: str) -> None:
    """An alert was resolved while its trouble lasts: it fires again if that goes on for the rule's own time."""
    del simulation.state.alerts[service]
    now, rule = simulation.state.now, parse_alert(simulation.setting.services[service].shows.alert)
    payload: JsonObject = {"service": service, "since": now}
    simulation.schedule.push(now + rule.lasting, "alert", f"alert/{service}/{now}", payload)


def check_customers(simulation: Simulation, due: Due) -> None:
    """Some customers will write over the next hour, most of them soon, if the trouble has lasted; each in their own way."""
    service, since = str(due.payload["service"]), int(str(due.payload["since"]))
    complaint = parse_complaint(simulation.setting.services[service].shows.customers)
    span = history(simulation.rows(), service, since, simulation.state.now)
    if not all(is_as_bad(health.state, complaint.state) for health in span):
        return
    stream = simulation.stream("customers", due.key)
    kind = f"customers.{service}.{complaint.state}"
    own = simulation.setting.phrases.get(kind, {})
    people = simulation.setting.people.items()
    # a customer's further contacts leave complaining to whoever speaks for it, unless they have words of their own
    customers = sorted(name for name, p in people if p.customer == name or (p.customer and name in own))
    count = stream.between(complaint.count.low, complaint.count.high)
    letters = _letters(simulation, kind, stream.shuffled(customers), stream)
    for who, letter in letters[:count]:
        subject, _, body = letter.partition("\n")
        intent = Intent(
            kind="tell",
            key=f"{due.key}/{who}",
            who=who,
            to=(complaint.to,),
            via=next(iter(simulation.person(who).reads), ""),
            subject=subject.strip(),
            text=body.strip(),
            details={"names": COMPLAINT + who},
        )
        at = simulation.state.now + stream.below(HOUR) * stream.below(HOUR) // HOUR
        payload: JsonObject = {"service": service, "state": complaint.state, "intent": intent_document(intent)}
        simulation.schedule.push(at, "complaint", intent.key, payload, priority=BACKGROUND)


def complain(simulation: Simulation, due: Due) -> None:
    """A customer writes, unless the trouble has been over for a while by then."""
    service, state, letter = str(due.payload["service"]), str(due.payload["state"]), due.payload["intent"]
    assert isinstance(letter, dict)
    now = simulation.state.now
    if any(is_as_bad(health.state, state) for health in history(simulation.rows(), service, now - _STILL_CROSS, now)):
        simulation.schedule.push(now, "intent", due.key, letter, priority=BACKGROUND)


def _letters(simulation: Simulation, kind: str, customers: list[str], stream: Stream) -> list[tuple[str, str]]:
    """What each customer writes: words of their own, else words in their voice that nobody else has used."""
    written = simulation.setting.phrases.get(kind, {})
    left = {who: stream.shuffled(texts) for who, texts in sorted(written.items())}
    found = []
    for who in customers:
        person = simulation.person(who)
        if who in left:
            found.append((who, stream.choice(written[who])))
            continue
        shared = next((left[word] for word in (person.voice, "any") if left.get(word)), None)
        if shared:
            signed = f"{person.account.name}\n{person.account.role}"
            found.append((who, f"{shared.pop()}\n\n{signed}"))
    return found


def schedule_announcements(simulation: Simulation, outage: Outage, began: Instant) -> None:
    """The vendor's status page says so when its people have noticed, and when it is over."""
    if outage.announced is None or not any("announce" in app.intents for app in simulation.setting.apps.values()):
        return
    told = began + outage.announced
    ended = began + outage.lasts
    steps: list[tuple[Instant, str, str]] = []
    if told < ended:
        steps.append(
            (told, "investigating", f"We are investigating {words_of(outage.mode).symptom} affecting {outage.target}.")
        )
        if ended - told > HOUR:
            steps.append(
                (
                    told + (ended - told) // 2,
                    "identified",
                    "The cause has been identified and a fix is being put in place.",
                )
            )
    steps.append(
        (
            max(told, ended + 5 * MINUTE),
            "resolved",
            f"This incident has been resolved. {outage.target} is operating normally.",
        )
    )
    for number, (at, status, body) in enumerate(steps):
        intent = Intent(
            kind="announce",
            key=f"outage/{outage.name}/announced/{number}",
            who=STATUS,
            subject=words_of(outage.mode).symptom.capitalize(),
            text=body,
            thing=outage.name,
            details={
                "vendor": outage.target,
                "status": status,
                "impact": "major" if outage.mode == "down" else "minor",
            },
        )
        at += simulation.stream("announced", outage.name, number).below(MINUTE)
        simulation.schedule.push(at, "intent", intent.key, intent_document(intent), priority=EDGE)
        for channel, app in _followers(simulation, outage.target):
            said = f":information_source: {outage.target}, {status}: {body}"
            post = Intent("tell", f"{intent.key}/posted/{channel}", STATUS, to=(channel,), via=app, text=said)
            seen = at + simulation.stream("posts", post.key).between(5 * SECOND, 90 * SECOND)
            simulation.schedule.push(seen, "intent", post.key, intent_document(post), priority=BACKGROUND)


def _followers(simulation: Simulation, target: str) -> list[tuple[str, str]]:
    """The channels in which what a vendor says about that part of it is posted, with the app of each."""
    found = {}
    for spec in simulation.setting.services.values():
        parts = [part for need in spec.needs.values() for part in (need.on, *need.can_be)]
        if any(part == target or part.startswith(f"{target}/") for part in parts):
            found.update(spec.shows.posts)
    return sorted(found.items())
