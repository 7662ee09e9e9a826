"""Python packages that the interpreter of a compile lacks: the Arm backend's own, ExecuTorch, and those of the model."""

from __future__ import annotations

from ..compiles.toolchains import NEWEST_LINE
from .causes import PINNED_TOOLS, Failure
from .causes_tools import VENV_MISSING

_CALLED = r"(?:EthosU|Ethosu|TOSA|Tosa|Arm|Vgf|Edge|Executorch|CortexM)\w{0,60}(?:\.__init__)?|to_edge\w{0,40}|prepare_pt2e|convert_pt2e|get_symmetric_\w{1,40}"
"""What scripts call of ExecuTorch and of its quantisation, whose arguments change from release to release."""

MISSING_MODULES: tuple[Failure, ...] = (
    Failure(
        "module-hidden",
        r"No module named '(?P<name>[\w.]{1,100})'; '(?P<package>\w{1,60})' is not a package",
        "Another module called {package} hides the package {package}",
        "Rename your own {package}.py if there is one beside the script or in the folder of the call (and remove its __pycache__); otherwise "
        'python -c "import {package}; print({package}.__file__)" shows which installed one it is: remove that, and install the package again.',
        ("ModuleNotFoundError: No module named 'torch.fx'; 'torch' is not a package",),
    ),
    Failure(
        "release-mismatch",
        r"ModuleNotFoundError: No module named '(?P<name>(?:torch\.(?:ao|_?export)|executorch\.(?:backends\.arm|exir))\.[\w.]{1,100})'",
        "The script needs {name}, which the installed release does not have",
        "Use the example from the installed release (pip show executorch torch torchao): script and packages are of different releases. "
        "torch.ao.quantization.quantize_pt2e has moved to torchao.quantization.pt2e.quantize_pt2e, and ExecuTorch's compile specification is now "
        "EthosUCompileSpec.",
        (
            "ModuleNotFoundError: No module named 'torch.ao.quantization.quantize_pt2e'",
            "ModuleNotFoundError: No module named 'executorch.backends.arm.tosa_specification'",
        ),
    ),
    Failure(
        "release-mismatch",
        rf"TypeError: (?P<called>{_CALLED}|export)\(\) got an "
        r"unexpected keyword argument '(?P<name>\w{1,60})'",
        "The script gives {called} the argument {name}, which the installed release does not know",
        "Use the example from the installed release (pip show executorch), or check help(...) of what it calls: script and packages are of different releases.",
        ("TypeError: EthosUCompileSpec.__init__() got an unexpected keyword argument 'arena_cache_size'",),
    ),
    Failure(
        "release-mismatch",
        rf"TypeError: (?P<called>{_CALLED})\(\) "
        r"(?P<how>(?:missing|takes) [^\n]{0,30}positional arguments?[^\n]{0,100})",
        "The script does not call {called} as the installed release expects: it {how}",
        "Use the example from the installed release (pip show executorch), or check help(...) of what it calls: script and packages are of different "
        "releases, or an argument is missing.",
        (
            "TypeError: EthosUPartitioner.__init__() takes 2 positional arguments but 3 were given",
            "TypeError: EthosUQuantizer.__init__() missing 1 required positional argument: 'compile_spec'",
        ),
    ),
    Failure(
        "registered-twice",
        r"Tried to register an operator \((?P<name>[\w:.]{1,120})[^\n]{0,200}?\) with the same name and the same overload name multiple times",
        "A library that defines {name} was loaded twice",
        "Load the quantised operators only with import executorch.kernels.quantized, without --so_library or "
        "torch.ops.load_library(libquantized_ops_aot_lib), and keep one ExecuTorch in the environment (pip list; a source tree installed over a wheel "
        "leaves two).",
        (
            "RuntimeError: Tried to register an operator (quantized_decomposed::add.out(Tensor a) -> Tensor(a!)) with the same name and the same overload name multiple times.",
        ),
    ),
    Failure(
        "dependency-conflict",
        r"ModuleNotFoundError: No module named '(?P<name>setuptools\.\w{1,40}\.[\w.]{1,60})'",
        "This environment's setuptools is too old for the package being built: it has no {name}",
        "Update it: `pip install -U setuptools wheel`, then run the step again; with --no-build-isolation the environment's own one is used.",
        ("ModuleNotFoundError: No module named 'setuptools.command.build'",),
    ),
    Failure(
        "missing-module",
        r"(?P<name>ml_dtypes) is required to serialize (?:torch\.)?(?P<what>\w{1,20}) tensors for TOSA",
        "ExecuTorch's Arm backend lacks its Python package {name}, which {what} tensors need",
        "Install it: examples/arm/setup.sh --i-agree-to-the-contained-eula does, or pip install ml_dtypes; or keep the model in float32 and int8.",
        (
            "RuntimeError: ml_dtypes is required to serialize bfloat16 tensors for TOSA. Have you run setup.sh?",
            "RuntimeError: ml_dtypes is required to serialize torch.float8_e5m2 tensors for TOSA. Have you run setup.sh?",
        ),
    ),
    Failure(
        "missing-file",
        r"FileNotFoundError: \[Errno 2\] No such file or directory: ''",
        "A file or folder with an empty name was to be opened or created",
        "Give the output a folder (--output=./out/net.bpte): with --bundleio and no folder, aot_arm_compiler of 0.7 to 1.2 fails this way.",
        ("FileNotFoundError: [Errno 2] No such file or directory: ''",),
    ),
    Failure(
        "missing-module",
        r"Cortex-M backend dependencies are not installed \(tried (?P<tried>[\w., ]{1,200})\)",
        "ExecuTorch's backend for Cortex-M lacks its Python package: {tried}",
        f"Install a wheel of 1.4 or later, which includes it ({NEWEST_LINE}), or build it in a source tree with ./install_executorch.sh; a minimal build, or "
        "one with EXECUTORCH_BUILD_CMSIS_NN_PYBINDS off, does not have it. Only a Cortex-M program needs it.",
        (
            "ImportError: Cortex-M backend dependencies are not installed (tried cmsis_nn,cmsis_nn.cmsis_nn). Install them",
        ),
    ),
    Failure(
        "missing-module",
        r"Cortex-M backend dependencies are not installed \(missing: (?P<name>[\w, ]{1,80})\)(?![^`\n]{0,80}`pip3? install \w)",
        "ExecuTorch's backend for Cortex-M lacks its Python package {name}",
        "Run examples/arm/setup.sh --i-agree-to-the-contained-eula, or pip install --no-dependencies -r backends/cortex_m/requirements-cortex-m.txt in a "
        "source tree of the same release: cmsis_nn comes from GitHub, not from PyPI, and aot_arm_compiler of 1.3 needs it for an Ethos-U as well; from 1.4 "
        "on ExecuTorch includes it.",
        ("ModuleNotFoundError: Cortex-M backend dependencies are not installed (missing: cmsis_nn). Install them",),
    ),
    Failure(
        "missing-module",
        r"ModuleNotFoundError: No module named '(?P<name>(?:tosa|tosa_tools|tosa_serializer|tosa_reference_model|serializer|ethosu|mlsdk|"
        r"model_converter)(?:\.[\w.]+)?)'",
        "ExecuTorch's Arm backend lacks its Python package {name}",
        f"{PINNED_TOOLS} The packages serializer and tosa belong to tosa-tools, ethosu to ethos-u-vela.",
        (
            "ModuleNotFoundError: No module named 'serializer'",
            "ModuleNotFoundError: No module named 'tosa_serializer'",
            "ModuleNotFoundError: No module named 'ethosu.vela'",
        ),
    ),
    Failure(
        "missing-module",
        r"(?:ModuleNotFound|Import)Error: No module named '(?P<name>executorch(?:\.[\w.]+)?)'",
        "ExecuTorch, or part of it, is not installed in this interpreter: {name}",
        "Activate the environment that has it, or pip install executorch; a source tree is installed by ./install_executorch.sh.",
        (
            "ModuleNotFoundError: No module named 'executorch.backends.arm'",
            "ImportError: No module named 'executorch.backends.arm'",
        ),
    ),
    Failure(
        "missing-module",
        r"ModuleNotFoundError: No module named '(?P<name>(?:yaml|ruamel|zstd|torchgen|packaging|setuptools|pkg_resources|elftools|pykwalify|jsonschema|"
        r"jinja2|west|semver|tomli)(?:\.[\w.]+)?)'",
        "A build script needs the Python package {name}, which its interpreter lacks",
        "Install it into the environment that the build runs in (./install_executorch.sh; for Zephyr west packages pip --install), activate that "
        "environment, and configure again in an empty folder: CMake caches the first Python that it found.",
        ("ModuleNotFoundError: No module named 'yaml'", "ModuleNotFoundError: No module named 'elftools.elf'"),
    ),
    VENV_MISSING,
    Failure(
        "missing-module",
        r"ModuleNotFoundError: No module named '(?P<name>cmake|ninja)'",
        "The build calls {name}, a script of the Python package {name}, which its interpreter lacks",
        "Build ExecuTorch as its own script does (./install_executorch.sh, or `pip install --no-build-isolation .`) with {name} in the same environment, or "
        "put the system's {name} first on PATH: pip's isolated build hides packages from scripts on PATH.",
        ("ModuleNotFoundError: No module named 'cmake'",),
    ),
    Failure(
        "missing-module",
        r"ModuleNotFoundError: No module named '(?P<name>(?:torch|torchao|flatbuffers|sympy|ml_dtypes|numpy)(?:\.[\w.]+)?)'",
        "ExecuTorch needs the Python package {name}, which this interpreter does not have",
        f"Activate the environment that ExecuTorch is installed in (source env/bin/activate), or install it with its dependencies: {NEWEST_LINE}. ExecuTorch "
        "1.5 does not install torch itself. In a source tree ./install_executorch.sh installs both.",
        ("ModuleNotFoundError: No module named 'torch'", "ModuleNotFoundError: No module named 'torchao'"),
    ),
    Failure(
        "missing-module",
        r"ModuleNotFoundError: No module named '(?P<name>[\w.]+)'",
        "The model needs the Python package {name}, which the interpreter does not have",
        "Install it into the environment that compiles (python -m pip install PACKAGE; torchvision and torchaudio in the version that matches its torch); "
        "your own module must be on Python's path: start in its folder, or set PYTHONPATH. ethosu-tui compile takes another interpreter with --python.",
        ("ModuleNotFoundError: No module named 'timm'",),
    ),
    Failure(
        "missing-module",
        r"ModuleNotFoundError: (?P<what>[\w. -]{1,60}) dependencies are not installed \(missing: (?P<name>[\w., -]{1,120})\)[^`\n]{0,80}"
        r"`(?P<line>pip3? install \w[\w.,\[\]=-]{0,80})`",
        "The interpreter lacks {name}, which {what} needs",
        "Install it into the environment that compiles: {line}; or activate the one that has it.",
        (
            "ModuleNotFoundError: Cortex-M backend dependencies are not installed (missing: cmsis_nn). Install ExecuTorch with `pip install "
            "executorch[cortex_m]`, or if building from source run `examples/arm/setup.sh --i-agree-to-the-contained-eula`.",
        ),
    ),
    Failure(
        "missing-module",
        r"ModuleNotFoundError: (?P<reason>[^\n]{1,200})",
        "A Python package is missing: {reason}",
        "Install it into the environment that compiles, or activate the one that has it.",
        ("ModuleNotFoundError: This backend needs cmsis_nn",),
    ),
)
"""A part of `AOT_FAILURES`, in its order."""
