"""Figures that printf, a 32-bit counter or a damaged line changed: repaired where the log itself proves the right
value, else taken out.

The runners print most figures twice (a total and a value per inference, a ratio and its two numbers, a pool and its
parts). This redundancy is the checksum: what contradicts itself is no measurement. The checks rest on these facts:
totals were printed with `%d` up to 1.4; the CPU's cycle counter has 32 bits and is subtracted in 64; `Operator(s)
total` is the operator's own number; the wait for the NPU lies inside the operator, and the operator inside the run.
"""

from __future__ import annotations

from ..draft import RunDraft
from .quoting import quote
from .settled import NAME, NPU_CYCLES, OPERATOR, Settled

_2_31, _2_32, _2_62, _2_63, _2_64 = 1 << 31, 1 << 32, 1 << 62, 1 << 63, 1 << 64

_TOTAL, _RUNTIME, _WAIT = "cycles.operators_total", "cycles.inference", "cycles.cpu_wait_for_npu"
_CPU_RATIO, _NPU_RATIO = "cycles.cpu_ratio_percent", "cycles.npu_ratio_percent"
_CPU_PATHS = (OPERATOR, _TOTAL, _RUNTIME, _WAIT)
_PRINT_NPU_AS_INT = ("mlek_cycles", "mlek_beats", "mlek_active", "mlek_idle", "mlek_statistics")
"""Events of printers that give even the NPU's counters to `%d`; ExecuTorch prints those, and the wait, with 64 bits."""
_FLOAT_STEP = 1 << 13
"""How far a value near 2^64 may be off as a floating-point number."""
_ROUNDING = 0.0051
"""Rounding error of a value per inference, which has two decimals."""
_RATIO_ROUNDING_PERCENT = 0.0155
_RATIO_SUM_ROUNDING_PERCENT = 0.0151


_LATENCY = "times.inference_seconds"
"""Ports compute it from two readings of a clock, which may have been set between them."""


def settle(draft: RunDraft) -> Settled:
    """Check the figures of a run against each other; the draft keeps what was printed."""
    settled = Settled(draft)
    settled.doubts += draft.blocks.doubts
    for path in ("cycles.inferences", "cycles.delegations"):
        if not 0 <= (settled.get(path) or 0) < _2_32:
            settled.doubt("impossible", path, quote(path, settled.get(path)))
            settled.drop(path)
    seconds = settled.get(_LATENCY)
    if seconds is not None and seconds < 0:
        settled.doubt("impossible", _LATENCY, f"{_LATENCY} : {seconds}")
        settled.drop(_LATENCY)
    if draft.iterations:
        from .times import check_times  # only here: few runners time their inferences

        check_times(settled)
    _uncounted(settled)
    _totals(settled)
    _ratios(settled)
    if settled.counters or settled.get(NPU_CYCLES) is not None or draft.block.named_counters:
        from .counters import check_counters  # only here: most logs have no NPU figures

        check_counters(settled)
    if "target.macs" in settled.figures or "target.npu" in settled.figures:
        from .target import check_target

        check_target(settled)
    if any(path.startswith("memory.") for path in settled.figures):
        from .memory import check_memory

        check_memory(settled)
    return settled


def settle_block(draft: RunDraft) -> Settled:
    """The same for the totals of one of several blocks: a wrap must be undone before blocks are summed."""
    settled = Settled(draft)
    _totals(settled)
    _ratios(settled)
    if settled.mlek:
        from .counters import check_sum

        check_sum(settled)
    return settled


def _totals(settled: Settled) -> None:
    """Undo what printf and 32-bit counters did to totals, and take out those that contradict other figures."""
    for path in _CPU_PATHS:
        _unwrap(settled, path, cpu_counter=True, as_int=path != _WAIT)
    of_kit = any(kind in settled.draft.seen for kind in _PRINT_NPU_AS_INT)
    for path in (NPU_CYCLES, *(f"pmu.counters.{index}" for index in settled.counters)):
        _unwrap(settled, path, cpu_counter=False, as_int=of_kit)
    _per_inference(settled)
    _without_each(settled)
    _cpu_order(settled)


