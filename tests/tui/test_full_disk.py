"""The dashboard on a disk that is full, or becomes so while a run is watched: said once, nothing lost, and the app goes on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ethosu_tui.runners.job import JobError
from ethosu_tui.runners.launch import launch
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.runs.folder import RunFolder, list_runs
from ethosu_tui.tui import messages
from ethosu_tui.tui.widgets.chrome import TitleBar

from ..runners.keepers import wait_over
from .conftest import MakeApp, notices, on_screen, text_of, until

PRINTS = """
import time
for number in range(10_000):
    print(f"I [executorch:a.cpp:1] step {number}" + "x" * 80, flush=True)
    if number % 50 == 0:
        time.sleep(0.05)
"""


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A workspace with room for some 300 KB."""
    disk = tmp_path / "runs"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("needs the right to mount a small tmpfs")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


async def test_a_run_that_fills_the_disk_says_so_and_is_not_lost(
    make_app: MakeApp, small: Path, tmp_path: Path
) -> None:
    script = tmp_path / "prints.py"
    script.write_text(PRINTS)
    app = make_app()
    async with app.run_test(size=(120, 30)) as pilot:
        folder = launch(RunRequest("command", argv=(sys.executable, str(script))), small).folder
        assert folder is not None
        app.post_message(messages.AttachRun(str(folder.path)))
        await on_screen(pilot, "JobScreen")
        await until(pilot, lambda: any("the disk is full" in one for one in notices(app)))
        await until(pilot, lambda: "the disk is full" in text_of(app, "#state"))
        assert "lost" not in text_of(app, "#state") and "after 0.0 s" not in text_of(app, "#state")
        assert "truncated" in app.screen.query_one(TitleBar).status
        await pilot.press("enter")
        await on_screen(pilot, "ReportScreen")
    over = wait_over(small)
    assert over.state == "stopped" and over.manifest["status"] == "truncated"
    assert b"step 100x" in over.console_path.read_bytes()


def test_where_no_run_can_begin_nothing_is_said_to_be_cut_short(small: Path) -> None:
    with (small / "fill").open("wb", buffering=0) as fill, pytest.raises(OSError, match="space"):
        while True:
            fill.write(bytes(4096))
    with pytest.raises(JobError) as caught:
        RunFolder.create(small, "run", "x")
    assert caught.value.message == f"the disk is full, no run can be stored in {small}"
    assert "runs rm" in caught.value.hint and "cut short" not in str(caught.value)
    assert not list_runs(small), "and nothing is left that looks like a run"
