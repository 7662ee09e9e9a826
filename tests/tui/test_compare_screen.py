"""The Compare screen by its keys, at the sizes that people have: what is in sight, in place, and said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from ethosu_tui.analysis.comparing.sides import Side
from ethosu_tui.analysis.report import CompileSummary, Cycles, Pmu, Run, Target
from ethosu_tui.tui.app import EthosuApp
from ethosu_tui.tui.screens.compare import CompareScreen
from ethosu_tui.tui.widgets.bars import Bars
from ethosu_tui.tui.widgets.compare_table import GroupedTable, SideTable
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.pareto_pane import ParetoPane

from .conftest import MakeApp, notices, on_screen, text_of, until

SIZES = ((60, 20), (80, 24), (120, 40), (200, 60))
TARGETS = (
    "ethos-u55-32", "ethos-u55-64", "ethos-u55-128", "ethos-u55-256", "ethos-u65-256", "ethos-u65-512",
    "ethos-u85-128", "ethos-u85-256", "ethos-u85-512", "ethos-u85-1024", "ethos-u85-2048", "ethos-u85-256",
)  # fmt: skip


def operators(scale: int) -> tuple[dict[str, Any], ...]:
    rows = [("CONV2D", "first.0", 40), ("DEPTHWISE_CONV2D", "features.3.conv", 900), ("MUL", "(model)", 7)]
    return tuple(
        {
            "tosa": kind,
            "name": f"t{i}",
            "module": module,
            "torch": None,
            "source": "net.py:3",
            "op_cycles": scale * cycles,
        }
        for i, (kind, module, cycles) in enumerate(rows)
    )


def side(number: int) -> Side:
    """A compile for one of twelve targets; the last one has its target in common with another."""
    target = TARGETS[number]
    summary = CompileSummary(
        accelerator=target, system_config="Ethos_U55_High_End_Embedded", memory_mode="Shared_Sram", core_clock_hz=5e8,
        total_cycles=1_234_567 // (number + 1), inference_seconds=0.01 / (number + 1),
        sram_used_bytes=(300 + 25 * number) << 10, macs=300_836_992,
    )  # fmt: skip
    label = f"mobilenet_v2 {target}" + (" Sram_Only" if number == 11 else "")
    return Side(label, f"runs/{number}", "compile", None, summary, 4_000_000, {"vela": "5.1.0"}, operators(number + 1))


def run(label: str, *cycles: int, npu: str = "ethos-u55", inferences: int = 1) -> Side:
    runs = tuple(
        Run(
            1, 1, 9, "passed", "complete", target=Target(npu=npu, platform="fvp"),
            cycles=Cycles(inferences=inferences, inference=3 * one), pmu=Pmu(one, one / inferences),
        )
        for one in cycles
    )  # fmt: skip
    return Side(label, f"{label}.log", "run", run=runs[0], repeats=runs if len(runs) > 1 else ())


async def opened(pilot: Pilot[None], app: EthosuApp, *sides: Side) -> CompareScreen:
    app.push_screen(CompareScreen(sides))
    await on_screen(pilot, "CompareScreen")
    screen = app.screen
    assert isinstance(screen, CompareScreen)
    await until(pilot, lambda: screen.query_one(GroupedTable).has_focus)
    return screen


def lines(table: DataTable) -> list[str]:
    return [table.render_line(y).text for y in range(table.size.height)]


@pytest.mark.parametrize(
    ("size", "count"),
    [(SIZES[0], 2), (SIZES[0], 12), (SIZES[1], 4), (SIZES[1], 12), (SIZES[2], 4), (SIZES[3], 12)],
    ids=lambda value: f"{value[0]}x{value[1]}" if isinstance(value, tuple) else str(value),
)
async def test_figures_are_whole_at_any_width(make_app: MakeApp, size: tuple[int, int], count: int) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot, app, *map(side, range(count)))
        table = screen.query_one(GroupedTable)
        assert "Differs: target" in text_of(app, "#setup")
        known = {f"{1_234_567 // (i + 1):,}" for i in range(count)}
        seen: set[str] = set()
        for _ in range(count):
            row = next(line for line in lines(table) if line.startswith("total cycles"))
            figures = {
                word for word in row.removeprefix("total cycles, est.").split() if word != "*" and "(" not in word
            }
            assert figures and figures <= known, "a figure is in sight whole, or not at all"
            seen |= figures
            await pilot.press("right")
        assert seen == known
        assert screen.query_one(Bars).region.bottom <= size[1] - 2 and screen.query_one("#why").region.height >= 4
        assert table.region.height >= 6
        assert "mobilenet_v2" in text_of(app, "#why"), "names are told in full where columns have short ones"


async def test_the_baseline_and_what_is_shown_relative_to_it(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, app, side(0), side(3))
        table = screen.query_one(GroupedTable)

        def cells() -> list[str]:
            return [cell.text for row in table.table.rows for cell in row[1:] if row[0].value == "compile.total_cycles"]

        assert cells() == ["1,234,567", "308,641"]
        await pilot.press("t")
        assert cells() == ["1,234,567", "0.25x"]
        await pilot.press("t")
        assert cells() == ["1,234,567", "-925,926"]
        await pilot.press("right", "b")
        assert cells() == ["+925,926", "308,641"]
        assert table.table.columns[2].name.startswith("◆") and "--baseline" in screen.command
        await pilot.press("t")
        assert cells() == ["1,234,567", "308,641"]
        before = len(table.table.rows)
        await pilot.press("=")
        assert len(table.table.rows) < before and screen.command.endswith("--differences")
        names = [row[0].text for row in table.table.rows]
        assert "Vela" not in names and "MACs" in names and "target" in names


async def test_the_cursor_passes_over_headings_and_shows_them(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, app, side(0), side(1))
        table = screen.query_one(GroupedTable)
        visited = []
        await pilot.press("home")
        assert "Setup" in table.render_line(1).text
        for _ in table.table.rows:
            visited.append(table.row)
            await pilot.press("down")
        assert all(row is not None and table.table.rows[row][0].tone != "head" for row in visited)
        assert len(set(visited)) == sum(row[0].tone != "head" for row in table.table.rows)
        await pilot.press(*["up"] * len(visited))
        assert table.row == 1 and "Setup" in table.render_line(1).text


async def test_what_cannot_be_compared_is_aligned_and_explained(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, app, run("a", 5_920_305), run("b", 90_000, npu="ethos-u85", inferences=3))
        table = screen.query_one(GroupedTable)
        shown = [line for line in lines(table) if line.startswith(("NPU cycles", "CPU cycles"))]
        ends = {line.index("5,920,305") + 9 for line in shown if "5,920,305" in line}
        assert ends == {next(line for line in shown if "17,760,915" in line).index("17,760,915") + 10}
        cpu = next(line for line in shown if line.startswith("CPU cycles"))
        assert cpu.count("n/c") == 2
        while "CPU cycles" not in text_of(app, "#why"):
            await pilot.press("down")
        assert "Not comparable: CPU cycles of an FVP are not time" in text_of(app, "#why")
        assert all("not comparable" in bar.text for bar in screen.query_one(Bars).bars)


async def test_repeats_that_do_not_separate_have_a_tilde_and_a_reason(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        near = run("near", *(5_000_000 + 900 * i for i in range(6)))
        far = run("far", *(4_000_000 + 900 * i for i in range(6)))
        screen = await opened(pilot, app, run("base", *(5_000_100 + 900 * i for i in range(6))), near, far)
        table = screen.query_one(GroupedTable)
        row = next(row for row in table.table.rows if row[0].value == "pmu.npu_cycles")
        assert row[2].text == "5,002,250 (1.00x) ±0.045% ~" and row[3].tone == "best" and "~" not in row[3].text
        await pilot.press("right")
        assert "~ not separated: p = " in text_of(app, "#why") and "Mann-Whitney" in text_of(app, "#why")
        assert "97 % interval of the median" in text_of(app, "#why")
        await pilot.press("right")
        assert "separates: p = 0.002 (6 against 6 values)" in text_of(app, "#why")
        assert screen.query_one(Bars).bars[1].text.endswith("~")


@pytest.mark.parametrize("size", SIZES[::2], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_operators_that_changed_most(make_app: MakeApp, size: tuple[int, int]) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot, app, side(0), side(1))
        await pilot.press("o")
        table = screen.query_one("#operators", SideTable)
        await until(pilot, lambda: table.has_focus)
        assert [row[0].text for row in table.table.rows] == [
            "all operators", "features.3.conv DEPTHWISE_CONV2D", "first.0 CONV2D", "(model) MUL",
        ]  # fmt: skip
        assert [row[1].text for row in table.table.rows] == ["+947", "+900", "+40", "+7"]
        assert "DEPTHWISE" in lines(table)[2] and "+900" in lines(table)[2]
        await pilot.press("right")
        assert "features.3.conv" in text_of(app, "#why") and "2.00x baseline, +900" in text_of(app, "#why")
        assert screen.command.endswith("--operators")
        await pilot.press("t")
        assert table.table.rows[1][3].text == "2.00x"
        assert "of its table" in text_of(app, "#why")
        await pilot.press("o")
        await until(pilot, lambda: screen.query_one(GroupedTable).has_focus)
        assert not table.display and "--operators" not in screen.command


async def test_operators_that_are_the_same_are_hidden_as_figures_are(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, app, side(0), side(0))
        await pilot.press("o")
        table = screen.query_one("#operators", SideTable)
        await until(pilot, lambda: table.has_focus)
        assert len(table.table.rows) == 4
        await pilot.press("=")
        assert [row[0].text for row in table.table.rows] == ["all operators"] and "differences only" in str(
            table.border_title
        )
        await pilot.press("=")
        assert len(table.table.rows) == 4


async def test_where_nothing_tells_of_operators_or_estimates_it_is_said(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, app, run("a", 1), run("b", 2))
        await pilot.press("o")
        await until(pilot, lambda: any("none of them tells of operators" in note for note in notices(app)))
        await pilot.press("p")
        await until(pilot, lambda: any("two compile results" in note for note in notices(app)))
        assert screen.query_one(GroupedTable).display and not screen.query_one(ParetoPane).display


@pytest.mark.parametrize("size", SIZES[::2], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_the_plot_names_its_knee_and_the_column_under_the_cursor(
    make_app: MakeApp, size: tuple[int, int]
) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot, app, *map(side, range(12)))
        await pilot.press("p")
        plot = screen.query_one(ParetoPane)
        await until(pilot, lambda: "K knee: u" in text_of(app, "#legend"))
        assert plot.display and not screen.query_one(Bars).display
        before = text_of(app, "#legend")
        await pilot.press("right")
        await until(pilot, lambda: text_of(app, "#legend") != before)
        assert plot.region.bottom <= size[1] - 1 and screen.query_one(GroupedTable).region.height >= 5
        await pilot.press("p")
        assert screen.query_one(Bars).display


async def test_what_is_in_a_name_is_not_obeyed(make_app: MakeApp, tmp_path: Path, samples: Path) -> None:
    evil = tmp_path / "evil [bold]\x1b[31m.log"
    evil.write_bytes((samples / "mnist_q.log").read_bytes())
    app = make_app(evil, samples / "dbg_mnist.log", screen="compare")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "CompareScreen")
        await until(pilot, lambda: "evil [bold]" in text_of(app, "#why"))
        texts = "".join(segment.text for strip in app.screen._compositor.render_strips() for segment in strip)
        assert "\x1b" not in texts and "evil" in texts


async def test_the_whole_comparison_is_exported_with_full_names(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, app, *map(side, range(12)))
        subject = screen.export_subject()
        assert subject.table is not None and subject.table.columns[1].name == "◆ u55-32"
        document = subject.report()
        assert [section.title for section in document.sections] == ["Setups", "Figures", "Operators"]
        assert document.sections[0].lines[0].startswith("Differs: target")
        figures, operators = document.tables
        assert figures.columns[3].name == operators.columns[4].name == "mobilenet_v2 ethos-u55-128"
        assert any("Pareto front" in line for line in document.sections[1].lines)
        assert document.origin.startswith("ethosu-tui compare runs/0 runs/1")


async def test_the_title_says_which_columns_are_beyond_the_edge_and_how_to_reach_them(
    make_app: MakeApp, samples: Path
) -> None:
    logs = [samples / f"{name}.log" for name in ("softmax", "mnist_q", "etd_plain", "dbg_mnist")]
    app = make_app(*logs)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "CompareScreen")
        figures = app.screen.query_one("#figures", GroupedTable)
        await until(pilot, lambda: str(figures.border_title).startswith("Columns 1 to 3 of 4, right and left show"))
        await pilot.press("right", "right", "right")
        await until(pilot, lambda: str(figures.border_title).startswith("Columns 2 to 4 of 4, "))
        assert list(figures.columns_in_sight) == [1, 2, 3]
        for width in (130, 200):
            await pilot.resize_terminal(width, 40)
            await until(pilot, lambda: str(figures.border_title).startswith("Side by side, absolute"))
            assert list(figures.columns_in_sight) == [0, 1, 2, 3], "ratios hide no column"
