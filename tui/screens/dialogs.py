"""Small windows on top of a screen: ask for a text, choose from a list, show the help of a screen."""

from __future__ import annotations

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
    """One thing that can be chosen: `value` is the answer, `note` explains it."""

    value: str
    note: str = ""


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


class AskScreen(ModalScreen[str | None]):
    """Ask for a text or one of some choices; what is typed filters the choices, Enter answers, Escape gives up.

    Without `free` only a listed choice is an answer.  `check` says what is wrong with a typed text, or nothing.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "give_up", "Cancel"),
        Binding("down", "to_list", "Choices", show=False),
    ]
    DEFAULT_CSS = """
    AskScreen { align: center middle; background: $background 60%; }
    AskScreen > Vertical { width: 76; max-width: 95%; height: auto; max-height: 90%; border: round $primary;
        border-title-color: $text-primary; border-title-style: bold; background: $surface; padding: 0 1; }
    AskScreen.-huge > Vertical { width: 120; }
    AskScreen.-flat > Vertical, AskScreen.-tiny > Vertical { max-width: 100%; max-height: 100%; border: none; }
    AskScreen Input { height: 1; border: none; padding: 0; background: $boost; }
    AskScreen DataTable { height: auto; max-height: 12; margin-top: 1; }
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
    ) -> None:
        super().__init__()
        self._title = title
        self._value = value
        self._hint = hint
        self._choices = tuple(choices)
        self._free = free
        self._check = check
        self._suggester = suggester
        self._typed = False

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = Content(self._title)
            yield Field(
                self._value, placeholder=self._hint, suggester=self._suggester, compact=True, select_on_focus=True
            )
            rows = tuple((Cell(choice.value), Cell(choice.note, tone="dim")) for choice in self._choices)
            table = Choices(
                Table("", (Column("value"), Column("note")), rows),
                header=False,
                cells=False,
                empty="no choice contains this text",
            )
            table.display = bool(self._choices)
            yield table
            yield Said("", id="said")
            yield Said(f"enter takes it{'   ↓ to the list' * bool(self._choices)}   escape cancels", id="keys")

    def on_mount(self) -> None:
        table = self.query_one(DataTable)
        values = [choice.value for choice in self._choices]
        if self._value in values:
            table.select_row(values.index(self._value))

    @on(Input.Changed)
    def _filter(self, event: Input.Changed) -> None:
        if event.value != self._value or self._typed:
            self._typed = True
            self.query_one(DataTable).apply_filter(event.value.strip())
        self.query_one("#said", Said).say("")

    @on(Input.Submitted)
    def _answer(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        table = self.query_one(DataTable)
        if not self._free:
            if table.row is not None:
                self.dismiss(self._choices[table.row].value)
            return
        problem = self._check(text) if self._check is not None else None
        if problem:
            self.query_one("#said", Said).say(problem)
        else:
            self.dismiss(text)

    @on(Choices.Typed)
    def _typed_in_list(self, event: Choices.Typed) -> None:
        field = self.query_one(Input)
        field.focus()
        if not self._typed:
            field.value = ""
        self._typed = True
        field.insert_text_at_cursor(event.character)

    @on(DataTable.Chosen)
    def _chosen(self, event: DataTable.Chosen) -> None:
        event.stop()
        self.dismiss(self._choices[event.row].value)

    def action_to_list(self) -> None:
        if self._choices:
            self.query_one(DataTable).focus()

    def action_give_up(self) -> None:
        self.dismiss(None)
