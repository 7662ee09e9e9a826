"""Targets as data: where a program can run, and what is known of that place.

`Target` is one of them, as files and commands hand it on.  Where targets come from is for `targets/`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

KINDS = ("fvp", "serial", "ssh", "command", "host", "replay")


@dataclass(frozen=True, slots=True)
class Target:
    """One place to run; what is empty or None was not said.

    Hooks and commands are argv tuples, never shell text; `{artefact}`, `{elf}`, `{address}`, `{target}`, `{port}` and
    `{host}` in them stand for what the run has.
    """

    name: str = ""
    kind: str = ""
    """One of `KINDS`."""
    title: str = ""
    board: str | None = None
    """Entry of `analysis/meaning/boards.py` with clock and memories, each figure with its source."""
    npu_target: str | None = None
    """As `ethos-u85-256`."""
    npu: str | None = None
    """The family, as `ethos-u85`, where the MACs are open (a simulator has them all); else that of `npu_target`."""
    clock_hz: float | None = None
    """Of the NPU; None is not a clock of 0 but an unknown one."""
    cpu_clock_hz: float | None = None
    memories: tuple[tuple[str, int], ...] = ()
    """Bytes by name, in place of those of the board."""
    system_config: str | None = None
    """The one that the runner there was built for."""
    memory_mode: str | None = None
    elf: str | None = None
    """The runner, for programs that are put beside it."""
    address: str | None = None
    """Where that runner looks for the program."""
    fvp: str | None = None
    """Executable or folder of an FVP."""
    fvp_args: tuple[str, ...] = ()
    fast: bool = False
    trace: bool = False
    semihosting: bool = False
    """Whether the runner (`elf`) reads program and inputs as files."""
    url: str | None = None
    """Of a serial port: a device, `/dev/serial/by-id/...`, `socket://`, `rfc2217://`, `spy://`."""
    baud: int | None = None
    host: str | None = None
    """As OpenSSH takes it: an alias of `~/.ssh/config`, or `user@host`."""
    remote_folder: str | None = None
    argv: tuple[str, ...] = ()
    """What runs: the command of a `command` target, or that on the other machine of an `ssh` target."""
    cwd: str | None = None
    pty: bool = False
    """Whether the command gets a terminal instead of a pipe."""
    python: str | None = None
    """Of a `host` target: the interpreter that has ExecuTorch."""
    log: str | None = None
    """What a `replay` target plays."""
    send: tuple[str, ...] = ()
    """Files that an `ssh` target gets beside the artefact."""
    fetch: tuple[str, ...] = ()
    """Files that are brought back afterwards."""
    flash: tuple[str, ...] = ()
    """Run before, with its output kept: pyocd, J-Link, west, SETOOLS."""
    reset: tuple[str, ...] = ()
    """A command that resets the board; `("dtr",)` and `("rts",)` are done on the port itself."""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    until: tuple[str, ...] = ()
    """Texts that end the run, beside the runner's own end markers."""
    timeout_seconds: float | None = None
    silence_seconds: float | None = None
    grace_seconds: float | None = None
    """Between being asked to end and being killed."""
    max_log_bytes: int | None = None
    """Bytes of console at which a run is ended."""
    appear_seconds: float | None = None
    """How long a port that is not there yet is waited for."""
    slots: int | None = None
    """How many runs it takes at once; None is one, and for simulators and commands as many as asked."""
    source: str = ""
    """Who says so, of a shipped entry."""
    unverified: tuple[str, ...] = ()
    """Fields of this entry that nobody has checked; they are shown as such and never used silently."""
    origin: str = ""
    """The file that the entry stands in; empty for one that was made up for a request."""

    def to_json(self) -> dict[str, Any]:
        """What was said of it."""
        empty = Target()
        return {
            f.name: getattr(self, f.name)
            for f in dataclasses.fields(self)
            if getattr(self, f.name) != getattr(empty, f.name)
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Target:
        """The target that `to_json` wrote; TypeError for anything else."""
        return cls(**{name: _tuples(one) for name, one in value.items()})


def _tuples(value: Any) -> Any:
    return tuple(_tuples(one) for one in value) if isinstance(value, list) else value
