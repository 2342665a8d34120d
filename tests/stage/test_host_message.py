from __future__ import annotations

import json

import pytest

from mcpapps_cli.stage.host_message import write_message


def test_lone_surrogate_of_a_view_is_written() -> None:
    text = write_message({"type": "closed", "view": "\ud800"})
    assert json.loads(text) == {"type": "closed", "view": "\ud800"}
    assert text.isascii()


def test_number_that_json_does_not_know_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_message({"type": "overlay", "error": {"message": float("nan")}})
