"""Graders: what each task is judged by, in sentences, with its worth."""

from studio.desk import desk_page

desk_page("Graders", "graders")
