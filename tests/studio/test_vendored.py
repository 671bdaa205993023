"""What the panes take from others: pinned, licensed, served once."""

import gzip
import json
from hashlib import sha256
from pathlib import Path

import studio.serving.script_bundles
from studio.serving.script_bundles import asset_address
from tests.studio.asking import Answer, asked

VENDORED = Path(studio.serving.script_bundles.__file__).parent.parent / "vendor"


def test_every_vendored_package_is_pinned_and_its_licence_is_told() -> None:
    package = json.loads((VENDORED / "package.json").read_text())
    lock = json.loads((VENDORED / "package-lock.json").read_text())["packages"]
    licences = (VENDORED / "dist" / "LICENSES.txt").read_text()

    for name, version in package["dependencies"].items():
        assert version[0].isdigit()
        assert f"{name} {version} (MIT)" in licences
        assert lock[f"node_modules/{name}"]["integrity"].startswith("sha512-")
    assert not any("resolved" in one for one in lock.values())


def _asset(path: str, encoding: str = "") -> Answer:
    return asked(path, headers={"host": "127.0.0.1:8501", "accept-encoding": encoding})


def test_a_bundle_is_served_by_its_hash_and_kept_by_browsers() -> None:
    address = asset_address("editor")
    data = (VENDORED / "dist" / "editor.js").read_bytes()

    answer = _asset(f"/{address}", "gzip")

    assert sha256(data).hexdigest()[:12] in address
    assert gzip.decompress(answer.body) == data == _asset(f"/{address}").body
    assert "immutable" in answer.headers["cache-control"]
    assert len(answer.body) < 200_000
    assert _asset("/assets/editor-000000000000.js").status == 404
    assert _asset("/assets/..%2Fpackage.json").status == 404
