"""`compare` of a series that was really run: all repeats are one column, its warm-up does not count, one of them alone can be had."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.job import InputError
from ethosu_tui.runners.reading.compared import Columns
from ethosu_tui.runners.runs.folder import RunFolder, list_runs
from ethosu_tui.runners.runs.series import place_of
from ethosu_tui.tui.cli import main

CYCLES = (90, 5_000_000, 5_100_000, 5_050_000, 5_150_000)
"""The first is that of the warm-up."""
SCRIPT = """
import os, sys
here = os.path.dirname(os.path.abspath(__file__))
calls = os.path.join(here, "calls")
number = int(open(calls).read()) if os.path.exists(calls) else 0
open(calls, "w").write(str(number + 1))
text = open(sys.argv[1], encoding="utf-8").read()
sys.stdout.write(text.replace("5920305", sys.argv[2].split(",")[number]))
"""


def series(folder: Path, log: Path, cycles: tuple[int, ...], root: Path) -> list[RunFolder]:
    """Run a series on the command kind whose runs print these cycles, the first as a warm-up."""
    folder.mkdir()
    script = folder / "play.py"
    script.write_text(SCRIPT)
    before = {run.id for run in list_runs(root)}
    repeats = ["--warm-up", "1", "--repeat", str(len(cycles) - 1)]
    command = [sys.executable, "-m", "ethosu_tui.tui.cli", "run", "--on", "command", *repeats, "--", sys.executable]
    done = subprocess.run(
        [*command, str(script), str(log), ",".join(map(str, cycles))], capture_output=True, text=True, timeout=240,
        env={**os.environ, "ETHOSU_TUI_WORKSPACE": str(root)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = [run for run in list_runs(root) if run.id not in before]
    return sorted(found, key=lambda run: place.index if (place := place_of(run)) is not None else 0)


@pytest.fixture(scope="module")
def two_series(tmp_path_factory: pytest.TempPathFactory, samples: Path) -> tuple[list[RunFolder], list[RunFolder]]:
    place = tmp_path_factory.mktemp("series")
    log = samples / "mobilenet_v2_corstone320.log"
    slow = series(place / "slow", log, CYCLES, place / "runs")
    return slow, series(place / "fast", log, tuple(value - 1_000_000 for value in CYCLES), place / "runs")


def document(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["compare", "--json", *map(str, arguments)]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def cycles_of(found: dict[str, Any]) -> dict[str, Any]:
    metric: dict[str, Any] = next(one for one in found["metrics"] if one["name"] == "pmu.npu_cycles")
    return metric


def test_two_series_are_two_columns(
    two_series: tuple[list[RunFolder], list[RunFolder]], capsys: pytest.CaptureFixture[str]
) -> None:
    slow, fast = two_series
    assert len(slow) == len(fast) == 5
    found = document(capsys, slow[2].path, fast[0].path)  # any of its runs stands for a series, a warm-up too
    assert [column["repeats"] for column in found["columns"]] == [{"used": 4, "left_out": 0}] * 2
    assert all("repeat" not in column["label"] and column["label"].endswith("x4") for column in found["columns"])
    metric = cycles_of(found)
    assert metric["values"] == [5_075_000, 4_075_000]
    assert [spread["n"] for spread in metric["spread"]] == [4, 4] and metric["spread"][0]["interval_low"] is None
    assert metric["significance"][1]["separates"] is True and metric["significance"][1]["p"] == pytest.approx(2 / 70)


def test_runs_of_one_series_are_compared_as_runs(
    two_series: tuple[list[RunFolder], list[RunFolder]], capsys: pytest.CaptureFixture[str]
) -> None:
    slow, _ = two_series
    found = document(capsys, slow[1].path, slow[2].path)
    assert cycles_of(found)["values"] == [5_000_000, 5_100_000] and "spread" not in cycles_of(found)


def test_a_single_run_beside_a_series_proves_little(
    two_series: tuple[list[RunFolder], list[RunFolder]], samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slow, _ = two_series
    found = document(capsys, slow[1].path, samples / "mobilenet_v2_corstone320.log")
    said = cycles_of(found)["significance"][1]
    assert said["separates"] is False and "1 against 4 values are too few" in said["reason"]
    assert cycles_of(found)["ratios"][1] == pytest.approx(5_920_305 / 5_075_000)
    assert main(["compare", str(slow[1].path), str(samples / "mobilenet_v2_corstone320.log")]) == 0
    text = capsys.readouterr().out
    assert "Differs: repeats (4 / 1)" in text.splitlines()[0]
    assert "5,920,305 (1.17x) ~" in text and "Mann-Whitney" in text


def test_runs_of_one_log_are_repeats_where_asked(
    samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (samples / "mobilenet_v2_corstone320.log").read_bytes()
    log = tmp_path / "board.log"
    log.write_bytes(b"".join(text.replace(b"5920305", str(5_900_000 + 7 * i).encode()) for i in range(6)))
    found = document(capsys, "--repeats", log, samples / "mobilenet_v2_corstone320.log")
    assert [column.get("repeats") for column in found["columns"]] == [{"used": 6, "left_out": 0}, None]
    assert cycles_of(found)["spread"][0]["interval_confidence"] == 1 - 2 / 64
    assert len(document(capsys, log, samples / "mobilenet_v2_corstone320.log")["columns"]) == 7


def test_a_series_without_a_run_that_passed_is_refused_in_a_sentence(
    two_series: tuple[list[RunFolder], list[RunFolder]], tmp_path: Path
) -> None:
    slow, _ = two_series
    for run in slow:
        copy = tmp_path / "runs" / run.id
        copy.mkdir(parents=True)
        (copy / "manifest.json").write_bytes((run.path / "manifest.json").read_bytes())
        log = (run.path / "console.log").read_bytes()
        (copy / "console.log").write_bytes(log if run is slow[0] else log[: len(log) // 3])
    with pytest.raises(InputError, match="none of its 4 repeats passed"):
        Columns([str(tmp_path / "runs" / slow[0].id)]).of(str(tmp_path / "runs" / slow[0].id))
    last = tmp_path / "runs" / slow[4].id
    (last / "console.log").write_bytes((slow[4].path / "console.log").read_bytes())
    (side,) = Columns([str(last)]).of(str(last))
    assert (len(side.repeats), side.left_out) == (1, 3)
