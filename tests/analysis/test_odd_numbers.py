"""Numbers that no program means, in each line that is known: `nan`, `inf`, more digits than any type holds."""

from __future__ import annotations

import re

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.patterns import PATTERNS

_NUMBER = re.compile(r"-?\d+\.\d+|-?\d+")
ODD = ("nan", "inf", "-1", "0", "18446744073709551616", "9" * 40)
BEFORE = (
    "",
    "Starting the model execution...",
    "*** Booting Zephyr OS build v3 ***",
    "INFO: Ethosu delegate: device_name set to /dev/ethosu0.",
    "Ethos-U version info:\n    Arch:       v2.0.0\nExecuTorch x: 10 byte model",
)
"""Beginnings of runs that take the lines of different programs."""


@pytest.mark.parametrize("before", BEFORE, ids=["nothing", "runner", "zephyr", "linux", "pack"])
def test_no_number_of_a_known_line_ends_the_reading(before: str) -> None:
    failed: dict[str, str] = {}
    for pattern in PATTERNS:
        for sample in pattern.samples:
            odd = [sample[: n.start()] + value + sample[n.end() :] for n in _NUMBER.finditer(sample) for value in ODD]
            if not odd:
                continue  # a third of them has no number
            try:
                read_capture("odd.log", "\n".join([before, sample, *odd]).encode())
            except Exception as error:
                failed[pattern.event] = f"{type(error).__name__}: {error}"
    assert failed == {}


@pytest.mark.parametrize("index", [-9, -1, 64, 10**19])
def test_a_counter_of_a_delegate_that_no_npu_has_is_left_out(index: int) -> None:
    log = (
        "I [executorch:arm_perf_monitor.cpp:217 StopMeasurements()] ethosu_pmu_cycle_cntr : 8000\n"
        "I [executorch:arm_perf_monitor.cpp:220 StopMeasurements()] Ethos-U PMU Events:[ETHOSU_PMU_NPU_IDLE]\n"
        "I [executorch:arm_perf_monitor.cpp:230 StopMeasurements()] Ethos-U delegate 0 PMU counter 0: 41\n"
        f"I [executorch:arm_perf_monitor.cpp:230 StopMeasurements()] Ethos-U delegate 0 PMU counter {index}: 42\n"
    )
    (run,) = read_capture("odd.log", log.encode()).runs
    assert run.pmu is not None
    ((counter,),) = (delegate.counters for delegate in run.pmu.delegates)
    assert (counter.index, counter.event, counter.value) == (0, "ETHOSU_PMU_NPU_IDLE", 41)


def test_a_time_that_is_no_number_is_none() -> None:
    text = "Starting the model execution...\nModel executed successfully 3 time(s) in nan ms.\n"
    (run,) = read_capture("odd.log", text.encode()).runs
    assert run.times.total_seconds is None and run.times.inference_seconds is None
