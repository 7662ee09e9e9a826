"""This machine itself: ourselves, room for runs, memory, the terminal, and what ends processes at a logout."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ..job import JobError
from ..runs.folder import runs_root
from ..storage import workspace_hint
from ..user import user_name
from .tool import Tool, ask

_MINIMUM_FREE_BYTES = 100 << 20
_JOB_BYTES = 2 << 30
"""What one job of a parallel C++ build takes at most (analysis/rules/causes_build.py)."""


def ourselves() -> Tool:
    """Our own version."""
    python = sys.version.split()[0]
    try:
        own = version("ethosu-tui")
    except PackageNotFoundError:
        return Tool(
            "ethosu-tui", False, f"not installed, run from a checkout; Python {python}", "-", "pip install -e ."
        )
    return Tool("ethosu-tui", True, f"{own} on Python {python} ({sys.executable})", "everything")


def workspace() -> Tool:
    """Where runs are kept, and the room that is left."""
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


def terminal() -> Tool:
    """What the dashboard would be shown on."""
    what = "the dashboard"
    kind = os.environ.get("TERM", "")
    if os.environ.get("TEXTUAL_DRIVER", "").endswith(":WebDriver"):  # as textual-serve starts it
        return Tool("terminal", True, "a page in a browser", what)
    size = _terminal_size()
    if size is None:
        return Tool("terminal", False, "none: output goes to a file or a pipe", what, "run it in a terminal")
    encoding = getattr(sys.__stdout__, "encoding", "unknown encoding")
    detail = f"{kind or 'unknown'}, {size.columns}x{size.lines}, {encoding}, {_colours(kind)}"
    if kind in ("", "dumb"):
        return Tool("terminal", False, detail, what, "export TERM=xterm-256color")
    if size.columns < 80 or size.lines < 24:
        return Tool("terminal", False, detail, what, "make the window at least 80x24")
    return Tool("terminal", True, detail, what)


def _colours(kind: str) -> str:
    if os.environ.get("NO_COLOR"):
        return "no colours (NO_COLOR)"
    if os.environ.get("COLORTERM", "") in ("truecolor", "24bit"):
        return "all colours"
    return "256 colours" if "256" in kind else "16 colours"


def _terminal_size() -> os.terminal_size | None:
    for stream in (sys.__stderr__, sys.__stdout__, sys.__stdin__):  # the dashboard replaces sys.stdout and sys.stderr
        with contextlib.suppress(OSError, ValueError, AttributeError):  # no terminal, closed, or absent
            return os.get_terminal_size(stream.fileno())  # type: ignore[union-attr]
    return None


def memory() -> Tool:
    """Memory and swap against what a build by all processors takes."""
    what = "building a runner, installing tosa-tools"
    try:
        known = dict(re.findall(r"^(\w+):\s+(\d+) kB", Path("/proc/meminfo").read_text(), re.MULTILINE))
        total = 1024 * (int(known["MemTotal"]) + int(known["SwapTotal"]))
    except (OSError, KeyError):
        return Tool("memory", True, "not known on this system", what)
    jobs, processors = max(1, total // _JOB_BYTES), os.cpu_count() or 1
    detail = f"{total / (1 << 30):.1f} GiB with swap, {processors} processors"
    if jobs >= processors:
        return Tool("memory", True, detail, what)
    line = f"export CMAKE_BUILD_PARALLEL_LEVEL={jobs} MAX_JOBS={jobs}"
    return Tool("memory", total >= _JOB_BYTES, f"{detail}: room for {jobs} jobs of a build", what, line)


def lasting_processes() -> Tool:
    """Whether the system lets processes go on after a logout."""
    name, what = "runs after a logout", "run --detach"
    loginctl = shutil.which("loginctl")
    busctl = shutil.which("busctl")
    said = None
    if loginctl is not None and busctl is not None:
        manager = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")
        said = ask([busctl, "get-property", *manager, "KillUserProcesses"])
    if said is None or said.strip() != "b true" or loginctl is None:
        return Tool(name, True, "they go on", what)
    user = user_name("$USER")
    if "Linger=yes" in (ask([loginctl, "show-user", user, "--property=Linger"]) or ""):
        return Tool(name, True, "they go on (lingering)", what)
    return Tool(name, False, "systemd ends them", what, f"sudo loginctl enable-linger {user_name('$USER')}")
