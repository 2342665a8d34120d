r"""Corrects what is mechanical in the project's own files, and only where it can prove the result.

| rule | file | correction |
|---|---|---|
| `mime-type` | Python | `mime_type="text/html"` of a `ui://` resource gets the profile |
| `flat-key-only` | Python | `{"ui/resourceUri": X}` becomes `{"ui": {"resourceUri": X}}` |
| `csp-on-tool` | Python, project file | a literal `csp` leaves the tool for the View's table |
| `undeclared-*-origin` | project file | the origin goes into the list of the View |
| `insecure-socket` | View | `ws://` becomes `wss://` |
| `script-terminated-early` | View | `</script>` in a string becomes `<\/script>` |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from mcpapps_cli.errors import ConfigError
from mcpapps_cli.files import text_diff, write_whole
from mcpapps_cli.lint import fix_python, fix_view
from mcpapps_cli.lint.fix_project import Origins, add_origins
from mcpapps_cli.lint.sources import python_files
from mcpapps_cli.model import Finding, Project, Report

_PYTHON: dict[str, Callable[[str], str]] = {
    "mime-type": fix_python.mime_type,
    "flat-key-only": fix_python.flat_key,
}
_VIEW: dict[str, Callable[[str], str]] = {
    "insecure-socket": fix_view.secure_sockets,
    "script-terminated-early": fix_view.closing_tags,
}
_LISTS = {
    "undeclared-resource-origin": "resourceDomains",
    "undeclared-connect-origin": "connectDomains",
}


@dataclass(frozen=True, slots=True)
class Fix:
    """One file and its corrected text.

    Attributes:
        path: The file.
        shown: Its path as the user knows it.
        before: Its text.
        after: The corrected text.
        rules: The rules whose findings are corrected.
    """

    path: Path
    shown: str
    before: str
    after: str
    rules: tuple[str, ...]

    @property
    def diff(self) -> str:
        """The correction as a unified diff, without a last line end."""
        return text_diff(self.before, self.after, self.shown)


def plan_fixes(project: Project, report: Report) -> tuple[Fix, ...]:
    """Return what can be corrected, in the order of the files; writes nothing."""
    rules = {finding.rule for finding in report.findings}
    fixes = [
        *_python_fixes(project, rules, report.findings),
        *_view_fixes(project, rules),
    ]
    origins = _origins(project, report.findings)
    moved = _moved(project, report.findings)
    for uri, key, origin in moved:
        origins.add(uri, key, origin)
    if origins:
        fixes += _project_fix(project, origins, moved)
    return tuple(sorted(fixes, key=lambda fix: fix.shown))


def write_fixes(fixes: Iterable[Fix]) -> None:
    """Write the corrected files, each whole or not at all.

    Raises:
        ConfigError: One cannot be written.
    """
    for fix in fixes:
        try:
            write_whole(fix.path, fix.after.encode("utf-8"))
        except OSError as exc:
            raise ConfigError(
                f'"{fix.shown}" cannot be written: {exc.strerror}', help="check the file"
            ) from exc


def _python_fixes(
    project: Project, rules: set[str], findings: tuple[Finding, ...]
) -> Iterable[Fix]:
    wanted = [(name, change) for name, change in _PYTHON.items() if name in rules]
    moves = _csp_findings(findings)
    if not wanted and not moves:
        return
    for file in python_files(project.root):
        text = file.text
        done: list[str] = []
        for name, change in wanted:
            changed = change(text)
            if changed != text:
                text, done = changed, [*done, name]
        if moves and _can_move(project, findings):
            changed = fix_python.drop_tool_csp(text)
            if changed != text:
                text, done = changed, [*done, "csp-on-tool"]
        if done:
            path = project.root / file.path
            yield Fix(path, str(file.path), file.text, text, tuple(done))


def _view_fixes(project: Project, rules: set[str]) -> Iterable[Fix]:
    wanted = [(name, change) for name, change in _VIEW.items() if name in rules]
    for view in project.views if wanted else ():
        try:
            before = view.entry.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        text = before
        done: list[str] = []
        for name, change in wanted:
            changed = change(text)
            if changed != text:
                text, done = changed, [*done, name]
        if done:
            shown = view.entry.relative_to(project.root).as_posix()
            yield Fix(view.entry, shown, before, text, tuple(done))


def _origins(project: Project, findings: tuple[Finding, ...]) -> Origins:
    found = Origins()
    uris = {view.uri for view in project.views}
    for finding in findings:
        key = _LISTS.get(finding.rule)
        if key is not None and finding.severity == "error" and finding.subject in uris:
            # The message begins with the origin, in quotes.
            _, _, rest = finding.message.partition('"')
            found.add(finding.subject, key, rest.partition('"')[0])
    return found


def _csp_findings(findings: tuple[Finding, ...]) -> list[Finding]:
    return [
        one
        for one in findings
        if one.rule == "csp-on-tool" and (one.pointer or "").endswith("/_meta/ui/csp")
    ]


def _can_move(project: Project, findings: tuple[Finding, ...]) -> bool:
    return bool(project.views) and bool(_moved(project, findings))


def _moved(project: Project, findings: tuple[Finding, ...]) -> list[tuple[str, str, str]]:
    if not _csp_findings(findings):
        return []
    uris = {view.uri for view in project.views}
    moved: list[tuple[str, str, str]] = []
    for file in python_files(project.root):
        for uri, key, origin in fix_python.tool_origins(file.text):
            if uri not in uris:
                # A View that no table declares has no place to take the list.
                return []
            moved.append((uri, key, origin))
    return moved


def _project_fix(
    project: Project, origins: Origins, moved: list[tuple[str, str, str]]
) -> Iterable[Fix]:
    for name in ("mcpapps.toml", "pyproject.toml"):
        path = project.root / name
        try:
            before = path.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        prefix = "" if name == "mcpapps.toml" else "tool.mcpapps."
        after = add_origins(before, prefix, project.views, origins)
        if after != before:
            rules = sorted({origins.rule(key) for key in origins.lists()})
            names = [*rules, *(["csp-on-tool"] if moved else [])]
            yield Fix(path, name, before, after, tuple(names))
        return
