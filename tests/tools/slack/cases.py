"""Slack's operations, each seen to succeed and to fail."""

from brownout.testing.conformance import Case, NamedThing, Step

__all__ = ["CASES", "NAMED", "SHAPE"]

SHAPE = frozenset({"ok", "error"})
_LAST = Step("slack_read_channel", {"channel": "#ops"}, {"ts": "messages[0].ts"})
_OTHERS = Step("slack_read_channel", {"channel": "#ops"}, {"last": "messages[0].ts"})
_SENT = Step("slack_send_message", {"channel": "#ops", "text": "hi"}, {"ts": "ts"})
_NO_SUCH = "1.000000"

CASES = (
    Case("slack_list_channels", {}, {"cursor": "nonsense"}, "invalid_cursor"),
    Case("slack_read_channel", {"channel": "#ops"}, {"channel": "#nowhere"}, "channel_not_found"),
    Case(
        "slack_read_thread",
        {"channel": "#ops", "ts": "$ts"},
        {"channel": "#ops", "ts": _NO_SUCH},
        "thread_not_found",
        (_LAST,),
    ),
    Case("slack_search_messages", {"query": "seat"}, {"query": "seat", "cursor": "nonsense"}, "invalid_cursor"),
    Case(
        "slack_send_message", {"channel": "#ops", "text": "hi"}, {"channel": "@nobody", "text": "hi"}, "user_not_found"
    ),
    Case(
        "slack_update_message",
        {"channel": "#ops", "ts": "$ts", "text": "hello"},
        {"channel": "#ops", "ts": "$last", "text": "hello"},
        "cant_update_message",
        (_OTHERS, _SENT),
    ),
    Case(
        "slack_delete_message",
        {"channel": "#ops", "ts": "$ts"},
        {"channel": "#ops", "ts": "$last"},
        "cant_delete_message",
        (_OTHERS, _SENT),
    ),
    Case("slack_list_users", {}, {"cursor": "nonsense"}, "invalid_cursor"),
    Case(
        "slack_add_reaction",
        {"channel": "#ops", "ts": "$ts", "name": "eyes"},
        {"channel": "#ops", "ts": _NO_SUCH, "name": "eyes"},
        "message_not_found",
        (_LAST,),
    ),
    Case("slack_join_channel", {"channel": "#attic"}, {"channel": "#nowhere"}, "channel_not_found"),
)

NAMED = (NamedThing("slack", "#ops"), NamedThing("slack", "#o*"))
