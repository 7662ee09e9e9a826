"""A folder or archive of logs in the dashboard: every run with its log, reasons over all of them, and every way it can end."""

from __future__ import annotations

import os
import signal
import zipfile
from pathlib import Path

import pytest
from textual.widgets import Input

from ethosu_tui.runners.reading.background import HUGE_BYTES
from ethosu_tui.runners.reading.inputs import load
from ethosu_tui.tui import messages
from ethosu_tui.tui.app import build_app
from ethosu_tui.tui.beside import MOST_COLUMNS, overview_of
from ethosu_tui.tui.screens import post_mortem
from ethosu_tui.tui.screens.compare import CompareScreen
from ethosu_tui.tui.screens.post_mortem import PostMortemScreen
from ethosu_tui.tui.screens.report import ReportScreen
from ethosu_tui.tui.screens.runs_overview import STATUSES
from ethosu_tui.tui.state import Start
from ethosu_tui.tui.widgets.chrome import CommandLine, TitleBar
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.detail import Detail
from ethosu_tui.tui.widgets.runs_table import RunsTable

from .conftest import (
    READING_LIMIT,
    MakeApp,
    in_lab,
    no_tools,
    notices,
    on_screen,
    read_whole,
    screen_text,
    text_of,
    until,
)


async def test_every_run_of_a_folder_is_listed_with_its_log_and_status(
    lab: Path, tmp_path: Path, samples: Path
) -> None:
    app = in_lab(lab, tmp_path, samples)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        table = screen.query_one(RunsTable)
        shown = {(row[0].value, row[1].value): row[2].value for row in table.table.rows}
        wanted = {}
        for log in [*lab.glob("*.log"), lab / "board2" / "two_runs.log"]:
            capture = load(str(log)).capture
            assert capture is not None
            wanted |= {(str(log.relative_to(lab)), run.index): run.status for run in capture.runs}
        assert shown == wanted and len({status for status in shown.values()}) > 2
        assert "read" in screen.query_one(TitleBar).status
        assert screen.query_one(CommandLine).command == f"ethosu-tui analyze {lab}", "and not a list of all its files"
        assert "1 not read" in text_of(app, "#state")
        told = text_of(app, "#state").splitlines()[1].split()
        assert [word for word in told if word in STATUSES] == [one for one in STATUSES if one in told]


async def test_reasons_go_over_all_logs_with_failed_compiles_and_what_is_no_log(
    lab: Path, tmp_path: Path, samples: Path
) -> None:
    app = in_lab(lab, tmp_path, samples)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        causes, runs = screen.query_one("#causes", DataTable), screen.query_one(RunsTable)
        rows = {str(row[0].value): row for row in causes.table.rows}
        missing = next(row for title, row in rows.items() if "no kernel" in title)
        assert missing[1].value == sum(1 for row in runs.table.rows if "no kernel" in str(row[4].value)) > 1
        compile_row = next(number for number, title in enumerate(rows) if "out variant" in title)
        assert causes.table.rows[compile_row][2].value == os.path.join("board2", "compile.log")
        assert any("notes.txt" in title and str(lab) not in title for title in rows), "what was not read says why"
        chosen = next(number for number, title in enumerate(rows) if "no kernel" in title)
        screen._cause_chosen(DataTable.Chosen(causes, chosen, None))
        assert runs.row_count == missing[1].value and runs.sifted
        screen._cause_chosen(DataTable.Chosen(causes, chosen, None))
        assert not runs.sifted
        screen._cause_chosen(DataTable.Chosen(causes, compile_row, None))
        await on_screen(pilot, "ReportScreen", READING_LIMIT)
        assert isinstance(app.screen, ReportScreen) and app.screen.view.label == "compile"


async def test_enter_opens_the_log_at_that_run_and_comes_back(lab: Path, tmp_path: Path, samples: Path) -> None:
    app = in_lab(lab, tmp_path, samples)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        await pilot.press("slash", *"two_runs", "enter")
        runs = screen.query_one(RunsTable)
        await until(pilot, lambda: runs.has_focus and runs.row_count == 2)
        await pilot.press("down", "enter")
        await on_screen(pilot, "ReportScreen", READING_LIMIT)
        report = app.screen
        assert isinstance(report, ReportScreen)
        assert report.view.run is not None and report.view.run.index == 2 and report.view.status == "failed"
        await pilot.press("escape")
        await on_screen(pilot, "PostMortemScreen")
        assert runs.row_count == 2 and runs.row is not None


