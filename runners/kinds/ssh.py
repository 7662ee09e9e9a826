"""`ssh:HOST`: a program or a command on another machine, through the user's own OpenSSH client."""

from __future__ import annotations

import os
import shutil
from typing import Any

from ..host import require_file
from ..job import MissingTool, UsageError
from ..process import Limits
from ..run_request import RunRequest
from ..runs.folder import RunFolder
from ..ssh.job import DEFAULT_COMMAND, GRACE_SECONDS, REMOTE_ROOT, TIME_LIMIT_SECONDS, SshJob, SshRun
from . import Plan, user_path
from .command import program_files


def plan(request: RunRequest, rest: str) -> Plan:
    """The plan for a run on another machine."""
    place = request.place
    host = require_host(rest or place.host or "")
    if place.pty:
        raise UsageError(
            "pty is for commands on this machine", f"leave it out: output of {host} comes as it is written anyway"
        )
    artefact, elf = program_files(request)
    words = request.command or DEFAULT_COMMAND
    if artefact is None and not request.command:
        raise UsageError("nothing to run", "name a program (.pte), or write a command behind --")
    named = {name: path for name, path in (("artefact", artefact), ("elf", elf)) if path is not None}
    more = [os.path.abspath(user_path(path)) for path in (*place.send, *request.send)]
    files: dict[str, str] = {}
    for path in dict.fromkeys((*named.values(), *more)):
        require_file(path)
        name = os.path.basename(path)
        if name in files.values():
            raise UsageError(f"two files named {name} would go to one folder of {host}", "rename one of them")
        files[path] = name
    if request.remote_folder is not None:
        root = absolute(request.remote_folder, "--remote-folder")
    else:
        root = absolute(place.remote_folder or REMOTE_ROOT, "remote_folder")
    cwd = request.cwd or place.cwd
    absent = {name: None for name in ("artefact", "elf") if name not in named}
    values = {
        **absent,
        "address": request.address or place.address,
        "target": request.npu_target,
        "port": place.url,
        "host": host,
    }
    if shutil.which("ssh") is None:
        raise MissingTool("ssh is not on PATH", "install OpenSSH's client, e.g. `apt-get install openssh-client`")
    asked = SshRun(
        host=host,
        words=words,
        values=values,
        files=files,
        named=named,
        remote_root=root,
        cwd=None if cwd is None else absolute(cwd, "--cwd"),
        fetch=(*place.fetch, *request.fetch),
        limits=Limits(request.time_limit_seconds or TIME_LIMIT_SECONDS, request.silence_limit_seconds),
        grace_seconds=request.grace_seconds or GRACE_SECONDS,
    )
    what = os.path.basename(artefact) if artefact is not None else os.path.basename(words[0])
    job = SshJob(asked, f"{what} on {host}")

    def prepare(folder: RunFolder) -> None:
        job.keep_in(folder)

    facts: dict[str, Any] = {"target": request.npu_target or place.name or f"ssh:{host}"}
    return Plan(job, facts, None, tuple(files), prepare=prepare)


def require_host(host: str) -> str:
    """The host if it can be one: an alias, `user@host` or an `ssh://` address, never an option of ssh."""
    if not host:
        raise UsageError("--on ssh needs a host", "write --on ssh:HOST, as you would type it for ssh")
    if host.startswith("-") or not host.isprintable() or any(c.isspace() or c in "'\"`$\\;&|<>(){}" for c in host):
        raise UsageError(f"{host!r} is no host for ssh", "give an alias of ~/.ssh/config, or user@host")
    return host


def absolute(path: str, name: str) -> str:
    """A path of the other machine that does not depend on where one starts there."""
    if not path.startswith("/"):
        raise UsageError(f"{name} {path} is no whole path of the other machine", "begin it with /")
    return path
