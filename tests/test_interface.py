"""The public interface as its text says it, sentence by sentence: documents of comparisons and compiles, and exit codes.

What it says of `analyze --json` is held in `tests/analysis/test_contract.py`, by the same means.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis.report import CompileSummary, Finding
from ethosu_tui.runners.compile.compiler import CompileResult
from ethosu_tui.runners.compile.operators import CompiledOperator
from ethosu_tui.tui.cli import main

from .analysis.test_contract import FINDING, MAYBE_INT, MAYBE_TEXT, NUMBER, SUMMARY, TEXT, wrong

COLUMN = {"label": TEXT, "source": TEXT, "target": MAYBE_TEXT, "kind": lambda value: value in ("run", "compile")}
JOB = {
    "target": TEXT, "memory_mode": TEXT, "system_config": TEXT, "status": lambda value: value in ("ok", "failed"),
    "pte": MAYBE_TEXT, "pte_bytes": MAYBE_INT, "sha256": MAYBE_TEXT, "seconds": NUMBER,
    "cached": lambda value: type(value) is bool, "summary": (SUMMARY,),
    "operators": [{
        "index": lambda value: type(value) is int, "tosa": TEXT, "name": MAYBE_TEXT, "torch": MAYBE_TEXT, "source": MAYBE_TEXT,
        "npu_cycles": lambda value: type(value) is int, "op_cycles": lambda value: type(value) is int,
        "macs": lambda value: type(value) is int, "sram_bytes": MAYBE_INT, "share_percent": NUMBER,
    }],
    "findings": [FINDING], "log": TEXT,
}  # fmt: skip
ARM = b"I [executorch:arm_executor_runner.cpp:1 main()] "
STARTED = ARM + b"PTE @ 0x70000000 [----ET12]\n" + ARM + b"Starting running 1 inferences...\n"
LIMIT = b"Info: Simulation is stopping. Reason: CPU time has been exceeded.\n"
DONE = ARM + b"Model run: 1\n" + ARM + b"Program complete, exiting.\n"


@pytest.fixture
def asked(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    def ask(*words: object) -> tuple[int, str]:
        code = main([str(word) for word in words])
        return code, capsys.readouterr().out

    return ask


def test_a_comparison_has_a_value_of_each_metric_for_each_column(
    samples: Path, asked: Callable[..., tuple[int, str]]
) -> None:
    logs = [samples / f"{name}.log" for name in ("softmax", "mnist_q", "mobilenet_v2_corstone320", "host_softmax")]
    code, out = asked("compare", "--json", *logs)
    document = json.loads(out)
    assert code == 0 and document["schema"] == "ethosu-tui/comparison/1" and document["baseline"] == 0
    assert [column["source"] for column in document["columns"]] == list(map(str, logs))
    assert not [*wrong(document["columns"], [COLUMN])]
    assert len(document["metrics"]) > 5
    for metric in document["metrics"]:
        assert metric.keys() >= {"name", "unit", "better", "values", "ratios", "comparable", "reason"}
        assert all(len(metric[name]) == len(logs) for name in ("values", "ratios", "comparable"))
        assert metric["better"] in ("lower", "higher", "none") and type(metric["unit"]) is str
        assert metric["reason"] is None or type(metric["reason"]) is str
        for value, ratio, fits in zip(metric["values"], metric["ratios"], metric["comparable"], strict=True):
            assert type(fits) is bool and type(value) in (int, float, type(None))
            assert ratio is None or (type(ratio) is float and value is not None and fits)


def test_a_compile_has_the_fields_of_a_job() -> None:
    operator = CompiledOperator(0, "CONV2D", None, "aten.conv2d.default", "net.py:3", 5, 6, 7, None, 100.0)
    result = CompileResult(
        target="cortex-m55", memory_mode=None, system_config=None, status="ok", pte="a.pte", pte_bytes=4, sha256="0" * 64,
        seconds=0.5, cached=False, summary=CompileSummary(npu_cycles=7, inference_seconds=float("nan")), operators=(operator,),
        findings=(Finding("soft-limit", "warning", None, "title", "detail", "advice", (3,)),), log="console.log", stages={},
        delegation={}, folder=Path("a"),
    )  # fmt: skip
    job: dict[str, Any] = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert not [*wrong(job, JOB)]
    assert job["summary"]["inference_seconds"] is None and job["operators"][0]["sram_bytes"] is None


@pytest.mark.parametrize(
    ("log", "status", "code"),
    [
        (STARTED + DONE, "passed", 0),
        (STARTED + b"Hard fault. irq=3, pc=0x00001000, lr=0x00002000, xpsr=0x61000000, sp=0x20001000\n", "failed", 1),
        (STARTED + LIMIT, "timeout", 1),
        (STARTED, "hung", 1),
        (STARTED[:-4], "truncated", 1),
        (b"run_fvp.sh: line 9: FVP_Corstone_SSE-300_Ethos-U55: cannot execute binary file\n", "not_started", 1),
        (STARTED + DONE + LIMIT, "passed", 0),
        (b"main.c:1:2: error: no such thing\nmake: *** [main.o] Error 1\n", None, 1),  # a build is no run
        (b"dear diary\n", None, 3),
    ],
)
def test_analyze_ends_with_the_code_of_what_it_found(
    tmp_path: Path, asked: Callable[..., tuple[int, str]], log: bytes, status: str | None, code: int
) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(log)
    ended, out = asked("analyze", "--json", path)
    runs = [run["status"] for capture in json.loads(out)["captures"] for run in capture["runs"]] if out else []
    assert (ended, runs) == (code, [] if status is None else [status])
    assert asked("analyze", path)[0] == code
    assert asked("analyze", "--jsonl", path)[0] == code


def test_jsonl_has_the_run_of_json_with_its_source(samples: Path, asked: Callable[..., tuple[int, str]]) -> None:
    log = samples / "mnist_q.log"
    (capture,) = json.loads(asked("analyze", "--json", log)[1])["captures"]
    (row,) = map(json.loads, asked("analyze", "--jsonl", log)[1].splitlines())
    assert row.items() >= {"source": str(log), **capture["runs"][0]}.items()


@pytest.mark.parametrize(("count", "summary"), [(20, False), (21, True)])
def test_more_than_twenty_runs_get_a_summary(
    tmp_path: Path, samples: Path, asked: Callable[..., tuple[int, str]], count: int, summary: bool
) -> None:
    path = tmp_path / "a.log"
    path.write_bytes((samples / "mnist_q.log").read_bytes() * count)
    tables = asked("analyze", path)[1].count("Did it pass?")
    assert (tables < count) == summary
    assert asked("analyze", "--all", path)[1].count("Did it pass?") == count


def test_several_inputs_begin_with_a_summary_of_all(samples: Path, asked: Callable[..., tuple[int, str]]) -> None:
    out = asked("analyze", samples / "softmax.log", samples / "method_small_load.log")[1]
    assert out.startswith("2 runs in 2 inputs") and out.index("Root cause") < out.index("Did it pass?")
