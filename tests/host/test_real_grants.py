"""What each emulated host gives a View, typed from the captures and documents it names."""

from __future__ import annotations

import pytest

from mcpapps_cli.host.effect import Mount, Send
from mcpapps_cli.host.event import (
    CloseRequested,
    ContextChange,
    ToolInput,
    ToolInputPartial,
    ToolResult,
)
from mcpapps_cli.host.grant import granted_csp, granted_permissions
from mcpapps_cli.host.profiles import load_profile
from mcpapps_cli.host.visibility import agent_tools
from mcpapps_cli.model import Csp
from tests.host.real_host import ALL, DECLARED, rig
from tests.host.rig import APP_ONLY, PLAIN, RESULT, methods, mounting, of, sent


@pytest.mark.parametrize(
    ("name", "policy"),
    [
        (
            "basic-host",
            "default-src 'self' 'unsafe-inline'; "
            "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob: data: https://cdn.example.com; "
            "style-src 'self' 'unsafe-inline' blob: data: https://cdn.example.com; "
            "img-src 'self' data: blob: https://cdn.example.com; "
            "font-src 'self' data: blob: https://cdn.example.com; "
            "media-src 'self' data: blob: https://cdn.example.com; "
            "connect-src 'self' https://api.example.com; "
            "worker-src 'self' blob: https://cdn.example.com; "
            "frame-src https://maps.example.com; object-src 'none'; "
            "base-uri https://base.example.com",
        ),
        (
            "claude",
            "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob: data: "
            "https://esm.sh https://assets.claude.ai https://cdn.example.com; "
            "style-src 'self' 'unsafe-inline' https://esm.sh https://assets.claude.ai "
            "https://cdn.example.com; connect-src 'self' https://esm.sh https://api.example.com; "
            "img-src 'self' data: https://esm.sh https://assets.claude.ai https://cdn.example.com; "
            "font-src 'self' https://esm.sh https://assets.claude.ai https://cdn.example.com; "
            "media-src 'self' data: https://esm.sh https://assets.claude.ai "
            "https://cdn.example.com; worker-src 'self' blob: https://esm.sh "
            "https://assets.claude.ai; frame-src 'self'; object-src 'none'; base-uri 'self'; "
            "form-action 'self'",
        ),
        (
            "chatgpt",
            "default-src 'none'; script-src 'self' 'unsafe-inline' https://cdn.jsdelivr.net "
            "https://unpkg.com https://cdn.example.com; style-src 'self' 'unsafe-inline' "
            "https://cdn.jsdelivr.net https://unpkg.com https://cdn.example.com; "
            "connect-src 'self' https://cdn.jsdelivr.net https://unpkg.com "
            "https://api.example.com; img-src 'self' data: https://cdn.jsdelivr.net "
            "https://unpkg.com https://cdn.example.com; font-src 'self' https://cdn.jsdelivr.net "
            "https://unpkg.com https://cdn.example.com; media-src 'self' data: "
            "https://cdn.jsdelivr.net https://unpkg.com https://cdn.example.com; "
            "frame-src 'self' data: blob: https://maps.example.com; object-src 'none'; "
            "base-uri https://base.example.com",
        ),
        (
            "vscode",
            "default-src 'none'; script-src 'self' 'unsafe-inline' https://cdn.example.com; "
            "style-src 'self' 'unsafe-inline' https://cdn.example.com; "
            "connect-src 'self' https://api.example.com; "
            "img-src 'self' data: https://cdn.example.com; font-src 'self' "
            "https://cdn.example.com; media-src 'self' data: https://cdn.example.com; "
            "frame-src https://maps.example.com; object-src 'none'; "
            "base-uri https://base.example.com",
        ),
        (
            "goose",
            "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' "
            "'unsafe-inline'; connect-src 'self'; img-src 'self' data:; font-src 'self' "
            "https://cash-f.squarecdn.com; media-src 'self' data:; frame-src 'none'; "
            "object-src 'none'; base-uri 'self'",
        ),
        (
            "cursor",
            "default-src 'none'; script-src 'self' 'unsafe-inline' https://cdn.example.com; "
            "style-src 'self' 'unsafe-inline' https://cdn.example.com; "
            "connect-src 'self' https://api.example.com; "
            "img-src 'self' data: https://cdn.example.com; font-src 'self' "
            "https://cdn.example.com; media-src 'self' data: https://cdn.example.com; "
            "frame-src https://maps.example.com; object-src 'none'; "
            "base-uri https://base.example.com",
        ),
    ],
)
def test_h1_the_host_writes_this_policy(name: str, policy: str) -> None:
    (mount,) = of(rig(name).started, Mount)
    assert mount.policy == policy


def test_vscode_connects_to_itself_even_when_nothing_is_declared() -> None:
    (mount,) = of(rig("vscode", csp=None).started, Mount)
    assert "connect-src 'self';" in mount.policy
    (mount,) = of(rig("cursor", csp=None).started, Mount)
    assert "connect-src 'none';" in mount.policy


