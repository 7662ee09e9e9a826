"""Floods of keys, storms of sizes, pastes, clicks, hostile text and things that vanish: nothing crashes, nothing blocks."""

from __future__ import annotations

import random
import shutil
import unicodedata
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from ethosu_tui.tui import messages
from ethosu_tui.tui.app import EthosuApp
from ethosu_tui.tui.screens.pasted import pasted_paths
from ethosu_tui.tui.screens.report import ReportScreen
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.tab_line import TabLine

from .conftest import MakeApp, notices, on_screen, until
from .gallery import SCENES, app_on, store
from .pseudo_terminal import PseudoTerminal, dashboard, surroundings

SMALL = ((1, 1), (20, 5), (60, 16), (200, 60))
ALIKE = ("model", "report-3", "report-4", "report-5", "report-6")
"""Scenes laid out as others that are tried."""
HOSTILE = (
    "\x1b]52;c;ZXZpbA==\x07", "\x1b[2J\x1b[31mred", "\u202eevil\u202c \u2066x", "模型 测试", "e\u0301\u0301" * 50,
    "👩‍🚀 🏳️‍🌈", "\x9b31m", "a\tb\x08\x08c", "\u200b\u200f\ufeff", "[bold]m[/]", "x" * 1_000_000, "字" * 200_000, "\x01\x7f",
)  # fmt: skip


def _lines(app: EthosuApp) -> list[str]:
    return ["".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips()]


def _sound(app: EthosuApp, where: str) -> None:
    """What is drawn fills the lines exactly, and holds nothing that a terminal would obey."""
    for number, line in enumerate(_lines(app)):
        odd = {hex(ord(c)) for c in set(line) if unicodedata.category(c) in ("Cc", "Cf", "Cs")}
        assert not odd, f"{where}, line {number}"
        assert cell_len(line) == app.size.width, f"{where}, line {number}: {line!r:.200}"


@pytest.mark.parametrize("part", range(3))
async def test_every_screen_in_every_size(tmp_path: Path, part: int) -> None:
    store(tmp_path / "runs")
    app = app_on(tmp_path / "runs")
    async with app.run_test(size=(80, 24)) as pilot:
        for name in [name for name in SCENES if name not in ALIKE][part::3]:
            await on_screen(pilot, "HomeScreen")
            await SCENES[name](pilot, tmp_path)
            for width, height in SMALL:
                await pilot.resize_terminal(width, height)
                await until(pilot, lambda: app.screen.size == (width, height), 30)  # noqa: B023
                _sound(app, f"{name} in {width}x{height}")
                shown = " ".join(_lines(app))
                modal = app.screen.is_modal
                if width < 60 or height < 16:
                    assert modal or width < 20 or "q quits" in shown or "press q" in shown, name
                elif not modal and name != "log-filter":
                    assert shown.rstrip().endswith("? Help"), f"the keys of {name} in {width}x{height}"
                if modal and name != "palette":
                    box = app.screen.children[0].region
                    assert width < 20 or box in app.screen.region, f"{name} in {width}x{height}"
            await pilot.resize_terminal(80, 24)
            await _home_again(app, pilot)


async def _home_again(app: EthosuApp, pilot: Pilot[None]) -> None:
    """Back as people go."""
    app.clear_notifications()
    for _ in range(8):
        if len(app.screen_stack) == 1:
            return
        await pilot.press("escape")
        await pilot.pause()
    raise AssertionError(f"escape does not leave {app.screen!r}")


async def test_hostile_text_goes_through_every_tab(make_app: MakeApp, samples: Path, tmp_path: Path) -> None:
    log = tmp_path / "hostile.log"
    written = []
    for place, line in enumerate((samples / "missing_op_softmax.log").read_bytes().split(b"\n")):
        odd = HOSTILE[place % len(HOSTILE)].encode()
        written += [line, odd, b"E [executorch:method.cpp:822] " + odd]
    log.write_bytes(b"\n".join([*written, b"\xff\xfe\x80"])[:4_000_000])
    app = make_app(log)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        await app.workers.wait_for_complete()
        for tab in range(len(app.screen.query_one(TabLine).names)):
            await pilot.press(str(tab + 1))
            for key in ("down", "right", "end", "up", "right", "home", "pagedown"):
                await pilot.press(key)
                _sound(app, f"tab {tab + 1}, {key}")
        await pilot.press("slash", *"evil", "enter", "question_mark")
        _sound(app, "help")


