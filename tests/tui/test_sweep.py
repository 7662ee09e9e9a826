"""The table of a compile of many jobs: it fills live, is sorted, filtered, compared, saved, and leads to the form."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from textual.pilot import Pilot

from ethosu_tui.runners.compile.compiler import plan
from ethosu_tui.runners.compile.points import CompilePoint
from ethosu_tui.tui.screens.batch import BatchScreen
from ethosu_tui.tui.screens.compare import CompareScreen
from ethosu_tui.tui.screens.compile import CompileScreen
from ethosu_tui.tui.screens.sweep_rows import Entry, SweepRows, seconds_left
from ethosu_tui.tui.widgets.checklist import Checklist
from ethosu_tui.tui.widgets.chrome import FilterBar, TitleBar
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.log_pane import LogPane
from ethosu_tui.tui.widgets.sweep_table import SweepTable

from ..runners.test_compile_sharing import Batch, batch
from .conftest import MakeApp, notices, on_screen, text_of, until
from .sweeps import KIB, Sweep, result_of, whole_space

__all__ = ["batch"]


async def _watch(
    pilot: Pilot[None], batch: Sweep, points: list[CompilePoint], done: int
) -> tuple[BatchScreen, SweepTable]:
    screen = BatchScreen(batch, points, "net.py", "ethosu-tui compile net.py")  # type: ignore[arg-type]
    pilot.app.push_screen(screen)
    await on_screen(pilot, "BatchScreen")
    await until(pilot, lambda: f"{done} of {len(points)}" in screen.query_one(TitleBar).status)
    return screen, screen.query_one(SweepTable)


def _column(table: SweepTable, name: str) -> list[str]:
    place = [column.name for column in table.table.columns].index(name)
    return [table.table.rows[row][place].text for row in table.shown]


async def test_the_table_fills_and_says_how_each_job_was_made(make_app: MakeApp) -> None:
    points = whole_space()
    app = make_app()
    async with app.run_test(size=(200, 60)) as pilot:
        screen, table = await _watch(pilot, Sweep(points, 12), points, 12)
        await until(pilot, lambda: "partition" in _column(table, "State")[12])
        assert len(table.shown) == 166
        assert _column(table, "State")[:5] == ["✓ ok", "✓ found", "! shared", "✗ failed", "✓ shared"]
        assert _column(table, "State")[12:14] == ["◐ 4/8 partition and lower", "○ waiting"]
        assert _column(table, "SRAM")[3] == "-" and _column(table, "SRAM")[0] != "-", "absent is not zero"
        assert _column(table, "Pareto")[0] == "front" and not _column(table, "Pareto")[3]
        assert "Arena limit" not in [column.name for column in table.table.columns], "an axis that is not used"
        assert "GroupNorm runs on the CPU" in text_of(app, "#state") and "Use BatchNorm" in text_of(app, "#state")
        log = screen.query_one(LogPane)
        assert "printed nothing" in log.render_line(0).text
        await pilot.press("down")
        await until(pilot, lambda: "nothing ran" in log.render_line(0).text)
        await pilot.press("down")
        await until(pilot, lambda: "Nothing went to the NPU" in text_of(app, "#state"))
        await pilot.press("end")
        await until(pilot, lambda: not screen.query_one("#state").display)  # the advice was for the other family
        assert "waiting" in log.render_line(0).text
        await pilot.press("x")
        await until(pilot, lambda: screen._over)
        assert "not run" in log.render_line(0).text
        assert _column(table, "State")[20].strip() == "not run"
        assert "10 of 166 ok" in screen.query_one(TitleBar).status


async def test_filter_sort_and_marks(make_app: MakeApp) -> None:
    points = whole_space()
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen, table = await _watch(pilot, Sweep(points, 40), points, 40)
        sram = [column.name for column in table.table.columns].index("SRAM")
        await pilot.press("slash", *"u55 sram<1.9MiB", "enter")
        await until(pilot, lambda: 0 < len(table.shown) < 16)
        assert set(_column(table, "Target")) <= {"u55-32", "u55-64", "u55-128", "u55-256"}
        kept = table.row
        assert all(float(table.table.rows[row][sram].value or 0) < 1.9 * KIB * KIB for row in table.shown)
        await pilot.press(*["right"] * sram, "s", "s")
        values = [float(table.table.rows[row][sram].value or 0) for row in table.shown]
        assert values == sorted(values, reverse=True) and table.row == kept, "the cursor stays with its job"
        await pilot.press("slash", *" speed>3", "enter")
        await until(pilot, lambda: any("speed is no column" in said for said in notices(app)))
        await pilot.press("slash", "escape")
        await until(pilot, lambda: len(table.shown) == 166)
        assert not screen.query_one(FilterBar).display
        await pilot.press("space", "down", "space")
        assert len(screen._compared()) == len(table.marks) == 2
        await pilot.press("space", "up", "space")
        assert len(screen._compared()) == 39, "without marks all that succeeded"


async def test_the_table_is_saved_and_no_file_is_lost(
    make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    points = whole_space()
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        _, table = await _watch(pilot, Sweep(points, 40), points, 40)
        await pilot.press("slash", *"target:u55", "enter")
        await until(pilot, lambda: len(table.shown) == 16)

        async def save(what: str, form: str, name: str) -> None:
            await pilot.press("w")
            await on_screen(pilot, "ExportScreen")
            offers = app.screen.query_one(DataTable)
            rows = [(row[0].text, row[1].text) for row in offers.table.rows]
            offers.select_row(rows.index((what, form)))
            await pilot.press("tab", "ctrl+u", *name, "enter")

        await save("this table", "CSV", "s.csv")
        await on_screen(pilot, "BatchScreen")
        await until(pilot, lambda: (tmp_path / "s.csv").exists())
        rows = list(csv.DictReader((tmp_path / "s.csv").read_text().splitlines()))
        assert len(rows) == 16 and rows[0]["Target"] == "ethos-u55-32" and rows[0]["SRAM (bytes)"] == str(2000 * KIB)
        assert {"Cycles", "Time (seconds)", "Took (seconds)"} <= set(rows[0])
        assert rows[3]["SRAM (bytes)"] == "" and rows[0]["System config"] == "Ethos_U55_Deep_Embedded"
        await save("results", "JSON", "s.json")
        await until(pilot, lambda: (tmp_path / "s.json").exists())
        document = json.loads((tmp_path / "s.json").read_text())
        assert document["schema"] == "ethosu-tui/compile/1" and len(document["jobs"]) == 16
        assert document["answers"]["pareto"]
        before = (tmp_path / "s.csv").read_bytes()
        await until(pilot, lambda: type(app.screen).__name__ == "BatchScreen")
        await save("this table", "CSV", "s.csv")
        await until(pilot, lambda: "is there already" in text_of(app, "#problem"))
        assert (tmp_path / "s.csv").read_bytes() == before
        await pilot.press("escape")
        await on_screen(pilot, "BatchScreen")


async def test_one_key_leads_to_the_run_form_with_the_programs_of_the_jobs(make_app: MakeApp, tmp_path: Path) -> None:
    points = whole_space()
    (tmp_path / "net.pte").write_bytes(b"\x1c\0\0\0ET12" + bytes(40))
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen, _ = await _watch(pilot, Sweep(points, 40, tmp_path), points, 40)
        assert set(screen._compared()) == {str(tmp_path)}, "all lie in one folder here"
        await pilot.press("r")
        await on_screen(pilot, "RunFormScreen")
        fields = app.screen.query_one(DataTable)
        shown = {cells[0].text: cells[1].text for cells in fields.table.rows}
        assert "net.pte" in shown["artefact"]


async def test_one_key_leads_to_the_form_for_that_job_alone(make_app: MakeApp) -> None:
    points, _ = plan(["all"], ["all"], ["all"], [None, 262_144], ["Size"])
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        _, table = await _watch(pilot, Sweep(points, 4), points, 4)
        assert {"Arena limit", "Optimise"} <= {column.name for column in table.table.columns}
        place = next(i for i, point in enumerate(points) if point.target == "ethos-u85-512" and point.arena_cache_bytes)
        table.select_row(place)
        await pilot.press("c")
        await on_screen(pilot, "AskScreen")
        await pilot.press("enter")
        await on_screen(pilot, "CompileScreen")
        form = app.screen
        assert isinstance(form, CompileScreen)
        await until(pilot, lambda: "-o" in form.command)
        assert form._points == (points[place],)
        assert form.options().output == "net-ethos-u85-512.pte" and "net.py" in form.command
        assert "--arena-cache-size 262144 --optimise Size" in form.command


async def test_the_form_takes_the_whole_space_and_limits(make_app: MakeApp) -> None:
    app = make_app(screen="compile")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "CompileScreen")
        form = app.screen
        assert isinstance(form, CompileScreen)
        await until(pilot, lambda: bool(form.command))
        await pilot.press("A")
        assert "166 valid configurations, c starts" in text_of(app, "#plan")
        said = "ethosu-tui compile bundled:mnist --target all --system-config all --memory-mode all"
        assert form.command == said
        await pilot.press("i")
        await on_screen(pilot, "AskScreen")
        await pilot.press(*"default, 5 apples", "enter")
        assert "apples is not a limit" in text_of(app, "#said") or "5 is" in text_of(app, "#said")
        await pilot.press("escape", "i")
        await on_screen(pilot, "AskScreen")
        await pilot.press(*"default,256KiB", "enter")
        await on_screen(pilot, "CompileScreen")
        await until(pilot, lambda: "332 valid configurations" in text_of(app, "#plan"))
        assert form.command == f"{said} --arena-cache-size default --arena-cache-size 262144"
        form.query_one("#optimise", Checklist).focus()
        await pilot.press("a")
        assert "664 valid configurations" in text_of(app, "#plan")
        await pilot.press("A")
        assert form.query_one("#targets", Checklist).chosen == ("ethos-u55-128",)


async def test_real_workers_fill_the_table_and_every_row_opens(make_app: MakeApp, batch: Batch) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        for states in (["✓ ok", "✓ shared", "✓ shared"], ["✓ found"] * 3):
            running = batch()
            screen = BatchScreen(running, running.points, running.options.model, "", running.options)
            app.push_screen(screen)
            await on_screen(pilot, "BatchScreen")
            await until(pilot, lambda screen=screen: screen._over)  # type: ignore[misc]
            table = screen.query_one(SweepTable)
            assert sorted(_column(table, "State")) == sorted(states)
            for row in range(3):
                table.select_row(row)
                await pilot.press("enter")
                await on_screen(pilot, "ReportScreen")
                await pilot.press("escape")
                await on_screen(pilot, "BatchScreen")
            await pilot.press("v")
            await on_screen(pilot, "CompareScreen")
            assert isinstance(app.screen, CompareScreen) and len(app.screen._sides) == 3
            await pilot.press("escape")
            await on_screen(pilot, "BatchScreen")
            await pilot.press("escape")
            await on_screen(pilot, "HomeScreen")


def _entries(*kinds: tuple[str, float | None]) -> list[Entry]:
    """Entries of one family: how each was made and when it ended, None where it has not."""
    point = CompilePoint("ethos-u55-128", "Ethos_U55_High_End_Embedded", "Shared_Sram")
    entries = []
    for route, ended in kinds:
        result = result_of(0, point, route=route, cached=route == "found") if ended is not None else None
        entries.append(Entry(point, result=result, ended=ended or 0.0))
    return entries


@pytest.mark.parametrize(
    ("kinds", "left"),
    [
        ([("full", 30.0), ("", None)], None),
        ([("full", 30.0), ("shared", 31.0), ("shared", 32.0), ("", None)], None),
        ([("full", 30.0), ("shared", 31.0), ("shared", 32.0), ("shared", 33.0), ("", None), ("", None)], 2.0),
        ([("found", 1.0)] * 9 + [("", None)], None),  # what was found says nothing of what must be made
        ([("script", 30.0), ("script", 60.0), ("script", 90.0), ("", None)], 30.0),
    ],
)
def test_time_left_is_said_only_where_it_is_known(kinds: list[tuple[str, float | None]], left: float | None) -> None:
    assert seconds_left(_entries(*kinds)) == left


def test_another_family_that_was_not_begun_makes_the_time_unknown() -> None:
    entries = _entries(*[("shared", float(second)) for second in range(5)], ("", None))
    assert seconds_left(entries) == 1.0
    assert seconds_left([*entries, Entry(CompilePoint("ethos-u85-256", "Ethos_U85_SYS_DRAM_Mid", "Sram_Only"))]) is None


def test_only_rows_that_changed_are_made_again() -> None:
    entries = [Entry(point) for point in whole_space()]
    rows = SweepRows(entries)
    first = rows.table(0.0)
    assert first is not None and rows.table(1.0) is None, "nothing changed"
    entries[7].result = result_of(7, entries[7].point)
    rows.touch(7)
    second = rows.table(1.0)
    assert second is not None
    assert [i for i, (a, b) in enumerate(zip(first.rows, second.rows, strict=True)) if a is not b] == [7]
