"""Ports that vanish, stay away, belong to others, or are sockets: each said, and no byte lost."""

from __future__ import annotations

import random
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ethosu_tui.runners.job import JobError, UsageError
from ethosu_tui.runners.kinds.serial import plan
from ethosu_tui.runners.run_request import RunRequest

from .boards import Board, TcpBoard, wait_until
from .captures import Capture

pytest.importorskip("serial")


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    one = Board(tmp_path / "port")
    yield one
    one.close()


def noise(size: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(size)


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
    capture = Capture(tmp_path, url=str(board.link), time_limit_seconds=3.0).start()
    board.wait_opened()
    board.say(b"ready\n")
    capture.wait_for(b"ready\n")  # a port that vanishes while it is being opened never started
    board.vanish()
    end = capture.wait()
    assert (end.reason, end.text) == ("timeout", "ended by us after the time limit of 3 s, while the port was away")


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
