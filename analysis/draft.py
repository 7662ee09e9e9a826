"""A run while it is being read: its figures by field path, the line of each figure, and how far the runner came.

Handlers write figures under the paths of the public report ("memory.planned_bytes"), so every figure has its line.
`freeze()` in `freeze.py` turns a draft into a `Run`.
"""

from __future__ import annotations

from sys import intern

from .draft_parts import (
    ClosedBlocks,
    EtdumpDraft,
    Interruption,
    OpenBlock,
    OpenTensor,
    Overlap,
    PrintedPools,
    Served,
    TensorDraft,
)
from .named_tuple import TYPE_CHECKING, NamedTuple
from .report import STAGES, Stage
from .trouble import Trouble as Trouble

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeVar

    from .line import Line

    State = TypeVar("State")

TROUBLE_LIMIT = 2_000
TEXT_LIMIT = 512
"""Characters of a line that a finding may quote."""
LOST_NAME = "(a name that the log lost)"
"""Stands for a name that the C library could not print."""


class Evidence(NamedTuple):
    """What rules ask about a run besides its report: what went wrong, what was odd, and which events were seen."""

    trouble: tuple[Trouble, ...]
    odd: tuple[Trouble, ...]
    seen: dict[str, int]
    last_event: str

    def first(self, *kinds: str) -> Trouble | None:
        """The earliest trouble of one of these kinds, or None."""
        return next((t for t in self.trouble if t.kind in kinds), None)

    def all(self, *kinds: str) -> list[Trouble]:
        """All troubles of these kinds, in the order of the log."""
        return [t for t in self.trouble if t.kind in kinds]


def _is_broken(path: str, text: str) -> bool:
    """Whether a name is damaged, so that it would be read as another name."""
    if "\ufffd" in text or ("?" in text and path.startswith("target.")):
        return True
    if path == "model.address":
        return len(text) > 18 or not set(text.removeprefix("0x")) <= HEXADECIMAL
    parts = text.replace("-", ".").replace("::", ".").split(".") if path == "model.method" else ()
    return not all(part.replace("_", "x").isalnum() for part in parts)


HEXADECIMAL = frozenset("0123456789abcdefABCDEF")


HOST_ALONE = "host_alone"
"""Seen in a run of which only the host tells: the capture holds nothing of a runner or a launch."""


