from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from mcpapps_cli.stage import Stage
from tests.stage.backend import MemoryBackend
from tests.stage.peer import cookie_of, token_of

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def stage(anyio_backend: str) -> AsyncIterator[Stage]:
    async with Stage(MemoryBackend([], {}), port=0, sandbox_port=0) as served:
        yield served


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: str


async def get(
    stage: Stage, path: str, *headers: str, method: str = "GET", host: str = ""
) -> Answer:
    """One request, byte for byte: no client cleans the path."""
    port = urlsplit(stage.url).port
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{port}'}", *headers]
    writer.write("\r\n".join([*lines, "Connection: close", "", ""]).encode())
    head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    first, *rest = head.split("\r\n")
    pairs = (line.partition(": ") for line in rest)
    return Answer(int(first.split()[1]), {name.lower(): value for name, _, value in pairs}, body)


def cookie(stage: Stage) -> str:
    return f"Cookie: {cookie_of(stage)}"


async def test_token_in_the_url_opens_the_page_and_becomes_a_cookie(stage: Stage) -> None:
    parts = urlsplit(stage.url)
    answer = await get(stage, f"/?{parts.query}")
    assert answer.status == 200
    assert answer.headers["set-cookie"] == (
        f"mcpapps_{parts.port}={token_of(stage)}; HttpOnly; Path=/; SameSite=strict"
    )
    assert answer.headers["cache-control"] == "no-store"


async def test_cookie_alone_opens_page_and_files(stage: Stage) -> None:
    assert (await get(stage, "/", cookie(stage))).status == 200
    script = await get(stage, "/main.js", cookie(stage))
    assert (script.status, script.headers["content-type"]) == (
        200,
        "text/javascript; charset=utf-8",
    )


async def test_page_may_frame_only_the_sandbox_and_load_only_itself(stage: Stage) -> None:
    answer = await get(stage, "/", cookie(stage))
    host, sandbox = urlsplit(stage.url).port, urlsplit(stage.sandbox_url).port
    assert answer.headers["content-security-policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self' ws://127.0.0.1:{host}; "
        f"frame-src http://localhost:{sandbox} http://*.localhost:{sandbox}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


@pytest.mark.parametrize("path", ["/", "/main.js", "/?token=", "/?token=wrong", "/main.js?token="])
async def test_without_the_token_nothing_is_served(stage: Stage, path: str) -> None:
    answer = await get(stage, path)
    assert answer.status == 403
    assert "set-cookie" not in answer.headers


async def test_token_opens_no_file_but_the_page(stage: Stage) -> None:
    assert (await get(stage, f"/main.js?token={token_of(stage)}")).status == 403


@pytest.mark.parametrize("host", ["localhost", "evil.test", "127.0.0.1", "127.0.0.1:1", "[::1]"])
async def test_foreign_host_is_misdirected(stage: Stage, host: str) -> None:
    assert (await get(stage, "/", cookie(stage), host=host)).status == 421


@pytest.mark.parametrize("origin", ["null", "https://evil.test", "http://127.0.0.1:1", "sandbox"])
async def test_foreign_origin_is_refused(stage: Stage, origin: str) -> None:
    origin = stage.sandbox_url.rstrip("/") if origin == "sandbox" else origin
    answer = await get(stage, "/", cookie(stage), f"Origin: {origin}")
    assert answer.status == 403


@pytest.mark.parametrize(
    "path",
    [
        "/../sandbox/proxy.html",
        "/..%2fsandbox/proxy.html",
        "/%2e%2e/sandbox/proxy.html",
        "/x/../main.js",
        "//etc/passwd",
        "/..\\sandbox\\proxy.html",
        "/%00",
        "/index.html/",
        "/elements.d.ts",
    ],
)
async def test_no_path_leaves_the_listed_files(stage: Stage, path: str) -> None:
    answer = await get(stage, path, cookie(stage))
    assert 400 <= answer.status < 500
    assert "sandbox" not in answer.body


async def test_only_get_is_answered(stage: Stage) -> None:
    assert (await get(stage, "/", cookie(stage), method="POST")).status == 405


async def test_cookies_of_two_stages_have_two_names(stage: Stage) -> None:
    async with Stage(MemoryBackend([], {}), port=0, sandbox_port=0) as other:
        assert (await get(other, "/", cookie(stage))).status == 403
        both = f"Cookie: {cookie_of(stage)}; {cookie_of(other)}"
        assert (await get(other, "/", both)).status == 200
        assert (await get(stage, "/", both)).status == 200


@pytest.mark.parametrize(
    ("origin", "has_cookie", "path"),
    [
        (None, True, "/socket"),
        ("http://evil.test", True, "/socket"),
        ("null", True, "/socket"),
        ("own", False, "/socket"),
        ("own", True, "/other"),
    ],
)
async def test_socket_needs_cookie_and_own_origin(
    stage: Stage, origin: str | None, has_cookie: bool, path: str
) -> None:
    netloc = urlsplit(stage.url).netloc
    headers = {"Cookie": cookie_of(stage)} if has_cookie else {}
    own = f"http://{netloc}" if origin == "own" else origin
    with pytest.raises(InvalidStatus) as caught:
        async with connect(
            f"ws://{netloc}{path}",
            origin=own,  # type: ignore[arg-type]
            additional_headers=headers,
            proxy=None,
        ):
            pass
    assert caught.value.response.status_code in {403, 404}
