"""A View's page: which characters of it give way to what."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Set
from typing import Final

from mcpapps_cli import embed
from mcpapps_cli.bundle.asset import INLINE_KINDS, inline_asset, style_splices, style_text
from mcpapps_cli.bundle.edits import Bridge, Edits
from mcpapps_cli.bundle.script import check_classic, module_splices
from mcpapps_cli.bundle.source import BRIDGE, Folder, Place, Source, is_local, is_network, unify
from mcpapps_cli.bundle.splice import Splice, apply_splices
from mcpapps_cli.bundle.tag import new_tag, without_attributes
from mcpapps_cli.bundle.tally import Tally
from mcpapps_cli.markup.html import Token
from mcpapps_cli.markup.page import Page, Reference, Script, read_page

# They describe a file that is fetched, which an inlined script or sheet is not.
_FETCH: Final = frozenset(
    {"src", "href", "crossorigin", "integrity", "referrerpolicy", "fetchpriority", "charset"}
)
_SCRIPT_ATTRIBUTES: Final = _FETCH | {"defer", "blocking"}
_LINK_ATTRIBUTES: Final = _FETCH | {"rel", "type", "as", "blocking", "disabled", "hreflang"}


def edit_page(source: Source, page: Page, folder: Folder, tally: Tally) -> Edits:
    """Return the edits that make a page self-contained, policy and charset apart.

    Raises:
        SourceError: Something it refers to cannot be used.
    """
    edits = Edits()
    starts = [token.start for token in page.tokens]

    def tag(reference: Reference) -> Token:
        return page.tokens[bisect_right(starts, reference.start) - 1]

    bridge = Bridge(edits, tally)
    for script in page.scripts:
        _edit_script(source, script, folder, tally, edits, bridge)
    in_sheets = [each for each in page.references if _in_sheet(each)]
    edits.splices += style_splices(source, in_sheets, folder, tally, chain=(source,))
    for reference in page.references:
        if _in_sheet(reference) or (reference.kind == "script" and not reference.inert):
            continue
        if reference.kind == "style":
            edits.splices += _edit_link(source, reference, tag(reference), folder, tally)
        elif reference.kind in INLINE_KINDS:
            edits.splices += inline_asset(source, reference, folder, tally)
        else:
            edits.splices += _edit_other(source, reference, tag(reference), tally)
    end = _end_of_body(source, page) if edits.at_end else 0
    for element, text in edits.at_end:
        edits.splices.append(Splice(end, end, element))
        edits.scripts.append((end, text))
    return edits


def _edit_script(
    source: Source, script: Script, folder: Folder, tally: Tally, edits: Edits, bridge: Bridge
) -> None:
    src = script.src
    if script.type not in ("classic", "module"):
        edits.note(script, source.text[script.start : script.end])
        return
    if src is None:
        _edit_inline(source, script, tally, edits, bridge)
        return
    url = (src.value or "").strip()
    place = Place(source, src.value_start, src.value_end - src.value_start)
    if url == BRIDGE:
        dropped = {*_SCRIPT_ATTRIBUTES, "async", "type"}
        _replace(source, script, bridge.take(), edits, dropped, mark=f" {embed.SENTINEL}")
        return
    if not is_local(url):
        if is_network(url):
            tally.keep(url, "script", place)
        edits.note(script, source.text[script.start : script.end])
        return
    if script.token.foreign:
        source.fail(
            "a script inside <svg> cannot be inlined",
            place.start,
            place.length,
            "put the element outside <svg>",
        )
    file = folder.text(url, place)
    tally.add("script", file.path, len(file.text.encode()))
    if script.type == "module":
        splices = module_splices(file, tally)
        if splices:
            bridge.put_before(script)
        text = _escape(apply_splices(file.text, splices))
        _replace(source, script, text, edits, _SCRIPT_ATTRIBUTES)
        return
    check_classic(file, tally)
    text = _escape(file.text)
    if {"defer", "async"} & {attr.name for attr in script.token.attrs}:
        # Inline scripts run where they stand; these are to run when the page has been read.
        element = new_tag("script", source.text, script.token, {*_SCRIPT_ATTRIBUTES, "async"})
        edits.splices.append(Splice(script.token.start, script.close, ""))
        edits.at_end.append((f"{element}{text}</script>", text))
    else:
        _replace(source, script, text, edits, _SCRIPT_ATTRIBUTES)


def _escape(js: str) -> str:
    # HTML has no NUL, also not in a script; in a literal the escape means the same.
    return embed.escape_script(unify(js).replace("\0", r"\x00"))


def _edit_inline(
    source: Source, script: Script, tally: Tally, edits: Edits, bridge: Bridge
) -> None:
    splices: list[Splice] = []
    if script.type == "module":
        splices = module_splices(source, tally, script.start, script.end)
        if splices:
            bridge.put_before(script)
    else:
        check_classic(source, tally, script.start, script.end)
    edits.splices += splices
    shifted = [Splice(s.start - script.start, s.end - script.start, s.text) for s in splices]
    text = apply_splices(source.text[script.start : script.end], shifted)
    edits.note(script, text)


def _replace(
    source: Source,
    script: Script,
    text: str,
    edits: Edits,
    dropped: Set[str],
    *,
    mark: str = "",
) -> None:
    tag = without_attributes(source.text[script.token.start : script.token.end], dropped)
    name_end = len("<script")
    tag = f"{tag[:name_end]}{mark}{tag[name_end:]}"
    edits.splices.append(Splice(script.token.start, script.token.end, tag))
    edits.splices.append(Splice(script.start, script.end, text))
    edits.note(script, text)


def _edit_link(
    source: Source, reference: Reference, tag: Token, folder: Folder, tally: Tally
) -> list[Splice]:
    place = Place(source, reference.start, reference.end - reference.start)
    url = reference.url.strip()
    if is_network(url):
        tally.keep(url, "style", place)
    if not is_local(url):
        return []
    sheet = folder.text(url, place)
    text = embed.escape_style(style_text(sheet, folder, tally))
    tally.add("style", sheet.path, len(sheet.text.encode()))
    element = new_tag("style", source.text, tag, _LINK_ATTRIBUTES)
    return [Splice(tag.start, tag.end, f"{element}{text}</style>")]


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
        source.fail(
            f'"{url}" is named in {where}, where it cannot be inlined',
            place.start,
            place.length,
            "put the script into the page itself",
        )
    if kind in ("frame", "object"):
        source.fail(
            f'"{url}" cannot be shown inside a View',
            place.start,
            place.length,
            "put its content into the page",
        )
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
