"""Doubted figures as findings: one row for each kind of doubt that `trust/` and the collectors raise.

A row says what the doubt means and what to do; what was printed is quoted from the doubt. Nothing here looks at
figures.
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
    """One rule with the kinds of doubt that it covers; `detail` holds {quotes} for the printed figures."""

    rule: str
    severity: Severity
    kinds: tuple[str, ...]
    title: str
    detail: str
    advice: str


DOUBTS: tuple[Doubt, ...] = (
    Doubt(
        "test-out-of-tolerance", "warning", ("test_reported",),
        "The all-operator test counts outputs outside their tolerance as passed",
        "The log says {quotes}.",
        "Check the max|err| column of its table, and compare with the same operators on the CPU: the NPU build only reports them.",
    ),
    Doubt(
        "wrapped-total", "warning", ("wrapped",),
        "A cycle total wrapped when printed; it is repaired",
        "The log says {quotes}: it does not fit in 32 bits. The repaired value is the printed one plus a multiple of 2^32, chosen by the value per "
        "inference where there is one.",
        "Use the values per inference, or a runner newer than 1.4.",
    ),
    Doubt(
        "cycle-counter-wrapped", "warning", ("counter_wrapped",),
        "The CPU's 32-bit cycle counter wrapped during the measurement; the figure is repaired",
        "The log says {quotes}. One wrap of the counter (2^32 cycles: 10.7 s at 400 MHz) was added back; a second wrap would go unnoticed.",
        "Measure fewer inferences at a time, so that a measurement takes less than 2^32 CPU cycles.",
    ),
    Doubt(
        "cpu-cycles-not-counted", "warning", ("ratio_unknown", "runtime_zero"),
        "The CPU's cycle counter was not running",
        "The log says {quotes}: no CPU cycles were counted, so there is no ratio.",
        "Use a later runner if this is ExecuTorch 1.4 built with GCC for Cortex-M55, which leaves the CPU's PMU off. QEMU models no PMU, and cores before "
        "Armv8.1-M have none. The NPU's own counters are not affected.",
    ),
    Doubt(
        "operator-cycles-not-counted", "warning", ("operator_cycles_zero",),
        "The delegate's CPU cycles were not counted",
        "The log says {quotes} although the NPU worked; ExecuTorch 0.6 never measures this figure.",
        "Use a runner of 0.7 or later; the NPU's own counters are right.",
    ),
    Doubt(
        "pmu-event-unknown", "warning", ("driver_event",),
        "A PMU counter was set to an event that this NPU does not have",
        "The driver says: {quotes}. That counter counts something else, or nothing.",
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
        "A printed figure is impossible, and is left out",
        "The log says {quotes}.",
        "Check that line: it is damaged, or the runner's printf cannot print 64-bit numbers.",
    ),
    Doubt(
        "inferences-missing", "warning", ("served_gap",),
        "The log has lost inferences that the server carried out",
        "The log says {quotes}: of the inferences between, and their measurements, little or nothing is left, and no total includes them.",
        "Capture the console without losses (flow control, a lower baud rate, the server's output in a file), or work with what is there.",
    ),
    Doubt(
        "npu-calls-missing", "warning", ("calls_lost",),
        "The log has lost cycle counters of the NPU",
        "The log has {quotes}: every inference calls the NPU equally often, so lines of some calls are missing or doubled. They are not added up.",
        "Keep the kernel's messages off this console (dmesg -n 1), or write the runner's output to a file.",
    ),
    Doubt(
        "inference-times-inconsistent", "warning", ("times",),
        "The times of the single inferences do not match the runner's total",
        "The log says {quotes}: a line is missing or damaged. What contradicts the rest is left out.",
        "Write the runner's output to a file: two programs print on this console, or characters were lost.",
    ),
    Doubt(
        "targets-mixed", "warning", ("mixed",),
        "Lines of two targets are mixed in this run; none of its figures can be used",
        "The log shows {quotes}. Which line belongs to which target cannot be told, so all figures are left out. A run that breaks off right above this one "
        "may be the start of either.",
        "Capture each console to its own file, or with a tool that puts its name before each line.",
    ),
    Doubt(
        "several-models", "info", ("models",),
        "Several models ran; their figures are not added up",
        "The log shows {quotes}. Each performance block stands on its own.",
        "Look at the blocks of the run one by one.",
    ),
    Doubt(
        "reports-differ", "warning", ("reports",),
        "This run has two performance reports with no execution in between; they are not added up",
        "The log shows {quotes}. One of them belongs to another run, whose start is missing, so each block stands on its own.",
        "Look at the blocks of the run one by one, or capture each run from its first line.",
    ),
    Doubt(
        "reports-unlike", "warning", ("reports_unlike",),
        "This run has performance reports of unlike inferences; they are not added up",
        "The log shows {quotes}. They are of several models, or of runs whose beginnings are missing, so each block stands on its own.",
        "Look at the blocks of the run one by one, and capture each run from its first line.",
    ),
    Doubt(
        "reports-added", "info", ("reports_added",),
        "The performance reports of this run are added up; they may be of several runs",
        "{quotes} reports follow each other, as inferences of one program give them, but neither a server nor a beginning between them tells.",
        "Look at the blocks of the run one by one, and capture each run from its first line.",
    ),
    Doubt(
        "report-repeated", "info", ("reports_again",),
        "This run repeats a performance report with identical figures; it counts once",
        "The log shows it {quotes}. A piece of a log that was repeated looks like this, and so do inferences with equal cycles on a simulator.",
        "If the program really ran that many inferences, have it count them (NUM_INFERENCES), or print a number before each.",
    ),
    Doubt(
        "newlib-nano-shift", "warning", ("message_garbled",),
        "A message of this log is lost: the C library cannot format its lines",
        f"The log says {{quotes}}: {NO_Z}, print zu for the source line, and take that line's number for the message's address.",
        f"Link {FULL}, or print the line number with %lu in the port's et_pal_emit_log_message.",
    ),
    Doubt(
        "outputs-without-names", "info", ("bare_values",),
        "The values of all outputs are printed without output names",
        "The first one is {quotes}: example_runner, and the Linux runner before ExecuTorch 0.1, do not say which output a value belongs to, nor how many "
        "there are. They are listed as one.",
        "Use executor_runner of 0.1 or later.",
    ),
    Doubt(
        "planned-buffers-left-out", "info", ("planned_left_out",),
        "Not all planned buffers of this run are listed",
        "The log says {quotes}; the rest are not kept.",
        "Check the log: no program plans so many, so it repeats itself, or has lines of many runs without their starts.",
    ),
    Doubt(
        "lines-doubled", "info", ("doubled",),
        "The lines of this run appear twice in the log",
        "The log says {quotes} twice; a line that only repeats the one before it is not counted again.",
        "Capture with one reader only: two wrote to one file, or a tool also prints what it passes on.",
    ),
    Doubt(
        "inferences-mismatch", "warning", ("inferences",),
        "The number of inferences does not match the divisor of the totals",
        "The log says {quotes}.",
        "Nothing, unless it recurs: a digit of that line was lost or changed in transit, and the repaired number is used.",
    ),
    Doubt(
        "per-inference-mismatch", "warning", ("per_inference",),
        "A total and its value per inference contradict each other",
        "The log says {quotes}: the total divided by the inferences is not the value in brackets. The figure is left out.",
        "Capture again, over a slower or buffered line: a digit of that line was lost or changed in transit.",
    ),
    Doubt(
        "figure-cut", "warning", ("each_missing",),
        "A figure's line was cut off, perhaps inside the number",
        "The log says {quotes}, without the value per inference that the other figures of the NPU have. The figure is left out.",
        "Give each program its own console, or capture over a slower or buffered line: two print on this one, or characters were lost.",
    ),
    Doubt(
        "number-broken", "warning", ("broken",),
        "A number was split by another program's line",
        "The log says {quotes}, on two lines. The figure is left out.",
        "Keep the kernel's messages off this console (dmesg -n 1), or give each program its own: two print on this one.",
    ),
    Doubt(
        "cpu-cycles-inconsistent", "warning", ("cpu_order",),
        "CPU cycle figures contradict each other",
        "The log says {quotes}: a part cannot be larger than the whole. Figures that nothing else confirms are left out.",
        "Measure fewer inferences, and capture again: a line of this block is damaged, or a 32-bit counter wrapped.",
    ),
    Doubt(
        "ratio-inconsistent", "warning", ("ratio",),
        "The CPU/NPU ratio does not match the cycles printed with it",
        "The log says {quotes}: the two must add up to 100 % and agree with the runtime and the wait for the NPU.",
        "Take the ratio from the cycle figures instead: a line of this block is damaged, or a counter behind the ratio wrapped.",
    ),
    Doubt(
        "npu-cycles-zero", "warning", ("npu_cycles_zero",),
        "The NPU's cycle counter did not count",
        "The log says {quotes}: the figure is not a measurement and is left out.",
        "Run the FVP without --fast, which may count nothing. On a board, check that the NPU's PMU can be read (secure access, clock enabled) and that the "
        "driver is built with PMU support.",
    ),
    Doubt(
        "npu-traffic-zero", "warning", ("counters_zero",),
        "The NPU worked, but no memory traffic was counted",
        "The log says {quotes}; no inference runs without reading.",
        "Run the FVP without --fast, with which it counts no traffic and its NPU cycles mean nothing. On a board, the PMU is off or not accessible.",
    ),
    Doubt(
        "counter-impossible", "warning", ("over_limit",),
        "A PMU counter is higher than the NPU's cycles allow",
        "The log says {quotes}: a port moves at most one beat a cycle, and a unit is active at most once a cycle. Figures that cannot be trusted are left out.",
        "Capture again: a digit was lost, the names belong to another NPU, or the cycle counter wrapped.",
    ),
    Doubt(
        "counters-may-have-wrapped", "warning", ("counters_suspect",),
        "The PMU counters may have wrapped",
        "The log says {quotes}: event counters have 32 bits, are read once per delegation, and their overflow is not printed.",
        "Trust the cycle counter (48 bits) only, or measure a smaller part of the model.",
    ),
    Doubt(
        "npu-cycles-sum", "warning", ("npu_sum",),
        "Active and idle cycles do not add up to the total",
        "The log says {quotes}.",
        "Do not rely on this block: a line is damaged, or lines of two inferences are mixed.",
    ),
    Doubt(
        "counter-names-of-other-npu", "warning", ("names_family",),
        "The PMU events listed do not exist on this NPU",
        "The log lists {quotes}, which the named target does not count: what the counters hold is unknown.",
        "Use a later runner if it is 0.4, which prints the Ethos-U55 list on every NPU; otherwise check which target was built.",
    ),
    Doubt(
        "npu-contradicted", "warning", ("npu_differs",),
        "The lines of this run name two NPUs",
        "The log says {quotes}: a run has only one of them, and the log does not tell which.",
        "Capture each run by itself: lines of two runs are mixed, or one of them was damaged.",
    ),
    Doubt(
        "counter-list-mismatch", "warning", ("names_count",),
        "The PMU counters and the list of their events differ in number",
        "The log has {quotes}: lines of this block were lost or cut. A counter keeps the name at its position in the list; a name that no NPU has is left "
        "out, and so are those after it in a list that is too short.",
        "Capture again; do not compare unnamed counters.",
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
        "The log says {quotes}. Figures that nothing else confirms are left out.",
        "Do not rely on this block: a line of it is damaged.",
    ),
    Doubt(
        "pool-counts-requests", "info", ("pool_requests",),
        "A pool's figure is the sum of all requests, not what was in use at once",
        "The log says {quotes}: more than the pool holds, and its own percentage agrees. Memory given back is not subtracted. The figure is left out.",
        "Nothing, if the run passed: the pool was large enough. To find what it needs, shrink it until a request fails.",
    ),
    Doubt(
        "allocator-sum", "warning", ("parts",),
        "The method allocator's parts do not add up",
        "Planned + loaded + input + executor: {quotes}.",
        "Do not rely on this block: a line is damaged, lines of two runs are mixed, or the port takes more from this pool.",
    ),
    Doubt(
        "planned-buffers-sum", "warning", ("buffers",),
        "The planned buffers do not match what the method allocator planned",
        "The log has {quotes}. The buffer sizes are left out.",
        "Capture again, over a slower or buffered line: a planned buffer's line is missing or damaged.",
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
