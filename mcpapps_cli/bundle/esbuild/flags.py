"""How esbuild is asked to build: the flags, the same for the service and for the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

from mcpapps_cli.bundle.data_url import EMBEDDED
from mcpapps_cli.bundle.esbuild.job import Job

OUT: Final = "/out"
"""The folder that outputs are named in; nothing is written there by the service."""
# es2022 for await at the top level; the browsers so that CSS nesting is written plainly.
_TARGET: Final = "es2022,chrome111,firefox114,safari16.4"
_ENVIRONMENT: Final = {
    "MODE": "production",
    "PROD": True,
    "DEV": False,
    "SSR": False,
    "BASE_URL": "./",
}
_LEFT: Final = re.compile(r"\bprocess\.env\b|\bimport\.meta\.env\b")
_TEXTS: Final = (".txt", ".md", ".glsl", ".vert", ".frag", ".wgsl")


def build_flags(job: Job) -> list[str]:
    """Return the flags for a job."""
    flags = [
        "--bundle",
        f"--format={'iife' if job.classic else 'esm'}",
        "--minify",
        f"--target={_TARGET}",
        "--platform=browser",
        "--charset=utf8",
        "--legal-comments=external",
        "--color=false",
        "--log-limit=0",
        # The value in tsconfig.json, when there is one, counts more.
        "--jsx=automatic",
        '--define:process.env.NODE_ENV="production"',
        # React's developer tools do not reach into a sandboxed document.
        "--define:__REACT_DEVTOOLS_GLOBAL_HOOK__=undefined",
        *(
            f"--define:import.meta.env.{name}={json.dumps(value)}"
            for name, value in _ENVIRONMENT.items()
        ),
        *(f"--loader:{suffix}=dataurl" for suffix in EMBEDDED),
        *(f"--loader:{suffix}=text" for suffix in _TEXTS),
        "--loader:.wasm=binary",
    ]
    if job.environment:
        # A define that is an object costs a call in every module.
        whole = json.dumps(_ENVIRONMENT, separators=(",", ":"))
        flags += ["--define:process.env={}", f"--define:import.meta.env={whole}"]
    if job.split_templates:
        flags.append("--supported:template-literal=false")
    if source := _jsx_source(job):
        flags.append(f"--jsx-import-source={source}")
    return flags


def reads_environment(script: str) -> bool:
    """Whether a built script reads a variable that only `Job.environment` gives."""
    # The expression alone would take as long as the rest of what is done to a script.
    return ".env" in script and _LEFT.search(script) is not None


def entry_text(job: Job, specifiers: list[str]) -> str:
    """Return the generated entry: without it, exports of the first module would stay alive."""
    return "".join(f"import {json.dumps(each)};\n" for each in specifiers)


def sheet_entries(job: Job) -> list[tuple[str, str]]:
    """Return the names and paths of the linked sheets, as entry points."""
    return [(f"sheet{index}", str(path)) for index, path in enumerate(job.sheets)]


def _jsx_source(job: Job) -> str | None:
    """Return `preact` where that is installed and React is not."""
    for folder in (job.folder, *job.folder.parents):
        packages = folder / "node_modules"
        if (packages / "react").exists():
            return None
        if (packages / "preact").exists():
            return "preact"
    return None


def service_request(job: Job, entry: str, plugins: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the `build` request of the stdio service."""
    return {
        "entries": [list(pair) for pair in sheet_entries(job)],
        "flags": [*build_flags(job), "--metafile", f"--outdir={OUT}", "--log-level=silent"],
        "stdinContents": entry.encode() if job.modules else None,
        "stdinResolveDir": str(job.folder),
        "absWorkingDir": str(job.root),
        "nodePaths": [],
        "plugins": plugins,
    }


def bridge_request(path: Path) -> dict[str, Any]:
    """Return the `build` request for the bridge as one readable module, its inner names short."""
    flags = ["--bundle", "--format=esm", "--charset=utf8", "--outfile=/out/bridge.mjs"]
    flags += ["--mangle-props=^_", "--reserve-props=^_meta$", "--log-level=silent"]
    return {
        "entries": [["", str(path)]],
        "flags": [*flags, f"--target={_TARGET}"],
        "stdinContents": None,
        "stdinResolveDir": None,
        "absWorkingDir": str(path.parent),
        "nodePaths": [],
    }


def command_line(binary: Path, job: Job, entry: Path | None, out: Path) -> list[str]:
    """Return the command that does the same without plugins."""
    pairs = [f"{name}={path}" for name, path in sheet_entries(job)]
    if entry is not None:
        pairs.append(f"stdin={entry}")
    return [
        str(binary),
        *pairs,
        *build_flags(job),
        f"--metafile={out / 'meta.json'}",
        f"--outdir={out / 'out'}",
        "--log-level=warning",
    ]
