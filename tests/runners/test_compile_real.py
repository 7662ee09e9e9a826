"""The real thing: ExecuTorch's ahead-of-time flow and Vela through our commands.

A few compiles serve all tests here; `test_compile_shared_real.py` compares with ExecuTorch's own script.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis.program.reader import read_program
from ethosu_tui.analysis.program.writer import Replacement, Template
from ethosu_tui.runners.aot import worker as aot_worker
from ethosu_tui.runners.interpreters import find_interpreter, look_up
from ethosu_tui.runners.runs.folder import RunFolder

from .conftest import Run

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(bool(look_up().missing), reason="needs the compile extra"),
]

WRONG_SHAPE = """
import os
import torch

print("scratch is", os.environ["TMPDIR"])
ModelUnderTest = torch.nn.Linear(8, 4).eval()
ModelInputs = (torch.rand(1, 9),)
"""


def test_the_demo_prints_four_targets_with_real_figures(demo: subprocess.CompletedProcess[str], home: Path) -> None:
    assert demo.returncode == 0, demo.stderr
    assert "Traceback" not in demo.stderr
    header = next(line for line in demo.stdout.splitlines() if line.startswith("Vela estimate"))
    assert header.split()[2:] == ["ethos-u55-128", "ethos-u55-256", "ethos-u65-256", "ethos-u85-256"]
    cycles = next(line for line in demo.stdout.splitlines() if line.startswith("total cycles"))
    figures = [int(text) for text in re.sub(r"[,*]", "", cycles).split()[-4:]]
    assert all(figure > 10_000 for figure in figures)
    assert len(set(figures)) == 4
    assert "mobilenet_v2_corstone320.log" in demo.stdout and "5,920,305" in demo.stdout
    assert "Did it pass?     yes" in demo.stdout and "5.5 MiB" in demo.stdout, "read as analyze reads it"


def test_delegates_of_one_target_make_the_program_of_another(mnist: dict[str, Path]) -> None:
    """ExecuTorch 1.5 shares all but the delegates within a TOSA specification: what a staged sweep rests on."""
    data = {target: (path / "model.pte").read_bytes() for target, path in mnist.items()}
    template = Template(data["ethos-u55-128"])
    for target in ("ethos-u55-256", "ethos-u65-256"):
        (delegate,) = read_program(data[target]).delegates
        specs = {spec.key: spec.value.encode() for spec in delegate.compile_specs}
        replacement = Replacement(Template(data[target]).delegate_data(0, 0), specs)
        assert template.with_delegates({(0, 0): replacement}) == data[target]
    for target, path in mnist.items():
        program = read_program(data[target])
        summary = json.loads((path / "result.json").read_text())["summary"]
        (delegate,) = program.delegates
        assert delegate.build is not None and delegate.vela is not None
        assert delegate.build[:3] == (target, summary["system_config"], summary["memory_mode"])
        if summary["memory_mode"] == "Shared_Sram":
            assert delegate.vela.scratch_bytes == summary["sram_used_bytes"]


def test_add_is_delegated_and_lands_where_it_was_wanted(add: dict[str, Any], home: Path) -> None:
    assert add["schema"] == "ethosu-tui/compile/1"
    npu, cpu = add["jobs"]
    for job in (npu, cpu):
        assert job["status"] == "ok"
        program = home / "my programs" / f"{job['target']}.pte"
        assert job["pte"] == str(program)
        assert program.read_bytes()[4:8] == b"ET12"
        assert (job["pte_bytes"], job["sha256"]) == (
            program.stat().st_size,
            hashlib.sha256(program.read_bytes()).hexdigest(),
        )
        assert RunFolder.open(Path(job["folder"])).state == "finished"
    assert npu["summary"]["delegated_subgraphs"] == 1
    assert npu["summary"]["accelerator"] == "ethos-u55-128"
    assert npu["operators"][0]["op_cycles"] > 0
    assert (cpu["system_config"], cpu["memory_mode"], cpu["operators"]) == ("", "", [])
    assert cpu["summary"]["delegated_subgraphs"] == 0
    assert [finding["rule"] for finding in cpu["findings"]] == ["kernels-needed"]


def test_the_run_folder_holds_what_the_script_throws_away(add: dict[str, Any]) -> None:
    folder = Path(add["jobs"][0]["folder"])
    kept = {path.name for path in (folder / "vela/partition-1").iterdir()}
    assert {"out.tosa", "out_per-layer.csv", "out_debug.xml", "vela.log"} <= kept
    assert any("_summary_" in name for name in kept)
    manifest = RunFolder.open(folder).manifest
    assert all(manifest["versions"][name] for name in ("python", *aot_worker.PACKAGES, "ethosu-tui"))
    assert "--target=ethos-u55-128" in manifest["argv"]
    assert "Delegation table" in (folder / "delegation.txt").read_text()
    assert b"Total SRAM used" in (folder / "console.log").read_bytes()


def test_a_delegated_program_on_the_host_fails_with_the_right_finding(run: Run, add: dict[str, Any]) -> None:
    done = run("run", add["jobs"][0]["pte"], "--on", "host", "--json", "-q")
    assert done.returncode == 5, done.stderr
    (capture,) = json.loads(done.stdout)["captures"]
    assert capture["runs"][0]["status"] == "failed"
    assert capture["findings"][0]["rule"] == "backend-not-registered"


def test_softmax_for_no_target_is_a_plain_float_program(softmax_for_none: dict[str, Any]) -> None:
    (job,) = softmax_for_none["jobs"]
    assert job["target"] == "none"
    assert job["summary"]["delegated_subgraphs"] == 0
    assert list(job["summary"]["non_delegated_operators"]) == ["aten__softmax_default"]
    assert Path(job["pte"]).stat().st_size == job["pte_bytes"]


def test_both_partitions_keep_their_vela_data_and_add_up(two_parts: dict[str, Any], home: Path) -> None:
    (job,) = two_parts["jobs"]
    parts = [Path(job["folder"]) / "vela" / f"partition-{number}" for number in (1, 2)]
    assert len({hashlib.sha256((part / "out.tosa").read_bytes()).hexdigest() for part in parts}) == 2
    assert job["partitions"] == job["summary"]["delegated_subgraphs"] == 2
    assert {operator["partition"] for operator in job["operators"]} == {1, 2}
    assert [operator["index"] for operator in job["operators"]] == list(range(len(job["operators"])))
    assert sum(operator["op_cycles"] for operator in job["operators"]) == job["summary"]["total_cycles"]
    rules = {finding["rule"]: finding for finding in job["findings"]}
    assert {"operators-on-cpu", "totals-over-partitions"} <= set(rules)
    told = rules["operators-on-cpu"]
    assert "aten.sort.default" in told["title"]
    assert (
        f"{home / 'my models' / 'two parts.py'}:" in told["detail"]
        and "(Not included in BaseTOSASupportList" in told["detail"]
    )
    assert list((home / "my dumps").glob("*.tosa"))
    assert not [path for path in home.iterdir() if path.name == "~"]


def test_a_model_that_fails_to_export_gives_one_sentence_and_its_log(run: Run, home: Path) -> None:
    (home / "wrong.py").write_text(WRONG_SHAPE)
    done = run("compile", "wrong.py", "--no-quantize", "-o", "never.pte")
    assert done.returncode == 1
    (sentence,) = [line for line in done.stderr.splitlines() if line.startswith("ethosu-tui:")]
    assert "Shapes do not match: a and b must have same reduction dim" in sentence
    assert "Traceback" not in done.stderr + done.stdout
    log = Path(sentence.rpartition("Log: ")[2])
    assert "Traceback" in log.read_text()
    assert not (home / "never.pte").exists()
    (scratch,) = re.findall("^scratch is (.+)", log.read_text(), re.MULTILINE)
    assert Path(scratch).name.startswith("ethosu-tui-") and not Path(scratch).exists()


def test_edge_yaml_reads_the_same_with_either_parser() -> None:
    """The worker's short cut: only texts that are listed take it, and for those both parsers must agree."""
    ruamel = pytest.importorskip("ruamel.yaml")
    yaml = pytest.importorskip("yaml")
    home = find_interpreter().executorch
    assert home is not None
    text = (Path(home) / "exir/dialects/edge/edge.yaml").read_text(encoding="utf-8")
    if hashlib.sha256(text.encode()).hexdigest() not in aot_worker._EQUAL_YAML:
        pytest.skip("another release's text: the worker reads it the slow way")
    assert repr(yaml.load(text, Loader=yaml.CSafeLoader)) == repr(ruamel.YAML(typ="safe").load(text))
