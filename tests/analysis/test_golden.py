"""Every sample log has a golden report; `python tests/golden/regenerate.py` writes them anew, to be read as a diff."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ethosu_tui.analysis import Report, read_capture
from ethosu_tui.sample_logs import ORIGINS

GOLDEN = Path(__file__).resolve().parent.parent / "golden"


def test_every_sample_log_has_an_origin_and_a_golden_report(samples: Path) -> None:
    names = {path.name for path in samples.glob("*.log")}
    assert names == set(ORIGINS)
    assert len(names) >= 12
    assert {path.stem for path in GOLDEN.glob("*.json")} == {Path(name).stem for name in names}


@pytest.mark.parametrize("name", sorted(ORIGINS))
def test_report_is_the_golden_one(samples: Path, name: str) -> None:
    report = Report((read_capture(name, (samples / name).read_bytes()),))
    expected = json.loads((GOLDEN / f"{Path(name).stem}.json").read_text("utf-8"))
    assert json.loads(json.dumps(report.to_dict())) == expected


@pytest.mark.parametrize("name", sorted(ORIGINS))
@pytest.mark.parametrize("size", [1, 7, 64, 4096])
def test_chunk_size_does_not_change_the_report(samples: Path, name: str, size: int) -> None:
    data = (samples / name).read_bytes()
    chunks = (data[start : start + size] for start in range(0, len(data), size))
    assert read_capture(name, chunks) == read_capture(name, data)


@pytest.mark.parametrize("name", sorted(ORIGINS))
def test_every_figure_stands_on_the_line_it_names(samples: Path, name: str) -> None:
    data = (samples / name).read_bytes()
    text = data.decode("utf-8", "replace").split("\n")
    capture = read_capture(name, data)
    for run in capture.runs:
        for path, value in (
            ("pmu.npu_cycles", run.pmu and run.pmu.npu_cycles),
            ("cycles.inference", run.cycles.inference),
            ("memory.planned_bytes", run.memory.planned_bytes),
            ("memory.loaded_bytes", run.memory.loaded_bytes),
            ("model.address", run.model.address),
            (
                "memory.pools.method.capacity_bytes",
                run.memory.pools["method"].capacity_bytes if run.memory.pools else None,
            ),
        ):
            if value is not None:
                assert str(value) in text[run.lines[path] - 1], path
        assert all(run.first_line <= line <= run.last_line for line in run.lines.values())
