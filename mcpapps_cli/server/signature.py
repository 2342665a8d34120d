"""The signature of an author's function, its annotations evaluated."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any


def evaluated(fn: Callable[..., Any]) -> inspect.Signature:
    """Return the signature.

    Raises:
        ValueError: An annotation names something that is not known where the function stands.
    """
    try:
        return inspect.signature(fn, eval_str=True)
    except NameError as error:
        name = getattr(fn, "__name__", repr(fn))
        raise ValueError(f'annotations of "{name}" cannot be evaluated: {error}') from error
