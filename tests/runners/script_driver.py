"""Runs ExecuTorch's own script for several command lines while importing it once, a fork each: JSON in, digests out.

Each line of standard input is {"cwd": ..., "argv": [...], "log": FILE or nothing}; each line of output the SHA-256 of the file
that `--output=` names, or the error.  Loaded by nothing but the tests, in a process of its own.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    from executorch.backends.arm.scripts import aot_arm_compiler

    gc.freeze()  # or each child looks for garbage among all that was imported
    for line in sys.stdin.read().splitlines():
        child = os.fork()  # what torch remembers of one model must not help the next
        if child:
            os.waitpid(child, 0)
            continue
        request = json.loads(line)
        answers = os.dup(1)
        log = os.open(request.get("log") or os.devnull, os.O_WRONLY | os.O_CREAT, 0o600)
        for printed in (1, 2):
            os.dup2(log, printed)
        said = _said(aot_arm_compiler, request)
        sys.stdout.flush()
        os.write(answers, f"{said}\n".encode())
        os._exit(0)


def _said(script: Any, request: dict[str, Any]) -> str:
    os.chdir(request["cwd"])
    sys.argv = [script.__file__, *request["argv"]]
    (output,) = [given.partition("=")[2] for given in request["argv"] if given.startswith("--output=")]
    try:
        script.main()
        return hashlib.sha256(Path(output).read_bytes()).hexdigest()
    except (Exception, SystemExit) as error:
        return f"{type(error).__name__}: {error}".replace("\n", " ")


if __name__ == "__main__":
    main()
