"""Recordings of the runner of each release, and what a person reads in them, written down by hand.

The logs in `recordings/` are our own: the upstream `arm_executor_runner` of the release in the name, built with GCC 12.2 for
Cortex-M55 and run under QEMU's mps3-an547 machine, which has no NPU (`cortex_m4`: on mps2-an386).  Start-up code, linker script, UART and the words about a
fault are ours; so is stopping at the 0x04 that the runner prints last, or after a while.  CPU cycles are ticks of a counter of
that machine.  Where messages are lost, it is Debian's newlib, which does not know the formats of C99.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.report import to_dict

RECORDINGS = Path(__file__).resolve().parent / "recordings"


class Expected(NamedTuple):
    """The reading of one log: `root` is rule and line of the first error; `figures` are values by path, with their line."""

    status: str
    stage: str
    release: str | None
    root: tuple[str, int] | None
    figures: dict[str, tuple[Any, int]]
    also: frozenset[str] = frozenset()


MLP_MEMORY = (10478, 8576, 1642, 260)
"""Method pool used, planned, loaded and inputs of one network on two releases; the executor takes nothing."""


def memory(first: int, parts: tuple[int, int, int, int] = MLP_MEMORY) -> dict[str, tuple[Any, int]]:
    used, planned, loaded, inputs = parts
    assert used == planned + loaded + inputs
    return {
        "memory.pools.method.used_bytes": (used, first),
        "memory.planned_bytes": (planned, first + 1),
        "memory.loaded_bytes": (loaded, first + 2),
        "memory.input_bytes": (inputs, first + 3),
        "memory.executor_bytes": (0, first + 4),
    }


EXPECTED: dict[str, Expected] = {
    "v01_softmax": Expected("passed", "complete", "0.1.0", None, {"model.pte_bytes": (960, 1), "model.methods": (1, 2)}),
    "v02_missing_operators": Expected(
        "failed", "plan", "0.2.0/0.2.1", ("missing-operator", 5), {"model.pte_bytes": (12072, 1)},
        frozenset(("method-load-failed", "fatal-message", "hard-fault", "exit-code")),
    ),
    "v03_softmax": Expected(
        "passed", "complete", "0.3.0", None, {"model.address": ("0x70000000", 1), "model.pte_bytes": (960, 2)}
    ),
    "v03_no_heap": Expected(
        "failed", "plan", "0.3.0", ("heap-too-small", 6), {"model.pte_bytes": (960, 2)},
        frozenset(("method-load-failed", "fatal-message", "hard-fault", "exit-code")),
    ),
    "v04_missing_operators": Expected(
        "failed", "plan", "0.4.0", ("missing-operator", 16), {"model.address": ("0x74700000", 1), "model.pte_bytes": (1344, 2)},
        frozenset(("method-load-failed", "fatal-message", "hard-fault", "exit-code")),
    ),
    "v05_without_npu_code": Expected(
        "passed", "complete", "0.5.0", None,
        {**memory(12), "model.loaded_bytes": (12072, 11), "memory.pools.temp.used_bytes": (0, 17)},
    ),
    "v05_pool_too_small": Expected(
        "failed", "execute", "0.5.0", ("method-pool-too-small", 7),
        {"model.pte_bytes": (526208, 2), "memory.pools.method.capacity_bytes": (4096, 5)}, frozenset(("inputs-failed",)),
    ),
    "v06_mlp": Expected(
        "passed", "complete", "0.6.0", None,
        {**memory(29), "cycles.inferences": (0, 11), "cycles.inference": (388465, 15), "cycles.cpu_ratio_percent": (100.0, 17)},
        frozenset(("npu-not-used", "fvp-ratio-not-time")),
    ),
    "v07_one_input_of_two": Expected(
        "failed", "complete", "0.7.0", ("inputs-failed", 16),
        {"model.pte_bytes": (1048, 36), "cycles.inference": (277888, 24), "memory.pools.input_file.used_bytes": (1068, 38)},
    ),
    "v07_no_npu": Expected(
        "hung", "execute", "0.7.0", ("npu-not-responding", 1), {"model.pte_bytes": (3760, 5)}, frozenset(("hung",))
    ),
    "v07_fault_after_end": Expected(
        "failed", "complete", "0.7.0", ("hard-fault", 52),
        {**memory(36, (315, 48, 239, 28)), "cycles.inference": (581505, 22)}, frozenset(("exit-code",)),
    ),
    "v10_bundle_fail_messages_lost": Expected(
        "failed", "report", None, ("fatal-message", 44), {}, frozenset(("hard-fault", "exit-code", "newlib-nano-shift"))
    ),
    "v11_etdump_messages_lost": Expected(
        "passed", "complete", None, None, {}, frozenset(("newlib-nano-shift", "etdump-untimed"))
    ),
    "v12_pool_sizes_lost": Expected(
        "failed", "plan", "1.2.0", ("method-pool-too-small", 8),
        {"model.pte_bytes": (6144, 2), "memory.pools.method.capacity_bytes": (700, 5)},
        frozenset(("fatal-message", "hard-fault", "exit-code", "newlib-nano-shift")),
    ),
    "v13_pool_too_small": Expected(
        "failed", "plan", "1.3.0/1.3.1", ("method-pool-too-small", 7),
        {"model.pte_bytes": (10784, 2), "memory.pools.method.capacity_bytes": (1500, 5)},
        frozenset(("fatal-message", "hard-fault", "exit-code")),
    ),
    "v14_weights_elsewhere": Expected(
        "failed", "plan", "1.4.0/1.4.1", ("weights-not-given", 7), {"model.pte_bytes": (1488, 2), "model.magic": ("ET12", 1)},
        frozenset(("method-load-failed", "fatal-message", "hard-fault", "exit-code")),
    ),
    "v14_not_finite": Expected(
        "passed", "complete", "1.4.0/1.4.1", None, {**memory(37, (1104, 144, 940, 20)), "memory.pools.temp.capacity_bytes": (2097152, 42)},
        frozenset(("outputs-not-finite",)),
    ),
    "v14_nothing_at_address": Expected(
        "failed", "load", "1.4.0/1.4.1", ("program-load-failed", 3), {"model.address": ("0x71000000", 1)},
        frozenset(("program-size-unknown", "fatal-message", "hard-fault", "exit-code")),
    ),
    "v14_bundled_program": Expected(
        "failed", "load", "1.4.0/1.4.1", ("program-load-failed", 3), {"model.magic": ("BP08", 1)},
        frozenset(("fatal-message", "hard-fault", "exit-code")),
    ),
    "v14_etdump_no_room": Expected(
        "passed", "complete", "1.4.0/1.4.1", None, memory(26, (280, 64, 200, 16)), frozenset(("etdump-untimed",))
    ),
    "main_cortex_m4": Expected(
        "passed", "complete", "main", None, {**memory(25, (280, 64, 200, 16)), "model.address": ("0x21000000", 1)}
    ),
    "main_input_missing": Expected(
        "failed", "start", "main", ("input-file-missing", 8), {}, frozenset(("fatal-message",))
    ),
    "main_server_mode": Expected(
        "failed", "start", "main", ("runner-parameters", 9), {}, frozenset(("fatal-message",))
    ),
}  # fmt: skip

OUTPUTS: dict[str, tuple[str | None, tuple[float, ...]]] = {
    "v01_softmax": (None, (0.5, 0.5, 0.5, 0.5)),
    "v03_softmax": (None, (0.5, 0.5, 0.5, 0.5)),
    "v05_without_npu_code": (None, (0.066702, 0.106896, 0.113544, 0.079049, 0.199515, 0.084778, 0.070109, 0.095201)),
    "v06_mlp": ("float", (0.066702, 0.106896, 0.113544, 0.079049, 0.199515, 0.084778, 0.070109, 0.095201)),
    "v07_fault_after_end": ("bool", (1, 1, 1, 1, 1, 1)),
    "v11_etdump_messages_lost": ("float", (0.257777, 0.071505, 0.033267, 0.160908, -0.067817)),
    "v14_etdump_no_room": ("float", (0.25,) * 8),
    "main_cortex_m4": ("float", (0.25,) * 8),
}
"""Kind of element as printed (0.5 and earlier print none) and the first eight values."""


def test_a_program_that_begins_with_zero_bytes_has_no_identifier() -> None:
    """The runner prints the four bytes as characters, and a zero among them ends the line that it prints."""
    (run,) = read_capture("x", (RECORDINGS / "v14_nothing_at_address.log").read_bytes()).runs
    assert run.model.magic is None and "model.magic" not in run.lines
    (run,) = read_capture("x", b"I [executorch:arm_executor_runner.cpp:1360 main()] PTE @ 0x71000000 [----ET12]\n").runs
    assert run.model.magic == "ET12"


def test_every_recording_is_read_by_hand() -> None:
    assert {path.stem for path in RECORDINGS.glob("*.log")} == set(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_recording_is_read_as_a_person_reads_it(name: str) -> None:
    want = EXPECTED[name]
    capture = read_capture(name, (RECORDINGS / f"{name}.log").read_bytes())
    (run,) = capture.runs
    assert (run.status, run.stage, run.runner.executorch_version) == (want.status, want.stage, want.release)
    assert run.runner.kind == "arm_executor_runner" and run.first_line == 1
    rules = [finding.rule for finding in capture.findings]
    errors = [(finding.rule, finding.lines[0]) for finding in capture.findings if finding.severity == "error"]
    assert errors == ([want.root] if want.root else [])
    assert want.root is None or rules[0] == want.root[0]
    assert want.also <= set(rules)
    document = to_dict(run)
    for path, (value, line) in want.figures.items():
        found: Any = document
        for part in path.split("."):
            found = found[part]
        assert (path, found) == (path, value)
        assert (path, document["lines"].get(path)) == (path, line)


@pytest.mark.parametrize("name", sorted(OUTPUTS))
def test_outputs_of_each_release_are_read(name: str) -> None:
    kind, values = OUTPUTS[name]
    (run,) = read_capture(name, (RECORDINGS / f"{name}.log").read_bytes()).runs
    (output,) = run.outputs
    assert (output.dtype, tuple(output.first)) == (kind, pytest.approx(values))


@pytest.mark.parametrize("name", sorted(EXPECTED))
@pytest.mark.parametrize("size", [1, 7, 64, 4096])
def test_pieces_of_a_recording_give_the_same_report(name: str, size: int) -> None:
    data = (RECORDINGS / f"{name}.log").read_bytes()
    pieces = (data[start : start + size] for start in range(0, len(data), size))
    assert to_dict(read_capture(name, pieces)) == to_dict(
        read_capture(name, data)
    )  # there nan is None, and equal to itself
