"""The operators of a compile in its report: module and source line of each, and what is known of the one under the cursor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.tui.screens.report import ReportScreen
from ethosu_tui.tui.widgets.data_table import DataTable

from .conftest import MakeApp, on_screen, text_of, until


def _row(index: int, **known: Any) -> dict[str, Any]:
    figures = {"npu_cycles": 100, "op_cycles": 100, "macs": 5, "sram_bytes": 64, "share_percent": 50.0}
    return {"index": index, "tosa": "CONV2D", "name": "out", "vela": "Conv2D", **figures, **known}


ROWS = [
    _row(
        0,
        module="features.17.layers.1.0",
        source="mobilenet_v2.py:50",
        source_kind="model",
        function="forward",
        code="result = self.layers(features)",
        torch="aten.conv2d.default",
        fused=[{"tosa_index": 9, "tosa": "RESCALE", "source": "mobilenet_v2.py:51"}],
        sram_access_cycles=7,
    ),
    _row(1, op_cycles=0, npu_cycles=0, chained_into=0, source="net\x1b[2J.py:3", source_kind="inferred"),
]


async def test_each_operator_shows_its_module_and_line_at_80_columns(make_app: MakeApp, tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "runs", "compile", "mnist ethos-u55-128", target="ethos-u55-128")
    folder.write_json("result.json", {"target": "ethos-u55-128", "status": "ok", "operators": ROWS})
    folder.finish("ok")
    app = make_app(folder.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        report = app.screen
        assert isinstance(report, ReportScreen)
        await pilot.press("3")
        await until(pilot, lambda: report.tab == "Operators" and isinstance(report.focused, DataTable))
        table = report.focused
        assert isinstance(table, DataTable)
        first, second = table.render_line(1).text, table.render_line(2).text
        assert ".17.layers.1.0" in first and "v2.py:50" in first and "50.00 %" in first
        assert "in 0" in second and "~net.py:3" in second
        await until(pilot, lambda: "result = self.layers(features)" in text_of(app, "#origin"))
        said = text_of(app, "#origin")
        assert "RESCALE of mobilenet_v2.py:51" in said and "NPU 100, SRAM 7" in said
        await pilot.press("down")
        await until(pilot, lambda: "chained: its cycles are in row 0" in text_of(app, "#origin"))
