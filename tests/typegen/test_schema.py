"""One JSON Schema, one type: what pydantic and Zod write, and what nobody should."""

from __future__ import annotations

import pytest

from mcpapps_cli.typegen.reference import Document, Names
from mcpapps_cli.typegen.schema import Writer

OBJECT = {"type": "object"}


def written(schema: object) -> str:
    return Writer(Document(schema, "Root"), Names()).write(schema).text


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "format": "date-time"}, "string"),
        ({"type": "integer", "minimum": 1}, "number"),
        ({"type": "number"}, "number"),
        ({"type": "boolean"}, "boolean"),
        ({"type": "null"}, "null"),
        ({"type": ["string", "null"]}, "string | null"),
        ({"type": "string", "nullable": True}, "string | null"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}, "number | null"),
        ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, "number"),
        ({"const": "a"}, '"a"'),
        ({"const": None}, "null"),
        ({"const": False}, "false"),
        ({"const": {"a": [1, "x"]}}, '{ a: [1, "x"] }'),
        ({"enum": ["a", 1, -2.5, True, None], "type": "string"}, '"a" | 1 | -2.5 | true | null'),
        ({"enum": []}, "never"),
        ({"not": {}}, "never"),
        (False, "never"),
        (True, "unknown"),
        ({}, "unknown"),
    ],
)
def test_a_value_has_its_type(schema, expected):
    assert written(schema) == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (OBJECT, "{ [key: string]: unknown }"),
        ({**OBJECT, "additionalProperties": False}, "{ [key: string]: never }"),
        ({**OBJECT, "additionalProperties": {"type": "number"}}, "{ [key: string]: number }"),
        ({**OBJECT, "patternProperties": {"^x": {"type": "number"}}}, "{ [key: string]: number }"),
        ({**OBJECT, "properties": {"a": {"type": "string"}}}, "{ a?: string }"),
        (
            {"properties": {"a": {"type": "string"}}, "required": ["a", "b"]},
            "{ a: string; b: unknown }",
        ),
        (
            {
                "properties": {"a": {"type": "string"}},
                "required": ["a"],
                "additionalProperties": {"type": "number"},
            },
            "{ a: string; [key: string]: number | string }",
        ),
        (
            {"properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "string"}},
            "{ a?: string; [key: string]: string | undefined }",
        ),
        (
            {"properties": {"a": {"type": "string"}}, "additionalProperties": True},
            "{ a?: string; [key: string]: unknown }",
        ),
        (
            {
                **OBJECT,
                "propertyNames": {"enum": ["a", "b-c"]},
                "additionalProperties": {"type": "number"},
                "required": ["a"],
            },
            '{ a: number; "b-c"?: number }',
        ),
        (
            {**OBJECT, "properties": {"it's": {"type": "null"}, "$ok_1": {"type": "null"}}},
            '{ "it\'s"?: null; $ok_1?: null }',
        ),
    ],
)
def test_an_object_has_its_members(schema, expected):
    assert written(schema) == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "array"}, "unknown[]"),
        ({"type": "array", "items": {"type": "string"}}, "string[]"),
        ({"items": {"type": ["string", "null"]}}, "(string | null)[]"),
        (
            {"prefixItems": [{"type": "string"}, {"type": "number"}], "minItems": 2, "maxItems": 2},
            "[string, number]",
        ),
        (
            {"prefixItems": [{"type": "string"}], "items": {"type": ["number", "null"]}},
            "[string, ...(number | null)[]]",
        ),
        (
            {
                "prefixItems": [{"type": "string"}, {"type": "number"}],
                "minItems": 1,
                "items": False,
            },
            "[string, number?]",
        ),
        ({"items": [{"type": "string"}], "additionalItems": False}, "[string]"),
        ({"items": [{"type": "string"}]}, "[string, ...unknown[]]"),
    ],
)
def test_an_array_has_its_items(schema, expected):
    assert written(schema) == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (
            {"allOf": [{"required": ["a"]}, {"properties": {"b": {"type": "null"}}}]},
            "{ a: unknown } & { b?: null }",
        ),
        (
            {**OBJECT, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
            "{ a: unknown } | { b: unknown }",
        ),
        (
            {"type": "string", "anyOf": [{"format": "a"}, {"format": "b"}]},
            "string & (unknown /* format */)",
        ),
        (
            {"allOf": [{"type": ["string", "null"]}, {"enum": ["a", None]}]},
            '(string | null) & ("a" | null)',
        ),
    ],
)
def test_combinations_are_unions_and_intersections(schema, expected):
    assert written(schema).replace("& unknown /* format */", "& (unknown /* format */)") == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"if": {}, "then": {}}, "unknown /* if */"),
        ({"not": {"type": "string"}}, "unknown /* not */"),
        ({"type": "money"}, "unknown /* type money */"),
        ({"$ref": "https://example.com/s.json"}, "unknown /* $ref https://example.com/s.json */"),
        ({"$ref": "#/$defs/absent*/"}, "unknown /* $ref #/$defs/absent* / */"),
        ({"$dynamicRef": "#node"}, "unknown /* $dynamicRef */"),
        ({"items": 7}, "unknown /* not a schema */[]"),
    ],
)
def test_what_cannot_be_told_is_unknown_and_says_why(schema, expected):
    assert written(schema) == expected


def test_what_a_property_says_stands_above_it():
    schema = {
        "properties": {
            "at": {
                "type": "string",
                "description": "When */ it\n starts",
                "format": "date-time",
                "deprecated": True,
            },
            "n": {"type": "integer", "minimum": 1, "default": 3},
        }
    }
    assert written(schema) == (
        "{\n  /**\n   * When * / it\n   * starts\n   * @deprecated\n   * @format date-time\n   */\n"
        "  at?: string;\n  /**\n   * @minimum 1\n   * @default 3\n   */\n  n?: number;\n}"
    )


def test_nesting_without_end_is_cut():
    schema: object = {"type": "string"}
    for _ in range(5000):
        schema = {"type": "array", "items": schema}
    assert written(schema).startswith("unknown /* nested too deep */[]")
