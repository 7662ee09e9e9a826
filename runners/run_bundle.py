"""A stored run as one file that can be given to somebody else: what it printed and how it ended, without names."""

from __future__ import annotations

import json
import os
import socket
import stat
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from .job import JobError, UsageError
from .runs.folder import MANIFEST, REPORT, RunFolder, read_json
from .runs.redaction import Redaction
from .saved_file import check_target
from .storage import CONSOLE, TIMES, storage_error

_LOGS = (CONSOLE, TIMES)
_OURS = frozenset({MANIFEST, REPORT, *_LOGS, "stop", "keeper.log", "request.json", "progress.jsonl"})
_MACHINE = ("host", "boot", "up_seconds", "pid", "pid_started", "child_pid")
_LINE_BYTES = 1 << 20
_REPORT_BYTES = 64 << 20


class Bundled(NamedTuple):
    """The file, and what of the run folder is not in it."""

    path: Path
    left_out: tuple[str, ...]


def bundle(folder: RunFolder, output: str, *, force: bool = False) -> Bundled:
    """Write the run as a zip: `analyze` reads the log in it.

    Files that cannot be searched for names (programs, traces, dumps) are left out.

    Raises:
        UsageError: it is no run, it goes on, or there is such a file already.
        JobError: the file cannot be written, or the run not read.
    """
    if folder.kind != "run" or folder.problem is not None:
        raise UsageError(f"{folder.id} is no run to bundle ({folder.problem or folder.kind})", "name a run")
    if folder.state in ("queued", "running"):
        raise UsageError(f"{folder.id} is {folder.state}", "wait for its end, or stop it")
    target = check_target(output, force=force, inputs=[str(folder.path)])
    redaction = Redaction(_names(folder))
    descriptor, temporary = tempfile.mkstemp(prefix=".ethosu-tui-", dir=target.parent)
    try:
        with open(descriptor, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            _write(folder, archive, redaction)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, target)
    except OSError as error:
        raise storage_error(error, target) from error
    finally:
        Path(temporary).unlink(missing_ok=True)
    left = sorted(
        entry.name
        for entry in folder.path.iterdir()
        if entry.name[0] != "." and (entry.name not in _OURS or not _is_own_file(entry))
    )
    return Bundled(target, tuple(left))


def _write(folder: RunFolder, archive: zipfile.ZipFile, redaction: Redaction) -> None:
    facts = {name: value for name, value in folder.manifest.items() if name not in _MACHINE}
    facts["redacted"] = True
    if folder.state == "lost":
        facts["state"] = "lost"
    _json(archive, folder, MANIFEST, redaction.value(facts))
    try:
        if _is_own_file(folder.path / REPORT):
            _json(archive, folder, REPORT, redaction.value(read_json(folder.path / REPORT, _REPORT_BYTES)))
    except FileNotFoundError:
        pass
    except ValueError as error:
        raise JobError(
            f"{folder.path / REPORT} cannot be bundled ({error})", "remove it: it can be made again"
        ) from error
    for name in _LOGS:
        if _is_own_file(folder.path / name):
            with archive.open(_member(folder, name), "w", force_zip64=True) as stream:
                for line in _lines(folder.path / name):
                    stream.write(redaction.bytes(line))


def _is_own_file(path: Path) -> bool:
    """Whether it is a file of the folder: a link would put a file from elsewhere into what is given away."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _lines(path: Path) -> Iterator[bytes]:
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as stream:
        while line := stream.readline(_LINE_BYTES):
            yield line


def _json(archive: zipfile.ZipFile, folder: RunFolder, name: str, value: Any) -> None:
    archive.writestr(_member(folder, name), json.dumps(value, indent=1))


def _member(folder: RunFolder, name: str) -> zipfile.ZipInfo:
    moment = folder.created
    known = min(max((1980, 1, 1, 0, 0, 0), moment.timetuple()[:6]), (2107, 12, 31, 23, 59, 58))  # what a zip can say
    member = zipfile.ZipInfo(f"{folder.id}/{name}", known)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o644 << 16
    return member


def _names(folder: RunFolder) -> Iterator[str]:
    """Of the people and machines that this run may tell of."""
    import pwd

    from .user import user_name

    yield user_name()
    try:
        owner = pwd.getpwuid(folder.path.stat().st_uid)
        yield owner.pw_name
        yield from owner.pw_gecos.split(",")[0].split()
    except (KeyError, OSError):
        pass
    for variable in ("USER", "LOGNAME", "SUDO_USER"):
        yield os.environ.get(variable, "")
    facts = folder.manifest
    yield os.path.basename(os.path.expanduser("~"))
    for host in (facts.get("host"), socket.gethostname(), socket.getfqdn()):
        if isinstance(host, str):
            yield host
            yield host.partition(".")[0]
    kind, _, place = str(facts.get("on") or "").partition(":")
    if kind == "ssh":
        yield from place.split("@")
    elif kind == "serial":
        yield os.path.basename(place)
