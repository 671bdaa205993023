"""Which outages of a world everyday life knows of: those that no storyline, task or oracle tells of.

A storyline's own outage is its author's to tell, and so is one at the same time: nothing in everyday life may explain it.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Final

from brownout.background.life_sources import Colleague
from brownout.background.outage_texts import NoticedOutage
from brownout.core.app_roles import KeepsRepositories
from brownout.core.apps import App
from brownout.core.instants import HOUR
from brownout.engine.outages import words_of
from generators.background.outside_senders import named_by_storylines
from worlds.package import Outage
from worlds.spec import WorldSpec

__all__ = ["noticed_outages"]

_BESIDE: Final = HOUR
"""What breaks within so much of a storyline's outage is left to its author."""


def noticed_outages(
    spec: WorldSpec, outages: Sequence[Outage], apps: Mapping[str, App], people: Sequence[Colleague], coders: Set[str]
) -> Iterator[NoticedOutage]:
    """The outages that people talk about in everyday life.

    Args:
        coders: who works on code bases; of where these are kept nobody else notices anything.
    """
    named = named_by_storylines(spec, (one.name for one in outages))
    told = [one for one in outages if one.name in named]
    for outage in outages:
        fails = words_of(outage.mode).seen
        if fails is None or outage.start is None or outage.operations or outage.people:
            continue
        if any(_is_beside(outage, one) for one in told):
            continue
        until = outage.start + outage.lasts
        product = next((app for app in apps.values() if outage.target in (app.vendor, app.name)), None)
        if product is not None:
            near = tuple(one.name for one in people if one.name in coders) if _keeps_code(product) else ()
            names = near if _keeps_code(product) else tuple(one.name for one in people)
            thing, app = product.title, product.name
        else:
            thing, app = _service(spec, outage.target), ""
            if not thing:
                continue
            team = spec.services[thing].team
            near = tuple(one.name for one in people if (team and one.team == team) or one.area == "support")
            names = tuple(one.name for one in people if one.name in near or one.area == "engineering")
        yield NoticedOutage(
            name=outage.name, since=outage.start, until=until, thing=thing, kind="product" if app else "service", fails=fails,
            app=app, people=names, near=near,
        )  # fmt: skip


def _keeps_code(app: App) -> bool:
    return app.role(KeepsRepositories) is not None


def _is_beside(outage: Outage, told: Outage) -> bool:
    if outage.start is None or told.start is None:
        return outage.name == told.name
    return outage.start < told.start + told.lasts + _BESIDE and told.start < outage.start + outage.lasts + _BESIDE


def _service(spec: WorldSpec, target: str) -> str:
    """The service that breaks, or of those that need what breaks the one with most requests; empty where none does."""
    if target in spec.services:
        return target
    feel = [
        name
        for name, service in spec.services.items()
        if any(need.on == target or need.on.startswith(f"{target}/") for need in service.needs.values())
    ]
    return max(feel, key=lambda name: (spec.services[name].requests, name), default="")
