"""Which kernels a program without a delegate asks of its runner."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethosu_tui.analysis.program.reader import read_program
from ethosu_tui.analysis.program.report import Program
from ethosu_tui.analysis.rules.kernels import kernels_finding

from .port_logs import RUNNER, read

PROGRAMS = Path(__file__).parent.parent / "programs"


def _with(program: Program, operators: dict[str, int]) -> Program:
    return program._replace(methods=[method._replace(operators=operators) for method in program.methods])


def test_kernels_that_are_not_portable_are_named_with_their_library() -> None:
    plain = read_program((PROGRAMS / "adds_float.pte").read_bytes())
    assert kernels_finding(plain) is None, "aten kernels only"
    found = kernels_finding(_with(plain, {"cortex_m::quantized_add.out": 2, "aten::sort.values": 1, "mine::odd": 1}))
    assert found is not None and (found.rule, found.severity) == ("kernels-needed", "info")
    assert "2 kernels" in found.title
    assert found.detail == "cortex_m::quantized_add.out x2, aten::sort.values x1, mine::odd x1"
    assert all(text in found.advice for text in ("cortex_m_ops_lib", "portable_ops_lib", "registers mine"))


def test_a_delegated_program_is_none_of_its_business() -> None:
    delegated = read_program((PROGRAMS / "two_parts_u55_128.pte").read_bytes())
    assert kernels_finding(delegated) is None


@pytest.mark.parametrize(
    ("operator", "said", "advised"),
    [
        ("cortex_m::quantized_conv2d.out", "quantized_conv2d_out: scratch buffer size incorrect - actual: (16) needed: (48)", "MVE"),
        ("cortex_m::quantized_conv2d.out", "quantized_conv2d_out: input must have channels_last dim_order (NHWC)", "torch.channels_last"),
        ("cortex_m::pad.out", "pad_out: arm_pad_s8 failed with status [-1]", "refused its arguments"),
        ("cortex_m::pad.out", "pad_out: arm_pad_s8 failed with status [-3]", "What it says is"),
        ("aten::mine.out", "needs channels_last", "What it says is"),
    ],
)  # fmt: skip
def test_a_kernel_of_the_cortex_m_backend_that_failed_is_advised_by_what_it_said(
    operator: str, said: str, advised: str
) -> None:
    log = f"E [executorch:op_a.cpp:15 a_out()] {said}\n"
    log += f"E [executorch:method.cpp:1377 execute_instruction()] KernelCall failed at instruction 0:3 in operator {operator}: 0x12\n"
    (finding, *_) = read(RUNNER[0] + "\n" + log).findings
    assert finding.rule == "operator-failed" and said in finding.detail and advised in finding.advice
