"""The bundle as a value."""

from __future__ import annotations

import gzip
import hashlib
import os
import subprocess
import sys
from pathlib import Path

from mcpapps_cli.model import Csp
from tests.bundle.conftest import Build

HEAD = '<!doctype html>\n<meta charset="utf-8">\n'


def test_sizes_and_hash_are_those_of_the_document(build: Build) -> None:
    bundle = build({"index.html": HEAD + "<p>é</p>"})
    data = bundle.html.encode("utf-8")
    assert bundle.size == len(data) == len(bundle.html) + 1
    assert bundle.sha256 == hashlib.sha256(data).hexdigest()
    assert bundle.gzip == len(gzip.compress(data, 9))


def test_metadata_is_what_the_view_declares(build: Build) -> None:
    bundle = build(
        {"index.html": HEAD},
        csp=Csp(connect=("https://a.example",)),
        permissions=("clipboardWrite",),
        prefers_border=False,
    )
    assert bundle.meta == {
        "csp": {
            "connectDomains": ["https://a.example"],
            "resourceDomains": [],
            "frameDomains": [],
            "baseUriDomains": [],
        },
        "permissions": {"clipboardWrite": {}},
        "prefersBorder": False,
    }


def test_hash_of_the_content_can_be_part_of_the_uri(build: Build) -> None:
    bundle = build({"index.html": HEAD}, hash_uri=True)
    assert bundle.uri == f"ui://app/v.{bundle.sha256[:12]}.html"


def test_parts_are_named_with_their_sizes(build: Build) -> None:
    page = f"{HEAD}<script src=a.js></script><img src=i.gif>"
    bundle = build({"index.html": page, "a.js": "é", "i.gif": b"GIF"})
    assert [(part.kind, part.path.name, part.size) for part in bundle.inlined] == [
        ("script", "a.js", 2),
        ("image", "i.gif", 3),
    ]


def test_result_does_not_depend_on_folder_locale_time_zone_or_hash_seed(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from mcpapps_cli.bundle import build_bundle;"
        "from mcpapps_cli.model import View; root = Path(sys.argv[1]);"
        "print(build_bundle(View('v', root / 'index.html', 'ui://a/b'), root=root).sha256)"
    )
    hashes = set()
    for name, environ in {
        "one": {"LANG": "C", "TZ": "UTC", "PYTHONHASHSEED": "1"},
        "zwei drei": {"LANG": "de_DE.UTF-8", "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "2"},
    }.items():
        root = tmp_path / name
        root.mkdir()
        page = f"{HEAD}<script src=a.js></script><script type=module src=m.js></script><p>é"
        (root / "index.html").write_text(page, "utf-8")
        (root / "a.js").write_text("'é'", "utf-8")
        (root / "m.js").write_text('import "mcpapps:bridge"', "utf-8")
        done = subprocess.run(
            [sys.executable, "-c", program, str(root)],
            env={**os.environ, **environ},
            capture_output=True,
            text=True,
            check=True,
        )
        hashes.add(done.stdout)
    assert len(hashes) == 1
