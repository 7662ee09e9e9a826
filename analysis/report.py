"""The report of a capture as plain data.

Every other part shares this vocabulary: the parser fills it, findings read it, screens and exporters render it, and
`to_dict()` makes the JSON of schema ``ethosu-tui/report/1``. ``None`` means "not in the input", never zero; zero means
that the input said zero. The module imports only data tools of the standard library. Its objects are named tuples,
because dataclasses would cost more at start-up than reading a small log does.
"""

from __future__ import annotations

import copyreg
from collections.abc import Mapping
from types import MappingProxyType

from .named_tuple import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

SCHEMA = "ethosu-tui/report/1"
_NOTHING: Mapping[str, Any] = MappingProxyType({})


def _read_only(values: dict[str, Any]) -> MappingProxyType[str, Any]:
    return MappingProxyType(values)


copyreg.pickle(MappingProxyType, lambda values: (_read_only, (dict(values),)))  # reports go from process to process

Status: TypeAlias = 'Literal["passed", "failed", "timeout", "hung", "truncated", "not_started"]'
Stage: TypeAlias = 'Literal["start", "load", "plan", "inputs", "execute", "report", "complete"]'
Severity: TypeAlias = 'Literal["error", "warning", "info"]'

STAGES: tuple[Stage, ...] = ("start", "load", "plan", "inputs", "execute", "report", "complete")
"""The stages of a run in the order in which a runner passes them."""


class Runner(NamedTuple):
    """The program that printed the run, its release of ExecuTorch, and what the release was told by."""

    kind: str = "other"
    executorch_version: str | None = None
    version_evidence: str | None = None


class Target(NamedTuple):
    """What the run took place on, as far as the capture tells."""

    name: str | None = None
    npu: str | None = None
    macs: int | None = None
    platform: str | None = None
    system_config: str | None = None
    memory_mode: str | None = None
    fvp: str | None = None
    """The simulator's executable as the script names it."""
    npu_architecture: str | None = None
    """The version of the NPU's architecture as its driver prints it ("1.1.0"), where all of several say the same."""
    npu_driver: str | None = None
    """The version of the NPU's driver ("0.16.0")."""
    npu_address: str | None = None
    """Where the NPU's registers are, as printed, where all of several drivers say the same."""


class Model(NamedTuple):
    """The program (`.pte`) that was run; `address` and `magic` are texts as printed."""

    pte_bytes: int | None = None
    loaded_bytes: int | None = None
    address: str | None = None
    magic: str | None = None
    methods: int | None = None
    method: str | None = None
    delegates: int | None = None
    """Parts of the program that the Ethos-U backend took over as the method was loaded; None where no line says so."""


class Pool(NamedTuple):
    """One allocator of the runner, in bytes."""

    used_bytes: int | None = None
    free_bytes: int | None = None
    capacity_bytes: int | None = None


class Memory(NamedTuple):
    """Memory by allocator (method, temp, planned_fast, input_file, etdump_outputs) and the parts of the method
    allocator.
    """

    pools: Mapping[str, Pool] = _NOTHING
    planned_bytes: int | None = None
    loaded_bytes: int | None = None
    input_bytes: int | None = None
    executor_bytes: int | None = None
    planned_buffers: tuple[int, ...] = ()
    heap_least_free_bytes: int | None = None
    """The least free heap ever (ESP32)."""


class OperatorCycles(NamedTuple):
    """CPU cycles that the profiler charged to one operator, summed over all inferences of the block."""

    name: str
    cycles: int | None
    per_inference: float | None = None


class Cycles(NamedTuple):
    """The CPU's figures of the performance block: totals over all inferences, as printed."""

    inferences: int | None = None
    delegations: int | None = None
    operators: tuple[OperatorCycles, ...] = ()
    operators_total: int | None = None
    inference: int | None = None
    cpu_wait_for_npu: int | None = None
    cpu_ratio_percent: float | None = None
    npu_ratio_percent: float | None = None


class Counter(NamedTuple):
    """One PMU event counter; `event` is the name that the log's list of events gives to it."""

    index: int  # type: ignore[assignment]
    event: str | None
    value: int


