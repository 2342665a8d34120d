"""Everything a host would see of one server: asked for, saved and loaded."""

from __future__ import annotations

from mcpapps_cli.inventory.reading import read_inventory, take_inventory
from mcpapps_cli.inventory.resource import read_resource, resource_from
from mcpapps_cli.inventory.saved import (
    inventory_from_json,
    inventory_json,
    load_inventory,
    save_inventory,
)

__all__ = [
    "inventory_from_json",
    "inventory_json",
    "load_inventory",
    "read_inventory",
    "read_resource",
    "resource_from",
    "save_inventory",
    "take_inventory",
]
