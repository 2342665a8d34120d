"""The SDK's `Apps` extension, with what it lacks."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeVar

from mcp.server.context import ServerMiddleware
from mcp.server.extension import Extension, MethodBinding, ToolBinding
from mcp.server.mcpserver import MCPServer
from mcp.types import Icon, ToolAnnotations

from mcpapps_cli import wire
from mcpapps_cli.metadata import Extensions
from mcpapps_cli.server.assemble import assemble
from mcpapps_cli.server.check import (
    checked_flag,
    checked_function,
    checked_list,
    checked_text,
    checked_uri,
    checked_words,
)
from mcpapps_cli.server.declare import tool_meta
from mcpapps_cli.server.page import PageResource, variables
from mcpapps_cli.server.registry import Views
from mcpapps_cli.server.signature import as_tool
from mcpapps_cli.server.summary import Summary, with_summary
from mcpapps_cli.server.view import ViewResource
from mcpapps_cli.wire import Visibility

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Apps(Views):
    """Tools and their Views; `server` makes the server that serves them.

        apps = Apps()
        forecast = apps.add_view(BUILT / "forecast.html")

        @apps.tool(resource_uri=forecast, summary=lambda data: f"{data.high} degrees")
        def show_forecast(city: str) -> Forecast: ...

        mcp = apps.server("weather", version="1.0")

    Whatever is registered is checked first: a `ValueError` that names the argument, the value and
    the rule leaves everything as it was. All of `mcp.server.apps.Apps` is here too.

    Args:
        settings: What the server declares for the extension; the default names the media type.

    Raises:
        ValueError: `settings` is no object, or says something about one tool.
    """

    def __init__(self, *, settings: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self._settings: dict[str, Any] = Extensions().apps(settings).to_json()[wire.EXTENSION_ID]
        self._bindings: dict[str, tuple[ToolBinding, str | None]] = {}
        self._assembling = False

    def settings(self) -> dict[str, Any]:
        """Return what `capabilities.extensions` holds for MCP Apps."""
        return dict(self._settings)

    def tool(
        self,
        *,
        resource_uri: str | None = None,
        visibility: Sequence[Visibility] | None = None,
        meta: dict[str, Any] | None = None,
        flat_key: bool = False,
        summary: Summary | None = None,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        annotations: ToolAnnotations | None = None,
        icons: list[Icon] | None = None,
        structured_output: bool | None = None,
        **tool_kwargs: Any,
    ) -> Callable[[_Function], _Function]:
        """Register a tool (specification, Resource Discovery; Visibility).

        Args:
            resource_uri: The View that shows its results. None for a tool that Views call, with
                `visibility=["app"]`. A template of `page` becomes the one URI that its
                function's defaults give: what a call is about reaches the View with the call.
            visibility: Who may call it; None means both.
            meta: Other keys of `_meta`.
            flat_key: Also write the deprecated `ui/resourceUri`, which is all some hosts read.
            summary: Makes the text, images and links that the model gets from what the function
                returned, which the View gets as structured data; see `with_summary`.
            name: Default: the function's name.
            title: For people.
            description: For the model; default: the function's docstring.
            annotations: What the tool does to the world, in the SDK's words.
            icons: For people.
            structured_output: Whether there must be an output schema; None: where there can be.
            tool_kwargs: Nothing; what belongs to a View is refused with the place where it goes.

        Raises:
            ValueError: It names the argument, the value and the rule; nothing was registered.
        """
        self._check_open("tool")
        _check_rest(tool_kwargs)
        checked_words(name, title, description)
        if structured_output is not None:
            checked_flag("structured_output", structured_output)
        given = {
            "name": name,
            "title": title,
            "description": description,
            "annotations": annotations,
            "icons": icons,
            "structured_output": structured_output,
        }
        options = {option: value for option, value in given.items() if value is not None}
        if summary is not None:
            checked_function("summary", summary)
        uri = None if resource_uri is None else self._concrete(resource_uri)
        built = tool_meta(uri, visibility=visibility, flat_key=flat_key, meta=meta)

        def decorator(fn: _Function) -> _Function:
            self._check_open("tool")
            checked_function("fn", fn)
            served = fn if summary is None else with_summary(fn, summary)
            known = as_tool(served, options).name
            if known in self._bindings:
                raise ValueError(f'name "{known}" is taken: a tool "{known}" is registered already')
            self._bindings[known] = (ToolBinding(served, built, options), uri)
            return fn

        return decorator

    def tools(self) -> Sequence[ToolBinding]:
        """Return the tools in the order of their registration.

        Raises:
            ValueError: A tool's View is not registered.
        """
        for name, (_, uri) in self._bindings.items():
            if uri is not None and not self.has_view(uri):
                raise ValueError(
                    f'resource_uri "{uri}" of tool "{name}" is not registered; add the View with '
                    "add_view, add_html_resource or page"
                )
        return [binding for binding, _ in self._bindings.values()]

    def methods(self) -> Sequence[MethodBinding]:
        """Return nothing; called by the SDK when it takes over what was registered.

        Raises:
            ValueError: Something was registered that only `server` can serve.
        """
        if not self._assembling:
            dynamic = [each.uri for each in self.resources_of(PageResource)]
            hashed = [each.uri for each in self.resources_of(ViewResource) if each.has_hash]
            for uri in (*self._templates, *dynamic, *hashed):
                raise ValueError(f'"{uri}" needs a server made by Apps.server(...)')
        self._given = True
        return super().methods()

    def server(
        self,
        name: str | None = None,
        *,
        extensions: Sequence[Extension] = (),
        middleware: Sequence[ServerMiddleware[Any]] = (),
        lifespan: Callable[[MCPServer[Any]], AbstractAsyncContextManager[Any]] | None = None,
        **options: Any,
    ) -> MCPServer[Any]:
        """Return a server with everything registered so far; register nothing afterwards.

        It declares the extension in the handshakes of both eras when there is a View, answers any
        hash of a bundled View, and logs a warning at start for every tool, also those added to
        the server itself, whose View is not there.

        Args:
            name: The server's name.
            extensions: Others to declare.
            middleware: Runs inside of ours.
            lifespan: As for `MCPServer`.
            options: Everything else that `MCPServer` takes.

        Raises:
            ValueError: A tool's View is not registered, or an argument is not as described.
        """
        if name is not None:
            checked_text("name", name)
        extensions = checked_list("extensions", extensions, "a list of the SDK's extensions")
        for each in extensions:
            if not isinstance(each, Extension):
                raise ValueError(f"extensions entry {each!r} must be an Extension of the SDK")
        middleware = checked_list("middleware", middleware, "a list of functions")
        for step in middleware:
            checked_function("middleware entry", step)
        if lifespan is not None:
            checked_function("lifespan", lifespan)
        self._assembling = True
        try:
            return assemble(
                self,
                name,
                templates=tuple(self._templates.values()),
                views=self.resources_of(ViewResource),
                extensions=extensions,
                middleware=middleware,
                lifespan=lifespan,
                options=options,
            )
        finally:
            self._assembling = False
            self._given = True

    def _concrete(self, uri: str) -> str:
        template = self._templates.get(checked_uri("resource_uri", uri, template=True))
        if template is None:
            return checked_uri("resource_uri", uri)
        defaults = {name: each.default for name, each in variables(template.fn).items()}
        for name, default in defaults.items():
            if default is inspect.Parameter.empty:
                raise ValueError(
                    f'resource_uri "{uri}" is a template, and a tool names one URI; give the '
                    f"parameter {name} of its page a default, or name one of its URIs"
                )
        return checked_uri(
            "resource_uri", template.parsed.expand({k: str(v) for k, v in defaults.items()})
        )


def _check_rest(options: Mapping[str, Any]) -> None:
    for option in options:
        if option in (*wire.RESOURCE_META_KEYS, "prefers_border"):
            raise ValueError(
                f"{option}= says something about a View, and hosts do not read it on a tool; "
                "give it to add_html_resource, page or the View's bundle"
            )
        raise ValueError(f"{option}= is no option of a tool")
