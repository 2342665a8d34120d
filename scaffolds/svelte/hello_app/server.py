"""The MCP server: one tool, and the View that draws what it returns."""

import json
import logging
import sys
from pathlib import Path
from typing import Annotated

from mcp.server.apps import APP_MIME_TYPE, Apps
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.resources import FileResource
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from hello_app.rhythm import make_rhythm, written

# The View as `mcpapps bundle` wrote it. Listing and content get the same metadata from the same
# file, and the HTML is read again for each request, so a new bundle needs no restart.
BUILT = Path(__file__).resolve().parent / "built"
VIEW = json.loads((BUILT / "rhythm.json").read_text("utf-8"))

apps = Apps()
apps.add_resource(
    FileResource(
        uri=VIEW["uri"],
        name="rhythm",
        description="A rhythm on a circle",
        mime_type=APP_MIME_TYPE,
        path=BUILT / "rhythm.html",
        encoding="utf-8",
        meta=VIEW["_meta"],
    )
)


class Rhythm(BaseModel):
    """What the View gets."""

    beats: int
    steps: int
    turn: int = Field(description="How many steps the first beat is moved on")
    pattern: list[bool] = Field(description="Whether each step has a beat")


@apps.tool(
    resource_uri=VIEW["uri"],
    title="Show a rhythm",
    annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
    # Some hosts and gateways read only this older key; the SDK writes the nested one.
    meta={"ui/resourceUri": VIEW["uri"]},
)
def show_rhythm(
    beats: Annotated[int, Field(ge=1, le=16)] = 3,
    steps: Annotated[int, Field(ge=2, le=16)] = 8,
    turn: Annotated[int, Field(ge=0, le=15, description="Steps to move the first beat on")] = 0,
) -> Annotated[CallToolResult, Rhythm]:
    """Show a rhythm that spreads its beats over its steps as evenly as it can."""
    pattern = make_rhythm(min(beats, steps), steps, turn)
    data = Rhythm(beats=sum(pattern), steps=steps, turn=turn, pattern=pattern)
    # For the model, and for hosts without Views.
    summary = f"{data.beats} beats in {steps} steps: {written(pattern)}"
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
