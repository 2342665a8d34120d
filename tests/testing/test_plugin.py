"""The plugin as a project's tests use it: one run of pytest over many small tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.testing.project import Outcome, run_pytest, write_project

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("chromium")]
TESTS = """
    import asyncio

    import pytest
    from playwright.sync_api import expect

    from mcpapps_cli.errors import RpcError
    from mcpapps_cli.testing import ViewFault


    def test_server(mcp_app):
        result = mcp_app.call("good", {"city": "Oslo"})
        assert result["content"] == [{"type": "text", "text": "sunny in Oslo"}]
        assert mcp_app.tools["good"]["_meta"]["ui"]["resourceUri"] == "ui://shop/good"
        resource = mcp_app.read("ui://shop/good")
        assert resource.html.startswith("<!doctype html>")
        assert resource.content["mimeType"] == "text/html;profile=mcp-app"


    def test_no_such_resource(mcp_app):
        with pytest.raises(RpcError):
            mcp_app.read("ui://shop/nothing")


    def test_view(mcp_app):
        view = mcp_app.render("good", {"city": "Bergen"})
        expect(view.locator("#out")).to_have_text("sunny in Bergen")
        assert view.frame.evaluate("origin") == "null"
        assert set(view.steps.values()) == {"ok"} and list(view.steps)[-1] == "painted"
        assert view.screenshot().startswith(b"\\x89PNG")
        assert view.size_faults() == ()


    def test_loop_is_free_after_a_view():
        asyncio.run(asyncio.sleep(0))


    def test_conversation(mcp_app):
        view = mcp_app.render("chatty")
        for name in ("say", "tell", "link", "call"):
            view.locator(f"#{name}").click()
        call = view.wait_for("tools/call")
        assert call.params == {"name": "save", "arguments": {"n": 1}}
        assert call.result["content"][0]["text"] == "saved 1"
        view.wait_for("ui/open-link")
        assert view.calls == (call,)
        assert view.messages == ("hello",)
        assert view.model_context == {"content": [{"type": "text", "text": "seen"}]}
        assert view.opened_links == ("https://example.com/a",)
        assert view.console == ("chatty is here",)
        view.set_theme("dark")
        expect(view.locator("#theme")).to_have_text("dark")
        assert view.teardown("over")
        with pytest.raises(ViewFault, match="not mounted"):
            view.frame


    def test_refused_link(mcp_app):
        view = mcp_app.render("chatty", answer=lambda kind, detail: kind != "link")
        view.locator("#link").click()
        assert view.wait_for("ui/open-link").error["code"] == -32000
        assert view.opened_links == ()


    def test_nothing_comes(mcp_app):
        view = mcp_app.render("chatty")
        with pytest.raises(ViewFault, match='did not send "ui/message"'):
            view.wait_for("ui/message", timeout=0.1)


    def test_cancel(mcp_app):
        view = mcp_app.render("slow", until="input")
        view.cancel()
        assert view.received[-1]["method"] == "ui/notifications/tool-cancelled"


    def test_reload(mcp_app):
        view = mcp_app.render("good")
        view.reload()
        expect(view.locator("#out")).to_have_text("sunny in Oslo")
        assert [one.method for one in view.requests].count("ui/initialize") == 2


    def test_sizes(mcp_app):
        (narrow,) = mcp_app.render("wide", size=500).size_faults()
        assert "px wide, its frame 500 px" in narrow.text
        (high,) = mcp_app.render("unsized").size_faults()
        assert "its frame 150 px; it never reported its size" in high.text


    @pytest.mark.mcpapps(profiles=["claude", "chatgpt"], themes=["light", "dark"])
    def test_hosts(mcp_app, mcpapps_profile, mcpapps_theme):
        view = mcp_app.render("good")
        assert (view.profile, view.theme) == (mcpapps_profile, mcpapps_theme)
        assert view.context["theme"] == mcpapps_theme
        assert view.requests[0].result["hostInfo"]["name"].lower() == mcpapps_profile


    def test_e70_k113_in_memory(mcp_app):
        app = mcp_app.render_in_memory("good", {"city": "Oslo"}, profile="vscode")
        assert app.input == {"city": "Oslo"}
        assert app.result["content"][0]["text"] == "sunny in Oslo"
        assert app.call("save", {"n": 2})["content"][0]["text"] == "saved 2"
        app.request("ui/message", {"role": "user", "content": [{"type": "text", "text": "hi"}]})
        assert app.messages[0]["content"][0]["text"] == "hi"
        app.change_context(theme="light")
        assert app.view.context["theme"] == "light"
        with pytest.raises(RpcError):
            app.request("ui/no-such-thing")
        assert app.complaints
        assert app.close()


    @pytest.mark.mcpapps(fresh=True)
    def test_fresh_one(mcp_app):
        assert mcp_app.call("count")["content"][0]["text"] == "1"


    @pytest.mark.mcpapps(fresh=True)
    def test_fresh_two(mcp_app):
        assert mcp_app.call("count")["content"][0]["text"] == "1"


    def test_shared_one(mcp_app):
        assert mcp_app.call("count")["content"][0]["text"] == "1"


    def test_shared_two(mcp_app):
        assert mcp_app.call("count")["content"][0]["text"] == "2"


    def test_bad_blocked(mcp_app):
        mcp_app.render("blocked")


    def test_bad_throws(mcp_app):
        mcp_app.render("throws")


    def test_bad_nosy(mcp_app):
        mcp_app.render("nosy").wait_for("tools/call")


    def test_bad_silent(mcp_app):
        mcp_app.render("silent")


    def test_bad_assert(mcp_app):
        mcp_app.render("blocked", allow="script-error")
        assert 1 == 2


    @pytest.mark.mcpapps(allow=("violation", "script-error: missing"))
    def test_allowed(mcp_app):
        mcp_app.render("blocked")
        mcp_app.render("throws")
        mcp_app.render("nosy", allow="fault").wait_for("tools/call")


    def test_allowed_for_another_address(mcp_app):
        mcp_app.render("blocked", allow="violation: fonts.example.com")


    def test_allowed_silence(mcp_app):
        assert mcp_app.render("silent", allow="ladder").steps["initialize"] == "broken"


    def test_wrong_tool(mcp_app):
        mcp_app.call("god")


    def test_wrong_tool_without_view(mcp_app):
        mcp_app.render("save", {"n": 1})


    def test_wrong_profile(mcp_app):
        mcp_app.render("good", profile="claud")


    def test_wrong_mode(mcp_app):
        mcp_app.render("good", mode="pip")


    @pytest.mark.mcpapps(allow="violatoin")
    def test_wrong_allow(mcp_app):
        pass


    async def test_wrong_async(mcp_app):
        pass
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_project(tmp_path_factory.mktemp("shop") / "shop")


