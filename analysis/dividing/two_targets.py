"""Notices that the lines of two targets are mixed in one capture without a name before each; then no figure is
credited.

A runner prints most of its figures once, and prepares before it reports. Where a run seems to print two values of
several such figures, or to report before it prepared, lines of another target stand among its own, and nobody can tell
which figure belongs to which. One odd line proves nothing: lines get lost and damaged.
"""

from __future__ import annotations

from ..collect.once_more import begin_at, reports_once, serves
from ..collect.perf_blocks import forget_block, next_block
from ..draft import RunDraft
from ..draft_parts import ClosedBlocks, EtdumpDraft, PrintedPools
from ..named_tuple import TYPE_CHECKING
from ..patterns import Event
from ..patterns.printed_once import MEASURED, OF_BLOCK, PRINTED_ONCE, STEPS
from ..trust.copies import both_right, damaged
from .boundaries import LAUNCH, OPENERS, PREPARATIONS
from .left_off import ENDS, goes_on, of_launch, of_runner, resumes

if TYPE_CHECKING:
    from typing import Any

    from ..patterns.value_types import Value

_EARLY = frozenset(("method_pool", "planned_buffer"))
_KIT = frozenset(("mlek_beats", "mlek_cycles"))
_OTHER_REPORT = dict.fromkeys(_KIT, _KIT | {"mlek_profile"}) | dict.fromkeys(
    ("npu_cycles", "counter"), MEASURED | {"pmu_start"}
)
"""Lines within the report of Arm's evaluation kit, and of Arm's runner or one like it, and what stands before them there."""
_BEFORE_REPORT = frozenset(("inputs_start", "inputs_ready", "execute_start"))
_PREPARED = ("inputs_start", "inputs_ready", "method_loaded")
"""What a program does once, however many inferences follow it."""
_REPORT = frozenset(("inferences", "outputs", "method_use", "inferences_finished"))
_PROOF = 2
"""Kinds of figures with two values from which a line that was damaged, or came twice, explains it no more."""
_MOST = 8192
"""Lines that are compared; no run prints so many of those that it prints once."""
_TURNS = 3
"""A piece of a log that came twice repeats what was printed in one go; two targets repeat it between new lines."""


class PrintedOnce:
    """What a run has printed of lines that it prints only once: two values of one prove that two targets are mixed."""

    def __init__(self) -> None:
        self.of_run: dict[tuple[str, Any], tuple[Any, ...]] = {}
        """The first values of figures that a run prints only once, by kind and index."""
        self.of_block: dict[tuple[str, Any], tuple[Any, ...]] = {}
        """The same for figures that each performance block prints once."""
        self.before: dict[tuple[str, Any], tuple[Any, ...]] = {}
        """`of_block` of the report before this one, where inputs were prepared again between them."""
        self.other: set[str] = set()
        """Kinds of figures whose values differ between those two reports."""
        self.differs_line = 0
        """The first line of the current block that printed a second value."""
        self.twice: list[str] = []
        """Kinds of such figures of which the run printed two values."""
        self.newest: tuple[str, Any] = ("", None)
        """The kind and index of the newest line that a run prints only once."""
        self.turns = 0
        """How often such lines began to be repeated."""
        self.repeating = False
        self.gap = False
        """True once a server's block broke off and went on as another, until an inference's number shows what was lost.
        """


def note_once(draft: RunDraft, event: Event, whole: bool = False) -> bool:
    """Compare a line that a run prints only once with what it printed before.

    Returns True for a damaged copy of an earlier line, whose figures must not count. `whole` says that the beginning of
    this line was read just before.
    """
    printed = draft.state(PrintedOnce)
    kind = event.kind
    once = printed.of_block if kind in OF_BLOCK else printed.of_run
    if whole:
        if (key := (kind, event.values.get("index"))) in once:
            once[key] = tuple(event.values.values())
        return False
    if draft.overlap.left and goes_on(draft, event):
        mix(draft, event.line, "what comes next in the report of the run before")
        if kind in ENDS:
            return True
    why = _out_of_order(draft, kind)
    if why is not None:
        mix(draft, event.line, why)
    if kind == "inferences":
        printed.before = dict(printed.of_block) if _prepared_again(draft) else {}
        printed.of_block.clear()  # another performance block has begun: its lines were not printed yet
        if "assert_failed" in draft.seen:
            mix(draft, event.line, "a performance report after an assertion that failed")
        return False
    if draft.block.state.behind_served and kind in OF_BLOCK:
        printed.of_block.clear()
        next_block(draft, event.line, always=True)
    if kind not in PRINTED_ONCE or (kind in OF_BLOCK and "inferences" not in draft.seen):
        if kind == "server_done":
            _note_served(draft, event)
        return False
    return _compared(draft, event, once)


