"""The MCP server: one tool, and the View that draws what it returns."""

import calendar
import json
import logging
import sys
from datetime import date
from pathlib import Path
from typing import Annotated

from mcp.server.fastmcp import FastMCP
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from hello_app.daylight import LATITUDES, PLACES, Place, daylight_by_month, spoken

# The View as `mcpapps bundle` wrote it. Listing and content get the same metadata from the same
# file, and the HTML is read again for each request, so a new bundle needs no restart.
BUILT = Path(__file__).resolve().parent / "built"
VIEW = json.loads((BUILT / "daylight.json").read_text("utf-8"))

mcp = FastMCP("hello-app")


@mcp.resource(
    VIEW["uri"],
    name="daylight",
    description="Hours of daylight through the year",
    mime_type="text/html;profile=mcp-app",
    meta=VIEW["_meta"],
)
def daylight_view() -> str:
    """Return the page; the SDK's FileResource would read it in the system's encoding."""
    return (BUILT / "daylight.html").read_text("utf-8")


class Daylight(BaseModel):
    """What the View gets."""

    place: str
    places: list[str] = Field(description="Every place that the tool knows")
    latitude: float = Field(description="Degrees, north positive")
    month: int = Field(ge=1, le=12)
    hours: list[float] = Field(description="Hours of daylight on the 21st of each month")


@mcp.tool(
    title="Show daylight",
    annotations=ToolAnnotations(readOnlyHint=True, openWorldHint=False),
    # The second key is the older one, and some hosts and gateways read only that.
    meta={"ui": {"resourceUri": VIEW["uri"]}, "ui/resourceUri": VIEW["uri"]},
)
def show_daylight(
    place: Place = "Oslo",
    month: Annotated[int | None, Field(ge=1, le=12, description="Default: this month")] = None,
) -> Annotated[CallToolResult, Daylight]:
    """Show how many hours of daylight a place has in each month of the year."""
    month = month or date.today().month
    hours = daylight_by_month(LATITUDES[place])
    data = Daylight(
        place=place, places=list(PLACES), latitude=LATITUDES[place], month=month, hours=hours
    )
    # For the model, and for hosts without Views.
    summary = (
        f"{place} has {spoken(hours[month - 1])} of daylight on 21 {calendar.month_name[month]}; "
        f"between {spoken(min(hours))} and {spoken(max(hours))} through the year."
    )
    return CallToolResult(
        content=[TextContent(type="text", text=summary)],
        structuredContent=data.model_dump(),
    )


def main() -> None:
    """Serve on stdio. stdout belongs to the protocol, so whatever is logged goes to stderr."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO)
    mcp.run("stdio")


if __name__ == "__main__":
    main()
