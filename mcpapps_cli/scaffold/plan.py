"""What `new` would write, and the writing."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from mcpapps_cli.errors import UserError
from mcpapps_cli.files import write_together
from mcpapps_cli.model import FileAction, Plan
from mcpapps_cli.scaffold.name import check_name
from mcpapps_cli.scaffold.template import DEFAULT_SDK, Template, read_files
from mcpapps_cli.words import count

# What a folder may hold before it has any content of the user's.
_UNOBTRUSIVE: Final = frozenset({".git", ".hg", ".venv", ".idea", ".vscode", ".DS_Store"})


def plan_files(
    template: Template,
    target: Path,
    name: str,
    *,
    sdk: str = DEFAULT_SDK,
    overwrite: bool = False,
) -> Plan:
    """Return what writing `template` as project `name` to `target` would do; write nothing.

    Args:
        template: What to copy.
        target: Absolute folder; it need not exist.
        name: The project's name, see `check_name`.
        sdk: What its server stands on, see `check_sdk`.
        overwrite: Whether files that differ get the verb `overwrite` instead of `conflict`.

    Raises:
        UserError: The name is not usable, or `target` or a folder below it is in the way.
    """
    check_name(name)
    _refuse_target(target)
    differs: Literal["overwrite", "conflict"] = "overwrite" if overwrite else "conflict"
    actions = []
    for path, text in sorted(read_files(template, name, sdk=sdk)):
        _refuse_obstacles(target, path)
        there = target / path
        if not there.exists():
            actions.append(FileAction("create", path, text))
        elif there.read_bytes() == text.encode():
            actions.append(FileAction("identical", path, text))
        else:
            actions.append(FileAction(differs, path, text))
    return Plan(target, template.name, tuple(actions))


def foreign_entries(plan: Plan) -> tuple[str, ...]:
    """Return what the target folder holds beside the plan's files and folders, sorted."""
    if not plan.target.is_dir():
        return ()
    ours = {action.path.partition("/")[0] for action in plan.actions} | _UNOBTRUSIVE
    return tuple(sorted(each.name for each in plan.target.iterdir() if each.name not in ours))


def check_plan(plan: Plan, *, overwrite: bool = False) -> None:
    """Accept a plan that touches nothing of the user's.

    A folder with other files in it is refused unless every planned file is there already.

    Args:
        plan: What `plan_files` returned.
        overwrite: Whether the user said that other files in the folder are no obstacle.

    Raises:
        UserError: A file differs, or the folder is not empty; `details` holds the lines to show.
    """
    verbs = {action.verb for action in plan.actions}
    advice = "choose another folder, or pass --overwrite. Nothing was written."
    conflicts = [action for action in plan.actions if action.verb == "conflict"]
    name = plan.target.name
    if conflicts:
        raise UserError(
            f'"{name}" exists and differs from the template in {count(len(conflicts), "file")}',
            help=advice,
            details=tuple(f"conflict  {name}/{action.path}" for action in conflicts),
        )
    foreign = foreign_entries(plan)
    if foreign and not overwrite and verbs != {"identical"}:
        shown = tuple(f"exists  {name}/{each}" for each in foreign[:5])
        more = (f"and {len(foreign) - 5} more",) if len(foreign) > 5 else ()
        raise UserError(f'"{name}" is not empty', help=advice, details=shown + more)


def write_plan(plan: Plan) -> None:
    """Write the plan's files, all of them or none, UTF-8 with the line ends that they have.

    Files that are identical are left alone, their times included.

    Raises:
        UserError: The operating system refused.
    """
    texts = {
        plan.target / action.path: action.text.encode()
        for action in plan.actions
        if action.verb in ("create", "overwrite", "edit")
    }
    try:
        write_together(texts)
    except OSError as exc:
        reason = (exc.strerror or str(exc)).lower()
        path = Path(exc.filename or plan.target)
        # A file that is there already belongs to a project: another folder is no answer.
        advice = "make the file writable" if path.is_file() else "choose a folder you may write in"
        raise UserError(f'"{path}" cannot be written: {reason}', help=advice) from exc


def _refuse_target(target: Path) -> None:
    try:
        target.lstat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as exc:
        # Such as a name that the file system finds too long.
        reason = (exc.strerror or str(exc)).lower()
        raise UserError(
            f'cannot use "{target.name[:40]}" as a folder: {reason}', help="choose another folder"
        ) from exc
    nearest = next(each for each in (target, *target.parents) if each.exists())
    if not nearest.is_dir():
        raise UserError(f'"{nearest.name}" is a file', help="choose another folder")


def _refuse_obstacles(target: Path, path: str) -> None:
    there = target / path
    if there.is_dir():
        raise UserError(f'"{target.name}/{path}" is a folder', help="choose another folder")
    for parent in there.parents:
        if parent == target:
            break
        shown = f"{target.name}/{parent.relative_to(target).as_posix()}"
        if parent.is_symlink():
            raise UserError(f'"{shown}" is a link to a folder', help="choose another folder")
        if parent.exists() and not parent.is_dir():
            raise UserError(f'"{shown}" is a file', help="choose another folder")