class DelegatePmu(NamedTuple):
    """The counters of one Ethos-U delegate, summed over all its invocations."""

    index: int  # type: ignore[assignment]
    backend_invocations: int | None = None
    npu_invocations: int | None = None
    npu_cycles: int | None = None
    counters: tuple[Counter, ...] = ()


class Pmu(NamedTuple):
    """The NPU's performance monitor: the cycle counter and the event counters."""

    npu_cycles: int | None = None
    npu_cycles_per_inference: float | None = None
    counters: tuple[Counter, ...] = ()
    npu_cycles_min: int | None = None
    """The shortest and the longest inference, where the evaluation kit prints its full statistics."""
    npu_cycles_max: int | None = None
    delegates: tuple[DelegatePmu, ...] = ()
    """The same by delegate, where the runner was built to print it."""

    def if_any(self) -> Pmu | None:
        """This object, or None where the log printed nothing of the PMU: a run without an NPU has no counters, not
        zeros.
        """
        return self if any(figure is not None and figure != () for figure in self) else None


class PerfBlock(NamedTuple):
    """One of several performance blocks of a run, as printed; a server prints one per inference."""

    line: int
    label: str | None
    cycles: Cycles
    pmu: Pmu | None


class Derived(NamedTuple):
    """A figure that was computed, with its unit and the paths of the fields it was computed from."""

    value: float
    unit: str
    sources: tuple[str, ...]


class Tensor(NamedTuple):
    """One output or input as dumped: the number of elements seen and the first values, at most 8."""

    index: int  # type: ignore[assignment]
    count: int  # type: ignore[assignment]
    dtype: str | None
    elided: bool
    first: tuple[float, ...]


class BundleIO(NamedTuple):
    """What the runner said about the outputs compared with the reference data of a bundled program."""

    result: Literal["PASS", "FAIL"]
    testset: int
    mean_absolute_error: float | None = None
    max_absolute_error: float | None = None
    mean_relative_error: float | None = None
    max_relative_error: float | None = None
    rtol: float | None = None
    atol: float | None = None


class EtdumpEvent(NamedTuple):
    """One profiling event of an ETDump."""

    name: str
    operator: str | None
    """The kernel's operator ("add.out"), or the backend of a delegate call; None for events of the framework."""
    cycles: int | None
    """CPU cycles of this call; None where the target had no timer."""
    instruction: int | None
    block: str | None = None
    """The dump's block: "Default" for loading, "Execute" for an inference."""


class Etdump(NamedTuple):
    """An ETDump block of the log; `bytes` is the size of the decoded data, as far as the log holds it."""

    bytes: int
    events: tuple[EtdumpEvent, ...] = ()
    """The calls in the order of the dump, without the runtime's OPERATOR_CALL around each kernel."""
    debug_buffer_bytes: int | None = None
    """Size of the debug buffer printed with it."""
    complete: bool = True
    """False where events of the dump cannot be read, so that sums over the others may be short."""


class OperatorTime(NamedTuple):
    """Wall time of one operator call on the host."""

    name: str
    instruction: int | None
    seconds: float


class Times(NamedTuple):
    """Wall-clock times in seconds that the runner itself printed (hosts and boards; never an FVP's)."""

    load_seconds: float | None = None
    inference_seconds: float | None = None
    operators: tuple[OperatorTime, ...] = ()
    total_seconds: float | None = None
    """Of all inferences together, where it is printed."""


class Prediction(NamedTuple):
    """One line of a top-k list: class index, label and score, each where it is printed."""

    index: int | None  # type: ignore[assignment]
    label: str | None
    score: float | None


class Run(NamedTuple):
    """One run of a model found in a capture; `first_line` and `last_line` are 1-based and inclusive."""

    index: int  # type: ignore[assignment]
    first_line: int
    last_line: int
    status: Status
    stage: Stage
    runner: Runner = Runner()
    target: Target = Target()
    model: Model = Model()
    memory: Memory = Memory()
    cycles: Cycles = Cycles()
    pmu: Pmu | None = None
    times: Times = Times()
    derived: Mapping[str, Derived] = _NOTHING
    outputs: tuple[Tensor, ...] = ()
    inputs: tuple[Tensor, ...] = ()
    predictions: tuple[Prediction, ...] = ()
    bundleio: BundleIO | None = None
    etdump: Etdump | None = None
    lines: Mapping[str, int] = _NOTHING
    """Where each figure was read: field path ("pmu.npu_cycles") to line number."""
    blocks: tuple[PerfBlock, ...] = ()
    """All performance blocks of a run with several; `cycles` and `pmu` are then their sums."""


