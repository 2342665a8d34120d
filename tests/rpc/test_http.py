"""Streamable HTTP, with servers that answer in every way they may and may not."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from mcpapps_cli.errors import RpcError, ServerError, UserError
from mcpapps_cli.model import ServerSpec
from mcpapps_cli.rpc import Limits, connect
from tests.rpc.servers import closed_port, http_server

pytestmark = pytest.mark.anyio
SECRET = "Bearer s3cr3t-value"
HEADERS = {"Authorization": SECRET, "X-Key": "s3cr3t-value"}

LEGACY = """
def answer(http, m):
    if m["method"] == "initialize":
        http.initialized(m, {"Mcp-Session-Id": "session-1"})
    elif "id" not in m:
        http.answer(202)
    else:
        other(http, m)
"""
ECHO = """
def other(http, m):
    http.reply(m, {"headers": {name.lower(): value for name, value in http.headers.items()}})
"""


async def failure(url: str, **options: Any) -> ServerError:
    with pytest.raises(ServerError) as caught:
        async with connect(ServerSpec(url=url, headers=HEADERS), **options):
            pass
    shown = (caught.value.message, caught.value.help, *caught.value.details)
    assert "s3cr3t" not in repr(shown)
    return caught.value


async def test_a_legacy_session_carries_its_id_version_and_the_given_headers_and_is_deleted(
    tmp_path: Path,
) -> None:
    with http_server(tmp_path, LEGACY + ECHO) as (url, stderr):
        async with connect(ServerSpec(url=url, headers=HEADERS), era="legacy") as client:
            headers = (await client.request("x", timeout=10))["headers"]
        log = stderr()
    assert headers["mcp-session-id"] == "session-1"
    assert headers["mcp-protocol-version"] == "2025-11-25"
    assert headers["accept"] == "application/json, text/event-stream"
    assert (headers["authorization"], headers["x-key"]) == (SECRET, "s3cr3t-value")
    assert log == "DELETE session-1\n"


async def test_a_modern_request_mirrors_version_method_and_name_in_its_headers(
    tmp_path: Path,
) -> None:
    body = """
def answer(http, m):
    if m["method"] == "server/discover":
        http.reply(m, {"supportedVersions": ["2026-07-28"]})
    elif m["method"] == "tools/list":
        schema = {"properties": {"region": {"type": "string", "x-mcp-header": "Region"},
            "deep": {"properties": {"on": {"type": "boolean", "x-mcp-header": "On"}}},
            "bad": {"x-mcp-header": "no good"}, "plain": {"type": "string"}}}
        http.reply(m, {"tools": [{"name": "t", "inputSchema": schema}]})
    else:
        other(http, m)
"""
    with http_server(tmp_path, body + ECHO) as (url, stderr):
        async with connect(ServerSpec(url=url)) as client:
            assert client.era == "modern"
            plain = (await client.request("x", timeout=10))["headers"]
            await client.list_tools()
            arguments = {"region": "eu\n", "deep": {"on": True}, "bad": "1", "plain": "2"}
            called = (await client.call_tool("t", arguments, timeout=10))["headers"]
            read = (await client.read_resource("ui://café", timeout=10))["headers"]
        assert stderr() == ""
    assert plain["mcp-protocol-version"] == "2026-07-28"
    assert plain["mcp-method"] == "x"
    assert "mcp-name" not in plain
    assert "mcp-session-id" not in plain
    assert (called["mcp-method"], called["mcp-name"]) == ("tools/call", "t")
    assert called["mcp-param-region"] == "=?base64?ZXUK?="
    assert called["mcp-param-on"] == "true"
    assert [name for name in called if name.startswith("mcp-param")] == [
        *("mcp-param-region", "mcp-param-on")
    ]
    assert read["mcp-name"] == "=?base64?dWk6Ly9jYWbDqQ==?="


async def test_an_event_stream_gives_progress_and_then_the_reply(tmp_path: Path) -> None:
    body = """
def other(http, m):
    token = m["params"]["_meta"]["progressToken"]
    note = {"jsonrpc": "2.0", "method": "notifications/progress",
            "params": {"progressToken": token, "progress": 1}}
    reply = {"jsonrpc": "2.0", "id": m["id"], "result": {"done": True}}
    http.events(f": hello\\n\\nid: 1\\ndata:\\n\\nevent: message\\ndata: {json.dumps(note)}\\n\\n"
                f"data: not json\\r\\n\\r\\ndata: {json.dumps(reply)}\\n\\n")
