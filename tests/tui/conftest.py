"""What the tests of the screens share: an app on its own workspace, and waiting for what threads bring."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from ethosu_tui.runners.doctor import Tool
from ethosu_tui.tui.app import EthosuApp, build_app
from ethosu_tui.tui.screens.runs_overview import RunsOverviewScreen
from ethosu_tui.tui.state import FirstScreen, Start
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.detail import Detail

MakeApp = Callable[..., EthosuApp]
Overview = TypeVar("Overview", bound=RunsOverviewScreen)
READING_LIMIT = 120.0
"""Seconds after which what is read beside a screen should have been read."""


def no_tools() -> tuple[Tool, ...]:
    """A machine without anything: looking at the real one takes seconds and says nothing about the screens."""
    return (Tool("executorch", False, "not installed", "compiling", 'pip install "ethosu-tui[compile]"'),)


@pytest.fixture
def make_app(tmp_path: Path, samples: Path) -> MakeApp:
    """An app as the command line builds it."""

    def make(*paths: Path | str, screen: FirstScreen = "home") -> EthosuApp:
        start = Start(tuple(str(path) for path in paths), screen)
        return build_app(start, root=tmp_path / "runs", samples=samples, tools=no_tools)

    return make


async def until(pilot: Pilot[None], condition: Callable[[], bool], limit: float = 90.0) -> None:
    """Wait for a condition; fails with what the screen is when it does not come true."""
    deadline = time.monotonic() + limit
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"still on {pilot.app.screen!r} after {limit} s")
        await pilot.pause(0.02)
    await pilot.pause()


async def on_screen(pilot: Pilot[None], name: str, limit: float = 90.0) -> None:
    """Wait until the screen of this class is on top and composed."""
    await until(pilot, lambda: type(pilot.app.screen).__name__ == name and pilot.app.screen.is_mounted, limit)


async def read_whole(pilot: Pilot[None], kind: type[Overview]) -> Overview:
    """Wait until a screen of this kind is on top and all that it shows was read."""
    await on_screen(pilot, kind.__name__, READING_LIMIT)
    screen = pilot.app.screen
    assert isinstance(screen, kind)
    await until(pilot, lambda: screen._over, READING_LIMIT)
    return screen


def text_of(app: EthosuApp, selector: str) -> str:
    """The text of a widget that says something, on the screen on top."""
    widget = app.screen.query_one(selector)
    assert isinstance(widget, (Static, Detail))
    return str(widget.content)


def notices(app: EthosuApp) -> list[str]:
    """Titles and texts of the notices shown."""
    return [f"{note.title} {note.message}" for note in app._notifications]


FAILED_COMPILE = "RuntimeError: Missing out variants: {'quantized_decomposed::dequantize_per_tensor'}\n"


@pytest.fixture
def lab(tmp_path: Path, samples: Path) -> Path:
    """All sample logs, one that holds two runs, a failed compile, and a text that is no log."""
    folder = tmp_path / "lab"
    (folder / "board2").mkdir(parents=True)
    for log in samples.glob("*.log"):
        (folder / log.name).write_bytes(log.read_bytes())
    two = (samples / "mnist_q.log").read_bytes() + (samples / "missing_op_softmax.log").read_bytes()
    (folder / "board2" / "two_runs.log").write_bytes(two)
    (folder / "board2" / "compile.log").write_text(FAILED_COMPILE)
    (folder / "notes.txt").write_text("nothing of ours\n")
    return folder


def in_lab(lab: Path, tmp_path: Path, samples: Path) -> EthosuApp:
    """The app as `ethosu-tui open lab` starts it."""
    paths = sorted(str(path) for path in lab.rglob("*") if path.is_file())
    start = Start(tuple(paths), asked=(str(lab),))
    return build_app(start, root=tmp_path / "runs", samples=samples, tools=no_tools)


def screen_text(app: EthosuApp) -> str:
    """What the tables of the screen on top hold, as they draw it."""
    tables = list(app.screen.query(DataTable))
    return "\n".join(table.render_line(y).text for table in tables for y in range(table.size.height))
