"""The event names of the Ethos-U performance monitor and their hardware numbers, by NPU generation.

Source: `ethosu55_interface.h`, `ethosu65_interface.h` and `ethosu85_interface.h` of the Ethos-U core driver 25.11.  The same
number means another event on another generation, so that a number without its NPU says nothing.
"""

from __future__ import annotations

from functools import cache, lru_cache

_BOTH = {
    "NO_EVENT": 0,
    "CYCLE": 17,
    "NPU_IDLE": 32,
    "CC_STALLED_ON_BLOCKDEP": 33,
    "NPU_ACTIVE": 35,
    "MAC_ACTIVE": 48,
    "MAC_DPU_ACTIVE": 51,
    "MAC_STALLED_BY_ACC": 54,
    "MAC_STALLED_BY_IB": 55,
    "AO_ACTIVE": 64,
    "AO_STALLED_BY_OB": 69,
    "WD_ACTIVE": 80,
    "WD_STALLED": 81,
    "WD_STALLED_BY_WD_BUF": 83,
    "AXI_LATENCY_ANY": 160,
    "AXI_LATENCY_32": 161,
    "AXI_LATENCY_64": 162,
    "AXI_LATENCY_128": 163,
    "AXI_LATENCY_256": 164,
    "AXI_LATENCY_512": 165,
    "AXI_LATENCY_1024": 166,
    "ECC_DMA": 176,
}
_U55_U65_CORE = {
    "CC_STALLED_ON_SHRAM_RECONFIG": 34,
    "MAC_ACTIVE_8BIT": 49,
    "MAC_ACTIVE_16BIT": 50,
    "MAC_STALLED_BY_WD_ACC": 52,
    "MAC_STALLED_BY_WD": 53,
    "MAC_ACTIVE_32BIT": 56,
    "MAC_STALLED_BY_INT_W": 57,
    "MAC_STALLED_BY_INT_ACC": 58,
    "AO_ACTIVE_8BIT": 65,
    "AO_ACTIVE_16BIT": 66,
    "AO_STALLED_BY_OFMP_OB": 67,
    "AO_STALLED_BY_OFMP": 68,
    "AO_STALLED_BY_ACC_IB": 70,
    "AO_STALLED_BY_ACC": 71,
    "AO_STALLED_BY_IB": 72,
    "WD_STALLED_BY_WS": 82,
    "WD_PARSE_ACTIVE": 84,
    "WD_PARSE_STALLED": 85,
    "WD_PARSE_STALLED_IN": 86,
    "WD_PARSE_STALLED_OUT": 87,
    "WD_TRANS_WS": 88,
    "WD_TRANS_WB": 89,
    "WD_TRANS_DW0": 90,
    "WD_TRANS_DW1": 91,
    "ECC_SB0": 177,
    "ECC_SB1": 433,
}
_U85_CORE = {
    "MAC_STALLED_BY_W_OR_ACC": 52,
    "MAC_STALLED_BY_W": 53,
    "AO_STALLED_BY_BS_OR_OB": 67,
    "AO_STALLED_BY_BS": 68,
    "AO_STALLED_BY_AB_OR_CB": 70,
    "AO_STALLED_BY_AB": 71,
    "AO_STALLED_BY_CB": 72,
    "WD_STALLED_BY_WS_FC": 84,
    "WD_STALLED_BY_WS_TC": 85,
    "WD_TRANS_WBLK": 89,
    "WD_TRANS_WS_FC": 90,
    "WD_TRANS_WS_TC": 91,
    "WD_STALLED_BY_WS_SC0": 96,
    "WD_STALLED_BY_WS_SC1": 97,
    "WD_STALLED_BY_WS_SC2": 98,
    "WD_STALLED_BY_WS_SC3": 99,
    "WD_PARSE_ACTIVE_SC0": 100,
    "WD_PARSE_ACTIVE_SC1": 101,
    "WD_PARSE_ACTIVE_SC2": 102,
    "WD_PARSE_ACTIVE_SC3": 103,
    "WD_PARSE_STALL_SC0": 104,
    "WD_PARSE_STALL_SC1": 105,
    "WD_PARSE_STALL_SC2": 106,
    "WD_PARSE_STALL_SC3": 107,
    "WD_PARSE_STALL_IN_SC0": 108,
    "WD_PARSE_STALL_IN_SC1": 109,
    "WD_PARSE_STALL_IN_SC2": 110,
    "WD_PARSE_STALL_IN_SC3": 111,
    "WD_PARSE_STALL_OUT_SC0": 112,
    "WD_PARSE_STALL_OUT_SC1": 113,
    "WD_PARSE_STALL_OUT_SC2": 114,
    "WD_PARSE_STALL_OUT_SC3": 115,
    "WD_TRANS_WS_SC0": 116,
    "WD_TRANS_WS_SC1": 117,
    "WD_TRANS_WS_SC2": 118,
    "WD_TRANS_WS_SC3": 119,
    "WD_TRANS_WB0": 120,
    "WD_TRANS_WB1": 121,
    "WD_TRANS_WB2": 122,
    "WD_TRANS_WB3": 123,
    "ECC_MAC_IB": 177,
    "ECC_MAC_AB": 178,
    "ECC_AO_CB": 179,
    "ECC_AO_OB": 180,
    "ECC_AO_LUT": 181,
}
_PORT = {
    "RD_TRANS_ACCEPTED": 0,
    "RD_TRANS_COMPLETED": 1,
    "RD_DATA_BEAT_RECEIVED": 2,
    "RD_TRAN_REQ_STALLED": 3,
    "WR_TRANS_ACCEPTED": 4,
    "WR_TRANS_COMPLETED_M": 5,
    "WR_TRANS_COMPLETED_S": 6,
    "WR_DATA_BEAT_WRITTEN": 7,
    "WR_TRAN_REQ_STALLED": 8,
    "WR_DATA_BEAT_STALLED": 9,
    "ENABLED_CYCLES": 12,
    "RD_STALL_LIMIT": 14,
    "WR_STALL_LIMIT": 15,
}


