"""Where a server failed, as its traceback says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mcpapps_cli.dev.fault import find_place, with_place
from mcpapps_cli.model import Position


@pytest.mark.parametrize(
    ("source", "position", "raised"),
    [
        (
            "def f():\n    return (1,\n",
            Position("s.py", 2, 12, 1, "    return (1,"),
            "SyntaxError: '(' was never closed",
        ),
        (
            "def f():\n    if True:\n        return absent + 1\n\nf()\n",
            Position("s.py", 3, 16, 6, "        return absent + 1"),
            "NameError: name 'absent' is not defined",
        ),
        (
            "import json\njson.loads('{')\n",
            Position("s.py", 2, 1, 15, "json.loads('{')"),
            "json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes",
        ),
    ],
)
def test_the_innermost_place_of_the_project_is_found(tmp_path, source, position, raised):
    (tmp_path / "s.py").write_text(source)
    done = subprocess.run(
        [sys.executable, "s.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    error = {"message": "the server ended", "details": done.stderr.splitlines()}
    found = with_place(error, tmp_path)
    assert Position(**found["position"]) == position
    assert found["message"].startswith(raised)
    assert found["details"] == error["details"]


def test_an_error_without_a_place_in_the_project_stays_as_it_is(tmp_path):
    lines = ["Traceback (most recent call last):", '  File "/elsewhere/x.py", line 1, in <module>']
    assert find_place(lines, tmp_path) is None
    error = {"message": "no", "details": lines}
    assert with_place(error, tmp_path) is error


def test_a_place_whose_file_has_changed_since_is_left_out(tmp_path: Path):
    (tmp_path / "s.py").write_text("x\n")
    assert find_place([f'  File "{tmp_path / "s.py"}", line 9'], tmp_path) is None
