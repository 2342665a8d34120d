"""The frozen values that flow between the layers; a part of them is made when it is asked for.

To make one dataclass takes longer than to read a file, and no command needs them all.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mcpapps_cli.model.bundle import Bundle as Bundle
    from mcpapps_cli.model.bundle import Inlined as Inlined
    from mcpapps_cli.model.bundle import Notice as Notice
    from mcpapps_cli.model.bundle import Share as Share
    from mcpapps_cli.model.inventory import Inventory as Inventory
    from mcpapps_cli.model.inventory import Resource as Resource
    from mcpapps_cli.model.inventory import Skip as Skip
    from mcpapps_cli.model.names import Engine as Engine
    from mcpapps_cli.model.names import Era as Era
    from mcpapps_cli.model.names import EraChoice as EraChoice
    from mcpapps_cli.model.names import Json as Json
    from mcpapps_cli.model.names import JsonObject as JsonObject
    from mcpapps_cli.model.names import Pointer as Pointer
    from mcpapps_cli.model.names import PolicyMode as PolicyMode
    from mcpapps_cli.model.names import Severity as Severity
    from mcpapps_cli.model.names import Uri as Uri
    from mcpapps_cli.model.names import Verdict as Verdict
    from mcpapps_cli.model.plan import FileAction as FileAction
    from mcpapps_cli.model.plan import Plan as Plan
    from mcpapps_cli.model.position import Position as Position
    from mcpapps_cli.model.project import Building as Building
    from mcpapps_cli.model.project import Csp as Csp
    from mcpapps_cli.model.project import Project as Project
    from mcpapps_cli.model.project import SampleCall as SampleCall
    from mcpapps_cli.model.project import ServerSpec as ServerSpec
    from mcpapps_cli.model.project import View as View
    from mcpapps_cli.model.report import Cell as Cell
    from mcpapps_cli.model.report import Finding as Finding
    from mcpapps_cli.model.report import Report as Report

_PARTS: Final = {
    "bundle": "Bundle Inlined Notice Share",
    "inventory": "Inventory Resource Skip",
    "names": "Engine Era EraChoice Json JsonObject Pointer PolicyMode Severity Uri Verdict",
    "plan": "FileAction Plan",
    "position": "Position",
    "project": "Building Csp Project SampleCall ServerSpec View",
    "report": "Cell Finding Report",
}
_PART_OF: Final = {name: part for part, names in _PARTS.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _PART_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PART_OF[name]}"), name)
