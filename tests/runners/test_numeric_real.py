"""The numeric check on real compiles: exact where it should be, and failing on a program and graphs that were made wrong.

Two batches are compiled: the bundled MNIST network for two targets that share graphs, and a model whose delegates stand
between operators of the CPU.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from pathlib import Path

import pytest

from ethosu_tui.analysis.numeric.judgement import numeric_findings
from ethosu_tui.analysis.tosa.reader import read_tosa
from ethosu_tui.runners.compile.compiler import CompileBatch, CompileOptions, CompilePoint, CompileResult, JobDone
from ethosu_tui.runners.compile.numeric_checks import with_report
from ethosu_tui.runners.interpreters import look_up
from ethosu_tui.runners.job import MissingTool, UsageError
from ethosu_tui.runners.numeric.check import Checker, find_reference_model
from ethosu_tui.runners.numeric.options import NumericOptions
from ethosu_tui.tui.commands.compile import exit_code

from .conftest import Run

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(bool(look_up().missing), reason="needs the compile extra"),
]

FIRST = CompilePoint("ethos-u55-128", "Ethos_U55_High_End_Embedded", "Shared_Sram")
SECOND = CompilePoint("ethos-u55-64", "Ethos_U55_High_End_Embedded", "Shared_Sram")
BETWEEN = """
import torch
from torch import nn

torch.manual_seed(5)

