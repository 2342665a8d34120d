"""How much of a server's output is read and kept."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on memory and waiting for one connection.

    Attributes:
        message_bytes: Largest JSON-RPC message, or HTTP body, in bytes.
        stderr_lines: How many of the last stderr lines are kept.
        noise_lines: How many of the first stdout lines that are no JSON-RPC are kept.
        line_characters: Where a kept stderr or noise line is cut.
        pages: How many pages of one list are asked for.
        close_seconds: How long a server may take to end after its stdin is closed, and again
            after it was told to terminate.
    """

    message_bytes: int = 64 * 2**20
    stderr_lines: int = 200
    noise_lines: int = 50
    line_characters: int = 2000
    pages: int = 1000
    close_seconds: float = 1.0


DEFAULT_LIMITS = Limits()
