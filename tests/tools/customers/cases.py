"""The register's operations, each seen to succeed and to fail."""

from brownout.testing.conformance import Case, NamedThing, Step

__all__ = ["CASES", "NAMED", "SHAPE"]

SHAPE = frozenset({"status", "message", "category"})
_NONE = "OBJECT_NOT_FOUND"
_BAD = "VALIDATION_ERROR"
_HALL = {"account": "corner-hall"}
_NOBODY = {"account": "nobody"}
_ONE = Step("customers_list_conversations", {"query": 'account:saltworks "Row C"'}, {"one": "results[0].id"})
_TWO = Step("customers_list_conversations", {"query": "account:saltworks sold"}, {"two": "results[0].id"})

CASES = (
    Case("customers_search_accounts", {"query": "plan:house"}, {"query": "colour:blue"}, _BAD),
    Case("customers_get_account", _HALL, _NOBODY, _NONE),
    Case("customers_update_account", {**_HALL, "health": "good"}, {**_HALL, "owner": "nobody"}, _NONE),
    Case("customers_list_attributes", {}, {"colour": "blue"}, _BAD),
    Case(
        "customers_set_attribute",
        {**_HALL, "attribute": "lead_hours", "value": "24"},
        {**_HALL, "attribute": "lead_hours", "value": "a day"},
        _BAD,
    ),
    Case("customers_list_account_changes", _HALL, _NOBODY, _NONE),
    Case("customers_list_contacts", _HALL, _NOBODY, _NONE),
    Case(
        "customers_add_contact",
        {**_HALL, "name": "Ann", "email": "ann@cornerhall.test"},
        {**_HALL, "name": "Polly", "email": "polly@cornerhall.test"},
        "CONFLICT",
    ),
    Case("customers_get_contract", _HALL, {"account": "foundry-stage"}, _NONE),
    Case("customers_list_contract_versions", _HALL, _NOBODY, _NONE),
    Case(
        "customers_change_contract",
        {**_HALL, "note": "Agreed.", "notice_days": 30},
        {**_HALL, "note": "Agreed.", "until": "soon"},
        _BAD,
    ),
    Case("customers_list_conversations", {"query": "status:open"}, {"query": "created>soon"}, _BAD),
    Case("customers_get_conversation", {"conversation": "$one"}, {"conversation": 999}, _NONE, (_ONE,)),
    Case(
        "customers_create_conversation",
        {**_HALL, "subject": "A call", "text": "They rang."},
        {"subject": "A call", "text": "x"},
        _BAD,
    ),
    Case(
        "customers_reply_to_conversation",
        {"conversation": "$one", "text": "Soon."},
        {"conversation": 999, "text": "Soon."},
        _NONE,
        (_ONE,),
    ),
    Case(
        "customers_assign_conversation",
        {"conversation": "$one", "assignee": "owen"},
        {"conversation": "$one", "assignee": "nobody"},
        _NONE,
        (_ONE,),
    ),
    Case(
        "customers_set_conversation_status",
        {"conversation": "$one", "status": "solved"},
        {"conversation": 999, "status": "solved"},
        _NONE,
        (_ONE,),
    ),
    Case(
        "customers_set_conversation_account",
        {"conversation": "$one", **_HALL},
        {"conversation": "$one", **_NOBODY},
        _NONE,
        (_ONE,),
    ),
    Case(
        "customers_merge_conversations",
        {"conversation": "$two", "into": "$one"},
        {"conversation": "$one", "into": "$one"},
        _BAD,
        (_ONE, _TWO),
    ),
    Case("customers_add_note", {**_HALL, "text": "x"}, {"text": "x"}, _BAD),
    Case("customers_list_notes", _HALL, _NOBODY, _NONE),
    Case("customers_tag", {**_HALL, "add": ["vip"]}, _HALL, _BAD),
)

NAMED = (
    NamedThing("customers", "corner-hall"),
    NamedThing("customers", "blue-lantern.attributes"),
    NamedThing("customers", "Row C*"),
    NamedThing("customers", "conversation/$one", (_ONE,)),
)
