"""The one place through which running text reaches the screen: whatever its source, nothing in it is obeyed.

Analysis and run folders clean what they read; this stands behind them, so that a text nobody thought of stays text.
"""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from ...analysis.cleaning import clean


def plain(text: str) -> str:
    """The text without escapes and controls; its line breaks stay."""
    return "\n".join(clean(line) for line in text.split("\n"))


def safe(content: str | Content) -> Content:
    """The same content, never as markup; one that holds controls loses them, and its styles with them."""
    if isinstance(content, str):
        return Content(plain(content))
    cleaned = plain(content.plain)
    return content if cleaned == content.plain else Content(cleaned)


class Said(Static):
    """Text on a screen."""

    def __init__(self, content: str | Content = "", *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(safe(content), id=id, classes=classes, markup=False)

    def say(self, content: str | Content, *, layout: bool = True) -> None:
        """Show this instead; what stands there already is not sent again."""
        new = safe(content)
        shown = self.content
        if not (isinstance(shown, Content) and shown.is_same(new)):
            self.update(new, layout=layout)