def _prepared_again(draft: RunDraft) -> bool:
    """Whether a runner that reports once has prepared inputs, or loaded a method, behind the report before."""
    reported = draft.seen.get("inferences")
    return reported is not None and reports_once(draft) and any(draft.seen.get(of, 0) > reported for of in _PREPARED)


def _compared(draft: RunDraft, event: Event, once: dict[tuple[str, Any], tuple[Any, ...]]) -> bool:
    """A line that a run prints once: whether it is only a damaged copy of the first; what it proves else is noted."""
    printed = draft.state(PrintedOnce)
    kind = event.kind
    key, values = (kind, event.values.get("index")), tuple(event.values.values())
    if printed.before and kind in OF_BLOCK:
        _note_second(draft, event, printed.before.get(key, values))
    if key not in once:
        if len(once) < _MOST:
            once[key], printed.newest = values, key
        printed.repeating = False
        return False
    if draft.was_doubled and once[key] != values:
        broken = damaged(draft, once[key], event.values)
        if broken == "first":
            once[key] = values
        if broken is not None:
            return broken == "second"
    if kind in MEASURED and reports_once(draft) and both_right(draft, once[key], event.values):
        mix(draft, event.line, "a report with two values of one figure, both of which are right")
    if not printed.repeating and (printed.newest != key or once[key] != values):
        printed.repeating = True  # a line that is equal to the one before it was written twice
        printed.turns += 1
    if kind not in STEPS and once[key] != values:
        if kind in OF_BLOCK and printed.differs_line < draft.block.line:
            printed.differs_line = event.line
        if kind not in printed.twice:
            printed.twice.append(kind)
    if not draft.mixed and _is_proved(draft, kind) and not _behind_gap(draft):
        mix(draft, event.line, "what a run prints once, time and again between other lines")
    return False


def _note_second(draft: RunDraft, event: Event, before: tuple[Any, ...]) -> None:
    """A figure of a second report, behind inputs that were prepared again: whether it is otherwise there."""
    printed = draft.state(PrintedOnce)
    if _alike(before, tuple(event.values.values())):
        return
    printed.other.add(event.kind)
    if len(printed.other) >= _PROOF or both_right(draft, before, event.values):
        mix(
            draft,
            event.line,
            "inputs that are prepared again behind a report, and then another report with other figures",
        )
        printed.before = {}


def _alike(before: tuple[Value, ...], values: tuple[Value, ...]) -> bool:
    """Whether these are figures as one program gives them of two inferences, which vary a little on a board."""
    return len(before) == len(values) and all(
        one == other
        or (
            isinstance(one, (int, float))
            and isinstance(other, (int, float))
            and 4 * abs(one - other) <= min(one, other)
        )
        for one, other in zip(before, values, strict=True)
    )


def _is_proved(draft: RunDraft, kind: str) -> bool:
    """Whether no damage and no piece that came twice explains any more what this run printed twice."""
    printed = draft.state(PrintedOnce)
    differ = len(printed.twice)
    if differ >= _PROOF or (printed.turns >= _TURNS and not draft.was_doubled):
        return True
    return differ > 0 and (printed.turns > 1 or draft.was_doubled or (draft.failed and kind in _EARLY))


def _behind_gap(draft: RunDraft) -> bool:
    """Whether a server's block breaks off, and goes on as that of an inference behind a gap; once, for it is not proved yet."""
    printed = draft.state(PrintedOnce)
    if (
        printed.gap
        or not serves(draft)
        or printed.differs_line <= draft.block.line
        or not OF_BLOCK.issuperset(printed.twice)
    ):
        return False
    begin_at(draft, printed.differs_line)
    printed.of_block.clear()
    printed.twice.clear()
    printed.turns, printed.repeating, printed.gap = 0, False, True
    return True


def _note_served(draft: RunDraft, event: Event) -> None:
    """A server has done an inference: a number that does not follow the one before tells of a gap, or of a piece that came twice."""
    printed = draft.state(PrintedOnce)
    index, before = event.values.get("index"), draft.served.newest
    if not isinstance(index, int):
        return
    expected = before + 1 if before is not None else 0 if "server_mode" in draft.seen else index
    if index != expected:
        known = printed.gap or draft.blocks.before is not None or (printed.twice and _behind_gap(draft))
        if index > expected and not known and draft.served.began and "cycles.inferences" in draft.figures:
            forget_block(draft)  # it begins as one inference, and may end as another
        printed.gap = False
        if index > expected and index > draft.served.highest + 1:
            draft.doubt("served_gap", event.line, _missing(before, index))
    draft.served.newest, draft.served.began = index, False
    if index > draft.served.highest:
        draft.served.highest = index


