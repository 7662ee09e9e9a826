"""ExecuTorch's runner for Linux, where it did not come to its first line: crashed, built for another machine, or not there."""

from __future__ import annotations

import re

from .causes_launch import ARCHITECTURE


def crashed_at_once(text: str) -> tuple[str, str, str]:
    """A runner for Linux that crashed before its first line."""
    if "Illegal instruction" in text:
        return (
            "wrong-cpu",
            "The runner never started: it was built for another CPU than this one",
            "Compare what it needs with what is there (readelf -A executor_runner; grep Features /proc/cpuinfo), and build it for this core: "
            "-mcpu=cortex-a55 in the toolchain file of an i.MX 93, without -march=native and without features that the core lacks (SVE, bf16, i8mm).",
        )
    return (
        "runner-crashed",
        "The runner crashed before it printed anything",
        "Give it another .pte: a damaged or cut one crashes it, for it does not verify what it reads. Where that one runs, make the first one again; "
        "else check that the runner was built for this board's Linux (ldd executor_runner names what it misses), and start it under gdb: gdb --args "
        "with the same command, then run and bt.",
    )


def not_usable(text: str) -> tuple[str, str, str] | None:
    """Why the shell or the loader refused the runner, or None for anything else."""
    if re.search(ARCHITECTURE, text):
        return (
            "wrong-architecture",
            "The runner never started: it is built for another kind of machine",
            "Compare both (file executor_runner; uname -m), and build it with the board's own toolchain: aarch64 Linux for an i.MX 93, in a build "
            "folder of its own.",
        )
    if "shared libraries" in text or "GLIBC" in text:
        return (
            "library-missing",
            "The runner never started: a shared library is missing or too old",
            "ldd executor_runner names all that it needs. Install them on the board, or build the runner against the board's own sysroot (the SDK of its "
            "image), not with a newer toolchain of the host.",
        )
    if "not found" in text or "No such file" in text:
        return (
            "launcher-not-found",
            "The runner never started: it is not there, or the loader that it names is not",
            "See whether it is (ls -l): copy it to the board if not. If it is there, it was built for another Linux (file executor_runner names its "
            "interpreter, which this one has not): build it with the board's SDK.",
        )
    return None
