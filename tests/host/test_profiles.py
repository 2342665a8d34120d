"""The registry of profiles and the default one."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from mcpapps_cli.errors import UserError
from mcpapps_cli.host.profiles import load_profile, profile_names

SPEC = load_profile("spec")
NAMES = profile_names()
DESCRIPTION = {"name", "title", "source", "sources", "unknown"}


def test_the_default_is_the_specification() -> None:
    assert load_profile() is SPEC
    assert NAMES[0] == "spec"


def test_the_specification_guarantees_this_and_no_more() -> None:
    assert SPEC.capabilities == {
        "openLinks": {},
        "serverTools": {},
        "serverResources": {},
        "logging": {},
    }
    assert SPEC.context == {}
    assert SPEC.display_modes == ("inline",)
    assert SPEC.methods == {
        "ui/initialize",
        "ui/open-link",
        "ui/message",
        "ui/request-display-mode",
        "ui/update-model-context",
        "ping",
        "tools/call",
        "resources/read",
    }
    assert SPEC.sends == {
        "ui/notifications/tool-input-partial",
        "ui/notifications/tool-input",
        "ui/notifications/tool-result",
        "ui/notifications/tool-cancelled",
        "ui/notifications/host-context-changed",
        "ui/resource-teardown",
    }
    assert SPEC.sandbox == ("allow-scripts",)
    assert SPEC.start_height == 150
    assert (SPEC.denial, SPEC.early_requests) == ("error", "refuse")
    assert SPEC.hides_app_tools


@pytest.mark.parametrize("name", NAMES)
def test_a_profile_is_found_under_its_own_name(name: str) -> None:
    assert load_profile(name).name == name


@pytest.mark.parametrize("name", NAMES)
def test_every_value_that_differs_has_a_source_or_is_unknown(name: str) -> None:
    profile = load_profile(name)
    known = {*profile.sources, *profile.unknown}
    for field in fields(profile):
        if field.name in DESCRIPTION or getattr(profile, field.name) == getattr(SPEC, field.name):
            continue
        assert any(key.split(".")[0] == field.name for key in known), field.name


@pytest.mark.parametrize("name", NAMES)
def test_every_source_says_when(name: str) -> None:
    profile = load_profile(name)
    for source in (profile.source, *profile.sources.values()):
        assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", source.date)
        assert source.text


@pytest.mark.parametrize("name", NAMES)
def test_sources_and_unknowns_name_real_fields(name: str) -> None:
    profile = load_profile(name)
    names = {field.name for field in fields(profile)} - DESCRIPTION
    assert {key.split(".")[0] for key in (*profile.sources, *profile.unknown)} <= names


def test_a_misspelt_profile_names_the_closest() -> None:
    with pytest.raises(UserError) as caught:
        load_profile("spek")
    assert caught.value.message == 'there is no host profile "spek"'
    assert caught.value.help == 'did you mean "spec"?'


@pytest.mark.parametrize("name", ["", "../spec", "profiles.spec", "__init__", "zzzzzz"])
def test_an_unknown_profile_is_the_users_to_fix(name: str) -> None:
    with pytest.raises(UserError):
        load_profile(name)
