"""`mcpapps bundle` beside Vite with vite-plugin-singlefile: the same Views, in the same run."""

from __future__ import annotations

import gzip
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "tests" / "peers"
RUNS = 5
MCPAPPS = Path(sys.executable).with_name("mcpapps")
# View, options, and the largest ratios to Vite's of time and of gzipped size.
CASES = (
    ("typescript", (), 0.25, 1.0),
    ("react", (), 0.35, 1.02),
    ("recharts", (), 0.6, 1.05),
    ("ext-apps", (), 0.6, 1.55),
    ("ext-apps", ("--trim", "zod-locales"), 0.6, 1.25),
)
ENVIRON = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
PROJECT = """
[tool.mcpapps]
out = "built"

[tool.mcpapps.views.view]
entry = "index.html"
uri = "ui://bench/view.html"
"""


def bundle() -> int:
    """Medians of five runs each, and their ratios; then a page that needs no engine."""
    if not (PEERS / "node_modules" / "vite").is_dir():
        print("error: tests/peers is not installed\n help: run npm ci in it", file=sys.stderr)
        return 2
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        print(f"{'':34}{'time':>24}   {'gzipped':>24}")
        for view, options, slow, large in CASES:
            root = _copy(view, work)
            # In turn, so that what else the machine does meets both.
            ours, theirs = _medians(lambda r=root, o=options: _ours(r, o), lambda r=root: _vite(r))
            sizes = [_packed(root / "built" / "view.html"), _packed(root / "dist" / "index.html")]
            time_ratio, size_ratio = ours / theirs, sizes[0] / sizes[1]
            failed |= time_ratio > slow or size_ratio > large
            name = " ".join((view, *options))
            print(
                f"{name:34}{ours:5.0f} ms /{theirs:5.0f} ms ={time_ratio:5.2f} (limit {slow})"
                f"   {sizes[0]:6} / {sizes[1]:6} = {size_ratio:.3f} (limit {large})"
            )
        failed |= _plain(work) > 100
        failed |= _tokens(work) > 100
    return 1 if failed else 0


def _copy(view: str, work: Path) -> Path:
    root = work / view
    if not root.exists():
        shutil.copytree(PEERS / "views" / view, root)
        shutil.copy(PEERS / "views" / "tsconfig.json", root)
        (root / "pyproject.toml").write_text(PROJECT)
        (root / "node_modules").symlink_to(PEERS / "node_modules", target_is_directory=True)
    return root


def _ours(root: Path, options: tuple[str, ...]) -> None:
    command = [str(MCPAPPS), "bundle", *options]
    subprocess.run(command, cwd=root, env=ENVIRON, check=True, capture_output=True)


def _vite(root: Path) -> None:
    config = PEERS / "views" / "vite.config.mjs"
    vite = PEERS / "node_modules" / "vite" / "bin" / "vite.js"
    command = ["node", str(vite), "build", str(root), "--config", str(config), "--outDir", "dist"]
    subprocess.run(command, cwd=root, env=ENVIRON, check=True, capture_output=True)


def _plain(work: Path) -> float:
    root = work / "plain"
    shutil.copytree(ROOT / "scaffolds" / "vanilla" / "views" / "daylight", root)
    (root / "pyproject.toml").write_text(PROJECT)
    command = [str(MCPAPPS), "--help"]
    ours, bare = _medians(
        lambda: _ours(root, ()),
        lambda: subprocess.run(command, env=ENVIRON, check=True, capture_output=True),
    )
    print(f"plain HTML: {ours:.0f} ms, {ours - bare:.0f} ms more than --help (limit 100)")
    return ours - bare


def _tokens(work: Path) -> float:
    from mcpapps_cli.markup.html import tokenize

    view = (work / "recharts" / "built" / "view.html").read_text("utf-8")
    row = '<li class="row"><a href="#row">row</a></li>\n'
    # Nine tenths of it are script, as of the pages that bundlers make.
    page = (view * 2)[: 9 * 2**20 // 10] + "</script>" + row * (2**20 // 10 // len(row))
    took = _median(lambda: sum(1 for _ in tokenize(page)))
    print(f"1 MB page, mostly script, tokenised: {took:.0f} ms (limit 100)")
    return took


def _packed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))


def _median(run) -> float:
    return _medians(run)[0]


def _medians(*runs) -> list[float]:
    times = [[] for _ in runs]
    # The first only warms up.
    for _ in range(RUNS + 1):
        for run, taken in zip(runs, times, strict=True):
            began = time.perf_counter()
            run()
            taken.append((time.perf_counter() - began) * 1000)
    return [statistics.median(taken[1:]) for taken in times]
