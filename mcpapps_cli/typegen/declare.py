"""The tools of a server as a declaration file, or as a JavaScript file of JSDoc types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from textwrap import indent
from typing import Any, Final

from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.model import Json, JsonObject
from mcpapps_cli.typegen.literal import doc_comment, one_line, property_name, quoted, type_name
from mcpapps_cli.typegen.reference import Document, Names
from mcpapps_cli.typegen.schema import TypeText, Writer

_NOTHING: Final = "{ [key: string]: never }"
_ANYTHING: Final = "{ [key: string]: unknown }"
_OURS: Final = frozenset(
    {"Tools", "ToolName", "CallableTool", "ToolInput", "ToolOutput", "ToolView", "Partly"}
    | {"ToolEvents", "ToolArguments", "Data"}
)

_HELPERS: Final = (
    ("ToolName", "", "keyof Tools", "Every tool."),
    ("CallableTool", "", "{callable}", "The tools that a View may call."),
    ("ToolInput", "Name extends ToolName", 'Tools[Name]["input"]', "The arguments of a tool."),
    (
        "ToolOutput",
        "Name extends ToolName",
        'Tools[Name]["output"]',
        "The `structuredContent` of a tool's result.",
    ),
    (
        "Partly",
        "T",
        "T extends object ? { [K in keyof T]?: Partly<T[K]> } : T",
        "What the model has written so far: anything may be missing.",
    ),
    (
        "ToolArguments",
        "Name extends ToolName",
        "{} extends ToolInput<Name> ? [args?: ToolInput<Name>, options?: {of}RequestOptions]"
        " : [args: ToolInput<Name>, options?: {of}RequestOptions]",
        "What `callTool` takes after the tool's name.",
    ),
    (
        "ToolEvents",
        "Name extends ToolName",
        'Omit<{of}ViewEvents, "toolinput" | "toolinputpartial" | "toolresult"> & '
        "{ toolinput: ToolInput<Name>; toolinputpartial: Partly<ToolInput<Name>>;"
        " toolresult: {of}CallToolResult<ToolOutput<Name>> }",
        "The events of a View that shows calls of `Name`.",
    ),
    (
        "ToolView",
        "Name extends ToolName = ToolName",
        'Omit<{of}View, "callTool" | "on" | "toolInput" | "toolInputPartial" | "toolResult"> & '
        "{ readonly toolInput: Promise<ToolInput<Name>>;"
        " readonly toolInputPartial: AsyncIterable<Partly<ToolInput<Name>>>;"
        " readonly toolResult: Promise<{of}CallToolResult<ToolOutput<Name>>>;"
        " callTool<Called extends CallableTool>(name: Called, ...rest: ToolArguments<Called>):"
        " Promise<{of}CallToolResult<ToolOutput<Called>>>;"
        " on<E extends keyof ToolEvents<Name>>(event: E,"
        " listener: (detail: ToolEvents<Name>[E]) => void, options?: { once?: boolean }):"
        " () => void }",
        "The connection of a View that shows calls of `Name`.",
    ),
)


@dataclass(frozen=True, slots=True)
class _Tool:
    name: str
    notes: tuple[str, ...]
    input: str
    output: str
    is_callable: bool


def declaration_text(tools: Iterable[JsonObject]) -> str:
    """Return the text of `mcpapps-tools.d.ts`; the same tools give the same text, in any order.

    It adds to the module `mcpapps:bridge`, which `mcpapps-env.d.ts` declares: `Tools`,
    `ToolInput`, `ToolOutput`, `ToolView` and `connect<Name>`.

    Args:
        tools: Entries of `tools/list`; those without a name are left out, and so are later ones
            of the same name.
    """
    names = Names()
    found = _read(tools, names, prefix="Data.", comments=True)
    blocks = [f"export interface Tools {_members(found)}"]
    blocks += [
        f"{doc_comment([note])}export type {name}{f'<{params}>' if params else ''} = {body};"
        for name, params, body, note in _helpers(found, "")
    ]
    blocks.append(
        doc_comment(['Connect the View of `Name`, as in `connect<"my_tool">(options)`.'])
        + "export function connect<Name extends ToolName = never>(\n"
        "  options: [Name] extends [never] ? never : ConnectOptions,\n"
        "): ToolView<Name>;"
    )

    def write(name: str, notes: Sequence[str], type_: TypeText) -> str:
        return f"{doc_comment(notes)}type {name} = {type_.text};"

    if types := _named(names, write, prefix="Data.", comments=True):
        inner = indent("\n".join(types), "  ")
        blocks.append(f"/** Types that the schemas name. */\nexport namespace Data {{\n{inner}\n}}")
    body = indent("\n\n".join(blocks), "  ")
    return (
        "/** Types of this server's tools for editors and tsc; written by `mcpapps types`. */\n\n"
        f'declare module "mcpapps:bridge" {{\n{body}\n}}\n'
    )


def jsdoc_text(tools: Iterable[JsonObject]) -> str:
    """Return a JavaScript module that holds the same types as JSDoc, and no code.

    Args:
        tools: As for `declaration_text`.
    """
    names = Names(_OURS)
    found = _read(tools, names, prefix="", comments=False)

    def write(name: str, notes: Sequence[str], type_: TypeText) -> str:
        return _typedef(name, "", type_.text, notes)

    blocks = _named(names, write, prefix="", comments=False)
    blocks.append(_typedef("Tools", "", _members(found, flat=True), ()))
    blocks += [
        _typedef(name, params, body, [note])
        for name, params, body, note in _helpers(found, 'import("mcpapps:bridge").')
    ]
    return (
        "/** Types of this server's tools for plain JavaScript; written by `mcpapps types`. */\n\n"
        + "\n".join(blocks)
        + "\nexport {};\n"
    )


def _typedef(name: str, params: str, body: str, notes: Sequence[str]) -> str:
    lines = [one_line(note) for note in notes if note.strip()]
    if params:
        variable, _, rest = params.partition(" extends ")
        bound, _, default = rest.partition(" = ")
        constraint = f"{{{bound}}} " if bound else ""
        lines.append(f"@template {constraint}{f'[{variable}={default}]' if default else variable}")
    lines.append(f"@typedef {{{body}}} {name}")
    return "/**\n" + "".join(f" * {line}\n" for line in lines) + " */"


def _read(tools: Iterable[JsonObject], names: Names, *, prefix: str, comments: bool) -> list[_Tool]:
    by_name: dict[str, JsonObject] = {}
    for entry in tools:
        name = entry.get("name") if hasattr(entry, "get") else None
        if isinstance(name, str):
            by_name.setdefault(name, entry)

    def text(schema: Json, title: str) -> str:
        if not isinstance(schema, dict):
            return _ANYTHING
        document = Document(schema, title)
        return Writer(document, names, prefix=prefix, comments=comments).write(schema).text

    found = []
    for name, entry in sorted(by_name.items()):
        title = type_name(name.replace("_", " "), ())
        given = entry.get("inputSchema")
        description = entry.get("description")
        found.append(
            _Tool(
                name=name,
                notes=tuple(description.splitlines()) if isinstance(description, str) else (),
                input=_NOTHING if _takes_nothing(given) else text(given, f"{title}Input"),
                output=text(entry.get("outputSchema"), f"{title}Output"),
                is_callable=apps_metadata(entry).app_visible,
            )
        )
    return found


def _takes_nothing(schema: Json) -> bool:
    # A function without parameters: formally anything goes, and all of it is a mistake.
    return isinstance(schema, dict) and not any(
        schema.get(key)
        for key in (
            *("properties", "required", "additionalProperties", "patternProperties", "$ref"),
            *("propertyNames", "allOf", "anyOf", "oneOf", "const", "enum"),
        )
    )


def _members(tools: Sequence[_Tool], *, flat: bool = False) -> str:
    if flat:
        listed = [
            f"{property_name(tool.name)}: {{ input: {tool.input}; output: {tool.output} }}"
            for tool in tools
        ]
        return f"{{ {'; '.join(listed)} }}" if listed else "{}"
    lines = [
        f"{doc_comment(tool.notes)}{property_name(tool.name)}: {{\n"
        + indent(f"input: {tool.input};\noutput: {tool.output};", "  ")
        + "\n};"
        for tool in tools
    ]
    return "{\n" + indent("\n".join(lines), "  ") + "\n}" if lines else "{}"


def _helpers(tools: Sequence[_Tool], module: str) -> Iterable[tuple[str, str, str, str]]:
    callable_ = " | ".join(quoted(tool.name) for tool in tools if tool.is_callable) or "never"
    for name, params, body, note in _HELPERS:
        yield name, params, body.replace("{of}", module).replace("{callable}", callable_), note


def _named(
    names: Names,
    write: Callable[[str, Sequence[str], TypeText], str],
    *,
    prefix: str,
    comments: bool,
) -> list[str]:
    written: dict[str, str] = {}
    while names.waiting:
        name, document, pointer, schema = names.waiting.pop(0)
        writer = Writer(document, names, prefix=prefix, comments=comments, current=pointer)
        notes: Any = schema.get("description") if isinstance(schema, dict) else None
        lines = notes.splitlines() if isinstance(notes, str) else []
        written[name] = write(name, lines, writer.write(schema))
    return [text for _, text in sorted(written.items())]
