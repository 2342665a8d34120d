"""What the rules find after a reload, compared with what they found before."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from mcpapps_cli.dev.event import DevEvent, LintReport
from mcpapps_cli.dev.supervisor import Supervisor
from mcpapps_cli.errors import McpAppsError
from mcpapps_cli.model import Finding, Inventory, Project, Report

_Key = tuple[str, str, str]


class Linter:
    """Runs the rules beside the session and reports only what changed.

    Args:
        on_event: Told the report.
    """

    def __init__(self, on_event: Callable[[DevEvent], None]):
        self._on_event = on_event
        self._known: dict[_Key, Finding] = {}
        self._turn = asyncio.Lock()

    async def check(
        self, supervisor: Supervisor, project: Project, *, everything: bool = False
    ) -> None:
        """Check the current server; nothing is reported when nothing changed.

        Args:
            supervisor: Whose inventory is checked, with its pages read anew.
            project: Its ignores count.
            everything: Whether to report what was known before, too.
        """
        # Rules load much that the loop itself does not need.
        from mcpapps_cli.lint.engine import run_rules
        from mcpapps_cli.lint.formats import finding_json

        async with self._turn:
            try:
                inventory = await _fresh(supervisor)
                report: Report = await asyncio.to_thread(run_rules, inventory, project=project)
            except McpAppsError:
                # A server that does not run is reported by whoever started it.
                return
            found = {_key(finding): finding for finding in report.findings}
            new = [f for key, f in found.items() if everything or key not in self._known]
            gone = [f for key, f in self._known.items() if key not in found]
            self._known = found
        if new or gone or everything:
            severities = [finding.severity for finding in found.values()]
            self._on_event(
                LintReport(
                    new=tuple(map(finding_json, new)),
                    gone=tuple(map(finding_json, gone)),
                    errors=severities.count("error"),
                    warnings=severities.count("warning"),
                )
            )


async def _fresh(supervisor: Supervisor) -> Inventory:
    inventory = supervisor.inventory()
    resources = [await supervisor.resource(each.uri) for each in inventory.resources]
    return replace(inventory, resources=tuple(resources))


def _key(finding: Finding) -> _Key:
    # Without the position: an edit above a fault does not make it another one.
    return (finding.rule, finding.subject, finding.message)
