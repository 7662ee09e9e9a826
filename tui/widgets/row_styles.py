"""Rows in a frame at the top and blanks at the sides: what Textual puts around each line, for those where that is all.

Textual makes a line of a widget from a dozen questions to its styles; thirty new lines of a log paid them thirty times.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.segment import Segment
from textual._styles_cache import StylesCache
from textual.color import Color
from textual.css.styles import StylesBase
from textual.geometry import Size, Spacing
from textual.strip import Strip


class RowStyles(StylesCache):
    """Lines as `StylesCache` makes them."""

    _plain = False

    def render(self, styles: StylesBase, size: Size, *arguments: Any, **options: Any) -> list[Strip]:
        border, outline = styles.border, styles.outline
        sides = (border.left, border.right, *outline)
        self._plain = (
            not any(kind for kind, _ in sides)
            and styles.text_opacity == options.get("opacity", 1.0) == 1.0
            and not styles.tint.a
            and not styles.has_rule("hatch")
        )
        return super().render(styles, size, *arguments, **options)

    def render_line(
        self,
        styles: StylesBase,
        y: int,
        size: Size,
        content_size: Size,
        padding: Spacing,
        base_background: Color,
        background: Color,
        render_content_line: Callable[[int], Strip],
        *others: Any,
    ) -> Strip:
        top = styles.gutter.top
        if not self._plain or not top <= y < top + content_size.height:
            return super().render_line(
                styles, y, size, content_size, padding, base_background, background, render_content_line, *others
            )
        style = self.get_inner_outer(base_background, background)[0].rich_style
        strip = render_content_line(y - top).adjust_cell_length(content_size.width, style)
        if not padding.left and not padding.right:
            return strip
        left, right = Segment(" " * padding.left, style), Segment(" " * padding.right, style)
        return Strip([left, *strip, right], size.width)
