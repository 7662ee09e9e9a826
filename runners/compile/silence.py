"""Tells which jobs of a batch hang: those that say nothing for very long, neither a stage nor a line.

Nothing else shows it: a job may compute for minutes (calibration, Vela), or wait for a download or a lock for ever.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from .job import CompileJob

SILENCE_SECONDS = 1800.0
"""Calibration and Vela are silent for minutes at most."""


def soonest(jobs: Iterable[CompileJob], patience: float | None) -> float:
    """Seconds until something must be done though nobody said anything; `patience` is that of others."""
    heard = min((job.heard for job in jobs), default=time.monotonic())
    silent = max(0.0, heard + SILENCE_SECONDS - time.monotonic())
    return silent if patience is None else min(patience, silent)


def silent_jobs(jobs: Iterable[CompileJob]) -> list[tuple[CompileJob, float]]:
    """The jobs that have been silent for too long, with the seconds; each is named once until it speaks again."""
    now = time.monotonic()
    found = [(job, now - job.heard) for job in jobs if now - job.heard >= SILENCE_SECONDS]
    for job, _ in found:
        job.heard = now
    return found
