"""Operators of real compiles: cycles that add up, Vela's own utilisation, and lines that ExecuTorch itself would give."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis.operators.report import CompiledOperator
from ethosu_tui.analysis.tosa.origin import origin_of
from ethosu_tui.analysis.tosa.reader import read_tosa
from ethosu_tui.runners.compile.result import CompileResult
from ethosu_tui.runners.interpreters import look_up
from ethosu_tui.tui.cli import main
from ethosu_tui.tui.commands.compile import print_results

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(bool(look_up().missing), reason="needs the compile extra"),
]


@pytest.fixture(scope="module")
def jobs(mnist: dict[str, Path], two_parts: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """MNIST for four targets, and the model of two partitions: results by name."""
    results = {target: json.loads((path / "result.json").read_text()) for target, path in mnist.items()}
    return results | {"two parts": two_parts["jobs"][0]}


def test_cycles_add_up_and_each_row_has_module_and_line(jobs: dict[str, dict[str, Any]]) -> None:
    assert {"ethos-u55-128", "ethos-u85-256", "two parts"} <= set(jobs)
    for name, job in jobs.items():
        rows, summary = job["operators"], job["summary"]
        assert sum(row["op_cycles"] for row in rows) == summary["total_cycles"], name
        assert sum(row["npu_cycles"] for row in rows) == summary["npu_cycles"], name
        for memory in ("sram", "dram", "on_chip_flash", "off_chip_flash"):
            known = [row[f"{memory}_access_cycles"] for row in rows]
            total = summary[f"{memory}_access_cycles"]
            assert sum(cycles or 0 for cycles in known) == total, (name, memory)
        file = "two parts.py" if name == "two parts" else "mnist.py"
        for row in rows:
            assert row["module"] and row["torch"] and row["source_kind"] == "model", (name, row)
            assert row["source"].startswith(f"{file}:") and row["code"], (name, row)
            assert row["bound"] is not None or row["chained_into"] is not None, (name, row)
    first, second = jobs["two parts"]["operators"][0], jobs["two parts"]["operators"][-1]
    assert (first["partition"], second["partition"]) == (1, 2)
    lines = [int(row["source"].rpartition(":")[2]) for row in (first, second)]
    assert lines[0] + 1 == lines[1], "the sort stands in one line with the first convolution"


def test_the_modules_are_those_of_the_network(jobs: dict[str, dict[str, Any]]) -> None:
    for target in ("ethos-u55-128", "ethos-u65-256", "ethos-u85-256"):
        rows = jobs[target]["operators"]
        modules = list(dict.fromkeys((row["module"], row["module_class"]) for row in rows))
        assert modules == [
            ("features.0", "Conv2d"), ("features.2", "MaxPool2d"), ("features.3", "Conv2d"), ("features.5", "MaxPool2d"),
            ("classifier.1", "Linear"), ("classifier.3", "Linear"),
        ]  # fmt: skip
        convolutions = [row for row in rows if row["tosa"] in ("CONV2D", "DEPTHWISE_CONV2D")]
        assert all(row["fused"][0]["tosa"] == "RESCALE" for row in convolutions)
    assert any(row["chained_into"] is not None and not row["op_cycles"] for row in jobs["ethos-u85-256"]["operators"])


def test_utilisation_and_share_are_vela_s_own(jobs: dict[str, dict[str, Any]]) -> None:
    for name, job in jobs.items():
        rows: list[dict[str, str]] = []
        for number in range(1, job["partitions"] + 1):
            path = Path(job["folder"]) / "vela" / f"partition-{number}" / "out_per-layer.csv"
            with path.open(encoding="utf-8") as stream:
                rows += csv.DictReader(stream)
        assert len(rows) == len(job["operators"])
        for theirs, ours in zip(rows, job["operators"], strict=True):
            assert (theirs["Name"], int(theirs["Op Cycles"])) == (ours["name"], ours["op_cycles"])
            if ours["utilisation_percent"] is None:
                assert ours["op_cycles"] == 0 and ours["chained_into"] is not None
            else:
                assert ours["utilisation_percent"] == pytest.approx(float(theirs["Util% (MAC)"]), abs=0.001), name


def test_the_lines_are_those_that_executorch_writes_when_asked(two_parts: dict[str, Any]) -> None:
    """It was compiled with `--enable_debug_mode tosa`, so the graphs hold ExecuTorch's own word on each operator."""
    folder = Path(two_parts["jobs"][0]["folder"]) / "vela"
    for partition in sorted(folder.glob("partition-*")):
        (block,) = read_tosa((partition / "out.tosa").read_bytes()).blocks
        (known,) = json.loads((partition / "locations.json").read_text())["blocks"]
        assert known["operators"] == [operator.op for operator in block.operators]
        ours = {index: node for node in known["nodes"] for index in range(node["first"], node["end"])}
        for operator in block.operators:
            if operator.op in ("CONST", "CONST_SHAPE"):
                continue
            origin = origin_of(operator.location)
            assert origin is not None and origin.source is not None
            node = ours[operator.index]
            assert f"{node['file']}:{node['line']}" == origin.source
            assert (node["module"] or None, node["code"]) == (origin.module, origin.code)
            assert node["torch"] == [origin.aten]


def test_inspect_maps_the_memory_that_vela_says_it_uses(
    jobs: dict[str, dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    for target in ("ethos-u55-128", "ethos-u85-256"):
        job = jobs[target]
        path = Path(job["folder"]) / "vela" / "partition-1" / "out_debug.xml"
        assert main(["inspect", str(path), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)["memory_map"]
        (sram,) = (memory for memory in found["memories"] if memory["memory"] == "Sram")
        assert sram["live_bytes"] <= sram["peak_bytes"] <= job["summary"]["sram_used_bytes"] < sram["peak_bytes"] + 64
        assert found["passed_over"] == 0 and {t["usage"] for t in found["tensors"]} >= {"OpLocal"}
        assert main(["inspect", str(path)]) == 0
        shown = capsys.readouterr().out
        assert "Memory map" in shown and "Alive" in shown and found["tensors"][0]["name"] in shown


def test_one_job_prints_its_costliest_operators_and_several_only_when_asked(
    jobs: dict[str, dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    results = []
    for name in ("ethos-u55-128", "ethos-u85-256"):
        known = jobs[name] | {"summary": None, "findings": (), "folder": Path(jobs[name]["folder"])}
        operators = tuple(CompiledOperator.of(row) for row in jobs[name]["operators"])
        results.append(CompileResult(**known | {"operators": operators}))
    print_results(results[:1])
    shown = capsys.readouterr().out
    assert "Operators of ethos-u55-128" in shown and "DEPTHWISE_CONV2D" in shown and "mnist.py:" in shown
    print_results(results)
    assert "Operators of" not in capsys.readouterr().out
    print_results(results, operators=True)
    assert capsys.readouterr().out.count("Operators of ethos-u") == 2
