"""What a host's policy template becomes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mcpapps_cli.csp import policy_text, render
from mcpapps_cli.host.policy import SPECIFICATION, effective_policy, fill
from mcpapps_cli.host.profiles import load_profile
from mcpapps_cli.model import Csp

SPEC = load_profile("spec")
CSP = Csp(
    connect=("https://api.example.com", "wss://live.example.com"),
    resource=("https://*.cdn.example.com",),
    frame=("https://maps.example.com",),
    base_uri=("https://base.example.com",),
)


@pytest.mark.parametrize("csp", [None, Csp(), CSP])
def test_h1_without_a_template_the_policy_is_the_specifications(csp: Csp | None) -> None:
    assert render(effective_policy(SPEC, csp)) == policy_text(csp)


@pytest.mark.parametrize("csp", [Csp(), CSP])
def test_the_template_of_the_specification_gives_the_same(csp: Csp) -> None:
    profile = replace(SPEC, policy=SPECIFICATION)
    assert render(effective_policy(profile, csp)) == policy_text(csp)


def test_a_place_stands_for_the_declared_origins_or_for_its_fallback() -> None:
    assert fill("'self' {resourceDomains}", CSP) == ("'self'", "https://*.cdn.example.com")
    assert fill("{frameDomains|'none'}", CSP) == ("https://maps.example.com",)
    assert fill("{frameDomains|'none'}", Csp()) == ("'none'",)
    assert fill("{baseUriDomains|'self'}", None) == ("'self'",)


@pytest.mark.parametrize(
    "entry", ["https://a.example.com; script-src *", "'unsafe-eval'", "*", "data:", "a b", ""]
)
def test_h3_what_is_no_origin_never_reaches_a_template(entry: str) -> None:
    assert fill("'self' {resourceDomains}", Csp(resource=(entry,))) == ("'self'",)
