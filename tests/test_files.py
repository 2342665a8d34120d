import stat
from pathlib import Path

import pytest

from mcpapps_cli.files import shown, write_together, write_whole


def test_missing_folders_are_made(tmp_path: Path) -> None:
    write_whole(tmp_path / "a" / "b" / "c", b"\r\n\0")
    assert (tmp_path / "a" / "b" / "c").read_bytes() == b"\r\n\0"


def test_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    write_whole(tmp_path / "a", b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a", b"new")]


def test_files_that_are_written_together_have_one_time(tmp_path: Path) -> None:
    # A bundle that is written before its sources would look older than they are.
    paths = [tmp_path / f"{number}" for number in range(50)]
    write_together({path: bytes(100_000) for path in paths})
    assert len({path.stat().st_mtime_ns for path in paths}) == 1


def test_the_permissions_of_a_file_stay(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "a").chmod(0o640)
    write_whole(tmp_path / "a", b"new")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_a_file_that_nobody_may_write_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"old")
    (tmp_path / "b").chmod(0o444)
    with pytest.raises(PermissionError, match="is read-only"):
        write_together({tmp_path / "a": b"new", tmp_path / "b": b"new"})
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("b", b"old")]


def test_all_stay_old_when_one_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    # The longest name that file systems take, so that nothing can be written beside it.
    long = tmp_path / ("x" * 255)
    with pytest.raises(OSError) as caught:  # noqa: PT011 - the number differs by system
        write_together({tmp_path / "a": b"new", long: b"new"})
    assert caught.value.filename == str(long)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a", b"old")]


def test_a_path_is_named_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "project"
    here.mkdir()
    monkeypatch.chdir(here)
    assert shown(here / "built" / "a.html") == "built/a.html"
    assert shown(tmp_path / "b.html") == "../b.html"
