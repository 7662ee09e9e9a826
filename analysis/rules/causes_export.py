"""What the export and the passes of the Arm backend refuse in a model, and packages that were built for another NumPy."""

from __future__ import annotations

from ..compiles.toolchains import NEWEST_LINE
from .causes import BORDER, Failure

_NUMPY = (
    "Reinstall both so that they match: pip uninstall -y ethos-u-vela numpy, then `pip install --no-cache-dir ethos-u-vela==VERSION` in the "
    "version that this ExecuTorch release pins (examples/arm/setup.sh does)."
)

EXPORT_FAILURES: tuple[Failure, ...] = (
    Failure(
        "nothing-computed",
        r"^KeyError: 'op_type'",
        "The exported program holds no operator, so there is nothing to delegate or to run",
        "Let forward() compute its result from tensors that it is given, and return that: it returns None, a constant or an input as it is, or its inputs "
        "are no tensors.",
        ("KeyError: 'op_type'",),
        raised_in=("devtools",),
    ),
    Failure(
        "binary-mismatch",
        r"NumPy C API version mismatch\W{1,4}Build-time version: (?P<built>0x\w{1,8}), Run-time version: (?P<runs>0x\w{1,8})",
        "Vela's compiled module does not match NumPy: built for API {built}, {runs} is installed",
        _NUMPY,
        ("ImportError: NumPy C API version mismatch\n(Build-time version: 0x10, Run-time version: 0xe)",),
    ),
    Failure(
        "binary-mismatch",
        r"NumPy C API version mismatch",
        "Vela's compiled module does not match the installed NumPy",
        _NUMPY,
        ("ImportError: NumPy C API version mismatch",),
    ),
    Failure(
        "operand-types",
        r"expected scalar type (?:torch\.)?(?P<wanted>\w{1,20}) but found (?:torch\.)?(?P<has>\w{1,20})\s{1,40}While executing %(?P<node>[\w.]{1,80})",
        "{node} gets {has} together with {wanted}: its inputs were quantised differently",
        "Quantise both of its inputs (--debug prints the graph), or leave the module that contains it in float (quantizer.set_module_name(NAME, "
        "None)), and try a newer ExecuTorch, whose quantiser annotates more operators.",
        (
            "RuntimeError: expected scalar type torch.int8 but found torch.int32\nWhile executing %aten_bmm_default_1 = call_function[target=aten.bmm.default]",
        ),
    ),
    Failure(
        "conv-not-quantised",
        r"RewriteConvPass: No output quantization parameter found in node (?P<node>[\w.]{1,80})",
        "The output of the convolution {node} is not quantised: the clamp after it was not folded in",
        f"Update, {NEWEST_LINE}, and compile again: this is a known bug, fixed in ExecuTorch 1.3 (PR #18778). Until then try ReLU in place of "
        "ReLU6, Hardtanh or clamp after that convolution.",
        ("ValueError: RewriteConvPass: No output quantization parameter found in node tosa_conv2d_default",),
    ),
    Failure(
        "data-dependent",
        r"Found (?P<symbol>\w{1,40}) in meta\[\"val\"\] of (?P<node>\w{1,80}), expected to find FakeTensor",
        "The model reads a number out of a tensor ({node} gives {symbol}), which the Arm backend cannot lower",
        "Replace .item(), .tolist(), int() or float() on a tensor with a constant or torch.where, and export without dynamic shapes.",
        ('AssertionError: Found zuf38 in meta["val"] of _local_scalar_dense_2, expected to find FakeTensor',),
    ),
    Failure(
        "data-dependent",
        r"Expected a FakeTensor in meta\[\"val\"\] of (?:node )?(?P<node>\w{1,80}), but got (?P<kind>Sym\w{1,12}|int|float|bool)\b",
        "The model reads a number out of a tensor or a shape ({node} gives a {kind}), which the Arm backend cannot lower",
        "Replace .item(), .tolist(), int() or float() on a tensor with a constant or torch.where, and export without dynamic shapes.",
        ('TypeError: Expected a FakeTensor in meta["val"] of node sym_size_int_1, but got SymInt',),
    ),
    Failure(
        "attribute-mutated",
        r"Mutating module attribute (?P<name>[\w.]{1,80}) during export",
        "The model writes to its attribute {name} while it runs, which cannot be exported",
        "Compute {name} once in __init__ (register_buffer), or return it from forward() instead of storing it; detection models that cache their "
        "anchors have an export switch, for example model.model[-1].export = True.",
        ("AssertionError: Mutating module attribute anchors during export.",),
    ),
    Failure(
        "bundled-method",
        r"All method names in bundled config should be found in program\.execution_plan,\W{0,20}but \{?(?P<names>[^}\n]{1,200})\}? does not include",
        "The bundled inputs are for a method that the program does not have: {names}",
        "Give MethodTestSuite a method that the program has (print([plan.name for plan in program.execution_plan]) lists them; most have only "
        "forward).",
        (
            "AssertionError: All method names in bundled config should be found in program.execution_plan,          but {'MISSING'} does not include.",
        ),
    ),
    Failure(
        "bundled-inputs",
        r"AssertionError: The (?:input|label|\d{1,4}-th expected output)\b[\s\S]{0,900}?\bshall be (?P<meant>[^\n,]{1,60}), but now is (?P<given>[^\n]{1,60})|"
        r"The number of input in each bundled set and Program shall equal, but get (?P<wanted>\d{1,4}) and (?P<number>\d{1,4})",
        "The values that were to be bundled do not fit the program: it takes {meant}{wanted}, and {given}{number} was given",
        "Make the MethodTestCase of the example inputs that the model was exported with, all of them, in their order and of their types; the outputs of the model itself "
        "are what is expected.",
        (
            "AssertionError: The input tensor tensor([[1, 2],\n        [3, 4]], dtype=torch.int32) dtype shall be torch.float32, but now is torch.int32",
            "AssertionError: The number of input in each bundled set and Program shall equal, but get 2 and 1",
        ),
    ),
    Failure(
        "bundled-inputs",
        r"AssertionError: The type of input [^\n]{1,200}? with type <class '(?P<type>[\w.]{1,80})'> is not supported",
        "An input that was to be bundled is of type {type}",
        "Give MethodTestCase tensors, numbers and booleans only, in the order of the example inputs.",
        ("AssertionError: The type of input a with type <class 'str'> is not supported.",),
    ),
    Failure(
        "output-size-differs",
        r"expand_factor=(?P<factor>\d{1,6}) elem_size=(?P<size>\d{1,4}) ScalarType::(?P<type>\w{1,20})",
        "An output of the NPU is {factor} times smaller than the {type} tensor it is written to",
        BORDER,
        ("expand_factor=4 elem_size=1 ScalarType::Float \u2192 Error::InvalidProgram",),
    ),
    Failure(
        "computed-weight",
        r"RuntimeError: unsupported param type, (?P<node>call_\w{1,20}|placeholder|get_attr|output)\b",
        "A backend pass expects a weight of the model and finds a computed value ({node})",
        "Pass the operator its weight as the parameter itself: compute what forward() does to it first (weight norm, .t(), a cast) once, in "
        "__init__. For the Cortex-M backend remove aten.linear from preserve_ops; then try a newer ExecuTorch.",
        ("RuntimeError: unsupported param type, call_function.",),
    ),
    Failure(
        "operator-dtype",
        r"TosaValueError: (?:TOSA spec|Tosa spec) (?P<specification>\S{1,60}) doesn't support (?P<type>[^\n(]{1,60}?)(?: for (?P<of>\w{1,40}))?"
        r"(?: \(TOSA op: (?P<operator>\w{1,40})\))?[ .]*(?:\n|\Z)",
        "The target's TOSA specification, {specification}, has no {type} ({of}{operator})",
        "Quantise that operator to a type that the target supports: int8 on every Ethos-U, int16 with a specification that has +int16. Floating "
        "point stays on the CPU, so find out why it was not quantised (calibrate, and quantise all operators), or keep it out of the delegate.",
        (
            "executorch.backends.arm.tosa.dialect.lib.TosaValueError: TOSA spec TOSA-1.0+INT doesn't support float (TOSA op: MATMUL)",
            "TosaValueError: TOSA spec TOSA-1.0+INT doesn't support int16 for CONV2D",
        ),
    ),
    Failure(
        "release-mismatch",
        r"TypeError: (?P<called>\w{1,50}(?:Quantizer|Partitioner)) constructor expects an? (?P<wanted>[^\n]{1,80}?), got <class '(?P<given>[\w.]{1,160})'>",
        "The script gives {called} an argument from another release: {given}",
        "Write the script as the examples of the installed release do: compile specifications changed in ExecuTorch 1.0 "
        "(EthosUCompileSpec(target), passed as it is to EthosUQuantizer and EthosUPartitioner; before that ArmCompileSpecBuilder(), and a list).",
        (
            "TypeError: TOSAQuantizer constructor expects a TosaSpecification or compile_spec list, got <class 'list'>",
        ),
    ),
    Failure(
        "target-unknown",
        r"(?:Unknown ethos target:?|Invalid target name|argument -t/--target: invalid choice:) '?(?P<target>ethos-u(?:55-(?!(?:32|64|128|256)\b)|"
        r"65-(?!(?:256|512)\b)|85-(?!(?:128|256|512|1024|2048)\b))\d{1,5})\b",
        "There is no NPU called {target}",
        "Name the NPU of your chip or FVP, for example ethos-u55-128: the number is its MACs, of which an Ethos-U55 has 32, 64, 128 or 256, an "
        "Ethos-U65 256 or 512, an Ethos-U85 128, 256, 512, 1024 or 2048.",
        (
            "RuntimeError: Unknown ethos target: ethos-u85-4096",
            "SystemExit: aot_arm_compiler.py: error: argument -t/--target: invalid choice: 'ethos-u55-512' (choose from 'ethos-u55-32', 'ethos-u65-256')",
        ),
    ),
    Failure(
        "model-unknown",
        r"Model '(?P<name>[^'\n]{1,100}\.pt2)' is not a valid name",
        "ExecuTorch's script does not accept an exported program ({name})",
        "Give it the model before export: a .py file that ends with ModelUnderTest and ModelInputs, or a .pt with --model_input. ethosu-tui "
        "compile takes a .pt2, and your own script can load it: torch.export.load(FILE).",
        ("RuntimeError: Model 'net.pt2' is not a valid name. Use --help for a list of available models.",),
    ),
    Failure(
        "model-unknown",
        r"Model '(?P<name>[^'\n]{1,100}\.(?:onnx|h5|keras|pb|tf|safetensors))' is not a valid name",
        "ExecuTorch's script compiles PyTorch models, and {name} is none",
        "Give it the model in PyTorch: a .py file that ends with ModelUnderTest and ModelInputs, which may load weights or convert the file (onnx2torch for "
        "ONNX). A TensorFlow model becomes a .tflite for Vela and TensorFlow Lite Micro instead.",
        ("RuntimeError: Model 'net.onnx' is not a valid name. Use --help for a list of available models.",),
    ),
    Failure(
        "model-unknown",
        r"Model '(?P<name>[^'\n]{1,100}\.tflite)' is not a valid name",
        "ExecuTorch's script compiles PyTorch models, and {name} is a TensorFlow Lite file",
        "Compile it with Vela itself, for a runner of TensorFlow Lite Micro: vela FILE --accelerator-config ethos-u55-128. For ExecuTorch give the model in "
        "PyTorch: a .py file that ends with ModelUnderTest and ModelInputs.",
        ("RuntimeError: Model 'net.tflite' is not a valid name. Use --help for a list of available models.",),
    ),
    Failure(
        "missing-out-variants",
        r"Missing out variants:\s{0,4}\{?\s{0,20}(?P<names>'(?!quantized_decomposed::|cortex_m::|aten::|torchao::|dim_order_ops::)[\w.]{1,80}::[^'\n]{1,100}'"
        r"(?:,\s{0,20}'[^'\n]{1,100}'){0,20})",
        "Operators without an out variant remain: {names}",
        "Give a custom operator a second form that writes into out (name.out, with Tensor(a!) out), registered in Python or by the library that "
        "--so_library names, and a kernel in the runner; take torchvision's operators (nms, roi_align), which have none, out of the model.",
        (
            "RuntimeError: Missing out variants: {'mylib::custom'}.",
            "RuntimeError: Missing out variants: {\n    'mylib::a',\n    'mylib::b',\n}",
        ),
    ),
    Failure(
        "target-unknown",
        r"(?:Unsupported Cortex-M target string: '?|Cortex-M target string must start with 'cortex-m', got: '?)(?P<target>[\w+.-]{1,60})",
        "This ExecuTorch does not know the target {target}",
        "Write the core as the message lists it, in lower case: cortex-m55, for example.",
        (
            "ValueError: Unsupported Cortex-M target string: 'cortex-m99'. Supported: ['cortex-m0', 'cortex-m55']",
            "ValueError: Cortex-M target string must start with 'cortex-m', got: 'm55'",
        ),
    ),
    Failure(
        "aot-options",
        r"(?P<reason>--[\w-]{1,40} requires --\w[^\n]{0,160}|compile spec doesn't target any Arm (?:Partitioner|Quantizer)|"
        r"No pass pipeline found for TOSA specification[^\n]{0,80}|Unknown evaluator:? \S{1,60}|"
        r"(?:External Vela block placements|Unsupported external Vela blocks|Invalid external Vela placement)[^\n]{0,160})",
        "The options cannot be combined: {reason}",
        "Add what it asks for, or leave the option out; a TOSA specification is best left to the target's compile specification (EthosUCompileSpec).",
        (
            "RuntimeError: --calibration_data requires --quantize to be enabled.",
            "RuntimeError: --evaluate requires --quantize, --intermediates and --delegate to be enabled.",
            "ValueError: compile spec doesn't target any Arm Partitioner",
            "RuntimeError: Unknown evaluator mv9",
            "ValueError: Unsupported external Vela blocks: ['scratch']",
        ),
    ),
    Failure(
        "pass-failed",
        r"An error occurred when running the '(?P<name>\w{1,100})' pass after the following passes",
        "A graph pass failed: {name}",
        "Read the exception above it for the reason; it comes from ExecuTorch's Arm backend, not from Vela. Try the newest release, and compile "
        "in halves to find the layer it fails on, then replace it or keep it out of the delegate.",
        ("Exception: An error occurred when running the 'DecomposeGroupNormPass' pass after the following passes: ['RemoveNoopPass']",),
        1,
    ),
)  # fmt: skip
"""A part of `AOT_FAILURES`, before its rows for what Python raises."""
