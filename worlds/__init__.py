"""What a world is: the author's text, its meaning, the package it becomes."""
