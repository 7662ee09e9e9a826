"""Why a simulator, what starts it, or ExecuTorch's runner for Linux never started, by the line that says so."""

from __future__ import annotations

from ..host.launches import LICENCE_WORDS
from .causes import Failure
from .causes_emulator import EMULATOR_REFUSED

CRASHED = (
    "Start it once by hand with the same command. An x86-64 FVP does not run well under emulation (docker on Apple silicon): install the AArch64 one; "
    "otherwise reinstall it, and report a persistent crash to its vendor."
)
_ARCHITECTURE = (
    r"cannot execute binary file|xec format error|[Bb]ad CPU type in executable|rosetta error|Could not open '/lib"
)
"""How shells and emulators say that a program is for another kind of machine."""

CRASHED_AT_ONCE: tuple[Failure, ...] = (
    Failure(
        "wrong-cpu",
        r"Illegal instruction",
        "The runner never started: it was built for another CPU than this one",
        "See which instruction it stopped at (gdb --args with the same command, run, then x/i $pc) and what the core supports (grep Features "
        "/proc/cpuinfo), and build for that core: -mcpu=cortex-a55 in the toolchain file of an i.MX 93, without -march=native and without features that the "
        "core lacks (SVE, bf16, i8mm).",
        ("Illegal instruction",),
    ),
    Failure(
        "runner-crashed",
        r"",
        "The runner crashed before it printed anything",
        "Try another .pte: a damaged or truncated one crashes the runner, which does not verify what it reads. If that one runs, export the first one "
        "again; otherwise check that the runner was built for this board's Linux (ldd executor_runner names what is missing), and start it under gdb: gdb "
        "--args with the same command, then run and bt.",
        ("Segmentation fault (core dumped)",),
    ),
)
"""ExecuTorch's runner for Linux crashed before its first line; tried from the top."""