"""
    steps: list[Any] = []
    with http_server(tmp_path, LEGACY + body) as (url, _):
        async with connect(ServerSpec(url=url), era="legacy") as client:
            result = await client.request("x", timeout=10, on_progress=steps.append)
            assert client.noise == ("not json",)
    assert result == {"done": True}
    assert [step["progress"] for step in steps] == [1]


async def test_a_stream_that_ends_early_is_taken_up_where_it_ended(tmp_path: Path) -> None:
    body = """
asked = {}
def other(http, m):
    asked.update(m)
    http.events("id: event-7\\nretry: 0\\ndata:\\n\\n")
def get(http):
    if http.headers.get("Last-Event-ID") == "event-7":
        reply = {"jsonrpc": "2.0", "id": asked["id"], "result": {"resumed": True}}
        http.events(f"data: {json.dumps(reply)}\\n\\n")
    else:
        http.answer(405)
"""
    with http_server(tmp_path, LEGACY + body) as (url, _):
        async with connect(ServerSpec(url=url), era="legacy") as client:
            assert await client.request("x", timeout=10) == {"resumed": True}


async def test_a_stream_that_ends_again_and_again_is_an_error(tmp_path: Path) -> None:
    body = """
def other(http, m):
    http.events("id: event-7\\nretry: 0\\ndata:\\n\\n")
def get(http):
    http.events("retry: 0\\n\\n")
"""
    with http_server(tmp_path, LEGACY + body) as (url, _):
        async with connect(ServerSpec(url=url), era="legacy") as client:
            with pytest.raises(ServerError, match="ended again and again"):
                await client.request("x", timeout=10)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ('http.events("data: {}\\n\\n")', 'ended its answer to "x" without a reply'),
        ("http.answer(202)", 'ended its answer to "x" without a reply'),
        ('http.answer(200, b"not json")', 'the answer to "x" is not JSON-RPC'),
        (
            'http.answer(200, b"<p>", {"Content-Type": "text/html"})',
            'answered with "text/html", which is not MCP',
        ),
        ("http.answer(500)", "answered 500"),
        ("http.connection.shutdown(2)", "closed the connection before it answered"),
        ('http.answer(302, b"", {"Location": "https://other.test/mcp?k=s3cr3t"})', "redirects to"),
        ('http.answer(307, b"", {"Location": "/mcp"})', "redirects again and again"),
    ],
)
async def test_an_answer_that_is_none_fails_the_request_and_the_next_one_works(
    tmp_path: Path, answer: str, message: str
) -> None:
    body = f"""
def other(http, m):
    if m["method"] == "x":
        {answer}
    else:
        http.reply(m, {{"fine": True}})
"""
    with http_server(tmp_path, LEGACY + body) as (url, _):
        async with connect(ServerSpec(url=url), era="legacy") as client:
            with pytest.raises(ServerError) as caught:
                await client.request("x", timeout=10)
            assert await client.request("y", timeout=10) == {"fine": True}
    assert message in caught.value.message
    assert "s3cr3t" not in caught.value.message


async def test_an_answer_over_the_limit_fails_only_its_request(tmp_path: Path) -> None:
    body = """
def other(http, m):
    size = 200_000 if m["method"] in ("json", "events") else 1
    reply = {"jsonrpc": "2.0", "id": m["id"], "result": {"text": "x" * size}}
    if m["method"] == "events":
        http.events(f"data: {json.dumps(reply)}\\n\\n")
    else:
        http.answer(200, reply)
"""
    limits = Limits(message_bytes=100_000)
    with http_server(tmp_path, LEGACY + body) as (url, _):
        async with connect(ServerSpec(url=url), era="legacy", limits=limits) as client:
            for method in ("json", "events"):
                with pytest.raises(ServerError, match=r"more than 0\.0953674 MiB"):
                    await client.request(method, timeout=10)
            assert await client.request("small", timeout=10) == {"text": "x"}


async def test_a_json_rpc_error_in_a_refusal_keeps_its_code(tmp_path: Path) -> None:
    body = """
def other(http, m):
    m["id"] = "server-error"
    http.refuse(m, -32020, "header missing", 400)
