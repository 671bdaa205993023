"""Every Slack operation, succeeding and failing as Slack does."""

from collections.abc import Iterator

import pytest

import brownout
from brownout.core.apps import VendorError
from brownout.core.values import Json, JsonObject
from brownout.engine.session import Session


@pytest.fixture
def session() -> Iterator[Session]:
    with brownout.open_session("tiny", task="mend-the-help-page") as opened:
        yield opened


def ok(session: Session, operation: str, /, **arguments: Json) -> JsonObject:
    answer = session.call(f"slack_{operation}", arguments)
    assert not answer.is_error, answer.content
    assert isinstance(answer.structured, dict)
    return answer.structured


def error(session: Session, operation: str, /, **arguments: Json) -> str:
    answer = session.call(f"slack_{operation}", arguments)
    assert answer.is_error, answer.content
    assert isinstance(answer.structured, dict)
    assert answer.structured["ok"] is False
    return str(answer.structured["error"])


def test_channels_are_those_one_can_see(session: Session) -> None:
    found = ok(session, "list_channels")["channels"]
    assert isinstance(found, list)
    assert {str(c["name"]) for c in found if isinstance(c, dict)} == {"general", "ops", "product", "support"}
    assert error(session, "list_channels", cursor="nonsense") == "invalid_cursor"


def test_a_channel_reads_newest_first_and_goes_on(session: Session) -> None:
    first = ok(session, "read_channel", channel="#general", limit=3)
    messages = first["messages"]
    assert isinstance(messages, list)
    stamps = [str(m["ts"]) for m in messages if isinstance(m, dict)]
    assert stamps == sorted(stamps, reverse=True)
    assert first["has_more"] is True
    meta = first["response_metadata"]
    assert isinstance(meta, dict)
    after = ok(session, "read_channel", channel="#general", limit=3, cursor=meta["next_cursor"])["messages"]
    assert isinstance(after, list)
    assert max(str(m["ts"]) for m in after if isinstance(m, dict)) < min(stamps)
    assert error(session, "read_channel", channel="#secret") == "channel_not_found"
    assert error(session, "read_channel", channel="#general", oldest="yesterday") == "invalid_ts_latest"


def test_a_thread_is_begun_answered_and_read(session: Session) -> None:
    sent = ok(session, "send_message", channel="#ops", text="one @ida")
    ok(session, "send_message", channel="#ops", text="two", thread_ts=sent["ts"])
    thread = ok(session, "read_thread", channel="#ops", ts=sent["ts"])["messages"]
    assert isinstance(thread, list)
    assert [str(m["text"]).split()[0] for m in thread if isinstance(m, dict)] == ["one", "two"]
    assert error(session, "read_thread", channel="#ops", ts="1.000000") == "thread_not_found"
    assert error(session, "send_message", channel="#ops", text="x", thread_ts="1.000000") == "thread_not_found"


def test_messages_go_to_people_and_channels_one_is_in(session: Session) -> None:
    assert str(ok(session, "send_message", channel="@marcus", text="hi")["channel"]).startswith("D0")
    assert error(session, "send_message", channel="@nobody", text="hi") == "user_not_found"
    assert error(session, "send_message", channel="#nowhere", text="hi") == "channel_not_found"
    assert error(session, "send_message", channel="#ops", text="") == "invalid_arguments"


def test_a_first_word_to_somebody_touches_nothing_but_what_is_said(session: Session) -> None:
    ok(session, "read_channel", channel="@ida")
    ok(session, "send_message", channel="@marcus", text="hi")
    ok(session, "join_channel", channel="#general")
    session.submit("x")

    untouched = next(line for line in session.grade(skip=frozenset({"judge"})).ledger if line.criterion == "untouched")
    assert (untouched.passed, untouched.reason) == (True, "nothing else was touched")


def test_a_message_is_reacted_to_once(session: Session) -> None:
    sent = ok(session, "send_message", channel="#ops", text="look")
    ok(session, "add_reaction", channel="#ops", ts=sent["ts"], name="eyes")
    assert error(session, "add_reaction", channel="#ops", ts=sent["ts"], name="eyes") == "already_reacted"
    assert error(session, "add_reaction", channel="#ops", ts="1.000000", name="eyes") == "message_not_found"


