"""Runs ExecuTorch's own script for several command lines while importing it once: JSON lists of arguments in, digests out.

Each line of standard input is {"cwd": ..., "argv": [...]}; each line of output the SHA-256 of the file that `--output=` names,
or the error.  Loaded by nothing but the tests, in a process of its own.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from pathlib import Path


def main() -> None:
    from executorch.backends.arm.scripts import aot_arm_compiler

    for line in sys.stdin:
        request = json.loads(line)
        os.chdir(request["cwd"])
        sys.argv = ["aot_arm_compiler", *request["argv"]]
        (output,) = [given.partition("=")[2] for given in request["argv"] if given.startswith("--output=")]
        try:
            with contextlib.redirect_stdout(sys.stderr):
                aot_arm_compiler.main()
            print(hashlib.sha256(Path(output).read_bytes()).hexdigest(), flush=True)
        except Exception as error:
            print(f"{type(error).__name__}: {error}", flush=True)


if __name__ == "__main__":
    main()
