"""Every report keeps what the public interface says of it: which fields there are, of which type, and what they may say.

The tables here were written from the interface's own text. They are held against the sample logs, all their beginnings and
logs whose figures are nonsense, so that no field is right only because nothing ever filled it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis import Report, read_capture

from .test_right_fields import FORMS


def _is(*kinds: type, none: bool = False) -> Callable[[Any], bool]:
    return lambda value: type(value) in kinds or (none and value is None)


def _among(*values: Any) -> Callable[[Any], bool]:
    return lambda value: value in values


def _each(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: type(value) is list and all(check(part) for part in value)


INT, MAYBE_INT = _is(int), _is(int, none=True)
TEXT, MAYBE_TEXT = _is(str), _is(str, none=True)
NUMBER, MAYBE_NUMBER = _is(int, float), _is(int, float, none=True)
POOL = {"used_bytes": MAYBE_INT, "free_bytes": MAYBE_INT, "capacity_bytes": MAYBE_INT}
TENSORS = [{"index": INT, "count": INT, "dtype": MAYBE_TEXT, "elided": _is(bool), "first": _each(MAYBE_NUMBER)}]
RUN = {
    "index": INT, "first_line": INT, "last_line": INT,
    "status": _among("passed", "failed", "timeout", "hung", "truncated", "not_started"),
    "stage": _among("start", "load", "plan", "inputs", "execute", "report", "complete"),
    "runner": {
        "kind": _among("arm_executor_runner", "zephyr", "executor_runner", "mlek", "other"),
        "executorch_version": MAYBE_TEXT, "version_evidence": MAYBE_TEXT,
    },
    "target": {
        "name": MAYBE_TEXT, "npu": _among("ethos-u55", "ethos-u65", "ethos-u85", None), "macs": MAYBE_INT,
        "platform": _among("fvp", "board", "qemu", "host", None), "system_config": MAYBE_TEXT, "memory_mode": MAYBE_TEXT,
    },
    "model": {
        "pte_bytes": MAYBE_INT, "loaded_bytes": MAYBE_INT, "address": MAYBE_TEXT, "magic": MAYBE_TEXT, "methods": MAYBE_INT,
        "method": MAYBE_TEXT,
    },
    "memory": {
        "pools": {"*": POOL}, "planned_bytes": MAYBE_INT, "loaded_bytes": MAYBE_INT, "input_bytes": MAYBE_INT,
        "executor_bytes": MAYBE_INT, "planned_buffers": _each(INT),
    },
    "cycles": {
        "inferences": MAYBE_INT, "delegations": MAYBE_INT,
        "operators": [{"name": TEXT, "cycles": MAYBE_INT, "per_inference": MAYBE_NUMBER}],
        "operators_total": MAYBE_INT, "inference": MAYBE_INT, "cpu_wait_for_npu": MAYBE_INT,
        "cpu_ratio_percent": MAYBE_NUMBER, "npu_ratio_percent": MAYBE_NUMBER,
    },
    "pmu": ({
        "npu_cycles": MAYBE_INT, "npu_cycles_per_inference": MAYBE_NUMBER,
        "counters": [{"index": INT, "event": MAYBE_TEXT, "value": INT}],
    },),
    "derived": {"*": {"value": NUMBER, "unit": TEXT, "from": _each(TEXT)}},
    "outputs": TENSORS, "inputs": TENSORS,
    "bundleio": ({"result": _among("PASS", "FAIL"), "testset": INT, "mean_absolute_error": MAYBE_NUMBER},),
    "etdump": ({
        "bytes": INT,
        "events": [{"name": TEXT, "operator": MAYBE_TEXT, "cycles": MAYBE_INT, "instruction": MAYBE_INT}],
    },),
    "lines": {"*": INT},
}  # fmt: skip
FINDING = {
    "rule": lambda value: re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", value) is not None,
    "severity": _among("error", "warning", "info"), "run": MAYBE_INT, "title": TEXT, "detail": TEXT, "advice": TEXT,
    "lines": _each(INT),
}  # fmt: skip
SUMMARY = {
    **dict.fromkeys(("accelerator", "system_config", "memory_mode"), MAYBE_TEXT),
    **dict.fromkeys(("core_clock_hz", "inference_seconds"), MAYBE_NUMBER),
    **dict.fromkeys(
        (
            "sram_used_bytes", "dram_used_bytes", "on_chip_flash_used_bytes", "off_chip_flash_used_bytes", "npu_operators",
            "cpu_operators", "macs", "npu_cycles", "sram_access_cycles", "dram_access_cycles",
            "on_chip_flash_access_cycles", "off_chip_flash_access_cycles", "total_cycles", "delegated_subgraphs",
            "delegated_nodes", "non_delegated_nodes",
        ), MAYBE_INT,
    ),
    "non_delegated_operators": {"*": INT},
}  # fmt: skip
CAPTURE = {"source": TEXT, "bytes": INT, "lines": INT, "runs": [RUN], "compile": [SUMMARY], "findings": [FINDING]}
POOLS = {"method", "temp", "planned_fast", "input_file", "etdump_outputs"}
"""The allocators of ExecuTorch's runners; other applications have one of their own kind."""
WITHIN = ("model.", "memory.", "cycles.", "pmu.")
"""Figures that only a line of the run itself can print; what it ran on may have been said before."""


