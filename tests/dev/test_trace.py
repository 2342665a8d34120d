"""What may be imported ahead, and which files are the user's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpapps_cli.dev.trace import (
    Places,
    Trace,
    merged,
    modules_to_warm,
    own_files,
    read_trace,
)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    site = tmp_path / "env" / "site-packages"
    (site / "mcp").mkdir(parents=True)
    (tmp_path / "sibling").mkdir()
    (site / "sibling").symlink_to(tmp_path / "sibling")
    return Places((str(site),), str(tmp_path / "stdlib"))


def trace(places: Places, *names: tuple[str, str], early: int | None = None) -> Trace:
    return Trace(modules=names, early=len(names) if early is None else early)


def test_the_library_and_installed_packages_are_warmed_and_nothing_else(places, tmp_path):
    site = places.site[0]
    found = trace(
        places,
        ("", str(tmp_path / "server.py")),
        ("json", f"{places.stdlib}/json/__init__.py"),
        ("mcp", f"{site}/mcp/__init__.py"),
        ("sibling", f"{site}/sibling/__init__.py"),
        ("editable", str(tmp_path / "src" / "editable.py")),
    )
    assert modules_to_warm(found, places, ()) == ("json", "mcp")
    assert own_files(found, places) == {
        tmp_path / "server.py",
        Path(site) / "sibling" / "__init__.py",
        tmp_path / "src" / "editable.py",
    }


def test_what_is_excluded_stays_cold_with_all_below_it(places):
    site = places.site[0]
    found = trace(
        places,
        ("a", f"{site}/a/__init__.py"),
        ("a.b", f"{site}/a/b.py"),
        ("ab", f"{site}/ab.py"),
    )
    assert modules_to_warm(found, places, ("a",)) == ("ab",)
    assert modules_to_warm(found, places, ("a.b",)) == ("a", "ab")


def test_what_came_after_a_change_of_the_environment_stays_cold(places):
    site = places.site[0]
    found = trace(places, ("a", f"{site}/a.py"), ("b", f"{site}/b.py"), early=1)
    assert modules_to_warm(found, places, ()) == ("a",)


def test_nothing_is_warmed_for_a_program_that_patches_the_library(places):
    site = places.site[0]
    found = trace(places, ("gevent.monkey", f"{site}/gevent/monkey.py"), ("a", f"{site}/a.py"))
    assert modules_to_warm(found, places, ()) == ()


def test_notes_are_read_with_what_they_mean(tmp_path):
    notes = tmp_path / "notes"
    notes.write_text(
        "m\t\t/p/server.py\nr\t/p/a.json\nr\t/p/b.json\nw\t/p/b.json\n"
        "e\tTOKEN\nm\tlate\t/p/late.py\ne\tOTHER\n"
    )
    assert read_trace(notes) == Trace(
        modules=(("", "/p/server.py"), ("late", "/p/late.py")),
        early=1,
        read=frozenset({Path("/p/a.json")}),
        written=frozenset({Path("/p/b.json")}),
    )
    assert read_trace(tmp_path / "missing") == Trace()


def test_names_keep_their_order_once_each():
    assert merged(("a", "b"), ("b", "c")) == ("a", "b", "c")
