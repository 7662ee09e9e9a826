"""Real compiles that several modules look at, each done once: they are the dearest part of all tests."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.runs.folder import list_runs
from ethosu_tui.runners.settings_file import CONFIG_VARIABLE

from ..conftest import user_of_compiles
from ..programs.models import TWO_PARTS
from .board import Board
from .ssh_runs import nothing_left

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def home() -> Path:
    """A home directory and workspace with blanks in their paths, one for all processes of a test run."""
    return Path(user_of_compiles()["HOME"])


@pytest.fixture(scope="session")
def run(home: Path) -> Run:
    """`ethosu-tui` in that home, without a terminal."""

    def ethosu_tui(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "ethosu_tui.tui.cli", *arguments],
            env=os.environ | user_of_compiles() | environment,
            cwd=home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return ethosu_tui


@pytest.fixture(scope="session")
def demo(run: Run, home: Path) -> subprocess.CompletedProcess[str]:
    """The demo: MNIST for four targets, each in a run folder of `home`."""
    return _once(home, run, "demo")


@pytest.fixture(scope="session")
def mnist(demo: subprocess.CompletedProcess[str], home: Path) -> dict[str, Path]:
    """The run folders that the demo left, by target: the first of each, since others compile MNIST there too."""
    assert demo.returncode == 0, demo.stderr
    found: dict[str, Path] = {}
    for folder in sorted(list_runs(home / "runs"), key=lambda folder: folder.path.name):
        if folder.manifest["model"] == "bundled:mnist" and folder.state == "finished":
            found.setdefault(folder.manifest["target"], folder.path)
    return found


@pytest.fixture(scope="session")
def add(run: Run, home: Path) -> dict[str, Any]:
    """`add` compiled for an Ethos-U55 and, without delegate, for the CPU: the JSON of the command."""
    return _compiled(home, run, "add", "-t", "ethos-u55-128,cortex-m55", "-o", "~/my programs/{target}.pte")


@pytest.fixture(scope="session")
def softmax_for_none(run: Run, home: Path) -> dict[str, Any]:
    """`softmax` compiled for no target: a program that runs on the host; the JSON of the command."""
    return _compiled(home, run, "softmax", "--target", "none")


@pytest.fixture(scope="session")
def two_parts(run: Run, home: Path) -> dict[str, Any]:
    """A model of two partitions with all that ExecuTorch dumps, its own notes of where operators come from included."""
    models = home / "my models"
    with _alone(home, "my models"):
        if not models.exists():
            models.mkdir()
            (models / "two parts.py").write_text(TWO_PARTS)
    debug = ("--keep-intermediates", "~/my dumps", "--aot-arg=--enable_debug_mode=tosa")
    return _compiled(home, run, "~/my models/two parts.py", *debug)


@contextmanager
def _alone(home: Path, what: str) -> Iterator[None]:
    """One process of the test run at a time."""
    with open(home.parent / f"{what}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _once(home: Path, run: Run, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command, unless another process of the test run did: then give what came of it."""
    name = f"done {hashlib.sha256(repr(arguments).encode()).hexdigest()[:16]}"
    done = home.parent / name
    with _alone(home, name):
        if not done.exists():
            came = run(*arguments)
            done.write_text(json.dumps([came.args, came.returncode, came.stdout, came.stderr]))
    return subprocess.CompletedProcess(*json.loads(done.read_text()))


def _compiled(home: Path, run: Run, *arguments: str) -> dict[str, Any]:
    done = _once(home, run, "compile", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def by_the_script(requests: Iterable[Mapping[str, Any]], limit_seconds: float = 900) -> list[str]:
    """What ExecuTorch's own script gives for these (`script_driver.py`): the digest of each program, or its error."""
    driver = Path(__file__).with_name("script_driver.py")
    done = subprocess.run(
        [sys.executable, str(driver)],
        input="".join(json.dumps(request) + "\n" for request in requests),
        capture_output=True,
        text=True,
        timeout=limit_seconds,
        check=True,
        env={name: value for name, value in os.environ.items() if name != "TMPDIR"},  # it breaks on the blank in ours
    )
    return done.stdout.splitlines()


@pytest.fixture(scope="session")
def sshd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """A machine that is reached by OpenSSH: this one, with a server of our own."""
    board = Board(tmp_path_factory.mktemp("board"))
    yield board
    board.close()


@pytest.fixture
def board(sshd: Board, monkeypatch: pytest.MonkeyPatch) -> Iterator[Board]:
    """The board of `sshd`, reached by the `ssh` on our PATH; nothing of a run may be left there afterwards."""
    monkeypatch.setenv("PATH", sshd.env["PATH"])
    yield sshd
    nothing_left(sshd)


@pytest.fixture
def pte(tmp_path: Path) -> Path:
    """A file that begins like a program; nothing here runs it."""
    path = tmp_path / "model.pte"
    path.write_bytes(b"\x1c\0\0\0ET12" + bytes(range(256)) * 40)
    return path


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory without files of targets, which is no home either."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.delenv(CONFIG_VARIABLE, raising=False)
    return folder
