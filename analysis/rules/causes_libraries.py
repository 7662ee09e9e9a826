"""What linkers, loaders and CMake do not find: objects, symbols that a linker script gives, libraries of a Mac, sources; and Pythons that crash."""

from __future__ import annotations

from ..compiles.toolchains import NEWEST_LINE
from .causes import Failure
from .causes_machine import WITH_LINKS

LIBRARY_FAILURES: tuple[Failure, ...] = (
    Failure(
        "pybind11-too-new",
        r"def_property family does not currently support keep_alive",
        "The TOSA serializer does not build with this pybind11, which refuses a call that its sources make",
        'Build it with an older one: `pip install "pybind11<2.14" scikit-build-core setuptools_scm`, then CMAKE_POLICY_VERSION_MINIMUM=3.5 pip install '
        "--no-build-isolation --no-dependencies examples/arm/arm-scratch/tosa-tools/serialization, and run examples/arm/setup.sh "
        "--i-agree-to-the-contained-eula again; later releases of tosa-tools need none of it.",
        ("/w/pybind11.h:12:9: error: static assertion failed: def_property family does not currently support keep_alive",),
    ),
    Failure(
        "no-kernels-selected",
        r"(?P<library>\w{1,80})[/\\]Register(?:CodegenUnboxed)?Kernels\w{0,40}\.cpp:\d{1,7}(?::\d{1,6})?: error: empty filename in #include",
        "No kernel is left in the library {library}: its generated registration has none, and includes a header without a name",
        "Every operator that was selected lies in the delegate, or is none of this library's (a name that functions.yaml does not have is dropped without a word): compare "
        "selected_operators.yaml beside that file with what the program asks for (ethosu-tui inspect MODEL.pte). Up to 1.4.1 such a library cannot be built: select one "
        'kernel that it has (EXECUTORCH_SELECT_OPS_LIST="aten::add.out"), leave the library out, or take a newer ExecuTorch (pytorch/executorch#21548).',
        ("/w/arm_portable_ops_lib/RegisterCodegenUnboxedKernelsEverything.cpp:15:10: error: empty filename in #include",),
    ),
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
        r"(?<![A-Za-z])ld(?:\.exe|\.bfd)?: cannot find (?P<file>(?![-/])[^\s:]{1,300})",
        "The linker does not find the file {file}",
        "It is an object or a library that another step makes: look whether that step failed or writes elsewhere (find . -name the file's name), build it "
        "first, and check the path that the link is given.",
        ("/a/bin/ld: cannot find startup.o", "C:/a/bin/ld.exe: cannot find crt0.o: No such file or directory"),
    ),
    Failure(
        "define-missing",
        r"fatal error: '?tensorflow/lite/array\.h'?(?:: No such| file not found)",
        "TensorFlow Lite Micro is compiled as if it were TensorFlow Lite: TF_LITE_STATIC_MEMORY is not defined",
        "Give -DTF_LITE_STATIC_MEMORY to all of its files and to those that include it: then nothing asks for array.h, which is none of its headers.",
        ("a/kernels/kernel_util.cc:28:10: fatal error: tensorflow/lite/array.h: No such file or directory",),
    ),
    Failure(
        "header-missing",
        r"fatal error: '?(?P<header>tensorflow/lite/[\w./+-]{1,160}\.h)'?(?:: No such| file not found)",
        "The header {header} of TensorFlow Lite Micro is not there",
        "In Zephyr it is a module that is off at first: west config manifest.project-filter -- +tflite-micro, west update, then west build -p always; elsewhere "
        "add the folder that holds tensorflow/ to the include paths.",
        ("main.cpp:9:10: fatal error: tensorflow/lite/micro/a.h: No such file or directory",),
    ),
    Failure(
        "host-tool-crossed",
        r"flatbuffers/src/util\.cpp:\d{1,6}:\d{1,6}: error: '(?P<name>realpath|chdir|stat)' was not declared",
        "flatc, a tool of the host, is built with the cross compiler, whose C library has no {name}",
        "Put a flatc of the host on PATH, which the build then takes (third-party/flatbuffers, built with the host's compiler), or update: from 0.6 on ExecuTorch builds it "
        "for the host by itself; then remove the build folder.",
        ("/w/third-party/flatbuffers/src/util.cpp:12:3: error: 'realpath' was not declared in this scope",),
    ),
    Failure(
        "c-library-missing",
        r"[/\\]zephyr(?:project)?[/\\][^\n]{0,300}fatal error: '?(?P<header>algorithm|array|atomic|c(?:std(?:int|def|dio|lib)|string|math)|functional|memory|new|optional|"
        r"string|type_traits|utility|vector)(?:: No such|' file not found)",
        "Zephyr is built without the C++ library: it does not find <{header}>",
        "Ask for it in prj.conf: CONFIG_CPP=y and CONFIG_REQUIRES_FULL_LIBCPP=y (CONFIG_STD_CPP17=y for ExecuTorch), and build with a toolchain that has one, as the "
        "Zephyr SDK does; then west build -p always.",
        ("C:/ncs/zephyr/samples/a/b.hpp:9:10: fatal error: array: No such file or directory",),
    ),
    Failure(
        "c-library-missing",
        r"(?<![A-Za-z])ld(?:\.exe|\.bfd)?: cannot find -l(?P<library>stdc\+\+(?:_nano)?|supc\+\+(?:_nano)?|c(?:_nano)?|m|g(?:_nano)?|gcc|nosys|rdimon)(?![\w.+-])|"
        r"(?:cannot read spec file '|(?<![\w./-]))(?P<file>(?:nosys|rdimon|nano|picolibc)\.specs)'?: No such file|"
        r"fatal error: '?(?P<header>(?:std(?:io|lib|int|def|arg|bool|ddef)|string|math|assert|errno|limits|inttypes|time|features|sys/types|c(?:stdint|stddef|stdio|"
        r"stdlib|string|math|assert|inttypes|limits)|algorithm|array|atomic|functional|initializer_list|iostream|limits|memory|new|optional|string|type_traits|utility|"
        r"vector)(?:\.h)?)'?(?::| file not found)",
        "The compiler has no C or C++ library: it does not find its own {file}{header}{library}",
        "The one for Arm needs newlib beside it: take the toolchain of examples/arm/setup.sh, which is whole, or install it (Debian and Ubuntu: "
        "libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib; Homebrew's arm-none-eabi-gcc formula has none, the cask gcc-arm-embedded has). Of the host's: "
        "build-essential, or xcode-select --install on a Mac.",
        (
            "arm-none-eabi-gcc: fatal error: cannot read spec file 'rdimon.specs': No such file or directory",
            "arm-none-eabi-g++: error: nosys.specs: No such file or directory",
            "/usr/bin/ld: cannot find -lstdc++: No such file or directory",
            "/w/a.h:9:16: fatal error: stdint.h: No such file or directory",
            "/w/a.cpp:9:10: fatal error: 'cstdint' file not found",
        ),
    ),
    Failure(
        "compiler-too-old",
        r"fatal error: '?(?P<header>concepts|span|ranges|format|bit|compare|numbers|source_location|version|coroutine|semaphore|barrier|latch|filesystem|charconv)'?(?::| file not found)",
        "The compiler is too old for this C++: it has no <{header}>",
        "Take a newer one (GCC 10 or later has C++20's: apt install g++-12, then CC=gcc-12 CXX=g++-12; on a Mac a newer Xcode), and build in an empty folder; or "
        "install a release of the package that has a wheel for this Python.",
        ("/w/a.hpp:20:10: fatal error: concepts: No such file or directory",),
    ),
    Failure(
        "build-reconfigure",
        r"FATAL ERROR: Build directory (?P<folder>\S{1,300}) (?:is for application|targets board)",
        "west's build folder {folder} was made for another application or board",
        "Build anew: west build -p always -b BOARD APPLICATION, or give another folder with -d.",
        ('FATAL ERROR: Build directory /w/build is for application "/w/a", but source directory "/w/b" was specified; please clean it, use --pristine',),
    ),
    Failure(
        "outside-workspace",
        r"FATAL ERROR: (?:can't find the zephyr repository|no west workspace found)",
        "west finds no Zephyr: it runs outside of a workspace, or Zephyr was not fetched into it",
        "Run it inside of the folder that west init made (west topdir names it), after west update, or set ZEPHYR_BASE.",
        ("FATAL ERROR: can't find the zephyr repository",),
    ),
    Failure(
        "west-arguments",
        r"^west: error: (?P<reason>[^\n]{1,160})",
        "west was called wrongly: {reason}",
        "west COMMAND --help lists the options of this release; what goes to CMake stands behind two dashes: west build -b BOARD APPLICATION -- -DSHIELD=NAME.",
        ("west: error: unrecognized arguments: --shield",),
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
        "undefined-reference",
        r"ld: symbol\(s\) not found for architecture (?P<machine>[\w-]{1,20})",
        "The linker does not find symbols for {machine}; it names them above",
        "Where the machine is another one (uname -m), a Python or Conda for Intel builds on an Arm Mac: take an environment for arm64, and an empty build folder. "
        "Else a library is missing on the link line, or lies there from an older build (./install_executorch.sh --clean).",
        ("ld: symbol(s) not found for architecture x86_64",),
        1,
    ),
    Failure(
        "cmake-file-missing",
        r"CMake Error[^\n]{0,200}?include could not find (?:requested|load) file:\s{1,8}(?P<file>[^\s]{1,300})",
        "CMake does not find the file {file} that a CMakeLists.txt includes",
        "It is of another release of that source tree, or was not fetched: update the submodules (git submodule update --init --recursive) or run "
        "examples/arm/setup.sh again, and configure in an empty folder.",
        ("CMake Error at CMakeLists.txt:35 (include):   include could not find requested file:      scripts/cmake/a.cmake",),
    ),
    Failure(
        "cmake-target-missing",
        r"CMake Error[^\n]{0,200}?Target \"(?P<by>[^\"\n]{1,120})\" links to:\s{1,8}(?P<name>\S{1,120})\s{1,8}but the target was not found",
        "{by} links to {name}, which no part of this build makes",
        "Switch on the option that builds it, add the folder or the find_package that has it before that line, or correct its name; where it belongs to "
        "ExecuTorch, build and install that first (backends/arm/scripts/build_executorch.sh).",
        ('CMake Error at CMakeLists.txt:150 (target_link_libraries):   Target "runner" links to:      a::b    but the target was not found.  Possible reasons',),
    ),
    Failure(
        "cmake-package-missing",
        r"CMake Error[^\n]{0,200}?set to NOTFOUND\.[^\n]{0,160}?CMake files: {0,8}(?P<names>\w{1,80})|"
        r"CMake Error[^\n]{0,200}?Could not find (?P<variable>\w{1,80}) using the following (?:names|files): (?P<library>[^\n]{1,80}?)(?=\s{2}|\s{0,4}Call|\Z)",
        "CMake does not find a library or a folder that this build needs: {names}{variable} {library}",
        "Build or install it first (ExecuTorch's libraries come from backends/arm/scripts/build_executorch.sh), name its folder (-DCMAKE_PREFIX_PATH=FOLDER, or "
        "the variable itself), and configure again in an empty folder: CMake keeps that it did not find it.",
        (
            "CMake Error: The following variables are used in this project, but they are set to NOTFOUND. Please set them or make sure they are set and tested "
            "correctly in the CMake files: EXECUTORCH_LIBRARY     linked by target \"a\" in directory /w/a",
            "CMake Error at CMakeLists.txt:60 (find_library):   Could not find EXECUTORCH_KERNELS using the following names: portable_kernels",
        ),
    ),
    Failure(
        "kconfig",
        r"warning: attempt to assign the value '?(?P<value>[^'\n]{0,40})'? to (?:the )?undefined symbol\s{0,8}(?P<symbol>\w{0,80})",
        "This Zephyr knows no option {symbol}, which the configuration sets",
        "Check its spelling; where it belongs to a module (ExecuTorch, hal_ethos_u), add that to the manifest and run west update, or name its folder: west build "
        "... -- -DEXTRA_ZEPHYR_MODULES=FOLDER.",
        ("/w/prj.conf:12: warning: attempt to assign the value 'y' to the undefined symbol FOO",),
    ),
    Failure(
        "download-failed",
        r"(?:fatal|error): (?=[^\n]{0,600}(?: not found|returned error: [45]))[^\n]{0,80}https?://(?:git|review)\.mlplatform\.org/(?P<path>tosa/[^'\s]{1,200})",
        "git could not fetch {path} from mlplatform.org, where the sources of TOSA's tools were before they moved",
        "Correct the address where it stands (.gitmodules and git submodule sync, examples/arm/setup.sh), or take ExecuTorch 0.7 or later, which has it right. They are at "
        "https://gitlab.arm.com/tosa now, under other names: tosa-reference-model for reference_model, tosa-serialization for serialization_lib.",
        ("fatal: unable to access 'https://review.mlplatform.org/tosa/reference_model/': The requested URL returned error: 502",),
    ),
    Failure(
        "download-failed",
        r"(?:fatal|error): (?=[^\n]{0,600}(?: not found|returned error: [45]))[^\n]{0,80}https?://(?P<host>git|review)\.mlplatform\.org/(?P<path>[^'\s]{1,200})",
        "git could not fetch {path} from mlplatform.org, where Arm's sources for Ethos-U were before they moved",
        "They are at https://gitlab.arm.com/artificial-intelligence/ethos-u now: have git ask there (`git config --global "
        "url.https://gitlab.arm.com/artificial-intelligence/ethos-u/.insteadOf https://{host}.mlplatform.org/ml/ethos-u/`), or take a newer release of what "
        "fetches them.",
        ("fatal: repository 'https://git.mlplatform.org/ml/ethos-u/a.git/' not found",
         "fatal: unable to access 'https://review.mlplatform.org/ml/ethos-u/a/': The requested URL returned error: 502"),
    ),
    Failure(
        "git-refused",
        r"error: unable to create file (?P<file>[^\n]{1,200}): Filename too long",
        "git could not write a file, since its path is too long for this Windows: {file}",
        "Allow long paths (git config --system core.longpaths true, as administrator), and clone into a short folder (C:\\et); then git submodule update "
        "--init --recursive again.",
        ("error: unable to create file backends/a/b.h: Filename too long",),
    ),
    Failure(
        "git-ref-unknown",
        r"remote error: upload-pack: not our ref (?P<commit>\w{1,64})|did not contain (?P<other>\w{1,64})\. Direct fetching of that commit failed",
        "The commit {commit}{other} that is asked for is not on the server any more, or never was",
        "Take a release, or a newer commit of the source tree, whose submodules are all there: git fetch --tags; git checkout v1.0.0 (your release); git submodule "
        "sync; git submodule update --init --recursive. A commit of a fork is fetched from the fork.",
        (
            "fatal: remote error: upload-pack: not our ref 5e7ee2a1e8c0",
            "fatal: Fetched in submodule path 'third-party/a', but it did not contain 5e7ee2a1e8c0. Direct fetching of that commit failed.",
        ),
    ),
    Failure(
        "toolchain-wrong",
        r"(?:unrecognized command[- ]line option|unknown argument:?|unsupported argument 'cortex-m\w{1,10}' to option|unsupported option) "
        r"['\u2018\"](?P<option>-m(?!arch=native)[\w=.+-]{1,60})|No available targets are compatible with triple \"(?P<triple>(?:thumb|arm)[\w.-]{1,60})",
        "Another compiler than one for Arm's Cortex-M builds here: it does not know {option}{triple}",
        "Give the toolchain file (-DCMAKE_TOOLCHAIN_FILE=examples/arm/ethos-u-setup/arm-none-eabi-gcc.cmake) in an empty build folder, source "
        "examples/arm/arm-scratch/setup_path.sh, and unset CC and CXX, which CMake prefers.",
        (
            "c++: error: unrecognized command-line option '-mno-unaligned-access'",
            "clang: error: unsupported argument 'cortex-m55' to option '-mcpu='",
            "clang: error: unknown argument: '-mfpu=auto'",
            "error: unable to create target: 'No available targets are compatible with triple \"thumbv8.1m.main-none-unknown-eabi\"'",
        ),
    ),
    Failure(
        "compiler-option",
        r"(?:unrecognized command[- ]line option|unknown argument:?|unsupported option) ['\u2018\"](?P<option>--?(?!m(?:cpu|arch))\w[\w=.+:-]{0,60})",
        "The compiler does not know the option {option}",
        "It is older than the build wants, or of another kind (GCC's options for Clang, or the other way round): name another one (CC and CXX, or the toolchain "
        "file), and configure in an empty folder.",
        ("cc1plus: error: unrecognized command-line option '-std=c++20'", "g++: error: unrecognized command line option '-Wno-foo'"),
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
        "python-at-exit",
        r"^Fatal Python error: (?:_?Py[\w]{1,60}): (?=[^\n]{0,80}\bGIL\b)",
        "Python crashed: compiled code called it without its lock (the GIL)",
        "FVPs with Python in them (their virtual streaming interface, VSI) do so when the simulation is over; what was printed before counts. "
        "Where another program says so, look at what embeds Python in it, or at compiled packages made for another Python: a fresh environment helps.",
        ("Fatal Python error: PyThreadState_Get: the function must be called with the GIL held, but the GIL is released",),
        1,
    ),
    Failure(
        "program-crashed",
        r"^Fatal Python error: (?P<how>[^\n]{1,120})",
        "Python crashed in compiled code: {how}",
        "The frames below it name who called it, the uppermost first; compiled packages of different releases do it (torch, torchao, executorch, ethos-u-vela): "
        f"one release of all in a fresh environment helps, {NEWEST_LINE}; so does more memory.",
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
        "source-lists",
        r"\A(?:\d{1,3}: |(?:Error|Command failed): ){0,2}Failed to stat `(?P<path>[^`\n]{1,300})`",
        "Buck2, which lists ExecuTorch's sources, does not find {path}",
        "Its daemon still works with a folder that was removed or moved: stop it (buck2 kill, or pkill buck2d), rm -rf buck-out cmake-out pip-out, and build again. Where "
        "a file of the sources is missing, update the submodules.",
        ("0: Failed to stat `/w/executorch/buck-out/v2`", "Error: Failed to stat `/w/executorch/buck-out/v2`"),
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
        "symlinks-missing",
        r"^error: \[Errno 2\] No such file or directory: '(?:[^'\n]{0,200}[/\\])?lib\.win-[^'\n/\\]{1,120}[/\\]{1,2}executorch[/\\]{1,2}version\.py'",
        "ExecuTorch's source tree has no symbolic links, which its build on Windows needs",
        WITH_LINKS,
        ("error: [Errno 2] No such file or directory: 'pip-out\\\\lib.win-amd64-cpython-312\\\\executorch\\\\version.py'",),
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
