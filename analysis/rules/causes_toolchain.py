"""What the compiler or assembler says when it is there and cannot do its work for this core."""

from __future__ import annotations

from .causes import Failure

_PLACE = r"(?:[^\s:]{1,200}|(?:\.{0,2}/|[A-Za-z]:[\\/])[^\n:]{1,200}):\d{1,7}(?::\d{1,7})?: "
_COMPILER = r"(?:(?:[A-Za-z]:)?[^\s:]{0,200}[/\\-])?(?:gcc|[gc]\+\+|cc|cc1|cc1plus|lto1|lto-wrapper|collect2)(?:-[\d.]{1,10})?(?:\.exe)?: "
"""What a compiler puts before its words: where in the source it was, or its own name."""
TOOLCHAIN_FAILURES: tuple[Failure, ...] = (
    Failure(
        "compiler-licence",
        r"Failed to check out a licen[cs]e|[CL]9555E|\[LMS001\]|[Ll]icense file could not be found",
        "The compiler got no licence",
        "Activate a licence for this user (armlm activate, or ARMLMD_LICENSE_FILE for a server), or build with the GNU toolchain, which needs none "
        "(examples/arm/setup.sh installs it).",
        (
            "armclang: error: Failed to check out a license.",
            "Fatal error: L9555E: x",
            "Error: C9555E: Failed to check out a license.LICENSE ERROR (R207(2): x)",
        ),
        -1,
    ),
    Failure(
        "compiler-crashed",
        rf"^(?:{_PLACE}|{_COMPILER})?(?P<what>internal compiler error: (?!Killed)[^\n]{{1,120}})",
        "The compiler itself crashed: {what}",
        "Remove the build folder and build with another compiler release, for example the one from examples/arm/setup.sh: this is a compiler bug, not an "
        "error in the code (GCC 12.2 for Arm fails this way on CMSIS-NN).",
        (
            "/w/nn/softmax.c:74:1: internal compiler error: in trunc_int_for_mode, at explow.cc:59",
            "arm-none-eabi-gcc: internal compiler error: Segmentation fault signal terminated program cc1",
            "lto1: internal compiler error: in lto_read_decls, at lto/lto-common.cc:1970",
            "internal compiler error: Segmentation fault",
        ),
    ),
    Failure(
        "compiler-launcher",
        r"error: to generate dependencies you must specify either '-M' or '-MM'",
        "The compiler was asked for a file's dependencies without -M or -MM",
        "Configure with -DCMAKE_CXX_SCAN_FOR_MODULES=OFF and without a compiler launcher, in an empty folder: CMake scans for C++20 modules (CXX.dd), which "
        "this compiler or its launcher (ccache, sccache) does not support. A pip environment with scikit-build-core in it also asks for it.",
        ("cc1plus: error: to generate dependencies you must specify either '-M' or '-MM'",),
    ),
    Failure(
        "compile-error",
        r"\Aerror: #error \"?(?P<what>[^\"\n]{1,160})",
        "The code stops the build with #error: {what}",
        "Change what the message asks for (another compiler, option or board), and build in an empty folder.",
        ('error: #error "This needs GCC 9 or newer"',),
    ),
    Failure(
        "compile-error",
        r"(?<!\S)(?P<where>[^\s:]{0,200}RegisterCodegenUnboxedKernels\w{0,40}\.cpp:\d{1,7})(?::\d{1,6})?: (?:fatal )?error: (?P<reason>[^\n]{1,200})",
        "The generated kernel registration does not match this ExecuTorch: {reason} ({where})",
        "Install the torch that this release pins (./install_executorch.sh; its torchgen wrote the file in 0.6 and earlier), or check whether another "
        "executorch comes first on PYTHONPATH; then build in an empty folder. The generator is from another release than the sources.",
        (
            "RegisterCodegenUnboxedKernelsEverything.cpp:47:23: error: 'FooScope' is not a member of 'torch::executor::internal'",
        ),
    ),
    Failure(
        "compile-error",
        r"(?<!\S)(?P<where>[^\s:]{0,200}EthosUBackend_Cortex_A\.cpp:\d{1,7})(?::\d{1,6})?: error: (?P<reason>[^\n]{0,120}EthosU::[^\n]{1,120})",
        "The Ethos-U Linux driver stack does not match this backend: {reason} ({where})",
        "Leave ETHOSU_LINUX_DRIVER_SOURCE_DIR out, so that CMake fetches the right one, or give a checkout of Arm's ethos-u-linux-driver-stack at the tag in "
        "ETHOSU_LINUX_DRIVER_GIT_TAG of backends/arm/CMakeLists.txt (26.02 for 1.2 to 1.4); a vendor's older driver library lacks what it calls.",
        (
            "/w/backends/arm/runtime/EthosUBackend_Cortex_A.cpp:172:35: error: 'PENDING' is not a member of 'EthosU::InferenceStatus'",
        ),
    ),
    Failure(
        "toolchain-too-old",
        r"[Ee]rror: (?P<what>(?:syntax error -- |bad instruction |selected processor does not support |selected FPU does not support |"
        r"unrecognized command[- ]line option '?-m(?:cpu|arch)|unrecognized argument in option '-m(?:cpu|arch)=|unrecognized -m(?:cpu|arch) target: |"
        r"instruction not allowed in IT block|implicit declaration of function '__q?(?:add|sub)(?:16|8)\b|"
        r"unknown (?:target )?(?:cpu|CPU|architecture) |invalid value '?cortex-m[^\n']{1,20}'? in '-mcpu)[^\n]{1,120}|[^\n]{0,40}invalid instruction[^\n]{0,80}|"
        r"bad value \('?cortex-m\d{2}[^\n]{0,60})",
        "The toolchain does not know the target core: {what}",
        "Build with the arm-none-eabi-gcc that examples/arm/setup.sh installs (13 or later knows Cortex-M55 and M85), source "
        "examples/arm/arm-scratch/setup_path.sh so that it comes first on PATH, and remove the old build folder first.",
        (
            "/tmp/a.s:87: Error: syntax error -- `vcvtne.f64.f32 d0,s0'",
            "/tmp/a.s:9: Error: selected processor does not support `vldrw.u32 q0,[r0]' in Thumb mode",
            "cc1: error: bad value ('cortex-m85') for '-mcpu=' switch",
            "arm-none-eabi-gcc: error: unrecognized argument in option '-mcpu=cortex-m33'",
            "arm-none-eabi-g++: error: unrecognized -mcpu target: cortex-m85",
            "error: unknown target CPU 'cortex-m85'",
            "armclang: error: invalid value 'cortex-m85' in '-mcpu=cortex-m85'",
            "/tmp/ccX1.s:1201: Error: instruction not allowed in IT block -- `vmullt.f32 s15,s15,s14'",
            "arm_nn_compiler.h:187:20: error: implicit declaration of function '__qsub16' [-Werror=implicit-function-declaration]",
        ),
    ),
)
"""A part of `BUILD_FAILURES`, before the row for any error of a compiler."""
