"""The limits behind the bound verdict, the memory-mode fingerprint and the idle share, as data with a rule id each.

They are ours: nobody publishes such limits for Ethos-U.  Change a number here and the verdicts change everywhere.
"""

from __future__ import annotations

from ..named_tuple import NamedTuple


class Threshold(NamedTuple):
    """One limit: the rule that it belongs to, its value, its unit, and why it is where it is."""

    rule: str
    value: float
    unit: str
    why: str


CPU_SHARE = Threshold("bound-cpu", 50.0, "percent", "more than half of the runtime is not spent waiting for the NPU")
DELEGATIONS = Threshold(
    "bound-fragmented", 1.0, "count", "more than one command stream an inference means CPU work between them"
)
FRAGMENTED_SHARE = Threshold(
    "bound-fragmented", 10.0, "percent", "below this share of the runtime, the CPU between the pieces hardly shows"
)
EXTERNAL_USE = Threshold(
    "bound-external-memory", 80.0, "percent", "memories rarely sustain more than this of their peak"
)
SRAM_USE = Threshold("bound-sram", 80.0, "percent", "as for the external memory")
ESTIMATED_MEMORY = Threshold(
    "bound-external-memory",
    1.0,
    "ratio",
    "Vela's access cycles over its NPU cycles: above 1 the memory is the slower one",
)
WEIGHT_DECODE_BUSY = Threshold("bound-weight-decode", 90.0, "percent", "the weight decoder works nearly all the time")
WEIGHT_DECODE_MAC_BUSY = Threshold("bound-weight-decode", 70.0, "percent", "and the MAC array waits for it")
SHAPE_MAC_BUSY = Threshold("bound-shape-inefficient", 70.0, "percent", "the array works most of the time")
SHAPE_EFFICIENCY = Threshold(
    "bound-shape-inefficient", 50.0, "percent", "and does less than half of what it could while it works"
)
COMPUTE_MAC_BUSY = Threshold("bound-compute", 80.0, "percent", "the array works nearly all the time")
COMPUTE_UTILISATION = Threshold("bound-compute", 60.0, "percent", "true use of all MACs, edges of tensors included")
NO_TRAFFIC = Threshold("memory-mode-mismatch", 0.1, "percent", "traffic below this share of all beats counts as none")
IDLE_SHARE = Threshold(
    "npu-idle-high",
    10.0,
    "percent",
    "a run of the NPU idles for some hundred cycles; more means that it waits for the driver or for a DMA",
)

THRESHOLDS: tuple[Threshold, ...] = (
    CPU_SHARE, DELEGATIONS, FRAGMENTED_SHARE, EXTERNAL_USE, SRAM_USE, ESTIMATED_MEMORY, WEIGHT_DECODE_BUSY,
    WEIGHT_DECODE_MAC_BUSY, SHAPE_MAC_BUSY, SHAPE_EFFICIENCY, COMPUTE_MAC_BUSY, COMPUTE_UTILISATION, NO_TRAFFIC, IDLE_SHARE,
)  # fmt: skip
