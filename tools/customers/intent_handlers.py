"""How people's intents become changes of accounts, notes, and moves of conversations."""

from brownout.core.apps import Call, Intent, IntentHandler, IntentKind
from brownout.core.rows import Row, Value
from brownout.core.values import JsonObject
from tools.customers import lookups, records, tables
from tools.customers.paths import path_of_account, path_of_conversation
from tools.customers.records import Terms
from tools.customers.settings import notice_days

__all__ = ["handlers"]

_FIELDS = ("plan", "sites", "region", "owner", "health")


def _write(call: Call, intent: Intent) -> str:
    """Change a customer's record: fields, tags, a new version of the contract, a note."""
    details = intent.details
    account = lookups.account_called(call.rows, str(details.get("account", "")))
    if account is None:
        raise LookupError(f"{intent.key}: there is no account {details.get('account')!r}")
    changes: dict[str, Value] = {}
    for name in _FIELDS:
        value = details.get(name)
        if isinstance(value, str | int):
            changes[name] = value
    account = records.change_account(call, account, changes, who=intent.who)
    terms, tags = details.get("contract"), details.get("tags")
    if isinstance(terms, dict):
        records.make_contract(call, account, _terms(call, account, intent, terms), who=intent.who, note=intent.text)
    elif intent.text.strip():
        records.add_note(call, intent.text, who=intent.who, account=account)
    _set_values(call, account, intent)
    if isinstance(tags, list) and tags:
        records.set_tags(call, account, add=[str(tag) for tag in tags], remove=[])
    return path_of_account(account)


def _set_values(call: Call, account: Row, intent: Intent) -> None:
    values = intent.details.get("attributes")
    for name, value in values.items() if isinstance(values, dict) else ():
        attribute = lookups.attribute_called(call.rows, name)
        text = records.normal(attribute, str(value)) if attribute is not None else None
        if attribute is None or text is None:
            raise LookupError(f"{intent.key}: {name!r} is no attribute that could be {value!r}")
        records.set_value(call, account, attribute, text, who=intent.who)


def _terms(call: Call, account: Row, intent: Intent, given: JsonObject) -> Terms:
    """The terms that hold with what is new."""
    held = lookups.contract_of(call.rows, account)
    start = str(given.get("start", held.text("start") if held else ""))
    if not start:
        raise LookupError(f"{intent.key}: the first contract of {account.text('short')} needs a start")
    notice, monthly = given.get("notice"), given.get("monthly", held.number("monthly") if held else 0)
    return Terms(
        start,
        str(given.get("until", held.text("until") if held else "")),
        notice_days(str(notice)) if notice is not None else held.number("notice_days") if held else 0,
        monthly if isinstance(monthly, int) else 0,
        str(given.get("terms", held.text("terms") if held else "")),
    )


def _comment(call: Call, intent: Intent) -> str:
    """A note on a customer or on a conversation."""
    account = lookups.account_called(call.rows, intent.thing.removeprefix("customers:"))
    conversation = _conversation(call, intent) if account is None else None
    records.add_note(call, intent.text, who=intent.who, account=account, conversation=conversation)
    return path_of_account(account) if account else path_of_conversation(_known(conversation))


def _close(call: Call, intent: Intent) -> str:
    """A conversation is done with; what is said about it is noted, and what nobody had was done by who says so."""
    conversation, noted = _conversation(call, intent), intent.details.get("text")
    if isinstance(noted, str) and noted.strip():
        records.add_note(call, noted.strip(), who=intent.who, conversation=conversation)
    if not conversation["assignee"]:
        conversation = records.assign(call, conversation, intent.who)
    return path_of_conversation(records.set_status(call, conversation, "solved"))


def _begin(call: Call, intent: Intent) -> str:
    """What was snoozed is open again."""
    return path_of_conversation(records.wake(call, _conversation(call, intent), who=intent.who))


def _assign(call: Call, intent: Intent) -> str:
    whom = intent.to[0] if intent.to else ""
    if whom and lookups.user_of(call.rows, whom) is None:
        raise LookupError(f"{intent.key}: {whom} has no seat in the register")
    return path_of_conversation(records.assign(call, _conversation(call, intent), whom))


def _conversation(call: Call, intent: Intent) -> Row:
    """The conversation that is named by its path, or by a mail of it: of the same storyline, or `line/mail`."""
    line = intent.key.partition("/")[0]
    path = intent.thing if ":" in intent.thing else ""
    path = path or call.bound(intent.thing) or call.bound(f"{line}/{intent.thing}") or ""
    found = lookups.conversation_of(call.rows, path)
    number = path.removeprefix("customers:conversation/")
    if found is None and number != path and number.isdecimal():
        found = call.rows.get(tables.conversation, int(number))
    if found is None:
        raise LookupError(f"{intent.key}: no conversation stands for {intent.thing!r}")
    return found


def _known(found: Row | None) -> Row:
    assert found is not None
    return found


handlers: dict[IntentKind, IntentHandler] = {
    "write": _write,
    "comment": _comment,
    "close": _close,
    "assign": _assign,
    "begin": _begin,
}
