"""What a server on mcp 1.x logs about the probe of the modern era."""

from __future__ import annotations

import re

_START = "Failed to validate request"
_CONTINUED = re.compile(r"\s|\w+Request\.|$")


class ProbeComplaint:
    """Tells the dozens of lines that nobody asked for from all others; there is one such block."""

    def __init__(self) -> None:
        self._inside = False
        self._over = False

    def __call__(self, line: str) -> bool:
        """Whether a line of stderr belongs to the complaint; asked once for each line in order."""
        if self._inside:
            self._inside = _CONTINUED.match(line) is not None
        elif not self._over and _START in line:
            self._inside = self._over = True
        return self._inside
