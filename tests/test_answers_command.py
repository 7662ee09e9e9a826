"""`analyze --summary`, `--outputs` and the answers in its JSON: what the screens show, without a screen."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


def ethosu(*arguments: str, stdin: bytes | None = None, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "ethosu_tui.tui", *arguments], capture_output=True, input=stdin, timeout=120, cwd=cwd
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


def test_a_build_that_failed_is_told_in_a_summary_too(log: str, tmp_path: Path) -> None:
    """There are no five answers to a build: nobody asks how fast it is."""
    build = tmp_path / "build.log"
    build.write_text("-- Configuring done\nCMake Error at CMakeLists.txt:7 (message):\n  no toolchain\n")
    alone, beside = ethosu("analyze", "--summary", str(build)), ethosu("analyze", "--summary", log, str(build))
    assert alone.returncode == beside.returncode == 1
    assert "[cmake-failed]" in alone.stdout and "Did it" not in alone.stdout and "===" not in alone.stdout
    assert f"=== {build} ===" in beside.stdout and "[cmake-failed]" in beside.stdout and "Did it" in beside.stdout


def test_outputs_have_figures_largest_values_and_histogram(log: str) -> None:
    shown = ethosu("analyze", "--outputs", log).stdout
    assert "7 of 1,000 values" in shown and "Largest of output 0" in shown and "Histogram" in shown
    assert "[999]" in shown[shown.index("Largest of output 0") :]


def test_what_cannot_be_printed_is_refused(log: str) -> None:
    for options, said in (
        (("--summary", "--json"), "--json has the answers"),
        (("--outputs", "--jsonl"), "--outputs"),
    ):
        done = ethosu("analyze", *options, log)
        assert done.returncode == 2 and said in done.stderr and not done.stdout


def test_a_pipe_is_read_once(log: str) -> None:
    done = ethosu("analyze", "--outputs", "-", stdin=Path(log).read_bytes())
    assert done.returncode == 0 and "does not allow" in done.stderr and "Histogram" not in done.stdout


def test_answers_go_where_the_report_goes(log: str, tmp_path: Path) -> None:
    page = tmp_path / "report.md"
    done = ethosu("analyze", log, "--export", str(page))
    assert done.returncode == 0 and "Did it pass?" not in done.stdout
    assert page.read_text().count("5,920,305 NPU cycles an inference") == 1


TARGET = """[targets.bench-7]
base = "alif-e8-u85"
memories = { sram = "1MiB", mram = "5MiB" }
clock = "300MHz"
url = "socket://localhost:1"
"""


def test_a_target_of_ones_own_is_a_board_with_its_own_figures(log: str, tmp_path: Path) -> None:
    (tmp_path / "ethosu-tui.toml").write_text(TARGET)
    shown = ethosu("analyze", "--summary", "--board", "bench-7", str(Path(log).resolve()), cwd=tmp_path).stdout
    assert "19.7 ms on the NPU alone" in shown and "at 300 MHz (of the target bench-7)" in shown
    assert "on bench-7" in shown and "sram: 1.0 MiB" in shown
    refused = ethosu("analyze", "--summary", "--board", "bench-8", str(Path(log).resolve()), cwd=tmp_path)
    assert refused.returncode == 2 and "bench-8 is not a known board" in refused.stderr


def test_what_fits_does_not_depend_on_where_the_npu_is_named(log: str) -> None:
    shown = ethosu("analyze", "--board", "alif-e8-u85", "--target", "ethos-u85-1024", log).stdout
    assert "On alif-e8-u85: does not fit" in shown and "on alif-e8-u85, no: it was compiled for ethos-u85-1024" in shown
    assert "boards.alif-e8-u85" not in shown and "[board-not-of-this-run]" in shown
    alone = ethosu("analyze", "--summary", "--target", "ethos-u85-1024", log).stdout
    assert "alif-e8-u85" not in alone


def test_each_of_several_compiles_has_its_answers_below_its_name(tmp_path: Path) -> None:
    summary = "Network summary for net\nAccelerator configuration               Ethos_U55_{0}\nTotal SRAM used                                {0}.00 KiB\n"
    counts = "CPU operators = 0 (0.0%)\nNPU operators = 13 (100.0%)\n\n"
    log = tmp_path / "two.log"
    log.write_text("".join(f"{summary.format(macs)}{counts}" for macs in (64, 256)))
    lines = ethosu("analyze", str(log)).stdout.splitlines()
    first, second = (
        lines.index("=== Compile 1 of 2: ethos-u55-64 ==="),
        lines.index("=== Compile 2 of 2: ethos-u55-256 ==="),
    )
    fits = [number for number, line in enumerate(lines) if line.startswith("Does it fit?")]
    assert first < fits[0] < second < fits[1]
    assert "64.0 KiB" in lines[fits[0]] and "256.0 KiB" in lines[fits[1]]
    short = ethosu("analyze", "--summary", str(log)).stdout
    assert "two.log, compile 1 ===" in short and "two.log, compile 2 ===" in short


def test_one_network_in_several_delegates_has_its_answers_once(tmp_path: Path) -> None:
    summary = (
        "Network summary for net\nAccelerator configuration               Ethos_U55_128\nTotal SRAM used                                {0}.00 KiB\n"
        "CPU operators = 0 (0.0%)\nNPU operators = 13 (100.0%)\n\n"
    )
    counts = "Total delegated subgraphs: 2\nNumber of delegated nodes: 9\nNumber of non-delegated nodes: 3\n"
    log = tmp_path / "parts.log"
    log.write_text(summary.format(64) + summary.format(32) + counts)
    shown = ethosu("analyze", str(log)).stdout
    assert "=== Compile of one network in 2 delegates for ethos-u55-128 ===" in shown
    assert shown.count("Did it compile?") == 1 and "it needs 64.0 KiB of SRAM" in shown and "delegate 2 of 2" in shown
    log.write_text(summary.format(16) + log.read_text())
    shown = ethosu("analyze", str(log)).stdout
    assert (
        "=== Compile 1 of 3: ethos-u55-128 ===" in shown
        and "=== Compiles 2 and 3 of 3: one network in 2 delegates" in shown
    )
    assert "parts.log, compiles 2 and 3 ===" in ethosu("analyze", "--summary", str(log)).stdout
