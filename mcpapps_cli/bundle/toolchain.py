"""The engines at hand: looked for when a View first needs one, and ended together."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from mcpapps_cli.bundle.program import Need
from mcpapps_cli.errors import SourceError

if TYPE_CHECKING:
    from mcpapps_cli.bundle.esbuild.compiler import Compiler


class EngineMissing(SourceError):
    """A View needs esbuild, and there is none."""


class Toolchain:
    """Gives a compiler to whoever needs one; a context manager.

    Args:
        esbuild: An executable that must be used. Default: the first that is found.
        cache: Where a fetched one would be. Default: the user's cache folder.
        keep: Whether builds are repeated, as `dev` does.
    """

    def __init__(
        self, *, esbuild: Path | None = None, cache: Path | None = None, keep: bool = False
    ):
        self._esbuild = esbuild
        self._cache = cache
        self._keep = keep
        self._compilers: dict[Path, Compiler] = {}

    def compiler(self, need: Need, start: Path) -> Compiler:
        """Return a compiler.

        Args:
            need: What it is for.
            start: The View's folder, from which `node_modules` is looked for.

        Raises:
            EngineMissing: There is no esbuild that can be used.
            UserError: The one that was named cannot be used.
        """
        from mcpapps_cli.bundle.esbuild.compiler import Compiler
        from mcpapps_cli.bundle.esbuild.locate import find_esbuild

        found = find_esbuild(start, given=self._esbuild, cache=self._cache)
        if found.binary is None:
            place = need.place
            error = EngineMissing(
                f"{need.what} needs esbuild, which was not found",
                place.source.at(place.start, place.length),
                help=f'{need.why}; run "npm install --save-dev esbuild", or pass --fetch-esbuild',
            )
            error.details = found.refused
            raise error
        known = self._compilers.get(found.binary.path)
        if known is None:
            known = self._compilers[found.binary.path] = Compiler(found.binary, keep=self._keep)
        return known

    def close(self) -> None:
        """End every process."""
        for compiler in self._compilers.values():
            compiler.close()
        self._compilers.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
