"""Several runs that one command started, and what becomes of them when it is interrupted, left, or killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ethosu_tui.runners.keeping import stopping
from ethosu_tui.runners.runs.folder import RunFolder, list_runs, runs_root

from .keepers import end_all, wait_for, wait_gone

SCRIPT = 'echo "$1" >> "$0.began"; echo hello; exec sleep 600'
NAMES = ("a.elf", "b.elf", "c.elf", "d.elf")


@pytest.fixture
def began(tmp_path: Path) -> Iterator[Path]:
    """Where the programs that began are named, a line each."""
    for name in NAMES:
        (tmp_path / name).write_text("x")
    (tmp_path / "board.sh").write_text(SCRIPT)
    yield tmp_path / "board.sh.began"
    end_all(runs_root())


def started(place: Path) -> subprocess.Popen[str]:
    """The command, when one of its runs goes on and the others wait for its slot."""
    words = ["run", *NAMES, "--on", "command", "--slots", "1", "--", "sh", str(place / "board.sh"), "{artefact}"]
    command = [sys.executable, "-m", "ethosu_tui.tui.cli", *words]
    going = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=place, start_new_session=True
    )
    wait_for(lambda: sorted(states()) == ["queued", "queued", "queued", "running"] and child() is not None)
    return going


def states() -> list[str]:
    return [run.state for run in list_runs(runs_root())]


def running() -> RunFolder:
    return next(run for run in list_runs(runs_root()) if run.state == "running")


def child() -> int | None:
    found = running().manifest.get("child_pid")
    return found if isinstance(found, int) else None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_all_are_stopped_and_none_begins_in_the_place_of_another(began: Path, number: signal.Signals) -> None:
    going = started(began.parent)
    wait_for(began.exists)
    pid = child()
    going.send_signal(number)
    told, said = going.communicate(timeout=120)
    assert going.returncode == 130, said
    assert states() == ["stopped"] * 4 and "0 of 4 runs ended well" in told and "Traceback" not in said
    assert len(began.read_text().splitlines()) == 1, "who waited was asked before who held the slot"
    assert sorted(str(run.status) for run in list_runs(runs_root())).count("not_started") == 3
    assert pid is not None
    wait_gone(pid)


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGKILL])
def test_a_terminal_that_goes_and_a_killed_command_leave_all_as_they_are(began: Path, number: signal.Signals) -> None:
    going = started(began.parent)
    going.send_signal(number)
    _, said = going.communicate(timeout=120)
    assert going.returncode == (130 if number == signal.SIGHUP else -number) and "Traceback" not in said
    assert sorted(states()) == ["queued", "queued", "queued", "running"]
    names = [run.id for run in list_runs(runs_root())]
    stop = [sys.executable, "-m", "ethosu_tui.tui.cli", "runs", "stop", *names]
    assert subprocess.run(stop, capture_output=True, timeout=120).returncode == 0
    assert states() == ["stopped"] * 4 and len(began.read_text().splitlines()) == 1


def test_a_killed_keeper_loses_its_run_alone_and_the_next_one_begins(began: Path) -> None:
    going = started(began.parent)
    first, pid = running(), child()
    os.kill(first.manifest["pid"], signal.SIGKILL)
    wait_for(lambda: RunFolder.open(first.path).state == "lost" and "running" in states())
    assert pid is not None
    wait_gone(pid)
    going.send_signal(signal.SIGINT)
    told, said = going.communicate(timeout=120)
    assert going.returncode == 130 and "lost: " in said and "Traceback" not in said
    assert sorted(states()) == ["lost", "stopped", "stopped", "stopped"] and "lost" in told


def test_who_waits_is_asked_first(began: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    going = started(began.parent)
    asked: list[str] = []
    ask = stopping.ask_to_stop

    def noting(folder: RunFolder) -> None:
        asked.append(folder.state)
        ask(folder)

    monkeypatch.setattr(stopping, "ask_to_stop", noting)
    first = running()
    others = [run.path for run in list_runs(runs_root()) if run.id != first.id]
    assert stopping.ask_all_to_stop([first.path, *others, runs_root() / "gone"])[0].exit_code == 3
    assert asked[-1] == "running" and "queued" in asked
    going.communicate(timeout=120)
    assert going.returncode == 130 and len(began.read_text().splitlines()) == 1