def test_users_are_listed_and_channels_joined(session: Session) -> None:
    members = ok(session, "list_users")["members"]
    assert isinstance(members, list)
    assert {"ida", "wren"} <= {str(m["name"]) for m in members if isinstance(m, dict)}
    assert error(session, "list_users", cursor="?") == "invalid_cursor"
    assert ok(session, "join_channel", channel="#general")["already_in_channel"] is True
    assert error(session, "join_channel", channel="#nowhere") == "channel_not_found"


@pytest.mark.parametrize("text", ["\ud800", "a" * 40_001, "\x00", "🙂" * 10, "<script>alert(1)</script>"])
def test_strange_texts_are_answered_not_crashed(session: Session, text: str) -> None:
    session.call("slack_send_message", {"channel": "#ops", "text": text})
    session.call("slack_search_messages", {"query": text})
    session.call("slack_list_channels", {"cursor": text[:50]})

    assert not session.call("slack_read_channel", {"channel": "#ops"}).is_error


def reactions(session: Session, operation: str, **arguments: Json) -> list[tuple[str, int, int]]:
    """The reactions to the messages of an answer: name, count, number of users."""
    messages = ok(session, operation, **arguments)["messages"]
    assert isinstance(messages, list)
    found: list[tuple[str, int, int]] = []
    for message in messages:
        assert isinstance(message, dict)
        listed = message.get("reactions", [])
        assert isinstance(listed, list)
        for one in listed:
            assert isinstance(one, dict)
            users = one["users"]
            assert isinstance(users, list)
            found.append((str(one["name"]), int(str(one["count"])), len(users)))
    return found


def test_reactions_are_shown_with_the_message(session: Session) -> None:
    twin = session.fork()
    liked = reactions(twin, "read_channel", channel="#general", limit=100)
    mine = ok(twin, "send_message", channel="#general", text="hello")
    ok(twin, "add_reaction", channel="#general", ts=mine["ts"], name="wave")

    assert liked
    assert all(count == users for _, count, users in liked)
    assert reactions(twin, "read_thread", channel="#general", ts=mine["ts"]) == [("wave", 1, 1)]


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        ("slack_list_channels", {}),
        ("slack_list_users", {}),
        ("slack_read_channel", {"channel": "#support"}),
        ("slack_search_messages", {"query": "seats"}),
    ],
)
def test_who_has_no_account_reads_nothing(operation: str, arguments: JsonObject) -> None:
    with brownout.open_world("tiny", hot=1) as world:
        preview = world.preview()
        try:
            preview.go(world.package.manifest.start)
            assert preview.ask(operation, arguments, "ida")
            with pytest.raises(VendorError, match="not_authed"):
                preview.ask(operation, arguments, "blue-lantern")
        finally:
            preview.close()


@pytest.mark.parametrize(
    "text", ["@ida look", "Two things:\n@ida the list", "see (@ida, and mail@ida.test)", "ask @ida."]
)
def test_whoever_is_called_is_linked_wherever_that_stands(session: Session, text: str) -> None:
    posted = ok(session, "send_message", channel="#ops", text=text)["message"]

    assert isinstance(posted, dict)
    assert str(posted["text"]).count("<@U") == 1
    assert "@ida" not in str(posted["text"]).replace("mail@ida.test", "")


def test_an_own_message_is_edited_and_nobody_is_told_again(session: Session) -> None:
    sent = ok(session, "send_message", channel="#ops", text="one @ida")
    changed = ok(session, "update_message", channel="#ops", ts=sent["ts"], text="two @ida")

    [shown] = listed(ok(session, "read_thread", channel="#ops", ts=sent["ts"])["messages"])
    assert str(changed["text"]).startswith("two <@U0")
    assert shown["text"] == changed["text"]
    assert "edited" in shown
    assert error(session, "update_message", channel="#ops", ts="1.000000", text="x") == "message_not_found"
    assert error(session, "update_message", channel="#nowhere", ts=sent["ts"], text="x") == "channel_not_found"