@pytest.mark.parametrize(
    ("name", "sandbox", "allow", "permissions"),
    [
        (
            "basic-host",
            "allow-scripts allow-same-origin allow-forms",
            "camera; microphone; geolocation; clipboard-write",
            ALL,
        ),
        (
            "claude",
            "allow-scripts allow-same-origin allow-forms",
            "clipboard-write; fullscreen *",
            ("clipboardWrite",),
        ),
        (
            "chatgpt",
            "allow-scripts allow-same-origin allow-forms allow-popups "
            "allow-popups-to-escape-sandbox",
            "microphone; clipboard-write; local-network-access *; midi *",
            ("microphone", "clipboardWrite"),
        ),
        (
            "vscode",
            "allow-scripts allow-same-origin allow-pointer-lock allow-downloads allow-forms",
            "clipboard-write; cross-origin-isolated 'src'; autoplay 'src'; "
            "local-network-access 'src'; clipboard-read 'src'",
            ("clipboardWrite",),
        ),
        ("goose", "allow-scripts allow-same-origin allow-forms", "", ()),
        ("cursor", "allow-scripts allow-same-origin", "clipboard-write", ("clipboardWrite",)),
        ("slack", "allow-scripts allow-same-origin allow-forms", "", ()),
        (
            "mistral",
            "allow-scripts allow-same-origin allow-forms",
            "clipboard-write",
            ("clipboardWrite",),
        ),
    ],
)
def test_h5_the_host_grants_this_and_no_more(
    name: str, sandbox: str, allow: str, permissions: tuple[str, ...]
) -> None:
    host = rig(name)
    (mount,) = of(host.started, Mount)
    assert (mount.sandbox, mount.allow) == (sandbox, allow)
    profile = load_profile(name)
    assert granted_permissions(mounting({"permissions": profile.permissions}, permissions=ALL)) == (
        permissions
    )


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("claude", Csp(("https://api.example.com",), ("https://cdn.example.com",))),
        ("goose", Csp()),
        ("copilot", Csp(("https://api.example.com",), ("https://cdn.example.com",))),
        ("cursor", DECLARED),
        ("chatgpt", DECLARED),
    ],
)
def test_h3_what_the_host_ignores_is_not_reported_as_granted(name: str, kept: Csp) -> None:
    ignored = load_profile(name).csp_ignored
    assert granted_csp(mounting({"csp_ignored": ignored}, csp=DECLARED)) == kept


@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("claude", ("sampling/createMessage",)),
        ("chatgpt", ("ui/download-file", "sampling/createMessage")),
        ("vscode", ()),
        (
            "goose",
            (
                *("tools/call", "resources/read", "ui/message", "ui/update-model-context"),
                *("ui/download-file", "sampling/createMessage"),
            ),
        ),
        ("cursor", ("ui/message", "ui/update-model-context", "sampling/createMessage")),
        ("basic-host", ("ui/download-file", "sampling/createMessage")),
    ],
)
def test_what_the_host_does_not_serve_is_not_found(name: str, refused: tuple[str, ...]) -> None:
    host = rig(name, tools=(PLAIN,)).ready()
    asked = {
        "tools/call": {"name": "lookup"},
        "resources/read": {"uri": "ui://demo/chart.html"},
        "ui/message": {"role": "user", "content": [{"type": "text", "text": "hi"}]},
        "ui/update-model-context": {},
        "ui/download-file": {"contents": [{"type": "resource_link"}]},
        "sampling/createMessage": {"messages": []},
        "ui/open-link": {"url": "https://example.com"},
    }
    missing = []
    for id_, (method, params) in enumerate(asked.items(), 1):
        answers = sent(host.ask(id_, method, params))
        missing += [method for answer in answers if answer.get("error", {}).get("code") == -32601]
    assert tuple(missing) == refused


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("claude", "partial input result changed teardown"),
        ("chatgpt", "partial input result changed teardown"),
        ("cursor", "partial input result changed teardown"),
        ("basic-host", "input result changed teardown"),
        ("goose", "input result"),
        ("copilot", "input result"),
        ("slack", "input result"),
        ("codex", "partial input result changed"),
        ("mistral", "partial input result changed"),
    ],
)
def test_the_host_tells_a_view_this(name: str, told: str) -> None:
    names = {
        "ui/notifications/tool-input-partial": "partial",
        "ui/notifications/tool-input": "input",
        "ui/notifications/tool-result": "result",
        "ui/notifications/host-context-changed": "changed",
        "ui/resource-teardown": "teardown",
    }
    host = rig(name).ready()
    effects = host.feed(
        ToolInputPartial({}),
        ToolInput({}),
        ToolResult(RESULT),
        ContextChange({"locale": "nb-NO"}),
        CloseRequested("done"),
    )
    assert " ".join(names[method] for method in methods(effects)) == told


def test_vscode_tells_no_partials_and_no_cancellation_and_does_not_wait() -> None:
    host = rig("vscode")
    host.feed(ToolInputPartial({"city": "Os"}), ToolInput({"city": "Oslo"}))
    effects = host.answered().all
    assert methods(of(effects, Send))[-1] == "ui/notifications/tool-input"
    assert "ui/notifications/tool-cancelled" not in load_profile("vscode").sends
    ready = host.notify("ui/notifications/initialized")
    assert methods(ready) == []


@pytest.mark.parametrize(
    ("name", "hidden"),
    [
        ("spec", True),
        ("claude", True),
        ("chatgpt", True),
        ("goose", True),
        ("cursor", False),
        ("vscode", False),
    ],
)
def test_h10_who_tells_the_model_of_app_only_tools(name: str, hidden: bool) -> None:
    profile = load_profile(name)
    told = agent_tools((PLAIN, APP_ONLY), hides_app_tools=profile.hides_app_tools)
    assert told == ((PLAIN,) if hidden else (PLAIN, APP_ONLY))


@pytest.mark.parametrize("name", ["slack", "mistral", "copilot"])
def test_a_border_that_the_host_does_not_draw_is_left_out(name: str) -> None:
    (mount,) = of(rig(name, prefers_border=True).started, Mount)
    assert mount.border is None
