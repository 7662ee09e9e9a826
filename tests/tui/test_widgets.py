"""The table and the log pane: what the keys do, what is drawn, and that length costs nothing."""

from __future__ import annotations

import time

from textual.app import App, ComposeResult
from textual.widget import Widget

from ethosu_tui.analysis.lines import Line
from ethosu_tui.analysis.splitter import LineSplitter
from ethosu_tui.analysis.tables import Cell, Column, Table
from ethosu_tui.tui.widgets.bars import Bar, Bars, Part
from ethosu_tui.tui.widgets.checklist import Checklist
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.log_pane import LogPane
from ethosu_tui.tui.widgets.stage_bar import StageBar

FRUIT = Table(
    "Fruit",
    (Column("Name"), Column("Weight", "right")),
    (
        (Cell("pear", "pear", 3), Cell("120", 120, 4)),
        (Cell("apple", "apple"), Cell("9", 9, 7, "best")),
        (Cell("melon", "melon"), Cell("-", None, tone="dim")),
    ),
)


class Host(App[None]):
    """One widget and what it said."""

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self._widget = widget
        self.chosen: list[tuple[int, int | None]] = []

    def compose(self) -> ComposeResult:
        yield self._widget

    def on_mount(self) -> None:
        self._widget.focus()

    def on_data_table_chosen(self, event: DataTable.Chosen) -> None:
        self.chosen.append((event.row, event.line))


def drawn(widget: DataTable | LogPane, lines: int = 5) -> list[str]:
    return [widget.render_line(y).text.rstrip() for y in range(lines)]


async def test_enter_gives_the_line_of_the_cell_or_else_of_its_row() -> None:
    app = Host(DataTable(FRUIT))
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.press("enter", "right", "enter", "left", "down", "enter", "down", "enter")
        assert app.chosen == [(0, 3), (0, 4), (1, 7), (2, None)]


async def test_sorting_goes_by_value_with_absent_ones_last_both_ways() -> None:
    table = DataTable(FRUIT)
    async with Host(table).run_test(size=(60, 10)) as pilot:
        await pilot.press("right", "s")
        assert [line.split()[0] for line in drawn(table)[1:4]] == ["apple", "pear", "melon"]
        await pilot.press("s")
        assert [line.split()[0] for line in drawn(table)[1:4]] == ["pear", "apple", "melon"]
        await pilot.press("s")
        assert [line.split()[0] for line in drawn(table)[1:4]] == ["pear", "apple", "melon"]
        assert table.row == 0, "the cursor stays on its row"


async def test_a_table_that_is_sorted_from_its_top_shows_its_top() -> None:
    table = DataTable(FRUIT)
    async with Host(table).run_test(size=(60, 10)) as pilot:
        await pilot.press("right", "s")
        assert table.cursor_row == 0 and table.row == 1
        await pilot.press("down", "s")
        assert table.row == 0, "below the top the cursor stays with its row"


async def test_filter_marks_and_best_sign() -> None:
    table = DataTable(FRUIT, markable=True)
    async with Host(table).run_test(size=(60, 10)) as pilot:
        assert drawn(table)[2].endswith("9 *"), "the best value has a sign, not only a colour"
        await pilot.press("down", "space")
        assert table.marks == {1}
        table.apply_filter("PEA")
        assert table.row_count == 1 and table.row == 0
        table.apply_filter("nothing of this")
        assert "no row matches" in drawn(table)[0] + drawn(table)[1]
        table.apply_filter("")
        assert table.row_count == 3


async def test_a_hundred_thousand_rows_are_shown_sorted_and_filtered_at_once() -> None:
    rows = tuple(
        (Cell(f"operator {i}", f"operator {i}"), Cell(str(i * 7919 % 100_003), i * 7919 % 100_003))
        for i in range(100_000)
    )
    table = DataTable(Table("", (Column("Name"), Column("Cycles", "right")), rows))
    async with Host(table).run_test(size=(80, 24)) as pilot:
        began = time.process_time()
        await pilot.press("end")
        table.cursor_column = 1
        table.sort_by(1)
        table.apply_filter("77")
        assert time.process_time() - began < 30, "what grows with the square of the rows takes minutes"
        assert 0 < table.row_count < 100_000


