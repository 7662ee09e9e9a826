"""Himax's examples for the WiseEye2: inferences that pass or fail one by one, behind the line that says that the NPU is there."""

from __future__ import annotations

import pytest

from .port_logs import only, read

START = "Ethos-U55 device initialised\nsome model's schema version 3\ninitial done\n"
FRAME = "mb cls invoke pass\nTick for Invoke for uint8toint8 for mb cls:[77]\nTick for Invoke for MB_CLS:[{}]\n\nResult is cat\n"


def test_frames_that_passed_are_one_run_and_the_newest_is_measured() -> None:
    run = only(f"waiting input key...\n{START}{FRAME.format(9000)}{FRAME.format(9001)}")
    assert (run.status, run.first_line, run.last_line, run.target.npu) == ("passed", 2, 12, "ethos-u55")
    assert run.cycles.inference == 9001
    assert only(START).status == "truncated"


def test_the_banner_of_the_npu_is_of_the_same_run() -> None:
    run = only(
        "Ethos-U55 device initialised\nEthos-U version info:\n\tArch:       v1.0.6\n\tMACs/cc:    64\n"
        + START[29:]
        + FRAME
    )
    assert (run.status, run.target.name) == ("passed", "ethos-u55-64")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (START + FRAME.format(9) + "mb cls invoke fail\n", "execution-failed"),
        (START + "invoke fail\n", "execution-failed"),
        (
            START
            + "E: NPU config mismatch. npu.macs_per_cc=6, optimizer.macs_per_cc=8 (ethosu_device_u55_u65.c:300)\ninvoke fail\n",
            "npu-config-mismatch",
        ),
        ("Ethos-U55 device initialised\nError: mm_reserve_align failed for planned buffer 0\n", "run-failed"),
    ],
)
def test_what_failed_is_told(text: str, rule: str) -> None:
    capture = read(text)
    assert [run.status for run in capture.runs] == ["failed"]
    assert capture.findings[0].rule == rule


@pytest.mark.parametrize("line", ["invoke pass\n", "the invoke failed here\n", "initial done\n"])
def test_its_words_are_of_no_run_by_themselves(line: str) -> None:
    assert read(line).runs == ()
