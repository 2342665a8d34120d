"""What esbuild asks during a build: where an import leads, and what a file holds."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from mcpapps_cli.bundle.data_url import EMBEDDED
from mcpapps_cli.bundle.esbuild.job import Job
from mcpapps_cli.bundle.source import BRIDGE, LARGEST
from mcpapps_cli.embed import bridge_names
from mcpapps_cli.errors import SourceError
from mcpapps_cli.resources import bridge_dir

ENTRY: Final = "mcpapps:entry/"
"""What the generated entry imports for a module of the page, with its number behind it."""
PAGE: Final = "page"
"""Namespace of scripts inside the page: messages name them as files."""
# Folders in which packages keep what Babel wrote file by file.
_HELPER_FILES: Final = r"[\\/]node_modules[\\/].*[\\/](?:es|es5|es6|esm)[\\/].*\.m?js$"
# Packages that import Zod's namespace as a value.
_NAMESPACE_FILES: Final = r"[\\/]node_modules[\\/]@modelcontextprotocol[\\/].*\.m?js$"
_EMBEDDED_FILES: Final = rf"(?:{'|'.join(map(re.escape, EMBEDDED))})$"
_GLOBAL: Final = "global"
_QUERY: Final = "query"
_EN_ONLY: Final = 'export { default as en } from "./en.js";'
_QUERIES: Final = {"raw": "text", "url": "dataurl", "inline": "text"}

Found = dict[str, Any]


class Plugin:
    """Answers for one job.

    Args:
        job: The build.
        worker: Returns the text of a classic worker made of a module's file.
        bridge: Returns the text of the bridge as a module.

    Attributes:
        fault: What went wrong in an answer; the build that asked has failed, too.
    """

    def __init__(self, job: Job, worker: Callable[[Path], str], bridge: Callable[[], str]):
        self._job = job
        self._bridge = bridge
        self._worker = worker
        self.fault: SourceError | None = None

    def description(self) -> dict[str, Any]:
        """Return what the `build` request says of the plugin.

        The filters are narrow, for every match costs a message there and back.
        """
        loads = [
            {"id": 0, "filter": ".*", "namespace": PAGE},
            {"id": 1, "filter": ".*", "namespace": _GLOBAL},
            {"id": 2, "filter": ".*", "namespace": _QUERY},
            {"id": 5, "filter": _HELPER_FILES, "namespace": "file"},
            {"id": 6, "filter": _NAMESPACE_FILES, "namespace": "file"},
            {"id": 7, "filter": _EMBEDDED_FILES, "namespace": "file"},
            {"id": 8, "filter": ".*", "namespace": "bridge"},
        ]
        if "zod-locales" in self._job.trim:
            filter_ = r"[\\/]zod[\\/]v4[\\/]locales[\\/]index\.c?js$"
            loads.append({"id": 3, "filter": filter_, "namespace": "file"})
        if self._job.replaced:
            names = "|".join(re.escape(str(path)) for path in self._job.replaced)
            loads.append({"id": 4, "filter": f"^(?:{names})$", "namespace": "file"})
        resolves = [
            {"id": 0, "filter": "^mcpapps:", "namespace": ""},
            {"id": 1, "filter": r"\?(?:raw|url|inline|worker)$", "namespace": ""},
            {"id": 2, "filter": "^/[^/]", "namespace": ""},
        ]
        return {
            "name": "mcpapps",
            "onStart": False,
            "onEnd": False,
            "onResolve": resolves,
            "onLoad": loads,
        }

    def resolve(self, request: Mapping[str, Any]) -> Found:
        """Answer `on-resolve`."""
        path: str = request["path"]
        number: int = request["ids"][0]
        match number:
            case 0 if path.startswith(ENTRY):
                index = int(path.removeprefix(ENTRY))
                module = self._job.modules[index]
                if module.text is not None:
                    name = module.path.relative_to(self._job.root).as_posix()
                    return {"id": 0, "path": name, "namespace": PAGE, "suffix": f"?{index}"}
                # With the package's word that it does nothing it would be left out.
                return {"id": 0, "path": str(module.path), "sideEffects": True}
            case 0 if path == BRIDGE and self._job.global_bridge:
                return {"id": 0, "path": BRIDGE, "namespace": _GLOBAL}
            case 0 if path == BRIDGE:
                return {"id": 0, "path": BRIDGE, "namespace": "bridge"}
            case 1:
                return self._resolve_query(path, request["resolveDir"])
            case 2 if request["kind"] != "entry-point" and not Path(path).exists():
                return self._resolve_absolute(path)
        return {}

    def load(self, request: Mapping[str, Any]) -> Found:
        """Answer `on-load`."""
        number: int = request["ids"][0]
        match number:
            case 0:
                module = self._job.modules[int(request["suffix"].removeprefix("?"))]
                return {
                    "id": 0,
                    "contents": (module.text or "").encode(),
                    "loader": module.loader,
                    "resolveDir": str(module.path.parent),
                }
            case 1:
                return _contents(1, _global_module(), "js")
            case 2:
                return self._load_query(Path(request["path"]), request["suffix"].lstrip("?"))
            case 3:
                folder = str(Path(request["path"]).parent)
                return {**_contents(3, _EN_ONLY, "js"), "resolveDir": folder}
            case 4:
                path = Path(request["path"])
                found = _contents(4, self._job.replaced[path], _loader(path))
                return {**found, "resolveDir": str(path.parent)}
            case 5 | 6:
                return _lighten(number, request["path"])
            case 7:
                return _refuse_large(Path(request["path"]))
            case 8:
                return _contents(8, self._bridge(), "js")
        return {}

    def _resolve_query(self, path: str, folder: str) -> Found:
        name, _, query = path.rpartition("?")
        file = Path(folder, name)
        if not name.startswith((".", "/")) or not file.is_file():
            # Without the query esbuild words what is wrong with the name itself.
            return {}
        found = {"id": 1, "path": str(file.resolve()), "namespace": _QUERY, "suffix": f"?{query}"}
        return found

    def _resolve_absolute(self, path: str) -> Found:
        relative = re.split(r"[?#]", path, maxsplit=1)[0].lstrip("/")
        for folder in dict.fromkeys((self._job.folder, self._job.root)):
            for base in (folder, folder / "public"):
                if (base / relative).is_file():
                    return {"id": 2, "path": str((base / relative).resolve())}
        return {}

    def _load_query(self, path: Path, query: str) -> Found:
        if query == "worker":
            try:
                text = json.dumps(self._worker(path))
            except SourceError as exc:
                self.fault = exc
                return _refusal(2, exc.message)
            made = f"new Worker(URL.createObjectURL(new Blob([{text}])), options)"
            return _contents(2, f"export default function (options) {{ return {made} }}", "js")
        try:
            data = path.read_bytes()
        except OSError as exc:
            return _refusal(2, f'"{path.name}" cannot be read: {exc.strerror}')
        return {"id": 2, "contents": data, "loader": _QUERIES[query]}


def _lighten(number: int, path: str) -> Found:
    from mcpapps_cli.bundle.esbuild.lighter import import_helpers, import_namespace

    try:
        # Packages have hundreds of such files: what `Path` does for each can be felt.
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            text = file.read()
    except (OSError, ValueError):
        # esbuild words what is wrong with it.
        return {}
    changed = import_helpers(text) if number == 5 else import_namespace(text)
    if changed is None:
        return {}
    return {**_contents(number, changed, "js"), "resolveDir": os.path.dirname(path)}  # noqa: PTH120


def _refuse_large(path: Path) -> Found:
    """Refuse a file that esbuild would turn into a string of many times its size."""
    size = path.stat().st_size if path.is_file() else 0
    if size <= LARGEST:
        return {}
    text = f'"{path.name}" has {size / 1e6:.1f} MB, and a View takes {LARGEST / 1e6:.1f} MB'
    return _refusal(7, text)


def _refusal(number: int, text: str) -> Found:
    # The process panics when a key is missing.
    message = {"id": "", "pluginName": "mcpapps", "text": text, "location": None}
    return {"id": number, "errors": [{**message, "notes": [], "detail": -1}]}


def _global_module() -> str:
    # By name, so that a wrong one is an error; each left out where it is not used.
    given = "export const {0} = /* @__PURE__ */ (() => globalThis.mcpapps.{0})();"
    return "\n".join(map(given.format, sorted(bridge_names())))


def specifiers(job: Job) -> list[str]:
    """Return what the generated entry imports.

    A file is named as it is, for what a plugin resolves is built without its tsconfig.json.
    """
    return [
        f"{ENTRY}{index}" if module.text is not None or job.forced else module.path.as_posix()
        for index, module in enumerate(job.modules)
    ]


def bridge_module_path() -> Path:
    """Return the file that the import of the bridge leads to."""
    return bridge_dir() / "bridge" / "index.js"


def _contents(number: int, text: str, loader: str) -> Found:
    return {"id": number, "contents": text.encode(), "loader": loader}


def _loader(path: Path) -> str:
    suffix = path.suffix.lower().lstrip(".")
    if path.name.lower().endswith(".module.css"):
        return "local-css"
    return {"mjs": "js", "cjs": "js", "mts": "ts", "cts": "ts"}.get(suffix, suffix)
