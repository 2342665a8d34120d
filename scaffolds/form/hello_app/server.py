"""The MCP server: the model plans a booking, a person makes it."""

import json
import logging
import sys
from datetime import date, time
from pathlib import Path
from typing import Annotated

from mcp.server.apps import APP_MIME_TYPE, Apps
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resources import FileResource
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from hello_app.rooms import CLOSES, OPENS, ROOMS, SEATS, STEP, Booking, Calendar, Room, Taken, spoken

# The View as `mcpapps bundle` wrote it. Listing and content get the same metadata from the same
# file, and the HTML is read again for each request, so a new bundle needs no restart.
BUILT = Path(__file__).resolve().parent / "built"
VIEW = json.loads((BUILT / "booking.json").read_text("utf-8"))

apps = Apps()
apps.add_resource(
    FileResource(
        uri=VIEW["uri"],
        name="booking",
        description="A meeting room's day, and the booking to confirm",
        mime_type=APP_MIME_TYPE,
        path=BUILT / "booking.html",
        encoding="utf-8",
        meta=VIEW["_meta"],
    )
)
calendar = Calendar()


class Slot(BaseModel):
    """Time that somebody has; minutes since midnight."""

    title: str
    room: Room
    start: int
    minutes: int


class Plan(BaseModel):
    """What the View gets: the booking as proposed, and the day around it."""

    day: date
    draft: Slot
    taken: list[Slot]
    seats: dict[Room, int]
    opens: int = Field(description="Minutes since midnight")
    closes: int = Field(description="Minutes since midnight")
    step: int = Field(description="Bookings begin and end on multiples of this, in minutes")


Minutes = Annotated[int, Field(ge=STEP, le=CLOSES - OPENS, multiple_of=STEP)]


@apps.tool(
    resource_uri=VIEW["uri"],
    title="Plan a booking",
    annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
    # Some hosts and gateways read only this older key; the SDK writes the nested one.
    meta={"ui/resourceUri": VIEW["uri"]},
)
def plan_booking(
    title: str = "",
    room: Annotated[Room | None, Field(description="Default: the smallest that is free")] = None,
    day: Annotated[date | None, Field(description="Default: today")] = None,
    start: Annotated[time, Field(description="On the half hour, from 08:00")] = time(9),
    minutes: Minutes = 60,
) -> Annotated[CallToolResult, Plan]:
    """Propose a booking of a meeting room. The user sees it, may change it, and alone can make it."""
    day = day or date.today()
    begin = min(max(start.hour * 60 + start.minute, OPENS), CLOSES - minutes)
    begin -= begin % STEP
    choices = [Booking(title, name, day, begin, minutes) for name in ([room] if room else ROOMS)]
    free = [choice for choice in choices if calendar.is_free(choice)]
    draft = (free or choices)[0]
    summary = (
        f"{draft.room} is {'free' if free else 'taken'} {spoken(draft)}. "
        "Nothing is booked: the user decides in the View."
    )
    return CallToolResult(
        content=[TextContent(type="text", text=summary)],
        structured_content=_plan(draft).model_dump(mode="json"),
    )


def _plan(draft: Booking) -> Plan:
    def slot(each: Booking) -> Slot:
        return Slot(title=each.title, room=each.room, start=each.start, minutes=each.minutes)

    return Plan(
        day=draft.day,
        draft=slot(draft),
        taken=[slot(each) for each in calendar.on(draft.day)],
        seats=SEATS,
        opens=OPENS,
        closes=CLOSES,
        step=STEP,
    )


# After the tools with a View: the server copies what `apps` holds at this moment.
mcp = MCPServer("hello-app", version="0.1.0", extensions=[apps])


@mcp.tool(
    title="Book a room",
    annotations=ToolAnnotations(
        read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
    ),
    # The model does not see this tool: only the View calls it, after a person has said yes.
    meta={"ui": {"visibility": ["app"]}},
)
def book_room(
    title: str, room: Room, day: date, start: int, minutes: Minutes
) -> Annotated[CallToolResult, Plan]:
    """Book a meeting room; `start` is in minutes since midnight."""
    booking = Booking(title.strip() or "Meeting", room, day, start, minutes)
    try:
        calendar.book(booking)
    except (Taken, ValueError) as error:
        raise ToolError(str(error)) from error
    return CallToolResult(
        content=[TextContent(type="text", text=f"{booking.title}: {room} {spoken(booking)}.")],
        structured_content=_plan(booking).model_dump(mode="json"),
    )


def main() -> None:
    """Serve on stdio. stdout belongs to the protocol, so whatever is logged goes to stderr."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO)
    mcp.run("stdio")


if __name__ == "__main__":
    main()
