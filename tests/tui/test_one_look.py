"""What is the same on every screen: what a key does, how wide a window is, in which colours a plot stands, what a column keeps."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import pytest
from textual.binding import Binding
from textual.color import Color
from textual.widget import Widget

from ethosu_tui.tui import screens, widgets
from ethosu_tui.tui.app import build_app
from ethosu_tui.tui.screens.batch import BatchScreen
from ethosu_tui.tui.widgets.data_table import DataTable

from .conftest import MakeApp, on_screen, until
from .gallery import SCENES, app_on, store
from .sweeps import Sweep, whole_space

VERBS = {
    "v": {"compare"},
    "r": {"start", "run", "app.page('run')"},
    "R": {"replay"},
    "x": {"stop"},
    "X": {"stop_all"},
    "s": {"sort"},
    "w": {"export"},
    "y": {"copy_command", "copy"},
    "Y": {"copy_shown", "copy_fix"},
    "V": {"show_in_pager"},
    "f4": {"edit_log"},
    "C": {"columns"},
}
"""What a key does wherever it does something."""


def test_what_a_key_does_to_runs_tables_and_texts_it_does_on_every_screen() -> None:
    for package in (screens, widgets):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    found: dict[str, set[str]] = {}
    told: list[str] = []
    todo: list[type] = [Widget]
    while todo:
        one = todo.pop()
        todo += one.__subclasses__()
        if one.__module__.startswith("ethosu_tui.tui."):
            for binding in Binding.make_bindings(vars(one).get("BINDINGS", ())):
                found.setdefault(binding.key, set()).add(binding.action)
                told.append(binding.tooltip)
    assert {key: found[key] for key in VERBS} == VERBS
    assert not [text for text in told if len(text) > 64], "the help of a screen cuts nothing in eighty columns"


@pytest.mark.parametrize("scene", ["open", "help", "model", "place"])
async def test_a_window_in_a_narrow_terminal_leaves_no_letters_at_its_sides(tmp_path: Path, scene: str) -> None:
    root = tmp_path / "runs"
    store(root)
    app = app_on(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        await SCENES[scene](pilot, tmp_path)
        assert app.screen.is_modal and app.screen.children[0].region.width == 80
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: app.screen.children[0].region.width in range(70, 101))


@pytest.mark.parametrize("theme", ["textual-light", "textual-dark"])
async def test_the_points_of_a_plot_have_colours_that_stand_out(make_app: MakeApp, theme: str) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = BatchScreen(batch := Sweep(points := whole_space(), len(points)), points, "net.py", "")  # type: ignore[arg-type]
        batch.stop()
        app.theme = "textual-light" if theme == "textual-dark" else "textual-dark"
        app.push_screen(screen)
        await on_screen(pilot, "BatchScreen")
        await until(pilot, lambda: screen._over)
        await pilot.press("p")
        app.theme = theme  # the plot that is drawn already follows
        from ethosu_tui.tui.widgets.text_plot import TextPlot

        plot = screen.query_one(TextPlot)
        await until(pilot, lambda: plot.size.height > 5)  # as many lines as tell something, at 80x24

        def ratios() -> list[float]:
            ground = _luminance(Color.parse(app.theme_variables["background"]))
            seen = {
                segment.style.color.get_truecolor()
                for y in range(plot.size.height)
                for segment in plot.render_line(y)
                if segment.style and segment.style.color and "●" in segment.text
            }
            pairs = (sorted((_luminance(Color(*colour)), ground)) for colour in seen)
            return [(light + 0.05) / (dark + 0.05) for dark, light in pairs]

        await until(pilot, lambda: bool(ratios()) and min(ratios()) >= 4.5)


def _luminance(colour: Color) -> float:
    parts = [c / 12.92 if (c := v / 255) <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for v in colour.rgb]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


async def test_a_sweep_in_eighty_columns_cuts_no_heading(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = BatchScreen(batch := Sweep(points := whole_space(), len(points)), points, "net.py", "")  # type: ignore[arg-type]
        batch.stop()
        app.push_screen(screen)
        await on_screen(pilot, "BatchScreen")
        await until(pilot, lambda: screen._over)
        table = screen.query_one("#queue", DataTable)
        await until(pilot, lambda: "Pareto" in table.render_line(0).text)
        assert "…" not in table.render_line(0).text and " Config " in table.render_line(0).text
        await pilot.resize_terminal(140, 40)
        await until(pilot, lambda: "System config" in table.render_line(0).text)


async def test_light_is_the_light_theme(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        app.action_change_theme()
        await on_screen(pilot, "AskScreen")
        await pilot.press(*"light", "enter")
        await until(pilot, lambda: app.theme == "textual-light")
        app.action_change_theme()
        await on_screen(pilot, "AskScreen")
        assert app.screen.query_one("Input").value == "light"  # type: ignore[attr-defined]
        await pilot.press(*"dracula", "enter")
        await until(pilot, lambda: app.theme == "dracula")


async def test_a_damaged_program_is_no_log_and_the_message_says_what_to_do(tmp_path: Path) -> None:
    program = tmp_path / "net.pte"
    program.write_bytes(b"\x1c\0\0\0ET12" + bytes(range(256)) * 4)
    app = build_app(root=tmp_path / "runs")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        from ethosu_tui.tui.messages import OpenReport

        app.post_message(OpenReport(str(program)))
        await until(
            pilot,
            lambda: any("compile it again, or copy the whole file" in note.message for note in app._notifications),
            30,
        )
