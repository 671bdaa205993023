"""Everyday life beside the storylines, as pure functions of a world's seed and a day.

`Days(life)` gives what happens on a day; nobody writes anything here. The builder and the engine carry the items out.
"""
