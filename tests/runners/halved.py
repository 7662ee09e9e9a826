"""Reads a log alone and with a second process, from a process without threads and other children: `test_reading_halves` asks it.

`python halved.py FILE rows|jsonl [how]` prints what came of it as JSON.
"""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from ethosu_tui.analysis import scan, seams
from ethosu_tui.analysis.rows import RunRow
from ethosu_tui.runners.reading import blocks, digest, halves
from ethosu_tui.runners.reading.digest import Manner
from ethosu_tui.runners.reading.halves import SecondHalf
from ethosu_tui.runners.reading.harvest import Harvest, Outlets
from ethosu_tui.runners.reading.set_aside import SetAside

BLOCK_BYTES = 1 << 14
MET: list[bool] = []
"""Whether another process's half was taken, block by block."""


def small() -> None:
    """Let files of some hundred kilobytes count as large."""
    scan.PIECE_BYTES = 1024
    seams.LOOKED_AT_BYTES = 2 * BLOCK_BYTES
    blocks._PLAIN_BYTES = halves.BLOCK_BYTES = BLOCK_BYTES
    halves.FIRST_BYTES = halves.LEAST_BYTES = digest.LARGE_BYTES = 4 * BLOCK_BYTES
    halves.cores = lambda: 2
    honest = SecondHalf.met

    def counting(self: SecondHalf, *given: Any) -> Any:
        result = honest(self, *given)
        MET.append(result is not None)
        return result

    SecondHalf.met = counting  # type: ignore[method-assign]


def read(path: str, halved: bool, jsonl: bool = False) -> tuple[Any, ...]:
    """All that is known of a file: rows, captures, exit code, remarks, JSON lines."""
    lines: list[str] = []
    harvest = Harvest(Manner(3, jsonl=jsonl, halves=halved), 1 << 40, Outlets(lines=lines.extend))
    harvest.read(path)
    return list(harvest.store), harvest.captures, harvest.code, harvest.remarks, lines


def _dies(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _fails(*_: Any) -> None:
    raise MemoryError


def _no_disk(*_: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _waits(half: SecondHalf, scanner: Any, pipe: Any) -> None:
    pipe.recv()
    print(half._pid, flush=True)
    time.sleep(600)


def main() -> None:
    """Read, and say what came of it."""
    path, form, *how = sys.argv[1:]
    jsonl = form == "jsonl"
    small()
    if how == ["waits"]:
        SecondHalf._compared = _waits  # type: ignore[assignment]
    elif how == ["one core"]:
        halves.cores = lambda: 1
    elif how == ["no disk"]:
        tempfile.TemporaryFile = _no_disk  # type: ignore[assignment]
    elif how == ["no pipe"]:
        multiprocessing.Pipe = _no_disk  # type: ignore[assignment]
    elif how == ["full disk"]:
        SetAside.add = _no_disk  # type: ignore[method-assign]
    elif how == ["grows"]:
        honest = Harvest.keep

        def growing(self: Harvest, rows: list[RunRow]) -> None:
            with Path(path).open("ab") as file:
                file.write(b"more\n")
            honest(self, rows)

        Harvest.keep = growing  # type: ignore[method-assign, assignment]
    elif how:
        setattr(halves, how[0], {"dies": _dies, "fails": _fails}[how[1]])
    forks: list[int] = []
    fork = os.fork
    os.fork = lambda: forks.append(1) or fork()  # type: ignore[func-returns-value]
    together = read(path, True, jsonl)
    try:
        os.waitpid(-1, os.WNOHANG)
        left = True
    except ChildProcessError:
        left = False
    remarks = [remark.text for remark in together[3]]
    same = how == ["grows"] or together == read(path, False, jsonl)
    print(
        json.dumps(
            {
                "same": same,
                "met": sum(MET),
                "forks": len(forks),
                "lines": len(together[4]),
                "left": left,
                "remarks": remarks,
            }
        )
    )


if __name__ == "__main__":
    main()
