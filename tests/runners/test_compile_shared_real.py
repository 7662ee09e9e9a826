"""Programs made of another job's TOSA graphs, against those of ExecuTorch's own script: equal byte for byte, or it fails.

Three models: the bundled MNIST network, one that falls into two partitions, and one that the NPU families delegate
differently.  The script runs without any of our code, imported once and forked for each command line.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.compile.check import resolve_model
from ethosu_tui.runners.compile.compiler import CompileBatch, CompileOptions, CompilePoint, CompileResult, JobDone
from ethosu_tui.runners.compile.plan import aot_arguments
from ethosu_tui.runners.interpreters import find_interpreter, look_up

from ..programs.models import TWO_PARTS
from .conftest import by_the_script

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(bool(look_up().missing), reason="needs the compile extra"),
]

BY_FAMILY = """
import torch

torch.manual_seed(4)

class Chooses(torch.nn.Module):
    def forward(self, x, y):
        return torch.where(x > y, x + y, x * y)

ModelUnderTest = Chooses().eval()
ModelInputs = (torch.rand(2, 16), torch.rand(2, 16))
"""
FIRST = (
    CompilePoint("ethos-u55-128", "Ethos_U55_High_End_Embedded", "Shared_Sram"),
    CompilePoint("ethos-u85-256", "Ethos_U85_SYS_DRAM_Mid", "Sram_Only"),
)
"""These go the whole way."""
MADE = (
    CompilePoint("ethos-u55-64", "Ethos_U55_Deep_Embedded", "Sram_Only"),
    CompilePoint("ethos-u65-512", "Ethos_U65_High_End", "Dedicated_Sram_384KB"),
    CompilePoint("ethos-u85-1024", "Ethos_U85_SYS_Flash_High", "Shared_Sram"),
)
"""These are made of the first ones' graphs: each family, three memory modes, none as in the program they are made of."""

NAMES = ("mnist", "two partitions", "by family")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("models")
    named = {"mnist": "bundled:mnist"}
    for name, source in (("two partitions", TWO_PARTS), ("by family", BY_FAMILY)):
        named[name] = str(folder / f"{name}.py")
        Path(named[name]).write_text(source)
    return named


@pytest.fixture(scope="module")
def ours(models: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, CompileResult]]:
    """Results by model and target."""
    root = tmp_path_factory.mktemp("runs")
    results = {}
    for name, model in models.items():
        batch = CompileBatch(CompileOptions(model), (*FIRST, *MADE), root)
        results[name] = {event.result.target: event.result for event in batch.run() if isinstance(event, JobDone)}
    return results


@pytest.fixture(scope="module")
def theirs(models: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what ExecuTorch's script made for `MADE`, and once for `FIRST`: `MODEL TARGET.pte` and `.log`."""
    folder = tmp_path_factory.mktemp("theirs")
    commands: list[dict[str, Any]] = []
    for name, model in models.items():
        path, _ = resolve_model(model, find_interpreter())
        for point in (*MADE, *FIRST[: name == "mnist"]):
            pte = folder / f"{name} {point.target}.pte"
            argv = aot_arguments(CompileOptions(model), point, path, pte, None)
            commands.append({"cwd": str(folder), "argv": argv, "log": str(pte.with_suffix(".log"))})
    said = by_the_script(commands)
    assert all(len(digest) == 64 for digest in said), said
    return folder


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("point", MADE, ids=[point.target for point in MADE])
def test_a_program_of_shared_graphs_is_that_of_executorchs_own_script(
    name: str, point: CompilePoint, ours: dict[str, dict[str, CompileResult]], theirs: Path
) -> None:
    result = ours[name][point.target]
    first = FIRST["u85" in point.target].target
    assert (result.status, result.route, result.route_reason) == ("ok", "shared", f"TOSA graphs of {first}")
    own = theirs / f"{name} {point.target}.pte"
    _equal(result, own)


def test_a_program_that_went_the_whole_way_is_that_of_the_script_too(
    ours: dict[str, dict[str, CompileResult]], theirs: Path
) -> None:
    (point, *_) = FIRST
    result = ours["mnist"][point.target]
    assert (result.status, result.route) == ("ok", "full")
    _equal(result, theirs / f"mnist {point.target}.pte")


def _equal(result: CompileResult, own: Path) -> None:
    """The same program, and the same figures in what the script printed."""
    assert result.pte is not None and Path(result.pte).read_bytes() == own.read_bytes()
    assert result.sha256 == hashlib.sha256(own.read_bytes()).hexdigest()
    log = own.with_suffix(".log").read_text()
    summary = result.summary
    assert summary is not None

    def said(pattern: str) -> list[float]:
        return [float(found) for found in re.findall(pattern, log)]

    assert summary.total_cycles == sum(said(r"Total cycles +(\d+)"))
    assert summary.npu_cycles == sum(said(r"NPU cycles +(\d+)"))
    assert summary.macs == sum(said(r"Neural network macs +(\d+)"))
    assert summary.npu_operators == sum(said(r"NPU operators = (\d+)"))
    assert summary.sram_used_bytes is not None
    assert summary.sram_used_bytes / 1024 == pytest.approx(max(said(r"Total SRAM used +([\d.]+) KiB")), abs=0.006)
    assert summary.memory_mode == result.memory_mode
    assert sum(operator.op_cycles for operator in result.operators) == summary.total_cycles
    assert sum(operator.share_percent for operator in result.operators) == pytest.approx(100, abs=0.1)


def test_what_is_known_of_the_first_is_known_of_all(ours: dict[str, dict[str, CompileResult]]) -> None:
    for results in ours.values():
        assert [results[point.target].route for point in FIRST] == ["full", "full"]
        for point in MADE:
            first, made = results[FIRST["u85" in point.target].target], results[point.target]
            assert first.summary is not None and made.summary is not None
            for field in ("delegated_subgraphs", "delegated_nodes", "non_delegated_nodes", "non_delegated_operators"):
                assert getattr(made.summary, field) == getattr(first.summary, field)
            assert (made.folder / "delegation.txt").read_bytes() == (first.folder / "delegation.txt").read_bytes()
            assert made.partitions == first.partitions
            on_cpu = [[f for f in result.findings if f.rule == "operators-on-cpu"] for result in (first, made)]
            assert on_cpu[0] == on_cpu[1]
    partitions = {result.partitions for result in ours["two partitions"].values()}
    assert partitions == {2}


def test_the_families_delegate_differently(ours: dict[str, dict[str, CompileResult]]) -> None:
    small, large = (ours["by family"][target].summary for target in ("ethos-u65-512", "ethos-u85-1024"))
    assert small is not None and large is not None
    assert any("where" in name for name in small.non_delegated_operators)
    assert not any("where" in name for name in large.non_delegated_operators)
