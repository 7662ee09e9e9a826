"""What is asked for when something is to run, as typed or as a target's file says it.

A request is plain data that can be written to a run folder and read again by the process that carries it out, so that a
run never depends on the one who asked for it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .job import InputError, UsageError
from .target import Target

_LONGEST_SECONDS = 1e9
_LONGEST_GRACE_SECONDS = 3600.0
_MOST_SLOTS = 1024
MOST_REPEATS = 10_000


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What is asked for; None means the target's own setting, and else the runner's default."""

    on: str
    """A kind with its place (`fvp`, `serial:URL`, `ssh:HOST`, `command`, `host`, `replay:LOG`) or the name of a target."""
    artefact: str | None = None
    target: str | None = None
    """The NPU, as `ethos-u55-128`."""
    elf: str | None = None
    address: str | None = None
    timeout: float | None = None
    """Seconds."""
    silence: float | None = None
    """Seconds."""
    fvp: str | None = None
    fast: bool = False
    trace: bool = False
    """Whether an FVP writes the trace of its NPU into the run folder."""
    semihosting: bool = False
    """Whether the runner on an FVP reads program and inputs as files of this machine."""
    pace: str = "original"
    inputs: tuple[str, ...] = ()
    iterations: int = 1
    python: str | None = None
    extra: tuple[str, ...] = ()
    """More arguments of the FVP."""
    port: str | None = None
    """The port of a serial target, as in `serial:URL`; the target's own where it is None."""
    baud: int | None = None
    until: tuple[str, ...] = ()
    """End markers beside those of the runner: a line that holds one of these texts ends the run."""
    wait: bool = False
    """Whether a port or a machine that somebody else uses is waited for."""
    slots: int | None = None
    """How many runs its place may take at once."""
    flash: tuple[str, ...] = ()
    """A command with placeholders that puts the program on a board; the target's own where it is empty."""
    reset: tuple[str, ...] = ()
    """A command that resets the board, or `("dtr",)`, `("rts",)`; the target's own where it is empty."""
    appear: float | None = None
    """Seconds that a port which is not there is waited for."""
    argv: tuple[str, ...] = ()
    """What a `command` runs, or `ssh` on the other machine."""
    pty: bool = False
    """Whether a command gets a terminal instead of a pipe."""
    cwd: str | None = None
    """Where a command runs; for `ssh` a folder of the other machine."""
    send: tuple[str, ...] = ()
    """Files that an `ssh` run gets beside the artefact."""
    fetch: tuple[str, ...] = ()
    """What is brought back afterwards: names or patterns, as seen from where the command ran."""
    repeat: int = 1
    """How many runs whose figures count."""
    warm_up: int = 0
    """How many runs before them."""
    ignore_failure: bool = False
    """Whether a series goes on after a run that did not pass."""
    remote_folder: str | None = None
    """Where an `ssh` run makes its folder on the other machine; the target's own, or /tmp, where it is None."""
    grace: float | None = None
    """Seconds that what runs gets between being asked to end and being killed."""
    max_log_bytes: int | None = None
    """Bytes of console at which a run is ended; None is as many as the disk takes."""
    store: bool = True
    """False leaves a replay of a stored log without a run folder of its own."""
    place: Target = field(default_factory=Target)
    """The settings of the named target; all empty where `on` is a kind."""

    def to_json(self) -> dict[str, Any]:
        """What differs from an empty request."""
        empty = RunRequest(self.on)
        found = {
            f.name: getattr(self, f.name)
            for f in dataclasses.fields(self)
            if f.name != "place" and getattr(self, f.name) != getattr(empty, f.name)
        }
        return {**found, "on": self.on, "place": self.place.to_json()}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> RunRequest:
        """The request that `to_json` wrote.

        Raises:
            InputError: it is not one.
        """
        try:
            facts: dict[str, Any] = {n: tuple(one) if isinstance(one, list) else one for n, one in value.items()}
            facts["place"] = Target.from_json(value["place"])
            return cls(**facts)
        except (TypeError, KeyError, AttributeError) as error:
            raise InputError(f"the stored request is not one ({error})", "start the run again") from None

    @property
    def kind(self) -> str:
        """Where it runs: that of the named target, else what stands before the colon of `on`."""
        return self.place.kind or self.on.partition(":")[0]

    @property
    def at(self) -> str:
        """What stands behind the colon of `on`: a port, a host, a log; empty for a named target, whose entry has it."""
        return "" if self.place.kind else self.on.partition(":")[2]

    def check_limits(self) -> None:
        """UsageError where a limit is no time."""
        limits = (("--timeout", self.timeout), ("--silence", self.silence), ("--appear", self.appear))
        for name, value in limits:
            if value is not None and not 0 < value < _LONGEST_SECONDS:
                raise UsageError(f"{name} {value:g} is no time", "give a number of seconds above 0")
        if self.grace is not None and not 0 < self.grace <= _LONGEST_GRACE_SECONDS:
            raise UsageError(f"--grace {self.grace:g} is no time", f"give seconds up to {_LONGEST_GRACE_SECONDS:g}")
        if self.max_log_bytes is not None and self.max_log_bytes < 1:
            raise UsageError(f"--max-log-bytes {self.max_log_bytes} is no size", "give a number of bytes above 0")
        if self.slots is not None and not 0 < self.slots <= _MOST_SLOTS:
            raise UsageError(f"--slots {self.slots} is no number of slots", f"give 1 to {_MOST_SLOTS}")
        for name, number, least in (("--repeat", self.repeat, 1), ("--warm-up", self.warm_up, 0)):
            if not least <= number <= MOST_REPEATS:
                raise UsageError(f"{name} {number} is no number of runs", f"give {least} to {MOST_REPEATS}")
        if self.ignore_failure and not self.series_length:
            raise UsageError("--ignore-failure is for a series of runs", "add --repeat, or leave it out")

    @property
    def series_length(self) -> int:
        """How many runs the series has, warm-ups among them; 0 for a run that stands alone."""
        return self.repeat + self.warm_up if self.repeat > 1 or self.warm_up else 0

    @property
    def time_limit_seconds(self) -> float | None:
        """The limit that was asked for or that the target has."""
        return self.timeout if self.timeout is not None else self.place.timeout_seconds

    @property
    def silence_limit_seconds(self) -> float | None:
        """The limit that was asked for or that the target has."""
        return self.silence if self.silence is not None else self.place.silence_seconds

    @property
    def grace_seconds(self) -> float | None:
        """The time for an end in good order that was asked for or that the target has."""
        return self.grace if self.grace is not None else self.place.grace_seconds

    @property
    def log_limit_bytes(self) -> int | None:
        """The limit that was asked for or that the target has."""
        return self.max_log_bytes if self.max_log_bytes is not None else self.place.max_log_bytes

    @property
    def npu_target(self) -> str | None:
        """The NPU configuration that was asked for or that the target has."""
        return self.target or self.place.npu_target

    @property
    def command(self) -> tuple[str, ...]:
        """The argv that was asked for or that the target has, with its placeholders; empty where none was given."""
        return self.argv or self.place.argv

    @property
    def end_markers(self) -> tuple[str, ...]:
        """All texts that end the run beside the runner's own."""
        return (*self.until, *self.place.until)
