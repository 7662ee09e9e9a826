"""`ethosu-tui compile` and `demo` under Ctrl-C, `kill`, and a terminal that is closed: real processes and terminals."""

from __future__ import annotations

import contextlib
import os
import pty
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ethosu_tui.runners.liveness import process_started
from ethosu_tui.runners.runs.folder import list_runs

STANDIN = Path(__file__).with_name("standin_executorch")
COMMAND = [sys.executable, "-m", "ethosu_tui.tui.cli"]
HANG = """
ModelUnderTest = 1
ModelInputs = (1,)
import os, time
def during(given):
    print("pid", os.getpid(), os.getppid(), flush=True)
    if "85" not in given["--target"]:
        time.sleep(30)
"""


class Work:
    """A model that hangs, except for an Ethos-U85, and an interpreter with the stand-in for executorch."""

    def __init__(self, home: Path) -> None:
        self.runs, self.scratch, self.packages = home / "runs", home / "scratch", home / "packages"
        self.scratch.mkdir()
        shutil.copytree(STANDIN, self.packages)
        self.python = home / "python"
        self.python.write_text(f'#!/bin/sh\nPYTHONPATH="{self.packages}" exec "{sys.executable}" -S "$@"\n')
        self.python.chmod(0o755)
        self.model = home / "model.py"
        self.model.write_text(HANG)
        self.environment = os.environ | {"ETHOSU_TUI_WORKSPACE": str(self.runs), "TMPDIR": str(self.scratch)}
        self.compile = [*COMMAND, "compile", str(self.model), "--python", str(self.python)]
        self.compile += ["-t", "ethos-u85-128", "-t", "ethos-u55-32", "-t", "cortex-m55", "-j", "2"]

    def pids(self) -> list[int]:
        logs = [path.read_text() for path in self.runs.glob("*/console.log")]
        return [int(word) for log in logs for word in log.split() if word.isdigit()]

    def hangs(self) -> bool:
        return bool(list(self.runs.glob("*85*/result.json"))) and len(self.pids()) >= 6

    def states(self) -> list[str]:
        return sorted(folder.state for folder in list_runs(self.runs))

    def nothing_left(self) -> bool:
        return not list(self.scratch.iterdir()) and all(process_started(pid) is None for pid in self.pids())


@pytest.fixture
def work(tmp_path: Path) -> Work:
    return Work(tmp_path)


def _wait_until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("json", [False, True])
def test_a_signal_stops_the_jobs_and_keeps_what_is_done(number: signal.Signals, json: bool, work: Work) -> None:
    ours = subprocess.Popen(
        [*work.compile, *(["--json"] if json else [])],
        env=work.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    _wait_until(work.hangs)
    ours.send_signal(number)
    if number != signal.SIGINT:
        ours.send_signal(number)  # shells and terminals send it twice
    out, said = ours.communicate(timeout=60)
    assert ours.returncode == 130, said
    assert "Traceback" not in said and "failed" not in said and out == ""
    assert "kept" in said and "ethosu-tui: interrupted" in said.splitlines()
    assert work.states() == ["finished", "stopped", "stopped"]
    _wait_until(work.nothing_left)


def test_a_terminal_that_is_closed_leaves_everything_in_order(work: Work) -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        with contextlib.suppress(OSError):
            os.execve(work.compile[0], work.compile, work.environment)
        os._exit(99)
    _wait_until(work.hangs)
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 130
    assert work.states() == ["finished", "stopped", "stopped"]
    _wait_until(work.nothing_left)


def test_nohup_is_respected(work: Work) -> None:
    ours = subprocess.Popen(
        ["nohup", *work.compile], env=work.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _wait_until(work.hangs)
    ours.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        ours.wait(0.5)
    ours.terminate()
    assert ours.wait(60) == 130
    _wait_until(work.nothing_left)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_demo_that_is_interrupted_ends_in_order(number: signal.Signals, work: Work) -> None:
    (work.packages / "executorch/exir/__init__.py").write_text("import time; time.sleep(30)\n")
    ours = subprocess.Popen(
        [*COMMAND, "demo", "--python", str(work.python)],
        env=work.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    _wait_until(lambda: work.states() == ["running"] * len(work.states()) != [])
    time.sleep(0.2)
    ours.send_signal(number)
    out, said = ours.communicate(timeout=60)
    assert ours.returncode == 130 and out == "" and "Traceback" not in said
    assert set(work.states()) == {"stopped"}
    _wait_until(work.nothing_left)


def test_an_extra_argument_of_ours_is_refused_before_anything_runs(work: Work) -> None:
    done = subprocess.run(
        [*work.compile, "--aot-arg=--target=ethos-u85-128"], env=work.environment, capture_output=True, text=True
    )
    assert done.returncode == 2 and "use --target" in done.stderr and len(done.stderr.splitlines()) == 1
    assert done.stdout == "" and not work.runs.exists()
