"""From the declared origins to the View's policy, and whether that policy allows a URL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple
from urllib.parse import unquote

from mcpapps_cli import wire
from mcpapps_cli.model import Csp

_NONE: Final = ("'none'",)
_SELF: Final = ("'self'",)
_SELF_INLINE: Final = ("'self'", "'unsafe-inline'")
_SELF_DATA: Final = ("'self'", "data:")

_HOST: Final = r"(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?"
# CSP 3 `host-source` with the scheme required and no bare `*`: only such an entry names an
# origin. Quotes, `;`, `,` and white space are in none of the classes, so nothing can be injected.
# Compiled at the first use: most pages declare no origin, and compiling takes milliseconds.
_SOURCE: Final = (
    rf"(?ai)(?P<scheme>https?|wss?)://(?P<host>{_HOST})(?::(?P<port>[0-9]{{1,5}}|\*))?"
    r"(?P<path>/[a-z0-9\-._~%!$&()*+=:@/]*)?"
)
_SCHEME: Final = r"(?ai)[a-z][a-z0-9+.-]*:"
_UNSAFE: Final = r"""[\s;,'"\x00-\x20\x7f]"""
_AUTHORITY: Final = r"(?:[^@]*@)?(?P<host>\[[^\]]*\]|[^:]*)(?::(?P<port>[0-9]*))?"
_DEFAULT_PORTS: Final = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_UPGRADES: Final = frozenset({("http", "https"), ("ws", "wss")})

# CSP 3, 6.8.3: where each fetch directive looks when the policy does not have it.
_FALLBACKS: Final[Mapping[str, tuple[str, ...]]] = {
    "script-src-elem": ("script-src", "default-src"),
    "script-src-attr": ("script-src", "default-src"),
    "style-src-elem": ("style-src", "default-src"),
    "style-src-attr": ("style-src", "default-src"),
    "worker-src": ("child-src", "script-src", "default-src"),
    "frame-src": ("child-src", "default-src"),
    **dict.fromkeys(
        (
            *("child-src", "connect-src", "font-src", "img-src", "manifest-src", "media-src"),
            *("object-src", "prefetch-src", "script-src", "style-src"),
        ),
        ("default-src",),
    ),
}


class _Url(NamedTuple):
    scheme: str
    host: str
    port: int | None
    path: str


def directives(csp: Csp | None) -> dict[str, tuple[str, ...]]:
    """Return the policy of a View, directive by directive, in the order it is written.

    Args:
        csp: The declared origins; None when the metadata has no `csp`, which gives the fixed
            default (specification, UI Resource Format). That default differs from an empty
            declaration: it allows no connection at all, an empty one allows `'self'`.

    `object-src`, `frame-src` and `base-uri` are always there (specification, Sandbox proxy).
    An entry that does not name a scheme and a host, or that could change the policy, is left out.
    """
    if csp is None:
        return {
            "default-src": _NONE,
            "script-src": _SELF_INLINE,
            "style-src": _SELF_INLINE,
            "img-src": _SELF_DATA,
            "media-src": _SELF_DATA,
            "connect-src": _NONE,
            "object-src": _NONE,
            "frame-src": _NONE,
            "base-uri": _SELF,
        }
    resource = _sources(csp.resource)
    return {
        "default-src": _NONE,
        "script-src": _SELF_INLINE + resource,
        "style-src": _SELF_INLINE + resource,
        "connect-src": _SELF + _sources(csp.connect),
        "img-src": _SELF_DATA + resource,
        "font-src": _SELF + resource,
        "media-src": _SELF_DATA + resource,
        "frame-src": _sources(csp.frame) or _NONE,
        "object-src": _NONE,
        "base-uri": _sources(csp.base_uri) or _SELF,
    }


def policy_text(csp: Csp | None) -> str:
    """Return the policy as one line, fit for the header and for the meta element alike."""
    return render(directives(csp))


def render(policy: Mapping[str, Iterable[str]]) -> str:
    """Return directives as the text of a policy."""
    return "; ".join(" ".join((name, *sources)) for name, sources in policy.items())


def allows(csp: Csp | None, directive: str, url: str) -> bool:
    """Tell whether the policy lets a View use `url` for `directive`.

    Args:
        csp: The declared origins; None when the metadata has no `csp`.
        directive: A fetch directive such as `font-src`, or `base-uri`. A fetch directive that
            the policy does not have falls back as in CSP 3; any other one restricts nothing.
        url: An absolute URL. One without a scheme (`//host/path`) counts as https. A relative
            one is never allowed: `'self'` is the sandbox's origin, where no file of the View is.

    The rules are those of CSP 3, 6.7.2: schemes upgrade (http to https, ws to wss), `*.` stands
    for one or more labels, and a path in an entry is a prefix when it ends with a slash.
    """
    policy = directives(csp)
    chain = (directive, *_FALLBACKS.get(directive, ()))
    effective = next((name for name in chain if name in policy), None)
    if effective is None:
        return True
    target = _parse(url)
    return target is not None and any(_matches(source, target) for source in policy[effective])


def origin_of(url: str) -> str | None:
    """Return `scheme://host[:port]` of an http, https, ws or wss URL, else None.

    Lower case, without the scheme's default port; `//host/path` counts as https.
    """
    target = _parse(url)
    if target is None or target.scheme not in _DEFAULT_PORTS:
        return None
    port = "" if target.port == _DEFAULT_PORTS[target.scheme] else f":{target.port}"
    return f"{target.scheme}://{target.host}{port}"


def source_fault(entry: str) -> str | None:
    """Return why an entry of an origin list is not `scheme://host[:port]`, or None.

    The scheme may be http, https, ws or wss, and the host may begin with `*.`.
    """
    if not entry.strip():
        return "is empty"
    if entry.startswith("'"):
        return "is a keyword, not an origin"
    if entry == "*":
        return "allows every origin"
    if unsafe := re.search(_UNSAFE, entry):
        return f"contains {_character(unsafe.group())}"
    if not entry.isascii():
        return "is not ASCII, write the host in punycode"
    if re.fullmatch(_SCHEME, entry):
        return "is a scheme without a host"
    scheme, separator, rest = entry.partition("://")
    if not separator:
        return "has no scheme"
    if scheme.lower() not in _DEFAULT_PORTS:
        return f'has the scheme "{scheme}", not https, http, wss or ws'
    for mark, part in (("?", "a query"), ("#", "a fragment"), ("/", "a path"), ("@", "a user")):
        if mark in rest:
            return f"has {part}"
    source = re.fullmatch(_SOURCE, entry)
    if source is None:
        return "has a host that is not a name" if "*" not in rest else "has a misplaced wildcard"
    if source["port"] == "*":
        return "has a wildcard port"
    if source["port"] and not 0 < int(source["port"]) <= 65535:
        return "has a port outside 1 to 65535"
    return None


def allow_attribute(permissions: Iterable[str]) -> str:
    """Return the iframe `allow` attribute for permissions of `_meta.ui`, such as `camera`.

    Features are joined by `"; "`; a name that is not in `wire.PERMISSIONS` is left out.
    """
    features = (
        wire.PERMISSION_POLICY[name] for name in permissions if name in wire.PERMISSION_POLICY
    )
    return "; ".join(dict.fromkeys(features))


def _sources(entries: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry for entry in entries if re.fullmatch(_SOURCE, entry)))


