"""Tries Views in many hosts, themes, display modes and sizes, one after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from mcpapps_cli import wire
from mcpapps_cli.host.override import load_host
from mcpapps_cli.testing.app import McpApp
from mcpapps_cli.testing.cell import Cell, Input, Place, Size
from mcpapps_cli.testing.fault import KINDS, Allowance, Fault, ViewFault
from mcpapps_cli.testing.view import AppView, texts
from mcpapps_cli.words import cut


def places(
    profiles: Sequence[str], themes: Sequence[str], modes: Sequence[str], sizes: Sequence[Size]
) -> tuple[Place, ...]:
    """Return every combination, a host's together."""
    return tuple(
        Place(profile, theme, mode, size)
        for profile in profiles
        for mode in modes
        for size in sizes
        for theme in themes
    )


def try_views(
    app: McpApp,
    inputs: Iterable[Input],
    where: Sequence[Place],
    *,
    hosts: Mapping[str, Any],
    allow: Iterable[str] = (),
    timeout: float = 30.0,
    report: Callable[[Cell], None] = lambda cell: None,
) -> tuple[Cell, ...]:
    """Mount the View of each call in each place, look at it, and take a picture.

    Args:
        app: The server and the browser.
        inputs: The calls, which are made once for each place.
        where: The places.
        hosts: The project's own profiles.
        allow: What may be wrong; see `fault.Allowance`.
        timeout: Seconds until something must be painted.
        report: Told of each cell when it is done.

    Raises:
        UserError: a profile is unknown, `allow` names no kind, or there is no browser.
        ServerError: the server has gone.
    """
    allowed = Allowance(allow)
    modes = {place.profile: load_host(place.profile, hosts).display_modes for place in where}
    cells = []
    for each in inputs:
        for place in where:
            if place.mode not in modes[place.profile]:
                why = f"{place.profile} has no display mode {place.mode}"
                cell = Cell(each, place, skipped=why)
            else:
                cell = _try(app, each, place, allowed, timeout)
            cells.append(cell)
            report(cell)
    return tuple(cells)


def _try(app: McpApp, each: Input, place: Place, allowed: Allowance, timeout: float) -> Cell:
    began = time.monotonic()
    view = app.render(
        each.tool,
        each.args,
        profile=place.profile,
        theme=place.theme,  # type: ignore[arg-type]
        mode=place.mode,  # type: ignore[arg-type]
        size=place.size.box,
        # Everything is looked at below; a View that breaks is a cell, not an exception.
        allow=KINDS,
        timeout=timeout,
    )
    try:
        declared = _declared_modes(view)
        if declared is not None and place.mode not in declared:
            return Cell(each, place, skipped=f"the View does not declare {place.mode}")
        faults = [*view.faults, *_answered(view), *_unpainted(view, timeout)]
        picture = b""
        # Until the handshake is over a host keeps the frame invisible.
        if view.steps.get("initialized") == "ok":
            try:
                faults += view.size_faults() if view.steps.get("painted") == "ok" else ()
                picture = view.screenshot()
            except ViewFault as exc:
                faults.append(Fault("ladder", str(exc)))
        return Cell(
            each,
            place,
            faults=allowed.left(dict.fromkeys(faults)),
            steps=view.steps,
            console=view.console[-10:],
            picture=picture,
            seconds=time.monotonic() - began,
        )
    finally:
        app.drop(view)


def _declared_modes(view: AppView) -> Sequence[str] | None:
    hello = next((one for one in view.requests if one.method == wire.UI_INITIALIZE), None)
    capabilities = {} if hello is None else hello.params.get("appCapabilities")
    modes = capabilities.get("availableDisplayModes") if isinstance(capabilities, Mapping) else None
    return modes if isinstance(modes, list | tuple) else None


def _answered(view: AppView) -> Iterator[Fault]:
    for message in view.received:
        params = message.get("params")
        if message.get("method") != wire.UI_TOOL_RESULT or not isinstance(params, Mapping):
            continue
        if params.get("isError") is True:
            text = next(iter(texts(params.get("content"))), "")
            yield Fault(
                "tool-error",
                f"the tool answered with isError: {cut(text)}",
                "give arguments that it takes with --call",
            )


def _unpainted(view: AppView, timeout: float) -> Iterator[Fault]:
    if view.steps.get("painted") != "ok" and "broken" not in view.steps.values():
        at = list(view.steps)[-1] if view.steps else "nothing"
        yield Fault("ladder", f'did not reach "painted" within {timeout:g} s; it reached "{at}"')
