"""The MCP server: a tool that takes its time, and one by which its View sees how far it is."""

import json
import logging
import sys
from pathlib import Path
from typing import Annotated

import anyio.to_thread
from mcp.server.fastmcp import Context, FastMCP
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from hello_app.darts import Run

# The View as `mcpapps bundle` wrote it. Listing and content get the same metadata from the same
# file, and the HTML is read again for each request, so a new bundle needs no restart.
BUILT = Path(__file__).resolve().parent / "built"
VIEW = json.loads((BUILT / "darts.json").read_text("utf-8"))

mcp = FastMCP("hello-app")


@mcp.resource(
    VIEW["uri"],
    name="darts",
    description="A running estimate of pi",
    mime_type="text/html;profile=mcp-app",
    meta=VIEW["_meta"],
)
def darts_view() -> str:
    """Return the page; the SDK's FileResource would read it in the system's encoding."""
    return (BUILT / "darts.html").read_text("utf-8")


Key = tuple[str | None, int | str]
RUNS: dict[Key, list[Run]] = {}


class Progress(BaseModel):
    """What the View gets, while the computation runs and when it is done."""

    total: int
    throws: int
    inside: int
    history: list[tuple[int, float]] = Field(description="Throws so far, and the estimate then")
    sample: list[tuple[float, float]] = Field(description="Some of the darts, in the unit square")


def call_key(ctx: Context, call: int | str | None = None) -> Key:
    """Return what a call is filed under: this one, or another of the same client.

    An id belongs to its HTTP session; 7 and "7" are two ids. With `stateless_http` two
    clients may use one id at once: put the authenticated user in as well.
    """
    request = ctx.request_context.request
    session = request.headers.get("mcp-session-id") if request else None
    return session, ctx.request_context.request_id if call is None else call


@mcp.tool(
    title="Estimate pi",
    annotations=ToolAnnotations(readOnlyHint=True, openWorldHint=False),
    # The second key is the older one, and some hosts and gateways read only that.
    meta={"ui": {"resourceUri": VIEW["uri"]}, "ui/resourceUri": VIEW["uri"]},
)
async def estimate_pi(
    ctx: Context,
    throws: Annotated[int, Field(ge=1000, le=100_000_000)] = 20_000_000,
) -> Annotated[CallToolResult, Progress]:
    """Estimate pi by throwing darts at a square; millions of throws take some seconds."""
    key, run = call_key(ctx), Run(throws)
    RUNS.setdefault(key, []).append(run)
    try:
        # Cancelling ends the loop: the batch that is under way is short.
        while not run.is_done:
            await anyio.to_thread.run_sync(run.throw)
            await ctx.report_progress(run.throws, run.total)
    finally:
        # The id may come again once this call has its answer.
        RUNS[key].remove(run)
        if not RUNS[key]:
            del RUNS[key]
    estimate = run.history[-1][1]
    summary = f"Pi is about {estimate}: {run.inside:,} of {run.total:,} darts hit the circle."
    return CallToolResult(
        content=[TextContent(type="text", text=summary)],
        structuredContent=_progress(run).model_dump(),
    )


def _progress(run: Run) -> Progress:
    return Progress(
        total=run.total,
        throws=run.throws,
        inside=run.inside,
        history=list(run.history),
        sample=list(run.sample),
    )


@mcp.tool(
    title="Watch a run",
    annotations=ToolAnnotations(readOnlyHint=True, openWorldHint=False),
    # The model does not see this tool: the View calls it with the id of the call that it shows.
    meta={"ui": {"visibility": ["app"]}},
)
def watch_run(
    ctx: Context,
    call: Annotated[int | str, Field(description="The JSON-RPC id of the call, its type as it is")],
) -> CallToolResult:
    """Tell how far a call of estimate_pi is; nothing when it has not begun or has its answer."""
    runs = RUNS.get(call_key(ctx, call), [])
    # Of two clients with one id nobody is shown the other's run.
    if len(runs) != 1:
        return CallToolResult(content=[TextContent(type="text", text="No such run.")])
    [run] = runs
    text = f"{run.throws:,} of {run.total:,} darts thrown."
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structuredContent=_progress(run).model_dump(),
    )


def main() -> None:
    """Serve on stdio. stdout belongs to the protocol, so whatever is logged goes to stderr."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO)
    mcp.run("stdio")


if __name__ == "__main__":
    main()
