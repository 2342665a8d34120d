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

from hello_app.palette import SCHEMES, Scheme, contrast, make_palette, text_on

# The View as `mcpapps bundle` wrote it. Listing and content get the same metadata from the same
# file, and the HTML is read again for each request, so a new bundle needs no restart.
BUILT = Path(__file__).resolve().parent / "built"
VIEW = json.loads((BUILT / "palette.json").read_text("utf-8"))

apps = Apps()
apps.add_resource(
    FileResource(
        uri=VIEW["uri"],
        name="palette",
        description="Colours that go together",
        mime_type=APP_MIME_TYPE,
        path=BUILT / "palette.html",
        encoding="utf-8",
        meta=VIEW["_meta"],
    )
)


class Swatch(BaseModel):
    """A colour, and the text that can be read on it."""

    colour: str
    text: str
    contrast: float = Field(description="Ratio of the two, from 1 to 21")


class Palette(BaseModel):
    """What the View gets."""

    colour: str
    scheme: Scheme
    schemes: list[Scheme] = Field(description="Every scheme that the tool knows")
    swatches: list[Swatch]


@apps.tool(
    resource_uri=VIEW["uri"],
    title="Show a palette",
    annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
    # Some hosts and gateways read only this older key; the SDK writes the nested one.
    meta={"ui/resourceUri": VIEW["uri"]},
)
def show_palette(
    colour: Annotated[str, Field(pattern="^#[0-9a-fA-F]{6}$", description="As #rrggbb")] = "#2f6fed",
    scheme: Scheme = "triadic",
) -> Annotated[CallToolResult, Palette]:
    """Show colours that go together with one colour, and how well text can be read on them."""
    swatches = [
        Swatch(colour=each, text=text_on(each), contrast=contrast(each, text_on(each)))
        for each in make_palette(colour, scheme)
    ]
    data = Palette(colour=colour, scheme=scheme, schemes=list(SCHEMES), swatches=swatches)
    # For the model, and for hosts without Views.
    summary = f"A {scheme} palette from {colour}: {', '.join(each.colour for each in swatches)}."
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