@pytest.fixture(scope="module")
def outcomes(project: Path) -> dict[str, Outcome]:
    found, output = run_pytest(project, TESTS)
    assert found, output
    return found


GOOD = [
    *("server", "no_such_resource", "view", "loop_is_free_after_a_view", "conversation"),
    *("refused_link", "nothing_comes", "cancel", "reload", "sizes", "e70_k113_in_memory"),
    *("fresh_one", "fresh_two", "shared_one", "shared_two", "allowed", "allowed_silence"),
    *(f"hosts[{host}-{theme}]" for host in ("claude", "chatgpt") for theme in ("light", "dark")),
]


@pytest.mark.parametrize("name", GOOD)
def test_a_project_s_test_passes(outcomes: dict[str, Outcome], name: str) -> None:
    assert outcomes[f"test_{name}"] == Outcome("passed", "")


BAD = {
    "bad_blocked": "connect-src blocked https://api.weather.test/v1",
    "bad_throws": "script-error: Uncaught ReferenceError: missing is not defined",
    "bad_nosy": 'fault: tool "nowhere" may not be called by the View',
    "bad_silent": 'ladder: broken at "initialize": handshake-missing',
    "allowed_for_another_address": "violation: connect-src blocked",
    "wrong_tool": 'the server has no tool "god"\nhelp: did you mean "good"?',
    "wrong_tool_without_view": 'the tool "save" has no View\nhelp: tools with one: ',
    "wrong_profile": 'there is no host profile "claud"\nhelp: did you mean "claude"?',
    "wrong_mode": 'the host "spec" has no display mode "pip"\nhelp: it has inline',
}


@pytest.mark.parametrize("name", BAD)
def test_a_fault_fails_the_test_and_says_what_and_what_to_do(
    outcomes: dict[str, Outcome], name: str
) -> None:
    outcome = outcomes[f"test_{name}"]
    assert outcome.kind == "failure"
    assert BAD[name] in outcome.text
    # What is shown is the project's own line, not how it is done here.
    assert "mcpapps_cli/testing" not in outcome.text


def test_a_violation_names_the_declaration_that_allows_it(outcomes: dict[str, Outcome]) -> None:
    text = outcomes["test_bad_blocked"].text
    assert 'declare connectDomains = ["https://api.weather.test"]' in text
    assert 'allow=("violation",) lets it pass' in text


def test_a_test_that_fails_by_itself_is_reported_as_it_is(outcomes: dict[str, Outcome]) -> None:
    text = outcomes["test_bad_assert"].text
    assert "assert 1 == 2" in text


def test_what_a_fixture_cannot_do_is_an_error_in_one_line(outcomes: dict[str, Outcome]) -> None:
    assert outcomes["test_wrong_allow"].kind == "error"
    assert '"violatoin" cannot be allowed' in outcomes["test_wrong_allow"].text
    assert "so a test that uses it is a plain function" in outcomes["test_wrong_async"].text
