"""What esbuild is asked to build for one page, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple


class Module(NamedTuple):
    """A module script of the page.

    Attributes:
        path: Its file; for a script inside the page, the page.
        text: Of a script inside the page, at its line and column there; None for a file.
        loader: How esbuild reads `text`.
    """

    path: Path
    text: str | None = None
    loader: str = "js"


class Job(NamedTuple):
    """One build.

    Attributes:
        root: The project's folder; paths in messages are relative to it.
        folder: The page's folder, which stands for the root of addresses like `/logo.png`.
        modules: In the order in which they run.
        sheets: Style sheets that the page links.
        global_bridge: Whether the page holds the bridge already, as a classic script.
        trim: What to leave out of packages; only `zod-locales` is known.
        replaced: Text to take in the place of a file's own.
        split_templates: Whether template literals become calls, which changes no value.
        environment: Whether `process.env` and `import.meta.env` are objects, to read any name of.
        forced: Whether modules are bundled although their package says that they do nothing.
        classic: Whether the result is one function call, as a worker needs it.
    """

    root: Path
    folder: Path
    modules: tuple[Module, ...] = ()
    sheets: tuple[Path, ...] = ()
    global_bridge: bool = False
    trim: frozenset[str] = frozenset()
    replaced: Mapping[Path, str] = MappingProxyType({})
    split_templates: bool = False
    environment: bool = False
    forced: bool = False
    classic: bool = False


class Output(NamedTuple):
    """What a build gave.

    Attributes:
        script: One module with everything.
        style: The style sheets that the modules import, as one.
        sheets: Those that the page links, in the order asked for.
        warnings: As esbuild words them: `id`, `text` and `location`.
        metafile: Which file became how many bytes of what.
        engine: Such as `esbuild 0.28.2`.
    """

    script: str
    style: str
    sheets: tuple[str, ...]
    warnings: tuple[Mapping[str, Any], ...]
    metafile: Mapping[str, Any]
    engine: str
