"""FVP PMU traces for tests.  No simulator with an NPU can be had here, so the trace is generated: it follows the command
stream that a debug database describes and writes what `ethosu.extra_args="--pmu-trace FILE"` documents: Chrome-trace
JSON, numbers as strings, times in NPU cycles, `qread` in words of four bytes.  The database is a real one of Vela.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

DATABASE = """<?xml version='1.0' encoding='UTF-8'?>
<debug source="out">
<table name="perf">
<![CDATA[
"id","source_id","optimised_id","operator","name","staging_usage","op_cycles","npu_cycles","mac_count","shram_ac","Sram_ac","OffChipFlash_ac"
357,12,70,"Conv2D","conv "first", 3x3",13760,14956,14956,112896,0,2578,1552
364,18,69,"MaxPool","pool",15680,4604,4604,12544,0,2984,0
366,21,68,"Conv2D","conv2",15104,11976,11976,903168,0,4588,3808
372,27,67,"MaxPool","pool2",7840,3228,3228,6272,0,1176,0
379,28,66,"Transpose","transpose",3136,1568,816,0,0,1568,0
]]>
</table>
<table name="queue">
<![CDATA[
"offset","cmdstream_id","optimised_id","scheduled_id"
328,1,70,357
480,1,69,364
656,1,68,366
716,1,68,366
856,1,67,372
1112,1,66,379
]]>
</table>
<table name="group">
<![CDATA[
"id","group_id"
]]>
</table>
<table name="source">
<![CDATA[
"id","operator","kernel_w","kernel_h","ofm_w","ofm_h","ofm_d","ext_key"
12,"DepthwiseConv2D",3,3,28,28,16,12
18,"MaxPool",2,2,14,14,16,17
21,"Conv2D",3,3,14,14,32,21
27,"MaxPool",2,2,7,7,32,27
28,"Transpose",1,1,7,7,32,28
]]>
</table>
</debug>
"""
OFFSETS = (328, 480, 656, 716, 856, 1112)
"""Where the commands of the database stand."""


class TraceWriter:
    """Reads command streams as the NPU does, and notes at which cycle."""

    def __init__(self, start: int = 0) -> None:
        self.cycle = start
        self.events: list[dict[str, object]] = []

    def read(self, offset: int) -> None:
        """The command at this byte has been read now."""
        self.events.append(
            {
                "name": "qread",
                "ph": "X",
                "ts": str(self.cycle),
                "pid": "CC",
                "tid": "qread",
                "args": {"qread": str(offset // 4)},
            }
        )

    def active(self, tid: str, start: int, cycles: int) -> None:
        """A unit was at work."""
        self.events.append({"name": tid, "ph": "X", "ts": str(start), "pid": "DMA", "tid": tid, "dur": str(cycles)})

    def stream(
        self, offsets: Sequence[int], cycles: Sequence[int], *, skip: Iterable[int] = (), idle: int = 500
    ) -> None:
        """One pass: operation i takes `cycles[i]` from its start to when the command of the next has been read.

        `skip`: indices of commands at which no event falls, because the reading went on past them.
        """
        skipped = set(skip)
        for offset in range(4, offsets[0], 8):
            self.read(offset)
            self.cycle += 1
        if 0 not in skipped:
            self.read(offsets[0])
        for index, duration in enumerate(cycles):
            self.cycle += duration - 1
            end = offsets[index + 1] if index + 1 < len(offsets) else offsets[index] + 4
            if index + 1 < len(offsets) and end - 8 > offsets[index]:
                self.read(end - 8)
            self.cycle += 1
            if index + 1 not in skipped:
                self.read(end)
            else:
                self.read(end + 4)
        self.cycle += 2
        self.read(offsets[-1] + 12)
        self.cycle += idle

    def text(self, **options: object) -> str:
        """The JSON document."""
        return json.dumps({"traceEvents": self.events}, **options)  # type: ignore[arg-type]
