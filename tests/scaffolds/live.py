"""A project of the template `live` whose runs wait for a file, on each SDK and wire."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mcpapps_cli.scaffold import find_template, plan_files, write_plan
from tests.rpc.servers import running
from tests.sdks import sdk_env

PROGRAM = Path(__file__).with_name("gated_live.py")
SDKS = {"mcp": "mcp-2", "fastmcp": "fastmcp-4", "mcp1": "mcp-1"}


@dataclass(frozen=True)
class Live:
    """The project, and how its server is started.

    Attributes:
        root: The project's folder.
        command: Serves on stdio.
        gate: The file for which each run waits after its first 1000 throws.
    """

    root: Path
    command: tuple[str, ...]
    gate: Path

    def open(self) -> None:
        """Let every run go on."""
        self.gate.touch()


def make_live(folder: Path, sdk: str) -> Live:
    """Write the project into a folder."""
    root = folder / "live-app"
    write_plan(plan_files(find_template("live"), root, root.name, sdk=sdk))
    gate = folder / "gate"
    return Live(root, (str(sdk_env(SDKS[sdk])), str(PROGRAM), str(root), str(gate)), gate)


@contextmanager
def serving(live: Live) -> Iterator[str]:
    """Serve streamable HTTP; yields the URL."""
    # Not in the project: what the server says would be a change of it.
    with running([*live.command, "http"], live.root.parent) as (port, _):
        yield f"http://127.0.0.1:{port}/mcp"
