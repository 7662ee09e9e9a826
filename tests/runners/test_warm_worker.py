"""A compile worker that stays for the next compile: who may use it, what it takes from whom, and when it ends."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ethosu_tui.runners.aot import warm as aot_warm
from ethosu_tui.runners.aot import warm_process
from ethosu_tui.runners.compile.compiler import CompileBatch, CompileOptions, CompileResult, JobDone, plan
from ethosu_tui.runners.liveness import process_started

STANDIN = Path(__file__).with_name("standin_executorch")
SCRIPT = "executorch/backends/arm/scripts/aot_arm_compiler.py"


def _wait_until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


class Place:
    """An interpreter whose stand-in for executorch notes each import, and where its workers listen."""

    def __init__(self, home: Path) -> None:
        self.home, self.packages, self.imports = home, home / "packages", home / "imports"
        shutil.copytree(STANDIN, self.packages)
        self.script = self.packages / SCRIPT
        noted = f"\nimport os\nwith open({str(self.imports)!r}, 'a') as noted:\n    print(os.getpid(), file=noted)\n"
        self.script.write_text(self.script.read_text() + noted)
        self.python = home / "python"
        settings = f'PYTHONPATH="{self.packages}" PYTHONDONTWRITEBYTECODE=1'
        self.python.write_text(f'#!/bin/sh\n{settings} exec "{sys.executable}" -S "$@"\n')
        self.python.chmod(0o755)
        self.runtime = home / "r"
        self.runtime.mkdir(mode=0o700)

    @property
    def pids(self) -> list[int]:
        """The workers that imported the compiler, in order."""
        return [int(line) for line in self.imports.read_text().split()] if self.imports.exists() else []

    @property
    def sockets(self) -> list[Path]:
        folder = self.runtime / "ethosu-tui"
        return sorted(folder.iterdir()) if folder.exists() else []

    def batch(self, body: str = "pass", **options: bool) -> CompileBatch:
        model = self.home / "model.py"
        during = textwrap.indent(textwrap.dedent(body), "    ")
        model.write_text(f"ModelUnderTest = 1\nModelInputs = (1,)\ndef during(given):\n{during}\n")
        points, _ = plan(["ethos-u55-128"])
        given = CompileOptions(str(model), interpreter=str(self.python), **options)
        return CompileBatch(given, points, self.home / "runs", cached=False)

    def one(self, body: str = "pass", **options: bool) -> CompileResult:
        """The result of a batch of one, after which its worker listens."""
        (done,) = [event for event in self.batch(body, **options).run() if isinstance(event, JobDone)]
        assert done.result.status == "ok", (done.result.findings, Path(done.result.log).read_text())
        return done.result

    def settled(self) -> None:
        """Wait for the worker that a compile left."""
        _wait_until(lambda: self.sockets and all(path.suffix == "" for path in self.sockets))


def _listening(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as there:
        return there.connect_ex(str(path)) == 0


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    place = Place(tmp_path_factory.mktemp("w"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(place.runtime))
    monkeypatch.setenv(warm_process.VARIABLE, "30")
    yield place
    for path in place.sockets:  # which ends its keeper
        path.unlink()


def test_the_next_compile_needs_no_import_and_has_its_callers_surroundings(
    place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first = place.one("print('from', __import__('os').getcwd())")
    place.settled()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLOUR", "blue\udcff")
    monkeypatch.setenv("VANISHED", "")
    monkeypatch.delenv("VANISHED")
    before = os.umask(0o027)
    try:
        second = place.one(
            """
            import os
            print("from", os.getcwd(), ascii(os.environ["COLOUR"]), os.umask(0o77), os.getenv("XDG_RUNTIME_DIR"))
            """
        )
    finally:
        os.umask(before)
    assert len(place.pids) == 1
    log = Path(second.log).read_text()
    assert f"from {tmp_path} 'blue\\udcff' 23 {place.runtime}" in log
    assert str(tmp_path) not in Path(first.log).read_text()
    assert (first.sha256, first.route) == (second.sha256, second.route)
    assert second.stages.keys() == first.stages.keys()


def test_changed_packages_are_imported_again(place: Place) -> None:
    place.one()
    place.settled()
    place.script.write_text(place.script.read_text() + "\n# changed\n")
    os.utime(place.script, (1e9, 1e9))  # an old time is a change too
    place.one()
    place.settled()
    place.one()
    assert len(place.pids) == 2


@pytest.mark.parametrize(("name", "value"), [("PYTHONHASHSEED", "1"), ("OMP_NUM_THREADS", "3"), ("LC_ALL", "C")])
def test_what_imports_depend_on_is_not_mixed(
    name: str, value: str, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.one()
    place.settled()
    monkeypatch.setenv(name, value)
    place.one()
    assert len(place.pids) == 2


def test_an_idle_worker_ends_by_itself(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(warm_process.VARIABLE, "1.5")
    place.one()
    place.settled()
    _wait_until(lambda: not place.sockets)
    place.one()
    assert len(place.pids) == 2


@pytest.mark.parametrize("how", ["option", "variable"])
def test_nothing_is_left_where_it_is_not_wanted(how: str, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    if how == "variable":
        monkeypatch.setenv(warm_process.VARIABLE, "0")
    place.one(warm=how == "variable")
    place.one(warm=how == "variable")
    assert len(place.pids) == 2 and place.sockets == []


@pytest.mark.parametrize("kind", ["open", "link"])
def test_a_folder_that_others_could_reach_is_not_used(kind: str, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = place.runtime / "ethosu-tui"
    if kind == "open":
        folder.mkdir()
        folder.chmod(0o755)
    else:
        (place.home / "elsewhere").mkdir(mode=0o700)
        folder.symlink_to(place.home / "elsewhere")
    monkeypatch.setattr(warm_process, "_PLACES", warm_process._PLACES[:1])
    place.one()
    place.one()
    assert len(place.pids) == 2 and place.sockets == [] and not list((place.home / "elsewhere").glob("*"))


def test_a_worker_of_another_user_is_not_used(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.one()
    place.settled()
    monkeypatch.setattr(aot_warm, "peer_uid", lambda _: os.geteuid() + 1)
    place.one()
    assert len(place.pids) == 2


@pytest.mark.parametrize("answer", [b"", b"nonsense\n", None])
def test_a_socket_that_answers_otherwise_is_passed_over(
    answer: bytes | None, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm_process, "_ANSWER_SECONDS", 0.5)
    place.one()
    place.settled()
    (path,) = place.sockets
    path.unlink()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def serve() -> None:
            connection, _ = listener.accept()
            connection.recv(1 << 16)
            if answer is None:
                time.sleep(1)
            else:
                connection.sendall(answer)
            connection.close()

        thread = threading.Thread(target=serve)
        thread.start()
        place.one()
        thread.join()
    assert len(place.pids) == 2
    _wait_until(lambda: _listening(path))  # the new worker took the place
    place.one()
    assert len(place.pids) == 2


HANGS = """
import os, subprocess, time
print("pids", os.getpid(), subprocess.Popen(["sleep", "300"]).pid, flush=True)
time.sleep(300)
"""


def _pids_in_logs(place: Place) -> list[int]:
    logs = [path.read_text() for path in (place.home / "runs").glob("*/console.log")]
    return [int(word) for log in logs for word in log.split() if word.isdigit()]


def test_stopping_ends_the_jobs_and_what_they_started_and_keeps_the_worker(place: Place) -> None:
    place.one()
    place.settled()
    batch = place.batch(HANGS)
    results: list[CompileResult] = []

    def run() -> None:
        results.extend(event.result for event in batch.run() if isinstance(event, JobDone))

    thread = threading.Thread(target=run)
    thread.start()
    _wait_until(lambda: len(_pids_in_logs(place)) == 2)
    batch.stop()
    thread.join(60)
    assert not thread.is_alive() and [finding.rule for finding in results[0].findings] == ["stopped"]
    _wait_until(lambda: all(process_started(pid) is None for pid in _pids_in_logs(place)))
    place.one()
    assert len(place.pids) == 1


def test_nothing_runs_on_when_the_caller_is_killed(place: Place) -> None:
    place.one()
    place.settled()
    place.batch(HANGS)  # writes the model
    ours = subprocess.Popen(
        [sys.executable, "-m", "ethosu_tui.tui.cli", "compile", str(place.home / "model.py"), "--no-cache"]
        + ["--python", str(place.python)],
        env=os.environ | {"ETHOSU_TUI_WORKSPACE": str(place.home / "runs")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _wait_until(lambda: len(_pids_in_logs(place)) == 2)
    ours.send_signal(signal.SIGKILL)
    ours.wait()
    _wait_until(lambda: all(process_started(pid) is None for pid in _pids_in_logs(place)))
    assert len(place.pids) == 1


def test_a_job_that_dies_is_told_like_any_other(place: Place) -> None:
    place.one()
    place.settled()
    (done,) = [e for e in place.batch("import os; os.kill(os.getpid(), 11)").run() if isinstance(e, JobDone)]
    assert [finding.rule for finding in done.result.findings] == ["compiler-killed"]
    assert len(place.pids) == 1


def test_a_session_that_is_killed_is_told_and_the_next_compile_works(place: Place) -> None:
    place.one()
    place.settled()
    body = "import os, time; os.kill(os.getppid(), 9)\ntime.sleep(60)"
    (done,) = [event for event in place.batch(body).run() if isinstance(event, JobDone)]
    assert [finding.rule for finding in done.result.findings] == ["compiler-lost"]
    place.one()
    assert len(place.pids) == 1
