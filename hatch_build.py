"""Puts the rooms below `brownout` when a wheel is built, so that it is safe beside anybody's own `tools`."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class RoomsHook(BuildHookInterface[Any]):
    """Gives hatchling the files that `brownout.core.top_level_packages` says; an editable install links to the checkout as it is."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write them where hatchling picks them up."""
        if version == "editable":
            return
        self._folder = TemporaryDirectory(prefix="brownout-wheel-")
        for name, data in _rooms(Path(self.root)).built_files(Path(self.root)).items():
            path = Path(self._folder.name) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        build_data["force_include"][str(Path(self._folder.name) / "brownout")] = "brownout"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Take them away again."""
        if version != "editable":
            self._folder.cleanup()


def _rooms(root: Path) -> Any:
    spec = spec_from_file_location("rooms", root / "brownout" / "core" / "top_level_packages.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
