"""Lists of many pages, and the requests with a name of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpapps_cli.errors import RpcError, ServerError
from mcpapps_cli.rpc import Limits, Listing, connect
from tests.rpc.servers import write_server

pytestmark = pytest.mark.anyio


async def listed(folder: Path, pages: str, limits: Limits | None = None) -> Listing:
    spec = write_server(
        folder,
        f"""
        shake_hands()
        pages = {pages}
        while True:
            m = receive()
            page = pages[m.get("params", {{}}).get("cursor")]
            refuse(m, *page) if isinstance(page, tuple) else reply(m, page)
        """,
    )
    async with connect(spec, era="legacy", limits=limits or Limits()) as client:
        return await client.read_list("tools/list", "tools", timeout=5)


async def test_every_page_is_read(tmp_path: Path) -> None:
    pages = """{None: {"tools": [{"name": "a"}], "nextCursor": "2"},
                "2": {"tools": [{"name": "b"}], "nextCursor": "3"},
                "3": {"tools": [{"name": "c"}], "nextCursor": ""}}"""
    assert await listed(tmp_path, pages) == Listing(({"name": "a"}, {"name": "b"}, {"name": "c"}))


async def test_malformed_entries_stay_as_they_are_and_what_is_no_object_is_a_fault(
    tmp_path: Path,
) -> None:
    pages = '{None: {"tools": [{"name": 5, "inputSchema": []}, "x", {}, None]}}'
    assert await listed(tmp_path, pages) == Listing(
        ({"name": 5, "inputSchema": []}, {}),
        (
            "page 1 has an entry that is not an object, at index 1",
            "page 1 has an entry that is not an object, at index 3",
        ),
    )


@pytest.mark.parametrize(
    ("second", "fault"),
    [
        ('{"tools": [], "nextCursor": "2"}', "page 2 has a nextCursor that came before"),
        ('{"tools": [], "nextCursor": 3}', "page 2 has a nextCursor that is not a string"),
        ('{"tools": {}}', 'page 2 has no list "tools"'),
        ('(-32602, "bad cursor")', "page 2 could not be read: bad cursor"),
    ],
)
async def test_pages_before_a_bad_one_are_kept(tmp_path: Path, second: str, fault: str) -> None:
    pages = '{None: {"tools": [{"name": "a"}], "nextCursor": "2"}, "2": %s}' % second  # noqa: UP031
    assert await listed(tmp_path, pages) == Listing(({"name": "a"},), (fault,))


async def test_pages_without_end_stop_at_the_limit(tmp_path: Path) -> None:
    pages = """type("Endless", (), {"__getitem__": lambda self, cursor:
               {"tools": [{"name": cursor}], "nextCursor": str(int(cursor or 0) + 1)}})()"""
    assert await listed(tmp_path, pages, Limits(pages=3)) == Listing(
        ({"name": None}, {"name": "1"}, {"name": "2"}), ("stopped after 3 pages",)
    )


async def test_a_slow_list_ends_at_its_time_out_and_keeps_its_first_pages(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        shake_hands()
        reply(receive(), {"tools": [{"name": "a"}], "nextCursor": "2"})
        wait_for_ever()
        """,
    )
    async with connect(spec, era="legacy", limits=Limits(close_seconds=0.1)) as client:
        listing = await client.read_list("tools/list", "tools", timeout=0.5)
    assert listing.entries == ({"name": "a"},)
    assert listing.faults[0].startswith('page 2 could not be read: "tools/list" was not answered')


async def test_a_first_page_that_is_refused_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RpcError, match="no tools here"):
        await listed(tmp_path, '{None: (-32601, "no tools here")}')


async def test_each_kind_of_request_has_its_method_and_params(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        shake_hands()
        seen = []
        while len(seen) < 5:
            m = receive()
            seen.append([m["method"], m.get("params")])
            reply(m, {"tools": [{}], "resources": [], "resourceTemplates": [{"a": 1}]})
        reply(receive(), {"seen": seen})
        receive()
        """,
    )
    async with connect(spec, era="legacy") as client:
        assert await client.list_tools() == [{}]
        assert await client.list_resources() == []
        assert await client.list_resource_templates() == [{"a": 1}]
        await client.call_tool("t", {"n": 1})
        await client.read_resource("ui://a")
        seen = (await client.request("seen", timeout=10))["seen"]
    assert seen == [
        ["tools/list", None],
        ["resources/list", None],
        ["resources/templates/list", None],
        ["tools/call", {"name": "t", "arguments": {"n": 1}}],
        ["resources/read", {"uri": "ui://a"}],
    ]


async def test_lists_end_at_the_time_out_of_the_connection(tmp_path: Path) -> None:
    spec = write_server(tmp_path, "shake_hands(); wait_for_ever()")
    limits = Limits(close_seconds=0.1)
    async with connect(spec, era="legacy", timeout=3, limits=limits) as client:
        with pytest.raises(ServerError, match="was not answered within"):
            await client.list_tools()
