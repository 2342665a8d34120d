"""The Views of a server: bundled, as a string, and made when read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from mcp.server import apps as sdk
from mcp.server.mcpserver.resources import Resource, TextResource
from mcp.shared.uri_template import InvalidUriTemplate, UriTemplate

from mcpapps_cli import wire
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.server.check import (
    CspLike,
    checked_function,
    checked_text,
    checked_ui,
    checked_uri,
    checked_words,
)
from mcpapps_cli.server.page import PageFunction, PageResource, reader, variables
from mcpapps_cli.server.view import ViewResource

_Resource = TypeVar("_Resource", bound=Resource)
_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Template:
    """A page for each URI of a template, as `MCPServer.resource` takes it."""

    parsed: UriTemplate
    fn: PageFunction
    options: Mapping[str, Any]


class Views(sdk.Apps):
    """Registers the resources; `Apps` adds the tools and the server."""

    def __init__(self) -> None:
        super().__init__()
        self._templates: dict[str, Template] = {}
        self._given = False

    def add_view(
        self,
        page: Path | str,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
    ) -> str:
        """Register a View that `mcpapps bundle` wrote; return its URI.

        Page and metadata are read again for each request, so a new bundle needs no restart.

        Args:
            page: The HTML file; the JSON lies beside it.
            name: Default: the file's name without its suffix.
            title: For people.
            description: For people.

        Raises:
            ValueError: A file is missing or not what `mcpapps bundle` writes, or the URI is taken.
        """
        if not isinstance(page, str | Path):
            raise ValueError(f"page {page!r} must be the path of a file")
        checked_words(name, title, description)
        view = ViewResource.from_bundle(
            Path(page).absolute(), name=name, title=title, description=description
        )
        self.add_resource(view)
        return view.uri

    def add_html_resource(
        self,
        uri: str,
        html: str,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        csp: sdk.ResourceCsp | CspLike | None = None,
        permissions: sdk.ResourcePermissions | Iterable[str] | None = None,
        domain: str | None = None,
        prefers_border: bool | None = None,
    ) -> None:
        """Register a View whose document is a string (specification, UI Resource Format).

        Args:
            uri: Starts with `ui://`.
            html: The document.
            name: Default: the URI.
            title: For people.
            description: For people.
            csp: The origins that it uses; the four lists are written, also empty ones.
            permissions: Any of camera, microphone, geolocation, clipboardWrite.
            domain: A host-specific sandbox domain.
            prefers_border: Best given, for hosts differ in what they take for granted.

        Raises:
            ValueError: It names the argument, the value and the rule; nothing was registered.
        """
        checked_words(name, title, description)
        resource = TextResource(
            uri=checked_uri("uri", uri),
            name=name,
            title=title,
            description=description,
            mime_type=wire.MIME_TYPE,
            meta=_meta(csp, permissions, domain, prefers_border),
            text=checked_text("html", html),
        )
        self.add_resource(resource)

    def add_resource(self, resource: Resource) -> None:
        """Register a resource of the SDK as a View.

        Raises:
            ValueError: Its URI, media type or `_meta.ui` is not as specified, or the URI is taken.
        """
        self._check_open("resource")
        if not isinstance(resource, Resource):
            raise ValueError(f"resource {resource!r} must be a Resource of the SDK")
        uri = checked_uri("uri", resource.uri)
        if uri in self._uris():
            raise ValueError(f'uri "{uri}" is registered already')
        faults = apps_metadata({"_meta": resource.meta or {}}).problems
        if faults:
            raise ValueError(f'meta of "{uri}": {faults[0].pointer} {faults[0].message}')
        super().add_resource(resource)

    def page(
        self,
        uri: str,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        csp: sdk.ResourceCsp | CspLike | None = None,
        permissions: sdk.ResourcePermissions | Iterable[str] | None = None,
        domain: str | None = None,
        prefers_border: bool | None = None,
    ) -> Callable[[_Function], _Function]:
        """Register a function that makes the document for each `resources/read`.

        The function returns HTML, or a `Page` with metadata for just this reading. It may be
        async. A parameter annotated with the SDK's `ServerRequestContext` gets the request.

        Args:
            uri: A `ui://` URI, or a template (RFC 6570) such as `ui://weather/{city}.html`, whose
                variables are the function's parameters. They are those of the request's own URI;
                nothing is kept between requests.
            name: Default: the function's name.
            title: For people.
            description: Default: the function's docstring.
            csp: For the listing, and for readings that return plain HTML, as the others are;
                see `add_html_resource`.
            permissions: See `add_html_resource`.
            domain: See `add_html_resource`.
            prefers_border: See `add_html_resource`.

        Raises:
            ValueError: It names the argument, the value and the rule; nothing was registered.
        """
        self._check_open("page")
        checked_words(name, title, description)
        try:
            parsed = UriTemplate.parse(checked_uri("uri", uri, template=True))
        except InvalidUriTemplate as error:
            raise ValueError(f'uri "{uri}" is no template: {error}') from error
        options: dict[str, Any] = {
            "title": title,
            "mime_type": wire.MIME_TYPE,
            "meta": _meta(csp, permissions, domain, prefers_border),
        }

        def decorator(fn: _Function) -> _Function:
            self._check_open("page")
            checked_function("fn", fn)
            wanted, given = set(parsed.variable_names), set(variables(fn))
            if wanted != given:
                raise ValueError(
                    f'uri "{uri}" has the variables {sorted(wanted)}, and the function has the '
                    f"parameters {sorted(given)}; they must be the same"
                )
            named: dict[str, Any] = {
                "name": name or getattr(fn, "__name__", uri),
                "description": description or fn.__doc__,
                **options,
            }
            if not wanted:
                self.add_resource(PageResource(uri=uri, make=reader(fn), **named))
            elif uri in self._uris():
                raise ValueError(f'uri "{uri}" is registered already')
            else:
                self._templates[uri] = Template(parsed, fn, named)
            return fn

        return decorator

    def resources_of(self, kind: type[_Resource]) -> list[_Resource]:
        """Return the registered resources of one kind."""
        return [each.resource for each in self.resources() if isinstance(each.resource, kind)]

    def _uris(self) -> set[str]:
        return {each.resource.uri for each in self.resources()} | set(self._templates)

    def has_view(self, uri: str) -> bool:
        """Whether `uri` is registered, or is one of a template's."""
        if any(each.resource.uri == uri for each in self.resources()):
            return True
        return any(each.parsed.match(uri) is not None for each in self._templates.values())

    def _check_open(self, what: str) -> None:
        if self._given:
            raise ValueError(
                f"this {what} comes too late: the server was made already, and it copied what was "
                "registered then; register first"
            )


def _meta(
    csp: sdk.ResourceCsp | CspLike | None,
    permissions: sdk.ResourcePermissions | Iterable[str] | None,
    domain: str | None,
    prefers_border: bool | None,
) -> dict[str, Any] | None:
    if isinstance(csp, sdk.ResourceCsp):
        csp = csp.model_dump(by_alias=True, exclude_none=True)
    if isinstance(permissions, sdk.ResourcePermissions):
        permissions = permissions.model_dump(by_alias=True, exclude_none=True)
    ui = checked_ui(
        csp=csp,
        permissions=() if permissions is None else permissions,
        domain=domain,
        prefers_border=prefers_border,
    )
    return {"ui": ui} if ui else None
