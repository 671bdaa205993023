"""Calls drawn from the operations' schemas: what an agent may send that is right, almost right, at a bound, or hostile.

Everything follows from a seed, so a call that breaks something can be made again.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Final, TypeAlias

from sqlalchemy import select

from brownout.core.calls import Observation, ToolCall
from brownout.core.instants import to_datetime
from brownout.core.seeds import Stream
from brownout.core.values import Json, JsonObject
from brownout.engine.session import Session
from brownout.store import compile_query

__all__ = ["Hostile", "free"]

_Values: TypeAlias = dict[tuple[str, str], list[Json]]
"""By app and word."""
_PARTS: Final = re.compile("[A-Z]?[a-z0-9]+|[A-Z]+")
_ROWS: Final = 40
_KEPT: Final = 400
_LONGEST: Final = 120
_DEEP: Final = 6
_NAMING: Final = frozenset(
    {"id", "key", "name", "title", "number", "ts", "rid", "sha", "email", "address", "token", "person"}
)
"""What things are called by: the last word of a column's or field's name."""
_NUMBERS: Final[tuple[Json, ...]] = (
    0, 1, -1, 2, 3, 10, 99, 100, 101, 200, 201, 1000, 1 << 31, (1 << 31) - 1, (1 << 53) - 1, 1 << 53, (1 << 62) - 1,
    (1 << 63) - 1, 1 << 63, -(1 << 63), -(1 << 63) - 1, 10**60, 1.5, -0.0, 1e308, 5e-324,
    "9" * 60, "9" * 5000, "1e400", "nan", "inf", "-Infinity", "٣", "²", "1_000", " 7 ", "0x10", "007",
)  # fmt: skip
_TEXTS: Final[tuple[str, ...]] = (
    "", " ", "\t\n", "\x00", "a\x00b", "\ud800", "x\udfffy", "\ufeff", "\u202eabc", "שלום עולם", "مرحبا", "日本語のテスト",
    "👩‍👩‍👧‍👦🇵🇹", "e\u0301" * 50, "\u0300" * 300, "ß" * 100, "İstanbul", "ﬀ", "%", "_", "*", "?", "[", "]", "**/*", "[!a-", "[]]", "a" * 300,
    "'", '"', "''; DROP TABLE jira_issue; --", "\\", "\\\\", "\\u0000", "$(id)", "`id`", "{{7*7}}", "{}", "%s%n", "../../etc/passwd",
    "/", "//", ".", "..", "~", "~root", "-", "--", "-rf", "a/b", "a//b", "a/../b", "refs/heads/main", "HEAD", "HEAD~1", "@{1}", "main..main",
    "0" * 40, "f" * 40, "deadbeef", "2026-02-30", "2026-13-01", "0000-00-00", "9999-12-31T23:59:59Z", "10000-01-01", "-1", "1e9",
    "2026-04-14T10:00", "2026-04-14T10:00:00+99:99", "2026-04-14T25:00", "2026-W01", "now", "today", "-1d", "-999999999999w", "startOfDay(-99999999999)",
    "1775000000.000000", "9" * 30 + ".000000", "1e400.1", "null", "true", "None", "NaN", "@", "#", "<@U1>", "<!channel>", "@here", "#ops", "<@" + "U" * 500 + ">",
    "mara@boxoffice.test", "a@b", '"a b"@c.test', "a@" + "b" * 300 + ".test", "Name <x@y.test>, ", "<>", ",,,,", ";;", "RRULE:FREQ=DAILY",
    "RRULE:FREQ=SECONDLY;COUNT=999999999", "RRULE:FREQ=YEARLY;INTERVAL=99999999999;BYDAY=99MO", "RRULE:FREQ=DAILY;UNTIL=99999999T999999Z", "EXDATE:0",
    "AND", "OR", "NOT", "NEAR(a b, 5)", "a AND", "col:x", "a^b", "a*", '"', '"unclosed', "()", "(", "))", "{a b}", "-", "--x", "-(a)",
    "from:", "from:me", "is:unread", "before:2026/99/99", "older_than:99999999999d", "size:99999999999999999999", "has:attachment", "in:anywhere", "label:^^",
    "repo:", "is:pr is:open", "author:@me", "created:>2026-99-99", "created:2026-01-01..*", "comments:>99999999999999999999", "sort:updated-desc",
    "project = ", "key = BOX-99999999999999999999", "summary ~ \"\"", "summary ~ '*'", "created > -99999999999d", "order by", "status was open before now()",
    "assignee in (currentUser(), 'x', EMPTY)", "created >= startOfYear(\"+99999999999999y\")", "text ~ \"\\\\\"", "status changed from a to b during (1,2)", "issuekey in ()",
    "id in (9223372036854775808)", "labels in (a,b,c) and not (labels is empty)", "<b>x</b>", "<script>", "&amp;&#0;", "![](x)", "[a](javascript:x)", "```", "|a|\n|-|", "# h\n" * 30,
    "- " * 200, "> " * 300 + "x", "[" * 500, "*" * 500, "<div>" * 300, "&" * 200,
)  # fmt: skip
_MANY: Final[tuple[str, ...]] = (
    "word ", "a OR ", "(", ")", "-", "NOT ", "x:y ", '"a b" ', "project = BOX AND ", "summary ~ a OR ", "not ", "🙂", "\x00", "a,", "x@y.test, ", "../", "é",
    "from:a ", "{", "<@U>", "*", "%", "1", "\n", "# x\n", "[[", "\\", "'", "repo:a/b ", "key = BOX-1 or ", "labels in (a) and ", "&lt;", "<ul><li>", "> ",
)  # fmt: skip
"""Repeated a great many times."""


class Hostile:
    """Draws calls for a session, and remembers what it was answered.

    Args:
        without: names of operations that are not called.
    """

    def __init__(self, session: Session, seed: int, *, without: frozenset[str] = frozenset()) -> None:
        self._stream = Stream("hostile", seed)
        self._stored: _Values = {}
        self._shown: _Values = {}
        self._good: _Values = {}
        self._whole: dict[str, list[JsonObject]] = {}
        self._base: JsonObject = {}
        self._given: JsonObject = {}
        self._now = session.now
        self._apps = {name: operation.app for name, operation in session.setting.operations.items()}
        self._app = ""
        self._schemas: dict[str, JsonObject] = {
            name: operation.schema
            for name, operation in sorted(session.setting.operations.items())
            if name not in without
        }
        self._look_around(session)

    def calls(self, session: Session, count: int) -> Iterator[ToolCall]:
        """So many calls for the session's agent, each operation, and each tool of the session's own, as often as the next.

        It is never `submit`.
        """
        own = {str(tool["name"]): tool["input_schema"] for tool in session.tools if tool["name"] not in self._apps}
        self._schemas |= {name: schema for name, schema in own.items() if isinstance(schema, dict)}
        every = [name for name in self._schemas if name in self._apps or (name in own and name != "submit")]
        names: list[str] = []
        for number in range(count):
            names = names or self._stream.shuffled(every)
            name = names.pop()
            self._app = self._apps.get(name, "")
            self._base = self._fitting(name)
            yield ToolCall(name, self._arguments(self._schemas[name]), f"c{number}")

    def _fitting(self, name: str) -> JsonObject:
        """What was right together, of the operation itself or of another one of its app that shares what it needs."""
        if not self._stream.chance(80):
            return {}
        required = self._schemas[name].get("required", [])
        assert isinstance(required, list)
        whole = self._whole.get(name if self._stream.chance(40) else f"{self._app}.", [])
        most = [each for each in whole[-100:] if all(key in each for key in required[:2])]
        return self._stream.choice(most) if most else {}

    def text(self) -> str:
        """Something to be said."""
        return self._text("text")

    def heard(self, call: ToolCall, answer: Observation) -> None:
        """Remember what a call showed, and which of its arguments were right, to use them again."""
        if not answer.is_error:
            self._was_good(call.name, call.arguments)
            self._given = call.arguments
            self._gather((), answer.structured if answer.body else None)

    def _was_good(self, name: str, arguments: JsonObject) -> None:
        short: JsonObject = {key: value for key, value in arguments.items() if len(repr(value)) <= _LONGEST}
        for key, value in short.items():
            _keep(self._good, (self._app, key), value)
        for which in (name, f"{self._app}."):
            _keep_whole(self._whole, which, short)

    # -- what there is ------------------------------------------------------------------------------------

    def _look_around(self, session: Session) -> None:
        rows = session._store.rows
        for app in session.setting.apps.values():
            self._app = app.name
            for table in app.tables.tables.values():
                for order in (table.c[0], table.c[0].desc()):
                    for row in rows.all(compile_query(select(table).order_by(order).limit(_ROWS))):
                        for column, value in row.items():
                            names = (*table.name.split("_"), column)
                            self._remember(self._stored, names, value if isinstance(value, str | int) else None)
            for account in (profile.account for profile in session.setting.people.values()):
                for text in (account.person, account.name, account.email):
                    self._remember(self._stored, ("person", "to", "assignee"), text)

        for task in session.package.tasks:
            package = session.package
            for step in (
                *package.oracle(task),
                *(step for case in package.cases(task, "lazy").values() for step in case),
            ):
                self._app = self._apps.get(step.call, "")
                plain: JsonObject = {key: value for key, value in step.arguments.items() if "$" not in repr(value)}
                self._was_good(step.call, plain)

    def _gather(self, names: tuple[str, ...], value: Json) -> None:
        if len(names) > _DEEP:
            return
        if isinstance(value, dict):
            self._pair(names, value)
            for key, part in list(value.items())[:30]:
                self._gather((*names, key), part)
        elif isinstance(value, list):
            for part in value[:10]:
                self._gather((*names, ""), part)
        else:
            self._remember(self._shown, names[-3:], value)

    def _pair(self, names: tuple[str, ...], record: JsonObject) -> None:
        """Keep what belongs together: a record of an answer, by its fields and as what it is, with what was asked."""
        noun = next((name for name in reversed(names) if name), "").rstrip("s")
        known: JsonObject = {}
        for key, value in record.items():
            if isinstance(value, str | int) and len(str(value)) <= _LONGEST:
                known[key] = value
                if noun and key in _NAMING:
                    known |= {noun: value, f"{noun}_{key}": value}
        if known:
            _keep_whole(self._whole, f"{self._app}.", {**self._given, **known})

    def _remember(self, known: _Values, names: tuple[str, ...], value: Json) -> None:
        if value is not None and len(str(value)) <= _LONGEST:
            words = {word for name in ("", *names) for word in _words(name)}
            if names[-1:] and _PARTS.findall(names[-1])[-1:] and _PARTS.findall(names[-1])[-1].lower() in _NAMING:
                words |= {f"={word}" for word in words}
            for word in words:
                _keep(known, (self._app, word), value)

    # -- what is drawn ------------------------------------------------------------------------------------

    def _arguments(self, schema: JsonObject) -> JsonObject:
        stream = self._stream
        properties, required = schema["properties"], schema.get("required", [])
        assert isinstance(properties, dict)
        assert isinstance(required, list)
        given: JsonObject = {}
        definitions = schema.get("$defs", {})
        careful = stream.chance(60)
        for name, part in properties.items():
            assert isinstance(part, dict)
            if (
                (name in required and (careful or not stream.chance(4)))
                or name in self._base
                or stream.chance((12 if required else 60) if careful else 35)
            ):
                hostile = stream.chance(4 if careful else 45)
                given[name] = self._hostile(name, part) if hostile else self._fit(name, part, definitions)
        if stream.chance(2):
            given[str(stream.choice(_TEXTS))] = self._nested()
        return given

    def _fit(self, name: str, schema: JsonObject, definitions: Json) -> Json:
        """A value that looks right."""
        stream = self._stream
        if name in self._base and stream.chance(85):
            return self._base[name]
        if isinstance(schema.get("$ref"), str) and isinstance(definitions, dict):
            found = definitions[str(schema["$ref"]).rpartition("/")[2]]
            assert isinstance(found, dict)
            return self._fit(name, found, definitions)
        for key in ("anyOf", "enum"):
            options = schema.get(key)
            if isinstance(options, list):
                chosen = stream.choice(options)
                return self._fit(name, chosen, definitions) if isinstance(chosen, dict) else chosen
        match schema.get("type"):
            case "integer" | "number":
                return self._number(name, schema)
            case "boolean":
                return stream.chance(50)
            case "array":
                items = schema.get("items")
                assert isinstance(items, dict)
                return [self._fit(name, items, definitions) for _ in range(stream.choice((1, 1, 1, 2, 0)))]
            case "null":
                return None
            case "object":
                return self._arguments({"$defs": definitions, **schema})
            case _:
                return self._text(name)

    def _number(self, name: str, schema: JsonObject) -> Json:
        stream = self._stream
        known = [value for value in self._like(name) if isinstance(value, int)]
        if known and stream.chance(60):
            return stream.choice(known)
        low, high = schema.get("minimum", 1), schema.get("maximum", 30)
        assert isinstance(low, int)
        assert isinstance(high, int)
        return stream.choice((low, high, stream.between(low, min(high, 30)), low))

    def _text(self, name: str) -> str:
        stream = self._stream
        if stream.chance(80):
            like = self._like(name)
            if like:
                return str(stream.choice(like))
        if stream.chance(30):
            day = to_datetime(self._now).date() + timedelta(days=stream.between(-9, 9))
            return stream.choice(
                (f"{day}", f"{day}T{stream.between(8, 18):02}:00", f"{day}T10:00:00+02:00", f"{day}T09:30:00Z")
            )
        every = self._shown.get((self._app, ""), [])
        if every and stream.chance(50):
            return " ".join(str(stream.choice(every)) for _ in range(stream.between(1, 8)))
        return stream.choice(_TEXTS)

    def _like(self, name: str) -> list[Json]:
        """Values that were right under that name, else those of things and fields that are called like it."""
        good = self._good.get((self._app, name), [])
        if good and self._stream.chance(60):
            return good
        sign = "=" if self._stream.chance(70) else ""
        known = self._shown if self._stream.chance(70) else self._stored
        return [value for word in _words(name) for value in known.get((self._app, sign + word), [])]

    def _hostile(self, name: str, schema: JsonObject) -> Json:
        stream = self._stream
        match stream.below(9):
            case 0:
                return stream.choice(_NUMBERS)
            case 1 | 2 | 3:
                return stream.choice(_TEXTS)
            case 4:
                many = stream.choice((70, 300, 1500, 3000, 20_000) if stream.chance(90) else (100_000,))
                return stream.choice(_MANY) * (many // stream.choice((1, 1, 4)))
            case 5:
                return self._nested()
            case 6:
                return [self._mutated(self._text(name)) for _ in range(stream.choice((0, 1, 3, 60, 3000)))]
            case 7:
                highest = schema.get("maxLength", schema.get("maximum"))
                if isinstance(highest, int):
                    over = stream.below(2)
                    is_text = schema.get("type") == "string"
                    return stream.choice("a é🙂\n.") * (min(highest, 300_000) + over) if is_text else highest + over
                return self._mutated(self._text(name))
            case _:
                return self._mutated(self._text(name))

    def _mutated(self, text: str) -> str:
        stream = self._stream
        for _ in range(stream.between(1, 3)):
            at = stream.below(len(text) + 1)
            match stream.below(4):
                case 0:
                    text = text[:at] + stream.choice(_TEXTS) + text[at:]
                case 1:
                    text = text[:at] + text[at + 1 :]
                case 2:
                    text = text.swapcase()
                case _:
                    text = text[:at] + chr(stream.choice((0, 34, 37, 39, 42, 92, 0x202E, 0x1F600, 0xD800))) + text[at:]
        return text

    def _nested(self) -> Json:
        stream = self._stream
        value: Json = stream.choice((None, True, 1, "x", 1.5))
        for _ in range(stream.choice((1, 2, 5, 70, 2000))):
            value = {"a": value} if stream.chance(50) else [value]
        return value


def _words(name: str) -> list[str]:
    """The words of a name, the first letters of them: `repository` and `repo` are one."""
    return [word.lower().rstrip("s")[:4] for word in _PARTS.findall(name)] or [""]


def _keep_whole(known: dict[str, list[JsonObject]], key: str, value: JsonObject) -> None:
    values = known.setdefault(key, [])
    values.append(value)
    del values[:-_KEPT]


def _keep(known: _Values, key: tuple[str, str], value: Json) -> None:
    values = known.setdefault(key, [])
    values.append(value)
    if len(values) > _KEPT:
        del values[: _KEPT // 2]


def free(session: Session) -> None:
    """Give the session's agent every tool and no limits to run into."""
    session.task = session.task.model_copy(
        update={
            "apps": list(session.setting.apps),
            "limit_calls": 1 << 40,
            "limit_sim": 1 << 55,
            "requester_replies": True,
        }
    )
