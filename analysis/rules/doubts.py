"""Doubted figures as findings: each kind of doubt that the checks of `repair.py` and the collectors raise is one row.

A row says what it means and what to do; what was printed is quoted from the doubt.  Nothing here looks at figures.
"""

from __future__ import annotations

from collections.abc import Callable

from ..draft import Evidence
from ..named_tuple import NamedTuple
from ..outcome import Outcome
from ..report import Finding, Run, Severity
from .newlib import FULL, NO_Z

_MOST_QUOTES = 6


class Doubt(NamedTuple):
    """One rule: the kinds of doubt it speaks of; `detail` holds {quotes}, the printed figures."""

    rule: str
    severity: Severity
    kinds: tuple[str, ...]
    title: str
    detail: str
    advice: str


DOUBTS: tuple[Doubt, ...] = (
    Doubt(
        "test-out-of-tolerance", "warning", ("test_reported",),
        "Outputs of the test of all operators are outside their tolerance, and counted as passed",
        "The log says {quotes}.",
        "Look at the column max|err| of its table, and compare with the same operators on the CPU: the build for the NPU only reports them.",
    ),
    Doubt(
        "wrapped-total", "warning", ("wrapped",),
        "A cycle total was printed wrapped, and is repaired",
        "The log says {quotes}: 32 bits do not hold it. The repaired value is the printed one plus a multiple of 2^32, by "
        "the value per inference where there is one.",
        "Use the values per inference, or a runner newer than 1.4.",
    ),
    Doubt(
        "cycle-counter-wrapped", "warning", ("counter_wrapped",),
        "The CPU's 32-bit cycle counter wrapped while it measured; the figure is repaired",
        "The log says {quotes}. One turn of the counter (2^32 cycles: 10.7 s at 400 MHz) was added back; a second turn could "
        "not be seen.",
        "Measure fewer inferences at a time, so that a measurement takes less than 2^32 CPU cycles.",
    ),
    Doubt(
        "cpu-cycles-not-counted", "warning", ("ratio_unknown", "runtime_zero"),
        "The CPU's cycle counter was not running",
        "The log says {quotes}: no CPU cycles were counted, so there is no ratio.",
        "The runner left the CPU's PMU off, as ExecuTorch 1.4 built with GCC for Cortex-M55 does (a later runner has it), or there is none: QEMU "
        "models no PMU, and cores before Armv8.1-M have none. The NPU counts for itself.",
    ),
    Doubt(
        "operator-cycles-not-counted", "warning", ("operator_cycles_zero",),
        "The delegate's CPU cycles were not counted",
        "The log says {quotes} although the NPU worked; ExecuTorch 0.6 never measures this figure.",
        "Use a runner of 0.7 or later for it; the NPU's own counters are right.",
    ),
    Doubt(
        "pmu-event-unknown", "warning", ("driver_event",),
        "The NPU does not have an event that a counter was set to",
        "The driver's words: {quotes}. That counter counts something else, or nothing.",
        "Choose events of this NPU (ethosu_pmu.h of the core driver): U55 and U65 have AXI0_ and AXI1_ events, U85 has SRAM_ and EXT_ ones.",
    ),
    Doubt(
        "program-size-unknown", "info", ("program_size",),
        "The runner does not know the size of its program",
        "{quotes} is what the runner prints when the program is not part of its ELF; it is not a size.",
        "Take the size from the .pte file.",
    ),
    Doubt(
        "impossible-figure", "warning", ("impossible",),
        "A figure is printed that cannot be, and is left out",
        "The log says {quotes}.",
        "A line of the log is damaged, or the runner's printf cannot print 64-bit numbers: read that line.",
    ),
    Doubt(
        "inferences-missing", "warning", ("served_gap",),
        "The log lost inferences that the server did",
        "The log says {quotes}: of those between, and of what they measured, nothing or only parts are there, and they are in no total.",
        "Capture the console with what loses nothing (flow control, a lower rate, the server's output in a file), or count with what is there.",
    ),
    Doubt(
        "npu-calls-missing", "warning", ("calls_lost",),
        "The log lost cycle counters of the NPU",
        "The log has {quotes}: each inference calls the NPU as often as the others, so lines of some calls are not there, or came twice. No total is made of them.",
        "Keep the kernel's messages off this console (dmesg -n 1), or write the runner's output to a file.",
    ),
    Doubt(
        "inference-times-inconsistent", "warning", ("times",),
        "The times of the single inferences do not go with what the runner tells of all",
        "The log says {quotes}: a line is missing or damaged. What contradicts the rest is left out.",
        "Two programs print on this console, or characters were lost: write the runner's output to a file.",
    ),
    Doubt(
        "targets-mixed", "warning", ("mixed",),
        "Lines of two targets stand mixed in this run; no figure of it can be credited",
        "The log shows {quotes}. Which line is of which target cannot be told, so all figures are left out. "
        "A run that breaks off right above this one may be the beginning of either.",
        "Capture each console to a file of its own, or with a tool that writes its name before each line.",
    ),
    Doubt(
        "several-models", "info", ("models",),
        "Several models ran; their figures are not added up",
        "The log shows {quotes}. Each performance block stands for itself.",
        "Look at the blocks of the run one by one.",
    ),
    Doubt(
        "reports-differ", "warning", ("reports",),
        "Two performance reports stand in this run without an execution between them; their figures are not added up",
        "The log shows {quotes}. One of them is of another run, whose start is missing, so each block stands for itself.",
        "Look at the blocks of the run one by one, or capture each run from its first line.",
    ),
    Doubt(
        "report-repeated", "info", ("reports_again",),
        "A performance report stands in this run more than once with the very same figures, and counts once",
        "The log shows it {quotes}. A piece of a log that came twice looks so, and so do inferences that a simulator gives the same cycles.",
        "If the program did run so many inferences, have it count them (NUM_INFERENCES), or print a number before each.",
    ),
    Doubt(
        "newlib-nano-shift", "warning", ("message_garbled",),
        "A message of this log is lost: the C library cannot print its lines",
        f"The log says {{quotes}}: {NO_Z}, print zu for the source line, and take the number of that line for the place of the message.",
        f"Link {FULL}, or print the line as %lu in the port's et_pal_emit_log_message.",
    ),
    Doubt(
        "outputs-without-names", "info", ("bare_values",),
        "The values of all outputs stand one after another",
        "The first one is {quotes}: example_runner, and the Linux runner before ExecuTorch 0.1, do not say which output a value is of, nor "
        "how many there are. They are listed as one.",
        "Use executor_runner of 0.1 or later.",
    ),
    Doubt(
        "planned-buffers-left-out", "info", ("planned_left_out",),
        "Not all planned buffers of this run are listed",
        "The log says {quotes}: no more are kept.",
        "No program plans so many: the log repeats itself, or lines of many runs stand in it without their starts.",
    ),
    Doubt(
        "lines-doubled", "info", ("doubled",),
        "The lines of this run stand twice in the log",
        "The log says {quotes} twice; a line that only repeats the one before it is not counted again.",
        "Two readers wrote to one file, or a tool prints what it passes on: capture with one of them.",
    ),
    Doubt(
        "inferences-mismatch", "warning", ("inferences",),
        "The number of inferences is not the one that the totals were divided by",
        "The log says {quotes}.",
        "A digit of that line was lost or changed on the way; the repaired number is used.",
    ),
    Doubt(
        "per-inference-mismatch", "warning", ("per_inference",),
        "A total and its value per inference contradict each other",
        "The log says {quotes}: the total divided by the inferences is not the value in brackets. The figure is left out.",
        "A digit of that line was lost or changed on the way: capture again, over a slower or buffered line.",
    ),
    Doubt(
        "figure-cut", "warning", ("each_missing",),
        "The line of a figure was cut, perhaps inside the number",
        "The log says {quotes}, without the value per inference that the other figures of the NPU have. The figure is left out.",
        "Two programs print on this console, or characters were lost: give each its own, or capture over a slower or buffered line.",
    ),
    Doubt(
        "number-broken", "warning", ("broken",),
        "A number was broken by a line of another printer",
        "The log says {quotes}, on two lines. The figure is left out.",
        "Two programs print on this console: keep the kernel's messages off it (dmesg -n 1), or give each its own.",
    ),
    Doubt(
        "cpu-cycles-inconsistent", "warning", ("cpu_order",),
        "CPU cycle figures contradict each other",
        "The log says {quotes}: a part cannot be larger than the whole. What nothing else confirms is left out.",
        "A line of this block is damaged, or a 32-bit counter wrapped: measure fewer inferences, and capture again.",
    ),
    Doubt(
        "ratio-inconsistent", "warning", ("ratio",),
        "The CPU/NPU ratio is not that of the cycles beside it",
        "The log says {quotes}: the two must add up to 100 % and agree with the runtime and the wait for the NPU.",
        "A line of this block is damaged, or a counter wrapped under the ratio: take it from the cycle figures instead.",
    ),
    Doubt(
        "npu-cycles-zero", "warning", ("npu_cycles_zero",),
        "The NPU's cycle counter did not count",
        "The log says {quotes}: the figure is not a measurement and is left out.",
        "An FVP with --fast may count nothing: run without it. On a board, check that the NPU's PMU may be read (secure access, clock enabled) "
        "and that the driver is built with PMU support.",
    ),
    Doubt(
        "npu-traffic-zero", "warning", ("counters_zero",),
        "The NPU worked, and no memory traffic was counted",
        "The log says {quotes}; no inference runs without reading.",
        "An FVP with --fast counts no traffic, and its NPU cycles say nothing either: run without it. On a board, the PMU is "
        "off or not accessible.",
    ),
    Doubt(
        "counter-impossible", "warning", ("over_limit",),
        "A PMU counter is higher than the NPU's cycles allow",
        "The log says {quotes}: a port moves at most one beat a cycle, and a unit is active at most once a cycle. What "
        "cannot be trusted is left out.",
        "A digit was lost, the names belong to another NPU, or the cycle counter wrapped: capture again.",
    ),
    Doubt(
        "counters-may-have-wrapped", "warning", ("counters_suspect",),
        "The PMU counters may have wrapped",
        "The log says {quotes}: event counters have 32 bits, are read once a delegation, and their overflow is not printed.",
        "Trust the cycle counter (48 bits) only, or measure a smaller part of the model.",
    ),
    Doubt(
        "npu-cycles-sum", "warning", ("npu_sum",),
        "Active and idle cycles do not add up to the total",
        "The log says {quotes}.",
        "A line of this block is damaged, or lines of two inferences are mixed; do not rely on it.",
    ),
    Doubt(
        "counter-names-of-other-npu", "warning", ("names_family",),
        "The PMU events listed do not exist on this NPU",
        "The log lists {quotes}, which the named target does not count: what the counters hold is not known.",
        "A runner of 0.4 prints the list of Ethos-U55 on every NPU: use a later one; else check which target was built.",
    ),
    Doubt(
        "npu-contradicted", "warning", ("npu_differs",),
        "The lines of this run name two NPUs",
        "The log says {quotes}: one run has one of them, and which is not told.",
        "Lines of two runs stand together, or one of them was damaged: capture each run by itself.",
    ),
    Doubt(
        "counter-list-mismatch", "warning", ("names_count",),
        "The PMU counters and the list of their events differ in number",
        "The log has {quotes}: lines of this block were lost or cut. A counter keeps the name at its place in the list; a "
        "name that no NPU has is left out, and so are those behind it in a list that is too short.",
        "Capture again; do not compare counters that have no name.",
    ),
    Doubt(
        "counter-names-missing", "info", ("names_missing",),
        "The log does not say what the PMU counters count",
        "It prints {quotes} and no list of events; no names are guessed.",
        "Look up the events in the program that configured the PMU.",
    ),
    Doubt(
        "pool-sum", "warning", ("pool",),
        "Used and free memory do not add up to the pool",
        "The log says {quotes}. What nothing else confirms is left out.",
        "A line of this block is damaged; do not rely on it.",
    ),
    Doubt(
        "pool-counts-requests", "info", ("pool_requests",),
        "A pool's figure is the sum of all requests, not what was in use at once",
        "The log says {quotes}: more than the pool holds, and its own percentage agrees. What was given back is not taken off. The figure is left out.",
        "Nothing, where the run passed: the pool was large enough for it. To find what it needs, make it smaller until a request fails.",
    ),
    Doubt(
        "allocator-sum", "warning", ("parts",),
        "The method allocator's parts do not add up",
        "Planned + loaded + input + executor: {quotes}.",
        "A line of this block is damaged, lines of two runs are mixed, or the port takes more from this pool; do not rely on it.",
    ),
    Doubt(
        "planned-buffers-sum", "warning", ("buffers",),
        "The planned buffers are not what the method allocator planned",
        "The log has {quotes}. The sizes of the buffers are left out.",
        "A line of a planned buffer is missing or damaged: capture again, over a slower or buffered line.",
    ),
)  # fmt: skip
"""In the order in which they are reported."""


def _rule(doubt: Doubt) -> Callable[[Run, Evidence, Outcome | None], Finding | None]:
    def rule(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
        odd = [o for o in seen.odd if o.kind in doubt.kinds] if seen.odd else None
        if not odd:
            return None
        texts = list(dict.fromkeys(o.text for o in odd))
        quotes = "; ".join(texts[:_MOST_QUOTES])
        if len(texts) > _MOST_QUOTES:
            quotes += f" and {len(texts) - _MOST_QUOTES} more"
        lines = tuple(dict.fromkeys(o.line for o in odd[:20]))
        return Finding(
            doubt.rule, doubt.severity, run.index, doubt.title, doubt.detail.format(quotes=quotes), doubt.advice, lines
        )

    return rule


DOUBT_RULES = tuple(_rule(doubt) for doubt in DOUBTS)
