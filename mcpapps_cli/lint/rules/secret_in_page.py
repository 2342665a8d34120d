"""Secrets that everybody can read."""

from __future__ import annotations

import re

from mcpapps_cli.lint.rule import Fault, Faults, Subject, page, rule, server

# How each begins, so that a page without these is not searched.
_SECRETS = (
    ("an AWS access key", ("AKIA", "ASIA"), r"(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    ("a GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9]{36,}\b"),
    ("a GitHub token", ("github_pat_",), r"github_pat_\w{40,}\b"),
    (
        "a key of OpenAI or Anthropic",
        ("sk-proj-", "sk-ant-"),
        r"sk-(?:proj|ant)-[A-Za-z0-9_-]{32,}",
    ),
    ("a secret key of Stripe", ("sk_live_", "rk_live_"), r"[rs]k_live_[A-Za-z0-9]{20,}\b"),
    ("a Slack token", ("xoxb-", "xoxp-", "xoxa-"), r"xox[abp]-[A-Za-z0-9-]{20,}"),
    ("a private key", ("-----BEGIN ",), r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----"),
)
_PATTERNS = [(name, starts, re.compile(rf"(?<!\w){text}")) for name, starts, text in _SECRETS]
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
        for name, starts, pattern in _PATTERNS:
            if not any(start in served.text for start in starts):
                continue
            for match in pattern.finditer(served.text):
                yield Fault(served.at(*match.span()), f"this is {name}")
