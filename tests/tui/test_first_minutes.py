"""What somebody who never saw the dashboard stumbles over in the first minutes: prompts, words and keys that must help."""

from __future__ import annotations

import re
import time
import zipfile
from pathlib import Path

import pytest
from textual.widgets import Input, OptionList

from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.runners.runs.index import listed
from ethosu_tui.tui import screens
from ethosu_tui.tui.screens.dialogs import AskScreen
from ethosu_tui.tui.screens.home import HomeScreen
from ethosu_tui.tui.screens.home_news import RunsListed
from ethosu_tui.tui.screens.report import ReportScreen
from ethosu_tui.tui.screens.run_form import RunFormScreen
from ethosu_tui.tui.stored import stored_runs
from ethosu_tui.tui.widgets.chrome import TitleBar
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.log_pane import LogPane

from .conftest import MakeApp, notices, on_screen, text_of, until


def test_the_styles_of_one_screen_touch_no_other() -> None:
    """Textual keeps the styles of each screen that was shown once: a bare `#said` would hide those of all others."""
    for file in Path(screens.__file__).parent.glob("*.tcss"):
        rules = re.sub(r"/\*.*?\*/", "", file.read_text(), flags=re.DOTALL)
        selectors = [one.strip() for rule in re.findall(r"([^{}]+)\{", rules) for one in rule.split(",")]
        screens_of = {re.match(r"\w*Screen\b|", one)[0] for one in selectors}  # type: ignore[index]
        assert {one.removesuffix("Screen").lower() for one in screens_of} == {file.stem.replace("_", "")}, file.name


async def test_a_prompt_says_what_is_wrong_after_a_report_was_shown_too(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / "mnist_q.log")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        await pilot.press("escape")
        await on_screen(pilot, "HomeScreen")
        await pilot.press("o", *"nowhere/")
        await on_screen(pilot, "AskScreen")
        await pilot.press("enter")
        await until(pilot, lambda: "There is no nowhere" in text_of(app, "#said"))
        assert app.screen.query_one("#said").region.height == 1, "and it is to be seen"
        await pilot.press("escape", "r")
        await on_screen(pilot, "RunFormScreen")
        await until(pilot, lambda: bool(text_of(app, "#said")) and app.screen.query_one("#said").region.height > 1)


async def test_a_log_in_an_archive_opens_by_the_name_that_the_archive_told(
    make_app: MakeApp, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(tmp_path / "lab.zip", "w") as archive:
        archive.write(samples / "mnist_q.log", "a/uart.log")
    monkeypatch.chdir(tmp_path)
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o")
        await on_screen(pilot, "AskScreen")
        app.screen.query_one(Input).value = "lab.zip!a/uart.log"
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen", limit=15)


async def test_with_the_first_run_the_keys_go_from_the_samples_to_the_runs(make_app: MakeApp, tmp_path: Path) -> None:
    """The samples are hidden then, and the line below went on naming the one that the cursor had been on."""
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        home = app.screen
        assert isinstance(home, HomeScreen)
        await until(pilot, lambda: "bundleio_pass" in home.command)
        folder = RunFolder.create(tmp_path / "runs", "run", "net", on="fvp")
        folder.finish("passed")
        home.post_message(RunsListed(stored_runs(listed(tmp_path / "runs"), time.time()), None))
        await until(pilot, lambda: app.focused is not None and app.focused.id == "runs", limit=3)
        assert folder.path.name in home.command


async def test_home_says_that_the_workspace_cannot_be_read(make_app: MakeApp, tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("a file where the folder of runs should be")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: any(f"cannot read {tmp_path / 'runs'}" in notice for notice in notices(app)))


async def test_open_lists_files_completes_them_and_takes_a_part_of_a_name(
    make_app: MakeApp, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = tmp_path / "bench" / "logs"
    logs.mkdir(parents=True)
    for name in ("monday-a.log", "monday-b.log", ".hidden.log"):
        (logs / name).write_bytes((samples / "temp_small_topk.log").read_bytes())
    monkeypatch.chdir(tmp_path / "bench")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.screen.query_one("#samples", DataTable).row_count > 0)
        await pilot.press("o")
        await on_screen(pilot, "AskScreen")
        field, table = app.screen.query_one(Input), app.screen.query_one(DataTable)

        def listed() -> list[str]:
            return [row[0].text for row in table.table.rows]

        assert listed()[0] == "logs/" and "mnist_q.log" in listed(), "what is here, then what comes with the program"
        await pilot.press("l", "tab")
        await until(pilot, lambda: field.value == "logs/" and listed() == ["logs/monday-a.log", "logs/monday-b.log"])
        await pilot.press("tab")
        assert field.value == "logs/monday-" and field.has_focus, "as far as all agree"
        await pilot.press("tab")
        assert table.has_focus, "nothing more to complete: on to the list"
        await pilot.press("tab", *"b")
        await until(pilot, lambda: listed() == ["logs/monday-b.log"])
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen")
        assert isinstance(app.screen, ReportScreen) and app.screen.view.label == "monday-b"
        await pilot.press("escape", "o", *"hang", "enter")
        await until(pilot, lambda: isinstance(app.screen, ReportScreen) and app.screen.view.label == "hang_u55_no_npu")


async def test_what_is_typed_in_full_is_what_is_taken(make_app: MakeApp, tmp_path: Path) -> None:
    """`fvp` is a runner, and stands in the notes of three targets as well."""
    app = make_app(screen="run")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "RunFormScreen")
        await pilot.press("enter")
        await on_screen(pilot, "AskScreen")
        await pilot.press(*"corstone-320", "enter")
        await on_screen(pilot, "RunFormScreen")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, AskScreen))
        await pilot.press(*"fvp", "enter")
        await until(pilot, lambda: isinstance(app.screen, RunFormScreen))
        assert app.screen.query_one(DataTable).table.rows[0][1].text == "fvp"


