"""Names that somebody else gave, and texts that were pasted, in every place where they are typed, shown or copied."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.tui.screens.paths import PathSuggester, check_model, check_readable
from ethosu_tui.tui.widgets.data_table import DataTable

from .conftest import MakeApp, on_screen, text_of, until
from .pseudo_terminal import PseudoTerminal, dashboard, surroundings

NAME = os.fsdecode(b"a\xff\x1b[201~\nid\n\xe2\x80\xae.log")
NO_PATHS = ("~nobody-of-this-name/x", "a\0b", "x" * 5000, "/a" * 5000, "*", "\ud800")


@pytest.mark.parametrize("text", NO_PATHS)
async def test_what_is_no_path_is_said_and_completes_nothing(text: str) -> None:
    assert (check_readable(text) or "").startswith("There is no ")
    assert (check_model(f"{text}.py", ()) or "").startswith("There is no file ")
    assert await PathSuggester().get_suggestion(text) is None


async def test_a_name_that_a_terminal_would_obey_is_not_completed(tmp_path: Path) -> None:
    (tmp_path / NAME).touch()
    (tmp_path / "a.log").touch()
    assert await PathSuggester().get_suggestion(f"{tmp_path}/a") == str(tmp_path / "a.log")
    (tmp_path / "a.log").unlink()
    assert await PathSuggester().get_suggestion(f"{tmp_path}/") is None


async def test_a_home_of_nobody_in_the_dialog_ends_nothing(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        await pilot.press("o", *"~nobody-of-this-name/x", "enter")
        await until(pilot, lambda: "There is no ~nobody-of" in text_of(app, "#said"))


async def test_what_is_pasted_into_a_line_is_shown_without_what_is_invisible(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        await pilot.press("o")
        field = app.screen.query_one(Input)
        field.post_message(events.Paste("a\u202e\x1b]52;c;AA\x07\u200bb\nc"))
        await until(pilot, lambda: field.value == "ab")
        assert not field.cursor_blink, "each blink is bytes"


async def test_the_copied_command_of_an_odd_name_is_that_name_and_nothing_to_obey(
    make_app: MakeApp, samples: Path, tmp_path: Path
) -> None:
    log = tmp_path / NAME
    shutil.copy(samples / "mnist_q.log", log)
    app = make_app(log)
    copied = tmp_path / "runs" / "copied.txt"
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        await until(pilot, lambda: isinstance(app.screen.focused, DataTable))
        await pilot.press("y")
        await until(pilot, copied.exists)
    text = copied.read_text()
    assert text.isprintable()
    if shutil.which("bash"):
        said = subprocess.run(["bash", "-c", f"printf %s {text.split(' ', 2)[2]}"], capture_output=True, check=True)
        assert said.stdout == os.fsencode(log)
    else:
        assert shlex.split(text)[:2] == ["ethosu-tui", "analyze"]


async def test_a_run_folder_whose_name_is_no_text_hides_no_other(make_app: MakeApp, tmp_path: Path) -> None:
    root = tmp_path / "runs"
    for label in ("one", "two"):
        RunFolder.create(root, "run", label).finish("passed")
    os.rename(next(root.glob("*-two")), os.fsencode(root) + b"/\xff\x1b[31m")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(app.screen.query_one("#runs", DataTable).table.rows) == 2)


def test_what_never_answers_keeps_nobody_from_leaving(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with PseudoTerminal(dashboard("open", str(pipe)), surroundings(tmp_path / "home")) as terminal:
        terminal.wait(b"Reading")
        terminal.send(b"q")
        assert terminal.wait_ended() == 0
        assert terminal.left_on() == []
