"""The grammar of JQL as Jira's own has it, one method a rule, with the error that each rule gives."""

from collections.abc import Callable, Sequence

from tools.query_languages.ast import (
    EMPTY,
    Condition,
    Field,
    Function,
    NumberValue,
    Op,
    PastValue,
    Predicate,
    PredicateOp,
    SearchError,
    Value,
    Values,
    Word,
    all_of,
    any_of,
    negate,
)
from tools.query_languages.jql_tokens import JqlToken, broken
from tools.query_languages.limits import DEEPEST

__all__ = ["Parser"]

_OPERATORS = "The valid operators are '=', '!=', '<', '>', '<=', '>=', '~', '!~', 'IN', 'NOT IN', 'IS' and 'IS NOT'."
_COMPARED: dict[str, Op] = {
    "=": "=", "!=": "!=", "~": "~", "!~": "!~", "<": "<", ">": ">", "<=": "<=", ">=": ">=",
}  # fmt: skip
_PREDICATES: dict[str, PredicateOp] = {
    "from": "from", "to": "to", "by": "by", "before": "before", "after": "after", "on": "on", "during": "during",
}  # fmt: skip


class Parser:
    """Reads one query.

    Args:
        query: its text, for the places of errors.
        tokens: its tokens, `end` last.
        build: makes a condition of a field's name as typed, an operator and a value.
    """

    def __init__(self, query: str, tokens: Sequence[JqlToken], build: Callable[[str, Op, Value], Field]) -> None:
        self._query = query
        self._tokens = tokens
        self._build = build
        self._at = 0
        self._depth = 0

    def query(self) -> tuple[Condition | None, list[tuple[str, str]]]:
        """The condition, None if there is none, and the keys to sort by with `asc`, `desc` or nothing.

        Raises:
            SearchError: the query is not JQL.
        """
        here = self._here
        condition = None if here.kind == "end" or here.word == "order" else self._or()
        order = self._order_by() if self._here.word == "order" else []
        if self._here.kind != "end":
            raise self._error(f"Expecting either 'OR' or 'AND' but got '{self._here.text}'.")
        return condition, order

    @property
    def _here(self) -> JqlToken:
        return self._tokens[self._at]

    def _next(self) -> JqlToken:
        token = self._here
        self._at += token.kind != "end"
        return token

    def _is(self, symbol: str) -> bool:
        return self._here.kind == "symbol" and self._here.text == symbol

    def _take(self, symbol: str) -> bool:
        found = self._is(symbol)
        self._at += found
        return found

    def _take_word(self, word: str) -> bool:
        found = self._here.word == word
        self._at += found
        return found

    def _error(self, message: str, token: JqlToken | None = None, *, article: str = "the ") -> SearchError:
        place = token or self._here
        return broken(self._query, place.position, message, has_place=place.kind != "end", article=article)

    def _expected(self, *texts: str) -> SearchError:
        wanted = " or ".join(f"'{text}'" for text in texts)
        if self._here.kind == "end":
            return self._error(f"Expecting {wanted} before the end of the query.")
        return self._error(f"Expecting {wanted} but got '{self._here.text}'.")

    def _or(self) -> Condition:
        parts = [self._and()]
        while self._take_word("or"):
            parts.append(self._and())
        return any_of(parts) or parts[0]

    def _and(self) -> Condition:
        parts = [self._not()]
        while self._take_word("and"):
            parts.append(self._not())
        return all_of(parts) or parts[0]

    def _not(self) -> Condition:
        is_negated = False
        while self._take_word("not") or self._take("!"):
            is_negated = not is_negated
        condition = self._group() if self._is("(") else self._clause()
        return negate(condition) if is_negated else condition

    def _group(self) -> Condition:
        self._deeper()
        self._next()
        condition = self._or()
        if not self._take(")"):
            raise self._expected(")")
        self._depth -= 1
        return condition

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._error(f"The query nests deeper than {DEEPEST} brackets.")

    def _clause(self) -> Condition:
        written = self._field()
        op = self._operator()
        value = None if op == "changed" else self._operand()
        if op == "changed" or op.startswith("was"):
            return self._build(written, op, PastValue(value, self._predicates()))
        if value is None:
            raise self._bad_operand()
        self._after_operand()
        return self._build(written, op, value)

    def _after_operand(self) -> None:
        """A clause is followed by its end, another clause or the order."""
        here = self._here
        if here.kind != "end" and here.word not in ("and", "or", "order") and not self._is(")"):
            raise self._error(f"Expecting either 'OR' or 'AND' but got '{here.text}'.")

    def _field(self) -> str:
        token = self._here
        if token.word == "cf":
            return self._custom_field()
        if token.kind in ("word", "string", "number"):
            if not token.text.strip():
                raise self._error("A field name cannot be empty.")
            return self._next().text
        if token.kind == "end":
            raise self._error("Expecting a field name at the end of the query.")
        if self._is("["):
            raise self._error("Expecting a field name but got '['. Did you mean 'cf['?")
        raise self._error(
            f"Expecting a field name but got '{token.text}'. "
            f"You must surround '{token.text}' in quotation marks to use it as a field name."
        )

    def _custom_field(self) -> str:
        self._next()
        if not self._take("["):
            raise self._expected("[")
        number = self._here
        if number.kind != "number" or number.text.startswith("-"):
            wanted = "Expecting a custom field id (a positive number)"
            got = "before the end of the query." if number.kind == "end" else f"but got '{number.text}'."
            raise self._error(f"{wanted} {got}")
        self._next()
        if not self._take("]"):
            raise self._expected("]")
        return f"cf[{number.text}]"

    def _operator(self) -> Op:
        token = self._here
        if token.kind == "symbol" and token.text in _COMPARED:
            return _COMPARED[self._next().text]
        if self._take_word("in"):
            return "in"
        if self._take_word("not"):
            if not self._take_word("in"):
                raise self._expected("IN")
            return "not in"
        if self._take_word("is"):
            if self._is("!"):
                raise self._expected("NOT")
            return "is not" if self._take_word("not") else "is"
        if self._take_word("was"):
            is_not = self._take_word("not")
            if self._take_word("in"):
                return "was not in" if is_not else "was in"
            return "was not" if is_not else "was"
        if self._take_word("changed"):
            return "changed"
        if token.kind == "end":
            raise self._error(f"Expecting operator before the end of the query. {_OPERATORS}")
        raise self._error(f"Expecting operator but got '{token.text}'. {_OPERATORS}")

    def _operand(self) -> Value:
        token = self._here
        if token.word in ("empty", "null"):
            self._next()
            return EMPTY
        if token.kind in ("word", "string", "number"):
            self._next()
            if self._is("("):
                return self._function(token)
            return NumberValue(int(token.text)) if token.kind == "number" else Word(token.text)
        if self._is("("):
            return self._list()
        raise self._bad_operand()

    def _bad_operand(self) -> SearchError:
        token = self._here
        message = "Expecting either a value, list or function before the end of the query."
        if token.kind != "end":
            message = (
                f"Expecting either a value, list or function but got '{token.text}'. "
                f"You must surround '{token.text}' in quotation marks to use it as a value."
            )
        return self._error(message, article="")

    def _list(self) -> Values:
        self._deeper()
        self._next()
        items: list[Value] = []
        while True:
            was_bracket = self._is("(")
            item = self._operand()
            items += item.items if isinstance(item, Values) else (item,)
            if self._take(")"):
                self._depth -= 1
                return Values(tuple(items))
            if not self._take(","):
                is_plain = not was_bracket and isinstance(item, Word | NumberValue) and self._here.kind != "end"
                raise self._expected(*((",", ")") if is_plain else (")",)))

    def _function(self, name: JqlToken) -> Function:
        if not name.text.strip():
            raise self._error("A function name cannot be empty.", name)
        self._next()
        arguments: list[str] = []
        while not self._take(")"):
            if arguments and not self._take(","):
                raise self._expected(*((")", ",") if self._here.kind != "end" else (")",)))
            if not arguments and (self._here.kind == "end" or self._is(",")):
                raise self._expected(")")
            arguments.append(self._argument())
        return Function(name.text, tuple(arguments))

    def _argument(self) -> str:
        token = self._here
        if token.kind in ("word", "string", "number"):
            return self._next().text
        if token.kind == "end":
            raise self._error("Expecting a function argument at the end of the query.")
        if token.text in (")", ","):
            raise self._error("Function argument must be specified.")
        raise self._error(
            f"Expecting a function argument but got '{token.text}'. "
            f"You must surround '{token.text}' in quotation marks to use it as an argument."
        )

    def _predicates(self) -> tuple[Predicate, ...]:
        found: list[Predicate] = []
        while op := _PREDICATES.get(self._here.word):
            self._next()
            found.append(Predicate(op, self._operand()))
        self._after_operand()
        return tuple(found)

    def _order_by(self) -> list[tuple[str, str]]:
        self._next()
        if not self._take_word("by"):
            raise self._expected("by")
        keys: list[tuple[str, str]] = []
        while True:
            written, direction = self._field(), ""
            if self._here.word in ("asc", "desc"):
                direction = self._next().word
            elif self._here.kind != "end" and not self._is(","):
                raise self._error(f"Expecting either 'ASC' or 'DESC' but got '{self._here.text}'.")
            keys.append((written, direction))
            if self._here.kind == "end":
                return keys
            if not self._take(","):
                raise self._expected(",")
