"""A bundle on disk: `<name>.html` and `<name>.json`, written and compared as a pair."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from mcpapps_cli import __version__
from mcpapps_cli.errors import UserError
from mcpapps_cli.files import write_together
from mcpapps_cli.model import Bundle

State = Literal["fresh", "stale", "missing", "other-version"]
_TOOL = "mcpapps"


def output_paths(view: str, out: Path) -> tuple[Path, Path]:
    """Return where the page and the metadata of a View are written."""
    return out / f"{view}.html", out / f"{view}.json"


def metadata_text(bundle: Bundle) -> str:
    """Return the text of `<name>.json`.

    `_meta` is fit for the listing and for the content as it is. The compressed size is not in it:
    it depends on the machine's zlib.
    """
    document = {
        "uri": bundle.uri,
        "_meta": {"ui": dict(bundle.meta)},
        "sha256": bundle.sha256,
        "size": bundle.size,
        "tool": f"{_TOOL} {__version__}",
    }
    if bundle.engine != "none":
        document["engine"] = bundle.engine
    return json.dumps(document, indent=2) + "\n"


def write_bundle(bundle: Bundle, out: Path) -> tuple[Path, Path]:
    """Write both files, or neither; files that are the same already are left alone.

    Args:
        bundle: What to write.
        out: The folder; it is made if need be.

    Raises:
        UserError: The operating system refused; the previous files are untouched.
    """
    page, metadata = output_paths(bundle.view, out)
    texts = {page: bundle.html, metadata: metadata_text(bundle)}
    try:
        write_together({path: text.encode() for path, text in texts.items()})
    except OSError as exc:
        reason = (exc.strerror or str(exc)).lower()
        raise UserError(
            f'"{page}" cannot be written: {reason}', help="check the folder, or pass --out"
        ) from exc
    return page, metadata


def check_bundle(bundle: Bundle, out: Path) -> State:
    """Tell whether the files in `out` are what `write_bundle` would write.

    Line ends do not count, for git may have changed them. Files that differ are `other-version`
    when another version of this tool or of the engine wrote them, else `stale`.

    Raises:
        UserError: A file is there and cannot be read.
    """
    page, metadata = output_paths(bundle.view, out)
    try:
        html = page.read_bytes().replace(b"\r\n", b"\n")
        written: Any = json.loads(metadata.read_bytes())
    except FileNotFoundError:
        return "missing"
    except ValueError:
        return "stale"
    except OSError as exc:
        raise UserError(f'"{exc.filename}" cannot be read: {exc.strerror}') from exc
    meant: dict[str, Any] = json.loads(metadata_text(bundle))
    if not isinstance(written, dict):
        return "stale"
    same = html == bundle.html.encode().replace(b"\r\n", b"\n")
    made_by = {"tool": "", "engine": ""}
    if same and {**written, **made_by} == {**meant, **made_by}:
        return "fresh"
    alike = all(written.get(key) == meant.get(key) for key in made_by)
    return "stale" if alike else "other-version"
