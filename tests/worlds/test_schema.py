"""The JSON schema of the files that authors write."""

from pathlib import Path

import jsonschema
import pytest

from brownout.catalog import find_spec
from worlds.spec.field_types import Spec
from worlds.spec.schema import file_schema, pattern_of, schema_document
from worlds.spec.yaml_loading import load_yaml


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, bool) or value is None:
        return value
    return int(value) if isinstance(value, int) else float(value) if isinstance(value, float) else str(value)


def _wrong(file: str, value: object) -> list[str]:
    validator = jsonschema.Draft202012Validator(file_schema(pattern_of(file)))
    return [f"{[*error.absolute_path]}: {error.message}" for error in validator.iter_errors(value)]


@pytest.mark.parametrize("world", ["tiny", "larkspur"])
def test_every_shipped_file_is_as_its_schema_says(world: str) -> None:
    root = find_spec(world)
    checked = 0
    for path in sorted(root.rglob("*.yaml")):
        file = path.relative_to(root).as_posix()
        if pattern_of(file):
            checked += 1
            assert _wrong(file, _plain(load_yaml(path.read_bytes()))) == [], file
    assert checked > 10


@pytest.mark.parametrize(
    ("file", "value", "says"),
    [
        ("people.yaml", {"ida": {"name": "Ida", "role": "engineer", "voice": "loud"}}, "'loud' is not one of"),
        ("people.yaml", {"ida": {"name": "Ida"}}, "'role' is a required property"),
        ("people.yaml", {"ida": {"name": "Ida", "role": "x", "colour": "red"}}, "'colour' was unexpected"),
        ("outages.yaml", {"noon": {"on": "slack", "mode": "down", "for": "soon"}}, "'soon' does not match"),
        ("storylines/a.yaml", {"talks": {"t": {"at": "x", "in": "#a", "lines": ["nobody"]}}}, "is not valid under any"),
    ],
)
def test_what_the_reader_refuses_the_schema_refuses_too(file: str, value: object, says: str) -> None:
    assert any(says in each for each in _wrong(file, value)), _wrong(file, value)


def test_every_schema_is_one(tmp_path: Path) -> None:
    files = schema_document()["files"]
    assert isinstance(files, dict)
    assert len(files) == 11
    for schema in files.values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_references_say_what_they_refer_to() -> None:
    person = file_schema("people.yaml")["$defs"]["Person"]["properties"]  # type: ignore[index,call-overload]
    assert person["manager"]["x-refers"] == ["person"]  # type: ignore[index,call-overload]


def test_no_field_has_two_bounds_of_a_kind() -> None:
    """Of two pydantic takes the last, whichever is the narrower: a smallest worth of 0 would be lost behind the one of all numbers."""

    def below(model: type[Spec]) -> list[type[Spec]]:
        return [model, *(found for each in model.__subclasses__() for found in below(each))]

    assert not [
        f"{model.__name__}.{name}"
        for model in below(Spec)
        for name, field in model.model_fields.items()
        for bound in ("ge", "le")
        if sum(hasattr(one, bound) for one in field.metadata) > 1
    ]


def test_every_whole_number_has_an_end() -> None:
    """One that no store could hold is a mistake where it stands, not a failure of the build."""

    def endless(part: object, place: str) -> list[str]:
        if isinstance(part, list):
            return [found for one in part for found in endless(one, place)]
        if not isinstance(part, dict):
            return []
        parts = {
            name: one for name, one in part.items() if name != "DrawnSlot"
        }  # its plain values are bounded as all are
        inner = [found for name, one in parts.items() for found in endless(one, f"{place}.{name}")]
        kinds = part.get("type")
        is_whole = kinds == "integer" and not {"const", "x-kind"} & part.keys()
        return [*inner, *([place] if is_whole and not {"minimum", "maximum"} <= part.keys() else [])]

    assert endless(schema_document()["files"], "") == []
