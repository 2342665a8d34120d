"""What esbuild complains about, as our errors and notices with their places."""

from __future__ import annotations

import difflib
import posixpath
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from mcpapps_cli.bundle.source import BRIDGE
from mcpapps_cli.errors import SourceError
from mcpapps_cli.model import Notice, Position

_NAMED: Final = re.compile(r'"([^"]+)"')
_PRINTED: Final = re.compile(
    r"^(?:\S+ )?\[(?P<kind>ERROR|WARNING)\] (?P<text>.*?)(?: \[(?P<id>[a-z-]+)\])?\n"
    r"(?:\n    (?P<file>.*?):(?P<line>\d+):(?P<column>\d+):\n +\d+ \S (?P<source>.*)\n"
    r" +\S (?P<marks>[ ~^]*))?",
    re.MULTILINE,
)
_NODE: Final = "wasn't found on the file system but is built into node"
_SOURCES: Final = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".css", ".json")
_FRAMEWORK: Final = re.compile(r"\.(vue|svelte|astro|scss|sass|less|styl)$")


def source_error(messages: Iterable[Mapping[str, Any]], root: Path) -> SourceError:
    """Return the first error with its place, the others as details.

    Args:
        messages: At least one, as esbuild gives them.
        root: The folder that their paths are relative to.
    """
    first, *others = messages
    error = SourceError(_sentence(first), place_of(first, root), help=_advice(first, root))
    places = [(place_of(each, root), _sentence(each)) for each in others]
    error.details = tuple(
        f"{place.path}:{place.line}:{place.column}: {text}" for place, text in places[:10]
    )
    return error


def notice(message: Mapping[str, Any], root: Path) -> Notice:
    """Return a warning as a notice."""
    notes = message.get("notes") or ()
    advice = notes[0]["text"] if notes else "esbuild built it all the same"
    return Notice(_sentence(message), _lower(advice), place_of(message, root))


def place_of(message: Mapping[str, Any], root: Path) -> Position:
    """Return where a message points to; the root itself when it points nowhere."""
    location = message.get("location")
    if not location:
        return Position(root.name, 1, 1)
    source: str = location["lineText"]
    # Counted in bytes there, in characters here.
    line = source.encode()
    before = line[: location["column"]].decode("utf-8", "replace")
    span = line[location["column"] : location["column"] + location["length"]]
    length = max(1, len(span.decode("utf-8", "replace")))
    path, line_text = shown_path(location["file"]), source
    if location["file"].startswith("page:"):
        line_text = _line_of_page(root / path, location["line"], source)
    return Position(path, location["line"], len(before) + 1, length, line_text)


def shown_path(file: str) -> str:
    """Return a path of esbuild's without namespace and suffix."""
    return re.sub(r"\?\w*$", "", file.removeprefix("page:").removeprefix("query:"))


def printed_messages(text: str) -> list[dict[str, Any]]:
    """Return what the command line printed, in the form that the service gives it."""
    return [
        {
            "error": match["kind"] == "ERROR",
            "id": match["id"] or "",
            "text": match["text"],
            "notes": [],
            "location": match["file"]
            and {
                "file": match["file"],
                "line": int(match["line"]),
                "column": int(match["column"]),
                "length": max(1, len(match["marks"].strip().encode())),
                "lineText": match["source"],
            },
        }
        for match in _PRINTED.finditer(text.replace("\r\n", "\n"))
    ]


def _line_of_page(path: Path, line: int, fallback: str) -> str:
    try:
        return path.read_text("utf-8-sig").splitlines()[line - 1]
    except (OSError, ValueError, IndexError):
        return fallback


def _sentence(message: Mapping[str, Any]) -> str:
    text = _lower(message["text"]).rstrip(".")
    if match := re.fullmatch(r'no matching export in "\w+:(mcpapps:\w+)" for import (".*")', text):
        return f'"{match[1]}" has no {match[2]}'
    if text.startswith("could not resolve") and _is_builtin(message):
        name = _named(text)
        return f'a browser has no "{name}"'
    return text


def _lower(text: str) -> str:
    second = text[1:2]
    return text if second.isupper() else text[:1].lower() + text[1:]


def _named(text: str) -> str:
    match = _NAMED.search(text)
    return match[1] if match else ""


def _is_builtin(message: Mapping[str, Any]) -> bool:
    return any(_NODE in note.get("text", "") for note in message.get("notes") or ())


def _advice(message: Mapping[str, Any], root: Path) -> str | None:
    text: str = message["text"]
    name = _named(text)
    if text.startswith("Could not resolve"):
        if _is_builtin(message):
            return "it is a part of Node; ask the server with a tool instead"
        if name.startswith("mcpapps:"):
            return f'did you mean "{BRIDGE}"?'
        if name.startswith(("virtual:", "\0")):
            return 'build the View with vite first, and bundle its "dist/index.html"'
        if not name.startswith((".", "/")):
            package = "/".join(name.split("/")[: 2 if name.startswith("@") else 1])
            return f'run "npm install {package}" in the folder of the View'
        return _nearest(name, message, root)
    if text.startswith("No loader is configured"):
        if _is_computed(message):
            return "it may name any file of its folder: give the ending, as in `./${name}.ts`"
        if _FRAMEWORK.search(name) or _FRAMEWORK.search(text.rpartition(": ")[2]):
            return 'build the View with its own tool first, and bundle its "dist/index.html"'
        return 'import it with "?url" as a data URL, or with "?raw" as text'
    if text.startswith("Top-level await"):
        return "wrap it in an async function"
    notes = message.get("notes") or ()
    if not notes:
        return None
    advice = _lower(notes[0]["text"])
    return re.sub(r'did you mean to import (".*") instead\?', r"did you mean \1?", advice)


def _is_computed(message: Mapping[str, Any]) -> bool:
    """Whether a file without a loader is one of many that a computed import may name."""
    location = message.get("location")
    if not location:
        return False
    line = location["lineText"].encode()
    named = line[location["column"] : location["column"] + location["length"]].decode()
    return not named.strip("\"'`").endswith(_named(message["text"]))


def _nearest(name: str, message: Mapping[str, Any], root: Path) -> str:
    location = message.get("location")
    folder = root / Path(shown_path(location["file"])).parent if location else root
    wanted = folder / name.partition("?")[0].lstrip("/")
    try:
        names = sorted(each.name for each in wanted.parent.iterdir())
    except OSError:
        return f'there is no folder "{name.rpartition("/")[0]}"'
    stems = [each for each in names if Path(each).suffix in _SOURCES]
    close = difflib.get_close_matches(wanted.name, [*names, *(Path(s).stem for s in stems)], n=1)
    if not close:
        shown = shown_path(location["file"]) if location else root.name
        parent = name.rpartition("/")[0]
        if posixpath.normpath(parent) == ".":
            return f'there is no such file beside "{shown}"'
        sought = posixpath.normpath(posixpath.join(posixpath.dirname(shown), parent))
        return f'there is no such file in "{parent if name.startswith("/") else sought}"'
    return f'did you mean "{name.rpartition("/")[0]}/{close[0]}"?'
