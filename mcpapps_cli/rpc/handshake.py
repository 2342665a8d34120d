"""Agreeing on a protocol era: `initialize` of 2025-11-25 or `server/discover` of 2026-07-28."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcpapps_cli import __version__, metadata, wire
from mcpapps_cli.errors import RpcError, ServerError
from mcpapps_cli.model import Era, EraChoice, JsonObject
from mcpapps_cli.rpc.peer import Peer
from mcpapps_cli.rpc.refusal import StatusError
from mcpapps_cli.words import cut

# How long a server may be silent to the probe before `initialize` is sent as well.
_PROBE_SECONDS = 2.0
_NOT_MCP = "check that this is an MCP server"


@dataclass(frozen=True, slots=True)
class Agreement:
    """What the handshake gave.

    Attributes:
        era: Which handshake was used.
        protocol_version: The core revision agreed on.
        server_info: `serverInfo` as received.
        capabilities: The server's capabilities as received.
        instructions: The server's instructions for a model.
    """

    era: Era
    protocol_version: str
    server_info: JsonObject = field(default_factory=dict)
    capabilities: JsonObject = field(default_factory=dict)
    instructions: str | None = None


def client_capabilities(ui: bool) -> dict[str, Any]:
    """Return what this client declares; without `ui` it is a host that shows no Views."""
    return {"extensions": metadata.client_extensions()} if ui else {}


def request_meta(ui: bool) -> dict[str, Any]:
    """Return the `_meta` that every request carries since 2026-07-28."""
    return {
        wire.META_PROTOCOL_VERSION: wire.CORE_MODERN,
        wire.META_CLIENT_INFO: _client_info(),
        wire.META_CLIENT_CAPABILITIES: client_capabilities(ui),
    }


async def agree(peer: Peer, *, era: EraChoice, ui: bool) -> Agreement:
    """Shake hands; `auto` prefers the modern era and falls back to `initialize`.

    A stdio server of the SDK locks to the era of the first request that it understands, and a
    slow one answers both requests of `auto` in order: so whatever succeeds first decides.

    Raises:
        ServerError: The server is gone, or speaks neither.
    """
    if era == "legacy":
        return await _initialize(peer, ui)
    if era == "modern":
        try:
            return await _discover(peer, ui)
        except RpcError as error:
            raise ServerError(
                f'the server refused "{wire.DISCOVER}": {_spoken(error)}',
                help=f"it may know only the older handshake; pass --era legacy, or {_NOT_MCP}",
            ) from error
    probe = asyncio.create_task(_discover(peer, ui))
    try:
        done, _ = await asyncio.wait({probe}, timeout=_PROBE_SECONDS)
        if done and (agreement := _outcome(probe, peer)) is not None:
            return agreement
        return await _first_to_agree(probe, peer, ui)
    finally:
        probe.cancel()
        await asyncio.gather(probe, return_exceptions=True)


async def _first_to_agree(probe: asyncio.Task[Agreement], peer: Peer, ui: bool) -> Agreement:
    handshake = asyncio.create_task(_initialize(peer, ui))
    try:
        await asyncio.wait({probe, handshake}, return_when=asyncio.FIRST_COMPLETED)
        for _ in range(2):
            if probe.done() and (agreement := _outcome(probe, peer)) is not None:
                return agreement
            if handshake.done() and handshake.exception() is None:
                return handshake.result()
            await asyncio.wait({probe, handshake})
        return await handshake
    finally:
        handshake.cancel()
        await asyncio.gather(handshake, return_exceptions=True)


def _outcome(probe: asyncio.Task[Agreement], peer: Peer) -> Agreement | None:
    """Return what the probe gave, None for "ask in the older way"; raise what is final."""
    try:
        return probe.result()
    except (RpcError, ServerError) as error:
        if peer.gone_reason is not None or (isinstance(error, StatusError) and error.is_final):
            raise
        return None


async def _discover(peer: Peer, ui: bool) -> Agreement:
    result = await peer.request(wire.DISCOVER, {"_meta": request_meta(ui)}, cancellable=False)
    versions = result.get("supportedVersions")
    if not isinstance(versions, list) or wire.CORE_MODERN not in versions:
        raise RpcError(
            wire.INVALID_PARAMS,
            f"supportedVersions {cut(str(versions))} does not have {wire.CORE_MODERN}",
        )
    meta = _object(result.get("_meta"))
    return Agreement(
        era="modern",
        protocol_version=wire.CORE_MODERN,
        server_info=_object(meta.get(wire.META_SERVER_INFO) or result.get("serverInfo")),
        capabilities=_object(result.get("capabilities")),
        instructions=_text(result.get("instructions")),
    )


async def _initialize(peer: Peer, ui: bool) -> Agreement:
    params = {
        "protocolVersion": wire.CORE_LEGACY,
        "capabilities": client_capabilities(ui),
        "clientInfo": _client_info(),
    }
    try:
        # The specification forbids cancelling this request.
        result = await peer.request(wire.INITIALIZE, params, cancellable=False)
    except RpcError as error:
        raise ServerError(
            f'the server refused "{wire.INITIALIZE}": {_spoken(error)}',
            help=f"it may know only the newer handshake; pass --era modern, or {_NOT_MCP}",
        ) from error
    await peer.notify(wire.INITIALIZED)
    return Agreement(
        era="legacy",
        protocol_version=_text(result.get("protocolVersion")) or "",
        server_info=_object(result.get("serverInfo")),
        capabilities=_object(result.get("capabilities")),
        instructions=_text(result.get("instructions")),
    )


def _client_info() -> dict[str, str]:
    return {"name": "mcpapps", "version": __version__}


def _spoken(error: RpcError) -> str:
    return f"error {error.code}: {cut(error.message)}"


def _object(value: object) -> JsonObject:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
