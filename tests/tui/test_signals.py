"""SIGTERM and a closed terminal leave as `q` does: the terminal restored, and the run goes on without us."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
from pathlib import Path

import pytest

from ethosu_tui.runners.runs.folder import list_runs

from ..runners import standin_fvp
from ..runners.keepers import wait_gone, wait_over
from .terminal import Terminal, dashboard, environment

SIMULATOR = "FVP_Corstone_SSE-300_Ethos-U55"
pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux (apt install tmux)")


def _start_run(terminal: Terminal, elf: Path) -> None:
    terminal.wait("? Help", "Sample logs (")
    terminal.press("r")
    terminal.wait("What to run", "/ Filter")  # the list has the keys
    terminal.press("Down", "Down", "Enter")
    terminal.wait("enter takes it")
    terminal.type(str(elf))
    terminal.press("Enter")
    terminal.wait("r starts it")
    terminal.press("r")
    terminal.wait("Job ›", "running", "PTE Model data loaded")


class _Place:
    """A home, a simulator that stands still in the run until `go` is there, and the dashboard, which notes its process."""

    def __init__(self, folder: Path, samples: Path) -> None:
        simulators = folder / "fvp"
        log = (samples / "softmax.log").read_bytes()
        self.go = folder / "go"
        standin_fvp.write(simulators, SIMULATOR, log, wait_after="Running method", wait_for=str(self.go))
        self.elf = standin_fvp.elf(folder / "runner.elf")
        self.runs = folder / "home" / "runs"
        self.settings = {**environment(folder / "home"), "PATH": f"{simulators}:{os.environ['PATH']}"}
        self._pid = folder / "pid"
        self.dashboard = f"echo $$ > {shlex.quote(str(self._pid))}; exec {shlex.join(dashboard())}"

    @property
    def process(self) -> int:
        """The number of the dashboard's process."""
        return int(self._pid.read_text())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_as_q_does(tmp_path: Path, samples: Path, number: signal.Signals) -> None:
    place = _Place(tmp_path, samples)
    outer = f"sh -c {shlex.quote(place.dashboard)}; echo left with $?; exec sleep 60"  # tmux hides the cursor of a dead window
    with Terminal(["sh", "-c", outer], place.settings) as terminal:
        _start_run(terminal, place.elf)
        assert terminal.ask("#{alternate_on}") == "1"
        os.kill(place.process, number)
        terminal.wait("left with 130")
        assert terminal.ask("#{alternate_on} #{cursor_flag}") == "0 1"
        assert [run.state for run in list_runs(place.runs)] == ["running"]
        place.go.touch()
    assert wait_over(place.runs).status == "passed"


@pytest.mark.parametrize("before", [(), ("setsid", "--wait")], ids=["signal", "silent"])
def test_a_closed_terminal_leaves_the_run_going_on(tmp_path: Path, samples: Path, before: tuple[str, ...]) -> None:
    """In a session of its own nothing is sent to us: the terminal is gone, and that is all."""
    place = _Place(tmp_path, samples)
    with Terminal([*before, "sh", "-c", place.dashboard], place.settings) as terminal:
        _start_run(terminal, place.elf)
    wait_gone(place.process)
    place.go.touch()
    over = wait_over(place.runs)
    assert (over.state, over.status) == ("finished", "passed")
