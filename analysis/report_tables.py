"""The tables of a report: what a run, a compile and a set of captures look like in rows.

The command line prints these and the screens show these, so both always agree.  Absent figures are "-", and figures that
do not mean what they look like are dimmed with the reason in the note.
"""

from __future__ import annotations

from collections.abc import Sequence

from .meaning.timed import MEDIAN
from .outputs.left_out import left_out
from .report import Capture, Finding, Run, counts_calls
from .tables import Cell, Column, Table, Tone
from .units import format_bytes, format_count, format_cycles, format_percent, format_seconds, format_status

_PAIR = (Column("What"), Column("Value", "right"))
_TONES: dict[str, Tone] = {"passed": "good", "failed": "bad", "timeout": "bad", "hung": "bad", "truncated": "warn"}
_FVP_NOTE = "CPU cycles and ratios of an FVP are not time; the NPU's own cycle counter is what to look at."


def run_tables(capture: Capture, run: Run) -> dict[str, Table]:
    """The tables of one run: "summary", "memory", "cycles", "operators" where it has an ETDump, "pmu", "derived" where there is any, "outputs"."""
    derived: dict[str, Table] = {}
    pmu = pmu_table(run)
    if run.pmu is not None and run.derived:
        from .meaning.table import derived_table  # only here: most logs have nothing to derive from

        derived["derived"] = derived_table(run)
        if run.pmu.npu_cycles:
            from .meaning.counters import counters_table

            pmu = counters_table(run)
    return {
        "summary": summary_table(capture, run),
        "memory": memory_table(run),
        "cycles": cycles_table(run),
        **_rare(run),
        "pmu": pmu,
        **derived,
        "outputs": outputs_table(run),
    }


def _rare(run: Run) -> dict[str, Table]:
    pmu = run.pmu
    alone = pmu is None or (not pmu.delegates and pmu.npu_cycles_min is None)
    if run.etdump is None and not run.blocks and alone and MEDIAN not in run.derived:
        return {}
    from .block_tables import rare_tables

    return rare_tables(run)


def _figure(run: Run, path: str, name: str, value: float | None, text: str, tone: Tone = "") -> tuple[Cell, ...]:
    line = run.lines.get(path)
    return (Cell(name, name, line), Cell(text, value, line, tone if value is not None else "dim"))


def _word(name: str, value: str | None, line: int | None = None, tone: Tone = "") -> tuple[Cell, ...]:
    return (Cell(name, name, line), Cell(value if value is not None else "-", value, line, tone if value else "dim"))


def status_tone(status: str) -> Tone:
    """How a status is coloured; the word itself always stands beside the colour."""
    return _TONES.get(status, "bad")


def status_cell(status: str, line: int | None = None) -> Cell:
    """A status in the words of people; its value is that of the JSON."""
    return Cell(format_status(status), status, line, status_tone(status))


def summary_table(capture: Capture, run: Run) -> Table:
    """What one wants to know first."""
    target = run.target.name or run.target.npu
    place = " on ".join(part for part in (target, run.target.platform) if part) or None
    runner = run.runner.kind if run.runner.kind != "other" else None
    root = next((f for f in capture.findings if f.run == run.index and f.severity == "error"), None)
    rows = [
        (Cell("Status", "Status", run.last_line), status_cell(run.status, run.last_line)),
        _word("Stage reached", run.stage, run.last_line),
        _word("Runner", runner, run.first_line),
        _word("ExecuTorch", run.runner.executorch_version, run.lines.get("runner.executorch_version")),
        _word("Target", place, run.lines.get("target.npu") or run.lines.get("target.name")),
        _figure(run, "model.pte_bytes", "Program (.pte)", run.model.pte_bytes, format_bytes(run.model.pte_bytes)),
    ]
    if run.model.delegates is not None:
        count = run.model.delegates
        rows.append(_figure(run, "model.delegates", "Ethos-U delegates", count, format_count(count)))
    if run.pmu is not None:
        cycles = run.pmu.npu_cycles
        rows.append(_figure(run, "pmu.npu_cycles", "NPU cycles", cycles, format_cycles(cycles)))
    if run.times.inference_seconds is not None:
        seconds = run.times.inference_seconds
        rows.append(_figure(run, "times.inference_seconds", "Inference time", seconds, format_seconds(seconds)))
    pool = run.memory.pools.get("method")
    if pool is not None and pool.used_bytes is not None:
        path = "memory.pools.method.used_bytes"
        rows.append(_figure(run, path, "Method pool used", pool.used_bytes, format_bytes(pool.used_bytes)))
    if run.bundleio is not None:
        tone: Tone = "good" if run.bundleio.result == "PASS" else "bad"
        rows.append(_word("BundleIO", run.bundleio.result, run.lines.get("bundleio.result"), tone))
    rows.append(_word("Lines of the log", f"{run.first_line} to {run.last_line}", run.first_line))
    note = run.runner.version_evidence or "" if root is None else ""
    return Table("Summary", _PAIR, tuple(rows), note)


