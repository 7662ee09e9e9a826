"""The bars and tables that a report shows besides those of `analysis.report_tables`: formatting only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..analysis.report import CompileSummary, Pool, Run
from ..analysis.tables import Cell, Column, Table
from ..analysis.units import format_bytes, format_count, format_cycles, format_percent
from .widgets.bars import Bar, Part, in_cells

if TYPE_CHECKING:
    from ..analysis.fit.of_run import RunFit, RunNeeds


def ratio_is_time(run: Run) -> bool:
    """False where the shares of CPU and NPU come from a simulator, or from an unknown place."""
    return run.target.platform in ("board", "host")


def _pool_bar(name: str, pool: Pool, parts: tuple[Part, ...]) -> Bar | None:
    if pool.used_bytes is None or not pool.capacity_bytes:
        return None
    share = format_percent(100 * pool.used_bytes / pool.capacity_bytes)
    text = in_cells(format_bytes(pool.used_bytes), f"of {format_bytes(pool.capacity_bytes)}", share)
    return Bar(name, parts or (Part("used", pool.used_bytes),), pool.capacity_bytes, **text)


def memory_bars(run: Run) -> tuple[Bar, ...]:
    """One bar for each pool, and one for what the method pool is made of."""
    memory = run.memory
    bars = [_pool_bar(name, pool, ()) for name, pool in memory.pools.items()]
    found = [bar for bar in bars if bar is not None]
    named = (
        ("planned", memory.planned_bytes),
        ("loaded", memory.loaded_bytes),
        ("input", memory.input_bytes),
        ("executor", memory.executor_bytes),
    )
    parts = tuple(Part(f"{name} {format_bytes(value)}", value) for name, value in named if value)
    total = sum(part.value for part in parts)
    if parts:
        text = in_cells(format_bytes(int(total)), "in parts", "")
        found.insert(1 if found else 0, Bar("in method", parts, total, legend=True, **text))
    return tuple(found)


def compile_memory_bars(summary: CompileSummary) -> tuple[Bar, ...]:
    """What Vela says each memory holds, on one scale."""
    known = _compile_memories(summary)
    whole = max((value for _, value in known), default=0)
    return tuple(Bar(name, (Part(name, value),), whole, format_bytes(value)) for name, value in known if whole)


def compile_memory_table(summary: CompileSummary) -> Table:
    """The same figures to the byte."""
    rows = tuple(
        (Cell(name, name), Cell(format_count(value), value), Cell(format_bytes(value), value))
        for name, value in _compile_memories(summary)
    )
    note = f"Vela's estimate for {summary.memory_mode or 'its memory mode'}; none of it is measured."
    return Table("Memory", (Column("Memory"), Column("Bytes", "right"), Column("Used", "right")), rows, note)


def _compile_memories(summary: CompileSummary) -> list[tuple[str, int]]:
    named = (
        ("SRAM", summary.sram_used_bytes),
        ("DRAM", summary.dram_used_bytes),
        ("on-chip flash", summary.on_chip_flash_used_bytes),
        ("off-chip flash", summary.off_chip_flash_used_bytes),
    )
    return [(name, value) for name, value in named if value is not None]


def board_bars(fit: RunFit | None, needs: RunNeeds | None) -> tuple[Bar, ...]:
    """What is needed of each memory of the chosen board, in parts."""
    if fit is None or needs is None:
        return ()
    bars = []
    for region in fit.regions:
        need, room = region.check.needed_bytes, region.check.available_bytes
        if need is None or not room:
            continue
        parts: tuple[Part, ...] = (Part("program", need),)
        if region.region == "RAM":
            whole = tuple(
                Part(f"{item.name} {'' if item.exact else 'at most '}{format_bytes(item.bytes)}", item.bytes)
                for item in needs.items
            )
            parts = whole if sum(part.value for part in whole) == need else (Part("pools", need),)
        margin = region.margin_percent or 0.0
        left = f"{margin:.0f} % left" if margin >= 0 else f"{format_bytes(need - room)} too much"
        text = in_cells(format_bytes(need), f"of {format_bytes(room)}", left)
        bars.append(Bar(f"{fit.board.name} {region.region}", parts, max(room, need), legend=len(parts) > 1, **text))
    return tuple(bars)


def use_bars(run: Run) -> tuple[Bar, ...]:
    """How much of each unit, memory and port is used, as far as it was derived."""
    from ..analysis.meaning.counters import uses_of

    return tuple(
        Bar(use.name, (Part("", min(use.percent, 100.0)),), 100, f"{use.text:>8} {use.what}", from_left=True)
        for use in uses_of(run)
    )


def with_status(table: Table, status: str) -> Table:
    """A summary whose status says this word: what the log alone has for it may not be all that is known."""
    rows = tuple(
        (row[0], row[1]._replace(text=status, value=status, tone="warn")) if row[0].value == "Status" else row
        for row in table.rows
    )
    return table._replace(rows=rows)


def cycle_bars(run: Run) -> tuple[Bar, ...]:
    """The runner's CPU/NPU split, and each operator's share of the CPU cycles."""
    cycles = run.cycles
    bars: list[Bar] = []
    muted = not ratio_is_time(run)
    if cycles.cpu_ratio_percent is not None and cycles.npu_ratio_percent is not None:
        cpu, npu = cycles.cpu_ratio_percent, cycles.npu_ratio_percent
        text = f"CPU {format_percent(cpu)}  NPU {format_percent(npu)}"
        bars.append(Bar("CPU / NPU", (Part("CPU", cpu), Part("NPU", npu)), 100, text, muted=muted, legend=not muted))
    known = [o for o in cycles.operators if o.cycles]
    whole = cycles.inference or cycles.operators_total or max((o.cycles or 0 for o in known), default=0)
    for operator in known[:8]:
        text = format_cycles(operator.cycles)
        bars.append(Bar(operator.name, (Part(operator.name, operator.cycles or 0),), whole, text, muted=muted))
    return tuple(bars)
