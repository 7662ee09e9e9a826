"""`ethosu-tui run --on serial:URL` as a process: the exit code of each end, and what stands in the run folder after kill -9."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ethosu_tui.runners.runs.event_log import EVENTS, read_events
from ethosu_tui.runners.runs.folder import RunFolder, list_runs, runs_root

from .boards import Board, wait_until

pytest.importorskip("serial")
COMMAND = [sys.executable, "-m", "ethosu_tui.tui.cli"]


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    one = Board(tmp_path / "port")
    yield one
    one.close()


class Run:
    """The command on a board that a thread plays."""

    def __init__(self, board: Board, *arguments: str) -> None:
        argv = [*COMMAND, "run", "--on", f"serial:{board.link}", *arguments]
        self.process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=90)
        assert "Traceback" not in err, err
        return self.process.returncode, out, err


def folder() -> RunFolder:
    (one,) = list_runs(runs_root())
    return one


def test_a_run_that_passes_is_told_with_its_figures(board: Board, samples: Path) -> None:
    log = (samples / "softmax.log").read_bytes()
    run = Run(board, "--json", "--baud", "921600")
    board.wait_opened()
    board.say(log, 921600)
    code, out, err = run.end()
    assert code == 0, err
    assert json.loads(out)["captures"][0]["runs"][0]["status"] == "passed"
    assert "at 921600 baud, 8N1" in err and "Program complete" in err
    assert folder().console_path.read_bytes() == log and folder().manifest["port"] == str(board.link)


def test_a_run_that_fails_on_the_board_is_5(board: Board, samples: Path) -> None:
    log = (samples / "method_small_planned.log").read_bytes()
    run = Run(board, "--silence", "2")
    board.wait_opened()
    board.say(log)
    code, _, err = run.end()
    assert code == 5, err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--timeout", "0.5"), 124, "time limit of 0.5 s"),
        (("--silence", "0.5"), 124, "0.5 s without output"),
        (("--flash", f"{sys.executable} -c 'exit(\"no probe\")'"), 4, "flash failed: python"),
        (("--reset", "rts"), 4, "has no RTS line"),
    ],
)
def test_every_other_end_has_its_code_and_its_sentence(
    board: Board, arguments: tuple[str, ...], code: int, message: str
) -> None:
    ended, _, err = Run(board, *arguments).end()
    assert (ended, message in err) == (code, True), err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--flash", "pyocd load {elf}"), "the flash command wants {elf}"),
        (("--flash", "it's"), "--flash it's cannot be taken apart"),
        (("--reset", "dtr now"), "dtr is a line of the port and takes no arguments"),
        (("--port", "/dev/x"), "two ports to listen on"),
        (("--baud", "7"), "7 is not a baud rate"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_starts(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from ethosu_tui.tui.cli import main

    assert main(["run", "--on", "serial:/dev/ttyX", *arguments]) == 2
    assert message in capsys.readouterr().err and not list_runs(runs_root())


def test_a_port_that_is_not_there_is_a_missing_target(tmp_path: Path) -> None:
    run = Run(Board(tmp_path / "none", present=False), "--appear", "0.2")
    code, _, err = run.end()
    assert code == 4 and "waited 0.2 s for it" in err


@pytest.mark.parametrize(
    "option", ["--baud=9600", "--until=x", "--flash=x", "--reset=dtr", "--appear=1", "--port=/dev/x"]
)
def test_a_board_s_options_are_refused_for_what_is_none(option: str) -> None:
    from ethosu_tui.tui.cli import main

    assert main(["run", "x.pte", "--on", "host", option]) == 2


def test_a_shipped_board_is_run_on_with_its_port_named(board: Board, samples: Path) -> None:
    argv = [*COMMAND, "run", "--on", "alif-e8-hp", "--appear", "5"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "has no port; add --port" in done.stderr
    process = subprocess.Popen(
        [*argv, "--port", str(board.link)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    board.wait_opened()
    board.say((samples / "softmax.log").read_bytes())
    _, err = process.communicate(timeout=90)
    assert process.returncode == 0, err
    assert folder().manifest["port"] == str(board.link)


def test_pyserial_that_is_missing_is_named_with_its_extra(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['serial'] = None\n"
        "from ethosu_tui.tui.cli import main\nsys.exit(main(['run', '--on', 'serial:/dev/ttyS0']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 4 and 'pip install "ethosu-tui[serial]"' in done.stderr


def test_two_processes_never_share_a_port(board: Board) -> None:
    first = Run(board, "--until", "bye")
    board.wait_opened()
    wait_until(lambda: bool(list_runs(runs_root())) and bool(read_events(folder().path / EVENTS)), "the first reads")
    name = folder().id
    code, _, err = Run(board).end()
    assert code == 4 and f"run {name}" in err
    board.say(b"for the first only\nbye\n")
    first.end()
    consoles = {one.console_path.read_bytes() for one in list_runs(runs_root()) if one.console_path.exists()}
    assert consoles - {b""} == {b"for the first only\nbye\n"}


def test_a_detached_run_goes_on_and_is_attached_to(board: Board, samples: Path) -> None:
    log = (samples / "softmax.log").read_bytes()
    run = Run(board, "--detach", "--until", "never said")
    board.wait_opened()
    code, out, err = run.end()
    assert code == 0 and out.strip() == folder().id, err
    board.say(log[:100])
    attached = subprocess.Popen(
        [*COMMAND, "runs", "attach", folder().id], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    board.say(log[100:])
    _, told = attached.communicate(timeout=90)
    assert attached.returncode == 0 and "Program complete" in told and folder().status == "passed"


def test_kill_9_leaves_every_byte_and_frees_the_port(board: Board) -> None:
    run = Run(board, "-q")
    board.wait_opened()
    wait_until(lambda: bool(list_runs(runs_root())), "a folder")
    wait_until(lambda: folder().manifest.get("pid") != run.process.pid, "a process of its own carries it out")
    sent = b"".join(b"line %d\r\n" % number for number in range(2000)) + b"half"
    talker = threading.Thread(target=board.say, args=(sent,))
    talker.start()
    console = folder().console_path
    wait_until(lambda: console.exists() and console.stat().st_size == len(sent), "all is on disk")
    talker.join()
    os.kill(folder().manifest["pid"], signal.SIGKILL)
    code, _, err = run.end()
    assert code == 5 and "lost" in err
    assert console.read_bytes() == sent and folder().state == "lost"
    wait_until(lambda: not board.opened, "the port is free")


def test_ctrl_c_ends_the_run_and_what_came_is_kept(board: Board) -> None:
    run = Run(board)
    board.wait_opened()
    board.say(b"uart:~$ ")
    wait_until(lambda: bool(list_runs(runs_root())) and folder().console_path.exists(), "a folder")
    wait_until(lambda: folder().console_path.read_bytes() == b"uart:~$ ", "the prompt is on disk")
    os.kill(run.process.pid, signal.SIGINT)
    code, _, err = run.end()
    assert code == 130 and folder().state == "stopped" and "uart:~$" in err
