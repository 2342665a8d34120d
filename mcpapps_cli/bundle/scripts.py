"""The script elements of a page: inlined, compiled into one, moved, or left as they are."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import TYPE_CHECKING, Final

from mcpapps_cli import embed
from mcpapps_cli.bundle import jsx
from mcpapps_cli.bundle.address import module_addresses
from mcpapps_cli.bundle.caution import caution, caution_computed
from mcpapps_cli.bundle.edits import Bridge, Edits
from mcpapps_cli.bundle.escape import inline_json, inline_script, loading_script
from mcpapps_cli.bundle.script import check_classic, module_splices
from mcpapps_cli.bundle.source import (
    BRIDGE,
    Folder,
    Place,
    Source,
    is_local,
    is_misnamed,
    is_network,
)
from mcpapps_cli.bundle.splice import Splice, apply_splices
from mcpapps_cli.bundle.syntax import check_syntax
from mcpapps_cli.bundle.tag import FETCH, new_tag, without_attributes
from mcpapps_cli.bundle.tally import Tally
from mcpapps_cli.markup.page import Page, Script
from mcpapps_cli.resources import bridge_dir

if TYPE_CHECKING:
    from mcpapps_cli.bundle.native import Compiled

_ATTRIBUTES: Final = FETCH | {"defer", "blocking"}
_JSON: Final = re.compile(r"application/(?:[\w.-]+\+)?json|text/json|importmap|speculationrules")


class ScriptEditor:
    """Turns the script elements of one page into splices.

    Attributes:
        own: What the scripts of the View are made of, with the span of each.
        first_module: Offset of the first module script; the end of the page when there is none.
    """

    def __init__(
        self,
        source: Source,
        page: Page,
        folder: Folder,
        tally: Tally,
        edits: Edits,
        bridge: Bridge,
        compiled: Compiled | None,
    ):
        self._source = source
        self._page = page
        self._folder = folder
        self._tally = tally
        self._edits = edits
        self._bridge = bridge
        self._compiled = compiled
        self._placed = False
        self._after_module = False
        self.first_module = len(source.text)

    def run(self) -> None:
        """Edit every script element.

        Raises:
            SourceError: A script cannot be used in a View.
        """
        for script in self._page.scripts:
            if script.type in ("classic", "module"):
                self._edit(script)
            else:
                self._edit_data(script)
            if script.type == "module":
                self._after_module = True
                self.first_module = min(self.first_module, script.token.start)

    def _edit_data(self, script: Script) -> None:
        source, url = self._source, (script.src.value or "").strip() if script.src else ""
        if script.src is None or not is_local(url) or not _is_json(script):
            self._edits.note(script, source.text[script.start : script.end])
            return
        place = Place(source, script.src.value_start, script.src.value_end - script.src.value_start)
        file = self._folder.text(url, place)
        self._tally.add("script", file.path, len(file.text.encode()))
        self._replace(script, inline_json(file.text), _ATTRIBUTES)

    def _edit(self, script: Script) -> None:
        source, src = self._source, script.src
        url = (src.value or "").strip() if src else ""
        if src is not None and is_misnamed(url):
            Place(source, src.value_start, src.value_end - src.value_start).refuse_name()
        if src is not None and url == BRIDGE:
            dropped = {*_ATTRIBUTES, "async", "type"}
            self._replace(script, self._bridge.take(), dropped, mark=f" {embed.SENTINEL}")
        elif script.type == "module" and self._compiled and not (src and not is_local(url)):
            self._place_compiled(script, self._compiled)
        elif src is None:
            self._edit_inline(script)
        elif is_local(url):
            place = Place(source, src.value_start, src.value_end - src.value_start)
            self._edit_file(script, url, place)
        else:
            if is_network(url):
                place = Place(source, src.value_start, src.value_end - src.value_start)
                self._tally.keep(url, "script", place)
                if script.type == "module" and self._placed:
                    self._tally.warn(
                        "this module runs after those that are bundled, also those below it",
                        "put it first, or import it where it is needed",
                        place,
                    )
            self._edits.note(script, source.text[script.start : script.end])

    def _place_compiled(self, script: Script, compiled: Compiled) -> None:
        if self._placed:
            # Its code is in the first one already.
            self._edits.splices.append(Splice(script.token.start, script.close, ""))
            return
        self._placed = True
        file = Source(self._source.path, self._source.shown, compiled.script.strip())
        text = inline_script(file, module=True)
        mark = ""
        if size := compiled.bridge_bytes:
            mark = f" {embed.SENTINEL}"
            self._tally.add("bridge", bridge_dir(), size)
        for own in compiled.own:
            if own.path.suffix != ".css":
                caution(own, self._tally)
                caution_computed(own, self._tally)
        for each in self._page.scripts:
            if each.type == "module" and each.src is None:
                caution(self._source, self._tally, each.start, each.end)
                caution_computed(self._source, self._tally, each.start, each.end)
        self._replace(script, text, {*_ATTRIBUTES, "async"}, mark=mark)

    def _edit_file(self, script: Script, url: str, place: Place) -> None:
        if script.token.foreign:
            place.fail("a script inside <svg> cannot be inlined", "put the element outside <svg>")
        file = self._folder.text(url, place)
        self._tally.add("script", file.path, len(file.text.encode()))
        caution(file, self._tally)
        if file.path.suffix == ".jsx" and script.type == "module":
            file = jsx.transform_jsx(file)
        else:
            check_syntax(file, self._tally)
        if script.type == "module":
            splices = module_splices(file, self._tally)
            if splices:
                self._bridge.put_before(script)
            splices += module_addresses(file, self._folder, self._tally)
            text = apply_splices(file.text, splices)
            text = inline_script(Source(file.path, file.shown, text), module=True)
            self._tally.measure(file.shown, text)
            self._replace(script, text, _ATTRIBUTES)
            return
        check_classic(file, self._tally)
        text = inline_script(file, module=False)
        self._tally.measure(file.shown, text)
        names = {attr.name for attr in script.token.attrs}
        if "async" in names or ("defer" in names and not self._after_module):
            # Inline scripts run where they stand; these are to run when the page has been read.
            dropped = {*_ATTRIBUTES, "async"}
            element = new_tag("script", self._source.text, script.token, dropped)
            self._edits.splices.append(Splice(script.token.start, script.close, ""))
            self._edits.at_end.append((f"{element}{text}</script>", text))
        elif "defer" in names:
            self._load_in_turn(script, file)
        else:
            self._replace(script, text, _ATTRIBUTES)

    def _load_in_turn(self, script: Script, file: Source) -> None:
        """Let a deferred script run after the modules before it, as it would as a file."""
        dropped = {*_ATTRIBUTES, "async", "type"}
        kept = [(a.name, a.value or "") for a in script.token.attrs if a.name not in dropped]
        text = loading_script(file.text, kept)
        self._edits.splices.append(Splice(script.token.start, script.close, ""))
        element = f'<script type="module">{text}</script>'
        self._edits.insert(script.token.start, element, text)
        self._edits.running.append(file.text)

    def _edit_inline(self, script: Script) -> None:
        source, splices = self._source, []
        caution(source, self._tally, script.start, script.end)
        check_syntax(source, self._tally, script.start, script.end)
        if script.type == "module":
            splices = module_splices(source, self._tally, script.start, script.end)
            if splices:
                self._bridge.put_before(script)
            splices += module_addresses(source, self._folder, self._tally, script.start, script.end)
        else:
            check_classic(source, self._tally, script.start, script.end)
        self._edits.splices += splices
        shifted = [Splice(s.start - script.start, s.end - script.start, s.text) for s in splices]
        text = apply_splices(source.text[script.start : script.end], shifted)
        self._edits.note(script, text)

    def _replace(self, script: Script, text: str, dropped: Set[str], *, mark: str = "") -> None:
        source, edits = self._source, self._edits
        tag = without_attributes(source.text[script.token.start : script.token.end], dropped)
        name_end = len("<script")
        tag = f"{tag[:name_end]}{mark}{tag[name_end:]}"
        edits.splices.append(Splice(script.token.start, script.token.end, tag))
        edits.splices.append(Splice(script.start, script.end, text))
        edits.note(script, text)


def _is_json(script: Script) -> bool:
    type_ = script.token.get("type")
    value = (type_.value or "").strip().lower() if type_ is not None else ""
    return _JSON.fullmatch(value) is not None
