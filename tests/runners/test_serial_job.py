"""A serial port as a job, over real pseudo-terminals and sockets: every byte, nothing else, and each end told apart."""

from __future__ import annotations

import json
import os
import random
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.job import Chunk, Exit, JobError, JobEvent, Progress, UsageError
from ethosu_tui.runners.kinds.serial import plan
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.runs.event_log import EVENTS, read_events
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.runners.serial.job import SerialJob, SerialRun
from ethosu_tui.runners.session import Session
from ethosu_tui.runners.targets import Target

from .boards import LIMIT_SECONDS, Board, TcpBoard, wait_until

pytest.importorskip("serial")


class Capture:
    """A job that runs in a thread, with what it gave so far."""

    def __init__(self, folder: Path, **asked: Any) -> None:
        asked.setdefault("time_limit_seconds", LIMIT_SECONDS)
        self.folder = folder
        self.job = SerialJob(SerialRun(**asked))
        self.job.keep(folder)
        self.data = b""
        self.chunks: list[Chunk] = []
        self.said: list[str] = []
        self.end: Exit | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> Capture:
        self._thread.start()
        return self

    def _run(self) -> None:
        for event in self.job.run():
            self._take(event)

    def _take(self, event: JobEvent) -> None:
        if isinstance(event, Chunk):
            self.data += event.data
            self.chunks.append(event)
        elif isinstance(event, Progress):
            self.said.append(event.stage)
        elif isinstance(event, Exit):
            self.end = event

    def wait(self) -> Exit:
        self._thread.join(LIMIT_SECONDS)
        assert self.end is not None, self.said
        return self.end

    def wait_for(self, data: bytes) -> None:
        wait_until(lambda: self.data == data, f"{len(self.data)} of {len(data)} bytes")

    def events(self, *names: str) -> list[dict[str, Any]]:
        return [event for event in read_events(self.folder / EVENTS) if event["event"] in names]


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


def test_a_port_that_vanishes_in_a_line_is_read_on_when_it_comes_back(board: Board, tmp_path: Path) -> None:
    capture = Capture(tmp_path, url=str(board.link)).start()
    board.wait_opened()
    board.say(b"Model in 0x7000")
    capture.wait_for(b"Model in 0x7000")
    board.vanish()
    wait_until(lambda: bool(capture.events("lost")), "the loss is noticed")
    with pytest.raises(JobError, match="not connected"):
        capture.job.write(b"x")
    board.appear()
    board.wait_opened()
    board.say(b"0000 $\nmore\n")
    whole = b"Model in 0x70000000 $\nmore\n"
    capture.wait_for(whole)
    capture.job.stop()
    assert capture.wait().reason == "stopped" and capture.data == whole
    events = capture.events("opened", "lost")
    assert [event["event"] for event in events] == ["opened", "lost", "opened"]
    assert [event["offset"] for event in events] == [0, 15, 15]
    assert all(event["time"].startswith("20") for event in events)
    assert sum("went away" in said for said in capture.said) >= 1 and any("back: " in said for said in capture.said)


def test_a_time_limit_while_the_port_is_away_says_so(board: Board, tmp_path: Path) -> None:
    capture = Capture(tmp_path, url=str(board.link), time_limit_seconds=1.0).start()
    board.wait_opened()
    board.vanish()
    end = capture.wait()
    assert (end.reason, end.text) == ("timeout", "ended by us after the time limit of 1 s, while the port was away")


def test_a_port_that_stays_away_is_a_lost_run(board: Board, tmp_path: Path) -> None:
    capture = Capture(tmp_path, url=str(board.link), appear_seconds=0.3).start()
    board.wait_opened()
    board.say(b"half a li")
    capture.wait_for(b"half a li")
    board.vanish()
    end = capture.wait()
    assert end.reason == "lost" and "did not come back within 0.3 s" in end.text


