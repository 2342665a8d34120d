"""Metadata of our own making."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpapps_cli.errors import ConfigError
from mcpapps_cli.metadata import (
    apps_metadata,
    client_extensions,
    resource_meta,
)
from mcpapps_cli.model import Csp

ORIGINS = st.lists(st.sampled_from(["https://a.example", "https://*.b.example"])).map(tuple)


@given(
    st.none() | st.builds(Csp, ORIGINS, ORIGINS, ORIGINS, ORIGINS),
    st.sets(st.sampled_from(["camera", "microphone", "geolocation", "clipboardWrite"])),
    st.none() | st.text(min_size=1),
    st.none() | st.booleans(),
)
def test_what_is_built_is_read_back_without_a_problem(
    csp: Csp | None, permissions: set[str], domain: str | None, prefers_border: bool | None
) -> None:
    built = resource_meta(
        csp=csp,
        permissions=sorted(permissions),
        domain=domain,
        prefers_border=prefers_border,
    )
    found = apps_metadata({"_meta": {"ui": built}})
    assert found.problems == ()
    assert (found.csp, set(found.permissions)) == (csp, permissions)
    assert (found.domain, found.prefers_border) == (domain, prefers_border)


def test_built_metadata_states_all_four_lists() -> None:
    assert resource_meta(
        csp=Csp(resource=("https://cdn.example.com",)),
        permissions=("clipboardWrite", "camera"),
        prefers_border=False,
    ) == {
        "csp": {
            "connectDomains": [],
            "resourceDomains": ["https://cdn.example.com"],
            "frameDomains": [],
            "baseUriDomains": [],
        },
        "permissions": {"camera": {}, "clipboardWrite": {}},
        "prefersBorder": False,
    }
    assert resource_meta() == {}


def test_an_unknown_permission_cannot_be_built() -> None:
    with pytest.raises(ConfigError) as caught:
        resource_meta(permissions=("camera", "usb"))
    assert caught.value.message == 'unknown permission "usb"'
    assert caught.value.help == "use one of camera, microphone, geolocation, clipboardWrite"


def test_a_host_declares_the_extension_with_its_media_type() -> None:
    assert client_extensions() == {
        "io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}
    }
