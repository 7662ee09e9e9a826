"""The points in time at which something has to be done although a child says nothing."""

from __future__ import annotations

from dataclasses import dataclass

from .job import ExitReason

IDLE_SECONDS = 0.1
"""When output pauses for this long, one empty chunk lets the reader show what it has."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a child is ended by us; None means never."""

    time_seconds: float | None = None
    """From the start of the child."""
    silence_seconds: float | None = None
    """Without a byte of output."""
    marker_grace_seconds: float = 2.0
    """For ending by itself after its end marker."""
    term_grace_seconds: float = 2.0
    """Between SIGTERM and SIGKILL."""
    pulse_seconds: float | None = None
    """An empty chunk comes each so many seconds of silence, not only once."""


class Deadlines:
    """The points in time at which something has to be done although the child says nothing."""

    def __init__(self, began: float, limits: Limits) -> None:
        self._idle: float | None = None
        self._end = None if limits.time_seconds is None else began + limits.time_seconds
        self._pulse_seconds = limits.pulse_seconds
        self._silence_seconds = limits.silence_seconds
        self._silence: float | None = None
        self._kill: float | None = None
        self.marker: float | None = None
        self.heard(began)

    def heard(self, now: float) -> None:
        """The child said something."""
        self._idle = now + IDLE_SECONDS
        if self._silence_seconds is not None:
            self._silence = now + self._silence_seconds

    def ending(self, kill: float) -> None:
        """SIGTERM is out; only SIGKILL can be due from now on."""
        self._end = self._silence = self.marker = None
        self._kill = kill

    def idle_due(self, now: float) -> bool:
        """Whether it is time to say that nothing comes; true once for each time."""
        if self._idle is None or now < self._idle:
            return False
        self._idle = None if self._pulse_seconds is None else now + self._pulse_seconds
        return True

    def kill_due(self, now: float) -> bool:
        """Whether SIGTERM has been out for long enough; true once."""
        if self._kill is None or now < self._kill:
            return False
        self._kill = None
        return True

    def wait(self, now: float, longest: float | None) -> float | None:
        """Seconds until something is due, at most `longest`; None where nothing ever is."""
        due = [t - now for t in (self._idle, self._end, self._silence, self._kill, self.marker) if t is not None]
        if longest is not None:
            due.append(longest)
        return max(0.0, min(due)) if due else None

    def passed(self, now: float, heard: bool) -> ExitReason | None:
        """The limit that has passed, if any; what was `heard` but not looked at yet is no silence."""
        if self.marker is not None:
            return "marker" if now >= self.marker else None
        if self._end is not None and now >= self._end:
            return "timeout"
        if self._silence is not None and now >= self._silence and not heard:
            return "silence"
        return None
