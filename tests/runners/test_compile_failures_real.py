"""Each failure that ExecuTorch 1.5.1 and Vela are known for, provoked for real: one sentence, its place, what to do.

Those that a job alone can find share one batch; what can be known before is asked of the command, which must not start a
compiler for it.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from ethosu_tui.analysis.report import Finding
from ethosu_tui.runners.compile.compiler import CompileBatch, CompileOptions, CompilePoint, CompileResult, JobDone, plan
from ethosu_tui.runners.compile.findings import _NAMED
from ethosu_tui.runners.interpreters import look_up

from .failing_models import model_file

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(bool(look_up().missing), reason="needs the compile extra"),
]


class Fails(NamedTuple):
    """A model whose compile fails: the rule, words of the sentence, and the row of the body that must be named."""

    body: str
    rule: str
    said: str
    row: int | None = None
    stage: str = ""


SEED = "ModelUnderTest, ModelInputs = {model}.eval(), {inputs}"

FAILING = {
    "class instead of instance": Fails(
        "ModelUnderTest = nn.Linear\nModelInputs = image", "model-class", "ModelUnderTest is a class"
    ),
    "not a module": Fails("ModelUnderTest = 3\nModelInputs = image", "model-type", "of type int"),
    "inputs not a tuple": Fails(
        "ModelUnderTest = nn.ReLU()\nModelInputs = image[0]", "inputs-not-a-tuple", "torch.Tensor, not a tuple"
    ),
    "no inputs": Fails("ModelUnderTest = nn.ReLU()", "model-names", "does not define ModelInputs"),
    "no model": Fails("ModelInputs = image", "model-names", "does not define ModelUnderTest"),
    "wrong input shape": Fails(
        SEED.format(model="nn.Linear(8, 4)", inputs="(torch.rand(1, 9),)"),
        "shape",
        "a and b must have same reduction dim, but got [1, 9] X [8, 4]",
    ),
    "too few inputs": Fails(
        SEED.format(model="nn.Bilinear(4, 4, 2)", inputs="(torch.rand(1, 4),)"), "input-count", "number"
    ),
    "data-dependent if": Fails(
        "class Net(nn.Module):\n"
        "    def forward(self, x):\n"
        "        if x.sum() > 0:\n"
        "            return x * 2\n"
        "        return x\n"
        "ModelUnderTest, ModelInputs = Net().eval(), image",
        "data-dependent",
        "branches on tensor values",
        2,
    ),
    "float64": Fails(
        SEED.format(model="nn.Linear(8, 4).double()", inputs="(torch.rand(1, 8, dtype=torch.float64),)"),
        "dtype",
        "float64",
        stage="load model",
    ),
    "operator with effects": Fails(
        "class Net(nn.Module):\n"
        "    def forward(self, x):\n"
        "        return torch.linalg.inv(x)\n"
        "ModelUnderTest, ModelInputs = Net().eval(), (torch.eye(4)[None] * 2,)",
        "effects",
        "linalg",
        2,
    ),
    "a function that cannot be exported": Fails(
        "class Net(nn.Module):\n"
        "    def forward(self, x):\n"
        "        open('/dev/null').close()\n"
        "        return x\n"
        "ModelUnderTest, ModelInputs = Net().eval(), image",
        "unsupported",
        "cannot be exported",
        2,
    ),
    "missing package": Fails("import nowhere_to_be_found", "missing-module", "nowhere_to_be_found", 0),
    "missing file in the model": Fails("torch.load('/nope/weights.pt')", "missing-file", "/nope/weights.pt", 0),
    "the model raises": Fails("raise ValueError('my own')", "compile-failed", "ValueError: my own", 0),
}

PARTS = {
    "slow parts": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.first = nn.GroupNorm(2, 4), nn.Conv2d(4, 4, 1)
    def forward(self, x):
        x = self.first(x)
        return F.gelu(self.norm(x) if self.training else x)  # a GroupNorm that is calibrated costs 14 processor seconds
ModelUnderTest, ModelInputs = Net().eval(), image
""".strip(),
    "two parts": SEED.format(
        model="nn.Sequential(nn.Conv2d(4, 4, 1), Calls(lambda x: torch.sort(x, 1)[0]), nn.Conv2d(4, 4, 1))",
        inputs="image",
    ),
}

