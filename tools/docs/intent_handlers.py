"""How people's intents become pages and comments."""

import re

from pydantic import BaseModel, ConfigDict, Field

from brownout.core.apps import Call, Intent, IntentHandler, IntentKind
from brownout.core.calls import Account
from brownout.core.errors import AuthoringError, Mistake
from brownout.core.rows import Row
from brownout.core.values import JsonObject
from tools.docs import records

__all__ = ["KEY", "DocsSettings", "handlers", "open_account", "prepare"]

KEY = re.compile(r"[A-Za-z0-9]{1,255}")


class SpaceSettings(BaseModel):
    """A space as the author declares it."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(description="Its name.")
    description: str = Field(default="", description="What it is for.")
    public: bool = Field(default=False, description="Customers read it: a new page in it is no mere addition.")


class DocsSettings(BaseModel):
    """The world's `apps: docs:` section."""

    model_config = ConfigDict(extra="forbid")
    spaces: dict[str, SpaceSettings] = Field(
        default={"WIKI": SpaceSettings(name="Wiki")}, description="Spaces by key, `ENG`; one WIKI without them."
    )


def prepare(call: Call, settings: JsonObject) -> None:
    """Make the spaces.

    Raises:
        AuthoringError: a space's key is not letters and digits only.
    """
    wanted = DocsSettings.model_validate(settings).spaces
    mistakes = [
        Mistake("world.yaml", 0, f"apps.docs.spaces: expected a key of letters and digits such as ENG, found {key!r}")
        for key in wanted
        if not KEY.fullmatch(key)
    ]
    if not wanted:
        mistakes.append(Mistake("world.yaml", 0, "apps.docs.spaces: expected at least one space"))
    if mistakes:
        raise AuthoringError(mistakes)
    for key, space in wanted.items():
        records.add_space(call, key, space.name, space.description, is_public=space.public)


def open_account(call: Call, account: Account) -> None:
    """An account for everybody but outsiders."""
    if account.kind != "outsider":
        records.add_user(call, account)


def _write(call: Call, intent: Intent) -> str:
    """Write a page, or the next version of the one that has its title; with `append: true`, below what it says."""
    if not intent.subject.strip():
        raise LookupError(f"{intent.key}: a page needs a title")
    me = _user(call, intent.who)
    named = intent.details.get("space")
    space = _space(call, intent, str(named)) if named else None
    message = str(intent.details.get("message", ""))
    page = records.page_titled(call, intent.subject, space)
    if page is None:
        space = space or records.spaces(call)[0]
        page = records.create_page(call, space, me, intent.subject, intent.text, message)
    else:
        body = records.below(page, intent.text) if intent.details.get("append") else intent.text
        page = records.change_page(call, page, me, body=body, message=message)
    return records.path_of_page(call.rows, page)


def _comment(call: Call, intent: Intent) -> str:
    path = intent.thing if intent.thing.startswith("docs:") else call.bound(intent.thing) or ""
    is_page = path.startswith("docs:") and ".page/" in path
    page = records.page_by_id(call, path.rpartition("/")[2]) if is_page else None
    if page is None:
        raise LookupError(f"{intent.key}: no page stands for {intent.thing!r}")
    records.add_comment(call, page, _user(call, intent.who), intent.text)
    return records.path_of_page(call.rows, page)


def _space(call: Call, intent: Intent, name: str) -> Row:
    found = records.space_named(call, name)
    if found is None:
        raise LookupError(f"{intent.key}: the wiki has no space {name!r}")
    return found


def _user(call: Call, person: str) -> Row:
    found = records.user_of(call, person)
    if found is None:
        raise LookupError(f"{person} has no account in the wiki")
    return found


handlers: dict[IntentKind, IntentHandler] = {"write": _write, "comment": _comment}
