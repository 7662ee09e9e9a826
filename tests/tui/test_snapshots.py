"""Pictures of the main screens at three sizes, with fixed data and a fixed clock.

They are only comparable under the Textual that drew them: another version is a skip, not a failure.  To draw them again:
`pytest tests/tui/test_snapshots.py --snapshot-update`, then look at the report that a failing run names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from importlib.metadata import version
from pathlib import Path

import pytest
from textual.pilot import Pilot

from ethosu_tui.runners.doctor import Tool
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.tui.app import EthosuApp, build_app
from ethosu_tui.tui.screens.batch import BatchScreen
from ethosu_tui.tui.state import FirstScreen, Start
from ethosu_tui.tui.widgets.chrome import CommandLine
from ethosu_tui.tui.widgets.data_table import DataTable

from .conftest import until
from .sweeps import Sweep, whole_space

DRAWN_WITH = "8.2.8"
SIZES = ((80, 24), (120, 40), (200, 60))
NOW = 1_790_000_000.0
RUNS = (
    ("mobilenet_v2 on ethos-u85-256", "run", "ethos-u85-256", "passed", 5_920_305, 40),
    ("mnist ethos-u55-128", "compile", "ethos-u55-128", "ok", 52_036, 3_700),
    ("softmax on ethos-u55-128", "run", "ethos-u55-128", "failed", None, 200_000),
)

pytestmark = pytest.mark.skipif(version("textual") != DRAWN_WITH, reason=f"drawn with Textual {DRAWN_WITH}")
Compare = Callable[..., bool]
Before = Callable[[Pilot[None]], object]


def tools() -> Iterator[Tool]:
    """A machine that is the same everywhere."""
    yield Tool("executorch", True, "1.5.1", "compiling")
    yield Tool("ethos-u-vela", True, "5.1.0", "compiling")
    yield Tool("FVP_Corstone_SSE-320", False, "is not on PATH", "running on a simulated Ethos-U85", "see Arm's licence")


def store(root: Path) -> None:
    """Three runs of fixed ages."""
    for label, kind, target, status, cycles, age in reversed(RUNS):
        folder = RunFolder.create(root, "compile" if kind == "compile" else "run", label, target=target)
        created = datetime.fromtimestamp(NOW - age, timezone.utc).isoformat()
        if kind == "compile":
            folder.write_json("result.json", {"summary": {"npu_cycles": cycles}})
        elif cycles is not None:
            folder.write_json("report.json", {"captures": [{"runs": [{"pmu": {"npu_cycles": cycles}}]}]})
        folder.finish(status, created=created)


@pytest.fixture
def app(tmp_path: Path, samples: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., EthosuApp]:
    store(tmp_path / "runs")
    monkeypatch.setenv("PATH", str(tmp_path))  # a simulator of this machine is not part of the picture
    monkeypatch.setenv("HOME", str(tmp_path))

    def make(*names: str, screen: FirstScreen = "home") -> EthosuApp:
        start = Start(tuple(str(samples / name) for name in names), screen)
        return build_app(start, root=tmp_path / "runs", samples=samples, now=lambda: NOW, tools=tools)

    return make


def settled(screen: str, *keys: str) -> Before:
    """Wait until this screen stands, press the keys, and take what differs between machines out of the picture."""

    async def before(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: type(pilot.app.screen).__name__ == screen)
        if screen == "HomeScreen":
            shown = [table for table in pilot.app.screen.query(DataTable) if table.display and table.id != "going"]
            await until(pilot, lambda: all(table.table.rows for table in shown))
        await until(pilot, lambda: pilot.app.screen.is_mounted and pilot.app.screen.focused is not None)
        await pilot.app.workers.wait_for_complete()
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        await pilot.app.workers.wait_for_complete()
        await still(pilot)
        pilot.app.clear_notifications()  # what this machine lacks for compiling is not part of the picture
        for line in pilot.app.screen.query(CommandLine):
            words = (word.rpartition("/")[2] for word in line.command.split(" "))
            line.command = re.sub(r"\d{8}-\d{6}", "20260921-132640", " ".join(words))
        await still(pilot)

    return before


async def still(pilot: Pilot[None]) -> None:
    """Wait until the screen, its colours included, has stayed as it is for a while."""
    seen: list[str] = []
    for _ in range(200):
        strips = pilot.app.screen._compositor.render_strips()
        seen.append("\n".join(str([(segment.text, str(segment.style)) for segment in strip]) for strip in strips))
        if len(seen) > 4 and len(set(seen[-5:])) == 1:
            return
        await pilot.pause(0.05)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize(
    ("names", "first", "screen", "keys"),
    [
        ((), "home", "HomeScreen", ()),
        ((), "compile", "CompileScreen", ("down", "space", "tab", "down", "down")),
        (("mobilenet_v2_corstone320.log",), "report", "ReportScreen", ()),
        (("mobilenet_v2_corstone320.log",), "report", "ReportScreen", ("2",)),
        (("missing_op_softmax.log",), "report", "ReportScreen", ()),
        (("missing_op_softmax.log",), "report", "ReportScreen", ("e",)),
        (("missing_op_softmax.log",), "report", "ReportScreen", ("7", "f", "down")),
        (("etd_plain.log",), "report", "ReportScreen", ("8",)),
        (("dbg_mnist.log", "mnist_q.log"), "compare", "CompareScreen", ("down", "down", "down", "down")),
    ],
    ids=["home", "compile", "summary", "memory", "failed", "cause", "beside", "operators", "compare"],
)
def test_screen(
    snap_compare: Compare,
    app: Callable[..., EthosuApp],
    names: tuple[str, ...],
    first: FirstScreen,
    screen: str,
    keys: tuple[str, ...],
    size: tuple[int, int],
) -> None:
    assert snap_compare(app(*names, screen=first), terminal_size=size, run_before=settled(screen, *keys))


@pytest.mark.parametrize(
    "keys",  # the plot has no picture: what draws it marks equal pictures as different, once in a while
    [("slash", *"u55 time<21.5ms -mode:shared", "enter", "right", "right", "down")],
    ids=["filter"],
)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_sweep(
    snap_compare: Compare, app: Callable[..., EthosuApp], size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    async def before(pilot: Pilot[None]) -> None:
        points = whole_space()
        batch = Sweep(points, len(points))
        batch.stop()
        command = "ethosu-tui compile net.py --target all --system-config all --memory-mode all"
        screen = BatchScreen(batch, points, "net.py", command)  # type: ignore[arg-type]
        pilot.app.push_screen(screen)
        await until(pilot, lambda: screen.is_mounted and screen._over)
        await settled("BatchScreen", *keys)(pilot)

    assert snap_compare(app(), terminal_size=size, run_before=before)
