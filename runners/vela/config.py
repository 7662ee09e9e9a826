"""A vela.ini of the user's own: read once for all jobs of a batch, under a name that Vela's command line can hold.

ExecuTorch's script splits that command line at blanks, and Vela takes a path of one folder and a name for one of its own
files.  So Vela gets a copy at a path without blanks, and what the script stores in the `.pte` (`--config=...`) is the path as
it was given where the script would have taken it: then the program is the script's own for the same arguments.  Otherwise
it is the file's name with `_` for blanks: what the script stores for a copy of that name in the current directory.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path

from ...analysis.compiles.vela_ini import IniError, VelaIni, parse_vela_ini
from ..job import InputError, JobError, UsageError

_LIMIT_BYTES = 1 << 20
COPY = "vela.ini"
"""Name of the copy in a run folder."""


@dataclass(frozen=True, slots=True)
class VelaConfig:
    """The file as it was when it was read; equal for equal contents and names."""

    path: str
    argument: str
    """What stands behind `--config=` in the script's command line and in the `.pte`."""
    content: bytes = field(repr=False)
    ini: VelaIni = field(repr=False, compare=False, hash=False)

    @property
    def sha256(self) -> str:
        """The digest of the contents."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def as_given(self) -> bool:
        """Whether the argument names the file itself, so that ExecuTorch's script can read it without our help."""
        return os.path.abspath(self.argument) == self.path

    def for_job(self, folder: Path) -> dict[str, str]:
        """Put the copy into a run's folder; what the worker must know of it.

        Raises:
            JobError: it could not be written.
        """
        copy = folder / COPY
        write_beside(copy, self.content)
        return {"flag": f"--config={self.argument}", "file": str(copy)}


def read_vela_config(path: str) -> VelaConfig:
    """The vela.ini at this path.

    Raises:
        InputError: it is missing, unreadable, or no vela.ini.
        UsageError: its name is none that Vela takes.
    """
    expanded = Path(os.path.expanduser(path))
    if not path.strip():
        raise UsageError("the path of --vela-config is empty", "name a vela.ini")
    if expanded.suffix != ".ini":
        raise UsageError(f"{path}: Vela takes configuration files that end in .ini only", "rename it, or name another")
    try:
        if not expanded.is_file():
            what = "is a directory" if expanded.is_dir() else "is not there" if not expanded.exists() else "is no file"
            raise InputError(f"the Vela configuration {expanded} {what}", "check the path given with --vela-config")
        with expanded.open("rb") as stream:
            content = stream.read(_LIMIT_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot read {path} ({error.strerror or error})", "check the path and permissions") from error
    if len(content) > _LIMIT_BYTES:
        raise InputError(f"{path} is too large for a vela.ini", "check the path given with --vela-config")
    try:
        ini = parse_vela_ini(content.decode())
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is not UTF-8 text (byte {error.start})", "save it as UTF-8, as Vela wants it"
        ) from error
    except IniError as error:
        raise InputError(
            f"{path}, {error}" if str(error).startswith("line") else f"{path}: {error}",
            "correct it; Arm's vela.ini shows the form",
        ) from error
    return VelaConfig(str(expanded.absolute()), _argument(path, expanded), content, ini)


def _argument(path: str, expanded: Path) -> str:
    taken = os.path.expanduser(path)
    if any(character.isspace() for character in taken):
        return "".join("_" if character.isspace() else character for character in expanded.name)
    if not expanded.is_absolute() and len(Path(os.path.normpath(taken)).parts) == 2 and not path.startswith("."):
        return f".{os.sep}{taken}"  # two parts would be a file of Vela's own
    return taken


def write_beside(path: Path, content: bytes) -> None:
    """Write what a job needs into its run folder.

    Raises:
        JobError: there is no room, or no permission.
    """
    try:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise JobError(
            f"cannot write {path} ({error.strerror or error})", "free some space, or set ETHOSU_TUI_WORKSPACE elsewhere"
        ) from error
