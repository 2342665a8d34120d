"""A bundled View as a resource of the SDK, read from disk each time."""

from __future__ import annotations

import logging
from pathlib import Path

import anyio.to_thread
from mcp.server.mcpserver.exceptions import ResourceError
from mcp.server.mcpserver.resources import Resource
from pydantic import PrivateAttr

from mcpapps_cli.server.pair import Pair, read_pair
from mcpapps_cli.wire import MIME_TYPE

_log = logging.getLogger("mcpapps_cli.server")


class ViewResource(Resource):
    """One View of `mcpapps bundle`; page and metadata are those of the last bundle.

    Attributes:
        path: The HTML file.
    """

    path: Path
    _pair: Pair = PrivateAttr()

    @classmethod
    def from_bundle(
        cls, path: Path, *, name: str | None, title: str | None, description: str | None
    ) -> ViewResource:
        """Read the pair and make the resource.

        Raises:
            ValueError: As for `read_pair`.
        """
        pair = read_pair(path)
        resource = cls(
            uri=pair.uri,
            name=name or path.stem,
            title=title,
            description=description,
            mime_type=MIME_TYPE,
            meta=dict(pair.meta),
            path=path,
        )
        resource._pair = pair
        return resource

    @property
    def current_uri(self) -> str:
        """The URI of the last bundle; it differs from `uri` when the content's hash is in it."""
        return self._pair.uri

    @property
    def has_hash(self) -> bool:
        """Whether the content's hash is part of the URI."""
        return self._pair.family is not None

    def answers(self, uri: str) -> bool:
        """Whether `uri` is this View, under any hash."""
        if uri in (self.uri, self.current_uri):
            return True
        return self._pair.family is not None and self._pair.family.fullmatch(uri) is not None

    async def refresh(self) -> None:
        """Take the metadata of the last bundle; what was there stays when it cannot be read."""
        try:
            self._take(await anyio.to_thread.run_sync(read_pair, self.path))
        except (OSError, ValueError) as error:
            _log.warning("%s", error)

    async def read(self) -> str:
        """Return the page, and take the metadata that was bundled with it."""
        try:
            pair = await anyio.to_thread.run_sync(read_pair, self.path)
            html = await anyio.to_thread.run_sync(pair.html)
        except (OSError, ValueError) as error:
            _log.warning("%s", error)
            # The client is not told where the files are.
            raise ResourceError(
                f'view "{self.path.name}" cannot be read; run "mcpapps bundle"'
            ) from error
        self._take(pair)
        return html

    def _take(self, pair: Pair) -> None:
        self._pair, self.meta = pair, dict(pair.meta)
