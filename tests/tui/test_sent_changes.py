"""The terminal is sent what differs from what it shows, and then shows what it would show had it been sent all."""

from __future__ import annotations

import gc
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from ethosu_tui.analysis.splitter import LineSplitter
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.tui.terminal.changes import OnTerminal
from ethosu_tui.tui.terminal.garbage import USUALLY
from ethosu_tui.tui.widgets import log_lines
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.log_pane import LogPane

from .conftest import MakeApp, on_screen, until
from .terminal import Terminal, dashboard, environment
from .test_live import asked, watched  # noqa: F401
from .test_log_reading import Host
from .test_log_view import LOG, log_of

WIDTH, HEIGHT = 24, 3
STYLES = (Style(color="red"), Style(color="red"), Style(bold=True), Style())
CONSOLE = Console(width=WIDTH, color_system="truecolor", force_terminal=True)
_SENT = re.compile(r"\x1b\[(?P<row>\d+);(?P<column>\d+)H|\x1b\[(?P<style>[\d;]*)m|(?P<end>\n)|(?P<text>[^\x1b\n])")
_texts = st.text(alphabet="ab  語e\u0301█", min_size=0, max_size=WIDTH)


class Emulated:
    """As much of a terminal as these updates need."""

    def __init__(self) -> None:
        self.cells = [[("?", "")] * WIDTH for _ in range(HEIGHT)]

    def take(self, sent: str) -> None:
        x = y = 0
        style = ""
        for part in _SENT.finditer(sent):
            if part["row"]:
                y, x = int(part["row"]) - 1, int(part["column"]) - 1
            elif part["style"] is not None:
                style = part["style"] if part["style"] not in ("", "0") else ""
            elif part["text"] and cell_len(part["text"]):
                for i in range(cell_len(part["text"])):
                    self.cells[y][x + i] = (part["text"] if not i else "", style)
                x += cell_len(part["text"])
            elif part["text"]:
                self.cells[y][x - 1] = (self.cells[y][x - 1][0] + part["text"], self.cells[y][x - 1][1])


@st.composite
def updates(draw: st.DrawFn) -> ChopsUpdate | LayoutUpdate:
    """Rows of two pieces each, of which some are drawn."""
    cut = draw(st.integers(2, WIDTH - 2))
    chops = []
    for _ in range(HEIGHT):
        pieces = []
        for width in (cut, WIDTH - cut):
            segments = [Segment(draw(_texts), draw(st.sampled_from(STYLES))) for _ in range(2)]
            pieces.append(Strip([s for s in segments if s.text]).adjust_cell_length(width, STYLES[-1]))
        chops.append(pieces)
    if draw(st.integers(0, 4)) == 0:
        return LayoutUpdate([*chops], Region(0, 0, WIDTH, HEIGHT))
    rows = draw(st.lists(st.integers(0, HEIGHT - 1), min_size=1, unique=True))
    spans = [(y, *draw(st.sampled_from([(0, cut), (cut, WIDTH), (0, WIDTH)]))) for y in sorted(rows)]
    return ChopsUpdate([{0: a, cut: b} for a, b in chops], spans, [[cut, WIDTH]] * HEIGHT)


@settings(max_examples=40)
@given(st.lists(updates(), min_size=1, max_size=6))
def test_a_terminal_that_is_sent_changes_shows_what_one_shows_that_is_sent_all(
    drawn: list[ChopsUpdate | LayoutUpdate],
) -> None:
    on_terminal, ours, other = OnTerminal(), Emulated(), Emulated()
    for update in drawn:
        ours.take(on_terminal.changes(update, (WIDTH, HEIGHT), CONSOLE))
        other.take(update.render_segments(CONSOLE))
        assert ours.cells == other.cells


def test_what_stands_there_is_not_sent_and_of_a_row_only_what_differs() -> None:
    on_terminal = OnTerminal()

    def sent(text: str, size: tuple[int, int] = (WIDTH, HEIGHT)) -> str:
        strip = Strip([Segment(text.ljust(WIDTH), STYLES[0])])
        update = ChopsUpdate([{0: strip}] * HEIGHT, [(1, 0, WIDTH)], [[WIDTH]] * HEIGHT)
        return on_terminal.changes(update, size, CONSOLE)

    assert "step 17" in sent("step 17")
    assert sent("step 17") == ""
    assert re.sub(r"\x1b\[[\d;]*m", "", sent("step 18")) == "\x1b[2;7H8"
    assert "step 18" in sent("step 18", (WIDTH, HEIGHT + 1)), "another size: nothing is known"
    wide = sent("語語")
    assert wide and sent("語語") == wide, "terminals differ on the width of such, so it is always sent"


