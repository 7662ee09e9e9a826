"""What this machine has of the tools around Ethos-U work, and the exact line that gets what is missing.

Looking is all that is done here: nothing is installed, no licence is accepted, and a tool that hangs is given up on.
"""

from __future__ import annotations

import contextlib
import glob
import grp
import importlib.util
import os
import pwd
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ..analysis.toolchains import misfits, toolchain
from .aot_scripts import where_to_name
from .folder import runs_root
from .interpreters import Interpreter, look_up, other_interpreters
from .job import JobError, MissingTool
from .simulator import CHECKOUT_VARIABLE, FVP_NAMES, FVP_TARGETS, checkouts, find_fvp, fvp_name, install_hint
from .simulator import scratch_directories as scratch
from .storage import workspace_hint

_ANSWER_SECONDS = 10.0
_MINIMUM_FREE_BYTES = 100 << 20
_SERIAL_DEVICES = ("/dev/ttyACM*", "/dev/ttyUSB*", "/dev/cu.usb*")


@dataclass(frozen=True, slots=True)
class Tool:
    """One thing to have: whether it is there, what exactly, what it is for, and how to get it."""

    name: str
    found: bool
    detail: str
    needed_for: str
    install: str = ""
    """The line to type; empty when nothing needs doing."""

    def to_dict(self) -> dict[str, Any]:
        """The tool as JSON."""
        return asdict(self)


def check_tools(python: str | None = None) -> Iterator[Tool]:
    """Look at everything, one after the other; the first few are instant, an FVP takes a second to say its version."""
    yield _ourselves()
    yield _workspace()
    yield _terminal()
    yield from _compiler(python)
    for name in FVP_NAMES:
        yield _fvp(name)
    yield _checkout()
    yield _program(
        "arm-none-eabi-gcc", "building a bare-metal runner", "examples/arm/setup.sh (or apt install gcc-arm-none-eabi)"
    )
    yield _program("cmake", "building a runner", "pip install cmake (or apt install cmake)")
    yield _program("tmux", "keeping the dashboard open when a connection drops", "apt install tmux")
    yield _pyserial()
    yield _serial_rights()


def _ourselves() -> Tool:
    python = sys.version.split()[0]
    try:
        own = version("ethosu-tui")
    except PackageNotFoundError:
        return Tool(
            "ethosu-tui", False, f"not installed, run from a checkout; Python {python}", "-", "pip install -e ."
        )
    return Tool("ethosu-tui", True, f"{own} on Python {python} ({sys.executable})", "everything")


def _workspace() -> Tool:
    what = "keeping runs"
    try:
        root = runs_root()
    except JobError as error:
        return Tool("workspace", False, error.message, what, error.hint)
    place = root
    while not place.exists() and place != place.parent:
        place = place.parent
    if not place.is_dir() or not os.access(place, os.W_OK | os.X_OK):
        return Tool("workspace", False, f"{root} cannot be written", what, workspace_hint())
    free = shutil.disk_usage(place).free
    detail = f"{root}, {free / (1 << 30):.1f} GiB free"
    if free < _MINIMUM_FREE_BYTES:
        return Tool("workspace", False, detail, what, "ethosu-tui runs rm ID")
    return Tool("workspace", True, detail, what)


def _terminal() -> Tool:
    what = "the dashboard"
    kind = os.environ.get("TERM", "")
    size = _terminal_size()
    if size is None:
        return Tool("terminal", False, "none: output goes to a file or a pipe", what, "run it in a terminal")
    encoding = getattr(sys.__stdout__, "encoding", "unknown encoding")
    detail = f"{kind or 'unknown'}, {size.columns}x{size.lines}, {encoding}"
    if kind in ("", "dumb"):
        return Tool("terminal", False, detail, what, "export TERM=xterm-256color")
    if size.columns < 80 or size.lines < 24:
        return Tool("terminal", False, detail, what, "make the window at least 80x24")
    return Tool("terminal", True, detail, what)


def _terminal_size() -> os.terminal_size | None:
    for stream in (sys.__stderr__, sys.__stdout__, sys.__stdin__):  # the dashboard replaces sys.stdout and sys.stderr
        with contextlib.suppress(OSError, ValueError, AttributeError):  # no terminal, closed, or absent
            return os.get_terminal_size(stream.fileno())  # type: ignore[union-attr]
    return None


def _compiler(python: str | None) -> Iterator[Tool]:
    try:
        interpreter = look_up(python)
    except MissingTool as error:
        yield Tool("python for compiling", False, error.message, "compile and host runs", error.hint)
        return
    for name, found in interpreter.versions.items():
        detail = f"{found} in {interpreter.path}" if found else f"not in {interpreter.path}"
        what = "compile and host runs" if name in ("executorch", "torch") else "compile"
        yield Tool(name, found is not None, detail, what, "" if found else interpreter.install)
    if interpreter.versions.get("executorch") is not None:
        yield _fit(interpreter)
        yield _route(interpreter)
    yield from (_another(other) for other in other_interpreters(interpreter))


