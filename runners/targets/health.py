"""Whether a target could be run on now, as far as a look at this machine tells: nothing is opened, no network is asked."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path
from typing import NamedTuple

from ..job import JobError
from ..simulator import FVP_TARGETS, find_fvp
from ..target import Target


class Health(NamedTuple):
    """`ready` is None where it cannot be told without asking a network or starting something."""

    ready: bool | None
    why: str

    @property
    def word(self) -> str:
        """For a table."""
        return {True: "ready", False: "missing", None: "not asked"}[self.ready]


def health(target: Target) -> Health:
    """What this machine has of what the target needs."""
    look = {
        "fvp": _fvp, "serial": _serial, "ssh": _ssh, "command": _command, "host": _host, "replay": _replay
    }.get(target.kind)  # fmt: skip
    if look is None:
        return Health(False, "its kind is not known")
    found = look(target)
    if found.ready is not False and target.elf is not None and not os.path.isfile(target.elf):
        return Health(False, f"no file {target.elf}")
    return found


def _fvp(target: Target) -> Health:
    modelled = target.npu_target or next((t for t in FVP_TARGETS if t.startswith(f"{target.npu}-")), None)
    if modelled is None:
        return Health(None, "which FVP it is, --target says")
    try:
        return Health(True, str(find_fvp(modelled, target.fvp).path))
    except JobError as error:
        return Health(False, error.message)


def _serial(target: Target) -> Health:
    if target.url is None:
        return Health(False, "no url")
    if importlib.util.find_spec("serial") is None:
        return Health(False, 'pyserial: pip install "ethosu-tui[serial]"')
    if "://" in target.url:
        return Health(None, "its port is not on this machine")
    if not os.path.exists(target.url):
        return Health(False, "no such port now")
    if not os.access(target.url, os.R_OK | os.W_OK):
        return Health(False, "no right to open the port (see `ethosu-tui doctor`)")
    return Health(True, "the port is there")


def _ssh(target: Target) -> Health:
    if target.host is None:
        return Health(False, "no host")
    if shutil.which("ssh") is None:
        return Health(False, "ssh is not on PATH")
    return Health(None, "the host is not asked")


def _command(target: Target) -> Health:
    if not target.argv:
        return Health(False, "no argv")
    program = target.argv[0]
    if "{" in program:
        return Health(None, "its program is one of the run")
    folder = target.cwd if target.cwd and os.sep in program and not os.path.isabs(program) else ""
    found = shutil.which(os.path.join(folder, program))
    return Health(True, found) if found is not None else Health(False, f"{program} is not on PATH")


def _host(target: Target) -> Health:
    if target.python is not None and shutil.which(target.python) is None:
        return Health(False, f"{target.python} is not on PATH")
    return Health(None, "`ethosu-tui doctor` looks at the Python")


def _replay(target: Target) -> Health:
    if target.log is None:
        return Health(False, "no log")
    return Health(True, "the log is there") if Path(target.log).is_file() else Health(False, f"no file {target.log}")
