"""The entries of the four origin lists."""

from __future__ import annotations

import re

from mcpapps_cli.csp import source_fault
from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    is_loopback,
    issue,
    page,
    rule,
    server,
    spec,
)
from mcpapps_cli.lint.rules._csp_entry import SCHEME_ONLY, csp_entries, csp_meta


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
    bad=server(page(meta=csp_meta("connectDomains", "api.example.com/v1"))),
    good=server(page(meta=csp_meta("connectDomains", "https://api.example.com"))),
    near=(
        server(page(meta=csp_meta("resourceDomains", "https://*.example.com"))),
        server(page(meta=csp_meta("connectDomains", "wss://api.example.com:8443"))),
    ),
)
def csp_source_syntax(subject: Subject) -> Faults:
    """An entry of an origin list is not an origin."""
    for key, entry, place in csp_entries(subject):
        if SCHEME_ONLY.fullmatch(entry):
            continue
        reason = source_fault(entry)
        if reason is None and re.match(r"http:", entry, re.IGNORECASE) and not is_loopback(entry):
            reason = "is not https"
        if reason is not None:
            yield Fault(place, f'"{entry}" in "{key}" {reason}')
