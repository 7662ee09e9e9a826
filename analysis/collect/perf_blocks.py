"""Several performance blocks in one run: a server prints one per inference, and none of them may be lost.

The runner's server mode, the evaluation kit and others print a whole block after every inference. Each becomes a
`PerfBlock` of the report. `Run.cycles` and `Run.pmu` then hold the sums over all blocks, so that totals, inferences and
values per inference fit together; there are no sums where an application ran several models, and none of a figure that
some block lacks.

A block that is printed again without an inference between is the block before (a piece of the log came twice), even if
it leaves a part out. If its figures differ, it belongs to another run whose start is missing, and both stand for
themselves. A block of which a server's log lost a part is left out. A server's number that comes again tells of a piece
that came twice.

Each block is checked by itself first, because the sum of a total that wrapped and one that did not measures nothing.
"""

from __future__ import annotations

from ..draft import RunDraft, Trouble
from ..named_tuple import TYPE_CHECKING
from ..report import PerfBlock
from .block import ClosedBlock, report_of
from .once_more import (
    OTHERS,
    SUMS,
    Printed,
    alike,
    at_one_end,
    differ,
    lacks,
    only_new,
    part_of,
    refill,
    reports_once,
    serves,
    unlooped,
)

if TYPE_CHECKING:
    from ..trust.settled import Settled

_ANOTHER = "a performance report with other figures than the one before, and no execution between them"
_FAR_BACK = 64
"""How many blocks back a copied piece of a server's log may reach."""
MOST_SPREAD = 1.5
"""One model always takes about the same NPU cycles; more than so many times as much is another model."""

WORK = frozenset(
    ("execute_start", "inference_number", "inferences_finished", "model_run", "server_done", "mlek_start", "mlek_model_start",
     "method_use")
)  # fmt: skip
"""Events which show that an inference runs or ran; `method_use` shows that all are done."""


def next_block(draft: RunDraft, line: int, label: str | None = None, *, always: bool = False) -> None:
    """Begin a block on this line; the one before is kept if an inference ended since (or if `always`)."""
    if draft.blocks.before is not None and _is_again(draft):
        _take_up(draft)
    if not draft.block.line and not always and _filled(draft):  # the log begins inside it
        draft.block.line = min(Printed(draft).lines.values(), default=line)
    if draft.block.line and _filled(draft):
        settled = _settled(draft)
        current = _current(draft, settled)
        current.worked = always or draft.block.state.worked
        current.doubts = settled.doubts
        if draft.blocks.before is not None:
            before = draft.blocks.before
            _part(draft)
            before.printed = None
        if current.worked and (always or not (reports_once(draft) or _unserved(draft))):
            draft.blocks.keep(current)
        else:
            current.printed, current.again = Printed(draft), draft.block.state.ended
            if serves(draft):
                current.served = (-1 if draft.served.newest is None else draft.served.newest) + 1
            draft.blocks.before = current
    forget_block(draft)
    draft.block.line, draft.block.label = line, label


def profiled_again(draft: RunDraft, event: str, value: int) -> bool:
    """Whether a counter is of another profile than the whole one above it: it is there already; a page shows such without headings."""
    counters = draft.block.named_counters
    if draft.get("pmu.npu_cycles") is not None:
        return event == "TOTAL" or event in counters
    first = next(iter(counters), None)  # old profiles have no total
    return event == first and len(counters) > 1 and counters[event] != value


def forget_block(draft: RunDraft) -> None:
    """Clear everything about the current block."""
    for path in (*SUMS, *OTHERS):
        draft.set(path, None, 0)
    for index in range(1, len(draft.block.operators)):
        draft.lines.pop(f"cycles.operators.{index}", None)
    draft.block.clear()


def _is_again(draft: RunDraft) -> bool:
    """Whether the current block is a copy of the one before, or has no figures yet."""
    before = draft.blocks.before
    if not _filled(draft):
        return not before.twice
    printed = Printed(draft)
    if not before.worked:
        return not differ(before.printed, printed)
    if None not in (before.served, draft.block.state.served) and before.served != draft.block.state.served:
        return False  # in a simulator, two inferences may take the very same cycles
    return part_of(before.printed, printed) or (not serves(draft) and alike(before.printed, printed))


def _unserved(draft: RunDraft) -> bool:
    """Whether a server has not yet said that the inference of the current block is done."""
    return serves(draft) and draft.block.state.served is None


def _take_up(draft: RunDraft) -> None:
    """Treat the current block as the one before, with what was printed there."""
    before, draft.blocks.before = draft.blocks.before, None
    if not _filled(draft):
        draft.set("cycles.inferences", None, 0)
    refill(draft, before.printed)
    draft.block.line, draft.block.label = before.line, before.label
    draft.block.state = draft.block.state.once_more(worked=before.worked, earlier=before.again)


