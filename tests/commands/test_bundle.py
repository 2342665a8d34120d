import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = """
[tool.mcpapps]
out = "built"

[tool.mcpapps.views.chart]
entry = "views/chart.html"
uri = "ui://app/chart.html"

[tool.mcpapps.views.table]
entry = "views/table.html"
uri = "ui://app/table.html"
"""
HEAD = '<!doctype html>\n<meta charset="utf-8">\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "views").mkdir()
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    (tmp_path / "views" / "chart.html").write_text(f"{HEAD}<script src=chart.js></script>")
    (tmp_path / "views" / "chart.js").write_text("draw()")
    (tmp_path / "views" / "table.html").write_text(f"{HEAD}<p>table")
    return tmp_path


def run(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "mcpapps_cli", "bundle", *args],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
        check=False,
    )
    # Said only where a build takes longer than a second, so on a busy machine.
    done.stderr = re.sub(r"^building \S+ …\n", "", done.stderr, flags=re.M)
    return done


def test_every_view_is_written_with_a_line_each(project: Path) -> None:
    done = run(cwd=project)
    assert done.returncode == 0
    assert done.stdout == (
        "chart   views/chart.html -> built/chart.html      0.3 kB   1 script inlined\n"
        "table   views/table.html -> built/table.html      0.2 kB   nothing to inline\n"
    )
    assert re.fullmatch(r"\nBundled 2 Views in \d+\.\d\d s\.\n", done.stderr)
    assert json.loads((project / "built" / "chart.json").read_text())["uri"] == (
        "ui://app/chart.html"
    )


def test_one_view_can_be_named(project: Path) -> None:
    assert run("table", cwd=project).returncode == 0
    assert sorted(path.name for path in (project / "built").iterdir()) == [
        "table.html",
        "table.json",
    ]


def test_project_and_output_folder_can_be_named(project: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = run("--project", str(project), "--out", "here", cwd=elsewhere)
    assert done.returncode == 0
    assert (elsewhere / "here" / "chart.html").is_file()
    assert not (project / "built").exists()


def test_check_tells_fresh_stale_and_missing_and_writes_nothing(project: Path) -> None:
    assert run("--check", cwd=project).stdout == (
        'built/chart.html does not exist; run "mcpapps bundle".\n'
        'built/table.html does not exist; run "mcpapps bundle".\n'
    )
    run(cwd=project)
    done = run("--check", cwd=project)
    assert (done.returncode, done.stdout) == (
        0,
        "built/chart.html is up to date.\nbuilt/table.html is up to date.\n",
    )
    before = (project / "built" / "chart.html").read_bytes()
    (project / "views" / "chart.js").write_text("drawMore()")
    done = run("--check", "chart", cwd=project)
    assert (done.returncode, done.stdout) == (
        1,
        'built/chart.html is out of date; run "mcpapps bundle".\n',
    )
    assert (project / "built" / "chart.html").read_bytes() == before


def test_difference_of_another_version_is_told(project: Path) -> None:
    run("chart", cwd=project)
    metadata = project / "built" / "chart.json"
    document = json.loads(metadata.read_text())
    metadata.write_text(json.dumps({**document, "tool": "mcpapps 0.0.1", "sha256": "other"}))
    done = run("--check", "chart", cwd=project)
    assert done.returncode == 1
    assert done.stdout == (
        "built/chart.html was built by another version of mcpapps or esbuild; "
        'run "mcpapps bundle".\n'
    )


def test_missing_file_is_shown_and_no_view_is_written(project: Path) -> None:
    (project / "views" / "table.html").write_text(f'{HEAD}  <script src="./chrat.js"></script>')
    done = run(cwd=project)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        'error: "./chrat.js" does not exist\n'
        "  --> views/table.html:3:16\n"
        "  |\n"
        '3 |   <script src="./chrat.js"></script>\n'
        "  |                ^^^^^^^^^^\n"
        ' help: did you mean "./chart.js"?\n'
    )
    assert not (project / "built").exists()


def test_unknown_view_gets_the_closest_name(project: Path) -> None:
    done = run("chrt", cwd=project)
    assert done.returncode == 2
    assert done.stderr == 'error: no View "chrt"\n help: did you mean "chart"?\n'