def _missing(before: int | None, index: int) -> str:
    return f"SERVER_INFERENCE_DONE {index} " + ("first" if before is None else f"after {before}")


def _out_of_order(draft: RunDraft, kind: str) -> str | None:
    """What a line says that can only come before what the run has printed already."""
    if kind in _EARLY and kind not in draft.seen and draft.stage == "inputs":
        return "memory that is set up after the inputs are there"
    if kind in _BEFORE_REPORT and kind not in draft.seen and not _REPORT.isdisjoint(draft.seen):
        return None if "server_done" in draft.seen else "inputs or an execution that come after the report"
    if kind == "execute_start" and kind not in draft.seen and "inputs_start" in draft.seen:
        if not MEASURED.isdisjoint(draft.seen) and "server_done" not in draft.seen:
            return "an execution that begins after what was measured of it"
    # Behind a piece of a run without its beginning, that of the next may be lost, too.
    headless = OPENERS.isdisjoint(draft.seen)
    again = kind == "method" and kind not in draft.seen and "method_loaded" in draft.seen
    if again and not headless and of_runner(draft):
        return "a method that is begun after it was loaded"
    if kind in _OTHER_REPORT and _interrupted(draft, _OTHER_REPORT[kind], OF_BLOCK if kind in _KIT else _KIT):
        return "a report that goes on behind lines of another program's"
    if kind == "method_load_failed" and "inferences" in draft.seen:
        return "a method that does not load, after it has run"
    return None


def _interrupted(draft: RunDraft, own: frozenset[str], others: frozenset[str]) -> bool:
    """Whether the newest line of the others is newer than the newest of a report that had begun."""
    seen = draft.seen
    if others.isdisjoint(seen):
        return False
    newest = max((seen[kind] for kind in own & seen.keys()), default=0)
    return 0 < newest < max(seen[kind] for kind in others & seen.keys())


def note_preparation(draft: RunDraft, line: int) -> None:
    """Record that a preparation follows the report of a run that has not ended: that report may be another target's."""
    if PREPARATIONS.isdisjoint(draft.seen) and not OPENERS.isdisjoint(draft.seen):
        mix(draft, line, "a report before anything was prepared for it, and then the preparation")
    elif "inferences" in draft.seen and "execute_start" not in draft.seen and not PREPARATIONS.isdisjoint(draft.seen):
        mix(draft, line, "a report without an execution, and then another preparation")


def of_the_other(draft: RunDraft, event: Event) -> bool:
    """Whether a line that would begin or follow a run belongs to the second target, which goes on inside the open run."""
    kind = event.kind
    if draft.closed and draft.overlap.left and resumes(draft, event):
        mix(draft, event.line, "an exit code, and then the report goes on")
        draft.closed = draft.completed = False
        draft.stage, draft.overlap.shared = "report", True
        return True
    if not draft.mixed or draft.ends != draft.completed or kind == "zephyr_boot":
        return False
    if kind in LAUNCH:
        return of_launch(draft, kind)
    if kind in OPENERS:
        begins = not draft.completed or (draft.overlap.shared and PREPARATIONS.isdisjoint(draft.seen))
        return begins and kind not in draft.seen
    if not (draft.completed or kind in PREPARATIONS):
        return False
    draft.closed = False
    return True


def mix(draft: RunDraft, line: int, why: str) -> None:
    """Record the proof that two targets are mixed in this run; from now on none of its figures counts."""
    if draft.mixed:
        return
    draft.mixed = True
    draft.odd = [odd for odd in draft.odd if odd.kind != "doubled"]
    draft.doubt("mixed", line, why)


def without_figures(draft: RunDraft) -> RunDraft:
    """A copy of the draft with its progress and errors but without any figure."""
    result = draft.copy()
    result.figures = {path: value for path, value in draft.figures.items() if path.startswith("runner.")}
    result.lines, result.places, result.outputs, result.inputs, result.planned_buffers = {}, {}, {}, {}, {}
    result.delegates, result.bundle = {}, {}
    result.predictions, result.host_operators, result.iterations = [], [], []
    result.pools, result.etdump = PrintedPools(), EtdumpDraft()
    result.block, result.blocks = draft.block.without_figures(), ClosedBlocks()
    return result
