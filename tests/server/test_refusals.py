"""Every argument of the server helpers: a bad value is a ValueError that names it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpapps_cli.server import (
    Apps,
    Page,
    capability,
    client_extension,
    client_supports,
    reference_warnings,
    request_key,
    tool_meta,
    ui_content,
    ui_resource,
    with_summary,
)

VIEW = "ui://weather/forecast.html"
HALF = "\ud800"
NO_TEXT: list[Any] = [0, 7, True, b"x", [], {}, object(), HALF]
NO_NAME: list[Any] = [*NO_TEXT, ""]
NO_LIST: list[Any] = [0, 7, True, "x", b"x", object(), len]
NO_OBJECT: list[Any] = [7, True, "x", ["x"], object()]
NO_META: list[Any] = [*NO_OBJECT, {1: 2}, {"ui": {}}]
NO_URI: list[Any] = [
    None,
    7,
    [],
    {},
    "",
    "https://a.example",
    "ui://a b",
    f"ui://{HALF}",
    "ui://a{",
]
NO_FLAG: list[Any] = [None, 0, 1, "yes", []]
NO_BORDER: list[Any] = [0, 1, "yes", []]
NO_FUNCTION: list[Any] = [0, 7, "x", [], {}, object()]
NO_CSP: list[Any] = [7, "x", [], {"other": []}, {"connectDomains": 7}, {"connectDomains": [HALF]}]
NO_PERMISSIONS: list[Any] = [*NO_LIST, ["usb"], [7], [[]]]
NO_DOMAIN: list[Any] = [*NO_TEXT, ""]
OF_A_VIEW = {
    "csp": NO_CSP,
    "permissions": NO_PERMISSIONS,
    "domain": NO_DOMAIN,
    "prefers_border": NO_BORDER,
}
WORDS = {"name": NO_NAME, "title": NO_TEXT, "description": NO_TEXT}
CTX = SimpleNamespace(request_id=1, protocol_version="2025-11-25")


def forecast(city: str = "oslo") -> dict[str, int]:
    return {"high": 21}


def page() -> str:
    return ""


def add_page(fn: Any = page, **given: Any) -> None:
    Apps().page(**{"uri": VIEW, **given})(fn)


def add_tool(fn: Any = forecast, **given: Any) -> None:
    Apps().tool(**{"resource_uri": VIEW, **given})(fn)


CASES: list[tuple[Callable[..., Any], dict[str, Any], dict[str, list[Any]]]] = [
    (
        tool_meta,
        {"resource_uri": VIEW},
        {
            "resource_uri": [value for value in NO_URI if value is not None],
            "visibility": [*NO_LIST, ["modle"], [], [[]]],
            "flat_key": NO_FLAG,
            "meta": NO_META,
        },
    ),
    (
        ui_resource,
        {"uri": VIEW, "name": "forecast"},
        {
            "uri": NO_URI,
            **WORDS,
            "mime_type": [None, 7, "text/html", []],
            **OF_A_VIEW,
            "meta": NO_META,
            "mimeType": ["text/html"],
            "_meta": [{}],
        },
    ),
    (
        ui_content,
        {"uri": VIEW, "html": ""},
        {"uri": NO_URI, "html": [None, 7, [], HALF], **OF_A_VIEW, "meta": NO_META},
    ),
    (Page, {"html": ""}, {"html": [None, 7, b"x", HALF], **OF_A_VIEW}),
    (request_key, {"ctx": CTX}, {"ctx": [None, 7, object()], "owner": NO_TEXT}),
    (client_extension, {"ctx": CTX}, {"identifier": [None, *NO_NAME]}),
    (client_supports, {"ctx": CTX}, {"mime_type": [None, *NO_NAME]}),
    (
        reference_warnings,
        {"tools": [], "resources": []},
        {"tools": NO_LIST, "resources": NO_LIST, "templates": NO_LIST},
    ),
    (Apps, {}, {"settings": NO_OBJECT}),
    (
        lambda **given: Apps().add_view(**given),
        {"page": "nowhere.html"},
        {"page": [None, 7, [], b"x.html", "nowhere.txt"], **WORDS},
    ),
    (
        lambda **given: Apps().add_html_resource(**given),
        {"uri": VIEW, "html": ""},
        {"uri": NO_URI, "html": [None, 7, b"x", HALF], **WORDS, **OF_A_VIEW},
    ),
    (lambda **given: Apps().add_resource(**given), {}, {"resource": [None, 7, "ui://a", {}]}),
    (add_page, {}, {"fn": [*NO_FUNCTION, int], "uri": NO_URI[:-1], **WORDS, **OF_A_VIEW}),
    (
        add_tool,
        {},
        {
            "fn": [*NO_FUNCTION, int, lambda: ""],
            "resource_uri": [value for value in NO_URI if value is not None],
            "visibility": [*NO_LIST, ["modle"], []],
            "flat_key": NO_FLAG,
            "meta": NO_META,
            "summary": NO_FUNCTION,
            "structured_output": NO_BORDER,
            "annotations": [7, "x", []],
            "icons": [7, "x", [7]],
            **WORDS,
        },
    ),
    (
        with_summary,
        {"fn": forecast, "summary": str},
        {"fn": [None, *NO_FUNCTION, int, lambda: ""], "summary": [None, *NO_FUNCTION]},
    ),
    (
        lambda **given: Apps().server(**given),
        {},
        {
            "name": NO_TEXT,
            "extensions": [*NO_LIST, ["x"]],
            "middleware": [*NO_LIST, ["x"]],
            "lifespan": NO_FUNCTION,
        },
    ),
]


@pytest.mark.parametrize(
    ("build", "good", "argument", "bad"),
    [
        pytest.param(build, good, argument, bad, id=f"{index}-{argument}")
        for index, (build, good, arguments) in enumerate(CASES)
        for argument, bad in arguments.items()
    ],
)
def test_a_bad_value_is_refused_by_the_name_of_its_argument(
    build: Callable[..., Any], good: dict[str, Any], argument: str, bad: list[Any]
) -> None:
    for value in bad:
        with pytest.raises(ValueError, match=argument.strip("_")) as caught:
            build(**{**good, argument: value})
        assert type(caught.value) is ValueError, (value, caught.value)
        str(caught.value).encode()  # can be printed and logged


@pytest.mark.parametrize("bad", NO_LIST)
def test_media_types_that_are_no_list_are_refused(bad: Any) -> None:
    with pytest.raises(ValueError, match="mime_types"):
        capability(bad)


def test_a_parameter_that_the_sdk_refuses_is_a_value_error_with_a_summary_too() -> None:
    def forecast(_city: str) -> dict[str, int]: ...  # type: ignore[empty-body]

    with pytest.raises(ValueError, match=r"fn 'forecast' makes no tool: .*_city"):
        with_summary(forecast, str)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.just(VIEW),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["uri", "uriTemplate", "mimeType", "_meta", "ui", "resourceUri"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.lists(ANY, max_size=3), st.lists(ANY, max_size=3), st.lists(ANY, max_size=3))
def test_entries_of_any_server_are_checked_for_references_without_an_error(
    tools: list[Any], resources: list[Any], templates: list[Any]
) -> None:
    warnings = reference_warnings(tools, resources, templates)
    assert len(warnings) <= len(tools)