def test_an_own_message_is_deleted_with_the_reactions_to_it(session: Session) -> None:
    before = session.digest()
    sent = ok(session, "send_message", channel="#ops", text="in the wrong place")
    ok(session, "add_reaction", channel="#ops", ts=sent["ts"], name="eyes")
    ok(session, "delete_message", channel="#ops", ts=sent["ts"])

    assert error(session, "read_thread", channel="#ops", ts=sent["ts"]) == "thread_not_found"
    assert error(session, "delete_message", channel="#ops", ts=sent["ts"]) == "message_not_found"
    session.reset()
    assert session.digest() == before


def test_a_deleted_message_that_was_answered_leaves_its_place(session: Session) -> None:
    sent = ok(session, "send_message", channel="#ops", text="porcupines")
    ok(session, "send_message", channel="#ops", text="an answer", thread_ts=sent["ts"])
    ok(session, "delete_message", channel="#ops", ts=sent["ts"])

    first, answer = listed(ok(session, "read_thread", channel="#ops", ts=sent["ts"])["messages"])
    assert (first["subtype"], first["text"], answer["text"]) == ("tombstone", "This message was deleted.", "an answer")
    assert error(session, "update_message", channel="#ops", ts=sent["ts"], text="x") == "message_not_found"
    for query in ("porcupines", '"message was deleted"'):
        found = ok(session, "search_messages", query=query)["messages"]
        assert found == {"matches": []}


def test_taking_back_what_one_said_is_no_damage(session: Session) -> None:
    sent = ok(session, "send_message", channel="#ops", text="one")
    ok(session, "add_reaction", channel="#ops", ts=sent["ts"], name="eyes")
    ok(session, "update_message", channel="#ops", ts=sent["ts"], text="two")
    ok(session, "delete_message", channel="#ops", ts=sent["ts"])
    session.submit("x")

    untouched = next(line for line in session.grade(skip=frozenset({"judge"})).ledger if line.criterion == "untouched")
    assert (untouched.passed, untouched.reason) == (True, "nothing else was touched")


def test_what_somebody_else_wrote_stays_as_it_is(session: Session) -> None:
    last = listed(ok(session, "read_channel", channel="#ops", limit=1)["messages"])[0]
    assert last["username"] != "wren"
    assert error(session, "update_message", channel="#ops", ts=last["ts"], text="x") == "cant_update_message"
    assert error(session, "delete_message", channel="#ops", ts=last["ts"]) == "cant_delete_message"


def listed(value: Json) -> list[JsonObject]:
    """The mappings of a list."""
    assert isinstance(value, list)
    return [item for item in value if isinstance(item, dict)]


@pytest.mark.parametrize(
    ("query", "code", "detail"),
    [
        ("from:@nobody", "user_not_found", "from:nobody"),
        ("from:@idda", "user_not_found", "did you mean 'ida'?"),
        ("in:#osp", "channel_not_found", "did you mean 'ops'?"),
        ("-in:@nobody", "user_not_found", "in:@nobody"),
        ("has:lnik", "invalid_arguments", "has: cannot be 'lnik'; did you mean 'link'?"),
        ("before:lunch", "invalid_arguments", "before: cannot be 'lunch'; expected a day such as 2026-03-19"),
        ("seat OR row", "invalid_arguments", "there is no OR here; search once for each"),
        ("form:ida", "invalid_arguments", "there is no 'form'; did you mean 'from:'?"),
    ],
)
def test_a_search_that_makes_no_sense_is_refused(session: Session, query: str, code: str, detail: str) -> None:
    answer = session.call("slack_search_messages", {"query": query})
    assert isinstance(answer.structured, dict)
    assert (answer.is_error, answer.structured["error"]) == (True, code)
    assert detail in answer.content


@pytest.mark.parametrize("query", ['"seat OR row"', "from:me", "from:ida", "in:ops", "has:pin", "seat http://a.test"])
def test_a_search_that_makes_sense_is_answered(session: Session, query: str) -> None:
    ok(session, "search_messages", query=query)
