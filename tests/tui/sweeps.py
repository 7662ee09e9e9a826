"""A sweep that needs no compiler, for tests of its screen: what would come of each point is made up from its place."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from ethosu_tui.analysis.report import CompileSummary, Finding
from ethosu_tui.runners.compile.compiler import (
    BatchDone,
    CompileEvent,
    CompilePoint,
    CompileResult,
    JobDone,
    JobNoticed,
    JobStage,
    plan,
)

ADVICE = Finding("model-lint", "warning", None, "GroupNorm runs on the CPU", "", "Use BatchNorm.", ())
ERROR = Finding("nothing-delegated", "error", None, "Nothing went to the NPU", "", "Quantise the model.", ())
KIB = 1024


def whole_space() -> list[CompilePoint]:
    """All 166 valid configurations."""
    return plan(["all"], ["all"], ["all"])[0]


def result_of(place: int, point: CompilePoint, folder: Path = Path(), **values: object) -> CompileResult:
    """A compile of that point: the later, the slower and the smaller."""
    summary = CompileSummary(
        total_cycles=10**7 + place * 10**5,
        core_clock_hz=5e8,
        inference_seconds=(10**7 + place * 10**5) / 5e8,
        sram_used_bytes=(2000 - place * 10) * KIB,
        on_chip_flash_used_bytes=0,
        off_chip_flash_used_bytes=0,
    )
    given = {"status": "ok", "route": "shared", "cached": False, "summary": summary, "findings": ()} | values
    return CompileResult(
        target=point.target, memory_mode=point.memory_mode, system_config=point.system_config, pte="net.pte", pte_bytes=3_500_000,
        sha256="0", seconds=0.4, operators=(), log="", folder=folder,
        arena_cache_bytes=point.arena_cache_bytes, optimise=point.optimise, **given,
    )  # type: ignore[arg-type]  # fmt: skip


class Sweep:
    """Finishes the first `count` points, says something of the model, and waits to be stopped."""

    def __init__(self, points: Sequence[CompilePoint], count: int, folder: Path = Path()) -> None:
        self._points, self._count, self._folder = points, count, folder
        self.stopped = threading.Event()

    def run(self) -> Iterator[CompileEvent]:
        yield JobStage(0, "load model", 1, 8)
        yield JobNoticed(0, ADVICE)
        for place, point in enumerate(self._points[: self._count]):
            values: dict[str, object] = {}
            if place == 0:
                values = {"route": "full"}
            elif place == 1:
                values = {"cached": True}
            elif place == 2:
                values = {"findings": (ERROR,)}
            elif place == 3:
                values = {"status": "failed", "summary": None, "findings": (ERROR,)}
            yield JobDone(place, result_of(place, point, self._folder, **values))
        if self._count < len(self._points):
            yield JobStage(self._count, "partition and lower", 4, 8)
        self.stopped.wait(60)
        yield BatchDone(3.0)

    def stop(self) -> None:
        self.stopped.set()