def test_a_port_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    board = Board(tmp_path / "port", present=False)
    capture = Capture(tmp_path, url=str(board.link)).start()
    wait_until(lambda: any("waiting up to 10 s" in said for said in capture.said), "it waits")
    board.appear()
    board.wait_opened()
    board.say(b"hello\n")
    capture.wait_for(b"hello\n")
    capture.job.stop()
    assert capture.wait().reason == "stopped"
    board.close()


def test_a_port_that_never_comes_starts_nothing(tmp_path: Path) -> None:
    end = Capture(tmp_path, url=str(tmp_path / "none"), appear_seconds=0.2).start().wait()
    assert end.reason == "not_started" and "No such file" in end.text and "waited 0.2 s" in end.text


def test_what_is_no_serial_port_is_said(tmp_path: Path) -> None:
    end = Capture(tmp_path, url="/dev/null").start().wait()
    assert (end.reason, end.text) == ("not_started", "/dev/null is not a serial port")


def test_a_port_that_another_process_reads_is_refused_with_its_name(board: Board, tmp_path: Path) -> None:
    import subprocess

    other = subprocess.Popen([sys.executable, "-c", f"open({str(board.link)!r}, 'rb', 0).read()"])
    try:
        board.wait_opened()
        end = Capture(tmp_path, url=str(board.link)).start().wait()
        assert end.reason == "not_started" and f"process {other.pid} of" in end.text and "in use by python" in end.text
    finally:
        other.kill()
        other.wait()


def test_two_jobs_never_share_a_port(board: Board, tmp_path: Path) -> None:
    """Also in one process, where /proc shows nobody else."""
    first = Capture(tmp_path, url=str(board.link)).start()
    wait_until(lambda: bool(first.events("opened")), "the first is reading")
    second = Capture(tmp_path, url=str(board.link)).start().wait()
    assert second.reason == "not_started" and "in use by" in second.text
    board.say(b"all mine\n")
    first.wait_for(b"all mine\n")
    first.job.stop()
    first.wait()
    third = Capture(tmp_path, url=str(board.link)).start()
    wait_until(lambda: bool(third.said), "the port is free again")
    third.job.stop()
    assert third.wait().reason == "stopped"


def test_what_is_written_reaches_the_board_whole(board: Board, tmp_path: Path) -> None:
    capture = Capture(tmp_path, url=str(board.link)).start()
    wait_until(lambda: bool(capture.events("opened")), "it is open")
    capture.job.write(b"kernel uptime\r\x03\xff\x00")
    assert board.hear(17) == b"kernel uptime\r\x03\xff\x00"
    assert [event["bytes"] for event in capture.events("sent")] == [17]
    capture.job.stop()
    capture.wait()
    assert capture.data == b""


def test_a_socket_is_read_and_connected_again(tmp_path: Path) -> None:
    def serve(connection: socket.socket, number: int) -> None:
        connection.sendall(b"first half, " if number == 1 else b"second half\n")
        if number > 1:
            while connection.recv(100):  # until they leave
                pass

    board = TcpBoard(serve)
    capture = Capture(tmp_path, url=f"socket://127.0.0.1:{board.port}").start()
    capture.wait_for(b"first half, second half\n")
    capture.job.stop()
    assert capture.wait().reason == "stopped"
    board.close()


def test_a_refused_connection_starts_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    end = Capture(tmp_path, url=f"socket://127.0.0.1:{port}", appear_seconds=0.1).start().wait()
    assert end.reason == "not_started" and "refused" in end.text.lower()


