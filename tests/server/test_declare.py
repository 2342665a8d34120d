"""Plain objects for any SDK, and what is refused."""

from __future__ import annotations

import base64
import subprocess
import sys
from typing import Any

import pytest

from mcpapps_cli import server
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.model import Csp
from mcpapps_cli.server import capability, tool_meta, ui_content, ui_resource

VIEW = "ui://weather/forecast.html"
ALL: dict[str, Any] = {
    "csp": {
        "connectDomains": ["https://api.example.com"],
        "resourceDomains": ["https://cdn.example.com", "https://*.fonts.example"],
        "frameDomains": ["https://maps.example.com"],
        "baseUriDomains": ["https://base.example.com"],
    },
    "permissions": ["camera", "microphone", "geolocation", "clipboardWrite"],
    "domain": "forecast.example",
    "prefers_border": False,
}
ALL_UI = {
    "csp": ALL["csp"],
    "permissions": {"camera": {}, "microphone": {}, "geolocation": {}, "clipboardWrite": {}},
    "domain": "forecast.example",
    "prefersBorder": False,
}


def test_e1_r1_r2_r3_r4_k1_the_constants_are_those_of_the_specification() -> None:
    assert server.EXTENSION_ID == "io.modelcontextprotocol/ui"
    assert server.MIME_TYPE == "text/html;profile=mcp-app"
    assert server.URI_SCHEME == "ui://"
    assert server.FLAT_URI_KEY == "ui/resourceUri"


def test_e2_k3_k4_every_field_of_a_view_is_written_and_read_back() -> None:
    entry = ui_resource(VIEW, "forecast", **ALL)
    assert entry["_meta"]["ui"] == ALL_UI
    found = apps_metadata(entry)
    assert found.problems == ()
    assert found.csp == Csp(
        connect=("https://api.example.com",),
        resource=("https://cdn.example.com", "https://*.fonts.example"),
        frame=("https://maps.example.com",),
        base_uri=("https://base.example.com",),
    )
    assert found.permissions == ("camera", "microphone", "geolocation", "clipboardWrite")
    assert (found.domain, found.prefers_border) == ("forecast.example", False)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"permissions": ["usb"]}, 'unknown permission "usb"'),
        ({"permissions": "camera"}, 'permissions must be a list such as .* not "camera"'),
        ({"csp": {"connect_domains": []}}, "csp has the unknown key 'connect_domains'"),
        ({"csp": ["https://a.example"]}, "csp must be an object of origin lists, not list"),
        ({"csp": {"connectDomains": "https://a.example"}}, "connectDomains must be a list"),
        ({"csp": {"connectDomains": ["a.example"]}}, '"a.example" has no scheme'),
        ({"csp": {"frameDomains": ["*"]}}, r'frameDomains entry "\*" allows every origin'),
        ({"csp": {"resourceDomains": ["https://a.example/x"]}}, "has a path"),
        ({"csp": {"baseUriDomains": [7]}}, 'baseUriDomains entry "7" is no string'),
        ({"csp": Csp(connect=("'self'",))}, "is a keyword, not an origin"),
        ({"domain": ""}, "domain '' must be a non-empty string"),
        ({"domain": 4}, "domain 4 must be a non-empty string"),
        ({"prefers_border": "yes"}, "prefers_border 'yes' must be True, False or None"),
    ],
)
@pytest.mark.parametrize("build", [ui_resource, ui_content])
def test_e2_a_value_that_is_not_as_specified_is_refused(
    build: Any, given: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        build(VIEW, "text", **given)


def test_a_csp_may_be_our_own_value() -> None:
    entry = ui_resource(VIEW, "f", csp=Csp(connect=("https://a.example",)))
    assert entry["_meta"]["ui"]["csp"] == {
        "connectDomains": ["https://a.example"],
        "resourceDomains": [],
        "frameDomains": [],
        "baseUriDomains": [],
    }


def test_e3_e14_k26_a_tool_may_say_only_who_calls_it() -> None:
    meta = tool_meta(visibility=["app"])
    assert meta == {"ui": {"visibility": ["app"]}}
    found = apps_metadata({"_meta": meta})
    assert (found.resource_uri, found.visibility, found.problems) == (None, ("app",), ())


def test_e12_r15_a_meta_that_says_ui_itself_is_refused() -> None:
    for build in (
        lambda: tool_meta(VIEW, meta={"ui": {}}),
        lambda: ui_resource(VIEW, "f", meta={"ui": {}}),
        lambda: ui_content(VIEW, "", meta={"ui": {}}),
    ):
        with pytest.raises(ValueError, match='meta has the key "ui"'):
            build()


BAD_URIS = [
    ("https://example.com/a.html", 'uri "https://example.com/a.html" must start with "ui://"'),
    ("UI://a", 'uri "UI://a" must start with "ui://"'),
    ("ui:/a", 'uri "ui:/a" must start with "ui://"'),
    ("", 'uri "" must start with "ui://"'),
    (None, 'uri must be a "ui://" URI, not NoneType'),
    (7, 'uri must be a "ui://" URI, not int'),
    ("ui://a b", "uri 'ui://a b' contains ' ', which no URI does"),
    ("ui://a\n", "which no URI does"),
    ("ui://a/{x}", 'uri "ui://a/{x}" is a template'),
]


@pytest.mark.parametrize(("uri", "message"), BAD_URIS)
def test_e6_r8_k28_k33_a_uri_of_a_view_must_be_one_ui_uri(uri: Any, message: str) -> None:
    for build in (lambda: ui_resource(uri, "f"), lambda: ui_content(uri, "")):
        with pytest.raises(ValueError, match=r"uri") as caught:
            build()
        assert message in str(caught.value)


@pytest.mark.parametrize(("uri", "message"), [row for row in BAD_URIS if row[0] is not None])
def test_e13_r13_k28_k33_a_tool_must_name_one_ui_uri(uri: Any, message: str) -> None:
    with pytest.raises(ValueError, match="resource_uri") as caught:
        tool_meta(uri)
    assert message in str(caught.value)


def test_r8_the_bare_scheme_is_a_uri() -> None:
    assert ui_resource("ui://", "f")["uri"] == "ui://"


def test_r13_a_tool_that_says_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="resource_uri and visibility are both None"):
        tool_meta(meta={"other": 1})


