"""The pair of files on disk."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mcpapps_cli import __version__
from mcpapps_cli.bundle import check_bundle, write_bundle
from mcpapps_cli.errors import UserError
from mcpapps_cli.model import Bundle
from tests.bundle.conftest import Build

HEAD = '<!doctype html>\n<meta charset="utf-8">\n'


@pytest.fixture
def bundle(build: Build) -> Bundle:
    return build({"index.html": f"{HEAD}<p>é\n"}, prefers_border=True)


def test_pair_holds_the_document_and_what_the_server_needs(bundle: Bundle, tmp_path: Path) -> None:
    page, metadata = write_bundle(bundle, tmp_path / "new" / "out")
    assert page.read_bytes() == bundle.html.encode()
    assert json.loads(metadata.read_bytes()) == {
        "uri": "ui://app/v.html",
        "_meta": {"ui": {"prefersBorder": True}},
        "sha256": bundle.sha256,
        "size": bundle.size,
        "tool": f"mcpapps {__version__}",
    }
    assert sorted(path.name for path in page.parent.iterdir()) == ["v.html", "v.json"]


def test_written_pair_is_fresh_and_not_written_again(bundle: Bundle, tmp_path: Path) -> None:
    page, _ = write_bundle(bundle, tmp_path)
    os.utime(page, (1, 1))
    write_bundle(bundle, tmp_path)
    assert page.stat().st_mtime == 1
    assert check_bundle(bundle, tmp_path) == "fresh"


def test_checkout_with_crlf_is_fresh(bundle: Bundle, tmp_path: Path) -> None:
    for path in write_bundle(bundle, tmp_path):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert check_bundle(bundle, tmp_path) == "fresh"


@pytest.mark.parametrize("name", ["v.html", "v.json"])
def test_pair_without_one_of_its_files_is_missing(
    bundle: Bundle, tmp_path: Path, name: str
) -> None:
    write_bundle(bundle, tmp_path)
    (tmp_path / name).unlink()
    assert check_bundle(bundle, tmp_path) == "missing"


def test_changed_page_is_stale(bundle: Bundle, tmp_path: Path) -> None:
    page, _ = write_bundle(bundle, tmp_path)
    page.write_text("edited")
    assert check_bundle(bundle, tmp_path) == "stale"


def test_changed_declaration_is_stale(bundle: Bundle, tmp_path: Path) -> None:
    _, metadata = write_bundle(bundle, tmp_path)
    document = json.loads(metadata.read_bytes())
    document["_meta"]["ui"]["prefersBorder"] = False
    metadata.write_text(json.dumps(document))
    assert check_bundle(bundle, tmp_path) == "stale"


@pytest.mark.parametrize("text", ["not json", "[]", "\x80"])
def test_metadata_that_cannot_be_read_is_stale(bundle: Bundle, tmp_path: Path, text: str) -> None:
    _, metadata = write_bundle(bundle, tmp_path)
    metadata.write_bytes(text.encode("latin-1"))
    assert check_bundle(bundle, tmp_path) == "stale"


def test_difference_made_by_another_version_is_told_apart(bundle: Bundle, tmp_path: Path) -> None:
    page, metadata = write_bundle(bundle, tmp_path)
    document = json.loads(metadata.read_bytes())
    document["tool"] = "mcpapps 0.0.1"
    metadata.write_text(json.dumps(document))
    assert check_bundle(bundle, tmp_path) == "fresh"
    page.write_text("as 0.0.1 would have written it")
    assert check_bundle(bundle, tmp_path) == "other-version"


def test_failed_write_leaves_the_old_pair_and_nothing_else(bundle: Bundle, tmp_path: Path) -> None:
    (tmp_path / "v.html").write_text("old")
    # A folder cannot be replaced by a file, so the second of the pair fails.
    (tmp_path / "v.json").mkdir()
    (tmp_path / "v.json" / "x").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        write_bundle(bundle, tmp_path)
    assert (tmp_path / "v.html").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["project", "v.html", "v.json"]


def test_output_folder_that_is_a_file_is_refused(bundle: Bundle, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        write_bundle(bundle, tmp_path / "out")