async def test_what_is_shown_can_be_compared(lab: Path, tmp_path: Path, samples: Path) -> None:
    app = in_lab(lab, tmp_path, samples)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        runs = screen.query_one(RunsTable)
        await pilot.press("slash", *"two_runs", "enter")
        await until(pilot, lambda: runs.has_focus and runs.row_count == 2)
        await pilot.press("v")
        await until(pilot, lambda: any("One log is shown" in note for note in notices(app)))
        await pilot.press("slash", "escape")
        await pilot.press("slash", *"mnist", "enter")
        await until(pilot, lambda: runs.has_focus and 0 < runs.row_count < 10)
        logs = runs.logs
        await pilot.press("v")
        await on_screen(pilot, "CompareScreen", READING_LIMIT)
        assert isinstance(app.screen, CompareScreen)
        assert [side.source for side in app.screen._sides] == logs


async def test_few_logs_are_compared_as_before(make_app: MakeApp, samples: Path) -> None:
    logs = sorted(path for path in samples.glob("*.log") if "mnist" in path.name or "mobilenet" in path.name)
    assert 1 < len(logs) <= MOST_COLUMNS
    app = make_app(*logs)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "CompareScreen", READING_LIMIT)


async def test_a_folder_that_is_opened_from_home(lab: Path, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        app.post_message(messages.OpenReport(str(lab)))
        screen = await read_whole(pilot, PostMortemScreen)
        assert "lab" in screen.query_one(TitleBar).trail
        await pilot.press("escape")
        await on_screen(pilot, "HomeScreen")
        (lab.parent / "empty").mkdir()
        app.post_message(messages.OpenReport(str(lab.parent / "empty")))
        await until(pilot, lambda: any("holds no logs" in note for note in notices(app)))


@pytest.mark.parametrize("count", [1, 12])
async def test_an_archive_is_a_post_mortem_and_one_of_one_log_its_report(
    count: int, make_app: MakeApp, tmp_path: Path, samples: Path
) -> None:
    logs = sorted(samples.glob("*.log"))[:count]
    archive = tmp_path / "lab.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for log in logs:
            packed.write(log, f"board/{log.name}")
    app = make_app(archive)
    async with app.run_test(size=(100, 30)) as pilot:
        if count == 1:
            await on_screen(pilot, "ReportScreen", READING_LIMIT)
            return
        screen = await read_whole(pilot, PostMortemScreen)
        runs = screen.query_one(RunsTable)
        assert {row[0].value for row in runs.table.rows} == {f"board/{log.name}" for log in logs}
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen", READING_LIMIT)


def _without_end(log: Path) -> None:
    """A file that no machine reads while a test looks, nearly all of it a hole that takes no room."""
    log.touch()
    os.truncate(log, 1 << 40)


async def test_a_reader_that_is_killed_is_told_and_what_it_read_stays(lab: Path, tmp_path: Path, samples: Path) -> None:
    _without_end(lab / "zz.log")
    app = in_lab(lab, tmp_path, samples)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "PostMortemScreen", READING_LIMIT)
        screen = app.screen
        assert isinstance(screen, PostMortemScreen)
        await until(pilot, lambda: screen.reading.rows.count > 0, READING_LIMIT)
        os.kill(screen.reading.pid, signal.SIGKILL)
        await until(pilot, lambda: any("signal 9" in note for note in notices(app)), READING_LIMIT)
        assert screen.query_one(RunsTable).row_count > 0 and "incomplete" in screen.query_one(TitleBar).status


async def test_what_was_left_is_there_again_as_it_was(lab: Path, tmp_path: Path, samples: Path) -> None:
    app = in_lab(lab, tmp_path, samples)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        await pilot.press("down", "down", "escape")
        await on_screen(pilot, "HomeScreen")
        await pilot.press("o")
        await on_screen(pilot, "AskScreen")
        await pilot.press("enter")
        await on_screen(pilot, "PostMortemScreen", READING_LIMIT)
        assert app.screen is screen and screen.query_one(RunsTable).row == 2
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen", READING_LIMIT)
        await pilot.press("g", "h")
        await on_screen(pilot, "HomeScreen")
        (lab / "board2" / "two_runs.log").write_bytes((samples / "mnist_q.log").read_bytes())
        app.post_message(messages.OpenReport(str(lab)))
        await until(pilot, lambda: isinstance(app.screen, PostMortemScreen), READING_LIMIT)
        assert app.screen is not screen, "a log has changed since"
        again = await read_whole(pilot, PostMortemScreen)
        await pilot.press("escape")
        await until(pilot, lambda: not screen.is_running, READING_LIMIT)
        assert again.is_running, "one is kept, and no more"


