"""`analyze --summary`, `--outputs` and the answers in its JSON: what the screens show, without a screen."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


def ethosu(*arguments: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "ethosu_tui.tui", *arguments], capture_output=True, input=stdin, timeout=120
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def log(samples: Path) -> str:
    return str(samples / "mobilenet_v2_corstone320.log")


def test_a_summary_is_five_lines_and_json_says_the_same(log: str) -> None:
    done = ethosu("analyze", "--summary", "--board", "alif-e8-u85", log)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and len(lines) == 6 and lines[5] == ""
    (found,) = json.loads(ethosu("analyze", "--json", "--board", "alif-e8-u85", log).stdout)["captures"][0]["answers"]
    assert found["run"] == 1 and [entry["question"] for entry in found["five"]] == [
        "passed", "speed", "fit", "limit", "advice",
    ]  # fmt: skip
    for line, entry in zip(lines, found["five"], strict=False):
        assert (entry["answer"] or "cannot be told") in line and entry["reason"] in line
    assert found["five"][3]["answer"] is None, "this log does not tell what limits it"


def test_the_tables_begin_with_the_answers(log: str) -> None:
    shown = ethosu("analyze", log).stdout
    assert shown.startswith("Did it pass?     yes") and shown.index("What to do?") < shown.index("\nSummary\n")


def test_each_of_several_runs_is_named(log: str, samples: Path) -> None:
    done = ethosu("analyze", "--summary", log, str(samples / "softmax.log"))
    assert done.stdout.count("Did it pass?") == 2 and "softmax.log, run 1 ===" in done.stdout


def test_outputs_have_figures_largest_values_and_histogram(log: str) -> None:
    shown = ethosu("analyze", "--outputs", log).stdout
    assert "7 of 1,000 values" in shown and "Largest of output 0" in shown and "Histogram" in shown
    assert "[999]" in shown[shown.index("Largest of output 0") :]


def test_what_cannot_be_printed_is_refused(log: str) -> None:
    for options, said in (
        (("--summary", "--json"), "--json holds the answers"),
        (("--outputs", "--jsonl"), "--outputs"),
    ):
        done = ethosu("analyze", *options, log)
        assert done.returncode == 2 and said in done.stderr and not done.stdout


def test_a_pipe_is_read_once(log: str) -> None:
    done = ethosu("analyze", "--outputs", "-", stdin=Path(log).read_bytes())
    assert done.returncode == 0 and "does not allow" in done.stderr and "Histogram" not in done.stdout