"""
    with http_server(tmp_path, LEGACY + body) as (url, _):
        async with connect(ServerSpec(url=url), era="legacy") as client:
            with pytest.raises(RpcError, match="header missing") as caught:
                await client.request("x", timeout=10)
    assert caught.value.code == -32020


async def test_a_session_that_the_server_forgot_ends_the_connection(tmp_path: Path) -> None:
    with http_server(tmp_path, LEGACY + "def other(http, m): http.answer(404)") as (url, _):
        async with connect(ServerSpec(url=url), era="legacy") as client:
            with pytest.raises(ServerError, match="the server ended the session"):
                await client.request("x", timeout=10)
            assert await client.wait_gone() == "the server ended the session"


async def test_a_server_that_is_stopped_is_gone(tmp_path: Path) -> None:
    with http_server(tmp_path, LEGACY + ECHO) as (url, stop):
        async with connect(ServerSpec(url=url), era="legacy") as client:
            stop()
            with pytest.raises(ServerError):
                await client.request("x", timeout=10)
            with pytest.raises(ServerError, match="could not be reached"):
                await client.request("x", timeout=10)
            assert await client.wait_gone() == f'"{url}" could not be reached'


async def test_a_redirect_on_the_same_origin_is_followed_with_the_body(tmp_path: Path) -> None:
    body = """
def answer(http, m):
    if http.path != "/mcp/":
        http.answer(307, b"", {"Location": "/mcp/"})
    elif m["method"] == "server/discover":
        http.reply(m, {"supportedVersions": ["2026-07-28"]})
    else:
        http.reply(m, {"path": http.path})
"""
    with http_server(tmp_path, body) as (url, _):
        async with connect(ServerSpec(url=url)) as client:
            assert await client.request("x", timeout=10) == {"path": "/mcp/"}


@pytest.mark.parametrize(
    ("status", "message", "help"),
    [
        (401, "answered 401 (unauthorized)", 'such as --header "Authorization: Bearer ${TOKEN}"'),
        (403, "answered 403 (forbidden)", "check the credential"),
        (404, "answered 404 (not found)", "most servers listen at /mcp"),
        (405, "answered 405 (method not allowed)", "streamable HTTP endpoint"),
        (503, "answered 503", "look into the server's log"),
    ],
)
async def test_a_refused_handshake_says_what_to_do(
    tmp_path: Path, status: int, message: str, help: str
) -> None:
    body = f"def answer(http, m): http.answer({status}, http.headers['Authorization'].encode())"
    with http_server(tmp_path, body) as (url, _):
        error = await failure(url)
    assert error.message == f'"{url}" {message}'
    assert help in str(error.help)


@pytest.mark.parametrize(
    "answer",
    [
        "http.answer(400)",
        "http.answer(404)",
        'http.answer(200, b"<p>", {"Content-Type": "text/html"})',
        "http.answer(202)",
        "http.connection.shutdown(2)",
        'http.refuse({"id": "server-error"}, -32602, "Invalid request parameters", 400)',
    ],
)
async def test_auto_initializes_however_the_probe_is_answered(tmp_path: Path, answer: str) -> None:
    body = f"""
def other(http, m):
    {answer}
"""
    with http_server(tmp_path, LEGACY + body) as (url, _):
        async with connect(ServerSpec(url=url)) as client:
            assert client.era == "legacy"


async def test_a_401_is_final_and_initialize_is_not_tried(tmp_path: Path) -> None:
    body = """
def answer(http, m):
    print(m["method"], file=sys.stderr, flush=True)
    http.answer(401)