async def test_a_run_that_vanishes_while_it_is_shown(tmp_path: Path, samples: Path) -> None:
    from ethosu_tui.runners.runs.folder import RunFolder

    root = tmp_path / "runs"
    folder = RunFolder.create(root, "run", "softmax on ethos-u55-128", target="ethos-u55-128")
    shutil.copy(samples / "softmax.log", folder.path / "console.log")
    folder.finish("passed")
    app = app_on(root)
    async with app.run_test(size=(80, 24)) as pilot:
        runs = app.screen.query_one("#runs", DataTable)
        await until(pilot, lambda: bool(runs.table.rows))
        app.post_message(messages.OpenReport(str(folder.path)))
        await until(pilot, lambda: isinstance(app.screen, ReportScreen) or bool(notices(app)))
        shutil.rmtree(root)
        for key in ("1", "2", "7", "e", "down", "r", "escape", "escape"):
            await pilot.press(key)
            await pilot.pause()
        await _home_again(app, pilot)
        app.clear_notifications()
        runs.focus()
        await pilot.press("enter")
        await until(pilot, lambda: bool(notices(app)) or not runs.table.rows)
        assert not runs.table.rows or folder.id in " ".join(notices(app)), "it is said, or the row has gone by itself"
        await pilot.press("escape", "f5")
        await until(pilot, lambda: not runs.table.rows)


async def test_a_pasted_path_is_opened_and_other_text_is_not_taken_for_keys(make_app: MakeApp, samples: Path) -> None:
    from textual import events

    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        app.post_message(events.Paste("qcx\x1b[31m nothing of this name\n" * 10_000))
        await until(pilot, lambda: any("No file of this name" in note for note in notices(app)))
        assert type(app.screen).__name__ == "HomeScreen" and "\x1b" not in "".join(notices(app))
        app.post_message(events.Paste(f"'{samples / 'mnist_q.log'}' "))
        await on_screen(pilot, "ReportScreen")
        app.post_message(events.Paste(f"{samples / 'mnist_q.log'}\n{samples / 'dbg_mnist.log'}\n"))
        await on_screen(pilot, "CompareScreen")


def test_paths_as_terminals_paste_them(tmp_path: Path) -> None:
    odd, plain = tmp_path / "it's a log.log", tmp_path / "b.log"
    odd.touch()
    plain.touch()
    for text in (
        str(odd),
        f'"{odd}"',
        f"{odd}\n",
        str(odd).replace("'", "\\'").replace(" ", "\\ "),
        f"file://{odd}".replace(" ", "%20"),
    ):
        assert pasted_paths(text) == [str(odd)], text
    assert pasted_paths(f"{plain} {plain}") == [str(plain), str(plain)]
    for text in ("", " \n", "no file", f"{plain} and more", "a\0b", f"{plain} '", "x" * 10**6):
        assert pasted_paths(text) == []


async def test_the_mouse_does_what_people_expect(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / "mobilenet_v2_corstone320.log")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        await app.workers.wait_for_complete()
        report = app.screen
        assert isinstance(report, ReportScreen)
        await pilot.click(TabLine, offset=(14, 0))
        assert report.tab == "Memory"
        table = report.query_one("MemoryPane DataTable", DataTable)
        await until(pilot, lambda: table.has_focus)
        await pilot.click("MemoryPane DataTable", offset=(4, 3))
        await pilot.pause()
        before = table.cursor_row
        await pilot.click("MemoryPane DataTable", offset=(4, 5))
        assert table.cursor_row == before + 2, "a click moves the cursor"
        keys = next(line for line in _lines(app) if "? Help" in line)
        await pilot.click("KeyBar", offset=(keys.index("? Help") + 2, 0))
        await on_screen(pilot, "HelpScreen")


def test_a_flood_of_keys_and_a_storm_of_sizes(tmp_path: Path) -> None:
    dice = random.Random(1)
    unknown = (
        b"\x1b[99;99~",
        b"\x1bOZ",
        b"\x1b[<64;10;10M",
        b"\x1b[<999;1;1m",
        b"\x1b[1;9X",
        b"\xff\xfe",
        "字".encode(),
    )
    keys = (b"j", b"k", b"\t", b"\x1b[B", b"\x1b[6~", b"G", b" ", b"?", b"/", b"\x1b[Z", b"n", b"1", *unknown)
    with PseudoTerminal(dashboard(), surroundings(tmp_path / "home")) as terminal:
        terminal.wait(b"Sample")
        for _ in range(2):
            terminal.send(b"".join(dice.choice(keys) for _ in range(1000)))
            for _ in range(20):
                terminal.resize(dice.randint(1, 300), dice.randint(1, 80))
                terminal.read(0)
        terminal.resize(80, 24)
        drawn = len(terminal.output)
        terminal.send(b"\x1b")
        terminal.wait_quiet(1.0)
        terminal.resize(81, 24)
        terminal.wait(lambda: b"ethosu-tui" in terminal.output[drawn:])
        terminal.send(b"\x03\x03")
        assert terminal.wait_ended() in (0, 130)
        assert terminal.left_on() == []
        assert b"stopped by a bug" not in terminal.output
