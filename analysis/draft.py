"""A run while it is being read: figures by field path, the line of each, and how far the runner came.

Handlers write figures under the paths of the public report ("memory.planned_bytes"), so that every figure carries the
line it was read from without further care.  `freeze()` in `outcome.py` turns a draft into a `Run`.
"""

from __future__ import annotations

from sys import intern

from .named_tuple import TYPE_CHECKING, NamedTuple
from .report import STAGES, Stage

if TYPE_CHECKING:
    from typing import Any

    from .etdump.block import EtdumpBlock
    from .line import Line

TROUBLE_LIMIT = 2_000
FIRST_VALUES = 8
"""Elements of a tensor whose values a report keeps."""
TEXT_LIMIT = 512
"""Characters of a line that a finding may quote."""
LOST_NAME = "(a name that the log lost)"
"""Stands for a name that the C library could not print."""


class Trouble(NamedTuple):
    """Something that went wrong on a line: the event (or "message" for an unknown one), its level, and its values."""

    kind: str
    line: int
    level: str
    text: str
    values: dict[str, Any]


class Evidence(NamedTuple):
    """What findings need of a run beside its report: what went wrong, what was odd, and which events were seen."""

    trouble: tuple[Trouble, ...]
    odd: tuple[Trouble, ...]
    seen: dict[str, int]
    last_event: str

    def first(self, *kinds: str) -> Trouble | None:
        """The earliest trouble of one of these kinds."""
        return next((t for t in self.trouble if t.kind in kinds), None)

    def all(self, *kinds: str) -> list[Trouble]:
        """All troubles of these kinds, in the order of the log."""
        return [t for t in self.trouble if t.kind in kinds]


def _is_broken(path: str, text: str) -> bool:
    """Whether a name has damage in it: it is another name, then."""
    if "\ufffd" in text or ("?" in text and path.startswith("target.")):
        return True
    if path == "model.address":
        return len(text) > 18 or not set(text.removeprefix("0x")) <= HEXADECIMAL
    parts = text.replace("-", ".").replace("::", ".").split(".") if path == "model.method" else ()
    return not all(part.replace("_", "x").isalnum() for part in parts)


HEXADECIMAL = frozenset("0123456789abcdefABCDEF")


class TensorDraft:
    """One dumped tensor: elements counted, the first of them kept."""

    __slots__ = ("count", "dtype", "elided", "first", "told")

    def __init__(self) -> None:
        self.count = 0
        self.dtype: str | None = None
        self.elided = False
        self.first: list[float] = []
        self.told = 0
        """Elements that a header announced; 0 where none did."""

    @property
    def is_whole(self) -> bool:
        """True where no element is known to be missing."""
        if self.elided or (self.count > 0 == len(self.first)):
            return False
        return not self.told or (self.count >= self.told and len(self.first) >= min(self.told, FIRST_VALUES))

    def takes(self, index: int, dtype: str | None) -> bool:
        """True where element `index` is the next one, and its value is not kept any more."""
        return index == self.count >= len(self.first) == FIRST_VALUES and not self.elided and self.dtype == dtype

    def add(self, index: int, value: float | None, dtype: str | None) -> None:
        """Take element `index`; a gap before it means that elements were left out of the dump."""
        if index == 0 and self.count and (self.first or self.count > 2):  # else element 1 came before it
            self.count, self.elided, self.first = 0, False, []
        if index > self.count:
            self.elided = True
        if not self.elided:
            self.keep(index, value)
        self.count = max(self.count, index + 1)
        self.dtype = dtype or self.dtype

    def keep(self, index: int, value: float | None) -> None:
        """Keep the value of element `index` where it is the next of the first ones; None is no number."""
        if index == len(self.first) < FIRST_VALUES:
            self.first.append(float("nan") if value is None else value)


