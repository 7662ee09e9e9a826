"""Starting a keeper: the folder names a living process at every moment, first us and then it.

The keeper waits for a word from us, which we give once the manifest has its number.  If we die before that, the manifest
still names us, the run is lost, and the keeper ends without having done anything: what is said of the run never changes
back.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from pathlib import Path
from typing import IO

from ..job import JobError
from ..liveness import process_started
from ..own_python import own_python
from ..run_request import RunRequest
from ..runs.folder import KEEPER_LOG, REQUEST, RunFolder
from . import KEEPER_MODULE

GO = b"go\n"


def start(request: RunRequest, folder: RunFolder) -> None:
    """Let a process of its own carry out the request in this new folder, which is its from now on.

    Raises:
        JobError: no process can be started; the folder is removed.
    """
    try:
        folder.write_json(REQUEST, {"request": request.to_json(), "cwd": _here()})
        with open(folder.path / KEEPER_LOG, "ab") as log:
            process = _spawn(folder.path, log)
    except (OSError, JobError) as error:
        folder.finish("not_started", state="stopped", reason="not_started", text=str(error), exit_code=None)
        folder.remove()
        if isinstance(error, JobError):
            raise
        raise JobError(f"no process can be started ({error.strerror or error})", "end some programs first") from error
    threading.Thread(target=process.wait, daemon=True).start()  # it is our child as long as we live
    assert process.stdin is not None
    with process.stdin:
        folder.update(pid=process.pid, pid_started=process_started(process.pid))
        with contextlib.suppress(BrokenPipeError):  # it was killed already, which the folder shows
            process.stdin.write(GO)
            process.stdin.flush()


def _spawn(folder: Path, log: IO[bytes]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        own_python(KEEPER_MODULE, str(folder)),
        stdin=subprocess.PIPE,
        stdout=log,
        stderr=log,
        start_new_session=True,  # what ends a terminal, a shell or a connection ends its session
    )


def _here() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # removed while we are in it
        return None
