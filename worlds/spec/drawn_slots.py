"""`drawn:` of a storyline: slots whose values the world's seed draws, so that one text is many worlds.

drawn:
lead: {one_of: [30, 36, 40], not: [trial]}             # not as another slot, or not a plain value
cap: {number: 12..90, step: 3}
start: {date: 2026-04-27..2026-05-25, weekdays: true}
at: {time: 09:10..11:50, step: 5m}
until: {is: "{{start}} - 1d"}
short: {person: {team: [core, messaging]}, not: [piotr]}
who: {customer: {tag: group}}

Each slot of a world has a stream of its own, so adding one leaves the values of the others as they were, and who knows the values of one
world for a seed knows none of another.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import Final, TypeVar

from pydantic import Field, TypeAdapter, ValidationInfo, field_validator, model_validator

from brownout.core.errors import Mistake, under
from brownout.core.instants import DAY, MINUTE
from brownout.core.seeds import Stream
from brownout.core.vocabulary import near, nearest, unknown
from worlds.expressions import ExpressionError, parse_duration
from worlds.spec.drawable_people import Cast, Somebody
from worlds.spec.drawn_values import DrawnValue, Outsized, ValueKind, plain_text, value_of
from worlds.spec.field_types import Spec
from worlds.spec.line_marks import line_in
from worlds.spec.misplaced_words import Misplaced, UnknownWord
from worlds.spec.salvage import salvage
from worlds.spec.slots import DrawnTexts, qualified, uses_in

__all__ = ["Drawing", "DrawnSlot", "declared_word"]

T = TypeVar("T", date, time, int)

_KINDS: Final = ("one_of", "number", "date", "time", "person", "customer", "is")
_WORD: Final = "drawn"
_BESIDE: Final = ("says", "talks", "mails", "facts", "beats", "tickets")
"""What else a storyline has."""
_MOST: Final = 100_000
"""Values that a slot can have."""
_MOST_NEAR: Final = 1_000
_MOST_SHOWN: Final = 6
_TRIES: Final = 64
_MOVED: Final = re.compile(r"\s*\{\{\s*([a-z0-9.-]+)\s*\}\}\s*(?:\s([+-])\s([^{}]+))?")
_DAY: Final = 24 * 60

Plain = str | int | float | bool


class DrawnSlot(Spec):
    """A slot of a storyline whose value the world's seed draws; in the text `{{lead}}`, `{{start|day}}`."""

    one_of: list[Plain] | None = Field(default=None, min_length=1, description="The values that there are.")
    number: str | None = Field(default=None, description="Whole numbers: `12..90`.")
    date: str | None = Field(default=None, description="Days: `2026-04-27..2026-05-25`.")
    time: str | None = Field(default=None, description="Times of day: `09:10..11:50`.")
    person: list[str] | dict[str, list[str]] | None = Field(
        default=None, description="People by short name, or those of teams: `{team: [core, messaging]}`."
    )
    customer: list[str] | dict[str, list[str]] | None = Field(
        default=None, description="Customers by short name, or those with a tag: `{tag: group}`."
    )
    value: str | None = Field(
        default=None,
        alias="is",
        description='Made of other slots: `"{{start}} - 1d"`, `"{{lead}} + 6"`, `"lead-{{lead}}"`.',
    )
    unlike: list[Plain] = Field(
        default=[], alias="not", description="What it is not: the values of other slots, by name, or plain values."
    )
    step: int | str | None = Field(
        default=None,
        description="Between two values: `3` of a number, `7d` of a day, `5m` of a time of day; 1, `1d`, `1m` without it.",
    )
    weekdays: bool = Field(default=False, description="Of days: from Monday to Friday only.")

    @field_validator("number", "date", "time", mode="before")
    @classmethod
    def _text(cls, value: object) -> object:
        return plain_text(value) if isinstance(value, int | float) else value

    @field_validator("person", "customer", mode="before")
    @classmethod
    def _somebody(cls, value: object, info: ValidationInfo) -> object:
        """A list of short names, or `{team: [names]}` and `{tag: [names]}`."""
        group = "team" if info.field_name == "person" else "tag"
        if value is None or isinstance(value, list):
            return value
        if not isinstance(value, dict):
            raise ValueError(f"expected a list of short names, or `{{{group}: name}}`, found {value!r}")
        strange = [str(word) for word in value if word != group]
        if strange:
            raise UnknownWord((strange[0],), (group,), f"; expected {group}")
        return {word: part if isinstance(part, list) else [part] for word, part in value.items()}

    @field_validator("unlike", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return value if isinstance(value, list) or value is None else [value]

    @model_validator(mode="after")
    def _sound(self) -> "DrawnSlot":
        words = [word for word in _KINDS if self._has(word)]
        if len(words) != 1:
            raise ValueError(f"expected one of {', '.join(_KINDS)}; found {', '.join(words) or 'none'}")
        if self.step is not None and words[0] not in ("number", "date", "time"):
            raise Misplaced(f"step goes with number, date and time; found it beside {words[0]}", "step")
        if self.weekdays and self.date is None:
            raise Misplaced(f"weekdays goes with date; found it beside {words[0]}", "weekdays")
        if self.value is not None and self.unlike:
            raise Misplaced("what is made of other slots cannot avoid anything; let them avoid it", "not")
        for number, option in enumerate(self.one_of or ()):
            if "{{" in str(option):
                raise Misplaced(
                    f"expected a plain value, found {option!r}; `is` makes a value of others", "one_of", number
                )
        self.ranged()
        return self

    def ranged(self) -> tuple[str, ...]:
        """The values of a number, a day or a time of day; none of anything else.

        Raises:
            Misplaced: the range or the step is none.
        """
        if self.number is not None:
            low, high = _ends("number", self.number, int, "12..90")
            return tuple(map(str, _spread("number", low, high, self._step("number", 1))))
        if self.date is not None:
            first, last = _ends("date", self.date, date.fromisoformat, "2026-04-27..2026-05-25")
            days = _spread("date", first.toordinal(), last.toordinal(), self._step("date", DAY))
            found = [date.fromordinal(day) for day in days]
            kept = tuple(day.isoformat() for day in found if not self.weekdays or day.weekday() < 5)
            if not kept:
                raise Misplaced(f"expected days of which some are weekdays, found {self.date}", "date")
            return kept
        if self.time is not None:
            begin, end = _ends("time", self.time, time.fromisoformat, "09:10..11:50")
            minutes = _spread("time", _minutes(begin), _minutes(end), self._step("time", MINUTE))
            return tuple(_clock(minute) for minute in minutes)
        return ()

    def _has(self, word: str) -> bool:
        return getattr(self, "value" if word == "is" else word) is not None

    def _step(self, kind: str, unit: int) -> int:
        """How many units lie between two values."""
        if self.step is None:
            return 1
        if kind == "number":
            if isinstance(self.step, int) and self.step > 0:
                return self.step
            raise Misplaced(f"expected a whole number above 0, found {self.step!r}", "step")
        example = "7d" if kind == "date" else "5m"
        try:
            span = parse_duration(str(self.step))
        except ExpressionError:
            span = 0
        if span <= 0 or span % unit:
            raise Misplaced(
                f"expected whole {'days' if kind == 'date' else 'minutes'} such as {example}, found {self.step!r}",
                "step",
            )
        return span // unit


def _ends(word: str, text: str, read: Callable[[str], T], example: str) -> tuple[T, T]:
    """Both ends of a range."""
    low, dots, high = text.partition("..")
    try:
        if not dots:
            raise ValueError
        found = read(low.strip()), read(high.strip())
    except ValueError:
        raise Misplaced(f"expected a range such as {example}, found {text!r}", word) from None
    if found[0] > found[1]:
        raise Misplaced(f"expected a range that holds something, found {text}, which ends before it begins", word)
    return found


def _spread(word: str, low: int, high: int, step: int) -> range:
    found = range(low, high + 1, step)
    if len(found) > _MOST:
        raise Misplaced(f"expected at most {_MOST:,} values, found {len(found):,}; give it a step", word)
    return found


def _minutes(at: time) -> int:
    if at.second or at.microsecond:
        raise Misplaced(f"expected a time of day to the minute, found {at}", "time")
    return at.hour * 60 + at.minute


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


@dataclass(frozen=True, slots=True)
class _Declared:
    """A slot with its place and the values it can have; no spec where its declaration is wrong."""

    line: str
    name: str
    slot: DrawnSlot | None
    options: tuple[str, ...] = ()

    @property
    def kind(self) -> ValueKind | None:
        """What its values are; None where each shows it."""
        if self.slot is None:
            return None
        return "person" if self.slot.person is not None else "customer" if self.slot.customer is not None else None


class Drawing:
    """All drawn slots of a world, read from its storylines; what is wrong with them however they are drawn."""

    def __init__(self, storylines: Mapping[str, object], cast: Cast) -> None:
        """Read the slots.

        Args:
            storylines: the files as they are written, by name of the storyline.
        """
        self.mistakes: list[Mistake] = []
        self._flawed: set[str] = set()
        self._cast = cast
        self._trees = storylines
        self._declared: dict[str, _Declared] = {}
        for line, tree in storylines.items():
            for name, written in self._written(line, tree).items():
                self._declared[f"{line}.{name}"] = self._read(line, str(name), written)
        self._order = self._ordered()

    @property
    def slots(self) -> tuple[str, ...]:
        """Every slot as `storyline.slot`, in the author's order."""
        return tuple(self._declared)

    def of(self, storyline: str) -> dict[str, DrawnSlot]:
        """The slots that a storyline declares soundly."""
        return {one.name: one.slot for one in self._declared.values() if one.line == storyline and one.slot}

    def options(self, slot: str) -> tuple[str, ...]:
        """All values that a slot can have before it avoids any; none where that is not known beforehand."""
        return () if slot in self._flawed else self._declared[slot].options

    def drawn(self, seed: int) -> tuple[DrawnTexts, list[Mistake]]:
        """The values that a seed gives, and what is wrong with them."""
        values: dict[str, DrawnValue] = {}
        mistakes: list[Mistake] = []
        texts = DrawnTexts(values, frozenset(self._declared))
        for name in self._order:
            one = self._declared[name]
            if not one.options and name in self._flawed:
                continue
            try:
                found = self._made(one, texts) if not one.options else self._chosen(one, seed, values)
            except (Misplaced, Outsized) as error:
                place = error.place if isinstance(error, Misplaced) else ()
                mistakes.append(self._mistake(one, str(error), *place))
            else:
                if found is not None:
                    values[name] = found
        return texts, mistakes

    def _written(self, line: str, tree: object) -> Mapping[object, object]:
        """What stands below `drawn:` in a storyline."""
        if not isinstance(tree, Mapping):
            return {}
        word = declared_word(tree)
        written = tree.get(word)
        if written is not None and not isinstance(written, Mapping):
            message = f"{word}: expected slots by name, found something else"
            self.mistakes.append(Mistake(f"storylines/{line}.yaml", line_in(tree, (word,)), message))
        return written if isinstance(written, Mapping) else {}

    def _read(self, line: str, name: str, written: object) -> _Declared:
        unsound = _Declared(line, name, None)
        found = salvage(TypeAdapter(DrawnSlot), _plain(written))
        for place, message in dict.fromkeys(found.wrong):
            self.mistakes.append(self._mistake(unsound, under(".".join(map(str, place)), message), *place))
        if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
            message = "expected a short name of lower-case letters, digits and hyphens"
            self.mistakes.append(self._mistake(unsound, message))
            return unsound
        if found.value is None or any(place[:1] != ("not",) for place, _ in found.wrong):
            return unsound
        slot = found.value
        options = tuple(dict.fromkeys(self._options(unsound, slot)))
        return _Declared(line, name, slot if options or slot.value is not None else None, options)

    def _options(self, one: _Declared, slot: DrawnSlot) -> Iterable[str]:
        if slot.one_of is not None:
            return [plain_text(option) for option in slot.one_of]
        if slot.person is not None:
            return self._somebody(one, "person", "team", slot.person, self._cast.people)
        if slot.customer is not None:
            return self._somebody(one, "customer", "tag", slot.customer, self._cast.customers)
        return slot.ranged()

    def _somebody(
        self,
        one: _Declared,
        kind: str,
        group: str,
        asked: list[str] | Mapping[str, list[str]],
        known: Mapping[str, Somebody],
    ) -> Iterator[str]:
        """Those by short name, or all of the groups; who is not there is a mistake."""
        if isinstance(asked, list):
            for number, name in enumerate(asked):
                if name in known:
                    yield name
                else:
                    message = under(f"{kind}.{number}", unknown(kind, name, known))
                    self.mistakes.append(self._mistake(one, message, kind, number))
            if not asked:
                self.mistakes.append(self._mistake(one, f"{kind}: expected somebody, found nobody", kind))
            return
        groups = {name for somebody in known.values() for name in somebody.groups}
        wanted = asked.get(group, [])
        for name in wanted:
            if name not in groups:
                message = under(f"{kind}.{group}", unknown(group, name, groups))
                self.mistakes.append(self._mistake(one, message, kind, group))
        if not wanted:
            self.mistakes.append(self._mistake(one, f"{kind}: expected `{group}:` and its name", kind))
        yield from (name for name, somebody in known.items() if somebody.groups & {*wanted})

    # -- the order in which slots are drawn ---------------------------------------------------------------------

    def _ordered(self) -> list[str]:
        """The slots, each after those that it needs; those that need each other are a mistake and are left out."""
        needs = {name: [*self._needs(one)] for name, one in self._declared.items() if one.slot is not None}
        found: dict[str, bool] = {}
        order: list[str] = []

        def visit(name: str, above: tuple[str, ...]) -> bool:
            if name in above:
                ring = above[above.index(name) :]
                one = self._declared[ring[0]]
                listed = " -> ".join([*ring, ring[0]])
                self.mistakes.append(self._mistake(one, f"expected a value before another needs it, found {listed}"))
                found.update(dict.fromkeys(ring, False))
                return False
            if name not in found:
                sound = [visit(other, (*above, name)) for other in needs.get(name, ())]
                if name not in found:
                    found[name] = name in needs and all(sound)
                    if found[name]:
                        order.append(name)
            return found[name]

        for name in needs:
            visit(name, ())
        return order

    def _needs(self, one: _Declared) -> Iterator[str]:
        assert one.slot is not None
        if one.slot.value is not None:
            uses = [*uses_in(one.slot.value, one.line)]
            if not uses and "{{" not in one.slot.value:
                self.mistakes.append(self._mistake(one, f"is: expected another slot, found {one.slot.value!r}", "is"))
            yield from (use.slot for use in uses if use.slot in self._declared)
        for number, entry in enumerate(one.slot.unlike):
            name = qualified(str(entry), one.line)
            if isinstance(entry, str) and name in self._declared:
                yield name
            elif problem := self._never(one, entry):
                self.mistakes.append(self._mistake(one, f"not.{number}: {problem}", "not", number))

    def _never(self, one: _Declared, entry: Plain) -> str:
        """What is wrong with a value that a slot is to avoid: nothing that it could have looks like it."""
        text = plain_text(entry)
        if not isinstance(entry, str) or text in one.options:
            return ""
        if one.kind is not None:
            known = self._cast.people if one.kind == "person" else self._cast.customers
            if text in known:
                return ""
        else:
            try:
                shape = value_of(text, self._cast).kind
            except Outsized as error:
                return str(error)
            if shape != "text" and shape in {value_of(option, self._cast).kind for option in one.options[:1]}:
                return ""
        own = [other.name for other in self._declared.values() if other.line == one.line and other.name != one.name]
        hint = near(text, [*own, *self._declared, *one.options[:_MOST_NEAR]])
        return f"there is neither a slot nor a value {text!r}{hint}"

    # -- values -------------------------------------------------------------------------------------------------

    def _chosen(self, one: _Declared, seed: int, values: Mapping[str, DrawnValue]) -> DrawnValue:
        assert one.slot is not None
        avoided = {
            values[name].text if (name := qualified(str(entry), one.line)) in values else plain_text(entry)
            for entry in one.slot.unlike
        }
        stream = Stream(seed, "drawn", *self._cast.world, one.line, one.name)
        text = next((text for _ in range(_TRIES) if (text := stream.choice(one.options)) not in avoided), None)
        if text is None:
            left = [option for option in one.options if option not in avoided]
            if not left:
                raise Misplaced(
                    f"not: nothing is left of {_listed(one.options)} without {_listed(sorted(avoided))}", "not"
                )
            text = stream.choice(left)
        return value_of(text, self._cast, one.kind)

    def _made(self, one: _Declared, texts: DrawnTexts) -> DrawnValue | None:
        """A value that is made of others; None where one of them has none, or is no slot."""
        assert one.slot is not None and one.slot.value is not None
        moved = _MOVED.fullmatch(one.slot.value)
        base = texts.values.get(qualified(moved[1], one.line)) if moved else None
        if moved and base is not None:
            if not moved[2]:
                return base
            return value_of(_shifted(base, moved[2], moved[3].strip()), self._cast, base.kind)
        found = texts.filled(one.slot.value, one.line)
        if found.wrong:
            raise Misplaced(under("is", found.wrong[0][1]), "is")
        return None if found.is_open else value_of(plain_text(found.value), self._cast)

    def _mistake(self, one: _Declared, message: str, *place: str | int) -> Mistake:
        tree = self._trees[one.line]
        word = declared_word(tree) if isinstance(tree, Mapping) else _WORD
        line = line_in(tree, (word, one.name, *place))
        self._flawed.add(f"{one.line}.{one.name}")
        return Mistake(f"storylines/{one.line}.yaml", line, under(f"drawn.{one.name}", message))


def declared_word(tree: Mapping[object, object]) -> str:
    """The word of a storyline that its slots stand below: `drawn`, however it is spelt there."""
    meant = (str(word) for word in tree if str(word) not in _BESIDE and nearest(str(word), (_WORD, *_BESIDE)) == _WORD)
    return _WORD if _WORD in tree else next(meant, _WORD)


def _shifted(base: DrawnValue, sign: str, amount: str) -> str:
    """A number, a day or a time of day, so much later or earlier."""
    direction = 1 if sign == "+" else -1
    if base.kind == "number":
        if not amount.isdecimal():
            raise Misplaced(f"is: expected a whole number after {sign}, found {amount!r}", "is")
        return str(int(base.text) + direction * int(amount))
    if base.kind not in ("date", "time"):
        raise Misplaced(f"is: expected a number, a day or a time of day before {sign}, found {base.text!r}", "is")
    unit, what = (DAY, "days such as 7d") if base.kind == "date" else (MINUTE, "minutes such as 5m")
    try:
        span = parse_duration(amount)
    except ExpressionError:
        span = -1
    if span < 0 or span % unit:
        raise Misplaced(f"is: expected whole {what} after {sign}, found {amount!r}", "is")
    try:
        if base.kind == "date":
            return (date.fromisoformat(base.text) + direction * timedelta(days=span // unit)).isoformat()
    except OverflowError:
        raise Misplaced(f"is: {base.text} {sign} {amount} is no day of the calendar", "is") from None
    minute = _minutes(time.fromisoformat(base.text)) + direction * (span // unit)
    if not 0 <= minute < _DAY:
        raise Misplaced(f"is: {base.text} {sign} {amount} is on another day", "is")
    return _clock(minute)


def _listed(texts: Iterable[str]) -> str:
    shown = [*texts]
    return ", ".join(shown[:_MOST_SHOWN]) + (" …" if len(shown) > _MOST_SHOWN else "")


def _plain(tree: object) -> object:
    """A tree of plain mappings and lists with texts for keys."""
    if isinstance(tree, Mapping):
        return {str(key): _plain(value) for key, value in tree.items()}
    return [_plain(value) for value in tree] if isinstance(tree, list) else tree
