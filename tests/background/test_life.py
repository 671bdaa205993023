"""What everyday life is drawn from, read from a package."""

import orjson
import pytest

from brownout.background.life_sources import read_life
from brownout.core.errors import PackageError
from tests.background.lives import life_of_people


def test_life_is_read_as_it_was_written() -> None:
    life = life_of_people()
    assert read_life(life.model_dump_json(by_alias=True).encode()) == life


def test_a_life_of_another_version_is_refused_by_name_with_the_cure() -> None:
    written = orjson.loads(life_of_people().model_dump_json(by_alias=True))
    written["people"][0]["nickname"] = "Ada"
    with pytest.raises(
        PackageError, match=r"another version of Brownout \(people\.0\.nickname: .*build the world again"
    ):
        read_life(orjson.dumps(written))
