"""What a change of a row says, and to whom: a message, to the members of its channel."""

from brownout.core.apps import Utterance
from brownout.core.calls import Effect
from brownout.core.rows import Rows
from tools.slack import tables
from tools.slack.records import channel_label, message_path
from tools.slack.selectors import readers_of

__all__ = ["utterance"]


def utterance(rows: Rows, effect: Effect) -> Utterance | None:
    """A message that was posted or edited, readable by the channel's members."""
    row = effect.after
    if effect.table != "slack_message" or row is None or row["is_deleted"]:
        return None
    key = row.number("channel")
    label, to = rows.remembered(("slack", "heard in", key), lambda: _heard_in(rows, key))
    return Utterance(message_path(label, row.number("at_us")), row.text("text"), to)


def _heard_in(rows: Rows, key: int) -> tuple[str, frozenset[str]]:
    """What a channel is called, and who hears what is said in it: its members, and the channel itself."""
    channel, readers = rows.get(tables.channel, key), readers_of(rows, key)
    if channel is None:
        return "#gone", frozenset(readers)
    label = channel_label(channel)
    return label, frozenset((*readers, label))
