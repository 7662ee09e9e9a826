"""The report of a compile has a tab with what was not delegated, and none where all was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis.tables import Table
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.tui import messages
from ethosu_tui.tui.app import EthosuApp
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.said import Said

from .conftest import MakeApp, on_screen, until

LEFT = {
    "operator": "aten.sort.default", "reason": "Not included", "source": "/m/net.py:14", "module": "b.0", "count": 2,
}  # fmt: skip
PART = {"partition": 1, "nodes": 5, "quantize": 1, "dequantize": 1, "permutes": 0}


@pytest.mark.parametrize("left", [[LEFT], []])
async def test_what_was_left_to_the_cpu_has_a_tab(
    make_app: MakeApp, tmp_path: Path, left: list[dict[str, Any]]
) -> None:
    folder = RunFolder.create(tmp_path / "runs", "compile", "net ethos-u55-128")
    (folder.path / "console.log").write_text("made\n")
    result = {
        "target": "ethos-u55-128", "status": "ok", "log": str(folder.path / "console.log"), "findings": [],
        "delegation": {"asked": True, "partitions": [PART], "left": left, "boundary": {}},
        "summary": {"accelerator": "ethos-u55-128", "npu_cycles": 5},
    }  # fmt: skip
    (folder.path / "result.json").write_text(json.dumps(result))
    folder.finish("ok")
    app = make_app()
    async with app.run_test(size=(120, 30)) as pilot:
        app.post_message(messages.OpenReport(str(folder.path)))
        await on_screen(pilot, "ReportScreen")
        await pilot.press("6")
        if not left:
            await pilot.pause()
            assert not _tables(app)
            return
        await until(pilot, lambda: bool(_tables(app)))
        (table,) = _tables(app)
        assert [cell.text for cell in table.rows[0]] == [
            "aten.sort.default x2",
            "net.py:14",
            "b.0",
            "-",
            "Not included",
        ]
        assert "ETDump" in str(app.screen.query("DelegationPane .note").last(Said).content)


def _tables(app: EthosuApp) -> list[Table]:
    return [found.table for found in app.screen.query(DataTable) if found.table.title == "Not delegated"]
