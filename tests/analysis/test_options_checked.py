"""What the user says beside a log is held against what the log holds: the same answer wherever a name stands, and no silence."""

from __future__ import annotations

from typing import Any

from ethosu_tui.analysis import Capture, read_capture
from ethosu_tui.analysis.answers.of_capture import answers_in
from ethosu_tui.analysis.meaning.assumptions import Assumptions
from ethosu_tui.analysis.meaning.derive import derive
from ethosu_tui.analysis.report import Finding

from .perf_log import GOOD, U55, U85, render

BUILT = "Build Arm Baremetal executor_runner for {} with m.pte using {} {}  to 'out'"
SUMMARY = b"""Network summary for out
Accelerator configuration               Ethos_U85_1024
System configuration             Ethos_U85_SYS_DRAM_Mid
Memory mode                            Dedicated_Sram
"""
FIGURES: dict[str, Any] = {
    **GOOD,
    "cycles.inferences": 1,
    "cycles.delegations": 1,
    "pmu.npu_cycles": 4_114_227,
    "pmu.counters.0": 463_085,
    "pmu.counters.1": 40_950,
    "pmu.counters.2": 1_836_882,
    "pmu.counters.3": 19_045,
    "pmu.counters.4": 841,
    "pmu.counters.5": 3_900_000,
    "pmu.counters.6": 1_900_000,
}


def released(capture: Capture, version: str | None, **target: Any) -> Capture:
    """The capture with the release, and what else is given of the target, that a longer log would show."""
    run = capture.runs[0]
    run = run._replace(
        runner=run.runner._replace(executorch_version=version), target=run.target._replace(**target)
    )  # fmt: skip
    return capture._replace(runs=(run,))


def u85(banner: str | None = None, **changes: Any) -> Capture:
    return read_capture("x", render({**FIGURES, **changes}, U85, before=banner or ""))


def u55(version: str | None = "1.0.0..1.4.1", **changes: Any) -> Capture:
    return released(read_capture("x", render({**GOOD, **changes}, U55)), version)


def values(capture: Capture) -> dict[str, float]:
    return {name: entry.value for name, entry in capture.runs[0].derived.items()}


def told(capture: Capture) -> dict[str, Finding]:
    return {f.rule: f for f in capture.findings if f.severity == "warning"}


def fit(capture: Capture, given: Assumptions) -> str:
    (found,) = answers_in(derive(capture, given), given)
    return next(answer.sentence for answer in found.answers if answer.key == "fit")


# -- a board that is named is no proof of hardware -----------------------------------------------------------------


def test_a_board_that_was_named_makes_no_time_of_cycles_that_the_report_calls_simulated() -> None:
    given = Assumptions(board="alif-e7-hp", cpu_clock_hz=400e6)
    capture = derive(u55(), given)
    assert not [name for name in values(capture) if name.startswith("cpu_s")]
    assert "bound-cpu" not in {f.rule for f in capture.findings}
    assert "npu_seconds_per_inference" in values(capture), "the NPU's clock is that of the board that was asked for"
    real = derive(released(u55(), "1.4.0", platform="board"), given)
    assert values(real)["cpu_share_percent"] == 70 and "bound-cpu" in {f.rule for f in real.findings}