def test_e15_k6_r16_the_flat_key_is_written_only_when_asked() -> None:
    assert tool_meta(VIEW) == {"ui": {"resourceUri": VIEW}}
    assert tool_meta(VIEW, flat_key=True) == {"ui/resourceUri": VIEW, "ui": {"resourceUri": VIEW}}
    with pytest.raises(ValueError, match="flat_key True needs a resource_uri"):
        tool_meta(visibility=["app"], flat_key=True)


def test_r16_a_flat_key_that_differs_is_refused_and_an_equal_one_kept() -> None:
    assert tool_meta(VIEW, meta={"ui/resourceUri": VIEW}) == tool_meta(VIEW, flat_key=True)
    with pytest.raises(ValueError, match="pass flat_key=True instead"):
        tool_meta(VIEW, meta={"ui/resourceUri": "ui://other"})


def test_r5_r6_the_capability_names_the_media_types() -> None:
    assert capability() == {
        "io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}
    }
    assert capability(["text/html"]) == {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html"]}}
    for wrong in ("text/html", [""], [1]):
        with pytest.raises(ValueError, match="mime_types"):
            capability(wrong)


def test_r7_the_other_members_of_a_listing_are_passed_on() -> None:
    icons = [{"src": "https://a.example/i.png"}]
    assert ui_resource(
        VIEW,
        "forecast",
        title="Forecast",
        description="Five days",
        icons=icons,
        annotations={"audience": ["user"]},
        size=12,
        meta={"example.com/owner": "x"},
        prefers_border=True,
    ) == {
        "uri": VIEW,
        "name": "forecast",
        "mimeType": "text/html;profile=mcp-app",
        "title": "Forecast",
        "description": "Five days",
        "icons": icons,
        "annotations": {"audience": ["user"]},
        "size": 12,
        "_meta": {"example.com/owner": "x", "ui": {"prefersBorder": True}},
    }
    assert ui_resource(VIEW, "f") == {
        **{"uri": VIEW, "name": "f", "mimeType": "text/html;profile=mcp-app"}
    }
    with pytest.raises(ValueError, match="name '' must be a non-empty string"):
        ui_resource(VIEW, "")


def test_r9_another_media_type_is_refused_since_no_host_shows_it() -> None:
    for wrong in ("text/html", "text/html+mcp", "text/html; profile=mcp-app"):
        with pytest.raises(ValueError, match=r"mime_type .* must be"):
            ui_resource(VIEW, "f", mime_type=wrong)


def test_r10_listing_and_content_get_the_same_metadata_from_the_same_arguments() -> None:
    assert ui_resource(VIEW, "f", **ALL)["_meta"] == ui_content(VIEW, "", **ALL)["_meta"]


def test_r11_a_content_item_has_its_media_type_and_metadata() -> None:
    assert ui_content(VIEW, "<!doctype html>é", prefers_border=True, meta={"k": 1}) == {
        "uri": VIEW,
        "mimeType": "text/html;profile=mcp-app",
        "text": "<!doctype html>é",
        "_meta": {"k": 1, "ui": {"prefersBorder": True}},
    }


def test_r11_a_document_of_bytes_is_a_blob() -> None:
    item = ui_content(VIEW, "<!doctype html>é".encode())
    assert "text" not in item
    assert base64.b64decode(item["blob"]).decode() == "<!doctype html>é"
    assert item["mimeType"] == "text/html;profile=mcp-app"


def test_r12_the_metadata_of_a_tool_is_merged_with_what_else_it_says() -> None:
    assert tool_meta(VIEW, visibility=("model", "app"), meta={"example.com/k": [1]}) == {
        "example.com/k": [1],
        "ui": {"resourceUri": VIEW, "visibility": ["model", "app"]},
    }


@pytest.mark.parametrize(
    ("visibility", "message"),
    [
        (["modle"], 'visibility entry \'modle\' must be "model" or "app"'),
        (["app", "user"], "visibility entry 'user' must be"),
        ([None], "visibility entry None must be"),
        ("app", "visibility must be a list such as"),
        (7, "visibility must be a list such as"),
        ([], r"visibility \[\] lets nobody call the tool"),
    ],
)
def test_r14_k5_who_may_call_a_tool_is_model_and_app_only(visibility: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tool_meta(VIEW, visibility=visibility)


def test_r14_no_visibility_writes_nothing_and_a_word_twice_is_one() -> None:
    assert tool_meta(VIEW, visibility=None) == {"ui": {"resourceUri": VIEW}}
    assert tool_meta(VIEW, visibility=["app", "app"])["ui"]["visibility"] == ["app"]


def test_r15_the_callers_object_is_not_changed() -> None:
    meta = {"k": {"deep": 1}}
    built = tool_meta(VIEW, flat_key=True, meta=meta)
    built["k2"] = 2
    assert meta == {"k": {"deep": 1}}


def test_k2_a_tool_carries_only_what_the_specification_names() -> None:
    built = tool_meta(VIEW, visibility=["model"])
    assert set(built["ui"]) == {"resourceUri", "visibility"}
    with pytest.raises(TypeError):
        tool_meta(VIEW, csp={})  # type: ignore[call-arg]


def test_r26_the_sdk_is_loaded_only_for_what_needs_it() -> None:
    script = (
        "import sys, mcpapps_cli.server as s; s.tool_meta('ui://a'); s.capability();"
        "assert not {'mcp', 'pydantic', 'starlette', 'rich', 'typer'} & set(sys.modules);"
        "s.Apps; assert 'mcp' in sys.modules; assert not {'rich', 'typer'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_without_a_new_sdk_the_plain_functions_work_and_the_rest_says_what_is_missing() -> None:
    script = (
        "import sys; sys.modules['mcp'] = None\n"
        "import mcpapps_cli.server as s\n"
        "assert s.tool_meta('ui://a') == {'ui': {'resourceUri': 'ui://a'}}\n"
        "for name in ('Apps', 'Page', 'with_summary'):\n"
        "    try: getattr(s, name)\n"
        "    except ImportError as error: message = str(error)\n"
        "    else: raise SystemExit('no error')\n"
        "    assert f'mcpapps_cli.server.{name} needs mcp 2 or newer, and mcp ' in message\n"
        "try: s.Nothing\n"
        "except AttributeError: pass\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
