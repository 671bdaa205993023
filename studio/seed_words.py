"""The two kinds of seed, each by one name and one sentence wherever it is asked for or shown."""

from typing import Final

__all__ = ["RUN_SEED", "RUN_SEED_SAYS", "WORLD_SEED", "WORLD_SEED_SAYS"]

WORLD_SEED: Final = "World seed"
WORLD_SEED_SAYS: Final = "What the company is drawn by when it is built: another one is another company, with other people, days and figures."
RUN_SEED: Final = "Run seed"
RUN_SEED_SAYS: Final = "What chance is drawn by while an agent plays, in the company as it was built: who answers when, which requests an outage lets through."
