"""What a host does wrong, one quirk at a time and together."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from mcpapps_cli.errors import UserError
from mcpapps_cli.host.effect import Mount, Resize
from mcpapps_cli.host.event import ToolInput, ToolResult
from mcpapps_cli.host.profiles import load_profile
from mcpapps_cli.host.quirks import Quirks, load_quirk, quirk_names
from mcpapps_cli.host.visibility import agent_tools
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.model import Csp
from tests.host.rig import APP_ONLY, PLAIN, TOOL, Rig, methods, mounting, notes, of, sent, steps

RICH = {
    "content": [{"type": "text", "text": "sunny"}],
    "structuredContent": {"sky": "blue"},
    "_meta": {"seed": 7},
}


def rig(*names: str, profile: dict[str, Any] | None = None, **fields: Any) -> Rig:
    plain = mounting(profile, **fields)
    mounted = Quirks(names).mount(plain)
    return Rig(
        {name: getattr(mounted.profile, name) for name in mounted.profile.__slots__},
        **{**fields, "html": mounted.html, "quirks": mounted.quirks},
    )


def result_of(*names: str, result: dict[str, Any]) -> list[Any]:
    host = rig(*names).ready()
    told = sent(host.feed(ToolInput({}), ToolResult(result)))
    return [m["params"] for m in told if m["method"] == "ui/notifications/tool-result"]


def test_the_quirks_are_these() -> None:
    assert quirk_names() == (
        "app-tools-leaked",
        "content-not-array",
        "extension-absent",
        "flat-key-only",
        "frame-domains-ignored",
        "height-clamped",
        "html-cached-by-uri",
        "input-before-initialized",
        "large-result-pointer",
        "message-refused",
        "meta-dropped",
        "resource-link-withheld",
        "structured-content-dropped",
    )


@pytest.mark.parametrize("name", quirk_names())
def test_a_quirk_has_its_name_a_line_and_a_source(name: str) -> None:
    quirk = load_quirk(name)
    assert quirk.name == name
    assert quirk.title
    assert quirk.source.text.startswith("https://")
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", quirk.source.date)


def test_a_misspelt_quirk_names_the_closest() -> None:
    with pytest.raises(UserError) as caught:
        load_quirk("meta-droped")
    assert caught.value.message == 'there is no quirk "meta-droped"'
    assert caught.value.help == 'did you mean "meta-dropped"?'


@pytest.mark.parametrize("name", ["", "../meta_dropped", "zzzzz"])
def test_an_unknown_quirk_is_the_users_to_fix(name: str) -> None:
    with pytest.raises(UserError):
        Quirks([name])


def test_without_quirks_the_result_is_whole() -> None:
    assert result_of(result=RICH) == [RICH]


def test_structured_content_is_dropped_and_nothing_else() -> None:
    assert result_of("structured-content-dropped", result=RICH) == [
        {"content": RICH["content"], "_meta": {"seed": 7}}
    ]


def test_meta_is_dropped_and_nothing_else() -> None:
    assert result_of("meta-dropped", result=RICH) == [
        {"content": RICH["content"], "structuredContent": {"sky": "blue"}}
    ]


def test_quirks_combine() -> None:
    names = ("meta-dropped", "structured-content-dropped", "content-not-array")
    assert result_of(*names, result=RICH) == [{"content": {"type": "text", "text": "sunny"}}]


def test_a_change_is_noted_with_the_quirks_name() -> None:
    host = rig("meta-dropped").ready()
    shown = notes(host.feed(ToolInput({}), ToolResult(RICH)))
    assert shown == "quirk meta-dropped: the result reaches the View without _meta"
    assert notes(rig("meta-dropped").ready().feed(ToolInput({}), ToolResult({"content": []}))) == ""


def test_a_result_with_a_resource_link_never_arrives() -> None:
    link = {"content": [{"type": "text", "text": "a"}, {"type": "resource_link", "uri": "x://y"}]}
    assert result_of("resource-link-withheld", result=link) == []
    assert result_of("resource-link-withheld", result=RICH) == [RICH]


def test_a_withheld_result_leaves_its_rungs_open() -> None:
    host = rig("resource-link-withheld", probe=True).ready()
    link = {"content": [{"type": "resource_link", "uri": "x://y"}]}
    assert steps(host.feed(ToolInput({}), ToolResult(link))) == [
        ("input", "ok", None),
        ("result", "unknown", "withheld"),
        ("painted", "unknown", "withheld"),
    ]


def test_a_result_over_150000_characters_is_a_pointer() -> None:
    # {"content":[{"type":"text","text":"..."}]} has 39 characters without the text.
    def text(length: int) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": "x" * length}]}

    assert result_of("large-result-pointer", result=text(149_961)) == [text(149_961)]
    ((pointer),) = result_of("large-result-pointer", result=text(149_962))
    assert "150,000 characters" in pointer["content"][0]["text"]
    assert "xxx" not in pointer["content"][0]["text"]


def test_a_result_that_is_nested_beyond_all_measure_is_a_pointer_too() -> None:
    nested: Any = []
    for _ in range(50_000):
        nested = [nested]
    (pointer,) = result_of("large-result-pointer", result={"content": [], "deep": nested})
    assert "deep" not in pointer


def test_content_is_one_object() -> None:
    assert result_of("content-not-array", result={"content": []}) == [
        {"content": {"type": "text", "text": ""}}
    ]


def test_the_input_does_not_wait_for_initialized() -> None:
    host = rig("input-before-initialized")
    host.feed(ToolInput({"city": "Oslo"}))
    host.answered()
    assert sent(host.all)[-1] == {
        "jsonrpc": "2.0",
        "method": "ui/notifications/tool-input",
        "params": {"arguments": {"city": "Oslo"}},
    }
    assert methods(host.notify("ui/notifications/initialized")) == []


def test_even_an_early_input_waits_for_the_question_of_the_view() -> None:
    host = rig("input-before-initialized").loaded()
    assert methods(host.feed(ToolInput({}))) == []


def test_an_input_that_comes_after_the_answer_does_not_wait_either() -> None:
    host = rig("input-before-initialized").answered()
    assert methods(host.feed(ToolInput({}))) == ["ui/notifications/tool-input"]
    assert methods(host.feed(ToolResult(RICH))) == []


def test_h9_a_host_that_caches_keeps_the_first_document_for_a_conversation() -> None:
    quirks = Quirks(["html-cached-by-uri"])
    old, new = mounting(html="<!doctype html>old"), mounting(html="<!doctype html>new")
    other = mounting(html="<!doctype html>new", uri="ui://demo/other.html")
    assert quirks.mount(old).html == "<!doctype html>old"
    assert quirks.mount(new).html == "<!doctype html>old"
    assert quirks.mount(other).html == "<!doctype html>new"
    assert Quirks(["html-cached-by-uri"]).mount(new).html == "<!doctype html>new"


def test_h9_a_host_that_does_not_cache_shows_what_was_read_last() -> None:
    quirks = Quirks(["height-clamped"])
    for html in ("<!doctype html>old", "<!doctype html>new"):
        assert quirks.mount(mounting(html=html)).html == html


def test_messages_are_declined_in_the_hosts_style() -> None:
    text = {"role": "user", "content": [{"type": "text", "text": "hi"}]}
    (answer,) = sent(rig("message-refused").ready().ask(1, "ui/message", text))
    assert answer["error"]["code"] == -32000
    lenient = rig("message-refused", profile={"denial": "result"}).ready()
    assert sent(lenient.ask(1, "ui/message", text))[0]["result"] == {"isError": True}


def test_the_frame_is_never_higher_than_500_pixels() -> None:
    host = rig("height-clamped").ready()
    assert of(host.notify("ui/notifications/size-changed", {"height": 900}), Resize) == [
        Resize(None, 500)
    ]
    assert of(host.notify("ui/notifications/size-changed", {"height": 300}), Resize) == [
        Resize(None, 300)
    ]


def test_frame_and_base_uri_domains_have_no_effect() -> None:
    csp = Csp(frame=("https://a.example.com",), base_uri=("https://b.example.com",))
    (mount,) = of(rig("frame-domains-ignored", csp=csp).started, Mount)
    assert "frame-src 'none'" in mount.policy
    assert "base-uri 'self'" in mount.policy


def test_app_only_tools_reach_the_model() -> None:
    profile = Quirks(["app-tools-leaked"]).profile(load_profile("spec"))
    told = agent_tools((PLAIN, APP_ONLY), hides_app_tools=profile.hides_app_tools)
    assert told == (PLAIN, APP_ONLY)


def test_only_the_flat_key_links_a_view() -> None:
    both = {"name": "b", "_meta": {"ui": {"resourceUri": "ui://a/b"}, "ui/resourceUri": "ui://a/b"}}
    seen = Quirks(["flat-key-only"]).tools((TOOL, both, APP_ONLY, PLAIN))
    assert [apps_metadata(tool).resource_uri for tool in seen] == [None, "ui://a/b", None, None]
    assert [apps_metadata(tool).model_visible for tool in seen] == [True, True, False, True]


def test_a_host_without_the_extension_declares_nothing_and_sees_no_view() -> None:
    quirks = Quirks(["extension-absent"])
    both = {"name": "b", "_meta": {"ui": {"resourceUri": "ui://a/b"}, "ui/resourceUri": "ui://a/b"}}
    assert not quirks.declares_apps
    assert [apps_metadata(tool).resource_uri for tool in quirks.tools((TOOL, both))] == [None, None]
    assert Quirks(["meta-dropped"]).declares_apps


def test_a_profile_brings_its_quirks_and_no_takes_one_away() -> None:
    claude = load_profile("claude")
    assert [quirk.name for quirk in Quirks(profile=claude).active] == [
        "large-result-pointer",
        "resource-link-withheld",
    ]
    chosen = Quirks(["no-resource-link-withheld", "meta-dropped", "meta-dropped"], profile=claude)
    assert [quirk.name for quirk in chosen.active] == ["large-result-pointer", "meta-dropped"]


def test_the_users_own_objects_are_left_alone() -> None:
    kept = {**RICH}
    Rig(quirks=Quirks(quirk_names()).active).ready().feed(ToolInput({}), ToolResult(RICH))
    assert kept == RICH
    plain = mounting()
    Quirks(quirk_names()).mount(plain)
    assert plain == replace(mounting(), profile=plain.profile)
