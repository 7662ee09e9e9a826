"""What a shell or Python says of what it was to start: a script that is not there or not allowed, the wrong shell, a Python without pip."""

from __future__ import annotations

from ..compiles.toolchains import NEWEST_LINE
from .causes import Failure

_BEFORE = r"^(?:(?![+#/*>-]{1,3} )[^\n:'\"`]{1,200}: )?(?:line )?(?:\d{1,6}: )?"
"""What stands before a shell's words at the beginning of its line: in the middle of one they are somebody's who quotes them."""
_OTHER = (
    r"(?!(?:cmake|ninja|g?make|gcc|cc|c\+\+|g\+\+|git|west|dtc|curl|wget|buck2|unzip|flatc|vela|armclang|tosa_reference_model|"
    r"(?:python|pip)[\d.]{0,6})(?:: |')|arm-(?:none|zephyr)-eabi-)"
)
"""Not a tool that a row of its own tells how to install."""
LIMITED = r"Killed +timeout (?=[^\n]{0,80}(?:(?:-s ?|--signal[= ])(?:SIG)?(?:KILL|9)\b|-k|--kill-after))"
"""Where `timeout` itself may have sent the signal: by default it sends another one, and this is what ended its command."""

SHELL_FAILURES: tuple[Failure, ...] = (
    Failure(
        "wrong-shell",
        r": Bad substitution|[Ss]yntax error: \"\(\" unexpected|: \d{1,6}: (?:\[\[|source): not found",
        "A bash script was run with another shell (sh, dash)",
        "Run it directly or with bash (bash examples/arm/run.sh ..., not sh); in a Dockerfile use SHELL [\"/bin/bash\", \"-c\"], and . FILE in place of "
        "source FILE.",
        (
            "/w/examples/arm/run.sh: 18: Bad substitution",
            'run.sh: 21: Syntax error: "(" unexpected',
            "sh: 1: source: not found",
            "run.sh: 9: [[: not found",
        ),
    ),
    Failure(
        "script-not-executable",
        r"(?<!\S)(?P<file>[^\s:]{1,200}\.(?:sh|py|bash)): Permission denied",
        "The script {file} cannot be run: it is not executable",
        "Run it with its interpreter (bash {file}), or make it executable: chmod +x {file}; that has no effect on a Windows folder or a noexec mount.",
        ("bash: line 1: ./setup.sh: Permission denied",),
    ),
    Failure(
        "permission-denied",
        r"sh: (?:line \d{1,6}: |\d{1,6}: )?(?P<file>[^\s:]{1,300}): Permission denied\Z",
        "The shell has no permission to run or write {file}",
        "Check who owns it (ls -l {file}; ls -ld on its folders): a program needs its x bit (chmod +x), a file to be written needs a folder that you own.",
        ("bash: line 1: /w/env/bin/python: Permission denied",),
    ),
    Failure(
        "environment-missing",
        rf"{_BEFORE}(?P<file>\S{{1,200}}/bin/activate(?:\.\w{{1,8}})?): No such file",
        "No Python environment exists at {file}",
        "Go to the folder where it was created (cd executorch), or create it: python3 -m venv env, and install into it again.",
        ("bash: env/bin/activate: No such file or directory", "setup.sh: line 9: /w/.venv/bin/activate: No such file or directory"),
    ),
    Failure(
        "missing-file",
        r"failed to read dockerfile: open (?P<file>[^\s:]{1,200}): no such file|unable to evaluate symlinks in Dockerfile path: lstat (?P<path>[^\s:]{1,200})",
        "docker build was run in a folder without a {file}{path}",
        "Go to the folder that has it, or give its path: docker build -f path/to/Dockerfile FOLDER.",
        (
            "ERROR: failed to solve: failed to read dockerfile: open Dockerfile: no such file or directory",
            "ERROR: unable to prepare context: unable to evaluate symlinks in Dockerfile path: lstat /w/Dockerfile: no such file or directory",
        ),
    ),
    Failure(
        "setup-missing",
        r"(?:sh|source|-): (?:line \d{1,6}: )?(?P<file>(?:[\w./~-]{0,160}/)?setup_path\.sh): No such file",
        "ExecuTorch's setup was not run for this folder: {file} is missing",
        "Run examples/arm/setup.sh --i-agree-to-the-contained-eula once, which writes it into examples/arm/arm-scratch (up to 1.0: ethos-u-scratch), then source it from "
        "ExecuTorch's own folder.",
        ("bash: examples/arm/arm-scratch/setup_path.sh: No such file or directory", "run.sh: line 9: /w/setup_path.sh: No such file or directory"),
    ),
    Failure(
        "script-missing",
        r"(?:sh|\.sh): (?:line \d{1,6}: |\d{1,6}: )?(?P<file>\S{1,200}\.(?:sh|py|bash)): (?:No such file or directory|(?:command )?not found)|"
        r"can't open file '(?P<script>[^'\n]{1,300})': \[Errno 2\]|sh: 0: (?:cannot open|Can't open) (?P<opened>[^\s:]{1,200})",
        "The script {file}{script}{opened} does not exist",
        "Go to ExecuTorch's own folder first (cd executorch), and look for it there (find . -name the script's name): some moved between releases, "
        "aot_arm_compiler.py for example to backends/arm/scripts (python3 -m executorch.backends.arm.scripts.aot_arm_compiler).",
        (
            "bash: line 1: ./install_executorch.sh: No such file or directory",
            "python3: can't open file '/w/examples/arm/aot_arm_compiler.py': [Errno 2] No such file or directory",
            "sh: 0: cannot open setup.sh: No such file",
            "sh: 0: Can't open setup.sh",
        ),
    ),
    Failure(
        "interpreter-missing",
        rf"{_BEFORE}(?P<file>(?!\S{{1,200}}\.sh:)[^\s:]{{1,200}}): cannot execute: required file not found|"
        rf"{_BEFORE}(?P<script>[^\s:]{{1,200}}): (?P<interpreter>/[^\s:^]{{1,200}}): bad interpreter: No such file",
        "The program {file}{script} exists, but the interpreter it needs does not ({interpreter})",
        "Create the environment again (python3 -m venv env, then reinstall), or run the module: python3 -m NAME. An environment that was moved or copied, "
        "or whose Python was removed, causes this; so does a binary for another machine or C library, whose loader is missing (file NAME shows it).",
        (
            "bash: line 1: ./vela: cannot execute: required file not found",
            "bash: /w/env/bin/pip: /old/env/bin/python3: bad interpreter: No such file or directory",
        ),
    ),
    Failure(
        "program-wrong-machine",
        rf"{_BEFORE}(?P<file>[^\s:]{{1,200}}): (?:cannot execute binary file|Bad CPU type in executable)",
        "The program {file} is not for this machine",
        "Build or install it for this machine (a host tool such as flatc is built with the host's compiler); file NAME shows which one it was built for. An "
        "Apple silicon Mac runs x86-64 programs only with Rosetta (softwareupdate --install-rosetta); an Intel Mac cannot run arm64 ones.",
        (
            "bash: line 1: ./flatc: cannot execute binary file: Exec format error",
            "bash: arm-none-eabi-gcc: Bad CPU type in executable",
        ),
    ),
    Failure(
        "build-tool-missing",
        r"^(?:[^\s:'\"`]{0,100}/)?env: [`'\u2018](?P<tool>[\w.+-]{1,60})['\u2019]: No such file or directory",
        "A program that a script needs is missing: {tool}",
        "Install it and put it on PATH; if it is python, only python3 is installed (apt install python-is-python3, or activate an environment).",
        ("/usr/bin/env: \u2018python\u2019: No such file or directory", "env: 'python3': No such file or directory"),
    ),
    Failure(
        "build-tool-missing",
        rf"{_BEFORE}(?P<tool>sudo): (?:command )?not found",
        "sudo is not installed",
        "In a container you are root already: leave sudo out, or install it (apt-get install -y sudo).",
        ("sh: 1: sudo: not found",),
    ),
    Failure(
        "python-version",
        r"(?<![\w/.-])python(?P<wanted>3\.\d{1,2}): (?:command )?not found",
        "Python {wanted} is not installed on this machine, or not on PATH",
        "Install it (apt install python{wanted} python{wanted}-venv; if the distribution has none: uv python install {wanted}, or pyenv), or use one that "
        "is installed (ls /usr/bin/python3*) if ExecuTorch supports it.",
        ("bash: line 1: python3.13: command not found",),
    ),
    Failure(
        "shell-of-windows",
        r"'(?P<word>\.{1,2}|source|export|chmod|sh|sudo|[^'\s]{1,60}\.sh)' is not recognized as (?:an internal or external command|(?:the|a) name of a cmdlet)",
        "Windows' command line was given a Unix shell command ({word})",
        "Run the step in WSL (or in Git Bash, as far as that works): ExecuTorch's scripts for Arm need bash.",
        (
            "'.' is not recognized as an internal or external command,",
            "'source' is not recognized as an internal or external command,",
            "source: The term 'source' is not recognized as a name of a cmdlet, function, script file, or executable program.",
        ),
    ),
    Failure(
        "command-missing",
        rf"(?:\A|: )(?P<name>{_OTHER}[\w.+:-]{{1,80}}): "
        rf"command not found\Z|\A(?:/\S{{0,200}}/)?(?:da|a)?sh: (?:line )?\d{{1,6}}: (?P<program>{_OTHER}[\w.+-]{{1,80}}): not found\Z|"
        rf"[`'](?P<windows>{_OTHER}[^'\s]{{1,80}})' is not recognized as (?:an internal or external command|(?:the|a) name of a cmdlet)",
        "The shell does not know the command {name}{program}{windows}",
        "Check its spelling, install it, or put its folder on PATH (source the environment or setup script that does so; conda: source ~/.bashrc after "
        "conda init).",
        ("bash: line 1: conda: command not found", "run.sh: line 12: stdbuf: command not found", "/bin/sh: 1: powershell: not found",
         "'xxd' is not recognized as an internal or external command,"),
    ),
    Failure(
        "missing-file",
        r"tar: (?P<file>[^:\n]{1,300}): Cannot open: No such file",
        "The archive {file} is missing",
        "Run the step that downloads it again, and read the lines above: the download failed, or went to another folder.",
        ("tar: FVP_corstone300.tgz: Cannot open: No such file or directory",),
    ),
    Failure(
        "source-folder-wrong",
        r"Directory '(?P<folder>[^'\n]{1,300})' is not installable\. Neither 'setup\.py' nor 'pyproject\.toml' found",
        "pip was told to install a folder that holds no Python package ({folder})",
        "Go into the folder that has pyproject.toml (cd executorch), or give its path; a package from the index is installed by name: pip install executorch.",
        ("ERROR: Directory '.' is not installable. Neither 'setup.py' nor 'pyproject.toml' found.",),
    ),
    Failure(
        "externally-managed",
        r"Can not perform a '--user' install\. User site-packages are not visible",
        "pip was called with --user inside an environment, which does not allow it",
        "Leave --user out (and unset PIP_USER, pip config unset global.user): packages go into the environment itself.",
        ("ERROR: Can not perform a '--user' install. User site-packages are not visible in this virtualenv.",),
    ),
    Failure(
        "outside-workspace",
        r"Could not find a package configuration file provided by \"Zephyr\"",
        "CMake does not find Zephyr: ZEPHYR_BASE is not set",
        "Build inside the workspace with west build, or set it: export ZEPHYR_BASE=/path/to/zephyrproject/zephyr (source zephyr/zephyr-env.sh does).",
        ('CMake Error at CMakeLists.txt:2 (find_package): Could not find a package configuration file provided by "Zephyr" with any of the',),
    ),
    Failure(
        "too-many-processes",
        r"(?:fork|posix_spawn|clone)(?:\(\))?: (?:retry: )?Resource temporarily unavailable|can't start new thread",
        "No more processes or threads can be started",
        "Build with fewer jobs (CMAKE_BUILD_PARALLEL_LEVEL=1, make -j1), and raise the limit: ulimit -u, or the container's (docker run --pids-limit).",
        ("bash: fork: Resource temporarily unavailable", "make: vfork: Resource temporarily unavailable", "RuntimeError: can't start new thread"),
    ),
    Failure(
        "output-not-written",
        r"[Ff]atal error: (?:cannot open (?=[^\n]{1,500} for writing: )|can't create |opening (?:output|dependency) file )['\u2018]?(?:(?:[A-Za-z]:)?[^\s:]{0,400}[/\\])?(?P<file>[^\s:/\\'\u2019]{1,120})"
        r"['\u2019]?(?: for writing)?: (?P<reason>No such file or directory|File name too long|Invalid argument|Read-only file system)",
        "The compiler could not write {file}: {reason}",
        "Configure again in an empty build folder if its folder is missing; if that is read-only, build in another one. On Windows a path "
        "of 260 characters is too long: move the tree to a short folder (C:\\w), or allow long paths.",
        (
            "a/b.c: fatal error: cannot open out/a/b.su for writing: No such file or directory",
            "Fatal error: can't create out/a/b.o: No such file or directory",
            "a.c:9:1: fatal error: opening dependency file out/a.d: No such file or directory",
        ),
    ),
    Failure(
        "source-missing",
        r"^(?:[A-Za-z]:)?[^\s:'\"`]{1,300}(?::\d{1,7}){0,2}: fatal error: (?P<file>[^\s:]{1,200}\.(?:c|cc|cpp|cxx|S|s)): No such file or directory",
        "The compiler was given a source file that does not exist: {file}",
        "Check the path in the build's source list; if it belongs to a submodule, git submodule update --init --recursive.",
        ("cc1: fatal error: nothere.c: No such file or directory",),
    ),
    Failure(
        "toolchain-missing",
        r"compiler\s{1,8}\"(?P<file>[^\"\n]{0,300}arm-[^\"\n]{1,60})\"\s{1,8}is not able to compile a\s{1,8}simple\s{1,8}test\s{1,8}program",
        "CMake cannot build its test program with the cross compiler: {file}",
        "Give the toolchain file, which says how to link programs for this core, in an empty build folder: "
        "-DCMAKE_TOOLCHAIN_FILE=examples/arm/ethos-u-setup/arm-none-eabi-gcc.cmake; the compiler's own message is below it.",
        ('CMake Error at a.cmake:62 (message):   The C compiler      "/usr/bin/arm-none-eabi-gcc"    is not able to compile a simple test program.',),
    ),
    Failure(
        "step-terminated",
        r": line \d{1,6}: +\d{1,9} Terminated +(?P<what>[^\n]{1,160})",
        "A step was terminated from outside: {what}",
        "Give it more time, and run it again: the CI job's time limit, a kill or the end of the session stopped it.",
        ("run.sh: line 5: 12345 Terminated              python3 -m executorch.backends.arm.scripts.aot_arm_compiler -m mv2",),
    ),
    Failure(
        "out-of-memory",
        r"^g?make(?:\[\d{1,4}\])?: \*\*\* \[[^\n]{1,300}\] Killed|oom[_-]kill event|OOM Killed",
        "The machine ran out of memory, and a step of the build was killed",
        "Give it more memory or swap, and build with fewer jobs: CMAKE_BUILD_PARALLEL_LEVEL=1, make -j1; request more for a cluster job (sbatch --mem).",
        ("make: *** [Makefile:10: all] Killed", "slurmstepd: error: Detected 1 oom_kill event in StepId=12.0."),
    ),
    Failure(
        "host-compiler-missing",
        r"error: Microsoft Visual C\+\+ (?P<wanted>[\d.]{1,8}) (?:or greater )?is required",
        "This machine has no C++ compiler: Microsoft Visual C++ {wanted} or newer is needed",
        "Install the Visual Studio Build Tools with C++, and run the step in their command prompt; or a release of the package that has a wheel for this "
        "Python, or WSL.",
        ('error: Microsoft Visual C++ 14.0 or greater is required. Get it with "Microsoft C++ Build Tools"',
         'error: Microsoft Visual C++ 14.0 is required. Get it with "Build Tools for Visual Studio"'),
    ),
    Failure(
        "wheel-missing",
        r"error: invalid command 'bdist_wheel'",
        "pip needs the package wheel to build another one, and it is not installed",
        "Install it into the environment: `pip install -U pip setuptools wheel`; then run the step again.",
        ("error: invalid command 'bdist_wheel'",),
    ),
    Failure(
        "environment-missing",
        r"CondaError: Run 'conda init' before|EnvironmentNameNotFound: Could not find conda environment: (?P<name>[\w./-]{1,80})",
        "conda has not activated the environment ({name})",
        "Run conda env list to see which exist (conda create -n NAME python=3.12 creates one); in a script: source $(conda info "
        "--base)/etc/profile.d/conda.sh before conda activate.",
        ("CondaError: Run 'conda init' before 'conda activate'", "EnvironmentNameNotFound: Could not find conda environment: executorch"),
    ),
    Failure(
        "dependency-conflict",
        r"No solution found when resolving (?:dependencies|[\w ]{1,60}?):?\W{0,20}(?:cause: )?(?P<why>Because [^\n]{1,400})",
        "Python packages conflict, or are not for this Python: {why}",
        "Create an environment with a Python that ExecuTorch supports (uv venv --python 3.12), and install one release and nothing else into it: `uv " + NEWEST_LINE + "`.",
        ("error: No solution found when resolving dependencies   cause: Because executorch==1.5.1 has no wheels with a matching Python implementation tag",
         "\u00d7 No solution found when resolving dependencies:   \u2570\u2500\u25b6 Because executorch==1.5.1 has no wheels with a matching Python ABI tag",),
    ),
    Failure(
        "build-tool-missing",
        r"(?P<name>Python) was not found; run without arguments to install",
        "{name} is not installed on this Windows, or not on PATH",
        "Install it (winget install Python.Python.3.12), and open a new prompt; py -3.12 starts a particular version.",
        ("Python was not found; run without arguments to install from the Microsoft Store, or disable this shortcut",),
    ),
    Failure(
        "step-timeout",
        rf"^[^\n'\"`]{{1,200}}: line \d{{1,6}}: +\d{{1,9}} {LIMITED}(?P<what>[^\n]{{1,160}})",
        "A time limit killed a step: timeout {what}",
        "Give it more time, or see what it was doing when the log ends; compiling a large model takes minutes, building ExecuTorch half an hour.",
        ("run.sh: line 9:  7260 Killed                  timeout -s KILL 600 python3 -m backends.arm.scripts.aot_arm_compiler -m mv2",),
    ),
    Failure(
        "pip-missing",
        r"\bpython[\w.]{0,8}: No module named pip\b",
        "This Python has no pip",
        "Install it: python3 -m ensurepip --upgrade (Debian and Ubuntu: apt install python3-pip python3-venv), or create the environment again: python3 -m "
        "venv env.",
        ("/w/env/bin/python: No module named pip",),
    ),
    Failure(
        "missing-module",
        r"\bpython[\w.]{0,8}: No module named '?(?P<name>executorch|examples|backends|ethosu|tosa\w{0,20})\b",
        "Python does not find the package {name}",
        "Activate the environment that ExecuTorch is installed in (source env/bin/activate), or install it: " + NEWEST_LINE + "; modules like "
        "examples.arm are found in ExecuTorch's own folder only (cd executorch).",
        ("/usr/bin/python3: No module named executorch",),
    ),
    Failure(
        "missing-module",
        r"\bpython[\w.]{0,8}: No module named '?(?P<name>(?!ensurepip\b)[\w.]{1,100})",
        "Python does not find the module {name} that it was told to run",
        "Activate the environment that has it, or install it into this Python (python3 -m pip install ...).",
        ("/usr/bin/python3: No module named cmake",),
    ),
    Failure(
        "pte-for-build-missing",
        r"realpath: (?P<file>[^\s:]{1,300}\.b?pte): No such file",
        "The script was given a program that does not exist: {file}",
        "Compile the model first (aot_arm_compiler, or run.sh does both), and give the .pte with its full path: build_executor_runner.sh "
        "--pte=/whole/path/model.pte.",
        ("realpath: out/add.pte: No such file or directory",),
    ),
    Failure(
        "missing-file",
        r"realpath: (?P<file>[^\s:]{1,300}): No such file",
        "A script was given a path that does not exist: {file}",
        "Check the path; a relative one is resolved from the folder the command runs in.",
        ("realpath: /w/executorch/out: No such file or directory",),
    ),
    Failure(
        "missing-file",
        r"Could not open requirements file: \[Errno 2\] No such file or directory: '(?P<file>[^'\n]{1,300})'",
        "pip was given a requirements file that does not exist: {file}",
        "Go to the folder that has it first (cd executorch), or give its full path; examples/arm/setup.sh itself installs what the Arm backend needs.",
        ("ERROR: Could not open requirements file: [Errno 2] No such file or directory: 'backends/arm/requirements-arm-ethos-u.txt'",),
    ),
    Failure(
        "package-unreadable",
        r"ERROR: (?P<file>\S{1,200}\.whl) is not a supported wheel on this platform",
        "The package {file} is for another Python or another machine",
        "Use the package for this Python, or let pip choose: pip install NAME. The file name says which it is for (cp312 is Python 3.12, then system and "
        "processor; python3 -m pip debug --verbose lists what this Python accepts).",
        ("ERROR: ethos_u_vela-5.1.0-cp39-cp39-win_amd64.whl is not a supported wheel on this platform.",),
    ),
    Failure(
        "package-unreadable",
        r"Wheel '(?P<name>[^'\n]{1,80})' located at (?P<file>\S{1,300}) is invalid",
        "The package of {name} is damaged, or not a wheel: {file}",
        "Remove it and download it again (pip install --no-cache-dir); a proxy's web page or a Git LFS pointer can be saved under its name (head -c 200 FILE).",
        ("ERROR: Wheel 'ethos-u-vela' located at /w/ethos_u_vela-5.1.0-py3-none-any.whl is invalid.",),
    ),
    Failure(
        "permission-denied",
        r"Could not install packages due to an (?:OSError|EnvironmentError): \[Errno 13\] Permission denied: '(?P<path>[^'\n]{1,300})'",
        "pip may not write to {path}",
        "Install into your own environment: python3 -m venv env && source env/bin/activate; do not run pip with sudo.",
        ("ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: '/usr/lib/python3/site-packages/networkx'",),
    ),
    Failure(
        "permission-denied",
        r"[Ff]atal error: (?:cannot open (?=[^\n]{1,500} for writing: )|can't create |opening (?:output|dependency) file )(?P<file>(?:[A-Za-z]:)?[^\n:]{1,300}?)(?: for writing)?: Permission denied|Unable to \(re\)create the private pkgRedirects directory:\s{1,8}(?P<folder>[^\s]{1,300})",
        "The build may not write to {file}{folder}",
        "Take ownership of the folder (sudo chown -R $USER FOLDER; a build once run with sudo or in a container leaves folders owned by root), or build in "
        "another one.",
        (
            "Fatal error: can't create /w/out/a.o: Permission denied",
            "CMake Error: Unable to (re)create the private pkgRedirects directory: /w/out/CMakeFiles/pkgRedirects",
        ),
    ),
    Failure(
        "aot-arguments",
        r"^aot_arm_compiler(?:\.py)?: error: unrecognized arguments: (?P<what>[^\n]{1,160})",
        "aot_arm_compiler does not know {what}",
        "Spell its options as --help does: with an underscore (--memory_mode, --system_config), and --quantize with a z; they differ from release to release.",
        ("aot_arm_compiler.py: error: unrecognized arguments: --memory-mode Shared_Sram",),
    ),
    Failure(
        "aot-arguments",
        r"^aot_arm_compiler(?:\.py)?: error: (?P<what>the following arguments are required: [^\n]{1,160}|(?:argument [^\n:]{1,80}: )?expected [^\n]{1,80})",
        "aot_arm_compiler was called with wrong arguments: {what}",
        "Give it what is missing; a complete call is `python3 -m executorch.backends.arm.scripts.aot_arm_compiler -m model.py -t ethos-u55-128 -d -q` "
        "(before 1.3: python3 -m examples.arm.aot_arm_compiler in the source tree). --help lists the options of this release.",
        ("aot_arm_compiler.py: error: the following arguments are required: -m/--model_name",),
    ),
    Failure(
        "setup-argument",
        r"^Supplied args: (?P<option>(?!--help)--?[\w-]{1,60})",
        "ExecuTorch's setup does not know the option {option}, and printed its usage",
        "Use an option from that list; the usual call is examples/arm/setup.sh --i-agree-to-the-contained-eula.",
        ("Supplied args: --enable-fvp",),
    ),
    Failure(
        "script-option",
        r"^Error: (?P<toolchain>aarch64-linux-musl-gcc) is not supported for this bare-metal runner",
        "The bare-metal runner cannot be built with {toolchain}",
        "Leave --toolchain out (arm-none-eabi-gcc is the default); for Linux on the board build `backends/arm/scripts/build_executorch.sh "
        "--toolchain=aarch64-linux-musl-gcc`.",
        ("Error: aarch64-linux-musl-gcc is not supported for this bare-metal runner.",),
    ),
    Failure(
        "toolchain-missing",
        r"^Error: MUSL_TOOLCHAIN_ROOT is required for (?P<name>[\w-]{1,60})",
        "The toolchain {name} is not set up: MUSL_TOOLCHAIN_ROOT is not set",
        "Run examples/arm/setup.sh --i-agree-to-the-contained-eula --target-toolchain linux-musl, then source examples/arm/arm-scratch/setup_path.sh.",
        ("Error: MUSL_TOOLCHAIN_ROOT is required for aarch64-linux-musl-gcc.",),
    ),
)  # fmt: skip
"""A part of `BUILD_FAILURES`, before ExecuTorch's own scripts."""
