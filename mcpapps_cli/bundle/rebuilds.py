"""Views built again and again: engines stay, and a failed build leaves the last good one."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from mcpapps_cli.bundle.build import build_bundle
from mcpapps_cli.bundle.toolchain import Toolchain
from mcpapps_cli.model import Bundle, View


class Rebuilds:
    """Builds Views as they change; safe to use from several threads.

    Args:
        toolchain: Default: one that keeps its engines running.
    """

    def __init__(self, toolchain: Toolchain | None = None):
        self._toolchain = toolchain or Toolchain(keep=True)
        # Held while building: the process answers one build at a time.
        self._lock = Lock()
        self._last: dict[str, Bundle] = {}

    def rebuild(self, view: View, *, root: Path) -> Bundle:
        """Return the View's bundle; unchanged files are not read by the engine again.

        Args:
            view: The declaration.
            root: The project's folder.

        Raises:
            UserError: It cannot be built; `last` is what it was.
        """
        with self._lock:
            bundle = build_bundle(view, root=root, toolchain=self._toolchain)
            self._last[view.name] = bundle
            return bundle

    def last(self, name: str) -> Bundle | None:
        """Return the last bundle of a View that could be built."""
        return self._last.get(name)

    def close(self) -> None:
        """End the engines; another `rebuild` starts them again."""
        with self._lock:
            self._toolchain.close()