async def test_escape_drops_a_filter_before_it_leaves(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / "mnist_q.log")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        table = app.screen.focused
        assert isinstance(table, DataTable)
        every = table.row_count
        await pilot.press("slash", *"pool", "enter")
        await until(pilot, lambda: 0 < table.row_count < every and table.has_focus)
        await pilot.press("escape")
        assert isinstance(app.screen, ReportScreen) and table.row_count == every, "the filter first"
        await pilot.press("escape")
        await on_screen(pilot, "HomeScreen")


async def test_a_form_that_cannot_start_says_why_when_it_is_asked_to(make_app: MakeApp) -> None:
    app = make_app(screen="run")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "RunFormScreen")
        await pilot.press("r")
        assert any("Give the runner's ELF, or a .pte." in said for said in notices(app))
        await pilot.press("g", "c")
        await on_screen(pilot, "CompileScreen")
        app.clear_notifications()
        await pilot.press("space", "c")  # the one target is turned off
        await until(pilot, lambda: any("choose at least one target" in said for said in notices(app)))


async def test_the_palette_finds_what_the_keys_of_the_screen_do(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / "mnist_q.log")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        await pilot.press("question_mark")
        await on_screen(pilot, "HelpScreen")
        keys = [row[0].text for row in app.screen.query_one(DataTable).table.rows]
        assert "1-9" in keys and "super+c" not in keys
        await pilot.press("escape", "ctrl+p", *"export")
        options = app.screen.query_one(OptionList)
        await until(pilot, lambda: options.option_count == 1)
        await pilot.press("enter")
        await on_screen(pilot, "ExportScreen")


async def test_a_log_that_grows_is_said_and_read_again_by_a_key(
    make_app: MakeApp, samples: Path, tmp_path: Path
) -> None:
    whole = (samples / "mnist_q.log").read_bytes()
    log = tmp_path / "console.log"
    log.write_bytes(whole[:700])
    app = make_app(log)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        report = app.screen
        assert isinstance(report, ReportScreen) and report.view.status == "truncated"
        await pilot.press("7", "G")
        pane = report.query_one(LogPane)
        await until(pilot, lambda: pane.current is not None and report._seen is not None)
        assert pane.current is not None
        number = pane.current.number
        with log.open("ab") as file:
            file.write(whole[700:])
        await until(pilot, lambda: "f5 reads it" in report.query_one(TitleBar).status)
        await pilot.press("f5")
        await until(pilot, lambda: report.view.status == "passed" and pane.row_count > number)
        assert report.tab == "Log" and "f5" not in report.query_one(TitleBar).status
        assert pane.current is not None and pane.current.number == number, "the cursor stays on its line"
        log.unlink()
        await pilot.press("f5")
        await until(pilot, lambda: bool(notices(app)))
        assert report.view.status == "passed", "what was read stays"
