"""What a text says, as far as code can tell: its sentences, the facts that it states, the private things that it mentions."""

from worlds.facts.mentions import mention_in, phrase_problem
from worlds.facts.stated_facts import is_offered, on_topic, stance_in, stated
from worlds.facts.visible_statements import said_in, visible

__all__ = ["is_offered", "mention_in", "on_topic", "phrase_problem", "said_in", "stance_in", "stated", "visible"]
