"""Recordings: what is written, what is never written, and what is read again."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from mcpapps_cli.errors import ConfigError
from mcpapps_cli.host.record import (
    Frame,
    Header,
    Recording,
    frame_line,
    header_line,
    read_recording,
)

HEADER = Header(
    tool="chart",
    arguments={"city": "Oslo"},
    profile="claude",
    quirks=("meta-dropped",),
    server={"name": "weather", "version": "1"},
    inventory={"tools": [{"name": "chart"}]},
    version="0.1.0",
)
CALL = Frame(
    0.5, "host", "server", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}}
)
SIZE = Frame(
    1.25, "view", "host", {"jsonrpc": "2.0", "method": "ui/notifications/size-changed"}, "v1"
)


def text(*frames: Frame, header: Header = HEADER) -> str:
    return "\n".join((header_line(header), *map(frame_line, frames))) + "\n"


def test_the_lines_are_json_objects() -> None:
    lines = [json.loads(line) for line in text(CALL, SIZE).splitlines()]
    assert lines == [
        {
            "mcpapps": "recording",
            "format": 1,
            "version": "0.1.0",
            "profile": "claude",
            "quirks": ["meta-dropped"],
            "tool": "chart",
            "arguments": {"city": "Oslo"},
            "server": {"name": "weather", "version": "1"},
            "inventory": {"tools": [{"name": "chart"}]},
        },
        {"at": 0.5, "from": "host", "to": "server", "message": CALL.message},
        {"at": 1.25, "from": "view", "to": "host", "view": "v1", "message": SIZE.message},
    ]


def test_what_is_written_is_read_again() -> None:
    assert read_recording(text(CALL, SIZE)) == Recording(HEADER, (CALL, SIZE))


def test_frames_are_told_apart_by_channel_and_view() -> None:
    other = Frame(2.0, "host", "view", {"jsonrpc": "2.0", "id": 1, "result": {}}, "v2")
    recording = Recording(HEADER, (CALL, SIZE, other))
    assert recording.of_server() == (CALL,)
    assert recording.of_view() == (SIZE, other)
    assert recording.of_view("v2") == (other,)


def test_secrets_are_masked_wherever_they_stand() -> None:
    message = {
        "params": {"text": "use s3cr3t-token now", "s3cr3t-token": ["a", "s3cr3t-token"], "n": 3}
    }
    line = frame_line(Frame(0, "host", "server", message), secrets=["s3cr3t-token", "", "n"])
    assert "s3cr3t" not in line
    assert json.loads(line)["message"] == {
        "params": {"text": "use *** now", "***": ["a", "***"], "n": 3}
    }


def test_the_longer_of_two_secrets_is_masked_whole() -> None:
    line = frame_line(Frame(0, "host", "server", "tokentoken2"), secrets=["token", "tokentoken2"])
    assert json.loads(line)["message"] == "***"


@pytest.mark.parametrize("key", ["Authorization", "cookie", "Set-Cookie", "X-API-Key"])
def test_values_of_secret_headers_are_masked_unseen(key: str) -> None:
    line = frame_line(Frame(0, "host", "server", {"headers": {key: "Bearer abc"}}))
    assert json.loads(line)["message"] == {"headers": {key: "***"}}


def test_the_header_is_masked_too() -> None:
    header = Header(arguments={"key": "hunter22"}, inventory={"note": "hunter22"})
    assert "hunter22" not in header_line(header, secrets=["hunter22"])


def test_the_header_has_no_place_for_how_the_server_is_reached() -> None:
    fields = set(json.loads(header_line(HEADER)))
    assert not fields & {"command", "env", "headers", "url", "cwd"}


def test_what_json_does_not_know_is_written_as_something_it_does() -> None:
    line = frame_line(Frame(0, "view", "host", {"a": math.nan, "b": math.inf, "c": "\ud800"}))
    assert line.isascii()
    assert json.loads(line)["message"] == {"a": None, "b": None, "c": "\ud800"}


def test_a_message_nested_beyond_all_measure_is_left_out() -> None:
    nested: Any = []
    for _ in range(100_000):
        nested = [nested]
    data = json.loads(frame_line(Frame(0, "view", "host", nested)))
    assert (data["message"], data["omitted"]) == (None, "nested too deeply")


def test_an_interrupted_last_line_is_passed_over() -> None:
    cut = text(CALL, SIZE)[:-20]
    assert read_recording(cut).frames == (CALL,)


def test_a_recording_without_frames_is_one() -> None:
    assert read_recording(text()).frames == ()


def test_all_faults_are_told_with_their_lines() -> None:
    lines = [
        "{}",
        "[1]",
        '{"at": -1, "from": "host", "to": "view", "message": {}}',
        '{"at": 0, "from": "view", "to": "server", "message": {}}',
        '{"at": 0, "from": "view", "to": "host"}',
        '{"at": 0, "from": "view", "to": "host", "view": 1, "message": {}}',
        "",
    ]
    with pytest.raises(ConfigError) as caught:
        read_recording("\n".join(lines))
    assert caught.value.message == "the recording has 6 faults"
    assert caught.value.details == (
        "line 1: is not the header of a recording",
        "line 2: is not a JSON object",
        'line 3: "at" is no time',
        'line 4: "from" and "to" name no channel',
        'line 5: "message" is missing',
        'line 6: "view" is not a string',
    )


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"format": 2}, "line 1: format 2 is not 1"),
        ({"arguments": []}, 'line 1: "arguments" has the wrong type'),
        ({"quirks": "x"}, 'line 1: "quirks" has the wrong type'),
    ],
)
def test_a_header_of_another_kind_is_refused(change: dict[str, Any], detail: str) -> None:
    line = json.dumps({**json.loads(header_line(HEADER)), **change})
    with pytest.raises(ConfigError) as caught:
        read_recording(line)
    assert caught.value.details == (detail,)


@pytest.mark.parametrize("wrong", ["", "not a recording", "[" * 100_000])
def test_any_other_text_is_refused(wrong: str) -> None:
    with pytest.raises(ConfigError):
        read_recording(wrong)
