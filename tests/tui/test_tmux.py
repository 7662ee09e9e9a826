"""The journeys in a real terminal of 80x24, by keys alone; that of a compile is in `test_three_journeys.py`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ethosu_tui.runners.reading.inputs import load

from .terminal import Terminal, dashboard, environment

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux (apt install tmux)")


def test_replay_a_sample_log_live_then_read_its_report(tmp_path: Path) -> None:
    with Terminal(dashboard(), environment(tmp_path / "home")) as terminal:
        terminal.wait("Sample logs (", "bundleio_pass", "? Help")
        terminal.press("/")
        terminal.type("mnist_q")
        terminal.press("Enter", "R")
        terminal.wait("Job › replay of mnist_q", "start")
        terminal.wait("✓ passed", "● complete", "↵ opens the report")
        terminal.press("Enter")
        terminal.wait("Report › mnist_q", "NPU cycles", "arm_executor_runner")
        terminal.press("q")
        assert terminal.wait_gone() == 0


def test_open_a_failed_log_and_land_on_the_line_that_explains_it(tmp_path: Path, samples: Path) -> None:
    log = samples / "method_small_planned.log"
    loaded = load(str(log))
    cause = next(f for f in loaded.capture.findings if f.severity == "error")
    line = next(line for line in loaded.lines() if line.number == cause.lines[0])
    with Terminal(dashboard(str(log)), environment(tmp_path / "home")) as terminal:
        terminal.wait("✗ failed", cause.title[:40])
        terminal.press("e")
        screen = terminal.wait(f"{line.number}✗", "✗ " + cause.title[:40])
        assert line.text[:40] in screen
        terminal.press("Escape")
        terminal.wait("the root cause first")
        terminal.press("C-c")
        assert terminal.wait_gone() == 0


def test_compare_two_logs(tmp_path: Path) -> None:
    with Terminal(dashboard(), environment(tmp_path / "home")) as terminal:
        terminal.wait("Sample logs (", "bundleio_pass")
        terminal.press("/")
        terminal.type("mnist")
        terminal.press("Enter", "Space", "Down", "Space", "v")
        screen = terminal.wait("Compare › 2 columns", "◆ dbg_mnist", "mnist_q")
        assert "n/c" in screen
        terminal.press("Right", "b")
        terminal.wait("◆ mnist_q", "baseline: mnist_q")
        terminal.press("t")
        terminal.wait("ratio to the baseline", "x")
        terminal.press("Escape")
        terminal.wait("Home")


def test_a_terminal_of_fifty_by_twelve_gets_one_clear_notice(tmp_path: Path) -> None:
    with Terminal(dashboard(), environment(tmp_path / "home"), (50, 12)) as terminal:
        terminal.wait("needs 60x16 or more", "50x12")
        terminal.press("q")
        assert terminal.wait_gone() == 0


def test_the_keyboard_is_not_read_as_a_log(tmp_path: Path) -> None:
    # some releases of tmux lose the exit code of what ends at once: a shell tells it
    told = ["sh", "-c", '"$@"; echo "ended with $?"', "sh", *dashboard("-")]
    with Terminal(told, environment(tmp_path / "home")) as terminal:
        terminal.wait("ended with 2")
        assert "ethosu-tui analyze -" in terminal.screen.replace("\n", " ")
