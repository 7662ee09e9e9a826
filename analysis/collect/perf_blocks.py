"""Several performance blocks in one run: a server prints one per inference, and none of them may be lost.

The runner's server mode, the evaluation kit and others print a whole block after every inference.  Each becomes a
`PerfBlock` of the report; `Run.cycles` and `Run.pmu` then hold the sums over all blocks, so that totals, inferences and
values per inference go together; there are none where an application ran several models.  A figure that any block lacks has no sum.  A block that is printed again
without an inference between (a duplicated piece of the log) replaces the one before; where its figures are others, it is of
another run whose start is missing, and both stand for themselves.  Each block is checked by itself first: the sum of a total
that wrapped and of one that did not is a measure of nothing.
"""

from __future__ import annotations

from ..draft import RunDraft, Trouble
from ..named_tuple import TYPE_CHECKING
from ..report import Counter, Cycles, OperatorCycles, PerfBlock, Pmu

if TYPE_CHECKING:
    from typing import Any

    from ..trust.settled import Settled

KEPT = 1_000
"""Blocks that a run keeps one by one; the sums go on."""
MOST_DOUBTS = 64
_ANOTHER = "a performance report with other figures than the one before, and no execution between them"
MOST_SPREAD = 1.5
"""Inferences of one model take the same NPU cycles but for what else uses the memories; more than so many times is another."""

_SUMS = (
    "cycles.inferences",
    "cycles.delegations",
    "cycles.operators_total",
    "cycles.inference",
    "cycles.cpu_wait_for_npu",
    "pmu.npu_cycles",
)
_OTHERS = ("cycles.cpu_ratio_percent", "cycles.npu_ratio_percent", "pmu.npu_cycles_per_inference")
WORK = frozenset(
    ("execute_start", "inference_number", "inferences_finished", "model_run", "server_done", "mlek_start", "mlek_model_start")
)  # fmt: skip
"""What tells that an inference runs, or ran."""


class DraftBlock:
    """The figures of one block, by field path, with its counters."""

    __slots__ = ("count", "counters", "figures", "label", "line", "names", "operators")

    def __init__(self, line: int, label: str | None) -> None:
        self.line = line
        self.label = label
        self.count = 1
        self.figures: dict[str, Any] = {}
        self.operators: dict[str, int | None] = {}
        self.counters: dict[Any, int] = {}
        self.names: tuple[str | None, ...] = ()

    def add(self, other: DraftBlock) -> None:
        """Make this the sum of both; what one of them lacks, the sum lacks."""
        self.count += other.count
        self.figures = {p: v + other.figures[p] for p, v in self.figures.items() if p in _SUMS and p in other.figures}
        self.operators = {
            n: None if v is None or other.operators[n] is None else v + (other.operators[n] or 0)
            for n, v in self.operators.items()
            if n in other.operators
        }
        self.counters = {i: v + other.counters[i] for i, v in self.counters.items() if i in other.counters}
        self.names = self.names or other.names


def next_block(draft: RunDraft, line: int, label: str | None = None, *, always: bool = False) -> None:
    """A block begins on this line; the one before is kept if an inference ended since (or `always`)."""
    if draft.block_line and _filled(draft):
        settled = _settled(draft)
        current, before = _current(draft, settled), draft.block_before
        if before is not None and _differ(before, current):
            _keep(draft, before)
            several_models(draft, draft.block_line, _ANOTHER, kind="reports")
        draft.block_before = None
        if always or draft.worked:
            draft.block_doubts += settled.doubts[: MOST_DOUBTS - len(draft.block_doubts)]
            _keep(draft, current)
        else:
            draft.block_before = current
    for path in (*_SUMS, *_OTHERS):
        draft.set(path, None, 0)
    for index in range(1, len(draft.operators)):
        draft.lines.pop(f"cycles.operators.{index}", None)
    draft.operators.clear()
    draft.counters.clear()
    draft.mlek_counters.clear()
    draft.per_inference.clear()
    draft.block_line, draft.block_label = line, label
    draft.worked = draft.block_over = False


