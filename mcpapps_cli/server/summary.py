"""Two readers of one result: words for the model, data for the View."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Annotated, Any, cast

from mcp.server.mcpserver import Audio, Image
from mcp.server.mcpserver.utilities.func_metadata import FuncMetadata
from mcp.types import (
    AudioContent,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
)
from pydantic import BaseModel, TypeAdapter, ValidationError

from mcpapps_cli.server.check import checked_function
from mcpapps_cli.server.signature import as_tool, evaluated

Summary = Callable[[Any], Any]
"""From what the tool returned to a string, a content block, the SDK's `Image` or `Audio`, or
several of these."""

_BLOCKS = (TextContent, ImageContent, AudioContent, ResourceLink, EmbeddedResource)


def with_summary(fn: Callable[..., Any], summary: Summary) -> Callable[..., Any]:
    """Return `fn` as a tool whose `content` is a summary beside its structured data.

    The data is validated against the schema of the return type, which stays the tool's
    `outputSchema` (specification, Data Passing; core, Structured Content). An empty summary
    leaves the SDK's text, since `content` must say something.

    Args:
        fn: A function whose return type has a JSON Schema.
        summary: Called with what `fn` returned.

    Raises:
        ValueError: One of the two is no function, or the return type has no JSON Schema, or is a
            finished result.
    """
    checked_function("fn", fn)
    checked_function("summary", summary)
    name = getattr(fn, "__name__", "tool")
    signature = evaluated(fn)
    returned = signature.return_annotation
    if _is_result(returned):
        raise ValueError(
            f'summary= of tool "{name}" makes the content, and the function returns a finished '
            "CallToolResult; drop one of the two"
        )
    plain = as_tool(fn, {}).fn_metadata
    if plain.output_model is None:
        shown = getattr(returned, "__name__", returned)
        if returned is inspect.Signature.empty:
            shown = "nothing"
        raise ValueError(
            f'summary= of tool "{name}" needs a return type that has a JSON Schema, such as a '
            f"pydantic model, and the function says {shown}"
        )

    def result(value: Any) -> Any:
        converted = plain.convert_result(value)
        if isinstance(value, CallToolResult) or not isinstance(converted, CallToolResult):
            return converted
        changes: dict[str, Any] = {}
        if blocks := list(_blocks(summary(value))):
            changes["content"] = blocks
        try:
            plain.convert_result(converted)  # as the SDK does with a finished result
        except ValidationError:
            changes["structured_content"] = _in_python(plain, value)
        return converted.model_copy(update=changes)

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        return result(fn(*args, **kwargs))

    @functools.wraps(fn)
    async def call_async(*args: Any, **kwargs: Any) -> Any:
        return result(await fn(*args, **kwargs))

    wrapper: Any = call_async if inspect.iscoroutinefunction(fn) else call
    annotation = Annotated[CallToolResult, returned]
    wrapper.__signature__ = signature.replace(return_annotation=annotation)
    # The SDK finds its context parameter by these.
    wrapper.__annotations__ = {
        **{name: each.annotation for name, each in signature.parameters.items()},
        "return": annotation,
    }
    return cast("Callable[..., Any]", wrapper)


def _in_python(plain: FuncMetadata, value: Any) -> Any:
    # A strict model takes no JSON form of a date; the SDK makes it JSON on the way out.
    adapter: TypeAdapter[Any] = TypeAdapter(plain.output_model)
    wrapped = {"result": value} if plain.wrap_output else value
    valid = adapter.validate_python(wrapped, by_alias=True, by_name=True)
    if isinstance(valid, BaseModel):
        return valid.model_dump(by_alias=True)
    return adapter.dump_python(valid, by_alias=True)


def _is_result(annotation: Any) -> bool:
    inner = getattr(annotation, "__origin__", annotation)
    return isinstance(inner, type) and issubclass(inner, CallToolResult)


def _blocks(value: Any) -> Iterator[ContentBlock]:
    match value:
        case None | "":
            return
        case str():
            yield TextContent(type="text", text=value)
        case Image():
            yield value.to_image_content()
        case Audio():
            yield value.to_audio_content()
        case list() | tuple():
            for each in value:
                yield from _blocks(each)
        case _ if isinstance(value, _BLOCKS):
            yield value
        case _:
            raise TypeError(f"summary= returned {type(value).__name__}, which is no content")
