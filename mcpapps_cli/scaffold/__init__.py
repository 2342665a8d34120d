"""Start a project: templates, names, the plan of what would be written, and the writing."""

from mcpapps_cli.scaffold.name import check_name, module_name
from mcpapps_cli.scaffold.plan import check_plan, plan_files, write_plan
from mcpapps_cli.scaffold.template import (
    DEFAULT_SDK,
    DEFAULT_TEMPLATE,
    SDKS,
    Template,
    check_sdk,
    find_template,
    list_templates,
)

__all__ = [
    "DEFAULT_SDK",
    "DEFAULT_TEMPLATE",
    "SDKS",
    "Template",
    "check_name",
    "check_plan",
    "check_sdk",
    "find_template",
    "list_templates",
    "module_name",
    "plan_files",
    "write_plan",
]
