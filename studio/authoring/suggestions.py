"""Somebody made up, for a form that is still empty: a name of the place, and what is usual for such a one here."""

import secrets

from brownout.core.errors import EditRefused
from brownout.core.seeds import Stream
from brownout.core.short_names import slug
from generators.authoring.names import full_name, place_of, short_names
from studio.authoring.problems import draft_of
from studio.known_worlds import KnownWorld
from worlds.editing import Value
from worlds.editing.team_defaults import usual_manager, usual_reads
from worlds.spec import WorldSpec

__all__ = ["Suggestion", "suggestion"]

Suggestion = dict[str, "str | dict[str, Value]"]
"""`short`, the short name, and `entry`, what stands below it."""


def suggestion(world: KnownWorld, kind: str) -> Suggestion:
    """A person or a customer whom the world does not have yet.

    Raises:
        EditRefused: the world cannot be read, or nothing is suggested for that kind.
    """
    spec = draft_of(world).spec
    if spec is None or kind not in ("person", "customer"):
        raise EditRefused("there is nothing to suggest here")
    stream = Stream(secrets.randbits(32), "suggestion")
    name = full_name(stream.child("name"), place_of(spec.world.clock.zone))
    taken = {*spec.people, *spec.customers, *spec.contacts, *spec.outsiders}
    if kind == "person":
        return {"short": short_names([name], taken)[0], "entry": _person(spec, str(name), stream)}
    company = f"{name.family} & {stream.child('more').choice(['Sons', 'Partners', 'Co', 'Group', 'Works'])}"
    short = next(one for one in (slug(company), *(f"{slug(company)}-{n}" for n in range(2, 99))) if one not in taken)
    return {"short": short, "entry": _customer(spec, company, str(name), short, stream)}


def _person(spec: WorldSpec, name: str, stream: Stream) -> dict[str, Value]:
    """Like a colleague of theirs."""
    like = stream.child("like").choice([*spec.people.values()]) if spec.people else None
    team = like.team if like else ""
    return _said(
        name=name,
        role=like.role if like else "engineer",
        team=team,
        manager=usual_manager(spec, team),
        hours=like.hours if like else "",
        reads=[*usual_reads(spec, team)],
        voice=stream.child("voice").choice(["plain", "dry", "warm", "terse", "formal", "chatty"]),
    )


def _customer(spec: WorldSpec, company: str, contact: str, short: str, stream: Stream) -> dict[str, Value]:
    like = stream.child("like").choice([*spec.customers.values()]) if spec.customers else None
    return _said(
        name=company,
        contact=contact,
        email=f"{slug(contact.split()[0])}@{short}.test",
        plan=like.plan if like else "",
        region=like.region if like else "",
        owner=(like.owner or "") if like else "",
        voice=stream.child("voice").choice(["plain", "warm", "terse", "formal", "chatty"]),
    )


def _said(**fields: Value) -> dict[str, Value]:
    return {name: value for name, value in fields.items() if value not in ("", [])}
