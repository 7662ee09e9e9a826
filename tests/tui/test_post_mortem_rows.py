"""What a post-mortem says of the row under the cursor, and what it keeps while rows go on coming."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.app import App

from ethosu_tui.analysis.tables import Cell, Column
from ethosu_tui.tui.exports import REPORT
from ethosu_tui.tui.screens.post_mortem import PostMortemScreen
from ethosu_tui.tui.screens.report import ReportScreen
from ethosu_tui.tui.screens.run_details import Reason, reasons_table, said_of_reason, with_to_do
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.detail import Detail
from ethosu_tui.tui.widgets.runs_table import RunsTable

from .conftest import READING_LIMIT, in_lab, notices, on_screen, read_whole, screen_text, until


async def test_exports_say_what_to_do_and_what_ran(lab: Path, tmp_path: Path, samples: Path) -> None:
    app = in_lab(lab, tmp_path, samples)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        screen.query_one("#causes", DataTable).focus()
        await pilot.pause()
        subject = screen.export_subject()
        assert subject.table is not None
        assert [column.name for column in subject.table.columns][-2:] == ["Rule", "What to do"]
        assert any("SELECT_OPS_LIST" in row[-1].text for row in subject.table.rows)
        whole = subject.report()
        titles = [section.title for section in whole.sections]
        assert titles == ["", "What to do", "Remarks on the inputs", "Run by run"]
        assert "What ran" in [table.title for table in whole.tables]
        assert next(iter(whole.tables)).title.endswith(f"in {screen.reading.logs_done} inputs")
        assert any("notes.txt" in line for line in whole.sections[2].lines)


async def test_what_stands_out_is_a_key_away_and_opens(tmp_path: Path, samples: Path) -> None:
    folder = tmp_path / "night"
    folder.mkdir()
    log = (samples / "mobilenet_v2_corstone320.log").read_text()
    for number in range(12):
        text = log if number != 7 else log.replace("5920305", "7920305")
        (folder / f"{number:02}.log").write_text(text)
    app = in_lab(folder, tmp_path, samples)
    async with app.run_test(size=(120, 40)) as pilot:
        await read_whole(pilot, PostMortemScreen)
        await pilot.press("t")
        await on_screen(pilot, "TrendsScreen")
        (row,) = app.screen.query_one("#outliers", DataTable).table.rows
        assert str(row[0].value).endswith("07.log")
        await until(pilot, lambda: app.screen.query_one("#outliers").has_focus)
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen", READING_LIMIT)
        assert isinstance(app.screen, ReportScreen) and app.screen.view.label == "07"


async def test_names_of_logs_keep_their_end(tmp_path: Path, samples: Path) -> None:
    folder = tmp_path / "lab"
    for number in range(9):
        place = folder / "a_board_with_a_long_name" / f"2026-01-0{number + 1}"
        place.mkdir(parents=True)
        (place / f"softmax_{number}.log").write_bytes((samples / "softmax.log").read_bytes())
    app = in_lab(folder, tmp_path, samples)
    async with app.run_test(size=(80, 24)) as pilot:
        await read_whole(pilot, PostMortemScreen)
        assert all(f"softmax_{number}.log" in screen_text(app) for number in range(9))


async def test_names_and_reasons_have_room_before_what_can_be_scrolled(tmp_path: Path, samples: Path) -> None:
    folder = tmp_path / "lab"
    for number in range(9):
        place = folder / f"2026-01-0{number + 1}" / "board"
        place.mkdir(parents=True)
        (place / "nightly_regression.log").write_bytes((samples / "method_small_planned.log").read_bytes())
    app = in_lab(folder, tmp_path, samples)
    async with app.run_test(size=(100, 24)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        shown = screen.query_one(RunsTable).render_line(1).text
        assert "2026-01-01/board/nightly_regression.log" in shown and "The method pool is too small" in shown
        assert "Run" not in [column.name for column in screen.query_one(RunsTable).table.columns], "each has one"


async def test_short_names_leave_their_room_to_reasons(tmp_path: Path, samples: Path) -> None:
    folder = tmp_path / "lab"
    folder.mkdir()
    for number in range(9):
        (folder / f"{number}.log").write_bytes((samples / "method_small_planned.log").read_bytes())
        (folder / f"{number}_u85.log").write_bytes((samples / "mobilenet_v2_corstone320.log").read_bytes())
    app = in_lab(folder, tmp_path, samples)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        shown = screen.query_one(RunsTable).render_line(1).text
        assert "The method pool is" in shown, "the names need 9 columns"


async def test_the_trends_screen_begins_with_what_changed(tmp_path: Path, samples: Path) -> None:
    folder = tmp_path / "night"
    folder.mkdir()
    for number in range(9):
        (folder / f"{number:02}.log").write_bytes((samples / "mobilenet_v2_corstone320.log").read_bytes())
    app = in_lab(folder, tmp_path, samples)
    async with app.run_test(size=(80, 24)) as pilot:
        await read_whole(pilot, PostMortemScreen)
        await pilot.press("t")
        await on_screen(pilot, "TrendsScreen")
        assert [table.id for table in app.screen.query(DataTable)] == ["trends", "outliers", "kinds"]


async def test_a_run_that_failed_for_no_known_reason_is_found_too(lab: Path, tmp_path: Path, samples: Path) -> None:
    app = in_lab(lab, tmp_path, samples)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        runs, rows = screen.query_one(RunsTable), screen.reading.rows
        passed = next(row for row in rows if row.status == "passed")
        rows.add([passed._replace(status="failed", stage="execute"), passed])
        runs.grow(final=True)
        runs.go(rows.count - 1)
        assert runs.next_failure(-1) and runs.row == rows.count - 2


async def test_a_long_path_leaves_room_for_what_to_do(lab: Path, tmp_path: Path, samples: Path) -> None:
    deep = lab / ("a_folder_of_a_night_" * 5) / ("b" * 60)
    deep.mkdir(parents=True)
    (deep / "softmax.log").write_bytes((samples / "missing_op_softmax.log").read_bytes())
    app = in_lab(lab, tmp_path, samples)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        runs, told = screen.query_one(RunsTable), screen.query_one("#told", Detail)
        runs.select_row(next(at for at, row in enumerate(screen.reading.rows) if "bbb" in row.source))
        await until(pilot, lambda: "softmax.log, run 1" in told.content.plain)
        drawn = [told.render_line(y).text for y in range(told.size.height)]
        assert "softmax.log, run 1, line 20: The runner" in drawn[0] and drawn[-1].startswith("Do: ")
        await pilot.press("d")
        await on_screen(pilot, "RowScreen")
        table = app.screen.query_one(DataTable)
        assert table.parent is not None and table.region.bottom < table.parent.region.bottom, "what is below scrolls"
        assert table.virtual_size.height > table.size.height


async def test_a_reason_of_many_words_leaves_room_for_what_to_do() -> None:
    told = said_of_reason(Reason(None, "words " * 200, 3, Cell("-"), advice=("type this",)))
    pane = Detail(shared=True)
    app = App[None]()
    async with app.run_test(size=(60, 10)) as pilot:
        await app.mount(pane)
        for height in (2, 3, 1):
            pane.styles.height = height
            await pilot.pause()
            pane.say(told)
            drawn = [pane.render_line(y).text for y in range(height)]
            assert ("Do: type this" in drawn[-1]) == (height > 1) and "words" in drawn[0]


async def test_the_key_for_failed_runs_speaks_of_those_that_are_shown(lab: Path, tmp_path: Path, samples: Path) -> None:
    app = in_lab(lab, tmp_path, samples)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        runs = screen.query_one(RunsTable)
        await pilot.press("slash", *"bundleio", "enter")
        await until(pilot, lambda: runs.has_focus and 0 < runs.row_count < 3)
        await pilot.press("e")
        await until(pilot, lambda: any("Every run that is shown passed" in note for note in notices(app)))


async def test_an_export_is_offered_before_the_report_is_made(lab: Path, tmp_path: Path, samples: Path) -> None:
    app = in_lab(lab, tmp_path, samples)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        subject = screen.export_subject()
        made = subject._replace(report=lambda: pytest.fail("a report of 300,000 runs takes seconds"))
        assert made.offers() == subject.offers() and any(offer.what == REPORT for offer in made.offers())


def test_what_to_do_stays_with_its_reason_where_two_are_called_the_same() -> None:
    reasons = [
        Reason("a-rule", "it broke", 2, Cell("a.log", "a.log"), advice=("mend the run",)),
        Reason(None, "it broke", 1, Cell("b.log", "b.log"), advice=("mend the build",)),
    ]
    rows = with_to_do(reasons_table(reasons, None, Column("First in")), reasons).rows
    assert [row[-1].text for row in rows] == ["mend the run", "mend the build"]