def test_project_without_views_is_told_how_to_declare_one(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n[tool.mcpapps]\n')
    done = run(cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith('error: "x" declares no View\n help: add [tool.mcpapps.views.')


def test_bundle_never_replaces_its_own_page(project: Path) -> None:
    done = run("--out", "views", cwd=project)
    assert done.returncode == 2
    assert 'would replace its own page "views/chart.html"' in done.stderr


def test_names_that_differ_in_case_only_are_refused(project: Path) -> None:
    table = '[tool.mcpapps.views.Chart]\nentry = "views/table.html"\nuri = "ui://app/c.html"\n'
    (project / "pyproject.toml").write_text(PROJECT + table)
    done = run(cwd=project)
    assert done.returncode == 2
    assert 'Views "chart" and "Chart" would be written to one file' in done.stderr


def test_undeclared_origin_is_an_error_with_the_line_to_paste(project: Path) -> None:
    page = f'{HEAD}<img src="https://x.example/i.png">'
    (project / "views" / "table.html").write_text(page)
    done = run("table", cwd=project)
    assert done.returncode == 2
    assert done.stderr == (
        'error: "https://x.example/i.png" is not declared, so hosts block it\n'
        "  --> views/table.html:3:11\n"
        "  |\n"
        '3 | <img src="https://x.example/i.png">\n'
        "  |           ^^^^^^^^^^^^^^^^^^^^^^^\n"
        ' help: add resourceDomains = ["https://x.example"] to csp of '
        "[tool.mcpapps.views.table], or use a local file\n"
    )


def test_undeclared_origin_is_declared_when_that_is_wanted(project: Path) -> None:
    page = f'{HEAD}<img src="https://x.example/i.png">'
    (project / "views" / "table.html").write_text(page)
    done = run("table", "--allow-external", cwd=project)
    assert done.stdout.endswith("nothing to inline, 1 external\n")
    document = json.loads((project / "built" / "table.json").read_text())
    assert document["_meta"]["ui"]["csp"]["resourceDomains"] == ["https://x.example"]
    assert "img-src data: https://x.example;" in (project / "built" / "table.html").read_text()


def test_report_can_be_json(project: Path) -> None:
    done = run("chart", "--format", "json", cwd=project)
    [view] = json.loads(done.stdout)["views"]
    page = (project / "built" / "chart.html").read_bytes()
    assert done.stderr == ""
    assert (view["name"], view["page"], view["size"]) == ("chart", "built/chart.html", len(page))
    assert view["sha256"] == hashlib.sha256(page).hexdigest()
    assert view["engine"] == "none"
    assert view["inlined"] == [{"kind": "script", "path": "views/chart.js", "size": 6}]
    assert [(share["name"], share["size"]) for share in view["shares"]] == [("views/chart.js", 6)]


def test_error_can_be_json(project: Path) -> None:
    (project / "views" / "table.html").write_text(f'{HEAD}<script src="gone.js"></script>')
    done = run("table", "--format", "json", cwd=project)
    assert (done.returncode, done.stderr) == (2, "")
    error = json.loads(done.stdout)["error"]
    assert error["message"] == '"gone.js" does not exist'
    assert (error["position"]["path"], error["position"]["line"]) == ("views/table.html", 3)


def test_page_that_is_too_large_is_an_error_and_not_written(project: Path) -> None:
    done = run("chart", "--max-size", "100 B", cwd=project)
    assert done.returncode == 2
    assert re.match(r'error: "chart" has 0\.3 kB, and at most 0\.1 kB are allowed\n', done.stderr)
    assert not (project / "built").exists()


@pytest.mark.parametrize(
    ("option", "error"),
    [
        (("--csp", "hsah"), 'error: no policy "hsah"\n help: did you mean "hash"?\n'),
        (
            ("--engine", "vite"),
            'error: no engine "vite"\n help: use auto, none, esbuild-py, esbuild\n',
        ),
        (("--trim", "zod"), 'error: no part to trim "zod"\n help: use zod-locales\n'),
        (("--max-size", "big"), 'error: "big" is no size\n help: write it as "500 kB"\n'),
        (("--format", "xml"), 'error: "xml" is not a format\n help: use text or json\n'),
    ],
)
def test_value_that_an_option_does_not_know_is_refused(
    project: Path, option: tuple[str, str], error: str
) -> None:
    done = run(*option, cwd=project)
    assert (done.returncode, done.stderr) == (2, error)


def test_policy_can_be_left_out(project: Path) -> None:
    run("chart", "--csp", "none", cwd=project)
    assert "Content-Security-Policy" not in (project / "built" / "chart.html").read_text()


def test_view_that_needs_esbuild_says_so_where_there_is_none(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (project / "views" / "chart.html").write_text(
        f'{HEAD}<script type="module" src="chart.ts"></script>'
    )
    (project / "views" / "chart.ts").write_text("let a: number = 1")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("MCPAPPS_CACHE", str(tmp_path / "cache"))
    done = run("chart", cwd=project)
    assert done.returncode == 2
    assert done.stderr.startswith('error: "chart.ts" needs esbuild, which was not found\n')
    assert done.stderr.endswith(
        " help: it turns that into JavaScript; "
        'run "npm install --save-dev esbuild", or pass --fetch-esbuild\n'
    )


def test_without_npm_and_registry_fetching_names_the_extra(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (project / "views" / "chart.html").write_text(
        f'{HEAD}<script type="module" src="chart.ts"></script>'
    )
    (project / "views" / "chart.ts").write_text("let a: number = 1")
    for name in ("PATH", "MCPAPPS_CACHE", "HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / "empty"))
    for name in ("NPM_CONFIG_REGISTRY", "npm_config_registry"):
        monkeypatch.delenv(name, raising=False)
    done = run("chart", "--fetch-esbuild", cwd=project)
    assert done.returncode == 2
    assert "there is no npm, and no registry is configured" in done.stderr
    assert 'help: install "mcpapps-cli[node]", or set NPM_CONFIG_REGISTRY' in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of POSIX")
@pytest.mark.parametrize("answer", ["no", "yes"])
def test_fetching_is_asked_for_at_a_terminal(project: Path, tmp_path: Path, answer: str) -> None:
    import pty

    (project / "views" / "chart.html").write_text(
        f'{HEAD}<script type="module" src="chart.ts"></script>'
    )
    (project / "views" / "chart.ts").write_text("let a: number = 1")
    empty = str(tmp_path / "empty")
    environ = {"PATH": empty, "HOME": empty, "MCPAPPS_CACHE": empty, "NO_COLOR": "1"}
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "mcpapps_cli", "bundle", "chart"],
        cwd=project,
        env=environ,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    said = b""
    while b"no?" not in said and (part := os.read(ours, 4096)):
        said += part
    os.write(ours, f"{answer}\n".encode())
    while True:
        # Linux ends a terminal without a process by an error.
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        if not part:
            break
        said += part
    os.close(ours)
    assert process.wait(timeout=30) == 2
    text = re.sub(r"\x1b\[[0-9;]*m", "", said.decode()).replace("\r\n", "\n")
    assert '"chart.ts" needs esbuild, which was not found.\n' in text
    last = {
        "no": 'error: "chart.ts" needs esbuild, which was not found',
        "yes": "cannot be fetched: there is no npm, and no registry is configured",
    }
    assert last[answer] in text
    assert not (tmp_path / "empty").exists()


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_json_is_utf_8_whatever_encoding_stdout_has(project: Path, encoding: str) -> None:
    (project / "views").rename(project / "größe")
    table = (project / "pyproject.toml").read_text()
    (project / "pyproject.toml").write_text(table.replace("views/", "größe/"), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mcpapps_cli", "bundle", "chart", "--format", "json"],
        cwd=project,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        check=True,
    )
    [view] = json.loads(done.stdout.decode("utf-8"))["views"]
    assert view["entry"] == "größe/chart.html"


@pytest.mark.skipif(sys.platform == "win32", reason="file names are Unicode there")
def test_names_are_read_where_the_system_says_ascii(tmp_path: Path, project: Path) -> None:
    """As `LC_ALL=C` once was; Python itself avoids it unless it is told not to."""
    folder = tmp_path / "größe-日本"
    folder.mkdir()
    for part in ("views", "pyproject.toml"):
        (project / part).rename(folder / part)
    (folder / "views" / "chart.js").rename(folder / "views" / "größe.js")
    (folder / "views" / "chart.html").write_text(f"{HEAD}<script src=größe.js></script>", "utf-8")
    ascii_names = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "mcpapps_cli", "bundle", "chart", "--watch"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **ascii_names},
    )
    assert process.stdout is not None
    lines = iter(process.stdout)
    try:
        assert any(line.startswith("Watching ") for line in lines)
        (folder / "views" / "größe.js").write_text("draw_again()")
        assert any(line.startswith("Bundled 1 View") for line in lines)
        assert "draw_again()" in (folder / "built" / "chart.html").read_text("utf-8")
    finally:
        process.terminate()
        assert process.wait(timeout=30) == 130
        process.stdout.close()


def test_watching_builds_what_is_saved_and_keeps_the_last_good_page(project: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "mcpapps_cli", "bundle", "chart", "--watch"],
        cwd=project,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert process.stdout is not None
    lines = iter(process.stdout)
    page, script = project / "built" / "chart.html", project / "views" / "chart.js"
    try:
        assert any(line.startswith("Watching ") for line in lines)
        script.write_text("draw_again()")
        assert any(line.startswith("Bundled 1 View") for line in lines)
        assert "draw_again()" in page.read_text()
        script.write_text("draw(")
        assert any(line.startswith("error: ") for line in lines)
        assert "draw_again()" in page.read_text()
        script.write_text("mended()")
        assert any(line.startswith("Bundled 1 View") for line in lines)
        assert "mended()" in page.read_text()
    finally:
        process.terminate()
        assert process.wait(timeout=30) == 130
        process.stdout.close()
