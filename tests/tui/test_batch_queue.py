"""The queue of a compile for several targets: what each is at, its log, and its result."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

from ethosu_tui.runners.compile.compiler import (
    BatchDone,
    CompileEvent,
    CompileResult,
    JobDone,
    JobOutput,
    JobStage,
    JobStarted,
)
from ethosu_tui.runners.compile.plan import CompileOptions
from ethosu_tui.runners.compile.points import CompilePoint
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.tui.screens.batch import BatchScreen
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.log_pane import LogPane

from .conftest import MakeApp, on_screen, until


class FakeBatch:
    """Two compiles in no time: one good, one that fails, then it waits to be stopped."""

    def __init__(self, root: Path, points: list[CompilePoint]) -> None:
        self._root, self._points = root, points
        self.stopped = threading.Event()

    def run(self) -> Iterator[CompileEvent]:
        for index, point in enumerate(self._points):
            folder = RunFolder.create(self._root, "compile", f"net {point.label}", target=point.target)
            yield JobStarted(index, folder)
            yield JobStage(index, "export", 2, 8)
            yield JobOutput(index, b"\x1b[31mexporting\x1b[0m for " + point.target.encode() + b"\n")
            result = CompileResult(
                point.target,
                point.memory_mode,
                point.system_config,
                "ok",
                "net.pte",
                1,
                "0",
                1.5,
                False,
                None,
                (),
                (),
                "",
                folder=folder.path,
            )
            folder.write_json("result.json", result.to_dict())
            folder.finish("ok")
            yield JobDone(index, result)
        self.stopped.wait(10)
        yield BatchDone(3.0)

    def stop(self) -> None:
        self.stopped.set()


async def test_the_queue_shows_stages_logs_and_results(make_app: MakeApp, tmp_path: Path) -> None:
    points = [CompilePoint("ethos-u55-128"), CompilePoint("ethos-u85-256")]
    batch = FakeBatch(tmp_path / "runs", points)
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = BatchScreen(batch, points, CompileOptions("net.py").model, "ethosu-tui compile net.py")  # type: ignore[arg-type]
        app.push_screen(screen)
        await on_screen(pilot, "BatchScreen")
        queue = screen.query_one("#queue", DataTable)
        state = [column.name for column in queue.table.columns].index("State")
        await until(pilot, lambda: all(cells[state].text == "✓ ok" for cells in queue.table.rows))
        pane = screen.query_one(LogPane)
        assert pane.current is not None and pane.current.text == "exporting for ethos-u55-128"
        await pilot.press("down")
        await until(pilot, lambda: pane.current is not None and "ethos-u85-256" in pane.current.text)
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen")
        await pilot.press("escape", "x")
        await until(pilot, batch.stopped.is_set)
        await until(pilot, lambda: screen._over)
