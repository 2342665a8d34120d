"""A page's program through the native esbuild: built, checked, and repaired where it must be."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from mcpapps_cli.bundle.address import LOCAL_URL, read_addresses, refuse_address
from mcpapps_cli.bundle.asset import check_sheet, find_tailwind
from mcpapps_cli.bundle.caution import caution_packages
from mcpapps_cli.bundle.data_url import data_url, media_type
from mcpapps_cli.bundle.esbuild.compiler import Compiler
from mcpapps_cli.bundle.esbuild.flags import reads_environment
from mcpapps_cli.bundle.esbuild.job import Job, Module, Output
from mcpapps_cli.bundle.escape import is_tagged_comment
from mcpapps_cli.bundle.program import Program, module_text
from mcpapps_cli.bundle.source import Folder, Place, Source, is_bridge, is_local, is_network
from mcpapps_cli.bundle.splice import Splice, apply_splices
from mcpapps_cli.bundle.tally import Tally
from mcpapps_cli.markup import css
from mcpapps_cli.model import View

_WORKER: Final = (
    r"\bnew\s+Worker\s*\(\s*(?P<url>new\s+URL\s*\(\s*(?P<quote>[\"'`])(?P<path>[^\"'`]+)(?P=quote)"
    r"\s*,\s*import\.meta\.url\s*,?\s*\))(?P<options>\s*,\s*\{[^{}]*\})?\s*,?\s*\)"
)
_WORKER_IMPORT: Final = r"\bfrom\s*[\"'](?P<path>[^\"'\n]+\?worker)[\"']"
_BLOCKED_WORKER: Final = (
    "the policy of the specification blocks workers",
    "it starts only in a host that allows blob: in worker-src; have a way without it",
)
_GLOB: Final = r"\bimport\.meta\.glob\b"
_FONT_FACE: Final = r"(?i)@font-face"
_FATAL: Final = frozenset({"ignored-bare-import", "empty-import-meta"})
_QUIET: Final = frozenset({"suspicious-define"})


class Compiled(NamedTuple):
    """What became of a page's modules and sheets.

    Attributes:
        script: One module; not escaped.
        style: The sheets that the modules import.
        sheets: By the offset of the reference, the text of each linked sheet.
        bytes: By input, how many bytes of the script and the sheets it is.
        own: The View's own files among the inputs.
        engine: Such as `esbuild 0.28.2`.
        workers: Whether it starts workers made of text.
    """

    script: str
    style: str
    sheets: Mapping[int, str]
    bytes: Mapping[str, int]
    own: tuple[Source, ...]
    engine: str
    workers: bool = False

    @property
    def bridge_bytes(self) -> int:
        """How many bytes of the script are the bridge."""
        return sum(size for path, size in self.bytes.items() if is_bridge(path))


def compile_program(
    source: Source,
    program: Program,
    folder: Folder,
    tally: Tally,
    view: View,
    compiler: Compiler,
    *,
    global_bridge: bool,
) -> Compiled:
    """Return one module and its sheets.

    Raises:
        SourceError: The sources have a fault, or something that cannot work in a View.
        UserError: esbuild cannot be used.
    """
    job = Job(
        root=folder.root,
        folder=source.path.parent,
        modules=tuple(Module(part.file.path, module_text(part)) for part in program.parts),
        sheets=tuple(file.path for _, file in program.sheets),
        global_bridge=global_bridge,
        trim=frozenset(view.building.trim),
    )
    output = compiler.compile(job, name=view.name)
    own = tuple(folder.inputs_of(output.metafile["inputs"]))
    _note_workers(own, tally)
    named = own if "import.meta.url" in output.script else ()
    replaced = dict(_module_texts(job, named, folder, compiler, tally))
    replaced.update(_sheet_texts(own, folder))
    split = is_tagged_comment(output.script)
    environment = reads_environment(output.script)
    if replaced or split or environment:
        job = job._replace(replaced=replaced, split_templates=split, environment=environment)
        output = compiler.compile(job, name=f"{view.name}+")
    _check_warnings(output, job, tally)
    _check_script(output.script, (*own, source), folder)
    caution_packages(output.script, _bytes(output.metafile), folder, (*own, source), tally)
    for sheet in (output.style, *output.sheets):
        _check_sheet(sheet, own)
        _note_sheet(sheet, own, tally)
    return Compiled(
        script=output.script,
        style=output.style,
        sheets={
            reference.start: text
            for (reference, _), text in zip(program.sheets, output.sheets, strict=True)
        },
        bytes=_bytes(output.metafile),
        own=own,
        engine=output.engine,
        workers="new Worker(URL.createObjectURL(new Blob" in output.script,
    )


def find_text(pattern: str, sources: tuple[Source, ...]) -> Place | None:
    """Return the first place in the View's own files that `pattern` matches."""
    for file in sources:
        if match := re.search(pattern, file.text):
            return Place(file, match.start(), match.end() - match.start())
    return None


