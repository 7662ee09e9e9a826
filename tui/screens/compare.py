"""Compare: runs or compiles side by side: how they differ, their figures in groups, their operators, and the Pareto front."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Resize
from textual.widget import Widget

from ...analysis.comparing.comparison import Metric, compare
from ...analysis.comparing.details import details, operator_details
from ...analysis.comparing.names import LONG, labels_of, short_labels
from ...analysis.comparing.sides import Side
from ...analysis.comparing.tables import Sheet, sheet
from ...analysis.lines import clean
from ...analysis.meaning.figure_names import short_name
from ...runners.reading.compared import default_baseline
from .. import glyphs, messages
from ..comparisons import bars_of, headed, in_sight, operator_bars
from ..keys_in_force import key_of
from ..state import twin
from ..widgets.bars import Bar, Bars
from ..widgets.compare_table import GroupedTable, SideTable, fits_beside
from ..widgets.data_table import DataTable
from ..widgets.detail import Detail
from ..widgets.pareto_pane import ParetoPane
from ..widgets.table_layout import align
from .page import Page

if TYPE_CHECKING:
    from ...analysis.comparing.operators import OperatorDiff
    from ...analysis.comparing.tables import Form
    from ...analysis.design.answers import Answers
    from ...analysis.export.document import Document
    from ..exports import Subject

FORMS: tuple[Form, ...] = ("absolute", "ratio", "delta")
TALL, LOW = 33, 23
_MOST_LINES = 6
"""Of what is known of the setups and of failures, below what differs; all of it stands in an export."""
NAMES_WIDTH, MARKS_WIDTH = 24, 7
"""About what names of metrics, and the gap and the marks of a column, take beside the names of columns."""
LEAST_SETTING = 13
"""Texts of the setup are not cut to fewer characters."""
ROOMY, RATIO_WIDTH = 120, 8
"""From this width on, ratios stand behind absolute values where there is room for them."""
FORM_NAMES = {
    "both": "absolute (ratio to the baseline)",
    "absolute": "absolute",
    "ratio": "ratio to the baseline",
    "delta": "difference to the baseline",
}


class CompareScreen(Page):
    """The comparison of two or more inputs."""

    HEADING = "Compare"
    KEPT_KEYS = frozenset(("export",))
    ABOUT = (
        "Runs or compiles as columns: first how their setups differ, then the figures in groups. Left and right reach "
        f"columns beyond the edge. {glyphs.BASELINE} marks the baseline, * the best value of a row, n/c a value that cannot be compared, ~ one that the repeats do not separate from the "
        "baseline; the lines below the table give the reason and full names. {form} switches between absolute values, "
        "ratios and differences; {operators} shows the operators that changed most."
    )
    CSS_PATH = "compare.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "baseline", "Baseline", tooltip="Make the column under the cursor the baseline"),
        Binding("t", "form", "Ratio", tooltip="Absolute values, ratios to the baseline, or differences to it"),
        Binding(
            "equals_sign,a",
            "differences",
            "Differ",
            key_display="=",
            tooltip="Hide or show rows without a difference",
        ),
        Binding("o", "operators", "Operators", tooltip="Operators that changed most, or the figures"),
        Binding("p", "plot", "Plot", tooltip="Estimated time against SRAM of the compiles, or the bars"),
        Binding("enter", "report", "Report", key_display="↵", tooltip="Open the report of the column under the cursor"),
        Binding("escape,backspace", "back", "Back", key_display="esc"),
    ]

    def __init__(self, sides: Sequence[Side]) -> None:
        super().__init__()
        self._sides = tuple(sides)
        self._baseline = default_baseline(self._sides)
        self._form: Form = "absolute"
        self._differences = False
        self._sheet: Sheet | None = None
        self._labels = self._short_labels(LONG)
        self._diffs: tuple[OperatorDiff, ...] | None = None
        self._diff: int | None = None
        """Which of the tables of operators is shown; None for the figures."""
        self._shown_operators: tuple[int, ...] = ()
        self._answers: Answers | None = None
        self._bars: tuple[Bar, ...] = ()
        self._titles: dict[str, str] = {}
        """Of each table, without which of its columns are in sight."""

    def body(self) -> Iterable[Widget]:
        yield Detail(id="setup")
        yield GroupedTable(id="figures", classes="pane", fixed=1, sortable=False, empty="no figures in any of them")
        operators = SideTable(id="operators", classes="pane", fixed=2, empty="no operator differs")
        operators.display = False
        yield operators
        yield Detail(id="why")
        yield Bars()
        plot = ParetoPane(id="plot")
        plot.display = False
        yield plot

    def on_mount(self) -> None:
        self._fill()
        table = self._table
        table.focus()
        table.cursor_column = 1
        rows = self._sheet.rows if self._sheet is not None else ()
        table.go(next((i for i, what in enumerate(rows) if isinstance(what, Metric)), 0))
        for one in self.query(DataTable):
            self.watch(one, "cursor_column", self._describe, init=False)
            self.watch(one, "scroll_x", self._entitle, init=False)
        self._describe()

    # -- what is shown ---------------------------------------------------------------------------------------------

    @property
    def _table(self) -> SideTable:
        """The table in sight."""
        return self.query_one("#figures" if self._diff is None else "#operators", SideTable)

    def _short_labels(self, long: int) -> list[str]:
        sides = self._sides
        return short_labels([clean(side.label) for side in sides], [clean(side.source) for side in sides], long=long)

    def _fill(self) -> None:
        self._comparison = compare(self._sides, self._baseline)
        labels = self._short_labels(LONG)
        columns = len(labels) + (0 if self._diff is None else 1)
        wide = NAMES_WIDTH + columns * (max(map(len, labels)) + MARKS_WIDTH)
        self._labels = labels if wide <= self.size.width else self._short_labels(0)
        names = headed(self._labels, self._baseline)
        form = self._form
        if form == "absolute" and self.size.width >= max(ROOMY, wide + len(labels) * RATIO_WIDTH):
            form = "both"
        room = (self.size.width - NAMES_WIDTH) // len(names) - MARKS_WIDTH

        def sheet_as(form: Form) -> Sheet:
            widest, only = max(LEAST_SETTING, room), self._differences
            return sheet(self._comparison, form, labels=names, name=short_name, differences=only, widest=widest)

        self._sheet = sheet_as(form)
        if form == "both" and not fits_beside(self._sheet.table, self.size.width - 3):
            form = "absolute"  # a column in sight says more than the ratios of another
            self._sheet = sheet_as(form)
        figures = self.query_one("#figures", GroupedTable)
        figures.table = self._sheet.table
        figures.go(figures.cursor_row)  # a heading may stand there now
        only = ", differences only" if self._differences else ""
        self._titles["figures"] = f"Side by side, {FORM_NAMES[form]}{only}"
        if self._diff is not None:
            self._fill_operators()
        setup, lines = self.query_one("#setup", Detail), self._setup_lines()
        setup.styles.height = len(lines)
        setup.say("\n".join(lines))
        self.set_trail(f"Compare {glyphs.JUMP} {len(self._sides)} columns", f"baseline: {self._labels[self._baseline]}")
        self._say_command()
        self._describe()
        self.call_after_refresh(self._entitle)  # the widths are known when it is laid out

    def _setup_lines(self) -> Sequence[str]:
        """How the setups differ, as far as there is room: with the values, or only in what."""
        others = self._comparison.lines()[1:] if self.size.height > TALL else ()
        return [clean(line) for line in (self._comparison.setups.brief(self.size.width - 2), *others[:_MOST_LINES])]

    def _fill_operators(self) -> None:
        from ...analysis.comparing.operator_tables import operators_table
        from ...analysis.comparing.operators import operator_diffs

        self._diffs = operator_diffs(self._sides, self._baseline)
        if not self._diffs:  # as where the new baseline has none
            self._show_figures()
            return
        self._diff = (self._diff or 0) % len(self._diffs)
        diff = self._diffs[self._diff]
        table = self.query_one("#operators", DataTable)
        only = self._differences
        shown = operators_table(diff, headed(self._labels, self._baseline), self._form, compact=True, differences=only)
        self._shown_operators = diff.differing() if only else tuple(range(len(diff.rows)))
        table.table = shown
        said = ", differences only" if only else ", what changed most first"
        self._titles["operators"] = f"{shown.title}; {FORM_NAMES[self._form]}{said}"

    def _entitle(self) -> None:
        """What the table in sight shows, and which columns of it: those beyond its edge are easily taken for all."""
        table = self._table
        seen, count, title = table.columns_in_sight, len(self._sides), self._titles.get(table.id or "", "")
        if 0 < len(seen) < count:
            which = f"{seen[0] + 1} to {seen[-1] + 1}" if len(seen) > 1 else f"{seen[0] + 1}"
            column = "Columns" if len(seen) > 1 else "Column"
            title = f"{column} {which} of {count}, right and left show the others; {title[:1].lower()}{title[1:]}"
        table.border_title = Content(title)

    def _say_command(self) -> None:
        base = self._sides[self._baseline]
        paths, seen = [], set()
        # a log with several runs or compiles is named once, and one that was named twice, twice
        for side in self._sides:
            key = (side.source, side.label)
            if key in seen or side.source not in paths:
                paths.append(side.source)
            seen.add(key)
        options = []
        if self._baseline:
            alone = sum(side.source == base.source for side in self._sides) == 1
            options += ["--baseline", base.source if alone else labels_of(self._sides)[self._baseline]]
        options += ["--differences"] if self._differences else []
        options += ["--operators"] if self._diff is not None else []
        self.command = twin("compare", paths, options)

    @on(DataTable.Highlighted)
    def _moved(self, event: DataTable.Highlighted) -> None:
        if event.table is self._table:
            self._describe()

    def on_resize(self, event: Resize) -> None:
        self.set_class(event.size.height < LOW, "-low")
        if self.is_mounted and self._sheet is not None:
            self._fill()

    def _describe(self) -> None:
        row, column = self._table.row, self._column()
        lines: tuple[str, ...] = ()
        self._bars = ()
        if self._diff is not None and self._diffs:
            diff = self._diffs[self._diff]
            one = diff.rows[self._shown_operators[row - 1]] if row else None  # the first row has the sums
            lines = operator_details(self._comparison, diff, one, column)
            self._bars = operator_bars(diff, one, self._labels) if one is not None else ()
        elif self._sheet is not None and row is not None:
            what = self._sheet.rows[row]
            lines = details(self._comparison, what, column)
            if isinstance(what, Metric):
                self._bars = bars_of(self._comparison, what, self._labels)
        why = self.query_one("#why", Detail)
        one_row_each = (align(clean(line), max(1, self.size.width - 2), "left").rstrip() for line in lines[:2])
        why.say("\n".join([*one_row_each, *(clean(line) for line in lines[2:])]))
        self._draw_bars(column)
        self._draw_plot(column)

    def _draw_bars(self, column: int | None) -> None:
        """So many bars as there is room for; the pane keeps its height, whatever the row."""
        room = max(3, (self.size.height - 8) // 3)
        seen = in_sight(len(self._sides), room, column)
        bars = self.query_one(Bars)
        partly = len(seen) < len(self._sides)
        bars.set_class(partly, "-partly")
        bars.styles.height = len(seen) + (1 if partly or self.size.height > TALL else 0)
        bars.border_title = f"{seen[0] + 1} to {seen[-1] + 1} of {len(self._sides)}" if partly else ""
        bars.bars = tuple(self._bars[i] for i in seen) if self._bars else ()

    def _draw_plot(self, column: int | None) -> None:
        plot = self.query_one(ParetoPane)
        if plot.display and self._answers is not None:
            plot.show(self._answers, column, self._labels)

    def _column(self) -> int | None:
        """The side of the column under the cursor."""
        column = self._table.cursor_column - (1 if self._diff is None else 2)
        return column if 0 <= column < len(self._sides) else None

    def export_subject(self) -> Subject:
        """The table as it is shown, and the whole comparison."""
        from ...analysis.comparing.document import comparison_document

        def report() -> Document:
            return comparison_document(self._comparison, self.command)

        subject = super().export_subject()._replace(report=report)
        if subject.table is None or self._diff is not None:
            return subject
        names = headed([clean(side.label) for side in self._sides], self._baseline)
        columns = [
            column._replace(name=name) if glyphs.ELLIPSIS in column.name else column
            for column, name in zip(subject.table.columns, ("", *names), strict=True)
        ]
        return subject._replace(table=subject.table._replace(columns=tuple(columns)))

    # -- keys ------------------------------------------------------------------------------------------------------

    def action_baseline(self) -> None:
        column = self._column()
        self._baseline = (self._baseline + 1) % len(self._sides) if column is None else column
        self._fill()

    def action_form(self) -> None:
        self._form = FORMS[(FORMS.index(self._form) + 1) % len(FORMS)]
        self._fill()

    def action_differences(self) -> None:
        self._differences = not self._differences
        self._fill()

    def action_operators(self) -> None:
        """The figures, then each table of operators in turn."""
        from ...analysis.comparing.operators import operator_diffs, why_none

        found = operator_diffs(self._sides, self._baseline)
        following = 0 if self._diff is None else self._diff + 1
        if not found:
            why = why_none(self._sides, self._baseline)
            self.notify(clean(why), title="No operators to compare", severity="warning", markup=False)
        elif following < len(found):
            column = self._column()
            self._diff = following
            self.query_one("#figures").display = False
            table = self.query_one("#operators", DataTable)
            table.display = True
            self._fill()
            table.cursor_column = (column if column is not None else 0) + 2
            table.go(1)  # below the sums
            table.focus()
            self._describe()
        else:
            self._show_figures()
            self._fill()

    def _show_figures(self) -> None:
        self._diff = None
        self.query_one("#operators").display = False
        figures = self.query_one("#figures")
        figures.display = True
        figures.focus()

    def action_plot(self) -> None:
        from ...analysis.comparing.design_answers import answers_of

        plot, bars = self.query_one(ParetoPane), self.query_one(Bars)
        self._answers = answers_of(self._sides)
        if self._answers is None:
            said = "It needs two compile results with an estimate of time and of SRAM."
            self.notify(said, title="Nothing to plot", severity="warning", markup=False)
            return
        plot.display, bars.display = not plot.display, plot.display
        self.set_class(plot.display, "-plotted")
        self._describe()

    @on(DataTable.Chosen)
    def action_report(self) -> None:
        column = self._column()
        if column is None:
            self.notify(
                f"Move to a column with left or right; {key_of(self, 'report')} opens its report.", markup=False
            )
        else:
            self.post_message(messages.OpenReport(self._sides[column].source))
