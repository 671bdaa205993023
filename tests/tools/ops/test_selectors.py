"""Paths, selectors, how services are set up, and outages of the ops products themselves."""

from fnmatch import fnmatchcase

import pytest

from brownout.core.app_roles import RunsServices, ServiceState
from brownout.core.apps import Refusal, RefusalKind
from brownout.core.instants import SECOND
from brownout.core.plugins import load_plugin
from brownout.store import StoreRows as StoredRows
from tests.tools.ops.desk import SETTINGS, Desk, raise_alert
from tools.ops import app
from tools.ops.catalogue import OpsSettings
from worlds.expressions import parse_selector


def touched(desk: Desk) -> list[str]:
    """The paths of what was written since the last time."""
    assert isinstance(desk.rows, StoredRows)
    effects = desk.rows.take_effects()
    return [app.path_of(desk.rows, effect.table, effect.after or effect.before) for effect in effects]  # type: ignore[arg-type]


def test_every_kind_of_change_has_a_word_of_its_own(desk: Desk) -> None:
    desk.ask("deploy", service="boxoffice", version="1.8.1")
    assert touched(desk) == ["ops:boxoffice.deploy", "ops:boxoffice.deploy/3"]
    desk.ask("rollback", service="boxoffice")
    assert touched(desk) == ["ops:boxoffice.deploy", "ops:boxoffice.deploy/4"]
    desk.ask("failover", service="boxoffice", resource="database", to="aws-rds/eu-south-1")
    assert touched(desk) == ["ops:boxoffice.failover/database", "ops:boxoffice.failover/5"]
    desk.ask("set_flag", service="boxoffice", flag="maps", is_on=True)
    assert touched(desk) == ["ops:boxoffice.flag/maps", "ops:boxoffice.flag/6"]
    desk.ask("restart_service", service="boxoffice")
    assert touched(desk) == ["ops:boxoffice.restart/7"]


def test_alerts_pages_and_incidents_have_paths_that_patterns_can_name(desk: Desk) -> None:
    key = raise_alert(desk)
    assert touched(desk) == [f"ops:boxoffice.alert/{key}"]
    desk.ask("resolve_alert", alert=key, note="done")
    assert touched(desk) == [f"ops:boxoffice.alert/{key}.note/1", f"ops:boxoffice.alert/{key}"]
    desk.ask("page_person", person="ida", text="x")
    [page] = touched(desk)
    assert page == "ops:@ida.page/1"
    assert fnmatchcase(page, "ops:*.page[./]*")
    desk.carry("announce", details={"vendor": "heroku"})
    assert touched(desk) == [
        "ops:vendor/heroku",
        "ops:vendor/heroku.incident/1",
        "ops:vendor/heroku.incident/1.update/1",
    ]
    desk.carry("deploy", thing="boxoffice", details={"version": "2.0.0"})
    assert touched(desk)[0] == "ops:boxoffice.deploy/release-2.0.0"


def test_a_rubric_names_a_service_by_name_and_its_needs_and_flags_by_theirs(desk: Desk) -> None:
    [found] = app.find(desk.rows, "boxoffice")

    assert found.path == "ops:boxoffice"
    assert found.fields == {
        "database": "aws-rds/eu-west-1",
        "cards": "payments",
        "flag_instant-holds": True,
        "flag_maps": False,
        "version": "1.8.2",
        "commit": "c3",
        "on_call": "ida",
        "team": "engineering",
        "repo": "pennywhistle/boxoffice",
    }
    assert found.rows == (
        ("ops_service", 1),
        ("ops_need", 1),
        ("ops_need", 2),
        ("ops_flag", 1),
        ("ops_flag", 2),
    )
    assert found.parts["version"] == (("ops_service", 1),)
    assert found.parts["cards"] == (("ops_need", 2),)


@pytest.mark.parametrize(
    ("selector", "paths"),
    [
        ("ops:boxoffice.database", ["ops:boxoffice"]),
        ("ops:*.version", ["ops:boxoffice", "ops:payments", "ops:venue-pages"]),
        ("ops:boxoffice.alert/*", ["ops:boxoffice.alert/2"]),
        ("ops:*.alert/*.status", ["ops:payments.alert/1", "ops:boxoffice.alert/2"]),
        ("ops:boxoffice.alert/2.status", ["ops:boxoffice.alert/2"]),
        ("ops:boxoffice.failover/database.target", ["ops:boxoffice.failover/database"]),
        ("ops:boxoffice.flag/maps.is_on", ["ops:boxoffice.flag/maps"]),
        ("ops:boxoffice.deploy/2", ["ops:boxoffice.deploy/2"]),
        ("ops:boxoffice.deploy/release-1.8.1.commit", ["ops:boxoffice.deploy/release-1.8.1"]),
        ("ops:@ida.page/*", ["ops:@ida.page/1"]),
        ("ops:vendor/slack", ["ops:vendor/slack"]),
        ("ops:vendor/aws-rds/eu-west-1.incident/*", ["ops:vendor/aws-rds/eu-west-1.incident/1"]),
        ("ops:nothing", []),
        ("ops:boxoffice.party/1", []),
    ],
)
def test_a_selector_finds(desk: Desk, selector: str, paths: list[str]) -> None:
    raise_alert(desk)
    desk.ask("page_person", person="ida", text="x")
    desk.carry("announce", details={"vendor": "aws-rds/eu-west-1"})
    parsed = parse_selector(selector)
    found = app.find(desk.rows, parsed.thing)

    assert [thing.path for thing in found] == paths
    assert all(parsed.field in thing.fields for thing in found if parsed.field)


def test_services_are_set_up_as_they_are_now(desk: Desk) -> None:
    desk.ask("failover", service="venue-pages", resource="api", to="cdn/static")
    desk.ask("set_flag", service="boxoffice", flag="maps", is_on=True)
    running = app.role(RunsServices)
    assert running is not None
    states = running.states(desk.rows)

    assert states["venue-pages"] == ServiceState("venue-pages", {"api": "cdn/static"}, {}, "1.0.0", "")
    assert states["boxoffice"].flags == {"instant-holds": True, "maps": True}


def test_settings_with_a_word_that_is_not_theirs_are_refused() -> None:
    OpsSettings.model_validate(SETTINGS)
    with pytest.raises(ValueError, match="Extra inputs are not permitted"):
        OpsSettings.model_validate({"services": {"boxoffice": {"versoin": "1"}}})


@pytest.mark.parametrize(
    ("kind", "status", "code"),
    [
        ("unavailable", 503, 2000),
        ("timeout", 504, 2000),
        ("rate_limited", 429, 2020),
        ("read_only", 403, 2010),
        ("auth_expired", 401, 2006),
    ],
)
def test_an_outage_of_the_products_is_said_in_their_one_shape(kind: RefusalKind, status: int, code: int) -> None:
    error = app.refuse(Refusal(kind, retry_after=20 * SECOND))
    body = error.content["error"]

    assert error.status == status
    assert isinstance(body, dict)
    assert list(body) == ["code", "message", "errors"]
    assert body["code"] == code
    assert error.headers.get("Retry-After") == ("20" if kind == "rate_limited" else None)


def test_the_app_is_found_by_name() -> None:
    assert load_plugin("apps", "ops") is app
