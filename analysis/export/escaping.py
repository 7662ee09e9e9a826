"""How a text stays a text elsewhere: a spreadsheet runs what looks like a formula, Markdown and HTML what looks like markup.

Controls and what steers a terminal are gone first (`lines.clean`), whatever the format.
"""

from __future__ import annotations

from ..lines import clean

_FORMULA = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")
_MARKUP = {ord(mark): f"\\{mark}" for mark in "\\`*_{}[]()#!|~^$"} | {
    ord("<"): "&lt;", ord(">"): "&gt;", ord("&"): "&amp;", ord("@"): "&#64;", ord(":"): "&#58;",
}  # fmt: skip
_HTML = {
    ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;", ord("'"): "&#39;",
}  # fmt: skip


def no_formula(text: str) -> str:
    """The text with an apostrophe before it where a spreadsheet would take it for a formula."""
    text = clean(text)
    return f"'{text}" if text.lstrip()[:1] in _FORMULA else text


def csv_text(text: str) -> str:
    """A text as a quoted cell that no spreadsheet takes for a formula."""
    return '"' + no_formula(text).replace('"', '""') + '"'


def csv_cell(value: float | str | None) -> str:
    """A value as a cell: numbers as they are, also negative ones; nothing for what is absent."""
    if value is None:
        return ""
    return csv_text(value) if isinstance(value, str) else str(value)


def markdown_text(text: str) -> str:
    """A text in Markdown, with nothing in it that is markup."""
    return clean(text).translate(_MARKUP)


def html_text(text: str) -> str:
    """A text in HTML or SVG, also between quotes of an attribute."""
    return clean(text).translate(_HTML)
