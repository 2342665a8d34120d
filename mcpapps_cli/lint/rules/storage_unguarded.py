"""Storage that a View may not have."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    function_of,
    in_run,
    in_try,
    issue,
    page,
    rule,
    server,
    spec,
)

_STORES = ("localStorage", "sessionStorage", "indexedDB", "caches", "document.cookie")
_READ = 'const theme = localStorage.getItem("theme");'
_GUARDED = 'let theme = null;\n    try { theme = localStorage.getItem("theme"); } catch {}'


@rule(
    "MA607",
    "error",
    why=(
        "On a host with an opaque origin the access throws a SecurityError. At the top level of a "
        "script that is before anything is drawn; a guard with `typeof` throws as well."
    ),
    fix="put the access into try and catch, and go on without",
    source=(
        spec("Sandbox proxy"),
        issue("Boise-State-Development/agentcore-public-stack#360"),
    ),
    bad=server(page(more=_READ)),
    good=server(page(more=_GUARDED)),
    near=(
        server(page(more='const note = "localStorage.getItem";')),
        server(page(more="const app = { localStorage: 1 }; app.localStorage = 2;")),
        server(page(more="const localStorage = new Map(); localStorage.get(1);")),
    ),
    evidence="static",
    also=("run",),
)
def storage_unguarded(subject: Subject) -> Faults:
    """A View reaches for storage outside of try and catch."""
    for view in subject.mounted:
        for name in view.refused:
            message = f'"{view.uri}" reached for "{name}" in a browser, which refused it'
            yield Fault(in_run(view, "refused"), message, severity="warning")
    for _, served in subject.pages:
        for code in served.code:
            for path in _STORES:
                for node in code.uses(path):
                    if in_try(node) or code.declares(path):
                        continue
                    inside = function_of(node) is not None
                    yield Fault(
                        served.at_node(code, node),
                        f'"{path}" throws where the origin is opaque',
                        severity="warning" if inside else None,
                    )
