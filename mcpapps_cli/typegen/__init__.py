"""The schemas of a server's tools as TypeScript: for `.ts`, and for `.js` that `tsc` checks."""

from mcpapps_cli.typegen.declare import declaration_text, jsdoc_text
from mcpapps_cli.typegen.output import check_texts, plan_texts, write_texts

__all__ = ["check_texts", "declaration_text", "jsdoc_text", "plan_texts", "write_texts"]
