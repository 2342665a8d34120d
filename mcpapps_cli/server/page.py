"""Views that are made when they are read: for one URI, or for each URI of a template."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, cast

import anyio.to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.mcpserver.resources import Resource
from pydantic import Field

from mcpapps_cli.server.check import CspLike, checked_list, checked_text, checked_ui
from mcpapps_cli.server.signature import evaluated


@dataclass(frozen=True)
class Page:
    """A document and the metadata that goes with just this reading of it.

    What is said here replaces the whole `_meta.ui` of the listing for hosts
    (specification, Metadata Location), so say all of it.

    Attributes:
        html: The document.
        csp: As for `ui_resource`, and so are the others.
        permissions: See `ui_resource`.
        domain: See `ui_resource`.
        prefers_border: See `ui_resource`.

    Raises:
        ValueError: It names the argument, the value and the rule.
    """

    html: str
    csp: CspLike | None = None
    permissions: Iterable[str] = ()
    domain: str | None = None
    prefers_border: bool | None = None

    def __post_init__(self) -> None:
        checked_text("html", self.html)
        names = checked_list("permissions", self.permissions, 'a list such as ["camera"]')
        object.__setattr__(self, "permissions", tuple(names))
        self.ui()

    def ui(self) -> dict[str, Any]:
        """Return it as `_meta.ui`."""
        return checked_ui(
            csp=self.csp,
            permissions=self.permissions,
            domain=self.domain,
            prefers_border=self.prefers_border,
        )


@dataclass(slots=True)
class Reading:
    """One `resources/read` request while it is answered."""

    ctx: ServerRequestContext[Any, Any]
    ui: Mapping[str, Any] | None = field(default=None)


reading: ContextVar[Reading] = ContextVar("reading")
"""The request being answered. Each has its own, and a worker thread sees that of its caller, so
nothing that one client asked for can reach another."""

PageFunction = Callable[..., Any]


def context_parameter(fn: PageFunction) -> str | None:
    """Return the name of the parameter that is annotated with `ServerRequestContext`."""
    for name, parameter in evaluated(fn).parameters.items():
        kind = parameter.annotation
        if getattr(kind, "__origin__", kind) is ServerRequestContext:
            return name
    return None


def variables(fn: PageFunction) -> dict[str, inspect.Parameter]:
    """Return the parameters that a template's variables fill."""
    context = context_parameter(fn)
    parameters = evaluated(fn).parameters
    return {name: each for name, each in parameters.items() if name != context}


def reader(fn: PageFunction) -> Callable[..., Any]:
    """Return `fn` for the SDK: without the context parameter, giving HTML, noting the metadata."""
    context = context_parameter(fn)

    @functools.wraps(fn)
    async def read(**values: Any) -> str:
        current = reading.get()
        if context is not None:
            values[context] = current.ctx
        call = functools.partial(fn, **values)
        if inspect.iscoroutinefunction(fn):
            made = await call()
        else:
            made = await anyio.to_thread.run_sync(call)
        if isinstance(made, Page):
            current.ui = made.ui()
            return made.html
        if not isinstance(made, str):
            raise TypeError(f"a page function returns str or Page, not {type(made).__name__}")
        return made

    wrapper: Any = read
    wrapper.__signature__ = inspect.Signature(
        [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in variables(fn).values()],
        return_annotation=str,
    )
    wrapper.__annotations__ = {name: each.annotation for name, each in variables(fn).items()}
    return cast("Callable[..., Any]", wrapper)


class PageResource(Resource):
    """A View of one URI whose document is made by a function."""

    make: Callable[..., Any] = Field(exclude=True)

    async def read(self) -> str:
        """Make the document."""
        html: str = await self.make()
        return html
