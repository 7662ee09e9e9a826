"""What linkers, loaders and CMake do not find: objects, symbols that a linker script gives, libraries of a Mac, sources; and Pythons that crash."""

from __future__ import annotations

from ..compiles.toolchains import NEWEST_LINE
from .causes import Failure
from .causes_machine import WITH_LINKS

LIBRARY_FAILURES: tuple[Failure, ...] = (
    Failure(
        "pybind11-too-new",
        r"def_property family does not currently support keep_alive",
        "The TOSA serializer does not build with this pybind11, which rejects one of its calls",
        'Build it with an older one: `pip install "pybind11<2.14" scikit-build-core setuptools_scm`, then CMAKE_POLICY_VERSION_MINIMUM=3.5 pip install '
        '--no-build-isolation --no-dependencies examples/arm/arm-scratch/tosa-tools/serialization, and run examples/arm/setup.sh '
        '--i-agree-to-the-contained-eula again; later releases of tosa-tools do not need this.',
        ("/w/pybind11.h:12:9: error: static assertion failed: def_property family does not currently support keep_alive",),
    ),
    Failure(
        "no-kernels-selected",
        r"(?P<library>\w{1,80})[/\\]Register(?:CodegenUnboxed)?Kernels\w{0,40}\.cpp:\d{1,7}(?::\d{1,6})?: error: empty filename in #include",
        "The library {library} has no kernels left: its generated registration includes an empty file name",
        "Select one kernel that the library has (EXECUTORCH_SELECT_OPS_LIST=\"aten::add.out\"), leave the library out, or use a newer ExecuTorch "
        "(pytorch/executorch#21548): up to 1.4.1 an empty one cannot be built. Every selected operator is in the delegate or not in this library (names "
        "missing from functions.yaml are dropped silently): compare selected_operators.yaml beside that file with what the program needs (ethosu-tui "
        "inspect MODEL.pte).",
        ("/w/arm_portable_ops_lib/RegisterCodegenUnboxedKernelsEverything.cpp:15:10: error: empty filename in #include",),
    ),
    Failure(
        "linker-script",
        r"undefined reference to ?[`'\"](?P<symbol>(?:end|_end|__end__|_e(?:stack|text|data|bss)|_s(?:idata|data|bss)|__(?:StackTop|StackLimit|HeapBase|HeapLimit|"
        r"etext|data_start__|data_end__|bss_start__|bss_end__|copy_table_(?:start|end)__|zero_table_(?:start|end)__|heap_(?:base|limit)|stack(?:_limit)?|"
        r"(?:pre)?init_array_(?:start|end)|exidx_(?:start|end)|sau\w{0,20})|(?:Image|Load)\$\$[\w$]{1,80}))['\"]",
        "The linker script does not define {symbol}, which the start-up code or C library needs",
        "Link with the board's own script (-T FILE.ld) and its matching start-up file and specs; if only the heap's end is missing, add PROVIDE(end = .); "
        "after .bss. Names with $$ belong to Arm Compiler: with the GNU toolchain use GNU's start-up file and script.",
        (
            "sbrk.c:(.text._sbrk+0x18): undefined reference to `end'",
            "startup.c:(.text+0x8): undefined reference to `__StackTop'",
        ),
    ),
    Failure(
        "system-functions-missing",
        r"undefined reference to ?[`'\"](?P<symbol>SystemInit|Reset_Handler|SystemCoreClock(?:Update)?|__Vectors|__VECTOR_TABLE|_start)['\"]",
        "The device's start-up files are not linked: no object defines {symbol}",
        "Add the startup_DEVICE and system_DEVICE sources of the device's CMSIS pack (for Corstone they come with ethos-u/core_platform, which "
        "examples/arm/setup.sh fetches), and the matching linker script.",
        ("(.text.Reset_Handler+0x26): undefined reference to`SystemInit'",),
    ),
    Failure(
        "library-not-found",
        r"(?<![A-Za-z])ld(?:\.exe|\.bfd)?: cannot find (?P<file>(?![-/])[^\s:]{1,300})",
        "The linker does not find the file {file}",
        "Build it first, and check the path given to the link: another step makes this object or library, and may have failed or written elsewhere (find . "
        "-name the file's name).",
        ("/a/bin/ld: cannot find startup.o", "C:/a/bin/ld.exe: cannot find crt0.o: No such file or directory"),
    ),
    Failure(
        "define-missing",
        r"fatal error: '?tensorflow/lite/array\.h'?(?:: No such| file not found)",
        "TensorFlow Lite Micro is built as plain TensorFlow Lite: TF_LITE_STATIC_MEMORY is missing",
        "Add -DTF_LITE_STATIC_MEMORY to all of its files and to those that include it: then nothing needs array.h, which is not one of its headers.",
        ("a/kernels/kernel_util.cc:28:10: fatal error: tensorflow/lite/array.h: No such file or directory",),
    ),
    Failure(
        "header-missing",
        r"(?:fatal error|\(\d{1,7}\): error): '?(?P<header>tensorflow/lite/[\w./+-]{1,160}\.h)'?(?:: No such| file not found)",
        "The header {header} of TensorFlow Lite Micro is missing",
        "In Zephyr enable its module, which is off by default: west config manifest.project-filter -- +tflite-micro, west update, then west build -p "
        "always; elsewhere add the folder that holds tensorflow/ to the include paths.",
        (
            "main.cpp:9:10: fatal error: tensorflow/lite/micro/a.h: No such file or directory",
            "main.cpp(9): error: 'tensorflow/lite/micro/a.h' file not found",
        ),
    ),
    Failure(
        "header-missing",
        r"(?:fatal error|\(\d{1,7}\): error): '?(?P<header>(?:FreeRTOSConfig|RTE_Components|lv_conf)\.h)'?(?:: No such| file not found)",
        "The header {header}, by which an application configures a library, is missing",
        "It belongs to the application and not to the library that includes it: add the folder that holds it to the include paths of that library, too. "
        "FreeRTOS and LVGL have one to begin with (FreeRTOS's demos; lv_conf_template.h); RTE_Components.h is made by csolution or uVision when it "
        "generates the project.",
        (
            "os/kernel/include/FreeRTOS.h:59:10: fatal error: FreeRTOSConfig.h: No such file or directory",
            "C:/kit/a.c(12): error: 'RTE_Components.h' file not found",
        ),
    ),
    Failure(
        "header-missing",
        r"(?:fatal error|\(\d{1,7}\): error): '?(?P<header>(?:core_c[am]\d{1,2}(?:plus)?|core_starmc\d|cmsis_(?:compiler|gcc|armclang|clang|version))\.h)'?"
        r"(?:: No such| file not found)",
        "The header {header} of CMSIS-Core is missing",
        "Add the folder CMSIS/Core/Include to the include paths (CMSIS 6, or 5.9 and later: older ones do not know every core), or select the component "
        "CMSIS:CORE and install its pack (cpackget add ARM::CMSIS).",
        (
            "C:/w/board.h:31:10: fatal error: core_cm55.h: No such file or directory",
            "../a.c(9): warning: In file included from...C:/w/board.h(31): error: 'core_cm85.h' file not found",
        ),
    ),
    Failure(
        "host-tool-crossed",
        r"flatbuffers/src/util\.cpp:\d{1,6}:\d{1,6}: error: '(?P<name>realpath|chdir|stat)' was not declared",
        "flatc, a host tool, is built with the cross compiler, whose C library has no {name}",
        "Put a host flatc on PATH for the build to use (third-party/flatbuffers, built with the host's compiler), or update (from 0.6 on ExecuTorch builds "
        "it for the host itself); then remove the build folder.",
        ("/w/third-party/flatbuffers/src/util.cpp:12:3: error: 'realpath' was not declared in this scope",),
    ),
    Failure(
        "c-library-missing",
        r"[/\\]zephyr(?:project)?[/\\][^\n]{0,300}fatal error: '?(?P<header>algorithm|array|atomic|c(?:std(?:int|def|dio|lib)|string|math)|functional|memory|new|optional|"
        r"string|type_traits|utility|vector)(?:: No such|' file not found)",
        "Zephyr is built without the C++ library: it does not find <{header}>",
        "Enable it in prj.conf: CONFIG_CPP=y and CONFIG_REQUIRES_FULL_LIBCPP=y (CONFIG_STD_CPP17=y for ExecuTorch), and build with a toolchain that has "
        "one, as the Zephyr SDK does; then west build -p always.",
        ("C:/ncs/zephyr/samples/a/b.hpp:9:10: fatal error: array: No such file or directory",),
    ),
    Failure(
        "c-library-missing",
        r"(?<![A-Za-z])ld(?:\.exe|\.bfd)?: cannot find -l(?P<library>stdc\+\+(?:_nano)?|supc\+\+(?:_nano)?|c(?:_nano)?|m|g(?:_nano)?|gcc|nosys|rdimon)(?![\w.+-])|"
        r"(?:cannot read spec file '|(?<![\w./-]))(?P<file>(?:nosys|rdimon|nano|picolibc)\.specs)'?: No such file|"
        r"fatal error: '?(?P<header>(?:std(?:io|lib|int|def|arg|bool|ddef)|string|math|assert|errno|limits|inttypes|time|features|sys/types|c(?:stdint|stddef|stdio|"
        r"stdlib|string|math|assert|inttypes|limits)|algorithm|array|atomic|functional|initializer_list|iostream|limits|memory|new|optional|string|type_traits|utility|"
        r"vector)(?:\.h)?)'?(?::| file not found)",
        "The compiler lacks its C or C++ library: it does not find its own {file}{header}{library}",
        "Use the complete toolchain from examples/arm/setup.sh, or add newlib to the Arm one (Debian and Ubuntu: libnewlib-arm-none-eabi "
        "libstdc++-arm-none-eabi-newlib; Homebrew's arm-none-eabi-gcc formula has none, the cask gcc-arm-embedded has). For the host compiler: "
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
        "Use a newer one (GCC 10 or later has the C++20 headers: apt install g++-12, then CC=gcc-12 CXX=g++-12; on a Mac a newer Xcode), and build in an "
        "empty folder; or install a release of the package that has a wheel for this Python.",
        ("/w/a.hpp:20:10: fatal error: concepts: No such file or directory",),
    ),
    Failure(
        "build-reconfigure",
        r"FATAL ERROR: Build directory (?P<folder>\S{1,300}) (?:is for application|targets board)",
        "west's build folder {folder} was made for another application or board",
        "Rebuild from scratch: west build -p always -b BOARD APPLICATION, or give another folder with -d.",
        ('FATAL ERROR: Build directory /w/build is for application "/w/a", but source directory "/w/b" was specified; please clean it, use --pristine',),
    ),
    Failure(
        "outside-workspace",
        r"FATAL ERROR: (?:can't find the zephyr repository|no west workspace found)",
        "west finds no Zephyr: it is outside a workspace, or Zephyr was not fetched into it",
        "Run it inside the folder that west init created (west topdir names it), after west update, or set ZEPHYR_BASE.",
        ("FATAL ERROR: can't find the zephyr repository",),
    ),
    Failure(
        "west-arguments",
        r"^west: error: (?P<reason>[^\n]{1,160})",
        "west was called with wrong arguments: {reason}",
        "Run west COMMAND --help for the options of this release; arguments for CMake go after two dashes: west build -b BOARD APPLICATION -- -DSHIELD=NAME.",
        ("west: error: unrecognized arguments: --shield",),
    ),
    Failure(
        "python-headers-missing",
        r"Could NOT find (?P<what>Python3?) \(missing:[^)\n]{0,160}(?:INCLUDE_DIR|Development|LIBRAR)",
        "CMake finds {what}, but not the headers needed to build a package",
        "Install those of this Python (Debian and Ubuntu: apt install python3-dev, or python3.12-dev for a Python 3.12), activate the environment, and configure "
        "again in an empty folder.",
        ('CMake Error at a.cmake:230 (message):   Could NOT find Python3 (missing: Python3_INCLUDE_DIRS Development.Module) (found version "3.10.12")',),
    ),
    Failure(
        "undefined-reference",
        r"ld: symbol\(s\) not found for architecture (?P<machine>[\w-]{1,20})",
        "The linker does not find symbols for {machine} (named above it)",
        "Check uname -m: if it differs, an Intel Python or Conda is building on an Arm Mac, so use an arm64 environment and an empty build folder. "
        "Otherwise a library is missing from the link line or left over from an older build (./install_executorch.sh --clean).",
        ("ld: symbol(s) not found for architecture x86_64",),
        1,
    ),
    Failure(
        "cmake-file-missing",
        r"CMake Error[^\n]{0,200}?include could not find (?:requested|load) file:\s{1,8}(?P<file>[^\s]{1,300})",
        "CMake does not find the file {file} that a CMakeLists.txt includes",
        "Update the submodules (git submodule update --init --recursive) or run examples/arm/setup.sh again, and configure in an empty folder: the file "
        "belongs to another release of that source tree, or was not fetched.",
        ("CMake Error at CMakeLists.txt:35 (include):   include could not find requested file:      scripts/cmake/a.cmake",),
    ),
    Failure(
        "cmake-target-missing",
        r"CMake Error[^\n]{0,200}?Target \"(?P<by>[^\"\n]{1,120})\" links to:\s{1,8}(?P<name>\S{1,120})\s{1,8}but the target was not found",
        "{by} links to {name}, which nothing in this build provides",
        "Switch on the option that builds it, add the folder or find_package that provides it before that line, or correct its name; if it belongs to "
        "ExecuTorch, build and install that first (backends/arm/scripts/build_executorch.sh).",
        ('CMake Error at CMakeLists.txt:150 (target_link_libraries):   Target "runner" links to:      a::b    but the target was not found.  Possible reasons',),
    ),
    Failure(
        "cmake-package-missing",
        r"CMake Error[^\n]{0,200}?set to NOTFOUND\.[^\n]{0,160}?CMake files: {0,8}(?P<names>\w{1,80})|"
        r"CMake Error[^\n]{0,200}?Could not find (?P<variable>\w{1,80}) using the following (?:names|files): (?P<library>[^\n]{1,80}?)(?=\s{2}|\s{0,4}Call|\Z)",
        "CMake does not find a library or folder that this build needs: {names}{variable} {library}",
        "Build or install it first (ExecuTorch's libraries come from backends/arm/scripts/build_executorch.sh), give its folder "
        "(-DCMAKE_PREFIX_PATH=FOLDER, or the variable itself), and configure again in an empty folder, since CMake caches the failed search.",
        (
            "CMake Error: The following variables are used in this project, but they are set to NOTFOUND. Please set them or make sure they are set and tested "
            "correctly in the CMake files: EXECUTORCH_LIBRARY     linked by target \"a\" in directory /w/a",
            "CMake Error at CMakeLists.txt:60 (find_library):   Could not find EXECUTORCH_KERNELS using the following names: portable_kernels",
        ),
    ),
    Failure(
        "kconfig",
        r"warning: attempt to assign the value '?(?P<value>[^'\n]{0,40})'? to (?:the )?undefined symbol\s{0,8}(?P<symbol>\w{0,80})",
        "The configuration sets {symbol}, which this Zephyr does not know",
        "Check its spelling; if it belongs to a module (ExecuTorch, hal_ethos_u), add that to the manifest and run west update, or give its folder: west "
        "build ... -- -DEXTRA_ZEPHYR_MODULES=FOLDER.",
        ("/w/prj.conf:12: warning: attempt to assign the value 'y' to the undefined symbol FOO",),
    ),
    Failure(
        "download-failed",
        r"(?:fatal|error): (?=[^\n]{0,600}(?: not found|returned error: [45]))[^\n]{0,80}https?://(?:git|review)\.mlplatform\.org/(?P<path>tosa/[^'\s]{1,200})",
        "git could not fetch {path} from mlplatform.org, the old home of the TOSA tools",
        "Correct the address where it is set (.gitmodules and git submodule sync, examples/arm/setup.sh), or use ExecuTorch 0.7 or later, which has the "
        "right one. The sources are now at https://gitlab.arm.com/tosa under other names: tosa-reference-model for reference_model, tosa-serialization for "
        "serialization_lib.",
        ("fatal: unable to access 'https://review.mlplatform.org/tosa/reference_model/': The requested URL returned error: 502",),
    ),
    Failure(
        "download-failed",
        r"(?:fatal|error): (?=[^\n]{0,600}(?: not found|returned error: [45]))[^\n]{0,80}https?://(?P<host>git|review)\.mlplatform\.org/(?P<path>[^'\s]{1,200})",
        "git could not fetch {path} from mlplatform.org, the old home of Arm's Ethos-U sources",
        "Point git at their new home, https://gitlab.arm.com/artificial-intelligence/ethos-u (`git config --global "
        "url.https://gitlab.arm.com/artificial-intelligence/ethos-u/.insteadOf https://{host}.mlplatform.org/ml/ethos-u/`), or use a newer release of "
        "whatever fetches them.",
        ("fatal: repository 'https://git.mlplatform.org/ml/ethos-u/a.git/' not found",
         "fatal: unable to access 'https://review.mlplatform.org/ml/ethos-u/a/': The requested URL returned error: 502"),
    ),
    Failure(
        "git-refused",
        r"error: unable to create file (?P<file>[^\n]{1,200}): Filename too long",
        "git could not write a file: its path is too long for this Windows: {file}",
        "Allow long paths (git config --system core.longpaths true, as administrator), and clone into a short folder (C:\\et); then git submodule update "
        "--init --recursive again.",
        ("error: unable to create file backends/a/b.h: Filename too long",),
    ),
    Failure(
        "git-ref-unknown",
        r"remote error: upload-pack: not our ref (?P<commit>\w{1,64})|did not contain (?P<other>\w{1,64})\. Direct fetching of that commit failed",
        "The requested commit {commit}{other} is not (or no longer) on the server",
        "Use a release, or a newer commit of the source tree, whose submodules all exist: git fetch --tags; git checkout v1.0.0 (your release); git "
        "submodule sync; git submodule update --init --recursive. Fetch a fork's commit from that fork.",
        (
            "fatal: remote error: upload-pack: not our ref 5e7ee2a1e8c0",
            "fatal: Fetched in submodule path 'third-party/a', but it did not contain 5e7ee2a1e8c0. Direct fetching of that commit failed.",
        ),
    ),
    Failure(
        "toolchain-wrong",
        r"(?:unrecognized command[- ]line option|unknown argument:?|unsupported argument 'cortex-m\w{1,10}' to option|unsupported option) "
        r"['\u2018\"](?P<option>-m(?!arch=native)[\w=.+-]{1,60})|No available targets are compatible with triple \"(?P<triple>(?:thumb|arm)[\w.-]{1,60})",
        "This build uses a compiler that is not for Cortex-M: it does not know {option}{triple}",
        "Give the toolchain file (-DCMAKE_TOOLCHAIN_FILE=examples/arm/ethos-u-setup/arm-none-eabi-gcc.cmake) in an empty build folder, source "
        "examples/arm/arm-scratch/setup_path.sh, and unset CC and CXX, which take precedence in CMake.",
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
        "Choose another compiler (CC and CXX, or the toolchain file), and configure in an empty folder: this one is too old for the build or the wrong kind "
        "(GCC options given to Clang, or the other way round).",
        ("cc1plus: error: unrecognized command-line option '-std=c++20'", "g++: error: unrecognized command line option '-Wno-foo'"),
    ),
    Failure(
        "library-missing",
        r"dyld(?:\[\d{1,9}\])?: Library not loaded: (?P<file>\S{1,300})",
        "A program did not start: this Mac lacks a library that it needs: {file}",
        "Install it (brew install the package that provides it; libomp.dylib is in libomp), or rebuild the program on this Mac; the next line names the "
        "program.",
        ("dyld[123]: Library not loaded: /opt/a/lib/libomp.dylib", "dyld: Library not loaded: @rpath/libpython3.9.dylib"),
    ),
    Failure(
        "python-at-exit",
        r"^Fatal Python error: (?:_?Py[\w]{1,60}): (?=[^\n]{0,80}\bGIL\b)",
        "Python crashed: compiled code called it without holding its lock (the GIL)",
        "Nothing, if an FVP with embedded Python (its virtual streaming interface, VSI) says so at the end of a simulation: what was printed before "
        "counts. For another program, look at what embeds Python in it, or at compiled packages made for another Python: a fresh environment helps.",
        ("Fatal Python error: PyThreadState_Get: the function must be called with the GIL held, but the GIL is released",),
        1,
    ),
    Failure(
        "program-crashed",
        r"^Fatal Python error: (?P<how>[^\n]{1,120})",
        "Python crashed in compiled code: {how}",
        "Read the frames below it, innermost first, for the caller. Compiled packages of different releases (torch, torchao, executorch, ethos-u-vela) "
        f"cause this: install one matching release of all in a fresh environment, {NEWEST_LINE}; more memory can help too.",
        ("Fatal Python error: Segmentation fault", "Fatal Python error: Aborted"),
    ),
    Failure(
        "command-missing",
        r"^spawn (?P<name>[\w./-]{1,80}) ENOENT",
        "An editor or Node script tried to start {name}, which is not on PATH",
        "Install it, and start the editor from a shell that finds it; cbuild and csolution belong to the CMSIS-Toolbox, which vcpkg activates per folder "
        "(Arm Tools: Activate environment).",
        ("spawn cbuild ENOENT",),
    ),
    Failure(
        "source-lists",
        r"^Error looking up configured node (?P<node>\S{1,120})",
        "Buck2 could not read the source tree: {node}",
        "Update the submodules (git submodule sync; git submodule update --init --recursive), remove what an earlier attempt left (rm -rf cmake-out pip-out "
        "buck-out), or use a later release, whose CMake build does not need Buck2.",
        ("Error looking up configured node root//runtime/executor:program (prelude//platforms:default#1)",),
    ),
    Failure(
        "source-lists",
        r"\A(?:\d{1,3}: |(?:Error|Command failed): ){0,2}Failed to stat `(?P<path>[^`\n]{1,300})`",
        "Buck2, which lists ExecuTorch's sources, does not find {path}",
        "Stop its daemon (buck2 kill, or pkill buck2d), which still uses a folder that was removed or moved, rm -rf buck-out cmake-out pip-out, and build "
        "again. If a source file is missing, update the submodules.",
        ("0: Failed to stat `/w/executorch/buck-out/v2`", "Error: Failed to stat `/w/executorch/buck-out/v2`"),
    ),
    Failure(
        "source-missing",
        r"CMake Error[^\n]{0,200}?Cannot find source file:\s{1,8}(?P<file>[^\s]{1,300})",
        "CMake does not find the source file {file} of a target",
        "If it belongs to this tree, run git status, then git submodule update --init --recursive: the tree is incomplete or mixes two releases. If another "
        "step generates it, build that first; otherwise correct the path in the CMakeLists.txt that the line names.",
        ("CMake Error at extension/a/CMakeLists.txt:20 (add_library):   Cannot find source file:      /w/extension/a/b.cpp",),
    ),
    Failure(
        "flatc-missing",
        r"FLATC_EXECUTABLE must be set",
        "The build does not know where the FlatBuffers compiler flatc is",
        "Add -DEXECUTORCH_BUILD_FLATC=ON for a host build; when cross-compiling give the host's own: -DFLATC_EXECUTABLE=$(which flatc). Current releases "
        "build it themselves.",
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
        "A package build does not find the file {file}",
        "If it is under pip-out or build, an earlier attempt left that folder half finished: ./install_executorch.sh --clean (or rm -rf pip-out build "
        "*.egg-info), then try again; on Windows also shorten the path of the checkout.",
        ("error: [Errno 2] No such file or directory: 'pip-out/lib/executorch/version.py'",),
    ),
)  # fmt: skip
"""A part of `BUILD_FAILURES`, before the rows for links."""
