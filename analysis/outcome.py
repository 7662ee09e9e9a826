"""How the host saw a live run end: what the process, the port or the keeper of the run said."""

from __future__ import annotations

from .named_tuple import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .report import Status

_VERDICTS: dict[str, Status] = {
    "not_started": "not_started",
    "timeout": "timeout",
    "silence": "hung",
    "lost": "truncated",
}


class Outcome(NamedTuple):
    """How the host saw a live run end: `reason` is the word of `runners.job.Exit`, `code` the exit status, `kind` the
    kind of place.
    """

    reason: str
    code: int | None = None
    text: str = ""
    kind: str = ""

    @property
    def of_any_program(self) -> bool:
        """True where any program may have run there, so that a log without a runner's line proves nothing."""
        return self.kind in ("command", "ssh", "serial", "host")

    @property
    def launched(self) -> bool:
        """True where a target was started, or failed to start, so that its silence means something; not for a replay."""
        if self.of_any_program:
            return self.verdict is not None
        return self.code is not None or self.reason in ("not_started", "timeout", "silence")

    @property
    def well(self) -> bool:
        """True where a program of any kind ended as it should: with status 0, or at its end marker."""
        return self.of_any_program and (self.reason == "marker" or (self.reason == "ended" and not self.code))

    @property
    def verdict(self) -> Status | None:
        """The status of a run without a runner's line, judged by how the program ended.

        None where it ended well, which does not prove that it passed, and where somebody stopped it.
        """
        if not self.of_any_program or self.well or self.reason == "stopped":
            return None
        return _VERDICTS.get(self.reason, "failed")


class CaptureEnd(NamedTuple):
    """What is known of the end of a capture, for the run that is open there: nothing while that run goes on."""

    last: bool = False
    """True where the capture ends with this run."""
    cut: bool = False
    """True where it ends inside a line."""
    text: str = ""
    """Its last text, if that means nothing to the run; it may be the beginning of a line."""
    outcome: Outcome | None = None


NOT_THERE = CaptureEnd()
"""For a run behind which the capture goes on."""
