import pytest

from tools.query_languages.ast import ErrorKind, SearchError
from tools.query_languages.jql import JqlField, parse, problems

FIELDS = {
    "project": JqlField("project", "name"),
    "status": JqlField("status", "name", has_history=True),
    "assignee": JqlField("assignee", "name", has_history=True),
    "priority": JqlField("priority", "name", is_ordered=True),
    "summary": JqlField("summary", "text"),
    "created": JqlField("created", "date"),
    "points": JqlField("points", "number"),
}
OPERATORS = "The valid operators are '=', '!=', '<', '>', '<=', '>=', '~', '!~', 'IN', 'NOT IN', 'IS' and 'IS NOT'."
ESCAPES = r"The valid escape sequences are \', \", \t, \n, \r, \\, '\ ' and \uXXXX."
FORMATS = (
    "Valid formats include: 'yyyy/MM/dd HH:mm', 'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', "
    "or a period format e.g. '-5d', '4w 2d'."
)


def refusal(query: str) -> SearchError:
    with pytest.raises(SearchError) as caught:
        parse(query, now=0, zone="UTC", fields=FIELDS)
    return caught.value


@pytest.mark.parametrize(
    ("query", "message", "position"),
    [
        ("status = Open x", "Expecting either 'OR' or 'AND' but got 'x'. (line 1, character 15)", 14),
        (
            "(status = Open project = BOX)",
            "Expecting either 'OR' or 'AND' but got 'project'. (line 1, character 16)",
            15,
        ),
        ("status = Open by mara", "Expecting either 'OR' or 'AND' but got 'by'. (line 1, character 15)", 14),
        ("status = Open)", "Expecting either 'OR' or 'AND' but got ')'. (line 1, character 14)", 13),
        ("project BOX", f"Expecting operator but got 'BOX'. {OPERATORS} (line 1, character 9)", 8),
        ("payments", f"Expecting operator before the end of the query. {OPERATORS}", 8),
        ("status is ! empty", "Expecting 'NOT' but got '!'. (line 1, character 11)", 10),
        (
            "summary like retry",
            (
                "'like' is a reserved JQL word. You must surround it in quotation marks to use it in a query. "
                "(line 1, character 9)"
            ),
            8,
        ),
        ("status not = Open", "Expecting 'IN' but got '='. (line 1, character 12)", 11),
        ("project = BOX AND", "Expecting a field name at the end of the query.", 17),
        (
            "AND status = Open",
            (
                "Expecting a field name but got 'AND'. "
                "You must surround 'AND' in quotation marks to use it as a field name. (line 1, character 1)"
            ),
            0,
        ),
        ("[10011] = 5", "Expecting a field name but got '['. Did you mean 'cf['? (line 1, character 1)", 0),
        ("'' = Open", "A field name cannot be empty. (line 1, character 1)", 0),
        ("cf = 5", "Expecting '[' but got '='. (line 1, character 4)", 3),
        (
            "cf[points] = 5",
            "Expecting a custom field id (a positive number) but got 'points'. (line 1, character 4)",
            3,
        ),
        ("cf[", "Expecting a custom field id (a positive number) before the end of the query.", 3),
        ("cf[12 = 5", "Expecting ']' but got '='. (line 1, character 7)", 6),
        ("(status = Open", "Expecting ')' before the end of the query.", 14),
        ("status in (Open, Done", "Expecting ')' before the end of the query.", 21),
        ("status in (Open Done)", "Expecting ',' or ')' but got 'Done'. (line 1, character 17)", 16),
        ("assignee = membersOf(", "Expecting ')' before the end of the query.", 21),
        ("assignee = membersOf(a b)", "Expecting ')' or ',' but got 'b'. (line 1, character 24)", 23),
        ("assignee = membersOf(a,", "Expecting a function argument at the end of the query.", 23),
        ("assignee = membersOf(a,)", "Function argument must be specified. (line 1, character 24)", 23),
        ("assignee = ''()", "A function name cannot be empty. (line 1, character 12)", 11),
        ("status = Open order", "Expecting 'by' before the end of the query.", 19),
        ("status = Open order created", "Expecting 'by' but got 'created'. (line 1, character 21)", 20),
        ("order by created up", "Expecting either 'ASC' or 'DESC' but got 'up'. (line 1, character 18)", 17),
        ("order by created desc due", "Expecting ',' but got 'due'. (line 1, character 23)", 22),
        ("summary ~ 'retry", "The quoted string 'retry' has not been completed. (line 1, character 11)", 10),
        ('summary ~ "', "The quoted string has not been completed. (line 1, character 11)", 10),
        (r"summary ~ re\try\k", rf"'\k' is an illegal JQL escape sequence. {ESCAPES} (line 1, character 17)", 16),
        (r"summary ~ '\u12g4'", rf"'\u12g' is an illegal JQL escape sequence. {ESCAPES} (line 1, character 12)", 11),
        ("summary ~ retry\\", f"The escape sequence has not been completed. {ESCAPES} (line 1, character 16)", 15),
        (
            "assignee = mara@larkspur.dev",
            (
                "The character '@' is a reserved JQL character. You must enclose it in a string or use the escape "
                "'\\u0040' instead. (line 1, character 16)"
            ),
            15,
        ),
        (
            "status =\nOpen\x7f",
            (
                "The character 'U+007F' on line 2 at position 5 must be escaped. Use the escape '\\u007f' instead. "
                "(line 2, character 5)"
            ),
            13,
        ),
        (
            "summary ~ 'a\tb'",
            (
                "The character 'TAB' on line 1 at position 13 must be escaped. Use the escape '\\u0009' instead. "
                "(line 1, character 13)"
            ),
            12,
        ),
        (
            "status = select",
            (
                "'select' is a reserved JQL word. You must surround it in quotation marks to use it in a query. "
                "(line 1, character 10)"
            ),
            9,
        ),
        (
            "points > 9223372036854775808",
            (
                "'9223372036854775808' is not a valid number. Numbers must be between -9,223,372,036,854,775,808 and "
                "9,223,372,036,854,775,807. (line 1, character 10)"
            ),
            9,
        ),
    ],
)
def test_what_cannot_be_read_is_refused_in_jiras_words(query: str, message: str, position: int) -> None:
    refused = refusal(query)
    found = (refused.message, refused.position, refused.kind)
    assert found == (f"Error in the JQL Query: {message}", position, "syntax")