def _part(draft: RunDraft) -> None:
    """The block before is another than the current one."""
    before, draft.blocks.before = draft.blocks.before, None
    if _cut(draft, before):
        return
    followed = _followed(draft, before)
    for _ in range(max(1, before.again)):
        draft.blocks.keep(before)
    if not followed:
        several_models(draft, draft.block.line, _ANOTHER, kind="reports")


def _followed(draft: RunDraft, before: ClosedBlock) -> bool:
    """Whether the current block belongs to another inference of the same run: one began, or the server's numbers say
    so.
    """
    if _unbegun(draft, before):
        return False
    return before.worked or (before.served is not None and draft.block.state.served == before.served + 1)


def _unbegun(draft: RunDraft, before: ClosedBlock) -> bool:
    """Whether the runner announces inferences, was done with those of the block before, and announced no other."""
    seen = draft.seen
    return reports_once(draft) and 0 < seen.get("execute_start", 0) < before.line < seen.get("inferences_finished", 0)


def _cut(draft: RunDraft, before: ClosedBlock) -> bool:
    """Whether the block before is only a beginning: of a server's block, or of a run that began its inference again."""
    if before.twice or before.printed is None or not lacks(before.printed, current := Printed(draft)):
        return False
    return serves(draft) or (before.worked and reports_once(draft) and at_one_end(before.printed, current))


def first_block(draft: RunDraft, line: int) -> None:
    """Begin a block where its figures come without the line that usually begins one."""
    if not draft.block.line:
        draft.block.line, draft.block.state = line, draft.block.state._replace(worked=False)


def note_work(draft: RunDraft, kind: str, index: int | None = None) -> None:
    """Record that an inference runs or ran, by a line of `WORK`."""
    block = draft.block
    if kind == "execute_start":
        block.state, draft.served.began = block.state.began(behind_served="server_done" in draft.seen), True
    elif kind == "inferences_finished":
        block.state = block.state.told_over()
    elif kind == "method_use":
        block.state = block.state.through_with_all()
    else:
        block.state = block.state.ran()
        if index is not None and kind == "server_done":
            _note_served(draft, index)


def _note_served(draft: RunDraft, index: int) -> None:
    """Record that a server finished an inference; one that it finished before comes from a copied piece of the log."""
    told = next((block for block in reversed(draft.blocks.finished[-_FAR_BACK:]) if block.served == index), None)
    if told is None or draft.block.state.served == index or not _filled(draft):
        draft.block.state = draft.block.state._replace(served=index)
        return
    only_new(draft, told.figures, told.operators, told.counters)
    if _filled(draft) and draft.blocks.before is None:  # the beginning of the next block, which comes again
        draft.blocks.before = _current(draft, _settled(draft))
        draft.blocks.before.printed = Printed(draft)
        draft.blocks.before.twice = True
    forget_block(draft)


def several_models(draft: RunDraft, line: int, why: str, kind: str = "models") -> None:
    """Mark the blocks as not to be summed: an application runs several models, or (`kind` "reports") there are several
    runs.
    """
    if "mlek_models" not in draft.seen:
        draft.doubt(kind, line, why)
    draft.seen["mlek_models"] = line


def _unlike(draft: RunDraft, last: ClosedBlock | None) -> str | None:
    """NPU cycles of two blocks that cannot belong to one model, which always takes about the same."""
    totals = [block.figures.get("pmu.npu_cycles") for block in (*draft.blocks.finished, *([last] if last else []))]
    known = [total for total in totals if total]
    if len(known) < 2 or max(known) <= MOST_SPREAD * min(known):
        return None
    return f"inferences of {min(known)} and of {max(known)} NPU cycles"


def _settled_before(draft: RunDraft) -> RunDraft:
    """The draft, or a copy in which it is decided what the pending block before is."""
    if draft.blocks.before is None:
        return draft
    result = _copy(draft)
    result.figures, result.lines, result.seen = dict(draft.figures), dict(draft.lines), dict(draft.seen)
    result.odd = list(draft.odd)
    if _is_again(result):
        _take_up(result)
    elif _followed(result, draft.blocks.before) or _cut(result, draft.blocks.before):
        _part(result)
    return result


def _filled(draft: RunDraft) -> bool:
    return draft.block.is_filled or any(path in draft.figures for path in SUMS[1:])


def _settled(draft: RunDraft) -> Settled:
    from ..trust.repair import settle_block  # only here: few logs hold several blocks

    return settle_block(draft)


def _current(draft: RunDraft, settled: Settled) -> ClosedBlock:
    block = ClosedBlock(draft.block.line, draft.block.label)
    block.figures = {path: settled.figures[path] for path in (*SUMS, *OTHERS) if path in settled.figures}
    block.operators = {name: total for name, (total, _) in settled.operators.items()}
    block.counters = dict(settled.mlek or settled.counters)
    block.names = draft.counter_names
    block.served = draft.block.state.served
    return block


