"""From the author's YAML to frozen values."""

from worlds.spec.models import *  # noqa: F403
from worlds.spec.models import __all__ as _models
from worlds.spec.reader import WorldDraft, WorldSpec, read_draft, read_drafts, read_world

__all__ = [*_models, "WorldDraft", "WorldSpec", "read_draft", "read_drafts", "read_world"]
