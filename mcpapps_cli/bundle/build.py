"""From a declared View to its bundle."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from mcpapps_cli.bundle import jsx
from mcpapps_cli.bundle.program import Program, read_program
from mcpapps_cli.bundle.source import BRIDGE, Folder, Source
from mcpapps_cli.bundle.tally import Tally
from mcpapps_cli.bundle.toolchain import Toolchain
from mcpapps_cli.markup.page import Page, read_page
from mcpapps_cli.model import Bundle, View

if TYPE_CHECKING:
    from mcpapps_cli.bundle.native import Compiled


def build_bundle(view: View, *, root: Path, toolchain: Toolchain | None = None) -> Bundle:
    """Return one self-contained page made of a View's page and what it refers to.

    Scripts, styles and images become part of the page, the bridge too where it is asked for, and
    the policy stands before all of them. What is on the network stays and is listed. The result
    depends on the files, the declaration and the engine only, never on the machine or the time.

    Args:
        view: The declaration; `entry` is the page.
        root: The project's folder; no file outside its repository is read.
        toolchain: Where engines come from. Default: looked for, and ended afterwards.

    Raises:
        EngineMissing: It needs esbuild, and there is none.
        UserError: The page cannot be read, or the result is too large.
        SourceError: The page or a file it refers to cannot be used; with its position.
    """
    if toolchain is None:
        with Toolchain() as found:
            return build_bundle(view, root=root, toolchain=found)
    folder = Folder(root, allow=view.building.allow_paths)
    tally = Tally(view.csp)
    source = folder.entry(view.entry)
    page = read_page(source.text)
    program = read_program(source, page, folder)
    compiled = _compile(source, page, program, folder, tally, view, toolchain)
    from mcpapps_cli.bundle.finish import finish

    return finish(source, page, program, folder, tally, compiled, view)


def _compile(
    source: Source,
    page: Page,
    program: Program,
    folder: Folder,
    tally: Tally,
    view: View,
    toolchain: Toolchain,
) -> Compiled | None:
    need, engine = program.need, view.building.engine
    if engine == "none" or need is None:
        return None
    if program.jsx and engine != "esbuild" and jsx.is_available() and _has_factory(page, program):
        return None
    if engine == "esbuild-py":
        need.place.fail(
            f"{need.what} is more than esbuild-py can do",
            'it turns JSX into calls of what a "@jsx" pragma names; use engine = "esbuild"',
        )
    global_bridge = any(
        script.src is not None and (script.src.value or "").strip() == BRIDGE
        for script in page.scripts
    )
    compiler = toolchain.compiler(need, source.path.parent)
    # Most of the time of a small View is that of imports.
    compiler.meanwhile = Thread(target=import_module, args=("mcpapps_cli.bundle.finish",)).start
    from mcpapps_cli.bundle.native import compile_program

    return compile_program(
        source, program, folder, tally, view, compiler, global_bridge=global_bridge
    )


def _has_factory(page: Page, program: Program) -> bool:
    classic = [each for each in page.scripts if each.type == "classic"]
    # A script on the network may make any global.
    inline = "\n".join(page.text[each.start : each.end] for each in classic)
    external = any(each.src is not None for each in classic)
    parts = [part.file for part in program.parts if part.file.path.suffix == ".jsx"]
    return all(external or jsx.has_factory(file, inline) for file in parts)
