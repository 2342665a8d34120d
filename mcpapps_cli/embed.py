"""The bridge as text: for a script element, for a page that has none, and as a page of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Any, Final

from mcpapps_cli.markup.html import tokenize
from mcpapps_cli.resources import bridge_dir
from mcpapps_cli.wire import DisplayMode

BRIDGE_PATH: Final = "/mcpapps/bridge.mjs"
"""Where `bridge_app` is meant to be mounted."""
SENTINEL: Final = "data-mcpapps-bridge"
"""Attribute of each script element that holds the bridge; no page is given a second one."""

_CLOSING_SCRIPT: Final = r"(?i)</(?=script)"
_CLOSING_STYLE: Final = r"(?i)</(?=style)"


@dataclass(frozen=True, slots=True)
class BridgeConfig:
    """What the View says of itself in `ui/initialize` (specification, Lifecycle).

    Attributes:
        name: `appInfo.name`.
        version: `appInfo.version`.
        display_modes: Every mode that the View supports; None declares none, so that any goes.
        auto_resize: Whether the content's size is reported to the host.
    """

    name: str = "mcp-app"
    version: str = "0.0.0"
    display_modes: tuple[DisplayMode, ...] | None = None
    auto_resize: bool = True


def escape_script(js: str) -> str:
    r"""Return `js` so that it can stand in a script element.

    `</script` becomes `<\/script`, and `<!--`, which would make the parser skip the next end
    tag, becomes `<!-\x2D`; inside string and regular expression literals both mean the same.
    """
    return re.sub(_CLOSING_SCRIPT, r"<\\/", js).replace("<!--", r"<!-\x2D")


def escape_style(css: str) -> str:
    r"""Return `css` so that it can stand in a style element: `</style` becomes `<\/style`."""
    return re.sub(_CLOSING_STYLE, r"<\\/", css)


@cache
def _asset(name: str) -> str:
    return (bridge_dir() / "dist" / name).read_text(encoding="utf-8")


def bridge_script() -> str:
    """Return the minified bridge as a classic script that defines the global `mcpapps`.

    It is escaped for a script element. Loading it twice changes nothing.
    """
    return escape_script(_asset("bridge.global.js"))


def bridge_module() -> str:
    """Return the minified bridge as an ES module, unescaped: the file to import or to bundle."""
    return _asset("bridge.mjs")


@cache
def bridge_names() -> frozenset[str]:
    """Return what the module gives and the global `mcpapps` has.

    The global has `view` besides, where the page is connected as `bridge_element` does it.
    """
    exported = bridge_module().rpartition("export{")[2].partition("}")[0]
    return frozenset(one.rpartition(" as ")[2].strip() for one in exported.split(","))


def bridge_types() -> str:
    """Return the TypeScript declarations of `bridge_module`."""
    return _asset("bridge.d.ts")


def environment_types() -> str:
    """Return the text of `mcpapps-env.d.ts`.

    It declares the module `mcpapps:bridge` and the global `mcpapps` for editors and `tsc`.
    """
    return _asset("mcpapps-env.d.ts")


def bridge_element(config: BridgeConfig | None = None) -> str:
    """Return the script element that holds the bridge, for any template language.

    Args:
        config: Connect at once under this name and keep the View as `mcpapps.view`. None, the
            default, only defines `mcpapps` and leaves `mcpapps.connect` to the page.
    """
    return f"<script {SENTINEL}>{bridge_script()}{_connection(config)}</script>"


def _connection(config: BridgeConfig | None) -> str:
    if config is None:
        return ""
    options: dict[str, Any] = {"name": config.name, "version": config.version}
    if config.display_modes is not None:
        options["displayModes"] = list(config.display_modes)
    if not config.auto_resize:
        options["autoResize"] = False
    # `<` never appears, so no text can end the element or open a comment.
    text = json.dumps(options).replace("<", r"\u003c")
    return f"mcpapps.view=mcpapps.connect({text});"


def inject_bridge(html: str, config: BridgeConfig | None = None) -> str:
    """Return `html` with the bridge in it; unchanged when it is there already.

    The element goes before the first `</head>`, else before the last `</body>`, else to the end.
    Only real tags count, not text that looks like one in a comment or a script.

    Args:
        html: The page.
        config: As for `bridge_element`.
    """
    tokens = list(tokenize(html))
    if any(attr.name == SENTINEL for token in tokens for attr in token.attrs):
        return html
    ends = {"head": [len(html)], "body": [len(html)]}
    for token in tokens:
        if token.kind == "end" and token.name in ends:
            ends[token.name].append(token.start)
    at = ends["head"][1] if len(ends["head"]) > 1 else ends["body"][-1]
    return html[:at] + bridge_element(config) + html[at:]


def app_shell(title: str, body: str, config: BridgeConfig | None = None, *, css: str = "") -> str:
    """Return a whole page around `body` that connects to its host.

    Args:
        title: Plain text; escaped here.
        body: HTML, put in as it is.
        config: The View's name and version. Default: `BridgeConfig()`.
        css: A style sheet; escaped here.
    """
    style = escape_style(f"*,::before,::after{{box-sizing:border-box}}body{{margin:0}}{css}")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title, quote=False)}</title>
<style>{style}</style>
{bridge_element(config or BridgeConfig())}
</head>
<body>
{body}
</body>
</html>
"""


_Message = MutableMapping[str, Any]


async def bridge_app(
    scope: _Message,
    receive: Callable[[], Awaitable[_Message]],
    send: Callable[[_Message], Awaitable[None]],
) -> None:
    """Serve the ES module: an ASGI application, meant for `BRIDGE_PATH`.

    A View that imports it needs the server's origin among its `resourceDomains`.
    """
    body = bridge_module().encode()
    headers = [
        (b"content-type", b"text/javascript; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"public, max-age=86400"),
        # Modules are fetched with CORS, and a View has another origin, often an opaque one.
        (b"access-control-allow-origin", b"*"),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body if scope["method"] != "HEAD" else b""})
