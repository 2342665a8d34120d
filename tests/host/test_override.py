"""A project's own host profiles."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from mcpapps_cli.errors import ConfigError, UserError
from mcpapps_cli.host.override import host_names, load_host, override
from mcpapps_cli.host.profiles import Source, load_profile

CLAUDE = load_profile("claude")
SPEC = load_profile("spec")


def changed(table: Any, profile: Any = CLAUDE) -> Any:
    result, faults = override(profile, table, name=profile.name)
    assert faults == ()
    return result


def test_an_empty_table_changes_nothing() -> None:
    assert changed({}) == CLAUDE


def test_objects_are_merged_by_key_and_false_takes_one_away() -> None:
    new = changed({"context": {"locale": "nb-NO", "theme": False}})
    assert new.context["locale"] == "nb-NO"
    assert "theme" not in new.context
    assert new.context["platform"] == CLAUDE.context["platform"]


def test_the_served_requests_follow_the_capabilities() -> None:
    new = changed({"capabilities": {"message": False, "sampling": {}}})
    assert "message" not in new.capabilities
    assert "ui/message" not in new.methods
    assert "sampling/createMessage" in new.methods


def test_methods_win_over_the_capabilities() -> None:
    new = changed({"capabilities": {"message": False}, "methods": ["ui/initialize", "ui/message"]})
    assert new.methods == {"ui/initialize", "ui/message"}


def test_a_directive_is_replaced_in_the_policy_of_the_specification() -> None:
    new = changed({"policy": {"worker-src": "'self' blob:", "font-src": False}}, SPEC)
    assert new.policy["worker-src"] == "'self' blob:"
    assert "font-src" not in new.policy
    assert new.policy["object-src"] == "'none'"


def test_a_value_that_was_unknown_is_known_now_and_has_the_project_for_a_source() -> None:
    table = {"start-height": 90, "source": "seen on a phone", "date": datetime.date(2026, 11, 1)}
    assert CLAUDE.source_of("start_height") is None
    new = changed(table)
    assert new.start_height == 90
    assert new.source_of("start_height") == Source("seen on a phone", "2026-11-01", "project")
    assert new.source_of("host_info") == CLAUDE.source_of("host_info")


def test_every_key_changes_its_field() -> None:
    table = {
        "host-info": {"name": "ours", "version": "2"},
        "display-modes": ["pip"],
        "sends": ["ui/resource-teardown"],
        "permissions": ["camera"],
        "sandbox": ["allow-scripts", "allow-modals"],
        "features": ["midi *"],
        "early-requests": "answer",
        "denial": "result",
        "consent": ["message"],
        "refuses": ["mode"],
        "tool-info": False,
        "csp-ignored": ["frameDomains"],
        "styles": {"dark": {"--font-sans": "Arial"}},
        "hides-app-tools": False,
        "honours-border": False,
        "input-early": True,
        "app-tools": True,
        "html-bytes": 1000,
        "read-seconds": 1.5,
        "quirks": ["meta-dropped"],
    }
    new = changed(table, SPEC)
    assert (new.host_info, new.display_modes) == ({"name": "ours", "version": "2"}, ("pip",))
    assert (new.sends, new.permissions) == ({"ui/resource-teardown"}, ("camera",))
    assert (new.sandbox, new.features) == (("allow-scripts", "allow-modals"), ("midi *",))
    assert (new.early_requests, new.denial) == ("answer", "result")
    assert (new.consent, new.refuses, new.csp_ignored) == ({"message"}, {"mode"}, {"frameDomains"})
    assert new.styles["dark"] == {"--font-sans": "Arial"}
    assert [new.tool_info, new.hides_app_tools, new.honours_border] == [False] * 3
    assert [new.input_early, new.app_tools] == [True] * 2
    assert (new.html_bytes, new.read_seconds, new.quirks) == (1000, 1.5, ("meta-dropped",))


def test_one_key_of_a_context_leaves_the_source_of_the_others() -> None:
    new = changed({"context": {"userAgent": "claude"}})
    assert new.source_of("context.userAgent").kind == "project"
    assert new.source_of("context.locale") == CLAUDE.source_of("context.locale")
    assert new.source_of("context.styles.css") is None


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ("loud", "[tool.mcpapps.hosts.claude] is not a table"),
        (
            {"start-heigth": 1},
            "[tool.mcpapps.hosts.claude] start-heigth: unknown key, did you mean",
        ),
        ({"start-height": "1"}, "start-height: '1' is not a whole number"),
        ({"start-height": True}, "start-height: True is not a whole number"),
        ({"tool-info": 1}, "tool-info: 1 is not true or false"),
        ({"denial": "maybe"}, "denial: 'maybe' is not one of error, result"),
        ({"display-modes": ["window"]}, "display-modes: 'window' is not one of inline, fullscreen"),
        ({"permissions": "camera"}, "permissions: 'camera' is not a list"),
        ({"sandbox": [1]}, "sandbox: 1 is not a string"),
        ({"capabilities": {"message": True}}, "capabilities: message is not a table"),
        ({"policy": {"img-src": "a; b"}}, "policy: img-src contains ';', which ends a directive"),
        ({"policy": {"img-src": "{imgDomains}"}}, 'policy: img-src names "imgDomains", which is'),
        ({"policy": {"img-src": "{"}}, "policy: img-src has a brace that does not belong"),
        ({"policy": {"img-src": 1}}, "policy: img-src is not a string"),
        ({"host-info": {"name": "x"}}, "host-info: {'name': 'x'} is not a table with a name and"),
        ({"styles": {"dusk": {}}}, "styles: 'dusk' is not one of light, dark"),
        ({"styles": {"dark": {"--x": "1"}}}, "styles: dark.--x is not a standard style variable"),
        ({"styles": {"dark": {"--font-sans": 1}}}, "styles: dark.--font-sans is not a string"),
        ({"styles": 3}, "styles: 3 is not a table"),
        ({"styles": {"dark": 3}}, "styles: dark is not a table"),
        ({"context": []}, "context: [] is not a table"),
        ({"context": {"theme": "dusk"}}, "context: theme 'dusk' is not one of light, dark"),
        ({"context": {"platform": 1}}, "context: platform 1 is not one of web, desktop, mobile"),
        ({"context": {"locale": 1}}, "context: locale 1 is not a string"),
        ({"context": {"safeAreaInsets": 1}}, "context: safeAreaInsets 1 is not a table"),
        ({"context": {"displayMode": "pip"}}, "context: displayMode is written as display-modes"),
        ({"html-bytes": 0}, "html-bytes: 0 is not a positive number"),
        ({"quirks": ["loud"]}, "quirks: 'loud' is not one of app-tools-leaked,"),
        ({"date": 3}, "date: 3 is not a date"),
        ({"source": 3}, "source: 3 is not a string"),
    ],
)
def test_a_fault_is_named_and_changes_nothing(table: Any, fault: str) -> None:
    result, faults = override(CLAUDE, table, name="claude")
    assert len(faults) == 1
    assert fault in faults[0]
    assert result == CLAUDE


def test_a_new_profile_is_the_specification_until_it_names_a_base() -> None:
    hosts = {"ours": {"start-height": 80}, "theirs": {"base": "cursor", "title": "Theirs"}}
    ours, theirs = load_host("ours", hosts), load_host("theirs", hosts)
    assert (ours.name, ours.title, ours.start_height) == ("ours", "ours", 80)
    assert ours.capabilities == SPEC.capabilities
    assert (theirs.name, theirs.title) == ("theirs", "Theirs")
    assert theirs.host_info == {"name": "Cursor", "version": "3.14.27"}
    assert host_names(hosts)[-2:] == ("ours", "theirs")


def test_a_profile_of_ours_is_changed_under_its_own_name() -> None:
    profile = load_host("claude", {"claude": {"start-height": 80}})
    assert (profile.name, profile.title, profile.start_height) == ("claude", "Claude", 80)
    assert load_host("claude", {}) is CLAUDE


@pytest.mark.parametrize(
    ("hosts", "details"),
    [
        ({"ours": {"base": "spek"}}, ("[tool.mcpapps.hosts.ours] base: 'spek' is unknown",)),
        (
            {"ours": {"denial": 1, "start-height": "x"}},
            (
                "[tool.mcpapps.hosts.ours] denial: 1 is not one of error, result",
                "[tool.mcpapps.hosts.ours] start-height: 'x' is not a whole number",
            ),
        ),
    ],
)
def test_all_faults_of_a_profile_are_told_together(hosts: Any, details: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError) as caught:
        load_host("ours", hosts)
    assert caught.value.details == details


def test_a_profile_of_ours_has_no_other_base() -> None:
    with pytest.raises(ConfigError):
        load_host("claude", {"claude": {"base": "cursor"}})


def test_a_misspelt_profile_of_the_project_is_named() -> None:
    with pytest.raises(UserError) as caught:
        load_host("our", {"ours": {}})
    assert caught.value.help == 'did you mean "ours"?'