def summed(draft: RunDraft) -> RunDraft:
    """The draft, or a copy whose figures are the sums over its blocks."""
    draft = _settled_before(draft)
    if draft.block.state.earlier:
        draft = _doubted(draft, "reports_again", f"{draft.block.state.earlier + 1} times")
    if draft.blocks.before is not None:
        return _apart(draft if "mlek_models" in draft.seen else _doubted(draft, "reports", _ANOTHER))
    if draft.blocks.sum is None:
        return draft
    if "mlek_models" in draft.seen:
        return _apart(draft)
    untold = unlooped(draft)
    if untold or _by_name(draft.blocks.sum):
        why = _unlike(draft, _current(draft, _settled(draft)) if _filled(draft) else None)
        if why is not None:
            return _apart(_doubted(draft, "reports_unlike" if untold else "models", why))
    return _added_up(
        _doubted(draft, "reports_added", f"{draft.blocks.sum.count + _filled(draft)}") if untold else draft
    )


def _by_name(block: ClosedBlock) -> bool:
    """Whether the counters of a block have names instead of indices, as the evaluation kit's have."""
    return any(isinstance(key, str) for key in block.counters)


def _added_up(draft: RunDraft) -> RunDraft:
    """A copy with the sums of all blocks in place of the figures of the current block, which may be empty."""
    result = _copy(draft)
    if _filled(draft):
        settled = _settled(draft)
        result.blocks.doubts = [*draft.blocks.doubts, *settled.doubts]
        total = _current(draft, settled)
        total.add(draft.blocks.sum)
    else:  # the log ends where the next block begins
        total = draft.blocks.sum
    figures = dict(total.figures)
    if _by_name(total):
        figures.setdefault("cycles.inferences", total.count)
        result.block.named_counters = dict(total.counters)
    else:
        result.block.counters = dict(total.counters)
    inferences = figures.get("cycles.inferences")
    result.figures = {p: v for p, v in draft.figures.items() if p not in SUMS and p not in OTHERS}
    result.figures.update((p, v) for p, v in figures.items() if p in SUMS)
    result.lines = dict(draft.lines)
    result.block.per_inference = {}
    npu = figures.get("pmu.npu_cycles")
    if inferences:
        for path in SUMS[1:]:
            if path in figures:
                result.block.per_inference[path] = figures[path] / inferences
        if npu is not None:
            result.figures["pmu.npu_cycles_per_inference"] = npu / inferences
            result.lines.setdefault("pmu.npu_cycles_per_inference", draft.lines.get("pmu.npu_cycles", draft.block.line))
    runtime, wait = figures.get("cycles.inference"), figures.get("cycles.cpu_wait_for_npu")
    if runtime and wait is not None and wait <= runtime:
        result.figures["cycles.cpu_ratio_percent"] = round(100 * (runtime - wait) / runtime, 2)
        result.figures["cycles.npu_ratio_percent"] = round(100 * wait / runtime, 2)
    result.block.operators = {
        n: (v, v / inferences if inferences and v is not None else None) for n, v in total.operators.items()
    }
    for path in (*figures, *(p for p in OTHERS if p in result.figures)):
        result.lines.setdefault(path, draft.block.line)
    return result


def _doubted(draft: RunDraft, kind: str, text: str) -> RunDraft:
    """A copy with a doubt about its blocks."""
    result = _copy(draft)
    result.blocks.doubts = [*draft.blocks.doubts, Trouble(kind, draft.block.line, "", text, {})]
    return result


def _copy(draft: RunDraft) -> RunDraft:
    """A copy whose blocks can be changed for themselves."""
    result = draft.copy()
    result.block, result.blocks = draft.block.copy(), draft.blocks.copy()
    return result


def _apart(draft: RunDraft) -> RunDraft:
    """A copy without the figures of its blocks: they are of different models, so their sum measures nothing."""
    result = _copy(draft)
    result.blocks.doubts = [*draft.blocks.doubts, *(_settled(draft).doubts if _filled(draft) else ())]
    left_out = (*SUMS, *OTHERS)
    result.figures = {path: value for path, value in draft.figures.items() if path not in left_out}
    result.lines = {
        path: line
        for path, line in draft.lines.items()
        if path not in left_out and not path.startswith("pmu.counters.")
    }
    result.block = draft.block.without_figures()
    return result


def block_reports(draft: RunDraft) -> tuple[PerfBlock, ...]:
    """Every block with wrapped totals repaired; empty where the run printed one block, which `cycles` and `pmu` show."""
    draft = _settled_before(draft)
    before = [draft.blocks.before] if draft.blocks.before is not None else []
    if draft.blocks.sum is None and not before:
        return ()
    last = [_current(draft, _settled(draft))] if _filled(draft) and draft.blocks.has_room else []
    return tuple(report_of(block) for block in (*draft.blocks.finished, *before, *last))
