"""Every option, public name, variable, host, quirk and fault is on its page."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest
import typer

from mcpapps_cli.cli.group import COMMANDS, app
from mcpapps_cli.host.faults import FAULTS
from mcpapps_cli.host.override import host_names
from mcpapps_cli.host.quirks import load_quirk, quirk_names

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
CODE = ROOT / "mcpapps_cli"
ELSEWHERE = {"dev": "host"}
"""Where the rest of a command's options are."""


def options(command) -> set[str]:
    """Return the long name of each option; of a switch the one that changes its default."""
    own = set()
    for param in command.params:
        if param.param_type_name == "option" and param.name != "help":
            names = param.secondary_opts if param.default is True else param.opts
            own |= {name for name in names or param.opts if name.startswith("--")}
    for child in getattr(command, "commands", {}).values():
        own |= options(child)
    return own


def documented(name: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", page(name)))


def page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


def command_options(name: str) -> set[str]:
    return options(typer.main.get_command(app).get_command(None, name))


def server_options() -> set[str]:
    """Return the options that every command which meets a server has."""
    return command_options("types") & command_options("doctor") - {"--out"}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_on_the_page_of_its_command(command):
    own = command_options(command)
    told = documented(command) | (documented(ELSEWHERE[command]) if command in ELSEWHERE else set())
    if command != "dev" and server_options() <= own:
        assert "are the same as in [dev](dev.md#which-server)" in page(command)
        own -= server_options()
    assert own - told == set()


def test_the_pages_name_no_option_that_there_is_not():
    known = {"--help", "--version"}.union(*map(command_options, COMMANDS))
    known |= {option.replace("--no-", "--") for option in known}
    assert set().union(*map(documented, COMMANDS)) - known == set()


@pytest.mark.parametrize(
    ("module", "name"),
    [("server", "server"), ("metadata", "client"), ("testing", "testing"), ("embed", "bridge")],
)
def test_every_public_name_is_on_the_page_of_its_module(module, name):
    code = import_module(f"mcpapps_cli.{module}")
    defined = [
        name
        for name, value in vars(code).items()
        if not name.startswith("_") and getattr(value, "__module__", "") == code.__name__
    ]
    public = getattr(code, "__all__", defined)
    assert public
    assert set(public) - set(re.findall(r"\w+", page(name))) == set()


def test_every_variable_that_is_read_is_on_a_page():
    code = "".join(path.read_text(encoding="utf-8") for path in CODE.rglob("*.py"))
    variables = set(re.findall(r"\bMCPAPPS_[A-Z_]*[A-Z]\b", code))
    assert "MCPAPPS_BROWSER" in variables
    assert variables - set(re.findall(r"\w+", "".join(map(page, COMMANDS)))) == set()


def test_every_host_quirk_and_fault_is_on_the_page_of_the_host():
    text = page("host")
    for name in quirk_names():
        assert f"| `{name}` | {load_quirk(name).title} |" in text
    for name, meaning in FAULTS.items():
        assert f"| `{name}` | {meaning} |" in text
    for name in host_names({}):
        assert f"`{name}`" in text
