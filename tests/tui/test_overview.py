"""A capture that is read beside the screen: runs as they come, reasons, one run's report, and every way it can end."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from textual.pilot import Pilot

from ethosu_tui.analysis.rows.store import RunStore
from ethosu_tui.analysis.tables import Table
from ethosu_tui.runners.reading import background as reading
from ethosu_tui.runners.reading import looking_through
from ethosu_tui.runners.reading.inputs import load
from ethosu_tui.tui import messages
from ethosu_tui.tui.screens.overview import OverviewScreen
from ethosu_tui.tui.screens.report import ReportScreen
from ethosu_tui.tui.widgets.chrome import FilterBar, TitleBar
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.file_log_pane import FileLogPane
from ethosu_tui.tui.widgets.runs_table import RunsTable

from .conftest import READING_LIMIT, MakeApp, notices, on_screen, read_whole, text_of, until

NAMES = ("mnist_q", "missing_op_softmax", "softmax", "method_small_planned")


@pytest.fixture(autouse=True)
def _small_is_huge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "HUGE_BYTES", 30_000)


@pytest.fixture
def night(tmp_path: Path, samples: Path) -> Path:
    """Runs of four kinds, thirty times."""
    path = tmp_path / "night.log"
    path.write_bytes(b"".join((samples / f"{name}.log").read_bytes() for name in NAMES) * 30)
    return path


async def left_while_read(pilot: Pilot[None]) -> OverviewScreen:
    """Leave the overview for home as soon as it is there; the overview."""
    await on_screen(pilot, "OverviewScreen", READING_LIMIT)
    overview = pilot.app.screen
    assert isinstance(overview, OverviewScreen)
    await pilot.press("escape")
    await on_screen(pilot, "HomeScreen")
    return overview


async def test_the_runs_are_those_of_the_whole_log_and_enter_gives_the_same_report(
    make_app: MakeApp, night: Path
) -> None:
    capture = load(str(night)).capture
    assert capture is not None
    app = make_app(night)
    async with app.run_test(size=(80, 24)) as pilot:
        overview = await read_whole(pilot, OverviewScreen)
        table = overview.query_one(RunsTable)
        assert table.row_count == len(capture.runs) and "read" in overview.query_one(TitleBar).status
        assert [row[1].value for row in table.table.rows] == [run.status for run in capture.runs]
        await pilot.press("down", "down", "down", "enter")
        await on_screen(pilot, "ReportScreen", READING_LIMIT)
        report = app.screen
        assert isinstance(report, ReportScreen)
        assert report._view.run == capture.runs[3]
        assert report._view.findings == tuple(f for f in capture.findings if f.run == capture.runs[3].index)
        cause = report._view.cause_line
        await pilot.press("e")
        await until(pilot, lambda: bool(report.query(FileLogPane)))
        pane = report.query_one(FileLogPane)
        await until(pilot, lambda: pane.current is not None and pane.current.number == cause)
        raw = night.read_bytes().split(b"\n")[(cause or 1) - 1]
        assert pane.current is not None and pane.current.text == raw.decode().rstrip()
        await pilot.press("escape", "escape")
        await on_screen(pilot, "OverviewScreen")
        assert table.row == 3


async def test_reasons_are_grouped_and_one_of_them_shows_its_runs(make_app: MakeApp, night: Path) -> None:
    capture = load(str(night)).capture
    assert capture is not None
    app = make_app(night)
    async with app.run_test(size=(80, 24)) as pilot:
        overview = await read_whole(pilot, OverviewScreen)
        causes = overview.query_one("#causes", DataTable)
        runs = overview.query_one(RunsTable)
        first = {run.index: next(f for f in capture.findings if f.run == run.index and f.severity == "error")
                 for run in capture.runs if run.status != "passed"}  # fmt: skip
        rules = {finding.rule for finding in first.values()}
        assert len(causes.table.rows) == len(rules) > 1
        assert sum(int(row[1].value or 0) for row in causes.table.rows) == len(first)
        await pilot.press("tab")
        await until(pilot, lambda: causes.has_focus)
        await pilot.press("enter")
        count = causes.table.rows[0][1].value
        await until(pilot, lambda: runs.has_focus and runs.row_count == count)
        assert "hidden" in str(runs.border_title) and causes.table.rows[0][0].text.startswith("●")
        overview._cause_chosen(DataTable.Chosen(causes, 0, None))
        assert runs.row_count == len(capture.runs), "the same again shows all"


async def test_a_reason_is_titled_for_all_its_runs(make_app: MakeApp, tmp_path: Path, samples: Path) -> None:
    """The figures of the run that happens to be the first are no figures of the others."""
    small = (samples / "method_small_planned.log").read_bytes()
    path = tmp_path / "grown.log"
    path.write_bytes(b"".join(small.replace(b"3920", b"%d" % (3920 + 2048 * n)) for n in range(40)))
    app = make_app(path)
    async with app.run_test(size=(80, 24)) as pilot:
        overview = await read_whole(pilot, OverviewScreen)
        (row,) = overview.query_one("#causes", DataTable).table.rows
        assert (row[0].value, row[1].value) == ("The method pool is too small: 3.8 KiB to 81.8 KiB did not fit", 40)


async def test_the_table_sorts_filters_and_finds_failures(make_app: MakeApp, night: Path) -> None:
    app = make_app(night)
    async with app.run_test(size=(120, 40)) as pilot:
        overview = await read_whole(pilot, OverviewScreen)
        runs = overview.query_one(RunsTable)
        await pilot.press("e")
        assert runs.row == 1, "the first run that did not pass"
        await pilot.press("E")
        assert runs.row == 119
        await pilot.press("slash", *"failed -softmax", "enter")
        await until(pilot, lambda: runs.has_focus)
        shown = [runs.table.rows[i] for i in runs._order]
        assert shown and all("failed" in row[1].text and "softmax" not in row[2].text for row in shown)
        await pilot.press("slash", "escape")
        await until(pilot, lambda: runs.has_focus and runs.row_count == 120)
        column = [c.name for c in runs.table.columns].index("Status")
        runs.sort_by(column)
        statuses = [runs.table.rows[i][column].value for i in runs._order]
        assert statuses == sorted(statuses, key=str) and len(set(statuses)) > 1
        await pilot.press("slash", *"77", "enter")
        await until(pilot, lambda: runs.has_focus and not overview.query_one(FilterBar).has_focus)
        assert [runs.table.rows[i][0].value for i in runs._order] == [77]


async def test_a_filter_does_not_look_where_the_log_is(make_app: MakeApp, night: Path) -> None:
    folder = night.parent / "folder77"
    folder.mkdir()
    app = make_app(night.rename(folder / night.name))
    async with app.run_test(size=(120, 40)) as pilot:
        overview = await read_whole(pilot, OverviewScreen)
        runs = overview.query_one(RunsTable)
        await pilot.press("slash", *"77", "enter")
        await until(pilot, lambda: runs.row_count == 1)


async def test_search_and_filter_go_through_a_file_of_any_size(make_app: MakeApp, night: Path) -> None:
    lines = night.read_bytes().split(b"\n")
    wanted = [n for n, raw in enumerate(lines, 1) if b"softmax" in raw.lower()]
    app = make_app(night)
    async with app.run_test(size=(80, 24)) as pilot:
        await read_whole(pilot, OverviewScreen)
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen", READING_LIMIT)
        report = app.screen
        await pilot.press("7")
        await until(pilot, lambda: bool(report.query(FileLogPane)))
        pane = report.query_one(FileLogPane)
        await until(pilot, lambda: pane.total == len(lines) - 1 and pane.has_focus)
        await pilot.press("slash", *"softmax", "enter")
        await until(pilot, lambda: pane.current is not None and pane.current.number == wanted[0])
        await pilot.press("N")
        await until(pilot, lambda: pane.current is not None and pane.current.number == wanted[-1])
        await pilot.press("n")
        await until(pilot, lambda: pane.current is not None and pane.current.number == wanted[0])
        await pilot.press("ampersand", "end")
        bar = report.query_one(FilterBar)
        await until(pilot, lambda: bar.value == "&")
        await pilot.press(*"softmax", "enter")
        await until(pilot, lambda: pane.settled and pane.row_count == len(wanted))
        assert pane.current is not None and pane.current.number == wanted[0]
        assert pane.goto(wanted[-1]) and pane.row_count == len(wanted)


async def test_one_run_alone_needs_no_overview(make_app: MakeApp, tmp_path: Path, samples: Path) -> None:
    log = tmp_path / "one.log"
    log.write_bytes((samples / "mnist_q.log").read_bytes() + b"idle\n" * 10_000)
    app = make_app(log)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen", READING_LIMIT)
        assert isinstance(app.screen, ReportScreen) and app.screen._view.run is not None
        await pilot.press("escape")
        await on_screen(pilot, "HomeScreen")


async def test_a_reader_that_is_killed_is_told_and_what_it_read_stays(
    make_app: MakeApp, night: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    night.write_bytes(night.read_bytes() * 400)  # long enough not to be over when the first rows are seen
    app = make_app(night)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "OverviewScreen", READING_LIMIT)
        overview = app.screen
        assert isinstance(overview, OverviewScreen)
        await until(pilot, lambda: overview.reading.rows.count > 0, READING_LIMIT)
        os.kill(overview.reading.pid, signal.SIGKILL)
        await until(pilot, lambda: any("signal 9" in note for note in notices(app)), READING_LIMIT)
        table = overview.query_one(RunsTable)
        assert table.row_count > 0 and "incomplete" in overview.query_one(TitleBar).status
        assert "signal 9" in text_of(app, "#state")
        app.clear_notifications()
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen", READING_LIMIT)


async def test_a_capture_that_was_left_is_read_on_and_there_again(make_app: MakeApp, night: Path) -> None:
    night.write_bytes(night.read_bytes() * 10)
    app = make_app(night)
    async with app.run_test(size=(80, 24)) as pilot:
        overview = await left_while_read(pilot)
        await until(pilot, lambda: overview.reading.done is not None, READING_LIMIT)
        assert not notices(app)
        app.post_message(messages.OpenReport(str(night)))
        await on_screen(pilot, "OverviewScreen", READING_LIMIT)
        assert app.screen is overview
        await until(pilot, lambda: "read:" in text_of(app, "#state"))
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen", READING_LIMIT)


async def test_one_run_whose_reading_ended_behind_home_shows_its_report(
    make_app: MakeApp, tmp_path: Path, samples: Path
) -> None:
    log = tmp_path / "one.log"
    log.write_bytes(b"[ 10%] Building CXX object main.cpp.o\n" * 400_000 + (samples / "mnist_q.log").read_bytes())
    app = make_app(log)
    async with app.run_test(size=(80, 24)) as pilot:
        overview = await left_while_read(pilot)
        await until(pilot, lambda: overview._over, READING_LIMIT)
        app.post_message(messages.OpenReport(str(log)))
        await on_screen(pilot, "ReportScreen", READING_LIMIT)
        await pilot.press("escape")
        await on_screen(pilot, "HomeScreen")


async def test_a_reader_that_was_killed_behind_home_is_started_again(make_app: MakeApp, night: Path) -> None:
    whole = night.read_bytes() * 400
    night.write_bytes(whole)
    app = make_app(night)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "OverviewScreen", READING_LIMIT)
        overview = app.screen
        assert isinstance(overview, OverviewScreen)
        os.kill(overview.reading.pid, signal.SIGSTOP)
        await pilot.press("escape")
        await on_screen(pilot, "HomeScreen")
        os.kill(overview.reading.pid, signal.SIGKILL)
        await until(pilot, lambda: any("open it again" in note for note in notices(app)), READING_LIMIT)
        app.post_message(messages.OpenReport(str(night)))
        again = await read_whole(pilot, OverviewScreen)
        assert again is not overview and "incomplete" not in again.query_one(TitleBar).status


async def test_runs_are_looked_through_once_at_a_time(
    make_app: MakeApp, night: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, begun = threading.Event(), []

    def slow(rows: RunStore) -> Sequence[Table]:
        begun.append(rows.count)
        go.wait(READING_LIMIT)
        return real(rows)

    real = looking_through.look_through
    monkeypatch.setattr(looking_through, "look_through", slow)
    app = make_app(night)
    async with app.run_test(size=(80, 24)) as pilot:
        await read_whole(pilot, OverviewScreen)
        await pilot.press("t", "t", "t")
        await until(pilot, lambda: bool(begun))
        await pilot.press("t")
        go.set()
        await on_screen(pilot, "TrendsScreen", READING_LIMIT)
        assert begun == [120]
        await pilot.press("escape", "t")
        await on_screen(pilot, "TrendsScreen", READING_LIMIT)
        assert begun == [120, 120] and not app.screen.query_one(TitleBar).status, "all was read"


async def test_trends_of_a_part_say_of_how_many_runs_they_are(make_app: MakeApp, night: Path) -> None:
    app = make_app(night)
    async with app.run_test(size=(80, 24)) as pilot:
        overview = await read_whole(pilot, OverviewScreen)
        overview.post_message(overview.LookedThrough(looking_through.look_through(overview.reading.rows), 70))
        await on_screen(pilot, "TrendsScreen", READING_LIMIT)
        assert app.screen.query_one(TitleBar).status == "of 70 runs so far"


async def test_a_huge_file_of_something_else_says_so(make_app: MakeApp, tmp_path: Path) -> None:
    log = tmp_path / "other.log"
    log.write_bytes(b"nothing of ours\n" * 10_000)
    app = make_app(log)
    async with app.run_test(size=(80, 24)) as pilot:
        await read_whole(pilot, OverviewScreen)
        await until(pilot, lambda: any("nothing recognised" in note for note in notices(app)))
        assert "no run so far" not in text_of(app, "#state") or "nothing recognised" in text_of(app, "#state")


async def test_a_run_that_is_not_there_any_more(make_app: MakeApp, night: Path) -> None:
    app = make_app(night)
    async with app.run_test(size=(80, 24)) as pilot:
        await read_whole(pilot, OverviewScreen)
        night.write_bytes(b"written again\n" * 50_000)
        await pilot.press("down", "enter")
        await until(pilot, lambda: any("is no longer there" in note for note in notices(app)), READING_LIMIT)
        assert type(app.screen).__name__ == "OverviewScreen"
