"""The pinned esbuild, fetched once into the user's cache: checked before anything is written."""

from __future__ import annotations

import hashlib
import io
import os
import secrets
import ssl
import subprocess
import tarfile
import tempfile
from base64 import b64encode
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from mcpapps_cli.bundle.esbuild.locate import (
    PINNED,
    cache_folder,
    cached_binary,
    member_name,
    platform_name,
)
from mcpapps_cli.bundle.esbuild.npm import Registry, configured_registry, npm_command
from mcpapps_cli.errors import UserError
from mcpapps_cli.files import is_file
from mcpapps_cli.web import environment_told, is_loopback

SHA512: Final[Mapping[str, str]] = {
    "linux-x64": (
        "4xTZr1FUmSoQW4XIWmit3tzQrUTZM+N3P0XV8xROKYF50XfI7xeO90+1bZvNwxIufQ9hDQVRJH5YhgPVF8A/HQ=="
    ),
    "linux-arm64": (
        "pW4AC0P3it8c7do9MVM4p51FzHzdM/TZrerurgRcHJ2WTa1VQ1CIq18xncfpBJw4ojkiZZrKW2yIBWBP92j6Ug=="
    ),
    "darwin-arm64": (
        "n4KqkOQrraxHJcgjM1RvwbigfQKIKJVpM7xp+KsxiyUSrRdIXnt73VhrPAx0fV44hgfmIVKjxMN9J1t5jySVkw=="
    ),
    "darwin-x64": (
        "uq6suIWYP37qzGddBKPw5QEQPi6HiLGsO7UmkpfyaYNQ3D+rN6w6WfwH+nuqcGXWvawGwxOEroO4YGnFh95azw=="
    ),
    "win32-x64": (
        "5ebpxr3nWMzrL/rnUI755Jkuee0bHL/Gq0WTF9lvcpv73wAp5eu8MfBUgWK9bhWvZjj7yX8etf/8tI8Ney695g=="
    ),
    "win32-arm64": (
        "PIhhEkE9uPBleRBrQEJpUn7MBnibZzbGzYWPmY3x+YoVg/95zbjB4CxPPOQ8l5tYYM4mMaCthF8/1DIfBQQyWQ=="
    ),
}
"""By platform, the hash of the package's archive, in base64."""
_LARGEST: Final = 64 * 2**20
_SECONDS: Final = 120.0
# Without a network npm tries for minutes, and with --silent it does not say why.
_NPM_FLAGS: Final = ("--loglevel=error", "--fetch-retries=1", "--fetch-retry-mintimeout=1000")


def fetch_esbuild(
    folder: Path,
    *,
    cache: Path | None = None,
    environ: Mapping[str, str] = os.environ,
    home: Path | None = None,
    hashes: Mapping[str, str] = SHA512,
    on_way: Callable[[str], None] = lambda way: None,
) -> Path:
    """Fetch the pinned esbuild and return its executable; one that is there already is kept.

    Through `npm pack`, which knows proxies, certificates and tokens; without npm from the
    registry that the user's npm configuration names.

    Args:
        folder: The project's folder, whose `.npmrc` counts.
        cache: Default: the user's cache folder.
        environ: The environment.
        home: Whose `.npmrc` counts. Default: the user's.
        hashes: By platform, the hash that the archive must have.
        on_way: Told in words where it comes from.

    Raises:
        UserError: There is no way to get it, or what came is not what it should be; nothing
            is left behind then.
    """
    target = cached_binary(cache or cache_folder(environ))
    if is_file(target):
        return target
    wanted = hashes.get(platform_name())
    if wanted is None:
        raise UserError(
            f'there is no esbuild for "{platform_name()}" to fetch',
            help="install esbuild yourself, and name it with --esbuild",
        )
    archive = _download(folder, environ, home, on_way)
    found = b64encode(hashlib.sha512(archive).digest()).decode()
    if found != wanted:
        raise UserError(
            f"what came is not esbuild {PINNED}: its sha512 is {found[:16]}…, not {wanted[:16]}…",
            help="try again, or check the registry; nothing was kept",
        )
    _write(target, _member(archive))
    return target


