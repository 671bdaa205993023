"""What can be wrong with a spec as it stands, before anything is built: names that name nothing, mostly."""

from brownout.core.errors import Mistake
from worlds.lint.causes import causes_of
from worlds.lint.company import company_mistakes
from worlds.lint.foundations import Foundations, foundations
from worlds.lint.names import Names
from worlds.lint.oracles import oracle_mistakes
from worlds.lint.rubrics import rubric_mistakes
from worlds.lint.storylines import storyline_mistakes
from worlds.lint.task_findings import finding_mistakes
from worlds.lint.tasks import task_mistakes
from worlds.spec import WorldSpec

__all__ = ["Foundations", "Names", "causes_of", "foundations", "lint"]


def lint(spec: WorldSpec) -> list[Mistake]:
    """Every mistake in the spec that can be seen without building it; of one that is read in part, in that part."""
    founded = foundations(spec)
    names = Names(founded.spec)
    return [
        *founded.mistakes,
        *company_mistakes(names),
        *storyline_mistakes(names),
        *task_mistakes(names),
        *finding_mistakes(names),
        *rubric_mistakes(names),
        *oracle_mistakes(names),
    ]
