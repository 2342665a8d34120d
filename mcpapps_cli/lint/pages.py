"""Runs the rules that read pages, one View at a time, in several processes when that pays."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from mcpapps_cli.lint.found import Found
from mcpapps_cli.lint.registry import all_rules
from mcpapps_cli.lint.rule import Rule, Subject, UiResource
from mcpapps_cli.markup.code import CODE_CHARS
from mcpapps_cli.model import Resource, Skip

# A process costs about half a second, the time in which one reads some megabytes.
_PARALLEL_CHARS: Final = 8_000_000
_PARTS_PER_JOB: Final = 2


def read_pages(subject: Subject, rules: Sequence[Rule], *, jobs: int = 1) -> Found:
    """Return what `rules` find in the page of each View; each is forgotten before the next.

    Args:
        subject: The server.
        rules: Rules whose evidence is static; they need to see one View and all tools.
        jobs: How many processes may work at once; the rules must then be registered ones.
    """
    sizes = [len(view.raw.html or "") for view in subject.resources]
    if jobs > 1 and sum(sizes) > _PARALLEL_CHARS:
        from concurrent.futures import BrokenExecutor

        # No shared memory, as in some containers, or no more processes.
        with suppress(OSError, ImportError, BrokenExecutor):
            return _in_processes(subject, rules, sizes, jobs)
    found = Found()
    for view in subject.resources:
        _read(subject, view, rules, found)
    return found


def _read(subject: Subject, view: UiResource, rules: Sequence[Rule], found: Found) -> None:
    alone = subject.alone(view)
    for rule in rules:
        found.take(rule, alone)
    for _, served in alone.pages:
        for code in served.code:
            if not code.readable:
                size, limit = len(code.source) / 2**20, CODE_CHARS / 2**20
                reason = (
                    f"a script of {size:.1f} MB is longer than the {limit:.0f} MB that are read"
                )
                found.skips.append(Skip(view.uri, reason))
            elif code.exhausted:
                reason = "a script is too deep, or has too many statements, to be looked at whole"
                found.skips.append(Skip(view.uri, reason))


def _in_processes(subject: Subject, rules: Sequence[Rule], sizes: list[int], jobs: int) -> Found:
    # Only here: what it imports takes longer than a small lint.
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    names = tuple(rule.name for rule in rules)
    bare = replace(subject.inventory, resources=())
    parts = _parts(subject.inventory.resources, sizes, jobs * _PARTS_PER_JOB)
    whole = replace(subject, focus=None, whole=None)
    found = Found()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        tasks = [
            pool.submit(_read_part, replace(whole, inventory=replace(bare, resources=part)), names)
            for part in parts
        ]
        for task in tasks:
            found.add(task.result())
    return found


def _parts(
    resources: tuple[Resource, ...], sizes: list[int], number: int
) -> list[tuple[Resource, ...]]:
    """Share out the resources so that each part has about as many characters."""
    parts: list[list[Resource]] = [[] for _ in range(min(number, len(resources)))]
    loads = [0] * len(parts)
    for index in sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True):
        least = loads.index(min(loads))
        parts[least].append(resources[index])
        loads[least] += sizes[index]
    return [tuple(part) for part in parts]


def _read_part(subject: Subject, names: tuple[str, ...]) -> Found:
    wanted = set(names)
    rules = tuple(rule for rule in all_rules() if rule.name in wanted)
    return read_pages(subject, rules)
