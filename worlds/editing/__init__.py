"""Changes the text that authors own, and keeps every byte that is not part of the change."""

from worlds.editing.edits import YamlText
from worlds.editing.nodes import Step, Steps
from worlds.editing.writing import Value

__all__ = ["Step", "Steps", "Value", "YamlText"]
