"""The export dialog: what, in which form, to which file; and the writing of it, beside the screen."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input

from ...analysis.lines import clean
from ...analysis.tables import Cell, Column, Table
from ...analysis.units import format_bytes
from ...runners.job import JobError, UsageError
from ...runners.saved_file import file_name, place_for, save_pieces
from ..copying import copy
from ..endings import needed
from ..exports import SCREEN, Offer, Subject, picture_without_fonts
from ..messages import Problem
from ..widgets.data_table import DataTable
from ..widgets.field import Field
from ..widgets.said import Said
from .paths import PathSuggester

if TYPE_CHECKING:
    from ..navigation import Navigation

COLUMNS = (Column("What"), Column("As"), Column("About"))
_COPY_LIMIT = 8 << 20


class Answer(NamedTuple):
    """What to do."""

    offer: Offer
    act: Literal["save", "copy"]
    target: Path | None = None
    replace: bool = False


class ExportScreen(ModalScreen[Answer | None]):
    """Choose and name; Enter saves, y copies, Escape leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "give_up", "Cancel"),
        Binding("tab,shift+tab", "other", "List or name"),
        Binding("y", "copy", "Copy"),
    ]
    DEFAULT_CSS = """
    ExportScreen { align: center middle; background: $background 60%; }
    ExportScreen > Vertical { width: 78; max-width: 98%; height: auto; max-height: 96%; border: round $primary;
        border-title-color: $text-primary; border-title-style: bold; background: $surface; padding: 0 1; }
    ExportScreen DataTable { height: auto; max-height: 14; }
    ExportScreen Input { height: 1; border: none; padding: 0; background: $boost; margin-top: 1; }
    ExportScreen #where { height: auto; color: $foreground-muted; }
    ExportScreen #problem { height: auto; color: $text-warning; }
    ExportScreen #keys { height: 1; color: $foreground-disabled; }
    """

    def __init__(self, subject: Subject, folder: str) -> None:
        super().__init__()
        self._subject = subject
        self._folder = folder
        self._offers = subject.offers()
        self._replaced: Path | None = None
        self._own_name = False

    def compose(self) -> ComposeResult:
        rows = tuple((Cell(o.what), Cell(o.form), Cell(o.note, tone="dim")) for o in self._offers)
        with Vertical() as box:
            box.border_title = Content("Export")
            yield DataTable(Table("", COLUMNS, rows), header=False, cells=False, sortable=False)
            yield Field(compact=True, select_on_focus=False, suggester=PathSuggester())
            yield Said("", id="where")
            yield Said("", id="problem")
            yield Said("enter saves   y copies   tab to the name and back   escape cancels", id="keys")

    def on_mount(self) -> None:
        self.query_one(DataTable).focus()
        self._propose()

    @property
    def offer(self) -> Offer:
        """What the cursor stands on."""
        return self._offers[self.query_one(DataTable).row or 0]

    @property
    def _proposed(self) -> str:
        return file_name(self._subject.proposed(self.offer), self.offer.ending)

    def _propose(self) -> None:
        """A name that is free; one that was typed keeps its stem and gets the ending of the form."""
        field = self.query_one(Input)
        if self._own_name and field.value and not field.value.endswith("/"):
            stem = field.value
            for ending in sorted({offer.ending for offer in self._offers}, key=len, reverse=True):
                if stem.endswith(ending):
                    stem = stem[: -len(ending)]
                    break
            value = f"{stem}{self.offer.ending}"
        else:
            value = _free(self._folder, self._proposed, self.offer.ending)
        with field.prevent(Input.Changed):
            field.value = value
        field.cursor_position = len(value)
        self._describe()

    def _describe(self) -> None:
        given = os.path.abspath(os.path.expanduser(self.query_one(Input).value or "."))
        folder = given if os.path.isdir(given) else os.path.dirname(given)
        named = f"as {self._proposed}" if os.path.isdir(given) else ""
        web = "; your browser gets it, too" if self.app.is_web else ""
        self.query_one("#where", Said).say(" ".join(f"in {folder} {named}".split(" ")).rstrip() + web)
        self.query_one("#problem", Said).say("")
        self._replaced = None

    @on(DataTable.Highlighted)
    def _moved(self, event: DataTable.Highlighted) -> None:
        event.stop()
        self._propose()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._own_name = True
        self._describe()

    @on(DataTable.Chosen)
    @on(Input.Submitted)
    def _save(self, event: DataTable.Chosen | Input.Submitted) -> None:
        event.stop()
        text = self.query_one(Input).value.strip()
        try:
            target = place_for(text, self._proposed, force=True)
        except UsageError as error:
            self.query_one("#problem", Said).say(f"{error.message}; {error.hint}")
            return
        if os.path.lexists(target) and self._replaced != target:
            self.query_one("#problem", Said).say(
                f"{target.name} is there already: enter again replaces it, or give another name"
            )
            self._replaced = target
            return
        self.dismiss(Answer(self.offer, "save", target, self._replaced == target))

    def action_copy(self) -> None:
        if self.offer.what == SCREEN:
            self.query_one("#problem", Said).say("A picture cannot be copied; enter saves it.")
        else:
            self.dismiss(Answer(self.offer, "copy"))

    def action_other(self) -> None:
        table, field = self.query_one(DataTable), self.query_one(Input)
        (table if field.has_focus else field).focus()

    def action_give_up(self) -> None:
        self.dismiss(None)


