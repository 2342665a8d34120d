"""Where a browser elsewhere reaches the page and the sandbox."""

from __future__ import annotations

import pytest

from mcpapps_cli.errors import UserError
from mcpapps_cli.stage.address import Addresses


@pytest.mark.parametrize(
    ("page", "sandbox"),
    [
        ("https://a.example", "https://a.example/"),
        ("https://a.example", "https://A.Example"),
        ("https://a.example", "https://a.example:443"),
        ("http://a.example:80", "http://a.example"),
    ],
)
def test_p1_page_and_sandbox_cannot_be_one_origin(page: str, sandbox: str) -> None:
    with pytest.raises(UserError, match="page and sandbox are both at"):
        Addresses(public_url=page, sandbox_url=sandbox)


@pytest.mark.parametrize(
    ("page", "sandbox"),
    [
        ("https://a.example", "https://b.example"),
        ("https://a.example", "http://a.example"),
        ("https://a.example:5173", "https://a.example:5174"),
        ("https://a.example:80", "https://a.example"),
    ],
)
def test_p1_another_scheme_host_or_port_is_another_origin(page: str, sandbox: str) -> None:
    made = Addresses(public_url=page, sandbox_url=sandbox)
    assert made.public_origin != made.sandbox_origin
