"""A View under a real host, declaring everything."""

from __future__ import annotations

from typing import Any

from mcpapps_cli.host.profiles import load_profile
from mcpapps_cli.model import Csp
from tests.host.rig import Rig

DECLARED = Csp(
    connect=("https://api.example.com",),
    resource=("https://cdn.example.com",),
    frame=("https://maps.example.com",),
    base_uri=("https://base.example.com",),
)
ALL = ("camera", "microphone", "geolocation", "clipboardWrite")


def rig(name: str, **fields: Any) -> Rig:
    profile = load_profile(name)
    fields = {"csp": DECLARED, "permissions": ALL, **fields}
    return Rig({field: getattr(profile, field) for field in profile.__slots__}, **fields)
