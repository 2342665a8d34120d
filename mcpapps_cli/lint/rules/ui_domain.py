"""The sandbox domain that a View asks for."""

from __future__ import annotations

import re

from mcpapps_cli.lint.rule import (
    META,
    Fault,
    Faults,
    ResourcePart,
    Subject,
    issue,
    resource,
    rule,
    server,
    spec,
)

_CLAUDE = re.compile(r"[0-9a-f]{32}\.claudemcpcontent\.com")
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]+", re.IGNORECASE)


def _with(**ui: object) -> ResourcePart:
    meta = {**META, **ui}
    return resource(meta=meta, listing_meta=meta)


@rule(
    "MA213",
    "error",
    why=(
        "Each host gives the value a form of its own and refuses any other: a View that works in "
        "one host is then not shown in the next."
    ),
    fix="leave `domain` out, unless the View needs a fixed origin in one host",
    source=(
        spec("UI Resource Format"),
        issue("apify/apify-mcp-server#799"),
        issue("doitintl/doit-mcp-server#160"),
    ),
    bad=server(_with(domain="https://example.com")),
    good=server(_with()),
    near=(server(resource(listed=False)), server(_with(prefersBorder=False))),
)
def ui_domain(subject: Subject) -> Faults:
    """A View asks for a sandbox domain, which is no host name or works in one host only."""
    for view in subject.resources:
        if "domain" not in view.ui:
            continue
        value = view.ui["domain"]
        if "claude" in subject.profiles and not (
            isinstance(value, str) and _CLAUDE.fullmatch(value)
        ):
            yield Fault(
                view.in_ui("domain"),
                f'Claude takes no domain but 32 hexadecimal digits and ".claudemcpcontent.com", '
                f'and this is "{value}"',
                help="take the first 32 digits of the SHA-256 of the connector's URL, or leave "
                "`domain` out",
            )
            continue
        if subject.profiles == {"chatgpt"} or (subject.profiles == {"claude"}):
            # It is meant for the one host that is checked for.
            continue
        if isinstance(value, str) and _HOST.fullmatch(value):
            yield Fault(
                view.in_ui("domain"),
                f'the domain "{value}" of "{view.uri}" can suit one host only',
                severity="warning",
            )
        else:
            shown = f'"{value}"' if isinstance(value, str) else "a value that is no string"
            yield Fault(view.in_ui("domain"), f'"{view.uri}" has the domain {shown}')