async def test_several_paths_that_were_left_are_suggested_again(tmp_path: Path, samples: Path) -> None:
    folders = [tmp_path / "board 1", tmp_path / "board2"]
    for folder in folders:
        folder.mkdir()
        for number in range(5):
            (folder / f"{number}.log").write_bytes((samples / "softmax.log").read_bytes())
    paths = tuple(str(path) for folder in folders for path in sorted(folder.iterdir()))
    start = Start(paths, asked=tuple(map(str, folders)))
    app = build_app(start, root=tmp_path / "runs", samples=samples, tools=no_tools)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        await pilot.press("down", "escape")
        await on_screen(pilot, "HomeScreen")
        await pilot.press("o")
        await on_screen(pilot, "AskScreen")
        assert app.screen.query_one(Input).value == f"'{folders[0]}' {folders[1]}"
        await pilot.press("enter")
        await on_screen(pilot, "PostMortemScreen", READING_LIMIT)
        assert app.screen is screen and screen.query_one(RunsTable).row == 1


async def test_reading_goes_on_when_it_is_left_and_ends_with_the_dashboard(
    lab: Path, tmp_path: Path, samples: Path
) -> None:
    _without_end(lab / "zz.log")
    app = in_lab(lab, tmp_path, samples)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "PostMortemScreen", READING_LIMIT)
        screen = app.screen
        assert isinstance(screen, PostMortemScreen)
        await pilot.press("escape")
        await on_screen(pilot, "HomeScreen")
        await pilot.pause(0.5)
        os.kill(screen.reading.pid, 0)
        assert screen.is_running and screen.reading.done is None and not notices(app)
    assert screen.reading._stopped


async def test_names_of_logs_are_untrusted_text(lab: Path, tmp_path: Path, samples: Path) -> None:
    (lab / "a\x1b]52;c;aGk=\x07\u202eb\n.log").write_bytes((samples / "missing_op_softmax.log").read_bytes())
    (lab / "\x1b[31mno.txt").write_text("nothing of ours\n")
    app = in_lab(lab, tmp_path, samples)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        cells = [cell.text for table in screen.query(DataTable) for row in table.table.rows for cell in row]
        assert not any(ord(letter) < 32 or letter == "\u202e" for text in cells for letter in text)
        hostile = next(text for text in cells if text.startswith("a") and text.endswith("b.log"))
        runs = screen.query_one(RunsTable)
        runs.select_row(next(number for number, row in enumerate(runs.table.rows) if row[0].text == hostile))
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen", READING_LIMIT)


async def test_logs_that_went_away_are_one_reason(lab: Path, tmp_path: Path, samples: Path) -> None:
    paths = [str(lab / "softmax.log"), *(str(lab / f"gone{number}.log") for number in range(20))]
    app = build_app(Start(tuple(paths), asked=(str(lab),)), root=tmp_path / "runs", samples=samples, tools=no_tools)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        (row,) = screen.query_one("#causes", DataTable).table.rows
        assert (row[0].value, row[1].value) == ("no such file; check the path", 20)
        assert "gone0.log" in str(row[2].value)


