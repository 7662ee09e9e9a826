"""Home at work: what goes on, the runs with their trends, targets with their locks, jumps, and nothing sent when nothing changes."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from ethosu_tui.runners.keeping.locks import Lock
from ethosu_tui.runners.keeping.seen_locks import locked_inodes
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.runners.runs.index import listed
from ethosu_tui.tui.app import EthosuApp
from ethosu_tui.tui.cli import main
from ethosu_tui.tui.screens.page import Page
from ethosu_tui.tui.screens.run_form import RunFormScreen
from ethosu_tui.tui.widgets.data_table import DataTable

from .conftest import MakeApp, on_screen, until

NOW = 1_790_000_000.0


def run(root: Path, cycles: float | None, model: str = "net", inferences: int = 1, **facts: object) -> RunFolder:
    """A run of a model on a simulator, with what its report says."""
    known: dict[str, object] = {
        "on": "fvp",
        "model": model,
        "target": "ethos-u55-128",
        "hashes": {f"/x/{model}.pte": "1"},
    }
    folder = RunFolder.create(root, "run", f"{model} on ethos-u55-128", **{**known, **facts})
    told = {
        "target": {"platform": "fvp" if facts.get("on") == "simulator" else "board"},
        "pmu": {"npu_cycles": cycles},
        "cycles": {"npu_ratio_percent": 87.5, "inferences": inferences},
    }
    folder.write_json("report.json", {"captures": [{"runs": [told]}]})
    folder.finish("passed", seconds=90.0)
    return folder


def table(app: EthosuApp, name: str) -> DataTable:
    return app.screen.query_one(f"#{name}", DataTable)


def keys(app: EthosuApp) -> str:
    return str(app.screen.query_one("KeyBar").render())


# -- what the rows say -------------------------------------------------------------------------------------------------


# -- on the screen -----------------------------------------------------------------------------------------------------


@pytest.fixture
def going(tmp_path: Path, samples: Path) -> Iterator[RunFolder]:
    run(tmp_path / "runs", 100)
    folder = RunFolder.create(tmp_path / "runs", "run", "net on ethos-u55-128", target="ethos-u55-128", keeper="ready")
    folder.console_path.write_bytes(b"".join((samples / "mnist_q.log").read_bytes().splitlines(keepends=True)[:12]))
    yield folder


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_what_goes_on_is_in_sight_moves_and_leads_to_it(
    make_app: MakeApp, going: RunFolder, size: tuple[int, int]
) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: table(app, "going").display and bool(table(app, "runs").table.rows))
        assert table(app, "going").table.rows[0][2].text.split()[0].startswith("●")
        assert len(table(app, "runs").table.rows) == 1
        table(app, "going").focus()
        await pilot.press("enter")
        await on_screen(pilot, "JobScreen")
        app.pop_screen()
        await on_screen(pilot, "HomeScreen")
        going.finish("failed")
        await until(pilot, lambda: len(table(app, "runs").table.rows) == 2 and not table(app, "going").display)
        assert "failed" in table(app, "runs").table.rows[0][3].text
        assert app.screen.focused is table(app, "runs")


async def test_new_runs_come_above_and_cursor_and_marks_stay_on_theirs(make_app: MakeApp, tmp_path: Path) -> None:
    for model in ("a", "b", "c"):
        run(tmp_path / "runs", 1, model)
    app = make_app()
    async with app.run_test(size=(120, 30)) as pilot:
        runs = table(app, "runs")
        await until(pilot, lambda: runs.row_count == 3)
        await pilot.press("down", "space")
        assert runs.table.rows[runs.row or 0][1].text == "b"
        run(tmp_path / "runs", 1, "d")
        await until(pilot, lambda: runs.row_count == 4)
        assert runs.table.rows[runs.row or 0][1].text == "b"
        assert [runs.table.rows[mark][1].text for mark in runs.marks] == ["b"]


async def test_jumps_lead_everywhere_and_are_shown_when_begun(make_app: MakeApp, tmp_path: Path, samples: Path) -> None:
    run(tmp_path / "runs", 1).console_path.write_bytes((samples / "mnist_q.log").read_bytes())
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: table(app, "runs").row_count == 1)
        assert "g Go" in keys(app)
        for key, screen in (("c", "Compile"), ("r", "RunForm"), ("t", "Targets"), ("d", "Doctor"), ("h", "Home")):
            await pilot.press("g")
            assert "h Home" in keys(app) and "t Targets" in keys(app) and "esc" in keys(app)
            await pilot.press(key)
            await on_screen(pilot, f"{screen}Screen")
            assert "h Home" not in keys(app) and len(app.screen_stack) <= 2
        await pilot.press("g", "z", "g", "escape")
        assert type(app.screen).__name__ == "HomeScreen" and not app.jumping
        await pilot.press("g", "l")
        await on_screen(pilot, "ReportScreen")
        await pilot.press("slash", "g", "c", "escape")  # typed text is text
        assert type(app.screen).__name__ == "ReportScreen"
        await pilot.press("g", "h")
        await on_screen(pilot, "HomeScreen")
        await pilot.press("colon")
        await on_screen(pilot, "Palette")


class Busy(Page):
    """A page on which something runs."""

    HEADING = "Busy"
    busy = True  # type: ignore[assignment]
    gone = False
    progress = ("net", 3, 11, 34.0)  # type: ignore[assignment]

    def on_unmount(self) -> None:
        self.gone = True


async def test_what_runs_on_a_screen_that_is_left_by_a_jump_goes_on_and_is_found_again(make_app: MakeApp) -> None:
    app = make_app()
    busy = Busy()
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        app.push_screen(busy)
        await on_screen(pilot, "Busy")
        await pilot.press("g", "h")
        await on_screen(pilot, "HomeScreen")
        await until(pilot, lambda: table(app, "going").display)
        row = table(app, "going").table.rows[0]
        assert "3 of 11 done" in row[2].text and row[3].text == "about 34 s left" and not busy.gone
        await pilot.press("q")
        assert app.is_running  # it is asked first
        table(app, "going").focus()
        await pilot.press("enter")
        await on_screen(pilot, "Busy")
        assert app.screen is busy and app.parked == ()
        await pilot.press("g", "h")
        await on_screen(pilot, "HomeScreen")
    assert busy.gone  # as any screen: what it started is stopped


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    port = tmp_path / "port"
    port.touch()
    (tmp_path / "xdg-config" / "ethosu-tui").mkdir(parents=True)
    (tmp_path / "xdg-config" / "ethosu-tui" / "config.toml").write_text(
        f'[targets.bench]\nbase = "alif-e8-hp"\nurl = "{port}"\n[targets.gone]\nkind = "serial"\nurl = "/dev/nothing"\n'
    )
    monkeypatch.chdir(tmp_path)
    return port


async def test_targets_show_health_and_who_has_them(
    make_app: MakeApp, board: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if locked_inodes() is None:
        pytest.skip("this machine does not list locks")
    run(tmp_path / "runs", 1)
    monkeypatch.setattr("ethosu_tui.tui.screens.home.PLACES_SECONDS", 0.1)
    monkeypatch.setattr("ethosu_tui.tui.screens.targets.LOOK_SECONDS", 0.1)
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        targets = table(app, "targets")
        await until(pilot, lambda: len(targets.table.rows) > 2)
        told = {row[1].text: (row[0].text, row[2].text) for row in targets.table.rows}
        assert told["bench"] == ("✓", "free") and told["gone"] == ("✗", "missing")
        assert "alif-e8-hp" not in told and "known boards" in str(targets.border_title)
        lock = Lock(f"serial:{os.path.realpath(board)}")
        assert lock.take("run-7")
        try:
            await until(pilot, lambda: any("run run-7" in row[2].text for row in targets.table.rows))
            targets.focus()
            await pilot.press("enter")
            await on_screen(pilot, "TargetsScreen")
            every = table(app, "all")
            await until(pilot, lambda: len(every.table.rows) > 10 and bool(table(app, "known").table.rows))
            assert every.table.rows[every.row or 0][1].text == "bench" and "in use by" in every.table.rows[0][3].text
            assert "targets show bench" in getattr(app.screen, "command", "")
        finally:
            lock.release()
        await until(pilot, lambda: every.table.rows[0][3].text == "free")
        await pilot.press("enter")
        await on_screen(pilot, "RunFormScreen")
        assert isinstance(app.screen, RunFormScreen) and app.screen._entered.runner == "bench"


def test_the_command_line_says_who_has_a_target(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if locked_inodes() is None:
        pytest.skip("this machine does not list locks")
    lock = Lock(f"serial:{os.path.realpath(board)}")
    told = []
    for _ in range(2):
        assert main(["targets", "show", "bench", "--json"]) == 0
        told.append(json.loads(capsys.readouterr().out)["targets"][0]["held_by"])
        lock.take("run-7")
    lock.release()
    assert told[0] == [] and told[1][0]["run"] == "run-7"


@pytest.mark.parametrize("stored", [True, False])
async def test_a_narrow_terminal_shows_one_pane_at_a_time(make_app: MakeApp, tmp_path: Path, stored: bool) -> None:
    if stored:
        run(tmp_path / "runs", 1)
    app = make_app()

    def shown() -> list[str]:
        return [name for name in ("going", "runs", "targets", "tools", "samples") if table(app, name).size.height > 0]

    async with app.run_test(size=(60, 20)) as pilot:
        await until(pilot, lambda: shown() == (["runs"] if stored else ["samples"]))
        for number, name in enumerate(("runs", "targets", "tools", "samples"), 2):
            await pilot.press(str(number))
            await until(pilot, lambda name=name: shown() == [name])
            assert app.screen.focused is table(app, name) and table(app, name).size.height >= 14
        await pilot.press("tab")
        await until(pilot, lambda: shown() == ["runs"])
        await pilot.press("shift+tab")
        await until(pilot, lambda: shown() == ["samples"])
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "targets" in shown() or not stored)
        await pilot.resize_terminal(60, 20)
        await until(pilot, lambda: len(shown()) == 1)


async def test_a_wide_list_says_more(make_app: MakeApp, tmp_path: Path) -> None:
    run(tmp_path / "runs", 1)
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: table(app, "runs").row_count == 1)
        assert table(app, "runs").table.rows[0][2].text == "u55-128"
        room = table(app, "runs").scrollable_content_region.width
        assert table(app, "runs").virtual_size.width <= room
        await pilot.resize_terminal(200, 60)
        await until(pilot, lambda: table(app, "runs").table.rows[0][2].text == "ethos-u55-128")
        assert [column.name for column in table(app, "runs").table.columns][-1] == "What"


async def test_samples_make_room_for_runs(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: table(app, "samples").display and table(app, "samples").has_focus)
        run(tmp_path / "runs", 1)
        await until(pilot, lambda: not table(app, "samples").display)
        assert "sample logs" in str(app.screen.query_one("#fold").render()) and table(app, "targets").display
        await until(pilot, lambda: table(app, "runs").has_focus)


async def updates(pilot: Pilot[None], seconds: float) -> int:
    """How often the screen was drawn in so long a time."""
    count = 0
    write = pilot.app._display

    def counted(*arguments: object, **options: object) -> None:
        nonlocal count
        count += 1
        write(*arguments, **options)  # type: ignore[arg-type]

    pilot.app._display = counted  # type: ignore[method-assign, assignment]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        await pilot.pause(0.05)
    return count


async def test_nothing_is_drawn_while_nothing_changes(make_app: MakeApp, tmp_path: Path, board: Path) -> None:
    run(tmp_path / "runs", 1)
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: all(table(app, name).table.rows for name in ("runs", "targets", "tools")))
        await pilot.app.workers.wait_for_complete()
        await pilot.pause(0.5)
        listed(tmp_path / "runs")
        assert await updates(pilot, 2.5) == 0
