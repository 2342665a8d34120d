"""The content item has `_meta.ui` and the listing has none."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    UNSET,
    Fault,
    Faults,
    Subject,
    issue,
    resource,
    rule,
    server,
)
from mcpapps_cli.lint.rules._both_metas import ORIGINS, REORDERED


@rule(
    "MA106",
    "warning",
    why=(
        "Some hosts build the policy from resources/list, or lose `_meta` of the content item on "
        "the way; with them the View runs under the default policy."
    ),
    fix="give the resource the same `_meta.ui` when it is registered, so that the listing has it",
    source=(
        issue("PostHog/posthog#76899"),
        issue("anthropics/claude-agent-sdk-typescript#390"),
    ),
    bad=server(resource(meta=ORIGINS, listing_meta=UNSET)),
    good=server(resource(meta=ORIGINS, listing_meta=ORIGINS)),
    near=(
        server(resource(listed=False)),
        server(resource(meta=REORDERED, listing_meta=ORIGINS)),
    ),
)
def csp_missing_on_listing(subject: Subject) -> Faults:
    """The content item has `_meta.ui` and the listing has none."""
    for view in subject.resources:
        if view.raw.listing is not None and view.content_ui and not view.listing_ui:
            yield Fault(
                view.in_content("_meta", "ui"),
                f'"_meta.ui" of "{view.uri}" is in resources/read only',
            )
