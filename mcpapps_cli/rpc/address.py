"""What a server's URL says: how to show it, and whether it is this machine."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit, urlunsplit


def shown(url: str) -> str:
    """Return the URL without user name, password, query and fragment, which may be secret."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        return urlunsplit((parts.scheme, host, parts.path, "", ""))
    except ValueError:
        return "the URL"


def is_loopback(host: str) -> bool:
    """Whether a host name or address can only be this machine."""
    host = host.strip("[]").rstrip(".").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
