"""The extension's declaration: what a client says that it can show, and what a peer said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from mcpapps_cli import wire
from mcpapps_cli.metadata.problem import json_type, shown
from mcpapps_cli.model import JsonObject

_ALIASES: Final = {"io.modelcontextprotocol/apps": wire.EXTENSION_ID}
_TOOL_FIELDS: Final = ("ui", wire.FLAT_URI_KEY, *wire.TOOL_META_KEYS)
_NOTHING: Final[JsonObject] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Extensions:
    """The `capabilities.extensions` that a client declares; every method returns a new value.

        >>> Extensions().apps().to_json()
        {'io.modelcontextprotocol/ui': {'mimeTypes': ['text/html;profile=mcp-app']}}

    Attributes:
        settings: Extension id to its settings.
    """

    settings: Mapping[str, JsonObject] = field(default_factory=dict)

    def apps(self, settings: JsonObject | None = None) -> Extensions:
        """Declare MCP Apps (specification, Client (Host) Capabilities).

        Args:
            settings: Merged over `{"mimeTypes": [...]}` with the one media type that there is.
                An own `mimeTypes` replaces that list; None counts as absent, an empty list stays.

        Raises:
            ValueError: A field of a tool's `_meta.ui` is among them, or `mimeTypes` is not a list
                of non-empty strings.
        """
        given = {} if settings is None else _object("settings", settings)
        if given.get("mimeTypes", ...) is None:
            del given["mimeTypes"]
        return self.register(wire.EXTENSION_ID, {"mimeTypes": [wire.MIME_TYPE], **given})

    def register(self, identifier: str, settings: JsonObject | None = None) -> Extensions:
        """Declare any extension; objects are merged at every depth, other values replaced.

        Args:
            identifier: Trimmed; `io.modelcontextprotocol/apps` becomes the id of the
                specification.
            settings: None counts as `{}`.

        Raises:
            ValueError: The id is blank, the settings are no object, or they are not allowed for
                MCP Apps, as for `apps`.
        """
        if not isinstance(identifier, str) or not identifier.strip():
            raise ValueError(f'identifier "{shown(identifier)}" must be a non-empty string')
        name = canonical_id(identifier)
        merged = _merged(self.settings.get(name, _NOTHING), _object(name, settings))
        if name == wire.EXTENSION_ID:
            _check_apps(merged)
        return Extensions({**self.settings, name: merged})

    def merge(self, other: Extensions | JsonObject | None) -> Extensions:
        """Return both, `other` winning; such as one client's declaration over the common one.

        Raises:
            ValueError: As for `register`.
        """
        result = self
        theirs = other.settings if isinstance(other, Extensions) else _object("extensions", other)
        for name, settings in theirs.items():
            result = result.register(name, settings)
        return result

    def to_json(self) -> dict[str, Any]:
        """Return the value of `capabilities.extensions`; `{}` when nothing is declared."""
        return {name: _merged(_NOTHING, settings) for name, settings in self.settings.items()}

    def __bool__(self) -> bool:
        return bool(self.settings)


def client_extensions() -> dict[str, Any]:
    """Return a host's `capabilities.extensions` (specification, Client Capabilities)."""
    return Extensions().apps().to_json()


def canonical_id(identifier: str) -> str:
    """Return `identifier` trimmed, and as the specification writes it (Extension Identifier)."""
    trimmed = identifier.strip()
    return _ALIASES.get(trimmed, trimmed)


def declared_extensions(capabilities: object) -> dict[str, JsonObject]:
    """Return what a client or a server declared, by canonical id; never raises.

    Args:
        capabilities: The `capabilities` object as received, or an SDK's model of it
            (specification, Client (Host) Capabilities).

    Settings that are no object count as `{}`. When both an alias and the id are there, the id
    wins.
    """
    if isinstance(capabilities, Mapping):
        extensions = capabilities.get("extensions")
    else:
        extensions = getattr(capabilities, "extensions", None)
    if not isinstance(extensions, Mapping):
        return {}
    found: dict[str, JsonObject] = {}
    for name, settings in extensions.items():
        if isinstance(name, str) and (
            canonical_id(name) == name or canonical_id(name) not in found
        ):
            found[canonical_id(name)] = settings if isinstance(settings, Mapping) else {}
    return found


def supports_apps(capabilities: object, *, mime_type: str = wire.MIME_TYPE) -> bool:
    """Whether a client said that it shows Views of `mime_type`; never raises.

    Args:
        capabilities: As for `declared_extensions`.
        mime_type: The media type that must be in its `mimeTypes`. A declaration without
            `mimeTypes` says nothing, for the specification requires them
            (Client (Host) Capabilities).
    """
    listed = declared_extensions(capabilities).get(wire.EXTENSION_ID, _NOTHING).get("mimeTypes")
    return isinstance(listed, list | tuple) and mime_type in listed


def check_mime_types(value: object) -> None:
    """Refuse what is not a list of non-empty strings.

    Args:
        value: Of `mimeTypes` (specification, Client (Host) Capabilities).

    Raises:
        ValueError: It names the entry.
    """
    if not isinstance(value, list | tuple):
        raise ValueError(f"mimeTypes must be a list of media types, not {json_type(value)}")
    for entry in value:
        if not isinstance(entry, str) or not entry.strip():
            raise ValueError(f'mimeTypes entry "{shown(entry)}" must be a non-empty string')


def _check_apps(settings: JsonObject) -> None:
    for key in _TOOL_FIELDS:
        if key in settings:
            raise ValueError(
                f'"{key}" says something about one tool, and this declares what a client can show; '
                'put it into "_meta.ui" of the tool'
            )
    if "mimeTypes" in settings:
        check_mime_types(settings["mimeTypes"])


def _object(name: str, value: object) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} must be an object, not {json_type(value)}")
    for key in value:
        if not isinstance(key, str):
            raise ValueError(f"{name} has a key that is not a string: {shown(key)}")
    return dict(value)


def _merged(base: JsonObject, over: JsonObject) -> dict[str, Any]:
    # Copies at every depth, so that what was returned can be changed without changing this.
    result = {key: _copied(value) for key, value in base.items()}
    for key, value in over.items():
        known = result.get(key)
        if isinstance(known, Mapping) and isinstance(value, Mapping):
            result[key] = _merged(known, value)
        else:
            result[key] = _copied(value)
    return result


def _copied(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _merged(_NOTHING, value)
    return [_copied(each) for each in value] if isinstance(value, list | tuple) else value
