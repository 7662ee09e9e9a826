"""Writes a text so that it stays a text: a spreadsheet runs what looks like a formula, Markdown and HTML what looks
like markup.

Control characters and escapes are already removed before this (`lines.clean`), for every format.
"""

from __future__ import annotations

import re

from ..lines import clean

_FORMULA = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")
_MARKUP = {ord(mark): f"\\{mark}" for mark in "\\`*[]#|~$"} | {
    ord("<"): "&lt;", ord(">"): "&gt;", ord("&"): "&amp;", ord("@"): "&#64;",
}  # fmt: skip
_LINKED = re.compile(r":(?=//)|(?<=mailto):|(?<=xmpp):|:(?=[\w+-]+:)|(?<=www)\.", re.IGNORECASE)
"""What makes a link or an emoji of the words around it."""
_UNDERLINED = re.compile(r"(?<![^\W_])_+|_+(?![^\W_])")
"""Underscores that are not inside of a word, where they would be emphasis."""
_BEGINS = re.compile(r"([-+=](?=[\s=-]|$)|\d+[.)](?=\s|$))")
"""What makes a list or a rule of a line that begins with it."""
_HTML = {
    ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;", ord("'"): "&#39;",
}  # fmt: skip


def no_formula(text: str) -> str:
    """The text, with an apostrophe in front if a spreadsheet would take it for a formula."""
    text = clean(text)
    return f"'{text}" if text.lstrip()[:1] in _FORMULA else text


def csv_text(text: str) -> str:
    """A text as a quoted cell that no spreadsheet takes for a formula."""
    return '"' + no_formula(text).replace('"', '""') + '"'


def csv_cell(value: float | str | None) -> str:
    """A value as a cell: numbers as they are, also negative ones; an absent value is an empty cell."""
    if value is None:
        return ""
    return csv_text(value) if isinstance(value, str) else str(value)


def markdown_text(text: str) -> str:
    """A text inside a line of GitHub's Markdown: nothing in it works as markup, and it can still be read as plain text."""
    text = clean(text).translate(_MARKUP)
    text = _UNDERLINED.sub(lambda found: "\\_" * len(found.group()), text)
    return _LINKED.sub(lambda found: "&#58;" if found.group() == ":" else "&#46;", text)


def markdown_line(text: str) -> str:
    """A text at the beginning of a line of Markdown."""
    text = markdown_text(text).lstrip()
    found = _BEGINS.match(text)
    if found is None:
        return text
    mark = found.group()
    return f"{mark[:-1]}\\{mark[-1]}{text[len(mark) :]}"


def html_text(text: str) -> str:
    """A text for HTML or SVG, also inside a quoted attribute."""
    return clean(text).translate(_HTML)
