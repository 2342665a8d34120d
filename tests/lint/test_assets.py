"""`lint --network` asks for what pages load."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from mcpapps_cli.lint.assets import statuses
from mcpapps_cli.model import Resource


class Answer(BaseHTTPRequestHandler):
    """Answers 200 to `/there.js` and 404 to the rest."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/there.js" else 404)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass


def test_this_machine_is_asked_without_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://localhost:{server.server_port}"
    urls = [f"{base}/there.js", f"{base}/missing.js", "http://server.invalid/other.js"]
    page = "<!doctype html>" + "".join(f'<script src="{url}"></script>' for url in urls)
    try:
        found = statuses([Resource(uri="ui://app/a", html=page)])
    finally:
        server.shutdown()
        server.server_close()
    assert found == dict(zip(urls, [200, 404, "no answer (ConnectError)"], strict=True))
