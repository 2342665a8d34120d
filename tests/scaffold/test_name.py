import pytest

from mcpapps_cli.errors import UserError
from mcpapps_cli.scaffold import check_name, module_name


@pytest.mark.parametrize("name", ["hello", "my-app", "my_app", "App2", "a", "x" * 64])
def test_ordinary_name_is_accepted(name: str) -> None:
    check_name(name)


def test_hyphen_becomes_underscore_in_the_package() -> None:
    assert module_name("my-app-2") == "my_app_2"


@pytest.mark.parametrize("name", ["mcp", "json", "test", "asyncio", "pydantic", "mcpapps-cli"])
def test_name_that_shadows_a_module_is_refused(name: str) -> None:
    with pytest.raises(UserError, match="would shadow the module") as caught:
        check_name(name)
    assert caught.value.help == f"choose another name, such as --name {name}-app"


def test_shadowing_does_not_depend_on_case() -> None:
    with pytest.raises(UserError, match='would shadow the module "json"'):
        check_name("JSON")


@pytest.mark.parametrize("name", ["class", "None", "async", "true"])
def test_keyword_is_refused(name: str) -> None:
    with pytest.raises(UserError, match="is a Python keyword"):
        check_name(name)


@pytest.mark.parametrize("name", ["con", "NUL", "aux", "com1", "LPT9"])
def test_windows_device_is_refused(name: str) -> None:
    with pytest.raises(UserError, match="Windows device"):
        check_name(name)


@pytest.mark.parametrize("name", ["tests", "views", "dist", "build"])
def test_name_of_a_folder_that_a_project_has_is_refused(name: str) -> None:
    with pytest.raises(UserError, match="has a folder"):
        check_name(name)


@pytest.mark.parametrize(
    ("name", "suggested"),
    [
        ("my app", "my-app"),
        ("wéather", "weather"),
        ("Größe", "Grosse"),
        ("Łódź", "Lodz"),
        ("2048", "app-2048"),
        ("-x-", "x"),
        ("wetter.app", "wetter-app"),
        ("con ", "con-app"),
        ("x" * 65, "x" * 32),
    ],
)
def test_unusable_name_gets_a_usable_suggestion(name: str, suggested: str) -> None:
    with pytest.raises(UserError, match="is not usable as a project name") as caught:
        check_name(name)
    assert caught.value.help == f"pass a name, such as --name {suggested}"
    check_name(suggested)


@pytest.mark.parametrize("name", ["", "天気", ".."])
def test_name_without_a_usable_rest_says_what_is_allowed(name: str) -> None:
    with pytest.raises(UserError, match="is not usable") as caught:
        check_name(name)
    assert caught.value.help