async def test_a_first_column_stays_when_the_rest_scrolls() -> None:
    columns = (Column("Metric"), *(Column(f"a rather long side {i}", "right") for i in range(6)))
    table = DataTable(Table("", columns, ((Cell("cycles"), *(Cell(str(i), i) for i in range(6))),)), fixed=1)
    async with Host(table).run_test(size=(60, 10)) as pilot:
        await pilot.press(*["right"] * 6)
        assert drawn(table)[1].startswith("cycles") and drawn(table)[1].endswith("5")
        await pilot.press(*["left"] * 6)
        assert "side 0" in drawn(table)[0]


async def test_a_refused_choice_is_dropped_and_cannot_be_made() -> None:
    names = Checklist("Modes", ("Sram_Only", "Dedicated_Sram"), chosen=("Dedicated_Sram",), id="modes")
    async with Host(names).run_test(size=(60, 10)) as pilot:
        names.refuse({"Dedicated_Sram": "needs DRAM"})
        assert names.chosen == ()
        await pilot.press("down", "space")
        assert names.chosen == () and names.reason() == "needs DRAM"
        await pilot.press("a")
        assert names.chosen == ("Sram_Only",)


def log(text: bytes) -> list[Line]:
    splitter = LineSplitter()
    return splitter.feed(text) + splitter.finish()


async def test_a_log_line_is_text_whatever_it_contains() -> None:
    pane = LogPane()
    async with Host(pane).run_test(size=(60, 6)):
        pane.load(log(b"[bold red]markup[/] $error \x1b[31mred\x1b[0m \x07bell\n[/nonsense]\n"))
        shown = drawn(pane, 2)
        assert "[bold red]markup[/] $error red bell" in shown[0]
        assert "[/nonsense]" in shown[1] and "\x1b" not in "".join(shown)


async def test_a_live_log_stays_bounded_and_follows_until_the_cursor_moves() -> None:
    pane = LogPane(follow=True, max_lines=1000)
    async with Host(pane).run_test(size=(60, 6)) as pilot:
        lines = log(b"".join(b"line %d\n" % i for i in range(1, 5001)))
        for start in range(0, 5000, 100):
            pane.append(lines[start : start + 100])
        await pilot.pause()
        assert pane.row_count <= 1600 and pane.dropped == 5000 - pane.row_count
        assert pane.current is not None and pane.current.number == 5000
        await pilot.press("up", "up")
        pane.append(log(b"more\n"))
        assert pane.current.number == 4998, "the cursor stays where it was put"
        assert pane.goto(4800) and pane.current.number == 4800
        assert not pane.goto(1), "a line that was dropped is not there"


async def test_search_filter_and_next_error() -> None:
    pane = LogPane()
    async with Host(pane).run_test(size=(80, 6)) as pilot:
        pane.load(log(b"I [executorch:a.cpp:1] one\nE [executorch:a.cpp:2] two\nI [executorch:a.cpp:3] two more\n"))
        pane.search("two")
        assert pane.current is not None and pane.current.number == 2
        await pilot.press("n")
        assert pane.current.number == 3
        assert pane.next_where(()) and pane.current.number == 2
        pane.apply_filter("more")
        assert pane.row_count == 1
        assert pane.goto(1) and pane.row_count == 3, "a jump to a hidden line drops the filter"


async def test_bars_and_stages_say_in_signs_what_they_say_in_colour() -> None:
    bars = Bars([Bar("method", (Part("planned", 30), Part("input", 10)), 80, "40 of 80", legend=True)])
    async with Host(bars).run_test(size=(60, 6)):
        first, legend = str(bars.render()).split("\n")
        assert first.count("█") > first.count("▓") > 0 and "·" in first and first.endswith("40 of 80")
        assert "planned" in legend and "input" in legend
    stages = StageBar(("start", "load", "execute"))
    async with Host(stages).run_test(size=(60, 3)):
        stages.stage = "load"
        assert str(stages.render()) == "● start ─ ◐ load ─ ○ execute"
        stages.state = "broken"
        assert "✗ load" in str(stages.render())
