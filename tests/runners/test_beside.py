"""A run that is read by a process of its own: the same end, and nobody is left behind, whoever goes first."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from pathlib import Path

import pytest

from ethosu_tui.analysis.lines import Line
from ethosu_tui.analysis.watching.dump_lines import kind_of
from ethosu_tui.runners.job import Exit, JobError
from ethosu_tui.runners.keeping.beside import MOST_LINES, BesideViewer, Lines
from ethosu_tui.runners.keeping.viewer import Viewer
from ethosu_tui.runners.launch import launch
from ethosu_tui.runners.own_python import own_python
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.runners.session import SessionEvent

from .keepers import wait_for, wait_gone, wait_over


def run(tmp_path: Path, script: str) -> RunFolder:
    folder = launch(RunRequest("command", argv=("sh", "-c", script)), tmp_path / "runs").folder
    assert folder is not None
    return folder


def endless(tmp_path: Path) -> RunFolder:
    return run(tmp_path, "echo begun; exec sleep 1000")


def begun(viewer: Viewer) -> tuple[threading.Thread, list[SessionEvent]]:
    """The events of a viewer, gathered in a thread, once the first line came."""
    seen: list[SessionEvent] = []
    raised: list[JobError] = []

    def listen() -> None:
        try:
            for event in viewer.events():
                seen.append(event)
        except JobError as error:
            raised.append(error)
        viewer.raised = raised  # type: ignore[attr-defined]

    thread = threading.Thread(target=listen)
    thread.start()
    wait_for(lambda: any(isinstance(event, Line) for event in seen))
    return thread, seen


def test_it_ends_as_a_viewer_in_this_process_does(tmp_path: Path, samples: Path) -> None:
    folder = run(tmp_path, f"cat '{samples / 'softmax.log'}' '{samples / 'mnist_q.log'}'")
    wait_over(tmp_path / "runs")
    near, far = Viewer(folder.path), BesideViewer(folder.path)
    here, there = list(near.events()), list(far.events())
    assert far.capture == near.capture and far.status == near.status is not None
    assert [e for e in here if isinstance(e, Line)] == [e for e in there if isinstance(e, Line)]
    assert isinstance(there[-1], Exit) and there[-1] == here[-1]
    assert far.child_pid is None


def test_lines_that_came_together_come_in_one_piece_with_their_kinds(tmp_path: Path) -> None:
    lines = "".join(f"Output[0][{i}]: (float) 0.5\n" for i in range(30)) + "ready\n" + "QUJD" * 19 + "\n"
    folder = run(tmp_path, f"printf '{lines}'")
    wait_over(tmp_path / "runs")
    pieces = [event for event in BesideViewer(folder.path).gathered() if isinstance(event, Lines)]
    gathered = [line for piece in pieces for line in piece.lines]
    assert gathered == [event for event in BesideViewer(folder.path).events() if isinstance(event, Line)]
    assert len(pieces) < 10 and len(gathered) == 32
    kinds = b"".join(piece.kinds for piece in pieces)
    assert kinds == bytes(map(kind_of, gathered)) == b"\1" * 30 + b"\0\2"


def test_lines_have_the_seconds_at_which_they_came(tmp_path: Path) -> None:
    folder = run(tmp_path, "echo first; sleep 0.4; echo second; sleep 0.4; echo third")
    wait_over(tmp_path / "runs")
    times = [event.at for event in BesideViewer(folder.path).events() if isinstance(event, Line)]
    assert len(times) == 3 and None not in times
    first, second, third = (at for at in times if at is not None)
    assert second - first > 0.3 and third - second > 0.3


def test_what_comes_too_fast_is_cut_to_the_newest_lines(tmp_path: Path) -> None:
    count = 10 * MOST_LINES
    folder = run(tmp_path, f"seq 1 {count}")
    wait_over(tmp_path / "runs")
    viewer = BesideViewer(folder.path)
    lines = [event for event in viewer.events() if isinstance(event, Line)]
    assert lines[-1].text == str(count), "the newest are there"
    assert [line.number for line in lines] == sorted({line.number for line in lines})
    assert all(line.text == str(line.number) for line in lines)
    assert viewer.capture.lines == count, "and all were read"


def test_leaving_ends_the_reader_and_not_the_run(tmp_path: Path) -> None:
    viewer = BesideViewer(endless(tmp_path).path)
    thread, _ = begun(viewer)
    pid = viewer.child_pid
    assert pid is not None
    viewer.leave()
    thread.join(60)
    assert not thread.is_alive() and not viewer.raised  # type: ignore[attr-defined]
    wait_gone(pid)
    assert RunFolder.open(viewer.folder.path).state == "running"
    viewer.stop()
    wait_over(tmp_path / "runs")


def test_a_reader_that_is_killed_is_said_and_the_run_goes_on(tmp_path: Path) -> None:
    viewer = BesideViewer(endless(tmp_path).path)
    thread, _ = begun(viewer)
    assert viewer.child_pid is not None
    os.kill(viewer.child_pid, signal.SIGKILL)
    thread.join(60)
    (error,) = viewer.raised  # type: ignore[attr-defined]
    assert "killed" in error.message and "goes on" in error.hint
    assert RunFolder.open(viewer.folder.path).state == "running"
    viewer.stop()
    wait_over(tmp_path / "runs")


def test_the_reader_ends_with_a_screen_that_was_killed(tmp_path: Path) -> None:
    folder = endless(tmp_path)
    reads, writes = os.pipe()
    child = subprocess.Popen(
        own_python(".runners.keeping.viewer_child", str(folder.path)), stdin=reads, stdout=subprocess.PIPE
    )
    os.close(reads)
    assert child.stdout is not None and child.stdout.read(1), "it has begun"
    os.close(writes)  # as the kernel does for a process that is killed
    assert child.wait(60) == 0
    child.stdout.close()
    Viewer(folder.path).stop()
    wait_over(tmp_path / "runs")


def test_a_run_that_was_removed_is_one_sentence(tmp_path: Path) -> None:
    folder = run(tmp_path, "echo begun")
    wait_over(tmp_path / "runs")
    viewer = BesideViewer(folder.path)
    RunFolder.open(folder.path).remove()
    with pytest.raises(JobError, match="not a readable run folder") as raised:
        list(viewer.events())
    assert str(folder.path) in str(raised.value)
