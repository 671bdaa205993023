"""When people read and answer."""

from datetime import timedelta

from brownout.core.instants import MINUTE, Instant, from_datetime, local
from brownout.core.seeds import Stream
from brownout.engine.setting import Profile

__all__ = ["is_working", "next_reading"]


def is_working(person: Profile, at: Instant) -> bool:
    """Whether somebody is at work at that moment."""
    if (person.joins is not None and at < person.joins) or (person.leaves is not None and at >= person.leaves):
        return False
    if person.hours is None:
        return True
    here = local(at, person.account.zone)
    low, high = person.hours
    return here.weekday() < 5 and low <= here.hour * 60 + here.minute < high


def next_reading(person: Profile, at: Instant, stream: Stream) -> Instant | None:
    """When somebody reads what reached them at `at`; None where they have left.

    At work within some minutes, else some minutes into their next working day.
    """
    if person.leaves is not None and at >= person.leaves:
        return None
    if is_working(person, at):
        return at + stream.between(MINUTE, 9 * MINUTE)
    assert person.hours is not None or person.joins is not None
    here = local(max(at, person.joins or at), person.account.zone)
    opening = (person.hours or (0, 1440))[0]
    day = here.replace(hour=opening // 60, minute=opening % 60, second=0, microsecond=0)
    if day < here:
        day += timedelta(days=1)
    while day.weekday() >= 5:
        day += timedelta(days=1)
    return from_datetime(day) + stream.between(2 * MINUTE, 25 * MINUTE)
