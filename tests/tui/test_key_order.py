"""Keys that are typed ahead: a burst of them, all there before the first has done what it does."""

from __future__ import annotations

from pathlib import Path

from textual import events
from textual.widgets import Input

from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.tui.app import EthosuApp
from ethosu_tui.tui.widgets.chrome import FilterBar
from ethosu_tui.tui.widgets.data_table import DataTable

from .conftest import MakeApp, on_screen, until

NAMED = {" ": "space", "/": "slash", "?": "question_mark", ".": "full_stop"}


def typed(app: EthosuApp, *keys: str) -> None:
    """All at once; a word is typed letter by letter."""
    for key in keys:
        for one in [key] if key in ("escape", "enter", "tab", "down") else list(key):
            app.post_message(events.Key(NAMED.get(one, one), one if len(one) == 1 else None))


async def test_a_word_behind_the_filter_key_is_its_text_and_no_commands(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        table = app.screen.query_one("#samples", DataTable)
        await until(pilot, lambda: table.row_count > 2 and app.focused is not None)
        table.focus()
        await until(pilot, lambda: table.has_focus)
        typed(app, "/", "mobilenet", "enter", "down")  # "m", "o", "n" would be commands of this screen
        await until(pilot, lambda: table.has_focus and table.row_count == 1)
        assert app.screen.query_one(FilterBar).value == "mobilenet"
        assert type(app.screen).__name__ == "HomeScreen"


async def test_keys_for_screens_that_come_and_go_find_them(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        typed(app, "gt", "?", "escape", "escape", "?", "escape", "gc", "?")
        expected = ["HomeScreen", "CompileScreen", "HelpScreen"]  # others come and go before
        await until(pilot, lambda: [type(screen).__name__ for screen in app.screen_stack] == expected)


async def test_a_path_behind_the_key_of_a_dialog_stands_in_it(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        typed(app, "o", "/nowhere/at.all")
        await until(pilot, lambda: isinstance(app.focused, Input) and app.focused.value == "/nowhere/at.all")


async def test_the_choice_of_columns_takes_the_keys_behind_its_own(make_app: MakeApp, tmp_path: Path) -> None:
    RunFolder.create(tmp_path / "runs", "run", "one").finish("passed")
    app = make_app()
    async with app.run_test(size=(120, 30)) as pilot:
        runs = app.screen.query_one("#runs", DataTable)
        await until(pilot, lambda: runs.row_count == 1 and runs.has_focus)
        names = [column.name for column in runs.table.columns]
        typed(app, "C", "down", " ", "enter", "/")
        await until(pilot, lambda: isinstance(app.focused, FilterBar))
        assert [column.name for column in runs.table.columns] == [name for name in names if name != "Target"]
        assert not runs.marks, "the space was for the list of columns"


async def test_a_widget_that_is_gone_keeps_no_key(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        gone = Input(id="gone")
        await app.screen.mount(gone)
        gone.focus()
        await until(pilot, lambda: gone.has_focus)
        typed(app, "x")
        gone.remove()
        typed(app, "gt")
        await on_screen(pilot, "TargetsScreen")


async def test_ctrl_c_waits_for_nothing(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        typed(app, "jk" * 300)
        app.post_message(events.Key("ctrl+c", None))
        await until(pilot, lambda: not app._running or app._exit)
        assert len(app._early) > 100
