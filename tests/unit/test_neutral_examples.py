"""What tools say of themselves holds in every world: no example comes from a shipped one."""

import json
import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

import worlds.catalog
from brownout.core.plugins import plugin_names
from brownout.engine.simulation_setting import load_app

_WORLDS = [path for path in Path(worlds.catalog.__file__).parent.iterdir() if (path / "world.yaml").is_file()]
_WORDS_OF_THE_TRADE = frozenset(
    {"web", "api", "bookings", "billing", "support", "outbox", "reminders", "worker", "search"}
)
"""Names of services that are words which any product may use."""


def _names(folder: Path) -> set[str]:
    """People, customers, services and repositories of a world, and the days that its tasks are played on."""
    keys = {folder.name}
    for file in ("people.yaml", "customers.yaml"):
        path = folder / file
        keys |= {str(name) for name in YAML(typ="safe").load(path)} if path.is_file() else set()
    if (folder / "systems.yaml").is_file():
        keys |= {str(name) for name in YAML(typ="safe").load(folder / "systems.yaml").get("services", {})}
    keys |= {path.name for path in (folder / "repos").glob("*")}
    days = {
        day for path in folder.glob("tasks/*/task.yaml") for day in re.findall(r"\d{4}-\d{2}-\d{2}", path.read_text())
    }
    return (keys | days | {"2026-04-14"}) - _WORDS_OF_THE_TRADE


@pytest.mark.parametrize("name", sorted(plugin_names("apps")))
def test_no_example_comes_from_a_shipped_world(name: str) -> None:
    known = {word.lower() for folder in _WORLDS for word in _names(folder)}
    found = set()
    for operation in load_app(name).operations.values():
        text = f"{operation.description} {json.dumps(operation.schema, ensure_ascii=False)}".lower()
        found |= {(operation.name, word) for word in known if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text)}
    assert not found
