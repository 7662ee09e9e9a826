"""Small things that decide whether a screen is understood: what is cut, what a key does, what a stopped run is called."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from rich.cells import cell_len

from ethosu_tui.analysis.comparing.sides import Side
from ethosu_tui.analysis.report import CompileSummary
from ethosu_tui.runners.job import Chunk, Exit, JobEvent, Started
from ethosu_tui.runners.replay import ReplayJob
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.runners.session import Session
from ethosu_tui.tui import messages
from ethosu_tui.tui.screens.compare import CompareScreen
from ethosu_tui.tui.screens.dialogs import AskScreen, Choice
from ethosu_tui.tui.screens.report import ReportScreen
from ethosu_tui.tui.widgets.chrome import CommandLine, FilterBar, TitleBar
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.log_pane import LogPane
from ethosu_tui.tui.widgets.said import Said, safe

from .conftest import MakeApp, notices, on_screen, text_of, until


class EndsBadly:
    """A job that never starts what it should."""

    label = "fvp of nothing"

    def run(self) -> Iterator[JobEvent]:
        yield Started(("FVP_Corstone_SSE-300_Ethos-U55",))
        yield Exit(None, "not_started", 0.1, "the simulator is for another architecture")

    def stop(self) -> None:
        pass


class SaysThenWaits:
    """Says a line and waits until it is stopped."""

    label = "waits"

    def __init__(self, log: bytes) -> None:
        self._log = log
        self._stopped = False

    def run(self) -> Iterator[JobEvent]:
        yield Started(("waits",))
        yield Chunk(self._log, 0.1)
        while not self._stopped:
            time.sleep(0.02)
        yield Exit(None, "stopped", 0.3, "stopped")

    def stop(self) -> None:
        self._stopped = True


def test_nothing_in_a_text_is_obeyed() -> None:
    assert safe("[red]a[/]\x1b[31mb\x07\nc").plain == "[red]a[/]b\nc"


async def test_a_simulator_that_never_started_is_called_the_same_everywhere(make_app: MakeApp, tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "runs", "run", "nothing")
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        app.post_message(messages.StartSession(Session(EndsBadly(), folder, str(folder.path)), "ethosu-tui run"))
        await on_screen(pilot, "JobScreen")
        await until(pilot, lambda: "opens the report" in text_of(app, "#state"))
        said = text_of(app, "#state").split("\n")
        assert "could not be started" in said[0] and "not_started" in said[0]
        assert any("another architecture" in line for line in said[1:])
        assert "not_started" in app.screen.query_one(TitleBar).status
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen")
        assert "not_started" in app.screen.query_one(TitleBar).status
        assert "never started" in text_of(app, "#detail") and "another architecture" in text_of(app, "#detail")
        await pilot.press("escape")
        runs = app.screen.query_one("#runs", DataTable)
        await until(pilot, lambda: bool(runs.table.rows) and "not_started" in runs.table.rows[0][3].text)


async def test_a_run_that_you_stopped_is_stopped_everywhere(make_app: MakeApp, tmp_path: Path, samples: Path) -> None:
    folder = RunFolder.create(tmp_path / "runs", "run", "waits")
    job = SaysThenWaits(b"".join((samples / "softmax.log").read_bytes().splitlines(keepends=True)[:5]))
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        app.post_message(messages.StartSession(Session(job, folder, str(folder.path)), "ethosu-tui run"))
        await on_screen(pilot, "JobScreen")
        figures = app.screen.query_one("#figures", DataTable)
        await until(pilot, lambda: bool(figures.table.rows))
        assert figures.table.rows[0][1].text == "running"
        await pilot.press("x")
        await until(pilot, lambda: "stopped by you" in text_of(app, "#state"))
        assert "stopped" in app.screen.query_one(TitleBar).status and figures.table.rows[0][1].text == "stopped"
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen")
        assert "stopped" in app.screen.query_one(TitleBar).status
        await pilot.press("escape")
        runs = app.screen.query_one("#runs", DataTable)
        await until(pilot, lambda: bool(runs.table.rows) and "stopped" in runs.table.rows[0][3].text)


async def test_a_stopped_replay_leads_to_what_was_seen(make_app: MakeApp, samples: Path, tmp_path: Path) -> None:
    log = tmp_path / "night.log"  # long enough not to be over before it is stopped
    log.write_bytes((samples / "mobilenet_v2_corstone320.log").read_bytes() * 200)
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        app.post_message(messages.StartSession(Session(ReplayJob(log, 20.0), None, str(log)), "ethosu-tui run"))
        await on_screen(pilot, "JobScreen")
        live = app.screen.query_one(LogPane)
        await until(pilot, lambda: live.row_count > 5)
        await pilot.press("x")
        await until(pilot, lambda: "stopped by you" in text_of(app, "#state"))
        seen = live.row_count
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen")
        report = app.screen
        assert isinstance(report, ReportScreen) and report._lines is not None
        assert len(report._lines) == seen < len(log.read_bytes().splitlines())


def _side(number: int) -> Side:
    known = dict.fromkeys(CompileSummary._fields)
    cycles = 1000.0 * (number + 1)
    summary = CompileSummary(**{**known, "total_cycles": cycles, "non_delegated_operators": {}})  # type: ignore[arg-type]
    return Side(f"mnist ethos-u55-{number:03}", f"side-{number}", "compile", summary=summary)


async def test_a_comparison_of_twelve_keeps_its_names_and_says_that_there_is_more(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(CompareScreen([_side(i) for i in range(12)]))
        await on_screen(pilot, "CompareScreen")
        table = app.screen.query_one(DataTable)
        await until(pilot, lambda: table.has_focus and table.render_line(0).text.rstrip().endswith("›"))
        assert "total cycles" in table.render_line(2).text
        assert "compile.total_cycles" in text_of(app, "#why")
        await pilot.press(*["right"] * 11)
        await until(pilot, lambda: "‹" in table.render_line(0).text)
        assert not table.render_line(0).text.rstrip().endswith("›")
        assert "total cycles" in table.render_line(2).text and "12,000" in table.render_line(2).text


async def test_a_filter_belongs_to_its_pane(make_app: MakeApp, samples: Path) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        table = app.screen.query_one("#samples", DataTable)
        await until(pilot, lambda: bool(table.table.rows))
        table.focus()
        bar = app.screen.query_one(FilterBar)
        await pilot.press("slash", *"mnist")
        keys = str(app.screen.query_one("KeyBar").render())
        assert "Keep" in keys and "Drop" in keys
        await pilot.press("tab")
        await until(pilot, lambda: table.has_focus)
        assert table.row_count == 2 and bar.has_class("-open")
        await pilot.press("tab")
        await until(pilot, lambda: not table.has_focus and not bar.has_class("-open"))
        assert table.row_count == 2
        await pilot.press("shift+tab")
        await until(pilot, lambda: bar.has_class("-open"))
        assert bar.value == "mnist"
        app.post_message(messages.OpenReport(str(samples / "mnist_q.log")))
        await on_screen(pilot, "ReportScreen")
        await pilot.press("7")
        await until(pilot, lambda: app.screen.query_one(LogPane).row_count > 0)
        await pilot.press("slash", *"zzqq", "enter")
        await until(pilot, lambda: any("zzqq" in note for note in notices(app)))


async def test_what_is_typed_in_a_dialog_goes_to_its_input(make_app: MakeApp) -> None:
    app = make_app()
    answers: list[str | None] = []
    async with app.run_test(size=(80, 24)) as pilot:
        choices = [Choice("fvp", "simulator"), Choice("host", "here"), Choice("replay", "log")]
        app.push_screen(AskScreen("runner", value="fvp", choices=choices, free=False), answers.append)
        await on_screen(pilot, "AskScreen")
        assert "list" in text_of(app, "#keys")
        await pilot.press("down", *"rep", "enter")
        assert answers == ["replay"]
        app.push_screen(AskScreen("name"), answers.append)
        await on_screen(pilot, "AskScreen")
        assert "list" not in text_of(app, "#keys")


async def test_wide_characters_fit_the_lines_around_a_screen(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(60, 16)) as pilot:
        await on_screen(pilot, "HomeScreen")
        page = app.screen
        title, line = page.query_one(TitleBar), page.query_one(CommandLine)
        title.trail = line.command = "模型" * 60
        await pilot.pause()
        assert cell_len(str(title.render())) <= 60 and cell_len(str(line.render())) <= 60


async def test_escape_closes_an_error_first_and_dead_keys_are_not_shown(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / "mnist_q.log")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        app.post_message(messages.Problem("odd", "do this"))
        await until(pilot, lambda: bool(notices(app)))
        await pilot.press("escape")
        assert not notices(app) and isinstance(app.screen, ReportScreen)
        await pilot.press("7")
        assert "To the line" not in str(app.screen.query_one("KeyBar").render())
        await pilot.press("1")
        assert "To the line" in str(app.screen.query_one("KeyBar").render())
        assert app.screen.query(Said)