def test_a_huge_log_in_a_folder_of_few_does_not_hold_up_the_screen(tmp_path: Path, samples: Path) -> None:
    small, huge = tmp_path / "small.log", tmp_path / "huge.log"
    small.write_bytes((samples / "softmax.log").read_bytes())
    huge.write_bytes(small.read_bytes() * (HUGE_BYTES // small.stat().st_size + 1))
    paths = (str(huge), str(small))
    assert overview_of(paths, asked=paths) is None, "who names them wants columns"
    assert overview_of(paths, asked=(str(tmp_path),)) == "logs"


async def test_one_compile_among_many_logs_makes_no_columns_of_them(lab: Path, tmp_path: Path, samples: Path) -> None:
    (lab / "model_summary.csv").write_text("experiment,network\nx,y\n")
    (lab / "model.pte").write_bytes(bytes(4) + b"ET12" + bytes(60))
    app = in_lab(lab, tmp_path, samples)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        assert screen.query_one(RunsTable).row_count > MOST_COLUMNS
        titles = [str(row[0].value) for row in screen.query_one("#causes", DataTable).table.rows]
        assert any("model.pte" in title for title in titles)


def test_compiles_with_few_logs_are_columns(tmp_path: Path) -> None:
    paths = [str(tmp_path / f"{number}.pte") for number in range(2 * MOST_COLUMNS)]
    assert overview_of([*paths, str(tmp_path / "one.log")], asked=(str(tmp_path),)) is None


def test_logs_that_were_exported_as_tables_are_no_compiles(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.csv" for number in range(2 * MOST_COLUMNS)]
    for path in paths:
        path.write_text("accelerator_configuration,cycles_total\n")
    names = [str(path) for path in (*paths, tmp_path / "one.log")]
    assert overview_of(names, asked=(str(tmp_path),)) is None
    for path in paths:
        path.write_text('Time,Text\n1,"I [executorch:arm_executor_runner.cpp:1 main()] Hello"\n')
    assert overview_of(names, asked=(str(tmp_path),)) == "logs"


async def test_a_run_of_a_long_log_in_an_archive_is_read_alone(
    lab: Path, make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(post_mortem, "HUGE_BYTES", 1000)
    archive = tmp_path / "lab.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for log in sorted(lab.rglob("*.log")):
            packed.write(log, log.name)
    app = make_app(archive)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        runs = screen.query_one(RunsTable)
        two = [number for number, row in enumerate(runs.table.rows) if row[0].value == "two_runs.log"]
        runs.select_row(two[1])
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen", READING_LIMIT)
        report = app.screen
        assert isinstance(report, ReportScreen) and report.view.capture is not None
        whole = load(str(lab / "board2" / "two_runs.log")).capture
        assert whole is not None and report.view.run == whole.runs[1] and len(report.view.capture.runs) == 1
        assert [f.lines for f in report.view.findings] == [f.lines for f in whole.findings if f.run == 2]


async def test_escape_shows_all_runs_again_before_it_leaves(lab: Path, tmp_path: Path, samples: Path) -> None:
    app = in_lab(lab, tmp_path, samples)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        runs = screen.query_one(RunsTable)
        await pilot.press("tab", "enter")
        await until(pilot, lambda: runs.sifted and runs.has_focus)
        await pilot.press("escape")
        await until(pilot, lambda: not runs.sifted)
        assert app.screen is screen
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is not screen)


async def test_what_is_under_the_cursor_is_told_in_full_with_what_to_do(
    lab: Path, tmp_path: Path, samples: Path
) -> None:
    app = in_lab(lab, tmp_path, samples)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        told = screen.query_one("#told", Detail)
        await pilot.press("e")
        await until(pilot, lambda: "Do: " in told.content.plain and ", line " in told.content.plain)
        await pilot.press("tab")
        await until(pilot, lambda: "Do: " in told.content.plain and ", line " not in told.content.plain)
        await pilot.press("d")
        await on_screen(pilot, "RowScreen")
        assert "Rule" in screen_text(app) and "First in" in screen_text(app)
        await pilot.press("escape")
        await on_screen(pilot, "PostMortemScreen")


async def test_inputs_without_a_run_stand_last_and_are_all_named(lab: Path, tmp_path: Path, samples: Path) -> None:
    for number in range(5):
        (lab / f"mail{number}.txt").write_text("nothing of ours either\n")
    app = in_lab(lab, tmp_path, samples)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        causes = screen.query_one("#causes", DataTable)
        assert causes.table.rows[-1][1].value == 6 and "nothing recognised" in str(causes.table.rows[-1][0].value)
        causes.focus()
        await pilot.press("end", "enter")
        await on_screen(pilot, "RowScreen")
        assert all(f"mail{number}.txt" in screen_text(app) for number in range(5))


async def test_the_cursor_stays_with_its_reason_while_others_overtake_it(
    lab: Path, tmp_path: Path, samples: Path
) -> None:
    app = in_lab(lab, tmp_path, samples)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await read_whole(pilot, PostMortemScreen)
        causes = screen.query_one("#causes", DataTable)
        causes.focus()
        await pilot.press("down", "down")
        chosen = screen._reasons[2]
        rare = next(reason for reason in reversed(screen._reasons) if reason.rule is not None)
        assert rare.rule is not None and rare.rule != chosen.rule
        screen._causes[rare.rule] = (1000, 0)
        screen._show_causes()
        assert screen._reasons[0].rule == rare.rule
        assert causes.row is not None and screen._reasons[causes.row].key == chosen.key
