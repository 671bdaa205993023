"""Code bases for generated companies: templates with a history, tests and bugs, rendered with a trade's nouns.

`render_codebase` gives the files of `repos/<service>/`; docs/codebases.md says how another one is written.
"""

from generators.codebases.authors import Author
from generators.codebases.nouns import Noun, Nouns
from generators.codebases.rendered_codebase import Bug, Codebase, render_codebase
from generators.codebases.templates import CodebaseError, codebase_bugs, codebase_names

__all__ = [
    "Author",
    "Bug",
    "Codebase",
    "CodebaseError",
    "Noun",
    "Nouns",
    "codebase_bugs",
    "codebase_names",
    "render_codebase",
]
