"""What the Arm backend of any release refuses in a graph: values that were not quantised, types, ranks, and layers in a form that it has no TOSA for."""

from __future__ import annotations

from .causes import Failure

_BOTH_SIDES = (
    "Quantise the whole model (quantizer.set_global, calibrated with some inputs), or leave the module that contains it in float as a whole "
    "(quantizer.set_module_name(NAME, None)): the partitioner took an operator of which only one side is quantised. Then try the newest release, whose "
    "quantiser annotates more operators."
)

GRAPH_FAILURES: tuple[Failure, ...] = (
    Failure(
        "partly-quantised",
        r"(?<!RewriteConvPass: )No (?P<side>input|output) quantization parameter found in node (?P<node>[\w.]{1,100})",
        "The {side} of {node} is not quantised, and the other side is",
        _BOTH_SIDES,
        (
            "ValueError: No input quantization parameter found in node aten_add_tensor\noriginal_aten=None",
            "ValueError: No output quantization parameter found in node tosa_matmul_default original_aten=aten.bmm.default",
        ),
    ),
    Failure(
        "partly-quantised",
        r"Did not find QuantArgs (?:down|up)stream for node (?P<node>[\w.]{1,100})|Both inputs needs to have quantization information for (?P<other>[\w.]{1,100})|"
        r"Op (?P<op>[\w.]{1,100}) is not a quant node|Encountered a op, (?P<passed>[\w.]{1,100}), in passable_ops with different QuantArgs",
        "{node}{other}{op}{passed} has sides that are quantised differently, or not at all",
        _BOTH_SIDES,
        (
            "AssertionError: Did not find QuantArgs upstream for node aten_view_copy_default",
            "AssertionError: Both inputs needs to have quantization information for aten_minimum_default",
            "AssertionError: Op aten_relu_default is not a quant node.",
        ),
    ),
    Failure(
        "partly-quantised",
        r"(?:RuntimeError|AssertionError): (?:Mixed quantized and non-quantized inputs/outputs not supported|Input qparams does not match!|"
        r"Cannot merge qparams of different dtypes: (?P<one>[\w.]{1,40}) vs (?P<two>[\w.]{1,40})|Both inputs must have same quantization for (?P<of>\w{1,20})|"
        r"Node (?P<node>[\w.]{1,100}) needs same quantization parameters on all inputs and outputs)",
        "The inputs of an operator are quantised differently: {node}{of} {one} {two}",
        _BOTH_SIDES,
        (
            "RuntimeError: Mixed quantized and non-quantized inputs/outputs not supported.",
            "RuntimeError: Input qparams does not match!",
            "RuntimeError: Cannot merge qparams of different dtypes: torch.int8 vs torch.int16",
            "AssertionError: Both inputs must have same quantization for MAX",
        ),
    ),
    Failure(
        "operand-types",
        r"(?P<operator>aten\.[\w.:]{1,100}): Expected all tensors to have dtype (?P<one>[\w.]{1,30}), but found inconsistent dtype (?P<two>[\w.]{1,30}?)\.?(?:\n|\Z)",
        "{operator} gets {one} together with {two}, which TOSA does not allow",
        "Quantise all of its inputs, or convert one of them in the model (x.to(y.dtype)): int64 and int32 come from indices, argmax and constants, floating "
        "point from what the quantiser left out (--debug prints the graph).",
        ("ValueError: aten.minimum.default: Expected all tensors to have dtype INT8, but found inconsistent dtype INT32.",),
    ),
    Failure(
        "operand-types",
        r"ValueError: All (?:inputs|outputs)(?: and outputs?)? need(?: the)? same dtype\. ?Got (?P<types>[^\n]{0,40}\.dtype\b[^\n]{1,120})",
        "An operator gets tensors of different types, which TOSA does not allow: {types}",
        "Quantise all of its inputs, or convert one of them in the model (x.to(y.dtype)): int64 and int32 come from indices, argmax and constants, floating "
        "point from what the quantiser left out. The message above it (Failed processing) names the node.",
        ("ValueError: All inputs and outputs need same dtype.Got inputs[0].dtype=4, inputs[1].dtype=8, output.dtype=4.",),
    ),
    Failure(
        "float-in-integers",
        r"AssertionError: (?P<profile>TOSA-[\w.+]{1,80}|\d\.\d{1,2}(?:\.\d{1,2})?\+[\w.+]{1,80}) doesn't support float",
        "A tensor of floating point is left in a graph for an integer-only target ({profile})",
        "Quantise the whole model (the Arm quantiser of this release, with set_global), and calibrate it; keep what stays in float out of the delegate.",
        ("AssertionError: TOSA-0.80.0+BI+u55 doesn't support float",),
    ),
    Failure(
        "model-not-quantized",
        r"RuntimeError: No quantized node found in graph",
        "The graph for the NPU holds nothing that is quantised",
        "Quantise the model with the Arm quantiser of this release before lowering it, and calibrate it: an Ethos-U computes with integers only.",
        ("RuntimeError: No quantized node found in graph",),
    ),
    Failure(
        "dtype",
        r"(?:ValueError|AssertionError): (?:Unsupported|Unknown) type:? torch\.(?P<dtype>\w{1,16})",
        "The Arm backend has no TOSA type for {dtype}",
        "Convert it in the model: floating point to .float() before quantising, int64 to .to(torch.int32), and keep complex numbers out of it.",
        ("ValueError: Unsupported type: torch.float64", "ValueError: Unknown type: torch.complex64"),
        raised_in=("arm", "arm-pass"),
    ),
    Failure(
        "operator-dtype",
        r"(?:Node|Buffer) (?P<node>[\w.]{1,100}) has value (?P<which>[<>]) -?2147483\d{3}",
        "The int64 constant {node} does not fit 32 bits, which is all that the NPU has",
        "Replace it in the model with a smaller one: masks most often use torch.iinfo(torch.int64).min or max where -1 or torch.finfo(torch.float32).min would do.",
        ("RuntimeError: Node b_mask has value > 2147483647",),
    ),
    Failure(
        "memory-format",
        r"ValueError: 0 in strides is not supported for ExecuTorch",
        "A tensor of the model was expanded in place of copied (its stride is 0)",
        "Add .clone() or .contiguous() behind expand() and broadcast_to() where inputs, buffers and constants are made.",
        ("ValueError: 0 in strides is not supported for ExecuTorch.",),
    ),
    Failure(
        "memory-format",
        r"Unsupported rank for channels last dim order\. Only support ndim equal to (?P<most>\d), but got (?P<rank>\d{1,2})|"
        r"Tensors in Aten dialect must be contiguous, (?P<name>[\w.]{1,100}) is not",
        "A tensor is in a memory format that the lowering does not take: {rank} {name}",
        "Use channels_last for tensors of four dimensions only, and .contiguous() for all others.",
        (
            "AssertionError: Unsupported rank for channels last dim order. Only support ndim equal to 4, but got 3",
            "torch._export.verifier.SpecViolationError: Tensors in Aten dialect must be contiguous, x is not contiguous",
        ),
    ),
    Failure(
        "compile-specification",
        r"(?P<reason>No TOSA version key found in any of the supplied CompileSpecs|Could not find TOSA version in CompileSpec|TOSA backend needs a TOSA version specified|"
        r"compile spec is not targeting TOSA|Unsupported compilespecs for quantization|Unhandled compile spec: [^\n]{1,80})",
        "The partitioner or quantiser got a compile specification for something else: {reason}",
        "Create it as the example of this release does, and pass the same one to quantiser and partitioner: EthosUCompileSpec(target) since 1.0, before that "
        'ArmCompileSpecBuilder().ethosu_compile_spec("ethos-u55-128", system_config=..., memory_mode=...).build().',
        (
            "ValueError: No TOSA version key found in any of the supplied CompileSpecs",
            "RuntimeError: compile spec is not targeting TOSA",
            "RuntimeError: Unsupported compilespecs for quantization!",
        ),
    ),
    Failure(
        "operator-untranslated",
        r"RuntimeError: TOSA Internal Error on node, enable logging for further info",
        "The Arm backend cannot translate an operator into TOSA, and does not name it",
        "Compile again with --debug (or logging at INFO), which prints the node, then replace the operator or keep it out of the delegate; newer releases name it.",
        ("RuntimeError: TOSA Internal Error on node, enable logging for further info.",),
        1,
    ),
    Failure(
        "scalar-tensor",
        r"While executing %(?:tosa_const_shape|CONST_SHAPE)[\w.]{0,60} : [^\n]{0,200}CONST_SHAPE[\w.]{0,20}\]\(args = \(\(\),\)",
        "The model makes a tensor without dimensions, a single number, which this release of the Arm backend cannot lower",
        "Keep one dimension at least: x.squeeze(-1) or x.flatten() for squeeze() at a batch of 1, x.mean(dim=(1, 2, 3), keepdim=True) for x.mean(), and the "
        "same for sum.",
        (
            "executorch.exir.error.InternalError: \n\nWhile executing %tosa_const_shape_default : [num_users=1] = "
            "call_function[target=executorch.exir.dialects.backend._ops.tosa.CONST_SHAPE.default](args = ((),), kwargs = {})",
        ),
    ),
    Failure(
        "border-rank",
        r"(?P<operator>[\w.:]{1,80}) with rank > (?P<most>\d) is currently not supported for the TOSA backend|"
        r"Dim order length must be either 4 or 5, got (?P<rank>\d{1,2})",
        "A tensor has too many dimensions for this release of the Arm backend: {operator} {rank}",
        "Flatten it in the model (reshape, or merge the batch and other dimensions), or use a newer release, which allows more.",
        (
            "NotImplementedError: aten.mean.dim with rank > 4 is currently not supported for the TOSA backend.",
            "ValueError: Dim order length must be either 4 or 5, got 6: [0, 1, 2, 3, 4, 5]",
        ),
    ),
    Failure(
        "layer-form",
        r"Grouped transpose conv with per-channel quantization is unsupported",
        "A transposed convolution with groups cannot be quantised per channel",
        "Quantise it per tensor: quantizer.set_module_type(torch.nn.ConvTranspose2d, get_symmetric_quantization_config(is_per_channel=False)), or use groups=1.",
        ("RuntimeError: Grouped transpose conv with per-channel quantization is unsupported",),
    ),
    Failure(
        "layer-form",
        r"DecomposePermuteForU55Pass could not find a valid split plan for shape=(?P<shape>\([\d, ]{1,60}\))",
        "A transpose is too large for the Ethos-U55: {shape}",
        "Split it in the model into smaller ones, avoid it (keep one order of dimensions), or compile for an Ethos-U85.",
        ("RuntimeError: DecomposePermuteForU55Pass could not find a valid split plan for shape=(1, 70000, 3) perm=[0, 2, 1].",),
    ),
    Failure(
        "layer-form",
        r"Expected (?:0\.1 momentum, not currently encoded|momenttum=0\.1 but got (?P<has>[\d.e-]{1,20}))",
        "A batch norm has another momentum than 0.1, which this release does not take: {has}",
        "Set it to 0.1 before exporting (it matters in training only), quantise on model.eval() so that it is folded into the convolution, or use a newer release.",
        ("RuntimeError: Expected momenttum=0.1 but got 0.01", "AssertionError: Expected 0.1 momentum, not currently encoded into TOSA"),
    ),
)  # fmt: skip
"""A part of `LOWERING_FAILURES`."""
