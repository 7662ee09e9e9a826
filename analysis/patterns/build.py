"""Lines of builds: CMake, Ninja and make progress, compilers and linkers, Zephyr's west.

Progress is only counted.  An error line becomes one event whatever it says: what it means is decided once, at the end, by
the table in `causes_build.py`.
"""

from __future__ import annotations

from .table import Pattern as P

BUILD: tuple[P, ...] = (
    P("build_step", "[ {percent:int}% ]{:rest}", ("[ 12%] Building CXX object CMakeFiles/a.dir/b.cpp.obj",)),
    P("build_step", "[{:int}/{:int}] {:rest}", ("[12/340] Building C object zephyr/a.c.obj",)),
    P("build_step", "-- Configuring {:rest}", ("-- Configuring done (1.2s)",)),
    P("build_step", "-- Generating {:rest}", ("-- Generating done (0.3s)",)),
    P("build_step", "-- Build files have been written to: {:rest}", ("-- Build files have been written to: /a/cmake-out",)),
    P("build_step", "-- The C compiler identification is {:rest}", ("-- The C compiler identification is GNU 13.3.1",)),
    P("build_step", "-- The CXX compiler identification is {:rest}", ("-- The CXX compiler identification is GNU 13.3.1",)),
    P("build_step", "-- Check for working {:rest}", ("-- Check for working C compiler: /usr/bin/cc - skipped",)),
    P("build_step", "-- Detecting {:rest}", ("-- Detecting CXX compile features - done",)),
    P("build_step", "-- Zephyr version: {:rest}", ("-- Zephyr version: 4.2.0 (/a/zephyr)",)),
    P("build_step", "-- Board: {:rest}", ("-- Board: mps3, Revision: 1.0.0, qualifiers: corstone300/fvp",)),
    P("build_step", "-- west build: {:rest}", ("-- west build: generating a build system",)),
    P("build_step", "Memory region Used Size Region Size %age Used", ("Memory region         Used Size  Region Size  %age Used",)),
    P("build_step", "Consolidate compiler generated dependencies of target {:rest}",
      ("Consolidate compiler generated dependencies of target ethosu_core",)),
    P("host_error", "CMake Error{:rest}", ("CMake Error at CMakeLists.txt:232 (message):",)),
    P("host_error", "ninja: build stopped: {:rest}", ("ninja: build stopped: subcommand failed.",)),
    P("host_error", "ninja: fatal: {:rest}", ("ninja: fatal: posix_spawn: Cannot allocate memory",)),
    P("host_error", "[ FAILED ] {:word} ({:int} ms)", ("[  FAILED  ] MethodTest.MoveTest (3 ms)",)),
    P("host_error", "[ FAILED ] {:word}, where {:text} ({:int} ms)", ("[  FAILED  ] All/OpTest.Adds/1, where GetParam() = (2, 3) (4 ms)",)),
    P("host_error", "{:int}/{:int} Test #{:int}: {:text}***{:text} sec", ("3/12 Test  #3: runtime_executor_test ............***Failed    0.02 sec",)),
    P("host_error", "FAILED: {:rest}", ("FAILED: [code=1] zephyr/zephyr_pre0.elf",)),
    P("host_error", "make: *** {:rest}", ("make: *** [Makefile:136: all] Error 2",)),
    P("host_error", "make[{:int}]: *** {:rest}", ("make[2]: *** [CMakeFiles/a.dir/build.make:76: a.obj] Error 1",)),
    *(P("host_error", f": *** {what}{{:text}}Stop.{{:end}}", (f"runner/CMakeFiles/a.dir/build.make:77: *** {what}.  Stop.",), anywhere=True)
      for what in ("target pattern contains no ", "multiple target patterns", "missing separator", "mixed implicit and normal rules")),
    P("host_error", "gmake: *** {:rest}", ("gmake: *** [Makefile:208: portable_lib] Error 2",)),
    P("host_error", "gmake[{:int}]: *** {:rest}", ("gmake[1]: *** [CMakeFiles/Makefile2:846: all] Error 2",)),
    P("host_error", "internal compiler error: {:rest}", ("internal compiler error: Segmentation fault",)),
    P("host_error", "[Error] @{:int},{:int}: L{:rest}", ("[Error] @0,0: L6406E: No space in execution regions with .ANY selector matching runner.o(.bss).",)),
    P("host_error", "unable to allocate space for sections/blocks {:rest}",
      ("unable to allocate space for sections/blocks with a total estimated minimum size of 0x3c0'1234 bytes (max align 0x10) in",)),
    P("host_error", "devicetree error: {:rest}", ("devicetree error: a.overlay:10 (column 5): parse error: undefined node label 'ethosu0'",)),
    P("host_error", "west: unknown command {:rest}", ('west: unknown command "build"; do you need to run this inside a workspace?',)),
    P("host_error", "FATAL ERROR: {:rest}", ("FATAL ERROR: command exited with status 1: /usr/bin/cmake --build /a/build",)),
    P("host_error", "Could not find {:text} toolchain on PATH, {:rest}",
      ("Could not find arm baremetal toolchain on PATH, please refer to /w/examples/arm/setup.sh to properly install necessary tools.",)),
    P("host_error", "Could not find {:text} file, please {:text}setup.sh{:rest}",
      ("Could not find /w/arm-none-eabi-gcc.cmake file, please refer to /w/examples/arm/setup.sh to properly install necessary tools.",)),
    P("host_error", "Could not find {:text}setup_path.sh file, {:rest}", ("Could not find /w/arm-scratch/setup_path.sh file, please see the README",)),
    P("host_error", "Missing {:text}. please refer to {:rest}",
      ("Missing /w/arm-scratch/setup_path.sh. please refer to /w/examples/arm/setup.sh to properly install necessary tools.",)),
    P("host_error", "Failed to generate a pte file - {:rest}", ("Failed to generate a pte file - a.pte",)),
    P("host_error", "Unknown option: --{:rest}", ("Unknown option: --modelname=add",)),
    P("host_error", "dyld[{:int}]: Library not loaded: {:rest}", ("dyld[123]: Library not loaded: /opt/a/lib/libomp.dylib",)),
    P("host_error", "dyld: Library not loaded: {:rest}", ("dyld: Library not loaded: /opt/a/lib/libomp.dylib",)),
    P("host_error", "Fatal Python error: {:rest}", ("Fatal Python error: Segmentation fault",)),
    P("host_error", "ld: symbol(s) not found for architecture {:word}", ("ld: symbol(s) not found for architecture x86_64",)),
    P("host_error", "ld: library {:rest}", ("ld: library not found for -lomp",)),
    P("host_error", "spawn {:word} ENOENT", ("spawn cbuild ENOENT",)),
    P("host_error", "Error looking up configured node {:rest}", ("Error looking up configured node root//runtime/executor:program (a#1)",)),
    P("host_error", "Model name needs to be provided", ("Model name needs to be provided",)),
    *(
        P("host_error", literal, (sample,), anywhere=True)
        for literal, sample in (
            ("--bundle=<BPTE_FILE> is required for ", "[backends/arm/scripts/run_fvp.sh] --bundle=<BPTE_FILE> is required for cortex-m targets"),
            (" ERROR: download of ", "[fvp] ERROR: download of https://example.org/a.tgz failed after 3 attempts"),
            (" Error: Unknown FVP model ", "[install_fvp] Error: Unknown FVP model corstone310. Exiting."),
            ("syntax error near unexpected token `$'", "setup.sh: line 18: syntax error near unexpected token `$'{\\r''"),
            ("Failed to stat `", "0: Failed to stat `/w/executorch/buck-out/v2`"),
            ("bad interpreter: {:word}^M: ", "zsh: ./setup.sh: bad interpreter: /bin/bash^M: no such file or directory"),
            (": warning: attempt to assign the value ", "/w/prj.conf:12: warning: attempt to assign the value 'y' to the undefined symbol FOO"),
            (" overflowed by ", "ld: region `ITCM' overflowed by 1,234 bytes"),
            ("will not fit in region", "ld: a.elf section `.bss' will not fit in region `DTCM'"),
            ("undefined reference to{:symbol}", "a.cpp:(.text+0x10): undefined reference to `ethosu_init'"),
            ("Undefined symbols for architecture", 'Undefined symbols for architecture arm64: "a::b(int)'),
            (", referenced from:", '  "a::b(int)", referenced from:'),
            ("multiple definition of", "ld: b.o: multiple definition of `main'; a.o: first defined here"),
            ("ld.bfd: cannot find ", "/usr/bin/ld.bfd: cannot find -lethosu_core_driver"),
            ("ld: cannot find ", "/a/bin/ld: cannot find /usr/aarch64-linux-gnu/lib/libc.so.6 inside /usr/aarch64-linux-gnu"),
            ("ld.exe: cannot find ", "C:/a/bin/ld.exe: cannot find startup.o"),
            ("fatal error: ", "a.cpp:3:10: fatal error: executorch/runtime/core/error.h: file not found"),
            (": internal compiler error: ", "/w/a.c:74:1: internal compiler error: in trunc_int_for_mode, at explow.cc:59"),
            (": Error: ", "/tmp/a.s:87: Error: syntax error -- `vcvtne.f64.f32 d0,s0'"),
            ("in archive is not an object", "ld: liba.a: member liba.a(b.cpp.o) in archive is not an object"),
            ("file format not recognized", "ld: liba.a(b.o): file format not recognized"),
            (": error: ", "a.cpp:3:4: error: 'foo' was not declared in this scope"),
            ("No space left on device", "cc1plus: No space left on device"),
            ("virtual memory exhausted", "virtual memory exhausted: Cannot allocate memory"),
        )
    ),
)  # fmt: skip
"""The last rows are looked for in the middle of a line: compilers and linkers put paths before their text."""
