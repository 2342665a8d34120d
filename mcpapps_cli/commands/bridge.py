"""`mcpapps bridge`: the bridge and its types as files, for other bundlers."""

from __future__ import annotations

from pathlib import Path

from mcpapps_cli import console, embed
from mcpapps_cli.errors import ExitStatus, UserError
from mcpapps_cli.files import write_together


def bridge(out: Path, *, global_script: bool) -> ExitStatus:
    """Write the bridge to `out` and its types beside it.

    Args:
        out: A `.js` or `.mjs` file; its folder is made.
        global_script: Write the classic script that defines `mcpapps` instead of the module.

    Raises:
        UserError: `out` has another ending, is a folder, or cannot be written.
    """
    if out.suffix not in (".js", ".mjs"):
        raise UserError(f'"{out}" does not end in .js or .mjs', help="name a JavaScript file")
    if out.is_dir():
        raise UserError(f'"{out}" is a folder', help="name the file in it")
    ending = ".d.mts" if out.suffix == ".mjs" else ".d.ts"
    types = out.with_name(out.stem + ending)
    script = embed.bridge_script() if global_script else embed.bridge_module()
    declaration = embed.environment_types() if global_script else embed.bridge_types()
    try:
        write_together({out: script.encode(), types: declaration.encode()})
    except OSError as exc:
        raise UserError(
            f'"{out}" cannot be written: {exc.strerror}', help="check the path"
        ) from exc
    for path in (out, types):
        console.out(f"{path}  {path.stat().st_size / 1000:.1f} kB")
    return ExitStatus.OK
