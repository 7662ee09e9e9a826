"""The one shape of everything that runs: a job yields events and can be stopped from any thread.

A job knows how to get bytes, never what they mean.  `run()` is a generator that the caller iterates in one thread;
`stop()` may be called from any other (it terminates the child or cancels the read; the generator then ends with an
`Exit`).  Problems of a target are data (`Exit.reason`); problems of the program or its set-up raise `JobError`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.named_tuple import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Literal, Protocol, TypeAlias
else:
    Protocol = object

ExitReason: TypeAlias = 'Literal["ended", "marker", "stopped", "timeout", "silence", "lost", "not_started"]'
"""Why a job ended: by itself, at the runner's end marker, by `stop()`, at the time limit, after too long a silence,
because its connection or worker was lost, or because it could not be started at all."""
Stream: TypeAlias = 'Literal["out", "err", "uart"]'
EXIT_REASONS: tuple[ExitReason, ...] = ("ended", "marker", "stopped", "timeout", "silence", "lost", "not_started")
"""All of them, for those who read one from a file: at run time the type is only a text."""


class Started(NamedTuple):
    """The job began; `argv` is the exact command (empty for a replay)."""

    argv: tuple[str, ...]
    cwd: str | None = None
    pid: int | None = None


class Chunk(NamedTuple):
    """Raw bytes as they came; `at` is seconds since the job started."""

    data: bytes
    at: float
    stream: Stream = "out"


class Progress(NamedTuple):
    """The job says how far it is (`done` of `total`, if it can tell)."""

    stage: str
    done: int | None = None
    total: int | None = None


class Exit(NamedTuple):
    """The last event of every job; `code` is the child's exit status, None where there is none."""

    code: int | None
    reason: ExitReason
    seconds: float
    text: str = ""


JobEvent = Started | Chunk | Progress | Exit


class Job(Protocol):
    """What runs: an FVP, a host program, a replay, a serial port."""

    label: str

    def run(self) -> Iterator[JobEvent]:
        """Yield `Started`, then chunks and progress, then exactly one `Exit`."""
        ...

    def stop(self) -> None:
        """End the job from any thread; calling it twice, or before or after the run, is harmless."""
        ...


class JobError(Exception):
    """The job cannot be done: `message` says what failed and where, `hint` what to do, `exit_code` how a command ends.

    Exit codes are those of the public interface: 2 usage, 3 input unreadable, 4 a tool, a target or room to write is missing.
    1 is kept for what a log says.
    """

    def __init__(self, message: str, hint: str = "", exit_code: int = 4) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.exit_code = exit_code
        self.cause = ""
        """In two words, what cut a run that went on, as "disk full"; empty where nothing was cut."""

    def __str__(self) -> str:
        return f"{self.message}: {self.hint}" if self.hint else self.message


class UsageError(JobError):
    """The request makes no sense (unknown target, a memory mode that does not fit): exit code 2."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint, exit_code=2)


class InputError(JobError):
    """A file is missing, unreadable, or not what it should be: exit code 3."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint, exit_code=3)


class MissingTool(JobError):
    """A tool, interpreter or target is not there: exit code 4."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint, exit_code=4)


def unexpected(path: str, error: BaseException) -> InputError:
    """The sentence for an input whose reading failed as none should: it is refused alone, and the others are read."""
    if isinstance(error, MemoryError):
        return InputError(f"{path}: there is too little memory for it", "read it alone, or where there is more memory")
    return InputError(f"{path}: could not be read ({type(error).__name__}: {error})", "please report this")


SENTENCE_CHARACTERS = 2000


def shortened(sentence: str) -> str:
    """A sentence to print: names in an archive may be 60,000 characters long, and what is wrong stands behind them."""
    if len(sentence) <= SENTENCE_CHARACTERS:
        return sentence
    half = SENTENCE_CHARACTERS // 2
    return f"{sentence[:half]}\u2026{sentence[-half:]}"
