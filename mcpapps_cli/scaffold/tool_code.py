"""The code of a tool with a View, in the form that each SDK wants."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mcpapps_cli import wire
from mcpapps_cli.model import Project, View
from mcpapps_cli.scaffold.python import Import, Registrar, Sdk, Source, is_usable, unused
from mcpapps_cli.scaffold.view import title

_RESOURCES: Final[dict[Sdk, str]] = {
    "mcp": """
{const} = json.loads(({built} / "{view}.json").read_text("utf-8"))
{server}.add_resource(
    FileResource(
        uri={const}["uri"],
        name="{view}",
        mime_type=APP_MIME_TYPE,
        path={built} / "{view}.html",
        encoding="utf-8",
        meta={const}["_meta"],
    )
)
""",
    "mcpapps": '{const} = {server}.add_view({built} / "{view}.html")\n',
    "fastmcp": """
{const} = json.loads(({built} / "{view}.json").read_text("utf-8"))
{server}.add_resource(
    FileResource(
        uri={const}["uri"],
        name="{view}",
        mime_type="{mime}",
        path={built} / "{view}.html",
        encoding="utf-8",
        meta={const}["_meta"],
    )
)
""",
    "mcp1": '''
{const} = json.loads(({built} / "{view}.json").read_text("utf-8"))


@{server}.resource(
    {const}["uri"],
    name="{view}",
    mime_type="{mime}",
    meta={const}["_meta"],
)
def {page}() -> str:
    """Return the page; the SDK's FileResource would read it in the system's encoding."""
    return ({built} / "{view}.html").read_text("utf-8")
''',
}

_RESULT: Final = '''

class {model}(BaseModel):
    """What the View gets."""

    text: str
'''

_TOOLS: Final[dict[Sdk, str]] = {
    "mcp": '''

@{server}.tool(
    resource_uri={uri},
    title="{title}",
    annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
    # Some hosts and gateways read only this older key; the SDK writes the nested one.
    meta={{"ui/resourceUri": {uri}}},
)
def {name}(
    text: Annotated[str, Field(description="What to show")],
) -> Annotated[CallToolResult, {model}]:
    """Show a text in the View {view}."""
    return CallToolResult(
        # For the model, and for hosts without Views.
        content=[TextContent(type="text", text=f"Shown: {{text}}")],
        structured_content={model}(text=text).model_dump(),
    )
''',
    "mcpapps": '''

@{server}.tool(
    resource_uri={uri},
    title="{title}",
    annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
    # For the model, and for hosts without Views.
    summary=lambda data: f"Shown: {{data.text}}",
    flat_key=True,
)
def {name}(text: Annotated[str, Field(description="What to show")]) -> {model}:
    """Show a text in the View {view}."""
    return {model}(text=text)
''',
    "mcp1": '''

@{server}.tool(
    title="{title}",
    annotations=ToolAnnotations(readOnlyHint=True, openWorldHint=False),
    # The second key is the older one, and some hosts and gateways read only that.
    meta={{"ui": {{"resourceUri": {uri}}}, "ui/resourceUri": {uri}}},
)
def {name}(
    text: Annotated[str, Field(description="What to show")],
) -> Annotated[CallToolResult, {model}]:
    """Show a text in the View {view}."""
    return CallToolResult(
        # For the model, and for hosts without Views.
        content=[TextContent(type="text", text=f"Shown: {{text}}")],
        structuredContent={model}(text=text).model_dump(),
    )
''',
    "fastmcp": '''

@{server}.tool(
    app=AppConfig(resource_uri={uri}),
    title="{title}",
    annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
    # Some hosts and gateways read only this older key; `app` writes the nested one.
    meta={{"ui/resourceUri": {uri}}},
    output_schema={model}.model_json_schema(),
)
def {name}(text: Annotated[str, Field(description="What to show")]) -> ToolResult:
    """Show a text in the View {view}."""
    # The content is for the model, and for hosts without Views.
    return ToolResult(content=f"Shown: {{text}}", structured_content={model}(text=text))
''',
}

_TOOL_IMPORTS: Final[dict[Sdk, tuple[Import, ...]]] = {
    "mcp": tuple(
        ("mcp.types", name) for name in ("CallToolResult", "TextContent", "ToolAnnotations")
    ),
    "mcpapps": (("mcp.types", "ToolAnnotations"),),
    "mcp1": tuple(
        ("mcp.types", name) for name in ("CallToolResult", "TextContent", "ToolAnnotations")
    ),
    "fastmcp": (
        ("fastmcp.apps", "AppConfig"),
        ("fastmcp.tools", "ToolResult"),
        ("mcp.types", "ToolAnnotations"),
    ),
}
_COMMON_IMPORTS: Final[tuple[Import, ...]] = (
    ("typing", "Annotated"),
    ("pydantic", "BaseModel"),
    ("pydantic", "Field"),
)
_RESOURCE_IMPORTS: Final[dict[Sdk, tuple[Import, ...]]] = {
    "mcp": (
        ("json", None),
        ("mcp.server.apps", "APP_MIME_TYPE"),
        ("mcp.server.mcpserver.resources", "FileResource"),
    ),
    "mcpapps": (),
    "mcp1": (("json", None),),
    "fastmcp": (("json", None), ("fastmcp.resources", "FileResource")),
}


_ENDINGS: Final = ("_VIEW", "Result", "_2", "2", "_3", "3", "_4", "4")


@dataclass(frozen=True)
class Code:
    """Statements to add to a file.

    Attributes:
        text: The statements.
        imports: What they use.
        after: The statement of the file that they have to come after; -1 for none.
    """

    text: str
    imports: tuple[Import, ...]
    after: int


def tool_code(
    source: Source, registrar: Registrar, project: Project, name: str, view: View, file: Path
) -> Code:
    """Return what a file needs for a tool and, where it does not serve it yet, its View.

    Args:
        source: The file as it is.
        registrar: What registers its tools.
        project: Where the bundles are.
        name: The tool's name.
        view: The View that shows its result.
        file: Where the file is.
    """
    sdk, taken = registrar.sdk, source.names()
    text, imports = "", [*_COMMON_IMPORTS, *_TOOL_IMPORTS[sdk]]
    names = {
        "server": registrar.name,
        "name": name,
        "title": title(name),
        "view": view.name,
        "model": unused("".join(map(str.title, name.split("_"))) or "Result", taken, _ENDINGS),
    }
    served = _served(source, sdk, view)
    if served is None:
        folder = source.folder(project.out.name)
        built = folder.name if folder else unused("BUILT", taken, _ENDINGS)
        if folder is None:
            imports.append(("pathlib", "Path"))
            text += f"{built} = {_folder(file, project.out)}\n"
        const = _name(view.name.upper(), "VIEW_{}", taken)
        page = _name(f"{view.name}_page".lower(), "view_{}", taken)
        text += _RESOURCES[sdk].format(
            **names, const=const, page=page, built=built, mime=wire.MIME_TYPE
        )
        imports += _RESOURCE_IMPORTS[sdk]
        served = (const if sdk == "mcpapps" else f'{const}["uri"]', folder.index if folder else -1)
    uri, after = served
    text += _RESULT.format(**names) + _TOOLS[sdk].format(**names, uri=uri)
    return Code(text, tuple(imports), after)


def _served(source: Source, sdk: Sdk, view: View) -> tuple[str, int] | None:
    """Return how the file names the URI of a View that it serves, and after which statement."""
    pair = source.assigned_from(f"{view.name}.json")
    if pair is not None:
        return f'{pair.name}["uri"]', pair.index
    page = source.assigned_from(f"{view.name}.html")
    if page is not None and sdk == "mcpapps":
        return page.name, page.index
    literal = source.assigned_from(view.uri)
    if literal is not None and literal.is_string:
        return literal.name, literal.index
    return (f'"{view.uri}"', -1) if source.mentions(view.uri) else None


def _name(wanted: str, other: str, taken: set[str]) -> str:
    name = re.sub(r"\W", "_", wanted, flags=re.ASCII)
    return unused(name if is_usable(name) else other.format(name), taken, _ENDINGS)


def _folder(file: Path, out: Path) -> str:
    """Return the expression of a folder, from the file that it is written in."""
    up, *parts = 0, *Path(os.path.relpath(out, file.parent)).parts
    while parts and parts[0] == "..":
        up, parts = up + 1, parts[1:]
    start = "Path(__file__).resolve()" + (f".parents[{up}]" if up else ".parent")
    return " / ".join((start, *(f'"{part}"' for part in parts)))