def memory_table(run: Run) -> Table:
    """Pools, then the parts of the method pool, then planned buffers."""
    sizes = (Column(name, "right", unit="bytes") for name in ("Used", "Capacity", "Free"))
    columns = (Column("Memory"), *sizes, Column("Use", "right"))
    rows: list[tuple[Cell, ...]] = []
    empty = Cell("", None)
    for name, pool in run.memory.pools.items():
        line = run.lines.get(f"memory.pools.{name}.used_bytes") or run.lines.get(f"memory.pools.{name}.capacity_bytes")
        share = None
        if pool.used_bytes is not None and pool.capacity_bytes:
            share = 100 * pool.used_bytes / pool.capacity_bytes
        rows.append(
            (
                Cell(f"{name} pool", name, line),
                Cell(format_count(pool.used_bytes), pool.used_bytes, line),
                Cell(format_count(pool.capacity_bytes), pool.capacity_bytes, line),
                Cell(format_count(pool.free_bytes), pool.free_bytes, line),
                Cell(format_percent(share), share, line),
            )
        )
    parts = (
        ("planned", "planned_bytes"),
        ("loaded", "loaded_bytes"),
        ("input", "input_bytes"),
        ("executor", "executor_bytes"),
    )
    for name, field in parts:
        value: int | None = getattr(run.memory, field)
        if value is not None:
            line = run.lines.get(f"memory.{field}")
            rows.append((Cell(f"  {name}", name, line), Cell(format_count(value), value, line), empty, empty, empty))
    for index, size in enumerate(run.memory.planned_buffers):
        line = run.lines.get(f"memory.planned_buffers.{index}")
        name = f"  planned buffer {index}"
        rows.append((Cell(name, name, line), Cell(format_count(size), size, line), empty, empty, empty))
    for name, path, value in (
        ("program (.pte)", "model.pte_bytes", run.model.pte_bytes),
        ("program as loaded", "model.loaded_bytes", run.model.loaded_bytes),
    ):
        if value is not None:
            line = run.lines.get(path)
            rows.append((Cell(name, name, line), Cell(format_count(value), value, line), empty, empty, empty))
    note = "Bytes. Default pools are sized for an FVP: compare the bytes with your board, not the percentage."
    return Table("Memory", columns, tuple(rows), note if rows else "The log holds no memory figures.")


def cycles_table(run: Run) -> Table:
    """CPU-side cycles, and wall-clock times where the runner printed them."""
    c = run.cycles
    fvp = run.target.platform not in ("board", "host") and c.inference is not None
    tone: Tone = "dim" if fvp else ""
    calls = c.inferences is not None and c.inferences > 1 and counts_calls(run)
    rows: list[tuple[Cell, ...]] = []
    figures: list[tuple[str, str, float | None, str, Tone]] = [
        (
            "cycles.inferences",
            "Calls of the delegate" if calls else "Inferences",
            c.inferences,
            format_count(c.inferences),
            "",
        ),
        ("cycles.delegations", "NPU delegations", c.delegations, format_count(c.delegations), ""),
        *(
            (f"cycles.operators.{i}", f"Operator {o.name}, CPU cycles", o.cycles, format_cycles(o.cycles), tone)
            for i, o in enumerate(c.operators)
        ),
        (
            "cycles.operators_total",
            "Operators total, CPU cycles",
            c.operators_total,
            format_cycles(c.operators_total),
            tone,
        ),
        ("cycles.inference", "Inference runtime, CPU cycles", c.inference, format_cycles(c.inference), tone),
        (
            "cycles.cpu_wait_for_npu",
            "CPU waits for NPU, CPU cycles",
            c.cpu_wait_for_npu,
            format_cycles(c.cpu_wait_for_npu),
            tone,
        ),
        ("cycles.cpu_ratio_percent", "CPU ratio", c.cpu_ratio_percent, format_percent(c.cpu_ratio_percent), tone),
        ("cycles.npu_ratio_percent", "NPU ratio", c.npu_ratio_percent, format_percent(c.npu_ratio_percent), tone),
    ]
    if run.pmu is not None and run.pmu.npu_cycles is not None:
        figures.append(
            ("pmu.npu_cycles", "NPU cycles (PMU)", run.pmu.npu_cycles, format_cycles(run.pmu.npu_cycles), "")
        )
    if any(f[2] is not None for f in figures):
        rows += (_figure(run, *figure) for figure in figures)
    load, inference = run.times.load_seconds, run.times.inference_seconds
    if load is not None:
        rows.append(_figure(run, "times.load_seconds", "Load time", load, format_seconds(load)))
    if inference is not None:
        rows.append(_figure(run, "times.inference_seconds", "Inference time", inference, format_seconds(inference)))
    for index, operator in enumerate(run.times.operators):
        name = f"{operator.name} [{operator.instruction}]" if operator.instruction is not None else operator.name
        path = f"times.operators.{index}"
        rows.append(_figure(run, path, name, operator.seconds, format_seconds(operator.seconds)))
    note = _FVP_NOTE if fvp else ""
    return Table("Cycles", _PAIR, tuple(rows), note if rows else "The log holds no cycle figures.")