def _uncounted(s: Settled) -> None:
    """Take out the zeros of a counter that was never started."""
    seen = s.draft.seen
    cut = "inferences" in seen and s.get("cycles.cpu_ratio_percent") is None  # the log ends inside of the report
    runtime_off = s.get(_RUNTIME) == 0 and ("cpu_ratio_unknown" in seen or cut)
    if runtime_off:
        s.doubt("runtime_zero", _RUNTIME, "Inference runtime: 0 CPU cycles total")
        s.drop(*(path for path in (_RUNTIME, _WAIT, _TOTAL) if s.get(path) == 0))
    measured = s.get(NPU_CYCLES) or s.get("cycles.delegations")
    unreached = s.draft.failed and not s.get(NPU_CYCLES)  # the NPU may not have been called
    if s.get(OPERATOR) != 0 or not (runtime_off or (measured and not unreached)):
        return
    if not runtime_off:
        s.doubt("operator_cycles_zero", OPERATOR, "ethos-u : cycle_cnt : 0 cycles")
    s.drop(OPERATOR, *([_TOTAL] if s.get(_TOTAL) == 0 else []))


def _unwrap(s: Settled, path: str, *, cpu_counter: bool, as_int: bool) -> None:
    """Undo `%d` on a 64-bit total (`as_int`), and a wrap of the CPU's 32-bit cycle counter (`cpu_counter`)."""
    total = s.get(path)
    if total is None:
        return
    each, count = s.each(path), s.get("cycles.inferences") or 0
    right: int | None = total
    kind = "wrapped"
    by_each = each * count if as_int and each is not None and count > 0 else None
    if total >= _2_63 or (by_each is not None and by_each >= _2_62 and -_2_31 <= total < _2_31):
        kind = "counter_wrapped"
        low = total % _2_32
        held = total if total >= _2_63 or by_each is None else by_each
        right = low if cpu_counter and total < _2_64 and _2_64 - held <= _2_32 + _FLOAT_STEP else None
    elif total < -_2_31 or (total < 0 and not as_int):
        right = None
    elif total < _2_31 and by_each is not None:
        turns = round((by_each - total) / _2_32)
        if turns > 0 and abs(total + turns * _2_32 - by_each) <= _ROUNDING * count + 1e-9 * by_each:
            right = total + turns * _2_32
        elif total < 0:
            right = None
    elif total < 0:
        right = total + _2_32
    if right is None:
        s.doubt("impossible", path, quote(path, total))
        s.drop(path)
    elif right != total or kind == "counter_wrapped":
        beside = f" ({each:.2f} per inference)" if right == total and each is not None else ""
        s.doubt(kind, path, f"{quote(path, total)}{beside} (repaired: {right})")
        s.put(path, right)
        if kind == "counter_wrapped" and path == OPERATOR and each is not None:
            s.operators[NAME] = (right, right / count if count > 0 else None)  # it was made of the wrapped total


def _per_inference(s: Settled) -> None:
    """Take out totals that do not match their values per inference: a digit was lost or changed."""
    count = s.get("cycles.inferences")
    if count is None or not 0 < count < 1 << 40:
        return
    paths = (*_CPU_PATHS, NPU_CYCLES, "cycles.delegations", *(f"pmu.counters.{index}" for index in s.counters))
    known = [(path, s.get(path), s.each(path)) for path in paths]
    pairs = [(path, total, each) for path, total, each in known if total is not None and each is not None]
    pairs = [pair for pair in pairs if pair[2] < _2_62 / count]
    wrong = [(path, total, each) for path, total, each in pairs if not _same(total, each, count)]
    if not wrong:
        return
    telling = [(total, each) for _, total, each in pairs if total > 0 and each >= 1]
    other = round(telling[0][0] / telling[0][1]) if telling else 0
    if other not in (0, count) and len(telling) > 2 and all(_same(total, each, other) for total, each in telling):
        text = f"NPU Inferences : {count} (repaired: {other}, by {len(telling)} totals and their values per inference)"
        s.doubt("inferences", "cycles.inferences", text)
        s.put("cycles.inferences", other)
        return
    for path, total, each in wrong:
        s.doubt("per_inference", path, f"{quote(path, total)} ({each:.2f} per inference)")
        s.drop(path)


def _without_each(s: Settled) -> None:
    """Take out NPU figures without a value per inference where most others have one: the line was cut, perhaps in the
    number.
    """
    paths = [
        path for path in (NPU_CYCLES, *(f"pmu.counters.{index}" for index in s.counters)) if s.get(path) is not None
    ]
    cut = [path for path in paths if s.each(path) is None]
    if not cut or 2 * len(cut) >= len(paths):
        return
    for path in cut:
        s.doubt("each_missing", path, quote(path, s.get(path)))
        s.drop(path)


