"""Reads a log alone and with other processes, from a process without threads and other children: `test_reading_halves` asks it.

`python halved.py FILE rows|jsonl CORES [how]` prints what came of it as JSON.
"""

from __future__ import annotations

import argparse
import errno
import json
import mmap
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from ethosu_tui.analysis import scan
from ethosu_tui.analysis.fast import seams
from ethosu_tui.analysis.rows import RunRow
from ethosu_tui.analysis.scan import Scanner
from ethosu_tui.runners.reading import ahead, blocks, digest, halves, spare, spread
from ethosu_tui.runners.reading.gather import gather
from ethosu_tui.runners.reading.halves import Halves, Other
from ethosu_tui.runners.reading.harvest import Harvest, Outlets
from ethosu_tui.runners.reading.set_aside import SetAside
from ethosu_tui.runners.reading.settings import ReadSettings
from ethosu_tui.tui.commands.analyze_jobs import read_in_processes

BLOCK_BYTES = 1 << 14
MET: list[bool] = []
"""Whether another process's half was taken, block by block."""


def small(cores: int) -> None:
    """Let files of some hundred kilobytes count as large, on a machine of so many cores."""
    scan.PIECE_BYTES = 1024
    seams.LOOKED_AT_BYTES = ahead.LOOKED_AT_BYTES = 2 * BLOCK_BYTES
    blocks.PLAIN_BYTES = halves.PLAIN_BYTES = ahead.PLAIN_BYTES = BLOCK_BYTES
    halves.SEAMS = ahead.SEAMS = 16
    halves.FIRST_BYTES = halves.LEAST_BYTES = digest.LARGE_BYTES = 4 * BLOCK_BYTES
    halves.MOST_COUNTING = 0.0  # each half is one, however long counting takes
    spare.cores = spread.cores = lambda: cores
    honest = Halves.met

    def counting(self: Halves, *given: Any) -> Any:
        result = honest(self, *given)
        MET.append(result is not None)
        return result

    Halves.met = counting  # type: ignore[method-assign]


def read(path: str, halved: bool, jsonl: bool = False) -> tuple[Any, ...]:
    """All that is known of a file: rows, captures, exit code, remarks, JSON lines."""
    lines: list[str] = []
    harvest = Harvest(ReadSettings(3, jsonl=jsonl, halves=halved), 1 << 40, Outlets(lines=lines.extend))
    gather(path, harvest)
    return list(harvest.store), harvest.captures, harvest.code, harvest.remarks, lines


def read_in_pool(path: str, jsonl: bool) -> tuple[Any, ...]:
    """The same by a worker of `--jobs 2`, which has no other work."""
    lines: list[str] = []
    settings = ReadSettings(3, jsonl=jsonl, halves=True)
    harvest = Harvest(settings, 1 << 40, Outlets(lines=lines.extend))
    read_in_processes(argparse.Namespace(jobs=2, scheduler=None), harvest, iter([path]), settings)
    return list(harvest.store), harvest.captures, harvest.code, harvest.remarks, lines


def _dies(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _fails(*_: Any) -> None:
    raise MemoryError


def _no_disk(*_: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _waits(other: Other, place: Any, asker: int | None) -> None:
    print(other.pid, flush=True)
    time.sleep(600)


def _stalls() -> None:
    """Let a copy's copy never hand over what it has: its name is printed, and that of the copy that waits for it."""
    honest, first = ahead._Reader.handed_over, os.getpid()

    def stalled(self: ahead._Reader, *asked: Any) -> Any:
        if os.getppid() != first:
            print(os.getppid(), os.getpid(), flush=True)
            time.sleep(600)
        return honest(self, *asked)

    ahead._Reader.handed_over = stalled  # type: ignore[method-assign]


def _interrupted() -> None:
    """Let Ctrl-C come to a copy before it has done anything."""
    fork = os.fork

    def forked() -> int:
        pid = fork()
        if pid == 0:
            os.kill(os.getpid(), signal.SIGINT)
        return pid

    os.fork = forked


def _free_cores() -> int:
    """How many this process has to give; a copy that finds itself forsaken gives its own a little later."""
    most = min(spare.cores(), spare.MOST_READERS) - 1
    end = time.monotonic() + 5
    found = 0
    while spare._own is not None and (found < most and time.monotonic() < end):
        found += spare._own.take()
        time.sleep(0.001)
    while spare._own is not None and spare._own.take():
        found += 1
    return found


def _counted_forks() -> mmap.mmap:
    """How often this process was copied, and how often its copies were."""
    counts, fork, first = mmap.mmap(-1, 2), os.fork, os.getpid()

    def counting() -> int:
        counts[os.getpid() != first] += 1
        return fork()

    os.fork = counting
    return counts


def _slow(copies: bool) -> None:
    """Let this process, or its copies, take its time for each block."""
    feed, first = Scanner.feed, os.getpid()

    def slow(self: Scanner, block: bytes) -> None:
        if (os.getpid() != first) == copies:
            time.sleep(0.02)
        feed(self, block)

    Scanner.feed = slow  # type: ignore[method-assign]


def main() -> None:
    """Read, and say what came of it."""
    path, form, cores, *how = sys.argv[1:]
    jsonl = form == "jsonl"
    small(int(cores))
    if how == ["waits"]:
        Other.gathered = _waits  # type: ignore[assignment, method-assign]
    elif how == ["stalls"]:
        _slow(True)
        _stalls()
    elif how == ["interrupted"]:
        _interrupted()
    elif how == ["children unseen"]:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
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
    elif how[:1] == ["slow"]:
        _slow(how[1] == "copies")
    elif how and how != ["pool"]:
        owner, name = (ahead, how[0]) if hasattr(ahead, how[0]) else (ahead._Reader, how[0])
        setattr(owner, name, {"dies": _dies, "fails": _fails}[how[1]])
    forks = _counted_forks()
    together = read_in_pool(path, jsonl) if how == ["pool"] else read(path, True, jsonl)
    free = _free_cores()
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
                "forks": forks[0],
                "forks_of_copies": forks[1],
                "lines": len(together[4]),
                "left": left,
                "free": free,
                "remarks": remarks,
            }
        )
    )


if __name__ == "__main__":
    main()
