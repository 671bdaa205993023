"""The tool `record_findings`: what it tells of the fields, and what it takes."""

from brownout.core.values import Json, JsonObject
from tests.worlds.findings.world import HERE
from worlds.findings import findings_tool, read_findings
from worlds.spec.findings import FindingSchema

FIELDS = [
    FindingSchema(name="since", kind="time", asks="Since when."),
    FindingSchema(name="who", kind="person", asks="Who asked for it", many=True),
    FindingSchema(name="clinics", kind="quantity", asks="How many", unit="clinics"),
    FindingSchema(name="remedy", kind="choice", asks="What helped", options={"failover": ["moved over"], "restart": []}),
]  # fmt: skip


def refused(arguments: JsonObject) -> list[str]:
    return read_findings(FIELDS, arguments, HERE)[1]


def test_the_tool_says_what_is_asked_and_in_which_form_and_nothing_of_what_is_right() -> None:
    tool = findings_tool(FIELDS)
    schema = tool["input_schema"]
    assert isinstance(schema, dict)
    properties = schema["properties"]
    assert isinstance(properties, dict)

    assert (tool["name"], schema["additionalProperties"], "required" in schema) == ("record_findings", False, False)
    assert {name: one["description"] for name, one in properties.items() if isinstance(one, dict)} == {
        "since": "Since when. As a time of day, `14:05`.",
        "who": "Who asked for it. Several, separated by commas, each one person's name or address.",
        "clinics": "How many. As a number of clinics.",
        "remedy": "What helped. As one of: failover, restart.",
    }
    assert "`unknown`" in str(tool["description"])
    assert "moved over" not in str(tool)


def test_what_is_handed_in_is_read_field_by_field() -> None:
    found, wrong = read_findings(FIELDS, {"since": "10:12", "who": "Viktor, Inês", "remedy": "unknown"}, HERE)

    assert wrong == []
    assert {name: given.outcome for name, given in found.items()} == {
        "since": "value", "who": "value", "remedy": "unknown"
    }  # fmt: skip


def test_every_mistake_of_a_call_is_named_at_once() -> None:
    wrong = refused(
        {"since": "10:12 or 10:15", "who": "", "clinics": "many", "remedy": "probably failover", "sinse": "x"}
    )

    assert wrong == [
        "since: expected one value, found several",
        "who: expected a value, found nothing",
        "clinics: expected a number, found 'many'",
        "remedy: expected a value you stand behind, or `unknown` and no value beside it",
        "sinse: there is no such field; did you mean 'since'?; there are since, who, clinics, remedy",
    ]


def test_what_is_no_text_is_refused() -> None:
    others: list[Json] = [10, None, ["10:12"], {"at": "10:12"}, True, "x" * 1001]
    for value in others:
        assert refused({"since": value}) == ["since: expected a text of at most 1000 characters"]


def test_a_call_without_fields_is_refused() -> None:
    assert refused({}) == ["expected at least one field: since, who, clinics, remedy"]


def test_what_is_right_in_form_is_read_beside_what_is_wrong() -> None:
    found, wrong = read_findings(FIELDS, {"since": "10:12", "clinics": "many"}, HERE)

    assert ([*found], len(wrong)) == (["since"], 1)
