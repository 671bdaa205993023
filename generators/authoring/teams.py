"""Who a company consists of: posts, titles, what teams read and talk about. Data in teams.yaml."""

from functools import cache

from generators.data_files import data_path, read_data
from worlds.spec.field_types import Spec

__all__ = ["Post", "Teams", "kind_of_team", "load_teams"]


class Post(Spec):
    """A place in a company that somebody takes."""

    team: str
    role: str
    lead: bool = False


class Teams(Spec):
    """teams.yaml."""

    first: list[Post]
    then: dict[str, int]
    roles: dict[str, list[str]]
    leads: dict[str, str]
    purposes: dict[str, str]
    reads: dict[str, list[str]]
    products: list[str]
    stories: list[str]


@cache
def load_teams() -> Teams:
    """What teams.yaml says."""
    return read_data(data_path("authoring", "teams.yaml"), Teams)


def kind_of_team(team: str, role: str) -> str:
    """What sort of team somebody's is: one of the usual ones by name, else by their title, else engineers'."""
    teams = load_teams()
    if team in teams.then:
        return team
    titled = (kind for kind, titles in teams.roles.items() if role.lower() in (title.lower() for title in titles))
    return next(titled, "squad")
