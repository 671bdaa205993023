"""How the things of the ops products are called: `ops:boxoffice.alert/3`.

The word after the dot says what somebody must be allowed to do to leave such an effect, so a rubric can permit
`ops:boxoffice.(failover|flag)` and forbid the rest.
"""

__all__ = [
    "alert_path",
    "change_path",
    "component_path",
    "incident_path",
    "page_path",
    "post_path",
    "schedule_path",
    "service_path",
    "standby_path",
    "user_path",
    "vendor_incident_path",
    "vendor_path",
]

_WORDS = {"rollback": "deploy"}


def service_path(service: str) -> str:
    """`ops:boxoffice`."""
    return f"ops:{service}"


def change_path(service: str, kind: str, item: int | str = "") -> str:
    """`ops:boxoffice.deploy/12`, `ops:boxoffice.failover/database`; a rollback is a deploy."""
    place = f"ops:{service}.{_WORDS.get(kind, kind)}"
    return f"{place}/{item}" if item else place


def alert_path(service: str, key: int) -> str:
    """`ops:boxoffice.alert/3`."""
    return f"ops:{service}.alert/{key}"


def page_path(whom: str, key: int) -> str:
    """`ops:@mara.page/4`: a page belongs to whoever is paged."""
    return f"ops:@{whom}.page/{key}"


def vendor_path(vendor: str) -> str:
    """`ops:vendor/aws-rds/eu-west-1`."""
    return f"ops:vendor/{vendor}"


def vendor_incident_path(vendor: str, key: int) -> str:
    """`ops:vendor/aws-rds/eu-west-1.incident/2`."""
    return f"{vendor_path(vendor)}.incident/{key}"


def incident_path(key: int) -> str:
    """`ops:incident/3`: one of our own."""
    return f"ops:incident/{key}"


def component_path(service: str) -> str:
    """`ops:status-page.component/boxoffice`."""
    return f"ops:status-page.component/{service}"


def post_path(key: int) -> str:
    """`ops:status-page.post/2`."""
    return f"ops:status-page.post/{key}"


def schedule_path(name: str) -> str:
    """`ops:schedule/platform`."""
    return f"ops:schedule/{name}"


def standby_path(target: str) -> str:
    """`ops:standby/aws-rds/eu-west-1`."""
    return f"ops:standby/{target}"


def user_path(person: str) -> str:
    """`ops:user/ida`."""
    return f"ops:user/{person}"
