"""The settings that hold here, each with where it comes from: an environment variable, a file, or nothing that anybody said."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import NamedTuple

from .aot.warm_process import IDLE_SECONDS
from .aot.warm_process import VARIABLE as WARM_VARIABLE
from .interpreters import VARIABLE as PYTHON_VARIABLE
from .job import JobError
from .keeping.locks import VARIABLE as LOCKS_VARIABLE
from .keeping.locks import lock_folder
from .preferences import KEYMAPS, THEMES, preferences, preferences_folder
from .remembered import VARIABLE as STATE_VARIABLE
from .remembered import state_file
from .runs.folder import runs_root
from .settings_file import CONFIG_VARIABLE
from .simulator import CHECKOUT_VARIABLE, FVP_NAMES, FVP_PATH_VARIABLE, FVP_TARGETS, checkouts, find_fvp, fvp_name
from .storage import WORKSPACE_VARIABLE
from .targets.files import target_files


class Setting(NamedTuple):
    """One setting; `value` is None where there is none, and `problem` says why it cannot be used."""

    name: str
    value: str | None
    origin: str
    """The variable or file that says so; `found` or `not found` where it was searched; `default`."""
    problem: str | None = None


def settings() -> Iterator[Setting]:
    """What holds in this folder with this environment."""
    try:
        yield Setting("workspace", str(runs_root()), _origin(WORKSPACE_VARIABLE))
    except JobError as error:
        yield Setting("workspace", None, _origin(WORKSPACE_VARIABLE), error.message)
    yield from _dashboard()
    named = _said(CONFIG_VARIABLE)
    for file in target_files():
        if file.path:
            count = len(file.listed.all_problems)
            told = f"{count} wrong: see `ethosu-tui targets check`" if count else None
            variable = f"${CONFIG_VARIABLE}" if named and file.layer == "user" else "found"
            yield Setting(f"targets ({file.layer})", file.path, variable, told)
    python = _said(PYTHON_VARIABLE)
    yield Setting("python", python or sys.executable or None, _origin(PYTHON_VARIABLE))
    folders = _said(FVP_PATH_VARIABLE)
    gone = [one for one in (folders or "").split(os.pathsep) if one and not os.path.isdir(os.path.expanduser(one))]
    yield Setting("FVP folders", folders, _origin(FVP_PATH_VARIABLE), f"no folder {gone[0]}" if gone else None)
    for name in FVP_NAMES:
        yield _fvp(name, folders)
    yield from _checkout()
    try:
        yield Setting("locks", _said(LOCKS_VARIABLE) or str(lock_folder()), _origin(LOCKS_VARIABLE))
    except JobError as error:
        yield Setting("locks", None, _origin(LOCKS_VARIABLE), error.message)
    yield Setting("compile worker", f"{_said(WARM_VARIABLE) or f'{IDLE_SECONDS:g}'} s", _origin(WARM_VARIABLE))


def _dashboard() -> Iterator[Setting]:
    """What the dashboard remembers here, and the files for its keys and colours."""
    try:
        remembered = state_file(runs_root())
    except JobError:
        remembered = None
    origin = f"${STATE_VARIABLE}" if _said(STATE_VARIABLE) is not None else "default"
    problem = None if remembered is not None else "no home directory: nothing is remembered"
    yield Setting("dashboard state", str(remembered) if remembered is not None else None, origin, problem)
    folder = preferences_folder()
    for kind in (KEYMAPS, THEMES):
        files = preferences(kind)
        wrong = next((f"{file.path} {file.problem}" for file in files if file.problem), None)
        place = str(folder / kind) if folder is not None else None
        yield Setting(f"dashboard {kind}", place, f"{len(files)} file{'' if len(files) == 1 else 's'}", wrong)


def _fvp(name: str, folders: str | None) -> Setting:
    target = next(target for target in FVP_TARGETS if fvp_name(target) == name)
    try:
        path = str(find_fvp(target).path)
    except JobError as error:
        return Setting(name, None, "not found", error.message)
    given = [os.path.abspath(os.path.expanduser(one)) for one in (folders or "").split(os.pathsep) if one]
    return Setting(name, path, f"${FVP_PATH_VARIABLE}" if os.path.dirname(path) in given else "found")


def _checkout() -> Iterator[Setting]:
    said = _said(CHECKOUT_VARIABLE)
    found = checkouts()
    if said is not None and not os.path.isdir(os.path.join(os.path.expanduser(said), "examples", "arm")):
        yield Setting("ExecuTorch checkout", said, f"${CHECKOUT_VARIABLE}", "is no checkout: it has no examples/arm")
    elif found:
        yield Setting("ExecuTorch checkout", str(found[0]), f"${CHECKOUT_VARIABLE}" if said is not None else "found")
    else:
        yield Setting("ExecuTorch checkout", None, "not found")


def _said(variable: str) -> str | None:
    return os.environ.get(variable, "").strip() or None


def _origin(variable: str) -> str:
    return f"${variable}" if _said(variable) is not None else "default"