def first_block(draft: RunDraft, line: int) -> None:
    """The figures of a block come without a line that begins one."""
    if not draft.block_line:
        draft.block_line, draft.worked = line, False


def note_work(draft: RunDraft, kind: str) -> None:
    """An inference runs or ran, by a line of `WORK`; a flag, since a line number tells nothing where all lines are one."""
    draft.worked = True
    if kind == "execute_start":
        draft.block_over = "server_done" in draft.seen


def _keep(draft: RunDraft, block: DraftBlock) -> None:
    from copy import copy

    if len(draft.blocks) < KEPT:
        draft.blocks.append(block)
    total, draft.block_sum = draft.block_sum, copy(block)
    if total is not None:
        draft.block_sum.add(total)


def _differ(one: DraftBlock, other: DraftBlock) -> bool:
    """Whether two blocks have other values of the same figure; what one of them lacks was lost."""
    pairs = ((one.figures, other.figures), (one.operators, other.operators), (one.counters, other.counters))
    return any(ours[key] != theirs[key] for ours, theirs in pairs for key in ours if key in theirs)


def several_models(draft: RunDraft, line: int, why: str, kind: str = "models") -> None:
    """The blocks are not added up: of several models that an application runs, or (`kind` "reports") of several runs."""
    if "mlek_models" not in draft.seen:
        draft.wonder(kind, line, why)
    draft.seen["mlek_models"] = line


def _unlike(draft: RunDraft, last: DraftBlock | None) -> str | None:
    """The NPU cycles of two blocks that cannot be of one model; one model takes the same again and again."""
    totals = [block.figures.get("pmu.npu_cycles") for block in (*draft.blocks, *([last] if last else []))]
    known = [total for total in totals if total]
    if len(known) < 2 or max(known) <= MOST_SPREAD * min(known):
        return None
    return f"inferences of {min(known)} and of {max(known)} NPU cycles"


def _of_another_run(draft: RunDraft) -> bool:
    """Whether the current block is another one than that which was printed before it without an execution between."""
    before = draft.block_before
    return before is not None and _filled(draft) and _differ(before, _current(draft, _settled(draft)))


def _filled(draft: RunDraft) -> bool:
    return bool(draft.counters or draft.mlek_counters or any(p in draft.figures for p in _SUMS[1:]))


def _settled(draft: RunDraft) -> Settled:
    from ..trust.repair import settle_block  # only here: few logs hold several blocks

    return settle_block(draft)


def _current(draft: RunDraft, settled: Settled) -> DraftBlock:
    block = DraftBlock(draft.block_line, draft.block_label)
    block.figures = {path: settled.figures[path] for path in (*_SUMS, *_OTHERS) if path in settled.figures}
    block.operators = {name: total for name, (total, _) in settled.operators.items()}
    block.counters = dict(settled.mlek or settled.counters)
    block.names = draft.counter_names
    return block


