"""Several servers, and the Views of each."""

from __future__ import annotations

from typing import Any

import pytest

from mcpapps_cli.errors import UserError
from mcpapps_cli.host.event import ToolsListed
from mcpapps_cli.host.registry import AmbiguousTool, RegisteredTool, Registry, UnknownTool
from tests.host.rig import Rig, sent


def tool(name: str, *visibility: str) -> dict[str, Any]:
    return (
        {"name": name, "_meta": {"ui": {"visibility": list(visibility)}}}
        if visibility
        else {"name": name}
    )


def two_servers() -> Registry:
    registry = Registry()
    registry.add("weather", [tool("search"), tool("forecast"), tool("refresh", "app")])
    registry.add("maps", [tool("search"), tool("route")])
    return registry


def addresses(tools: Any) -> list[str]:
    return [entry.address for entry in tools]


def test_k118_tools_are_sorted_by_server_then_views_before_the_server_then_by_name() -> None:
    registry = two_servers()
    registry.open_view("v1", "weather")
    registry.provide("v1", [tool("zoom"), tool("pan")])
    assert addresses(registry.tools()) == [
        "maps/route",
        "maps/search",
        "weather/v1/pan",
        "weather/v1/zoom",
        "weather/forecast",
        "weather/refresh",
        "weather/search",
    ]
    found = registry.route("zoom")
    assert (found.server, found.source, found.view, found.name) == ("weather", "app", "v1", "zoom")
    assert found.tool == {"name": "zoom"}


def test_k104_k125_the_model_is_told_by_membership_and_an_empty_list_means_nobody() -> None:
    registry = Registry()
    nobody = {"name": "none", "_meta": {"ui": {"visibility": []}}}
    both = tool("both", "model", "app")
    listed = [tool("plain"), tool("model", "model"), tool("app", "app"), both, nobody]
    registry.add("s", listed)
    assert [entry.name for entry in registry.model_tools()] == ["both", "model", "plain"]
    assert len(registry.model_tools(hides_app_tools=False)) == 5
    assert len(registry.tools()) == 5


def test_k104_the_same_tool_twice_is_there_twice() -> None:
    registry = two_servers()
    assert [entry.name for entry in registry.tools()].count("search") == 2


def test_k119_one_tool_of_a_name_is_meant() -> None:
    assert two_servers().route("route").address == "maps/route"


def test_k119_a_name_that_nobody_has_is_unknown() -> None:
    with pytest.raises(UnknownTool) as caught:
        two_servers().route("nothing")
    assert caught.value.message == 'no server has a tool "nothing"'


def test_k119_a_name_of_several_is_ambiguous_and_says_which() -> None:
    with pytest.raises(AmbiguousTool) as caught:
        two_servers().route("search")
    assert caught.value.message == (
        '"search" is the name of 2 tools: "maps/search", "weather/search"'
    )
    assert addresses(caught.value.candidates) == ["maps/search", "weather/search"]


def test_k119_a_tool_of_a_view_and_of_its_server_are_two() -> None:
    registry = Registry()
    registry.add("s", [tool("zoom")])
    registry.open_view("v1", "s")
    registry.provide("v1", [tool("zoom")])
    with pytest.raises(AmbiguousTool):
        registry.route("zoom")


def test_k114_a_resolver_chooses_among_tools_of_one_name() -> None:
    asked: list[tuple[str, list[str]]] = []

    def last(name: str, candidates: tuple[RegisteredTool, ...]) -> RegisteredTool:
        asked.append((name, addresses(candidates)))
        return candidates[-1]

    registry = Registry(resolve=last)
    registry.add("b", [tool("x")])
    registry.add("a", [tool("x"), tool("y")])
    assert registry.route("x").address == "b/x"
    assert registry.route("y").address == "a/y"
    assert asked == [("x", ["a/x", "b/x"])]


def test_k119_a_resolver_that_fails_is_named() -> None:
    def fail(name: str, candidates: tuple[RegisteredTool, ...]) -> RegisteredTool:
        raise ValueError("no idea")

    registry = Registry(resolve=fail)
    registry.add("a", [tool("x")])
    registry.add("b", [tool("x")])
    with pytest.raises(UserError) as caught:
        registry.route("x")
    assert caught.value.message == 'the resolver failed for "x": no idea'


def test_k114_a_resolver_must_choose_one_of_them() -> None:
    stranger = RegisteredTool({"name": "x"}, "c", "server")
    registry = Registry(resolve=lambda name, candidates: stranger)
    registry.add("a", [tool("x")])
    registry.add("b", [tool("x")])
    with pytest.raises(UserError):
        registry.route("x")


def test_k120_a_tool_of_one_server_is_found_and_the_views_comes_first() -> None:
    registry = two_servers()
    assert registry.route_on("maps", "search").address == "maps/search"
    registry.open_view("v1", "maps")
    registry.provide("v1", [tool("search")])
    assert registry.route_on("maps", "search").address == "maps/v1/search"
    assert registry.route_on("weather", "search").address == "weather/search"


