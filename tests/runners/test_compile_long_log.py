"""A job whose model prints without end: its log is kept, and what becomes of it costs no more than that of a quiet one."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

from ethosu_tui.runners.compile.compiler import CompileOptions, plan
from ethosu_tui.runners.compile.result import Told, build_result

SUMMARY = """
Network summary for out
Accelerator configuration               Ethos_U55_128
CPU operators = 1 (50.0%)
NPU operators = 1 (50.0%)
Total cycles                                        7 cycles/batch
"""


def test_the_summary_behind_a_gigabyte_is_found_in_little_memory(tmp_path: Path) -> None:
    (tmp_path / "model.pte").write_bytes(b"program")
    log = tmp_path / "console.log"
    with log.open("wb") as stream:
        stream.truncate(1 << 30)
        stream.seek(0, 2)
        stream.write(SUMMARY.encode())
    told = Told()
    told.printed = 1
    (point,) = plan(["ethos-u55-128"])[0]
    tracemalloc.start()
    try:
        result = build_result(CompileOptions("net.py"), point, tmp_path, log, told, 1.0, None, None)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert result.summary is not None and result.summary.npu_operators == 1
    assert result.summary.total_cycles == 7
    assert peak_bytes < 128 << 20
