"""Metadata for the examples of listing and content."""

from __future__ import annotations

ORIGINS = {"csp": {"resourceDomains": ["https://cdn.example.com"]}, "prefersBorder": True}

REORDERED = {
    "prefersBorder": True,
    "csp": {"resourceDomains": ["https://cdn.example.com"], "connectDomains": []},
}