_RUNNER = r"\A(?=.*executor_runner: )"
_FIRMWARE = r"[^\s:'\"]{0,200}(?:\.(?:elf|axf)|arm_executor_runner)"
LAUNCH_FAILURES: tuple[Failure, ...] = (
    *EMULATOR_REFUSED,
    # firmware that was started like a program of this machine
    Failure(
        "wrong-architecture",
        rf"(?P<file>{_FIRMWARE}): (?:cannot execute binary file|Exec format error)|[Ee]xec format error: '?(?P<other>{_FIRMWARE})(?!\S*FVP)",
        "The program never started: {file}{other} is firmware for a Cortex-M, no program of this machine",
        "Hand it to a simulator or a board: backends/arm/scripts/run_fvp.sh --elf=FILE --target=ethos-uNN-MACS (the one it was built for), or "
        "FVP_Corstone_SSE-300_Ethos-U55 -a FILE.",
        (
            "bash: ./arm_executor_runner.elf: cannot execute binary file: Exec format error",
            "bash: ./arm_executor_runner: cannot execute binary file: Exec format error",
            "zsh: exec format error: ./arm_executor_runner",
        ),
    ),
    # ExecuTorch's runner for Linux
    Failure(
        "wrong-architecture",
        rf"{_RUNNER}.*?(?:{_ARCHITECTURE})",
        "The runner never started: it was built for another architecture",
        "Compare the two (file executor_runner; uname -m), and build it with the board's own toolchain (aarch64 Linux for an i.MX 93) in a separate build "
        "folder.",
        ("-sh: ./executor_runner: cannot execute binary file: Exec format error",),
    ),
    Failure(
        "out-of-memory",
        rf"{_RUNNER}.*?shared libraries: (?P<file>[^\s:]{{1,200}}): failed to map segment",
        "The runner never started: its library {file} could not be mapped into memory",
        "Raise the memory limit (ulimit -v unlimited; the container's or the job's limit), or, if the folder of the library or runner is mounted noexec "
        "(findmnt -T FOLDER shows it), move them elsewhere.",
        (
            "./executor_runner: error while loading shared libraries: liba.so.6: failed to map segment from shared object",
        ),
    ),
    Failure(
        "library-missing",
        rf"{_RUNNER}.*?(?:shared libraries|GLIBC)",
        "The runner never started: a shared library is missing or too old",
        "Run ldd executor_runner to list what it needs. Install those libraries on the board, or build the runner against the board's own sysroot (its "
        "image's SDK), not with a newer host toolchain.",
        (
            "./executor_runner: error while loading shared libraries: liba.so: cannot open shared object file: No such file or directory",
        ),
    ),
    Failure(
        "launcher-not-found",
        rf"{_RUNNER}.*?(?:not found|No such file)",
        "The runner never started: it, or the loader it names, is missing",
        "Check whether it exists (ls -l), and copy it to the board if not. If it does, it was built for another Linux (file executor_runner names its "
        "interpreter, which this system lacks): build it with the board's SDK.",
        ("-sh: ./executor_runner: No such file or directory",),
    ),
    # simulators, and firmware
    Failure(
        "wrong-architecture",
        _ARCHITECTURE,
        "The simulator never started: its binary is for another architecture",
        "Install the FVP for this machine (uname -m names it; Linux x86-64 and AArch64 have different downloads; on macOS use the wrappers "
        "of FVPs-on-Mac, which need docker), and put that one first on PATH.",
        (
            "/w/FVP_Corstone_SSE-320: cannot execute binary file: Exec format error",
            "rosetta error: failed to open elf at /lib64/ld-linux-x86-64.so.2",
        ),
    ),
    Failure(
        "simulator-killed",
        r"Killed",
        "The simulator was killed before the runner printed anything",
        "Check whether it ran out of memory (dmesg | grep -i 'killed process'), and give the machine or its container (docker run --memory) more; a CI "
        "job's own limit kills in the same way.",
        ("Killed",),
    ),
    Failure(
        "log-not-writable",
        r"tee: (?P<file>\S.{0,200}?): Permission denied",
        "None of the runner's output was kept: the script may not write {file}",
        "Remove it (sudo rm {file}; most often another user's run created it), or give this user its own folder (TMPDIR=$HOME/tmp), and run again.",
        ("tee: /tmp/arm_executor.log: Permission denied",),
    ),
    Failure(
        "not-executable",
        r"\A(?!.*docker).*?(?:\A|[:\s])\s{0,4}(?P<file>[^\s:]{1,200})(?:: can't execute)?: Permission denied",
        "The program never started: no permission to execute {file}",
        "Make it executable: chmod +x {file}; if it already is, its file system is mounted noexec (findmnt -T FILE): copy it elsewhere.",
        ("run_fvp.sh: line 9: /w/FVP_Corstone_SSE-320: Permission denied",),
    ),
    Failure(
        "simulator-crashed",
        r"Segmentation fault|uncaught target signal|Illegal instruction|Aborted|Bus error",
        "The simulator crashed before the runner printed anything",
        CRASHED,
        ("./run.sh: line 3: 12345 Segmentation fault      (core dumped) FVP_Corstone_SSE-320 -a a.elf",),
    ),
    Failure(
        "simulator-option",
        r"arameter",
        "The simulator never started: it does not know one of its options",
        "Correct the option that the line names (--list-params prints them all): Corstone-300 names its parts mps3_board.* and ethosu.*, Corstone-320 "
        "mps4_board.*, and an older FVP lacks newer ones.",
        ("Error: Unknown parameter: mps4_board.x",),
    ),
    Failure(
        "licence-refused",
        rf"(?i)\A(?=.*licen[cs]e)(?=.*(?:{'|'.join(LICENCE_WORDS)}))",
        "The simulator never started: its licence was refused",
        "Activate an Arm licence for this user (armlm activate, or ARMLMD_LICENSE_FILE for a server), or use an FVP "
        "of the 11.2x series, which needs none.",
        (
            "Error: License checkout failed for feature SG_Simulator",
            "ERROR: License check failed!",
            "No valid licence could be found, access denied.",
        ),
    ),
    Failure(
        "other-target",
        r"\ARunning .*(?P<target>ethos-u65-\d+) is not supported\Z",
        "The simulator never started: this run_fvp.sh knows no simulator for {target}",
        "Use the script of 1.4 or later, which knows ethos-u65, or start the simulator of the Corstone-300 package by hand: `FVP_Corstone_SSE-300_Ethos-U65 "
        "-C ethosu.num_macs=MACS -a ELF` (256 or 512, as the program was compiled).",
        ("Running a/arm_executor_runner for ethos-u65-256 is not supported",),
    ),
    Failure(
        "other-target",
        r"\ARunning .*is not supported\Z",
        "The simulator never started: run_fvp.sh knows no simulator for this target",
        "Give the --target that the program was compiled for: run_fvp.sh takes ethos-u55-* and ethos-u85-*, since 1.3 also cortex-m*, and since 1.4 also "
        "ethos-u65-*.",
        ("Running a/arm_executor_runner for ethos-u99-128 is not supported",),
    ),
    Failure(
        "no-image",
        r"bootable image",
        "The firmware never started: the bootloader (MCUboot) found no valid image",
        "Flash the signed image (zephyr.signed.hex) into its slot: built with --sysbuild, west signs it with the key that the bootloader holds, and west "
        "flash writes both. An image with another key, slot or header size does not count.",
        ("E: Unable to find bootable image",),
    ),
    Failure(
        "firmware-crashed-linux",
        r" : rproc_",
        "The firmware never started: Linux crashed while it loaded it into the core (remoteproc)",
        "Compare the segments of the ELF (readelf -l FILE) with the core's memory map (the kernel wrote where no memory answers), link for its TCM or for "
        "DDR that the device tree reserves (no-map), boot the device tree meant for this core, and stop what ran on it before.",
        ("[    9.120001] lr : rproc_start+0x6c/0x1c0",),
    ),
    Failure(
        "firmware-refused",
        r"bad phdr da (?P<address>0x[0-9a-f]{1,16}) mem ",
        "The firmware never started: Linux knows no memory of the core at {address}, where a part of it is linked",
        "Link that part for the core's TCM or for a region that the device tree reserves for it, and boot the device tree meant for this core: readelf -l FILE "
        "shows where each part goes.",
        ("remoteproc remoteproc0: bad phdr da 0x20000000 mem 0x20000",),
    ),
    Failure(
        "firmware-refused",
        r"remoteproc(?!.*can't start).*: -22\Z",
        "The firmware never started: Linux could not load it into the core (remoteproc)",
        "-22: most often a part of it is linked to an address missing from the core's memory map in the device tree (dmesg then says bad phdr); link for the "
        "TCM or a reserved region, and boot the matching device tree. Or the file is no ELF for this core.",
        ("remoteproc remoteproc0: Boot failed: -22",),
    ),
    Failure(
        "firmware-refused",
        r"remoteproc.*: -110\Z",
        "The firmware never started: the core did not answer Linux (remoteproc)",
        "Stop what ran on that core before (echo stop > .../remoteproc0/state; U-Boot may have started something), and boot the device tree meant for this core.",
        ("remoteproc remoteproc0: can't start rproc imx-rproc: -110",),
    ),
    Failure(
        "firmware-refused",
        r"remoteproc.*: -2\Z",
        "The firmware never started: Linux did not find its file (remoteproc)",
        "Put the file in /lib/firmware under the name written to .../remoteproc0/firmware (a name relative to that folder).",
        ("remoteproc remoteproc0: request_firmware failed: -2",),
    ),
    Failure(
        "firmware-refused",
        r"can't start rproc ",
        "The firmware never started: Linux had loaded it and could not start the core (remoteproc)",
        "See whether the core runs already (U-Boot may have started something; echo stop > .../remoteproc0/state), and boot the device tree meant for this "
        "core: dmesg | grep -i -e rproc -e remoteproc shows more.",
        ("remoteproc remoteproc0: can't start rproc imx-rproc: -22",),
    ),
    Failure(
        "firmware-refused",
        r"remoteproc",
        "The firmware never started: Linux could not load it into the core (remoteproc)",
        "dmesg | grep remoteproc shows the lines before it, which say why.",
        ("remoteproc remoteproc0: Boot failed: -12",),
    ),
    Failure(
        "port-in-use",
        r"already in use|ould not bind|ailed to bind",
        "The simulator never started: another program holds a port it needs",
        "Stop the simulator that is still running (ss -ltnp shows who holds the port), or give this one other ports (-C "
        "mps3_board.telnetterminal0.start_port=5100, --iris-port; for QEMU the port of -gdb or -serial).",
        ("qemu-system-arm: -gdb tcp::1234: Failed to find an available port: Address already in use",),
    ),
    Failure(
        "download-failed",
        r"\A(?=.*/v2/).*from daemon: Get ",
        "The simulator never started: docker could not fetch its image",
        "Check the network, its DNS and the proxy of the Docker daemon (docker info shows it), pull the image by hand, then launch again.",
        (
            'docker: Error response from daemon: Get "https://registry-1.docker.io/v2/": net/http: TLS handshake timeout.',
        ),
    ),
    Failure(
        "docker-missing",
        r"\A(?=.*docker).*ermission denied",
        "The simulator never started: this user has no permission to use docker",
        "Join the docker group (sudo usermod -aG docker $USER), and log in again.",
        (
            "docker: permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock",
        ),
    ),
    Failure(
        "docker-mount",
        r"bind source path does not exist: (?P<path>[^\s]{1,200}?)\.?(?:\s|$)",
        "The simulator never started: its container mounts a folder that does not exist: {path}",
        "Create that folder (mkdir -p {path}); .armlm holds the licences for Arm's tools, so activate yours if the FVP needs one.",
        (
            'docker: Error response from daemon: invalid mount config for type "bind": bind source path does not exist: /Users/a/.armlm/.',
        ),
    ),
    Failure(
        "image-wrong-machine",
        r"no matching manifest for (?P<platform>[\w/]{1,60})",
        "The simulator never started: its image does not exist for {platform}",
        "Run it with --platform linux/amd64 (on an Arm machine it is then emulated, and slow), or use an image that has this platform.",
        ("docker: no matching manifest for linux/arm64/v8 in the manifest list entries.",),
    ),
    Failure(
        "image-unreachable",
        r"from daemon: (?:pull access denied for (?P<image>[^\s,]{1,200})|manifest for (?P<other>\S{1,200}) not found)",
        "The simulator never started: docker neither has the image {image}{other} nor finds it in a registry",
        "Build the image first if the wrapper of the FVP has a step for that (docker images lists what is there); otherwise correct its name and tag, or log in "
        "(docker login HOST).",
        (
            "docker: Error response from daemon: pull access denied for fvp, repository does not exist or may require 'docker login'.",
            "docker: Error response from daemon: manifest for a/b:9 not found: manifest unknown.",
        ),
    ),
    Failure(
        "docker-missing",
        r"[dD]ocker",
        "The simulator never started: docker is missing or not running",
        "Install docker and start it (the FVP wrappers on macOS run the simulator in a container), or use a Linux machine.",
        ("FVP_Corstone_SSE-300_Ethos-U55: line 9: docker: command not found",),
    ),
    Failure(
        "executable-stack",
        r"executable stack",
        "The simulator never started: this Linux refuses a library that asks for an executable stack",
        "Clear the executable-stack flag of the library that the line names (patchelf --clear-execstack libarmctmodel.so), or install a newer FVP.",
        (
            "Error: (E549) uncaught exception: /a/libarmctmodel.so: cannot enable executable stack as shared object requires",
        ),
    ),
    Failure(
        "library-missing",
        r"(?P<file>[^\s:]{1,200}): cannot execute: required file not found",
        "The simulator never started: this Linux lacks the loader that {file} is built for",
        "`file FILE` names that loader (interpreter) and the machine it is for: install the FVP for this machine (uname -m), on a Linux with glibc (Alpine has "
        "none).",
        ("bash: ./FVP_Corstone_SSE-320: cannot execute: required file not found",),
    ),
    Failure(
        "library-missing",
        r"shared libraries|GLIBC|\.dll ",
        "The simulator never started: a shared library is missing or too old",
        "Install the library that the line names (FVPs ship their own Python library: source their scripts/runtime.sh).",
        (
            "FVP_Corstone_SSE-320: error while loading shared libraries: libpython3.9.so.1.0: cannot open shared object file",
        ),
    ),
    Failure(
        "launcher-not-found",
        r"Unable to find executor_runner elf",
        "The simulator never started: the runner's ELF is missing",
        "Build it first (examples/arm/run.sh, or backends/arm/scripts/build_executor_runner.sh), and pass its path to run_fvp.sh with --elf=FILE.",
        ("[run_fvp.sh]: Unable to find executor_runner elf: a.elf",),
    ),
    Failure(
        "launcher-not-found",
        r"(?i)\.(?:elf|axf)['\"]?: No such file",
        "The simulator never started: the runner's ELF is missing",
        "Build it first, and check the path given to the simulator; a relative one is resolved from the folder it was started in.",
        ("build/arm_executor_runner.elf: No such file or directory",),
    ),
    Failure(
        "launcher-not-found",
        r"not found|not recognized|No such file|Could not find|Unable to find|Failed to open",
        "The simulator never started: a program or file is missing",
        "Put the FVP on PATH (source examples/arm/arm-scratch/setup_path.sh; up to 1.0 examples/arm/ethos-u-scratch), and check the path of the ELF.",
        ("run_fvp.sh: line 185: FVP_Corstone_SSE-300_Ethos-U55: command not found",),
    ),
)
"""Tried from the top."""
