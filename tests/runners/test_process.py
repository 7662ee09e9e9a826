"""Children end in every way that we know, and none is left behind."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from ethosu_tui.runners.job import Chunk, Exit, JobEvent, Started
from ethosu_tui.runners.liveness import process_started
from ethosu_tui.runners.process import Limits, ProcessJob


def _python(body: str, **options: object) -> ProcessJob:
    return ProcessJob([sys.executable, "-u", "-c", textwrap.dedent(body)], **options)  # type: ignore[arg-type]


def _output(events: list[JobEvent]) -> bytes:
    return b"".join(event.data for event in events if isinstance(event, Chunk))


def _end(events: list[JobEvent]) -> Exit:
    assert isinstance(events[0], Started)
    assert [event for event in events if isinstance(event, Exit)] == [events[-1]]
    assert isinstance(events[-1], Exit)
    return events[-1]


def _gone(pid: int, seconds: float = 30.0) -> bool:
    patience = time.monotonic() + seconds
    while process_started(pid) is not None:
        if time.monotonic() > patience:
            return False
        time.sleep(0.01)
    return True


def test_output_of_both_streams_in_order_and_the_exit_status() -> None:
    job = _python("import os; os.write(1, b'a\\xff\\0'); os.write(2, b'b'); os.write(1, b'c'); raise SystemExit(7)")
    events = list(job.run())
    assert _output(events) == b"a\xff\0bc"
    end = _end(events)
    assert (end.code, end.reason, end.text) == (7, "ended", "exit status 7")
    assert isinstance(events[0], Started) and events[0].pid is not None and _gone(events[0].pid)


def test_megabytes_arrive_whole_although_the_reader_is_slow() -> None:
    job = _python("import os\nfor n in range(64): os.write(1, bytes([n]) * 65536)")
    data = b""
    for event in job.run():
        if isinstance(event, Chunk):
            assert len(event.data) <= 65536
            data += event.data
            time.sleep(0.002)
    assert data == b"".join(bytes([n]) * 65536 for n in range(64))


def test_death_by_a_signal_is_named() -> None:
    end = _end(list(_python("import os; os.kill(os.getpid(), 11)").run()))
    assert (end.code, end.reason, end.text) == (-11, "ended", "killed by SIGSEGV")


@pytest.mark.parametrize("case", ["missing", "directory", "not executable", "not a program", "nul", "no cwd"])
def test_what_cannot_be_started_says_so(case: str, tmp_path: Path) -> None:
    plain, program = tmp_path / "plain", tmp_path / "program"
    plain.write_text("x")
    program.write_bytes(b"\x00\x01junk")
    program.chmod(0o755)
    argv = {
        "missing": "/nowhere/FVP",
        "directory": str(tmp_path),
        "not executable": str(plain),
        "not a program": str(program),
        "nul": "a\0b",
        "no cwd": sys.executable,
    }[case]
    events = list(ProcessJob([argv], cwd=str(tmp_path / "gone") if case == "no cwd" else None).run())
    end = _end(events)
    assert end.code is None and end.reason == "not_started" and end.text.startswith("cannot execute")
    assert ("gone" if case == "no cwd" else repr(argv)[1:-1]) in end.text


def test_stop_from_another_thread_is_prompt() -> None:
    job = _python("import time; print('up'); time.sleep(60)")
    events: list[JobEvent] = []
    for event in job.run():
        events.append(event)
        if isinstance(event, Chunk) and event.data:
            threading.Timer(0.05, job.stop).start()
    end = _end(events)
    assert (end.code, end.reason) == (-15, "stopped") and end.seconds < 40
    job.stop()


def test_a_child_that_ignores_sigterm_is_killed_and_costs_no_cpu_meanwhile() -> None:
    body = "import signal, time; signal.signal(15, signal.SIG_IGN); print('up'); time.sleep(60)"
    job = _python(body, limits=Limits(term_grace_seconds=2.0))
    events: list[JobEvent] = []
    for event in job.run():
        events.append(event)
        if isinstance(event, Chunk) and event.data:
            job.stop()
            stopped, spent = time.monotonic(), time.process_time()
    assert _end(events).code == -9 and _end(events).reason == "stopped"
    assert 1.9 < time.monotonic() - stopped < 40
    assert time.process_time() - spent < 1.0, "a loop that does not wait takes all of it"


def test_stop_kills_although_nobody_reads_the_events() -> None:
    body = "import signal, time; signal.signal(15, signal.SIG_IGN); print('up'); time.sleep(60)"
    job = _python(body, limits=Limits(term_grace_seconds=0.2))
    events = job.run()
    started = next(events)
    assert isinstance(started, Started) and started.pid is not None
    next(events)
    job.stop()
    assert _gone(started.pid)
    assert _end([started, *events]).reason == "stopped"


def test_stop_before_the_start() -> None:
    job = _python("print('never')")
    job.stop()
    events = list(job.run())
    assert _output(events) == b"" and _end(events).reason == "stopped"


def test_stop_at_any_moment_ends_the_job() -> None:
    for trial in range(25):
        job = ProcessJob(["sleep", "60"])
        threading.Timer(trial * 0.0004, job.stop).start()
        began = time.monotonic()
        assert _end(list(job.run())).reason == "stopped"
        assert time.monotonic() - began < 40


def test_time_limit_and_silence_are_told_apart() -> None:
    chatty = ["sh", "-c", "while :; do echo x; sleep 0.05; done"]  # up long before its first silence could be over
    end = _end(list(ProcessJob(chatty, limits=Limits(time_seconds=4.0, silence_seconds=3.5)).run()))
    assert (end.reason, end.text) == ("timeout", "ended by us after the time limit of 4 s") and end.seconds >= 4
    silent = "import time; print('x'); time.sleep(60)"
    end = _end(list(_python(silent, limits=Limits(time_seconds=50, silence_seconds=0.4)).run()))
    assert (end.reason, end.text) == ("silence", "ended by us after 0.4 s without output") and end.seconds < 40


def test_output_that_waited_for_a_slow_reader_is_not_silence() -> None:
    job = ProcessJob(["sh", "-c", "echo a; sleep 0.5; echo b"], limits=Limits(silence_seconds=4.0))
    events: list[JobEvent] = []
    for event in job.run():
        events.append(event)
        if isinstance(event, Chunk) and event.data == b"a\n":
            time.sleep(4.5)
    assert _output(events) == b"a\nb\n" and _end(events).reason == "ended"


@pytest.mark.parametrize("after", ["ends", "goes on", "ignores SIGTERM"])
def test_after_the_end_marker_the_child_gets_a_short_grace(after: str) -> None:
    heard = bytearray()
    rest = {
        "ends": "time.sleep(0.1); print('bye'); raise SystemExit(3)",
        "goes on": "time.sleep(60)",
        "ignores SIGTERM": "print('x'); time.sleep(60)",
    }[after]
    deaf = "signal.signal(15, signal.SIG_IGN); " if after == "ignores SIGTERM" else ""
    job = _python(
        f"import signal, time; {deaf}print('DONE'); {rest}",
        limits=Limits(marker_grace_seconds=30.0 if after == "ends" else 0.3, term_grace_seconds=0.3),
        ended=lambda: b"DONE" in heard,
    )
    events: list[JobEvent] = []
    for event in job.run():
        events.append(event)
        if isinstance(event, Chunk):
            heard.extend(event.data)
    end = _end(events)
    expected = {"ends": (3, "ended"), "goes on": (-15, "marker"), "ignores SIGTERM": (-9, "marker")}[after]
    assert (end.code, end.reason) == expected
    assert (b"bye" in heard) is (after == "ends")


GRANDCHILD = """
    import subprocess, sys, time
    child = subprocess.Popen([sys.executable, "-c",
        "import signal, time; signal.signal(15, signal.SIG_IGN); print('r', flush=True); time.sleep(60)"])
    print("pid", child.pid)
    {rest}
