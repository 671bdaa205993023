"""The wiki's operations, each seen to succeed and to fail."""

from brownout.testing.conformance import Case, NamedThing, Step

__all__ = ["CASES", "NAMED", "SHAPE"]

SHAPE = frozenset({"errors"})
_PAGE = "Why is a seat grey?"
_NONE = "NOT_FOUND"
_BAD = "INVALID_REQUEST_PARAMETER"

CASES = (
    Case("docs_list_spaces", {}, {"colour": "blue"}, _BAD),
    Case("docs_search", {"query": "seat"}, {"query": "seat", "cursor": "nonsense"}, _BAD),
    Case("docs_list_pages", {}, {"space": "NOWHERE"}, _NONE),
    Case("docs_get_page", {"page": _PAGE}, {"page": "No such page"}, _NONE),
    Case("docs_get_history", {"page": _PAGE}, {"page": "No such page"}, _NONE),
    Case("docs_get_version", {"page": _PAGE, "number": 1}, {"page": _PAGE, "number": 99}, _NONE),
    Case("docs_list_comments", {"page": _PAGE}, {"page": "No such page"}, _NONE),
    Case("docs_create_page", {"space": "HELP", "title": "New"}, {"space": "HELP", "title": _PAGE}, _BAD),
    Case(
        "docs_update_page",
        {"page": _PAGE, "version": 1, "body": "x"},
        {"page": _PAGE, "version": 9, "body": "x"},
        "CONFLICT",
    ),
    Case(
        "docs_restore_version",
        {"page": _PAGE, "number": 1},
        {"page": _PAGE, "number": 99},
        _NONE,
        (Step("docs_append_to_page", {"page": _PAGE, "text": "x"}),),
    ),
    Case("docs_append_to_page", {"page": _PAGE, "text": "x"}, {"page": "No such page", "text": "x"}, _NONE),
    Case("docs_add_comment", {"page": _PAGE, "body": "x"}, {"page": "No such page", "body": "x"}, _NONE),
    Case("docs_delete_page", {"page": _PAGE}, {"page": "No such page"}, _NONE),
)

NAMED = (
    NamedThing("docs", _PAGE),
    NamedThing("docs", "Why is*"),
    NamedThing("docs", "New", (Step("docs_create_page", {"space": "HELP", "title": "New"}),)),
)
