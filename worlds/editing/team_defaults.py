"""What goes with somebody new in a team: the lists that the whole team is on, and what is usual there."""

from collections import Counter
from collections.abc import Iterator

from worlds.editing.nodes import Steps
from worlds.lint.names import Names
from worlds.spec import Person, WorldSpec

__all__ = ["lists_of_team", "usual_manager", "usual_reads"]


def lists_of_team(spec: WorldSpec, team: str) -> Iterator[Steps]:
    """The lists of members in world.yaml (channels, mail groups) that somebody new in a team is to be on.

    Those that hold the whole team; where that is a single person, only those that are named after the team.
    """
    members = {name for name, person in spec.people.items() if person.team == team}
    for app, vocabulary in Names(spec).vocabularies.items():
        for place in vocabulary.member_lists:
            listed: object = spec.world.apps[app]
            for step in place:
                listed = listed[step] if isinstance(listed, dict) else None
            is_named = any(team in str(step) for step in place)
            if isinstance(listed, list) and members and members <= {*listed} and (len(members) > 1 or is_named):
                yield ("apps", app, *place)


def usual_manager(spec: WorldSpec, team: str) -> str:
    """Whom most of a team answer to; empty where nobody does."""
    found = Counter(person.manager for person in _team(spec, team) if person.manager)
    return found.most_common(1)[0][0] if found else ""


def usual_reads(spec: WorldSpec, team: str) -> tuple[str, ...]:
    """The apps that most of a team watch, of the company where nobody is in it."""
    found = Counter(tuple(person.reads) for person in [*_team(spec, team)] or spec.people.values())
    return found.most_common(1)[0][0] if found else ()


def _team(spec: WorldSpec, team: str) -> Iterator[Person]:
    return (person for person in spec.people.values() if team and person.team == team)
