"""A session keeps the bytes, reads them live, and tells the ways in which a run can end apart."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, get_args

import pytest

from ethosu_tui.analysis import Line, read_capture
from ethosu_tui.runners.job import EXIT_REASONS, Chunk, Exit, ExitReason, JobError, JobEvent, Progress, Started
from ethosu_tui.runners.liveness import process_started
from ethosu_tui.runners.process import Limits, ProcessJob
from ethosu_tui.runners.reading.inputs import read
from ethosu_tui.runners.replay import ReplayJob
from ethosu_tui.runners.runs.folder import RunFolder, list_runs
from ethosu_tui.runners.session import Session, SessionEvent, Snapshot, Unfinished


@pytest.fixture
def softmax(samples: Path) -> Path:
    return samples / "softmax.log"


def _run(job: object, root: Path, source: str = "x") -> tuple[Session, list[SessionEvent]]:
    session = Session(job, RunFolder.create(root, "run", "test"), source)  # type: ignore[arg-type]
    return session, list(session.events())


def _child(body: str, **options: object) -> ProcessJob:
    return ProcessJob([sys.executable, "-u", "-c", textwrap.dedent(body)], **options)  # type: ignore[arg-type]


def _play(log: Path, then: str = "", **options: object) -> ProcessJob:
    return _child(f"import os, time; os.write(1, open({str(log)!r}, 'rb').read()); {then}", **options)


def test_a_passed_run_ends_with_the_report_of_the_stored_log(softmax: Path, tmp_path: Path) -> None:
    session, events = _run(ReplayJob(softmax), tmp_path, source="softmax")
    assert isinstance(events[0], Started) and isinstance(events[-1], Exit) and isinstance(events[-2], Snapshot)
    assert events[-2].capture is session.capture == read_capture("softmax", softmax.read_bytes())
    lines = [event for event in events if isinstance(event, Line)]
    assert lines[0].message == "PTE @ 0x70000000 [----ET12]" and len(lines) >= 40
    (folder,) = list_runs(tmp_path)
    assert folder.state == "finished" and folder.status == "passed" and folder.manifest["reason"] == "ended"
    assert folder.console_path.read_bytes() == softmax.read_bytes()
    report = json.loads(folder.report_path.read_text())
    assert report["schema"] == "ethosu-tui/report/1" and report["captures"][0]["runs"][0]["status"] == "passed"


def test_without_a_folder_nothing_is_written(softmax: Path, tmp_path: Path) -> None:
    session = Session(ReplayJob(softmax), None, "x")
    assert sum(isinstance(event, Line) for event in session.events()) >= 40
    assert session.capture.runs[0].status == "passed" and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("then", "limits", "cut", "expected"),
    [
        ("time.sleep(60)", Limits(silence_seconds=3.0), "Starting running", ("hung", "silence", "finished")),
        ("time.sleep(60)", Limits(time_seconds=4.0), "Starting running", ("timeout", "timeout", "finished")),
        ("os.kill(os.getpid(), 11)", Limits(), "Running method", ("failed", "ended", "finished")),
        ("time.sleep(60)", Limits(marker_grace_seconds=0.1), "", ("passed", "marker", "finished")),
        ("", Limits(), "", ("passed", "ended", "finished")),
    ],
)
def test_ends_are_told_apart(
    then: str, limits: Limits, cut: str, expected: tuple[str, str, str], softmax: Path, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    data = softmax.read_bytes()
    log.write_bytes(data[: data.index(b"\n", data.index(cut.encode())) + 1] if cut else data)
    session, events = _run(_play(log, then, limits=limits), tmp_path / "runs")
    (folder,) = list_runs(tmp_path / "runs")
    assert (folder.status, folder.manifest["reason"], folder.state) == expected
    assert session.capture.runs[0].status == expected[0]
    assert read(str(folder.path)).capture.runs[0].status == expected[0], "read again, it ended the same way"


def test_the_reasons_that_are_read_again_are_those_of_the_type() -> None:
    assert get_args(eval(str(ExitReason), {"Literal": Literal})) == EXIT_REASONS


def test_a_run_that_never_started(tmp_path: Path) -> None:
    _, events = _run(ProcessJob(["/nowhere/FVP"]), tmp_path)
    assert isinstance(events[-1], Exit) and events[-1].reason == "not_started"
    (folder,) = list_runs(tmp_path)
    assert folder.status == "not_started" and folder.manifest["reason"] == "not_started"
    assert "/nowhere/FVP" in folder.manifest["text"]


def test_stop_from_another_thread(softmax: Path, tmp_path: Path) -> None:
    session = Session(_play(softmax, "time.sleep(60)", limits=Limits(marker_grace_seconds=60)), None, "x")
    threading.Timer(0.5, session.stop).start()
    events = list(session.events())
    assert isinstance(events[-1], Exit) and events[-1].seconds < 40


def test_stop_before_the_run_is_over_marks_the_folder_stopped(tmp_path: Path) -> None:
    job = _child("import time; print('I [executorch:arm_executor_runner.cpp:70 x()] Running method f'); time.sleep(60)")
    session = Session(job, RunFolder.create(tmp_path, "run", "x"), "x")
    for event in session.events():
        if isinstance(event, Line):
            session.stop()
    (folder,) = list_runs(tmp_path)
    assert folder.state == "stopped" and folder.manifest["reason"] == "stopped" and folder.status == "truncated"
    assert json.loads(folder.report_path.read_text())["captures"][0]["lines"] == 1


def test_snapshots_are_rare_but_the_last_line_is_shown_before_a_silence(tmp_path: Path) -> None:
    body = """
        import os, time
        said = b"I [executorch:arm_executor_runner.cpp:70 x()] Running method m%d\\n"
        for start in range(0, 400, 20): os.write(1, b"".join(said % n for n in range(start, start + 20)))
        time.sleep(1.0)
    """
    events = list(Session(_child(body), None, "x").events())
    snapshots = [n for n, event in enumerate(events) if isinstance(event, Snapshot)]
    last_line = max(n for n, event in enumerate(events) if isinstance(event, Line))
    assert len(snapshots) <= 22, "no more than the pieces in which lines came"
    shown = [events[n] for n in snapshots if n > last_line]
    assert len(shown) == 2 and isinstance(shown[0], Snapshot) and shown[0].capture.lines == 400


class _Talker:
    """A job that never ends by itself."""

    label = "talker"

    def __init__(self) -> None:
        self.stopped = self.closed = False

    def run(self) -> Iterator[JobEvent]:
        try:
            yield Started(("talker",))
            yield Progress("talking")
            while True:
                yield Chunk(b"x" * 4095 + b"\n", 0.0)
        finally:
            self.closed = True

    def stop(self) -> None:
        self.stopped = True


def test_a_consumer_that_walks_away_leaves_a_truthful_folder(tmp_path: Path) -> None:
    job = _Talker()
    events = Session(job, RunFolder.create(tmp_path, "run", "x"), "x").events()
    seen = [next(events) for _ in range(9)]
    assert any(isinstance(event, Progress) for event in seen)
    events.close()  # type: ignore[attr-defined]
    (folder,) = list_runs(tmp_path)
    assert job.closed and folder.state == "stopped" and folder.report_path.is_file()


def test_a_full_disk_is_one_error_and_loses_nothing(tmp_path: Path) -> None:
    job = _Talker()
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("needs the right to mount a small tmpfs")
    try:
        with pytest.raises(JobError, match="disk is full"):
            list(Session(job, RunFolder.create(disk, "run", "x"), "x").events())
        (folder,) = list_runs(disk)
        assert job.closed and folder.state == "stopped" and "disk is full" in folder.manifest["text"]
        assert folder.console_path.stat().st_size > 150_000
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def test_a_fault_in_reading_keeps_the_bytes(softmax: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ethosu_tui.analysis import CaptureReader

    def fail(self: object, data: bytes, at: float | None = None) -> list[Line]:
        raise RuntimeError("planted")

    monkeypatch.setattr(CaptureReader, "feed", fail)
    with pytest.raises(RuntimeError, match="planted"):
        _run(ReplayJob(softmax), tmp_path)
    (folder,) = list_runs(tmp_path)
    assert folder.console_path.read_bytes() == softmax.read_bytes() and folder.state == "stopped"


def test_a_report_that_cannot_be_written_is_said_but_the_run_is_finished(
    softmax: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: RunFolder, name: str, value: object) -> Path:
        raise JobError("the disk is full")

    monkeypatch.setattr(RunFolder, "write_json", full)
    with pytest.raises(JobError, match="disk is full"):
        _run(ReplayJob(softmax), tmp_path)
    (folder,) = list_runs(tmp_path)
    assert (folder.state, folder.status, folder.manifest["reason"]) == ("finished", "passed", "ended")


def test_a_console_that_cannot_be_opened_does_not_leave_a_running_run(softmax: Path, tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "run", "x")
    folder.console_path.mkdir()
    with pytest.raises(JobError, match="cannot write"):
        list(Session(ReplayJob(softmax), folder, "x").events())
    assert RunFolder.open(folder.path).state == "stopped"


def test_killed_while_capturing_every_acknowledged_byte_is_on_disk(tmp_path: Path) -> None:
    """What has been shown was on disk before; after kill -9 the run is lost and its child is gone."""
    body = """
        import sys
        from pathlib import Path
        from ethosu_tui.analysis import Line
        from ethosu_tui.runners.runs.folder import RunFolder
        from ethosu_tui.runners.job import Started
        from ethosu_tui.runners.process import ProcessJob
        from ethosu_tui.runners.session import Session
        child = "import os, time, itertools\\nfor n in itertools.count(): os.write(1, b'line %06d\\\\n' % n); time.sleep(0.0005)"
        job = ProcessJob([sys.executable, "-S", "-E", "-c", child])
        for event in Session(job, RunFolder.create(Path(sys.argv[1]), "run", "x"), "x").events():
            if isinstance(event, Started): print(event.pid, flush=True)
            if isinstance(event, Line): print(event.text, flush=True)
    """
    for trial in range(20):
        root = tmp_path / str(trial)
        ours = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(body), str(root)], stdout=subprocess.PIPE, text=True
        )
        assert ours.stdout is not None
        child = int(ours.stdout.readline())
        for _ in range(5 + 7 * trial):
            ours.stdout.readline()
        ours.send_signal(signal.SIGKILL)
        rest = ours.stdout.read()
        ours.stdout.close()
        ours.wait()
        shown = 5 + 7 * trial + rest.count("\n")
        (folder,) = list_runs(root)
        kept = folder.console_path.read_bytes()
        assert folder.state == "lost"
        assert kept.startswith(b"".join(b"line %06d\n" % n for n in range(shown)))
        assert read_capture("x", kept).lines >= shown
        patience = time.monotonic() + 40
        while process_started(child) is not None and time.monotonic() < patience:
            time.sleep(0.01)
        assert process_started(child) is None


def test_a_prompt_is_told_before_its_line_ends() -> None:
    class Board:
        label = "board"

        def run(self) -> Iterator[JobEvent]:
            yield Started(())
            for data in (b"login", b"", b": ", b"", b"", b"root\n", b""):
                yield Chunk(data, 0.0)
            yield Exit(None, "stopped", 0.0)

        def stop(self) -> None: ...

    told = [event for event in Session(Board(), None, "x").events() if isinstance(event, (Unfinished, Line))]
    assert [(type(event).__name__, event.text) for event in told] == [
        ("Unfinished", "login"), ("Unfinished", "login: "), ("Line", "login: root"),
    ]  # fmt: skip
