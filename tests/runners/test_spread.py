"""Inputs spread over real processes and a real cluster: order, dying workers, interruption, and no worker left behind."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.job import MissingTool
from ethosu_tui.runners.reading import scheduler as module
from ethosu_tui.runners.reading.spread import spread

DYING = """
import os, signal, sys, time
from ethosu_tui.runners.reading.spread import LocalPool, spread

def task(path):
    name = os.path.basename(path)
    if name == "kills":
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "once" and not os.path.exists(path + ".seen"):
        open(path + ".seen", "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "raises":
        raise RuntimeError("planted")
    if name == "huge":
        raise MemoryError
    if name == "slow":
        open(path + ".pid", "w").write(str(os.getpid()))
        time.sleep(60)
    return name.upper()

if __name__ == "__main__":
    folder, width, *names = sys.argv[1:]
    with LocalPool(int(width)) as pool:
        for path, result in spread(task, [os.path.join(folder, name) for name in names], pool):
            print(os.path.basename(path), result if isinstance(result, str) else result.message, flush=True)
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "dying.py"
    path.write_text(DYING)
    return path


def lines_of(script: Path, *names: str, width: int = 2) -> list[str]:
    command = [sys.executable, str(script), str(script.parent), str(width), *names]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout.splitlines()


def test_results_come_in_order(script: Path) -> None:
    names = [f"n{i}" for i in range(40)]
    assert lines_of(script, *names) == [f"{name} {name.upper()}" for name in names]


class Here:
    """Workers that do everything at once in this process, and note it."""

    width = 2

    def __init__(self) -> None:
        self.begun: list[str] = []

    def executor(self) -> Here:
        return self

    def submit(self, task: Callable[[str], str], path: str) -> Future[str]:
        self.begun.append(path)
        done: Future[str] = Future()
        done.set_result(task(path))
        return done

    def result(self, future: Future[str]) -> str:
        return future.result()


def test_the_largest_of_what_is_given_out_together_is_begun_first_and_results_keep_their_order() -> None:
    sizes = {"a": 5, "b": 900, "c": 5, "d": 1000, "e": 1}
    workers: Any = Here()
    results = list(spread(str.upper, list(sizes), workers, sizes.__getitem__))
    assert results == [(name, name.upper()) for name in sizes]
    assert workers.begun == ["d", "b", "a", "c", "e"]


def test_a_worker_that_dies_costs_only_its_own_input(script: Path) -> None:
    names = ["a", "kills", "b", "once", "c", "raises", "huge", "d", "kills", "e"]
    found = lines_of(script, *names)
    assert [line.split()[0] for line in found] == names
    for line in found:
        name, _, said = line.partition(" ")
        if name == "kills":
            assert "was killed twice" in said and said.startswith(str(script.parent / "kills"))
        elif name == "raises":
            assert "RuntimeError: planted" in said
        elif name == "huge":
            assert "too little memory" in said
        else:
            assert said == name.upper()


def alive(pid: int) -> bool:
    try:
        return "zombie" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_its_parent(script: Path, number: signal.Signals) -> None:
    command = [sys.executable, str(script), str(script.parent), "1", "slow"]
    parent = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    place = script.parent / "slow.pid"
    wait_until(lambda: place.exists() and place.read_text() != "")
    worker = int(place.read_text())
    assert alive(worker)
    parent.send_signal(number)
    parent.wait(40)
    wait_until(lambda: not alive(worker), 40)  # by itself it would end after 60 s


def analyze(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ethosu_tui.tui", "analyze", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


@pytest.mark.parametrize("form", [["--jsonl"], ["--json"], ["--format", "csv"], ["--all"], []])
def test_jobs_change_nothing_but_the_time(samples: Path, form: list[str]) -> None:
    inputs = [samples, samples / "nothing.log", "-"]
    one, two = (
        analyze(*inputs, *form, "--jobs", jobs, input=(samples / "softmax.log").read_text()) for jobs in ("1", "2")
    )
    assert (two.stdout, two.stderr, two.returncode) == (one.stdout, one.stderr, one.returncode)
    assert one.returncode == 3


def test_what_a_compile_printed_comes_from_another_process_too(tmp_path: Path) -> None:
    """A summary with no word of what was left to the CPU."""
    for name in ("one.log", "two.log"):
        text = "Accelerator configuration               Ethos_U85_256\nSystem configuration             Ethos_U85_SYS_DRAM_Mid\n"
        (tmp_path / name).write_text(text)
    one, two = (analyze(tmp_path / "one.log", tmp_path / "two.log", "--json", "--jobs", jobs) for jobs in ("1", "2"))
    assert (two.stdout, two.stderr, two.returncode) == (one.stdout, one.stderr, one.returncode)
    assert one.stdout.count("Ethos_U85_SYS_DRAM_Mid") == 2 and not one.stderr


def ignores_interrupts(pid: int) -> bool:
    (mask,) = re.findall(r"SigIgn:\s+(\w+)", Path(f"/proc/{pid}/status").read_text())
    return bool(int(mask, 16) >> signal.SIGINT - 1 & 1)


def test_ctrl_c_ends_all_processes_at_once(tmp_path: Path, samples: Path) -> None:
    log = tmp_path / "big.log"
    log.write_bytes((samples / "etd_plain.log").read_bytes() * 5000)
    command = [sys.executable, "-m", "ethosu_tui.tui", "analyze", "--json", "--jobs", "2", str(log), str(samples)]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    wait_until(lambda: len(children.read_text().split()) >= 2)
    workers = [int(pid) for pid in children.read_text().split()]
    wait_until(lambda: all(ignores_interrupts(pid) for pid in workers))
    wait_until(lambda: process.poll() is not None or any(cpu_seconds(pid) > 0.2 for pid in workers))
    assert process.poll() is None, "it ended before it could be interrupted"
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to everybody
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said == "ethosu-tui: interrupted\n"


def test_jobs_are_counted_from_nothing_up(samples: Path) -> None:
    done = analyze(samples / "softmax.log", "--jobs", "-1")
    assert done.returncode == 2 and "not a number of processes" in done.stderr


CLUSTER = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None, processes=True) as cluster:
        pids = cluster.scheduler_info["workers"]
        print(cluster.scheduler_address, flush=True)
        print(" ".join(str(w.pid) for w in cluster.workers.values()), flush=True)
        sys.stdin.read()
"""


RUNS = 600


def cpu_seconds(pid: int) -> float:
    """What a process has spent by itself so far."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[int]]]:
    """A real cluster of three worker processes: its address, and the process ids of its workers."""
    pytest.importorskip("distributed")
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    process = subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None and process.stdin is not None
    try:
        yield process.stdout.readline().strip(), [int(pid) for pid in process.stdout.readline().split()]
    finally:
        process.stdin.close()
        process.wait(120)
        process.stdout.close()


def test_a_scheduler_takes_the_place_of_the_pool(cluster: tuple[str, list[int]], samples: Path, tmp_path: Path) -> None:
    address, pids = cluster
    here = analyze(samples, "--format", "csv")
    there = analyze(samples, "--format", "csv", "--scheduler", address)
    assert (there.stdout, there.returncode) == (here.stdout, here.returncode)
    assert there.stderr == ""
    for position in range(6):
        (tmp_path / f"{position:02d}.log").write_bytes((samples / "mnist_q.log").read_bytes() * RUNS)
    logs = sorted(tmp_path.glob("*.log"))
    command = [sys.executable, "-m", "ethosu_tui.tui", "analyze", "--jsonl", "--scheduler", address, *map(str, logs)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    busy = cpu_seconds(pids[0])
    wait_until(lambda: process.poll() is not None or cpu_seconds(pids[0]) > busy + 0.2)
    assert process.poll() is None, "it ended before a worker could be killed"
    os.kill(pids[0], signal.SIGKILL)
    out, said = process.communicate(timeout=100)
    assert process.returncode == 0, said
    rows = [json.loads(line) for line in out.splitlines()]
    assert [(row["source"], row["index"]) for row in rows] == [(str(log), i + 1) for log in logs for i in range(RUNS)]
    assert said == ""


def test_a_scheduler_that_does_not_answer(samples: Path) -> None:
    pytest.importorskip("distributed")
    for address, code, word in (
        ("tcp://127.0.0.1:9", 4, "no scheduler answers"),
        ("nonsense://x:1", 2, "not a scheduler address"),
    ):
        done = analyze(samples / "softmax.log", "--scheduler", address)
        assert done.returncode == code
        assert done.stderr.count("\n") == 1 and word in done.stderr


class Deserted:
    """The client of a scheduler whose last worker goes as soon as it is given something, and an executor that never does it."""

    def __init__(self) -> None:
        self.workers = {"one": 1}

    def nthreads(self) -> dict[str, int]:
        return self.workers

    def get_executor(self, **_: Any) -> Deserted:
        return self

    def submit(self, task: Callable[[str], str], path: str) -> Future[str]:
        self.workers = {}
        return Future()


def test_a_scheduler_that_has_lost_its_workers_is_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "connect", lambda address, otherwise: Deserted())
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(module, "DESERTED_SECONDS", 0.05)
    found = dict(spread(str.upper, ["a", "b"], module.Scheduler("tcp://lab:8786")))
    for path, error in found.items():
        assert isinstance(error, MissingTool) and error.hint == "start one: dask worker tcp://lab:8786"
        assert error.message == f"{path}: was not read: the scheduler tcp://lab:8786 has no workers left"


class Slow(Future[str]):
    """What a task gives is there just when the wait for it has ended."""

    def result(self, timeout: float | None = None) -> str:
        if timeout is None or self.done():
            return super().result(timeout)
        self.set_result("done")
        raise FutureTimeoutError


def test_a_result_that_comes_as_the_wait_for_it_ends_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "connect", lambda address, otherwise: Deserted())
    assert module.Scheduler("tcp://lab:8786").result(Slow()) == "done"


