"""Operators of two runs that an FVP traced: measured cycles beside each other, matched by what the compile knows of them."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis.comparing.comparison import compare
from ethosu_tui.analysis.comparing.operator_tables import operators_table
from ethosu_tui.analysis.comparing.operators import operator_diffs, why_none
from ethosu_tui.analysis.comparing.sides import Side
from ethosu_tui.runners.reading.compared import Columns
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.runners.runs.series import KEY, NEXT, Place

from ..analysis.trace_writer import DATABASE, OFFSETS, TraceWriter

CYCLES = (15_000, 4_700, 6_000, 7_000, 3_300, 1_500)
SLOWER = (15_000, 4_700, 9_000, 7_000, 3_300, 1_500)
ROW: dict[str, Any] = {
    "tosa": "DEPTHWISE_CONV2D",
    "tosa_index": 12,
    "source": "net.py:7",
    "module": "conv",
    "op_cycles": 9,
}


def traced_run(
    root: Path, samples: Path, cycles: Sequence[int], database: str | None = DATABASE, **facts: Any
) -> RunFolder:
    """A stored run with a trace, and the compile that its program came from."""
    compiled = RunFolder.create(root, "compile", "net ethos-u55-128", target="ethos-u55-128")
    compiled.write_json("result.json", {"target": "ethos-u55-128", "status": "ok", "operators": [ROW]})
    compiled.finish("ok")
    (compiled.path / "net.pte").write_bytes(b"")
    place = compiled.path / "vela" / "partition-1"
    place.mkdir(parents=True)
    if database is not None:
        (place / "out_debug.xml").write_text(database)
    run = RunFolder.create(root, "run", "net on fvp", target="ethos-u55-128", **facts)
    shutil.copy(samples / "mobilenet_v2_corstone320.log", run.path / "console.log")
    run.write_json("request.json", {"request": {"artefact": "net.pte"}, "cwd": str(compiled.path)})
    writer = TraceWriter()
    writer.stream(OFFSETS, cycles)
    (run.path / "pmu_trace.gz").write_bytes(gzip.compress(writer.text().encode()))
    run.finish("passed")
    return run


def sides_of(*runs: RunFolder) -> list[Side]:
    paths = [str(run.path) for run in runs]
    columns = Columns(paths)
    return [side for path in paths for side in columns.of(path)]


def test_what_changed_most_stands_first_with_its_measured_cycles(tmp_path: Path, samples: Path) -> None:
    one, other = (traced_run(tmp_path, samples, cycles) for cycles in (CYCLES, SLOWER))
    argv = [sys.executable, "-m", "ethosu_tui.tui.cli", "compare", one.path, other.path, "--operators", "--json"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    (diff,) = json.loads(done.stdout)["operators"]
    assert (diff["origin"], diff["estimate"], diff["comparable"]) == ("trace", False, [True, True])
    changed = diff["rows"][0]
    assert changed["deltas"] == [0, 3000] and changed["values"][1] - changed["values"][0] == 3000
    assert all(row["deltas"] == [0, 0] and row["present"] == [True, True] for row in diff["rows"][1:])
    placed = [row for row in diff["rows"] if row["source"] == "net.py:7"]
    assert len(placed) == 1 and placed[0]["module"] == "conv"
    sides = sides_of(one, other)
    table = operators_table(operator_diffs(sides)[0], ["a", "b"])
    assert "measured NPU cycles" in table.title and "Measured by the FVP's trace" in table.note
    assert len(compare(sides).sides) == 2


def test_an_estimate_is_never_set_beside_a_trace(tmp_path: Path, samples: Path) -> None:
    (run,) = sides_of(traced_run(tmp_path, samples, CYCLES))
    compiled = Side("net", "net", "compile", operators=({**ROW, "op_cycles": 4_700},))
    assert operator_diffs([run, compiled]) == ()
    assert "an estimate of Vela is not set beside cycles of a run" in why_none([run, compiled])


def test_a_trace_that_cannot_be_read_says_why_and_the_run_is_compared_all_the_same(
    tmp_path: Path, samples: Path
) -> None:
    runs = [traced_run(tmp_path, samples, CYCLES, None), traced_run(tmp_path, samples, CYCLES)]
    sides = sides_of(*runs)
    assert operator_diffs(sides) == () and len(compare(sides).metrics) > 3
    assert "was not read" in why_none(sides) and "debug database is not next to the program" in why_none(sides)


def test_of_a_trace_without_a_whole_inference_nothing_is_subtracted(tmp_path: Path, samples: Path) -> None:
    whole, cut = traced_run(tmp_path, samples, CYCLES), traced_run(tmp_path, samples, CYCLES)
    writer = TraceWriter()
    writer.stream(OFFSETS[:3], CYCLES[:3])
    (cut.path / "pmu_trace.gz").write_bytes(gzip.compress(writer.text().encode()))
    (diff,) = operator_diffs(sides_of(whole, cut))
    assert diff.comparable == (True, False) and "complete inference" in (diff.reason or "")
    assert all(diff.delta(row, 1) is None for row in diff.rows)


@pytest.mark.parametrize("third", [SLOWER, CYCLES])
def test_of_repeats_the_median_stands_there(tmp_path: Path, samples: Path, third: Sequence[int]) -> None:
    alone = traced_run(tmp_path, samples, CYCLES)
    first: RunFolder | None = None
    before: RunFolder | None = None
    for index, cycles in enumerate((CYCLES, SLOWER, third), 1):
        place = Place(first.id if first else "", index, 0, 3)
        run = traced_run(tmp_path, samples, cycles, **{KEY: place.to_json()})
        if before is not None:
            before.update(**{NEXT: run.id})
        first, before = first or run, run
    assert first is not None
    diff = next(one for one in operator_diffs(sides_of(alone, first)) if one.origin == "trace")
    assert diff.repeated and max(diff.delta(row, 1) or 0 for row in diff.rows) == (3000 if third is SLOWER else 0)


def test_what_was_traced_goes_to_the_trace_viewer_and_onto_the_graph(tmp_path: Path, samples: Path) -> None:
    run = traced_run(tmp_path, samples, CYCLES)
    out, nodes = tmp_path / "t.json", tmp_path / "n.json"
    argv = [
        sys.executable,
        "-m",
        "ethosu_tui.tui.cli",
        "analyze",
        run.path,
        "--perfetto",
        out,
        "--model-explorer",
        nodes,
    ]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "NPU cycles of an FVP's PMU trace" in done.stderr, done.stderr
    events = [one for one in json.loads(out.read_text())["traceEvents"] if one.get("ph") == "X"]
    assert len(events) == 5 and sum(one["args"]["cycles"] for one in events) == pytest.approx(37_540)
    assert "4700" in nodes.read_text().replace(",", "") and "13000" in nodes.read_text()
    bare = traced_run(tmp_path, samples, CYCLES, None)
    refused = subprocess.run([*argv[:4], bare.path, "--perfetto", "-"], capture_output=True, text=True, timeout=120)
    assert refused.returncode == 3 and "debug database is not next to the program" in refused.stderr
