"""Looks at what lies around a server: the project's files, its wheel, git, and the network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from mcpapps_cli.lint.assets import statuses
from mcpapps_cli.lint.observed import GIT_HEAD, Observed
from mcpapps_cli.lint.sources import (
    baseline_of,
    committed_pages,
    installed_sdk,
    newest_wheel,
    python_files,
    read_wheel,
)
from mcpapps_cli.model import Project, Resource, Skip


def look_at_project(
    project: Project,
    observed: Observed,
    *,
    pages: Sequence[Resource] = (),
    wheel: Path | None = None,
    baseline: Path | None = None,
    network: bool = False,
) -> tuple[Observed, tuple[Skip, ...]]:
    """Return `observed` with all that can be seen without the server.

    Args:
        project: The project.
        observed: What was seen of the server.
        pages: The resources, whose external files are asked for with `network`.
        wheel: The wheel to read; None takes the newest in `dist`.
        baseline: A saved inventory; None takes what git has of the bundled pages.
        network: Whether to ask for external files.

    Raises:
        ConfigError: The wheel or the baseline cannot be read.
    """
    skips: list[Skip] = []
    known = committed_pages(project) if baseline is None else baseline_of(baseline)
    found = wheel or newest_wheel(project.root)
    if found is None and project.views and (project.root / "dist").is_dir():
        skips.append(
            Skip("wheel", "there is none in dist; build it, or name one by --wheel", minor=True)
        )
    return (
        replace(
            observed,
            baseline=known,
            baseline_name=GIT_HEAD if baseline is None else str(baseline),
            sources=tuple(python_files(project.root)),
            sdk=installed_sdk(project.server.command) if project.server is not None else None,
            wheel=None if found is None else read_wheel(found, project.root),
            assets=statuses(pages) if network else {},
        ),
        tuple(skips),
    )
