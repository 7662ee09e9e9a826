"""The rows of a compile result: one for each operation that Vela scheduled.  All cycles are Vela's estimates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Place(NamedTuple):
    """Where a TOSA operator comes from, as far as PyTorch's export kept it."""

    torch: str | None = None
    """The operator as the model has it, such as "aten.conv2d.default"; several are joined by " + "."""
    module: str | None = None
    """Path of the module, such as "features.3.conv"; "(model)" for the model's own forward."""
    module_class: str | None = None
    source: str | None = None
    """File and line, such as "mnist.py:34"."""
    function: str | None = None
    code: str | None = None
    """That line."""
    file: str | None = None
    """Path of the file as the compiler saw it."""
    source_kind: str | None = None
    """"model": the user's own line; "library": of a library, since no line of the user's is known; "inferred": the graph
    says nothing of this operator, but all that it is next to comes from this line."""


class FusedOperator(NamedTuple):
    """A TOSA operator that Vela computes as part of a row."""

    tosa_index: int
    tosa: str
    torch: str | None
    module: str | None
    source: str | None


class CompiledOperator(NamedTuple):
    """One operation that Vela scheduled.

    Cycles of a memory are None where the configuration has no such memory; `sram_bytes` is what the operation occupies
    of the SRAM while it runs.
    """

    index: int  # type: ignore[assignment]
    tosa: str
    """The operator that it was made of: its name in the TOSA graph, or Vela's where the graph is not known."""
    name: str | None
    """The tensor that it gives; after fusion that is another operator's."""
    torch: str | None
    source: str | None
    npu_cycles: int
    op_cycles: int
    macs: int
    sram_bytes: int | None
    share_percent: float
    partition: int = 1
    """Counted from 1 in the order in which they were compiled."""
    vela: str | None = None
    """What Vela made of it."""
    tosa_index: int | None = None
    """Where the operator stands in its TOSA graph."""
    module: str | None = None
    module_class: str | None = None
    function: str | None = None
    code: str | None = None
    file: str | None = None
    source_kind: str | None = None
    sram_access_cycles: int | None = None
    dram_access_cycles: int | None = None
    on_chip_flash_access_cycles: int | None = None
    off_chip_flash_access_cycles: int | None = None
    utilisation_percent: float | None = None
    """MACs done, of those that the NPU could have done in `op_cycles`; None where it has no cycles of its own."""
    bound: str | None = None
    """What takes longest: "npu", "sram", "dram", "on_chip_flash" or "off_chip_flash"; None where it has no cycles of its own."""
    chained_into: int | None = None
    """`index` of the operation that this one runs in (U85), whose cycles are those of both."""
    fused: tuple[FusedOperator, ...] = ()
    """TOSA operators after the first one that are computed on the way to `name`."""

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> CompiledOperator:
        """The row that was stored as JSON.

        Raises:
            KeyError, TypeError: it is not one of ours.
        """
        fused = tuple(FusedOperator(**other) for other in stored["fused"])
        return cls(**{**stored, "fused": fused})


MEMORIES = ("sram", "dram", "on_chip_flash", "off_chip_flash")
