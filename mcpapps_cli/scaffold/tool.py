"""A further tool of a project's server, linked with a View of the project."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mcpapps_cli import wire
from mcpapps_cli.errors import UserError
from mcpapps_cli.model import FileAction, Plan, Project, View
from mcpapps_cli.scaffold.name import ascii_word
from mcpapps_cli.scaffold.python import Source, is_usable
from mcpapps_cli.scaffold.tool_code import tool_code
from mcpapps_cli.scaffold.view import title

_LONGEST_NAME: Final = 64


def choose_view(project: Project, name: str | None) -> View:
    """Return the View of that name, or the only one that the project has.

    Raises:
        UserError: There is none of that name, or none was named and there are several.
    """
    names = ", ".join(view.name for view in project.views)
    if not project.views:
        raise UserError(
            f'"{project.name}" declares no View', help="add one first: mcpapps add view NAME"
        )
    if name is None and len(project.views) == 1:
        return project.views[0]
    for view in project.views:
        if view.name == name:
            return view
    if name is None:
        raise UserError(f'"{project.name}" has several Views: {names}', help="name one with --view")
    raise UserError(f'no View "{name}"', help=f"there is {names}, or add it: mcpapps add view")


def plan_tool(project: Project, name: str, view: View, file: Path) -> Plan:
    """Return what adding a tool to a server would write.

    Args:
        project: The project as its file says it.
        name: The tool's name and its function's.
        view: The View that shows its result.
        file: The Python file of the server.

    Raises:
        UserError: The name is not usable or taken, or the file has no server of a known SDK.
    """
    _check_name(name)
    shown = _shown(file, project.root)
    try:
        before = file.read_bytes()
    except OSError as exc:
        reason = (exc.strerror or str(exc)).lower()
        raise UserError(f'"{shown}" cannot be read: {reason}', help="check the file") from exc
    source = Source(before, shown)
    if name in source.named_tools():
        raise UserError(f'tool "{name}" exists in "{shown}"', help="choose another name")
    if name in source.names():
        raise UserError(f'"{name}" exists in "{shown}"', help="choose another name")
    registrar = source.registrar()
    code = tool_code(source, registrar, project, name, view, file)
    # What is registered comes first, for imports move the statements.
    source.insert(code.text, max(source.place(registrar), code.after))
    for module, what in code.imports:
        source.add_import(module, what)
    return Plan(project.root, "_tool", (FileAction("edit", shown, source.data.decode("utf-8")),))


def _check_name(name: str) -> None:
    if is_usable(name) and len(name) <= _LONGEST_NAME:
        return
    near = ascii_word(name, longest=_LONGEST_NAME).replace("-", "_").lower()
    near = near if is_usable(near) else f"show_{near}"
    raise UserError(
        f'"{name}" is not usable as the name of a tool and its function',
        help=f"use {near}" if is_usable(near) else "use ASCII letters, digits and _",
    )


def _shown(file: Path, root: Path) -> str:
    return file.relative_to(root).as_posix() if file.is_relative_to(root) else file.as_posix()


def typescript(name: str, view: View, page: str) -> tuple[str, ...]:
    """Return the lines that register a tool and its View with the TypeScript SDK.

    Args:
        name: The tool's name.
        view: Its View.
        page: The View's bundle as the server's file would name it.
    """
    code = f'''
server.registerTool("{name}", {{
  title: "{title(name)}",
  description: "Show a text in the View {view.name}.",
  inputSchema: {{ text: z.string() }},
  annotations: {{ readOnlyHint: true, openWorldHint: false }},
  _meta: {{ ui: {{ resourceUri: "{view.uri}" }} }},
}}, async ({{ text }}) => ({{
  content: [{{ type: "text", text: `Shown: ${{text}}` }}],
  structuredContent: {{ text }},
}}));
const {{ _meta }} = JSON.parse(await readFile("{page}.json", "utf8"));
const mimeType = "{wire.MIME_TYPE}";
server.registerResource("{view.name}", "{view.uri}", {{ mimeType, _meta }}, async (uri) => ({{
  contents: [
    {{ uri: uri.href, mimeType, _meta, text: await readFile("{page}.html", "utf8") }},
  ],
}}));
'''
    return tuple(code.strip().splitlines())