def _free(folder: str, name: str, ending: str) -> str:
    """The name, with a number where there is a file of it."""
    stem = name[: -len(ending)]
    for number in range(1, 1000):
        path = os.path.join(folder, f"{stem}{'' if number == 1 else f'-{number}'}{ending}")
        if not os.path.lexists(os.path.expanduser(path)):
            return path
    return os.path.join(folder, name)


async def export(app: Navigation, subject: Subject) -> None:
    """Ask, then write or copy; what goes wrong is said and leaves no file."""
    answer = await app.push_screen_wait(ExportScreen(subject, app.export_folder))
    if answer is None:
        return
    try:
        if answer.act == "copy":
            text = await asyncio.to_thread(_joined, subject, answer.offer)
            copy(app, text, f"{answer.offer.what} as {answer.offer.form}")
            return
        pieces: Sequence[str] | None = None
        if answer.offer.what == SCREEN:
            await _drawn(app)
            pieces = [picture_without_fonts(app.export_screenshot(title=subject.name))]
        assert answer.target is not None
        size = await asyncio.to_thread(_write, subject, answer, pieces)
    except JobError as error:
        app.post_message(Problem(error.message, error.hint))
        return
    folder = os.path.dirname(answer.target)
    app.export_folder = "" if folder == os.getcwd() else folder
    said = f"{answer.target}, {format_bytes(size)}"
    if app.is_web:
        app.deliver_binary(answer.target)
    app.notify(clean(said), title=clean(f"Saved: {answer.offer.what}, {answer.offer.form}"), timeout=8, markup=False)


def _write(subject: Subject, answer: Answer, pieces: Sequence[str] | None) -> int:
    assert answer.target is not None
    with needed():
        source = pieces if pieces is not None else subject.pieces(answer.offer)
        return save_pieces(answer.target, source, replace=answer.replace)


def _joined(subject: Subject, offer: Offer) -> str:
    found: list[str] = []
    size = 0
    for piece in subject.pieces(offer):
        found.append(piece)
        size += len(piece)
        if size > _COPY_LIMIT:
            raise UsageError("this is too much to copy", "save it to a file")
    return "".join(found)


async def _drawn(app: Navigation) -> None:
    """Wait until the screen below is drawn without the dialog."""
    drawn = asyncio.Event()
    app.call_after_refresh(drawn.set)
    await drawn.wait()
