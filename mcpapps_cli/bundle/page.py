"""A View's page: which characters of it give way to what."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from mcpapps_cli import embed
from mcpapps_cli.bundle.asset import (
    INLINE_KINDS,
    check_sheet,
    inline_asset,
    style_splices,
    style_text,
)
from mcpapps_cli.bundle.edits import Bridge, Edits
from mcpapps_cli.bundle.scripts import ScriptEditor
from mcpapps_cli.bundle.source import Folder, Place, Source, is_file_url, is_local, is_network
from mcpapps_cli.bundle.splice import Splice
from mcpapps_cli.bundle.sprite import Sprites
from mcpapps_cli.bundle.tag import FETCH, new_tag
from mcpapps_cli.bundle.tally import Tally
from mcpapps_cli.markup.html import Token
from mcpapps_cli.markup.page import Page, Reference, read_page

if TYPE_CHECKING:
    from mcpapps_cli.bundle.native import Compiled

_LOADS: Final = "it loads nothing: name a file, or leave the attribute out"
_LEADS: Final = "it leads to the host's own page: use a <button>, or openLink() with an address"
_LINK_ATTRIBUTES: Final = FETCH | {"rel", "type", "as", "blocking", "disabled", "hreflang"}


def edit_page(
    source: Source, page: Page, folder: Folder, tally: Tally, compiled: Compiled | None = None
) -> Edits:
    """Return the edits that make a page self-contained, policy and charset apart.

    Args:
        source: The page.
        page: The same, read.
        folder: Where files come from.
        tally: Where parts, addresses and notices go.
        compiled: What an engine made of the modules and sheets; None without one.

    Raises:
        SourceError: Something it refers to cannot be used.
    """
    _note_empty(source, page, tally)
    edits = Edits()
    starts = [token.start for token in page.tokens]

    def tag(reference: Reference) -> Token:
        return page.tokens[bisect_right(starts, reference.start) - 1]

    scripts = ScriptEditor(source, page, folder, tally, edits, Bridge(edits, tally), compiled)
    scripts.run()
    sprites = Sprites(source, page, folder, tally)
    in_sheets = [each for each in page.references if _in_sheet(each)]
    for style in page.styles:
        check_sheet(source, style.start, style.end)
    edits.splices += style_splices(source, in_sheets, folder, tally, chain=(source,))
    for reference in page.references:
        if is_file_url(reference.url):
            Place(source, reference.start, reference.end - reference.start).refuse_file_url()
        if _in_sheet(reference) or (reference.kind == "script" and not reference.inert):
            continue
        if reference.kind == "style":
            made = compiled.sheets.get(reference.start) if compiled else None
            edits.splices += _edit_link(source, reference, tag(reference), folder, tally, made)
        elif reference.element == "use" and is_local(reference.url):
            edits.splices.append(sprites.use(reference))
        elif reference.kind in INLINE_KINDS:
            edits.splices += inline_asset(source, reference, folder, tally)
        else:
            edits.splices += _edit_other(source, reference, tag(reference), tally)
    if compiled is not None and compiled.style:
        edits.splices.append(_imported_style(page, scripts.first_module, compiled.style))
    if edits.at_end or sprites.markup():
        end = _end_of_body(source, page)
        edits.splices.append(Splice(end, end, sprites.markup()))
        for element, text in edits.at_end:
            edits.insert(end, element, text)
    return edits


def _note_empty(source: Source, page: Page, tally: Tally) -> None:
    """Refuse a script or a sheet without a name, and note what else names nothing."""
    for token in page.tokens:
        for attr in token.attrs if token.kind == "start" else ():
            if attr.name not in ("src", "href") or (attr.value or "").strip():
                continue
            place = Place(source, attr.start, attr.end - attr.start)
            if token.name in ("script", "link"):
                place.fail(f"this {attr.name} names no file", "name one, or remove the element")
            if token.name != "base":
                leads = token.name in ("a", "area")
                tally.warn(f"this {attr.name} is empty", _LEADS if leads else _LOADS, place)


def _imported_style(page: Page, first_module: int, text: str) -> Splice:
    """Put the sheets that modules import at the end of the head, after those of the page."""
    ends = [each.start for each in page.tokens if each.kind == "end" and each.name == "head"]
    at = ends[0] if ends else first_module
    return Splice(at, at, f"<style>{embed.escape_style(text.strip())}</style>\n")


def _edit_link(
    source: Source,
    reference: Reference,
    tag: Token,
    folder: Folder,
    tally: Tally,
    made: str | None,
) -> list[Splice]:
    place = Place(source, reference.start, reference.end - reference.start)
    url = reference.url.strip()
    if is_network(url):
        tally.keep(url, "style", place)
    if not is_local(url):
        return []
    sheet = folder.sheet(url, place)
    text = made.strip() if made is not None else style_text(sheet, folder, tally)
    tally.add("style", sheet.path, len(sheet.text.encode()))
    if made is None:
        tally.measure(sheet.shown, text)
    element = new_tag("style", source.text, tag, _LINK_ATTRIBUTES)
    return [Splice(tag.start, tag.end, f"{element}{embed.escape_style(text)}</style>")]


def _edit_other(source: Source, reference: Reference, tag: Token, tally: Tally) -> list[Splice]:
    place = Place(source, reference.start, reference.end - reference.start)
    url, kind = reference.url.strip(), reference.kind
    if kind == "base":
        source.fail(
            "a View has no base address",
            tag.start,
            tag.end - tag.start,
            "remove <base>; files are found from the page that names them",
        )
    if not is_local(url):
        if is_network(url):
            tally.keep(url, kind, place)
        return []
    if kind in ("preload", "preconnect"):
        # Once, although such a tag may name several files.
        first = next(each for each in tag.attrs if each.name in ("href", "imagesrcset"))
        once = first.value_start <= reference.start <= first.value_end
        return [Splice(tag.start, tag.end, "")] if once else []
    if kind in ("script", "import-map"):
        where = "an import map" if kind == "import-map" else "a <template>"
        place.fail(
            f'"{url}" is named in {where}, where it cannot be inlined',
            "put the script into the page itself",
        )
    if kind in ("frame", "object"):
        place.fail(f'"{url}" cannot be shown inside a View', "put its content into the page")
    tally.warn(
        f'"{url}" leads nowhere: a View is one page without a server',
        "remove it, or open an absolute address with openLink()",
        place,
    )
    return []


def _in_sheet(reference: Reference) -> bool:
    return reference.element == "style" and reference.attribute != "style"


def _end_of_body(source: Source, page: Page) -> int:
    text = page.text
    ends = [each.start for each in page.tokens if each.kind == "end" and each.name == "body"]
    end = ends[-1] if ends else len(text)
    # What is put there has to be a script to a browser, too.
    probe = read_page(f"{text[:end]}<script></script>{text[end:]}")
    if not any(script.token.start == end for script in probe.scripts):
        source.fail(
            "the page ends inside something that is not closed",
            max(0, len(text) - 1),
            1,
            "close it, so that a deferred script can be put at the end of the body",
        )
    return end
