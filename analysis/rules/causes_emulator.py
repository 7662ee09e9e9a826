"""Why QEMU did not start a program: it names itself in front of what it refuses, and knows no options of an FVP."""

from __future__ import annotations

from .causes import Failure

_SAYS = r"\A(?:\(qemu\) )?qemu-system-\w{1,16}: "
EMULATOR_REFUSED: tuple[Failure, ...] = (
    Failure(
        "launcher-not-found",
        r"(?P<name>qemu-system-\w{1,16})'?: (?:command not found|not found|No such file or directory)|command not found: (?P<other>qemu-system-\w{1,16})",
        "The emulator never started: {name}{other} is not installed, or not on PATH",
        "Install it (Debian and Ubuntu: apt install qemu-system-arm; macOS: brew install qemu), or put its folder on PATH.",
        (
            "bash: qemu-system-arm: command not found",
            "zsh: command not found: qemu-system-arm",
            "timeout: failed to run command 'qemu-system-arm': No such file or directory",
        ),
    ),
    Failure(
        "simulator-option",
        rf"{_SAYS}(?:unsupported machine type(?:: ?\"?(?P<name>[^\s\"]{{1,80}}))?|No machine specified)",
        "The emulator never started: QEMU was given no machine that it knows: {name}",
        "Give -M one of those that `qemu-system-arm -machine help` lists, the one that the firmware was linked for: mps3-an547 has a Cortex-M55. An older QEMU "
        "lacks newer machines, and none has an Ethos-U: a program that needs the NPU needs an FVP or a board.",
        (
            'qemu-system-arm: unsupported machine type: "mps4-an555"',
            "qemu-system-arm: unsupported machine type",
            "qemu-system-arm: No machine specified, and there is no default",
        ),
    ),
    Failure(
        "simulator-option",
        rf"{_SAYS}unable to find CPU model '(?P<name>[^'\n]{{1,80}})'",
        "The emulator never started: QEMU does not know the CPU {name}",
        "Leave -cpu out: each machine of a Cortex-M brings its own core (mps3-an547 has a Cortex-M55). `qemu-system-arm -cpu help` lists what this QEMU knows.",
        ("qemu-system-arm: unable to find CPU model 'cortex-m56'",),
    ),
    Failure(
        "simulator-option",
        rf"{_SAYS}(?:This board can only be used with CPU |Invalid CPU model: )",
        "The emulator never started: its machine does not take the CPU that -cpu names",
        "Leave -cpu out: each machine of a Cortex-M brings its own core (mps3-an547 has a Cortex-M55). For another core give -M another machine.",
        (
            "qemu-system-arm: This board can only be used with CPU cortex-m55-arm-cpu",
            "qemu-system-arm: Invalid CPU model: cortex-m4",
        ),
    ),
    Failure(
        "simulator-option",
        rf"{_SAYS}Invalid RAM size, should be (?P<size>[\d.]{{1,8}} ?\w{{1,5}})",
        "The emulator never started: its machine has {size} of memory, and -m says otherwise",
        "Leave -m out, or give it that size: the memory of such a board is fixed.",
        ("qemu-system-arm: Invalid RAM size, should be 2 GiB",),
    ),
    Failure(
        "simulator-option",
        rf"{_SAYS}.{{0,200}}cannot use stdio by multiple character devices",
        "The emulator never started: two of its parts were given this terminal",
        "-nographic already puts the serial port and the monitor there: leave -serial stdio out, or replace -nographic by -display none -monitor none "
        "-serial stdio.",
        ("qemu-system-arm: -serial stdio: cannot use stdio by multiple character devices",),
    ),
    Failure(
        "launcher-not-found",
        rf"{_SAYS}.{{0,300}}?(?:[Cc]ould not load kernel '(?P<file>[^'\n]{{1,200}})|Cannot load specified image (?P<image>[^\s']{{1,200}}))",
        "The emulator never started: QEMU cannot load {file}{image}",
        "Check that it exists (ls -l FILE); a relative path is resolved from the folder QEMU was started in. -kernel takes an ELF for this core; a .pte needs "
        " -device loader,file=FILE,addr=ADDRESS,force-raw=on.",
        (
            "qemu-system-arm: Could not load kernel 'a.elf'",
            "qemu-system-arm: -device loader,file=m.pte,addr=0x70000000: Cannot load specified image m.pte",
        ),
    ),
    Failure(
        "out-of-memory",
        rf"{_SAYS}.{{0,200}}Cannot allocate memory",
        "The emulator never started: QEMU got no memory from this machine",
        "Raise the limit (ulimit -v unlimited; docker run --memory; the job's limit) or free memory: QEMU maps all memory of its machine, 2 GiB for mps3-an547, "
        "and up to 1 GiB for translated code, which -accel tcg,tb-size=64 reduces.",
        ("qemu-system-arm: cannot set up guest memory 'mps.ram': Cannot allocate memory",),
    ),
    Failure(
        "simulator-option",
        rf"{_SAYS}Display '(?P<name>[^'\n]{{1,40}})' is not available",
        "The emulator never started: this QEMU cannot show the display {name}",
        "Start it with -nographic, or install its displays (Debian and Ubuntu: apt install qemu-system-gui).",
        ("qemu-system-arm: Display 'gtk' is not available.",),
    ),
    Failure(
        "simulator-option",
        rf"{_SAYS}(?P<option>-[\w-]{{1,40}})(?: [^\n]{{1,200}})?: (?:invalid option|requires an argument|Invalid parameter '(?P<part>[^'\n]{{1,60}})|"
        r"'(?P<device>[^'\n]{1,60})' is not a valid device model name)",
        "The emulator never started: QEMU does not take its option {option} {part}{device}",
        "Correct it: qemu-system-arm -help lists the options, -device help the devices. Those of an FVP (-C, -a) are not known, and an older QEMU lacks "
        "newer ones.",
        (
            "qemu-system-arm: -nographics: invalid option",
            "qemu-system-arm: -kernel: requires an argument",
            "qemu-system-arm: -device ethosu: 'ethosu' is not a valid device model name",
            "qemu-system-arm: -semihosting-config target=native,args=x: Invalid parameter 'args'",
        ),
    ),
)  # fmt: skip
"""Tried from the top, before what is said of an FVP."""