def _download(
    folder: Path,
    environ: Mapping[str, str],
    home: Path | None,
    on_way: Callable[[str], None],
) -> bytes:
    if npm := npm_command(environ):
        on_way("through npm")
        return _pack(npm, folder, environ)
    if registry := configured_registry(folder, environ=environ, home=home):
        on_way(f"from {registry.url}")
        return _get(registry)
    raise UserError(
        f"esbuild {PINNED} cannot be fetched: there is no npm, and no registry is configured",
        help='install "mcpapps-cli[node]", or set NPM_CONFIG_REGISTRY',
    )


def _pack(npm: tuple[str, ...], folder: Path, environ: Mapping[str, str]) -> bytes:
    package = f"@esbuild/{platform_name()}@{PINNED}"
    with tempfile.TemporaryDirectory(prefix="mcpapps-") as temporary:
        command = [*npm, "pack", package, "--pack-destination", temporary, *_NPM_FLAGS]
        try:
            done = subprocess.run(
                command, cwd=folder, env=dict(environ), capture_output=True, timeout=_SECONDS
            )
        except subprocess.TimeoutExpired as exc:
            raise UserError(
                f"npm could not fetch {package} within {_SECONDS:g} s",
                help="check the network, or name an esbuild with --esbuild",
            ) from exc
        except OSError as exc:
            raise UserError(f"npm could not fetch {package}: {exc}") from exc
        archives = list(Path(temporary).glob("*.tgz"))
        if done.returncode or len(archives) != 1:
            lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise UserError(
                f"npm could not fetch {package}",
                help="see what npm says above, or name an esbuild with --esbuild",
                # The cause comes first, what npm was doing after it.
                details=tuple(lines[:5])
                or (f"npm ended with exit code {done.returncode} and said nothing",),
            )
        return archives[0].read_bytes()


def _get(registry: Registry) -> bytes:
    import httpx

    name = platform_name()
    url = f"{registry.url}@esbuild/{name}/-/{name}-{PINNED}.tgz"
    with environment_told():
        context = ssl.create_default_context()
        client = httpx.Client(
            verify=context,
            follow_redirects=True,
            timeout=_SECONDS,
            trust_env=not is_loopback(urlsplit(url).hostname or ""),
        )
    try:
        if registry.cafile is not None:
            context.load_verify_locations(registry.cafile)
        chunks, size = [], 0
        with client, client.stream("GET", url) as answer:
            answer.raise_for_status()
            for chunk in answer.iter_bytes():
                chunks.append(chunk)
                size += len(chunk)
                if size > _LARGEST:
                    raise UserError(f'"{url}" does not end', help="check the registry")
        return b"".join(chunks)
    except (httpx.HTTPError, OSError) as exc:
        raise UserError(
            f'"{url}" cannot be fetched: {exc}', help="check the registry, or install npm"
        ) from exc


def _member(archive: bytes) -> bytes:
    name = f"package/{member_name()}"
    try:
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as tar:
            file = tar.extractfile(name)
            if file is not None:
                return file.read(_LARGEST)
    except (tarfile.TarError, KeyError, OSError, EOFError) as exc:
        raise UserError(f'the archive of esbuild has no "{name}": {exc}') from exc
    raise UserError(f'the archive of esbuild has no file "{name}"')


def _write(target: Path, data: bytes) -> None:
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        # Not executable before it is whole.
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
        part.chmod(0o755)
        part.replace(target)
    except OSError as exc:
        part.unlink(missing_ok=True)
        raise UserError(
            f'"{target}" cannot be written: {(exc.strerror or str(exc)).lower()}',
            help="set MCPAPPS_CACHE to a folder that can be written",
        ) from exc
