"""`brownout schema`: what may stand in the files of a world, as JSON schemas."""

from pathlib import Path
from typing import Annotated

import typer

from brownout.cli.output import console, print_json
from brownout.core.errors import UsageError
from brownout.core.values import Json

__all__ = ["schema"]


def schema(
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="One of them, people.yaml or storylines/holds.yaml.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="The schemas themselves; of all files without FILE.")] = False,
    out: Annotated[Path | None, typer.Option(help="A folder to write them to, a file each.")] = None,
) -> None:
    """Print the JSON schema of the files of a world, for any editor that takes one."""
    import orjson

    from worlds.spec.schema import file_schema, pattern_of, schema_document

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
