"""What `brownout schema` does."""

from pathlib import Path

import orjson

from brownout.cli.output import console, print_json
from brownout.core.errors import UsageError
from brownout.core.values import Json
from worlds.spec.schema import file_schema, pattern_of, schema_document

__all__ = ["schema"]


def schema(file: str, as_json: bool, out: Path | None) -> None:
    """Print the JSON schema of the files of a world."""
    document = schema_document()
    files = document["files"]
    assert isinstance(files, dict)
    if file:
        pattern = file if file in files else pattern_of(file)
        if not pattern:
            raise UsageError(f"expected a file of a world, {', '.join(files)}; found {file!r}")
        print_json(file_schema(pattern))
        return
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        matched: dict[str, Json] = {}
        for pattern, one in files.items():
            name = pattern.replace("/", "-").replace("*-", "").replace("-*", "").replace(".yaml", "") + ".schema.json"
            (out / name).write_bytes(orjson.dumps(one, option=orjson.OPT_INDENT_2))
            matched[str((out / name).as_posix())] = pattern
        (out / "yaml-schemas.json").write_bytes(orjson.dumps({"yaml.schemas": matched}, option=orjson.OPT_INDENT_2))
        console.print(f"{len(matched)} schemas in {out}; yaml-schemas.json names the files of each", markup=False)
        return
    if as_json:
        print_json(document)
        return
    for pattern in files:
        console.print(f"brownout schema '{pattern}'", markup=False)
