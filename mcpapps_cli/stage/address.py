"""How the two origins are reached when a port is forwarded: other hosts, other addresses."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from mcpapps_cli.errors import UserError


@dataclass(frozen=True, slots=True)
class Addresses:
    """Addresses beside the loopback ones; the sockets stay on loopback.

    Attributes:
        allow_hosts: More values of the `Host` header that are answered, with or without a port.
        public_url: Where a browser reaches the host page; None for loopback.
        sandbox_url: Where a browser reaches the sandbox, which must be another origin; None for
            loopback.

    Raises:
        UserError: an address is no `http` or `https` origin, or the two are one origin.
    """

    allow_hosts: tuple[str, ...] = ()
    public_url: str | None = None
    sandbox_url: str | None = None

    def __post_init__(self) -> None:
        given = [url for url in (self.public_url, self.sandbox_url) if url is not None]
        for url in given:
            parts = urlsplit(url)
            if parts.scheme not in ("http", "https") or not parts.hostname or parts.query:
                raise UserError(
                    f'"{url}" is no address of a forwarded port',
                    help="write it as in https://name-5173.example.dev",
                )
        if len(given) == 2 and self.public_origin == self.sandbox_origin:
            raise UserError(
                f'page and sandbox are both at "{given[0]}"',
                help="forward both ports, and give each its own address",
            )

    @property
    def public_origin(self) -> str | None:
        """The page's origin for a browser elsewhere."""
        return _origin(self.public_url)

    @property
    def sandbox_origin(self) -> str | None:
        """The sandbox's origin for a browser elsewhere."""
        return _origin(self.sandbox_url)

    def allows(self, host: str) -> bool:
        """Whether a `Host` header names one of these addresses."""
        names = [_host(self.public_url), _host(self.sandbox_url), *self.allow_hosts]
        wanted = host.lower()
        return any(
            name and wanted in (name.lower(), f"{name.lower()}:{_port(wanted)}") for name in names
        )


LOOPBACK = Addresses()
"""No other addresses: what a browser on this machine needs."""


def _origin(url: str | None) -> str | None:
    if url is None:
        return None
    parts = urlsplit(url)
    default = ":443" if parts.scheme == "https" else ":80"
    return f"{parts.scheme}://{parts.netloc.lower().removesuffix(default)}"


def _host(url: str | None) -> str | None:
    return None if url is None else urlsplit(url).netloc


def _port(host: str) -> str:
    return host.rpartition(":")[2]
