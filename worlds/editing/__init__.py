"""Changes the text that authors own, and keeps every byte that is not part of the change."""

from worlds.editing.edits import YamlText
from worlds.editing.formatted_text import formatted
from worlds.editing.nodes import Step, Steps
from worlds.editing.world_edit import FileChange, FindMistakes, WorldEdit
from worlds.editing.yaml_writer import Value

__all__ = ["FileChange", "FindMistakes", "Step", "Steps", "Value", "WorldEdit", "YamlText", "formatted"]