"""
    with http_server(tmp_path, body) as (url, stderr):
        await failure(url)
        assert stderr() == "server/discover\n"


async def test_a_port_where_nothing_listens() -> None:
    url = f"http://127.0.0.1:{closed_port()}/mcp"
    error = await failure(url)
    assert error.message == f'"{url}" could not be reached'
    assert error.help == "check that the server runs, and its host name and port"


async def test_a_url_that_never_answers_is_given_up(tmp_path: Path) -> None:
    with http_server(tmp_path, "def answer(http, m): threading.Event().wait()") as (url, _):
        error = await failure(url, timeout=0.5)
    assert error.message == f'"{url}" did not answer within 0.5 s'


@pytest.mark.parametrize("url", ["ftp://host/mcp", "http://", "http://[::1", "mcp", "http:/x"])
async def test_what_is_no_http_url_is_named(url: str) -> None:
    error = await failure(url)
    assert "is not an http or https URL" in error.message


async def test_user_password_and_query_of_a_url_are_not_shown() -> None:
    port = closed_port()
    error = await failure(f"http://u:s3cr3t@127.0.0.1:{port}/mcp?key=s3cr3t#s3cr3t")
    assert error.message == f'"http://127.0.0.1:{port}/mcp" could not be reached'


@pytest.mark.parametrize(
    ("headers", "name"),
    [
        ({"X-Key": "s3cr3t\r\nX: y"}, "X-Key"),
        ({"X-Key": "s3cr3té"}, "X-Key"),
        ({"a b": "1"}, "a b"),
    ],
)
async def test_a_header_that_cannot_be_sent_is_named_without_its_value(
    headers: dict[str, str], name: str
) -> None:
    with pytest.raises(ServerError) as caught:
        async with connect(ServerSpec(url="http://127.0.0.1:1/mcp", headers=headers)):
            pass
    assert caught.value.message == f'header "{name}" cannot be sent'
    assert "s3cr3t" not in str(caught.value.help)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_loopback_never_goes_through_a_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    proxy = f"http://127.0.0.1:{closed_port()}"
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, proxy)
    with http_server(tmp_path, LEGACY + ECHO) as (url, _):
        spec = ServerSpec(url=url.replace("127.0.0.1", host))
        async with connect(spec, era="legacy") as client:
            await client.request("x", timeout=10)


async def test_another_address_goes_through_the_proxy_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with http_server(tmp_path, LEGACY + "def other(http, m): http.reply(m, {'p': http.path})") as (
        url,
        _,
    ):
        monkeypatch.setenv("http_proxy", url.removesuffix("/mcp"))
        async with connect(ServerSpec(url="http://server.test/mcp"), era="legacy") as client:
            assert await client.request("x", timeout=10) == {"p": "http://server.test/mcp"}


@pytest.mark.parametrize(
    ("name", "value", "message", "help"),
    [
        (
            "ALL_PROXY",
            "socks5://user:s3cr3t@127.0.0.1:1",
            "the proxy of ALL_PROXY speaks SOCKS, which needs one more package",
            'pip install "httpx[socks]", or name an HTTP proxy',
        ),
        (
            "HTTPS_PROXY",
            "ftp://user:s3cr3t@127.0.0.1:1",
            "the proxies of HTTPS_PROXY cannot be used",
            "name a proxy as http://HOST:PORT, and in NO_PROXY hosts without a path",
        ),
        (
            "NO_PROXY",
            "fe80::/10",
            "the proxies of NO_PROXY cannot be used",
            "name a proxy as http://HOST:PORT, and in NO_PROXY hosts without a path",
        ),
        (
            "SSL_CERT_FILE",
            "/no/such/file",
            "the certificates of SSL_CERT_FILE cannot be used: no such file or directory",
            "correct or unset the variable",
        ),
        (
            "SSLKEYLOGFILE",
            "/no/such/folder/log",
            "the certificates of SSLKEYLOGFILE cannot be used: no such file or directory",
            "correct or unset the variable",
        ),
    ],
)
async def test_what_the_environment_says_of_the_web_and_cannot_be_used_is_told(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str, help: str
) -> None:
    for other in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(other, raising=False)
        monkeypatch.delenv(other.lower(), raising=False)
    for other in ("SSL_CERT_FILE", "SSL_CERT_DIR", "SSLKEYLOGFILE"):
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv(name, value)
    with pytest.raises(UserError) as caught:
        async with connect(ServerSpec(url="https://server.invalid/mcp")):
            pass
    assert (caught.value.message, caught.value.help) == (message, help)


async def test_a_port_that_no_machine_has_is_no_url() -> None:
    with pytest.raises(ServerError, match=r'^"http://127\.0\.0\.1:65536/mcp" is not an http'):
        async with connect(ServerSpec(url="http://127.0.0.1:65536/mcp")):
            pass


async def test_no_header_value_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with http_server(tmp_path, LEGACY + ECHO) as (url, _):
        async with connect(ServerSpec(url=url, headers=HEADERS), era="legacy") as client:
            await client.request("x", timeout=10)
    assert "s3cr3t" not in caplog.text
