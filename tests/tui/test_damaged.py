"""A damaged run folder is a row without a figure or a notice; it never takes the dashboard down."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ethosu_tui.runners.reading import inputs
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.runners.runs.index import listed
from ethosu_tui.tui import messages
from ethosu_tui.tui.screens import report
from ethosu_tui.tui.stored import key_figure, stored_runs
from ethosu_tui.tui.widgets.data_table import DataTable

from .conftest import MakeApp, notices, on_screen, until

DAMAGED = (
    '{"captures": 5}',
    '{"captures": [{"runs": 7}]}',
    '{"captures": [7]}',
    '{"captures": [{"runs": [7]}]}',
    '{"captures": [{"runs": [{"pmu": []}]}]}',
    '{"captures": [{"runs": [{"pmu": {"npu_cycles": ' + "9" * 400 + "}}]}]}",
    '{"captures": [{"runs": [{"pmu": {"npu_cycles": ' + "9" * 5000 + "}}]}]}",
    '{"captures": [{"runs": [{"pmu": {"npu_cycles": 1e308}}]}]}',
    '{"captures": [{"runs": [{"pmu": {"npu_cycles": NaN}}]}]}',
    '{"captures": [{"runs": [{"pmu": {"npu_cycles": true}}]}]}',
    "[" * 200_000,
    "[]",
    "7",
    "",
    "\x00\xff",
)


@pytest.mark.parametrize("kind", ["run", "compile"])
@pytest.mark.parametrize("text", DAMAGED, ids=lambda text: text[:24])
def test_a_damaged_report_gives_no_figure(tmp_path: Path, kind: str, text: str) -> None:
    folder = RunFolder.create(tmp_path, kind, "damaged")  # type: ignore[arg-type]
    folder.finish("passed")
    name = "report.json" if kind == "run" else "result.json"
    (folder.path / name).write_text(text)
    assert key_figure(folder) is None
    assert stored_runs(listed(tmp_path), 0.0).table.rows[0][4].text == "-"


def test_a_pipe_in_place_of_a_report_blocks_nothing(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "run", "piped")
    folder.finish("passed")
    os.mkfifo(folder.path / "report.json")
    assert key_figure(folder) is None


async def test_home_lists_damaged_folders_and_opening_them_is_a_notice(make_app: MakeApp, tmp_path: Path) -> None:
    root = tmp_path / "runs"
    for number, text in enumerate(DAMAGED[:6]):
        folder = RunFolder.create(root, "compile", f"damaged {number}")
        folder.finish("ok")
        (folder.path / "result.json").write_text(text)
    broken = root / "broken"
    broken.mkdir()
    (broken / "manifest.json").write_text("[" * 100_000)
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        runs = app.screen.query_one("#runs", DataTable)
        await until(pilot, lambda: len(runs.table.rows) == 7)
        assert any("broken" in cells[3].text for cells in runs.table.rows)
        app.post_message(messages.OpenReport(str(broken)))
        await until(pilot, lambda: any("broken" in note for note in notices(app)))
        await pilot.press("escape")
        await on_screen(pilot, "HomeScreen")


async def test_what_nobody_thought_of_is_a_notice_that_names_the_path(
    make_app: MakeApp, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = str(samples / "mnist_q.log")

    def bad(*_: object) -> object:
        raise ZeroDivisionError("odd")

    for module, name in ((inputs, "load"), (report, "view_of")):
        app = make_app()
        async with app.run_test(size=(80, 24)) as pilot:
            await on_screen(pilot, "HomeScreen")
            with monkeypatch.context() as patch:
                patch.setattr(module, name, bad)
                app.post_message(messages.OpenReport(log))
                await until(pilot, lambda app=app: any("mnist_q.log cannot be shown" in n for n in notices(app)))
            assert type(app.screen).__name__ == "HomeScreen"


async def test_a_tab_that_fails_leaves_the_others(
    make_app: MakeApp, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bad(*_: object) -> object:
        raise ZeroDivisionError("odd")

    monkeypatch.setattr("ethosu_tui.tui.screens.cycles_pane.cycle_bars", bad)
    app = make_app(samples / "mnist_q.log")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        await pilot.press("3")
        await until(pilot, lambda: any("this tab cannot be shown" in note for note in notices(app)))
        await pilot.press("escape", "1")
        assert isinstance(app.screen, report.ReportScreen) and app.screen.tab == "Summary"


async def test_a_worker_that_dies_is_a_notice(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    def bad(*_: object) -> object:
        raise ZeroDivisionError("odd")

    monkeypatch.setattr("ethosu_tui.tui.stored.stored_runs", bad)
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: any("odd" in note for note in notices(app)))
        await pilot.press("f5")
        assert type(app.screen).__name__ == "HomeScreen"
