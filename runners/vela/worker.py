"""Runs Vela on TOSA graphs for many configurations, in the user's interpreter but without torch.

This file is started by path under the interpreter that holds executorch, where this package may not be installed:
standard library, Vela and ExecuTorch's `arm_vela.py` only.  That module makes the delegate's bytes of what Vela writes;
it is loaded from its file, because importing it from its package would load torch.

Protocol: our end of a socket pair brings a JSON line for a job and gets one back when it is done.  What Vela prints goes
to a file beside its tables, never into the protocol.  The end of the socket is the order to end.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import socket
import sys
from contextlib import suppress
from importlib import util
from pathlib import Path
from typing import Any

MODULE = "backends/arm/arm_vela.py"
DETAIL = ("--verbose-performance", "--enable-debug-db")
"""What the tables per operator need; the delegate's bytes are the same with and without."""
KEPT = (".csv", ".xml")


def main(arguments: list[str]) -> int:
    """Serve the socket of this descriptor, with the executorch package in this directory."""
    channel = socket.socket(fileno=int(arguments[0]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with_parent()
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    vela: Any = None
    with channel.makefile("rb") as requests:
        for line in requests:
            request = json.loads(line)
            try:
                vela = vela or _load(os.path.join(arguments[1], MODULE))
                answer: dict[str, Any] = {"partitions": [_compile(vela, one, request) for one in request["partitions"]]}
            except (Exception, SystemExit) as error:
                answer = {"error": f"{type(error).__name__}: {error}"[:2000]}
            with suppress(BrokenPipeError, ConnectionResetError):
                channel.sendall(json.dumps({"job": request["job"], **answer}).encode() + b"\n")
    return 0


def _load(path: str) -> Any:
    spec = util.spec_from_file_location("ethosu_tui_arm_vela", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be loaded")
    module = util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


def _compile(vela: Any, partition: dict[str, str], request: dict[str, Any]) -> str:
    """One TOSA graph through Vela; its tables and log go to the partition's directory, the delegate's digest comes back.

    The delegate's bytes are left beside them, for whoever puts the program together.
    """
    with open(partition["tosa"], "rb") as stream:
        graph = stream.read()
    if hashlib.sha256(graph).hexdigest() != partition["sha256"]:
        raise ValueError(f"{partition['tosa']} was changed meanwhile")
    out = Path(partition["out"])
    out.mkdir(parents=True, exist_ok=True)
    scratch = Path(request["scratch"])  # without blanks: the function that we call splits the command line at them
    scratch.mkdir(mode=0o700)
    try:
        with open(out / "vela.log", "wb") as log:
            _print_to(log.fileno())
            try:
                flags = _with_config(request, scratch)
                result = vela.vela_compile(graph, [*flags, *DETAIL], intermediate_path=str(scratch))
            finally:
                _print_to(None)
        if getattr(result, "external_blocks", ()):
            raise ValueError("Vela's blocks are stored outside of the delegate")
        blob = bytes(getattr(result, "processed_bytes", result))
        (out / "delegate.bin").write_bytes(blob)
        for name in os.listdir(scratch / "output"):
            if name.endswith(KEPT):
                shutil.move(os.path.join(scratch, "output", name), out / name)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return hashlib.sha256(blob).hexdigest()


def _with_config(request: dict[str, Any], scratch: Path) -> list[str]:
    """The flags with the user's vela.ini at a path without blanks; the program says what it is told by the script."""
    flags: list[str] = request["flags"]
    config = request.get("vela_config")
    if config is None:
        return flags
    if config["flag"] not in flags:
        raise ValueError("the first program does not name the vela.ini as expected")
    copy = str(scratch / "vela.ini")
    shutil.copyfile(config["file"], copy)
    return [f"--config={copy}" if flag == config["flag"] else flag for flag in flags]


_QUIET = os.open(os.devnull, os.O_WRONLY)


def _print_to(descriptor: int | None) -> None:
    """Send what this process prints, that of C++ included, there; None: nowhere."""
    sys.stdout.flush()
    sys.stderr.flush()
    for number in (1, 2):
        os.dup2(_QUIET if descriptor is None else descriptor, number)


def _die_with_parent() -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
