"""What the panes take from others: pinned, licensed, served once."""

import gzip
import json
from hashlib import sha256
from pathlib import Path

from starlette.applications import Starlette
from starlette.testclient import TestClient

import studio.serving.assets
from studio.serving.assets import asset_address, asset_routes

VENDORED = Path(studio.serving.assets.__file__).parent.parent / "vendor"


def test_every_vendored_package_is_pinned_and_its_licence_is_told() -> None:
    package = json.loads((VENDORED / "package.json").read_text())
    lock = json.loads((VENDORED / "package-lock.json").read_text())["packages"]
    licences = (VENDORED / "dist" / "LICENSES.txt").read_text()

    for name, version in package["dependencies"].items():
        assert version[0].isdigit()
        assert f"{name} {version} (MIT)" in licences
        assert lock[f"node_modules/{name}"]["integrity"].startswith("sha512-")
    assert not any("resolved" in one for one in lock.values())


def test_a_bundle_is_served_by_its_hash_and_kept_by_browsers() -> None:
    client = TestClient(Starlette(routes=asset_routes()))
    address = asset_address("editor")
    data = (VENDORED / "dist" / "editor.js").read_bytes()

    answer = client.get(f"/{address}")

    assert sha256(data).hexdigest()[:12] in address
    assert answer.content == data
    assert "immutable" in answer.headers["cache-control"]
    assert len(gzip.compress(data)) < 200_000
    assert client.get("/assets/editor-000000000000.js").status_code == 404
    assert client.get("/assets/..%2Fpackage.json").status_code == 404
