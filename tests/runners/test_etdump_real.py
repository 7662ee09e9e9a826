"""ETDumps that the real ExecuTorch writes on the host: our rows are those of its own Inspector, figure by figure."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis.etdump.decode import decode
from ethosu_tui.analysis.etdump.reader import EtdumpError
from ethosu_tui.analysis.etdump.tables import inspector_rows, summary_of
from ethosu_tui.runners.interpreters import look_up

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(bool(look_up().missing), reason="needs the compile extra"),
]

RECORD = """
import json, sys, torch
from executorch.extension.pybindings import portable_lib
from executorch.devtools import Inspector
from executorch.devtools.inspector import TimeScale

found = {}
for name, buffer in (("plain", 0), ("debug", 1_000_000)):
    module = portable_lib._load_for_executorch(sys.argv[1], enable_etdump=True, debug_buffer_size=buffer)
    inputs = [torch.rand(2, 2)]
    for _ in range(5):
        module.run_method("forward", inputs)
    module.write_etdump_result_to_file(name + ".etdp", name + ".dbg")
    inspector = Inspector(
        etdump_path=name + ".etdp", debug_buffer_path=name + ".dbg" if buffer else None,
        source_time_scale=TimeScale.CYCLES, target_time_scale=TimeScale.CYCLES,
    )
    found[name] = [
        {"block": block.name, "name": event.name, "start": list(event.start_time or []), "raw": event.perf_data.raw}
        | {figure: float(getattr(event.perf_data, figure)) for figure in ("p10", "p50", "p90", "avg", "min", "max")}
        for block in inspector.event_blocks for event in block.events if event.perf_data is not None
    ]
json.dump(found, open("inspector.json", "w"))
"""


@pytest.fixture(scope="module")
def recorded(softmax_for_none: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with dumps of five inferences each, and what the Inspector says of them."""
    folder = tmp_path_factory.mktemp("etdump")
    command = [sys.executable, "-c", RECORD, softmax_for_none["jobs"][0]["pte"]]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("name", ["plain", "debug"])
def test_rows_are_the_inspectors(name: str, recorded: Path) -> None:
    expected = json.loads((recorded / "inspector.json").read_text("utf-8"))[name]
    dump = decode((recorded / f"{name}.etdp").read_bytes())
    assert dump.unreadable == dump.lost_runs == dump.recovered == 0 and not dump.cut
    rows = [row for row in inspector_rows(dump, overhead=True) if row.ticks]
    assert [(r.block, r.name, list(r.ticks), list(r.start_ticks)) for r in rows] == [
        (e["block"], e["name"], e["raw"], e["start"]) for e in expected
    ]
    assert len(rows[-1].ticks) == 5
    for row, event in zip(rows, expected, strict=True):
        for figure, value in summary_of(row).items():
            assert value == pytest.approx(event[figure], rel=1e-9)


@pytest.mark.parametrize("name", ["plain", "debug"])
def test_a_cut_dump_never_says_what_the_whole_does_not(name: str, recorded: Path) -> None:
    data = (recorded / f"{name}.etdp").read_bytes()
    truth = {event for run in decode(data).runs for event in run.events}
    most = 0
    for size in range(12, len(data)):
        try:
            found = decode(data[:size])
        except EtdumpError:
            continue
        events = [event for run in found.runs for event in run.events]
        assert set(events) <= truth
        most = max(most, len(events))
    assert most >= len(truth) - 2
