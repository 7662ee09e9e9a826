"""Small windows on top of a screen: ask for a text, choose from a list, show the help of a screen."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.suggester import Suggester
from textual.widgets import Input

from ...analysis.tables import Cell, Column, Table
from ..widgets.data_table import DataTable
from ..widgets.field import Field
from ..widgets.said import Said


class Choice(NamedTuple):
    """One thing that can be chosen: `value` is the answer, `note` explains it, `name` stands in the list for it."""

    value: str
    note: str = ""
    name: str = ""
    leads_on: bool = False
    """Not an answer yet: what is chosen is typed, and the list goes on from there, as with a folder."""


class Choices(DataTable):
    """A list beside an input: what is typed belongs to the input."""

    class Typed(Message):
        """A character for the input."""

        def __init__(self, character: str) -> None:
            super().__init__()
            self.character = character

    def on_key(self, event: events.Key) -> None:
        if event.character is not None and event.is_printable:
            event.stop()
            event.prevent_default()
            self.post_message(self.Typed(event.character))


FEW = 4
"""Answers of a question; more of them are a list that typing narrows."""


class AskScreen(ModalScreen[str | None]):
    """Ask for a text or one of some choices; what is typed filters the choices, Enter answers, Escape gives up.

    Without `free` only a listed choice is an answer.  `check` says what is wrong with a typed text, or nothing.
    `listing` gives the choices for a text anew, as files do; Enter on a text that is none takes the one under the cursor.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "give_up", "Cancel"),
        Binding("down", "to_list", "Choices", show=False),
        Binding("tab", "complete", "Complete", show=False),
    ]
    DEFAULT_CSS = """
    AskScreen { align: center middle; background: $background 60%; }
    AskScreen > Vertical { width: 76; max-width: 95%; height: auto; max-height: 90%; border: round $primary;
        border-title-color: $text-primary; border-title-style: bold; background: $surface; padding: 0 1; }
    AskScreen.-huge > Vertical { width: 120; }
    AskScreen.-flat > Vertical, AskScreen.-tiny > Vertical { max-width: 100%; max-height: 100%; border: none; }
    AskScreen Input { height: 1; border: none; padding: 0; background: $boost; }
    AskScreen DataTable { height: auto; max-height: 12; margin-top: 1; }
    AskScreen.-lists DataTable { height: 12; }
    AskScreen #said { height: auto; color: $text-warning; }
    AskScreen #keys { height: 1; color: $foreground-disabled; }
    """

    def __init__(
        self,
        title: str,
        *,
        value: str = "",
        hint: str = "",
        choices: Sequence[Choice] = (),
        free: bool = True,
        check: Callable[[str], str | None] | None = None,
        suggester: Suggester | None = None,
        listing: Callable[[str], Sequence[Choice]] | None = None,
    ) -> None:
        super().__init__()
        self._title = title
        self._value = value
        self._hint = hint
        self._listing = listing
        self._choices = tuple(choices if listing is None else listing(value))
        self._free = free
        self._check = check
        self._suggester = suggester
        self._typed = False
        self.set_class(listing is not None, "-lists")

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = Content(self._title)
            yield Field(
                self._value, placeholder=self._hint, suggester=self._suggester, compact=True, select_on_focus=True
            )
            empty = "no choice contains this text" if self._listing is None else "nothing of this name"
            table = Choices(self._table(), header=False, cells=False, empty=empty)
            table.display = bool(self._choices) or self._listing is not None
            yield table
            yield Said("", id="said")
            completes = "   tab completes" * (self._suggester is not None)
            lists = "   down to the list" * (table.display and not self._is_question)
            yield Said(f"enter takes it{completes}{lists}   escape cancels", id="keys")

    @property
    def _is_question(self) -> bool:
        """Whether there is nothing to type: a few answers, and no others."""
        alone = not self._free and self._listing is None and not self._value and not self._hint
        return alone and len(self._choices) <= FEW

    def _table(self) -> Table:
        rows = tuple((Cell(choice.name or choice.value), Cell(choice.note, tone="dim")) for choice in self._choices)
        return Table("", (Column("value", kept="end", least=24), Column("note")), rows)

    def on_mount(self) -> None:
        table = self.query_one(DataTable)
        if self._is_question:
            self.query_one(Input).display = False
            table.styles.margin = 0
            table.focus()
        values = [choice.value for choice in self._choices]
        if self._value in values:
            table.select_row(values.index(self._value))

    @on(Input.Changed)
    def _filter(self, event: Input.Changed) -> None:
        if event.value != self._value or self._typed:
            self._typed = True
            event.input.select_on_focus = False  # who comes back from the list goes on typing
            self._show_matching(event.value.strip())
        self.query_one("#said", Said).say("")

    def _show_matching(self, text: str) -> None:
        """The choices for what was typed, with the cursor on the one that is meant most likely."""
        table = self.query_one(DataTable)
        if self._listing is not None:
            self._choices = tuple(self._listing(text))
            table.table = self._table()
            table.go(0)
            return
        table.apply_filter(text)
        wanted = text.casefold()
        shown = [i for i, choice in enumerate(self._choices) if wanted in f"{choice.value}\n{choice.note}".casefold()]
        values = {i: self._choices[i].value.casefold() for i in shown}
        best = sorted(shown, key=lambda i: (values[i] != wanted, not values[i].startswith(wanted), i))
        if best and text:
            table.select_row(best[0])

    @on(Input.Submitted)
    def _answer(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        table = self.query_one(DataTable)
        if not self._free:
            if table.row is not None:
                self.dismiss(self._choices[table.row].value)
            return
        problem = self._check(text) if self._check is not None else None
        meant = self._choices[table.row] if table.row is not None else None
        if problem and text and meant is not None and (self._listing is not None or meant.value.startswith(text)):
            self._take(meant)
        elif problem:
            self.query_one("#said", Said).say(problem)
        else:
            self.dismiss(text)

    def _take(self, choice: Choice) -> None:
        """This one was chosen."""
        if not choice.leads_on:
            self.dismiss(choice.value)
            return
        field = self.query_one(Input)
        field.focus()
        field.value = choice.value
        field.cursor_position = len(choice.value)

    @on(Choices.Typed)
    def _typed_in_list(self, event: Choices.Typed) -> None:
        if self._is_question:
            return
        field = self.query_one(Input)
        field.focus()
        if not self._typed:
            field.value = ""
        self._typed = True
        field.insert_text_at_cursor(event.character)

    @on(DataTable.Chosen)
    def _chosen(self, event: DataTable.Chosen) -> None:
        event.stop()
        self._take(self._choices[event.row])

    def action_to_list(self) -> None:
        if self._choices:
            self.query_one(DataTable).focus()

    def action_complete(self) -> None:
        """As in a shell: type what all that could be meant begin with; where that is typed already, on to the list."""
        field = self.query_one(Input)
        if not field.has_focus:
            field.focus()
            return
        typed = field.value
        fitting = [c.value for c in self._choices if c.value.startswith(typed)] if self._listing is not None else []
        more = os.path.commonprefix(fitting)
        if typed and len(more) > len(typed):
            field.value = more
            field.cursor_position = len(more)
        elif typed and not fitting and self._suggester is not None:
            field.action_cursor_right()
        else:
            self.action_to_list()

    def action_give_up(self) -> None:
        self.dismiss(None)
