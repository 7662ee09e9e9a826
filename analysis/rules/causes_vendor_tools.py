"""What IAR's and Microsoft's compilers and linkers refuse."""

from __future__ import annotations

from .causes import Failure

_REGISTERED = (
    "Add the library that defines it to the link; a kernel or backend library, whose symbols register themselves, must be linked whole (IAR: "
    "--whole_archive LIBRARY; Microsoft: /WHOLEARCHIVE:LIBRARY)."
)

VENDOR_TOOL_FAILURES: tuple[Failure, ...] = (
    Failure(
        "undefined-reference",
        r"Error\[Li005\]: no definition for \"?(?P<symbol>[^\"\n\[]{1,160})|error LNK20(?:01|19): unresolved external symbol \"?(?P<other>[^\"\n]{1,160})",
        "The linker does not find {symbol}{other}",
        _REGISTERED,
        (
            'Error[Li005]: no definition for "et_pal_init" [referenced from runner.o]',
            'runner.obj : error LNK2019: unresolved external symbol "void et_pal_init(void)" referenced in function main',
        ),
    ),
    Failure(
        "link-overflow",
        r"Error\[Lp01[01]\]: (?P<what>[^\n]{1,120})",
        "The program does not fit: IAR's linker could not place all of it ({what})",
        "Shrink the pools to what a log shows is used (-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE and the scratch pool), or move the large arrays to "
        "another memory in the .icf file; the lines below name the section and range.",
        ("Error[Lp011]: section placement failed",),
    ),
    Failure(
        "header-missing",
        r"Error\[Pe1696\]: cannot open source file \"(?P<header>[^\"\n]{1,200})\"|fatal error C1083: Cannot open include file: '(?P<other>[^'\n]{1,200})'",
        "The compiler does not find the header {header}{other}",
        "Add its folder to the include path; headers of ExecuTorch are included as executorch/..., so the path is the folder above the checkout, and "
        "generated headers exist only after the host's build.",
        (
            'Fatal Error[Pe1696]: cannot open source file "executorch/runtime/executor/program.h"',
            "runner.cpp(3): fatal error C1083: Cannot open include file: 'executorch/runtime/executor/program.h': No such file or directory",
        ),
    ),
    Failure(
        "library-not-linked",
        r"fatal error LNK1(?:104|181): cannot open (?:input )?file '(?P<library>[^'\n]{1,200})'",
        "The linker does not find the library {library}",
        "Build it first (ExecuTorch's host build creates it) with the same configuration (Debug or Release), and give its folder to the linker.",
        ("LINK : fatal error LNK1181: cannot open input file 'executorch.lib'",),
    ),
    Failure(
        "compile-error",
        r"(?:rror\[P[ae]\d{1,5}\]|: (?:fatal )?error C\d{4}): (?P<what>[^\n]{1,160})",
        "The code does not compile: {what}",
        "Check that ExecuTorch and the code that includes it are of matching releases; ExecuTorch needs C++17.",
        ('"main.cpp",42  Error[Pe020]: identifier "foo" is undefined', "runner.cpp(12): error C2065: 'foo': undeclared identifier"),
    ),
)  # fmt: skip
"""A part of `BUILD_FAILURES`, before the rows of the compilers that ExecuTorch itself is built with."""

CBUILD_FAILURES: tuple[Failure, ...] = (
    Failure(
        "toolchain-missing",
        r"no compiler registered for '(?P<name>[\w@.^~>=+-]{1,60})'",
        "The CMSIS-Toolbox does not know the compiler {name} on this machine",
        "Set the variable that the line names to its bin folder (export GCC_TOOLCHAIN_14_3_1=/opt/arm-gnu-toolchain/bin, AC6_TOOLCHAIN_6_24_0=...; the "
        "numbers are its version), or let vcpkg install it (vcpkg-configuration.json).",
        (
            "error cbuild: no compiler registered for 'GCC@14.3.1'. Add path to compiler in the registered environment variable GCC_TOOLCHAIN_14_3_1",
        ),
    ),
    Failure(
        "cmsis-pack-missing",
        r"error cbuild: missing packs must be installed",
        "CMSIS packs are not installed",
        "Run cbuild with --packs, which fetches them (cpackget update-index first), or add each one: cpackget add VENDOR::PACK@VERSION.",
        ("error cbuild: missing packs must be installed, rerun cbuild with the --packs option",),
    ),
    Failure(
        "cmsis-pack-missing",
        r"error cbuild: error (?:in getting list of missing packs|installing missing packs)",
        "cbuild could not install the CMSIS packs that are missing",
        "Add each one that the lines above name, which shows the reason (network, proxy, a version that is gone): cpackget update-index, then "
        "cpackget add VENDOR::PACK@VERSION. Without a network, copy CMSIS_PACK_ROOT from a machine that has them.",
        (
            "error cbuild: error in getting list of missing packs",
            'error cbuild: error installing missing packs: "exit status 1"',
        ),
    ),
    Failure(
        "csolution-failed",
        r"error csolution: file '(?P<file>[^'\n]{1,300})' not found; use --update-rte",
        "The CMSIS project lacks a file that comes with its packs: {file}",
        "Run cbuild once with --update-rte, which copies it from the pack. A .dbgconf is read by debuggers alone: newer releases of the CMSIS-Toolbox only "
        "warn of it.",
        ("error csolution: file '/w/.cmsis/a+b.dbgconf' not found; use --update-rte",),
    ),
    Failure(
        "command-missing",
        r"error cbuild: exec: \"(?P<name>[^\"\n]{1,80})\": executable file not found",
        "cbuild does not find a program that it starts: {name}",
        "Install it, or put its folder on PATH (for west: its virtual environment, also as VIRTUAL_ENV).",
        ('error cbuild: exec: "west": executable file not found in $PATH',),
    ),
    Failure(
        "toolchain-missing",
        r"error cbuild2cmake: compiler registration environment variable missing, format: (?P<name>[A-Z\d]{1,20}_TOOLCHAIN_)",
        "The CMSIS-Toolbox has no compiler: {name}... is not set",
        "Set that variable, with the compiler's release appended to its name, to the folder of its programs (GCC_TOOLCHAIN_13_3_1=/opt/gcc/bin).",
        (
            "error cbuild2cmake: compiler registration environment variable missing, format: GCC_TOOLCHAIN_<major>_<minor>_<patch>",
        ),
    ),
)
"""What the CMSIS-Toolbox's cbuild says, but for the project files that it reads."""