def _port(name: str, first: int) -> dict[str, int]:
    return {f"{name}_{event}": first + offset for event, offset in _PORT.items()}


EVENTS: dict[str, dict[str, int]] = {
    "ethos-u55": {**_BOTH, **_U55_U65_CORE, **_port("AXI0", 128), **_port("AXI1", 384)},
    "ethos-u85": {
        **_BOTH,
        **_U85_CORE,
        **_port("SRAM", 128), **_port("EXT", 384),
        **_port("SRAM0", 512), **_port("SRAM1", 528), **_port("SRAM2", 544), **_port("SRAM3", 560),
        **_port("EXT0", 640), **_port("EXT1", 656),
    },
}  # fmt: skip
"""Event number by name, without the prefix `ETHOSU_PMU_`."""
EVENTS["ethos-u65"] = EVENTS["ethos-u55"]

COUNTERS = {"ethos-u55": 4, "ethos-u65": 4, "ethos-u85": 8}
"""Event counters that can run at once; each has 32 bits, and the cycle counter has 48."""

PREFIX = "ETHOSU_PMU_"


def generation_of(names: tuple[str, ...]) -> tuple[str, ...]:
    """The generations that have all of these events (names with or without the prefix); empty where one is unknown."""
    plain = [name.removeprefix(PREFIX) for name in names]
    return tuple(npu for npu in ("ethos-u55", "ethos-u65", "ethos-u85") if all(name in EVENTS[npu] for name in plain))


@cache
def _called() -> frozenset[str]:
    """All event names as lists print them and as the evaluation kit does, which also prints a total."""
    plain = frozenset(name for events in EVENTS.values() for name in events)
    return plain | {PREFIX + name for name in plain} | {"ACTIVE", "IDLE", "TOTAL"}


@lru_cache(maxsize=512)
def is_torn(event: str) -> bool:
    """Whether an unknown name is the start of one event and the end of one, with the characters between them lost."""
    known = _called()
    if event in known:
        return False
    start = max(_alike(event, name) for name in known)
    return start + max(_alike(event[::-1], name[::-1]) for name in known) >= len(event)


def _alike(one: str, other: str) -> int:
    """How many first characters both have in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def ports_of(event: str) -> int | None:
    """How many times an event can be counted per NPU cycle at most; None where nothing bounds it.

    Beats: one per cycle and port; a U85 has at most 4 SRAM and 2 external ports. Units that work or do not: once per
    cycle.
    """
    name = event.removeprefix(PREFIX)
    if "_DATA_BEAT_" in name:
        side = name.split("_", 1)[0]
        return {"SRAM": 4, "EXT": 2}.get(side, 1)
    if name.startswith(("MAC_ACTIVE", "MAC_DPU_ACTIVE", "AO_ACTIVE", "WD_ACTIVE", "NPU_ACTIVE")):
        return 1
    return None
