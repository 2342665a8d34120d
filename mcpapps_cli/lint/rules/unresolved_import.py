"""A script inside a View imports a file or a package that is not in the document."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Served,
    Subject,
    is_relative,
    issue,
    page,
    rule,
    server,
    spec,
)
from mcpapps_cli.markup.literal import Import
from mcpapps_cli.markup.reference import Reference

# Another scheme, as that of "mcpapps:bridge", means something to a bundler only.
_LOADED = re.compile(r"(?:https?:|data:|blob:|[/\\]{2})", re.IGNORECASE)


def _is_module(served: Served, ref: Reference) -> bool:
    return ref.kind == "preload" and served.attribute(ref, "rel") == "modulepreload"


def _mapped(served: Served) -> tuple[str, ...]:
    """The specifiers that the page's import map resolves; one that ends in `/` is a prefix."""
    for script in served.page.scripts:
        if script.type == "importmap":
            try:
                table = json.loads(served.source(script))["imports"]
            except (ValueError, KeyError, TypeError):
                continue
            return tuple(table) if isinstance(table, Mapping) else ()
    return ()


def _resolves(found: Import, mapped: tuple[str, ...]) -> bool:
    loaded = found.computed or _LOADED.match(found.specifier) is not None
    return loaded or any(
        found.specifier == key or (key.endswith("/") and found.specifier.startswith(key))
        for key in mapped
    )


_MAP = """<script type="importmap">{"imports": {"lib": "data:text/javascript,"}}</script>
"""


@rule(
    "MA305",
    "error",
    why="A module inside a View has no folder beside it: the import fails and nothing runs.",
    fix="bundle the View into one script: mcpapps bundle does it",
    source=(
        spec("Sandbox proxy"),
        issue("richardtallent/vite-plugin-singlefile#7"),
        issue("agentfront/frontmcp#454"),
    ),
    bad=server(page('<script type="module">import "./chart.js";</script>\n')),
    good=server(page('<script type="module">const chart = 1;</script>\n')),
    near=(
        server(page('<script type="module">import "lib";</script>\n', head=_MAP)),
        server(page('<script type="module">const text = \'import "./chart.js"\';</script>\n')),
    ),
    evidence="static",
)
def unresolved_import(subject: Subject) -> Faults:
    """A script inside a View imports a file or a package that is not in the document."""
    for _, served in subject.pages:
        for ref in served.page.references:
            if _is_module(served, ref) and is_relative(ref.url):
                message = f'"{ref.url}" cannot be loaded inside a View'
                yield Fault(served.at(ref.start, ref.end), message)
        mapped = _mapped(served)
        for code in served.code:
            for found in code.imports():
                if not _resolves(found, mapped):
                    start = code.script.start + found.spec_start
                    yield Fault(
                        served.at(start, start + len(found.specifier)),
                        f'"{found.specifier}" cannot be imported inside a View',
                    )