def _same(total: int, each: float, count: int) -> bool:
    return abs(each * count - total) <= _ROUNDING * count + 1e-9 * abs(total)


def _cpu_order(s: Settled) -> None:
    operator, total, runtime, wait = (s.get(path) for path in _CPU_PATHS)
    if operator is not None and total is not None and operator != total and (operator > total or len(s.operators) == 1):
        s.doubt(
            "cpu_order", OPERATOR, f"{quote(OPERATOR, operator)} and {quote(_TOTAL, total)}, which is the same figure"
        )
        s.drop(OPERATOR, _TOTAL)
        operator = total = None
    inner = operator if operator is not None else total
    if wait is not None and inner is not None and wait > inner:
        s.doubt("cpu_order", _WAIT, f"{quote(_WAIT, wait)}, within {quote(OPERATOR, inner)}")
        s.drop(_WAIT)
        wait = None
    if runtime is None or inner is None or inner <= runtime:
        if runtime is not None and wait is not None and wait > runtime:
            s.doubt("cpu_order", _WAIT, f"{quote(_WAIT, wait)}, within {quote(_RUNTIME, runtime)}")
            s.drop(_WAIT, _RUNTIME)
        return
    if operator is None or total != operator or runtime >= _2_32:
        s.doubt("cpu_order", OPERATOR, f"{quote(OPERATOR, inner)}, within {quote(_RUNTIME, runtime)}")
        s.drop(OPERATOR, _TOTAL, _RUNTIME)
        return
    # a digit was lost since the ratio was made
    if not runtime or (wait and not _fits(s.get(_NPU_RATIO), wait, runtime)):
        s.doubt("cpu_order", _RUNTIME, f"{quote(OPERATOR, inner)}, within {quote(_RUNTIME, runtime)}")
        s.drop(_RUNTIME)
        return
    right = runtime + (inner - runtime + _2_32 - 1) // _2_32 * _2_32
    text = f"{quote(_RUNTIME, runtime)}, with {quote(OPERATOR, inner)} inside it (repaired: {right}, or more by 2^32)"
    s.doubt("counter_wrapped", _RUNTIME, text)
    s.put(_RUNTIME, right)


def _ratios(s: Settled) -> None:
    """Check the two ratios, which the runner computes from the runtime and the wait, and which sum to 100 %."""
    cpu, npu, runtime, wait = s.get(_CPU_RATIO), s.get(_NPU_RATIO), s.get(_RUNTIME), s.get(_WAIT)
    if cpu is None and npu is None:
        return
    cpu_fits = _fits(cpu, None if wait is None or runtime is None else runtime - wait, runtime)
    npu_fits = _fits(npu, wait, runtime)
    agree = all(ratio is None or 0 <= ratio <= 100 for ratio in (cpu, npu))
    if agree and cpu is not None and npu is not None:
        agree = abs(cpu + npu - 100) < _RATIO_SUM_ROUNDING_PERCENT
    if agree and cpu_fits and npu_fits:
        return
    said = (("CPU", cpu), ("NPU", npu))
    text = " and ".join(f"Inference {who} ratio: {value} %" for who, value in said if value is not None)
    s.doubt("ratio", _CPU_RATIO if cpu is not None else _NPU_RATIO, text)
    single = [path for path in (_RUNTIME, _WAIT) if s.each(path) is None]
    wrapped = any(d.kind == "counter_wrapped" for d in s.doubts)
    if agree and single and not wrapped:
        s.drop(*single)  # two ratios agree with each other, and nothing else confirms what they are made of
        return
    measured = wait is not None and bool(runtime)
    s.drop(*(path for path, fits in ((_CPU_RATIO, cpu_fits), (_NPU_RATIO, npu_fits)) if not (fits and measured)))


def _fits(ratio: float | None, part: int | None, runtime: int | None) -> bool:
    """Whether the ratio in percent matches these figures; True where there is nothing to compare."""
    if ratio is None or part is None or not runtime:
        return True
    return abs(100 * part / runtime - ratio) <= _RATIO_ROUNDING_PERCENT
