"""Metadata keys that no host reads: misspelt, at the wrong level, or beside `_meta`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mcpapps_cli.lint.rule import (
    META,
    URI,
    Fault,
    Faults,
    Place,
    Subject,
    as_object,
    issue,
    resource,
    rule,
    server,
    spec,
    tool,
)
from mcpapps_cli.model import JsonObject
from mcpapps_cli.wire import FLAT_URI_KEY, RESOURCE_META_KEYS, TOOL_META_KEYS

_IN_META = ("ui.resourceUri", "ui/resource_uri", "ui/resourceURI", "resource_uri", "resourceURI")
_IN_UI = {
    "resource_uri": "resourceUri",
    "resourceURI": "resourceUri",
    "uri": "resourceUri",
    "prefers_border": "prefersBorder",
}
_Entry = tuple[str, JsonObject, Callable[..., Place]]


def _entries(subject: Subject) -> Iterator[_Entry]:
    """Every entry that can carry `_meta.ui`: its name, itself, and the function for places."""
    for entry in subject.tools:
        yield entry.label, entry.raw, entry.at
    for view in subject.resources:
        if view.raw.listing is not None:
            yield f'"{view.uri}"', view.raw.listing, view.in_listing
        if view.raw.content is not None:
            yield f'"{view.uri}"', view.raw.content, view.in_content


@rule(
    "MA108",
    "error",
    why="Hosts know one spelling. The tool is listed, is called, and shows no View.",
    fix="write `_meta.ui.resourceUri`, in exactly that spelling",
    source=(spec("Resource Discovery"), issue("openai/codex#21019")),
    bad=server(tool(meta={"ui.resourceUri": URI})),
    good=server(tool(meta={"ui": {"resourceUri": URI}})),
    near=(
        server(tool(meta={"ui": {"resourceUri": URI}, "example.com/resource_uri": "x"})),
        server(tool(meta={"ui": {"resourceUri": URI}, FLAT_URI_KEY: URI})),
    ),
)
def meta_key_typo(subject: Subject) -> Faults:
    """A key of the metadata is misspelt."""
    for label, raw, at in _entries(subject):
        meta = as_object(raw.get("_meta"))
        for key in _IN_META:
            if key in meta:
                yield Fault(at("_meta", key), f'no host reads "{key}" of {label}')
        for key, right in _IN_UI.items():
            if key in as_object(meta.get("ui")):
                yield Fault(
                    at("_meta", "ui", key),
                    f'no host reads "{key}" of {label}',
                    help=f'write "{right}"',
                )


@rule(
    "MA109",
    "error",
    why="Hosts look inside `_meta.ui`. One level higher the value has no effect.",
    fix='move it into the object "ui" of `_meta`',
    source=(spec("UI Resource Format"), issue("modelcontextprotocol/inspector#2055")),
    bad=server(tool(meta={"ui": {"resourceUri": URI}, "visibility": ["app"]})),
    good=server(tool(meta={"ui": {"resourceUri": URI, "visibility": ["app"]}})),
    near=(
        server(tool("plain", meta={"domain": "sales"}), tool()),
        server(tool(meta={"ui": {"resourceUri": URI}, "example.com/csp": {}})),
    ),
)
def meta_wrong_level(subject: Subject) -> Faults:
    """A key of `_meta.ui` stands directly in `_meta`."""
    for label, raw, at in _entries(subject):
        meta = as_object(raw.get("_meta"))
        # Words such as "domain" are anybody's in the `_meta` of a tool without a View.
        ours = "uri" in raw or "ui" in meta or FLAT_URI_KEY in meta
        for key in (*TOOL_META_KEYS, *RESOURCE_META_KEYS):
            if key in meta and (ours or key == "resourceUri"):
                yield Fault(at("_meta", key), f'no host reads "{key}" in "_meta" of {label}')


@rule(
    "MA110",
    "error",
    why="Hosts read the metadata of the item. Beside `contents` it is lost with most of them.",
    fix="put `_meta` on the item inside `contents`",
    source=(spec("UI Resource Format"), issue("modelcontextprotocol/inspector#2055")),
    bad=server(resource(read_meta={"ui": META})),
    good=server(resource(meta=META)),
    near=(
        server(resource(read_meta={"example.com/trace": "1"})),
        server(resource(read_meta={})),
    ),
)
def meta_at_read_level(subject: Subject) -> Faults:
    """`_meta.ui` stands beside `contents` of a `resources/read` answer."""
    for view in subject.resources:
        if view.raw.read_meta is not None and "ui" in view.raw.read_meta:
            yield Fault(
                view.in_read("_meta", "ui"),
                f'"_meta.ui" of "{view.uri}" stands beside "contents"',
            )


@rule(
    "MA111",
    "error",
    why="The wire name is `_meta`. `meta` is the name of a Python argument, and hosts ignore it.",
    fix='write "_meta", or give the metadata to the SDK, which knows the name',
    source=(spec("UI Resource Format"),),
    bad=server(tool(meta=None, also={"meta": {"ui": {"resourceUri": URI}}})),
    good=server(tool(meta={"ui": {"resourceUri": URI}})),
    near=(
        server(resource(content={"meta": {"author": "me"}})),
        server(resource(content={"meta": {}})),
    ),
)
def meta_key_not_underscored(subject: Subject) -> Faults:
    """The metadata is under `meta`, not `_meta`."""
    for label, raw, at in _entries(subject):
        other = as_object(raw.get("meta"))
        if "ui" in other or FLAT_URI_KEY in other:
            yield Fault(at("meta"), f'no host reads "meta" of {label}')