def test_in_a_real_terminal_the_screen_is_what_a_whole_repaint_makes_of_it(tmp_path: Path, samples: Path) -> None:
    log = tmp_path / "a.log"
    log.write_bytes((samples / LOG).read_bytes() + "模型執行完成 é 🙂 e\u0301\n".encode() * 3)
    with Terminal(dashboard(str(log)), environment(tmp_path), size=(100, 30)) as terminal:
        terminal.wait("Findings")
        terminal.press("7")
        terminal.wait("Missing operator")
        terminal.press("Down", "Down", "/", *"soft", "Enter", "n", "PageDown", "f", "Down", "f", "End", "Up", "m")
        terminal.wait("模型執行完成")
        before = settled(terminal)
        terminal._tmux("resize-window", "-x", "101", "-y", "30")
        settled(terminal)
        terminal._tmux("resize-window", "-x", "100", "-y", "30")
        terminal.wait("模型執行完成")
        assert settled(terminal) == before


def settled(terminal: Terminal) -> str:
    """The screen, when it stays as it is."""
    before, screen = "", terminal.screen
    while screen != before:
        time.sleep(0.5)
        before, screen = screen, terminal.screen
    return screen


async def test_the_focus_redraws_no_row_of_a_log(
    make_app: MakeApp, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(samples / LOG)
    async with app.run_test(size=(100, 30)) as pilot:
        _, pane = await log_of(app, pilot)
        drawn: list[int] = []
        draw_row = LogPane.draw_row
        monkeypatch.setattr(LogPane, "draw_row", lambda self, y, width: drawn.append(y) or draw_row(self, y, width))
        frames = [str(pane.render_lines(Region(0, 0, 100, 1))[0])]
        await pilot.press("slash")
        await until(pilot, lambda: not pane.has_focus)
        frames.append(str(pane.render_lines(Region(0, 0, 100, 1))[0]))
        await pilot.press("enter")
        await until(pilot, lambda: pane.has_focus)
        frames.append(str(pane.render_lines(Region(0, 0, 100, 1))[0]))
        assert frames[0] == frames[2] != frames[1], "its frame tells who has the focus"
        assert not drawn


async def test_the_focus_shows_in_the_cursor_of_a_table_and_redraws_that_row_alone(
    make_app: MakeApp, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(samples / LOG)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        await pilot.press("1")
        await until(pilot, lambda: isinstance(app.screen.focused, DataTable) and bool(app.screen.focused.row_count))
        table = app.screen.focused
        assert isinstance(table, DataTable) and table.row_count > 3
        cursor = table.cursor_row
        before = table.row_strip(cursor, 60)
        drawn: list[int] = []
        draw_row = DataTable.draw_row
        monkeypatch.setattr(DataTable, "draw_row", lambda self, y, width: drawn.append(y) or draw_row(self, y, width))
        await pilot.press("slash")
        await until(pilot, lambda: not table.has_focus)
        assert list(table.row_strip(cursor, 60)) != list(before)
        assert set(drawn) <= {cursor, table.top + cursor}


async def test_keys_go_before_new_lines_but_not_for_ever(make_app: MakeApp, asked: RunFolder, tmp_path: Path) -> None:  # noqa: F811
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        screen, pane = await watched(app, pilot, asked)
        await until(pilot, lambda: pane.lines[-1].number == 1500)
        soon = float("inf")
        app.newest_key, screen._drawn = soon, soon  # a key has just come, and the log was just drawn
        (tmp_path / "more").touch()
        await until(pilot, lambda: len(screen._pending) == 5000)
        assert pane.lines[-1].number == 1500
        screen._drawn = 0.0  # keys come without end
        await until(pilot, lambda: pane.lines[-1].number == 6500)


async def test_looking_for_garbage_is_rare_also_while_a_run_is_watched(make_app: MakeApp, asked: RunFolder) -> None:  # noqa: F811
    before = gc.get_threshold()
    app = make_app()
    try:
        async with app.run_test(size=(100, 30)) as pilot:
            screen, _ = await watched(app, pilot, asked)
            assert gc.get_freeze_count() and gc.get_threshold() == USUALLY
            app.pop_screen()
            await until(pilot, lambda: not screen.is_attached)
            assert not gc.get_freeze_count() and gc.get_threshold() == USUALLY
    finally:
        gc.set_threshold(*before)


async def test_the_width_of_plain_lines_is_not_measured_by_character(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[str] = []
    monkeypatch.setattr(log_lines, "cell_len", lambda text: measured.append(text) or cell_len(text))
    pane = LogPane()
    async with Host(pane).run_test(size=(60, 12)):
        splitter = LineSplitter()
        pane.append(splitter.feed(b"".join(b"line %04d\n" % i for i in range(1000))))
        assert len(measured) == 1
        pane.append(splitter.feed("語語語語語語\n".encode()))
        assert pane._widest == 12 and len(measured) == 2
