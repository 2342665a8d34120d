"""One esbuild process that answers requests over its pipes until it is closed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from struct import unpack
from typing import Any, Final

from mcpapps_cli.bundle.esbuild.packet import Packet, decode, encode
from mcpapps_cli.errors import UserError

Answer = Callable[[Mapping[str, Any]], dict[str, Any]]
"""Answers a request that the process makes during a build."""
_LARGEST: Final = 2**30
# What esbuild does by itself when it is started for one build: half of its time goes there.
_BRIEF: Final = {"GOGC": "off", "GOMEMLIMIT": "1GiB"}


class Service:
    """The process, and the requests under way.

    The protocol belongs to one version, and the process ends when it is told another one. An
    answer to a request of the process may make a request itself.

    Args:
        binary: The executable.
        version: Its version.
        brief: Whether it ends after a build, so that it need not look for memory to free.

    Attributes:
        meanwhile: Called once when the process works and there is nothing to do but wait.

    Raises:
        UserError: It does not start, or is not of that version.
    """

    meanwhile: Callable[[], None] | None = None

    def __init__(self, binary: Path, version: str, *, brief: bool = False):
        self.binary = binary
        self.version = version
        self._ids = count()
        self._answers: dict[int, dict[str, Answer]] = {}
        self._replies: dict[int, Any] = {}
        self._rebuilt: dict[int, Any] = {}
        try:
            # No --ping: with it the process reports a deadlock when its input is closed.
            self._process = subprocess.Popen(
                [binary, f"--service={version}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**_BRIEF, **os.environ} if brief else None,
            )
        except OSError as exc:
            raise self._unusable((exc.strerror or str(exc)).lower()) from exc
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        try:
            greeting = self._read().decode("utf-8", "replace")
        except UserError:
            self.close()
            raise
        if greeting != version:
            self.close()
            raise self._unusable(f'it is "{greeting}", not "{version}"')

    def build(
        self, request: Mapping[str, Any], answers: Mapping[str, Answer] | None = None
    ) -> dict[str, Any]:
        """Build once; return the answer with `errors`, `warnings`, `outputFiles`, `metafile`.

        Args:
            request: The keys of a `build` request but for `key`, `context` and `write`.
            answers: By command, such as `on-load`, for the plugins in `request`.

        Raises:
            UserError: The process has gone.
        """
        key = next(self._ids)
        self._answers[key] = dict(answers or {})
        try:
            result = self._request(
                {"command": "build", **request, "key": key, "write": False, "context": False}
            )
        finally:
            del self._answers[key]
        return _checked(result, self)

    def open(
        self, request: Mapping[str, Any], answers: Mapping[str, Answer] | None = None
    ) -> Context:
        """Prepare a build that can be repeated; what has not changed is not read again."""
        key = next(self._ids)
        self._answers[key] = {
            **(answers or {}),
            # The files of a rebuild come in this request, before the answer to the rebuild.
            "on-end": lambda found: self._rebuilt.update({key: found}) or {},
        }
        found = self._request(
            {"command": "build", **request, "key": key, "write": False, "context": True}
        )
        _checked(found, self)
        return Context(self, key)

    def rebuild(self, key: int) -> dict[str, Any]:
        """Repeat the build of a context; see `Context`."""
        self._rebuilt.pop(key, None)
        reply = self._request({"command": "rebuild", "key": key})
        return _checked(self._rebuilt.pop(key, reply), self)

    def dispose(self, key: int) -> None:
        """Forget a context; see `Context`."""
        self._request({"command": "dispose", "key": key})
        del self._answers[key]

    def close(self) -> None:
        """End the process; closing twice changes nothing."""
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None and not stream.closed:
                try:
                    stream.close()
                except OSError:
                    # What was to be written has no reader any more.
                    continue
        if self._process.poll() is None:
            # It waits for contexts that nobody will dispose of.
            self._process.kill()
        self._process.wait()

    def _request(self, value: Mapping[str, Any]) -> Any:
        number = next(self._ids)
        self._send(Packet(number, False, dict(value)))
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            meanwhile()
        while number not in self._replies:
            packet = decode(self._read())
            if packet.response:
                self._replies[packet.id] = packet.value
            else:
                self._send(Packet(packet.id, True, self._answer(packet.value)))
        return self._replies.pop(number)

    def _answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        answer = self._answers.get(request.get("key", -1), {}).get(request["command"])
        if answer is not None:
            return answer(request)
        # An empty answer to on-start makes the process panic.
        return {"errors": [], "warnings": []} if request["command"] == "on-start" else {}

    def _send(self, packet: Packet) -> None:
        try:
            self._in.write(encode(packet))
            self._in.flush()
        except OSError as exc:
            raise self._unusable("it has ended") from exc

    def _read(self) -> bytes:
        head = self._out.read(4)
        size = unpack("<I", head)[0] if len(head) == 4 else _LARGEST
        data = self._out.read(size) if size < _LARGEST else b""
        if size >= _LARGEST or len(data) < size:
            assert self._process.stderr is not None
            last = self._process.stderr.read().decode("utf-8", "replace").strip().splitlines()
            raise self._unusable(last[0] if last else "it has ended")
        return data

    def _unusable(self, reason: str) -> UserError:
        return UserError(
            f'esbuild "{self.binary}" cannot be used: {reason}',
            help="name another one with --esbuild, or pass --fetch-esbuild",
        )


class Context:
    """A build that can be repeated."""

    def __init__(self, service: Service, key: int):
        self._service = service
        self._key = key

    def rebuild(self) -> dict[str, Any]:
        """Build again; the result is that of `Service.build`. After errors it can be called on."""
        return self._service.rebuild(self._key)

    def dispose(self) -> None:
        """Free what the process keeps."""
        self._service.dispose(self._key)


def _checked(result: Any, service: Service) -> dict[str, Any]:
    # A request that the process does not understand is answered by a text.
    if not isinstance(result, dict) or "error" in result:
        said = result.get("error") if isinstance(result, dict) else result
        raise UserError(f'esbuild "{service.version}" refused the build: {said}')
    return result