def rfc2217_server(board: Board, states: list[str]) -> Callable[[socket.socket, int], None]:
    """pyserial's own server for a local port, reduced to one connection at a time."""
    import serial
    import serial.rfc2217

    class Watched(serial.Serial):  # type: ignore[misc]
        cts = dsr = ri = cd = False  # a pseudo-terminal has no such lines

        def _update_dtr_state(self) -> None:
            states.append(f"dtr {self._dtr_state}")

        def _update_rts_state(self) -> None:
            states.append(f"rts {self._rts_state}")

    def serve(connection: socket.socket, number: int) -> None:
        class Sender:
            def write(self, data: bytes) -> None:
                connection.sendall(data)

        port = Watched(str(board.link), timeout=0)
        states.clear()
        try:
            manager = serial.rfc2217.PortManager(port, Sender())
            connection.settimeout(0.005)
            while True:
                if data := port.read(4096):
                    connection.sendall(b"".join(manager.escape(data)))
                try:
                    data = connection.recv(1024)
                except TimeoutError:
                    continue
                if not data:
                    return
                port.write(b"".join(manager.filter(data)))
        finally:
            port.close()

    return serve


def test_rfc2217_carries_every_byte_and_the_reset_lines(board: Board, tmp_path: Path) -> None:
    states: list[str] = []
    server = TcpBoard(rfc2217_server(board, states))
    capture = Capture(tmp_path, url=f"rfc2217://127.0.0.1:{server.port}", baud=57600, reset=("dtr",)).start()
    wait_until(lambda: "reset by DTR" in capture.said, "the reset")
    wait_until(lambda: states[-2:] == ["dtr False", "dtr True"], "the line was moved")
    sent = bytes(range(256)) * 40  # with 0xff, which the protocol doubles
    board.say(sent, 921600)
    capture.wait_for(sent)
    capture.job.write(b"\xff\x00go")
    assert board.hear(4) == b"\xff\x00go"
    capture.job.stop()
    assert capture.wait().reason == "stopped" and capture.data == sent
    server.close()


def test_what_rfc2217_gave_before_it_broke_is_kept(board: Board, tmp_path: Path) -> None:
    connections: list[socket.socket] = []
    serve = rfc2217_server(board, [])

    def served(connection: socket.socket, number: int) -> None:
        connections.append(connection)
        serve(connection, number)

    server = TcpBoard(served)
    capture = Capture(tmp_path, url=f"rfc2217://127.0.0.1:{server.port}").start()
    wait_until(lambda: bool(capture.events("opened")), "it is open")
    board.say(b"last words")
    capture.wait_for(b"last words")
    connections[0].shutdown(socket.SHUT_RDWR)
    wait_until(lambda: len(capture.events("opened")) == 2, "it is connected again")
    board.say(b" and more")
    capture.wait_for(b"last words and more")
    capture.job.stop()
    capture.wait()
    server.close()


def test_spy_shows_the_traffic_and_changes_none(board: Board, tmp_path: Path) -> None:
    dump = tmp_path / "traffic"
    capture = Capture(tmp_path, url=f"spy://{board.link}?file={dump}").start()
    wait_until(lambda: bool(capture.events("opened")), "it is open")
    board.say(b"hello \x00\xff")
    capture.wait_for(b"hello \x00\xff")
    capture.job.stop()
    capture.wait()
    assert "RX" in dump.read_text()


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("", "which port"),
        ("ttyACM0", "is not a serial port"),
        ("COM3", "is not a serial port"),
        ("telnet://h:1", "not a kind of port"),
        ("loop://", "not a kind of port"),
        ("socket://host", "lacks a host or a port number"),
        ("socket://:22", "lacks a host or a port number"),
        ("rfc2217://h:99999", "lacks a host or a port number"),
        ("spy://", "names no device"),
    ],
)
def test_a_url_that_can_be_none_is_refused_at_once(url: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        plan(RunRequest(f"serial:{url}"), url)


@pytest.mark.parametrize("baud", [0, -1, 10**9])
def test_a_baud_rate_that_is_none_is_refused(baud: int) -> None:
    with pytest.raises(UsageError, match="not a baud rate"):
        plan(RunRequest("serial:/dev/ttyS0", baud=baud), "/dev/ttyS0")


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
    assert "lines are no text" in finding.title and "--baud" in finding.advice


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
