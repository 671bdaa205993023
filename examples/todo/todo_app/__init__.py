"""Shared to-do lists: a whole app. It touches no file of Brownout's."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Column, Integer, MetaData, Table, Text, bindparam, select

from brownout.core.apps import App, Call, Intent, Refusal, Thing, Utterance, VendorError
from brownout.core.calls import Account, Effect
from brownout.core.operations import Operations
from brownout.core.rows import Row, Rows
from brownout.core.values import Json, JsonObject
from brownout.core.vocabulary import AppText, FieldSpec, Vocabulary, WorldNames
from brownout.store import compile_query

metadata = MetaData()
item = Table(
    "todo_item",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("text", Text, nullable=False),
    Column("owner", Text, nullable=False),
    Column("is_done", Integer, nullable=False, server_default="0"),
)
_OPEN = compile_query(select(item).where(item.c.is_done == 0).order_by(item.c.id))
_ALL = compile_query(select(item).where(item.c.text.like(bindparam("like"))).order_by(item.c.id))
operations = Operations("todo")


def add(call: Call, text: str, owner: str) -> int:
    number = call.rows.insert(item, text=text, owner=owner)
    if owner != call.actor.person:
        call.reach(owner, "assigned", f"todo:item/{number}", f"{call.actor.name} put {text!r} on your list")
    return number


@operations.read
def list_items(call: Call) -> Json:
    """List what is still to do."""
    return [
        {"id": row.number("id"), "text": row.text("text"), "owner": row.text("owner")} for row in call.rows.all(_OPEN)
    ]


@operations.write(addition=True)
def add_item(call: Call, text: Annotated[str, Field(description="What is to be done.", min_length=1)]) -> Json:
    """Add something to do."""
    return {"id": add(call, text, call.actor.person)}


@operations.write()
def finish_item(call: Call, number: Annotated[int, Field(description="The item's id.")]) -> Json:
    """Tick something off."""
    if call.rows.get(item, number) is None:
        raise invalid(f"no item {number}")
    call.rows.update(item, number, is_done=1)
    return {"done": number}


def invalid(detail: str) -> VendorError:
    return VendorError("bad", {"problem": detail}, status=400)


def refuse(refusal: Refusal) -> VendorError:
    return VendorError(refusal.kind, {"problem": refusal.kind}, status=503)


class Settings(BaseModel):
    """The world's `apps: todo:` section."""

    model_config = ConfigDict(extra="forbid")
    items: dict[str, str] = Field(default={}, description="What is to be done on the first day, and by whom.")


def open_account(call: Call, account: Account) -> None:
    pass


def prepare(call: Call, settings: JsonObject) -> None:
    for text, owner in Settings.model_validate(settings).items.items():
        call.rows.insert(item, text=text, owner=owner)


def vocabulary(settings: JsonObject, outline: WorldNames) -> Vocabulary:
    items = Settings.model_validate(settings).items
    return Vocabulary(
        problems=tuple(
            problem for text, owner in items.items() for problem in outline.strangers([owner], ("items", text))
        ),
        details={"assign": {}},
        fields=lambda thing: {"text": FieldSpec(), "done": FieldSpec()},
        paths=["item/*"],
    )


def carry_assign(call: Call, intent: Intent) -> str:
    return f"todo:item/{add(call, intent.subject, intent.to[0])}"


def path_of(rows: Rows, table: str, row: Row) -> str:
    return f"todo:item/{row.number('id')}"


def find(rows: Rows, pattern: str) -> list[Thing]:
    """Items by their path, `item/3`, or by their text, `water*`."""
    number = pattern.removeprefix("item/")
    by_path = [row] if number != pattern and number.isdecimal() and (row := rows.get(item, int(number))) else []
    return [
        Thing(
            f"todo:item/{row.number('id')}",
            {"text": row.text("text"), "done": bool(row["is_done"])},
            (("todo_item", row.number("id")),),
        )
        for row in by_path or rows.all(_ALL, like=pattern.replace("*", "%"))
    ]


def utterance(rows: Rows, effect: Effect) -> Utterance | None:
    return Utterance(f"todo:item/{effect.key}", effect.after.text("text"), frozenset()) if effect.after else None


app = App(
    name="todo",
    title="To-do",
    vendor="todo",
    tables=metadata,
    operations=operations,
    intents={"assign": carry_assign},
    refuse=refuse,
    invalid=invalid,
    open_account=open_account,
    prepare=prepare,
    path_of=path_of,
    find=find,
    utterance=utterance,
    text=AppText(Settings, vocabulary),
)
