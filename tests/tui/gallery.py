"""Every screen of the dashboard on made-up data, for tests of all sizes and for looking at them.

`python -m ethosu_tui.tests.tui.gallery FOLDER [THEME]` (with the parent of the checkout on the path) writes a picture of each
screen in each size.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
from collections.abc import Awaitable, Callable
from datetime import datetime, timezone
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input
from textual.worker import WorkerCancelled

from ethosu_tui.runners.doctor import Tool
from ethosu_tui.runners.reading.inputs import load
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.tui import messages
from ethosu_tui.tui.app import EthosuApp, build_app
from ethosu_tui.tui.screens.batch import BatchScreen
from ethosu_tui.tui.screens.overview import OverviewScreen
from ethosu_tui.tui.screens.post_mortem import PostMortemScreen
from ethosu_tui.tui.widgets.data_table import DataTable

from .conftest import on_screen, until
from .sweeps import Sweep, whole_space

SIZES = ((1, 1), (20, 5), (40, 12), (60, 16), (60, 20), (80, 24), (120, 40), (200, 60), (300, 80))
NOW = 1_790_000_000.0
SAMPLES = Path(__file__).parents[2] / "sample_logs"
Scene = Callable[[Pilot[None], Path], Awaitable[None]]


def tools() -> list[Tool]:
    """A machine with something missing."""
    return [
        Tool("executorch", True, "1.5.1", "compiling"),
        Tool("FVP_Corstone_SSE-320", False, "is not on PATH", "running on a simulated Ethos-U85", "see Arm's licence"),
    ]


def store(root: Path) -> None:
    """Some runs and compiles."""
    for place in range(30):
        kind, target = ("compile", "ethos-u55-128") if place % 3 else ("run", "ethos-u85-256")
        folder = RunFolder.create(root, kind, f"mobilenet_v2_quantised_{place} on {target}", target=target)
        created = datetime.fromtimestamp(NOW - 40 * 4**place % 10**6, timezone.utc).isoformat()
        if kind == "compile":
            folder.write_json("result.json", {"summary": {"npu_cycles": 52_036 + place}})
        else:
            folder.write_json("report.json", {"captures": [{"runs": [{"pmu": {"npu_cycles": 5_920_305 - place}}]}]})
        folder.finish("ok" if kind == "compile" else "failed" if place % 2 else "passed", created=created)


def app_on(root: Path) -> EthosuApp:
    """The dashboard on the runs of `store`."""
    return build_app(root=root, now=lambda: NOW, tools=tools)


async def _home(pilot: Pilot[None], folder: Path) -> None:
    await until(pilot, lambda: bool(pilot.app.screen.query_one("#runs", DataTable).table.rows))
    await pilot.pause(0.3)


async def _idle(pilot: Pilot[None]) -> None:
    """Wait for what is being read."""
    with contextlib.suppress(WorkerCancelled):  # a question that was not answered
        await pilot.app.workers.wait_for_complete()


def _keys(*keys: str, screen: str = "", before: Scene = _home) -> Scene:
    async def show(pilot: Pilot[None], folder: Path) -> None:
        await before(pilot, folder)
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        if screen:
            await on_screen(pilot, screen)

    return show


def _report(name: str, *keys: str) -> Scene:
    async def show(pilot: Pilot[None], folder: Path) -> None:
        pilot.app.post_message(messages.OpenReport(str(SAMPLES / name)))
        await on_screen(pilot, "ReportScreen")
        await _idle(pilot)
        for key in keys:
            await pilot.press(key)
            await pilot.pause()

    return show


async def _program(pilot: Pilot[None], folder: Path) -> None:
    pilot.app.post_message(messages.OpenReport(str(Path(__file__).parents[1] / "programs" / "two_parts_u55_128.pte")))
    await on_screen(pilot, "ArtefactScreen")
    await _idle(pilot)


async def _compare(pilot: Pilot[None], folder: Path) -> None:
    sides = [side for name in ("dbg_mnist.log", "mnist_q.log") for side in load(str(SAMPLES / name)).sides()]
    from ethosu_tui.tui.screens.compare import CompareScreen

    pilot.app.push_screen(CompareScreen(sides))
    await on_screen(pilot, "CompareScreen")


async def _replay(pilot: Pilot[None], folder: Path) -> None:
    pilot.app.post_message(messages.ReplayLog(str(SAMPLES / "mnist_q.log")))
    await on_screen(pilot, "JobScreen")
    await _idle(pilot)


async def _sweep(pilot: Pilot[None], folder: Path) -> None:
    points = whole_space()
    batch = Sweep(points, len(points) - 3)
    pilot.app.push_screen(BatchScreen(batch, points, "net.py", "ethosu-tui compile net.py --target all"))  # type: ignore[arg-type]
    await on_screen(pilot, "BatchScreen")
    await pilot.pause(0.3)
    batch.stop()
    await _idle(pilot)


async def _overview(pilot: Pilot[None], folder: Path) -> None:
    capture = folder / "many.log"
    if not capture.exists():
        names = ("mnist_q.log", "missing_op_softmax.log", "softmax.log")
        capture.write_bytes(b"".join((SAMPLES / name).read_bytes() for name in names) * 8)
    pilot.app.push_screen(OverviewScreen(str(capture)))
    await on_screen(pilot, "OverviewScreen")
    await _idle(pilot)


async def _post_mortem(pilot: Pilot[None], folder: Path) -> None:
    pilot.app.push_screen(PostMortemScreen([str(path) for path in sorted(SAMPLES.glob("*.log"))], (str(SAMPLES),)))
    await on_screen(pilot, "PostMortemScreen")
    await _idle(pilot)


async def _trends(pilot: Pilot[None], folder: Path) -> None:
    await _post_mortem(pilot, folder)
    await pilot.press("t")
    await on_screen(pilot, "TrendsScreen")


SCENES: dict[str, Scene] = {
    "home": _home,
    "open": _keys("o", screen="AskScreen"),
    "help": _keys("question_mark", screen="HelpScreen"),
    "palette": _keys("ctrl+p", screen="Palette"),
    "compile": _keys("c", "down", "space", screen="CompileScreen"),
    "model": _keys("c", "m", screen="AskScreen"),
    "run": _keys("r", screen="RunFormScreen"),
    "place": _keys("r", "enter"),
    "doctor": _keys("d", screen="DoctorScreen"),
    "targets": _keys("g", "t", screen="TargetsScreen"),
    "sweep": _sweep,
    "sweep-plot": _keys("p", before=_sweep),
    "job": _replay,
    "overview": _overview,
    "post-mortem": _post_mortem,
    "trends": _trends,
    "compare": _compare,
    **{f"report-{key}": _report("mobilenet_v2_corstone320.log", key) for key in "1234567"},
    "report-8": _report("etd_plain.log", "8"),
    "program": _program,
    "cause": _report("missing_op_softmax.log"),
    "cause-line": _report("missing_op_softmax.log", "e"),
    "log-filter": _report("missing_op_softmax.log", "7", "slash", *"level:E"),
}


async def draw(folder: Path, sizes: tuple[tuple[int, int], ...], names: list[str], theme: str) -> None:
    """Pictures of the scenes in these sizes."""
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary) / "runs"
        store(root)
        for name in names:
            app = app_on(root)
            async with app.run_test(size=(80, 24)) as pilot:
                app.theme = theme
                await on_screen(pilot, "HomeScreen")
                await SCENES[name](pilot, Path(temporary))
                app.clear_notifications()
                for field in app.screen.query(Input):
                    field.cursor_blink = False
                for width, height in sizes:
                    await pilot.resize_terminal(width, height)
                    await pilot.pause(0.2)
                    (folder / f"{name}-{width}x{height}.svg").write_text(app.export_screenshot(title=name), "utf-8")


if __name__ == "__main__":
    wanted = Path(sys.argv[1])
    wanted.mkdir(exist_ok=True)
    asyncio.run(
        draw(wanted, SIZES[4:6], sys.argv[3:] or list(SCENES), sys.argv[2] if len(sys.argv) > 2 else "textual-dark")
    )
