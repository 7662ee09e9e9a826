"""A run goes on without the dashboard: leaving its screen asks, `q` says so, and Home leads back to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethosu_tui.runners.launch import launch
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.runs.folder import RunFolder, list_runs
from ethosu_tui.tui import messages
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.log_pane import LogPane

from ..runners import standin_fvp
from ..runners.keepers import wait_over
from .conftest import MakeApp, on_screen, text_of, until


@pytest.fixture
def endless(tmp_path: Path, samples: Path) -> RunFolder:
    """A run that waits for ever."""
    log = (samples / "softmax.log").read_bytes()
    exe = standin_fvp.write(
        tmp_path / "fvp", "FVP_Corstone_SSE-300_Ethos-U55", log, hang_after="Starting running", line_seconds=0.01
    )
    elf = standin_fvp.elf(tmp_path / "runner.elf")
    folder = launch(RunRequest("fvp", str(elf), "ethos-u55-128", fvp=str(exe)), tmp_path / "runs").folder
    assert folder is not None
    return folder


async def test_home_leads_to_a_run_that_goes_on_and_leaving_it_asks(make_app: MakeApp, endless: RunFolder) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await on_screen(pilot, "HomeScreen")
        runs, going = (app.screen.query_one(f"#{name}", DataTable) for name in ("runs", "going"))
        for answer in ("enter", "down"):
            await until(pilot, lambda: bool(going.table.rows) and going.display)
            going.focus()
            await pilot.press("enter")
            await on_screen(pilot, "JobScreen")
            pane = app.screen.query_one(LogPane)
            await until(pilot, lambda pane=pane: pane.row_count > 5)
            await pilot.press("escape")
            await on_screen(pilot, "AskScreen")
            await pilot.press("escape")
            await on_screen(pilot, "JobScreen")
            await pilot.press("escape")
            await on_screen(pilot, "AskScreen")
            if answer == "down":
                await pilot.press("down", "down")
                await until(pilot, lambda: app.screen.query_one(DataTable).row == 1)
            await pilot.press("enter")
            await on_screen(pilot, "HomeScreen")
            if answer == "enter":
                assert RunFolder.open(endless.path).state == "running"
        await until(pilot, lambda: RunFolder.open(endless.path).state == "stopped", 30)
        await until(pilot, lambda: bool(runs.table.rows) and "stopped" in runs.table.rows[0][3].text)


async def test_it_is_stopped_by_its_key(make_app: MakeApp, endless: RunFolder) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        app.post_message(messages.AttachRun(str(endless.path)))
        await on_screen(pilot, "JobScreen")
        await until(pilot, lambda: app.screen.query_one(LogPane).row_count > 5)
        await pilot.press("x")
        await until(pilot, lambda: "stopped by you" in text_of(app, "#state"), 30)
    assert wait_over(endless.path.parent).state == "stopped"


async def test_leaving_the_dashboard_leaves_it_running(
    make_app: MakeApp, endless: RunFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        app.post_message(messages.AttachRun(str(endless.path)))
        await on_screen(pilot, "JobScreen")
        await until(pilot, lambda: app.screen.query_one(LogPane).row_count > 5)
        await pilot.press("q")
    assert f"runs attach {endless.id}" in " ".join(capsys.readouterr().err.split())
    (run,) = list_runs(endless.path.parent)
    assert run.state == "running"