"""


def _grandchild(events: object) -> int:
    heard = b""
    for event in events:  # type: ignore[attr-defined]
        if isinstance(event, Chunk):
            heard += event.data
            if b"r\n" in heard and b"pid" in heard:
                return int(heard.split(b"pid ")[1].split(b"\n")[0])
    raise AssertionError(heard)


def test_a_grandchild_does_not_outlive_the_child_that_ends() -> None:
    events = _python(GRANDCHILD.format(rest="time.sleep(0.5)")).run()
    pid = _grandchild(events)
    began = time.monotonic()
    last = list(events)[-1]
    assert isinstance(last, Exit) and last.reason == "ended" and last.code == 0
    assert time.monotonic() - began < 40 and _gone(pid)


@pytest.mark.parametrize("way", ["close", "throw", "drop"])
def test_nothing_is_left_when_the_reader_walks_away(way: str) -> None:
    job = _python(GRANDCHILD.format(rest="time.sleep(60)"), limits=Limits(term_grace_seconds=0.3))
    events = job.run()
    started = next(events)
    assert isinstance(started, Started) and started.pid is not None
    pid = _grandchild(events)
    began = time.monotonic()
    if way == "close":
        events.close()  # type: ignore[attr-defined]
    elif way == "throw":
        with pytest.raises(KeyboardInterrupt):
            events.throw(KeyboardInterrupt)  # type: ignore[attr-defined]
    else:
        del events
    assert time.monotonic() - began < 40
    assert _gone(started.pid) and _gone(pid)


KILLED = """
    import sys, threading
    from ethosu_tui.runners.process import ProcessJob
    job = ProcessJob([sys.executable, "-u", "-c", {child!r}])
    events = job.run()
    first = threading.Thread(target=next, args=(events,))
    first.start()
    first.join()
    for event in events:
        sys.stdout.buffer.write(getattr(event, "data", b""))
        sys.stdout.flush()
