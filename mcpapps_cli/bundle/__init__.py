"""Turn a View into one self-contained HTML file and its metadata."""

from mcpapps_cli.bundle.build import build_bundle
from mcpapps_cli.bundle.output import check_bundle, write_bundle
from mcpapps_cli.bundle.rebuilds import Rebuilds
from mcpapps_cli.bundle.toolchain import EngineMissing, Toolchain

__all__ = [
    "EngineMissing",
    "Rebuilds",
    "Toolchain",
    "build_bundle",
    "check_bundle",
    "write_bundle",
]
