"""What each event of the Ethos-U PMU counts, in words; names are those of the driver without `ETHOSU_PMU_`.

The driver's header and the technical reference name the events; the words are ours.  Events of one kind that differ only in
port, core or limit share a row.
"""

from __future__ import annotations

import re

from ..cleaning import compiled

_EXACT: dict[str, str] = {
    "NO_EVENT": "nothing: the counter was not set",
    "CYCLE": "NPU cycles",
    "NPU_IDLE": "cycles the NPU had nothing to do",
    "NPU_ACTIVE": "cycles the NPU worked",
    "CC_STALLED_ON_BLOCKDEP": "cycles a block waited for the one before it",
    "CC_STALLED_ON_SHRAM_RECONFIG": "cycles the shared RAM was divided anew",
    "MAC_ACTIVE": "cycles the MAC array worked",
    "MAC_ACTIVE_8BIT": "cycles the MAC array worked on 8 bits",
    "MAC_ACTIVE_16BIT": "cycles the MAC array worked on 16 bits",
    "MAC_ACTIVE_32BIT": "cycles the MAC array worked on 32 bits",
    "MAC_DPU_ACTIVE": "cycles the dot-product units worked",
    "AO_ACTIVE": "cycles the output unit worked (activation, element-wise, pooling)",
    "AO_ACTIVE_8BIT": "cycles the output unit worked on 8 bits",
    "AO_ACTIVE_16BIT": "cycles the output unit worked on 16 bits",
    "WD_ACTIVE": "cycles the weight decoder worked",
    "WD_STALLED": "cycles the weight decoder waited",
}
_STALLED = {
    "W": "weights", "WD": "the weight decoder", "W_OR_ACC": "weights or accumulators", "WD_ACC": "weights or accumulators",
    "ACC": "accumulators", "IB": "the input buffer", "INT_W": "weights (inside)", "INT_ACC": "accumulators (inside)",
    "OB": "the output buffer", "OFMP": "output parameters", "OFMP_OB": "output parameters or buffer",
    "ACC_IB": "accumulators or the input buffer", "BS": "bias and scales", "BS_OR_OB": "bias and scales or the output buffer",
    "AB": "the accumulator buffer", "CB": "the chaining buffer", "AB_OR_CB": "the accumulator or chaining buffer",
    "WS": "the weight stream", "WD_BUF": "its buffer", "WS_FC": "the fast weight stream", "WS_TC": "the tensor weight stream",
}  # fmt: skip
_UNITS = {"MAC": "the MAC array", "AO": "the output unit", "WD": "the weight decoder"}
_BUS = {
    "RD_DATA_BEAT_RECEIVED": "beats read",
    "WR_DATA_BEAT_WRITTEN": "beats written",
    "RD_TRANS_ACCEPTED": "read transactions accepted",
    "RD_TRANS_COMPLETED": "read transactions completed",
    "RD_TRAN_REQ_STALLED": "cycles a read request waited",
    "WR_TRANS_ACCEPTED": "write transactions accepted",
    "WR_TRANS_COMPLETED_M": "write transactions completed",
    "WR_TRANS_COMPLETED_S": "write transactions completed",
    "WR_TRAN_REQ_STALLED": "cycles a write request waited",
    "WR_DATA_BEAT_STALLED": "cycles data to be written waited",
    "ENABLED_CYCLES": "cycles it was on, summed over its ports",
    "RD_STALL_LIMIT": "cycles the limit of reads under way was reached",
    "WR_STALL_LIMIT": "cycles the limit of writes under way was reached",
}
_SIDES = {"AXI": "port", "SRAM": "SRAM", "EXT": "external memory"}
_PORT = r"(AXI|SRAM|EXT)(\d?)_(\w+)"
_WAITS = r"(MAC|AO|WD)_STALLED_BY_(\w+)"
_LATENCY = r"AXI_LATENCY_(\d+|ANY)"
_BEATS = {"_RD_DATA_BEAT_RECEIVED": "read", "_WR_DATA_BEAT_WRITTEN": "write"}


def meaning_of(event: str | None) -> str | None:
    """What is counted, in a few words; None for an event that is not known here."""
    if event is None:
        return None
    name = event.removeprefix("ETHOSU_PMU_")
    if name in _EXACT:
        return _EXACT[name]
    port = compiled(_PORT).fullmatch(name)
    if port is not None and port[3] in _BUS:
        side = f"port {port[2]}" if port[1] == "AXI" else _SIDES[port[1]] + (f", port {port[2]}" if port[2] else "")
        return f"{side}: {_BUS[port[3]]}"
    waits = compiled(_WAITS).fullmatch(re.sub(r"_SC\d$", "", name))
    if waits is not None and waits[2] in _STALLED:
        return f"cycles {_UNITS[waits[1]]} waited for {_STALLED[waits[2]]}"
    latency = compiled(_LATENCY).fullmatch(name)
    if latency is not None:
        return "reads" if latency[1] == "ANY" else f"reads that took {latency[1]} cycles or more"
    if name.startswith("ECC_"):
        return "errors of the memory that were corrected or found"
    if name.startswith("WD_PARSE_"):
        return "the parser of the weight stream: " + ("waited" if "STALL" in name else "worked")
    return "blocks of the weight stream" if name.startswith("WD_TRANS_") else None


def path_of(event: str | None) -> str | None:
    """ "ext0_read" for an event that counts beats; None for others."""
    name = (event or "").removeprefix("ETHOSU_PMU_")
    for ending, way in _BEATS.items():
        if name.endswith(ending):
            return f"{name.removesuffix(ending).lower()}_{way}"
    return None
