"""A stand-in for Arm's Corstone FVPs, which cannot be installed where these tests run (their licence must be accepted).

It is no simulator: it plays a stored log.  But it is strict where the real ones are: every parameter must be one that
the FVP of its name has and must hold a value that it would take, all that our runner relies on must be there, the ELF
must be an ELF, `--timelimit` counts and says so in the FVP's words, and the simulation ends at the EOT byte only when
`shutdown_on_eot` was asked for.  `write(...)` makes an executable of the FVP's name; what it plays and how it
misbehaves is in a JSON file beside it.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import sys
import threading
import time
from pathlib import Path

NAMES = ("FVP_Corstone_SSE-300_Ethos-U55", "FVP_Corstone_SSE-300_Ethos-U65", "FVP_Corstone_SSE-320")

_SEMIHOSTING = {
    "semihosting-enable": "1",
    "semihosting-stack_base": "0",
    "semihosting-heap_limit": "0",
    "semihosting-cwd": ".+",
    "semihosting-cmd_line": ".{1,256}",
}
_300 = {
    "ethosu.extra_args": "(--fast|--pmu-trace .+)",
    "mps3_board.visualisation.disable-visualisation": "1",
    "mps3_board.telnetterminal0.start_telnet": "0",
    "mps3_board.uart0.out_file": "-",
    "mps3_board.uart0.unbuffered_output": "1",
    "mps3_board.uart0.shutdown_on_eot": "1",
    **{f"cpu0.{key}": value for key, value in _SEMIHOSTING.items()},
}
PARAMETERS = {
    "FVP_Corstone_SSE-300_Ethos-U55": {"ethosu.num_macs": "32|64|128|256", **_300},
    "FVP_Corstone_SSE-300_Ethos-U65": {"ethosu.num_macs": "256|512", **_300},
    "FVP_Corstone_SSE-320": {
        "mps4_board.subsystem.ethosu.num_macs": "128|256|512|1024|2048",
        "mps4_board.subsystem.ethosu.extra_args": "(--fast|--pmu-trace .+)",
        "mps4_board.visualisation.disable-visualisation": "1",
        "vis_hdlcd.disable_visualisation": "1",
        "mps4_board.telnetterminal0.start_telnet": "0",
        "mps4_board.uart0.out_file": "-",
        "mps4_board.uart0.unbuffered_output": "1",
        "mps4_board.uart0.shutdown_on_eot": "1",
        **{f"mps4_board.subsystem.cpu0.{key}": value for key, value in _SEMIHOSTING.items()},
    },
}
OPTIONAL = ("extra_args", *_SEMIHOSTING)


def two_places(directory: Path, log: bytes) -> None:
    """Make a working directory of two targets, `small` (U55) and `large` (U85), each with a runner, that play `log` in `fvp/`."""
    for name in NAMES:
        write(directory / "fvp", name, log)
    elf(directory / "runner.elf")
    (directory / "ethosu-tui.toml").write_text(
        "".join(
            f'[targets.{name}]\nkind = "fvp"\nnpu = "{npu}"\nelf = "runner.elf"\naddress = "0x70000000"\n'
            for name, npu in (("small", "ethos-u55"), ("large", "ethos-u85"))
        )
    )


def write(directory: Path, name: str, log: bytes, **behaviour: object) -> Path:
    """Make a stand-in that plays `log`.

    Behaviour: `wait_after` (text after which it waits until the file `wait_for` is there), `hang_after` (text after which it
    falls silent), `crash_after` (text after which it dies of SIGSEGV),
    `ignore_term`, `ignore_timelimit`, `ignore_eot` (goes on after the EOT byte), `line_seconds` (pause after a line),
    `refuse` (message instead of starting), `exit_code`.
    """
    directory.mkdir(parents=True, exist_ok=True)
    (directory / f"{name}.log").write_bytes(log)
    (directory / f"{name}.json").write_text(json.dumps(behaviour))
    executable = directory / name
    executable.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "{__file__}" "{directory / name}" "$@"\n')
    executable.chmod(0o755)
    return executable


def elf(path: Path) -> Path:
    """A file that begins as an ELF does."""
    path.write_bytes(b"\x7fELF\x01\x01\x01" + bytes(64))
    return path


def _refuse(message: str) -> None:
    os.write(2, f"Error: {message}\n".encode())
    raise SystemExit(1)


def _arguments(name: str, argv: list[str]) -> tuple[float, dict[str, str]]:
    settings: dict[str, str] = {}
    image, limit = "", 0.0
    rest = iter(argv)
    for argument in rest:
        value = next(rest, None)
        if value is None:
            _refuse(f"{argument} needs a value")
        elif argument == "-C":
            key, _, setting = value.partition("=")
            allowed = PARAMETERS[name].get(key)
            if allowed is None:
                _refuse(f"in parameter assignment '{value}': parameter '{key}' not found")
            elif re.fullmatch(allowed, setting) is None:
                _refuse(f"in parameter assignment '{value}': value out of range")
            elif key in settings:
                _refuse(f"parameter '{key}' is given twice")
            settings[key] = setting
        elif argument == "-a":
            image = value
        elif argument == "--data":
            path, _, address = value.rpartition("@")
            if not os.path.isfile(path) or re.fullmatch("0x[0-9a-f]+", address) is None:
                _refuse(f"cannot load data {value}")
        elif argument == "--timelimit":
            limit = float(value)
        else:
            _refuse(f"unknown option {argument}")
    for key in PARAMETERS[name]:
        if key not in settings and not key.endswith(OPTIONAL):
            _refuse(f"the tests expect the parameter {key}")
    try:
        with open(image, "rb") as stream:
            if stream.read(4) != b"\x7fELF":
                _refuse(f"{image}: not an ELF")
    except OSError:
        _refuse(f"cannot open {image}")
    if limit <= 0:
        _refuse("the tests expect a --timelimit")
    return limit, settings


def main() -> int:
    place, name = sys.argv[1], os.path.basename(sys.argv[1])
    if sys.argv[2:] == ["--version"]:
        print("\nFast Models [11.27.42 (a stand-in)]\n")
        return 0
    with open(f"{place}.json") as stream:
        behaviour = json.load(stream)
    with open(f"{place}.log", "rb") as stream:
        log = stream.read()
    if message := behaviour.get("refuse"):
        _refuse(message)
    limit, settings = _arguments(name, sys.argv[2:])
    if behaviour.get("ignore_term"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if not behaviour.get("ignore_timelimit"):

        def expire() -> None:
            os.write(1, b"\nInfo: Simulation is stopping. Reason: CPU time has been exceeded.\n")
            os._exit(0)

        timer = threading.Timer(limit, expire)
        timer.daemon = True
        timer.start()
    _write_files(settings)
    os.write(1, b"telnetterminal0: Listening for serial connection on port 5000\n")
    for line in log.splitlines(keepends=True):
        os.write(1, line)
        if b"\x04" in line and not behaviour.get("ignore_eot"):
            os.write(1, b"\nInfo: /OSCI/SystemC: Simulation stopped by user.\n")
            os._exit(int(behaviour.get("exit_code", 0)))
        if behaviour.get("wait_after") and behaviour["wait_after"].encode() in line:
            while not os.path.exists(behaviour["wait_for"]):
                time.sleep(0.02)
        for key, act in (("hang_after", _hang), ("crash_after", _crash)):
            if behaviour.get(key) and behaviour[key].encode() in line:
                act()
        time.sleep(behaviour.get("line_seconds", 0.0))
    _hang()
    return 0


def _write_files(settings: dict[str, str]) -> None:
    """What the real one leaves on disk: an (empty) trace where it was told, and what a runner reads and writes as files."""
    found = {key.rpartition(".")[2]: value for key, value in settings.items()}
    if "--pmu-trace" in found.get("extra_args", ""):
        with gzip.open(found["extra_args"].split()[1], "wb") as trace:
            trace.write(b'{"traceEvents":[]}')
    if (line := found.get("semihosting-cmd_line")) is not None:
        words = line.split()
        for option, name in zip(words[1::2], words[2::2], strict=False):
            path = os.path.join(found["semihosting-cwd"], name)
            if option == "-o":
                with open(f"{path}-0.bin", "wb") as output:
                    output.write(bytes(4))
            elif not os.path.isfile(path):
                os.write(1, f"Could not open file {name} (errno: 2) for reading, exiting!\n".encode())
                os._exit(0)


def _hang() -> None:
    while True:
        time.sleep(3600)


def _crash() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


if __name__ == "__main__":
    raise SystemExit(main())
