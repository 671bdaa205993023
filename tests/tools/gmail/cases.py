"""Gmail's operations, each seen to succeed and to fail."""

from brownout.testing.conformance import Case, NamedThing, Step

__all__ = ["CASES", "NAMED", "SHAPE"]

SHAPE = frozenset({"error"})
_ME = "wren@pennywhistle.test"
_MINE = Step("gmail_send", {"to": [_ME], "subject": "Mine", "body": "x"}, {"mail": "id", "thread": "threadId"})
_DRAFT = Step("gmail_create_draft", {"to": [_ME], "subject": "Mine", "body": "x"}, {"draft": "id"})
_TRASHED = Step("gmail_trash_message", {"message_id": "$mail"})
_NO_SUCH = "0000000000000000"
_NONE = "notFound"

CASES = (
    Case("gmail_search", {"q": "seat"}, {"page_token": "nonsense"}, "Invalid pageToken"),
    Case("gmail_list_threads", {}, {"page_token": "nonsense"}, "Invalid pageToken"),
    Case("gmail_get_message", {"message_id": "$mail"}, {"message_id": _NO_SUCH}, _NONE, (_MINE,)),
    Case("gmail_get_thread", {"thread_id": "$thread"}, {"thread_id": _NO_SUCH}, _NONE, (_MINE,)),
    Case("gmail_get_profile", {}, {"colour": "blue"}, "badRequest"),
    Case("gmail_search_directory", {"query": "ida"}, {"page_size": 0}, "badRequest"),
    Case("gmail_send", {"to": [_ME], "body": "x"}, {"to": ["nobody"]}, "Invalid To header"),
    Case("gmail_reply", {"message_id": "$mail", "body": "x"}, {"message_id": _NO_SUCH, "body": "x"}, _NONE, (_MINE,)),
    Case("gmail_forward", {"message_id": "$mail", "to": [_ME]}, {"message_id": _NO_SUCH, "to": [_ME]}, _NONE, (_MINE,)),
    Case("gmail_create_draft", {"to": [_ME]}, {"to": ["nobody"]}, "Invalid To header"),
    Case(
        "gmail_update_draft",
        {"draft_id": "$draft", "to": [_ME], "subject": "s", "body": "y"},
        {"draft_id": "r1", "to": [_ME], "subject": "s", "body": "y"},
        _NONE,
        (_DRAFT,),
    ),
    Case("gmail_list_drafts", {}, {"page_token": "nonsense"}, "Invalid pageToken"),
    Case("gmail_send_draft", {"draft_id": "$draft"}, {"draft_id": "r1"}, _NONE, (_DRAFT,)),
    Case("gmail_delete_draft", {"draft_id": "$draft"}, {"draft_id": "r1"}, _NONE, (_DRAFT,)),
    Case("gmail_list_labels", {}, {"colour": "blue"}, "badRequest"),
    Case("gmail_create_label", {"name": "Venues"}, {"name": "INBOX"}, "conflicts"),
    Case(
        "gmail_modify_labels",
        {"message_id": "$mail", "add_label_ids": ["IMPORTANT"]},
        {"message_id": "$mail", "add_label_ids": ["Nonsense"]},
        "Invalid label",
        (_MINE,),
    ),
    Case("gmail_mark_read", {"message_ids": ["$mail"]}, {"message_ids": [_NO_SUCH]}, _NONE, (_MINE,)),
    Case("gmail_star_message", {"message_id": "$mail"}, {"message_id": _NO_SUCH}, _NONE, (_MINE,)),
    Case("gmail_trash_message", {"message_id": "$mail"}, {"message_id": _NO_SUCH}, _NONE, (_MINE,)),
    Case("gmail_untrash_message", {"message_id": "$mail"}, {"message_id": _NO_SUCH}, _NONE, (_MINE, _TRASHED)),
)

NAMED = (
    NamedThing("gmail", "*seat*"),
    NamedThing("gmail", "Mine", (_MINE,)),
    NamedThing("gmail", "wren.message/$mail", (_MINE,)),
)
