"""What is left out for the sake of speed changes nothing: styles, pieces and rows are those that Textual itself makes."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.style import Style
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual._styles_cache import StylesCache
from textual.app import App
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from ethosu_tui.analysis.lines import Line
from ethosu_tui.tui.screens.overview import OverviewScreen
from ethosu_tui.tui.terminal.changes import _pieces
from ethosu_tui.tui.widgets.chrome import CommandLine
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.file_log_pane import FileLogPane
from ethosu_tui.tui.widgets.log_pane import LogPane
from ethosu_tui.tui.widgets.row_cursor import RowCursor

from ..log_windows import window_of
from .conftest import MakeApp, on_screen, until
from .test_log_reading import HEAD, Host, outputs
from .test_log_view import LOG, log_of

KEYS = (
    "slash", "s", "enter", "pagedown", "escape", "f", "down", "up", "m", "P", "right", "1", "3", "right", "s", "7", "t",
    "question_mark", "escape", "theme", "g", "escape",
)  # fmt: skip
LOOKED_AT = ("slash", "enter", "m", "s", "question_mark", "theme")
"""Keys after which all styles are compared."""
Cells = list[tuple[str, Style]]


def cells_of(strip: Strip) -> Cells:
    return [(char, seen(char, style or Style.null())) for text, style, _ in strip for char in text]


def seen(char: str, style: Style) -> Style:
    """Of a blank, no colour of letters is seen."""
    return style if char != " " or style.reverse or style.underline else Style(bgcolor=style.bgcolor)


class Terminal:
    """What stands in a terminal that is sent all updates of an app."""

    def __init__(self, app: App[None], monkeypatch: pytest.MonkeyPatch) -> None:
        self._rows: list[Cells] = []
        self.updates = 0
        display = app._display

        def take(screen: object, update: object) -> None:
            if isinstance(update, (ChopsUpdate, LayoutUpdate)):
                self._take(update, app.size.width)
            display(screen, update)  # type: ignore[arg-type]

        monkeypatch.setattr(app, "_display", take)

    def _take(self, update: ChopsUpdate | LayoutUpdate, width: int) -> None:
        self.updates += 1
        if isinstance(update, LayoutUpdate):
            self._rows = [cells_of(Strip.join(line))[:width] for line in update.strips]
            return
        for x, y, strip in _pieces(update):
            self._rows[y][x : x + strip.cell_length] = cells_of(strip)

    def differs(self, app: App[None]) -> list[int]:
        """The lines that are not what Textual draws of the screen at one go."""
        whole = [cells_of(strip) for strip in app.screen._compositor.render_strips()]
        return [y for y, line in enumerate(whole) if self._rows[y : y + 1] != [line]]


def textuals_rules(sheet: Stylesheet, node: DOMNode) -> tuple[object, dict[str, object]]:
    sheet.apply(node)
    return rules_of(node)


def rules_of(node: DOMNode) -> tuple[object, dict[str, object]]:
    parts: dict[str, object] = {name: dict(one.base._rules) for name, one in node._component_styles.items()}
    return dict(node.styles.base._rules), parts


async def test_frames_and_styles_are_those_that_textual_makes(
    make_app: MakeApp, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(samples / LOG)
    async with app.run_test(size=(100, 30)) as pilot:
        terminal = Terminal(app, monkeypatch)
        await log_of(app, pilot)
        sheet: Stylesheet | None = None
        for key in (*KEYS, "theme"):
            if key == "theme":
                app.theme = "textual-light"
            else:
                await pilot.press(key)
            await until(pilot, lambda: not terminal.differs(app))
            if key not in LOOKED_AT:
                continue
            if sheet is None or key == "theme" or len(sheet.source) != len(app.stylesheet.source):
                sheet = Stylesheet(variables=app.get_css_variables())
                sheet.source = app.stylesheet.source.copy()
                sheet.parse()
            for node in (app.screen, *app.screen.walk_children(Widget)):
                found = rules_of(node)
                assert found == textuals_rules(sheet, node), f"{node} after {key}"
            for pane in app.screen.query(RowCursor):
                if pane.display and pane.size:
                    whole = Region(0, 0, *pane.outer_size)
                    plain = StylesCache().render_widget(pane, whole)
                    ours = pane.render_lines(whole)
                    assert list(map(cells_of, ours)) == list(map(cells_of, plain)), f"{pane} after {key}"


def test_a_line_of_one_cell_characters_is_drawn_as_any_other() -> None:
    for number, length in enumerate((0, 1, 5, 15, 16, 17, 18, 40, 5000), 1):
        ascii_, other = "a" * length, "é" * length
        for x in (0, 3, 16):
            for level in ("I", "E"):
                drawn = []
                for text in (ascii_, other):
                    pane = LogPane()
                    pane._sight = (pane.scroll_offset.__class__(x, 0), 20)
                    pane._base = Style()
                    pane._styles = {part: Style(bold=True) for part in ("cursor", "number", "mark", "error")}
                    pane._lines = [Line(number, text, level, None, None, None, text, None, False, False)]
                    drawn.append(cells_of(pane.draw_row(0, 20)))
                assert [(char.replace("é", "a"), style) for char, style in drawn[1]] == drawn[0]
                assert len(drawn[0]) == 20


async def test_what_stands_behind_a_screen_draws_nothing(
    make_app: MakeApp, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(samples / LOG)
    async with app.run_test(size=(100, 30)) as pilot:
        await log_of(app, pilot)
        home = app.screen_stack[0]
        terminal = Terminal(app, monkeypatch)
        home.query_one(CommandLine).command = "another command"
        for table in home.query(DataTable):
            table.refresh()
        await pilot.pause(0.2)
        assert not terminal.updates and not home.is_current
        await pilot.press("question_mark")
        report = app.screen_stack[-2]
        assert report.is_current, "behind a dialog it is seen"
        before = terminal.updates
        report.query_one(CommandLine).command = "another command"
        await until(pilot, lambda: terminal.updates > before)
        await pilot.press("escape", "escape")
        await on_screen(pilot, "HomeScreen")
        await until(pilot, lambda: not terminal.differs(app), 15)


async def test_lines_that_come_below_what_is_seen_draw_no_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(HEAD + b"".join(b"line %d\n" % n for n in range(2, 2000)))
    window = window_of(path)
    pane = FileLogPane(window)
    async with Host(pane).run_test(size=(60, 12)) as pilot:
        await until(pilot, lambda: pane.row_count == window.total and pane.show_vertical_scrollbar)
        await pilot.press("pagedown")
        drawn: list[int] = []
        draw_row = FileLogPane.draw_row
        monkeypatch.setattr(FileLogPane, "draw_row", lambda self, y, width: drawn.append(y) or draw_row(self, y, width))
        with path.open("ab") as file:
            file.write(b"".join(b"more %d\n" % n for n in range(500)) + outputs(300) + b"end\n")
        longer = window_of(path)
        window._counts, window.total = longer._counts, longer.total
        window._spans.clear()
        await until(pilot, lambda: pane.row_count == longer.total - 299, 20)  # the dump is one row
        assert pane.virtual_size.height == pane.row_count
        assert pane.vertical_scrollbar.window_virtual_size == pane.row_count
        assert not drawn
        await pilot.press("end")
        assert pane.current is not None and pane.current.text == "end" and drawn


async def test_a_capture_that_nobody_looks_at_goes_on_being_counted(
    make_app: MakeApp, samples: Path, tmp_path: Path
) -> None:
    night = tmp_path / "night.log"
    night.write_bytes((samples / LOG).read_bytes() * 4000)
    app = make_app(night)
    async with app.run_test(size=(100, 30)) as pilot:
        await on_screen(pilot, "OverviewScreen")
        overview = app.screen
        assert isinstance(overview, OverviewScreen)
        await until(pilot, lambda: overview._counted > 0)
        await pilot.press("question_mark", "escape", "enter")
        await on_screen(pilot, "ReportScreen")
        await until(pilot, lambda: overview._over)
        await pilot.press("escape")
        await on_screen(pilot, "OverviewScreen")
        assert overview.query_one("#runs", DataTable).row_count == 4000 == overview._counted
        assert sum(overview._statuses.values()) == 4000
        assert overview._titles == overview.reading.rows.titles()
