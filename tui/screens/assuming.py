"""A screen whose figures depend on what the log does not say: the keys that ask for it, and what was said so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import work

from ...analysis.meaning.assumptions import NOTHING, Assumptions
from .page import Page

if TYPE_CHECKING:
    from ..views import View

ASSUMING = ("Summary", "Memory", "Cycles", "PMU", "Roofline")
"""Tabs whose figures depend on what the log does not say."""


class AssumingPage(Page):
    """Subclasses show a view again when something else is assumed."""

    _given: Assumptions = NOTHING

    @property
    def view(self) -> View:
        """What is shown."""
        raise NotImplementedError

    @property
    def tab(self) -> str:
        """Name of the open tab."""
        raise NotImplementedError

    async def show_again(self) -> None:
        """The view has become another one: another run, or another assumption."""
        raise NotImplementedError

    @property
    def options(self) -> tuple[str, ...]:
        """What was said, as options of `analyze`."""
        if self._given == NOTHING:
            return ()
        from .assume import options_of

        return options_of(self._given)

    def can_assume(self, field: str) -> bool:
        """A board goes with everything that has figures; the rest only with a run."""
        if not self.is_mounted or self.tab not in ASSUMING or not self.view.answers:
            return False
        return self.view.run is not None or field == "board"

    @work(group="assume", exclusive=True)
    async def action_assume(self, field: str) -> None:
        from ...runners.targets.as_board import own_boards
        from .assume import ask_for, board_note, with_value

        run, boards = self.view.run, self.view.tables.get("board")
        npu = (
            run.target.npu
            if run is not None
            else (self.view.summary.accelerator or "").rpartition("-")[0]
            if self.view.summary
            else None
        )
        notes = {}
        if boards is not None and self._given.board is None:
            notes = {row[0].text: board_note(row) for row in boards.rows}
        own = own_boards() if field == "board" else ()
        answer = await self.app.push_screen_wait(ask_for(field, self._given, npu or None, notes, own))
        if answer is not None:
            self._given = with_value(self._given, field, answer, own)
            await self.show_again()

    @work(group="assume", exclusive=True)
    async def action_assume_any(self) -> None:
        from .assume import ask_which, field_of

        option = await self.app.push_screen_wait(ask_which(self._given))
        if option is not None:
            self.action_assume(field_of(option))
