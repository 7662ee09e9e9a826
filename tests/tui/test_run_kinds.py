"""Each kind of place runs from the run form by keys, with its real part; the form's own tests have serial ports and commands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ethosu_tui.runners.runs.folder import list_runs
from ethosu_tui.tui.widgets.chrome import TitleBar
from ethosu_tui.tui.widgets.data_table import DataTable

from ..runners import bare_metal, standin_fvp
from ..runners.board import PRESENT, Board
from ..runners.test_command import QEMU, needs_qemu
from .conftest import MakeApp, notices, on_screen, text_of, until
from .test_run_form import run_it, type_into

SIZE = (100, 30)


async def test_a_simulator(make_app: MakeApp, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = (samples / "softmax.log").read_bytes()
    standin_fvp.write(tmp_path / "fvp", standin_fvp.NAMES[0], log)
    elf = standin_fvp.elf(tmp_path / "runner.elf")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    app = make_app(screen="run")
    async with app.run_test(size=SIZE) as pilot:
        await on_screen(pilot, "RunFormScreen")
        await type_into(pilot, "artefact", str(elf))
        await pilot.press("r")  # it is not installed
        await until(pilot, lambda: any("FVP_Corstone_SSE-300_Ethos-U55" in notice for notice in notices(app)))
        monkeypatch.setenv("ETHOSU_TUI_FVP_PATH", str(tmp_path / "fvp"))
        await run_it(pilot, tmp_path / "runs")
    (run,) = list_runs(tmp_path / "runs")
    assert run.console_path.read_bytes().count(log.splitlines()[3]) == 1 and run.manifest["on"] == "fvp"


@pytest.fixture(scope="module")
def sshd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    board = Board(tmp_path_factory.mktemp("board"))
    yield board
    board.close()


@pytest.mark.skipif(not PRESENT and not os.environ.get("CI"), reason="needs OpenSSH's client and sshd")
async def test_another_machine(
    make_app: MakeApp, sshd: Board, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", sshd.env["PATH"])
    pte = tmp_path / "model.pte"
    pte.write_bytes(b"\x1c\0\0\0ET12" + bytes(40))
    sshd.install("executor_runner", f'[ "$1" = --model_path ] && cmp "$2" {pte} && cat {samples / "softmax.log"}')
    app = make_app(screen="run")
    async with app.run_test(size=SIZE) as pilot:
        await on_screen(pilot, "RunFormScreen")
        await type_into(pilot, "on", "ssh")
        await type_into(pilot, "place", "board")
        await type_into(pilot, "artefact", str(pte))
        await run_it(pilot, tmp_path / "runs")
    (run,) = list_runs(tmp_path / "runs")
    assert run.console_path.read_bytes() == (samples / "softmax.log").read_bytes()


@needs_qemu
async def test_an_emulator_as_a_command(make_app: MakeApp, samples: Path, tmp_path: Path) -> None:
    elf = tmp_path / "runner.elf"
    elf.write_bytes(bare_metal.elf((samples / "softmax.log").read_bytes()))
    app = make_app(screen="run")
    async with app.run_test(size=SIZE) as pilot:
        await on_screen(pilot, "RunFormScreen")
        await type_into(pilot, "on", "command")
        await type_into(pilot, "artefact", str(elf))
        await type_into(pilot, "command", " ".join([*QEMU, "{elf}"]))
        await run_it(pilot, tmp_path / "runs")


@pytest.mark.compile
async def test_the_host(make_app: MakeApp, tmp_path: Path) -> None:
    program = Path(__file__).parents[1] / "programs" / "softmax_float.pte"
    app = make_app(screen="run")
    async with app.run_test(size=SIZE) as pilot:
        await on_screen(pilot, "RunFormScreen")
        await type_into(pilot, "on", "host")
        await type_into(pilot, "artefact", str(program))
        await run_it(pilot, tmp_path / "runs")


async def test_a_recording(make_app: MakeApp, samples: Path, tmp_path: Path) -> None:
    app = make_app(screen="run")
    async with app.run_test(size=SIZE) as pilot:
        await on_screen(pilot, "RunFormScreen")
        await type_into(pilot, "on", "replay")
        await type_into(pilot, "artefact", str(samples / "softmax.log"))
        await type_into(pilot, "pace", "instant")
        await run_it(pilot, tmp_path / "runs")


async def test_a_command_that_nobody_knows_is_finished_on_every_screen(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(screen="run")
    async with app.run_test(size=SIZE) as pilot:
        await on_screen(pilot, "RunFormScreen")
        await type_into(pilot, "on", "command")
        await type_into(pilot, "command", "echo hello")
        await pilot.press("r")
        await on_screen(pilot, "JobScreen")
        await until(pilot, lambda: "opens the report" in text_of(app, "#state"))
        assert "says neither pass nor fail" in text_of(app, "#state") and "started" not in text_of(app, "#state")
        assert "finished" in app.screen.query_one(TitleBar).status
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen")
        assert "finished" in app.screen.query_one(TitleBar).status
        await until(pilot, lambda: "neither pass nor fail" in text_of(app, "#detail"))
        await pilot.press("escape")
        await on_screen(pilot, "HomeScreen")
        runs = app.screen.query_one("#runs", DataTable)
        await until(pilot, lambda: any("finished" in cell.text for row in runs.table.rows for cell in row))
