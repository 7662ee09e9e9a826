"""What torch.export, torchao and ExecuTorch's lowering refuse of how they are called, and what the graph may not hold."""

from __future__ import annotations

from ..compiles.toolchains import NEWEST_LINE
from .causes import Failure
from .causes_calls import CALL_FAILURES
from .causes_graph import GRAPH_FAILURES

_OF_ONE_RELEASE = (
    f"Install one matching release of everything into a fresh environment ({NEWEST_LINE}; 1.5 brings no torch of its own), or rebuild the source tree in "
    "this one: ./install_executorch.sh --clean, then ./install_executorch.sh."
)
_PREPARE = (
    "exported = torch.export.export(model.eval(), inputs); prepared = prepare_pt2e(exported.module(check_guards=False), quantizer); torch before 2.9 has no "
    "check_guards."
)

LOWERING_FAILURES: tuple[Failure, ...] = (
    *CALL_FAILURES,
    Failure(
        "operand-types",
        r"taking Tensor inputs with mismatched dtypes:.{0,120}?EdgeOpOverload: (?P<operator>[\w.]{1,80})>",
        "{operator} gets tensors of different types, which ExecuTorch cannot lower",
        "Convert one of them in the model (x.to(y.dtype)), at the line of the stack trace below: PyTorch converts implicitly, a program does not. int64 "
        "mixed with int32 comes from torch.arange, argmax or constants, and float64 from NumPy or Python numbers.",
        (
            "torch._export.verifier.SpecViolationError: These operators are taking Tensor inputs with mismatched dtypes:\n\nOperator: <EdgeOpOverload: "
            "aten.cat.default>: schema = aten::cat(Tensor[] tensors, int dim=0) -> Tensor with args: {'tensors': torch.int8, '__ret_0': torch.int32}",
            "torch._export.verifier.SpecViolationError: These operators are taking Tensor inputs with mismatched dtypes: defaultdict(<class 'dict'>, "
            "{<EdgeOpOverload: aten.mul.Tensor>: schema = aten::mul.Tensor(Tensor self, Tensor other) -> Tensor: {'self': torch.int8}})",
        ),
    ),
    Failure(
        "float-in-integers",
        r"(?P<profile>TOSA-[\d.]{1,8}\+INT[\w.+]{0,80}) doesn't support tensor \S{0,40}\(?name='(?P<name>[\w.]{1,120})'[^\n]{0,80}?dtype=(?P<dtype>FP\w{1,8}|BF16)",
        "A tensor of {dtype} is left in a graph for the integer-only NPU: {name}",
        "Quantise the whole model (EthosUQuantizer with set_global), and lower it with to_edge_transform_and_lower: to_edge(...).to_backend(...) decomposes "
        "linear and other operators first, which leaves their weights in float.",
        (
            "ValueError: TOSA-1.0+INT+int16+int4+u55 doesn't support tensor TosaArg(name='aten_permute_copy_default_fused_const', dtype=FP32, shape=(4, 8))",
        ),
    ),
    Failure(
        "training-mode",
        r"SpecViolationError:\s{1,4}Operator (?:torch\._ops\.)?(?P<operator>aten\.(?:bernoulli|native_dropout|dropout|_fused_dropout|rand_like)[\w.]{0,40}) is not",
        "The model was exported in training mode: its dropout is active ({operator})",
        "Call model.eval() before torch.export.export() (also on torchvision or timm models with stochastic depth), and export again.",
        ("torch._export.verifier.SpecViolationError: Operator torch._ops.aten.bernoulli.p is not Aten Canonical.",),
    ),
    Failure(
        "eager-quantised",
        r"quantized nyi in meta tensors",
        "The model or its inputs contain PyTorch quantised tensors (torch.quantize_per_tensor), which cannot be exported",
        "Give the float model and float example inputs, and let prepare_pt2e and convert_pt2e with EthosUQuantizer quantise it (--quantize).",
        ("torch._dynamo.exc.Unsupported: Unsupported: quantized nyi in meta tensors with fake tensor propagation.",),
    ),
    Failure(
        "exported-mode",
        r"Calling (?:train\(\) or eval|train|eval)\(\) is not supported|AttributeError: 'ExportedProgram' object has no attribute '(?:eval|train)'",
        ".eval() or .train() was called on an exported model, which does not allow it",
        "Call model.eval() before torch.export.export(), and not after it; for quantisation-aware training "
        "torchao.quantization.pt2e.allow_exported_model_train_eval(exported_module) allows both.",
        ("NotImplementedError: Calling eval() is not supported yet.", "NotImplementedError: Calling train() or eval() is not supported for exported models.",
         "AttributeError: 'ExportedProgram' object has no attribute 'eval'"),
    ),
    Failure(
        "exported-mode",
        r"Unable to call ExportedProgram directly|'ExportedProgram' object is not callable",
        "An exported program was called like a model",
        "Call its module: exported.module()(*inputs); prepare_pt2e takes that module too.",
        ("RuntimeError: Unable to call ExportedProgram directly. You should use `exported_program.module()` instead.",),
    ),
    Failure(
        "shape",
        r"(?:AssertionError|RuntimeError): (?P<reason>Guard failed: [^\n]{1,200}|Input \w{1,60}\.shape\[\d{1,3}\] is (?:specialized at|outside of)[^\n]{1,120}|Expected input at [^\n]{1,120} to be (?:equal to|of the form|a tensor|>=|<=)[^\n]{1,120})",
        "The exported model gets inputs unlike those it was exported with: {reason}",
        "Calibrate and run it with inputs of the same shapes and types as the example inputs, batch size included (a program for Ethos-U has fixed shapes); "
        "exported.module(check_guards=False) drops the check, but the shapes still apply.",
        (
            "AssertionError: Guard failed: x.size()[0] == 1",
            "RuntimeError: Expected input at *args[0].shape[0] to be equal to 1, but got 8",
        ),
    ),
    Failure(
        "input-count",
        r"Trying to flatten user inputs with exported input tree spec",
        "The exported model gets its inputs in another structure than it was exported with",
        "Give the same number, order, nesting and names as the example inputs of torch.export.export(model, args, kwargs): exported.module()(*args).",
        ("ValueError: Trying to flatten user inputs with exported input tree spec: \nTreeSpec(tuple, None, [*]) but actually got inputs with tree spec of: *",),
    ),
    Failure(
        "shape-constraints",
        r"(?:UserError|ValueError): (?P<reason>(?:Detected mismatch between the structure of `|Expected dynamic shape spec |Cannot associate shape |Unexpected input tensor shape |"
        r"Unexpected dimension |Expected shape\[|Found different definitions |Some tensors that were assigned shapes |When `dynamic_shapes` is specified as a dict, )[^\n]{0,200})",
        "dynamic_shapes does not match the model's inputs: {reason}",
        "Leave dynamic_shapes out for Ethos-U, where a program has fixed shapes; otherwise give one entry per argument of forward() and one per dimension, "
        "or None.",
        ("torch._dynamo.exc.UserError: Detected mismatch between the structure of `inputs` and `dynamic_shapes`: `inputs` has 2 elements, but `dynamic_shapes` has 1 elements",
         "torch._dynamo.exc.UserError: When `dynamic_shapes` is specified as a dict, its top-level keys must be the arg names ['x'] of `inputs`, but here they are ['input'].",),
    ),
    Failure(
        "shape-unbounded",
        r"Cannot evaluate a finite upper bound for symbolic expression (?P<symbol>[^\n(]{1,80}?) ?\(",
        "The dynamic dimension {symbol} has no upper bound, so memory cannot be planned for it",
        'Give every Dim a maximum (Dim("batch", max=8)); for Ethos-U, where a program has fixed shapes, leave dynamic_shapes out and export with inputs of '
        'their final size.',
        ("RuntimeError: Cannot evaluate a finite upper bound for symbolic expression s77 (int_oo) and no trace hint is available.",),
    ),
    Failure(
        "release-mismatch",
        r"Serialized version (?P<has>\([\d, ]{1,20}\)|\S{1,20}) does not match our current schema version|We ran into an error when deserializing the saved file",
        "The exported program (.pt2) was saved by another PyTorch release: {has}",
        "Export it again (torch.export.save), from the model itself, with the torch that compiles it.",
        ("RuntimeError: Serialized version (5, 2) does not match our current schema version (8, 9).",),
    ),
    Failure(
        "not-exported",
        r"input model must be a GraphModule, Got type:\s{0,4}(?:<class ')?(?P<type>[\w.]{1,120})|Expected get_attr node, got (?P<node>placeholder)",
        "The quantisation was given something other than an exported program's module: {type}{node}",
        f"Export first, and give the module: {_PREPARE}",
        (
            "ValueError: input model must be a GraphModule, Got type:<class 'net.Net'> Please make sure to follow the tutorials.",
            "ValueError: Expected get_attr node, got placeholder. If working with an ExportedProgram, make sure you are using .module()",
        ),
    ),
    *GRAPH_FAILURES,
    Failure(
        "quantisers-mixed",
        r"Cannot be prepared using both torch\.ao and torchao|Must be prepared using torch\.ao or torchao|Expected QuantizationSpec got|"
        r"expecting a (?:QuantizationSpec|Quantizer)[^\n]{0,80}torch\.ao",
        "The script mixes torch.ao quantisation with torchao quantisation",
        "Take everything from torchao: torchao.quantization.pt2e.quantize_pt2e for prepare_pt2e and convert_pt2e, and the quantiser of the installed "
        "ExecuTorch (executorch.backends.arm.quantizer); leave torch.ao.quantization out.",
        ("AssertionError: Cannot be prepared using both torch.ao and torchao",),
    ),
    Failure(
        "calibration",
        r"run the observer before calling calculate_qparams",
        "The model was converted without calibration",
        "Run the prepared model on some typical inputs between prepare_pt2e and convert_pt2e: for x in samples: prepared(*x).",
        ("AssertionError: Expecting the observer has min_val and max_val, please run the observer before calling calculate_qparams",),
    ),
    Failure(
        "constant-quantised",
        r"expecting kwargs for aten op IR to be empty",
        "The quantiser hit a tensor that forward() creates itself, which torchao cannot quantise",
        "Create what torch.full, torch.zeros or torch.arange returns once in __init__ (register_buffer) and use that in forward(); or leave the module in "
        "float: quantizer.set_module_name(NAME, None). Then try the newest torchao and ExecuTorch.",
        ("AssertionError:  expecting kwargs for aten op IR to be empty",),
    ),
    Failure(
        "model-conversion",
        r"ConverterError: (?P<reason>[^\n]{1,200})",
        "TensorFlow Lite could not convert the model: {reason}",
        "Replace the operators named at its end, which TFLite does not have, fix the input's shape and the batch size, and convert with "
        "TFLITE_BUILTINS_INT8 and a representative dataset: flex and custom operators do not run on a microcontroller.",
        ("tensorflow.lite.python.convert_phase.ConverterError: Could not translate MLIR to FlatBuffer. UNKNOWN: <unknown>:0: error: loc(a)",),
    ),
    Failure(
        "index-type",
        r"[Ee]xpected dtype int64 for index|tensors used as indices must be long|'indices' to have one of the following scalar types: Long, Int; but got",
        "The model indexes a tensor with a type other than int64",
        "Convert the index (index.long()) in the model, and give integer example inputs where forward() takes indices; if the quantiser made it float, "
        "leave that module out: quantizer.set_module_name(NAME, None).",
        ("RuntimeError: gather(): Expected dtype int64 for index", "IndexError: tensors used as indices must be long, int, byte or bool tensors",
         "RuntimeError: Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got torch.float32 instead"),
    ),
    Failure(
        "model-access",
        r"GatedRepoError|Cannot access gated repo|RepositoryNotFoundError|Repository Not Found for url",
        "Hugging Face refuses this account the model, or the model does not exist",
        "Check its name; for a gated model accept its conditions on its page, then log in with a token that may read it: hf auth login, or HF_TOKEN=...; "
        "pass the token into a CI job or container.",
        ("huggingface_hub.errors.GatedRepoError: 401 Client Error. (Request ID: Root=1)", "OSError: Cannot access gated repo for url https://huggingface.co/a/b."),
    ),
    Failure(
        "operator-untranslated",
        r"Unknown operator (?P<operator>aten\._native_batch_norm[\w.]{0,80}) for TOSA",
        "The Arm backend cannot translate this operator into TOSA: {operator}",
        "Quantise the model, which folds a batch norm into the convolution before it: --quantize, or prepare_pt2e and convert_pt2e with the backend's "
        "quantizer, on model.eval(). An Ethos-U runs nothing of a float model.",
        ("RuntimeError: Unknown operator aten._native_batch_norm_legit_no_training.default for TOSA : TOSA-0.80.0+BI+u55",),
    ),
    Failure(
        "dtype",
        r"\"(?P<kernel>histogram_cpu|aminmax_kernel|min_max_cpu)\" not implemented for '(?P<dtype>Long|Int|Bool|Byte|Short)'",
        "The quantiser tried to measure the range of a {dtype} tensor, which has none",
        "Move its source (argmax, topk, sort, a comparison, indices), which cannot be quantised, out of the model and compute it afterwards, or use a newer "
        "ExecuTorch, whose quantiser skips such tensors.",
        ("RuntimeError: \"histogram_cpu\" not implemented for 'Long'",),
    ),
    Failure(
        "operator-untranslated",
        r"Unknown operator (?P<operator>[\w.:]{1,120}) for TOSA|No \S{1,80} NodeVisitor registered for (?P<other>[\w.:]{1,120})",
        "The Arm backend cannot translate this operator into TOSA: {operator}{other}",
        "Use EthosUPartitioner (or TOSAPartitioner), which leaves it to the CPU; otherwise replace the operator, or try a newer release, which knows more.",
        ("RuntimeError: Unknown operator aten.cumprod.default for TOSA : TOSA-1.0+INT",),
    ),
    Failure(
        "operator-untranslated",
        r"For (?P<node>[\w.]{1,100}), \w{1,40}:(?P<operator>[\w.]{1,120}) is not supported in XNNPACK Delegate",
        "XNNPACK rejects an operator that its partitioner accepted: {operator} ({node})",
        "Use the newest release; until then keep that operator out of the delegate, or lower the model for the NPU alone (EthosUPartitioner).",
        ("RuntimeError: For aten_erf_default, call_function:aten.erf.default is not supported in XNNPACK Delegate",),
    ),
    Failure(
        "operator-dtype",
        r"(?:Found internal (?P<type>uint8) tensor at node (?P<node>[\w.]{1,100})|Data type (?P<dtype>[\w.]{1,40}) of operator (?P<operator>[\w.:]{1,100}) is not supported by )",
        "The Arm backend does not accept {type}{dtype} at {node}{operator}",
        "Quantise to int8 inside the program (uint8 is only for its inputs and outputs), and keep int64 and float64 out of what is delegated.",
        (
            "ValueError: Found internal uint8 tensor at node aten_add_tensor (aten.add.Tensor). Uint8 is only allowed at IO boundaries.",
            "TypeError: Data type torch.int64 of operator aten.sum.dim_IntList is not supported by TOSA, and casting is currently not supported by InsertCastPass.",
        ),
    ),
    Failure(
        "tosa-operator",
        r"TosaValueError: (?!(?:Context )?T(?:OSA|osa) spec )(?P<reason>[^\n]{1,200})",
        "TOSA rejects an operator as the Arm backend wrote it: {reason}",
        "Look at the node (While executing, or the names above), and write that part of the model with other shapes or types, or keep it out of the delegate; "
        "then try the newest release: the partitioner should not have taken it.",
        ("executorch.backends.arm.tosa.dialect.lib.TosaValueError: CONCAT requires matching ranks, got 3 and 4",),
    ),
    Failure(
        "vela-too-large",
        r"command stream[^\n]{0,40} exceeds the (?:hardware|driver)(?: size)? limit of (?P<limit>\d{1,6} MiB)[^\n]{0,60}? is (?P<has>[\d.]{1,20})",
        "The network is too large for one command stream: {has} MiB, and the NPU's limit is {limit}",
        "Make it smaller (fewer layers, a smaller input), or split it into several delegates by keeping an operator in the middle out of the delegate.",
        ("ethosu.vela.errors.VelaError: 'Error: The command stream size exceeds the hardware limit of 16 MiB. The current stream size is 17.25 MiB.'",),
    ),
    Failure(
        "binary-mismatch",
        r"(?:Import|OS)Error: (?P<file>[^:\n]{0,200}(?:ethosu/|regor|mlw_codec|tosa_)[^:\n]{0,80}\.so): undefined symbol",
        "A compiled module of Vela or the TOSA tools does not match this C++ library or Python: {file}",
        "Reinstall it for this Python: `pip install --force-reinstall --no-cache-dir --no-deps ethos-u-vela==VERSION` (or tosa-tools) in the version that "
        "this ExecuTorch release pins; in a conda environment install libstdcxx-ng from conda-forge, or use a plain venv.",
        ("ImportError: /a/ethosu/regor.cpython-311-x86_64-linux-gnu.so: undefined symbol: _ZNSt15__exception_ptr13",),
    ),
    Failure(
        "binary-mismatch",
        r"(?:Import|OS)Error: (?P<file>[^:\n]{0,200}torch/lib/lib[^:\n]{1,80}): undefined symbol",
        "PyTorch's own libraries do not match, or another program's are found first: {file}",
        "Unset LD_LIBRARY_PATH, and reinstall torch: pip uninstall -y torch, then `pip install --index-url https://download.pytorch.org/whl/cpu "
        "torch==VERSION` with the version that this ExecuTorch was built for (1.4 and 1.5: 2.13.0): a compile for Ethos-U needs no CUDA.",
        ("ImportError: /a/torch/lib/libtorch_cuda.so: undefined symbol: ncclCommRegister",),
    ),
    Failure(
        "python-version",
        r"No module named '(?P<name>distutils)(?:\.[\w.]{1,60})?'",
        "A package is too old for this Python, which no longer has {name} (since 3.12)",
        "Use a newer release of the package that the traceback names, or Python 3.10 or 3.11 (python3.11 -m venv env); pip install setuptools brings "
        "distutils back for the time being.",
        ("ModuleNotFoundError: No module named 'distutils.core'",),
    ),
    Failure(
        "python-version",
        r"No module named '(?P<name>imp)(?:\.[\w.]{1,60})?'",
        "A package is too old for this Python, which no longer has {name} (since 3.12)",
        "Use a newer release of the package that the traceback names, or Python 3.10 or 3.11: python3.11 -m venv env.",
        ("ModuleNotFoundError: No module named 'imp'",),
    ),
    Failure(
        "python-version",
        r"ValueError: mutable default <class '(?P<name>[\w.]{1,120})'> for field \w{1,60} is not allowed: use default_factory",
        "A package is too old for this Python, which rejects its {name} (since 3.11)",
        "Use a newer release of it, or Python 3.10: python3.10 -m venv env.",
        ("ValueError: mutable default <class 'executorch.a.Config'> for field config is not allowed: use default_factory",),
    ),
    Failure(
        "name-undefined",
        r"NameError: name '(?P<name>\w{1,80})' is not defined",
        "A Python program uses {name}, which is not imported or is misspelt",
        "Import it at the top of the file; EthosUQuantizer is in executorch.backends.arm.quantizer, EthosUCompileSpec and EthosUPartitioner are in "
        "executorch.backends.arm.ethosu. If the file belongs to a package, its release does not match.",
        ("NameError: name 'EthosUQuantizer' is not defined",),
    ),
    Failure(
        "mutation",
        r"SpecViolationError: operator '(?P<operator>[\w.:]{1,80})' is not functional",
        "The model changes a tensor in place ({operator}), which cannot be lowered",
        "Rewrite it to create a new tensor (x = x + y for x += y, torch.where or torch.cat for x[i] = y), and functionalise before lowering: "
        "exported.run_decompositions(). Then try the newest release.",
        ("torch._export.verifier.SpecViolationError: operator 'aten.copy_.default' is not functional",),
    ),
    Failure(
        "outside-workspace",
        r"CalledProcessError: Command '\['(?:[^'\n]{0,200}[/\\])?west', 'list'",
        "Zephyr's build asked west for the workspace's modules, and west failed",
        "Run west list in that folder to see why: the workspace is not initialised or updated (west init, west update), or west belongs to a different "
        "Python from the one CMake found.",
        ("subprocess.CalledProcessError: Command '['west', 'list', '--format={posixpath}']' returned non-zero exit status 1.",),
    ),
    Failure(
        "step-failed",
        r"\A(?:subprocess\.)?CalledProcessError: Command '(?!\['(?:[^'\n]{0,200}/)?flatc'|[^\n]{0,4000}(?:died with|exit status (?:-|\d{4})))"
        r"\[?'?(?P<program>[^',\]\n]{1,120})(?:', '(?P<one>[^'\n]{1,140})(?='))?(?:', '(?P<two>[^'\n]{1,60})(?='))?(?:', '(?P<three>[^'\n]{1,60})(?='))?"
        r"(?:[^\n]{1,4000} returned non-zero (?P<code>exit status \d{1,3})\b)?",
        "A command that a Python script started failed: {program} {one} {two} {three} ({code})",
        "Read what that command printed above, or run it in a shell to see all of it.",
        ("subprocess.CalledProcessError: Command '['cmake', '/w/a', '-DA=ON']' returned non-zero exit status 1.",
         "subprocess.CalledProcessError: Command 'cmake' returned non-zero exit status 2."),
        1,
    ),
    Failure(
        "step-failed",
        r"\ARuntimeError: Command failed:(?P<said>\s{1,8}[^\n]{1,160})?",
        "A command that a Python script of ExecuTorch's build started failed: {said}",
        "Read what it printed, below or above that line, or run the command in a shell to see all of it.",
        ("RuntimeError: Command failed:\nError validating working directory",),
        1,
    ),
    Failure(
        "binary-mismatch",
        r"(?:Import|OS)Error: (?:dlopen\((?P<file>[^,\n]{1,300}), \w{1,10}\): (?:symbol not found|Symbol not found|Library not loaded)|DLL load failed while importing (?P<name>[\w.]{1,80})|\[WinError (?:126|127|182|1114)\] [^\n]{1,200}? (?:loading|Error loading) \"[^\"\n]{0,300}?(?P<dll>[\w.-]{1,60}\.(?:dll|pyd))\")",
        "A compiled package does not match the installed torch, or lacks a library: {file}{name}{dll}",
        f"{_OF_ONE_RELEASE} Windows also needs the Visual C++ Redistributable.",
        (
            "ImportError: dlopen(/a/_portable_lib.cpython-311-darwin.so, 0x0002): symbol not found in flat namespace '__ZN10executorch7runtime'",
            "ImportError: DLL load failed while importing _portable_lib: The specified procedure could not be found.",
            r'OSError: [WinError 126] The specified module could not be found. Error loading "C:\et\torch\lib\fbgemm.dll" or one of its dependencies.',
        ),
    ),
    Failure(
        "pytorch-internal",
        r"\A(?:\w{1,40}: )?(?P<what>[^\n]{0,160}?) ?INTERNAL ASSERT FAILED at \"?(?P<where>[^\s\"]{1,200})",
        "PyTorch failed one of its own internal checks: {what} ({where})",
        f"{_OF_ONE_RELEASE} Then export with strict=False, and in halves to find the layer. The NPU's tools are not at fault: mixed releases cause this, and "
        "operators that PyTorch cannot trace.",
        ('RuntimeError: !a.default_value() INTERNAL ASSERT FAILED at "../torch/csrc/a.cpp":1539, please report a bug to PyTorch.',),
    ),
    Failure(
        "command-missing",
        r"FileNotFoundError: \[WinError 2\] ",
        "A Python script tried to start a program that Windows cannot find",
        "Install the command that the line above names, and put it on PATH; ExecuTorch's own Arm scripts are made for Linux, macOS and WSL.",
        ("FileNotFoundError: [WinError 2] The system cannot find the file specified",),
    ),
)  # fmt: skip
"""A part of `AOT_FAILURES`, before its rows for what Python and Vela say in general."""