class Finding(NamedTuple):
    """Something worth saying about a capture: what, where, and what to do. The first error is the root cause."""

    rule: str
    severity: Severity
    run: int | None
    title: str
    detail: str
    advice: str
    lines: tuple[int, ...] = ()


class Layer(NamedTuple):
    """One operator that Vela scheduled, with its estimate (a row of `--verbose-performance`)."""

    index: int  # type: ignore[assignment]
    tosa: str
    name: str
    npu_cycles: int
    op_cycles: int
    macs: int
    sram_bytes: int | None
    share_percent: float


class CompileSummary(NamedTuple):
    """Vela's estimate for one compile, and the result of the delegation. Estimates are not measurements."""

    accelerator: str | None = None
    system_config: str | None = None
    memory_mode: str | None = None
    core_clock_hz: float | None = None
    sram_used_bytes: int | None = None
    dram_used_bytes: int | None = None
    on_chip_flash_used_bytes: int | None = None
    off_chip_flash_used_bytes: int | None = None
    npu_operators: int | None = None
    cpu_operators: int | None = None
    macs: int | None = None
    npu_cycles: int | None = None
    sram_access_cycles: int | None = None
    dram_access_cycles: int | None = None
    on_chip_flash_access_cycles: int | None = None
    off_chip_flash_access_cycles: int | None = None
    total_cycles: int | None = None
    inference_seconds: float | None = None
    delegated_subgraphs: int | None = None
    delegated_nodes: int | None = None
    non_delegated_nodes: int | None = None
    non_delegated_operators: Mapping[str, int] = _NOTHING
    first_line: int | None = None
    """Line of the capture where the summary starts (None when it came from a CSV file)."""
    operators: tuple[Layer, ...] = ()
    """Vela's table of operators, where the capture holds one; the shares are of all its partitions together."""


class Capture(NamedTuple):
    """One input (a file, a stream, a stored run) and everything that was found in it."""

    source: str
    bytes: int
    lines: int
    runs: tuple[Run, ...] = ()
    compile: tuple[CompileSummary, ...] = ()
    findings: tuple[Finding, ...] = ()
    recognised: int = 0
    """Number of lines that a pattern matched; 0 means that nothing in the input was recognised."""


class Report(NamedTuple):
    """The reports of all inputs of one `analyze` command."""

    captures: tuple[Capture, ...]

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of schema ``ethosu-tui/report/1``."""
        return {"schema": SCHEMA, "captures": [to_dict(capture) for capture in self.captures]}


_PLAIN = frozenset((str, int, bool, type(None)))
_RENAMED: dict[tuple[type, str], str] = {(Derived, "sources"): "from"}


def to_dict(value: Any) -> Any:
    """Turn report data into JSON types: named tuples into objects, other sequences into lists, NaN and infinities into
    null.
    """
    if type(value) in _PLAIN:  # as most are
        return value
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        kind = type(value)
        return {
            _RENAMED.get((kind, name), name): to_dict(part) for name, part in zip(value._fields, value, strict=True)
        }
    if isinstance(value, Mapping):
        return {str(key): to_dict(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [to_dict(item) for item in value]
    if isinstance(value, float) and not (float("-inf") < value < float("inf")):
        return None
    return value


def counts_calls(run: Run) -> bool:
    """Whether the "NPU Inferences" of this run count calls of the delegate, not executions of the model.

    Up to release 0.7 a runner prints this line and executes the model once. A host's runner counts executions from the
    first release that could do several.
    """
    if run.runner.kind == "executor_runner":
        return False
    each = run.cycles.delegations is not None or (run.pmu is not None and run.pmu.npu_cycles_per_inference is not None)
    return not each and (run.runner.executorch_version or "").rpartition("..")[2].startswith("0.")


def executions(run: Run) -> int | None:
    """How often this run executed the model; totals of two runs are compared per execution."""
    return 1 if run.cycles.inferences is not None and counts_calls(run) else run.cycles.inferences
