"""An inventory as a JSON file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from mcpapps_cli.errors import ConfigError
from mcpapps_cli.files import write_whole
from mcpapps_cli.inventory.resource import resource_from
from mcpapps_cli.model import Inventory, JsonObject, Resource, Skip
from mcpapps_cli.rpc.framing import parse

_VERSION: Final = 1
_ERAS: Final = ("legacy", "modern")


def inventory_json(inventory: Inventory) -> dict[str, Any]:
    """Return the inventory as JSON values; it has no header, environment value or token."""
    return {
        "version": _VERSION,
        "era": inventory.era,
        "protocolVersion": inventory.protocol_version,
        "serverInfo": inventory.server_info,
        "capabilities": inventory.capabilities,
        "tools": list(inventory.tools),
        "resources": [
            {
                "uri": resource.uri,
                "listing": resource.listing,
                "contents": list(resource.contents),
                "readMeta": resource.read_meta,
            }
            for resource in inventory.resources
        ],
        "unread": [
            {"subject": skip.subject, "reason": skip.reason, "answered": skip.answered}
            for skip in inventory.unread
        ],
    }


def save_inventory(inventory: Inventory, path: Path) -> None:
    """Write the inventory as JSON, whole or not at all.

    Raises:
        ConfigError: The file cannot be written.
    """
    text = json.dumps(inventory_json(inventory), indent=2) + "\n"
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise ConfigError(
            f'"{path}" cannot be written: {error.strerror}', help="name a file in another folder"
        ) from error


def load_inventory(path: Path) -> Inventory:
    """Read what `save_inventory` wrote.

    Raises:
        ConfigError: The file cannot be read or is no inventory; `details` has every fault.
    """
    help = "write one with mcpapps lint --save FILE, or correct the file"
    try:
        data = parse(path.read_bytes())
    except OSError as error:
        raise ConfigError(
            f'"{path}" cannot be read: {error.strerror}', help="check the path"
        ) from error
    except ValueError as error:
        raise ConfigError(f'"{path}" is not JSON in UTF-8', help=help) from error
    faults = _Faults()
    inventory = _inventory_from(data, faults)
    if faults.found:
        raise ConfigError(f'"{path}" is not an inventory', help=help, details=tuple(faults.found))
    return inventory


def inventory_from_json(data: object) -> Inventory:
    """Return the inventory that `inventory_json` made JSON values of.

    Raises:
        ConfigError: it is none; `details` has every fault.
    """
    faults = _Faults()
    inventory = _inventory_from(data, faults)
    if faults.found:
        raise ConfigError("the values are not an inventory", details=tuple(faults.found))
    return inventory


class _Faults:
    def __init__(self) -> None:
        self.found: list[str] = []

    def one(self, value: object, pointer: str) -> JsonObject:
        if isinstance(value, dict):
            return value
        self.found.append(f"{pointer or '/'} must be an object")
        return {}

    def many(self, value: object, pointer: str) -> tuple[JsonObject, ...]:
        if isinstance(value, list):
            return tuple(self.one(item, f"{pointer}/{i}") for i, item in enumerate(value))
        self.found.append(f"{pointer} must be a list of objects")
        return ()

    def text(self, value: object, pointer: str) -> str:
        if isinstance(value, str):
            return value
        self.found.append(f"{pointer} must be a string")
        return ""


def _inventory_from(data: object, faults: _Faults) -> Inventory:
    fields = faults.one(data, "")
    if fields.get("version") != _VERSION:
        faults.found.append(f"/version must be {_VERSION}")
    era = fields.get("era")
    if era not in _ERAS:
        faults.found.append(f"/era must be one of {', '.join(_ERAS)}")
    unread = faults.many(fields.get("unread", []), "/unread")
    return Inventory(
        era="modern" if era == "modern" else "legacy",
        protocol_version=faults.text(fields.get("protocolVersion", ""), "/protocolVersion"),
        server_info=faults.one(fields.get("serverInfo", {}), "/serverInfo"),
        capabilities=faults.one(fields.get("capabilities", {}), "/capabilities"),
        tools=faults.many(fields.get("tools"), "/tools"),
        resources=tuple(
            _resource_from_saved(item, f"/resources/{index}", faults)
            for index, item in enumerate(faults.many(fields.get("resources"), "/resources"))
        ),
        unread=tuple(
            Skip(
                faults.text(item.get("subject"), f"/unread/{index}/subject"),
                faults.text(item.get("reason"), f"/unread/{index}/reason"),
                item.get("answered") is True,
            )
            for index, item in enumerate(unread)
        ),
    )


def _resource_from_saved(item: JsonObject, pointer: str, faults: _Faults) -> Resource:
    uri = faults.text(item.get("uri"), f"{pointer}/uri")
    listing, meta = item.get("listing"), item.get("readMeta")
    contents = faults.many(item.get("contents", []), f"{pointer}/contents")
    if listing is not None:
        listing = faults.one(listing, f"{pointer}/listing")
    if meta is not None:
        meta = faults.one(meta, f"{pointer}/readMeta")
    # The saved list of unread things says already why something has no HTML.
    resource, _ = resource_from(uri, listing, {"contents": contents, "_meta": meta})
    return resource
