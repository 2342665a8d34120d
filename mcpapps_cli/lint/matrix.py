"""What each emulated host makes of each View: works, degraded, blocked or unknown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from mcpapps_cli.errors import UserError
from mcpapps_cli.host.profiles import Profile, load_profile, profile_names
from mcpapps_cli.lint.rule import Served, Subject, UiResource, as_object
from mcpapps_cli.model import Cell, Finding, Verdict
from mcpapps_cli.wire import (
    TOOLS_CALL,
    UI_DOWNLOAD_FILE,
    UI_HOST_CONTEXT_CHANGED,
    UI_MESSAGE,
    UI_OPEN_LINK,
    UI_TOOL_INPUT_PARTIAL,
    UI_TOOL_RESULT,
    UI_UPDATE_MODEL_CONTEXT,
)

ALL: Final = "all"
OLD: Final = ("claude-2026-02",)
"""Hosts of the past, which only rules know."""
_RANK: Final[dict[Verdict, int]] = {"works": 0, "unknown": 1, "degraded": 2, "blocked": 3}
# What the SDK and the bridge call them.
_CALLS: Final = {
    UI_MESSAGE: (".sendMessage",),
    UI_OPEN_LINK: (".openLink",),
    UI_DOWNLOAD_FILE: (".downloadFile",),
    UI_UPDATE_MODEL_CONTEXT: (".updateModelContext",),
    TOOLS_CALL: (".callServerTool", ".callTool"),
}
# Without these a View shows less; without the others it shows nothing. The SDK's handler, what
# the bridge has besides its events, and the event of both.
_LISTENS: Final = {
    UI_TOOL_INPUT_PARTIAL: ("ontoolinputpartial", "toolInputPartial", "toolinputpartial"),
    UI_HOST_CONTEXT_CHANGED: ("onhostcontextchanged", None, "hostcontextchanged"),
    UI_TOOL_RESULT: ("ontoolresult", "toolResult", "toolresult"),
}
Reason = tuple[Verdict, str, str | None, str]


def profiles_from(names: Sequence[str]) -> tuple[str, ...]:
    """Return the profiles that names stand for; `all` is every one but the specification.

    Raises:
        UserError: There is none of that name; the help names the closest.
    """
    known = profile_names()
    found: dict[str, None] = {}
    for name in names:
        if name == ALL:
            found.update(dict.fromkeys(known[1:]))
        elif name in OLD:
            found[name] = None
        else:
            found[load_profile(name).name] = None
    return tuple(found)


def matrix(subject: Subject, names: Sequence[str], findings: Iterable[Finding]) -> tuple[Cell, ...]:
    """Return a cell for each View and each host.

    Args:
        subject: The server.
        names: Names of profiles.
        findings: What the rules found for these hosts together.
    """
    errors = [finding for finding in findings if finding.severity == "error"]
    cells = []
    for view in subject.resources:
        alone = subject.alone(view)
        labels = {view.uri, *(tool.label for tool in view.tools)}
        broken = [finding for finding in errors if finding.subject in labels]
        for name in names:
            reasons = tuple(_reasons(alone, name, broken))
            verdicts: list[Verdict] = ["works", *(reason[0] for reason in reasons)]
            verdict = max(verdicts, key=_RANK.__getitem__)
            cells.append(Cell(view.uri, name, verdict, reasons))
    return tuple(cells)


def _reasons(alone: Subject, name: str, broken: list[Finding]) -> Iterator[Reason]:
    for finding in broken:
        yield "blocked", finding.message, finding.rule, f"rule {finding.code}"
    if name in OLD:
        return
    profile = load_profile(name)
    for view in alone.resources:
        yield from _declared(view, profile)
    for _, served in alone.pages:
        yield from _used(served, profile)


def _declared(view: UiResource, profile: Profile) -> Iterator[Reason]:
    for key in sorted(profile.csp_ignored):
        if as_object(view.ui.get("csp")).get(key):
            message = f"declares {key}, which this host ignores"
            yield _weighed(profile, "csp_ignored", message, _RULES.get(key))
    for permission in view.apps.permissions:
        if permission not in profile.permissions:
            message = f"asks for {permission}, which this host does not grant"
            yield _weighed(profile, "permissions", message, "permission-no-fallback")
    size = len((view.raw.html or "").encode("utf-8", "replace"))
    if profile.html_bytes is not None and size > profile.html_bytes:
        message = f"has {size} bytes, and this host takes {profile.html_bytes}"
        yield _weighed(profile, "html_bytes", message, "html-size", "blocked")


_RULES: Final = {"frameDomains": "nested-frame-portability", "baseUriDomains": "base-element"}


def _used(served: Served, profile: Profile) -> Iterator[Reason]:
    for method, calls in _CALLS.items():
        if method not in profile.methods and _uses(served, method, calls):
            yield _weighed(profile, "methods", f"uses {method}, which this host lacks", None)
    for method, (handler, member, event) in _LISTENS.items():
        names = [name for name in (handler, member) if name is not None]
        if method not in profile.sends and _handles(served, method, names, event):
            message = f"handles {method}, which this host does not send"
            yield _weighed(profile, "sends", message, None)


def _uses(served: Served, method: str, calls: tuple[str, ...]) -> bool:
    called = any(next(code.calls(*calls), None) is not None for code in served.own_code)
    return called or _writes(served, method)


def _handles(served: Served, method: str, names: list[str], event: str) -> bool:
    for code in served.own_code:
        # In a module that a bundler made, the bridge itself has these names.
        if not code.bridged and any(next(code.words(name), None) is not None for name in names):
            return True
        for call in code.calls(".on", ".addEventListener"):
            if call.arguments and code.string(call.arguments[0]) == event:
                return True
    return _writes(served, method)


def _writes(served: Served, method: str) -> bool:
    # The SDK and the bridge name every method in every View; only a call says that one is used.
    return not served.mentions("callServerTool") and any(
        code.mentions(method) for code in served.own_code if not code.bridged
    )


def _weighed(
    profile: Profile, value: str, message: str, rule: str | None, verdict: Verdict = "degraded"
) -> Reason:
    source = profile.source_of(value)
    if source is None:
        return "unknown", message, rule, "no source says so"
    return verdict, message, rule, f"{source.text} ({source.date}, {source.kind})"


def matrix_text(cells: Sequence[Cell]) -> str:
    """Return the matrix as a table, with a line for each reason below."""
    views = list(dict.fromkeys(cell.uri for cell in cells))
    names = list(dict.fromkeys(cell.profile for cell in cells))
    by = {(cell.uri, cell.profile): cell for cell in cells}
    width = max(len(name) for name in names)
    lines = []
    for uri in views:
        lines.append(uri)
        for name in names:
            cell = by[uri, name]
            lines.append(f"  {name:<{width}}  {cell.verdict}")
            for verdict, message, rule, source in cell.reasons:
                named = f" [{rule}]" if rule else ""
                lines.append(f"  {'':<{width}}    {verdict}: {message}{named}; {source}")
    return "\n".join(lines)


def check_profile(name: str) -> str:
    """Return a profile that a browser can play.

    Raises:
        UserError: It is a host of the past, which only rules know.
    """
    if name in OLD:
        raise UserError(f'"{name}" cannot be played', help="leave --run out, or name another host")
    return load_profile(name).name
