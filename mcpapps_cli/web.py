"""What the environment says of the way to other machines: proxies and certificates."""

from __future__ import annotations

import contextlib
import ipaddress
import os
from collections.abc import Iterator, Mapping
from typing import Final

from mcpapps_cli.errors import UserError

_PROXIES: Final = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
_CERTIFICATES: Final = ("SSL_CERT_FILE", "SSL_CERT_DIR", "SSLKEYLOGFILE")


def is_loopback(host: str) -> bool:
    """Whether a host name or address can only be this machine, which no proxy leads to."""
    host = host.strip("[]").rstrip(".").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@contextlib.contextmanager
def environment_told(environ: Mapping[str, str] = os.environ) -> Iterator[None]:
    """Tell the user which settings of the environment stop an httpx client from being made.

    Values are not shown: a proxy's address may hold a password.

    Raises:
        UserError: Proxies or certificates cannot be used.
    """
    import httpx

    try:
        yield
    except ImportError as exc:
        # httpx says so of a SOCKS proxy, whose protocol is a package of its own.
        raise UserError(
            f"the proxy of {_set(_PROXIES, environ)} speaks SOCKS, which needs one more package",
            help='pip install "httpx[socks]", or name an HTTP proxy',
        ) from exc
    except OSError as exc:
        reason = (exc.strerror or str(exc)).lower()
        raise UserError(
            f"the certificates of {_set(_CERTIFICATES, environ)} cannot be used: {reason}",
            help="correct or unset the variable",
        ) from exc
    except (ValueError, httpx.InvalidURL) as exc:
        raise UserError(
            f"the proxies of {_set(_PROXIES, environ)} cannot be used",
            help="name a proxy as http://HOST:PORT, and in NO_PROXY hosts without a path",
        ) from exc


def _set(names: tuple[str, ...], environ: Mapping[str, str]) -> str:
    found = [name for name in names if environ.get(name) or environ.get(name.lower())]
    return ", ".join(found) or "the system"
