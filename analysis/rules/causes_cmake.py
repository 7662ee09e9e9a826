"""What CMake, Ninja and make refuse of how they were called: another version, another folder, a target or a preset that is not there."""

from __future__ import annotations

from .causes import Failure

_ANEW = "Remove the build folder (rm -rf cmake-out arm_test, or the one named) and configure again, or give another one with -B."

CMAKE_FAILURES: tuple[Failure, ...] = (
    Failure(
        "cmake-version",
        r"CMake (?P<wanted>\d{1,3}\.\d{1,4}[.\d]{0,8}) or higher is required\.(?:\s{0,8}You are running version (?P<has>[\d.]{1,20}))?",
        "CMake is too old: {wanted} is needed, {has} is installed",
        "Install a newer one into the environment: pip install 'cmake>={wanted},<4'.",
        ("CMake Error at CMakeLists.txt:1 (cmake_minimum_required): CMake 3.29 or higher is required.  You are running version 3.22.1",),
    ),
    Failure(
        "cmake-version",
        r"Policy \"(?P<policy>CMP\d{4})\" is not known to this version of CMake",
        "CMake is too old: it does not know the policy {policy}",
        "Install a newer one into the environment (pip install 'cmake>=3.29,<4'), and configure in an empty folder.",
        ('CMake Error at CMakeLists.txt:9 (cmake_policy): Policy "CMP0156" is not known to this version of CMake.',),
    ),
    Failure(
        "cmake-version",
        r"Compatibility with CMake < (?P<low>[\d.]{1,12}) has been removed",
        "CMake is too new for part of the source tree",
        "Install an older one into the environment (pip install 'cmake<4'), or pass -DCMAKE_POLICY_VERSION_MINIMUM={low}.",
        ("CMake Error at third-party/a/CMakeLists.txt:1: Compatibility with CMake < 3.5 has been removed from CMake.",),
    ),
    Failure(
        "build-reconfigure",
        r"The source \"(?P<source>[^\"\n]{1,300})\" does not match the source \"(?P<other>[^\"\n]{1,300})\" used\s{1,8}to generate cache|"
        r"CMakeCache\.txt directory (?P<now>\S{1,300}) is different than the directory (?P<was>\S{1,300}?) where CMakeCache",
        "The build folder belongs to another source tree or was moved: it was configured for {other}{was}",
        _ANEW,
        (
            'CMake Error: The source "/w/b/CMakeLists.txt" does not match the source "/w/a/CMakeLists.txt" used to generate cache.  Re-run cmake',
            "CMake Error: The current CMakeCache.txt directory /w/b/CMakeCache.txt is different than the directory /w/a where CMakeCache.txt was created.",
        ),
    ),
    Failure(
        "build-reconfigure",
        r"generator\s{1,8}: (?P<now>[\w ]{1,40}?)\s{1,8}Does not match the generator used previously: (?P<was>Unix Makefiles|\w{1,40})",
        "The build folder was configured for {was}, and {now} is now requested",
        _ANEW,
        ("CMake Error: Error: generator : Ninja Does not match the generator used previously: Unix Makefiles",),
    ),
    Failure(
        "build-options",
        r"Use of '(?P<option>\w{1,80})' requires\s{1,8}'(?P<needed>\w{1,80})'",
        "The build option {option} needs {needed}, which is off",
        "Switch it on too (-D{needed}=ON), or leave out -D{option}=ON.",
        ("CMake Error at tools/cmake/common/preset.cmake:9 (message): Use of 'EXECUTORCH_BUILD_A' requires   'EXECUTORCH_BUILD_B'",),
    ),
    Failure(
        "build-options",
        r"Both '(?P<option>\w{1,80})' and\s{1,8}'(?P<other>\w{1,80})' can't\s{1,8}be\s{1,8}ON",
        "The build options {option} and {other} exclude each other",
        "Switch one of them off (-D{other}=OFF); for bare metal use the preset as it is (cmake --preset arm-baremetal), without a host preset.",
        ("CMake Error at tools/cmake/common/preset.cmake:9 (message): Both 'EXECUTORCH_BUILD_A' and   'EXECUTORCH_BUILD_B' can't be ON",),
    ),
    Failure(
        "build-options",
        r"Unknown (?P<option>EXECUTORCH_\w{1,60}) ['\"](?P<value>[^'\"\n]{0,80})['\"]\.\s{1,8}(?:Choices:|Expected one of)\s{0,8}\{?(?P<choices>[^.{}\n]{1,160}?)(?=[.}]|\s{1,8}Call Stack|\s{0,8}\Z)",
        "The build option {option} cannot be {value}: {choices}",
        "Give one of those values: -D{option}=VALUE.",
        (
            "CMake Error at a.cmake:9 (message): Unknown EXECUTORCH_LOG_LEVEL 'loud'. Choices: Debug, Info, Error, Fatal",
            'CMake Error at CMakeLists.txt:9 (message): Unknown EXECUTORCH_PAL_DEFAULT "none". Expected one of {posix,   minimal}.',
        ),
    ),
    Failure(
        "source-folder-name",
        r"must be cloned into a directory named exactly\s{1,8}.executorch.; found .(?P<folder>[^`'\n]{1,200})[`']",
        "The source tree must be in a folder named executorch, and it is in {folder}",
        "Rename it (mv {folder} executorch), and use an empty build folder.",
        ("CMake Error at CMakeLists.txt:9 (message): The ExecuTorch repo must be cloned into a directory named exactly   `executorch`; found `et-main`.",),
    ),
    Failure(
        "submodule-missing",
        r"executorch: source list generation failed",
        "The build tool that lists ExecuTorch's sources (buck2) could not read the source tree",
        "Update the submodules (git submodule sync; git submodule update --init --recursive), then ./install_executorch.sh --clean and build "
        "again: most often they are missing or at another commit. The lines above name the file it did not find.",
        ("CMake Error at build/Utils.cmake:9 (message): executorch: source list generation failed",),
    ),
    Failure(
        "cmake-version",
        r"Impossible to link target '(?P<what>[^'\n]{1,80})' because the link item\s{1,8}'(?P<item>[^'\n]{1,80})'(?=[\s\S]{0,200}WHOLE_ARCHIVE|[\s\S]{0,200}\Z)",
        "CMake is too old to link {what}: it refuses {item}, linked both whole and by name",
        "Install a newer one into the environment (pip install 'cmake>=3.31,<4'), check that it comes first on PATH (which cmake), and configure "
        "in an empty folder.",
        (
            "CMake Error at CMakeLists.txt:1699 (add_executable): Impossible to link target 'executor_runner' because the link item "
            "'executorch_delegate_ethos_u', specified without any feature or 'DEFAULT' feature, has already occurred with the feature 'WHOLE_ARCHIVE', which is not allowed.",
        ),
    ),
    Failure(
        "preset-unknown",
        r"No such preset in (?P<folder>[^\n\"]{1,300}?): \"(?P<name>[^\"\n]{1,80})\"",
        "CMake has no preset {name} in {folder}",
        "Run cmake --list-presets there to list them (for Cortex-M it is arm-baremetal); they differ between releases.",
        ('CMake Error: No such preset in /w/executorch: "arm-baremetel"',),
    ),
    Failure(
        "cmake-version",
        r"Could not read presets from\s{1,8}(?P<folder>(?:[A-Za-z]:)?[^\n:]{1,300}):\s{1,8}(?:Error: @[\d,]{1,12}: )?"
        r"(?:Unrecognized \"version\" field|\"cmakeMinimumRequired\" version too new|[^\n]{0,80}version \d{1,2} is (?:not|un)supported)",
        "CMake is too old for the presets in {folder}",
        "Install a newer one into the environment (pip install 'cmake>=3.31,<4'), check that it comes first on PATH (which cmake), and configure "
        "again.",
        (
            'CMake Error: Could not read presets from /w/executorch: Unrecognized "version" field',
            'CMake Error: Could not read presets from C:/w: "cmakeMinimumRequired" version too new',
            'CMake Error: Could not read presets from /w: Error: @2,13: Unrecognized "version" field   "version": 10,',
        ),
    ),
    Failure(
        "preset-unknown",
        r"Could not read presets from (?P<folder>(?:[A-Za-z]:)?[^\n:]{1,300}): (?P<reason>[^\n]{1,80})",
        "CMake finds no presets in {folder}: {reason}",
        "Run it in the folder with CMakePresets.json (cd executorch), or give that folder with -S.",
        ("CMake Error: Could not read presets from /w/empty: File not found",),
    ),
    Failure(
        "source-folder-wrong",
        r"The source directory \"(?P<folder>[^\"\n]{1,300})\" does not (?:appear to contain CMakeLists\.txt|exist)",
        "CMake was given a folder without a CMakeLists.txt: {folder}",
        "Give the folder that has a CMakeLists.txt (cmake -S executorch -B cmake-out; the runner's is examples/arm/executor_runner/standalone since 1.3, its "
        "parent before that); if it is a submodule, git submodule update --init --recursive.",
        ('CMake Error: The source directory "/w/empty" does not appear to contain CMakeLists.txt.',
         'CMake Error: The source directory "/w/nothere" does not exist.'),
    ),
    Failure(
        "build-reconfigure",
        r"Some \(but not all\) targets in this export set were already defined\.(?:\s{1,9}Targets Defined: (?P<names>[\w.;, -]{1,160}?)(?=\s{1,9}Targets not|\s{0,9}\Z))?",
        "A package that CMake found redefines targets of this build: {names}",
        "Remove the build folder (rm -rf cmake-out arm_test) and rebuild everything with the scripts of one checkout: what is installed in it "
        "comes from another configuration or commit than the sources.",
        ("CMake Error at /w/arm_test/a/ExecuTorchTargets.cmake:42 (message): Some (but not all) targets in this export set were already defined. "
         "Targets Defined: cmsis-nn Targets not yet defined: executorch",),
    ),
    *(
        Failure(
            "build-options", pattern, title,
            "Build it with a --system_config that belongs to the --target: the runner has the timing of Ethos_U55_High_End_Embedded, "
            "Ethos_U55_Deep_Embedded and Ethos_U85_SYS_DRAM_Low, _Mid and _High, and since 1.4 of Ethos_U65_High_End.",
            (sample,),
        )
        for pattern, title, sample in (
            (r"Unsupported SYSTEM_CONFIG:? (?P<config>\w{1,60})", "The runner cannot be built for the system configuration {config}",
             "CMake Error at a.cmake:9 (message): Unsupported SYSTEM_CONFIG Ethos_U99_Low."),
            (r"SYSTEM_CONFIG does not contain '?U55", "The runner cannot be built: its system configuration names no known NPU",
             "CMake Error at CMakeLists.txt:9 (message): SYSTEM_CONFIG does not contain 'U55' or 'U85'.  Configuration aborting."),
        )
    ),
    Failure(
        "build-options",
        r"Unsupported (?:memory_mode|MEMORY_MODE) (?P<mode>\w{1,60})(?P<npu>\s{1,8}for\s{1,8}the\s{1,8}Ethos-U\d\d)?",
        "The runner has no memory mode {mode} {npu}",
        "Compile the program and build the runner with the same --memory_mode: Shared_Sram or Sram_Only on a U55, Sram_Only or Dedicated_Sram on a U85, any of the three on a U65.",
        ("CMake Error at a.cmake:9 (message): Unsupported memory_mode Dedicated_Sram_1KB for the Ethos-U55.  The   Ethos-U55 supports only Shared_Sram",
         "CMake Error at a.cmake:9 (message): Unsupported MEMORY_MODE Fast_Only.  Memory_mode can be"),
    ),
    Failure(
        "target-defined-twice",
        r"cannot create (?:imported |ALIAS )?target \"(?P<name>[^\"\n]{1,120})\" because another\s{1,8}(?:imported |ALIAS )?target\s{1,8}with\s{1,8}the\s{1,8}same\s{1,8}name",
        "CMake gets two definitions of {name}",
        "Let CMake find only one of them (find_package once, or a clean environment), and configure in an empty folder: two parts of the tree, or "
        "two installations of one package (conda's and pip's), provide it. If it is a submodule of two others, use the sources of one release.",
        (
            'CMake Error at /w/MKLConfig.cmake:9 (add_library): add_library cannot create imported target "MKL::MKL" because another target   with the same name already exists.',
            'CMake Error at CMakeLists.txt:9 (add_library): add_library cannot create target "flatccrt" because another target   with the same name already exists.',
        ),
    ),
    Failure(
        "build-not-configured",
        r"^Error: (?P<folder>(?:[A-Za-z]:)?/[^\n:]{1,300}?) is not a directory$",
        "A command was given a folder that does not exist: {folder}",
        "Go to the right folder first (cd; a relative name is resolved from where the command is typed), or configure it (cmake -S SOURCE -B "
        "FOLDER). cmake --build says this of a missing build folder.",
        ("Error: /w/executorch/cmake-out/cmake-out is not a directory",),
    ),
    Failure(
        "target-not-in-build",
        r"No rule to make target [`'][^'\n]{1,200}/tools/make/(?:ext_libs|targets)/(?P<name>[\w.-]{1,60}?)(?:_makefile)?\.inc'",
        "TensorFlow Lite Micro's makefiles do not know {name}",
        "Use the names found in its folders tools/make/targets and tools/make/ext_libs, with underscores: CO_PROCESSOR=ethos_u, "
        "OPTIMIZED_KERNEL_DIR=cmsis_nn, TARGET=cortex_m_corstone_300.",
        ("make: *** No rule to make target 'a/lite/micro/tools/make/ext_libs/ethosu.inc'.  Stop.",),
    ),
    Failure(
        "target-not-in-build",
        r"No rule to make target [`'](?P<name>[^'\n]{1,200})'\.\s{1,4}Stop|^ninja: error: unknown target '(?P<other>[^'\n]{1,200}?)'",
        "The build has no target {name}{other}",
        "Check its spelling (cmake --build FOLDER --target help lists them); a target that an option adds exists only if the option was on at "
        "configuration.",
        ("gmake: *** No rule to make target 'arm_executor_runer'.  Stop.", "ninja: error: unknown target 'executor_runnr', did you mean 'executor_runner'?"),
    ),
    Failure(
        "build-not-configured",
        r"^ninja: error: loading '(?P<name>build\.ninja)'|No targets specified and no (?P<makefile>makefile) found|Error: could not load (?P<cache>cache)",
        "This folder is not configured and has nothing to build: it has no {name}{makefile}{cache}",
        "Configure first (cmake -S SOURCE -B FOLDER), then cmake --build FOLDER; if you did, it failed or this is another folder.",
        ("ninja: error: loading 'build.ninja': No such file or directory", "make: *** No targets specified and no makefile found.  Stop.",
         "Error: could not load cache"),
    ),
    Failure(
        "makefile-unread",
        r"^(?P<file>(?:[A-Za-z]:)?[^\n:]{1,300}:\d{1,7}): \*\*\* (?P<what>(?:target pattern contains no|multiple target patterns|missing separator|mixed implicit)"
        r"[^\n]{0,80}?)\.?\s{1,4}Stop\.?\s{0,4}(?:\Z|\n)",
        "make does not understand a makefile: {what} ({file})",
        "Look at that line. In a makefile that CMake wrote, it most often contains a path with a colon, a space or a line break, or the output of "
        "a command that failed while CMake configured: use a path without such characters, remove the build folder and configure again, or build "
        "with Ninja (-G Ninja). In your own makefile, a recipe line must begin with a tab.",
        ("runner/CMakeFiles/a.dir/build.make:77: *** target pattern contains no `%'.  Stop.", "Makefile:3: *** missing separator.  Stop."),
    ),
    Failure(
        "linker-script",
        r"ld(?:\.exe)?: ?(?P<where>\S{1,200}?:\d{1,7}): (?P<what>(?:syntax error|non constant or forward reference|ignoring invalid character|undefined (?:symbol|MEMORY region|section))[^\n]{0,120})",
        "The linker cannot parse its script: {what} ({where})",
        "Correct that line of the linker script; if it is generated, correct the file it is generated from.",
        ("/a/bin/ld:o.ld:1: syntax error",),
    ),
)  # fmt: skip
"""A part of `BUILD_FAILURES`, before its rows for packages."""
