"""A note stands under its table: directly where the table is short, below its last row in sight where it is long."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.app import App, ComposeResult

from ethosu_tui.analysis.tables import Cell, Column, Table
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.noted import Noted
from ethosu_tui.tui.widgets.said import Said

from .conftest import MakeApp
from .test_report_tabs import MV2, report_of


def _table(rows: int) -> Table:
    return Table("", (Column("Value"),), tuple((Cell(str(row)),) for row in range(rows)))


class _Page(App[None]):
    def compose(self) -> ComposeResult:
        with Noted():
            yield DataTable(_table(3), classes="pane")
            yield Said("what it means", id="note")


async def test_a_note_follows_its_table_as_it_grows_and_shrinks() -> None:
    app = _Page()
    async with app.run_test(size=(60, 20)) as pilot:
        table, note = app.query_one(DataTable), app.query_one("#note", Said)
        await pilot.pause()
        assert table.region.bottom == note.region.y
        short = note.region.y
        assert short < 8
        table.table = _table(100)
        await pilot.pause()
        assert (note.region.bottom, table.region.bottom) == (20, note.region.y)
        table.table = _table(3)
        await pilot.pause()
        assert note.region.y == short


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_notes_of_a_report_stand_under_their_tables(
    make_app: MakeApp, samples: Path, size: tuple[int, int]
) -> None:
    async with make_app(samples / MV2).run_test(size=size) as pilot:
        report = await report_of(pilot)
        await pilot.press("2")
        await pilot.pause()
        for table, note in (("#in-bytes DataTable", "#memory-note"), ("#board", "#board-note")):
            above, below = report.query_one(table, DataTable), report.query_one(note, Said)
            assert above.region.bottom == below.region.y
        assert report.query_one("#board-note").region.bottom < size[1] - 2, "two boards need no more"


async def test_where_no_board_is_known_all_of_the_memory_has_room(make_app: MakeApp, samples: Path) -> None:
    async with make_app(samples / "mnist_q.log").run_test(size=(80, 24)) as pilot:
        report = await report_of(pilot)
        await pilot.press("2")
        await pilot.pause()
        assert report.query_one("#in-bytes DataTable", DataTable).max_scroll_y == 0


@pytest.mark.parametrize("size", [(60, 16), (60, 20)])
async def test_the_last_row_is_seen_where_there_is_room_for_a_few(
    make_app: MakeApp, samples: Path, size: tuple[int, int]
) -> None:
    async with make_app(samples / MV2).run_test(size=size) as pilot:
        report = await report_of(pilot)
        await pilot.press("2", "G")
        await pilot.pause()
        table, held = report.query_one("#in-bytes DataTable", DataTable), report.query_one("#in-bytes")
        assert table.row == table.row_count - 1 > 6
        assert table.region.bottom <= held.region.bottom
        assert table.max_scroll_y == table.scroll_y