"""


def test_a_group_dies_with_us_also_when_another_thread_started_it() -> None:
    child = textwrap.dedent(GRANDCHILD.format(rest="import os; print('parent', os.getpid()); time.sleep(60)"))
    ours = subprocess.Popen([sys.executable, "-c", textwrap.dedent(KILLED).format(child=child)], stdout=subprocess.PIPE)
    assert ours.stdout is not None
    heard = b""
    while not (b"parent " in heard and b"pid " in heard and heard.endswith(b"\n")):
        assert (data := ours.stdout.read1()), heard  # type: ignore[attr-defined]
        heard += data
    pids = [int(word) for word in heard.split() if word.isdigit()]
    time.sleep(0.3)
    assert len(pids) == 2 and all(process_started(pid) for pid in pids), "they outlive the thread that began"
    ours.kill()
    ours.wait()
    ours.stdout.close()
    assert all(_gone(pid) for pid in pids)


def test_a_guard_that_was_killed_is_not_missed() -> None:
    job = _python("import time; print('up'); time.sleep(0.3)")
    events: list[JobEvent] = []
    for event in job.run():
        events.append(event)
        if isinstance(event, Chunk) and event.data:
            assert job._guard is not None
            job._guard._process.kill()
    assert _end(events).reason == "ended"


def test_a_pause_gives_one_empty_chunk_and_silence_no_more() -> None:
    job = _python("import os, time; os.write(1, b'a\\n'); time.sleep(0.6)")
    chunks = [event.data for event in job.run() if isinstance(event, Chunk)]
    assert chunks in ([b"a\n", b""], [b"", b"a\n", b""]), "the start may be a pause too"


def test_a_child_that_closes_its_output_is_waited_for_without_spinning() -> None:
    spent = time.process_time()
    end = _end(list(_python("import os, time; os.close(1); os.close(2); time.sleep(2); os._exit(4)").run()))
    assert (end.code, end.reason) == (4, "ended") and end.seconds >= 2
    assert time.process_time() - spent < 1.0, "a loop that does not wait takes all of it"


def test_without_pidfd_the_end_is_noticed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    end = _end(list(_python("import os, time; os.close(1); os.close(2); time.sleep(0.3); os._exit(4)").run()))
    assert (end.code, end.reason) == (4, "ended") and end.seconds < 40


def test_no_descriptor_stays_open(tmp_path: Path) -> None:
    script = tmp_path / "quick"
    script.write_text("#!/bin/sh\necho x\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    list(ProcessJob([str(script)]).run())
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        assert _end(list(ProcessJob([str(script)]).run())).code == 0
    assert len(os.listdir("/proc/self/fd")) <= before
