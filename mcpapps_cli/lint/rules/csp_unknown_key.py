"""`csp` holds a key that is none of the four, or something that is no list of strings."""

from __future__ import annotations

from collections.abc import Mapping

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    issue,
    page,
    rule,
    server,
    spec,
)
from mcpapps_cli.lint.rules._csp_entry import csp_meta
from mcpapps_cli.wire import CSP_KEYS


@rule(
    "MA208",
    "error",
    why="A host reads four lists of strings. Anything else has no effect: the origins are lost.",
    fix=f"use {', '.join(CSP_KEYS)}, each an array of strings",
    source=(spec("UI Resource Format"), issue("webforj/webforj#1474")),
    bad=server(page(meta=csp_meta("connectDomains", connect_domains=["https://api.example.com"]))),
    good=server(page(meta=csp_meta("connectDomains", "https://api.example.com"))),
    near=(
        server(page(meta=csp_meta("connectDomains"))),
        server(page(meta=csp_meta("frameDomains", baseUriDomains=[]))),
    ),
)
def csp_unknown_key(subject: Subject) -> Faults:
    """`csp` holds a key that is none of the four, or something that is no list of strings."""
    for view in subject.resources:
        if "csp" not in view.ui:
            continue
        csp = view.ui["csp"]
        if not isinstance(csp, Mapping):
            yield Fault(view.in_ui("csp"), f'"csp" of "{view.uri}" is not an object')
            continue
        for key, value in csp.items():
            if key not in CSP_KEYS:
                yield Fault(view.in_ui("csp", key), f'"csp" of "{view.uri}" has the key "{key}"')
            elif not isinstance(value, list):
                yield Fault(view.in_ui("csp", key), f'"{key}" of "{view.uri}" is not an array')
            else:
                for index, entry in enumerate(value):
                    if not isinstance(entry, str):
                        place = view.in_ui("csp", key, index)
                        yield Fault(place, f'"{key}" of "{view.uri}" holds no string here')
