"""The base of what files and wires bring in: a field that nobody knows is a mistake, and a value does not change."""

from pydantic import BaseModel, ConfigDict

__all__ = ["StrictModel"]


class StrictModel(BaseModel):
    """A pydantic model that refuses unknown fields and cannot be changed once it is read."""

    model_config = ConfigDict(extra="forbid", frozen=True)