class BlockState(NamedTuple):
    """What was said of inferences since the current performance block began, so that the next report is known for what it is.

    nothing -> "over" (`told_over`) -> "next" (`began`): in this order only, and a new block begins with nothing.  `worked`
    comes with each line about an inference, and goes when the runner is through with all of them (`through_with_all`).
    Each step makes a new one: copies of a draft share it.
    """

    worked: bool = False
    """True once an inference ran; no line tells, where all of a capture is one."""
    told: str = ""
    """"over" once an inference was told to be over, "next" once another one began after that."""
    behind_served: bool = False
    """True once a server began its next inference: a report that comes then is another, even without its first line."""
    served: int | None = None
    """The number under which a server said that the inference of this block was done."""
    earlier: int = 0
    """Inferences that printed what this block holds, before it."""

    def ran(self) -> BlockState:
        """An inference runs, or ran."""
        return self if self.worked else self._replace(worked=True)

    def began(self, *, behind_served: bool) -> BlockState:
        """An inference begins; `behind_served`: a server did another before."""
        return self._replace(worked=True, told="next" if self.told else "", behind_served=behind_served)

    def told_over(self) -> BlockState:
        """An inference is told to be over."""
        return self._replace(worked=True, told=self.told or "over")

    def through_with_all(self) -> BlockState:
        """No inference is to come: what is printed from now on was printed before."""
        return self._replace(worked=False)

    def once_more(self, worked: bool, earlier: int) -> BlockState:
        """The block turned out to be the one before, of which that is known."""
        return self._replace(worked=self.worked or worked, earlier=earlier)

    @property
    def ended(self) -> int:
        """Inferences that began, ended and printed this block."""
        return self.earlier + (self.told == "next")


HOST_ALONE = "host_alone"
"""Seen in a run of which only the host tells: the capture holds nothing of a runner or a launch."""