class RunDraft:
    """Everything known so far about one run."""

    def __init__(self, first_line: int, left: int = 0) -> None:
        self.first_line = first_line
        self.last_line = first_line
        self.newest: Line | None = None
        """The newest line that certainly belongs to this run."""
        self.stage: Stage = "start"
        self.stage_frozen = False
        """True once the method failed to load: the runner goes on printing stages that it never reached."""
        self.figures: dict[str, Any] = {}
        self.lines: dict[str, int] = {}
        self.seen: dict[str, int] = {}
        """Kind of event to the line at which it was last seen."""
        self.files: set[str] = set()
        self.places: dict[tuple[str, int], tuple[str, int]] = {}
        """Source file and its line to the first characters that it printed, and the line of the log."""
        self.openers: dict[str, str] = {}
        """Lines that only the start of a run prints, by kind, where a precise time stamp makes them unique."""
        self.shapes: dict[str, int] = {}
        """Shape of the log prefix to the number of source lines printed with it; it tells releases apart."""
        self.outputs: dict[int, TensorDraft] = {}
        self.inputs: dict[int, TensorDraft] = {}
        self.announced_outputs: int | None = None
        self.open_tensor: OpenTensor | None = None
        """The output whose values stand on the next lines."""
        self.counter_names: tuple[str | None, ...] = ()
        self.planned_buffers: dict[int, int] = {}
        self.pools = PrintedPools()
        self.predictions: list[tuple[int | None, str | None, float | None]] = []
        self.host_operators: list[tuple[str, int | None, float]] = []
        self.iterations: list[float] = []
        """Seconds of each inference that the runner timed."""
        self.bundle: dict[str, Any] = {}
        self.etdump = EtdumpDraft()
        self.block = OpenBlock()
        self.blocks = ClosedBlocks()
        self.delegates: dict[int, dict[str, Any]] = {}
        self.interruption = Interruption()
        self.trouble: list[Trouble] = []
        self.odd: list[Trouble] = []
        """Figures that are not what they claim to be; each becomes a finding."""
        self.failed = False
        self.refused: Stage | None = None
        """The stage at which the NPU's driver refused the program; None once the runner went on."""
        self.completed = False
        self.torn_at = 0
        """Line of a torn element that made a dump incomplete; else 0."""
        self.seems_complete = False
        """True where the last snapshot found everything that such a run prints; more may follow."""
        self.closed = False
        """True once nothing more of this run can follow (exit code printed, simulation over)."""
        self.doubled = False
        """True while every line of the run comes twice, as some tools write captures."""
        self.ended_at = 0
        """Line of text after an error message which says that the program has ended; later lines are not its own."""
        self.gone_on = 0
        """The newest line of text without a meaning that follows an error message of the run."""
        self.served = Served()
        self.was_doubled = False
        self.of_row = False
        """True for a line whose beginning was read just before, as a row of a screen."""
        self.before: dict[str, int] = {}
        """Totals as they were before the newest line that added to them."""
        self.mixed = False
        """True once it is proved that lines of another target stand among those of this run."""
        self.overlap = Overlap(left)
        self.ends = 0
        """How often the run said that it is complete; each of two targets says so."""
        self.started = False
        """True once any line of the runner itself was seen."""
        self.last_event = ""
        self.before_reset = ""
        """The event before the firmware told of a reset."""
        self._states: dict[type, Any] = {}

    def copy(self) -> RunDraft:
        """One whose fields can be replaced, while what they hold is shared: only who reads the lines may change that."""
        result = object.__new__(RunDraft)
        result.__dict__.update(self.__dict__)
        return result

    def state(self, kind: type[State]) -> State:
        """What one module keeps of this run for the lines that it reads, of a class of its own; made when first asked for."""
        found: State | None = self._states.get(kind)
        if found is None:
            found = self._states[kind] = kind()
        return found

    def set(self, path: str, value: Any, line: int) -> None:
        """Record a figure with its line; a later line replaces it, and None removes it."""
        if value is None:
            self.figures.pop(path, None)
            self.lines.pop(path, None)
            return
        if isinstance(value, str) and (not value or _is_broken(path, value)):
            return
        path = intern(path)
        self.figures[path] = value
        self.lines.pop(path, None)  # what stood before this run keeps no place among its lines
        self.lines[path] = line

    def mark(self, path: str, line: int) -> None:
        """Record the line of a figure that is kept elsewhere than in `figures`."""
        self.lines[intern(path)] = line

    def get(self, path: str) -> Any:
        """The figure under this path, or None."""
        return self.figures.get(path)

    def total(self, path: str, known: int | None, more: int) -> int:
        """`known` plus `more`; what the first row of a broken line has added does not count twice."""
        if not self.of_row or path not in self.before:
            self.before[path] = known or 0
        return self.before[path] + more

    def reach(self, stage: Stage) -> None:
        """Record that the runner reached this stage; stages never go back."""
        if not self.stage_frozen and STAGES.index(stage) > STAGES.index(self.stage):
            self.stage = stage

    def complete(self) -> None:
        """Record that the program reached its end, or did what it is there for."""
        self.completed = True
        self.reach("complete")

    def fail(self, kind: str, line: int, text: str = "", level: str = "", values: dict[str, Any] | None = None) -> None:
        """Record what went wrong, and that it made the run fail."""
        self.failed = True
        self.note(kind, line, text, level, values)

    def note(self, kind: str, line: int, text: str = "", level: str = "", values: dict[str, Any] | None = None) -> None:
        """Record something that went wrong; at most `TROUBLE_LIMIT`, for logs that repeat one error for ever."""
        if len(self.trouble) < TROUBLE_LIMIT:
            self.trouble.append(Trouble(kind, line, level, text[:TEXT_LIMIT], values or {}))

    def only_launched(self, line: int, text: str) -> None:
        """Record that the host launched a target, and what the console said last, up to this line."""
        self.last_line = self.seen[HOST_ALONE] = line
        if text:
            self.note("console", line, text)

    def interrupt(self, line: Line) -> None:
        """Tell an open ETDump block that another line came between its own."""
        if self.etdump.open is not None:
            self.etdump.open.interrupt(line)

    def forget(self, line: int) -> None:
        """Take back what was read from this line on: it was only the beginning of a line that now comes whole."""
        while self.trouble and self.trouble[-1].kind == "message" and self.trouble[-1].line >= line:
            self.trouble.pop()
        if self.torn_at >= line and self.outputs:
            self.torn_at, self.outputs[next(reversed(self.outputs))].elided = 0, False

    def doubt(self, kind: str, line: int, text: str) -> None:
        """Record that a printed figure cannot be what it claims to be."""
        if len(self.odd) < TROUBLE_LIMIT and not any(o.kind == kind and o.line == line for o in self.odd[-8:]):
            self.odd.append(Trouble(kind, line, "", text, {}))

    def evidence(self, doubts: Iterable[Trouble]) -> Evidence:
        """What rules may ask about this run; `doubts` are those of the checks (`trust/`)."""
        seen = {**self.seen, "size_test": self.first_line} if "size_test.cpp" in self.files else self.seen
        seen = {**seen, "interrupted": self.interruption.line} if self.interruption.line else seen
        return Evidence(tuple(map(_with_its_request, self.trouble)), (*self.odd, *doubts), seen, self.last_event)


_REQUEST = "Memory allocation failed: "


def _with_its_request(trouble: Trouble) -> Trouble:
    """A failed allocation whose line was cut after its size, as that event; a pattern would match cut rows too."""
    if trouble.kind != "message" or not trouble.text.startswith(_REQUEST):
        return trouble
    size, unit, _ = trouble.text[len(_REQUEST) :].partition("B")
    if not unit or not (size.isascii() and size.isdigit() and len(size) <= 20) or not int(size):  # nothing asks for 0
        return trouble
    return trouble._replace(kind="allocation_failed", values={"requested": int(size), "available": None})
