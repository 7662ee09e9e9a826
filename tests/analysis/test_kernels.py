"""Which kernels a program without a delegate asks of its runner."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethosu_tui.analysis.program.reader import read_program
from ethosu_tui.analysis.program.report import Program
from ethosu_tui.analysis.rules.kernel_refusals import refused
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


def test_a_kernel_that_is_optimized_only_is_in_no_portable_library() -> None:
    plain = read_program((PROGRAMS / "adds_float.pte").read_bytes())
    found = kernels_finding(_with(plain, {"aten::linear.out": 2}))
    assert found is not None and "optimized_native_cpu_ops_lib" in found.advice


@pytest.mark.parametrize(
    ("begun", "names", "told", "untold"),
    [
        ("", ("aten::linear.out",), ("KERNELS_OPTIMIZED=ON", "preserve_ops"), ("SELECT_OPS", "--whole-archive", "Fourier")),
        (RUNNER[0] + "\n", ("aten::linear.out",), ("No portable kernel exists for aten::linear.out", "preserve_ops"), ("SELECT_OPS", "KERNELS_OPTIMIZED")),
        ("", ("aten::linear.out", "aten::exp.out"), ('SELECT_OPS_LIST="aten::exp.out"', "only the optimized kernels have aten::linear.out"), ()),
        ("", ("aten::_fft_r2c.out",), ("KERNELS_OPTIMIZED=ON", "Fourier"), ("preserve_ops",)),
        ("", ("aten::exp.out",), ("SELECT_OPS", "--whole-archive"), ("OPTIMIZED",)),
    ],
)  # fmt: skip
def test_no_list_of_operators_brings_a_kernel_that_only_the_optimized_library_has(
    begun: str, names: tuple[str, ...], told: tuple[str, ...], untold: tuple[str, ...]
) -> None:
    missing = "".join(
        f"E [executorch:method.cpp:819 resolve_operator()] Missing operator: [3] {name}\n" for name in names
    )
    first = read(begun + missing).findings[0]
    assert first.rule == "missing-operator"
    assert all(text in first.advice for text in told)
    assert not any(text in first.advice for text in untold)


def test_a_delegated_program_is_none_of_its_business() -> None:
    delegated = read_program((PROGRAMS / "two_parts_u55_128.pte").read_bytes())
    assert kernels_finding(delegated) is None


@pytest.mark.parametrize(
    ("operator", "said", "advised"),
    [
        ("cortex_m::quantized_conv2d.out", "quantized_conv2d_out: scratch buffer size incorrect - actual: (16) needed: (48)", "MVE"),
        ("cortex_m::quantized_conv2d.out", "quantized_conv2d_out: input must have channels_last dim_order (NHWC)", "torch.channels_last"),
        ("cortex_m::pad.out", "pad_out: arm_pad_s8 failed with status [-1]", "rejected its arguments"),
        ("cortex_m::pad.out", "pad_out: arm_pad_s8 failed with status [-3]", "Change what the message names"),
        ("aten::mine.out", "needs channels_last", "Change what the message names"),
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
         "A kernel aborted the run: its first input is float32 where it takes int8", "Of the types, 1 is int8, 6 is float32.", "of a type it does not accept"),
        ("cortex_m_ns_ops_common.h:61 validate_tensor()", "assert failed (input1.scalar_type() == expected_dtype): Input1 dtype must be 1, got 6",
         "A kernel aborted the run: its first input is float32 where it takes int8", "Of the types, 1 is int8, 6 is float32.", "of a type it does not accept"),
        ("op_log_softmax.cpp:157 opt_log_softmax_out()", "assert failed (false): Unhandled out dtype 7",
         "The kernel log_softmax aborted the run", "Of the types, 7 is float64.", "of a type it does not accept"),
        ("op_elu.cpp:34 elu()", "assert failed (utils::extract_scalar(alpha, &math_alpha)): alpha could not be extracted: wrong type or out of range",
         "The kernel elu aborted the run", "wrong type or out of range.", "Change what the message names"),
        ("tensor_impl.h:136 size()", "assert failed (dim < dim_ && dim >= 0): Dimension out of range (expected to be in range of [0, 0], but got 1",
         "A kernel aborted the run", "but got 1.", "Change what the message names"),
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


def test_an_abort_of_a_kernel_that_was_cut_inside_its_condition() -> None:
    log = "F [executorch:cortex_m_ops_common.h:61 validate_tensor()] In function validate_tensor(), assert failed (input2.sca\n"
    report = read(log)
    assert [(run.status, run.stage) for run in report.runs] == [("failed", "execute")]
    assert (report.findings[0].rule, report.findings[0].title) == ("operator-failed", "A kernel aborted the run")


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


@pytest.mark.parametrize(
    ("said", "found", "advised"),
    [
        ("Expected tensor.dim() to be 3, but got 1", "a tensor of 1 dimension where it takes 3", "number of dimensions"),
        ("Expected tensor.dim() to be >= 2, but got 0", "a tensor of 0 dimensions where it takes at least 2", "number of dimensions"),
        ("Check failed (in.dim() == 2 || in.dim() == 3): Expect input tensor to be 2-D or 3-D, but got, 4.", "a tensor of 4 dimensions where it takes 2 or 3", "number of"),
        ("Attempted to change the tensor rank which is immutable: old=3, new=2", "a result of 2 dimensions where 3 were planned", "one release"),
        ("Attempted to resize a static tensor. Expected shape (1, 6), but received (2, 6).", "a result of the shape (2, 6) where (1, 6) was planned", "planned for it"),
        ("Attempted to resize a bounded tensor with a maximum capacity of 12 elements to 30 elements.", "a result of 30 elements where 12 were planned", "planned for it"),
        # 0.3 to 0.5 print the two the other way round
        ("Attempted to resize a bounded tensor with capacity of 30 elements to 12 elements.", "a result of 30 elements where 12 were planned", "planned for it"),
        ("Attempted to resize a static tensor", "", "planned for it"),
        ("Attempted to resize a static tensor to a new shape at dimension 1 old_size: 4 new_size: 9", "a result of 9 in dimension 1 where 4 was planned", "planned for it"),
        ("Expected to find a floating type, but tensor has type Int", "a tensor of type Int where it takes a floating type", "one type"),
        ("Expected to find Float or Double type, but tensor has type Short", "a tensor of type Short where it takes Float or Double", "one type"),
        ("Tensors do not match: dtype={Int, Long}", "tensors of the types Int and Long where they must be alike", "one type"),
        ("Tensors do not match: dtype={1, 3, 6}", "tensors of the types int8, int32 and float32 where they must be alike", "one type"),
        ("input.scalar_type() 11 does not match dtype 1", "its input is bool where it takes int8", ""),
        ("Tensors do not match: numel={30,  1}, dim={2, 2}", "tensors of two shapes (30 and 1 elements)", "whose shapes differ"),
        ("Check failed (indices_ptr[i] < weight_height): indices_ptr[2] 40 >= weight.size(0) 16", "the index 40 into a table of 16 rows", "token ids"),
        ("Check failed (index.scalar_type() == ScalarType::Long): Expected dtype int64 for index; index.scalar_type() = Int", "an index of type Int where it takes Long",
         "Give the index as int64"),
        ("Check failed (index.scalar_type() == ScalarType::Long): Expected dtype int64 for ind", None, ""),
        ("Check failed (index.scalar_type() == ScalarType::Long): Expected dtype int64 for index; index.sc", "an index that is not int64", "torch.int64"),
        ("Expected index to have type of Long or Int, but found Float", "an index of type Float where it takes Long or Int", "Give the index as int64"),
        ("Index tensors should be Long, Int, Byte or Bool; got 6", "an index of type float32 where it takes Long, Int, Byte or Bool", "Give the index as int64"),
        ("indices.scalar_type() 3 is not Long only Long is supported:", "an index of type int32 where it takes Long", "Give the index as int64"),
        ("indices.scalar_type() 6 is not Long or Int", "an index of type float32 where it takes Long or Int", "Give the index as int64"),
        ("Expected indices tensor to have Long or Int scalar types", "an index that is neither int64 nor int32", "Give the index as int64"),
        ("Expected dypte int64 for index", "an index that is not int64", "Give the index as int64"),  # as 0.5 spells it
        ("Expected indices to have type of Long, but found Int", None, ""),  # a result of a pooling
        ("Check failed (non_blocking == false): ", "a non-blocking copy", "non_blocking=True"),
        ("something else", None, ""),
    ],
)  # fmt: skip
def test_what_a_tensor_was_refused_for(said: str, found: str | None, advised: str) -> None:
    known = refused(said)
    assert (known.found if known is not None else None) == found
    assert known is None or advised in known.advice
    log = f"E [executorch:tensor_util.h:600 check()] {said}\n"
    log += "E [executorch:method.cpp:1377 execute_instruction()] KernelCall failed at instruction 0:3 in operator aten::mine.out: 0x12\n"
    (finding, *_) = read(RUNNER[0] + "\n" + log).findings
    assert finding.title == "The operator aten::mine.out failed" + (f": {found}" if found else "")


@pytest.mark.parametrize(
    ("method", "said", "title"),
    [
        ("Error resizing tensor at input 2", "change the tensor rank which is immutable: old=4, new=3", "Input 2 has 3 dimensions where the program takes 4"),
        ("Error setting input 0: 0x10", "change the tensor rank which is immutable: old=2, new=1", "Input 0 has 1 dimension where the program takes 2"),
        ("Error setting input 1: 0x10", "resize a static tensor to a new shape at dimension 0 old_size: 2 new_size: 8", "Input 1 has 8 in dimension 0 where the program takes 2"),
        ("Error setting input 1: 0x10", "resize a bounded tensor with capacity of 9 elements to 5 elements.", "Input 1 has 9 elements where the program takes 5 at most"),
        ("Error setting input 1: 0x10", "resize a static tensor", "Input 1 has the wrong shape for the program"),
    ],
)  # fmt: skip
def test_an_input_of_another_shape_is_told_where_the_application_says_nothing(
    method: str, said: str, title: str
) -> None:
    shape = f"E 00:00:00.000120 executorch:tensor_impl.cpp:90] Attempted to {said}\n"
    report = read(shape + f"E 00:00:00.000125 executorch:method.cpp:1200] {method}\n")
    assert (report.runs[0].status, report.runs[0].stage) == ("failed", "inputs")
    assert (report.findings[0].rule, report.findings[0].title) == ("inputs-failed", title)


@pytest.mark.parametrize(
    ("said", "title", "advised"),
    [
        ("Attempted to resize a static tensor to a new shape at dimension 0 old_size: 1 new_size: 4", "An input or a result has 4 in dimension 0 where the program takes 1",
         "example inputs"),
        ("Attempted to change the tensor rank which is immutable: old=4, new=3", "An input or a result has 3 dimensions where the program takes 4", "example inputs"),
        ("Expected to find a floating type, but tensor has type Int", "An operator was given a tensor of type Int where it takes a floating type", "one type"),
        ("something that is not known", "The run failed", "Read the lines around it."),
    ],
)  # fmt: skip
def test_a_refusal_that_is_all_that_is_left_of_a_run_is_still_told(said: str, title: str, advised: str) -> None:
    (finding, *_) = read(f"E 00:00:00.000120 executorch:tensor_impl.cpp:90] {said}\n").findings
    assert (finding.rule, finding.title) == ("run-failed", title)
    assert advised in finding.advice and said in finding.detail


def test_a_check_of_a_kernel_is_told_where_nothing_else_of_the_run_is_left() -> None:
    order = "Check failed (all_contiguous || all_channels_last): 3 input tensors have different dim orders"
    above, below = (
        f"[tensor_util_portable.cpp:140] {order}\n",
        "[op_sum.cpp:40] Check failed (tensors_have_same_dim_order(in, out)): \n",
    )
    report = read(above + below)
    (finding,) = report.findings
    assert [(run.first_line, run.last_line, run.status, run.stage) for run in report.runs] == [
        (1, 2, "failed", "execute")
    ]
    assert (finding.rule, finding.title) == (
        "operator-failed",
        "The kernel sum rejected its arguments: tensors in two memory formats",
    )
    assert "one memory format" in finding.advice
    assert read(above).findings[0].title == "A kernel rejected its arguments: tensors in two memory formats"
    rank = "E [executorch:tensor_util.h:617 tensor_is_rank()] Check failed (static_cast<size_t>(t.dim()) == rank): Expected tensor.dim() to be 4, but got 3\n"
    assert read(rank).findings[0].title == "A kernel rejected its arguments: a tensor of 3 dimensions where it takes 4"
    cause = "Attempted to change the tensor rank which is immutable: old=4, new=3"
    (finding,) = read(
        f"[op_any.cpp:20] {cause}\n[op_any.cpp:70] Check failed (resize_tensor(out, in.sizes()) == Error::Ok): \n"
    ).findings
    assert (
        finding.detail == "Check failed (resize_tensor(out, in.sizes()) == Error::Ok)."
    )  # what has no mark of an error is not kept
    errors = f"E [executorch:tensor_impl.cpp:90 resize()] {cause}\nE [executorch:op_any.cpp:70 any()] Check failed (error == Error::Ok): \n"
    assert f"Above it: {cause}." in read(errors).findings[0].detail
    assert not read("[health.cpp:12] Check failed (retrying): no answer\n[app.h:1] Check failed: a == b\n").runs


def test_a_kernel_that_refused_and_was_survived_fails_no_run() -> None:
    check = "E 00:00:00.320521 executorch:tensor_util.h:487] Check failed (t.scalar_type() == dtype): Expected to find Float type, but tensor has type Half\n"
    through = (
        "I 00:00:00.900000 executorch:executor_runner.cpp:300] Model executed successfully 1 time(s) in 20.5 ms.\n"
    )
    report = read("I 00:00:00.000100 executorch:executor_runner.cpp:91] Using method forward\n" + check + through)
    assert [run.status for run in report.runs] == ["passed"]


def test_a_backend_that_could_not_begin_is_told_without_a_prefix_and_a_status() -> None:
    report = read("Init failed for backend ArmBackend\n")
    assert (report.runs[0].status, report.findings[0].rule) == ("failed", "method-load-failed")
    assert report.findings[0].title == "The backend ArmBackend could not load its part of the program"
    assert not read("Init failed for backend storage\nsays Init failed for backend ArmBackend\n").runs


@pytest.mark.parametrize(("count", "said"), [("7", "7 instructions"), ("1", None), ("zd", None)])
def test_a_missing_kernel_says_how_many_instructions_ask_for_it(count: str, said: str | None) -> None:
    log = "E executorch:method.cpp:819] Missing operator: [3] aten::linear.out\n"
    log += (
        f"E executorch:method.cpp:1125] There are {count} instructions don't have corresponding operator registered\n"
    )
    first = read(log).findings[0]
    assert (first.rule, "instructions" in first.detail) == ("missing-operator", said is not None)
    assert said is None or (said in first.detail and first.lines == (1, 2))


@pytest.mark.parametrize(
    ("said", "quantised"),
    [
        ("input->type != output->type (1 != 9)", True),
        ("input->type != kTfLiteInt8 (FLOAT32 != INT8)", True),
        ("input->type == kTfLiteFloat32 || input->type == kTfLiteInt8 was not true.", True),
        ("input->type != kTfLiteFloat32 (INT8 != FLOAT32)", False),
        ("coords->type != kTfLiteInt32 (4 != 2)", False),
        ("lookup->type == kTfLiteInt32 was not true.", False),
    ],
)
def test_quantising_a_model_mends_types_of_weights_and_no_index(said: str, quantised: bool) -> None:
    log = f"kernels/a.cc:98 {said}\nNode A (number 3f) failed to prepare with status 1\n"
    first = read(log).findings[0]
    assert first.rule == "operator-failed" and said.rstrip(".") in first.detail
    assert ("integer quantisation" in first.advice) is quantised
