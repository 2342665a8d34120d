"""The SDK that a server runs on."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Observed, Place, Subject, issue, rule, server, spec

# The first release that takes a MIME type with a parameter.
_FIRST = {"mcp": (1, 23, 3)}


def _sdk(name: str, version: str) -> Observed:
    return Observed(sdk=(name, version))


def _numbers(version: str) -> tuple[int, ...]:
    found = []
    for part in version.split(".")[:3]:
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        found.append(int(digits or 0))
    return tuple(found)


@rule(
    "MA520",
    "error",
    why="It refuses the MIME type that a View must have, or loses `_meta` on the way.",
    fix="install a newer release of it",
    source=(spec("UI Resource Format"), issue("modelcontextprotocol/python-sdk#1754")),
    bad=server(observed=_sdk("mcp", "1.9.4"), shown="mcp 1.9.4"),
    good=server(observed=_sdk("mcp", "2.3.0"), shown="mcp 2.3.0"),
    near=(
        server(observed=_sdk("mcp", "1.23.3")),
        server(observed=_sdk("mcp", "2.0.0rc1")),
        server(observed=_sdk("other-sdk", "0.1")),
    ),
    evidence="source",
)
def sdk_too_old(subject: Subject) -> Faults:
    """The SDK of the server is too old for MCP Apps."""
    if subject.observed.sdk is None or not subject.ui_tools:
        return
    name, version = subject.observed.sdk
    first = _FIRST.get(name)
    if first is not None and _numbers(version) < first:
        wanted = ".".join(map(str, first))
        place = Place("server", pointer=f"packages#/{name}")
        yield Fault(place, f'"{name}" is {version}; MCP Apps need {wanted} or newer')
