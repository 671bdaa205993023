"""manifest.json: what a package is and how to tell that it is whole."""

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["FORMAT", "Manifest"]

FORMAT = 1
"""Version of the package format that this code writes; it reads this one and the one before."""


class Manifest(BaseModel):
    """The package's own description.

    Attributes:
        digest: of everything an agent or a grader can see, independent of file bytes.
        digests: of the parts that it is made from: spec, world, truth, each start, tasks, tools.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: int
    world: str
    title: str
    company: str
    seed: int
    digest: str
    digests: dict[str, str]
    counts: dict[str, int]
    zone: str
    calendar: tuple[int, int] = Field(description="First and last instant, microseconds since the epoch.")
    start: int = Field(description="Instant of the base file, microseconds since the epoch.")
    turn_cost: int = Field(description="World time of an agent's turn, microseconds.")
    apps: list[str]
    flagship: str = Field(default="", description="The task to begin with; empty where the author names none.")
    files: dict[str, str] = Field(default={}, description="Size and checksum of each database file of this very copy.")
    plugins: dict[str, str] = Field(description="Version of each plug-in that shaped the content.")
