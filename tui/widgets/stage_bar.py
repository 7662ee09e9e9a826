"""Shows how far a job is: each stage with a sign, the reached ones filled, the broken one crossed."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from .. import glyphs


class StageBar(Widget):
    """One line: `● start ─ ● load ─ ◐ plan ─ ○ inputs ...`; on a narrow terminal only the current stage is named."""

    DEFAULT_CSS = """
    StageBar { height: 1; width: 1fr; }
    """

    stage: reactive[str | None] = reactive(None)
    """The newest stage reached, None before the first."""
    state: reactive[str] = reactive("running")
    """`running`, `done` or `broken`."""

    def __init__(self, stages: Sequence[str], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.stages = tuple(stages)

    def render(self) -> Content:
        reached = self.stages.index(self.stage) if self.stage in self.stages else -1
        wide = self._content(reached, names=True)
        return wide if wide.cell_length <= self.size.width else self._content(reached, names=False)

    def _content(self, reached: int, names: bool) -> Content:
        parts: list[Content] = []
        for i, name in enumerate(self.stages):
            if i < reached or (i == reached and self.state == "done"):
                sign, style = glyphs.DONE, "$text-success"
            elif i == reached:
                broken = self.state == "broken"
                sign, style = (glyphs.BROKEN, "$text-error bold") if broken else (glyphs.ACTIVE, "$text-accent bold")
            else:
                sign, style = glyphs.WAITING, "$foreground-disabled"
            label = f"{sign} {name}" if names or i == reached else sign
            parts.append(Content.styled(label, style))
        return Content.styled(" ─ " if names else "─", "$foreground-disabled").join(parts)
