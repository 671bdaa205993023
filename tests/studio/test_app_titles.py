"""What things are called on pages: products by their titles, vendors as people write them, services as the company does."""

import pytest

from brownout.catalog import find_spec
from studio.app_titles import titled_target, vendor_title
from studio.authoring.text_entries import entry_page_of
from worlds.spec import read_draft


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("stripe", "Stripe"),
        ("aws-rds/eu-central-1", "AWS RDS eu-central-1"),
        ("aws-s3/us-east-2", "AWS S3 us-east-2"),
        ("twilio/sms", "Twilio SMS"),
        ("stripe/payments", "Stripe payments"),
        ("google-workspace", "Google Workspace"),
        ("carrierlink/api", "Carrierlink API"),
        ("auth0", "Auth0"),
        ("harbour-data/ship-lists", "Harbour Data ship lists"),
        ("x", "X"),
    ],
)
def test_a_vendor_is_called_as_people_write_it(name: str, title: str) -> None:
    assert vendor_title(name) == title


@pytest.mark.parametrize(
    ("target", "title"),
    [
        ("github", "GitHub"),
        ("slack", "Slack"),
        ("atlassian", "Jira"),
        ("google", "Google"),
        ("twilio", "Twilio"),
        ("patient-web", "patient-web"),
        ("sms", "sms"),
    ],
)
def test_what_breaks_is_called_as_the_company_calls_it(target: str, title: str) -> None:
    apps = ("github", "slack", "jira", "gmail", "calendar")

    assert titled_target(target, apps=apps, services={"patient-web", "sms"}) == title


def test_lanes_and_tables_of_outages_and_the_graph_call_what_breaks_the_same() -> None:
    spec = read_draft(find_spec("larkspur")).spec
    assert spec is not None
    outages = [one for one in entry_page_of(spec, "outages").items if one.kind == "outage"]

    assert {one.lane for one in outages} == {"Twilio", "GitHub", "Slack", "Stripe", "AWS RDS eu-central-1"}
    assert all(one.cells["What"] == one.lane and one.title.startswith(f"{one.lane} ") for one in outages)
    assert {"AWS RDS eu-central-1", "Twilio"} < {node.label for node in entry_page_of(spec, "systems").nodes}


def test_numbers_of_the_company_say_of_what_they_are() -> None:
    spec = read_draft(find_spec("larkspur")).spec
    assert spec is not None
    says = {one.name: one.subtitle for one in entry_page_of(spec, "company").items}

    assert says["slack"] == "28 channels"
    assert says["github"] == "1 repository"
    assert says["background"] == "machines ×1, work ×0.5, people ×0.1"


def test_systems_say_that_schedules_go_before_whom_a_service_names() -> None:
    spec = read_draft(find_spec("larkspur")).spec
    assert spec is not None
    on_call = {one.name: one.cells["On call"] for one in entry_page_of(spec, "systems").items if one.kind == "service"}

    assert on_call["patient-web"] == "by schedule: web and 1 in storylines, else Yuki Tanabe"
    assert on_call["admin"] == "by schedule: 3 in storylines, else Hanna Vogt"
    assert on_call["reports"] == "Katrin Seidel"
