"""`brownout fmt`: a world's YAML made tidy."""

import typer

from brownout.catalog import own_folder_of
from brownout.cli.output import console, counted
from brownout.core.errors import AuthoringError, Mistake
from worlds.editing import WorldEdit, formatted
from worlds.spec.yaml_loading import BrokenText, load_yaml

__all__ = ["fmt"]


def fmt(world: str, check: bool, width: int | None) -> None:
    """Tidy the YAML of a world's folder without changing what it says: line ends, trailing spaces, the last line."""
    folder = own_folder_of(world)
    edit = WorldEdit(folder)
    files = sorted(path.relative_to(folder) for path in folder.rglob("*.yaml") if path.is_file())
    names = [path.as_posix() for path in files if not any(part.startswith(".") for part in path.parts)]
    mistakes: list[Mistake] = []
    for name in names:
        try:
            load_yaml((folder / name).read_bytes())
        except BrokenText as error:
            mistakes.append(Mistake(name, error.line, str(error)))
            continue
        edit.replace(name, formatted(edit.read(name), width=width))
    if mistakes:
        raise AuthoringError(mistakes)
    changes = edit.changes if check else edit.write()
    for change in changes:
        console.print(f"{'not tidy' if check else 'tidied'}: {folder / change.file}", markup=False, soft_wrap=True)
    if not changes:
        console.print(f"[green]✓[/] {counted(len(names), 'file')}, all tidy")
    elif check:
        raise typer.Exit(1)
