"""The plot of time against SRAM: what is drawn, and that the batch shows it while results come."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.app import App, ComposeResult

from ethosu_tui.analysis.design.answers import answer
from ethosu_tui.analysis.design.candidates import Candidate
from ethosu_tui.analysis.design.plot import pareto_plot
from ethosu_tui.analysis.report import CompileSummary
from ethosu_tui.runners.compile.compiler import (
    BatchDone,
    CompileEvent,
    CompileOptions,
    CompileResult,
    JobDone,
    JobStarted,
)
from ethosu_tui.runners.compile.points import CompilePoint
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.tui.screens.batch import BatchScreen
from ethosu_tui.tui.widgets.log_pane import LogPane
from ethosu_tui.tui.widgets.pareto_pane import ParetoPane

from .conftest import MakeApp, on_screen, text_of, until

KIB = 1 << 10


def row(label: str, milliseconds: float | None, kib: int | None) -> Candidate:
    """A configuration of an Ethos-U55-128."""
    seconds = None if milliseconds is None else milliseconds / 1000
    sram = None if kib is None else kib * KIB
    return Candidate(
        label, "ethos-u55-128", "c", "Shared_Sram", core_clock_hz=5e8, inference_seconds=seconds, sram_bytes=sram
    )


FOUR = [row("fast", 20.0, 1400), row("bend", 20.1, 480), row("small", 22.0, 350), row("beaten", 20.5, 900)]


class TestWhatIsPlotted:
    def test_figures_that_lie_close_together_have_ticks_that_differ(self) -> None:
        close = [row("a", 0.0626, 0), row("b", 0.0481, 0)]
        close = [close[0]._replace(sram_bytes=21_360), close[1]._replace(sram_bytes=21_376)]
        plot = pareto_plot(answer(close, {}, "seconds"), 0)
        assert plot is not None
        labels = [label for _, label in plot.x.ticks]
        assert len(labels) >= 4 and len(set(labels)) == len(labels)

    def test_units_and_places(self) -> None:
        plot = pareto_plot(answer(FOUR, {"sram": 512 * KIB}, "seconds"), 0)
        assert plot is not None
        assert (plot.x.title, plot.y.title) == ("SRAM needed, MiB", "time, ms")
        assert [round(math.exp(x)) for x, _ in plot.front] == [350 * KIB, 480 * KIB, 1400 * KIB]
        assert len(plot.beaten) == 1
        assert plot.knee == plot.chosen == plot.front[1]
        assert plot.at == plot.front[2]
        for axis, points in ((plot.x, [x for x, _ in plot.front]), (plot.y, [y for _, y in plot.front])):
            assert axis.low < min(points) < max(points) < axis.high
            assert all(axis.low < at < axis.high for at, _ in axis.ticks) and len(axis.ticks) >= 4
            assert len({label for _, label in axis.ticks}) == len(axis.ticks)

    def test_axes_have_round_figures_at_their_places(self) -> None:
        rows = [row(str(i), 20.0 + i, 2000 - 20 * i) for i in range(30)]
        plot = pareto_plot(answer(rows, {}, "seconds"), 0)
        assert plot is not None
        for axis, unit in ((plot.y, 1e-3), (plot.x, KIB * KIB)):
            labels = [label for _, label in axis.ticks]
            assert all(len(label.replace(".", "").strip("0")) <= 2 for label in labels), labels
            assert all(abs(math.exp(at) / unit - float(label)) < 1e-6 for at, label in axis.ticks)

    def test_what_is_far_beyond_is_counted(self) -> None:
        plot = pareto_plot(answer([*FOUR, row("far", 900.0, 350)]))
        assert plot is not None
        assert (plot.left_out, len(plot.beaten)) == (1, 1)

    def test_nothing_to_plot(self) -> None:
        assert pareto_plot(answer([])) is None
        assert pareto_plot(answer([row("failed", None, None)])) is None
        assert pareto_plot(answer([row("nothing", 0.0, 0)])) is None

    @pytest.mark.parametrize(("milliseconds", "unit"), [(2000.0, "s"), (2.0, "ms"), (0.2, "us")])
    def test_one_point_has_room_around_it(self, milliseconds: float, unit: str) -> None:
        plot = pareto_plot(answer([row("one", milliseconds, 3)]))
        assert plot is not None
        assert (plot.x.title, plot.y.title) == ("SRAM needed, KiB", f"time, {unit}")
        assert plot.x.low < plot.front[0][0] < plot.x.high


class PaneApp(App[None]):
    """Only the pane."""

    def compose(self) -> ComposeResult:
        yield ParetoPane()


def screen_text(app: App[None]) -> str:
    return "\n".join("".join(s.text for s in line) for line in app.screen._compositor.render_strips())


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 8)])
async def test_the_pane_draws_signs_and_a_legend(size: tuple[int, int]) -> None:
    app = PaneApp()
    async with app.run_test(size=size) as pilot:
        pane = app.query_one(ParetoPane)
        await pilot.pause()
        assert "No configuration has figures" in screen_text(app)
        pane.show(answer(FOUR, {"sram": 512 * KIB}, "seconds"), 0)
        await pilot.pause()
        text = screen_text(app)
        assert "●" in text and "×" in text and "C" in text and "▶" in text
        assert "C chosen, the knee: bend" in text.replace("\n", " ") or size[0] < 80
        pane.show(None)
        await pilot.pause()
        assert "No configuration has figures" in screen_text(app)


class Batch:
    """Three compiles in no time, with Vela's figures."""

    def __init__(self, root: Path, points: list[CompilePoint]) -> None:
        self._root, self._points = root, points
        self.options = CompileOptions("net.py")

    def run(self) -> Iterator[CompileEvent]:
        for index, point in enumerate(self._points):
            folder = RunFolder.create(self._root, "compile", point.label, target=point.target)
            yield JobStarted(index, folder)
            summary = CompileSummary(
                total_cycles=10**7 + index * 10**5,
                core_clock_hz=5e8,
                inference_seconds=0.02 + index / 5000,
                sram_used_bytes=(1400, 480, 350)[index] * KIB,
            )
            result = CompileResult(
                point.target, point.memory_mode, point.system_config, "ok", "net.pte", 1, "0", 1.5, False, summary, (), (), "",
                arena_cache_bytes=point.arena_cache_bytes, folder=folder.path,
            )  # fmt: skip
            folder.finish("ok")
            yield JobDone(index, result)
        yield BatchDone(3.0)

    def stop(self) -> None:
        """Nothing runs."""


async def test_the_batch_shows_the_plot_instead_of_the_log(make_app: MakeApp, tmp_path: Path) -> None:
    config, mode = "Ethos_U55_High_End_Embedded", "Shared_Sram"
    points = [CompilePoint("ethos-u55-128", config, mode, arena) for arena in (None, 500_000, 360_000)]
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        batch = Batch(tmp_path / "runs", points)
        screen = BatchScreen(batch, points, CompileOptions("net.py").model, "ethosu-tui compile net.py")  # type: ignore[arg-type]
        app.push_screen(screen)
        await on_screen(pilot, "BatchScreen")
        await until(pilot, lambda: screen._over)
        plot, log = screen.query_one(ParetoPane), screen.query_one(LogPane)
        assert (plot.display, log.display) == (False, True)
        await pilot.press("p")
        await until(pilot, lambda: "▶ under the cursor" in text_of(app, "#legend"))
        assert (plot.display, log.display) == (True, False)
        assert "K knee" in text_of(app, "#legend")
        await pilot.press("down")
        await until(pilot, lambda: "K knee" in text_of(app, "#legend"))
        await pilot.press("p")
        await until(pilot, lambda: log.display and not plot.display)
