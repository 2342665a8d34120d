"""What each host makes of a View: what its own code uses, not what the bridge could do."""

from __future__ import annotations

from mcpapps_cli.embed import bridge_element
from mcpapps_cli.lint.engine import run_rules
from mcpapps_cli.lint.example import page, server

# Hosts that lack "ui/download-file", and one that sends no "ui/notifications/tool-input-partial".
HOSTS = ("codex", "vscode")


def verdicts(script: str) -> dict[str, tuple[str, list[str]]]:
    example = server(page(head=bridge_element() + "\n", script=script))
    cells = run_rules(example.inventory, profiles=HOSTS).matrix
    return {cell.profile: (cell.verdict, [reason[1] for reason in cell.reasons]) for cell in cells}


def test_what_the_bridge_could_do_degrades_nothing() -> None:
    found = verdicts("  const app = mcpapps.connect({ name: 'x', version: '1' });\n")
    assert found == {"codex": ("works", []), "vscode": ("works", [])}


def test_what_the_view_does_with_the_bridge_counts() -> None:
    found = verdicts(
        "  const app = mcpapps.connect({ name: 'x', version: '1' });\n"
        "  save.onclick = () => app.downloadFile([]);\n"
        "  app.on('toolinputpartial', draw);\n"
    )
    assert found == {
        "codex": ("degraded", ["uses ui/download-file, which this host lacks"]),
        "vscode": (
            "degraded",
            ["handles ui/notifications/tool-input-partial, which this host does not send"],
        ),
    }
