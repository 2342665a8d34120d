"""How rules are chosen and run, and what becomes of what they find."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mcpapps_cli.errors import ConfigError, ExitStatus, UserError
from mcpapps_cli.inventory import resource_from
from mcpapps_cli.lint import all_rules, find_rule, report_status, run_rules
from mcpapps_cli.lint.rule import Fault, Place, Rule, Subject, page, resource, server, tool
from mcpapps_cli.model import Project, Report, Skip

CLEAN = server().inventory
WRONG_MIME = server(resource(mime="text/html")).inventory
SLOW = "ui://app/slow.html"


def rule_that(check: object, name: str = "odd", code: str = "MA900") -> Rule:
    return replace(all_rules()[0], name=name, code=code, check=check)  # type: ignore[arg-type]


def names(report: Report) -> list[str]:
    return [finding.rule for finding in report.findings]


def project(**ignore: str) -> Project:
    ignored = {name.replace("_", "-"): reason for name, reason in ignore.items()}
    return Project(root=Path("/p"), name="p", out=Path("/p/built"), lint_ignore=ignored)


def test_a_clean_server_has_no_findings_and_everything_is_counted() -> None:
    report = run_rules(CLEAN)
    assert report == Report((), (), len(all_rules()), tools=1, resources=1, ui_tools=1)
    assert report_status(report) is ExitStatus.OK


def test_select_runs_only_the_named_rules() -> None:
    assert run_rules(WRONG_MIME, select=["csp-on-tool"]) == Report((), (), 1, 1, 1, 1)
    assert names(run_rules(WRONG_MIME, select=["csp-on-tool", "mime-type"])) == ["mime-type"]


def test_select_takes_a_code_in_any_case() -> None:
    assert names(run_rules(WRONG_MIME, select=["ma301"])) == ["mime-type"]


def test_ignore_leaves_rules_out() -> None:
    assert names(run_rules(WRONG_MIME, ignore=["mime-type"])) == []


def test_the_project_s_ignores_count() -> None:
    ours = project(mime_type="our host takes plain HTML")
    assert names(run_rules(WRONG_MIME, project=ours)) == []


@pytest.mark.parametrize("option", ["select", "ignore"])
def test_an_unknown_rule_is_named_with_the_closest(option: str) -> None:
    with pytest.raises(UserError) as caught:
        run_rules(CLEAN, **{option: ["mime-typ"]})  # type: ignore[arg-type]
    assert caught.value.message == 'no rule "mime-typ"'
    assert caught.value.help == 'did you mean "mime-type"?'


def test_a_name_close_to_nothing_points_at_the_list() -> None:
    with pytest.raises(UserError) as caught:
        find_rule("zzzz")
    assert caught.value.help == "see mcpapps explain --list"


def test_every_unknown_rule_of_the_project_is_reported_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        run_rules(CLEAN, project=project(mime_typ="x", csp_on_tol="y"))
    assert caught.value.details == (
        'no rule "mime-typ", did you mean "mime-type"?',
        'no rule "csp-on-tol", did you mean "csp-on-tool"?',
    )


def test_a_rule_that_raises_is_an_internal_finding_and_the_others_still_run() -> None:
    def fails(subject: Subject) -> Iterator[Fault]:
        yield Fault(Place("a", pointer="a#"), "found before")
        raise KeyError("csp")

    rules = (rule_that(fails), find_rule("mime-type"))
    report = run_rules(WRONG_MIME, rules=rules)
    assert sorted(names(report)) == ["internal-error", "mime-type", "odd"]
    internal = next(f for f in report.findings if f.rule == "internal-error")
    assert internal.code == "MA000"
    assert internal.message.startswith("rule \"odd\" failed: KeyError: 'csp' in test_engine.py:")
    assert report_status(report) is ExitStatus.BUG


def test_findings_are_sorted_by_subject_place_and_code_and_none_comes_twice() -> None:
    def finds(subject: Subject) -> Iterator[Fault]:
        for where in ("b#/2", "a#/2", "a#/1", "a#/2"):
            yield Fault(Place(where[0], pointer=where), "m")

    rules = (rule_that(finds, "late", "MA902"), rule_that(finds, "early", "MA901"))
    found = [(f.pointer, f.code) for f in run_rules(CLEAN, rules=rules).findings]
    assert found == [
        ("a#/1", "MA901"),
        ("a#/1", "MA902"),
        ("a#/2", "MA901"),
        ("a#/2", "MA902"),
        ("b#/2", "MA901"),
        ("b#/2", "MA902"),
    ]


def test_positions_are_sorted_as_numbers() -> None:
    text = "".join(f'<img alt="" src="./{n}.png">\n' for n in range(12))
    html = f"<!doctype html>\n{text}<script>'ui/initialize ui/notifications/initialized'</script>"
    report = run_rules(server(resource(html=html)).inventory, select=["relative-url"])
    lines = [f.position.line for f in report.findings if f.position]
    assert lines == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]


def test_a_resource_that_gave_no_answer_is_not_checked_and_fails() -> None:
    late = Skip(SLOW, "the server did not answer within 15 s")
    slow = server(tool(uri=SLOW), resource(SLOW, contents=(), listed=False), unread=(late,))
    report = run_rules(slow.inventory)
    assert (report.findings, report.not_checked) == ((), (late,))
    assert report.resources == 0
    assert report_status(report) is ExitStatus.FINDINGS


def test_a_resource_that_was_refused_is_a_finding_and_not_also_unchecked() -> None:
    refused = Skip(SLOW, "the server answered with error -32002: Resource not found", True)
    example = server(tool(uri=SLOW), resource(SLOW, contents=(), listed=False), unread=(refused,))
    report = run_rules(example.inventory)
    assert names(report) == ["resource-uri-dangling"]
    assert report.not_checked == ()


def test_a_refused_resource_stays_unchecked_when_its_rule_is_ignored() -> None:
    refused = Skip(SLOW, "the server answered with error -32002: Resource not found", True)
    example = server(tool(uri=SLOW), resource(SLOW, contents=(), listed=False), unread=(refused,))
    report = run_rules(example.inventory, ignore=["resource-uri-dangling"])
    assert (report.findings, report.not_checked) == ((), (refused,))


@pytest.mark.parametrize(
    "result",
    [
        {},
        {"contents": []},
        {"contents": None},
        {"contents": [{"uri": "ui://a", "text": "a"}, {"uri": "ui://b", "text": "b"}]},
        {"contents": [{"uri": SLOW}]},
        {"contents": [{"uri": SLOW, "blob": "%"}]},
        {"contents": [{"uri": SLOW, "blob": "/w=="}]},
    ],
)
def test_every_answer_that_is_no_view_is_a_finding_once(result: dict[str, object]) -> None:
    answer, skip = resource_from(SLOW, None, result)
    assert skip is not None
    inventory = replace(CLEAN, tools=(tool(uri=SLOW).value,), resources=(answer,), unread=(skip,))
    report = run_rules(inventory, select=["resource-uri-dangling", "blob-encoding"])
    assert len(report.findings) == 1
    assert report.not_checked == ()


def test_warnings_alone_do_not_fail() -> None:
    report = run_rules(server(tool(meta={"ui/resourceUri": "ui://app/chart.html"})).inventory)
    assert names(report) == ["flat-key-only"]
    assert report_status(report) is ExitStatus.OK


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"name": None, "_meta": []},
        {"name": 3, "_meta": {"ui": "x"}},
        {"name": "t", "_meta": {"ui": {"resourceUri": {"a": 1}, "visibility": {}}}},
        {"name": "t", "_meta": {"ui": {"resourceUri": [], "csp": None, "visibility": [[]]}}},
        {"name": "t", "_meta": {"ui/resourceUri": None, "csp": 0}},
    ],
)
def test_a_malformed_tool_never_makes_a_rule_fail(raw: dict[str, object]) -> None:
    inventory = replace(CLEAN, tools=(raw, *CLEAN.tools))
    assert "internal-error" not in names(run_rules(inventory))


@pytest.mark.parametrize(
    "item",
    [
        {},
        {"uri": None, "mimeType": 3, "text": 7, "_meta": {"ui": []}},
        {"uri": "ui://app/chart.html", "blob": "%%%", "_meta": {"ui": {"csp": []}}},
        {"text": "", "_meta": {"ui": {"csp": {"connectDomains": "x", "a": 1}}}},
        {"text": "<html", "_meta": {"ui": {"csp": {"connectDomains": [None, 1, "'self'"]}}}},
        {"text": "\x00<html><script>`${", "blob": None, "_meta": {"ui": {"permissions": 1}}},
    ],
)
def test_a_malformed_content_item_never_makes_a_rule_fail(item: dict[str, object]) -> None:
    example = server(resource(contents=(item,)))
    assert "internal-error" not in names(run_rules(example.inventory))


def test_large_pages_are_read_where_no_processes_can_be_had(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As where there is no shared memory: the first semaphore cannot be made."""

    def refuse(*args: object, **more: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", refuse)
    inventory = server(page(more=f"/*{8_000_000 * 'x'}*/ eval(name)")).inventory
    assert "eval-like" in names(run_rules(inventory, jobs=2, select=["eval-like"]))