LEFT = {
    # operators that fall back in silence: the target, the model, its input, the operator, and the reason or a part of it
    "sort": ("ethos-u85", "Calls(lambda x: torch.sort(x)[0])", "*image", "aten.sort", "Not included"),
    "argmax": ("ethos-u85", "Calls(lambda x: torch.argmax(x, 1))", "*image", "aten.argmax", "TOSA ARGMAX produces int32"),
    "encoder layer": (
        "ethos-u85", "nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)", "torch.rand(1, 4, 8)",
        "aten._transformer_encoder_layer_fwd", "Not included",
    ),
    "conv3d": ("ethos-u55", "nn.Conv3d(2, 2, 3)", "torch.rand(1, 2, 4, 4, 4)", "aten.convolution", "kernel_z"),
    "transposed convolution": ("ethos-u55", "nn.ConvTranspose2d(4, 4, 3, 3)", "*image", "aten.convolution", "stride"),
    "bilinear": (
        "ethos-u55", "nn.Upsample(scale_factor=3, mode='bilinear')", "*image", "aten.upsample_bilinear2d", "U55"
    ),
    "index_select": (
        "ethos-u55", "Calls(lambda x: torch.index_select(x, 1, torch.tensor([0, 2])))", "*image", "aten.index", "U55"
    ),
    "padded average pool": (
        "ethos-u55", "nn.AvgPool2d(9, 1, 4, count_include_pad=False)", "torch.rand(1, 4, 16, 16)", "aten.avg_pool2d",
        "kernel",
    ),
    "batched average pool": ("ethos-u55", "nn.AvgPool2d(3)", "torch.rand(4, 4, 9, 9)", "aten.avg_pool2d", "N==1"),
}  # fmt: skip


def _beside(family: str) -> str:
    """One model of all these of a family: what a compile costs, they cost once."""
    of_family = [(model, given) for target, model, given, _, _ in LEFT.values() if target == family]
    parts = [f"parts.append({model})" for model, _ in of_family]
    inputs = ", ".join(given for _, given in of_family)
    return "\n".join(["parts = []", *parts, f"ModelUnderTest, ModelInputs = Beside(*parts).eval(), ({inputs},)"])


def _points(prefix: str) -> Iterator[CompilePoint]:
    """Valid configurations of the targets that begin so, each once."""
    npu = {"ethos-u55": ("Ethos_U55_Deep_Embedded", "Ethos_U55_High_End_Embedded")}.get(
        prefix, ("Ethos_U85_SYS_DRAM_Low", "Ethos_U85_SYS_DRAM_Mid", "Ethos_U85_SYS_DRAM_High")
    )
    points, _ = plan(["all"], npu, ["Sram_Only", "Shared_Sram"])
    yield from (point for point in points if point.target.startswith(prefix))


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[CompileResult, Path, int]]:
    """Every case as a job of one batch: its result, the model file, and the first line of its body."""
    home = tmp_path_factory.mktemp("failures")
    points = {prefix: _points(prefix) for prefix in ("ethos-u55", "ethos-u85")}
    cases: dict[CompilePoint, tuple[str, str]] = {}
    for name, failing in FAILING.items():
        cases[next(points["ethos-u85"])] = (name, failing.body)
    for family in points:
        cases[next(points[family])] = (family, _beside(family))
    for name, body in PARTS.items():
        cases[next(points["ethos-u85"])] = (name, body)
    tight = replace(next(points["ethos-u55"]), arena_cache_bytes=64)
    cases[tight] = "tight arena", SEED.format(model="nn.Conv2d(4, 4, 3)", inputs="image")
    model = home / "the models.py"
    lines = model_file(model, {f"{p.target} {p.system_config} {p.memory_mode}": body for p, (_, body) in cases.items()})
    batch = CompileBatch(CompileOptions(str(model), keep_intermediates=True), list(cases), home / "runs", 2)
    found = {}
    for event in batch.run():
        if isinstance(event, JobDone):
            point = event.result.point
            key = f"{point.target} {point.system_config} {point.memory_mode}"
            found[cases[point][0]] = (event.result, model, lines[key])
    return found


def _sentence(finding: Finding) -> None:
    """What every finding must be: one line of plain text with something to do."""
    for text in (finding.title, finding.detail, finding.advice):
        assert text and text.isprintable() and "\n" not in text
    assert "Traceback" not in finding.title + finding.detail


@pytest.mark.parametrize("name", FAILING)
def test_what_fails_says_what_where_and_what_to_do(jobs: dict[str, tuple[CompileResult, Path, int]], name: str) -> None:
    result, model, first = jobs[name]
    case = FAILING[name]
    assert result.status == "failed" and result.pte is None
    finding = result.findings[0]
    assert (finding.rule, finding.severity) == (case.rule, "error"), finding
    assert case.said in finding.title + finding.detail
    _sentence(finding)
    if case.row is not None:
        assert f"{model}, line {first + case.row}" in finding.detail, finding.detail
    assert f"In stage {case.stage}" in finding.detail
    assert "Traceback" in Path(result.log).read_text(), "the log keeps what the compiler said"


@pytest.mark.parametrize("name", LEFT)
def test_what_falls_back_in_silence_is_told_with_its_reason_and_line(
    jobs: dict[str, tuple[CompileResult, Path, int]], name: str
) -> None:
    family, text, _, operator, reason = LEFT[name]
    result, model, first = jobs[family]
    assert result.status == "ok" and result.delegation is not None
    of_operator = [row for row in result.delegation["left"] if row["operator"].startswith(operator)]
    rows = [row for row in of_operator if reason.lower() in row["reason"].lower()]
    assert len(rows) == 1, result.delegation["left"]
    rules = {finding.rule: finding for finding in result.findings}
    if not result.delegation["partitions"]:
        assert rules["not-delegated"].severity == "error"
    told = rules["operators-on-cpu"].detail
    assert (rows[0]["reason"].rstrip(".") in told) == (rows[0] in result.delegation["left"][:_NAMED])
    for finding in result.findings:
        _sentence(finding)
    if "Calls" in text:
        row = _beside(family).splitlines().index(f"parts.append({text})")
        assert rows[0]["source"] == f"{model}:{first + row}"


