"""The people a company can be seen through."""

from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from brownout.engine.simulation_setting import read_people
from brownout.store import Base, Pool
from worlds.package import Package

__all__ = ["PersonOption", "busiest_of", "faces_of"]

_BUSIEST = """
    SELECT json_extract(payload, '$.who') AS who, count(*) AS deeds FROM engine_schedule
    WHERE kind = 'intent' GROUP BY 1 ORDER BY 2 DESC, 1
"""
_ORDER = {"agent": 0, "person": 1, "outsider": 2}


@dataclass(frozen=True, slots=True)
class PersonOption:
    """Somebody to look as."""

    person: str
    name: str
    role: str
    kind: str

    @property
    def label(self) -> str:
        """How they stand in a list."""
        return f"{self.name} · {'agent, ' if self.kind == 'agent' else ''}{self.role}" if self.role else self.name


def faces_of(package: Package) -> tuple[PersonOption, ...]:
    """Everybody with an account: agents, then the company's people, then outsiders.

    Raises:
        StoreError: the package's file is damaged.
    """
    return _faces(package.origin, package.manifest.digest)


def busiest_of(package: Package) -> str:
    """Who of the company's people does most by its calendar; somebody with a full day is worth looking as. Empty for nobody."""
    return _busiest(package.origin, package.manifest.digest)


@lru_cache(maxsize=32)
def _busiest(origin: Path, digest: str) -> str:
    people = {face.person for face in _faces(origin, digest) if face.kind == "person"}
    with closing(Base(origin)) as base:
        pool = Pool(base, hot=1)
        ranked = [str(who) for who, _ in pool.open().rows.execute(_BUSIEST)]
        pool.close()
    return next((who for who in ranked if who in people), "")


@lru_cache(maxsize=32)
def _faces(origin: Path, digest: str) -> tuple[PersonOption, ...]:
    with closing(Base(origin)) as base:
        pool = Pool(base, hot=1)
        people = read_people(pool.open().rows)
        pool.close()
    accounts = [profile.account for profile in people.values() if profile.account.kind in _ORDER]
    faces = [PersonOption(account.person, account.name, account.role, account.kind) for account in accounts]
    return tuple(sorted(faces, key=lambda face: (_ORDER[face.kind], face.name)))
