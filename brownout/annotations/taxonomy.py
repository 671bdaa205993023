"""The labels that a team uses, read from a file of theirs; one is shipped to start from."""

from importlib.resources import files
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from brownout.core.errors import UsageError
from brownout.core.wrong_fields import wrong_fields

__all__ = ["Axis", "Label", "Taxonomy", "default_taxonomy_text", "read_taxonomy"]

Axis = Literal["agent", "harness", "task", "coworkers", "infrastructure"]
FILE = "taxonomy.yaml"


class Label(BaseModel):
    """One label.

    Attributes:
        code: what is kept, `misread-evidence`.
        axis: whose fault it is.
        key: the digit that sets it, 1 to 9; None where it has none.
        check: ids of quality checks that find such a fault (`D1`).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    code: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,60}$")
    title: str = Field(min_length=1, max_length=80)
    axis: Axis
    says: str = Field(default="", max_length=400)
    key: int | None = Field(default=None, ge=1, le=9)
    check: str = Field(default="", max_length=80)


class Taxonomy(BaseModel):
    """The labels of a team.

    Attributes:
        version: raised when a label changes its meaning.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, max_length=60)
    version: int = Field(ge=1)
    labels: tuple[Label, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _is_clear(self) -> "Taxonomy":
        codes = [one.code for one in self.labels]
        keys = [str(one.key) for one in self.labels if one.key is not None]
        for what, found in (("code", codes), ("key", keys)):
            twice = sorted({each for each in found if found.count(each) > 1})
            if twice:
                raise ValueError(f"two labels have the same {what}: {', '.join(twice)}")
        return self

    @property
    def id(self) -> str:
        """Name and version, as records keep them: `brownout 1`."""
        return f"{self.name} {self.version}"

    def find(self, code: str) -> Label | None:
        """The label of that code, None where there is none."""
        return next((one for one in self.labels if one.code == code), None)


def default_taxonomy_text() -> str:
    """The shipped taxonomy as its file is written."""
    return files("brownout.annotations").joinpath(FILE).read_text("utf-8")


def read_taxonomy(folder: Path) -> Taxonomy:
    """The taxonomy of a folder of annotations, the shipped one where it has none.

    Raises:
        UsageError: its file is wrong; the message says where.
    """
    path = folder / FILE
    own = path.is_file()
    try:
        return Taxonomy.model_validate(yaml.safe_load(path.read_text("utf-8") if own else default_taxonomy_text()))
    except ValidationError as error:
        raise UsageError(f"{path}: {'; '.join(wrong_fields(error))}") from error
    except (yaml.YAMLError, UnicodeDecodeError, OSError) as error:
        raise UsageError(f"{path} cannot be read: {' '.join(str(error).split())}") from error
