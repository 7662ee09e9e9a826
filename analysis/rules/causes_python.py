"""What ends a compile in Python itself: packages that do not fit each other, shapes, weights, simulations that a script started."""

from __future__ import annotations

from ..compiles.toolchains import NEWEST_LINE
from .causes import NUMPY_OTHER, Failure
from .causes_export import EXPORT_FAILURES
from .causes_files import FILE_FAILURES

_OF_PACKAGE = r"(?:executorch|torch|torchao|torchvision|tosa|serializer|ethosu)[\w.]{0,120}"
"""A module of those packages that a release of ExecuTorch pins."""
_FRESH = (
    f"Install matching releases into a fresh environment (./install_executorch.sh and examples/arm/setup.sh of one checkout, or {NEWEST_LINE}), and use the "
    "example of that release."
)
_TYPED = f"Look for a typing error in the name. Without one, script and packages are of different releases: {_FRESH[0].lower()}{_FRESH[1:]}"

PYTHON_FAILURES: tuple[Failure, ...] = (
    *EXPORT_FAILURES,
    *FILE_FAILURES,
    Failure(
        "devices-mixed",
        r"Expected all tensors to be on the same device",
        "The model and its inputs are on different devices",
        "Export and quantise on the CPU: model.cpu().eval(), the example inputs and the calibration data with .cpu(), and no tensor that forward() creates "
        "on another device.",
        (
            "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!",
        ),
    ),
    Failure(
        "binary-mismatch",
        r"compiled against (?:ABI|API|NumPy C-API) version (?P<wanted>\w{1,20})",
        "A compiled Python package does not match the installed NumPy",
        NUMPY_OTHER,
        ("RuntimeError: module compiled against ABI version 0x1000009 but this version of numpy is 0x2000000",),
    ),
    Failure(
        "library-missing",
        r"OSError: Could not load this library: (?P<file>[^\n]{0,200}quantized_ops_aot_lib[^\s]{0,20})",
        "The library with the quantised operators is missing: {file}",
        "Leave --so_library out: an installed ExecuTorch includes that library, and import executorch.kernels.quantized loads it. Only the scripts of 0.6 "
        "and earlier build it themselves (examples/arm/run.sh), into cmake-out-aot-lib.",
        ("OSError: Could not load this library: /w/cmake-out-aot-lib/kernels/quantized/libquantized_ops_aot_lib.so",),
    ),
    Failure(
        "library-missing",
        r"(?:ImportError|OSError): (?P<file>\S{1,200}): version `(?P<version>GLIBC\w{0,3}_[\d.]{1,12})' not found",
        "A compiled Python package needs a newer C or C++ library: {version} in {file}",
        "In a conda environment install libstdcxx-ng from conda-forge, or use a plain venv, which uses the system's library; for GLIBC itself use a newer "
        "Linux (or a container of one).",
        (
            "ImportError: /opt/conda/bin/../lib/libstdc++.so.6: version `GLIBCXX_3.4.30' not found (required by /a/_portable_lib.so)",
        ),
    ),
    Failure(
        "library-missing",
        r"OSError: Could not load this library: (?P<file>[^\n]{1,200})",
        "An operator library could not be loaded: {file}",
        "Check that the file exists and was built for this Python, this PyTorch and this machine.",
        ("OSError: Could not load this library: /w/libcustom_ops_aot_lib.so",),
    ),
    Failure(
        "delegate-not-loaded",
        r"ValueError: Failed to load delegate from (?P<file>[^\s]{1,200})",
        "TensorFlow Lite could not load its delegate {file}",
        "Check that the file exists and was built for this machine (ldd names what is missing), and that the NPU's device can be opened: /dev/ethosu0, its "
        "driver and its permissions.",
        ("ValueError: Failed to load delegate from /usr/lib/libethosu_delegate.so",),
    ),
    Failure(
        "library-missing",
        r"(?:ImportError|OSError): (?P<file>(?:_portable_lib|_training_lib)[\w.-]{0,80}\.so): cannot open shared object file",
        "An operator library needs ExecuTorch's own {file}, which is not loaded yet",
        "Import executorch.extension.pybindings.portable_lib before torch.ops.load_library (executorch.kernels.quantized does both). For --so_library of "
        "aot_arm_compiler put the folder executorch/extension/pybindings of site-packages and torch/lib on LD_LIBRARY_PATH, or give a "
        "libquantized_ops_aot_lib.so that was built in the source tree.",
        (
            "OSError: _portable_lib.cpython-310-x86_64-linux-gnu.so: cannot open shared object file: No such file or directory",
        ),
    ),
    Failure(
        "library-missing",
        r"OSError: (?P<file>[\w.+-]{0,200}/[\w./+-]{1,200}\.so[\w.]{0,20}): cannot open shared object file",
        "The named library does not exist: {file}",
        "Check the path (--so_library of the ahead-of-time script, torch.ops.load_library, ctypes), or build the library first.",
        ("OSError: /w/build/libmy_ops_aot_lib.so: cannot open shared object file: No such file or directory",),
    ),
    Failure(
        "library-missing",
        r"(?:ImportError|OSError): (?P<file>[\w./+-]{1,200}\.so[\w.]{0,20}): cannot open shared object file",
        "A compiled Python package needs a library that is missing: {file}",
        "Install it, or use the Python that the package was built for (FVPs and Vela's wheels are tied to one minor version of Python).",
        ("ImportError: libpython3.10.so.1.0: cannot open shared object file: No such file or directory",),
    ),
    Failure(
        "circular-import",
        r"ImportError: cannot import name '(?P<name>\w{1,80})' from partially initialized module '(?P<module>[\w.]{1,160})' \(most likely due to a circular import|"
        r"AttributeError: partially initialized module '(?P<other>[\w.]{1,160})' has no attribute '(?P<what>\w{1,80})' \(most likely due to a circular import",
        "{name}{what} was imported from {module}{other} before that was loaded: a circular import",
        "If it names one of your own files (torch.py, executorch.py), rename that and remove its __pycache__. Otherwise it is a bug in the package, which "
        "another import order may hide (import executorch.exir first) and another release may fix; the traceback shows the circle.",
        (
            "ImportError: cannot import name 'Writer' from partially initialized module 'executorch.a.b' (most likely due to a circular import) (/w/a/b.py)",
            "AttributeError: partially initialized module 'torch' has no attribute 'nn' (most likely due to a circular import)",
        ),
    ),
    Failure(
        "source-shadows-package",
        r"ImportError: cannot import name '(?P<name>\w{1,80})' from '(?P<module>(?:executorch|torch|torchao|ethosu|tosa)(?:\.[\w.]{0,120})?)' \(unknown location\)",
        "Python finds {module} only as a folder, and {name} is not in it",
        "Look whether the installed release has it (pip show -f executorch). If it does, start the script in another folder than the one that "
        "holds the source tree and take that out of PYTHONPATH (import executorch; print(executorch.__path__) shows which folders count); where the package was installed with -e, install it again without.",
        ("ImportError: cannot import name 'EdgeCompileConfig' from 'executorch.exir' (unknown location)",),
    ),
    Failure(
        "release-mismatch",
        r"ImportError: cannot import name '(?P<name>\w{1,80})' from (?:partially initialized module )?'(?P<module>"
        rf"{_OF_PACKAGE})'",
        "The script needs {name}, which the installed {module} does not have",
        _TYPED,
        (
            "ImportError: cannot import name 'EthosUQuantizer' from 'executorch.backends.arm.quantizer' (/a/__init__.py)",
        ),
    ),
    Failure(
        "release-mismatch",
        rf"AttributeError: (?:partially initialized )?module '(?P<module>{_OF_PACKAGE})' has no "
        r"attribute '(?P<name>\w{1,80})'",
        "The script needs {name}, which the installed {module} does not have",
        _TYPED,
        ("AttributeError: module 'torch.ao.quantization' has no attribute 'quantize_pt2e'",),
    ),
    Failure(
        "dependency-conflict",
        r"ImportError: cannot import name '(?P<name>\w{1,80})' from (?:partially initialized module )?'(?P<module>[\w.]{1,120})' "
        r"\([^)\n]{0,300}(?:site|dist)-packages",
        "The installed {module} does not match its caller: it has no {name}",
        f"{_FRESH} Another release of it was installed over the required one.",
        (
            "ImportError: cannot import name 'NumpyRequiredForThisFeature' from 'flatbuffers.builder' "
            "(/a/lib/python3.10/site-packages/flatbuffers/builder.py)",
        ),
    ),
    Failure(
        "dependency-conflict",
        r"AttributeError: module 'numpy' has no attribute '(?P<name>bool|int|float|complex|object|str|long|unicode)'",
        "The installed numpy is too new for its caller: it has no {name}",
        "Use a newer release of the package in the last frame above (numpy 1.24 removed this), or run it in an environment without ExecuTorch, which needs "
        'NumPy 2: pip install "numpy<1.24" (with a Python up to 3.11).',
        ("AttributeError: module 'numpy' has no attribute 'bool'",),
    ),
    Failure(
        "dependency-conflict",
        r"AttributeError: module '(?P<module>(?:numpy|flatbuffers|ml_dtypes|google\.protobuf|onnx|tensorflow)[\w.]{0,80})' has no attribute '(?P<name>\w{1,80})'",
        "The installed {module} does not match its caller: it has no {name}",
        f"{_FRESH} The installed release of it is not the required one.",
        ("AttributeError: module 'numpy' has no attribute 'vecdot'",),
    ),
    Failure(
        "shape",
        r"RuntimeError: (?P<reason>(?:mat1 and mat2 shapes cannot be multiplied|The size of tensor a \(|The expanded size of the tensor|Cannot view a tensor|"
        r"a and b must have same reduction dim|Sizes of tensors must match except|Expected size for first two dimensions|Calculated padded input size|"
        r"Expected \dD \(unbatched\) or|Output size is too small|shape '\[[-\d, ]{1,80}\]' is invalid for input of size|Given groups=\d)[^\n]{0,250})",
        "Shapes do not match: {reason}",
        "Give ModelInputs the shapes that the model expects, or correct the layer.",
        ("RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x512 and 256x10)",),
    ),
    Failure(
        "training-mode",
        r"(?:SpecViolationError:\s{1,4}Operator (?:torch\._ops\.)?|Missing out variants:\s{0,4}\{?[^}\n]{0,200}\s{0,20}')"
        r"(?P<operator>aten(?:\.|::)(?:_native_batch_norm_legit_functional|_?native_batch_norm(?:_legit)?)(?:\.[\w.]{1,40})?)(?: is not|')",
        "The model was exported in training mode: its batch norm is still training ({operator})",
        "Call model.eval() before torch.export.export(), also after quantisation-aware training (torchao's move_exported_model_to_eval), and export again.",
        (
            "torch._export.verifier.SpecViolationError: Operator torch._ops.aten._native_batch_norm_legit_functional.default is not Aten Canonical.",
            "torch._export.verifier.SpecViolationError: \nOperator torch._ops.aten.native_batch_norm.default is not in Core ATen opset (https://a.org).",
            "RuntimeError: Missing out variants: {'aten::_native_batch_norm_legit_functional'}",
            "RuntimeError: Missing out variants: {'aten::alias', 'aten::_native_batch_norm_legit_functional'}",
        ),
    ),
    Failure(
        "not-core-aten",
        r"SpecViolationError:\s{1,4}Operator (?:torch\._ops\.)?(?P<operator>[\w.:]{1,120}) is not (?:an )?(?:Aten|ATen|in Core ATen)",
        "The exported graph contains {operator}, which is not a core ATen operator",
        "Lower the model with to_edge_transform_and_lower, which decomposes what it can. Where it is used already, replace the operator in the model; your own "
        "operator needs EdgeCompileConfig(_check_ir_validity=False), and a kernel in the runner.",
        (
            "torch._export.verifier.SpecViolationError: Operator torch._ops.aten._softmax.default is not Aten Canonical.",
        ),
    ),
    Failure(
        "eager-quantised",
        r"Could not run '(?P<operator>quantized::[\w.]{1,80})' with arguments from the '(?P<backend>\w{1,20})' backend",
        "The model was quantised in eager mode: {operator} cannot be exported",
        "Give the float model, and let prepare_pt2e and convert_pt2e with EthosUQuantizer quantise it (--quantize).",
        (
            "NotImplementedError: Could not run 'quantized::conv2d.new' with arguments from the 'CPU' backend. This could be because",
        ),
    ),
    Failure(
        "weights-only",
        r"(?:UnpicklingError: |\A)Weights only load failed",
        "A .pt file holds more than weights, which torch.load() refuses by default",
        "Save only the state_dict; for a file that you trust, torch.load(FILE, weights_only=False).",
        (
            "_pickle.UnpicklingError: Weights only load failed. This file can still be loaded",
            "Weights only load failed. This file can still be loaded, to do so you have two options",
        ),
    ),
    Failure(
        "out-of-memory",
        r"CUDA out of memory",
        "The GPU ran out of memory",
        "Compile on the CPU: .cpu() for the model and its inputs, or CUDA_VISIBLE_DEVICES= for the command.",
        ("torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB",),
    ),
    Failure(
        "download-failed",
        r"HTTPError: HTTP Error (?P<code>\d{3})(?:: (?P<reason>[^\n]{1,80}))?",
        "A download failed: the server answered {code} {reason}",
        "Try again later (403 and 429 are limits of the server), or put the weights into the cache by hand (~/.cache/torch/hub/checkpoints).",
        ("urllib.error.HTTPError: HTTP Error 403: rate limit exceeded",),
    ),
    Failure(
        "launcher-not-found",
        r"No such file or directory: '(?P<name>FVP_Corstone[\w-]{1,60})'",
        "The simulator {name} is not on PATH",
        "Source examples/arm/arm-scratch/setup_path.sh in this shell; examples/arm/setup.sh --i-agree-to-the-contained-eula installs it.",
        ("FileNotFoundError: [Errno 2] No such file or directory: 'FVP_Corstone_SSE-300_Ethos-U55'",),
    ),
    Failure(
        "launcher-not-found",
        r"No such file or directory: '(?P<name>qemu-system-\w{1,16})'",
        "The emulator {name} is not installed, or not on PATH",
        "Install it (Debian and Ubuntu: apt install qemu-system-arm; macOS: brew install qemu), or put its folder on PATH.",
        ("FileNotFoundError: [Errno 2] No such file or directory: 'qemu-system-arm'",),
    ),
    Failure(
        "wrong-architecture",
        r"Exec format error: '(?P<name>[^'\n]{0,200}(?:\.(?:elf|axf)|/arm_executor_runner))'",
        "{name} is firmware for a Cortex-M, no program of this machine",
        "Start the simulator instead, and hand it the firmware: FVP_Corstone_SSE-300_Ethos-U55 -a FILE, or run_fvp.sh --elf=FILE.",
        ("OSError: [Errno 8] Exec format error: './arm_executor_runner.elf'",),
    ),
    Failure(
        "wrong-architecture",
        r"Exec format error: '(?P<name>[^'\n]{1,200})'",
        "{name} is built for another machine than this one, or is no program",
        "Compare the two (file NAME; uname -m), and install the one for this machine: the FVPs for Linux on x86-64 and on AArch64 are different downloads, and "
        "on macOS the wrappers of FVPs-on-Mac start them in docker. A script needs #! in its first line.",
        ("OSError: [Errno 8] Exec format error: '/w/FVP_Corstone_SSE-300_Ethos-U55'",),
    ),
    Failure(
        "simulation-timeout",
        r"TimeoutExpired: Command '?\[?'?(?P<name>[\w./+-]{0,200}(?:FVP|VHT)_Corstone[\w-]{1,60})[^\n]{0,900} timed out after (?P<seconds>[\d.]{1,12}) seconds",
        "The simulation {name} did not end within {seconds} s",
        "Give it more time: a CNN takes 10 to 20 minutes on an FVP without --fast. A run that hangs is waiting for the NPU, or for input.",
        ("subprocess.TimeoutExpired: Command '['FVP_Corstone_SSE-320', '-a', 'x.elf']' timed out after 600 seconds",),
    ),
    Failure(
        "simulation-failed",
        r"(?:Failed to run elf: )?Corstone simulation failed",
        "The simulation failed, and the test gives no reason",
        "Read the run's log that it quotes (pytest -rP prints it).",
        ("RuntimeError: Corstone simulation failed:",),
        2,
    ),
    Failure(
        "simulation-failed",
        r"RuntimeError: FVP (?:(?:runner )?(?P<how>exited|stdout closed) unexpectedly|execution failed|server completed inference but did not write output)|"
        r"TimeoutError: Timed out waiting for FVP server",
        "The simulation did not do what a host script waited for; the script gives no reason",
        "Read the end of the simulator's output, quoted below it; if nothing is quoted, start the runner by hand with the same input files.",
        (
            "RuntimeError: FVP runner exited unexpectedly (rc=1).",
            "RuntimeError: FVP runner stdout closed unexpectedly (rc=None).",
            "RuntimeError: FVP execution failed (rc=0).",
            "RuntimeError: FVP server completed inference but did not write output.",
            "TimeoutError: Timed out waiting for FVP server inference.",
        ),
        2,
    ),
    Failure(
        "job-step-failed",
        r"RuntimeError: Command docker exec (?:-\S{1,40} )*\S{1,80} /exec failed with exit code (?P<code>\d{1,5})",
        "The CI job's command in its container ended with status {code}",
        "Read what it printed above; this traceback belongs only to the job's own script.",
        ("RuntimeError: Command docker exec -t 0a1b2c3d /exec failed with exit code 1",),
        3,
    ),
    Failure(
        "outputs-differ",
        r"AssertionError: Output (?P<index>\d{1,4}) does not match reference output",
        "Output {index} differs from the reference",
        "Compare it with the quantised model on the host; a tolerance may allow a few quantisation steps.",
        ("AssertionError: Output 0 does not match reference output.",),
    ),
    Failure(
        "model-inputs-missing",
        r"Model '(?P<model>[^'\n]{1,200})' requires input data specify --model_input|Model input data '(?P<data>[^'\n]{1,200})' is not a valid name",
        "The script has no usable inputs for the model: {model}{data}",
        "Give them with --model_input FILE.pt (torch.save of a tuple of tensors), or end the model's Python file with ModelInputs = (...,).",
        (
            "RuntimeError: Model 'deit.pt2' requires input data specify --model_input <FILE>.pt",
            "RuntimeError: Model input data 'x.txt' is not a valid name. Use --model_input <FILE>.pt e.g. saved with torch.save()",
        ),
    ),
    Failure(
        "calibration",
        r"range of \[[^\]\n]{1,80}\] is not finite",
        "The calibration saw values that are NaN or infinite",
        "Look at the calibration inputs first (torch.isfinite(x).all()), then at the model's outputs for them in plain PyTorch: a division by zero, a log "
        "or weights that were not loaded produce such values too.",
        ("RuntimeError: torch.histc: range of [-nan, -nan] is not finite",),
    ),
    Failure(
        "missing-out-variants",
        r"Missing out variants:\s{0,4}\{?\s{0,20}(?P<names>'aten::(?:(?!quantized)[^}\n]){1,300})(?:\}|\n|\Z)",
        "PyTorch operators without an out variant remain: {names}",
        "Update ExecuTorch, whose passes remove operators that only rename a tensor (alias, detach, lift_fresh_copy), or decompose them before lowering: "
        "exported.run_decompositions(), then to_edge_transform_and_lower; otherwise leave them out of the model.",
        ("RuntimeError: Missing out variants: {'aten::alias'}",),
    ),
    Failure(
        "calibration",
        r"(?P<reason>(?:Unsupported calibration file type|Calibration data path|No supported calibration files found)[^\n]{0,300})",
        "The calibration data cannot be read: {reason}",
        "Give a .pt file (torch.save of tensors), or a folder of files that this release accepts.",
        ("ValueError: Calibration data path 'data/cal' is not a file or directory.",),
    ),
    Failure(
        "aot-options",
        r"(?P<reason>(?:Context TOSA spec \S{1,80} doesn't support int16|Unsupported quantization mode)[^\n]{0,120})",
        "The options cannot be combined: {reason}",
        "Choose a quantisation that the target supports: int8 everywhere, int16 activations with a TOSA specification that has +int16.",
        (
            "ValueError: Context TOSA spec TOSA-1.0+INT doesn't support int16",
            "ValueError: Unsupported quantization mode: INT4",
        ),
    ),
    Failure(
        "unsupported",
        r"Dynamo failed to run FX node with fake tensors[^\n]{0,600}?got (?P<reason>\w{1,40}(?:Error|Exception)\([^\n]{1,200})",
        "The model failed during export: {reason}",
        "Look at the line below it (from user code), and take NumPy arrays and constants (numpy.pi, an ndarray) out of forward(), or turn them into tensors "
        "in __init__ (register_buffer): values that are not PyTorch tensors cause this.",
        (
            "torch._dynamo.exc.TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_function <div>(*(FakeTensor(...), 3.1), **{}): got "
            "AttributeError(\"'ndarray' object has no attribute 'div'\")",
        ),
    ),
)
"""A part of `AOT_FAILURES`, before its rows for files and for PyTorch's own exceptions."""