def _fit(interpreter: Interpreter) -> Tool:
    """Whether the packages beside ExecuTorch are those that it was made for."""
    name, what = "versions together", "compile"
    lines = [misfit.describe(str(interpreter.versions["executorch"])) for misfit in misfits(dict(interpreter.versions))]
    if lines:
        return Tool(name, False, "; ".join(lines), what, interpreter.install)
    if toolchain(interpreter.versions["executorch"]) is None:
        return Tool(name, True, "not known for this ExecuTorch", what)
    return Tool(name, True, "ExecuTorch, torch, Vela and TOSA's tools fit", what)


def _route(interpreter: Interpreter) -> Tool:
    """Which script compiles, and whether as it is or by our own route."""
    name, what = "ahead-of-time script", "compile"
    if interpreter.script is None:
        return Tool(name, False, "not in the package, and no checkout has it", what, where_to_name())
    how = "our own route" if interpreter.why_script is None else f"run as it is: {interpreter.why_script}"
    return Tool(name, True, f"{interpreter.script.path} ({how})", what)


def _another(interpreter: Interpreter) -> Tool:
    """An interpreter that could be named to compile with instead."""
    versions = ", ".join(f"{name} {found or 'missing'}" for name, found in interpreter.versions.items())
    detail = f"{interpreter.path}: {versions}"
    return Tool(f"python with ExecuTorch {interpreter.versions['executorch']}", True, detail, "compile --python")


def _fvp(name: str) -> Tool:
    targets = [target for target in FVP_TARGETS if fvp_name(target) == name]
    what = f"run --on fvp ({targets[0].rpartition('-')[0]})"
    try:
        fvp = find_fvp(targets[0])
    except MissingTool as error:
        return Tool(name, False, error.message.removeprefix(name).strip(), what, error.hint)
    said = _ask([str(fvp.path), "--version"], fvp.environment())
    number = re.search(r"\[(\d+\.\d+[\w.]*)", said or "")
    if number is None:
        reason = "does not answer" if said is None else "is there"
        return Tool(name, said is not None, f"{fvp.path} {reason}", what, "" if said is not None else install_hint())
    return Tool(name, True, f"{number[1]}, {fvp.path}", what)


def _checkout() -> Tool:
    what = "building a runner, installing FVPs"
    found = checkouts()
    if not found:
        install = "git clone https://github.com/pytorch/executorch"
        detail = f"none here, above, in the home, or in {CHECKOUT_VARIABLE}"
        return Tool("ExecuTorch checkout", False, detail, what, install)
    for directory in scratch():
        if (directory / "setup_path.sh").is_file():
            return Tool("ExecuTorch checkout", True, f"{found[0]}, tools in {directory}", what)
    return Tool(
        "ExecuTorch checkout", True, f"{found[0]}, not set up (no setup_path.sh)", what, "examples/arm/setup.sh"
    )


def _program(name: str, what: str, install: str) -> Tool:
    path = shutil.which(name) or next(iter(sorted(str(p) for d in scratch() for p in d.glob(f"*/bin/{name}"))), None)
    if path is None:
        return Tool(name, False, "not on PATH", what, install)
    said = _ask([path, "-V" if name == "tmux" else "--version"]) or ""
    number = re.search(r"\d+\.\d+[\w.]*", said.partition("\n")[0])
    return Tool(name, True, f"{number[0]}, {path}" if number else path, what)


def _pyserial() -> Tool:
    found = importlib.util.find_spec("serial") is not None
    install = "" if found else 'pip install "ethosu-tui[serial]"'
    return Tool("pyserial", found, "installed" if found else "not installed", "boards on a serial port", install)


def _serial_rights() -> Tool:
    what = "boards on a serial port"
    devices = sorted(device for pattern in _SERIAL_DEVICES for device in glob.glob(pattern))
    if not devices:
        return Tool(
            "serial port", False, "no USB serial device is connected", what, "connect the board, then look again"
        )
    closed = [device for device in devices if not os.access(device, os.R_OK | os.W_OK)]
    if not closed:
        return Tool("serial port", True, ", ".join(devices), what)
    group, user = _group_of(closed[0]), _user()
    install = f"sudo usermod -aG {group} {user}   (then log in again)"
    return Tool("serial port", False, f"no right to open {', '.join(closed)}", what, install)


def _group_of(device: str) -> str:
    try:
        return grp.getgrgid(os.stat(device).st_gid).gr_name
    except (KeyError, OSError):
        return "dialout"


def _user() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return "$USER"


def _ask(argv: list[str], env: dict[str, str] | None = None) -> str | None:
    """What a program says; None when it cannot be run or does not answer."""
    try:
        done = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=env,
            timeout=_ANSWER_SECONDS,
            cwd=Path(argv[0]).parent,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace")
