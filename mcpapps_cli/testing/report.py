"""The matrix as one HTML file with its pictures, as JUnit XML, and as JSON."""

from __future__ import annotations

import base64
import json
from html import escape
from typing import Any, Final

from mcpapps_cli.host.effect import STEPS
from mcpapps_cli.junit import Case, Failure, junit_document
from mcpapps_cli.testing.cell import Cell, Input, Matrix

# Nothing is loaded, whatever a tool or a View has written into it.
_POLICY: Final = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
_CSS: Final = """
:root { color-scheme: light dark; --line: light-dark(#e4e3de, #2e2d2a);
  --soft: light-dark(#65645f, #a3a29c); --panel: light-dark(#fff, #1c1c1b);
  --ok: light-dark(#1a7446, #5fd196); --bad: light-dark(#b32626, #ff8a80); }
body { margin: 0 auto; max-width: 1400px; padding: 24px; font: 14px/1.5 system-ui, sans-serif;
  background: light-dark(#f6f6f4, #141413); color: light-dark(#1c1c1a, #ecebe7); }
h1 { font-size: 20px; margin: 0; } h2 { font-size: 16px; margin: 32px 0 4px; }
code, pre { font: 12px/1.5 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.soft, span.skipped { color: var(--soft); } span.passed { color: var(--ok); }
span.failed, p.failed, ul.failed { color: var(--bad); }
.cells { display: grid; gap: 16px;
  grid-template-columns: repeat(auto-fill, minmax(min(420px, 100%), 1fr)); }
article { border: 1px solid var(--line); border-radius: 10px; background: var(--panel);
  overflow: hidden; display: flex; flex-direction: column; }
article header { display: flex; gap: 8px; padding: 8px 12px;
  border-bottom: 1px solid var(--line); }
article header b { flex: 1; } article > :not(header, img) { margin: 8px 12px; }
article.failed { border-color: var(--bad); }
img { align-self: center; max-width: 100%; height: auto; }
ul { padding-left: 18px; } summary { cursor: pointer; color: var(--soft); }
"""


def report_html(matrix: Matrix) -> str:
    """Return a page that needs nothing beside it, the failed cells first."""
    inputs = dict.fromkeys(_key(cell.input) for cell in matrix.cells)
    by_input = {key: [c for c in matrix.cells if _key(c.input) == key] for key in inputs}
    title = f"Views of {matrix.project}"
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        f"<title>{escape(title)}</title><style>{_CSS}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        f'<p class="soft">{_counts(matrix)} · mcpapps {escape(matrix.version)}</p>',
        *(f'<p class="failed">{escape(line)}</p>' for line in untried_lines(matrix)),
        *(_section(cells) for cells in by_input.values()),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def report_junit(matrix: Matrix) -> str:
    """Return a test case for each cell."""
    return junit_document("mcpapps test", [_case(cell) for cell in matrix.cells])


def report_json(matrix: Matrix, *, report: str) -> str:
    """Return one JSON object; pictures are in the HTML report alone.

    Args:
        matrix: The run.
        report: Where that report is.
    """
    return json.dumps(
        {
            "project": matrix.project,
            "version": matrix.version,
            "passed": matrix.count("passed"),
            "failed": matrix.count("failed"),
            "skipped": matrix.count("skipped"),
            "report": report,
            "cells": [_json(cell) for cell in matrix.cells],
            "untried": [{"tool": tool, "reason": why} for tool, why in matrix.untried],
        },
        indent=2,
    )


def call_text(each: Input) -> str:
    """Return a call as it is shown, such as `show(city="Oslo")`."""
    args = ", ".join(f"{key}={json.dumps(value)}" for key, value in each.args.items())
    return f"{each.tool}({args if len(args) < 200 else args[:199] + '…'})"


def untried_lines(matrix: Matrix) -> tuple[str, ...]:
    """Return a line for each tool with a View that was not called."""
    return tuple(f"{tool} was not called: {why}" for tool, why in matrix.untried)


def _counts(matrix: Matrix) -> str:
    return ", ".join(
        f'<span class="{state}">{matrix.count(state)} {state}</span>'
        for state in ("passed", "failed", "skipped")
        if matrix.count(state)
    )


def _key(each: Input) -> str:
    return json.dumps([each.tool, dict(each.args)], sort_keys=True)


def _section(cells: list[Cell]) -> str:
    first = cells[0].input
    rank = {"failed": 0, "passed": 1, "skipped": 2}
    ordered = sorted(cells, key=lambda cell: rank[cell.state])
    return "\n".join(
        [
            f"<section><h2><code>{escape(call_text(first))}</code></h2>",
            f'<p class="soft">arguments from {escape(first.origin)}</p><div class="cells">',
            *(_article(cell) for cell in ordered),
            "</div></section>",
        ]
    )


def _article(cell: Cell) -> str:
    place = escape(str(cell.place))
    parts = [
        f'<article class="{cell.state}"><header><b>{place}</b>',
        f'<span class="{cell.state}">{cell.state}</span></header>',
    ]
    if cell.picture:
        data = base64.b64encode(cell.picture).decode("ascii")
        label = escape(f"{cell.input.tool} in {cell.place}")
        parts.append(f'<img alt="{label}" src="data:image/png;base64,{data}">')
    if cell.skipped:
        parts.append(f'<p class="soft">{escape(cell.skipped)}</p>')
    if cell.faults:
        lines = "".join(f"<li>{escape(str(fault))}</li>" for fault in cell.faults)
        parts.append(f'<ul class="failed">{lines}</ul>')
        rungs = " ".join(f"{name}: {cell.steps.get(name, '-')}" for name in STEPS)
        parts.append(f"<details><summary>Steps</summary><code>{escape(rungs)}</code></details>")
    if cell.console:
        text = escape("\n".join(cell.console))
        parts.append(f"<details><summary>Console</summary><pre>{text}</pre></details>")
    return "".join([*parts, "</article>"])


def _case(cell: Cell) -> Case:
    subject, name = call_text(cell.input), str(cell.place)
    if cell.skipped:
        return Case(subject, name, skipped=cell.skipped)
    failure = None
    if cell.faults:
        first = cell.faults[0]
        text = "\n".join(str(fault) for fault in cell.faults)
        failure = Failure(first.kind, first.text, text)
    return Case(
        subject, name, failure, output="\n".join(cell.console), seconds=round(cell.seconds, 3)
    )


def _json(cell: Cell) -> dict[str, Any]:
    place = cell.place
    return {
        "tool": cell.input.tool,
        "args": dict(cell.input.args),
        "origin": cell.input.origin,
        "profile": place.profile,
        "theme": place.theme,
        "mode": place.mode,
        "size": str(place.size),
        "state": cell.state,
        "skipped": cell.skipped or None,
        "faults": [
            {"kind": fault.kind, "text": fault.text, "help": fault.help} for fault in cell.faults
        ],
        "steps": dict(cell.steps),
        "console": list(cell.console),
        "seconds": round(cell.seconds, 3),
    }
