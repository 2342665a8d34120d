"""The entries of the four origin lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from mcpapps_cli.csp import source_fault
from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Place,
    Subject,
    as_object,
    is_loopback,
    issue,
    page,
    rule,
    server,
    spec,
)
from mcpapps_cli.model import JsonObject
from mcpapps_cli.wire import CSP_KEYS

_SCHEME_ONLY = re.compile(r"[a-z][a-z0-9+.-]*:|\*", re.IGNORECASE)


def _meta(key: str, *entries: object, **more: object) -> JsonObject:
    return {"csp": {key: list(entries), **more}, "prefersBorder": True}


def _entries(subject: Subject) -> Iterator[tuple[str, str, Place]]:
    """Every string of every list, with its list's name and its place."""
    for view in subject.resources:
        csp = as_object(view.ui.get("csp"))
        for key in CSP_KEYS:
            entries = csp.get(key)
            for index, entry in enumerate(entries if isinstance(entries, list) else ()):
                if isinstance(entry, str):
                    yield key, entry, view.in_ui("csp", key, index)


@rule(
    "MA206",
    "error",
    why=(
        "Hosts drop an entry that is not an origin, because it could change the policy, and one "
        "host refuses the whole View for it."
    ),
    fix='write scheme, host and port only, such as "https://api.example.com"',
    source=(
        spec("Security Implications"),
        issue("different-ai/openwork#5055"),
        issue("vercel/ai#17192"),
        issue("PostHog/posthog#82409"),
    ),
    bad=server(page(meta=_meta("connectDomains", "api.example.com/v1"))),
    good=server(page(meta=_meta("connectDomains", "https://api.example.com"))),
    near=(
        server(page(meta=_meta("resourceDomains", "https://*.example.com"))),
        server(page(meta=_meta("connectDomains", "wss://api.example.com:8443"))),
    ),
)
def csp_source_syntax(subject: Subject) -> Faults:
    """An entry of an origin list is not an origin."""
    for key, entry, place in _entries(subject):
        if _SCHEME_ONLY.fullmatch(entry):
            continue
        reason = source_fault(entry)
        if reason is None and re.match(r"http:", entry, re.IGNORECASE) and not is_loopback(entry):
            reason = "is not https"
        if reason is not None:
            yield Fault(place, f'"{entry}" in "{key}" {reason}')


@rule(
    "MA207",
    "warning",
    why="Hosts keep origins only: a scheme or a star is dropped in silence, or found too wide.",
    fix="name the origins; images and media may be data: URLs without being declared",
    source=(
        issue("anthropics/claude-ai-mcp#375"),
        issue("modelcontextprotocol/ext-apps#515"),
    ),
    bad=server(page(meta=_meta("resourceDomains", "blob:"))),
    good=server(page(meta=_meta("resourceDomains", "https://cdn.example.com"))),
    near=(
        server(page(meta=_meta("resourceDomains"))),
        server(page(meta=_meta("resourceDomains", "https://*.cdn.example.com"))),
    ),
)
def csp_scheme_source(subject: Subject) -> Faults:
    """An entry of an origin list is a scheme or `*`."""
    for key, entry, place in _entries(subject):
        if _SCHEME_ONLY.fullmatch(entry):
            yield Fault(place, f'"{entry}" in "{key}" is not an origin')


@rule(
    "MA208",
    "error",
    why="A host reads four lists of strings. Anything else has no effect: the origins are lost.",
    fix=f"use {', '.join(CSP_KEYS)}, each an array of strings",
    source=(spec("UI Resource Format"), issue("webforj/webforj#1474")),
    bad=server(page(meta=_meta("connectDomains", connect_domains=["https://api.example.com"]))),
    good=server(page(meta=_meta("connectDomains", "https://api.example.com"))),
    near=(
        server(page(meta=_meta("connectDomains"))),
        server(page(meta=_meta("frameDomains", baseUriDomains=[]))),
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
