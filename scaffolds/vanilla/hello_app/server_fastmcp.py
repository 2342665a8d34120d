"""The MCP server: one tool, and the View that draws what it returns."""

import calendar
import json
import logging
import sys
from datetime import date
from pathlib import Path
from typing import Annotated

from fastmcp import FastMCP
from fastmcp.apps import AppConfig
from fastmcp.resources import FileResource
from fastmcp.tools import ToolResult
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

from hello_app.daylight import LATITUDES, PLACES, Place, daylight_by_month, spoken

# The View as `mcpapps bundle` wrote it. Listing and content get the same metadata from the same
# file, and the HTML is read again for each request, so a new bundle needs no restart.
BUILT = Path(__file__).resolve().parent / "built"
VIEW = json.loads((BUILT / "daylight.json").read_text("utf-8"))

mcp = FastMCP("hello-app", version="0.1.0")
mcp.add_resource(
    FileResource(
        uri=VIEW["uri"],
        name="daylight",
        description="Hours of daylight through the year",
        mime_type="text/html;profile=mcp-app",
        path=BUILT / "daylight.html",
        encoding="utf-8",
        meta=VIEW["_meta"],
    )
)


class Daylight(BaseModel):
    """What the View gets."""

    place: str
    places: list[str] = Field(description="Every place that the tool knows")
    latitude: float = Field(description="Degrees, north positive")
    month: int = Field(ge=1, le=12)
    hours: list[float] = Field(description="Hours of daylight on the 21st of each month")


@mcp.tool(
    app=AppConfig(resource_uri=VIEW["uri"]),
    title="Show daylight",
    annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
    # Some hosts and gateways read only this older key; `app` writes the nested one.
    meta={"ui/resourceUri": VIEW["uri"]},
    output_schema=Daylight.model_json_schema(),
)
def show_daylight(
    place: Place = "Oslo",
    month: Annotated[int | None, Field(ge=1, le=12, description="Default: this month")] = None,
) -> ToolResult:
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
    return ToolResult(content=summary, structured_content=data)


def main() -> None:
    """Serve on stdio. stdout belongs to the protocol, so whatever is logged goes to stderr."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO)
    mcp.run("stdio", show_banner=False)


if __name__ == "__main__":
    main()
