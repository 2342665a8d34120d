"""A profile as it is shown."""

from __future__ import annotations

import json

import pytest

from mcpapps_cli.host.fact import profile_facts
from mcpapps_cli.host.override import load_host
from mcpapps_cli.host.profiles import load_profile, profile_names


def facts(name: str) -> dict[str, tuple[object, str | None, bool]]:
    return {
        fact.name: (fact.value, fact.source and fact.source.date, fact.differs)
        for fact in profile_facts(load_profile(name))
    }


def test_a_value_has_its_day_and_says_that_it_differs() -> None:
    claude = facts("claude")
    assert claude["context.locale"] == ("en-US", "2026-08-19", True)
    assert claude["display_modes"] == (["inline", "fullscreen"], "2026-08-19", True)
    assert claude["tool_info"] == (True, "2026-08-19", False)
    assert claude["csp_ignored"] == (["baseUriDomains", "frameDomains"], "2026-08-22", True)


def test_what_is_unknown_is_there_without_a_source() -> None:
    claude = facts("claude")
    assert claude["context.userAgent"] == (None, None, False)
    assert claude["start_height"] == (150, None, False)
    assert facts("codex")["host_info"] == (None, None, True)


def test_the_specification_differs_in_nothing() -> None:
    assert not any(fact.differs for fact in profile_facts(load_profile("spec")))


def test_a_change_of_the_project_is_shown_as_the_projects() -> None:
    profile = load_host("claude", {"claude": {"start-height": 90, "date": "2026-11-01"}})
    (found,) = [fact for fact in profile_facts(profile) if fact.name == "start_height"]
    assert (found.value, found.differs) == (90, True)
    assert found.source is not None
    assert (found.source.kind, found.source.date) == ("project", "2026-11-01")


@pytest.mark.parametrize("name", profile_names())
def test_every_value_is_json(name: str) -> None:
    values = [fact.value for fact in profile_facts(load_profile(name))]
    assert json.loads(json.dumps(values)) == values
