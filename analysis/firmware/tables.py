"""Pools with their terms, and operators, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from ..lines import clean
from ..program.tables import build_text
from ..tables import Cell, Column, Table
from ..units import format_bytes, format_count
from .hand_over import HandOver
from .operators import Kernel
from .pools import Pool
from .releases import Release

_ROWS = 400


def pools_table(pools: Sequence[Pool], names: dict[str, str], release: Release, runner: str) -> Table:
    """A row for each pool, below it its terms; `names` are the options of this runner."""
    columns = (Column("Pool"), Column("Bytes", "right"), Column("Certainty"), Column("Option or note"))
    rows = []
    for pool in pools:
        option = names.get(pool.name, "no option of its own")
        rows.append(
            (
                Cell(pool.name.replace("_", " ")),
                Cell(format_count(pool.bytes), pool.bytes),
                Cell(pool.certainty),
                Cell(option),
            )
        )
        rows += [
            (Cell(f"  {term.what}"), Cell(format_count(term.bytes), term.bytes), Cell(f"  {term.source}"), Cell(""))
            for term in pool.terms[:_ROWS]
        ]
        if pool.note:
            rows.append((Cell(""), Cell(""), Cell(""), Cell(pool.note)))
    note = "Stack, heap, code and the program itself come on top."
    return Table(f"Pools of the {runner} runner, ExecuTorch {release.name}", columns, tuple(rows), note)


def facts_table(found: HandOver) -> Table:
    """The file as firmware checks it."""
    rows = [("Size", f"{format_count(found.bytes)} bytes ({format_bytes(found.bytes)})"), ("SHA-256", found.sha256)]
    rows.append(("CRC-32", f"0x{found.crc32:08X}"))
    rows += [("Built for", build_text(build)) for build in found.builds]
    if found.bundle is not None:
        rows.append(("Program", f"{format_count(found.program.bytes)} bytes, from byte {found.program_start_byte:,}"))
    columns = (Column("What"), Column("Value"))
    return Table(clean(found.file), columns, tuple((Cell(name), Cell(value)) for name, value in rows))


def kernels_table(kernels: Sequence[Kernel]) -> Table:
    """The kernels to build."""
    columns = (Column("Operator"), Column("Calls", "right"), Column("Types (kernel keys)"))
    rows = tuple(
        (Cell(kernel.operator), Cell(str(kernel.calls), kernel.calls), Cell("  ".join(kernel.keys[:4])))
        for kernel in kernels[:_ROWS]
    )
    return Table("Operators to build", columns, rows)
