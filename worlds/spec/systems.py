"""systems.yaml and outages.yaml: what runs, and what breaks."""

from pydantic import Field, model_validator

from brownout.core.values import JsonObject
from worlds.spec.field_types import Count, Name, Share, Spec, Time

__all__ = ["Behaviour", "Need", "OutageSpec", "Service", "Shows"]


class Need(Spec):
    """What a service depends on, and what it could depend on instead."""

    on: str = Field(alias="is", description="What serves it: a vendor's part (`aws-rds/eu-west-1`) or a service.")
    can_be: list[str] = Field(default=[], description="What it could be failed over to.")
    share: Share = Field(default=100, description="How many of its requests ask for it: 30%.")


class Behaviour(Spec):
    """How a service makes things worse, and what ends that."""

    during: str = Field(default="", alias="while", description="Acts while a need is in a state: database.slow.")
    once: str = Field(default="", description="Begins when a need is in a state, and goes on when that is over.")
    multiplies: str = Field(default="load 1x", description="load 6x | errors 30%")
    until: str = Field(
        default="", description="`deployed passes hidden/test_x.py`, `flag name off`, empty: while it lasts"
    )


class Shows(Spec):
    """How trouble becomes visible."""

    alert: str = Field(default="", description="error_rate > 5% for 3m -> page on_call")
    customers: str = Field(default="", description="down 6m -> 3..8 customers mail support")
    posts: dict[str, Name] = Field(
        default={}, description='Where alerts, deploys and what vendors say are posted: {"#ops": slack}'
    )


class Service(Spec):
    """Something that runs."""

    repo: str = Field(default="", description="The code base it is built from, of `repos/`.")
    on_call: Name | None = Field(default=None, description="Who is paged.")
    team: str = Field(default="", description="Whose it is.")
    says: str = Field(default="", description="What it is for, one line.")
    needs: dict[Name, Need] = Field(default={}, description="What it depends on, by a name for it.")
    behaves: dict[Name, Behaviour] = Field(default={}, description="How it makes trouble worse, by a name for it.")
    shows: Shows = Field(default=Shows(), description="How its trouble becomes visible.")
    version: str = Field(default="1.0.0", description="What runs on the calendar's first day.")
    flags: dict[Name, bool] = Field(default={}, description="Its feature flags on the first day.")
    requests: Count = Field(default=0, ge=0, description="Requests a second in the busiest hour; drawn without it.")


class OutageSpec(Spec):
    """When a vendor or service breaks, and how."""

    on: str = Field(description="A product (`slack`), a vendor's part (`aws-rds/eu-west-1`) or a service.")
    start: str = Field(alias="from", default="", description="When it begins; this or `when`.")
    when: str = Field(default="", description="What it waits for: `bookings.down for 20m`, `ops_failover.called`.")
    lasts: Time = Field(alias="for", description="How long it lasts.")
    mode: str = Field(description="How it fails; every further word is a setting of the mode.")
    announced: str = Field(
        default="at once", description='"at once", "25m late" or "never": the vendor\'s status page.'
    )
    operations: list[str] = Field(default=[], description="Only these requests, `*` allowed; all without it.")
    people: list[str] = Field(default=[], description="Only these people's requests; everybody's without it.")
    settings: JsonObject = Field(default={}, description="What the other words come to.")

    @model_validator(mode="before")
    @classmethod
    def _settings(cls, value: object) -> object:
        """What is not one of the outage's own words is a setting of its mode."""
        if not isinstance(value, dict):
            return value
        own = set(cls.model_fields) | {"from", "for"}
        return {k: v for k, v in value.items() if k in own} | {
            "settings": {k: v for k, v in value.items() if k not in own}
        }
