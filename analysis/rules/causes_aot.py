"""What a failed compile means: the last lines of ExecuTorch's and Vela's tracebacks, each as one sentence with what to do.

A table, tried in order; each row has samples that a test holds against the whole table.  `compile` explains its own jobs
with it, and `analyze` the tracebacks that it finds in a log.
"""

from __future__ import annotations

from .causes import NUMPY_OTHER, PINNED_TOOLS, Failure
from .causes_lowering import LOWERING_FAILURES
from .causes_model import MODEL_FAILURES
from .causes_modules import MISSING_MODULES
from .causes_network import PYTHON_DOWNLOADS
from .causes_python import PYTHON_FAILURES
from .causes_shapes import SHAPE_FAILURES
from .causes_vela import VELA_OPTIONS, VELA_REFUSALS

AOT_FAILURES: tuple[Failure, ...] = (
    Failure(
        "model-function",
        r"aot_entry\.ModelError: (?P<reason>[^\n]{1,600})",
        "{reason}",
        "`ethosu-tui compile --template` writes a file to start from.",
        (
            "ethosu_tui_aot_entry.ModelError: /a/net.py, line 3: make() returned int, not (model, inputs) or (model, inputs, calibration)",
        ),
    ),
    Failure(
        "disk-full",
        r"No space left on device|Disk quota exceeded|inline_container\.cc:\d{1,5}\] \. unexpected pos |PytorchStreamWriter failed writing file|only \d+ of \d+ bytes could be written",
        "The disk is full",
        "Free some space (df -h says where; build folders of ExecuTorch take several GB, `ethosu-tui runs rm` removes stored runs), or write to a larger disk.",
        ("OSError: [Errno 28] No space left on device", "OSError: only 0 of 112736 bytes could be written to /a/m.pte"),
    ),
    Failure(
        "out-of-memory",
        r"^MemoryError|DefaultCPUAllocator: can't allocate memory|Cannot allocate memory",
        "The compile ran out of memory",
        "Compile one model at a time (ethosu-tui compile: --jobs 1), raise any memory limit (ulimit -v, the container's), or use a machine with more memory.",
        (
            "MemoryError: ",
            "RuntimeError: [enforce fail at alloc_cpu.cpp:124] err == 0. DefaultCPUAllocator: can't allocate memory: "
            "you tried to allocate 4000000000000 bytes.",
        ),
    ),
    Failure(
        "download-failed",
        r"urlopen error \[Errno (?:-[235]|8|11001)\] (?P<said>[^>\n]{1,60})>|gaierror: \[Errno (?:-[235]|8|11001)\] (?P<other>[^\n]{1,60})",
        "A download of a Python program failed: the server's name could not be resolved ({said}{other})",
        "Check the network and its DNS (/etc/resolv.conf, in WSL and containers too), and set https_proxy behind a proxy. "
        "The weights of torchvision's models come from download.pytorch.org: download them on another machine into ~/.cache/torch/hub/checkpoints, or compile a model without them (weights=None).",
        (
            "urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>",
            "socket.gaierror: [Errno -2] Name or service not known",
        ),
    ),
    *PYTHON_DOWNLOADS,
    *MODEL_FAILURES,
    *LOWERING_FAILURES,
    *VELA_OPTIONS,
    Failure(
        "vela-operator",
        r"Non-passthrough operation \((?P<operator>Conv2D|FullyConnected)\) could not run on NPU",
        "Vela cannot run {operator} on this NPU",
        "Look for a linear layer or convolution of more than 65536 inputs (channels), which is too large for every Ethos-U: compute it in parts, and add them. "
        "Otherwise compile for another target.",
        ("RuntimeError: Non-passthrough operation (Conv2D) could not run on NPU",),
    ),
    Failure(
        "vela-operator",
        r"Non-passthrough operation \((?P<operator>\w[\w /-]{0,60})\) could not run on NPU",
        "Vela cannot run {operator} on this NPU",
        "Compile for another target, replace the operator, or make its tensors smaller.",
        ("RuntimeError: Non-passthrough operation (Greater) could not run on NPU",),
    ),
    Failure(
        "vela-operator",
        r"Non-passthrough operation\b[^\n]{0,80} could not run on NPU",
        "Vela hit an operator that this NPU cannot run, and does not name it",
        "Compile with --debug (or Vela's --verbose-all) to see which operator it was, for another target, or in "
        "halves: the partitioner accepted one that Vela cannot place. Then replace it or keep it out of the "
        "delegate.",
        (
            "RuntimeError: Non-passthrough operation could not run on NPU",
            "Non-passthrough operation could not run on NPU",
        ),
    ),
    Failure(
        "tosa-version-mismatch",
        r"TOSA serializer version \((?P<has>[\d.]{1,12})\) doesn't match specification (?P<wanted>TOSA-[\w.+-]{1,60})",
        "The TOSA serializer writes version {has}, and the compile specification asks for {wanted}",
        PINNED_TOOLS,
        ("AssertionError: TOSA serializer version (1.1) doesn't match specification TOSA-1.0+INT+int16",),
    ),
    Failure(
        "not-decomposed",
        r"with op <?(?:EdgeOpOverload: |OpOverload\(op=')?(?=(?P<operator>[\w.:]{1,80}))[^\n]{1,880} was not decomposed or delegated",
        "{operator} was kept whole for the NPU, and then not delegated",
        "Quantise the model (--quantize), check the partitioner's reasons (--debug), or replace the operator: the "
        "partitioner asked to keep it whole and then rejected it, most often because it is not quantised or its "
        "shape or type is not supported.",
        (
            "RuntimeError: Node aten_linear_default_2 with op <EdgeOpOverload: aten.linear.default>: schema = aten::linear(Tensor input) -> Tensor "
            "was not decomposed or delegated.",
            "Node aten_linear_default_2 with op aten.linear.default was not decomposed or delegated.",
        ),
    ),
    Failure(
        "tosa-version-mismatch",
        r"Tosa version mismatch|TOSA version or profile not supported|Tosa file created with newer SerLib version (?P<version>\S{1,40})",
        "Vela or the TOSA tools and the Arm backend disagree about the version of TOSA {version}",
        f"{PINNED_TOOLS} A model converter must match in the same way.",
        (
            "RuntimeError: Compilation failed: TOSA FB Reader error : Tosa version mismatch",
            "RuntimeError: Compilation failed: TOSA version or profile not supported",
            "RuntimeError: ERROR: Tosa file created with newer SerLib version 2026.5.0 is not compatible with 1.1.0d",
        ),
    ),
    Failure(
        "vela-missing",
        r"ethos-u-vela pip package couldn't be imported",
        "Vela is not installed in the interpreter that compiles",
        PINNED_TOOLS,
        ("RuntimeError: ethos-u-vela pip package couldn't be imported. Make sure it's installed!",),
    ),
    Failure(
        "tosa-too-large",
        r"TOSA flatbuffer is too large for Vela \((?P<bytes>\d{1,20}) bytes",
        "The model is too large for Vela: {bytes} bytes of TOSA, over the 2 GiB limit",
        "Make the model smaller, or quantise it before lowering.",
        ("RuntimeError: TOSA flatbuffer is too large for Vela (2200000000 bytes > 2147483648 bytes limit).",),
    ),
    Failure(
        "scratch-limit",
        r"(?i:scratch[^.\n]{0,60}exceed)",
        "The NPU's scratch memory is larger than the limit set for it",
        "Compile for less SRAM (another memory mode, Vela's --optimise Size, a smaller input), or raise the limit.",
        ("ValueError: Ethos-U scratch size 1509952 exceeds max_scratch_size 1048576",),
    ),
    *VELA_REFUSALS,
    Failure(
        "vela-refused",
        r"Compilation failed: (?P<reason>[^\n]{1,300})",
        "Vela refused the model: {reason}",
        "Keep the operator out of the delegate, compile for another target, or use the Vela of this ExecuTorch release.",
        ("RuntimeError: Compilation failed: Unable to schedule operation",),
    ),
    Failure(
        "vela-failed",
        r"ethosu\.(?:vela|regor)\S*: ['\"]?(?:Error: )?(?P<reason>.*)",
        "Vela failed: {reason}",
        "Read the log; --debug makes Vela print everything it knows.",
        ("ethosu.vela.errors.VelaError: 'Error: something else'",),
    ),
    Failure(
        "model-names",
        r"module 'tmp_model' has no attribute '(?P<name>ModelUnderTest|ModelInputs)'",
        "The model file does not define {name}",
        "End the file with ModelUnderTest = MyModel().eval() and ModelInputs = (torch.rand(...),).",
        ("AttributeError: module 'tmp_model' has no attribute 'ModelUnderTest'",),
    ),
    Failure(
        "model-class",
        r"TypeError: \w+\.eval\(\) missing 1 required positional argument: 'self'",
        "ModelUnderTest is a class, not a model",
        "Create an instance: ModelUnderTest = MyModel().eval().",
        ("TypeError: Module.eval() missing 1 required positional argument: 'self'",),
    ),
    Failure(
        "model-type",
        r"AttributeError: '(?P<type>\w+)' object has no attribute '(?:eval|requires_grad_)'",
        "ModelUnderTest is of type {type}, not a torch.nn.Module",
        "Set ModelUnderTest to an instance of your module.",
        ("AttributeError: 'int' object has no attribute 'eval'",),
    ),
    Failure(
        "inputs-not-a-tuple",
        r"Expecting `args` to be a tuple of example positional inputs, got <class '(?P<type>[\w.]+)'>",
        "ModelInputs is of type {type}, not a tuple",
        "Put the inputs into a tuple, even if there is only one: ModelInputs = (torch.rand(1, 3, 224, 224),).",
        (
            "torch._dynamo.exc.UserError: Expecting `args` to be a tuple of example positional inputs, got "
            "<class 'torch.Tensor'>",
        ),
    ),
    Failure(
        "input-count",
        r"forward\(\) (?:missing \d+ required positional|takes (?:from \d+ to )?\d+ positional arguments? but)|too many positional arguments|"
        r"missing a required argument",
        "ModelInputs has the wrong number of inputs for the model's forward()",
        "Give one tensor for each argument of forward().",
        (
            "torch._dynamo.exc.InternalTorchDynamoError: TypeError: missing a required argument: 'y'",
            "TypeError: forward() missing 1 required positional argument: 'y'",
        ),
    ),
    *SHAPE_FAILURES,
    Failure(
        "dtype",
        r"Expecting input to have dtype torch\.float32, but got dtype: torch\.(?P<dtype>\w+)",
        "The model or its inputs are {dtype}; the quantiser takes float32",
        "Convert both with .float().",
        ("AssertionError: Expecting input to have dtype torch.float32, but got dtype: torch.float64",),
    ),
    Failure(
        "shape",
        r"\A(?=(.*?fake tensors?\b))\1.*?got (?:Runtime|Value)Error\([\"'](?P<reason>(?=[^\"'\n]*(?:shape|size|dim|channel|strid|element|broadcast|match|rank))"
        r"[^\"'\n]*)",
        "Shapes do not match: {reason}",
        "Give ModelInputs the shapes that the model expects, or correct the layer.",
        (
            "torch._dynamo.exc.TorchRuntimeError: RuntimeError when making fake tensor call\n  Explanation: Dynamo "
            "failed to run FX node with fake tensors: call_function <built-in function linear>(*(FakeTensor(..., "
            "size=(1, 9)),), **{}): got RuntimeError('a and b must have same reduction dim, but got [1, 9] X [8, 4].')",
            "torch._dynamo.exc.TorchRuntimeError: RuntimeError when making fake tensor call\n  Explanation: Dynamo "
            "failed to run FX node with fake tensors: conv2d(): got RuntimeError('Given groups=1, weight of size "
            "[4, 3, 3, 3], expected input[1, 1, 8, 8] to have 3 channels, but got 1 channels instead')",
        ),
    ),
    Failure(
        "model-raised",
        r"Unsupported: Observed exception.*?raised exception (?P<what>[^\n]+)",
        "The model itself raised {what}",
        "Run the model on ModelInputs in plain PyTorch first.",
        (
            "torch._dynamo.exc.Unsupported: Observed exception\n  Explanation: Dynamo found no exception handler.\n\n"
            "  Developer debug context: raised exception ValueError('my own')\n\n For more details",
        ),
    ),
    Failure(
        "guards",
        r"call_module is not supported[^_]{0,200}_guards_fn|_guards_fn[^\n]{0,200}call_module",
        "The exported program contains an input guard that the Arm backend cannot read",
        "Get the module with exported.module(check_guards=False) before prepare_pt2e.",
        (
            "executorch.exir.pass_base.ExportPassBaseError: call_module is not supported.\nWhile executing %_guards_fn : [num_users=0] = "
            "call_module[target=_guards_fn](args = (%x,), kwargs = {})",
        ),
    ),
    Failure(
        "operator-dtype",
        r"Expected tensor (?P<tensor>\S{1,100}) in (?P<operator>\S{1,100}) to have one of the following dtypes: (?P<types>[^\n]{1,100}), got: "
        r"(?P<dtype>\w{1,20})",
        "{operator} does not accept {dtype} here, only {types}",
        "Quantise that operator to a type that it accepts (set_module_type on the quantiser), or keep it out of the delegate.",
        (
            "ValueError: Expected tensor aten_convolution_default in aten.clamp.default to have one of the following dtypes: ['INT8'], got: INT16",
        ),
    ),
    Failure(
        "effects",
        r"'WithEffects' object has no attribute '_schema'(?: \(of (?P<operator>[\w.:]{1,80})\))?",
        "The model uses an operator with side effects, which ExecuTorch cannot lower: {operator}",
        "Look for operators such as linalg.inv or asserts, and replace them.",
        (
            "AttributeError: 'WithEffects' object has no attribute '_schema'",
            "AttributeError: 'WithEffects' object has no attribute '_schema' (of aten._linalg_check_errors.default)",
        ),
    ),
    Failure(
        "calibration",
        r"Calibration sample (?P<reason>.*)",
        "The calibration data does not match: sample {reason}",
        "Store samples in the shape of ModelInputs.",
        ("ValueError: Calibration sample input 0 shape [1, 9] does not match expected shape [1, 1, 28, 28].",),
    ),
    Failure(
        "torchvision",
        r"operator torchvision::(?P<name>\w+) does not exist",
        "torchvision does not match the installed torch",
        "Install matching releases of torch and torchvision, or use a model file of your own (bundled:mobilenet_v2).",
        ("RuntimeError: operator torchvision::nms does not exist",),
    ),
    *MISSING_MODULES,
    *PYTHON_FAILURES,
    Failure(
        "missing-out-variants",
        r"Missing out variants:\s{0,4}\{?\s{0,20}(?P<names>'torchao::[^'\n]{1,100}'(?:,\s{0,20}'[^'\n]{1,100}'){0,20})",
        "torchao operators without an out variant remain: {names}",
        "Quantise with prepare_pt2e, convert_pt2e and the backend's quantizer instead, or keep what no delegate "
        "accepts (most often embeddings) out of quantize_(): these operators come from quantize_(), and no runtime "
        "has kernels for them.",
        ("RuntimeError: Missing out variants: {\n    'torchao::quantize_x',\n    'torchao::choose_x',\n}",),
    ),
    Failure(
        "missing-out-variants",
        r"Missing out variants:\s{0,4}\{?\s{0,20}(?P<names>'[^'\n]{1,100}'(?:,\s{0,20}'[^'\n]{1,100}'){0,20}|[^}\n]{1,300})",
        "Operators without an out variant remain: {names}",
        "Load the library that has them: quantized_decomposed:: is in quantized_ops_aot_lib (import executorch.kernels.quantized, or "
        "--so_library=FILE; ethosu-tui compile: --aot-arg=--so_library=FILE).",
        ("RuntimeError: Missing out variants: {'quantized_decomposed::quantize_per_tensor'}",),
    ),
    Failure(
        "flatc-missing",
        r"No such file or directory: '(?P<path>[^'\n]{0,200}flatc)'|\bflatc not found\. |Failed to compile \S{1,200}\.(?:json|fbs)",
        "The FlatBuffers compiler flatc is missing",
        "Put flatc on PATH, or set FLATC_EXECUTABLE: ExecuTorch's pip packages include it, and a source tree builds it.",
        (
            "FileNotFoundError: [Errno 2] No such file or directory: 'flatc'",
            "RuntimeError: flatc not found. Either add it to PATH, or set it.",
        ),
    ),
    Failure(
        "missing-file",
        r"FileNotFoundError: \[Errno 2\] No such file or directory: '(?P<path>[^']+)'",
        "A file that the model or an option names does not exist: {path}",
        "Check the path; a relative one is resolved from the directory the command runs in.",
        ("FileNotFoundError: [Errno 2] No such file or directory: '/nope/weights.pt'",),
    ),
    Failure(
        "target-unknown",
        r"argument -t/--target: invalid choice: '(?P<target>vgf|ethos-u65-\d{2,4}|cortex-m[\w+]{1,20}|TOSA[\w.+-]{0,40})' \(choose from (?![^\n]{0,600}\b(?:ethos-u65-|cortex-m0))",
        "This ExecuTorch release does not have the target {target}",
        "Choose one that the line lists. vgf came with 0.7, TOSA-1.0+INT with 0.7 (TOSA before it), cortex-m55+int8 "
        "with 1.2, and ethos-u65-256, ethos-u65-512 and the other cortex-m targets with 1.3.",
        (
            "SystemExit: aot_arm_compiler.py: error: argument -t/--target: invalid choice: 'vgf' (choose from 'ethos-u55-32', 'ethos-u85-2048', 'TOSA')",
        ),
    ),
    Failure(
        "target-unknown",
        r"(?:Unknown ethos target:?|Unkown target|Invalid target name|argument -t/--target: invalid choice:) '?(?P<target>[\w+.-]{1,60})",
        "This ExecuTorch does not know the target {target}",
        "Write it as ethos-u55-128, in lower case; see `ethosu-tui compile --help` for the list.",
        (
            "RuntimeError: Unknown ethos target: ethos-u75-128",
            "RuntimeError: Invalid target name ethos-u75",
            "SystemExit: aot_arm_compiler.py: error: argument -t/--target: invalid choice: 'ethos-u75-128' (choose from vgf)",
        ),
    ),
    Failure(
        "model-unknown",
        r"Model (?:'(?P<name>[^'\n]{1,100})'|(?P<bare>[^'\s]{1,100})) is not a valid name|Unable to load model file (?P<file>\S{1,200})",
        "The model {name}{bare}{file} is neither one of ExecuTorch's examples nor a file",
        "Give the path of a .py, .pt or .pth file, or one of the names that --help lists.",
        (
            "RuntimeError: Model 'notamodel' is not a valid name. Use --help for a list of available models.",
            "RuntimeError: Model notamodel is not a valid name.",
        ),
    ),
    Failure(
        "aot-options",
        r"(?P<reason>(?:When not using --bundleio a \.bpte|--bundleio expects a \.bpte|"
        r"dump_debug_info\(\) must be used|Model \S{1,60} cannot be delegated)[^\n]{0,160})",
        "The options cannot be combined: {reason}",
        "Correct them; these checks run only at the very end of the compile.",
        ("RuntimeError: When not using --bundleio a .bpte file should not be use as --output x.bpte",),
    ),
    Failure(
        "binary-mismatch",
        r"numpy\.core\.multiarray failed to import|numpy\.dtype size changed|_ARRAY_API not found|compiled using NumPy 1\.x",
        "A compiled Python package does not match the installed NumPy",
        f"{NUMPY_OTHER} The package was built for NumPy 1 and NumPy 2 is installed, or the other way round.",
        (
            "ImportError: numpy.core.multiarray failed to import",
            "AttributeError: _ARRAY_API not found",
            "ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88 from PyObject",
        ),
    ),
    Failure(
        "binary-mismatch",
        r"(?:Import|OS)Error: (?P<file>[^:\n]{1,200}\.so[\w.]*): undefined symbol",
        "A compiled library does not match the installed torch: {file}",
        "Install matching releases of torch and executorch into a fresh environment.",
        ("ImportError: /a/_portable_lib.cpython-311-x86_64-linux-gnu.so: undefined symbol: _ZN5torch3jit",),
    ),
    Failure(
        "runner-flag",
        r"unknown command line flag '(?P<flag>[\w-]{1,60})'",
        "The runner does not know the option --{flag}",
        "Run it with --helpshort to list the options of its release; executor_runner takes --model_path=FILE, "
        "--num_executions=N and others.",
        ("ERROR: unknown command line flag 'model'",),
    ),
    Failure(
        "aot-arguments",
        r"^SystemExit: .*status 2",
        "ExecuTorch's script rejected its arguments",
        "Read the end of the log, and check what --aot-arg passes on.",
        ("SystemExit: the compiler ended with status 2",),
    ),
    Failure(
        "unsupported",
        r"torch\._dynamo\.exc\.\w+: (?P<reason>[^\n]+)(?:.*?Developer debug context: (?P<context>[^\n]+))?",
        "The model cannot be exported: {reason} {context}",
        "Run the model on ModelInputs in plain PyTorch first; then change the line that the log names.",
        (
            "torch._dynamo.exc.Unsupported: Attempted to call function marked as skipped",
            "torch._dynamo.exc.Unsupported: TypeError when making fake tensor call\n  Explanation: \n\n  Developer debug "
            "context: TypeError <function relu at 0x7f9d4c0ab6a0>: relu(): argument 'input' must be Tensor, not int\n",
        ),
    ),
)
"""Tried from the top: rows that stand for one cause come before those that only name the stage."""
