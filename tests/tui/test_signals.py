"""SIGTERM and a closed terminal leave as `q` does: the terminal restored, the job stopped, the run recorded as stopped."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import time
from pathlib import Path

import pytest

from ethosu_tui.runners.folder import list_runs

from ..runners import standin_fvp
from .terminal import Terminal, dashboard, environment

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux (apt install tmux)")


def _start_run(terminal: Terminal, elf: Path) -> None:
    terminal.wait("? Help", "Sample logs (")
    terminal.press("x")
    terminal.wait("What to run", "/ Filter")  # the list has the keys
    terminal.press("Down", "Down", "Enter")
    terminal.wait("enter takes it")
    terminal.type(str(elf))
    terminal.press("Enter")
    terminal.wait("x starts it")
    terminal.press("x")
    terminal.wait("Job ›", "running", "executorch")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_as_q_does(tmp_path: Path, samples: Path, number: signal.Signals) -> None:
    simulators = tmp_path / "fvp"
    log = (samples / "softmax.log").read_bytes()
    standin_fvp.write(simulators, "FVP_Corstone_SSE-300_Ethos-U55", log, line_seconds=0.5)
    elf = standin_fvp.elf(tmp_path / "runner.elf")
    home = tmp_path / "home"
    settings = {**environment(home), "PATH": f"{simulators}:{os.environ['PATH']}"}
    pid = tmp_path / "pid"
    inner = f"echo $$ > {shlex.quote(str(pid))}; exec {shlex.join(dashboard())}"
    outer = f"sh -c {shlex.quote(inner)}; echo left with $?; exec sleep 60"  # tmux hides the cursor of a dead window
    with Terminal(["sh", "-c", outer], settings) as terminal:
        _start_run(terminal, elf)
        assert terminal.ask("#{alternate_on}") == "1"
        os.kill(int(pid.read_text()), number)
        terminal.wait("left with 130")
        assert terminal.ask("#{alternate_on} #{cursor_flag}") == "0 1"
        (run,) = list_runs(home / "runs")
        assert run.state == "stopped"


@pytest.mark.parametrize("before", [(), ("setsid", "--wait")], ids=["signal", "silent"])
def test_a_closed_terminal_stops_the_run(tmp_path: Path, samples: Path, before: tuple[str, ...]) -> None:
    """In a session of its own nothing is sent to us: the terminal is gone, and that is all."""
    simulators = tmp_path / "fvp"
    log = (samples / "softmax.log").read_bytes()
    standin_fvp.write(simulators, "FVP_Corstone_SSE-300_Ethos-U55", log, line_seconds=2)
    elf = standin_fvp.elf(tmp_path / "runner.elf")
    home = tmp_path / "home"
    settings = {**environment(home), "PATH": f"{simulators}:{os.environ['PATH']}"}
    with Terminal([*before, *dashboard()], settings) as terminal:
        _start_run(terminal, elf)
    deadline = time.monotonic() + 60
    while list_runs(home / "runs")[0].state == "running" and time.monotonic() < deadline:
        time.sleep(0.1)
    assert list_runs(home / "runs")[0].state == "stopped"
