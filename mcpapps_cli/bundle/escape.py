"""Scripts and data as they can stand in a script element, with the same values at run time."""

from __future__ import annotations

import json
import re
from typing import Final

from mcpapps_cli import embed
from mcpapps_cli.bundle.source import Source, unify

_DANGER: Final = re.compile(r"<!--|</script", re.IGNORECASE)
# A piece of a template that has something before its quote which may be a tag.
_TAGGED: Final = re.compile(r"[\w$)\]}]`[^`]*<!--")


def inline_script(file: Source, *, module: bool) -> str:
    r"""Return the text of a script file for a script element.

    In strings, templates and regular expressions `</script` becomes `<\/script` and `<!--`
    becomes `<!-\x2D`. Where `<!--` is code it is a comment in a classic script, and two operators
    in a module, and is written as such.

    Raises:
        SourceError: A template with a tag holds one of them: its tag sees what is written.
    """
    text = unify(file.text).replace("\0", r"\x00")
    if not _DANGER.search(text):
        return text
    from mcpapps_cli.markup import js

    for start, end in js.tagged_templates(text):
        if found := _DANGER.search(text, start, end):
            file.fail(
                f'a template with a tag holds "{found.group()}", which cannot stand in a page',
                found.start(),
                len(found.group()),
                "put it into a string, or into ${...}",
            )
    pieces: list[str] = []
    done = 0
    for start in js.open_comments(text):
        pieces += (text[done:start], "<! --" if module else "//")
        done = start + len("<!--")
    return embed.escape_script("".join((*pieces, text[done:])))


def is_tagged_comment(script: str) -> bool:
    """Whether a template with a tag may hold `<!--`; never overlooks one."""
    return "<!--" in script and _TAGGED.search(script) is not None


def inline_json(text: str) -> str:
    r"""Return the text of a JSON file for a script element: each `<` becomes `\u003c`."""
    return unify(text).replace("<", r"\u003c")


def loading_script(text: str, attributes: list[tuple[str, str]]) -> str:
    """Return a module that runs `text` as a classic script when its turn comes.

    Args:
        text: The script, not escaped.
        attributes: Of the element that runs it.
    """
    lines = ['const script = document.createElement("script");']
    lines += [f"script.setAttribute({_literal(n)}, {_literal(v)});" for n, v in attributes]
    lines += [f"script.textContent = {_literal(text)};", "document.head.append(script);"]
    return "\n".join(lines)


def _literal(text: str) -> str:
    # Without `<` nothing in it can end the element or open a comment.
    return json.dumps(text).replace("<", r"\u003c")
