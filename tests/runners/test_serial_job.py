"""A serial port as a job, over real pseudo-terminals and sockets: every byte, nothing else, and each end told apart."""

from __future__ import annotations

import json
import os
import random
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ethosu_tui.runners.job import Chunk, Progress
from ethosu_tui.runners.kinds.serial import plan
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.runs.event_log import EVENTS, read_events
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.runners.serial.job import SerialJob, SerialRun
from ethosu_tui.runners.session import Session
from ethosu_tui.runners.target import Target

from .boards import LIMIT_SECONDS, Board, wait_until
from .captures import Capture

pytest.importorskip("serial")


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    one = Board(tmp_path / "port")
    yield one
    one.close()


def noise(size: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(size)


@pytest.mark.parametrize("baud", [115200, 921600])
def test_every_byte_arrives_at_line_rate(board: Board, tmp_path: Path, baud: int) -> None:
    """Binary, with every control character that a terminal would take for itself."""
    capture = Capture(tmp_path, url=str(board.link), baud=baud).start()
    board.wait_opened()
    sent = bytes(range(256)) + noise(baud // 10)
    board.say(sent, baud)
    capture.wait_for(sent)
    capture.job.stop()
    assert capture.wait().reason == "stopped"
    assert capture.data == sent and {chunk.stream for chunk in capture.chunks} == {"uart"}
    times = [chunk.at for chunk in capture.chunks if chunk.data]
    assert times == sorted(times) and times[-1] - times[0] > 0.5


def test_chunks_have_the_time_of_their_arrival_though_the_viewer_sleeps(board: Board, tmp_path: Path) -> None:
    job = SerialJob(SerialRun(str(board.link), time_limit_seconds=LIMIT_SECONDS))
    gap, arrived = 0.3, []
    for event in job.run():
        if isinstance(event, Progress) and "baud" in event.stage:
            began = time.monotonic()
            board.say(b"one\n")
            time.sleep(gap)
            board.say(b"two\n")
            wait_until(lambda: len(job._inbox._items) >= 2, "both are read")
            slept = time.monotonic() - began
        elif isinstance(event, Chunk) and event.data:
            arrived.append(event)
            if len(arrived) == 2:
                job.stop()
    assert [chunk.data for chunk in arrived] == [b"one\n", b"two\n"]
    assert gap * 0.9 < arrived[1].at - arrived[0].at <= slept


def test_a_text_that_ends_the_run_is_found_across_reads_and_escapes(board: Board, tmp_path: Path) -> None:
    capture = Capture(tmp_path, url=str(board.link), until=("uart:~$",)).start()
    board.wait_opened()
    pieces = [b"*** Booting Zephyr OS ***\r\nua", b"rt\x1b[", b"1;32m:~", b"$ "]
    for number in range(len(pieces)):
        board.say(pieces[number])
        capture.wait_for(b"".join(pieces[: number + 1]))
        assert capture.end is None or number == 3
    end = capture.wait()
    assert (end.reason, end.text, end.code) == ("marker", "ended at 'uart:~$'", None)


def test_what_follows_the_runner_s_end_marker_belongs_to_the_run(board: Board, tmp_path: Path) -> None:
    capture = Capture(tmp_path, url=str(board.link))
    capture.job.ended = lambda: b"complete" in capture.data
    capture.start()
    board.wait_opened()
    board.say(b"Program complete, exiting.\n")
    wait_until(lambda: bool(capture.events("marker")), "the marker is seen")
    board.say(b"\x04")
    assert capture.wait().reason == "marker"
    assert capture.data == b"Program complete, exiting.\n\x04"


def test_silence_and_the_time_limit_end_a_run_and_say_so(board: Board, tmp_path: Path) -> None:
    capture = Capture(tmp_path, url=str(board.link), silence_limit_seconds=0.3).start()
    board.wait_opened()
    board.say(b"I am\n")
    end = capture.wait()
    assert (end.reason, end.text) == ("silence", "ended by us after 0.3 s without output")
    assert capture.data == b"I am\n"


def test_a_port_that_never_stops_is_ended_by_the_time_limit(board: Board, tmp_path: Path) -> None:
    capture = Capture(tmp_path, url=str(board.link), time_limit_seconds=0.5, silence_limit_seconds=5).start()
    board.wait_opened()
    halt = threading.Event()
    line = b"x" * 63 + b"\n"

    def talk() -> None:
        while not halt.is_set():
            try:
                board.say(line)
            except OSError:
                return

    os.set_blocking(board.master, False)
    thread = threading.Thread(target=talk)
    thread.start()
    end = capture.wait()
    halt.set()
    thread.join()
    assert end.reason == "timeout" and "time limit of 0.5 s" in end.text
    assert len(capture.data) > 1000 and capture.data == (line * (len(capture.data) // 64 + 1))[: len(capture.data)]


def test_a_target_gives_what_was_not_asked_for(tmp_path: Path) -> None:
    place = Target("bench", "serial", url="/dev/board", baud=9600, appear_seconds=3, reset=("rts",), until=("done",))
    request = RunRequest("bench", until=("login:",), place=place)
    job = plan(request, "").job
    assert isinstance(job, SerialJob)
    asked = job.asked
    assert (asked.url, asked.baud, asked.appear_seconds, asked.reset) == ("/dev/board", 9600, 3, ("rts",))
    assert asked.until == ("login:", "done") and job.label == "capture on bench"
    stored = RunRequest.from_json(json.loads(json.dumps(request.to_json())))
    assert stored == request


def test_a_session_on_a_board_ends_with_its_run_and_keeps_all(board: Board, tmp_path: Path, samples: Path) -> None:
    """Flashed, reset and captured by one request that went through a file."""
    log = (samples / "softmax.log").read_bytes()
    elf = tmp_path / "my runner.elf"
    elf.write_bytes(b"\x7fELF" + bytes(60))
    tool = tmp_path / "flash tool.py"
    tool.write_text("import sys\nprint('erasing')\nprint('programmed', sys.argv[1:])\n")
    flash = (sys.executable, str(tool), "--file={elf}", "{port}", "$HOME; rm")
    request = RunRequest(f"serial:{board.link}", str(elf), flash=flash, timeout=LIMIT_SECONDS)
    request = RunRequest.from_json(json.loads(json.dumps(request.to_json())))
    made = plan(request, str(board.link))
    folder = RunFolder.create(tmp_path / "runs", "run", made.job.label)
    assert made.prepare is not None
    made.prepare(folder)
    session = Session(made.job, folder, "board")
    talker = threading.Thread(target=lambda: (board.wait_opened(), board.say(log, 921600)), daemon=True)
    talker.start()
    said = [event.stage for event in session.events() if isinstance(event, Progress)]
    talker.join()
    assert folder.console_path.read_bytes() == log
    assert folder.status == "passed" and folder.manifest["reason"] == "marker"
    flashed = (folder.path / "flash.log").read_text()
    assert f"programmed ['--file={elf}', '{board.link}', '$HOME; rm']" in flashed and "flash: erasing" in said
    order = [event["event"] for event in read_events(folder.path / EVENTS)]
    assert order == ["flash", "flash", "opened", "marker"]


def tool(tmp_path: Path, name: str, code: str) -> tuple[str, ...]:
    script = tmp_path / name
    script.write_text(f"import sys, os, time, pathlib\n{code}\n")
    return (sys.executable, str(script))


def test_what_a_board_says_while_it_is_flashed_is_captured(board: Board, tmp_path: Path) -> None:
    """The tool starts the board by itself before it ends: the first lines of the run come meanwhile."""
    go = tmp_path / "go"
    flash = tool(tmp_path, "flash.py", f"print('programmed')\nwhile not os.path.exists({str(go)!r}): time.sleep(0.01)")
    capture = Capture(tmp_path, url=str(board.link), flash=flash, until=("bye",)).start()
    board.wait_opened()
    wait_until(lambda: "flash: programmed" in capture.said, "the tool runs")
    board.say(b"first lines\n")
    capture.wait_for(b"first lines\n")
    assert not [event for event in capture.events("flash") if event["text"] == "done"]
    go.touch()
    wait_until(lambda: len(capture.events("flash")) == 2, "the tool has ended")
    board.say(b"bye\n")
    assert capture.wait().reason == "marker" and capture.data == b"first lines\nbye\n"


def test_an_old_run_that_ends_while_the_board_is_flashed_is_not_the_new_one(board: Board, tmp_path: Path) -> None:
    go = tmp_path / "go"
    flash = tool(tmp_path, "flash.py", f"while not os.path.exists({str(go)!r}): time.sleep(0.01)")
    capture = Capture(tmp_path, url=str(board.link), flash=flash)
    capture.job.ended = lambda: capture.data.endswith(b"complete\n")
    capture.start()
    board.wait_opened()
    board.say(b"old complete\n")
    capture.wait_for(b"old complete\n")
    go.touch()
    wait_until(lambda: any("add --reset" in said for said in capture.said), "it is told")
    board.say(b"new start\n")
    capture.wait_for(b"old complete\nnew start\n")
    assert capture.end is None
    board.say(b"new complete\n")
    assert capture.wait().reason == "marker"


def test_hooks_run_in_their_order_and_the_last_one_whatever_happens(board: Board, tmp_path: Path) -> None:
    order = tmp_path / "order"
    hooks = {
        name: tool(tmp_path, f"{name}.py", f"open({str(order)!r}, 'a').write('{name} ')\nsys.exit({int(fails)})")
        for name, fails in (("before", False), ("flash", False), ("reset", True), ("after", False))
    }
    end = Capture(tmp_path, url=str(board.link), **hooks).start().wait()
    assert order.read_text() == "before flash reset after "
    assert end.reason == "not_started" and end.text.startswith("reset failed: python")
    assert {path.name for path in tmp_path.glob("*.log")} == {"before.log", "flash.log", "reset.log", "after.log"}
    wait_until(lambda: not board.opened, "the port is free")


def test_a_stop_while_a_board_is_flashed_leaves_no_process(board: Board, tmp_path: Path) -> None:
    from ethosu_tui.runners.liveness import process_started

    pid = tmp_path / "pid"
    flash = tool(tmp_path, "flash.py", f"p = {str(pid)!r}\nopen(p + '+', 'w').write(str(os.getpid()))\n"
                 "os.rename(p + '+', p)\ntime.sleep(1000)")  # fmt: skip
    capture = Capture(tmp_path, url=str(board.link), flash=flash).start()
    wait_until(pid.exists, "the tool runs")
    capture.job.stop()
    assert capture.wait().reason == "stopped"
    wait_until(lambda: process_started(int(pid.read_text())) is None, "the tool has ended")
    wait_until(lambda: not board.opened, "the port is free")


def test_a_stop_before_the_start_starts_nothing(board: Board, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    hooks = {name: tool(tmp_path, f"{name}.py", f"open({str(ran)!r}, 'w')") for name in ("before", "flash", "after")}
    capture = Capture(tmp_path, url=str(board.link), **hooks)
    capture.job.stop()
    end = capture.start().wait()
    assert end.reason == "stopped" and not ran.exists() and not capture.said


def test_a_walk_away_frees_the_port_and_ends_the_tool(board: Board, tmp_path: Path) -> None:
    """Whoever iterates the job may stop doing so at any event."""
    threads = threading.active_count()
    events = SerialJob(SerialRun(str(board.link), flash=(sys.executable, "-c", "import time; time.sleep(1000)"))).run()
    for event in events:
        if isinstance(event, Progress) and event.stage.startswith("flash: "):
            break
    events.close()
    wait_until(lambda: not board.opened, "the port is free")
    wait_until(lambda: threading.active_count() <= threads, "no thread is left")


def test_noise_at_line_rate_is_kept_whole_and_told(board: Board, tmp_path: Path) -> None:
    """A board at another baud rate: not one byte is text, and the share of such lines is a finding."""
    request = RunRequest(f"serial:{board.link}", silence=1, timeout=LIMIT_SECONDS)
    made = plan(request, str(board.link))
    folder = RunFolder.create(tmp_path / "runs", "run", "noise")
    assert made.prepare is not None
    made.prepare(folder)
    sent = noise(92160, 3)
    talker = threading.Thread(target=lambda: (board.wait_opened(), board.say(sent, 921600)), daemon=True)
    talker.start()
    session = Session(made.job, folder, "board")
    for _ in session.events():
        pass
    assert folder.console_path.read_bytes() == sent
    (finding,) = [one for one in session.capture.findings if one.rule == "undecodable-lines"]
    assert "lines are not readable text" in finding.title and "--baud" in finding.advice


def test_a_bound_of_the_inbox_makes_the_reader_wait_and_loses_nothing() -> None:
    from ethosu_tui.runners import inbox

    box, size = inbox.Inbox(), inbox.LIMIT_BYTES // 4
    thread = threading.Thread(target=lambda: [box.arrived(bytes([number]) * size, number) for number in range(8)])
    thread.start()
    wait_until(lambda: box._bytes >= inbox.LIMIT_BYTES, "it is full")
    assert thread.is_alive()
    taken = b""
    while len(taken) < 8 * size:
        item = box.take(LIMIT_SECONDS)
        assert isinstance(item, inbox.Arrived)
        taken += item.data
    thread.join()
    assert taken == b"".join(bytes([number]) * size for number in range(8))
