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
        ("aten::mean.out", "Check failed (all_contiguous || all_channels_last): 2 input tensors have different dim orders", "one memory format"),
        ("aten::add.out", "Attempted to change the tensor rank which is immutable: old=6, new=5", "the shape that the model was exported with"),
    ],
)  # fmt: skip
def test_a_kernel_that_failed_is_advised_by_what_it_said(operator: str, said: str, advised: str) -> None:
    log = f"E [executorch:op_a.cpp:15 a_out()] {said}\n"
    log += f"E [executorch:method.cpp:1377 execute_instruction()] KernelCall failed at instruction 0:3 in operator {operator}: 0x12\n"
    (finding, *_) = read(RUNNER[0] + "\n" + log).findings
    assert finding.rule == "operator-failed" and said in finding.detail and advised in finding.advice


@pytest.mark.parametrize(
    ("place", "said", "title", "detail", "advice"),
    [
        ("cortex_m_ops_common.h:48 validate_cmsis_nn_tensor_requirements()", "assert failed (input1.scalar_type() == expected_dtype): Input1 dtype must be 1, got 6",
         "A kernel aborted the run", "Of the types, 1 is int8, 6 is float32.", "of a type that it does not take"),
        ("cortex_m_ns_ops_common.h:61 validate_tensor()", "assert failed (input1.scalar_type() == expected_dtype): Input1 dtype must be 1, got 6",
         "A kernel aborted the run", "Of the types, 1 is int8, 6 is float32.", "of a type that it does not take"),
        ("op_log_softmax.cpp:157 opt_log_softmax_out()", "assert failed (false): Unhandled out dtype 7",
         "The kernel log_softmax aborted the run", "Of the types, 7 is float64.", "of a type that it does not take"),
        ("op_elu.cpp:34 elu()", "assert failed (utils::extract_scalar(alpha, &math_alpha)): alpha could not be extracted: wrong type or out of range",
         "The kernel elu aborted the run", "wrong type or out of range.", "What it says is"),
        ("tensor_impl.h:136 size()", "assert failed (dim < dim_ && dim >= 0): Dimension out of range (expected to be in range of [0, 0], but got 1",
         "A kernel aborted the run", "but got 1.", "What it says is"),
    ],
)  # fmt: skip
def test_a_kernel_that_aborted_instead_of_returning_an_error_failed_as_an_operator(
    place: str, said: str, title: str, detail: str, advice: str
) -> None:
    # executorch issues 13551 and 13555; the asserts of the kernels for Cortex-M
    opening = RUNNER[0] + "\nI [executorch:arm_executor_runner.cpp:1400 main()] Starting running 1 inferences...\n"
    log = f"F [executorch:{place}] In function {place.split()[1]}, {said}\n"
    report = read(opening + log)
    finding = report.findings[0]
    assert (report.runs[0].status, report.runs[0].stage) == ("failed", "execute")
    assert (finding.rule, finding.title) == ("operator-failed", title)
    assert finding.detail.endswith(detail) and advice in finding.advice


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("tensor_impl.cpp:30 compute_numel()", "assert failed (dim == 0): Sizes must be provided for non-scalar tensors"),
        ("scalar_type_util.h:300 elementSize()", "assert failed (false): Unknown ScalarType 77"),
        ("runner_util.cpp:20 prepare()", "assert failed (false): No inputs"),
    ],
)  # fmt: skip
def test_a_check_while_the_method_is_loaded_is_no_kernel(place: str, said: str) -> None:
    log = f"F [executorch:{place}] In function {place.split()[1]}, {said}\n"
    report = read(RUNNER[0] + "\n" + log)
    assert (report.findings[0].rule, report.runs[0].stage) == ("fatal-message", "load")