def summed(draft: RunDraft) -> RunDraft:
    """The draft itself, or a copy whose figures are the sums over its blocks."""
    if _of_another_run(draft):
        apart = _apart(draft)
        if "mlek_models" not in draft.seen:
            apart.block_doubts = [*draft.block_doubts, Trouble("reports", draft.block_line, "", _ANOTHER, {})]
        return apart
    if draft.block_sum is None:
        return draft
    if "mlek_models" in draft.seen:
        return _apart(draft)
    if any(isinstance(key, str) for key in draft.block_sum.counters):
        why = _unlike(draft, _current(draft, _settled(draft)) if _filled(draft) else None)
        if why is not None:
            apart = _apart(draft)
            apart.block_doubts = [*draft.block_doubts, Trouble("models", draft.block_line, "", why, {})]
            return apart
    doubts = list(draft.block_doubts)
    if _filled(draft):
        settled = _settled(draft)
        doubts += settled.doubts
        total = _current(draft, settled)
        total.add(draft.block_sum)
    else:  # the log ends where the next block begins
        total = draft.block_sum
    figures, blocks = total.figures, total.count
    by_name = any(isinstance(key, str) for key in total.counters)  # the current block may be empty
    if by_name:
        figures.setdefault("cycles.inferences", blocks)
    inferences = figures.get("cycles.inferences")
    result = _copy(draft)
    result.block_doubts = doubts
    result.figures = {p: v for p, v in draft.figures.items() if p not in _SUMS and p not in _OTHERS}
    result.figures.update((p, v) for p, v in figures.items() if p in _SUMS)
    result.lines = dict(draft.lines)
    result.per_inference = {}
    npu, runtime, wait = (figures.get(f"{p}") for p in (_SUMS[5], _SUMS[3], _SUMS[4]))
    if inferences:
        for path in _SUMS[1:]:
            if path in figures:
                result.per_inference[path] = figures[path] / inferences
        if npu is not None:
            result.figures["pmu.npu_cycles_per_inference"] = npu / inferences
            result.lines.setdefault("pmu.npu_cycles_per_inference", draft.lines.get("pmu.npu_cycles", draft.block_line))
    if runtime and wait is not None and wait <= runtime:
        result.figures["cycles.cpu_ratio_percent"] = round(100 * (runtime - wait) / runtime, 2)
        result.figures["cycles.npu_ratio_percent"] = round(100 * wait / runtime, 2)
    result.operators = {
        n: (v, v / inferences if inferences and v is not None else None) for n, v in total.operators.items()
    }
    if by_name:
        result.mlek_counters = dict(total.counters)
    else:
        result.counters = dict(total.counters)
    for path in (*figures, *(p for p in _OTHERS if p in result.figures)):
        result.lines.setdefault(path, draft.block_line)
    return result


def _copy(draft: RunDraft) -> RunDraft:
    from copy import copy  # only here: few logs hold several blocks

    return copy(draft)


def _apart(draft: RunDraft) -> RunDraft:
    """A copy without the figures of its blocks: they are of different models, and their sum is a measure of nothing."""
    result = _copy(draft)
    left_out = (*_SUMS, *_OTHERS)
    result.figures = {path: value for path, value in draft.figures.items() if path not in left_out}
    result.lines = {
        path: line
        for path, line in draft.lines.items()
        if path not in left_out and not path.startswith("pmu.counters.")
    }
    result.per_inference, result.operators, result.counters, result.mlek_counters = {}, {}, {}, {}
    return result


def block_reports(draft: RunDraft) -> tuple[PerfBlock, ...]:
    """Every block, wrapped totals repaired; none where the run printed one, which is then `cycles` and `pmu` themselves."""
    before = [draft.block_before] if _of_another_run(draft) else []
    if draft.block_sum is None and not before:
        return ()
    last = [_current(draft, _settled(draft))] if _filled(draft) and len(draft.blocks) < KEPT else []
    return tuple(_report(block) for block in (*draft.blocks, *before, *last))


def _report(block: DraftBlock) -> PerfBlock:
    get = block.figures.get
    counters = tuple(
        Counter(key, block.names[key] if key < len(block.names) else None, value)
        if isinstance(key, int)
        else Counter(i, _name(key), value)
        for i, (key, value) in enumerate(block.counters.items())
    )
    pmu = None
    if counters or get("pmu.npu_cycles") is not None:
        pmu = Pmu(get("pmu.npu_cycles"), get("pmu.npu_cycles_per_inference"), counters)
    cycles = Cycles(
        inferences=get("cycles.inferences"),
        delegations=get("cycles.delegations"),
        operators=tuple(OperatorCycles(name, total) for name, total in block.operators.items()),
        operators_total=get("cycles.operators_total"),
        inference=get("cycles.inference"),
        cpu_wait_for_npu=get("cycles.cpu_wait_for_npu"),
        cpu_ratio_percent=get("cycles.cpu_ratio_percent"),
        npu_ratio_percent=get("cycles.npu_ratio_percent"),
    )
    return PerfBlock(block.line, block.label, cycles, pmu)


def _name(key: object) -> str | None:
    return (
        f"ETHOSU_PMU_NPU_{key}" if key in ("ACTIVE", "IDLE") else f"ETHOSU_PMU_{key}" if isinstance(key, str) else None
    )
