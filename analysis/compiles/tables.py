"""Tables of compiles: one column for each configuration, or one for each delegate of a network and one for the whole
network.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..named_tuple import TYPE_CHECKING
from ..order_statistics import best_of
from ..report import Capture, CompileSummary, to_dict
from ..tables import Cell, Column, Table
from ..units import format_bytes, format_count, format_cycles, format_hz, format_seconds, number_of
from .whole_network import networks_of

if TYPE_CHECKING:
    from typing import Any

_COMPILE_ROWS: tuple[tuple[str, str, Any], ...] = (
    ("system config", "system_config", str),
    ("memory mode", "memory_mode", str),
    ("clock", "core_clock_hz", format_hz),
    ("total cycles (estimate)", "total_cycles", format_cycles),
    ("NPU cycles (estimate)", "npu_cycles", format_cycles),
    ("inference time (estimate)", "inference_seconds", format_seconds),
    ("SRAM used", "sram_used_bytes", format_bytes),
    ("DRAM used", "dram_used_bytes", format_bytes),
    ("on-chip flash used", "on_chip_flash_used_bytes", format_bytes),
    ("off-chip flash used", "off_chip_flash_used_bytes", format_bytes),
    ("MACs", "macs", format_count),
    ("delegated subgraphs", "delegated_subgraphs", format_count),
    ("delegated nodes", "delegated_nodes", format_count),
    ("non-delegated nodes", "non_delegated_nodes", format_count),
)
_LOWER = frozenset(("total_cycles", "npu_cycles", "inference_seconds", "sram_used_bytes", "dram_used_bytes"))


def compile_table(jobs: Sequence[Mapping[str, Any]]) -> Table:
    """Compile results side by side: one column per job (entries of ``ethosu-tui/compile/1``), best values marked.

    A job that is a `part` of another is never the best one.
    """
    columns = (Column("Vela estimate"), *(Column(str(job.get("target") or "?"), "right") for job in jobs))
    said = [job.get("status") or "?" for job in jobs]
    rows = [(Cell("status"), *(Cell(str(s), str(s), None, "good" if s == "ok" else "bad") for s in said))]
    for name, field, write in _COMPILE_ROWS:
        values = [_figure_of(job, field, text=write is str) for job in jobs]
        if all(value is None for value in values):
            continue
        known = [v for job, v in zip(jobs, values, strict=True) if v is not None and not job.get("part")]
        best = best_of(known) if field in _LOWER else None
        cells = (
            Cell(
                "-" if v is None else write(v),
                v,
                None,
                "best" if v is not None and v == best and not job.get("part") else "",
            )
            for job, v in zip(jobs, values, strict=True)
        )
        rows.append((Cell(name), *cells))
    sizes, seconds = ([number_of(j.get(name)) for j in jobs] for name in ("pte_bytes", "seconds"))
    if any(size is not None for size in sizes):
        rows.append((Cell(".pte size"), *(Cell(format_bytes(size), size) for size in sizes)))
    if any(value is not None for value in seconds):
        rows.append((Cell("compile time"), *(Cell(format_seconds(value), value) for value in seconds)))
    note = "Cycles are Vela's estimates, not measurements."
    if any(cell.tone == "best" for row in rows for cell in row):
        note = f"* best of the row. {note}"
    if any(job.get("part") for job in jobs):
        note += " Of all delegates together: cycles, MACs and flash are added up, SRAM is that of the largest, DRAM at least that."
    return Table("Compile results", columns, tuple(rows), note)


def _figure_of(job: Mapping[str, Any], field: str, *, text: bool) -> Any:
    """A figure of a stored result, or None where it is missing or not what it should be."""
    summary = job.get("summary")
    value = summary.get(field) if isinstance(summary, Mapping) else None
    if text:
        return value if isinstance(value, str) else None
    return number_of(value)


def jobs_of(capture: Capture) -> list[dict[str, Any]]:
    """The compiles of a capture as columns; a network in several delegates comes before its parts."""
    jobs: list[dict[str, Any]] = []
    for network in networks_of(capture):
        many = len(network.parts)
        whole = network.whole
        if network.failed:
            jobs.append({**_job(whole.accelerator, whole), "status": "failed"})
            names = (f"delegate {number}" for number in range(1, many + 1))
            jobs += ({**_job(name, part), "part": True} for name, part in zip(names, network.parts, strict=True))
            continue
        jobs.append(_job(f"{whole.accelerator}, all {many}" if many > 1 else whole.accelerator, whole))
        for number, part in enumerate(network.parts if many > 1 else (), 1):
            # what ExecuTorch counts below the last is of the whole
            own = part._replace(delegated_subgraphs=None, delegated_nodes=None, non_delegated_nodes=None)
            jobs.append({**_job(f"delegate {number} of {many}", own), "part": True})
    return jobs


def _job(name: str | None, summary: CompileSummary) -> dict[str, Any]:
    return {"target": name, "status": "ok", "summary": to_dict(summary._replace(operators=()))}
