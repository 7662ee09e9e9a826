"""A log of compiles in a comparison and in a folder: each network by all its delegates, and each by its log's name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ethosu_tui.analysis.comparing.comparison import compare
from ethosu_tui.analysis.comparing.details import details
from ethosu_tui.runners.reading.compared import Columns
from ethosu_tui.tui.command_line import run
from ethosu_tui.tui.views import view_of

from ..analysis.test_whole_network import TWO, counted, part


@pytest.fixture
def two(tmp_path: Path) -> str:
    """One network in two delegates of 50,000 and 7,000 cycles."""
    path = tmp_path / "two.log"
    path.write_text(TWO)
    return str(path)


@pytest.fixture
def sweep(tmp_path: Path) -> str:
    """Two networks: one in two delegates, then one of its own."""
    path = tmp_path / "sweep.log"
    path.write_text(TWO + part(256, 4_000) + counted(1))
    return str(path)


def test_a_network_in_several_delegates_is_compared_as_a_whole(two: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "--json", two, two]) == 0
    rows = {row["name"]: row["values"] for row in json.loads(capsys.readouterr().out)["metrics"]}
    assert rows["compile.total_cycles"] == [57_000, 57_000]
    assert rows["compile.sram_used_bytes"] == [67_072, 67_072]


@pytest.mark.parametrize("pooled", [False, True])
def test_each_network_of_a_log_is_a_column(sweep: str, pooled: bool) -> None:
    sides = Columns([sweep], pooled=pooled).of(sweep)
    assert [side.label for side in sides] == ["sweep#2", "sweep#3"], "a network has the number of its last summary"
    assert [side.summary.total_cycles for side in sides if side.summary is not None] == [57_000, 4_000]


def test_the_report_shows_the_memory_of_all_delegates(two: str, sweep: str) -> None:
    from ethosu_tui.runners.reading.inputs import load

    view = view_of(load(two), 0)
    assert view.summary is not None and view.summary.off_chip_flash_used_bytes == 4_608
    assert view.status == "compile" and view_of(load(sweep), 0).status == "compile 1 of 2"


def test_the_compiles_of_a_folder_are_told_apart(two: str, sweep: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(two).parent
    (folder / "one.log").write_text(part(128, 9_000) + counted(1))
    (folder / "stopped.log").write_text("-- Configuring done\nCMake Error at CMakeLists.txt:7 (message):\n  no\n")
    run(["analyze", str(folder)])
    headings = [line[4:-4] for line in capsys.readouterr().out.splitlines() if line.startswith("=== ")]
    assert headings == [
        f"{folder}/one.log",
        f"{sweep}, compiles 1 and 2 of 3: one network in 2 delegates for ethos-u55-128",
        f"{sweep}, compile 3 of 3: ethos-u55-256",
        f"{two}, compile of one network in 2 delegates for ethos-u55-128",
        f"{folder}/stopped.log",
    ]


def test_the_status_of_a_column_says_why_it_failed(samples: Path) -> None:
    paths = [str(samples / "mnist_q.log"), str(samples / "temp_small_topk.log")]
    columns = Columns(paths)
    comparison = compare([side for path in paths for side in columns.of(path)])
    status = next(row for row in comparison.setups.settings if row.name == "status")
    assert details(comparison, status, 1)[2] == "line 11: The temp pool is too small: 1.0 KiB did not fit"
    assert details(comparison, status, 0)[2] == "the columns differ in it"


def test_a_night_of_runs_is_refused_before_it_becomes_columns(
    samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ethosu_tui.runners.reading.compared.MOST_RUNS", 2)
    night = tmp_path / "night.log"
    night.write_bytes((samples / "softmax.log").read_bytes() * 3)
    assert run(["compare", str(night), str(samples / "mnist_q.log")]) == 3
    said = capsys.readouterr().err
    assert "holds 3 runs" in said and "--repeats" in said
    assert run(["compare", "--repeats", str(night), str(samples / "mnist_q.log")]) == 0
