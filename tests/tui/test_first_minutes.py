"""What somebody who never saw the dashboard stumbles over in the first minutes: prompts, words and keys that must help."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.widgets import Input

from ethosu_tui.tui import screens
from ethosu_tui.tui.screens.dialogs import AskScreen
from ethosu_tui.tui.screens.report import ReportScreen
from ethosu_tui.tui.screens.run_form import RunFormScreen
from ethosu_tui.tui.widgets.data_table import DataTable

from .conftest import MakeApp, on_screen, text_of, until


def test_the_styles_of_one_screen_touch_no_other() -> None:
    """Textual keeps the styles of each screen that was shown once: a bare `#said` would hide those of all others."""
    for file in Path(screens.__file__).parent.glob("*.tcss"):
        name = {"batch": "BatchScreen", "run_form": "RunFormScreen"}.get(file.stem, f"{file.stem.title()}Screen")
        rules = re.sub(r"/\*.*?\*/", "", file.read_text(), flags=re.DOTALL)
        selectors = [one.strip() for rule in re.findall(r"([^{}]+)\{", rules) for one in rule.split(",")]
        assert selectors and [one for one in selectors if not re.match(rf"{name}\b", one)] == [], file.name


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
        await pilot.press("escape", "x")
        await on_screen(pilot, "RunFormScreen")
        await until(pilot, lambda: bool(text_of(app, "#said")) and app.screen.query_one("#said").region.height > 1)


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