@pytest.mark.parametrize(
    ("query", "end"),
    [
        ("status = In Progress", "'In' in quotation marks to use it as a value. (line 1, character 10)"),
        ("status =", ""),
        ("status in", ""),
        ("status was", ""),
        ("status in ()", "')' in quotation marks to use it as a value. (line 1, character 12)"),
        ("status in (,Open)", "',' in quotation marks to use it as a value. (line 1, character 12)"),
        ("points >= > 5", "'>' in quotation marks to use it as a value. (line 1, character 11)"),
    ],
)
def test_a_missing_value_is_refused_in_the_other_wording(query: str, end: str) -> None:
    message = "Error in JQL Query: Expecting either a value, list or function before the end of the query."
    if end:
        got = end.split("'")[1]
        message = (
            f"Error in JQL Query: Expecting either a value, list or function but got '{got}'. You must surround {end}"
        )
    assert refusal(query).message == message


def test_brackets_nest_only_so_deep() -> None:
    assert "nests deeper" in refusal("(" * 400 + "a = b").message
    assert "nests deeper" in refusal("a in " + "(" * 400).message
    assert parse("(" * 30 + "a = b" + ")" * 30, now=0, zone="UTC", fields={}).condition is not None
    assert parse("not " * 401 + "a = b", now=0, zone="UTC", fields={}).condition is not None


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("status = Open AND created >= -7d ORDER BY created", []),
        ("assignee in (currentUser(), EMPTY) AND status was Open before startOfDay()", []),
        ("colour = red", [("field", "Field 'colour' does not exist or you do not have permission to view it.")]),
        ("order by Colour", [("field", "Field 'Colour' does not exist or you do not have permission to view it.")]),
        (
            "colour = red OR NOT shape = round",
            [
                ("field", "Field 'colour' does not exist or you do not have permission to view it."),
                ("field", "Field 'shape' does not exist or you do not have permission to view it."),
            ],
        ),
        ("summary = retry", [("operator", "The operator '=' is not supported by the 'summary' field.")]),
        ("project ~ BOX", [("operator", "The operator '~' is not supported by the 'project' field.")]),
        ("status > Open", [("operator", "The operator '>' is not supported by the 'status' field.")]),
        ("priority > Medium", []),
        ("project was BOX", [("operator", "The operator 'was' is not supported by the 'project' field.")]),
        ("assignee = nobody()", [("function", "Unable to find JQL function 'nobody()'.")]),
        ("assignee was in (nobody(x))", [("function", "Unable to find JQL function 'nobody(x)'.")]),
        (
            "status in Open",
            [("value", "Operator 'in' does not support the non-list value '\"Open\"' for field 'status'.")],
        ),
        (
            "status = (Open, 5)",
            [("value", "Operator '=' does not support the list value '(\"Open\", 5)' for field 'status'.")],
        ),
        (
            "status is Open",
            [("value", "Operator 'is' does not support the non-empty value '\"Open\"' for field 'status'.")],
        ),
        ("created > yesterday", [("value", f"Date value 'yesterday' for field 'created' is invalid. {FORMATS}")]),
        ("created > '2026-02-30'", [("value", f"Date value '2026-02-30' for field 'created' is invalid. {FORMATS}")]),
        ("created > '-1y'", [("value", f"Date value '-1y' for field 'created' is invalid. {FORMATS}")]),
        ("created > '-4w2d'", [("value", f"Date value '-4w2d' for field 'created' is invalid. {FORMATS}")]),
        ("created > 2026", [("value", f"Date value '2026' for field 'created' is invalid. {FORMATS}")]),
        ("created in (x, -1d)", [("value", f"Date value 'x' for field 'created' is invalid. {FORMATS}")]),
        (
            "created > currentUser()",
            [("function", "A date for the field 'created' provided by the function 'currentUser' is not valid.")],
        ),
        ("created > now(1)", [("function", "Function 'now' expected '0' arguments but received '1'.")]),
        (
            "created > startOfDay(1, 2)",
            [("function", "Function 'startOfDay' expected between '0' and '1' arguments but received '2'.")],
        ),
        (
            "created > startOfDay(-1D)",
            [
                (
                    "function",
                    (
                        "Duration for function 'startOfDay' should have the format (+/-)n(yMwdm), "
                        "e.g -1M for 1 month earlier."
                    ),
                )
            ],
        ),
        (
            "status changed after soon",
            [("value", f"Date value 'soon' for predicate 'after' is invalid. {FORMATS}")],
        ),
    ],
)
def test_what_asks_for_the_impossible_is_reported_whole(query: str, expected: list[tuple[ErrorKind, str]]) -> None:
    search = parse(query, now=0, zone="UTC", fields=FIELDS)
    assert [(each.kind, each.message) for each in problems(search, fields=FIELDS)] == expected


def test_a_site_may_lack_functions() -> None:
    search = parse("assignee = currentUser()", now=0, zone="UTC", fields=FIELDS)
    assert [each.kind for each in problems(search, fields=FIELDS, functions=frozenset({"now"}))] == ["function"]
