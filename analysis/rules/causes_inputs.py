"""What a build was not given, or was given wrong: the program for the runner, Python, Zephyr's SDK, objects of one float ABI."""

from __future__ import annotations

from .causes import Failure

_MAKE_IT = (
    "Compile the model first (aot_arm_compiler, or run.sh does both), and give the build its .pte with the full path: -DET_PTE_FILE_PATH=FILE "
    "(build_executor_runner.sh --pte=FILE), or the address where it will be (--pte=0xADDRESS)."
)
_PTE = r"(?P<{0}>[^\s']{{1,300}}\.b?pte)"

INPUT_FAILURES: tuple[Failure, ...] = (
    Failure(
        "pte-for-build-missing",
        r"ET_PTE_FILE_PATH is set to " + _PTE.format("set") + r",? but no file was found|Could not find ExecuTorch model at ET_PTE_FILE_PATH:\s{0,8}"
        r"(?P<at>[^\s']{1,300})|'" + _PTE.format("needed") + r"',? needed by|input filepath:(?P<given>[^\s']{1,300}) does not exist",
        "The runner has its program built in, and that file is missing: {set}{at}{needed}{given}",
        _MAKE_IT,
        (
            "CMake Error at CMakeLists.txt:162 (message): ET_PTE_FILE_PATH is set to /w/add.pte, but no file was found.",
            "CMake Error at CMakeLists.txt:43 (message): Could not find ExecuTorch model at ET_PTE_FILE_PATH: /w/add.pte",
            "ninja: error: '/w/add.pte', needed by 'model_pte.h', missing and no known rule to make it",
            "gmake[2]: *** No rule to make target '/w/add.pte', needed by 'model_pte.h'.  Stop.",
            "pte_to_header.py: error: argument -p/--pte: input filepath:/w/add.pte does not exist",
        ),
    ),
    Failure(
        "pte-for-build-missing",
        r"You must specify one of\s{1,8}ET_MODEL_PTE_ADDR|ET_PTE_FILE_PATH[^\n]{0,60}must point to",
        "The runner's build was not told which program it runs",
        _MAKE_IT,
        ("CMake Error at CMakeLists.txt:151 (message): You must specify one of ET_MODEL_PTE_ADDR - .pte (or .bpte) on address,",),
    ),
    Failure(
        "build-input-missing",
        r"'(?P<file>[^'\n]{1,300})', needed by '(?P<by>[^'\n]{1,200})', missing and no known rule to make it|"
        r"No rule to make target [`'](?P<target>[^'\n]{1,300})', needed by [`'](?P<for>[^'\n]{1,200})'",
        "The build needs the file {file}{target}, which is missing and has no rule to make it ({by}{for} needs it)",
        "Build or fetch it first (a library of another build: build_executorch.sh; a source: git submodule update --init --recursive), check the "
        "path that was given to CMake, and configure again in an empty folder.",
        (
            "ninja: error: 'ext/lib/libseccomp.a', needed by 'src/sio2jail', missing and no known rule to make it",
            "make[1]: *** No rule to make target '/w/cmake-out/libexecutorch.a', needed by 'arm_executor_runner'.  Stop.",
        ),
    ),
    Failure(
        "build-input-missing",
        r"(?m:^)\s{0,4}(?:[^\s:#]{1,100}|[A-Za-z]:\\[^\n:]{1,200})?(?:clang|gcc|[gc]\+\+)(?:-[\d.]{1,10})?(?:\.exe)?: error: (?:no such file or directory: '(?P<file>[^'\n]{1,300}\.(?:c|cc|cpp|cxx|s|S))'|"
        r"(?P<other>[^\s:]{1,300}\.(?:c|cc|cpp|cxx|s|S)): No such file or directory)",
        "The build names a source file that does not exist: {file}{other}",
        "Check the paths in the project file against the folders: a project that was copied out of a vendor's kit still points into it (relative paths, an "
        "SDK variable), and a source of a submodule exists only after git submodule update --init --recursive.",
        (
            "armclang: error: no such file or directory: '../../../Library/Device/startup_x.c'",
            "arm-none-eabi-gcc: error: ../src/main.c: No such file or directory",
        ),
    ),
    Failure(
        "python-version",
        r"ExecuTorch does not support python version (?P<has>[\d.]{1,20}): must satisfy \"?(?P<wanted>[^\"\n]{1,60})",
        "ExecuTorch does not support this Python: {has} is not in {wanted}",
        "Create the environment with a Python that it supports (python3.12 -m venv env && source env/bin/activate), and install again.",
        ('ERROR: ExecuTorch does not support python version 3.9.18: must satisfy "<3.14,>=3.10"',),
    ),
    Failure(
        "missing-module",
        r"Error while finding module specification for '(?P<module>[\w.]{1,120})' \(ModuleNotFoundError: No module named '(?P<name>[\w.]{1,80})'",
        "Python does not find {name}, which {module} is part of",
        "Start it in ExecuTorch's own folder (cd executorch), where modules like examples.arm and backends.arm are, or run the installed one: "
        "python3 -m executorch.backends.arm.scripts.aot_arm_compiler (1.3 and later); activate the environment first.",
        ("/usr/bin/python3: Error while finding module specification for 'examples.arm.aot_arm_compiler' (ModuleNotFoundError: No module named 'examples')",),
    ),
    Failure(
        "zephyr-sdk-version",
        r"configuration file for package \"Zephyr-sdk\" that is\s{1,8}compatible with requested version \"(?P<wanted>[\d.]{1,20})\""
        r"(?:.{0,300}?Zephyr-sdkConfig\.cmake, version: (?P<has>[\d.]{1,20}))?",
        "This Zephyr needs Zephyr SDK {wanted}, and {has} is installed",
        "Install it: west sdk install --version {wanted}.0 (west sdk list shows what is installed), or set ZEPHYR_SDK_INSTALL_DIR to a matching "
        "one, and configure again in an empty folder (west build -p).",
        ('Could not find a configuration file for package "Zephyr-sdk" that is compatible with requested version "1.0".',),
    ),
    Failure(
        "zephyr-sdk-version",
        r"configuration file for package \"Zephyr-sdk\"",
        "This Zephyr needs a different Zephyr SDK from the one installed",
        "Install it: west sdk install (the newest; --version picks another one), or set ZEPHYR_SDK_INSTALL_DIR to a matching one, and configure "
        "again in an empty folder (west build -p).",
        ('Could not find a configuration file for package "Zephyr-sdk" that is',),
    ),
    Failure(
        "fvp-run-failed",
        r"FAILED: (?:\[code=\d{1,5}\] )?\S{0,100}run_armfvp\b",
        "Zephyr's target that runs the FVP failed",
        "If there is no FVP output above it, the FVP was not found: set ARMFVP_BIN_PATH to the folder of FVP_Corstone_SSE-300_Ethos-U55 (or the "
        "board's FVP), and configure again (west build -p -t run).",
        ("FAILED: zephyr/CMakeFiles/run_armfvp",),
        2,
    ),
    Failure(
        "float-abi-mixed",
        r"(?<![^\s:])(?P<hard>[^\s:]{1,300}) uses VFP register arguments, (?P<soft>[^\s:]{1,300}) does not",
        "Objects with different float ABIs are linked: {hard} passes floats in registers, {soft} does not",
        "Remove the build folder, then build everything, the libraries included, with the same -mcpu and -mfloat-abi (one toolchain file, the "
        "same target CPU).",
        ("/a/bin/ld: error: runner.elf uses VFP register arguments, /a/lib/libc.a(lib_a-abort.o) does not",),
    ),
)  # fmt: skip
"""A part of `BUILD_FAILURES`, before its own rows for CMake, links and builds that stopped."""