class Busy(Future[str]):
    """The scheduler's only worker goes while one waits, and is there again for the result."""

    def result(self, timeout: float | None = None) -> str:
        if self.looks:
            self.looks -= 1
            raise FutureTimeoutError
        return "done"

    looks = 1


def test_every_loss_of_the_workers_is_waited_out_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Deserted()
    client.workers = {}
    monkeypatch.setattr(module, "connect", lambda address, otherwise: client)
    monkeypatch.setattr(module, "DESERTED_SECONDS", 0.2)
    scheduler = module.Scheduler("tcp://lab:8786")
    for _ in range(3):
        assert scheduler.result(Busy()) == "done"
        time.sleep(0.25)


@pytest.mark.parametrize("address", ["nonsense", "host:", ":8786", "tcp://host", "host:0", "host:99999", "http://h:1"])
def test_what_is_no_address_of_a_scheduler_is_usage(samples: Path, address: str) -> None:
    done = analyze(samples / "softmax.log", "--scheduler", address)
    assert done.returncode == 2 and "tcp://HOST:8786" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize("greeting", [b"", b"SSH-2.0-OpenSSH_9.6\r\n"])
def test_a_server_that_is_no_scheduler(samples: Path, greeting: bytes) -> None:
    def serve(server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = server.accept()
                open_ones.append(connection)
                connection.sendall(greeting)

    open_ones: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=serve, args=(server,), daemon=True).start()
        done = analyze(samples / "softmax.log", "--scheduler", f"127.0.0.1:{server.getsockname()[1]}")
    for connection in open_ones:
        connection.close()
    assert done.returncode == 4 and "no scheduler answers" in done.stderr and done.stderr.count("\n") == 1


def test_more_processes_than_the_machine_can_run(samples: Path) -> None:
    done = analyze(samples, "--format", "csv", "--jobs", "100000")
    assert done.stdout == analyze(samples, "--format", "csv").stdout
    assert "--jobs 100000: only" in done.stderr and done.stderr.count("\n") == 1