@pytest.mark.parametrize(
    ("server", "name", "message"),
    [
        ("nowhere", "search", 'there is no server "nowhere"'),
        ("maps", "forecast", 'the server "maps" has no tool "forecast"'),
    ],
)
def test_k120_an_unknown_server_or_tool_is_an_error(server: str, name: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        two_servers().route_on(server, name)
    assert caught.value.message == message


def test_k123_two_views_of_one_server_keep_their_tools_apart() -> None:
    registry = two_servers()
    for view in ("v1", "v2"):
        registry.open_view(view, "maps")
        registry.provide(view, [tool("zoom")])
    assert registry.route_on("maps", "zoom", view="v2").view == "v2"
    with pytest.raises(AmbiguousTool):
        registry.route_on("maps", "zoom")
    registry.provide("v1", [])
    assert registry.route_on("maps", "zoom").view == "v2"
    with pytest.raises(UnknownTool):
        registry.route_on("maps", "zoom", view="v1")


def test_k123_a_view_knows_the_tools_of_its_own_server_only() -> None:
    registry = two_servers()
    registry.open_view("v1", "weather")
    known = registry.tools_for("v1")
    assert [entry["name"] for entry in known] == ["search", "forecast", "refresh"]
    rig = Rig(tools=known).ready()
    (refused,) = sent(rig.ask(1, "tools/call", {"name": "route"}))
    assert refused["error"]["code"] == -32602


def test_h12_an_app_only_tool_is_callable_by_views_of_its_own_server_alone() -> None:
    registry = two_servers()
    registry.open_view("v1", "weather")
    registry.open_view("v2", "maps")
    own = Rig(tools=registry.tools_for("v1")).ready().ask(1, "tools/call", {"name": "refresh"})
    other = Rig(tools=registry.tools_for("v2")).ready().ask(1, "tools/call", {"name": "refresh"})
    assert sent(own) == []
    assert sent(other)[0]["error"]["code"] == -32602


@pytest.mark.parametrize("name", ["weather", "", "a/b"])
def test_k115_a_server_needs_a_name_of_its_own(name: str) -> None:
    with pytest.raises(UserError):
        two_servers().add(name)


def test_k115_a_server_whose_tools_cannot_be_listed_is_there_with_the_reason() -> None:
    registry = two_servers()
    registry.add("broken", failure="it did not answer")
    assert registry.servers == ("broken", "maps", "weather")
    assert registry.failures == {"broken": "it did not answer"}
    registry.list_tools("broken", [tool("mended")])
    assert registry.failures == {}
    assert registry.route("mended").server == "broken"


def test_k116_a_view_of_an_unknown_server_is_not_opened() -> None:
    registry = two_servers()
    with pytest.raises(UserError):
        registry.open_view("v1", "nowhere")
    assert registry.views_of("maps") == ()
    registry.open_view("v1", "maps")
    with pytest.raises(UserError):
        registry.open_view("v1", "maps")


def test_k117_removing_a_server_takes_its_views_and_tools_along() -> None:
    registry = two_servers()
    registry.open_view("v1", "maps")
    registry.open_view("v2", "weather")
    registry.open_view("v3", "maps")
    registry.provide("v3", [tool("zoom")])
    assert registry.remove("maps") == ("v1", "v3")
    with pytest.raises(UnknownTool):
        registry.route("zoom")
    assert registry.servers == ("weather",)
    assert registry.route("search").server == "weather"
    with pytest.raises(UserError) as caught:
        registry.remove("maps")
    assert caught.value.message == 'there is no server "maps"'


def test_k115_k117_nothing_comes_after_the_close() -> None:
    registry = two_servers()
    registry.open_view("v1", "maps")
    assert registry.close() == ("v1",)
    assert (registry.servers, registry.tools()) == ((), ())
    with pytest.raises(UserError):
        registry.add("late")


def test_k121_a_collision_is_told_once_when_a_name_becomes_ambiguous() -> None:
    registry = Registry()
    assert registry.add("a", [tool("x")]) == ()
    (collision,) = registry.add("b", [tool("x"), tool("y")])
    assert (collision.name, addresses(collision.tools)) == ("x", ["a/x", "b/x"])
    assert registry.add("c", [tool("x")]) == ()
    registry.remove("b")
    registry.remove("c")
    assert [c.name for c in registry.add("d", [tool("x")])] == ["x"]


def test_k122_a_tool_that_a_view_adds_later_can_be_called_at_once() -> None:
    registry = two_servers()
    registry.open_view("v1", "maps")
    with pytest.raises(UnknownTool):
        registry.route("zoom")
    registry.provide("v1", [tool("zoom")])
    assert registry.route("zoom").view == "v1"
    # The newest list is the whole list: what it does not name any more is gone.
    registry.provide("v1", [tool("pan")])
    assert registry.route("pan").view == "v1"
    with pytest.raises(UnknownTool):
        registry.route("zoom")
    registry.close_view("v1")
    with pytest.raises(UnknownTool):
        registry.route("pan")


def test_k122_tools_that_a_server_adds_later_reach_its_open_views() -> None:
    registry = two_servers()
    registry.open_view("v1", "maps")
    rig = Rig(tools=registry.tools_for("v1")).ready()
    registry.list_tools("maps", [tool("tiles", "app")])
    rig.feed(ToolsListed(registry.tools_for("v1")))
    assert sent(rig.ask(1, "tools/call", {"name": "tiles"})) == []


def test_tools_of_a_view_that_is_not_open_are_refused() -> None:
    with pytest.raises(UserError):
        two_servers().provide("v9", [tool("x")])
    with pytest.raises(UserError):
        two_servers().tools_for("v9")


def test_what_is_no_object_is_passed_over() -> None:
    registry = Registry()
    registry.add("s", ["x", None, {"title": "nameless"}, tool("x")])  # type: ignore[list-item]
    assert [entry.name for entry in registry.tools()] == ["", "x"]
