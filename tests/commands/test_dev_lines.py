"""What `mcpapps dev` says in a terminal, line by line."""

from __future__ import annotations

from datetime import datetime, timedelta

from mcpapps_cli.commands.dev_lines import Lines
from mcpapps_cli.dev import event as events
from mcpapps_cli.stage.event import NoteEvent, StepEvent, ViolationEvent

READY = events.Ready(
    url="http://127.0.0.1:5173/?token=abc",
    sandbox="http://localhost:5174/",
    server="python server.py",
    tools=("chart", "table", "refresh"),
    ui_tools=("chart", "table"),
)
MISSING = {
    "message": '"./chrat.js" does not exist',
    "position": {
        "path": "views/chart.html",
        "line": 14,
        "column": 16,
        "length": 10,
        "source": '  <script src="./chrat.js"></script>',
    },
    "help": 'did you mean "./chart.js"?',
}
FINDING = {
    "rule": "resource-uri-dangling",
    "code": "MA101",
    "severity": "error",
    "subject": "chart",
    "message": 'tool "chart" points at a resource the server cannot read',
    "help": 'did you mean "ui://x/chart"?',
}
SAID = [
    READY,
    events.Changed(("views/chart.js",)),
    events.BundleReady("chart", "ui://x/chart", 20_000, 21, written=True),
    StepEvent("v1", "chart", "painted", "ok", None, None, None),
    events.Changed(("server.py",)),
    events.ServerReady(2, ("chart",), 52, warm=True),
    events.LintReport((FINDING,), (), 1, 0),
    events.Changed(("views/chart.html",)),
    events.BuildFailed("chart", MISSING),
    events.ServerOutput("listening"),
    events.ServerOutput("Welcome!", noise=True),
    events.Changed(("a.py", "b.py", "c.py", "d.py")),
    events.ServerFailed(
        {
            "message": "the server exited with code 1",
            "details": ["SyntaxError: '(' was never closed"],
            "help": "correct it",
        }
    ),
    events.ServerReady(3, ("chart",), 912),
    events.LintReport((), (FINDING,), 0, 0),
    StepEvent("v1", "chart", "initialize", "broken", "script-error", None, None),
    ViolationEvent("v1", "chart", "connect-src", "https://api.example.com", 22),
    NoteEvent(None, None, "info", "no standby: it is reached by URL"),
    NoteEvent("v1", "chart", "info", "nobody needs this"),
]
GOLDEN = """
  Host     http://127.0.0.1:5173/?token=abc
  Sandbox  http://localhost:5174/
  Server   python server.py   3 tools, 2 with a View

  r reload   s restart server   o open   l lint   q quit

12:04:31  views/chart.js changed        rebuilt chart in 21 ms, re-mounted
12:04:32  chart: painted
12:04:33  server.py changed             server restarted in 52 ms
error[MA101]: tool "chart" points at a resource the server cannot read (chart)
 help: did you mean "ui://x/chart"?
12:04:34  lint: 1 error and 0 warnings
12:04:35  views/chart.html changed      chart: build failed, the last good View stays
error: "./chrat.js" does not exist
  --> views/chart.html:14:16
   |
14 |   <script src="./chrat.js"></script>
   |                ^^^^^^^^^^
 help: did you mean "./chart.js"?
  server  listening
warning: the server wrote a line to stdout that is no message: "Welcome!"
   help: log to stderr; stdout belongs to the protocol
12:04:36  a.py, b.py and 2 more changed  the server exited with code 1
   | SyntaxError: '(' was never closed
 help: correct it
12:04:37  server restarted in 912 ms, cold
12:04:38  lint: gone: resource-uri-dangling (chart)
12:04:39  lint: 0 errors and 0 warnings
12:04:40  chart: initialize broken: script-error
12:04:41  chart: connect-src blocked https://api.example.com (line 22)
12:04:42  no standby: it is reached by URL
"""


class Clock:
    """A second passes between two lines."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 30, 12, 4, 30)

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time


def test_each_event_is_the_line_that_it_should_be(capsys):
    write = Lines(keys=True, now=Clock())
    for event in SAID:
        write(event)
    assert capsys.readouterr().err == GOLDEN


def test_without_a_terminal_no_keys_are_named(capsys):
    Lines(keys=False)(READY)
    assert "reload" not in capsys.readouterr().err
