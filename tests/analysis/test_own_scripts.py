"""A script of one's own that calls the export, the quantiser or the lowering in a wrong way: what it did, and what to write instead."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

OWN = (
    "Traceback (most recent call last):\n"
    '  File "/w/net/export_net.py", line 41, in <module>\n'
    "    main()\n"
    '  File "/w/net/export_net.py", line 36, in main\n'
    "    step(model)\n"
)
"""The end of a traceback that never left the script."""
ARM = '  File "/opt/env/lib/python3.11/site-packages/executorch/backends/arm/tosa/backend.py", line 310, in _preprocess\n    visit(node)\n'
TORCHAO = '  File "/opt/env/lib/python3.11/site-packages/torchao/quantization/pt2e/quantize_pt2e.py", line 120, in prepare_pt2e\n    prepare(model)\n'
EXPORT = (
    '  File "/opt/env/lib/python3.11/site-packages/torch/export/_trace.py", line 900, in _export\n    trace(model)\n'
)
EXIR = '  File "/opt/env/lib/python3.11/site-packages/executorch/exir/program/_program.py", line 1200, in to_edge_transform_and_lower\n    lower(program)\n'


@pytest.mark.parametrize(
    ("frames", "said", "rule", "in_title", "in_advice"),
    [
        (TORCHAO, "AttributeError: 'ExportedProgram' object has no attribute 'meta'", "not-exported", "its module", "exported.module("),
        (TORCHAO, "AttributeError: 'Net' object has no attribute 'meta'", "not-exported", "Net", "torch.export.export("),
        (EXIR, "AttributeError: 'Net' object has no attribute 'run_decompositions'", "not-exported", "given a Net", "torch.export.export("),
        (
            ARM, "AttributeError: 'functools._lru_cache_wrapper' object has no attribute 'get_output_act_qspec'",
            "quantiser-configuration", "quantisation configuration", "with the parentheses",
        ),
        (ARM, "AttributeError: 'str' object has no attribute '_to_list'", "compile-specification", "a str", "EthosUCompileSpec("),
        ("", "AttributeError: 'EdgeProgramManager' object has no attribute 'buffer'", "step-left-out", "to_executorch()", "edge.to_executorch()"),
        ("", "AttributeError: 'ExportedProgram' object has no attribute 'to_executorch'", "step-left-out", "not lowered", "to_edge_transform_and_lower("),
        ("", "TypeError: a bytes-like object is required, not 'ExecutorchProgramManager'", "step-left-out", "not bytes", "program.buffer"),
        (
            EXIR, "AssertionError: Failed to map a given dim_order: [0, 2, 1] to a torch.memory_format\n\nWhile executing %aten__to_copy_default : [num_users=1]",
            "memory-format", "[0, 2, 1]", ".contiguous()",
        ),
        (EXIR, "NotImplementedError: No registered serialization name for <class 'torch.return_types.topk'> found. Please update", "output-type", "topk", "return values, indices"),
        (EXIR, "executorch.exir.error.InternalError: Failed with error: Returning label is not yet supported in the emitter.", "output-type", "label", "tensors only"),
        (EXIR, "AssertionError: graph_output_allocated not set", "output-type", "no tensor", "forward()"),
        (EXPORT, 'NotImplementedError: Module [Net] is missing the required "forward" function', "model-type", "Net", "forward(self, x)"),
        (EXPORT, "RuntimeError: .numpy() is not supported for tensor subclasses.", "numpy-in-model", "NumPy", "PyTorch's"),
        (EXPORT, "RuntimeError: Input type (double) and bias type (float) should be the same", "dtype", "double and float", "x.float()"),
        (EXPORT, "RuntimeError: Input type (float) and bias type (c10::Half) should be the same", "dtype", "float and c10::Half", "x.float()"),
        (EXPORT, "RuntimeError: Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same", "devices-mixed", "cuda.FloatTensor", ".cpu()"),
        (EXPORT, "RuntimeError: Input type (torch.cuda.HalfTensor) and weight type (torch.cuda.FloatTensor) should be the same", "dtype", "cuda.HalfTensor", ".float()"),
        ("", "AttributeError: 'ExportedProgram' object has no attribute 'eval'", "exported-mode", ".eval()", "before torch.export"),
        (EXIR, "AttributeError: 'EdgeProgramManager' object has no attribute 'run_decompositions'", "not-exported", "lowered already", "once"),
        (EXPORT, "ValueError: Exporting a ScriptModule is not supported. Maybe", "model-type", "TorchScript", "before torch.jit"),
        (EXPORT, "ValueError: Unsupported input type <class 'numpy.ndarray'>. Export only supports pytree containers of basic types", "input-type", "ndarray", "from_numpy"),
        (TORCHAO, "Exception: calculate_qparams should not be called for PlaceholderObserver", "quantiser-configuration", "dynamically", "is_dynamic"),
        (TORCHAO, "AttributeError: 'Conv2d' object has no attribute 'qconfig'", "not-exported", "Conv2d", "torch.export.export("),
        ("", "AttributeError: module 'torch.export' has no attribute 'export_for_training'", "release-mismatch", "export_for_training", ".module()"),
        ("", "ModuleNotFoundError: No module named 'executorch.backends.arm.arm_partitioner'", "release-mismatch", "before 1.0", "EthosUPartitioner"),
        ("", "AttributeError: module 'torch.nn' has no attribute 'Linera'", "release-mismatch", "Linera", "typing error"),
        (EXIR, "TypeError: 'EthosUPartitioner' object is not iterable", "partitioner-list", "a list of them", "[EthosUPartitioner(spec)]"),
        (TORCHAO, "AssertionError: incoming model must be produced by prepare_fx", "step-left-out", "prepare_pt2e", "calibrate"),
        (TORCHAO, "AttributeError: 'NoneType' object has no attribute 'transform_for_annotation'", "quantiser-configuration", "NoneType", "EthosUQuantizer(spec)"),
        (TORCHAO, "AttributeError: 'tuple' object has no attribute 'numel'", "calibration-inputs", "a tuple", "prepared(*inputs)"),
        ("", "AttributeError: 'collections.OrderedDict' object has no attribute 'eval'", "model-type", "state_dict", "load_state_dict"),
        (
            ARM, "ethosu.vela.errors.CliOptionError: 'Error: Incorrect argument to CLI option --system-config=Shared_Sram: Section System_Config.Shared_Sram not found'",
            "vela-option", "swapped", "memory_mode=",
        ),
        ("", "TypeError: get_symmetric_quantization_config() got an unexpected keyword argument 'per_channel'", "release-mismatch", "per_channel", "help("),
        ("", "ImportError: cannot import name 'EthosuPartitioner' from 'executorch.backends.arm.ethosu' (/a/b.py)", "release-mismatch", "EthosuPartitioner", "typing error"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_told(frames: str, said: str, rule: str, in_title: str, in_advice: str) -> None:
    (found,) = [f for f in read_capture("x", f"{OWN}{frames}{said}\n".encode()).findings if f.severity == "error"]
    assert found.rule == rule and in_title in found.title and in_advice in found.advice


@pytest.mark.parametrize(
    "said",
    [
        "AttributeError: 'tuple' object has no attribute 'numel'",
        "AttributeError: 'Shop' object has no attribute 'run_decompositions'",
        "TypeError: a bytes-like object is required, not 'Shop'",
        "NotImplementedError: Backend redis was not found",
        "TypeError: 'HashPartitioner' object is not iterable",
        "AttributeError: 'str' object has no attribute '_to_list'",
        "AttributeError: 'dict' object has no attribute 'input_activation'",
        "AttributeError: 'Shop' object has no attribute 'qconfig'",
        "ValueError: Unsupported type: torch.float16",
        "ValueError: column: Expected all tensors to have dtype a, but found inconsistent dtype b",
        "AssertionError: 1.0foo doesn't support float",
    ],
)
def test_other_programs_have_such_errors_of_their_own(said: str) -> None:
    assert read_capture("x", f"{OWN}{said}\n".encode()).findings == ()


@pytest.mark.parametrize(
    "said", ["AttributeError: 'tuple' object has no attribute 'numel'", "ValueError: Unsupported type: torch.float16"]
)
def test_what_a_training_script_does_is_not_laid_to_the_compile(said: str) -> None:
    """PyTorch is in the traceback, and the part of a compile that says so is not."""
    frames = '  File "/opt/env/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1750, in _call_impl\n    return forward_call(*args)\n'
    (found,) = read_capture("x", f"{OWN}{frames}{said}\n".encode()).findings
    assert found.rule == "compile-failed"


def test_letters_that_another_program_was_given() -> None:
    said = "usage: pack [-h]\npack: error: unrecognized arguments: - a b c\n"
    assert "vela-option" not in [f.rule for f in read_capture("x", said.encode()).findings]


@pytest.mark.parametrize("target", ["ethos-u55", "ethos-u85", "ethos-u55-512"])
def test_a_target_that_only_vela_looks_at(target: str) -> None:
    said = f"vela: error: argument --accelerator-config: invalid choice: '{target}' (choose from 'ethos-u55-32', 'ethos-u85-2048')\n"
    (found,) = read_capture("x", f"usage: vela [--accelerator-config]\n{said}".encode()).findings
    assert found.rule == "target-unknown" and target in found.title and "ethos-u55-128" in found.advice


def test_flags_for_vela_that_are_no_list() -> None:
    said = "vela: error: unrecognized arguments: - o p t i m i s e = S i z e /tmp/a/out.tosa\n"
    (found,) = read_capture("x", said.encode()).findings
    assert (
        found.title == "Vela got an option cut into single letters: - o p t i m i s e = S i z e"
        and "a list" in found.advice
    )


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("AssertionError: TOSA-0.80.0+BI+u55 doesn't support float", "float-in-integers"),
        ("RuntimeError: No quantized node found in graph", "model-not-quantized"),
        ("ValueError: No input quantization parameter found in node aten_add_tensor\noriginal_aten=aten.add.Tensor", "partly-quantised"),
        ("ValueError: aten.minimum.default: Expected all tensors to have dtype INT8, but found inconsistent dtype INT32.", "operand-types"),
        ("ValueError: RewriteConvPass: No output quantization parameter found in node tosa_conv2d_default", "conv-not-quantised"),
        ("ValueError: Unsupported type: torch.float64", "dtype"),
        ("RuntimeError: Node b_mask has value > 2147483647", "operator-dtype"),
    ],
)  # fmt: skip
def test_what_releases_refuse_in_a_graph(said: str, rule: str) -> None:
    assert [f.rule for f in read_capture("x", f"{OWN}{ARM}{said}\n".encode()).findings] == [rule]


def test_a_tensor_without_dimensions_is_told_with_its_line() -> None:
    """The check that fails says nothing; what is said of the graph stands in the exception that came of it."""
    log = (
        f"{OWN}{EXIR}StopIteration\n\nThe above exception was the direct cause of the following exception:\n\n{OWN}{EXIR}"
        "executorch.exir.error.InternalError: \n\nWhile executing %tosa_const_shape_default : [num_users=1] = "
        "call_function[target=executorch.exir.dialects.backend._ops.tosa.CONST_SHAPE.default](args = ((),), kwargs = {})\n"
        'Original traceback:\nFile "/w/net/models/head.py", line 48, in forward\n    return self.fc(x).squeeze()\n'
    )
    first, second = read_capture("x", log.encode()).findings
    assert (first.rule, first.severity) == ("scalar-tensor", "error")
    assert first.title.endswith("head.py:48") and "squeeze(-1)" in first.advice
    assert second.severity == "info"


def test_a_file_of_another_framework_is_told_where_it_goes() -> None:
    said = "RuntimeError: Model 'net.tflite' is not a valid name. Use --help for a list of available models.\n"
    (found,) = read_capture("x", f"{OWN}{ARM}{said}".encode()).findings
    assert found.rule == "model-unknown" and "vela FILE" in found.advice
    (found,) = read_capture("x", f"{OWN}{ARM}{said.replace('tflite', 'onnx')}".encode()).findings
    assert "onnx2torch" in found.advice


def test_a_layer_with_more_inputs_than_any_npu_takes() -> None:
    said = "RuntimeError: Non-passthrough operation ({}) could not run on NPU\n"
    (found,) = read_capture("x", f"{OWN}{ARM}{said.format('Conv2D')}".encode()).findings
    assert "65536 inputs" in found.advice
    (found,) = read_capture("x", f"{OWN}{ARM}{said.format('Greater')}".encode()).findings
    assert "65536" not in found.advice
