"""Shows one `analysis.tables.Table` of any length: only the visible rows are rendered, and a key repaints two lines.

Textual's own DataTable builds every row up front, which is fine for tens of rows and takes seconds for a hundred
thousand.  This one keeps the neutral table as it is, draws lines on demand, and adds what every table here has: a cell
cursor, sorting by the cursor's column, a filter, marks, and a message that carries the log line behind a figure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from ...analysis.tables import Cell, Table
from .. import glyphs
from . import table_layout
from .arrangement import Arranged
from .table_layout import GAP, RowOrder, changed_rows, fitted_widths, given_back, in_sight, natural_widths, text_of

EMPTY = Table("", (), ())


class OfTable(Message):
    """What a table tells."""

    def __init__(self, table: DataTable) -> None:
        super().__init__()
        self.table = table

    @property
    def control(self) -> DataTable:
        """The same, for `on` with a selector."""
        return self.table


class DataTable(Arranged):
    """A table with a cell cursor; Enter posts `Chosen`."""

    STYLE_PREFIX = "data-table"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"data-table--{part}" for part in ("header", "cursor", "cell-cursor", "idle", "mark", "note")),
        *(f"data-table--{tone}" for tone in ("good", "bad", "warn", "dim", "best", "jump")),
    }
    DEFAULT_CSS = """
    DataTable { height: 1fr; scrollbar-size-vertical: 1; scrollbar-size-horizontal: 0; }
    .data-table--header { text-style: bold; color: $foreground-muted; }
    .data-table--cursor { background: $surface-lighten-1; }
    .data-table--cell-cursor { background: $block-cursor-background; color: $block-cursor-foreground; text-style: bold; }
    .data-table--idle { background: $surface-lighten-1 60%; }
    .data-table--mark { color: $accent; text-style: bold; }
    .data-table--good, .data-table--best { color: $text-success; }
    .data-table--best { text-style: bold; }
    .data-table--bad { color: $text-error; text-style: bold; }
    .data-table--warn { color: $text-warning; }
    .data-table--dim, .data-table--note { color: $foreground-disabled; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "column(-1)", "Column left", show=False),
        Binding("right,l", "column(1)", "Column right", show=False),
        Binding("s", "sort", "Sort", tooltip="Sort by this column; again reverses it, then restores the order"),
        Binding("C", "columns", "Columns", show=False, tooltip="Choose which columns are shown"),
        Binding("space", "mark", "Mark", show=False, tooltip="Mark the row, or unmark it"),
    ]

    cursor_column: reactive[int] = reactive(0, repaint=False)

    class Chosen(OfTable):
        """Enter, or a click on the row that already has the cursor."""

        def __init__(self, table: DataTable, row: int, line: int | None) -> None:
            super().__init__(table)
            self.row = row
            self.line = line

    class Highlighted(OfTable):
        """The cursor stands on another row (index into the table as given)."""

        def __init__(self, table: DataTable, row: int) -> None:
            super().__init__(table)
            self.row = row

    class Marked(OfTable):
        """The set of marked rows changed."""

    class Filtered(OfTable):
        """Other rows than before may pass the filter."""

    def __init__(
        self,
        table: Table = EMPTY,
        *,
        id: str | None = None,
        classes: str | None = None,
        header: bool = True,
        cells: bool = True,
        fixed: int = 0,
        markable: bool = False,
        unmarked: str = " ",
        sortable: bool = True,
        empty: str = "nothing here",
        disabled_rows: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._table = EMPTY
        self._row_order = RowOrder(EMPTY)
        self._header = header
        self._cells = cells
        self._fixed = fixed
        self._markable = markable
        self._unmarked = unmarked
        self._sortable = sortable
        self.empty = empty
        self.disabled_rows = disabled_rows
        self.marks: set[int] = set()
        self.moved: Callable[[int], None] | None = None
        """Called with the cursor's new row before the message, so that what it draws comes in the same frame."""
        self._order: Sequence[int] = []
        self._widths: list[int] = []
        self._natural: list[int] = []
        self._filter = ""
        self.table = table

    # -- content ---------------------------------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """What is shown; setting it keeps cursor, sort and filter where they still make sense."""
        return self._table

    @table.setter
    def table(self, table: Table) -> None:
        table = self.without_hidden(table)
        same_columns = [c.name for c in table.columns] == [c.name for c in self._table.columns]
        changed = changed_rows(self._table, table) if same_columns else None
        self._table = table
        self._row_order = RowOrder(table)
        if not same_columns:
            self._sort = self.recalled_sort(table)
            self.marks = set()
        if changed is not None and not self._filter and self._sort is None:
            widths = self._natural
            self._measure()
            if widths == self._natural:
                for row in changed:
                    self.refresh_row(row)
                return
        self._measure()
        self._rearrange()

    @property
    def row(self) -> int | None:
        """The cursor's row as an index into the table as given, None in an empty table."""
        return self._order[self.cursor_row] if 0 <= self.cursor_row < len(self._order) else None

    @property
    def row_count(self) -> int:
        """Rows that pass the filter."""
        return len(self._order)

    def select_row(self, row: int) -> None:
        """Put the cursor on a row given as an index into the table; does nothing while the filter hides it."""
        if row in self._order:
            self.go(self._order.index(row))

    def apply_filter(self, text: str) -> str:
        """Show only rows with a cell that contains the text, whatever its case; there is no wrong text."""
        kept = self.row
        self._filter = text.casefold()
        self._rearrange()
        if kept is not None:
            self.select_row(kept)
        return ""

    def prepare_filter(self) -> None:
        """Make now what the first letter of a filter would have to wait for."""
        self._row_order.prepare()

    def _measure(self) -> None:
        self._natural = natural_widths(self._table, header=self._header)
        self._fit()

    def _fit(self) -> None:
        self._widths = self._fitted(self._room())
        total = sum(self._widths) + GAP * max(0, len(self._widths) - 1) + self._gutter
        self.virtual_size = Size(total, len(self._order) + self.top)

    def _fitted(self, room: int) -> list[int]:
        return given_back(fitted_widths(self._table, self._natural, room, self._fixed), self._natural, room)

    def _room(self) -> int:
        region = self.scrollable_content_region
        needs_bar = len(self._order) + self.top > region.height
        # the scrollbar comes and goes with the next layout, and no event tells
        coming = int(needs_bar) - int(self.show_vertical_scrollbar)
        return region.width - self._gutter - coming * self.styles.scrollbar_size_vertical

    @property
    def _gutter(self) -> int:
        return 2 if self._markable else 0

    @property
    def _held(self) -> int:
        """Cells at the left that stay where they are when the rest is scrolled."""
        return self._gutter + sum(self._widths[: self._fixed]) + GAP * self._fixed if self._fixed else 0

    @property
    def top(self) -> int:
        """Lines above the rows."""
        return 1 if self._header else 0

    def _arrange(self) -> list[int]:
        return self._row_order.arranged(self._filter, self._sort)

    def _rearrange(self) -> None:
        self._order = self._arrange()
        self._fit()
        self.cursor_column = max(0, min(self.cursor_column, len(self._table.columns) - 1))
        self.cursor_row = max(0, min(self.cursor_row, len(self._order) - 1))
        self.refresh()
        if self._filter and self.is_mounted:
            self.post_message(self.Filtered(self))

    # -- drawing ---------------------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        self._fit()
        self.reveal()

    def render_line(self, y: int) -> Strip:
        (scroll_x, scroll_y), width = self.sight
        base = self.base_style
        position = y - self.top + scroll_y
        if y >= self.top and 0 <= position < len(self._order):
            return self.row_strip(position, width)
        if self._header and y == 0 and self._table.rows:
            strip = self._header_strip(base)
        else:
            if not self._order:
                first = self.top if self._table.rows else 0
                notes = ["no row matches the filter"] if self._table.rows else self.empty.split("\n")
                note = notes[y - first] if first <= y < first + len(notes) else ""
                strip = Strip([Segment(note, base + self.part_style("note"))])
            else:
                strip = Strip([])
        strip = table_layout.scrolled(strip, self._held, scroll_x, width).adjust_cell_length(width, base)
        if self._header and y == 0 and self._table.rows:
            hidden = self.virtual_size.width - scroll_x > width
            strip = table_layout.with_arrows(
                strip, self._held if scroll_x else 0, hidden, base + self.part_style("mark")
            )
        return strip.apply_style(Style.null())

    def draw_row(self, position: int, width: int) -> Strip:
        strip = table_layout.scrolled(self._row_strip(position, self.base_style), self._held, self.sight[0].x, width)
        return strip.adjust_cell_length(width, self.base_style).apply_style(Style.null()).simplify()

    def _header_strip(self, base: Style) -> Strip:
        style = base + self.part_style("header")
        segments = [Segment(" " * self._gutter, base)]
        cut = table_layout.cut_columns(self._table, self._widths, self._gutter, self._held, self.sight)
        for i, column in enumerate(self._table.columns):
            sign = ""
            if self._sort is not None and self._sort[0] == i:
                sign = glyphs.DESCENDING if self._sort[1] else glyphs.ASCENDING
            name, gap = table_layout.heading(column, self._widths[i], sign)
            current = self._cells and self.has_focus and i == self.cursor_column
            name = " " * self._widths[i] if i in cut else name
            segments.append(Segment(name, style + Style(underline=True) if current else style))
            segments.append(Segment(gap, style if sign else base))
        return Strip(segments)

    def _row_strip(self, position: int, base: Style) -> Strip:
        row = self._order[position]
        current = position == self.cursor_row
        line_style, whole = base, current and self.has_focus and not self._cells
        if current:
            line_style = base + self.part_style("cell-cursor" if whole else "cursor" if self.has_focus else "idle")
        segments: list[Segment] = []
        if self._markable:
            marked = row in self.marks
            sign = f"{glyphs.MARKED if marked else ' ' if row in self.disabled_rows else self._unmarked} "
            segments.append(Segment(sign, line_style if whole else line_style + self.part_style("mark")))
        disabled = row in self.disabled_rows
        ((x, _), width), left = self.sight, self._gutter
        low, high = x + self._held if x else 0, x + width
        for i, column in enumerate(self._table.columns):
            cells = self._table.rows[row]
            cell = cells[i] if i < len(cells) else Cell("")
            style = line_style
            tone = "dim" if disabled else cell.tone
            on_cell = current and self.has_focus and (not self._cells or i == self.cursor_column)
            if on_cell:
                style = base + self.part_style("cell-cursor")
            elif tone:
                style = line_style + self.part_style(tone)
            text = text_of(cell, column)
            segments.append(Segment(in_sight(text, column, self._widths[i], low - left, high - left), style))
            segments.append(Segment(" " * GAP, line_style))
            left += self._widths[i] + GAP
        strip = Strip(segments)
        return strip.adjust_cell_length(max(strip.cell_length, width), line_style)

    # -- moving ----------------------------------------------------------------------------------------------------

    def watch_cursor_row(self, before: int, after: int) -> None:
        if self.row is not None and self.is_mounted:
            if self.moved is not None:
                self.moved(self.row)
            self.post_message(self.Highlighted(self, self.row))

    def action_column(self, by: int) -> None:
        if not self._cells or not self._widths:
            return
        self.cursor_column = max(0, min(self.cursor_column + by, len(self._widths) - 1))
        left = self._gutter + sum(self._widths[: self.cursor_column]) + GAP * self.cursor_column
        right = left + self._widths[self.cursor_column]
        right += GAP if self.cursor_column < len(self._widths) - 1 else 0  # the arrow's place
        x, width = self.scroll_offset.x, self.scrollable_content_region.width
        if left - self._held < x or self.cursor_column == 0:
            self.scroll_to(x=max(0, left - self._held), animate=False, force=True)
        elif right > x + width:
            self.scroll_to(x=right - width, animate=False, force=True)
        self.refocused()

    def refocused(self) -> None:
        if self._header:  # it names the cursor's column
            self.refresh(Region(0, 0, self.size.width, 1))
        super().refocused()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "sort":
            return self._sortable
        if action == "columns":
            return self._sortable and self._header and self._cells and not self._fixed
        return self._markable if action == "mark" else True

    def on_key(self, event: events.Key) -> None:
        """Enter belongs to the row; handled here so that a screen's own binding can name it in the key line."""
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self.choose()

    def choose(self) -> None:
        """What Enter does."""
        row = self.row
        if row is not None and row not in self.disabled_rows:
            self.post_message(self.Chosen(self, row, self.line_at_cursor()))

    def line_at_cursor(self) -> int | None:
        """The log line behind the cursor's cell, or behind the first cell of its row that has one."""
        if self.row is None:
            return None
        cells = self._table.rows[self.row]
        chosen = cells[self.cursor_column].line if self._cells and self.cursor_column < len(cells) else None
        return chosen if chosen is not None else next((c.line for c in cells if c.line is not None), None)

    def action_mark(self) -> None:
        row = self.row
        if not self._markable or row is None or row in self.disabled_rows:
            return
        self.marks ^= {row}
        self.refresh_row(self.cursor_row)
        self.post_message(self.Marked(self))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        if self._header and offset.y == 0:
            column = self._column_at(offset.x)
            if self._sortable and column is not None:
                self.cursor_column = column
                self.sort_by(column)
            return
        position = offset.y - self.top + self.scroll_offset.y
        if position >= len(self._order):
            return
        column = self._column_at(offset.x)
        again = position == self.cursor_row
        if column is not None:
            self.cursor_column = column
        self.go(position)
        if self._markable and offset.x < self._gutter:
            self.action_mark()
        elif again or event.chain > 1:
            self.choose()

    def _column_at(self, x: int) -> int | None:
        x += self.scroll_offset.x if x >= self._held else 0
        return table_layout.column_at(self._widths, x - self._gutter)
