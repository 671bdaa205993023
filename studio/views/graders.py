"""Graders: what each task is judged by, in sentences, with its worth."""

from studio.entries import entries_page

entries_page("Graders", "graders")
