"""The pytest plugin: the fixture `mcp_app`, its options, and the verdict after a test.

Nothing is imported here before a test asks for it: pytest loads this in every project.
"""

from __future__ import annotations

import inspect
from collections.abc import Generator, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from mcpapps_cli.testing.app import McpApp
    from mcpapps_cli.testing.session import Session

_MARK = "mcpapps"
_KEYS = ("profiles", "themes", "allow", "target", "fresh")
_apps = pytest.StashKey["McpApp"]()
_SECTION = "mcpapps"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and the settings."""
    group = parser.getgroup("mcpapps", "MCP Apps")
    group.addoption(
        "--mcpapps-profile",
        action="append",
        metavar="HOST",
        help="run tests of Views in this emulated host too; repeatable",
    )
    group.addoption(
        "--mcpapps-theme",
        action="append",
        choices=["light", "dark"],
        help="run tests of Views in this theme; repeatable",
    )
    group.addoption(
        "--mcpapps-target",
        metavar="TARGET",
        help="the server: a folder, file.py, file.py:object, URL, or .mcp.json entry",
    )
    parser.addini("mcpapps_target", "the server, as for --mcpapps-target; default: the project's")
    parser.addini("mcpapps_timeout", "seconds for the server's start and answers", default="15")


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line(
        "markers",
        "mcpapps(profiles=[], themes=[], allow=(), target=None, fresh=False): the hosts and themes "
        "that a test of a View runs in, what may be wrong, and which server it gets",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that uses `mcp_app` once for each host and theme."""
    if "mcp_app" not in metafunc.fixturenames:
        return
    marked = _marked(metafunc.definition)
    for fixture, key, option in (
        ("mcpapps_profile", "profiles", "mcpapps_profile"),
        ("mcpapps_theme", "themes", "mcpapps_theme"),
    ):
        values = marked.get(key) or metafunc.config.getoption(option)
        if values:
            names = [values] if isinstance(values, str) else list(values)
            metafunc.parametrize(fixture, names, ids=names)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
    """Look at the Views of a test when it is over: what is wrong with one fails the test."""
    __tracebackhide__ = True
    try:
        result = yield
    except Exception as exc:
        _explain(exc, pyfuncitem)
        raise
    if (app := pyfuncitem.stash.get(_apps, None)) is not None:
        from mcpapps_cli.testing.fault import ViewFault

        for view in app.views:
            try:
                view.check()
            except ViewFault as exc:
                pytest.fail(str(exc), pytrace=False)
    return result


def _explain(exc: Exception, item: pytest.Function) -> None:
    app = item.stash.get(_apps, None)
    if app is None:
        return
    from mcpapps_cli.errors import McpAppsError
    from mcpapps_cli.testing.fault import ViewFault

    if isinstance(exc, McpAppsError | ViewFault):
        # What the test did is of interest, not how it is done here.
        _cut(exc.__traceback__)
    if isinstance(exc, McpAppsError):
        for line in exc.details:
            exc.add_note(f"  {line}")
        if exc.help:
            exc.add_note(f"help: {exc.help}")
    if not isinstance(exc, ViewFault):
        for view in app.views:
            if faults := view.faults:
                item.add_report_section("call", _SECTION, view.explain(faults))


def _cut(traceback: TracebackType | None) -> None:
    while traceback is not None and traceback.tb_next is not None:
        name = traceback.tb_next.tb_frame.f_globals.get("__name__", "")
        if name.startswith("mcpapps_cli.") and name != __name__:
            traceback.tb_next = None
        traceback = traceback.tb_next


@pytest.fixture(scope="session")
def mcp_app_server(pytestconfig: pytest.Config) -> object:
    """The server under test: TARGET as a string, or a server object, which then runs in memory.

    Override it in `conftest.py` to test an object of this process.
    """
    return pytestconfig.getoption("mcpapps_target") or pytestconfig.getini("mcpapps_target") or None


@pytest.fixture
def mcpapps_profile() -> str:
    """The emulated host of `render` without `profile`."""
    return "spec"


@pytest.fixture
def mcpapps_theme() -> str | None:
    """The theme of `render` without `theme`; None is the host's own."""
    return None


@pytest.fixture(scope="session")
def _mcpapps_session(pytestconfig: pytest.Config) -> Iterator[Session]:
    from mcpapps_cli.testing.session import Session

    session = Session(pytestconfig.rootpath, timeout=float(pytestconfig.getini("mcpapps_timeout")))
    yield session
    session.close()


@pytest.fixture
def mcp_app(
    request: pytest.FixtureRequest,
    mcp_app_server: object,
    mcpapps_profile: str,
    mcpapps_theme: str | None,
    _mcpapps_session: Session,
) -> Iterator[McpApp]:
    """The project's app: `call`, `tools`, `read`, `render` and `render_in_memory`."""
    from mcpapps_cli.errors import McpAppsError
    from mcpapps_cli.testing.app import explained

    marked = _marked(request.node)
    if inspect.iscoroutinefunction(request.function):
        pytest.fail(
            "mcp_app waits for what it does, so a test that uses it is a plain function", False
        )
    try:
        app = _mcpapps_session.app(
            marked.get("target", mcp_app_server),
            fresh=bool(marked.get("fresh", False)),
            profile=mcpapps_profile,
            theme=mcpapps_theme,
            allow=marked.get("allow", ()),
        )
    except McpAppsError as exc:
        pytest.fail(explained(exc), pytrace=False)
    request.node.stash[_apps] = app
    yield app
    app.close()


def _marked(item: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    # The closest one wins, and one on the class or the module fills in what it leaves out.
    for mark in item.iter_markers(_MARK):
        if wrong := [*mark.args, *(key for key in mark.kwargs if key not in _KEYS)]:
            raise pytest.Collector.CollectError(
                f"{item.nodeid}: the marker mcpapps knows no {wrong[0]!r}; use {', '.join(_KEYS)}"
            )
        found = {**mark.kwargs, **found}
    return found
