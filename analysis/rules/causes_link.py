"""What the linker says: what does not fit, what it does not find, and what was built for another machine."""

from __future__ import annotations

from .causes import Failure

LINK_FAILURES: tuple[Failure, ...] = (
    Failure(
        "link-overflow",
        r"region [`'\"\u2018]?(?P<region>[\w.]{1,60})['\u2019]? overflowed by (?P<bytes>[\d,]{1,20}) bytes",
        "The program does not fit: region {region} overflows by {bytes} bytes",
        "Shrink the pools to what a log shows is used (-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE, -DET_ARM_BAREMETAL_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE; "
        "the defaults of 60 MiB and 2 MiB are meant for FVPs), place the model outside the ELF (--pte=0xADDRESS), link only the operators that it needs, "
        "and build with EXECUTORCH_OPTIMIZE_SIZE.",
        ("/a/bin/ld: region `ITCM' overflowed by 1,234 bytes", "arm-none-eabi-ld: region `RAM' overflowed by 62914560 bytes",
         "region \u2018IMEM\u2019 overflowed by 17932 bytes"),
    ),
    Failure(
        "link-overflow",
        r"section [`'\"]?(?P<section>[\w.$*-]{1,80})'? will not fit in region [`'\"]?(?P<region>[\w.]{1,60})",
        "The program does not fit: section {section} is too large for region {region}",
        "Shrink the pools to what a log shows (-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE and -DET_ARM_BAREMETAL_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE), "
        "place the model outside the ELF, and link only the operators that it needs.",
        ("ld: a.elf section `.bss' will not fit in region `DTCM'", "ld.lld: error: section '.bss' will not fit in region 'DTCM': overflowed by 32 bytes",
         "Error: L6406E: No space in execution regions; section .data will not fit in region RAM"),
    ),
    Failure(
        "link-overflow",
        r"L6220E: (?P<what>[^\n]{1,60}) size \((?P<size>\d{1,12}) bytes\) exceeds limit \((?P<limit>\d{1,12})",
        "The program does not fit: {what} has {size} bytes, and the limit is {limit}",
        "Shrink the pools to what a log shows (-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE), or place the model outside the ELF.",
        ("Error: L6220E: Load region LR_ROM size (1234 bytes) exceeds limit (1000 bytes).",),
    ),
    Failure(
        "link-overflow",
        r"L6406E: [^\n]{1,80} matching (?P<section>[^\n]{1,200}?)\.?\s{0,9}$|L6407E: Sections of aggregate size (?P<size>0x[\da-f]{1,16} bytes)|"
        r"unable to allocate space for sections/blocks with a total estimated minimum size of (?P<blocks>0x[\da-f']{1,20} bytes)",
        "The program does not fit: no memory has room for {section}{size}{blocks}",
        "Shrink the pools to what a log shows (-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE), or place the model outside the ELF.",
        ("Error: L6406E: No space in execution regions with .ANY selector matching runner.o(.bss).", "Error: L6407E: Sections of aggregate size 0x3c00000 bytes could not fit into .ANY selector(s).",
         "unable to allocate space for sections/blocks with a total estimated minimum size of 0x3c0'0000 bytes (max align 0x10)"),
    ),
    Failure(
        "sections-overlap",
        r"section (?P<one>[\w.$*-]{1,80}) (?:VMA|LMA) \[[^\]\n]{1,60}\] overlaps section (?P<other>[\w.$*-]{1,80})|"
        r"section (?P<first>[\w.$*-]{1,80}) (?:virtual address|load address|file) range overlaps with (?P<second>[\w.$*-]{1,80})",
        "Two sections overlap: {one}{first} and {other}{second}",
        "Move one of them, or split the region: the linker script or the board's overlay gives both (code and data, or the model and a pool) the same one.",
        ("/a/bin/ld: section .text VMA [31000000,3101ffff] overlaps section datas VMA [31000000,31000fff]",
         "ld.lld: error: section .model virtual address range overlaps with .bss"),
    ),
    Failure(
        "link-input-missing",
        r"L6002U: Could not open file (?P<file>[^\n]{1,200}?): (?P<why>[^\n]{1,80})",
        "The linker cannot open {file}: {why}",
        "Build it first, or correct its path: check how the makefile names it (an empty variable in front leaves a path that begins with /).",
        ("Fatal error: L6002U: Could not open file /liba.a: No such file or directory",),
    ),
    Failure(
        "system-calls-missing",
        r"undefined reference to ?[`'\"]?(?P<symbol>_(?:sbrk|exit|kill|getpid|write|read|open|close|lseek|fstat|stat|isatty|link|unlink|times|"
        r"gettimeofday|fork|wait|execve))(?!\w)",
        "The C library's system calls are missing: {symbol}",
        "Link with --specs=nosys.specs (stubs), --specs=rdimon.specs (semihosting), or a file that provides them for the board (retarget.c, syscalls.c): "
        "bare metal has none, and neither do ExecuTorch's libraries.",
        (
            "signalr.c:(.text._kill_r+0x12): undefined reference to `_kill'",
            "sbrkr.c:(.text._sbrk_r+0xc): undefined reference to `_sbrk'",
        ),
    ),
    Failure(
        "undefined-reference",
        r"undefined (?:reference to|symbol:) ?[`'\"]?(?P<symbol>executorch::extension::\w{1,80}(?:::~?\w{1,80})?)",
        "The linker does not find {symbol}",
        "Build the extension library (-DEXECUTORCH_BUILD_EXTENSION_MODULE=ON, _DATA_LOADER, _TENSOR, _RUNNER_UTIL) and name it before executorch in "
        "target_link_libraries: extension_module_static has Module, extension_data_loader the data loaders, extension_tensor the tensor factories, "
        "extension_runner_util the inputs.",
        ("main.cpp:12: undefined reference to `executorch::extension::Module::load()'", "ld.lld: error: undefined symbol: executorch::extension::Module::load()"),
    ),
    Failure(
        "undefined-reference",
        r"undefined (?:reference to|symbol:) ?[`'\"]?(?P<symbol>executorch::runtime::(?:\w{1,80}::)?~?\w{1,80}(?:::~?\w{1,80})?)",
        "The linker does not find {symbol}",
        "Name executorch and executorch_core, which contain it, after all libraries that use them, since a static library is searched only once, and take "
        "all of them from one build.",
        ("a.cpp:65: undefined reference to `executorch::runtime::runtime_abort()'",),
    ),
    Failure(
        "undefined-reference",
        r"undefined (?:reference to|symbol:) ?[`'\"]?(?P<symbol>__(?P<kind>ubsan|asan)_\w{1,80})",
        "The linker does not find {symbol}: a library was built with a sanitizer, and the program is not",
        "Build that library without it (CMAKE_BUILD_TYPE=Release; -DFLATCC_DEBUG_CLANG_SANITIZE=OFF for flatcc's builder.c), or link the program with the "
        "sanitizer too: -fsanitize=undefined,address.",
        ("ld: error: undefined symbol: __ubsan_handle_pointer_overflow", "a.o: undefined reference to `__asan_report_load4'"),
    ),
    Failure(
        "undefined-reference",
        r"(?:undefined (?:reference to|symbol:) ?[`'\"]?|L6218E: Undefined symbol )"
        r"(?P<symbol>ETHOSU_PMU_\w{1,60}|ethosu_(?:(?:de)?init|invoke(?:_async|_auto)?|(?:reserve|release|(?:de)?register)_driver|wait|irq_handler|soft_reset|"
        r"get_driver_version|get_hw_info|get_product_config_from_cop_data|(?:request|release)_power|dev_\w{1,60})(?:_v\d|_ex)?)(?!\w)",
        "The linker does not find {symbol} of the Ethos-U core driver",
        "Link ethosu_core_driver, built with ETHOSU_TARGET_NPU_CONFIG for this NPU, after what uses it (CONFIG_ETHOS_U=y in Zephyr). If it is linked, it is of "
        "another release than its caller: its functions changed their names (ethosu_init_v2 became ethosu_init; ethosu_reserve_driver_ex is recent).",
        (
            "a.cpp:12: undefined reference to `ethosu_reserve_driver_ex'",
            "Error: L6218E: Undefined symbol ETHOSU_PMU_Enable (referred from main.o).",
        ),
    ),
    Failure(
        "undefined-reference",
        r"undefined reference to ?[`'\"]?(?P<symbol>\(?[^\s`'\"(]{1,200})|L6218E: Undefined symbol (?P<arm>[^\s(]{1,200})|"
        r"undefined symbol: (?P<lld>\(?[^\s(]{1,200})|Undefined symbols for architecture [\w-]{1,20}:\s{0,8}[\"']?(?P<shown>[^\s\"'(]{1,200})|"
        r"\A\s{0,40}[\"']?(?P<mac>[^\s\"'(,]{1,200})[^\n]{0,400}, referenced from:",
        "The linker does not find {symbol}{arm}{lld}{shown}{mac}",
        "Add the library that defines it, after those that use it (kernels_util_all_deps after quantized_kernels); for register_*, "
        "RegisterCodegenUnboxedKernels or backends link with --whole-archive.",
        (
            "/a/main.cpp:12: undefined reference to `model_pte'",
            "Error: L6218E: Undefined symbol model_pte (referred from main.o).",
            "Undefined symbols for architecture arm64: \"a::b(int)",
            '  "a::b(int)", referenced from:',
        ),
    ),
    Failure(
        "multiple-definition",
        r"multiple definition of [`'\"]?(?P<symbol>[^\s`'\";]{1,200})|error: duplicate symbol: (?P<lld>[^\n]{1,200}?)(?=\s{2}|\s*\Z|\s>>>)|"
        r"L6200E: Symbol (?P<arm>\S{1,200}) multiply defined",
        "Two objects define {symbol}{lld}{arm}",
        "Link only one of the libraries that contain it (portable, optimized or a selected build of the kernels).",
        (
            "ld: b.o: multiple definition of `main'; a.o: first defined here",
            "ld.lld: error: duplicate symbol: vtable for executorch::extension::Module",
            "Error: L6200E: Symbol main multiply defined (by a.o and b.o).",
        ),
    ),
    Failure(
        "library-not-found",
        r"cannot find (?P<file>/[^\s:]{1,300}) inside (?P<root>/[^\s:]{1,300})",
        "The linker does not find {file} under its sysroot {root}",
        "Install the target's C library there (Debian and Ubuntu: libc6-ARCH-cross and libc6-dev-ARCH-cross), or correct --sysroot (CMAKE_SYSROOT): it is "
        "missing, or its linker scripts name paths of another root.",
        ("/usr/lib/gcc-cross/a/bin/ld: cannot find /usr/aarch64-linux-gnu/lib/libc.so.6 inside /usr/aarch64-linux-gnu",),
    ),
    Failure(
        "library-not-found",
        r"(?:cannot find|unable to find library|library not found for) -l(?P<library>[\w.+-]{1,100})|ld: library '(?P<mac>[\w.+-]{1,100})' not found",
        "The linker does not find the library {library}{mac}",
        "Build it first (ExecuTorch's libraries come from build_executorch.sh), or add its folder with -L.",
        ("/a/bin/ld: cannot find -lethosu_core_driver: No such file or directory", "ld: library not found for -lomp", "ld: library 'omp' not found",
         "ld.lld: error: unable to find library -lethosu"),
    ),
    Failure(
        "link-wrong-architecture",
        r"(?<![\w./+-])(?P<file>[\w./+-]{1,200}(?:\([\w.+-]{1,80}\))?):? (?:error adding symbols: |file not recognized: )?(?:in archive is not an object|file format not recognized|file in wrong format)|"
        r"skipping incompatible (?P<other>[\w./+-]{1,200})",
        "An object was built for another architecture: {file}{other}",
        "Rebuild it with the cross toolchain in a separate build folder: rm -rf cmake-out arm_test, then backends/arm/scripts/build_executorch.sh (the host "
        "build must not share its folder).",
        ("/a/bin/ld: /w/cmake-out/libx.a: member /w/cmake-out/libx.a(ArmBackendEthosU.cpp.o) in archive is not an object",
         "ld: liba.a(b.o): file format not recognized; treating as linker script", "ld: liba.a: error adding symbols: file in wrong format"),
    ),
    Failure(
        "build-failed",
        r"(?:Fatal e|E)rror: (?P<reason>L(?!9555)\d{4}[EU]: [^\n]{1,200})",
        "The linker stopped: {reason}",
        "Correct what the message names; armlink's manual explains its number. A program without semihosting "
        "(__use_no_semihosting) brings _sys_exit, _ttywrch and the like itself, or a library that retargets them.",
        ("Fatal error: L6915E: Library reports error: __use_no_semihosting was requested, but a was referenced.",),
        1,
    ),
)  # fmt: skip
"""A part of `BUILD_FAILURES`."""