class RunDraft:
    """What is known of one run so far."""

    def __init__(self, first_line: int, left: int = 0) -> None:
        self.first_line = first_line
        self.last_line = first_line
        self.newest: Line | None = None
        """The newest line that is known to be of the run."""
        self.stage: Stage = "start"
        self.stage_frozen = False
        """True once the method failed to load: the runner goes on printing stages that it never reached."""
        self.figures: dict[str, Any] = {}
        self.lines: dict[str, int] = {}
        self.seen: dict[str, int] = {}
        """Line at which each kind of event was last seen."""
        self.files: set[str] = set()
        self.places: dict[tuple[str, int], tuple[str, int]] = {}
        """Source file and line that printed, to the first characters of the message and the line of the log."""
        self.openers: dict[str, str] = {}
        """Lines that only the start of a run prints, where a precise host time makes them unique."""
        self.shapes: dict[str, int] = {}
        """Kinds of log prefix, and of how many source lines each was seen; they tell releases apart."""
        self.outputs: dict[int, TensorDraft] = {}
        self.inputs: dict[int, TensorDraft] = {}
        self.announced_outputs: int | None = None
        self.tensor_open: TensorDraft | None = None
        """The output whose values stand on the lines that come."""
        self.tensor_values = 0
        """How many of them have come."""
        self.tensor_rest = ""
        """The last of them, where no comma stood behind it: its digits may go on in the next line."""
        self.counters: dict[int, int] = {}
        self.counter_names: tuple[str | None, ...] = ()
        self.planned_buffers: dict[int, int] = {}
        self.planned_methods: dict[str, int] = {}
        """Planned bytes of each method of a program that has several."""
        self.parts: dict[str, dict[str, int]] = {}
        """Figures of each of several programs that are at work together, by figure and name."""
        self.tests: set[tuple[str, str]] = set()
        """Operators that the test of all operators began with, and their folders."""
        self.pool_percents: dict[str, int] = {}
        """The use of each pool in percent, as printed: a third witness beside what is used and what is free."""
        self.pool_sizes: dict[str, int] = {}
        """What each pool was said to hold before its use was printed: a fourth."""
        self.per_inference: dict[str, float | None] = {}
        self.operators: dict[str, tuple[int | None, float | None]] = {}
        self.predictions: list[tuple[int | None, str | None, float | None]] = []
        self.predicted: str | None = None
        """The class whose confidence stands on a line below it."""
        self.host_operators: list[tuple[str, int | None, float]] = []
        self.iterations: list[float] = []
        """Seconds of each inference that the runner timed."""
        self.mlek_counters: dict[str, int] = {}
        self.bundle: dict[str, Any] = {}
        self.etdump_blocks: list[EtdumpBlock] = []
        """The base64 blocks in the order of the log, at most `ETDUMP_LIMIT_BYTES` of text together."""
        self.etdump_open: EtdumpBlock | None = None
        """The block that is being read, where it goes over several lines."""
        self.etdump_announced: tuple[int, str] | None = None
        """The line that says which file the next block is, and the file."""
        self.etdump_decoded: tuple[int, Any] = (-1, None)
        """What the blocks gave when they were decoded last, and how much text they had then."""
        self.blocks: list[Any] = []
        """Performance blocks that are over (`collect.block.DraftBlock`); the current one is in the fields above."""
        self.block_before: Any = None
        """One after which nothing ran before the current block began, or after which nothing should: that may be the same once more."""
        self.block_sum: Any = None
        """The sum of the blocks that are over; None while there is but one."""
        self.block_doubts: list[Trouble] = []
        """What the checks of the figures found in blocks that are over."""
        self.block_line = 0
        self.block = BlockState()
        """What was said of inferences since the current block began."""
        self.block_label: str | None = None
        self.kit_inferences = 0
        """Inferences that an application of the evaluation kit counted last, before their profile."""
        self.kit_model: str | None = None
        """The model whose inference an application of the evaluation kit began last, where it has a name there."""
        self.delegates: dict[int, dict[str, Any]] = {}
        self.interrupted = 0
        """The line at which somebody interrupted a program that only waited for its inference."""
        self.cores: dict[str, bool] = {}
        """How lines of the kernel about a core begin that has a name, and whether that is the one of the NPU's firmware."""
        self.began_ms: int | None = None
        """The time at which an inference began, where a port prints it before and after."""
        self.jobs = 0
        """Inference jobs of a TensorFlow application that were sent and not yet answered."""
        self.announced_predictions: int | None = None
        self.trouble: list[Trouble] = []
        self.odd: list[Trouble] = []
        """Figures that were printed but are not what they say; each becomes a finding."""
        self.doubts: tuple[Trouble, ...] = ()
        """What the checks of the figures found when the run was last frozen; new each time, for a live run goes on."""
        self.failed = False
        self.refused: Stage | None = None
        """The stage at which the NPU's driver refused the program, while nothing shows that the runner went on."""
        self.completed = False
        self.torn_at = 0
        """Line that looks like an element that was torn, which made a dump one that is not all there."""
        self.whole = False
        """True where the newest look at it, while it goes on, found all that such a run prints."""
        self.closed = False
        """True once nothing more of this run can follow (simulation over, exit code printed)."""
        self.doubled = False
        """True while every line of the run stands twice: a tool wrote the capture so."""
        self.once: dict[tuple[str, Any], tuple[Any, ...]] = {}
        """Figures that a run prints once, by kind and index, as they were printed first; `twice` are kinds with two values."""
        self.block_once: dict[tuple[str, Any], tuple[Any, ...]] = {}
        """Those that it prints once in each performance block."""
        self.report_before: dict[tuple[str, Any], tuple[Any, ...]] = {}
        """Those of the report before, where inputs were prepared again behind it."""
        self.other_report: set[str] = set()
        """Kinds of them that the second report says otherwise."""
        self.differs_line = 0
        """The first line of the current block that had two values."""
        self.gap = False
        """True once a server's block broke off and went on as another, until the number of an inference shows what was lost."""
        self.ended_at = 0
        """Line of text behind an error message that says that the program has ended; what comes then is others'."""
        self.gone_on = 0
        """The newest line of text, without a meaning of ours, behind a line of the run that is an error message."""
        self.began = False
        """True once an inference began since a server did the one before."""
        self.newest_served: int | None = None
        """The number of the inference that a server did last."""
        self.highest_served = -1
        """The highest of these numbers; a piece of the log that came twice says lower ones again."""
        self.twice: list[str] = []
        self.newest_once: tuple[str, Any] = ("", None)
        """The newest of them."""
        self.turns = 0
        """How often lines that a run prints once began to be repeated."""
        self.repeating = False
        self.was_doubled = False
        self.of_row = False
        """True for a line whose beginning was read just before, as a row of a screen."""
        self.before: dict[str, int] = {}
        """Totals as they were before the newest line that adds to them."""
        self.pair_line = 0
        """The second of two equal lines of a report that stood last one below the other."""
        self.mixed = False
        """True once it is proved that lines of another target stand among those of this run."""
        self.left = left
        """How far the run before came in its report, where it was left off there (`left_off.py`)."""
        self.place = 0
        """How far this one came in what Arm's runner prints, where one was left off before it."""
        self.leans: set[int] = set()
        """Places at which a run before it must not have been left off, where that is not known."""
        self.shared = False
        """True for one in which the run before goes on."""
        self.ends = 0
        """How often it said that it is complete: each of two targets does."""
        self.started = False
        """True once any line of the runner itself was seen."""
        self.last_event = ""
        self.before_reset = ""
        """The event before the firmware told of a reset."""
        self.last_text = ""
        """What stands last in the capture where it means nothing to this run: it may be the beginning of a line."""

    def set(self, path: str, value: Any, line: int) -> None:
        """Record a figure; the latest line that prints it counts."""
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
        """Record where a figure stands that is kept elsewhere than in `figures`."""
        self.lines[intern(path)] = line

    def get(self, path: str) -> Any:
        """The figure under this path, or None."""
        return self.figures.get(path)

    def total(self, path: str, known: int | None, more: int) -> int:
        """The known total and this much more; what the first row of a broken line has added does not count."""
        if not self.of_row or path not in self.before:
            self.before[path] = known or 0
        return self.before[path] + more

    def reach(self, stage: Stage) -> None:
        """The runner came to this stage; stages never go back."""
        if not self.stage_frozen and STAGES.index(stage) > STAGES.index(self.stage):
            self.stage = stage

    def complete(self) -> None:
        """The program came to its end, or to the end of what it is there for."""
        self.completed = True
        self.reach("complete")

    def fail(self, kind: str, line: int, text: str = "", level: str = "", values: dict[str, Any] | None = None) -> None:
        """Record what went wrong; the run has failed."""
        self.failed = True
        self.note(kind, line, text, level, values)

    def note(self, kind: str, line: int, text: str = "", level: str = "", values: dict[str, Any] | None = None) -> None:
        """Keep what a finding may want to quote; bounded, for logs that repeat one error for ever."""
        if len(self.trouble) < TROUBLE_LIMIT:
            self.trouble.append(Trouble(kind, line, level, text[:TEXT_LIMIT], values or {}))

    def interrupt(self, line: Line) -> None:
        """A line came that may stand inside a block that is being read."""
        if self.etdump_open is not None:
            self.etdump_open.interrupt(line)

    def forget(self, line: int) -> None:
        """What was said from this line on was only the beginning of a line, which is now read whole."""
        while self.trouble and self.trouble[-1].kind == "message" and self.trouble[-1].line >= line:
            self.trouble.pop()
        if self.torn_at >= line and self.outputs:
            self.torn_at, self.outputs[next(reversed(self.outputs))].elided = 0, False

    def wonder(self, kind: str, line: int, text: str) -> None:
        """Record a printed figure that cannot be taken for what it says."""
        if len(self.odd) < TROUBLE_LIMIT and not any(o.kind == kind and o.line == line for o in self.odd[-8:]):
            self.odd.append(Trouble(kind, line, "", text, {}))

    def evidence(self) -> Evidence:
        """What findings may ask of this run."""
        seen = {**self.seen, "size_test": self.first_line} if "size_test.cpp" in self.files else self.seen
        seen = {**seen, "interrupted": self.interrupted} if self.interrupted else seen
        return Evidence(tuple(map(_with_its_request, self.trouble)), (*self.odd, *self.doubts), seen, self.last_event)


_REQUEST = "Memory allocation failed: "


def _with_its_request(trouble: Trouble) -> Trouble:
    """A failed allocation whose line was cut behind its size, as one; no pattern, or the row of a screen would be a whole line."""
    if trouble.kind != "message" or not trouble.text.startswith(_REQUEST):
        return trouble
    size, unit, _ = trouble.text[len(_REQUEST) :].partition("B")
    if not unit or not (size.isascii() and size.isdigit() and len(size) <= 20) or not int(size):  # nothing asks for 0
        return trouble
    return trouble._replace(kind="allocation_failed", values={"requested": int(size), "available": None})
