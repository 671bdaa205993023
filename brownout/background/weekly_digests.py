"""What products sum up once a week, by mail to those who asked for it: tickets and requests opened, and alerts of machines.

All that a digest counts or names is there: a ticket that never came about, because the tracker was away, takes its digest with it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from brownout.background.bot_messages import MachineAlert
from brownout.background.life_sources import Life
from brownout.background.matter_steps import MatterStep
from brownout.core.apps import Intent
from brownout.core.instants import MINUTE, SECOND, Instant, local
from brownout.core.seeds import Stream

__all__ = ["digests"]

_SUBSCRIBED, _LEADS = 20, 70
"""Percent of those who take part in something, and of those who lead it, that have its digest sent. Without a source."""
_LISTED: Final = 9
"""Alerts that are listed by rule and host, the most frequent first."""
_EARLY: Final = 6 * 60 + 5
"""Minutes after the midnight before Monday at which the first is sent: products do it by the same clock every week."""


def digests(
    life: Life, opened: Sequence[Intent], alerts: Sequence[MachineAlert], start: Instant
) -> Iterator[MatterStep]:
    """The digests of a Monday.

    Args:
        opened: by which tickets and requests were opened in the week before, in their order.
        alerts: what machines had in that week.
        start: when the Monday begins.
    """
    mails = life.apps.get("mails", "")
    if not mails or not life.volumes.get("machines", 0):
        return
    week = f"{local(start, life.zone):%-d %B}"
    names = {person.name: person.full for person in life.people}

    def line(intent: Intent) -> str:
        return f"[[{intent.key}]]  {intent.subject} ({names.get(intent.who, 'a machine')})"

    if life.tracker:
        for project in life.projects:
            of_project = [one for one in opened if one.details.get("project") == project.key]
            kinds = Counter(str(one.details["type"]) for one in of_project)
            counted = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
            lines = [f"{project.key}: {len(of_project)} created ({counted})", *map(line, of_project)]
            subject = f"[{life.tracker_title}] {project.key}, week before {week}"
            yield from _sent(
                life, life.tracker, project.key, of_project, project.people, project.lead, subject, lines, start
            )
    if keeper := life.bots.get("keeper", ""):
        for base in life.code:
            of_base = [one for one in opened if one.details.get("repo") == base.full_name]
            lines = [f"Pull requests opened in {base.full_name}: {len(of_base)}", *(f"#{line(one)}" for one in of_base)]
            subject = f"[{base.full_name}] {len(of_base)} new pull requests"
            yield from _sent(life, keeper, base.full_name, of_base, base.reviewers, "", subject, lines, start)
    if watch := life.bots.get("watch", ""):
        often = Counter(f"{alert.rule} on {alert.host}" for alert in alerts)
        most = often.most_common(_LISTED)
        rest = len(alerts) - sum(count for _, count in most)
        lines = [f"Alerts: {len(alerts)}", *(f"{count}x  {what}" for what, count in most)]
        lines += [f"{rest}x  others"] if rest else []
        engineers = [person.name for person in life.people if person.area == "engineering"]
        yield from _sent(
            life, watch, "alerts", alerts, engineers, "", f"Alerts of the week before {week}", lines, start
        )


def _sent(
    life: Life,
    sender: str,
    about: str,
    counted: Sequence[object],
    people: Sequence[str],
    lead: str,
    subject: str,
    lines: Sequence[str],
    start: Instant,
) -> Iterator[MatterStep]:
    """One digest to each who has it sent; none of a week in which there was nothing."""
    if not counted:
        return
    at = start + _EARLY * MINUTE + Stream(life.seed, "digest", about).below(25) * MINUTE
    for person in people:
        if not Stream(life.seed, "digest", about, person).chance(_LEADS if person == lead else _SUBSCRIBED):
            continue
        key = f"digest/{start}/{about}/{person}"
        text = "\n".join([lines[0], "", *lines[1:], "", "--", f"Sent weekly. {life.company}: change what you get in your profile."])  # fmt: skip
        mail = Intent("tell", key, sender, to=(person,), via=life.apps["mails"], subject=subject, text=text)
        if life.is_free(text):
            yield MatterStep(at + Stream(life.seed, key).between(2, 40 * 1000) * SECOND // 1000, mail)
