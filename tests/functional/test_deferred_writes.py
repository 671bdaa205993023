"""Everyday life that waits to be written until somebody looks: nobody can tell by rows, keys, digests, notices or the log."""

from collections.abc import Callable, Sequence
from typing import cast

import orjson
import pytest

from brownout.core.app_roles import Asked, Sight
from brownout.core.instants import HOUR, SECOND
from brownout.core.trajectory import WorldEvent
from brownout.core.values import JsonObject
from brownout.engine import everyday
from brownout.engine.everyday import Everyday
from brownout.engine.everyday_writing import _Batches
from brownout.engine.session import Session
from brownout.engine.simulation_setting import Setting
from brownout.engine.world import World
from brownout.store.steady_answers import SteadyAnswers
from tools.jira import operations as jira_operations
from tools.jira import places as jira
from tools.jira import records as jira_records
from tools.jira import serializers, tables
from tools.jira.intent_batches import is_plain
from tools.jira.tables import comment, history
from tools.slack import operations, records
from tools.slack import places as slack
from tools.slack.tables import member, message

TASK = "find-the-change"
Deed = tuple[str, JsonObject]

READS: list[Deed] = [
    ("jira_get_issue", {"issue": "BOX-32"}),
    ("gmail_search_threads", {"query": "in:inbox"}),
    ("slack_read_channel", {"channel": "#ops", "limit": 20}),
    ("github_list_pulls", {"repo": "pennywhistle/boxoffice"}),
]
WRITES: list[Deed] = [
    ("slack_send_message", {"channel": "#ops", "text": "the hold table looks fine from here"}),
    ("jira_add_comment", {"issue": "BOX-32", "body": "Seen."}),
    ("slack_send_message", {"channel": "#nowhere", "text": "to nobody"}),
    ("jira_add_comment", {"issue": "BOX-99999", "body": "To nothing."}),
]


def _deeds() -> list[Deed]:
    """Reads and writes, some of which are refused, with time between them."""
    found: list[Deed] = []
    for number in range(12):
        found += [("wait", {"minutes": 3 + number % 9}), READS[number % 4], WRITES[number % 4]]
    return found


def _play(session: Session, deeds: Sequence[Deed], *, looks: bool = False) -> str:
    for name, arguments in deeds:
        session.call(name, arguments)
        if looks:
            session.digest()
    return session.digest()


def test_who_looks_after_every_call_finds_what_who_looks_at_the_end_finds(lively: World) -> None:
    with lively.open_session(TASK) as hasty, lively.open_session(TASK) as calm:
        assert _play(hasty, _deeds(), looks=True) == _play(calm, _deeds())
        assert hasty.events == calm.events
        assert [answer.answer for answer in hasty.acts] == [answer.answer for answer in calm.acts]
        assert hasty.diff() == calm.diff()


def test_most_of_it_waits(lively: World) -> None:
    with lively.open_session(TASK) as session:
        waits = 0
        for _ in range(36):
            session.call("wait", {"minutes": 5})
            waits += session._store.rows.late is not None
        noted = [event for event in session.events if isinstance(event, WorldEvent)]

        assert waits
        assert 2 * len([event for event in noted if not event.path]) > len(noted)
        session.digest()
        assert session._store.rows.late is None


