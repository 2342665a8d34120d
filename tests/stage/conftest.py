"""Fixtures of the stage's tests."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    # One event loop for a module, so that a stage can be served to all its tests.
    return "asyncio"
