"""Real compiles that several modules look at, each done once: they are the dearest part of all tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..programs.models import TWO_PARTS

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home directory and workspace with blanks in their paths."""
    return tmp_path_factory.mktemp("the home of")


@pytest.fixture(scope="session")
def run(home: Path) -> Run:
    """`ethosu-tui` in that home, without a terminal."""
    scratch = home / "temporary files"
    scratch.mkdir()

    def ethosu_tui(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "ethosu_tui.tui.cli", *arguments],
            env=os.environ | {"HOME": str(home), "ETHOSU_TUI_WORKSPACE": str(home / "runs"), "TMPDIR": str(scratch)},
            cwd=home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return ethosu_tui


@pytest.fixture(scope="session")
def demo(run: Run) -> subprocess.CompletedProcess[str]:
    """The demo: MNIST for four targets, each in a run folder of `home`."""
    return run("demo")


@pytest.fixture(scope="session")
def add(run: Run) -> dict[str, Any]:
    """`add` compiled for an Ethos-U55 and, without delegate, for the CPU: the JSON of the command."""
    return _compiled(run, "add", "-t", "ethos-u55-128,cortex-m55", "-o", "~/my programs/{target}.pte")


@pytest.fixture(scope="session")
def softmax_for_none(run: Run) -> dict[str, Any]:
    """`softmax` compiled for no target: a program that runs on the host; the JSON of the command."""
    return _compiled(run, "softmax", "--target", "none")


@pytest.fixture(scope="session")
def two_parts(run: Run, home: Path) -> dict[str, Any]:
    """A model of two partitions with all that ExecuTorch dumps, its own notes of where operators come from included."""
    models = home / "my models"
    models.mkdir()
    (models / "two parts.py").write_text(TWO_PARTS)
    debug = ("--keep-intermediates", "~/my dumps", "--aot-arg=--enable_debug_mode=tosa")
    return _compiled(run, "~/my models/two parts.py", *debug)


def _compiled(run: Run, *arguments: str) -> dict[str, Any]:
    done = run("compile", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document