def test_what_waited_leaves_the_rows_and_notices_of_what_was_lived(
    lively: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lively.open_session(TASK) as waited:
        _play(waited, _deeds())
        monkeypatch.setattr(everyday, "writer_of", lambda simulation, item: None)
        with lively.open_session(TASK) as lived:
            _play(lived, _deeds())
            for table in lively.setting.tables:
                found = [one._store.rows.execute(f'SELECT * FROM "{table}" ORDER BY 1') for one in (waited, lived)]
                assert found[0] == found[1], table
            names = [
                one._store.rows.execute("SELECT name, path FROM engine_binding ORDER BY name")
                for one in (waited, lived)
            ]
            assert names[0] == names[1]
            assert waited.notices == lived.notices
            acts = [
                [(event.at, event.key) for event in one.events if isinstance(event, WorldEvent)]
                for one in (waited, lived)
            ]
            assert acts[0] == acts[1]


def test_what_an_undone_savepoint_took_along_is_written_again_under_its_keys(lively: World) -> None:
    digests = []
    with lively:
        for is_undone in (True, False):
            with lively.open_session(TASK) as session:
                session.call("wait", {"minutes": 100})
                rows = session._store.rows
                count = "SELECT count(*), max(id) FROM slack_message"
                if is_undone:
                    with pytest.raises(ZeroDivisionError), rows.savepoint(), rows.savepoint():
                        assert rows.execute(count)
                        raise ZeroDivisionError
                session.call("wait", {"minutes": 30})
                digests.append((session.digest(), rows.execute(count)))

    assert digests[0] == digests[1]


def test_a_statement_names_the_apps_whose_tables_it_reads(lively: World) -> None:
    setting: Setting = lively.setting

    assert setting.apps_in("SELECT 1 FROM slack_message JOIN jira_issue_search") == {"slack", "jira"}
    assert setting.apps_in("gmail_message") == {"gmail"}
    assert setting.apps_in("SELECT 'slack_messages'") == frozenset()


class _Spy:
    """Notes the apps whose tables are touched."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self.apps: set[str] = set()

    def touched(self, what: str, given: object = ()) -> None:
        self.apps |= self._setting.apps_in(what)

    def left(self, depth: int, *, undone: bool) -> None: ...


def test_apps_write_what_waits_from_their_own_tables(lively: World, monkeypatch: pytest.MonkeyPatch) -> None:
    touched: dict[str, set[str]] = {}
    flush = _Batches._flush

    def spied(batches: _Batches, app: str) -> None:
        rows, spy = batches._simulation.rows(), _Spy(lively.setting)
        rows.late = spy
        try:
            flush(batches, app)
        finally:
            rows.late = None
        touched.setdefault(app, set()).update(spy.apps)

    monkeypatch.setattr(_Batches, "_flush", spied)
    for task in lively.package.tasks:
        with lively.open_session(task) as session:
            for _ in range(2):
                session.call("wait", {"minutes": 100})
            session.digest()

    assert len(touched) > 1
    assert all(found <= {app, "engine_binding"} for app, found in touched.items()), touched


def test_an_episode_that_is_played_again_finds_its_statements_prepared(lively: World) -> None:
    with lively.open_session(TASK) as session:
        misses = []
        for _ in range(3):
            _play(session, _deeds())
            slot = session._store._slot
            assert slot is not None
            misses.append(slot.connection.cache_stats()["misses"])
            session.reset()
        assert misses[2] - misses[1] < misses[0] // 2, "statements are prepared again for each episode"


def _waiting_in(session: Session) -> set[str]:
    """The rooms in which messages wait that nobody has looked at."""
    everyday_life = session.simulation.everyday
    assert isinstance(everyday_life, Everyday)
    items = [item.intent for item in everyday_life._waiting._items]
    return {one.to[0] if one.via == "slack" and one.kind == "tell" else "elsewhere" for one in items}


def _rooms_of(session: Session) -> set[str]:
    """The rooms that the agent is in."""
    sql = """SELECT c.name FROM slack_channel c JOIN slack_member m ON m.channel = c.id JOIN slack_user u ON u.id = m.user
             WHERE u.person = ? AND c.kind = 'public' AND NOT c.is_archived"""
    return {f"#{name!s}" for (name,) in session._store.rows.execute(sql, (session.task.actor,))}


def test_what_waits_in_one_room_is_not_written_for_who_looks_at_another(lively: World) -> None:
    with lively.open_session(TASK) as session:
        rooms = _rooms_of(session)
        session.call("wait", {"minutes": 100})  # an outage is over then
        for _ in range(60):
            session.call("wait", {"minutes": 3})
            waiting = _waiting_in(session)
            if waiting and waiting < rooms:
                break
            session.digest()
        other, room = min(rooms - waiting), min(waiting)
        before = session._store.rows.largest(message)
        session.call("slack_send_message", {"channel": other, "text": "the hold table looks fine from here"})
        session.call("slack_read_channel", {"channel": other})
        assert waiting <= _waiting_in(session)
        assert session.acts[-2].answer.effects[0].key > before
        session.call("slack_send_message", {"channel": room, "text": "the hold table looks fine from here too"})
        assert room in _waiting_in(session)
        answer = session.call("slack_read_channel", {"channel": room, "limit": 30})
        assert not answer.is_error
        assert room not in _waiting_in(session)
        played = [(act.call.name, act.call.arguments) for act in session.acts]
        digest = session.digest()
    with lively.open_session(TASK) as hasty:
        assert _play(hasty, played, looks=True) == digest


def _tickets_waiting(session: Session) -> set[str]:
    """The keys of the tickets on which something waits that is seen there alone; empty where anything else waits for Jira."""
    everyday_life = session.simulation.everyday
    assert isinstance(everyday_life, Everyday)
    intents = [item.intent for item in everyday_life._waiting._items if item.intent.via == "jira"]
    rows = session._store.rows
    late, rows.late = rows.late, None
    bound = {str(name): str(path) for name, path in rows.execute("SELECT name, path FROM engine_binding")}
    rows.late = late
    is_apart = all(is_plain(one) and one.kind != "open" and one.thing in bound for one in intents)
    return {bound[one.thing].rpartition("/")[2] for one in intents} if is_apart else set()


def test_what_waits_on_one_ticket_is_not_written_for_who_reads_another(lively: World) -> None:
    with lively.open_session(TASK) as session:
        waiting = set[str]()
        session.call("wait", {"minutes": 100})
        while not waiting:
            session.digest()
            assert not session.call("wait", {"minutes": 4}).is_error
            waiting = _tickets_waiting(session)
        session.call("jira_get_issue", {"issue": "BOX-32"})
        session.call("jira_get_changelog", {"issue": "BOX-32"})
        assert waiting <= _tickets_waiting(session)
        session.call("jira_get_issue", {"issue": min(waiting)})
        assert not waiting & _tickets_waiting(session)
        played = [(act.call.name, act.call.arguments) for act in session.acts]
        digest = session.digest()
    with lively.open_session(TASK) as hasty:
        assert _play(hasty, played, looks=True) == digest


def _looked_at(sight: Callable[[str], Sight | None], what: str, given: object) -> object:
    """The places that are looked at so; None where it may be any."""
    seen = sight(what)
    besides = seen.besides(cast(Asked, given)) if seen is not None and seen.besides is not None else frozenset()
    return seen.places | besides if seen is not None and besides is not None else None


def test_statements_about_one_channel_or_moment_see_no_other(lively: World) -> None:
    with lively.open_session(TASK) as session:
        rows = session._store.rows
        user, at = 1, session.now + 1
        channels = [int(str(key)) for (key,) in rows.execute("SELECT id FROM slack_channel ORDER BY id LIMIT 3")]
        for key in channels[:2]:
            rows.insert(message, channel=key, user=user, at_us=at, text="here")
        given = {
            "channel": channels[0],
            "at_us": at,
            "thread_us": at,
            "thread": at,
            "oldest": 0,
            "latest": at + 9 * SECOND,
            "after": 0,
            "most": 50,
        }
        of_channel = sorted(records.OF_ONE_CHANNEL | operations.OF_ONE_CHANNEL)
        of_moment = sorted(records.OF_ONE_MOMENT | operations.OF_ONE_MOMENT)
        statements = of_channel + of_moment
        found = [rows.execute(sql, given) for sql in statements]
        for key in channels[1:]:
            for moment in (at + 1, at + 2):
                rows.insert(message, channel=key, user=user, at_us=moment, thread_us=at, text="there")
        assert [rows.execute(sql, given) for sql in statements] == found
        assert all(_looked_at(slack.sight, sql, given) == {channels[0]} for sql in of_channel)
        seconds = {(channels[0], at // SECOND), (channels[0], at // SECOND - 1)}
        assert all(_looked_at(slack.sight, sql, given) == seconds for sql in of_moment)
        rows.insert(message, channel=channels[0], user=user, at_us=at + 2 * SECOND, thread_us=at, text="here")
        changed = [rows.execute(sql, given) for sql in statements]
        assert sum(one != other for one, other in zip(changed, found, strict=True)) >= 3


def test_statements_about_one_issue_see_no_other(lively: World) -> None:
    with lively.open_session(TASK) as session:
        rows = session._store.rows
        (mine, key), (other, _) = rows.execute("SELECT id, key FROM jira_issue ORDER BY id LIMIT 2")
        statements = {sql: {"issue": mine} for sql in serializers.OF_ONE_ISSUE | jira_operations.OF_ONE_ISSUE}
        statements[jira_records.ISSUE_BY_KEY] = {"key": key}

        def write(issue: int) -> list[object]:
            rows.insert(comment, issue=issue, author=1, body="x", created_us=1, updated_us=1)
            rows.insert(history, issue=issue, author=1, at_us=1, field="status", old="To Do", new="Done")
            rows.update(tables.issue, issue, status="Elsewhere", updated_us=session.now)
            return [rows.execute(sql, given) for sql, given in statements.items()]

        found = [rows.execute(sql, given) for sql, given in statements.items()]
        assert write(int(str(other))) == found
        assert all(one != before for one, before in zip(write(int(str(mine))), found, strict=True))
        project = str(key).partition("-")[0]
        assert all(_looked_at(jira.sight, sql, {"issue": mine}) == {mine} for sql in statements if ":issue" in sql)
        assert _looked_at(jira.sight, jira_records.ISSUE_BY_KEY, {"key": key}) == {key, project}
        assert _looked_at(jira.sight, jira_records.PROJECT_BY_KEY, {"key": project}) == {project}


def test_what_no_channel_is_named_in_may_be_about_any() -> None:
    now = 7 * SECOND
    assert _looked_at(slack.sight, "slack_message", {"channel": 3, "at_us": now, "text": "x"}) == {(3, 7), (3, 6)}
    assert _looked_at(slack.sight, "SELECT slack_user.id FROM slack_user", {}) == frozenset()
    assert _looked_at(slack.sight, "SELECT slack_reaction.id FROM slack_reaction", {}) == {"reactions"}
    assert _looked_at(slack.sight, "SELECT slack_channel.id FROM slack_channel", {}) == {"new conversations"}
    assert _looked_at(slack.sight, records.BY_NAME, {"name": "3-8"}) == {("called", "3-8")}
    for what, given in (
        ("slack_message", ()),
        ("slack_message", {"channel": 3, "text": "x"}),
        ("slack_channel", {"channel": 3}),
        ("slack_user", {}),
        ("SELECT text FROM slack_message", {"channel": 3}),
        ("SELECT rowid FROM slack_message_search", {}),
        ("SELECT 1 FROM slack_reaction JOIN slack_message", {}),
        ("UPDATE slack_user SET handle = 'x'", {}),
    ):
        assert _looked_at(slack.sight, what, given) is None, what


def test_what_no_issue_is_named_in_may_be_about_any() -> None:
    assert _looked_at(jira.sight, "SELECT jira_user.id FROM jira_user", {}) == frozenset()
    assert _looked_at(jira.sight, "jira_user", 4) == frozenset()
    for what, given in (
        ("jira_issue", 3),
        ("jira_comment", {"issue": 3}),
        ("jira_user", {}),
        ("SELECT rowid FROM jira_comment_search", {}),
        ("SELECT next_number FROM jira_project", {}),
        (jira_records.ISSUE_BY_KEY, {}),
        ("UPDATE jira_user SET person = 'x'", {}),
    ):
        assert _looked_at(jira.sight, what, given) is None, what


def test_an_episode_is_the_same_whether_others_of_its_start_were_played_before_it_or_nothing_is_remembered(
    lively: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = []
    for _ in range(2):
        with lively.open_session(TASK) as session:
            played.append((_play(session, _deeds()), session.events, session.notices))
    monkeypatch.setattr(SteadyAnswers, "of", lambda self, asked: None)
    monkeypatch.setattr(SteadyAnswers, "worked_out", lambda self, asked: None)
    with lively.open_session(TASK) as session:
        played.append((_play(session, _deeds()), session.events, session.notices))
    assert played[0] == played[1] == played[2]


def _tickets_to_come(world: World, session: Session) -> set[str]:
    """The keys of the tickets on which somebody comments in the next three hours."""
    days = world.shared.days
    assert days is not None
    bound = {
        str(name): str(path) for name, path in session._store.rows.execute("SELECT name, path FROM engine_binding")
    }
    coming = [item.intent for item in days.between(None, session.now + 3 * HOUR) if item.at > session.now]
    return {
        bound[one.thing].rpartition("/")[2]
        for one in coming
        if (one.via, one.kind) == ("jira", "comment") and one.thing in bound
    }


def test_whoever_was_given_a_ticket_is_told_of_comments_that_others_of_the_start_were_not_told_of(
    lively: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[Deed] = [("wait", {"minutes": 60, "until_notice": False})] * 3
    with lively.open_session(TASK) as session:
        mine: JsonObject = {"assignee": session.task.actor}
        given: list[Deed] = [
            ("jira_update_issue", {"issue": issue, **mine}) for issue in sorted(_tickets_to_come(lively, session))
        ]
        _play(session, waits)
        told_anyway = {(one.app, one.text) for one in session.notices}
    played = []
    for _ in range(2):
        with lively.open_session(TASK) as session:
            played.append((_play(session, [*given, *waits]), session.events, session.notices))
        monkeypatch.setattr(SteadyAnswers, "of", lambda self, asked: None)
        monkeypatch.setattr(SteadyAnswers, "worked_out", lambda self, asked: None)
    assert played[0] == played[1]
    assert "jira" in {app for app, _ in {(one.app, one.text) for one in played[0][2]} - told_anyway}


def test_who_joins_a_room_reads_so_and_nobody_else_of_that_start_does(lively: World) -> None:
    def members(session: Session) -> dict[str, int]:
        answer = session.call("slack_list_channels", {"limit": 200})
        channels = orjson.loads(answer.body)["channels"]
        return {channel["name"]: channel["num_members"] for channel in channels}

    with lively.open_session(TASK) as joiner, lively.open_session(TASK) as reader:
        before = members(joiner)
        assert members(reader) == before
        table = joiner._store.rows
        (channel,) = table.execute("SELECT id FROM slack_channel WHERE name = 'ops'")[0]
        (user,) = table.execute("SELECT max(user) + 1 FROM slack_member")[0]
        table.insert(member, channel=channel, user=user, read_us=0)
        assert members(joiner) == before | {"ops": before["ops"] + 1}
        twin = joiner.fork()
        assert members(twin) == members(joiner)
        assert members(reader) == before
        joiner.reset()
        assert members(joiner) == before
        twin.close()
