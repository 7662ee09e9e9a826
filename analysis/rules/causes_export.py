"""What the export and the passes of the Arm backend refuse in a model, and packages that were built for another NumPy."""

from __future__ import annotations

from ..compiles.toolchains import NEWEST_LINE
from .causes import BORDER, Failure

_NUMPY = (
    "Install both anew, so that they fit: pip uninstall -y ethos-u-vela numpy, then `pip install --no-cache-dir ethos-u-vela==VERSION` in the version that this "
    "ExecuTorch release pins (examples/arm/setup.sh does)."
)

EXPORT_FAILURES: tuple[Failure, ...] = (
    Failure(
        "binary-mismatch",
        r"NumPy C API version mismatch\W{1,4}Build-time version: (?P<built>0x\w{1,8}), Run-time version: (?P<runs>0x\w{1,8})",
        "Vela's compiled part and NumPy differ: it was built for API {built}, and {runs} is installed",
        _NUMPY,
        ("ImportError: NumPy C API version mismatch\n(Build-time version: 0x10, Run-time version: 0xe)",),
    ),
    Failure(
        "binary-mismatch",
        r"NumPy C API version mismatch",
        "Vela's compiled part and the installed NumPy differ",
        _NUMPY,
        ("ImportError: NumPy C API version mismatch",),
    ),
    Failure(
        "operand-types",
        r"expected scalar type (?:torch\.)?(?P<wanted>\w{1,20}) but found (?:torch\.)?(?P<has>\w{1,20})\s{1,40}While executing %(?P<node>[\w.]{1,80})",
        "{node} gets {has} beside {wanted}: its inputs were not quantised alike",
        "Look at what feeds it (--debug prints the graph): quantise both inputs, or leave the module that holds it in float "
        "(quantizer.set_module_name(NAME, None)), and try a newer ExecuTorch, whose quantiser annotates more operators.",
        (
            "RuntimeError: expected scalar type torch.int8 but found torch.int32\nWhile executing %aten_bmm_default_1 = call_function[target=aten.bmm.default]",
        ),
    ),
    Failure(
        "conv-not-quantised",
        r"RewriteConvPass: No output quantization parameter found in node (?P<node>[\w.]{1,80})",
        "The output of the convolution {node} has no quantisation: the clamp behind it was not folded into it",
        f"It is a known fault that ExecuTorch 1.3 has the mend of (PR #18778): update, {NEWEST_LINE}, and compile again; "
        "until then try ReLU where ReLU6, Hardtanh or clamp stands behind that convolution.",
        ("ValueError: RewriteConvPass: No output quantization parameter found in node tosa_conv2d_default",),
    ),
    Failure(
        "data-dependent",
        r"Found (?P<symbol>\w{1,40}) in meta\[\"val\"\] of (?P<node>\w{1,80}), expected to find FakeTensor",
        "The model takes a number out of a tensor ({node} gives {symbol}), which the Arm backend cannot lower",
        "Replace .item(), .tolist(), int() or float() of a tensor by a constant or by torch.where, and export without dynamic shapes.",
        ('AssertionError: Found zuf38 in meta["val"] of _local_scalar_dense_2, expected to find FakeTensor',),
    ),
    Failure(
        "data-dependent",
        r"Expected a FakeTensor in meta\[\"val\"\] of (?:node )?(?P<node>\w{1,80}), but got (?P<kind>Sym\w{1,12}|int|float|bool)\b",
        "The model takes a number out of a tensor or of a shape ({node} gives a {kind}), which the Arm backend cannot lower",
        "Replace .item(), .tolist(), int() or float() of a tensor by a constant or by torch.where, and export without dynamic shapes.",
        ('TypeError: Expected a FakeTensor in meta["val"] of node sym_size_int_1, but got SymInt',),
    ),
    Failure(
        "attribute-mutated",
        r"Mutating module attribute (?P<name>[\w.]{1,80}) during export",
        "The model stores something in its attribute {name} while it runs, which cannot be exported",
        "Compute {name} once in __init__ (register_buffer), or return it from forward() instead of storing it; detection models that cache their "
        "anchors have a switch for export, for example model.model[-1].export = True.",
        ("AssertionError: Mutating module attribute anchors during export.",),
    ),
    Failure(
        "bundled-method",
        r"All method names in bundled config should be found in program\.execution_plan,\W{0,20}but \{?(?P<names>[^}\n]{1,200})\}? does not include",
        "The bundled inputs are for a method that the program does not have: {names}",
        "Give MethodTestSuite a method of the program (print([plan.name for plan in program.execution_plan]) lists them; most have only forward).",
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
        "output-size-differs",
        r"expand_factor=(?P<factor>\d{1,6}) elem_size=(?P<size>\d{1,4}) ScalarType::(?P<type>\w{1,20})",
        "An output of the NPU is {factor} times smaller than the {type} tensor that it is for",
        BORDER,
        ("expand_factor=4 elem_size=1 ScalarType::Float \u2192 Error::InvalidProgram",),
    ),
    Failure(
        "computed-weight",
        r"RuntimeError: unsupported param type, (?P<node>call_\w{1,20}|placeholder|get_attr|output)\b",
        "A pass of the backend wants a weight of the model, and finds a value that is computed ({node})",
        "Give the operator its weight as the parameter itself: what forward() does to it first (weight norm, .t(), a cast) is computed once, in __init__. "
        "For the Cortex-M backend take aten.linear out of preserve_ops; then try a newer ExecuTorch.",
        ("RuntimeError: unsupported param type, call_function.",),
    ),
    Failure(
        "operator-dtype",
        r"TosaValueError: (?:TOSA spec|Tosa spec) (?P<specification>\S{1,60}) doesn't support (?P<type>[^\n(]{1,60}?)(?: for (?P<of>\w{1,40}))?"
        r"(?: \(TOSA op: (?P<operator>\w{1,40})\))?[ .]*(?:\n|\Z)",
        "The target's TOSA specification, {specification}, has no {type} ({of}{operator})",
        "Quantise that operator to a type that the target takes: int8 on every Ethos-U, int16 with a specification that has +int16; floating point "
        "stays on the CPU, so find out why it was not quantised (calibrate, and quantise all operators), or keep it out of the delegate.",
        (
            "executorch.backends.arm.tosa.dialect.lib.TosaValueError: TOSA spec TOSA-1.0+INT doesn't support float (TOSA op: MATMUL)",
            "TosaValueError: TOSA spec TOSA-1.0+INT doesn't support int16 for CONV2D",
        ),
    ),
    Failure(
        "release-mismatch",
        r"TypeError: (?P<called>\w{1,50}(?:Quantizer|Partitioner)) constructor expects an? (?P<wanted>[^\n]{1,80}?), got <class '(?P<given>[\w.]{1,160})'>",
        "The script gives {called} an argument of another release: {given}",
        "The compile specifications have changed with ExecuTorch 1.0 (EthosUCompileSpec(target), which goes to EthosUQuantizer and EthosUPartitioner as "
        "it is; before it ArmCompileSpecBuilder(), and a list): write the script as the examples of the installed release do.",
        (
            "TypeError: TOSAQuantizer constructor expects a TosaSpecification or compile_spec list, got <class 'list'>",
        ),
    ),
    Failure(
        "target-unknown",
        r"(?:Unknown ethos target:?|Invalid target name|argument -t/--target: invalid choice:) '?(?P<target>ethos-u(?:55-(?!(?:32|64|128|256)\b)|"
        r"65-(?!(?:256|512)\b)|85-(?!(?:128|256|512|1024|2048)\b))\d{1,5})\b",
        "There is no NPU {target}",
        "Name the NPU of your chip or FVP, for example ethos-u55-128: the number counts MACs, of which an Ethos-U55 has 32, 64, 128 or 256, an Ethos-U65 256 or 512, "
        "an Ethos-U85 128, 256, 512, 1024 or 2048.",
        (
            "RuntimeError: Unknown ethos target: ethos-u85-4096",
            "SystemExit: aot_arm_compiler.py: error: argument -t/--target: invalid choice: 'ethos-u55-512' (choose from 'ethos-u55-32', 'ethos-u65-256')",
        ),
    ),
    Failure(
        "model-unknown",
        r"Model '(?P<name>[^'\n]{1,100}\.pt2)' is not a valid name",
        "ExecuTorch's script takes no exported program ({name})",
        "Give it the model that was exported: a .py file that ends with ModelUnderTest and ModelInputs, or a .pt with --model_input. ethosu-tui compile takes a .pt2, "
        "and so does a script of your own: torch.export.load(FILE).",
        ("RuntimeError: Model 'net.pt2' is not a valid name. Use --help for a list of available models.",),
    ),
    Failure(
        "missing-out-variants",
        r"Missing out variants:\s{0,4}\{?\s{0,20}(?P<names>'(?!quantized_decomposed::|cortex_m::|aten::|torchao::|dim_order_ops::)[\w.]{1,80}::[^'\n]{1,100}'"
        r"(?:,\s{0,20}'[^'\n]{1,100}'){0,20})",
        "Operators without an out variant remain: {names}",
        "An operator of one's own needs a second form that writes into out (name.out, with Tensor(a!) out), registered in Python or by the library that --so_library "
        "names, and a kernel in the runner; those of torchvision (nms, roi_align) have none: take them out of the model.",
        (
            "RuntimeError: Missing out variants: {'mylib::custom'}.",
            "RuntimeError: Missing out variants: {\n    'mylib::a',\n    'mylib::b',\n}",
        ),
    ),
    Failure(
        "target-unknown",
        r"(?:Unsupported Cortex-M target string: '?|Cortex-M target string must start with 'cortex-m', got: '?)(?P<target>[\w+.-]{1,60})",
        "The target {target} is not known to this ExecuTorch",
        "Write the core as the message lists it, in lower case, for example cortex-m55.",
        (
            "ValueError: Unsupported Cortex-M target string: 'cortex-m99'. Supported: ['cortex-m0', 'cortex-m55']",
            "ValueError: Cortex-M target string must start with 'cortex-m', got: 'm55'",
        ),
    ),
    Failure(
        "aot-options",
        r"(?P<reason>--[\w-]{1,40} requires --\w[^\n]{0,160}|compile spec doesn't target any Arm (?:Partitioner|Quantizer)|"
        r"No pass pipeline found for TOSA specification[^\n]{0,80})",
        "The options do not go together: {reason}",
        "Give what it asks for, or leave the option out; a TOSA specification is best left to the target's compile specification (EthosUCompileSpec).",
        (
            "RuntimeError: --calibration_data requires --quantize to be enabled.",
            "RuntimeError: --evaluate requires --quantize, --intermediates and --delegate to be enabled.",
            "ValueError: compile spec doesn't target any Arm Partitioner",
        ),
    ),
    Failure(
        "pass-failed",
        r"An error occurred when running the '(?P<name>\w{1,100})' pass after the following passes",
        "A pass over the graph failed: {name}",
        "The exception above it says why; it is of ExecuTorch's Arm backend, not of Vela. Try the newest release, and compile in halves to find the layer "
        "that it stumbles over, which can be replaced or kept out of the delegate.",
        ("Exception: An error occurred when running the 'DecomposeGroupNormPass' pass after the following passes: ['RemoveNoopPass']",),
        1,
    ),
)  # fmt: skip
"""A part of `AOT_FAILURES`, before its rows for what Python raises."""
