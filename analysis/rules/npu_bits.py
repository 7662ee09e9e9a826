"""What single bits of the NPU's status mean, for ports that print them without the register."""

from __future__ import annotations

from ..draft import Evidence
from ..outcome import Outcome
from ..report import Finding, Run
from .evidence import error, saying


def bus_bit(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """A bus error about which nothing more is known; `npu.py` has the words for a whole register."""
    bad = seen.first("npu_bus_bit")
    if bad is None or seen.first("npu_status", "npu_interrupted") or saying(seen, "NPU status=0x"):
        return None
    return error(
        "npu-bus-error", run, "NPU bus error: the NPU could not reach a memory that the program uses",
        f"The log says: {bad.text}. It does not say where; what the NPU wrote until then is not a result.",
        "Put the tensor arena (scratch) into SRAM or DDR that the NPU can reach, never into TCM; give ethosu_init a fast memory if the program was compiled "
        "for Dedicated_Sram; check the region settings (ethosu_config_select, AXI port per region) and that TrustZone (MPC, SAU) lets the NPU in.", bad.line,
    )  # fmt: skip
