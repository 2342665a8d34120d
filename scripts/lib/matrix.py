"""The Views of every template in the hosts of the field: a copy of each, made by `mcpapps new`."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from mcpapps_cli.scaffold import list_templates

MCPAPPS = (sys.executable, "-m", "mcpapps_cli")
HOSTS = ("claude", "chatgpt", "vscode")


def main() -> int:
    names = [each.name for each in list_templates()]
    parser = argparse.ArgumentParser(prog="scripts/matrix", description=__doc__)
    parser.add_argument("--template", action="append", choices=names, help="default: every one")
    parser.add_argument("--profile", action="append", help=f"default: {', '.join(HOSTS)}")
    parser.add_argument("--reports", type=Path, default=Path("reports"), help="a folder")
    chosen = parser.parse_args()
    reports = chosen.reports.resolve()
    failed = []
    for name in chosen.template or names:
        with tempfile.TemporaryDirectory() as folder:
            if run_template(name, Path(folder), chosen.profile or HOSTS, reports):
                failed.append(name)
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


def run_template(name: str, folder: Path, profiles: Sequence[str], reports: Path) -> int:
    print(f"\n== {name}", flush=True)
    new = ("new", "matrix-app", "--template", name, "--yes")
    made = subprocess.run([*MCPAPPS, *new], cwd=folder, check=False, capture_output=True, text=True)
    if made.returncode:
        print(made.stderr, end="")
        return made.returncode
    options = [word for profile in profiles for word in ("--profile", profile)]
    where = ("--report", str(reports / f"{name}.html"), "--python", sys.executable)
    command = [*MCPAPPS, "test", *options, *where]
    return subprocess.run(command, cwd=folder / "matrix-app", check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