def _module_texts(
    job: Job, own: tuple[Source, ...], folder: Folder, compiler: Compiler, tally: Tally
) -> Iterator[tuple[Path, str]]:
    """Put into modules the workers and the pictures that they name beside themselves."""
    for file in own:
        splices = read_addresses(file, folder, tally).splices
        for match in re.finditer(_WORKER, file.text):
            place = Place(file, match.start("path"), len(match["path"]))
            path = file.path.parent / match["path"]
            if not path.is_file():
                place.fail(f'"{match["path"]}" does not exist', "name the worker's source file")
            tally.warn(*_BLOCKED_WORKER, place)
            text = json.dumps(compiler.worker_text(job, path.resolve()))
            made = f"new Worker(URL.createObjectURL(new Blob([{text}])))"
            splices.append(Splice(match.start(), match.end(), made))
        if splices:
            yield file.path, apply_splices(file.text, splices)


def _note_workers(own: tuple[Source, ...], tally: Tally) -> None:
    for file in own:
        if match := re.search(_WORKER_IMPORT, file.text):
            place = Place(file, match.start("path"), len(match["path"]))
            tally.warn(*_BLOCKED_WORKER, place)


def _sheet_texts(own: tuple[Source, ...], folder: Folder) -> Iterator[tuple[Path, str]]:
    """Put into sheets what esbuild would leave or lose: image-set() names, and fragments."""
    for file in own:
        if file.path.suffix != ".css":
            continue
        splices = []
        for each in css.references(file.text):
            path, _, fragment = each.url.partition("#")
            if not is_local(each.url) or each.kind == "import" or not path:
                continue
            if each.attribute == "image-set()":
                made = f"url({json.dumps(each.url)})"
                splices.append(Splice(each.start - 1, each.end + 1, made))
            elif fragment:
                place = Place(file, each.start, each.end - each.start)
                found, data = folder.data(each.url, place)
                media = media_type(found)
                if media is not None:
                    url = f"{data_url(data, media)}#{fragment}"
                    splices.append(Splice(each.start, each.end, url))
        if splices:
            yield file.path, apply_splices(file.text, splices)


def _check_warnings(output: Output, job: Job, tally: Tally) -> None:
    if not output.warnings:
        return
    from mcpapps_cli.bundle.esbuild.message import notice, source_error

    for each in output.warnings:
        if each["id"] in _FATAL or (each["id"] == "css-syntax-error" and "@" in each["text"]):
            raise source_error([each], job.root)
        location = each.get("location") or {}
        if "node_modules/" in location.get("file", "") or each["id"] in _QUIET:
            continue
        tally.notices.append(notice(each, job.root))


def _check_script(script: str, own: tuple[Source, ...], folder: Folder) -> None:
    if "import.meta" not in script:
        return
    for match in re.finditer(LOCAL_URL, script):
        place = find_text(re.escape(match["path"]), own)
        if place is not None:
            refuse_address(place, folder)
    if re.search(_GLOB, script):
        place = find_text(_GLOB, own)
        if place is not None:
            place.fail(
                "import.meta.glob is Vite's alone",
                'build the View with vite first, and bundle its "dist/index.html"',
            )


def _check_sheet(sheet: str, own: tuple[Source, ...]) -> None:
    # Of the sheets that went into it one may be a package's.
    for file in own if find_tailwind(sheet) else ():
        if file.path.suffix == ".css":
            check_sheet(file)


def _note_sheet(sheet: str, own: tuple[Source, ...], tally: Tally) -> None:
    for each in css.references(sheet):
        if each.url.startswith("data:font/"):
            place = find_text(_FONT_FACE, own) or Place(own[0], 0, 1)
            tally.note_font(place)
        elif is_network(each.url):
            found = find_text(re.escape(each.url), own) or Place(own[0], 0, 1)
            tally.keep(each.url, each.kind, found)


def _bytes(metafile: Mapping[str, Any]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for output in metafile["outputs"].values():
        for path, found in output["inputs"].items():
            sizes[path] = sizes.get(path, 0) + found["bytesInOutput"]
    return {path: size for path, size in sorted(sizes.items()) if size}
