"""When people read and answer."""

from brownout.core.instants import MINUTE, Instant
from brownout.core.seeds import Stream
from brownout.engine.simulation_setting import Profile

__all__ = ["next_reading"]


def next_reading(person: Profile, at: Instant, stream: Stream) -> Instant | None:
    """When somebody reads what reached them at `at`; None where they have left.

    At work within some minutes, else some minutes into their next working day.
    """
    there = person.attendance.next_working(at)
    if there is None:
        return None
    if there == at:
        return at + stream.between(MINUTE, 9 * MINUTE)
    return there + stream.between(2 * MINUTE, 25 * MINUTE)
