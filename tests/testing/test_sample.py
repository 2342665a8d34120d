"""Sample arguments are what the schema itself accepts."""

from __future__ import annotations

from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from pydantic import BaseModel, Field

from mcpapps_cli.testing.sample import sample_arguments


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Point(BaseModel):
    x: float
    y: Annotated[int, Field(gt=3)]
    label: str = "origin"


class Everything(BaseModel):
    text: Annotated[str, Field(min_length=6)]
    day: date
    count: Annotated[int, Field(ge=2, le=9)]
    below: Annotated[int, Field(le=-4)]
    flag: bool
    colour: Colour
    kind: Literal["a", "b"]
    points: Annotated[list[Point], Field(min_length=2)]
    either: int | str
    maybe: str | None
    table: dict[str, int]
    example: Annotated[str, Field(examples=["Oslo"])]
    given: Annotated[int, Field(json_schema_extra={"default": 7})]
    left_out: int = 3


def test_every_kind_of_field_gets_a_value_that_is_valid() -> None:
    schema = Everything.model_json_schema()
    found = sample_arguments({"inputSchema": schema})
    jsonschema.validate(found, schema)
    Everything.model_validate(found)
    assert (found["example"], found["given"]) == ("Oslo", 7)
    assert "left_out" not in found


def test_an_example_of_the_whole_comes_first() -> None:
    schema = {"type": "object", "required": ["a"], "examples": [{"a": 5}]}
    assert sample_arguments({"inputSchema": schema}) == {"a": 5}


@pytest.mark.parametrize(
    "schema",
    [
        *(None, [], 3, {}, {"type": "object"}, {"required": ["a"]}, {"$ref": "#/nowhere"}),
        {"$ref": "#"},
        {"properties": 1, "required": 2},
        {"examples": [1]},
    ],
)
def test_a_schema_that_says_nothing_gives_no_arguments(schema: Any) -> None:
    assert sample_arguments({"inputSchema": schema}) == {}
