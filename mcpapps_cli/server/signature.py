"""What the SDK makes of an author's function, and what it refuses in our words."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from mcp.server.mcpserver.exceptions import InvalidSignature
from mcp.server.mcpserver.tools import Tool


def evaluated(fn: Callable[..., Any]) -> inspect.Signature:
    """Return the signature.

    Raises:
        ValueError: It has none, or an annotation names something that is not known where the
            function stands.
    """
    name = getattr(fn, "__name__", repr(fn))
    try:
        return inspect.signature(fn, eval_str=True)
    except NameError as error:
        raise ValueError(f'annotations of "{name}" cannot be evaluated: {error}') from error
    except (TypeError, ValueError) as error:
        raise ValueError(f'fn "{name}" has no signature that can be read: {error}') from error


def as_tool(fn: Callable[..., Any], options: Mapping[str, Any]) -> Tool:
    """Return the tool that the SDK makes of a function.

    Args:
        fn: The function.
        options: As for `Tool.from_function`.

    Raises:
        ValueError: The SDK refuses its name, its parameters or an option.
    """
    evaluated(fn)
    try:
        return Tool.from_function(fn, **options)
    except (InvalidSignature, ValueError) as error:
        name = getattr(fn, "__name__", repr(fn))
        raise ValueError(f"fn {name!r} makes no tool: {error}") from error
