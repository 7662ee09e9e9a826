"""Parts of a draft: what belongs to one subject of a run that is being read, and goes from line to line together.

Copies of a draft share these parts, so only who reads the lines may change them.
"""

from __future__ import annotations

from .named_tuple import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

    from .etdump.block import EtdumpBlock
    from .trouble import Trouble

FIRST_VALUES = 8
"""Elements of a tensor whose values a report keeps."""
KEPT_BLOCKS = 1_000
"""Performance blocks that are kept one by one per run."""
MOST_DOUBTS = 64


class TensorDraft:
    """One dumped tensor: how many elements came, and the values of the first ones."""

    __slots__ = ("count", "dtype", "elided", "first", "told")

    def __init__(self) -> None:
        self.count = 0
        self.dtype: str | None = None
        self.elided = False
        self.first: list[float] = []
        self.told = 0
        """Number of elements that a header announced; 0 where none did."""

    @property
    def is_whole(self) -> bool:
        """True where no element is known to be missing."""
        if self.elided or (self.count > 0 == len(self.first)):
            return False
        return not self.told or (self.count >= self.told and len(self.first) >= min(self.told, FIRST_VALUES))

    def takes(self, index: int, dtype: str | None) -> bool:
        """True where element `index` is the next one and its value need not be kept."""
        return index == self.count >= len(self.first) == FIRST_VALUES and not self.elided and self.dtype == dtype

    def add(self, index: int, value: float | None, dtype: str | None) -> None:
        """Take element `index`; a gap before it means that the dump left elements out."""
        if index == 0 and self.count and (self.first or self.count > 2):  # else element 1 came before it
            self.count, self.elided, self.first = 0, False, []
        if index > self.count:
            self.elided = True
        if not self.elided:
            self.keep(index, value)
        self.count = max(self.count, index + 1)
        self.dtype = dtype or self.dtype

    def keep(self, index: int, value: float | None) -> None:
        """Keep the value of element `index` if it is the next of the first ones; None becomes NaN."""
        if index == len(self.first) < FIRST_VALUES:
            self.first.append(float("nan") if value is None else value)


class OpenTensor:
    """An output whose values go on in the next lines."""

    __slots__ = ("rest", "tensor", "values")

    def __init__(self, tensor: TensorDraft, rest: str) -> None:
        self.tensor = tensor
        self.values = tensor.count
        """Number of its values that have come."""
        self.rest = rest
        """The last value, if no comma followed it: its digits may go on in the next line."""


class EtdumpDraft:
    """The ETDump of a run: its base64 blocks, and what is known of the next one."""

    __slots__ = ("announced", "blocks", "decoded", "open")

    def __init__(self) -> None:
        self.blocks: list[EtdumpBlock] = []
        """In the order of the log, together at most `ETDUMP_LIMIT_BYTES` of text."""
        self.open: EtdumpBlock | None = None
        """The block that is being read, if it goes over several lines."""
        self.announced: tuple[int, str] | None = None
        """The line that names the file of the next block, and that name."""
        self.decoded: tuple[int, Any] = (-1, None)
        """How much text the blocks had when they were last decoded, and the result."""


class Served:
    """Which inferences a server has done."""

    __slots__ = ("began", "highest", "newest")

    def __init__(self) -> None:
        self.began = False
        """True once an inference began after the server finished the one before."""
        self.newest: int | None = None
        """The number of the inference that it finished last."""
        self.highest = -1
        """The highest such number; a piece of the log that came twice repeats lower ones."""


class Overlap:
    """What the run before has to do with this one: where it broke off in its report, it may go on in here (`dividing/left_off.py`)."""

    __slots__ = ("leans", "left", "place", "shared")

    def __init__(self, left: int) -> None:
        self.left = left
        """How far the run before came in its report, if it broke off there; else 0."""
        self.place = 0
        """How far this run came in the order of Arm's runner, if the run before broke off."""
        self.leans: set[int] = set()
        """Places at which the run before must not have broken off; collected where that is unknown."""
        self.shared = False
        """True where the run before goes on inside this one."""