def test_the_parts_of_a_model_are_told_before_it_is_exported(
    jobs: dict[str, tuple[CompileResult, Path, int]],
) -> None:
    result, model, first = jobs["slow parts"]
    assert result.status == "ok" and result.delegation is not None
    rules = {finding.rule: finding for finding in result.findings}
    norm, gelu = rules["avoid-group-norm"], rules["gelu-is-a-table"]
    assert norm.severity == "warning" and f"{model}:{first + 3} (norm)" in norm.detail and "BatchNorm2d" in norm.advice
    assert gelu.severity == "info" and f"{model}:{first + 6} (the model itself)" in gelu.detail
    assert not result.delegation["left"], "a GELU is delegated, as the finding says"
    assert not [rule for rule in rules if rule.startswith("avoid-") and rule != "avoid-group-norm"]


def test_boundaries_and_partitions_are_counted(jobs: dict[str, tuple[CompileResult, Path, int]]) -> None:
    delegation = jobs["two parts"][0].delegation
    assert delegation is not None
    first, second = delegation["partitions"]
    for part in (first, second):
        assert (part["quantize"], part["dequantize"], part["permutes"]) == (1, 1, 0)
        assert (part["transposes_at_edges"], part["transposes_inside"]) == (2, 0), "one for each side's layout"
        assert part["operators"]["aten.convolution.default"] == 1
        assert (part["inputs"], part["outputs"], part["backend"]) == (1, 1, "EthosUBackend")
    assert {first["partition"], second["partition"]} == {1, 2}
    assert delegation["boundary"] == {"quantize": 2, "dequantize": 2, "permutes": 0}
    (row,) = delegation["left"]
    assert (row["operator"], row["count"], row["cycles"]) == ("aten.sort.default", 1, None)
    assert row["cycles_missing"] and row["output_bytes"] == 4 * 8 * 8 * (4 + 8)


def test_a_limit_that_vela_ignored_is_told(jobs: dict[str, tuple[CompileResult, Path, int]]) -> None:
    result, _, _ = jobs["tight arena"]
    (finding,) = [finding for finding in result.findings if finding.rule == "arena-limit-exceeded"]
    assert result.status == "ok" and result.summary is not None and result.summary.sram_used_bytes is not None
    assert f"{result.summary.sram_used_bytes:,} bytes against 64" in finding.detail
    _sentence(finding)


def test_a_float_model_is_an_error_though_executorch_says_nothing(tmp_path: Path) -> None:
    model = tmp_path / "net.py"
    model.write_text(
        "import torch\nModelUnderTest, ModelInputs = torch.nn.Conv2d(1, 1, 3).eval(), (torch.rand(1, 1, 8, 8),)\n"
    )
    points, _ = plan(["ethos-u55-128"])
    batch = CompileBatch(CompileOptions(str(model), quantize=False), points, tmp_path / "runs")
    (result,) = [event.result for event in batch.run() if isinstance(event, JobDone)]
    severities = {finding.rule: finding.severity for finding in result.findings}
    assert (result.status, severities["float-model"], severities["not-delegated"]) == ("ok", "error", "info")
    assert result.delegation is not None and result.delegation["partitions"] == []
    (row,) = result.delegation["left"]
    assert (row["operator"], row["macs"]) == ("aten.convolution.default", 6 * 6 * 9)
    for finding in result.findings:
        _sentence(finding)


CALIBRATED = """
import torch

ModelUnderTest = torch.nn.Conv2d(1, 1, 3).eval()
ModelInputs = (torch.rand(1, 1, 28, 28),)
"""
SAMPLES = "import torch; torch.save((torch.rand(1, 1, 28, 28),), 'a.pt'); torch.save((torch.rand(1, 28, 28),), 'b.pt')"


def test_calibration_data_of_another_shape_is_told_before_the_export(tmp_path: Path) -> None:
    samples = tmp_path / "samples"
    samples.mkdir()
    subprocess.run([sys.executable, "-c", SAMPLES], cwd=samples, check=True, timeout=120)
    model = tmp_path / "net.py"
    model.write_text(CALIBRATED)
    points, _ = plan(["ethos-u55-128"])
    options = CompileOptions(str(model), calibration=str(samples))
    (result,) = [e.result for e in CompileBatch(options, points, tmp_path / "runs").run() if isinstance(e, JobDone)]
    finding = result.findings[0]
    assert (result.status, finding.rule) == ("failed", "calibration")
    assert "input 0 shape [1, 28, 28] does not match expected shape [1, 1, 28, 28]" in finding.title
    assert "samples/b.pt" in finding.title
    assert "In stage load model" in finding.detail and "export" not in result.stages
    _sentence(finding)