def pmu_table(run: Run) -> Table:
    """The NPU's cycle counter and event counters, named from the log's own list."""
    columns = (Column("#"), Column("Event"), Column("Value", "right"), Column("Per cycle", "right"))
    if run.pmu is None:
        return Table("PMU", columns, (), "The log holds no PMU figures.")
    cycles = run.pmu.npu_cycles
    line = run.lines.get("pmu.npu_cycles")
    rows = [
        (
            Cell("cycle", "cycle", line),
            Cell("NPU cycles", "NPU cycles", line),
            Cell(format_cycles(cycles), cycles, line),
            Cell("", None),
        )
    ]
    for counter in run.pmu.counters:
        line = run.lines.get(f"pmu.counters.{counter.index}")
        name = counter.event.removeprefix("ETHOSU_PMU_") if counter.event else "(no event list in the log)"
        share = counter.value / cycles if cycles else None
        rows.append(
            (
                Cell(str(counter.index), counter.index, line),
                Cell(name, counter.event, line, "" if counter.event else "dim"),
                Cell(format_count(counter.value), counter.value, line),
                Cell(f"{share:.4f}" if share is not None else "-", share, line),
            )
        )
    many = run.cycles.inferences is not None and run.cycles.inferences > 1
    over = "calls of the delegate in one inference" if counts_calls(run) else "inferences"
    note = f"Totals over {run.cycles.inferences} {over}." if many else ""
    return Table("PMU", columns, tuple(rows), note)


def outputs_table(run: Run) -> Table:
    """Dumped tensors, and top-k predictions."""
    columns = (Column("Tensor"), Column("Type"), Column("Elements", "right"), Column("First values"))
    rows: list[tuple[Cell, ...]] = []
    for what, tensors in (("output", run.outputs), ("input", run.inputs)):
        for tensor in tensors:
            line = run.lines.get(f"{what}s.{tensor.index}")
            values = [f"{value:g}" for value in tensor.first]
            if tensor.count > len(values):
                values.append("\u2026")
            count = format_count(tensor.count) + (" (dump elided)" if tensor.elided else "")
            rows.append(
                (
                    Cell(f"{what} {tensor.index}", f"{what} {tensor.index}", line),
                    Cell(tensor.dtype or "-", tensor.dtype, line),
                    Cell(count, tensor.count, line),
                    Cell(", ".join(values), None, line),
                )
            )
    scores = [guess.score for guess in run.predictions if guess.score is not None]
    labels = [guess.label for guess in run.predictions if guess.label is not None]
    again = len(set(labels)) < len(labels)  # the same word twice is no list of the best
    ranked = scores == sorted(scores, reverse=True) and not again
    for rank, guess in enumerate(run.predictions):
        line = run.lines.get(f"predictions.{rank}")
        name = guess.label or f"class {guess.index}"
        place = f"top {rank + 1}" if ranked else f"heard {rank + 1}" if guess.index is None else f"class {guess.index}"
        rows.append(
            (
                Cell(place, None, line),
                Cell(name, None, line),
                Cell("", None),
                Cell("-" if guess.score is None else f"{guess.score:g}", guess.score, line),
            )
        )
    return Table("Outputs", columns, tuple(rows), left_out(run) if rows else "The log holds no outputs.")


def findings_table(findings: Sequence[Finding]) -> Table:
    """What was found, root cause first."""
    tones: dict[str, Tone] = {"error": "bad", "warning": "warn", "info": "dim"}
    columns = (Column("Severity"), Column("Finding"), Column("Line", "right"), Column("Rule"))
    rows = tuple(
        (
            Cell(f.severity, f.severity, None, tones[f.severity]),
            Cell(f.title, f.title, f.lines[0] if f.lines else None),
            Cell(str(f.lines[0]) if f.lines else "-", f.lines[0] if f.lines else None),
            Cell(f.rule, f.rule),
        )
        for f in findings
    )
    return Table("Findings", columns, rows, "" if rows else "Nothing to report.")


def captures_table(captures: Sequence[Capture]) -> Table:
    """One row per run over many captures."""
    columns = (
        Column("Source"), Column("Run", "right"), Column("Status"), Column("Stage"), Column("Target"),
        Column("NPU cycles", "right"), Column("Method pool", "right"), Column("Root cause"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for capture in captures:
        for run in capture.runs:
            root = next((f.title for f in capture.findings if f.run == run.index and f.severity == "error"), "")
            cycles = run.pmu.npu_cycles if run.pmu is not None else None
            pool = run.memory.pools.get("method")
            used = pool.used_bytes if pool is not None else None
            target = run.target.name or run.target.npu or "-"
            rows.append(
                (
                    Cell(capture.source, capture.source),
                    Cell(str(run.index), run.index),
                    status_cell(run.status, run.last_line),
                    Cell(run.stage, run.stage),
                    Cell(target, target),
                    Cell(format_cycles(cycles), cycles),
                    Cell(format_bytes(used), used),
                    Cell(root, root),
                )
            )
    return Table("Runs", columns, tuple(rows))
