"""What is asked for while something else is still coming or going: neither is lost, and nothing ends the app."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ethosu_tui.runners.compile.batch import batch_of
from ethosu_tui.runners.compile.compiler import CompileOptions
from ethosu_tui.runners.compile.points import CompilePoint
from ethosu_tui.runners.reading.inputs import load
from ethosu_tui.tui import messages
from ethosu_tui.tui.palette import Palette
from ethosu_tui.tui.screens.targets import TargetsScreen

from .conftest import MakeApp, notices, on_screen, until


async def test_the_palette_while_a_report_is_read(make_app: MakeApp, samples: Path) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await on_screen(pilot, "HomeScreen")
        await pilot.press("colon")
        await until(pilot, lambda: Palette.is_open(app))
        app.post_message(messages.OpenReport(str(samples / "mnist_q.log")))
        await on_screen(pilot, "ReportScreen")
        assert not any(isinstance(screen, Palette) for screen in app.screen_stack), "nothing waits below it"
        await pilot.press("colon")
        await until(pilot, lambda: Palette.is_open(app))
        await pilot.press("escape")
        await on_screen(pilot, "ReportScreen")


async def test_the_palette_again_while_the_last_one_goes(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await on_screen(pilot, "HomeScreen")
        await pilot.press(*["colon", "escape"] * 10, "colon")
        await until(pilot, lambda: Palette.is_open(app))
        await pilot.press("escape")
        await on_screen(pilot, "HomeScreen")


@pytest.mark.parametrize("steps", [0, 1, 2, 5])
async def test_a_report_that_comes_just_when_the_palette_does(make_app: MakeApp, samples: Path, steps: int) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await on_screen(pilot, "HomeScreen")
        loaded = messages.InputsLoaded((load(str(samples / "softmax.log")),), (), False, False)
        app.action_command_palette()
        for _ in range(steps):
            await asyncio.sleep(0)
        app._show_loaded(loaded)
        await on_screen(pilot, "ReportScreen")
        assert [type(screen).__name__ for screen in app.screen_stack][-2:] == ["HomeScreen", "ReportScreen"]


async def test_a_compile_that_was_checked_while_the_palette_came(
    make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ethosu_tui.tui.screens.batch.BatchScreen", lambda *_: TargetsScreen())  # compiles nothing
    options = CompileOptions(model="bundled:mnist")
    points = (CompilePoint(target="ethos-u55-128"),)
    asked = messages.StartCompile(options, points, "ethosu-tui compile bundled:mnist")
    app = make_app(screen="compile")
    async with app.run_test(size=(100, 30)) as pilot:
        await on_screen(pilot, "CompileScreen")
        await pilot.press("ctrl+p")
        await until(pilot, lambda: Palette.is_open(app))
        app.post_message(messages.CompileChecked(batch_of(options, points, tmp_path / "runs"), asked))
        await on_screen(pilot, "TargetsScreen")
        assert [type(screen).__name__ for screen in app.screen_stack][-2:] == ["CompileScreen", "TargetsScreen"]


async def test_a_search_that_ends_behind_its_palette_ends_nothing_else(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await on_screen(pilot, "HomeScreen")
        await pilot.press("colon")
        await until(pilot, lambda: bool(app.screen.query("CommandList")))
        palette = app.screen
        assert isinstance(palette, Palette)
        await palette.query_one("CommandList").remove()
        palette._gather_commands("theme")  # what a key does that comes while it goes
        await pilot.pause()
        await pilot.press("escape")
        await on_screen(pilot, "HomeScreen")
        assert not notices(app)
