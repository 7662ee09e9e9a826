"""What a build or an installation lacks on this machine: programs that are not there, and a machine, Python or download that does not do."""

from __future__ import annotations

from ..compiles.toolchains import NEWEST_LINE
from ..host.launches import BUILD_TOOLS
from .causes import Failure

VENV_MISSING = Failure(
    "venv-missing",
    r"because ensurepip is not|No module named '?ensurepip\b",
    "This Python cannot create a virtual environment: ensurepip is missing",
    "Install it (Debian and Ubuntu: apt install python3-venv, or python3.12-venv for Python 3.12), remove the half-made folder, and run the step again.",
    (
        "The virtual environment was not created successfully because ensurepip is not",
        "/usr/bin/python3: No module named ensurepip",
        "ModuleNotFoundError: No module named 'ensurepip'",
    ),
)
"""No package has it: it belongs to Python, and distributions take it out."""
_OF_HOST = r"\A(?!.*(?:arm-|armclang|[Zz]ephyr|ZEPHYR|[Tt]oolchain|TOOLCHAIN|aarch64|riscv)).*?"
_NO_HOST_COMPILER = "This machine's own C and C++ compiler is missing or not usable"
_ADD_COMPILER = (
    "Install one: apt install build-essential (Debian and Ubuntu), xcode-select --install (macOS), or the Visual Studio Build Tools with C++ (Windows; "
    "build in their command prompt); then remove the build folder and run the step again."
)
HOST_COMPILER: tuple[Failure, ...] = (
    Failure(
        "host-compiler-missing",
        rf"{_OF_HOST}(?:CMAKE_C(?:XX)?_COMPILER\b[^\n]{{0,200}}(?:not (?:set|found|able)|"
        r"is not a full path)|No CMAKE_C(?:XX)?_COMPILER could be found|"
        r"Could not find compiler set in environment variable|'nmake' '-\?'\s{1,8}failed with)",
        _NO_HOST_COMPILER,
        _ADD_COMPILER,
        (
            "CMake Error: CMAKE_C_COMPILER not set, after EnableLanguage",
            "CMake Error at CMakeLists.txt:14 (project): No CMAKE_CXX_COMPILER could be found.",
            "CMake Error at CMakeLists.txt:17 (project):   Running   'nmake' '-?'   failed with:   no such file or directory",
        ),
    ),
    Failure(
        "host-compiler-missing",
        rf"{_OF_HOST}[Tt]he C(?:XX|\+\+)? compiler[^\n]{{0,200}}not able to compile",
        _NO_HOST_COMPILER,
        _ADD_COMPILER,
        (
            'CMake Error at a.cmake:70 (message):   The C compiler      "/usr/bin/gcc"    is not able to compile a simple test program.',
        ),
        1,
    ),
)
"""Told where the line names nothing of another machine's; what does is a cross compiler's. What the compiler itself says of the test is the cause."""
SETUP_STOPPED: tuple[Failure, ...] = (
    Failure(
        "package-not-found",
        r"^PackagesNotFoundError: [^\n]{1,160}?:\s{1,8}- (?P<name>[\w.=<>!*:/-]{1,80})|^PackagesNotFoundError",
        "conda's channels do not have the package {name}",
        "Install it from conda-forge (-c conda-forge) or with pip in the activated environment; ExecuTorch, ethos-u-vela and tosa-tools come from PyPI, the "
        "cross compiler from examples/arm/setup.sh.",
        (
            "PackagesNotFoundError: The following packages are not available from current channels:   - ethos-u-vela  Current channels:",
        ),
    ),
    Failure(
        "dependency-conflict",
        r"^(?:LibMamba)?UnsatisfiableError: (?P<what>[^\n]{1,200})",
        "conda finds no compatible versions of these packages: {what}",
        "Create an environment with only Python (conda create -yn executorch python=3.12), activate it, and install the rest into it: "
        + NEWEST_LINE
        + ".",
        (
            "LibMambaUnsatisfiableError: Encountered problems while solving:   - package a requires b, but none of the providers can be installed",
        ),
    ),
    Failure(
        "conda-channel",
        r"^(?P<kind>UnavailableInvalidChannel|CondaToSNonInteractiveError): (?P<reason>[^\n]{1,160})",
        "conda cannot use its channel: {reason}",
        "Accept the terms of service with conda tos accept, or use conda-forge, which has none: conda create -yn executorch --override-channels -c "
        "conda-forge python=3.12. Otherwise see conda config --show channels.",
        (
            "UnavailableInvalidChannel: HTTP 403 FORBIDDEN for channel anaconda <https://repo.anaconda.com/pkgs/main>",
            "CondaToSNonInteractiveError: Terms of Service have not been accepted for the following channels. Please accept or remove them before proceeding:",
        ),
    ),
    Failure(
        "machine-unsupported",
        r"only x86-64 [^\n]{0,40}architecture is supported|^Error: Only Linux (?:is|and Darwin are) supported on (?:x86_64|arm64)|_select_toolchain\]: Unsupported arch!",
        "ExecuTorch's setup has no tools for this kind of machine",
        "Run it on Linux on x86-64 or AArch64, or on a Mac with Apple silicon (Windows: in WSL, not in Git Bash; an Intel Mac: in a Linux container); uname "
        "-sm shows what this machine is.",
        (
            "[main] Error: only x86-64 & aarch64/arm64 architecture is supported for now!",
            "[gcc_select_toolchain]: Unsupported arch!",
            "Error: Only Linux is supported on x86_64",
        ),
    ),
    Failure(
        "devicetree",
        r"devicetree error: (?P<reason>[^\n]{1,200})",
        "Zephyr's devicetree is invalid: {reason}",
        "Correct the overlay at that line: a label must be one of the board's (build/zephyr/zephyr.dts lists them), and an overlay for another board or "
        "Zephyr uses different ones.",
        ("devicetree error: /w/mps3.overlay:10 (column 5): parse error: undefined node label 'ethosu0'",),
    ),
    Failure(
        "outside-workspace",
        r"west: unknown command [\"'](?P<command>[\w-]{1,40})",
        "west does not know {command} here: it is outside a Zephyr workspace",
        "Run it inside the folder that west init created (west topdir names it), after west update, or set ZEPHYR_BASE.",
        ('west: unknown command "build"; do you need to run this inside a workspace?',),
    ),
    Failure(
        "python-version",
        r"Package '(?P<package>[\w.-]{1,60})' requires a different Python: (?P<has>[\d.]{1,20}) not in '(?P<wanted>[^'\n]{1,60})'",
        "{package} does not support this Python: {has} is not in {wanted}",
        "Create the environment with a Python that it supports (python3.12 -m venv env && source env/bin/activate), and install again.",
        ("ERROR: Package 'executorch' requires a different Python: 3.9.18 not in '<3.14,>=3.10'",),
    ),
    Failure(
        "python-version",
        r"Could NOT find (?P<what>Python3?|PythonInterp): Found unsuitable\s{1,8}version\s{1,8}\"(?P<has>[\d.]{1,20})\", but required\s{1,8}is\s{1,8}"
        r"(?P<how>at\s{1,8}least|exact\s{1,8}version)\s{1,8}\"(?P<wanted>\d{1,3}(?:\.\d{1,4})?)",
        "CMake found Python {has}, and this build needs {how} {wanted}",
        "Create an environment with that Python (python{wanted} -m venv env && source env/bin/activate; Windows: py -{wanted} -m venv env), install the "
        "build's packages into it, and configure again in an empty folder: CMake caches the first Python that it found.",
        (
            'CMake Error at a.cmake:230 (message): Could NOT find Python3: Found unsuitable version "3.8.10", but required is at least "3.10" (found a)',
            'CMake Error at a.cmake:230 (message):   Could NOT find Python3: Found unsuitable version "3.10.4", but required is   exact version "3.9"',
        ),
    ),
    Failure(
        "download-failed",
        r"(?P<how>(?:gzip: stdin|xz: \(stdin\)): [Uu]nexpected end of (?:file|input)|gzip: stdin: not in gzip format|does not look like a tar archive|"
        r"DO NOT MATCH THE HASHES)",
        "A download is damaged, or not the requested file: {how}",
        "Remove the file and run the step again; a proxy or login page in between may answer with its own page (look inside the file).",
        (
            "gzip: stdin: unexpected end of file",
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If you have updated the package versions, please",
        ),
    ),
)
"""A part of `BUILD_FAILURES`: what ExecuTorch's setup and pip refuse on this machine."""
MISSING_TOOLS: tuple[Failure, ...] = (
    Failure(
        "toolchain-missing",
        r"Could not find toolchain file:?\s{1,8}(?P<file>\S{1,300})",
        "CMake's toolchain file is missing: {file}",
        "Give its path in this checkout (-DCMAKE_TOOLCHAIN_FILE=examples/arm/ethos-u-setup/arm-none-eabi-gcc.cmake; it moved between releases), absolute or "
        "relative to the build folder, and configure in an empty one; CMake's compiler messages below follow from this.",
        (
            "CMake Error at a.cmake:130 (message):   Could not find toolchain file:   /w/executorch/examples/arm/a/arm-none-eabi-gcc.cmake",
        ),
    ),
    Failure(
        "test-failed",
        r"^(?:ERROR +- |INFO +- +\d{1,7}/\d{1,7} +(?=[^\n(]{1,400}\())(?P<platform>\S{1,80}) +(?P<test>\S{1,200}) +FAILED ?:? (?P<reason>[^\n]{1,160})",
        "twister's test {test} failed on {platform}: {reason}",
        "Read handler.log, the console of that test, beside its build (twister's next line names it); for a timeout raise the test's timeout in sample.yaml "
        "or testcase.yaml: an FVP needs minutes for a large model.",
        (
            "ERROR   - mps3/corstone300/fvp        sample.hello FAILED: Timeout (rc=0)",
            "INFO    -  12/340 mps3_an547                 sample.hello FAILED Timeout (qemu 60.012s)",
        ),
        1,
    ),
    Failure(
        "test-failed",
        r"^ImportError while importing test module '(?P<file>[^'\n]{1,300})'",
        "pytest could not import {file}, so none of its tests ran",
        "Install what the E line at the end of its traceback names into the environment that runs pytest (for the Arm backend examples/arm/setup.sh does), "
        "or leave that file out: pytest --ignore=FILE.",
        ("ImportError while importing test module '/w/backends/a/test/test_b.py'.",),
        1,
    ),
    Failure(
        "test-failed",
        r"^\[  FAILED  \] (?P<test>\S{1,200})(?:, where [^\n]{1,400})? \(\d{1,9} ms\)|"
        r"^\d{1,6}/\d{1,6} +Test +#\d{1,6}: (?P<program>\S{1,120}) \.{2,200}\*\*\*(?P<reason>Failed|Timeout|Exception: \w{1,40}|Not Run)\b",
        "The unit test {test}{program} failed: {reason}",
        "Read what it expected above that line, with the place in its source; run it alone (its program's --gtest_filter, or ctest -R NAME "
        "--output-on-failure) to see only its output.",
        (
            "[  FAILED  ] MethodTest.MoveTest (3 ms)",
            "3/12 Test  #3: runtime_executor_test ............***Failed    0.02 sec",
        ),
        1,
    ),
    Failure(
        "test-failed",
        r"^\[ RUN      \] (?P<test>\S{1,200})",
        "The unit test {test} crashed its program",
        "Read the lines below that one for the cause: the test started and never finished. Otherwise run it alone (its program's --gtest_filter) under gdb "
        "--args.",
        ("[ RUN      ] MethodTest.MoveTest\nSegmentation fault (core dumped)",),
        1,
    ),
    Failure(
        "test-failed",
        r"^_{3,200} (?:ERROR at \w{1,10} of )?(?P<test>[^\n]{0,160}?\btest_[^\n]{1,200}?) _{3,200}\s*\Z",
        "The test {test} failed",
        "Read the lines that begin with E below that heading, or the summary at the end of pytest's output.",
        (
            "_____________ TestA.test_add_u55_INT[a b] ______________",
            "____________ ERROR at setup of test_a ____________",
        ),
        3,
    ),
    Failure(
        "memory-limit",
        r"^\[check\] (?P<figure>[^:\n]{1,80}): (?P<value>[\d.]{1,20} ?\w{0,8}) (?P<limit>[<>=!]{1,2} [\d.]{1,20} ?\w{0,8}) -> FAIL\b",
        "A memory check failed: {figure} is {value}, required {limit}",
        "Find which change to the model, Vela or the runtime made it larger; if that is intended, raise the limit given to the check (--require of "
        "test_memory_allocator_log.py).",
        ("[check] method_allocator_loaded: 1200 bytes <= 1024 B -> FAIL",),
    ),
    Failure(
        "probe-device-unknown",
        r"(?:selected device \"|\*{6} Error: )(?P<device>[^\"\n]{1,80}?)\"? is unknown to this software version",
        "J-Link does not know the device {device}",
        "Write the name exactly as in its list (J-Link Commander: connect, then ? at the device; a family name without its package does not count), or "
        "install a newer J-Link (7.94 or later for Alif's boards); a JLinkDevices.xml with a mistake in it is ignored silently.",
        (
            'The selected device "R7KA8P1" is unknown to this software version.',
            "****** Error: M55_HE is unknown to this software version",
        ),
    ),
    Failure(
        "vela-missing",
        r"(?<![\w/.-])vela: (?:command )?not found|[`']vela' is not recognized as",
        "Vela is not on PATH",
        "Activate the environment that has it, or install it: `pip install ethos-u-vela==VERSION` with the version that this ExecuTorch release pins "
        "(examples/arm/setup.sh does).",
        ("run.sh: line 210: vela: command not found", "'vela' is not recognized as an internal or external command,"),
    ),
    Failure(
        "tosa-reference-missing",
        r": tosa_reference_model: (?:command )?not found(?! ?[(,])|'tosa_reference_model' is not recognized as",
        "The TOSA reference model is not on PATH",
        "Activate the environment that has it, or install it: `pip install tosa-tools==VERSION` with the version that this ExecuTorch release pins "
        "(examples/arm/setup.sh does); tests that compare against it need the program itself.",
        ("/bin/sh: 1: tosa_reference_model: not found", "run.sh: line 9: tosa_reference_model: command not found"),
    ),
    VENV_MISSING,
    Failure(
        "build-tool-missing",
        r"required program (?P<tool>[\w.+-]{1,80}) not found; install it or add its location to PATH",
        "A program that west needs is missing: {tool}",
        "Install it, and put its folder on PATH; west flash --runner NAME uses another one (west flash --context lists the board's).",
        ("FATAL ERROR: required program JLinkExe not found; install it or add its location to PATH",),
    ),
    Failure(
        "build-tool-missing",
        rf"(?P<tool>{BUILD_TOOLS}): "
        r"(?:command )?not found|(?:No such file or directory: |command (?='[^'\n]{1,40}' failed: No such file)|Could not find a program )"
        r"'?(?P<other>cmake|ninja|gcc|g\+\+|make|x86_64-linux-gnu-g(?:cc|\+\+))'|"
        rf"[`'](?P<named>{BUILD_TOOLS})' is not recognized as|"
        r"unable to find a build program corresponding to \"(?P<generator>\w{1,20}(?: Makefiles)?)|CMAKE_MAKE_PROGRAM is not set|"
        r"(?P<cmake>CMake) must be installed to build",
        "A build tool is missing: {tool}{other}{named}{generator}{cmake}",
        "Install it (Debian and Ubuntu: apt install build-essential cmake ninja-build git python3-dev), and run the step again.",
        (
            "examples/arm/setup.sh: line 88: cmake: command not found",
            "sh: 1: ninja: not found",
            "'cmake' is not recognized as an internal or external command,",
            'CMake Error: CMake was unable to find a build program corresponding to "Ninja".',
            "error: command 'gcc' failed: No such file or directory",
        ),
    ),
)
"""A part of `BUILD_FAILURES`, in its order."""
