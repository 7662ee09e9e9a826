"""What goes wrong is a notice that says what to do; nothing hostile in a name or a log is obeyed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethosu_tui.runners.runs.folder import list_runs
from ethosu_tui.tui import messages
from ethosu_tui.tui.screens.run_fields import Entered
from ethosu_tui.tui.screens.run_form import RunFormScreen
from ethosu_tui.tui.widgets.log_pane import LogPane

from ..runners import standin_fvp
from .conftest import MakeApp, notices, on_screen, text_of, until


async def test_bad_input_is_a_notice_and_the_app_goes_on(make_app: MakeApp, tmp_path: Path) -> None:
    empty, junk, folder = tmp_path / "empty.log", tmp_path / "junk.bin", tmp_path / "folder"
    empty.write_bytes(b"")
    junk.write_bytes(bytes(range(256)) * 64)
    folder.mkdir()
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        for path in (empty, junk, folder, tmp_path / "missing.log"):
            app.post_message(messages.OpenReport(str(path)))
            await until(pilot, lambda path=path: any(path.name in note for note in notices(app)))
            assert type(app.screen).__name__ == "HomeScreen"
        app.post_message(messages.ReplayLog(str(tmp_path / "missing.log")))
        await on_screen(pilot, "JobScreen")
        await until(pilot, lambda: "missing.log" in text_of(app, "#state"))


async def test_a_terminal_that_is_too_small_says_so_and_recovers(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(50, 12)) as pilot:
        await on_screen(pilot, "HomeScreen")
        notice = app.screen.query_one("TooSmall")
        await until(pilot, lambda: notice.display and notice.region.size == app.size)  # it covers all that does not fit
        assert "60x16" in str(notice.render())
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: not notice.display)


async def test_a_missing_simulator_is_a_notice_that_says_what_to_do(
    make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin")
    elf = standin_fvp.elf(tmp_path / "runner.elf")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(RunFormScreen(app.surroundings, Entered(artefact=str(elf))))
        await on_screen(pilot, "RunFormScreen")
        await pilot.press("r")
        await until(pilot, lambda: any("is not on PATH" in note and "EULA" in note for note in notices(app)))
        assert not list_runs(tmp_path / "runs")


async def test_no_escape_sequence_or_markup_of_a_name_or_a_log_is_obeyed(
    make_app: MakeApp, samples: Path, tmp_path: Path
) -> None:
    log = tmp_path / "[bold]x[b]\x1b[31m\x07.log"
    log.write_bytes(b"\x1b]0;title\x07[red]\x1b[2J" + (samples / "missing_op_softmax.log").read_bytes())
    app = make_app(log)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")

        def drawn() -> str:
            return "".join(segment.text for strip in app.screen._compositor.render_strips() for segment in strip)

        for key, said in (("1", "Status"), ("6", "Findings"), ("7", "[red]"), ("question_mark", "Help")):
            await pilot.press(key)
            if key == "7":  # the log of a failed run opens further down
                await until(pilot, lambda: any(pane.has_focus and pane.row_count for pane in app.screen.query(LogPane)))
                await pilot.press("home")
            await until(pilot, lambda said=said: said in drawn())  # type: ignore[misc]
            assert "\x1b" not in drawn() and "\x07" not in drawn()
            if key == "7":
                assert "[bold]x[b]" in drawn()
        app.post_message(messages.OpenReport(str(tmp_path / "\x1b[31mmissing\udcff.log")))
        await until(pilot, lambda: any("missing" in note for note in notices(app)))
        assert "\x1b" not in "".join(notices(app))
