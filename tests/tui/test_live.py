"""Watching a run that prints a lot: the log holds still when asked, times and marks are there, and a lost reader is said."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from ethosu_tui.runners.keeping.beside import BesideViewer
from ethosu_tui.runners.keeping.viewer import Viewer
from ethosu_tui.runners.launch import launch
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.tui import messages
from ethosu_tui.tui.app import EthosuApp
from ethosu_tui.tui.screens.job import MAX_LINES, JobScreen
from ethosu_tui.tui.widgets.chrome import TitleBar
from ethosu_tui.tui.widgets.log_pane import LogPane

from ..runners.keepers import wait_over
from .conftest import MakeApp, notices, on_screen, text_of, until

FLOOD = """
import sys, time
number = 0
while True:
    print("\\n".join(f"I [executorch:a.cpp:1] step {number + i}" for i in range(1, 501)), flush=True)
    number += 500
    time.sleep(0.025)
"""


ASKED = """
import os, sys, time
print("\\n".join(f"line {number}" for number in range(1, 1501)), flush=True)
while not os.path.exists(sys.argv[1]):
    time.sleep(0.01)
print("\\n".join(f"line {number}" for number in range(1501, 6501)), flush=True)
time.sleep(1000)
"""


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[RunFolder]:
    """A run that prints 1,500 lines, and 5,000 more once there is a file `more`."""
    script = tmp_path / "asked.py"
    script.write_text(ASKED)
    argv = (sys.executable, str(script), str(tmp_path / "more"))
    folder = launch(RunRequest("command", argv=argv), tmp_path / "runs").folder
    assert folder is not None
    yield folder
    Viewer(folder.path).stop()
    wait_over(tmp_path / "runs")


@pytest.fixture
def flood(tmp_path: Path) -> Iterator[RunFolder]:
    """A run that prints some 20,000 lines a second until it is stopped."""
    script = tmp_path / "flood.py"
    script.write_text(FLOOD)
    folder = launch(RunRequest("command", argv=(sys.executable, str(script))), tmp_path / "runs").folder
    assert folder is not None
    yield folder
    Viewer(folder.path).stop()
    wait_over(tmp_path / "runs")


async def watched(app: EthosuApp, pilot: Pilot[None], folder: RunFolder) -> tuple[JobScreen, LogPane]:
    """Its screen, when there are lines."""
    app.post_message(messages.AttachRun(str(folder.path)))
    await on_screen(pilot, "JobScreen")
    screen = app.screen
    assert isinstance(screen, JobScreen)
    pane = screen.query_one(LogPane)
    await until(pilot, lambda: pane.total > 1000)
    return screen, pane


async def test_a_pause_holds_the_log_and_nothing_is_lost(make_app: MakeApp, asked: RunFolder, tmp_path: Path) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        screen, pane = await watched(app, pilot, asked)
        await until(pilot, lambda: pane.lines[-1].number == 1500)
        await pilot.press("p")
        assert "paused" in screen.query_one(TitleBar).status
        (tmp_path / "more").touch()
        await until(pilot, lambda: len(screen._pending) == 5000)
        assert pane.lines[-1].number == 1500 and pane.current == pane.lines[-1]
        await until(pilot, lambda: "5,000 new lines; p goes on" in text_of(app, "#state"))
        await pilot.press("up", "m")
        assert pane.marks == {1499}
        await pilot.press("p")
        await until(pilot, lambda: pane.lines[-1].number == 6500)
        assert [line.number for line in pane.lines] == list(range(1, 6501))
        assert pane.follow and "running" in screen.query_one(TitleBar).status


async def test_a_flood_stays_within_bounds_and_keys_are_answered(make_app: MakeApp, flood: RunFolder) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        screen, pane = await watched(app, pilot, flood)
        await until(pilot, lambda: pane.dropped > 500)
        assert pane.total == MAX_LINES and len(screen._pending) <= MAX_LINES
        rows = pane.virtual_size
        last = pane.lines[-1].number
        await until(pilot, lambda: pane.lines[-1].number > last + 1000)
        assert pane.virtual_size == rows, "what is drawn is the rows alone"
        await pilot.press("up", "t")
        kept = pane.current
        assert kept is not None and kept.at is not None and not pane.follow
        assert pane.draw_row(pane.cursor_row, 60).text.split()[0] == f"{kept.at:.3f}"
        await pilot.press("f")
        assert pane.follow


async def test_a_reader_that_dies_is_said_and_the_run_goes_on(make_app: MakeApp, flood: RunFolder) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        screen, pane = await watched(app, pilot, flood)
        assert isinstance(screen._session, BesideViewer) and screen._session.child_pid is not None
        os.kill(screen._session.child_pid, signal.SIGKILL)
        await until(pilot, lambda: any("was killed" in note for note in notices(app)))
        assert pane.total and RunFolder.open(flood.path).state == "running"
        await pilot.press("escape", "escape", "escape")
        await on_screen(pilot, "HomeScreen")
        await watched(app, pilot, flood)


async def test_leaving_leaves_no_reader_behind(make_app: MakeApp, flood: RunFolder) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        screen, _ = await watched(app, pilot, flood)
        assert isinstance(screen._session, BesideViewer)
        pid = screen._session.child_pid
        assert pid is not None
        app.pop_screen()
        await until(pilot, lambda: not os.path.exists(f"/proc/{pid}"))
        assert RunFolder.open(flood.path).state == "running"
