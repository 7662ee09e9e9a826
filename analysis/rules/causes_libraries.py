"""What linkers, loaders and CMake do not find: objects, symbols that a linker script gives, libraries of a Mac, sources; and Pythons that crash."""

from __future__ import annotations

from .causes import Failure

LIBRARY_FAILURES: tuple[Failure, ...] = (
    Failure(
        "linker-script",
        r"undefined reference to ?[`'\"](?P<symbol>(?:end|_end|__end__|_e(?:stack|text|data|bss)|_s(?:idata|data|bss)|__(?:StackTop|StackLimit|HeapBase|HeapLimit|"
        r"etext|data_start__|data_end__|bss_start__|bss_end__|copy_table_(?:start|end)__|zero_table_(?:start|end)__|heap_(?:base|limit)|stack(?:_limit)?|"
        r"(?:pre)?init_array_(?:start|end)|exidx_(?:start|end)|sau\w{0,20})|(?:Image|Load)\$\$[\w$]{1,80}))['\"]",
        "The linker script does not give the symbol {symbol}, which the start-up code or the C library needs",
        "Link with the board's own script (-T FILE.ld), and with the start-up file and the specs that belong to it; where only the heap's end is missing, "
        "PROVIDE(end = .); behind .bss. Names with $$ are of Arm Compiler: GNU's start-up file and script go with the GNU toolchain.",
        (
            "sbrk.c:(.text._sbrk+0x18): undefined reference to `end'",
            "startup.c:(.text+0x8): undefined reference to `__StackTop'",
        ),
    ),
    Failure(
        "system-functions-missing",
        r"undefined reference to ?[`'\"](?P<symbol>SystemInit|Reset_Handler|SystemCoreClock(?:Update)?|__Vectors|__VECTOR_TABLE|_start)['\"]",
        "The device's start-up files are not linked: {symbol} is in none of the objects",
        "Add the startup_DEVICE and system_DEVICE sources of the device's CMSIS pack (for Corstone they come with ethos-u/core_platform, which "
        "examples/arm/setup.sh fetches), and the linker script that goes with them.",
        ("(.text.Reset_Handler+0x26): undefined reference to`SystemInit'",),
    ),
    Failure(
        "library-not-found",
        r"ld(?:\.exe)?: cannot find (?P<file>(?![-/])[^\s:]{1,300})",
        "The linker does not find the file {file}",
        "It is an object or a library that another step makes: look whether that step failed or writes elsewhere (find . -name the file's name), build it "
        "first, and check the path that the link is given.",
        ("/a/bin/ld: cannot find startup.o", "C:/a/bin/ld.exe: cannot find crt0.o: No such file or directory"),
    ),
    Failure(
        "c-library-missing",
        r"(?:cannot read spec file '|(?<![\w./-]))(?P<file>(?:nosys|rdimon|nano|picolibc)\.specs)'?: No such file|"
        r"fatal error: '?(?P<header>(?:std(?:io|lib|int|def|arg|bool|ddef)|string|math|assert|errno|limits|inttypes|time|features|sys/types|c(?:stdint|stddef|stdio|"
        r"stdlib|string|math|assert|inttypes|limits)|algorithm|array|atomic|functional|initializer_list|iostream|limits|memory|new|optional|string|type_traits|utility|"
        r"vector)(?:\.h)?)'?(?::| file not found)",
        "The compiler has no C or C++ library: it does not find its own {file}{header}",
        "The one for Arm needs newlib beside it: take the toolchain of examples/arm/setup.sh, which is whole, or install it (Debian and Ubuntu: "
        "libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib; Homebrew's arm-none-eabi-gcc formula has none, the cask gcc-arm-embedded has). Of the host's: "
        "build-essential, or xcode-select --install on a Mac.",
        (
            "arm-none-eabi-gcc: fatal error: cannot read spec file 'rdimon.specs': No such file or directory",
            "arm-none-eabi-g++: error: nosys.specs: No such file or directory",
            "/w/a.h:9:16: fatal error: stdint.h: No such file or directory",
            "/w/a.cpp:9:10: fatal error: 'cstdint' file not found",
        ),
    ),
    Failure(
        "python-headers-missing",
        r"Could NOT find (?P<what>Python3?) \(missing:[^)\n]{0,160}(?:INCLUDE_DIR|Development|LIBRAR)",
        "CMake finds {what}, but not the headers with which a package is built",
        "Install those of this Python (Debian and Ubuntu: apt install python3-dev, or python3.12-dev for a Python 3.12), activate the environment, and configure "
        "again in an empty folder.",
        ('CMake Error at a.cmake:230 (message):   Could NOT find Python3 (missing: Python3_INCLUDE_DIRS Development.Module) (found version "3.10.12")',),
    ),
    Failure(
        "library-missing",
        r"dyld(?:\[\d{1,9}\])?: Library not loaded: (?P<file>\S{1,300})",
        "A program was not started, since this Mac has not got a library that it needs: {file}",
        "Install it (brew install the package that has it; libomp.dylib is of libomp), or build the program anew on this Mac; the next line names which program "
        "it was.",
        ("dyld[123]: Library not loaded: /opt/a/lib/libomp.dylib", "dyld: Library not loaded: @rpath/libpython3.9.dylib"),
    ),
    Failure(
        "program-crashed",
        r"^Fatal Python error: (?P<how>[^\n]{1,120})",
        "Python crashed in compiled code: {how}",
        "The frames below it name who called it, the uppermost first; compiled packages of different releases do it (torch, torchao, executorch, ethos-u-vela): "
        'one release of all in a fresh environment helps, pip install "executorch[ethos-u]"; so does more memory.',
        ("Fatal Python error: Segmentation fault", "Fatal Python error: Aborted"),
    ),
    Failure(
        "command-missing",
        r"^spawn (?P<name>[\w./-]{1,80}) ENOENT",
        "An editor or a script of Node was to start {name}, which is not on PATH",
        "Install it, and start the editor from a shell that finds it; cbuild and csolution are of the CMSIS-Toolbox, which vcpkg activates for a folder "
        "(Arm Tools: Activate environment).",
        ("spawn cbuild ENOENT",),
    ),
    Failure(
        "source-lists",
        r"^Error looking up configured node (?P<node>\S{1,120})",
        "Buck2 could not read the source tree: {node}",
        "Update the submodules (git submodule sync; git submodule update --init --recursive), remove what an earlier try left (rm -rf cmake-out pip-out "
        "buck-out), or take a later release, whose build with CMake needs no Buck2.",
        ("Error looking up configured node root//runtime/executor:program (prelude//platforms:default#1)",),
    ),
    Failure(
        "source-missing",
        r"CMake Error[^\n]{0,200}?Cannot find source file:\s{1,8}(?P<file>[^\s]{1,300})",
        "CMake does not find the source {file}, which a target is to be built of",
        "Where it is of this tree, the tree is torn or of two releases: git status, then git submodule update --init --recursive; where another step writes it "
        "(generated code), build that first; else correct the path in the CMakeLists.txt that the line names.",
        ("CMake Error at extension/a/CMakeLists.txt:20 (add_library):   Cannot find source file:      /w/extension/a/b.cpp",),
    ),
    Failure(
        "flatc-missing",
        r"FLATC_EXECUTABLE must be set",
        "The build does not know where the FlatBuffers compiler flatc is",
        "Releases that say so build it with -DEXECUTORCH_BUILD_FLATC=ON on a host; for another machine give the host's own: -DFLATC_EXECUTABLE=$(which flatc). "
        "Releases of today build it by themselves.",
        ("CMake Error at CMakeLists.txt:9 (message):   FLATC_EXECUTABLE must be set when EXECUTORCH_BUILD_FLATC is disabled.",),
    ),
    Failure(
        "missing-file",
        r"^error: \[Errno 2\] No such file or directory: '(?P<file>[^'\n]{1,300})'",
        "The build of a package does not find the file {file}",
        "Where it lies below pip-out or build, an earlier try left that folder half done: ./install_executorch.sh --clean (or rm -rf pip-out build *.egg-info), "
        "then again; on Windows also shorten the path of the checkout.",
        ("error: [Errno 2] No such file or directory: 'pip-out/lib/executorch/version.py'",),
    ),
)  # fmt: skip
"""A part of `BUILD_FAILURES`, before the rows for links."""
