"""Builds with the native esbuild: through its service where we know it, else as a command."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath
from typing import Any, Final

from mcpapps_cli.bundle.esbuild.flags import (
    bridge_request,
    command_line,
    entry_text,
    service_request,
)
from mcpapps_cli.bundle.esbuild.job import Job, Module, Output
from mcpapps_cli.bundle.esbuild.locate import PINNED, Binary
from mcpapps_cli.bundle.esbuild.plugin import Plugin, bridge_module_path, specifiers
from mcpapps_cli.bundle.esbuild.service import Context, Service
from mcpapps_cli.bundle.source import BRIDGE
from mcpapps_cli.errors import SourceError, UserError
from mcpapps_cli.model import Position

_QUERY: Final = ("?raw", "?url", "?inline", "?worker")


class Compiler:
    """The esbuild of one or more builds.

    The pinned version is started once and spoken to; any other is started for each build, and
    some things are refused there, for the service's protocol belongs to its version.

    Args:
        binary: What to use.
        keep: Whether builds are repeated: what did not change is not read again.

    Attributes:
        meanwhile: Called once when esbuild works and there is nothing to do but wait.
    """

    meanwhile: Callable[[], None] | None = None

    def __init__(self, binary: Binary, *, keep: bool = False):
        self.binary = binary
        self._keep = keep
        self._service: Service | None = None
        self._contexts: dict[str, tuple[Job, Context]] = {}
        self._bridge_module: str | None = None

    @property
    def label(self) -> str:
        """Name and version, as the report has it."""
        return f"esbuild {self.binary.version}"

    def compile(self, job: Job, *, name: str = "") -> Output:
        """Build.

        Args:
            job: What to build.
            name: Under which the build is kept; the View's name.

        Raises:
            SourceError: The View's sources have a fault.
            UserError: esbuild cannot be used.
        """
        if self.binary.version != PINNED:
            return self._command(job)
        plugin = Plugin(job, lambda path: self.worker_text(job, path), self._bridge_text)
        request = service_request(job, entry_text(job, specifiers(job)), [plugin.description()])
        answers = {"on-resolve": plugin.resolve, "on-load": plugin.load}
        if self._keep and name:
            found = self._repeat(name, job, request, answers)
        else:
            found = self._running().build(request, answers)
        if plugin.fault is not None:
            raise plugin.fault
        if found["errors"]:
            from mcpapps_cli.bundle.esbuild.message import source_error

            raise source_error(found["errors"], job.root)
        if not job.forced and any(map(_ignores_entry, found["warnings"])):
            return self.compile(job._replace(forced=True), name=name and f"{name}!")
        files = {
            PurePath(each["path"]).name: each["contents"].decode() for each in found["outputFiles"]
        }
        return _output(job, files, found["warnings"], json.loads(found["metafile"]), self)

    def worker_text(self, job: Job, path: Path) -> str:
        """Return a worker as the text of one classic script.

        Raises:
            SourceError: Its sources have a fault.
        """
        module = Module(path)
        alone = job._replace(modules=(module,), sheets=(), classic=True, global_bridge=False)
        return self.compile(alone).script

    def close(self) -> None:
        """End the process, if there is one."""
        self._contexts.clear()
        if self._service is not None:
            self._service.close()
            self._service = None

    def _bridge_text(self) -> str:
        if self._bridge_module is None:
            found = self._running().build(bridge_request(bridge_module_path()))
            [file] = found["outputFiles"]
            self._bridge_module = file["contents"].decode()
        return self._bridge_module

    def _running(self) -> Service:
        if self._service is None:
            self._service = Service(self.binary.path, self.binary.version, brief=not self._keep)
        self._service.meanwhile, self.meanwhile = self.meanwhile, None
        return self._service

    def _repeat(
        self, name: str, job: Job, request: dict[str, Any], answers: Mapping[str, Any]
    ) -> dict[str, Any]:
        known = self._contexts.get(name)
        try:
            if known is None or known[0] != job:
                if known is not None:
                    known[1].dispose()
                self._contexts[name] = (job, self._running().open(request, answers))
            return self._contexts[name][1].rebuild()
        except UserError:
            # The process has gone; the next build starts another.
            self.close()
            raise

    def _command(self, job: Job) -> Output:
        if any(module.text is not None for module in job.modules) or job.trim or job.replaced:
            place = job.modules[0].path.relative_to(job.root).as_posix() if job.modules else "."
            raise SourceError(
                f"this View needs esbuild {PINNED}, and {self.binary.version} was found",
                Position(place, 1, 1),
                help=f'run "npm install --save-dev esbuild@{PINNED}", or move it into files',
            )
        import tempfile

        from mcpapps_cli.bundle.esbuild.message import printed_messages, source_error

        with tempfile.TemporaryDirectory(prefix="mcpapps-") as folder:
            out = Path(folder)
            entry = None
            if job.modules:
                entry = out / "entry.mjs"
                paths = [module.path.as_posix() for module in job.modules]
                entry.write_text(entry_text(job, paths), "utf-8")
            command = command_line(self.binary.path, job, entry, out)
            command.append(f"--alias:{BRIDGE}={self._bridge(job, out)}")
            try:
                done = subprocess.run(command, cwd=job.root, capture_output=True)
            except OSError as exc:
                raise UserError(f'esbuild "{self.binary.path}" cannot be used: {exc}') from exc
            messages = printed_messages(done.stderr.decode("utf-8", "replace"))
            errors = [each for each in messages if each["error"]]
            if errors:
                raise source_error(errors, job.root)
            if done.returncode:
                said = done.stderr.decode("utf-8", "replace").strip()
                raise UserError(f"esbuild {self.binary.version} failed: {said}")
            metafile = json.loads((out / "meta.json").read_bytes())
            files = {path.name: path.read_text("utf-8") for path in (out / "out").iterdir()}
        for file, entry_of in metafile["inputs"].items():
            for each in entry_of["imports"]:
                original = each.get("original", "")
                if original.endswith(_QUERY):
                    raise SourceError(
                        f'"{original}" needs esbuild {PINNED}, and {self.binary.version} was found',
                        Position(file, 1, 1),
                        help=f'run "npm install --save-dev esbuild@{PINNED}"',
                    )
        warnings = [each for each in messages if not each["error"]]
        return _output(job, files, warnings, metafile, self)

    def _bridge(self, job: Job, out: Path) -> Path:
        if not job.global_bridge:
            return bridge_module_path()
        path = out / "bridge.cjs"
        path.write_text("module.exports = globalThis.mcpapps", "utf-8")
        return path


def _script(files: Mapping[str, str]) -> str:
    script = files.get("stdin.js", "").strip()
    legal = "".join(files.get(f"{name}.LEGAL.txt", "") for name in ("stdin.js", "stdin.css"))
    if not legal:
        return script
    from mcpapps_cli.bundle.esbuild.legal import notices

    return "\n".join(filter(None, (script, notices(legal))))


def _ignores_entry(warning: Mapping[str, Any]) -> bool:
    location = warning.get("location") or {}
    return warning["id"] == "ignored-bare-import" and location.get("file") == "<stdin>"


def _output(
    job: Job,
    files: Mapping[str, str],
    warnings: list[dict[str, Any]],
    metafile: Mapping[str, Any],
    compiler: Compiler,
) -> Output:
    return Output(
        script=_script(files),
        style=files.get("stdin.css", ""),
        sheets=tuple(files[f"sheet{index}.css"] for index in range(len(job.sheets))),
        warnings=tuple(warnings),
        metafile=metafile,
        engine=compiler.label,
    )
