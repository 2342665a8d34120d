"""The tools of a server as one file, compiled the way that a project compiles it."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from mcpapps_cli.typegen import declaration_text, jsdoc_text

TREE = {
    "$defs": {
        "Node": {
            "type": "object",
            "properties": {
                "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
                "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]},
            },
            "required": ["children", "next"],
        }
    },
    "type": "object",
    "properties": {"root": {"$ref": "#/$defs/Node"}},
    "required": ["root"],
}
FORECAST = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer", "default": 3}},
    "required": ["city"],
}
TOOLS: tuple[dict[str, Any], ...] = (
    {"name": "forecast", "inputSchema": FORECAST, "outputSchema": TREE},
    {"name": "no-parameters", "inputSchema": {"type": "object", "properties": {}}},
    {
        "name": "model_only",
        "inputSchema": FORECAST,
        "_meta": {"ui": {"resourceUri": "ui://a/b", "visibility": ["model"]}},
    },
)

RIGHT = """
app.toolInput.then(({ city, days }) => [city.toUpperCase(), (days ?? 1).toFixed()]);
app.on("toolinputpartial", ({ city }) => city?.toUpperCase());
app.on("teardown", ({ reason }) => reason);
app.toolResult.then((result) => result.structuredContent?.root.next?.children[0]?.next);
app.callTool("no-parameters");
app.callTool("no-parameters", {}, { timeout: 1 });
app.callTool("forecast", { city: "Oslo" }).then((it) => it.structuredContent?.root.children.length);
"""
WRONG = (
    'app.callTool("forecast");',
    'app.callTool("forecast", { city: 7 });',
    'app.callTool("forecast", { town: "Oslo" });',
    'app.callTool("no-parameters", { city: "Oslo" });',
    'app.callTool("model_only", { city: "Oslo" });',
    'app.callTool("forcast", { city: "Oslo" });',
    "app.toolInput.then(({ town }) => town);",
    "app.toolResult.then((result) => result.structuredContent?.roots);",
    'app.on("toolinput", ({ town }) => town);',
)
TYPED = 'connect<"forecast">({ name: "a", version: "1" })'
CAST = '/** @type {import("%s").ToolView<"forecast">} */ (connect({ name: "a", version: "1" }))'


def program(connected: str, *statements: str) -> str:
    lines = ['import { connect } from "mcpapps:bridge";', f"const app = {connected};", *statements]
    return "\n".join(lines)


@pytest.mark.node
def test_right_calls_compile_and_each_wrong_one_does_not(compile_strict):
    report = compile_strict(
        {
            "mcpapps-tools.d.ts": declaration_text(TOOLS),
            "tools.js": jsdoc_text(TOOLS),
            "right.ts": program(TYPED, RIGHT),
            "right.js": program(CAST % "mcpapps:bridge", RIGHT),
            "jsdoc.js": program(CAST % "./tools.js", RIGHT),
            "untyped.ts": program(
                'connect({ name: "a", version: "1" })', 'app.callTool("any", {});'
            ),
            **{f"wrong{n}.ts": program(TYPED, line) for n, line in enumerate(WRONG)},
            **{f"wrong{n}.js": program(CAST % "./tools.js", line) for n, line in enumerate(WRONG)},
        }
    )
    failed = {line.partition("(")[0] for line in report.splitlines() if line.startswith("wrong")}
    assert failed == {f"wrong{n}.{kind}" for n in range(len(WRONG)) for kind in ("ts", "js")}
    assert not [line for line in report.splitlines() if not line.startswith(("wrong", " "))]


def test_the_order_of_the_list_does_not_matter():
    assert declaration_text(TOOLS) == declaration_text(TOOLS[::-1])
    assert jsdoc_text(TOOLS) == jsdoc_text(TOOLS[::-1])


def test_types_of_one_name_are_one_when_they_are_the_same_and_two_when_not():
    other = json.loads(json.dumps(TREE).replace("children", "parts"))
    text = declaration_text(
        [
            {"name": "a", "outputSchema": TREE},
            {"name": "b", "outputSchema": TREE},
            {"name": "c", "outputSchema": other},
        ]
    )
    assert text.count("type Node = ") == text.count("type Node2 = ") == 1
    assert text.count("root: Data.Node }") == 2
    assert text.count("root: Data.Node2 }") == 1


def test_a_tool_without_a_usable_name_is_left_out():
    text = declaration_text(
        [{"name": 7}, {}, {"name": "a"}, {"name": "a", "inputSchema": FORECAST}]
    )
    assert "city" not in text
    assert 'type CallableTool = "a";' in text


@pytest.mark.node
@pytest.mark.parametrize(
    "loop",
    [
        {"A": {"$ref": "#/$defs/A"}},
        {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}},
        {
            "A": {"anyOf": [{"$ref": "#/$defs/B"}, {"type": "null"}]},
            "B": {"allOf": [{"$ref": "#/$defs/A"}]},
        },
        {"A": {"anyOf": [{"items": {"$ref": "#/$defs/A"}}, {"type": "string"}]}},
    ],
)
def test_types_that_are_made_of_themselves_compile(loop, compile_strict):
    schema = {"$defs": loop, "type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}}
    tools = [{"name": "a", "inputSchema": schema, "outputSchema": {"$ref": "#"}}]
    assert compile_strict({"t.d.ts": declaration_text(tools), "t.js": jsdoc_text(tools)}) == ""


class Cat(BaseModel):
    kind: str = Field("cat", json_schema_extra={"const": "cat"})
    lives: int = 9


def test_a_tag_with_a_default_is_required_by_the_union():
    schema = {
        "$defs": {
            "Cat": Cat.model_json_schema(),
            "Dog": {"properties": {"kind": {"const": "dog"}}, "required": ["kind"]},
        },
        "oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {"cat": "#/$defs/Cat", "dog": "#/$defs/Dog"},
        },
    }
    text = declaration_text([{"name": "pet", "outputSchema": schema}])
    assert 'output: Data.Cat & { kind: "cat" } | Data.Dog;' in text


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
names = st.sampled_from(["a", "b", "c-d", "1", "__proto__", "*/", "\ud800", "名"]) | st.text()
refs = st.sampled_from(
    ["#", "#/$defs/A", "#/$defs/B", "#/$defs/B/items", "#/$defs/%41", "#node", "x.json", 7]
)


def schemas_of(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, max_size=3)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(
                ["string", "integer", "object", "array", "null", "odd", ["string", "null"], [], 7]
            ),
            "properties": st.dictionaries(names, inner, max_size=3),
            "required": st.lists(names, max_size=2) | values,
            "additionalProperties": inner,
            "patternProperties": st.dictionaries(names, inner, max_size=2),
            "propertyNames": st.fixed_dictionaries({"enum": st.lists(names, max_size=2)}) | inner,
            "items": inner | several,
            "prefixItems": several,
            "minItems": st.integers(-1, 3),
            "maxItems": st.integers(-1, 3),
            "anyOf": several,
            "oneOf": several,
            "allOf": several,
            "not": inner,
            "if": inner,
            "enum": st.lists(values, max_size=3),
            "const": values,
            "nullable": st.booleans(),
            "description": st.text(),
            "default": values,
            "format": st.text(),
            "$ref": refs,
            "discriminator": st.just(
                {"propertyName": "kind", "mapping": {"a": "#/$defs/A", "b": "#/$defs/B"}}
            ),
        },
    )


schemas = st.recursive(st.booleans() | values | st.just({}), schemas_of, max_leaves=8)
documents = st.builds(
    lambda root, a, b: {**root, "$defs": {"A": a, "B": b}} if isinstance(root, dict) else root,
    schemas,
    schemas,
    schemas,
)


@pytest.mark.node
def test_generated_schemas_never_raise_and_always_compile(compile_strict):
    tools: list[dict[str, Any]] = []

    @settings(
        max_examples=150,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(documents, documents, st.text())
    def collect(given_in: Any, given_out: Any, description: str) -> None:
        name = f"tool {len(tools)}"
        tools.append(
            {
                "name": name,
                "description": description,
                "inputSchema": given_in,
                "outputSchema": given_out,
            }
        )
        declaration_text(tools[-1:]).encode()

    collect()
    assert len(tools) >= 100
    assert compile_strict({"t.d.ts": declaration_text(tools), "t.js": jsdoc_text(tools)}) == ""


def test_numbers_that_are_none_are_just_numbers():
    schema = {"enum": [math.inf, -math.inf, math.nan]}
    assert "output: number;" in declaration_text([{"name": "a", "outputSchema": schema}])
