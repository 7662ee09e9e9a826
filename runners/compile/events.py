"""What a batch of compiles tells its caller while it runs."""

from __future__ import annotations

from dataclasses import dataclass

from ...analysis.report import Finding
from ..runs.folder import RunFolder
from .result import CompileResult


@dataclass(frozen=True, slots=True)
class JobStarted:
    """A job has its run folder and waits for nothing but the compiler."""

    index: int
    folder: RunFolder


@dataclass(frozen=True, slots=True)
class JobStage:
    """A job entered a stage: `done` of `total` stages lie behind it."""

    index: int
    stage: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class JobOutput:
    """Raw console bytes of a job; they are in its run folder already."""

    index: int
    data: bytes


@dataclass(frozen=True, slots=True)
class JobNoticed:
    """Something worth saying before the job ends, which its result says again: seconds in, not minutes."""

    index: int
    finding: Finding


@dataclass(frozen=True, slots=True)
class JobDone:
    """A job ended, well or not."""

    index: int
    result: CompileResult


@dataclass(frozen=True, slots=True)
class BatchNote:
    """Something to tell the user about the batch as a whole, such as a worker that cannot be used."""

    text: str


@dataclass(frozen=True, slots=True)
class BatchDone:
    """The last event of every batch."""

    seconds: float


CompileEvent = JobStarted | JobStage | JobOutput | JobNoticed | JobDone | BatchNote | BatchDone
