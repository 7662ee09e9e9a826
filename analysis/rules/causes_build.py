"""What a failed build, link or set-up means, by the line that says so; each row with samples that a test holds it to."""

from __future__ import annotations

from .causes import Failure
from .causes_bitbake import BITBAKE_FAILURES
from .causes_boards import BOARD_FAILURES
from .causes_cmake import CMAKE_FAILURES
from .causes_git import GIT_FAILURES
from .causes_inputs import INPUT_FAILURES
from .causes_libraries import LIBRARY_FAILURES
from .causes_link import LINK_FAILURES
from .causes_machine import MACHINE_FAILURES
from .causes_network import NETWORK_FAILURES
from .causes_packages import PACKAGE_FAILURES, WHEEL_FAILURES
from .causes_scripts import SCRIPT_FAILURES
from .causes_shell import LIMITED, SHELL_FAILURES
from .causes_toolchain import TOOLCHAIN_FAILURES
from .causes_tools import HOST_COMPILER, MISSING_TOOLS, SETUP_STOPPED
from .causes_vendor_tools import CBUILD_FAILURES, VENDOR_TOOL_FAILURES

_MEMORY = (
    "Add swap (fallocate -l 8G /swapfile; mkswap /swapfile; swapon /swapfile) and build with fewer jobs: CMAKE_BUILD_PARALLEL_LEVEL=1 and MAX_JOBS=1; the tosa-tools "
    "wheel and a parallel CMake build take 1 to 2 GB per job. Compile models one at a time."
)
BUILD_FAILURES: tuple[Failure, ...] = (
    Failure(
        "disk-full",
        r"No space left on device|Disk quota exceeded",
        "The disk is full",
        "Free some space: build folders of ExecuTorch take several GB (rm -rf cmake-out arm_test, pip cache purge).",
        ("cc1plus: fatal error: error writing to /tmp/a.s: No space left on device", "ERROR: [Errno 28] No space left on device"),
    ),
    Failure(
        "out-of-memory",
        r"Killed (?:signal terminated |\()program (?P<program>\w{1,20})|(?P<linker>\w{1,20}) terminated with signal 9\b",
        "The machine ran out of memory, and the kernel killed {program}{linker}",
        _MEMORY,
        (
            "c++: fatal error: Killed signal terminated program cc1plus",
            "g++: internal compiler error: Killed (program cc1plus)",
            "collect2: fatal error: ld terminated with signal 9 [Killed]",
        ),
    ),
    Failure(
        "out-of-memory",
        r": line \d{1,6}: +\d{1,9} Killed +(?P<program>\S{0,80}python[\d.]{0,6} (?=[^\n]{0,300}?(?:aot_arm_compiler|\b(?:export|compile|quanti[sz]e)\w{0,60}\.py\b))|\S{0,80}\bvela(?!\S))",
        "The machine ran out of memory, and the kernel killed the compile of the model ({program})",
        "Give the machine or its container more memory or swap (WSL and Docker Desktop have their own limits), compile one model at a time, and keep calibration data "
        "no larger than needed. dmesg has the figures (Out of memory: Killed process).",
        ("run.sh: line 512: 24117 Killed                  python3 -m backends.arm.scripts.aot_arm_compiler --model_name=a.py",
         "compile.sh: line 9: 24117 Killed                  vela a.tflite --accelerator-config ethos-u85-256"),
    ),
    Failure(
        "out-of-memory",
        rf"^(?:.{{0,120}}: line \d{{1,6}}: +\d{{1,9}} |\[\d{{1,4}}\][+-]? {{1,3}})?(?!{LIMITED})Killed\b|virtual memory exhausted|Cannot allocate memory|out of memory allocating|"
        r"std::bad_alloc|signal: killed|exit code: -9|died with <Signals.SIGKILL",
        "Memory ran out: a process was killed or an allocation failed",
        _MEMORY,
        (
            "Killed",
            "examples/arm/setup.sh: line 389:  3456 Killed                  pip install tosa-tools",
            "virtual memory exhausted: Cannot allocate memory",
            "ninja: fatal: posix_spawn: Cannot allocate memory",
            "error: command '/usr/bin/g++' failed with exit code: -9",
        ),
    ),
    *LIBRARY_FAILURES,
    *LINK_FAILURES,
    Failure(
        "eula-not-accepted",
        r"(?i:must|need to|has to|have to|please)\b[^\n]{0,120}(?:i-agree-to-the-contained-eula|I_AGREE_TO_THE_CONTAINED_EULA)|"
        r"missing EULA acceptance|EULA_?ACCEPT|\AUsage: setup\.sh <--i-agree-to-the-contained-eula> \[path-to-a-scratch-dir\]|(?i:must (?:accept|agree to) the EULA)",
        "The EULA of the Arm FVPs was not accepted",
        "Read it, then run examples/arm/setup.sh --i-agree-to-the-contained-eula, or set ARM_FVP_INSTALL_I_AGREE_TO_THE_CONTAINED_EULA=True yourself.",
        (
            "Must pass first positional argument '--i-agree-to-the-contained-eula' to agree to EULA associated with "
            "downloading the FVP. Exiting!",
            "[Arm Setup/fvp] Exiting due to missing EULA acceptance",
        ),
    ),
    *BOARD_FAILURES,
    *GIT_FAILURES,
    *MACHINE_FAILURES,
    *INPUT_FAILURES,
    *SHELL_FAILURES,
    *SCRIPT_FAILURES,
    *HOST_COMPILER,
    Failure(
        "toolchain-missing",
        r"(?:CMAKE_(?:C|CXX|ASM)_COMPILER(?::\s{1,8}(?P<wanted>[\w./+-]{1,100})(?=\s))?|[Tt]he C(?:XX|\+\+)? compiler)[^\n]{0,200}(?:not (?:set|found|able)|is not a full path|could not be found|"
        r"not able to compile)|(?P<name>arm-(?:none|zephyr)-eabi-[\w+-]{1,20}|armclang)(?:: (?:command )?not found|' is not recognized as)|"
        r"(?:ZEPHYR_(?:SDK_INSTALL_DIR|TOOLCHAIN_VARIANT)|zephyr-sdk)[^\n]{0,120}(?:not|unable|does)|No CMAKE_C(?:XX)?_COMPILER could be found|"
        r"Could not find compiler set in environment variable",
        "The cross compiler is missing or not usable: {wanted}{name}",
        "Source examples/arm/arm-scratch/setup_path.sh (it puts arm-none-eabi-gcc on PATH), or install the toolchain with "
        "examples/arm/setup.sh; for Zephyr set ZEPHYR_SDK_INSTALL_DIR.",
        (
            "CMake Error at CMakeLists.txt:5 (project): The CMAKE_CXX_COMPILER: arm-none-eabi-g++ is not a full path and was not "
            "found in the PATH.",
            "build.sh: line 4: arm-none-eabi-gcc: command not found",
            "CMake Error at /w/zephyr/cmake/a.cmake:3 (message): CMAKE_C_COMPILER not set",
        ),
    ),
    Failure(
        "pte-not-made",
        r"Failed to generate a pte file - (?P<file>\S{1,200})",
        "The compile produced no program: {file}",
        "Read the compile's lines above it for the reason.",
        ("Failed to generate a pte file - a/mv2_arm_delegate_ethos-u55-128.pte",),
        1,
    ),
    Failure(
        "build-reconfigure",
        r"\A(?P<what>[^\n]{1,400}?)[.,]? Reconfigure CMake with (?P<option>-D\S{1,200})",
        "The build folder was configured for something else: {what}",
        "Configure it again with {option}, or give another build folder.",
        ("Error: SYSTEM_CONFIG=Ethos_U85_SYS_DRAM_Mid in /w/out. Reconfigure CMake with -DSYSTEM_CONFIG=Ethos_U85_SYS_DRAM_Low to use run.sh.",),
    ),
    *MISSING_TOOLS,
    *SETUP_STOPPED,
    *CMAKE_FAILURES,
    *PACKAGE_FAILURES,
    *NETWORK_FAILURES,
    *BITBAKE_FAILURES,
    Failure(
        "pte-for-build-missing",
        r"fatal error: model_pte\.h: No such file",
        "The runner has its program built in, and none was given",
        "Give -DET_PTE_FILE_PATH=FILE (build_executor_runner.sh --pte=FILE), or the address where the program will be (--pte=0xADDRESS), and configure again: "
        "model_pte.h is generated from the .pte at configuration.",
        ("/a/arm_executor_runner.cpp:51:10: fatal error: model_pte.h: No such file or directory",),
    ),
    Failure(
        "python-headers-missing",
        r"fatal error: Python\.h: No such file",
        "The Python headers needed to build a package are missing",
        "Install the headers for this Python (Debian and Ubuntu: apt install python3-dev, or python3.12-dev for Python 3.12), or a release of the package that has a "
        "wheel for it.",
        ("ext/module.c:4:10: fatal error: Python.h: No such file or directory",),
    ),
    Failure(
        "header-missing",
        r"(?:fatal error|\(\d{1,7}\): error): (?:(?P<header>[\w./+-]{1,200}\.(?:h|hpp|hh|inc)): No such file or directory|'(?P<clang>[\w./+-]{1,200})' file not found)",
        "The header {header}{clang} is missing",
        "Update the submodules (git submodule sync; git submodule update --init --recursive), build flatbuffers schemas and ExecuTorch "
        "first, and check the include paths.",
        ("a.cpp:3:10: fatal error: executorch/schema/program_generated.h: No such file or directory", "/w/a.h:3:10: fatal error: 'program.h' file not found"),
    ),
    Failure(
        "kconfig",
        r"(?:warning|error): (?P<symbol>\w{1,80}) \([^\n]{0,200}was assigned the value|Aborting due to Kconfig warnings|undefined symbol (?P<other>\w{1,80})\b[^\n]{0,80}assigned",
        "Zephyr's configuration is inconsistent",
        "Correct the option in prj.conf or the board's .conf: its dependencies are not met, or this Zephyr does not know it.",
        ("error: Aborting due to Kconfig warnings", "error: EXECUTORCH (defined at a/Kconfig:3) was assigned the value 'y' but got the value 'n'."),
    ),
    Failure(
        "submodule-missing",
        r"(?:source(?: directory)?:?\s{1,8}\"?(?P<folder>[^\s\"]{1,300})\"?\s{1,8}(?=does not contain a CMakeLists|(?:which )?is not an existing ))?"
        r"(?:which )?(?:does not contain a CMakeLists\.txt|not an existing (?:non-empty )?directory|is not an existing directory)",
        "A part of the source tree is missing: {folder}",
        "Fetch the submodules: git submodule sync; git submodule update --init --recursive (Zephyr: west update).",
        ("CMake Error at CMakeLists.txt:9 (add_subdirectory): The source directory /a/third-party/flatcc does not contain a CMakeLists.txt file.",),
    ),
    Failure(
        "cmake-package-missing",
        r"Could not find a package configuration file provided by \"(?P<name>[\w.+-]{1,80})\"|Could NOT find (?P<other>[\w.+-]{1,80})",
        "CMake does not find the package {name}{other}",
        "Install it, or give its folder with -DCMAKE_PREFIX_PATH; executorch itself comes from build_executorch.sh (its install folder must belong to this runner's "
        "build).",
        ('CMake Error at CMakeLists.txt:34 (find_package): Could not find a package configuration file provided by "executorch" with',),
    ),
    Failure(
        "cmsis-pack-missing",
        r"error csolution: required pack: (?P<pack>\S{1,100}) not installed|E: pdsc not found|(?:board|device) '(?P<what>[^'\n]{1,80})' was not found",
        "A CMSIS pack is not installed: {pack}{what}",
        "Install it (cpackget add VENDOR::PACK@VERSION; cpackget update-index first); if that version is gone, name a newer one in the .csolution.yml, with the "
        "matching board support pack.",
        (
            "error csolution: required pack: ARM::ethos-u-core-driver@1.24.8 not installed",
            "error csolution: board 'ARM::SSE-320' was not found",
        ),
    ),
    Failure(
        "csolution-context",
        r"(?:error csolution: |^error: )(?P<what>(?:unknown selected context|no valid context|(?:target|build)-type '[^'\n]{1,80}' (?:was )?not found)[^\n]{0,160})",
        "The CMSIS solution does not contain the requested build: {what}",
        "Use the names in its .csolution.yml: csolution list contexts SOLUTION shows them as PROJECT.BUILD+TARGET, and cbuild SOLUTION -c takes one of them. A board "
        "that comes with different chips has a target type for each.",
        (
            "error csolution: unknown selected context(s): a.Debug+B",
            "error: target-type 'E7-HP' not found",
        ),
    ),
    Failure(
        "csolution-failed",
        r"error csolution: undefined variables in (?P<file>[^\s:]{1,160}):\s{1,9}- (?P<names>\$[\w.-]{1,80}\$(?:\s{1,9}- \$[\w.-]{1,80}\$){0,7})",
        "The CMSIS solution leaves variables undefined: {names} ({file})",
        "Set each under variables: of the target type, usually to a layer for its board (Board-Layer: FILE.clayer.yml); cbuild setup writes the ones that fit into the "
        ".cbuild-idx.yml.",
        ("error csolution: undefined variables in a.csolution.yml:\n  - $Board-Layer$",),
    ),
    *CBUILD_FAILURES,
    Failure(
        "csolution-failed",
        r"error (?:csolution|cbuild|cbuild2cmake): (?!error (?:building|executing) '|exit status)(?P<reason>[^\n]{1,200})",
        "The CMSIS project does not build: {reason}",
        "Correct the project file that the line names; an old CMSIS-Toolbox does not know newer YAML nodes (cbuild --version).",
        ("error csolution: schema check failed, verify syntax",),
        1,
    ),
    Failure(
        "board-unknown",
        r"No board named '(?P<board>[^'\n]{1,80})' found|Board qualifiers\s{1,8}`(?P<qualifiers>[^`\n]{1,80})`\s{1,8}for\s{1,8}board\s{1,8}`(?P<of>[^`\n]{1,80})`|"
        r"Invalid BOARD; see above",
        "Zephyr does not know the board {board}{of}{qualifiers}",
        "Write it as board/soc/core (mps3/corstone300/fvp, mps4/corstone320/fvp), as the lines below or west boards list it; a newer board needs a newer Zephyr (west "
        "update).",
        (
            "ERROR: No board named 'mps9' found.",
            "CMake Error at boards.cmake:3 (message):   Board qualifiers `/corstone300/fpv` for board   `mps3` not found.  Please specify a valid board target.",
        ),
    ),
    Failure(
        "pte-for-build-missing",
        r"(?:ET_PTE_FILE_PATH|--pte)[^\n]{0,120}(?:must be|not|missing)|(?<![\w./-])(?P<file>[\w./-]{1,200}\.b?pte)[^\n]{0,40}(?:No such file|does not exist|not found)",
        "The runner has its program built in, and that file is missing",
        "Compile the model first and give its .pte (--pte=FILE, -DET_PTE_FILE_PATH=FILE), or an address.",
        ("CMake Error at CMakeLists.txt:50 (message): ET_PTE_FILE_PATH must be specified", "ERROR: /w/add.pte does not exist"),
    ),
    *VENDOR_TOOL_FAILURES,
    *TOOLCHAIN_FAILURES,
    Failure(
        "type-error",
        r"(?<!\S)(?P<where>[^\s:]{1,200}\.pyi?:\d{1,7}(?::\d{1,6})?): error: (?P<reason>[^\n]{1,200})",
        "A Python type checker rejects the code: {reason} ({where})",
        "Correct that line; on its own it stops neither a compile nor a run.",
        ("analysis/a.py:10: error: Incompatible types in assignment  [assignment]",),
    ),
    Failure(
        "compile-error",
        r"(?:(?<!\S)(?!from\.\.\.)|(?<=included from\.\.\.))(?P<where>(?:[A-Za-z]:(?=[\\/]))?[^\s:]{1,200}(?::\d{1,7}(?::\d{1,6})?|\(\d{1,7}(?:,\d{1,6})?\))): (?:fatal )?[Ee]rror: (?P<reason>[^\n]{1,200})",
        "The code does not compile: {reason} ({where})",
        "Correct that line; after an update of ExecuTorch remove the build folder (rm -rf cmake-out arm_test) and update the submodules.",
        ("/a/runner.cpp:42:7: error: 'foo' was not declared in this scope", "C:\\w\\runner.cpp(42): error: unknown type name 'foo'",
         "a.c(1): warning: In file included from.....\\b.h(7): error: expected ';' after struct"),
    ),
    *WHEEL_FAILURES,
    Failure(
        "cmake-failed",
        r"CMakeTest(?P<language>C|CXX|ASM)Compiler\.cmake:\d{1,6} \(message\):\s{0,20}\Z",
        "CMake stopped: it could not build its test program for the {language} compiler",
        "Run cmake again and read the lines below that one, which this log lacks, or CMakeFiles/CMakeError.log (CMakeConfigureLog.yaml) in the build folder. With "
        "armclang and other cross compilers it is most often the licence, a missing --target or -mcpu, or CMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY.",
        ("CMake Error at /usr/share/cmake-3.22/Modules/CMakeTestCXXCompiler.cmake:60 (message):",),
        1,
    ),
    Failure(
        "cmake-failed",
        r"CMake Error(?: (?:at|in) (?P<where>[A-Za-z]:[/\\][^\n\"]{1,200}?\.(?:cmake|txt):\d{1,6}|[^\s(]{1,200}))?(?: \(\w{1,40}\))?:?\s{0,8}(?P<reason>"
        r"(?:(?!\s{0,8}(?:Call Stack \(|-- ))[^\n]){0,180}(?!\S)|[^\n]{0,180})",
        "CMake stopped: {reason} ({where})",
        "Read the lines under it; after a change of tools remove the build folder first.",
        ("CMake Error at CMakeLists.txt:232 (message): A must be set when B is disabled.",),
        1,
    ),
    Failure(
        "setup-stopped",
        r"\[Arm Setup/\w{1,40}\] (?:Error|ERROR): (?P<reason>[^\n]{1,200})",
        "ExecuTorch's setup stopped: {reason}",
        "Fix what the line names, and run examples/arm/setup.sh again.",
        ("[Arm Setup/toolchain] Error: Unsupported architecture riscv64",),
    ),
    Failure(
        "test-failed",
        r"^(?:\[gw\d{1,4}\] \[ {0,2}\d{1,3}%\] )?FAILED (?P<test>\S{1,200}\.py::[^\n]{1,200}?)(?: - (?P<reason>[^\n]{1,300})|\s*\Z)",
        "The test {test} failed: {reason}",
        "Read its traceback and captured output above; a run that passed there only shows that the runner reached its end.",
        ("FAILED backends/arm/test/ops/test_add.py::test_add_u55_INT[a] - AssertionError: Output 0 does not match reference output.",
         "FAILED backends/arm/test/misc/test_a.py::test_b", "[gw3] [ 91%] FAILED backends/arm/test/misc/test_a.py::test_b[c d] "),
        2,
    ),
    Failure(
        "west-failed",
        r"^FATAL ERROR: (?!command exited)(?P<reason>[^\n]{1,200})",
        "west stopped: {reason}",
        "Fix what it names; west COMMAND --help has the options, and west -v says more.",
        ("FATAL ERROR: no board given",),
        1,
    ),
    Failure(
        "build-failed",
        r"^g?make(?:\[\d{1,4}\])?: \*\*\* \[[^\n]{1,300}\] Error 127\b",
        "The build stopped: a program that it calls, or a library of that program, was not found (make's error 127)",
        "Install what the line above it names; a program's folder must be on PATH.",
        ("make[3]: *** [Makefile:25: a.o] Error 127", "make: *** [/w/Makefile:251: /w/a.o] Error 127"),
        2,
    ),
    Failure(
        "build-failed",
        r"^(?:ninja: (?!build stopped: interrupted by user)|(?:g?make(?:\[\d{1,4}\])?|scons): \*\*\*|FAILED: |FATAL ERROR: |ERROR: Failed to build|Failed to build installable|"
        r"error: (?:subprocess-exited|failed-wheel|command |metadata-generation)|ERROR: ERROR:|collect2: error|[^\n]{0,200}ld returned \d{1,4} exit status|"
        r"[^\n]{0,200}linker command failed with exit code|error cbuild: (?:error (?:building|executing) '|exit status))",
        "The build stopped",
        "Read the first error above it: that is the reason.",
        (
            "ninja: build stopped: subcommand failed.",
            "make[2]: *** [CMakeFiles/a.dir/build.make:76: a.obj] Error 1",
            "scons: *** [build/a.o] Error 1",
            "FATAL ERROR: command exited with status 1: /usr/bin/cmake --build /a/build",
            "error: subprocess-exited-with-error",
            "collect2: error: ld returned 1 exit status",
            "clang++: error: linker command failed with exit code 1 (use -v to see invocation)",
            "error cbuild: exit status 1",
        ),
        3,
    ),
)  # fmt: skip
"""Tried from the top; a rank above 0 marks what fails of something else."""
