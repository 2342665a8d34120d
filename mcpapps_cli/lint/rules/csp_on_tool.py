"""Resource metadata that was put on the tool."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, rule, server, spec, tool
from mcpapps_cli.wire import RESOURCE_META_KEYS


@rule(
    "MA104",
    "error",
    why=(
        "A host takes the policy, the permissions and the border from the resource. On the tool "
        "they have no effect, and a strict host refuses the tool's metadata."
    ),
    fix="move it to `_meta.ui` of the resource: in resources/list and in the resources/read item",
    source=(
        spec("UI Resource Format"),
        issue("apify/apify-mcp-server#1190"),
        issue("PrefectHQ/fastmcp#3735"),
        issue("jztan/redmine-mcp-server#249"),
    ),
    bad=server(tool(csp={"connectDomains": ["https://api.example.com"]})),
    good=server(tool(visibility=["model", "app"])),
    near=(
        server(tool(meta={"ui": {"resourceUri": "ui://app/chart.html"}, "vendor/csp": {}})),
        server(tool("plain", meta={"ui": {"visibility": ["app"]}}), tool()),
    ),
)
def csp_on_tool(subject: Subject) -> Faults:
    """A tool carries metadata that hosts read only from the resource."""
    for entry in subject.tools:
        for key in RESOURCE_META_KEYS:
            if key in entry.ui:
                yield Fault(entry.at("_meta", "ui", key), f'hosts ignore "{key}" on {entry.label}')
