"""The three things that a newcomer comes for, in a real terminal of 80x24, by keys alone.

Each key is pressed only after the screen has said what it does: who reads it finds the way.
"""

from __future__ import annotations

import csv
import re
import shlex
import shutil
import time
from pathlib import Path

import pytest

from ethosu_tui.runners.reading.inputs import load

from ..conftest import user_of_compiles
from .terminal import Terminal, dashboard, environment

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux (apt install tmux)")
JOB = re.compile(r"(u\d\d-\d+) .* ([\d.]+) ms +([\d.]+) KiB")


def _jobs(screen: str) -> dict[str, tuple[float, float]]:
    """Milliseconds and KiB of SRAM of each target, as anybody reads them off the table."""
    return {target: (float(time), float(kib)) for target, time, kib in JOB.findall(screen)}


def _wait_for_jobs(terminal: Terminal, wanted: set[str], limit: float = 60.0) -> None:
    """Wait until these targets are listed and no others."""
    deadline = time.monotonic() + limit
    while set(_jobs(screen := terminal.screen)) != wanted:
        assert time.monotonic() < deadline, f"not {wanted} on\n{screen}"
        time.sleep(0.1)


@pytest.mark.compile
def test_which_target_is_fastest_and_which_fits_512_kib(tmp_path: Path) -> None:
    runs_only = {**environment(tmp_path / "home"), **user_of_compiles(), "ETHOSU_TUI_WORKSPACE": str(tmp_path / "runs")}
    with Terminal(dashboard(), runs_only) as terminal:
        terminal.wait("c Compile", "compile a bundled model for one or more targets")
        terminal.press("c")
        terminal.wait("1 job, c starts", "bundled:mnist", "space On/off")
        terminal.press("Down", "Space")
        terminal.wait("2 valid configurations, c starts")
        terminal.press("Down", "Down", "Down", "Down", "Space")
        terminal.wait("3 valid configurations, c starts", "● ethos-u85-256")
        terminal.press("c")
        terminal.wait("State", "of 3 done")
        jobs = _jobs(terminal.wait("✓ 3 of 3 ok", "s sorts, / filters", limit=240))
        assert set(jobs) == {"u55-128", "u55-256", "u85-256"}
        fastest = min(jobs, key=lambda target: jobs[target][0])
        terminal.press("Right", "Right", "Right", "Right", "s")  # the column of the time
        terminal.wait("Time▲", f"Fastest: {fastest}")
        assert next(iter(_jobs(terminal.screen))) == fastest == "u85-256"
        terminal.press("/")
        terminal.wait("sram<512KiB", "↵ Keep")  # what the line says can be typed
        terminal.type("sram<512KiB")
        terminal.press("Enter")
        terminal.wait("↵ Report")
        _wait_for_jobs(terminal, {target for target, (_, kib) in jobs.items() if kib < 512})
        terminal.press("/")
        terminal.wait("↵ Keep")
        terminal.press("C-u")  # the filter that holds is in the line again
        terminal.wait("filter: text -text")
        terminal.type("sram<100KiB")
        terminal.press("Enter")
        terminal.wait("↵ Report")
        few = {target for target, (_, kib) in jobs.items() if kib < 100}
        assert fastest not in few
        _wait_for_jobs(terminal, few)
        terminal.press("Enter")
        terminal.wait("Report › mnist ethos-u55", "SRAM")
        terminal.press("3")
        terminal.wait("Operators, as Vela estimates them", "Conv2D")
        terminal.press("Escape")
        terminal.wait("v Compare")
        terminal.press("v")
        terminal.wait("Compare › 2 columns", "cycles")
        terminal.press("Escape")
        terminal.wait("s sorts, / filters")
        terminal.press("Escape")  # drops the filter first
        _wait_for_jobs(terminal, set(jobs))
        terminal.press("Escape")
        terminal.wait("Targets: 3")
        terminal.press("Escape")
        terminal.wait("Runs (3)", "✓ ok")
        terminal.press("q")
        assert terminal.wait_gone() == 0


def test_why_did_it_fail(tmp_path: Path, samples: Path) -> None:
    log = tmp_path / "from the lab.log"
    shutil.copy(samples / "method_small_planned.log", log)
    cause = next(f for f in load(str(log)).capture.findings if f.severity == "error")
    with Terminal(dashboard(), environment(tmp_path / "home")) as terminal:
        terminal.wait("o  open the log of a board", "o Open")
        terminal.press("o")
        terminal.wait("Open a log", "enter takes it")
        terminal.type(str(log))
        terminal.press("Enter")
        screen = terminal.wait("✗ failed", "the root cause first", "Do:")
        assert f"✗ {cause.title[:40]}" in screen, "the reason is what is seen first"
        assert cause.advice.split(":")[0][:40] in " ".join(screen.split())
        terminal.wait("e Cause")
        terminal.press("e")
        terminal.wait(f"{cause.lines[0]}✗", "Log", "allocation")
        terminal.press("Escape")
        terminal.wait("the root cause first", "esc Back")
        terminal.press("Escape")
        terminal.wait("Home")
        terminal.press("q")
        assert terminal.wait_gone() == 0


def test_compare_two_runs_and_export_the_table(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    opened = f"cd {shlex.quote(str(work))} && exec {shlex.join(dashboard())}"
    with Terminal(["sh", "-c", opened], environment(tmp_path / "home")) as terminal:
        terminal.wait("read the sample log under the cursor", "Sample logs (", "/ Filter", "v Compare", "bundleio_pass")
        terminal.press("/")
        terminal.wait("enter keeps it")
        terminal.type("mnist")
        terminal.press("Enter", "v")
        terminal.wait("Mark two or more rows with space")  # whoever does not know is told
        terminal.press("Space", "Down", "Space", "v")
        terminal.wait("Compare › 2 columns", "◆ dbg_mnist", "mnist_q", "w Export")
        terminal.press("w")
        terminal.wait("this table    CSV", "enter saves")
        terminal.press("Down")
        terminal.wait("compare-comparison.csv")
        terminal.press("Enter")
        terminal.wait("Saved: this table, CSV")
        terminal.press("q")
        assert terminal.wait_gone() == 0
    rows = list(csv.reader((work / "compare-comparison.csv").read_text("utf-8").splitlines()))
    assert any("dbg_mnist" in cell for cell in rows[0]) and any("mnist_q" in cell for cell in rows[0])
    cycles = next(row for row in rows if row[0] == "cycles.inference")
    assert [cell for cell in cycles if cell.isdigit()][:2] == ["174170", "153427"]
