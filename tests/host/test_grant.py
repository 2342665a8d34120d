"""What a View is allowed, and what is logged of it."""

from __future__ import annotations

import hashlib

import pytest

from mcpapps_cli.host.effect import Mount, Note
from mcpapps_cli.host.ladder import check_resource, check_tool
from mcpapps_cli.metadata import client_extensions
from mcpapps_cli.model import Csp, Resource
from tests.host.rig import PAGE, PLAIN, TOOL, Rig, notes, of, steps

CSP = Csp(connect=("https://api.example.com",), frame=("https://maps.example.com",))


def test_h4_the_policy_is_logged_with_everything_else_that_is_granted() -> None:
    rig = Rig(csp=CSP, permissions=("camera",))
    (mount,) = of(rig.started, Mount)
    logged = of(rig.started, Note)[0]
    assert mount.policy in logged.text
    assert logged.detail["policy"] == mount.policy
    assert (logged.detail["allow"], logged.detail["sandbox"]) == ("camera", "allow-scripts")


def test_h38_the_document_is_logged_by_its_hash() -> None:
    logged = of(Rig().started, Note)[0]
    assert logged.detail["sha256"] == hashlib.sha256(PAGE.encode()).hexdigest()
    assert of(Rig(html="<!doctype html>\ud800").started, Note)[0].detail["sha256"]


def test_h39_access_to_other_origins_is_told() -> None:
    told = notes(Rig(csp=CSP).started)
    assert "the View may reach https://api.example.com, https://maps.example.com" in told
    assert "may reach" not in notes(Rig().started)
    assert "may reach" not in notes(Rig(csp=Csp()).started)


def test_h39_origins_that_the_host_ignores_are_not_told_as_reachable() -> None:
    profile = {"csp_ignored": frozenset({"frameDomains"})}
    told = notes(Rig(profile, csp=CSP).started)
    assert "the View may reach https://api.example.com" in told
    assert "maps.example.com" not in told


@pytest.mark.parametrize("csp", [None, Csp(), CSP])
def test_p4_the_policy_always_names_frames_objects_and_the_base(csp: Csp | None) -> None:
    (mount,) = of(Rig(csp=csp).started, Mount)
    directives = dict(part.split(" ", 1) for part in mount.policy.split("; "))
    assert directives["object-src"] == "'none'"
    assert directives["frame-src"] == ("https://maps.example.com" if csp is CSP else "'none'")
    assert directives["base-uri"] == "'self'"
    assert directives["default-src"] == "'none'"


def test_p5_allow_is_what_was_declared_and_granted_joined_with_semicolons() -> None:
    (mount,) = of(Rig(permissions=("microphone", "clipboardWrite")).started, Mount)
    assert mount.allow == "microphone; clipboard-write"


def test_h36_the_inner_frame_gets_scripts_and_nothing_else() -> None:
    (mount,) = of(Rig().started, Mount)
    assert (mount.sandbox, mount.allow) == ("allow-scripts", "")


def test_h35_the_extension_is_declared_with_its_media_type() -> None:
    assert client_extensions() == {
        "io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}
    }


def test_h7_a_tool_without_a_view_is_an_ordinary_tool() -> None:
    assert steps(check_tool(TOOL, "chart")) == [("tool", "ok", None)]
    assert steps(check_tool(PLAIN, "lookup")) == [("tool", "broken", "no-view")]
    assert steps(check_tool(None, "gone")) == [("tool", "broken", "no-such-tool")]


def test_h8_a_resource_that_is_listed_but_was_not_read_is_not_shown() -> None:
    listed = Resource(
        "ui://demo/chart.html",
        listing={"uri": "ui://demo/chart.html", "mimeType": "text/html;profile=mcp-app"},
    )
    assert steps(check_resource(listed, TOOL))[-1] == ("resource", "broken", "unreadable")
