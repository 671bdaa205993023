"""Graders: what each task is judged by, in sentences, with its worth."""

from studio.authoring.desk import desk_page

desk_page("Graders", "graders")
