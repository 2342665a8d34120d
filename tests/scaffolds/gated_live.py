"""The template `live` as a server whose runs wait after their first batch until a file is there.

Usage: `python gated_live.py PROJECT GATE [http]`, the project being called `live-app`.
"""

import socket
import sys
import time
from pathlib import Path

sys.path.insert(0, sys.argv[1])

from live_app.darts import Run  # type: ignore[import-not-found]
from live_app.server import mcp  # type: ignore[import-not-found]

GATE = Path(sys.argv[2])
throw = Run.throw


def throw_and_wait(run: Run) -> None:
    throw(run)
    deadline = time.monotonic() + 120
    while not GATE.exists() and time.monotonic() < deadline:
        time.sleep(0.02)


Run.throw = throw_and_wait
if sys.argv[3:] == ["http"]:
    import uvicorn

    # FastMCP calls it otherwise.
    make = getattr(mcp, "http_app", None) or mcp.streamable_http_app
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        print(listener.getsockname()[1], flush=True)
        config = uvicorn.Config(make(), log_level="warning")
        uvicorn.Server(config).run(sockets=[listener])
else:
    mcp.run("stdio")