class BlockState(NamedTuple):
    """What the log said about inferences since the current performance block began.

    `told` goes from "" to "over" (`told_over()`) to "next" (`began()`), in this order only; a new block begins with "".
    `worked` is set by each line about an inference, and cleared when the runner has done all of them. Every step returns
    a new state, because copies of a draft share it.
    """

    worked: bool = False
    """True once an inference ran. No line tells where the whole capture is one inference."""
    told: str = ""
    """"over" once the log said that an inference is over, "next" once another one began after that."""
    behind_served: bool = False
    """True once a server began its next inference: a report that comes then is a new one, even without its first line.
    """
    served: int | None = None
    """The number that a server gave to the inference of this block when it finished."""
    earlier: int = 0
    """How many inferences before this one printed what this block holds."""

    def ran(self) -> BlockState:
        """The state once an inference runs or has run."""
        return self if self.worked else self._replace(worked=True)

    def began(self, *, behind_served: bool) -> BlockState:
        """The state once another inference begins; `behind_served`: a server finished one before it."""
        return self._replace(worked=True, told="next" if self.told else "", behind_served=behind_served)

    def told_over(self) -> BlockState:
        """The state once the log says that an inference is over."""
        return self._replace(worked=True, told=self.told or "over")

    def through_with_all(self) -> BlockState:
        """The state once no inference is to come: what is printed now was printed before."""
        return self._replace(worked=False)

    def once_more(self, *, worked: bool, earlier: int) -> BlockState:
        """The state once this block turned out to repeat the one before, with what is known of that one."""
        return self._replace(worked=self.worked or worked, earlier=earlier)

    @property
    def ended(self) -> int:
        """How many inferences began, ended and printed this block."""
        return self.earlier + (self.told == "next")


NOTHING_TOLD = BlockState()


class OpenBlock:
    """The performance block that is being read, besides those of its figures that have a path in the report."""

    __slots__ = ("counters", "label", "line", "named_counters", "operators", "per_inference", "state")

    def __init__(self, line: int = 0, label: str | None = None, state: BlockState = NOTHING_TOLD) -> None:
        self.line = line
        """Where it began; 0 before the first one."""
        self.label = label
        self.state = state
        self.operators: dict[str, tuple[int | None, float | None]] = {}
        """Name to cycles in all and per inference."""
        self.counters: dict[int, int] = {}
        """Those that are printed with their index."""
        self.named_counters: dict[str, int] = {}
        """Those of the evaluation kit, which have a name and no index."""
        self.per_inference: dict[str, float | None] = {}
        """Path of a total to the value that was printed beside it."""

    @property
    def is_filled(self) -> bool:
        """True where a counter was printed, or what the delegate took."""
        return bool(self.counters or self.named_counters or "ethos-u" in self.operators)

    def clear(self) -> None:
        """Remove the figures, and what was said of inferences; it begins where it did."""
        for figures in (self.operators, self.counters, self.named_counters, self.per_inference):
            figures.clear()
        self.state = NOTHING_TOLD

    def without_figures(self) -> OpenBlock:
        """One of which only that is known where it began and what was said of inferences."""
        return OpenBlock(self.line, self.label, self.state)

    def copy(self) -> OpenBlock:
        """One that can be changed for itself."""
        return self.without_figures().filled_up(self)

    def filled_up(self, before: OpenBlock) -> OpenBlock:
        """This block with the figures of another where it has none of its own, which come first."""
        self.operators = {**before.operators, **self.operators}
        self.counters = {**before.counters, **self.counters}
        self.named_counters = {**before.named_counters, **self.named_counters}
        self.per_inference = {**before.per_inference, **self.per_inference}
        return self


class ClosedBlocks:
    """The performance blocks of a run that are through."""

    __slots__ = ("before", "doubts", "finished", "sum")

    def __init__(self) -> None:
        self.finished: list[Any] = []
        """`collect.block.ClosedBlock`, at most as many as are kept one by one."""
        self.before: Any = None
        """One that the open block may repeat, because no inference ran between them, or none should have."""
        self.sum: Any = None
        """The sum of the finished blocks; None while there is only one."""
        self.doubts: list[Trouble] = []
        """Doubts that the checks found in finished blocks."""

    @property
    def has_room(self) -> bool:
        """True where a further block is kept for itself."""
        return len(self.finished) < KEPT_BLOCKS

    def keep(self, block: Any) -> None:
        """Add a finished block; the sums include those that are not kept one by one."""
        if block.worked:
            self.doubts += block.doubts[: MOST_DOUBTS - len(self.doubts)]
        if self.has_room:
            self.finished.append(block)
        from copy import copy  # only here: few logs hold several blocks

        total, self.sum = self.sum, copy(block)
        if total is not None:
            self.sum.add(total)

    def copy(self) -> ClosedBlocks:
        """One that can be changed for itself; the finished blocks in it are the same."""
        result = ClosedBlocks()
        result.finished, result.doubts = list(self.finished), list(self.doubts)
        result.before, result.sum = self.before, self.sum
        return result


class PrintedPools:
    """What allocators were said to be besides their bytes used and free, by name: it tells whether those can be right."""

    __slots__ = ("percents", "sizes")

    def __init__(self) -> None:
        self.percents: dict[str, int] = {}
        """The use as printed, in percent."""
        self.sizes: dict[str, int] = {}
        """Bytes that each was set up with."""


class Interruption:
    """Where somebody ended a program that only waited for its inference."""

    __slots__ = ("line", "next_command")

    def __init__(self) -> None:
        self.line = 0
        """The line at which it was interrupted; else 0."""
        self.next_command = 0
        """The line at which a shell was given its next command below the program, which was over by then; else 0."""
