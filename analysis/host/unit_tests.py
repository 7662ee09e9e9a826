"""Unit tests in a capture: what GoogleTest's tests provoke is wanted, and no run of a target.

ExecuTorch's own tests load damaged programs and call kernels with wrong tensors, so their log is full of error lines; where
the test came out well nothing is wrong.  A runner that a test starts prints how it starts, and is read as any other; the
test that it ended is named beside.  One that is run again has done what it did the last time.
"""

from __future__ import annotations

from ..dividing.boundaries import LAUNCH, OPENERS
from ..dividing.decisions import running
from ..lines import Line
from ..named_tuple import TYPE_CHECKING
from ..patterns import COMPILE_EVENTS, HOST_EVENTS, TABLE

if TYPE_CHECKING:
    from ..draft import RunDraft

_BEGINS = "[ RUN      ] "
FAILED, _PASSED = "[  FAILED  ] ", "[       OK ] "
"""What stands before the name of a test that came to its end."""
_ENDS = (_PASSED.rstrip(), FAILED.rstrip(), "[  SKIPPED ]", "[  PASSED  ]", "[====", "[----")
_RUNNERS = "_runner.cpp"
"""How the sources of runners end, which no unit test holds."""
_MOST_LINES = 20_000
"""Lines of one test; where no end came for so long the test died, and what stands there is read."""
_OF_NPU = frozenset(("driver_error", "npu_status", "config_mismatch", "driver_timed_out"))
"""What the driver of an NPU says of it: a test that runs on a board or simulator, such as TensorFlow Lite Micro's; no other provokes that."""
_READ = OPENERS | LAUNCH | HOST_EVENTS | COMPILE_EVENTS | _OF_NPU


class UnitTests:
    """Where a test of GoogleTest is open in a capture."""

    __slots__ = ("_failed", "begun", "fatal", "passed", "since")

    def __init__(self) -> None:
        self.since = 0
        """The line at which the open test began; 0 outside of tests."""
        self.begun = ""
        """That line."""
        self.fatal = False
        """True once something in it that ends a program was passed over."""
        self._failed: set[str] = set()
        """Names of tests whose newest attempt failed."""
        self.passed = ""
        """The name of one that has failed before and passed now, until somebody takes note of it."""

    @property
    def died(self) -> bool:
        """Whether the open test is one that ended its program."""
        return bool(self.since) and self.fatal

    def passes_over(self, line: Line, draft: RunDraft | None) -> bool:
        """Whether a test provoked this line: one is open, no run goes on in it, and nothing of one begins here."""
        message = line.message
        if message.startswith("["):
            if message.startswith(_BEGINS):
                self.since, self.begun, self.fatal = line.number, message[:400], False
                return False
            if message.startswith(_ENDS):
                self.since = 0
                self._note(message)
                return False
        if not self.since or line.number - self.since > _MOST_LINES:
            return False
        if draft is not None and (
            draft.last_line > self.since or (running(draft) and line.file in (None, *draft.files))
        ):
            return False
        if line.file is not None and line.file.endswith(_RUNNERS):
            self.fatal |= line.level == "F"
            return False
        event = TABLE.match(message, line.number)
        self.fatal |= line.level == "F" or (event is not None and event.kind == "simulator_crashed")
        return event is None or event.kind not in _READ

    def _note(self, message: str) -> None:
        """Keep how the newest attempt at a test ended, where it failed."""
        if message.startswith(FAILED) and message.endswith(" ms)"):
            self._failed.add(_name(message))
        elif self._failed and message.startswith(_PASSED) and (name := _name(message)) in self._failed:
            self._failed.discard(name)
            self.passed = name


def _name(message: str) -> str:
    """The test that a line of this kind is about."""
    return message[len(FAILED) :].split(" ", 1)[0].rstrip(",")[:400]
