"""What people come for, by keys alone: why did it fail, watch it live, which one is better, what would be compiled."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import OptionList

from ethosu_tui.analysis.targets import TARGETS
from ethosu_tui.runners.job import Chunk, Exit, JobEvent, Started
from ethosu_tui.runners.reading.inputs import load
from ethosu_tui.runners.runs.folder import list_runs
from ethosu_tui.runners.session import Session
from ethosu_tui.tui import full_screen, messages
from ethosu_tui.tui.screens.compare import CompareScreen
from ethosu_tui.tui.screens.compile import CompileScreen
from ethosu_tui.tui.screens.report import ReportScreen
from ethosu_tui.tui.screens.run_form import RunFormScreen
from ethosu_tui.tui.widgets.checklist import Checklist
from ethosu_tui.tui.widgets.chrome import TitleBar
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.log_pane import LogPane

from ..runners import standin_fvp
from .conftest import MakeApp, notices, on_screen, text_of, until


async def test_a_failed_log_opens_on_its_reason_and_one_key_lands_on_the_line(make_app: MakeApp, samples: Path) -> None:
    log = samples / "missing_op_softmax.log"
    cause = next(f for f in load(str(log)).capture.findings if f.severity == "error")
    app = make_app(log)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        report = app.screen
        assert isinstance(report, ReportScreen) and report.tab == "Findings"
        assert cause.title in text_of(app, "#detail") and cause.advice in text_of(app, "#detail")
        await pilot.press("e")
        pane = report.query_one(LogPane)
        await until(pilot, lambda: pane.current is not None and pane.current.number == cause.lines[0])
        assert report.tab == "Log" and cause.title in text_of(app, "#line")
        await pilot.press("escape")
        assert report.tab == "Findings", "escape leads back to where the jump began"
        await pilot.press("enter")
        assert report.tab == "Log" and pane.current is not None and pane.current.number == cause.lines[0]


async def test_every_figure_leads_to_its_line(make_app: MakeApp, samples: Path) -> None:
    log = samples / "mobilenet_v2_corstone320.log"
    run = load(str(log)).capture.runs[0]
    app = make_app(log)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        report = app.screen
        assert isinstance(report, ReportScreen)
        await until(pilot, lambda: report._lines is not None)
        for tab, key in (("PMU", "4"), ("Cycles", "3"), ("Memory", "2"), ("Outputs", "5"), ("Summary", "1")):
            await pilot.press(key)
            assert report.tab == tab
            table = report.focused
            assert isinstance(table, DataTable)
            for row, cells in enumerate(table.table.rows):
                line = next((cell.line for cell in cells if cell.line is not None), None)
                if line is None:
                    continue
                table.select_row(row)
                await pilot.press("enter")
                pane = report.query_one(LogPane)
                assert report.tab == "Log" and pane.current is not None and pane.current.number == line
                await pilot.press("backspace")
                assert report.tab == tab and table.has_focus and table.row == row
        assert run.pmu is not None and run.lines["pmu.npu_cycles"] > 0


async def test_a_replay_is_watched_live_and_ends_in_its_report(make_app: MakeApp, samples: Path) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        home = app.screen.query_one("#samples", DataTable)
        await until(pilot, lambda: bool(home.table.rows))
        names = [cells[0].text for cells in home.table.rows]
        home.focus()
        home.select_row(names.index("mnist_q"))
        await pilot.press("R")
        await on_screen(pilot, "JobScreen")
        await until(pilot, lambda: "passed" in text_of(app, "#state"))
        assert app.screen.query_one(LogPane).row_count > 30
        assert any(cells[0].text == "NPU cycles" for cells in app.screen.query_one("#figures", DataTable).table.rows)
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen")
        await pilot.press("escape")
        await on_screen(pilot, "HomeScreen")


class EndlessJob:
    """Says something for ever, until it is stopped."""

    label = "endless"

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def run(self) -> Iterator[JobEvent]:
        yield Started(("endless",))
        number = 0
        while not self.stopped.wait(0.005):
            number += 1
            yield Chunk(b"I [executorch:arm_executor_runner.cpp:1] line %d\n" % number, number * 0.005)
        yield Exit(None, "stopped", number * 0.005, "stopped")

    def stop(self) -> None:
        self.stopped.set()


async def test_a_running_job_stops_by_key_and_when_its_screen_is_left(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        full_screen, "LEAVE_SECONDS", 300.0
    )  # a slow machine may take longer than people between two keys
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        for key in ("x", "escape"):
            job = EndlessJob()
            app.post_message(messages.StartSession(Session(job, None, "endless"), "ethosu-tui run"))
            await on_screen(pilot, "JobScreen")
            pane = app.screen.query_one(LogPane)
            await until(pilot, lambda pane=pane: pane.row_count > 5)
            await pilot.press(key)
            if key == "escape":
                await until(pilot, lambda: any("Still running" in note for note in notices(app)))
                assert not job.stopped.is_set(), "one Escape is easily hit by mistake"
                await pilot.press(key)
            if key == "x":
                await until(pilot, lambda: "stopped by you" in text_of(app, "#state"))
                await pilot.press("escape")
            await until(pilot, job.stopped.is_set)
        last = EndlessJob()
        app.post_message(messages.StartSession(Session(last, None, "endless"), "ethosu-tui run"))
        await on_screen(pilot, "JobScreen")
        await pilot.press("q")
        await until(pilot, lambda: any("The same key" in note for note in notices(app)))
        assert not last.stopped.is_set()
        await pilot.press("q")
    assert last.stopped.wait(60), "leaving the app stops what runs"


async def test_two_marked_logs_are_compared_with_a_baseline_of_choice(make_app: MakeApp, samples: Path) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        home = app.screen.query_one("#samples", DataTable)
        await until(pilot, lambda: bool(home.table.rows))
        names = [cells[0].text for cells in home.table.rows]
        home.focus()
        await pilot.press("v")
        assert any("Mark two" in note for note in notices(app))
        for name in ("dbg_mnist", "mnist_q"):
            home.select_row(names.index(name))
            await pilot.press("space")
        await pilot.press("v")
        await on_screen(pilot, "CompareScreen")
        screen = app.screen
        assert isinstance(screen, CompareScreen)
        table = screen.query_one(DataTable)
        before = len(table.table.rows)
        assert before > 5 and "◆" in table.table.columns[1].name
        await pilot.press("right", "b")
        assert "◆" in table.table.columns[2].name and "--baseline" in screen.command
        await pilot.press("t")
        assert any(cell.text.endswith("x") for cells in table.table.rows for cell in cells)
        cycles = next(cells for cells in table.table.rows if cells[0].value == "cycles.inference")
        assert "n/c" in cycles[1].text, "CPU cycles of a simulator have no ratio"
        await pilot.press("=")
        assert 0 < len(table.table.rows) < before
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen")


async def test_the_compile_form_knows_what_fits_and_shows_the_command(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(screen="compile")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "CompileScreen")
        form = app.screen
        assert isinstance(form, CompileScreen)
        await until(pilot, lambda: form.command == "ethosu-tui compile bundled:mnist --target ethos-u55-128")
        targets, configs, modes = (form.query_one(f"#{name}", Checklist) for name in ("targets", "configs", "modes"))
        assert "Ethos_U85_SYS_DRAM_Mid" in configs.reasons and "Dedicated_Sram" in modes.reasons
        targets.select_row(list(TARGETS).index("ethos-u85-256"))
        await pilot.press("space")
        assert "Ethos_U85_SYS_DRAM_Mid" not in configs.reasons
        modes.focus()
        await pilot.press("a")
        said = text_of(app, "#plan")
        assert "left out: ethos-u55-128" in said and "valid configurations, c starts" in said
        assert form.command.count("--target") == 2 and form.command.count("--memory-mode") >= 4
        await pilot.press("y")
        assert app.clipboard == form.command
        targets.focus()
        await pilot.press("a", "a")
        assert targets.chosen == () and "choose at least one target" in text_of(app, "#plan")
        await pilot.press("c")
        assert app.screen is form, "nothing to start"


async def test_a_model_that_is_not_there_is_refused_in_the_dialog(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(screen="compile")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "CompileScreen")
        form = app.screen
        assert isinstance(form, CompileScreen)
        await until(pilot, lambda: bool(form._choices), 40)
        await pilot.press("m")
        await on_screen(pilot, "AskScreen")
        await pilot.press(*"nope.py", "enter")
        assert "There is no file" in text_of(app, "#said")
        model = tmp_path / "net.py"
        model.write_text("ModelUnderTest = ModelInputs = None\n")
        await pilot.press("escape", "m")
        await on_screen(pilot, "AskScreen")
        await pilot.press(*str(model), "enter")
        await until(pilot, lambda: app.screen is form)
        assert str(model) in form.command
        model.write_text("x = 1\n")
        await pilot.press("c")
        await until(pilot, lambda: bool(notices(app)), 40)
        assert app.screen is form, "what cannot work is said where it can be put right"


async def test_filter_line_and_help(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        table = app.screen.query_one("#samples", DataTable)
        await until(pilot, lambda: bool(table.table.rows))
        table.focus()
        await pilot.press("slash", *"mnist")
        assert table.row_count == 2
        await pilot.press("enter")
        assert table.has_focus and table.row_count == 2
        await pilot.press("slash", "escape")
        assert table.has_focus and table.row_count > 2
        await pilot.press("question_mark")
        await on_screen(pilot, "HelpScreen")
        keys = " ".join(cells[1].text for cells in app.screen.query_one(DataTable).table.rows)
        assert "Compile a model" in keys and "side by side" in keys
        await pilot.press("escape")
        await on_screen(pilot, "HomeScreen")


async def test_the_key_line_fits_eighty_columns_on_every_screen(make_app: MakeApp, samples: Path) -> None:
    screens = {
        "HomeScreen": make_app(),
        "CompileScreen": make_app(screen="compile"),
        "ReportScreen": make_app(samples / "mnist_q.log"),
    }
    for name, start in screens.items():
        async with start.run_test(size=(80, 24)) as pilot:
            await on_screen(pilot, name)
            await until(pilot, lambda app=start: app.screen.focused is not None)  # type: ignore[misc]
            line = str(start.screen.query_one("KeyBar").render())
            assert len(line) <= 80 and line.rstrip().endswith("Help")


async def test_the_hidden_filter_line_never_takes_the_first_keys(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / "mnist_q.log")
    focused: list[str] = []
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        app.screen.watch(app.screen, "focused", lambda widget: focused.append(type(widget).__name__), init=True)
        await until(pilot, lambda: app.screen.focused is not None)
        assert "FilterBar" not in focused
        assert app.screen.AUTO_FOCUS == ""


async def test_a_program_runs_on_a_simulator_from_the_form_to_the_report(
    make_app: MakeApp, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = (samples / "softmax.log").read_bytes()
    simulators = tmp_path / "fvp"
    standin_fvp.write(simulators, "FVP_Corstone_SSE-300_Ethos-U55", log, line_seconds=0.005)
    monkeypatch.setenv("PATH", str(simulators), prepend=":")
    elf = standin_fvp.elf(tmp_path / "runner.elf")
    app = make_app(screen="run")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "RunFormScreen")
        assert "Give the runner's ELF" in text_of(app, "#said")
        await pilot.press("down", "down", "enter")
        await on_screen(pilot, "AskScreen")
        await pilot.press(*str(elf), "enter")
        await on_screen(pilot, "RunFormScreen")
        assert isinstance(app.screen, RunFormScreen)
        assert app.screen.command.startswith(f"ethosu-tui run {elf} --on fvp --target ethos-u55-128")
        await pilot.press("r")
        await on_screen(pilot, "JobScreen")
        await until(pilot, lambda: "↵ opens the report" in text_of(app, "#state"), 30)
        assert "passed" in text_of(app, "#state")
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen")
    stored = list_runs(tmp_path / "runs")
    assert [(run.state, run.status) for run in stored] == [("finished", "passed")]


async def test_the_palette_leads_to_the_screens(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        await pilot.press("ctrl+p")
        await on_screen(pilot, "Palette")
        await pilot.press(*"doctor")
        found = app.screen.query_one(OptionList)
        await until(pilot, lambda: found.option_count == 1 and found.highlighted == 0 and found.display)
        await pilot.press("enter")
        await on_screen(pilot, "DoctorScreen")


async def test_several_runs_in_one_log_are_turned_through(make_app: MakeApp, samples: Path, tmp_path: Path) -> None:
    log = tmp_path / "both.log"
    log.write_bytes((samples / "mnist_q.log").read_bytes() + (samples / "softmax.log").read_bytes())
    app = make_app(log)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        trail = app.screen.query_one(TitleBar)
        assert "run 1 of 2" in trail.trail
        first = app.screen.query_one(DataTable).table
        await pilot.press("right_square_bracket")
        assert "run 2 of 2" in trail.trail and app.screen.query_one(DataTable).table != first
        await pilot.press("right_square_bracket", "left_square_bracket")
        assert "run 1 of 2" in trail.trail and app.screen.query_one(DataTable).table == first