def wrong(value: Any, shape: Any, path: str = "") -> Iterator[str]:
    """What of a document is not as its table says."""
    if isinstance(shape, tuple):  # an object, or null
        if value is not None:
            yield from wrong(value, shape[0], path)
    elif callable(shape):
        if not shape(value):
            yield f"{path} is {value!r}"
    elif type(value) is not type(shape):
        yield f"{path} is {value!r}"
    elif isinstance(shape, list):
        for place, part in enumerate(value):
            yield from wrong(part, shape[0], f"{path}.{place}")
    elif "*" in shape:
        for name, part in value.items():
            yield from wrong(part, shape["*"], f"{path}.{name}")
    else:
        for name, inner in shape.items():
            yield from wrong(value[name], inner, f"{path}.{name}") if name in value else (f"no {path}.{name}",)


def at(value: Any, path: str) -> Any:
    for part in path.split("."):
        if isinstance(value, list):
            value = value[int(part)] if part.isdecimal() and int(part) < len(value) else None
        else:
            value = value.get(part) if isinstance(value, dict) else None
    return value


def broken(capture: dict[str, Any]) -> Iterator[str]:
    """What a capture says that the interface's sentences forbid."""
    if [run["index"] for run in capture["runs"]] != list(range(1, len(capture["runs"]) + 1)):
        yield "runs are counted from 1"
    for run in capture["runs"]:
        if not 1 <= run["first_line"] <= run["last_line"] <= capture["lines"]:
            yield f"run {run['index']} stands on lines {run['first_line']} to {run['last_line']}"
        of_run = [finding for finding in capture["findings"] if finding["run"] == run["index"]]
        errors = [finding for finding in of_run if finding["severity"] == "error"]
        if (run["status"] == "passed") == bool(errors):
            yield f"a run that is {run['status']} has the errors {[error['rule'] for error in errors]}"
        if len(errors) > 1 or (errors and of_run[0] is not errors[0]):
            yield "what follows from the root cause stands after it and is no error"
        if (run["status"] == "passed") != (run["stage"] == "complete"):
            yield f"a run that is {run['status']} reached {run['stage']}"
        if run["status"] == "not_started" and run["stage"] != "start":
            yield f"a run that did not start reached {run['stage']}"
        if run["status"] == "hung" and run["stage"] not in ("execute", "report"):
            yield f"a run hangs at {run['stage']}"
        for path, line in run["lines"].items():
            if path.startswith(WITHIN) and not run["first_line"] <= line <= run["last_line"]:
                yield f"{path} was read outside its run"
        for name, derived in run["derived"].items():
            if any(at(run, path) is None for path in derived["from"]):
                yield f"{name} is made of {derived['from']}"
        for tensor in (*run["outputs"], *run["inputs"]):
            if len(tensor["first"]) > min(8, tensor["count"]) or tensor["count"] < 0:
                yield f"{tensor}"
    for finding in capture["findings"]:
        if finding["run"] is not None and finding["run"] not in range(1, len(capture["runs"]) + 1):
            yield f"{finding['rule']} is of no run"
        if any(not 1 <= line <= capture["lines"] for line in finding["lines"]):
            yield f"{finding['rule']} names lines that are not there"


def checked(text: bytes) -> list[str]:
    document = json.loads(json.dumps(Report((read_capture("x", text),)).to_dict(), allow_nan=False))
    assert document["schema"] == "ethosu-tui/report/1" and len(document["captures"]) == 1
    (capture,) = document["captures"]
    return [*wrong(capture, CAPTURE), *broken(capture)]


def test_the_report_of_every_sample_and_of_its_beginnings_keeps_the_interface(samples: Path) -> None:
    for log in sorted(samples.glob("*.log")):
        data = log.read_bytes()
        lines = data.splitlines(keepends=True)[:60]
        assert not checked(data), log.name
        for count in range(1, len(lines), 3):
            assert not checked(b"".join(lines[:count])), (log.name, count)
        assert not checked(data + data), log.name


def test_pools_of_the_runner_have_the_names_of_the_interface(samples: Path) -> None:
    names = {
        name
        for log in samples.glob("*.log")
        for run in read_capture("x", log.read_bytes()).runs
        for name in run.memory.pools
    }
    assert names and names <= POOLS


@pytest.mark.parametrize("number", ["0", "-1", "nan", "inf", "4294967296", "18446744073709551616", "9" * 40, "", "zu"])
def test_figures_that_are_nonsense_keep_the_interface(number: str) -> None:
    for start, prefix, text, _ in FORMS:
        line = text if text.startswith(("Output[", "Input[")) else f"{prefix}{text}"
        head, tail = line[: len(line) - len(text)], line[len(line) - len(text) :]
        assert not checked(f"{start}\n{head}{re.sub(r'[0-9]+(?:[.][0-9]+)?', number, tail)}\n".encode()), line


@pytest.mark.parametrize(
    "line",
    [
        "I [executorch:main.cpp] Output tensor: scalar_type=Float, numel=-3",
        "I [executorch:main.cpp] Input tensor: scalar_type=Float, numel=-3, nbytes=12",
        "Output[0]: dtype=6, numel=-1, nbytes=4",
        "  output[0]: tensor scalar_type=Float numel=-2",
    ],
)
def test_no_tensor_has_less_than_no_elements(line: str) -> None:
    (run,) = read_capture("x", f"I [executorch:main.cpp] Model loaded, has 1 methods\n{line}\n".encode()).runs
    assert all(tensor.count >= 0 for tensor in (*run.outputs, *run.inputs))


def test_lines_of_zephyr_name_fields_of_the_report() -> None:
    log = b"*** Booting Zephyr OS build v4.2.0 ***\nI [executorch:main.cpp] Model loaded, has 1 methods\n"
    (capture,) = Report((read_capture("x", log),)).to_dict()["captures"]
    (run,) = capture["runs"]
    assert run["runner"]["kind"] == "zephyr"
    assert run["lines"] and all(at(run, path) is not None for path in run["lines"])
