"""Secrets that everybody can read."""

from __future__ import annotations

import re

from mcpapps_cli.lint.rule import Fault, Faults, Subject, page, rule, server

_SECRETS = {
    "an AWS access key": re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    "a GitHub token": re.compile(r"\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_\w{40,}\b"),
    "an OpenAI or Anthropic key": re.compile(r"\bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{32,}\b"),
    "a Stripe secret key": re.compile(r"\b[rs]k_live_[A-Za-z0-9]{20,}\b"),
    "a Slack token": re.compile(r"\bxox[abprs]-[A-Za-z0-9-]{20,}\b"),
    "a private key": re.compile(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----"),
}
_MARKS = ("AKIA", "ASIA", "gh", "sk-", "k_live_", "xox", "-----BEGIN ")
_KEY = "AKIA" + "Q3EGRK7YHXB2WLMN"


@rule(
    "MA318",
    "error",
    why="The page goes to every user of every host: whoever has it has the key.",
    fix="revoke the key, keep it on the server, and let the View call a tool",
    source=("https://cwe.mitre.org/data/definitions/798.html",),
    bad=server(page(more=f'const key = "{_KEY}";')),
    good=server(page(more='app.callServerTool({ name, arguments: { city: "Oslo" } });')),
    near=(
        server(page(more='const note = "AKIA is how an access key begins";')),
        server(page(more='const id = "pk_live_' + "a1B2" * 8 + '";')),
    ),
    evidence="static",
)
def secret_in_page(subject: Subject) -> Faults:
    """A served page has a secret in it."""
    for _, served in subject.pages:
        if not any(mark in served.text for mark in _MARKS):
            continue
        for name, pattern in _SECRETS.items():
            for match in pattern.finditer(served.text):
                yield Fault(served.at(*match.span()), f"this is {name}")
