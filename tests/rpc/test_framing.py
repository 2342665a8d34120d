"""Lines of bytes in, messages out, with nothing kept beyond the limit."""

from __future__ import annotations

import itertools
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpapps_cli.rpc.framing import Line, LineSplitter, Overlong, decode, encode, overlong_id


def split(chunks: list[bytes], limit: int = 100) -> list[Line | Overlong]:
    splitter = LineSplitter(limit)
    return [line for chunk in chunks for line in splitter.feed(chunk)] + splitter.finish()


def test_lines_are_joined_over_chunks_and_lose_their_end() -> None:
    assert split([b"ab", b"c\r\nd", b"e\n\nrest"]) == [
        *(Line(b"abc"), Line(b"de"), Line(b""), Line(b"rest"))
    ]


def test_a_line_of_exactly_the_limit_is_whole() -> None:
    assert split([b"x" * 100 + b"\n"]) == [Line(b"x" * 100)]


def test_an_overlong_line_is_reported_when_it_crosses_the_limit_and_at_its_end() -> None:
    assert split([b"x" * 60, b"x" * 60, b"yz\nnext\n"]) == [
        Overlong(b"x" * 120, b"", ended=False),
        Overlong(b"x" * 120, b"x" * 120 + b"yz", ended=True),
        Line(b"next"),
    ]


def test_a_line_without_end_takes_no_memory_beyond_the_limit() -> None:
    splitter = LineSplitter(2**20)
    chunk = b"x" * 2**16
    tracemalloc.start()
    try:
        for _ in range(1600):
            splitter.feed(chunk)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * 2**20


@pytest.mark.parametrize(
    ("head", "tail"),
    [
        (b'{"jsonrpc":"2.0","id":7,"result":{"a":"', b'xxx"}}'),
        (b'{ "id" : "7", "jsonrpc":"2.0","result":{"a":"', b'xxx"}}'),
        (b'{"result":{"a":"', b'xxx"},"jsonrpc":"2.0","id":7}'),
        (b'{"jsonrpc":"2.0","result":{"a":"', b'xxx"},"id":7}'),
    ],
    ids=["first", "first-as-text", "last", "last-of-all"],
)
def test_the_id_of_an_overlong_reply_is_found_at_either_end(head: bytes, tail: bytes) -> None:
    assert overlong_id(Overlong(head, tail, ended=True)) == 7


def test_an_id_inside_the_result_is_not_the_id_of_the_reply() -> None:
    inner = Overlong(b'{"jsonrpc":"2.0","result":{"id":7,', b'"id":7}]}}', ended=True)
    assert overlong_id(inner) is None


@pytest.mark.parametrize(
    "line",
    [
        b"Server listening",
        b'{"jsonrpc":"2.0"',
        b'{"jsonrpc":"2.0","method":"\xff"}',
        b'{"level":"info","method":"GET","error":"none"}',
        b"42",
        b"[]",
        b"[1]",
        b"[" * 100_000,
        b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b"}",
    ],
    ids=lambda line: line[:12].decode(errors="replace"),
)
def test_a_line_that_is_no_json_rpc_is_none(line: bytes) -> None:
    assert decode(line) is None


def test_a_byte_order_mark_is_skipped() -> None:
    assert decode(b'\xef\xbb\xbf{"jsonrpc":"2.0"}') == [{"jsonrpc": "2.0"}]


def test_a_batch_gives_each_message() -> None:
    assert decode(b'[{"jsonrpc":"2.0","id":1},{"jsonrpc":"2.0","id":2}]') == [
        {"jsonrpc": "2.0", "id": 1},
        {"jsonrpc": "2.0", "id": 2},
    ]


def test_a_lone_surrogate_becomes_the_replacement_character_and_a_pair_stays() -> None:
    line = rb'{"jsonrpc":"2.0","a":"\ud800!","b":"\ud83d\ude00","\udc00":["\udfff"]}'
    assert decode(line) == [
        {"jsonrpc": "2.0", "a": "\ufffd!", "b": "\U0001f600", "\ufffd": ["\ufffd"]}
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.lists(st.binary(max_size=300)), st.integers(1, 200))
def test_any_bytes_are_split_into_bounded_lines(chunks: list[bytes], limit: int) -> None:
    for line in split(chunks, limit):
        if isinstance(line, Line):
            assert len(line.data) <= limit
            decode(line.data)
        else:
            overlong_id(line)


@settings(deadline=None)
@given(st.lists(st.binary(max_size=50).map(lambda data: data.replace(b"\n", b" "))), st.data())
def test_how_the_stream_is_cut_does_not_matter(lines: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(line + b"\n" for line in lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)))))
    edges = [0, *cuts, len(stream)]
    chunks = [stream[a:b] for a, b in itertools.pairwise(edges)]
    assert split(chunks) == split([stream])


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=8), JSON, max_size=4))
def test_what_is_encoded_is_one_ascii_line_that_decodes_to_itself(fields: dict[str, Any]) -> None:
    line = encode({**fields, "jsonrpc": "2.0"})
    assert b"\n" not in line
    assert line.isascii()
    assert decode(line) == [{**fields, "jsonrpc": "2.0"}]
