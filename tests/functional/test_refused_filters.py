"""A filter that could only find nothing is refused in the vendor's words, with the name that was meant."""

import pytest

from brownout.core.apps import VendorError
from brownout.core.values import JsonObject
from brownout.engine.world import World

REFUSED: list[tuple[str, JsonObject, str]] = [
    ("customers_search_accounts", {"query": "owner:clare"}, "There is no owner 'clare'; did you mean 'claire'?"),
    ("customers_search_accounts", {"query": "wards OR -plan:clinik"}, "no plan 'clinik'; did you mean 'clinic'?"),
    ("customers_search_accounts", {"query": "health:god"}, "did you mean 'good'?"),
    (
        "customers_search_accounts",
        {"query": "region:mars"},
        "There is no region 'mars'; expected one of: de, pt, uk, us.",
    ),
    ("customers_search_accounts", {"query": "tag:no-such-tag"}, "There is no tag 'no-such-tag'."),
    ("customers_list_conversations", {"query": "status:nwe"}, "did you mean 'new'?"),
    ("customers_list_conversations", {"query": "priority:hihg"}, "did you mean 'high'?"),
    ("customers_list_conversations", {"query": "channel:pigeon"}, "expected one of: email, phone, web."),
    ("customers_list_conversations", {"query": "assignee:rosaa"}, "did you mean 'rosa'?"),
    ("customers_get_account", {"account": "clinica-lux"}, "did you mean 'clinica-luz'?"),
    ("ops_get_service", {"service": "bokings"}, "There is no service 'bokings'; did you mean 'bookings'?"),
    ("ops_list_deploys", {"service": "mars"}, "The services are: admin, billing, bookings,"),
    ("ops_get_metrics", {"service": "bookings", "metric": "requets"}, "did you mean 'requests'?"),
    ("ops_list_vendor_status", {"vendor": "slak"}, "There is no vendor 'slak'; did you mean 'slack'?"),
    ("ops_get_schedule", {"schedule": "schedulin"}, "did you mean 'scheduling'?"),
    ("ops_list_pages", {"person": "Mraa"}, "did you mean 'mara'?"),
    ("ops_list_alerts", {"status": "trigered"}, "did you mean 'triggered'?"),
    ("ops_list_incidents", {"status": "resolvd"}, "did you mean 'resolved'?"),
    ("calendar_list_events", {"calendar": "lenna"}, "Not Found; did you mean 'lena'?"),
    ("github_get_checks", {"repo": "larkspur/bookings", "number": 1, "ref": "main"}, "Give either"),
]


@pytest.mark.parametrize(
    ("name", "arguments", "said"), REFUSED, ids=lambda value: value if isinstance(value, str) else ""
)
def test_what_could_only_find_nothing_is_refused(larkspur: World, name: str, arguments: JsonObject, said: str) -> None:
    with (
        larkspur.open_session("recurring-hour") as session,
        session.trial() as trial,
        pytest.raises(VendorError) as refused,
    ):
        trial.call(name, arguments, "lena")
    assert said in refused.value.line


@pytest.mark.parametrize(
    "query", ["owner:claire", "owner:Claire", "owner:none", "owner:me", "plan:CLINIC", "health:watch"]
)
def test_what_there_is_is_found_or_not_without_a_word(larkspur: World, query: str) -> None:
    with larkspur.open_session("recurring-hour") as session, session.trial() as trial:
        assert isinstance(trial.call("customers_search_accounts", {"query": query}, "lena"), dict)
