"""`brownout show drawn`: what a seed draws for the slots of a world, and how each value reads."""

from rich.markup import escape

from brownout.catalog import find_spec
from brownout.cli.output import console, print_json, table
from brownout.core.values import Json
from worlds.spec import read_world

__all__ = ["drawn"]


def drawn(world: str, seed: int | None, as_json: bool) -> None:
    """The drawn slots of a world with their values for a seed, and how each reads in its forms."""
    spec = read_world(find_spec(world), seed)
    used = spec.world.generation.seed
    if as_json:
        listed: list[Json] = [
            {"slot": name, "kind": value.kind, "value": value.text, "forms": dict(value.forms)}
            for name, value in spec.drawn.items()
        ]
        print_json({"world": spec.world.world, "seed": used, "drawn": listed})
        return
    if not spec.drawn:
        console.print(f"{escape(spec.world.title)}: nothing is drawn")
        return
    shown = table("slot", "kind", "value", "forms", whole=("slot", "value"))
    for name in spec.drawing.slots:
        value = spec.drawn[name]
        forms = " · ".join(f"{form}: {text}" for form, text in value.forms.items())
        shown.add_row(name, value.kind, escape(value.text), escape(forms))
    console.print(f"seed {used}")
    console.print(shown)
