"""`analyze --jobs` and `--scheduler`: inputs spread over processes, their results merged in the order of the inputs."""

from __future__ import annotations

import argparse
import os
import stat
from collections.abc import Iterator
from functools import partial

from ...runners.job import JobError
from ...runners.processors import processors
from ...runners.reading.blocks import member_of
from ...runners.reading.gather import gather, gathered
from ...runners.reading.harvest import Harvest
from ...runners.reading.paths import is_stream
from ...runners.reading.scheduler import Scheduler
from ...runners.reading.settings import ReadSettings
from ...runners.reading.spread import LocalPool, Workers, spread
from .saying import say

PROCESSES_PER_CORE = 8
"""More only wait for each other; some wait for a disk or a network."""


def read_in_processes(
    options: argparse.Namespace, harvest: Harvest, paths: Iterator[str], settings: ReadSettings
) -> None:
    """Read the inputs in processes of this machine, or on the workers of a scheduler, into one harvest.

    Raises:
        MissingTool: the scheduler does not answer.
    """
    task = partial(gathered, settings=settings, whole_runs=harvest.whole_runs)
    if options.scheduler is not None:
        with Scheduler(options.scheduler) as scheduler:
            _read(harvest, (_absolute(path) for path in paths), task, scheduler)
        return
    inputs = list(paths)
    width = _width(options.jobs)
    with LocalPool(max(1, min(width, len(inputs))), width) as pool:
        _read(harvest, iter(inputs), task, pool)


def _width(asked: int) -> int:
    """How many processes: what was asked for, where the machine can run them."""
    cores = processors()
    most = cores * PROCESSES_PER_CORE
    if asked > most:
        say(f"ethosu-tui: --jobs {asked}: only {most} processes are started ({cores} cores)")
    return min(asked or cores, most)


def _read(harvest: Harvest, paths: Iterator[str], task: partial[Harvest], workers: Workers) -> None:
    """Pipes and standard input are read here, when their turn has come: another process may not see them."""
    ours: set[str] = set()

    def shared() -> Iterator[str]:
        for path in paths:
            if is_stream(path):
                ours.add(path)
            yield path

    for path, result in spread(_Elsewhere(task), shared(), workers, _size_bytes):
        if path in ours:
            gather(path, harvest)
        elif isinstance(result, JobError):
            harvest.fail(result)
        elif result is not None:
            harvest.merge(result)


def _size_bytes(path: str) -> int:
    """How long an input may take: the size of a file or an archive, 0 where that is not known."""
    try:
        facts = os.stat(member_of(path)[0])
    except (OSError, ValueError):
        return 0
    return facts.st_size if stat.S_ISREG(facts.st_mode) else 0


class _Elsewhere:
    """The task as sent to a worker: streams are left to us."""

    def __init__(self, task: partial[Harvest]) -> None:
        self._task = task

    def __call__(self, path: str) -> Harvest | None:
        return None if is_stream(path) else self._task(path)


def _absolute(path: str) -> str:
    archive, member = member_of(path)
    if path == "-":
        return path
    return os.path.abspath(archive) + (f"!{member}" if member is not None else "")
