"""The MCP server: one tool whose arguments are the data, and the View that draws them."""

import json
import logging
import sys
from pathlib import Path
from typing import Annotated

from mcp.server.apps import APP_MIME_TYPE, Apps
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resources import FileResource
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from hello_app.figures import peak, spoken, totals

# The View as `mcpapps bundle` wrote it. Listing and content get the same metadata from the same
# file, and the HTML is read again for each request, so a new bundle needs no restart.
BUILT = Path(__file__).resolve().parent / "built"
VIEW = json.loads((BUILT / "chart.json").read_text("utf-8"))

apps = Apps()
apps.add_resource(
    FileResource(
        uri=VIEW["uri"],
        name="chart",
        description="Figures as a chart and a table",
        mime_type=APP_MIME_TYPE,
        path=BUILT / "chart.html",
        encoding="utf-8",
        meta=VIEW["_meta"],
    )
)

Name = Annotated[str, Field(min_length=1, max_length=60)]
Number = Annotated[float, Field(allow_inf_nan=False)]


class Row(BaseModel):
    """One point of the x axis."""

    label: Name
    values: list[Number] = Field(description="One value for each series, in their order")


class Chart(BaseModel):
    """What the View gets."""

    title: str
    unit: str
    series: list[str]
    rows: list[Row]
    totals: list[float] = Field(description="The sum of each series")


@apps.tool(
    resource_uri=VIEW["uri"],
    title="Show a chart",
    annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
    # Some hosts and gateways read only this older key; the SDK writes the nested one.
    meta={"ui/resourceUri": VIEW["uri"]},
)
def show_chart(
    title: Name,
    # Before the rows, for the View draws them while the model is still writing.
    series: Annotated[list[Name], Field(min_length=1, max_length=4)],
    rows: Annotated[list[Row], Field(min_length=1, max_length=200)],
    unit: Annotated[str, Field(max_length=12, description="Such as mm or EUR")] = "",
) -> Annotated[CallToolResult, Chart]:
    """Draw up to four series of figures as a chart and a table."""
    for row in rows:
        if len(row.values) != len(series):
            raise ToolError(
                f'row "{row.label}" has {len(row.values)} values for {len(series)} series'
            )
    values = [row.values for row in rows]
    sums = totals(values)
    top = peak(series, [row.label for row in rows], values)
    # For the model, and for hosts without Views.
    parts = [f"{name} {spoken(total, unit)}" for name, total in zip(series, sums, strict=True)]
    summary = (
        f"{title}: {len(rows)} {'row' if len(rows) == 1 else 'rows'}; in total "
        f"{', '.join(parts)}. The highest value is {spoken(top.value, unit)} "
        f"({top.series}, {top.label})."
    )
    data = Chart(title=title, unit=unit, series=series, rows=rows, totals=sums)
    return CallToolResult(
        content=[TextContent(type="text", text=summary)],
        structured_content=data.model_dump(),
    )


# After the tools: the server copies what `apps` holds at this moment.
mcp = MCPServer("hello-app", version="0.1.0", extensions=[apps])


def main() -> None:
    """Serve on stdio. stdout belongs to the protocol, so whatever is logged goes to stderr."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO)
    mcp.run("stdio")


if __name__ == "__main__":
    main()
