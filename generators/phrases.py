"""What people and services say at run time: the voices, the log lines, the customers' complaints."""

from collections.abc import Iterator, Mapping
from importlib.resources import files

from ruamel.yaml import YAML

from brownout.core.errors import Mistake
from worlds.spec import WorldSpec

__all__ = ["phrases_of", "systems_mistakes"]

Phrases = dict[str, dict[str, list[str]]]


def phrases_of(spec: WorldSpec) -> Phrases:
    """Phrases by `voice.dry`, `logs.boxoffice`, `customers.boxoffice`, then by occasion."""
    pack = YAML(typ="safe").load(files("generators").joinpath("packs/voices.yaml").read_text("utf-8"))
    phrases: Phrases = {f"voice.{voice}": dict(kinds) for voice, kinds in pack.items()}
    for topic, services in spec.prose.get("systems", {}).items():
        if isinstance(services, Mapping):
            for service, kinds in services.items():
                phrases[f"{topic}.{service}"] = {str(kind): [str(t) for t in texts] for kind, texts in kinds.items()}
    return phrases


def systems_mistakes(spec: WorldSpec) -> Iterator[Mistake]:
    """What is wrong with prose/systems.yaml."""
    for topic, services in spec.prose.get("systems", {}).items():
        if topic not in ("logs", "customers") or not isinstance(services, Mapping):
            yield Mistake("prose/systems.yaml", 0, f"{topic}: expected logs: or customers:, each a mapping of services")
            continue
        for service, kinds in services.items():
            if service not in spec.services:
                yield Mistake("prose/systems.yaml", 0, f"{topic}: there is no service {service!r}")
            elif not isinstance(kinds, Mapping) or not all(isinstance(texts, list) for texts in kinds.values()):
                yield Mistake("prose/systems.yaml", 0, f"{topic}.{service}: expected lists of texts by state or cause")