def _matches(source: str, url: _Url) -> bool:
    if source.startswith("'"):
        return False
    if re.fullmatch(_SCHEME, source):
        return url.scheme == source[:-1].lower()
    parts = re.fullmatch(_SOURCE, source)
    if parts is None:
        return False
    scheme = parts["scheme"].lower()
    return (
        (scheme == url.scheme or (scheme, url.scheme) in _UPGRADES)
        and _host_matches(parts["host"].lower(), url.host)
        and _port_matches(scheme, parts["port"], url)
        and _path_matches(parts["path"] or "", url.path)
    )


def _host_matches(pattern: str, host: str) -> bool:
    if pattern.startswith("*."):
        return host.endswith(pattern[1:]) and len(host) > len(pattern) - 1
    return host == pattern


def _port_matches(scheme: str, port: str | None, url: _Url) -> bool:
    default = _DEFAULT_PORTS[url.scheme]
    if port == "*":
        return True
    if port is None:
        return url.port == default
    if scheme == url.scheme or int(port) == default:
        return int(port) == url.port
    # Stricter than the text of CSP 3 and as Chromium does it: an upgraded scheme takes its own
    # default port along, and no other.
    return int(port) == _DEFAULT_PORTS[scheme] and url.port == default


def _path_matches(pattern: str, path: str) -> bool:
    if not pattern or pattern == "/":
        return True
    wanted = unquote(pattern)
    return unquote(path).startswith(wanted) if pattern.endswith("/") else unquote(path) == wanted


def _parse(url: str) -> _Url | None:
    """Read a URL as a browser does, as far as a policy looks at it; None when relative."""
    text = re.sub(r"[\t\r\n]", "", url.strip("".join(map(chr, range(0x21)))))
    scheme = re.match(_SCHEME, text)
    if scheme is None:
        if not re.match(r"[/\\]{2}", text):
            return None
        name, rest = "https", text
    else:
        name, rest = scheme.group()[:-1].lower(), text[scheme.end() :]
    if name not in _DEFAULT_PORTS:
        return _Url(name, "", None, rest)
    rest = rest.lstrip("/\\")
    end = re.search(r"[/\\?#]", rest)
    authority = rest if end is None else rest[: end.start()]
    path = "" if end is None else re.split(r"[?#]", rest[end.start() :].replace("\\", "/"))[0]
    parts = re.fullmatch(_AUTHORITY, authority)
    host = _ascii_host(parts["host"]) if parts else None
    if parts is None or host is None or len(parts["port"] or "") > 5:
        return None
    return _Url(name, host, int(parts["port"] or _DEFAULT_PORTS[name]), path or "/")


def _ascii_host(host: str) -> str | None:
    if host.isascii():
        return unquote(host).lower() or None
    try:
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return None


def _character(mark: str) -> str:
    names = {" ": "a space", "\t": "a tab", "\n": "a line break", "\r": "a line break"}
    return names.get(mark) or (f"'{mark}'" if mark.isprintable() else "a control character")
