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
            await self._assume(with_value(self._given, field, answer, own))

    async def _assume(self, given: Assumptions) -> None:
        """This counts from now on, and the next time that the same log is opened."""
        from .assumed import kept, name_for

        self._given = given
        if self.place:
            self._memory.put(name_for(self.place[-1]), kept(given))
        await self.show_again()

    def recall_assumed(self) -> bool:
        """Assume what was said of this log before; whether that is anything."""
        if not self.place:
            return False
        from .assumed import name_for, recalled

        value = self._memory.get(name_for(self.place[-1]))
        if value is None:
            return False
        from ...analysis.meaning.boards import BOARDS
        from ...runners.targets.as_board import own_boards

        board = value.get("board") if isinstance(value, dict) else None
        own = own_boards() if board is not None and board not in BOARDS else ()
        self._given, lost = recalled(value, own)
        for said in lost:
            self.notify(said, title="No longer assumed", severity="warning", markup=False)
        return self._given != NOTHING

    @property
    def assumed(self) -> str:
        """What was said, in short; empty where it is nothing."""
        if self._given == NOTHING:
            return ""
        from .assumed import in_short

        return in_short(self._given)

    @work(group="assume", exclusive=True)
    async def action_assume_any(self) -> None:
        from .assume import ALL, ask_which, field_of

        option = await self.app.push_screen_wait(ask_which(self._given))
        if option == ALL:
            await self._assume(NOTHING)
        elif option is not None:
            self.action_assume(field_of(option))
