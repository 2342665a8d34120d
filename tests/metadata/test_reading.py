"""Reading `_meta` of any shape."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpapps_cli.metadata import (
    AppsMetadata,
    Problem,
    apps_metadata,
)
from mcpapps_cli.model import Csp

BOTH = ("model", "app")


def tool(ui: Any = None, **meta: Any) -> dict[str, Any]:
    return {"name": "t", "_meta": {**({} if ui is None else {"ui": ui}), **meta}}


def faults(metadata: AppsMetadata) -> list[tuple[str, str]]:
    return [(problem.pointer, problem.kind) for problem in metadata.problems]


@pytest.mark.parametrize("entry", [{}, {"_meta": {}}, {"name": "t", "_meta": {"other": 1}}])
def test_an_entry_without_apps_metadata_has_the_defaults_and_no_problem(entry: Any) -> None:
    assert apps_metadata(entry) == AppsMetadata(
        resource_uri=None,
        key=None,
        visibility=BOTH,
        csp=None,
        permissions=(),
        domain=None,
        prefers_border=None,
        raw=None,
        problems=(),
        placement=None,
    )


def test_the_nested_key_is_read() -> None:
    found = apps_metadata(tool({"resourceUri": "ui://a"}))
    assert (found.resource_uri, found.key, found.problems) == ("ui://a", "nested", ())


def test_the_flat_key_is_read_when_the_nested_one_is_absent() -> None:
    found = apps_metadata(tool({"visibility": ["app"]}, **{"ui/resourceUri": "ui://a"}))
    assert (found.resource_uri, found.key, found.visibility) == ("ui://a", "flat", ("app",))
    assert apps_metadata(tool(**{"ui/resourceUri": "ui://a"})).key == "flat"


def test_the_nested_key_wins_and_a_difference_is_a_conflict() -> None:
    found = apps_metadata(tool({"resourceUri": "ui://a"}, **{"ui/resourceUri": "ui://b"}))
    assert (found.resource_uri, found.key) == ("ui://a", "nested")
    assert found.problems == (
        Problem("/_meta/ui~1resourceUri", '"ui://b" differs from "ui://a" in "ui"', "conflict"),
    )


def test_both_keys_with_one_value_are_no_problem() -> None:
    found = apps_metadata(tool({"resourceUri": "ui://a"}, **{"ui/resourceUri": "ui://a"}))
    assert (found.key, found.problems) == ("nested", ())


@pytest.mark.parametrize("value", [1, None, True, [], {}, ["ui://a"]])
def test_a_nested_uri_that_is_no_string_is_a_problem_and_the_flat_key_is_read(value: Any) -> None:
    found = apps_metadata(tool({"resourceUri": value}, **{"ui/resourceUri": "ui://a"}))
    assert (found.resource_uri, found.key) == ("ui://a", "flat")
    assert faults(found) == [("/_meta/ui/resourceUri", "shape")]


def test_a_uri_of_another_scheme_is_kept_and_reported() -> None:
    found = apps_metadata(tool({"resourceUri": "https://example.com"}))
    assert found.resource_uri == "https://example.com"
    assert found.problems == (
        Problem(
            "/_meta/ui/resourceUri", '"https://example.com" does not start with "ui://"', "value"
        ),
    )


def test_an_empty_uri_links_nothing() -> None:
    found = apps_metadata(tool({"resourceUri": ""}))
    assert (found.resource_uri, found.key) == (None, None)
    assert faults(found) == [("/_meta/ui/resourceUri", "value")]


@pytest.mark.parametrize(
    ("value", "visibility", "pointers"),
    [
        (["model", "app"], ("model", "app"), []),
        (["app", "model"], ("app", "model"), []),
        (["model"], ("model",), []),
        (["app"], ("app",), []),
        (["app", "app"], ("app",), []),
        ([], (), ["/_meta/ui/visibility"]),
        (None, ("model", "app"), ["/_meta/ui/visibility"]),
        ("app", ("app",), ["/_meta/ui/visibility"]),
        ("both", (), ["/_meta/ui/visibility", "/_meta/ui/visibility"]),
        (["App"], (), ["/_meta/ui/visibility/0"]),
        (["model", "user"], ("model",), ["/_meta/ui/visibility/1"]),
        (["app", 7, None], ("app",), ["/_meta/ui/visibility/1", "/_meta/ui/visibility/2"]),
        ({"app": True}, (), ["/_meta/ui/visibility"]),
        (False, (), ["/_meta/ui/visibility"]),
    ],
)
def test_visibility(value: Any, visibility: tuple[str, ...], pointers: list[str]) -> None:
    found = apps_metadata(tool({"visibility": value}))
    assert found.visibility == visibility
    assert [problem.pointer for problem in found.problems] == pointers
    assert found.model_visible is ("model" in visibility)
    assert found.app_visible is ("app" in visibility)


def test_empty_visibility_is_nobody() -> None:
    found = apps_metadata(tool({"visibility": []}))
    assert not found.model_visible
    assert not found.app_visible


def test_an_absent_csp_differs_from_an_empty_one() -> None:
    assert apps_metadata(tool({"prefersBorder": True})).csp is None
    assert apps_metadata(tool({"csp": {}})).csp == Csp()


def test_the_four_origin_lists_are_read() -> None:
    found = apps_metadata(
        tool(
            {
                "csp": {
                    "connectDomains": ["https://a"],
                    "resourceDomains": ["https://b", "https://c"],
                    "frameDomains": ["https://d"],
                    "baseUriDomains": ["https://e"],
                }
            }
        )
    )
    assert found.csp == Csp(
        ("https://a",), ("https://b", "https://c"), ("https://d",), ("https://e",)
    )
    assert found.problems == ()


@pytest.mark.parametrize("value", [None, True, [], ["https://a"], "default-src *", 3])
def test_a_csp_that_is_no_object_is_no_csp(value: Any) -> None:
    found = apps_metadata(tool({"csp": value}))
    assert found.csp is None
    assert faults(found) == [("/_meta/ui/csp", "shape")]


def test_a_malformed_origin_list_allows_nothing() -> None:
    found = apps_metadata(
        tool({"csp": {"connectDomains": "https://a", "resourceDomains": ["https://b", 1, None]}})
    )
    assert found.csp == Csp(resource=("https://b",))
    assert [(problem.pointer, problem.message) for problem in found.problems] == [
        ("/_meta/ui/csp/connectDomains", "must be an array of origins, not a string"),
        ("/_meta/ui/csp/resourceDomains/1", "must be an origin, not a number"),
        ("/_meta/ui/csp/resourceDomains/2", "must be an origin, not null"),
    ]


def test_origins_are_not_judged_here() -> None:
    assert apps_metadata(tool({"csp": {"connectDomains": ["*", ""]}})).csp == Csp(("*", ""))


@pytest.mark.parametrize(
    ("key", "right"),
    [
        ("connect_domains", "connectDomains"),
        ("resource_domains", "resourceDomains"),
        ("frame_domains", "frameDomains"),
        ("base_uri_domains", "baseUriDomains"),
        ("connect-src", "connectDomains"),
        ("font-src", "resourceDomains"),
    ],
)
def test_a_misspelt_origin_list_has_no_effect_and_is_reported(key: str, right: str) -> None:
    found = apps_metadata(tool({"csp": {key: ["https://a"]}}))
    assert found.csp == Csp()
    assert found.problems == (
        Problem(f"/_meta/ui/csp/{key}", f'"{key}" is not a key, write "{right}"', "alias"),
    )


def test_permissions_are_names_with_an_object_in_the_order_of_the_specification() -> None:
    found = apps_metadata(tool({"permissions": {"clipboardWrite": {}, "camera": {"x": 1}}}))
    assert found.permissions == ("camera", "clipboardWrite")
    assert found.problems == ()


@pytest.mark.parametrize("value", [True, False, None, "yes", 1, []])
def test_a_permission_that_is_no_object_is_not_asked_for(value: Any) -> None:
    found = apps_metadata(tool({"permissions": {"camera": value, "microphone": {}}}))
    assert found.permissions == ("microphone",)
    assert faults(found) == [("/_meta/ui/permissions/camera", "shape")]


@pytest.mark.parametrize("value", [["camera"], "camera", True, None])
def test_permissions_that_are_no_object_are_none(value: Any) -> None:
    found = apps_metadata(tool({"permissions": value}))
    assert found.permissions == ()
    assert faults(found) == [("/_meta/ui/permissions", "shape")]


def test_an_unknown_permission_is_reported() -> None:
    found = apps_metadata(tool({"permissions": {"usb": {}, "clipboard-write": {}}}))
    assert found.permissions == ()
    assert faults(found) == [
        ("/_meta/ui/permissions/usb", "unknown-key"),
        ("/_meta/ui/permissions/clipboard-write", "alias"),
    ]


@pytest.mark.parametrize(
    ("ui", "expected", "pointers"),
    [
        ({"prefersBorder": True}, True, []),
        ({"prefersBorder": False}, False, []),
        ({"prefers_border": False}, False, ["/_meta/ui/prefers_border"]),
        ({"prefersBorder": False, "prefers_border": True}, False, ["/_meta/ui/prefers_border"]),
        ({"prefersBorder": "yes"}, None, ["/_meta/ui/prefersBorder"]),
        ({"prefersBorder": 1}, None, ["/_meta/ui/prefersBorder"]),
        ({"prefersBorder": None}, None, ["/_meta/ui/prefersBorder"]),
        ({}, None, []),
    ],
)
def test_prefers_border(ui: Any, expected: bool | None, pointers: list[str]) -> None:
    found = apps_metadata(tool(ui))
    assert found.prefers_border is expected
    assert [problem.pointer for problem in found.problems] == pointers


@pytest.mark.parametrize(
    ("value", "domain", "kinds"),
    [("a.example", "a.example", []), ("", None, ["value"]), (4, None, ["shape"])],
)
def test_domain(value: Any, domain: str | None, kinds: list[str]) -> None:
    found = apps_metadata(tool({"domain": value}))
    assert found.domain == domain
    assert [problem.kind for problem in found.problems] == kinds


@pytest.mark.parametrize("ui", ["x", True, 0, [], ["ui://a"], None])
def test_a_ui_that_is_no_object_is_reported_and_read_as_empty(ui: Any) -> None:
    found = apps_metadata({"_meta": {"ui": ui}})
    assert (found.raw, found.csp, found.visibility) == (None, None, BOTH)
    assert faults(found) == [("/_meta/ui", "shape")]


@pytest.mark.parametrize("meta", ["x", True, 0, [], None])
def test_a_meta_that_is_no_object_is_reported(meta: Any) -> None:
    assert faults(apps_metadata({"_meta": meta})) == [("/_meta", "shape")]


@pytest.mark.parametrize("entry", [None, "x", 3, [], object()])
def test_an_entry_that_is_no_object_is_reported(entry: Any) -> None:
    assert faults(apps_metadata(entry)) == [("", "shape")]


@pytest.mark.parametrize("key", ["ui.resourceUri", "resource_uri", "resourceURI", "resourceUri"])
def test_a_misspelt_uri_key_links_nothing_and_is_reported(key: str) -> None:
    found = apps_metadata(tool(**{key: "ui://a"}))
    assert (found.resource_uri, faults(found)) == (None, [(f"/_meta/{key}", "alias")])


@pytest.mark.parametrize("key", ["resource_uri", "resourceURI"])
def test_a_misspelt_uri_key_inside_ui_links_nothing_and_is_reported(key: str) -> None:
    found = apps_metadata(tool({key: "ui://a"}))
    assert (found.resource_uri, faults(found)) == (None, [(f"/_meta/ui/{key}", "alias")])


@pytest.mark.parametrize("key", ["csp", "permissions", "domain", "prefersBorder", "visibility"])
def test_a_key_of_ui_directly_in_meta_is_misplaced(key: str) -> None:
    found = apps_metadata(tool(**{key: {}}))
    assert faults(found) == [(f"/_meta/{key}", "misplaced")]
    assert found.csp is None


def test_an_unknown_key_of_ui_is_reported_with_its_name_escaped() -> None:
    found = apps_metadata(tool({"a/b~c": 1}))
    assert found.problems == (Problem("/_meta/ui/a~1b~0c", 'unknown key "a/b~c"', "unknown-key"),)


def test_meta_without_underscore_is_reported_and_not_read() -> None:
    found = apps_metadata({"uri": "ui://a", "meta": {"ui": {"csp": {}}}})
    assert found.csp is None
    assert found.problems == (
        Problem("/meta", '"meta" is not read by hosts, write "_meta"', "misplaced"),
    )


def test_meta_without_underscore_about_something_else_is_nobodys_business() -> None:
    assert apps_metadata({"uri": "ui://a", "meta": {"author": "x"}}).problems == ()


LISTED = {"uri": "ui://a", "_meta": {"ui": {"csp": {}, "prefersBorder": True}}}


def test_the_content_wins_over_the_listing_as_a_whole() -> None:
    found = apps_metadata({"_meta": {"ui": {"domain": "d"}}}, listing=LISTED)
    assert (found.domain, found.csp, found.prefers_border) == ("d", None, None)
    assert found.placement == "entry"


def test_an_empty_object_on_the_content_hides_the_listing() -> None:
    found = apps_metadata({"_meta": {"ui": {}}}, listing=LISTED)
    assert (found.csp, found.raw, found.placement) == (None, {}, "entry")


def test_a_malformed_ui_on_the_content_hides_the_listing() -> None:
    found = apps_metadata({"_meta": {"ui": "x"}}, listing=LISTED)
    assert (found.csp, found.placement) == (None, "entry")


@pytest.mark.parametrize("content", [{}, {"_meta": {}}, {"_meta": {"ui": None}}, None])
def test_the_listing_is_read_when_the_content_says_nothing(content: Any) -> None:
    found = apps_metadata(content, listing=LISTED)
    assert (found.csp, found.prefers_border, found.placement) == (Csp(), True, "listing")


def test_a_problem_says_which_of_the_two_it_is_about() -> None:
    found = apps_metadata(
        {"meta": {"ui": {}}}, listing={"_meta": {"ui": {"csp": True, "prefersBorder": True}}}
    )
    assert [(problem.placement, problem.pointer) for problem in found.problems] == [
        ("entry", "/meta"),
        ("listing", "/_meta/ui/csp"),
    ]
    assert found.prefers_border is True


def test_raw_is_the_ui_object_as_received() -> None:
    ui = {"csp": {"x": 1}, "y": [2]}
    assert apps_metadata(tool(ui)).raw is ui


def test_read_only_mappings_are_objects() -> None:
    entry = MappingProxyType({"_meta": MappingProxyType({"ui": MappingProxyType({"csp": {}})})})
    assert apps_metadata(entry).csp == Csp()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
ODD = st.sampled_from([object(), int, b"bytes", {1, 2}, (), ("app",), 10**5000, "\ud800", ...])
ANY = JSON | ODD
UI = st.dictionaries(
    st.sampled_from(
        [
            *("resourceUri", "visibility", "csp", "permissions", "domain", "prefersBorder"),
            *("resource_uri", "prefers_border", "\ud800", 10**5000, None, ("a",)),
        ]
    ),
    ANY
    | st.lists(ANY, max_size=3)
    | st.dictionaries(
        st.sampled_from(["connectDomains", "resourceDomains", "camera", 1, None, "x" * 200]),
        ANY | st.lists(ANY, max_size=3),
        max_size=4,
    ),
    max_size=6,
)
META = st.dictionaries(
    st.sampled_from(["ui", "ui/resourceUri", "csp", "resourceUri", 3, None]), ANY | UI, max_size=4
)
ENTRY = ANY | st.dictionaries(st.sampled_from(["_meta", "meta", 5]), ANY | META, max_size=3)


@given(ENTRY, ENTRY)
def test_nothing_raises_and_every_field_has_its_type(entry: Any, listing: Any) -> None:
    found = apps_metadata(entry, listing=listing)
    assert found.resource_uri is None or found.resource_uri != ""
    assert (found.key is None) == (found.resource_uri is None)
    assert set(found.visibility) <= {"model", "app"}
    for problem in found.problems:
        assert problem.message
        problem.message.encode("utf-8")
        problem.pointer.encode("utf-8")
