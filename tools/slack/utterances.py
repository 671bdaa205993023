"""What a change of a row says, and to whom: a message, to the members of its channel."""

from brownout.core.apps import Utterance
from brownout.core.calls import Effect
from brownout.core.rows import Rows
from tools.slack import tables
from tools.slack.records import channel_label
from tools.slack.selectors import path_of, readers_of

__all__ = ["utterance"]


def utterance(rows: Rows, effect: Effect) -> Utterance | None:
    """A message that was posted or edited, readable by the channel's members."""
    row = effect.after
    if effect.table != "slack_message" or row is None or row["is_deleted"]:
        return None
    key = row.number("channel")
    to = {*readers_of(rows, key)}
    channel = rows.get(tables.channel, key)
    if channel is not None:
        to.add(channel_label(channel))
    return Utterance(path_of(rows, effect.table, row), row.text("text"), frozenset(to))
