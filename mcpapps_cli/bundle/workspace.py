"""Which folders a View may take files from."""

from __future__ import annotations

from pathlib import Path


def workspace(root: Path) -> Path:
    """Return the outermost folder around `root` that holds a repository or a workspace."""
    found = root
    for folder in (root, *root.parents):
        if (folder / ".git").exists() or (folder / "pnpm-workspace.yaml").is_file():
            found = folder
        elif (package := folder / "package.json").is_file():
            try:
                found = folder if b'"workspaces"' in package.read_bytes() else found
            except OSError:
                continue
    return found
