"""Addresses that a script gives a name, and what they are used for."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpapps_cli.errors import SourceError
from mcpapps_cli.model import Csp
from tests.bundle.conftest import HEAD, Build

API = 'const API = "https://api.example";\n'
ORIGIN = "https://api.example"


@pytest.mark.parametrize(
    "code",
    [
        f'{API}fetch(API + "/x")',
        f"{API}fetch(`${{API}}/x`)",
        f'{API}fetch(new URL("/x", API))',
        f"{API}const address = new URL(`/x`, API);\nfetch(address)",
        f"{API}const endpoint = `${{API}}/v1`;\nconst user = endpoint + '/user';\nfetch(user)",
        'fetch(new URL("/x", "https://api.example/"))',
        'const config = { debug: true, api: "https://api.example" };\nfetch(config.api + "/x")',
        'const api = "https://api.example";\nfetch(api)',
        "const LIVE = 'wss://api.example/live';\nnew WebSocket(LIVE)",
    ],
)
def test_address_under_a_name_has_to_be_declared(build: Build, code: str) -> None:
    with pytest.raises(SourceError) as caught:
        build({"index.html": f"{HEAD}<script src=a.js></script>", "a.js": code})
    assert caught.value.message.endswith(" is not declared, so hosts block it")
    scheme = "wss" if "wss:" in code else "https"
    assert f'add connectDomains = ["{scheme}://api.example"]' in str(caught.value.help)
    place = caught.value.position
    line = code.split("\n")[place.line - 1]
    assert (place.path, line[place.column - 1 :].startswith(scheme)) == ("a.js", True)


@pytest.mark.parametrize(
    "code",
    [
        # Never called with it, called with something else, or not known here.
        f"{API}openLink(API)",
        f"{API}// fetch(API)\n/* fetch(API) */",
        f"// {API}fetch(API)",
        'const link = "https://docs.example";\nopenLink(link);\nfunction get(link) { fetch(link) }',
        'const link = "https://docs.example";\nopenLink(link);\nconst get = (link) => fetch(link)',
        'const link = "https://docs.example";\nopenLink(link);\nconst get = link => fetch(link)',
        'const pages = [{ title: "a", url: "https://docs.example" }];\nfetch(url)',
        "const a = 'https://docs.example'; fetch(a)",
    ],
)
def test_address_that_no_call_gets_needs_no_declaration(build: Build, code: str) -> None:
    bundle = build({"index.html": f"{HEAD}<script src=a.js></script>", "a.js": code})
    assert bundle.external == ()


def test_kind_of_use_decides_which_list(build: Build) -> None:
    code = 'const CDN = "https://cdn.example";\nconst image = new Image();\nimage.src = `${CDN}/a`'
    bundle = build(
        {"index.html": f"{HEAD}<script>{code}</script>"}, csp=Csp(resource=("https://cdn.example",))
    )
    assert bundle.external == ("https://cdn.example",)


@pytest.mark.node
def test_name_may_come_from_another_module(build: Build, packages: Path) -> None:
    files = {
        "index.html": f"{HEAD}<script type=module src=m.ts></script>",
        "m.ts": 'import { API } from "./config";\nfetch(`${API}/x` as string)',
        "config.ts": f'export {API}export const OTHER: string = "https://unused.example";\n',
    }
    with pytest.raises(SourceError) as caught:
        build(files)
    assert caught.value.message == f'"{ORIGIN}" is not declared, so hosts block it'
    assert (caught.value.position.path, caught.value.position.column) == ("config.ts", 21)
    assert build(files, csp=Csp(connect=(ORIGIN,))).external == (ORIGIN,)
