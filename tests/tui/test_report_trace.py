"""The NPU's trace of a stored FVP run as a tab of its report: measured cycles, Vela's estimate, lines of PyTorch, or why not."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.tui.screens.report import ReportScreen
from ethosu_tui.tui.screens.table_pane import RowScreen
from ethosu_tui.tui.widgets.data_table import DataTable

from ..analysis.trace_writer import DATABASE, OFFSETS, TraceWriter
from .conftest import MakeApp, on_screen, text_of, until

CYCLES = (15_000, 4_700, 6_000, 7_000, 3_300, 1_500)
ROW: dict[str, Any] = {
    "index": 0, "tosa": "DEPTHWISE_CONV2D", "vela": "Conv2D", "name": "conv", "tosa_index": 12, "npu_cycles": 14_956,
    "op_cycles": 14_956, "macs": 112_896, "share_percent": 40.0, "source": "net.py:7", "source_kind": "model",
    "code": "x = self.conv(x)", "torch": "aten.conv2d.default", "module": "conv",
}  # fmt: skip


def traced_run(tmp_path: Path, samples: Path, partitions: int = 1) -> RunFolder:
    compiled = RunFolder.create(tmp_path / "runs", "compile", "net ethos-u55-128", target="ethos-u55-128")
    compiled.write_json("result.json", {"target": "ethos-u55-128", "status": "ok", "operators": [ROW]})
    compiled.finish("ok")
    program = compiled.path / "net.pte"
    program.write_bytes(b"")
    for number in range(1, partitions + 1):
        place = compiled.path / "vela" / f"partition-{number}"
        place.mkdir(parents=True)
        (place / "out_debug.xml").write_text(DATABASE)
    run = RunFolder.create(tmp_path / "runs", "run", "net on fvp", target="ethos-u55-128")
    shutil.copy(samples / "mobilenet_v2_corstone320.log", run.path / "console.log")
    run.write_json("request.json", {"request": {"artefact": "net.pte"}, "cwd": str(compiled.path)})
    writer = TraceWriter()
    writer.stream(OFFSETS, CYCLES)
    (run.path / "pmu_trace.gz").write_bytes(gzip.compress(writer.text().encode()))
    run.finish("passed")
    return run


async def test_measured_cycles_stand_beside_the_estimate_and_the_line_of_pytorch(
    make_app: MakeApp, tmp_path: Path, samples: Path
) -> None:
    run = traced_run(tmp_path, samples)
    async with make_app(run.path).run_test(size=(120, 40)) as pilot:
        await on_screen(pilot, "ReportScreen")
        report = pilot.app.screen
        assert isinstance(report, ReportScreen) and report.view.tabs[-1] == "Trace"
        await pilot.press(str(len(report.view.tabs)))
        await until(pilot, lambda: report.tab == "Trace" and bool(report.view.tables.get("trace")))
        table = report.focused
        assert isinstance(table, DataTable)
        await until(pilot, lambda: bool(table.table.rows))
        names = [column.name for column in table.table.columns]
        rows = [dict(zip(names, (cell.text for cell in row), strict=True)) for row in table.table.rows]
        assert [row["NPU cycles"] for row in rows[1:3]] == ["4,700", "13,000"] and rows[0]["Source"] == "net.py:7"
        assert "Mapped to a line of PyTorch: 1 of 5. Mapped 5 of 5 operators." in text_of(pilot.app, "TracePane #note")
        await until(pilot, lambda: "x = self.conv(x)" in text_of(pilot.app, "TracePane #origin"))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, RowScreen))


@pytest.mark.parametrize(("partitions", "said"), [(0, "is not next to the program"), (2, "2 partitions")])
async def test_a_trace_that_cannot_be_read_says_why_and_what_to_type(
    make_app: MakeApp, tmp_path: Path, samples: Path, partitions: int, said: str
) -> None:
    run = traced_run(tmp_path, samples, partitions)
    async with make_app(run.path).run_test(size=(120, 40)) as pilot:
        await on_screen(pilot, "ReportScreen")
        report = pilot.app.screen
        assert isinstance(report, ReportScreen)
        await pilot.press(str(len(report.view.tabs)))
        await until(pilot, lambda: report.tab == "Trace" and said in report.view.tables.get("trace", _none()).note)
        table = report.query_one("TracePane #trace-table", DataTable)
        assert said in table.empty and "inspect" in table.empty


def _none() -> Any:
    from ethosu_tui.analysis.tables import Table

    return Table("", (), ())


def test_a_damaged_request_is_no_crash(tmp_path: Path, samples: Path) -> None:
    from ethosu_tui.runners.job import InputError
    from ethosu_tui.runners.reading.pmu_trace import trace_of_run

    run = traced_run(tmp_path, samples)
    for text in ("{", json.dumps({"request": 3}), json.dumps({"request": {"artefact": 7}})):
        (run.path / "request.json").write_text(text)
        with pytest.raises(InputError):
            trace_of_run(str(run.path))