class Between(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(2, 4, 3, padding=1)
        self.second = nn.Conv2d(4, 4, 3, padding=1)
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        x, _ = torch.sort(torch.relu(self.first(x)), dim=-1)
        x, _ = torch.sort(torch.relu(self.second(x)), dim=-1)
        return x

ModelUnderTest = Between().eval()
ModelInputs = (torch.rand(1, 2, 8, 8),)
"""


def compiled(
    model: str, points: tuple[CompilePoint, ...], root: Path, numeric: NumericOptions | None
) -> list[CompileResult]:
    batch = CompileBatch(CompileOptions(model, numeric=numeric), points, root)
    done = {event.index: event.result for event in batch.run() if isinstance(event, JobDone)}
    return [done[index] for index in range(len(points))]


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> list[CompileResult]:
    root = tmp_path_factory.mktemp("runs with blanks")
    return compiled("bundled:mnist", (FIRST, SECOND), root, NumericOptions(per_layer=True))


@pytest.fixture
def pair(checked: list[CompileResult], tmp_path: Path) -> Path:
    """A copy of the first run folder, to be spoilt."""
    return Path(shutil.copytree(checked[0].folder, tmp_path / "copy"))


def recheck(folder: Path, result: CompileResult, *, tolerance: int = 1) -> CompileResult:
    reference = find_reference_model(sys.executable)
    checker = Checker(NumericOptions(tolerance_lsb=tolerance, per_layer=True), sys.executable, reference)
    checker.offer(folder)
    report = checker.check(folder, folder / "model.pte", "again")
    return with_report(result, report)


def test_mnist_is_bit_exact(checked: list[CompileResult]) -> None:
    for result in checked:
        report = result.numeric
        assert report is not None and result.status == "ok"
        assert (report.status, report.exact, report.reason, report.samples) == ("passed", True, None, ("ModelInputs",))
        (output,) = report.outputs
        assert (output.partition, output.dtype, output.shape, output.errors.values) == (1, "int8", (1, 10), 10)
        assert (output.errors.max_lsb, output.errors.mean_lsb, output.errors.max_error) == (0, 0, 0)
        (final,) = report.model_outputs
        assert final.basis == "tosa" and final.quantised is not None and final.eager is not None
        assert (final.quantised.max_error, final.quantised.argmax_agree) == (0, 1)
        assert 0 < final.eager.max_error < 0.05 * final.eager.largest_value
    assert [result.numeric.shared_with for result in checked if result.numeric] == [None, "ethos-u55-128"]
    assert exit_code(checked) == 0


def test_each_layer_of_mnist_is_compared_and_has_its_line(checked: list[CompileResult]) -> None:
    report = checked[0].numeric
    assert report is not None and report.layers is not None
    assert [layer.module for layer in report.layers] == [
        "features.0", "features.2", "features.3", "features.5", "classifier.0", "classifier.1", "classifier.3",
    ]  # fmt: skip
    values = [layer.errors.values for layer in report.layers]
    assert values == [16 * 28 * 28, 16 * 14 * 14, 32 * 14 * 14, 32 * 7 * 7, 32 * 7 * 7, 64, 10]
    assert all(layer.errors.max_lsb is not None and layer.errors.max_lsb <= 1 for layer in report.layers)
    assert all(layer.source and "mnist.py:" in layer.source for layer in report.layers)


def test_a_check_leaves_the_program_as_it_is(checked: list[CompileResult], mnist: dict[str, Path]) -> None:
    assert (checked[0].folder / "model.pte").read_bytes() == (mnist["ethos-u55-128"] / "model.pte").read_bytes()


def test_a_changed_graph_is_refused(pair: Path, checked: list[CompileResult]) -> None:
    graph = pair / "vela/partition-1/out.tosa"
    data = bytearray(graph.read_bytes())
    data[len(data) // 2] ^= 1
    graph.write_bytes(data)
    result = recheck(pair, checked[0])
    assert result.numeric is not None and result.numeric.status == "failed" and not result.numeric.outputs
    finding = next(f for f in result.findings if f.rule == "numeric-mismatch")
    assert finding.severity == "error" and "TOSA graph of partition 1 is not the one" in finding.detail
    assert exit_code([result]) == 1


def test_a_program_of_another_configuration_is_refused(pair: Path, checked: list[CompileResult]) -> None:
    shutil.copyfile(checked[1].folder / "model.pte", pair / "model.pte")
    result = recheck(pair, checked[0])
    finding = next(f for f in result.findings if f.rule == "numeric-mismatch")
    assert "Delegate 0 of model.pte was made of none of the TOSA graphs" in finding.detail
    assert exit_code([result]) == 1


def test_a_graph_that_computes_something_else_is_found_and_the_layer_named(
    pair: Path, checked: list[CompileResult]
) -> None:
    """The weights of the first linear layer are wrong, and every digest says that this is as it should be."""
    graph = pair / "vela/partition-1/out.tosa"
    data = graph.read_bytes()
    block = read_tosa(data).blocks[0]
    sizes = {tensor.name: tensor.data_bytes for tensor in block.tensors}
    convolutions = [operator for operator in block.operators if operator.op == "CONV2D"]
    weights = next(operator.inputs[1] for operator in convolutions if sizes[operator.inputs[1]] == 64 * 1568)
    at = _constant(data, 64 * 1568)
    assert weights and at > 0
    wrong = data[:at] + bytes(b ^ 0x55 for b in data[at : at + 64 * 1568]) + data[at + 64 * 1568 :]
    graph.write_bytes(wrong)
    digests = pair / "vela/partition-1/digests.sha256"
    delegate, before = digests.read_text().split()
    after = hashlib.sha256(wrong).hexdigest()
    digests.write_text(f"{delegate}\n{after}\n")
    samples = pair / "numeric/samples.json"
    samples.write_text(samples.read_text().replace(before, after))
    result = recheck(pair, checked[0])
    report = result.numeric
    assert report is not None and (report.status, report.reason, report.exact) == ("failed", None, False)
    (output,) = report.outputs
    assert output.errors.max_lsb is not None and output.errors.max_lsb > 10
    worst = output.errors.worst[0]
    assert isinstance(worst.expected, float) and isinstance(worst.got, float)
    assert abs(worst.expected - worst.got) == output.errors.max_lsb
    first = report.first_diverging
    assert first is not None and first.module == "classifier.1"
    finding = next(f for f in result.findings if f.rule == "numeric-mismatch")
    assert "classifier.1" in finding.detail and "mnist.py:" in finding.detail
    assert exit_code([result]) == 1


def _constant(data: bytes, size: int) -> int:
    """Where the only list of this many bytes begins."""
    needle = size.to_bytes(4, "little")
    at = data.find(needle)
    assert at > 0 and data.find(needle, at + 4) < 0
    return at + 4


def test_references_that_are_gone_or_broken_are_told(pair: Path, checked: list[CompileResult]) -> None:
    (pair / "numeric/answer.json").unlink()
    (pair / "numeric/samples.npz").write_bytes(b"no archive")
    result = recheck(pair, checked[0])
    assert result.numeric is not None and result.numeric.status == "not-checked"
    assert exit_code([result]) == 1
    shutil.rmtree(pair / "numeric")
    report = recheck(pair, checked[0]).numeric
    assert report is not None and report.reason == "the compile kept no inputs and references to compare with"
    (finding,) = numeric_findings(report)
    assert (finding.rule, finding.severity) == ("numeric-not-checked", "error")


def test_delegates_between_operators_of_the_cpu(tmp_path: Path) -> None:
    model = tmp_path / "between.py"
    model.write_text(BETWEEN)
    (result,) = compiled(str(model), (FIRST,), tmp_path / "runs", NumericOptions(random=2, seed=7))
    report = result.numeric
    assert report is not None and report.status == "passed", report
    assert report.samples == ("ModelInputs", "random 1 of seed 7", "random 2 of seed 7")
    assert [(o.partition, o.shape, o.errors.values) for o in report.outputs] == [
        (1, (1, 4, 8, 8), 3 * 256),
        (2, (1, 4, 8, 8), 3 * 256),
    ]
    (final,) = report.model_outputs
    assert report.exact is (final.basis == "exact delegates")  # the CPU sorts last: told only behind exact delegates
    if final.basis is not None:
        assert final.quantised is not None and final.quantised.max_error == 0
        assert final.eager is not None and final.eager.max_error > 0
    assert report.layers is None
    stored = json.loads((result.folder / "numeric/report.json").read_text())
    assert stored["status"] == "passed" and len(stored["outputs"]) == 2


def test_a_python_without_the_reference_model_is_told_how_to_get_it(tmp_path: Path) -> None:
    bare = tmp_path / "bare-python"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S -I "$@"\n')
    bare.chmod(0o755)
    with pytest.raises(MissingTool) as caught:
        find_reference_model(str(bare))
    assert caught.value.exit_code == 4
    assert caught.value.hint == f"{bare} -m pip install tosa-tools numpy"


def test_requests_that_make_no_sense(tmp_path: Path) -> None:
    for options, words in (
        (CompileOptions("bundled:mnist", delegate=False, numeric=NumericOptions()), "with a delegate"),
        (CompileOptions("bundled:mnist", quantize=False, numeric=NumericOptions()), "compares quantised programs"),
        (CompileOptions("bundled:mnist", numeric=NumericOptions(samples=0)), "--check-samples 0 is too small"),
    ):
        with pytest.raises(UsageError, match=words):
            CompileBatch(options, (FIRST,), tmp_path).check()


def test_options_of_a_check_that_was_not_asked_for(run: Run) -> None:
    done = run("compile", "bundled:mnist", "--check-tolerance", "0")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--check-tolerance needs --check-numerics, which was not given" in done.stderr
