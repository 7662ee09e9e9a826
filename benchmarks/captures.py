"""Captures made for benchmarks and tests: whole nights of console output, with the sums that any reader must come to.

Deterministic: the same kind, era, size and seed give the same bytes.  `dense` is whole reports back to back, `heavy` dumps
1,000 to 100,000 outputs a run, `noisy` has host time stamps, CRLF, colours, lines of other programs and a reset in every
fiftieth run.  `classic` is the runner of 0.5, `current` that of main.

    python benchmarks/captures.py KIND SIZE_MB FILE [--era current] [--seed 1]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

KINDS = ("dense", "heavy", "noisy")
ERAS = ("classic", "current")
POOL_BYTES = 62_914_560
PLANNED_BYTES = 752_640
LOADED_BYTES = 966

_EVENTS = (
    ("AXI0_RD_DATA_BEAT_RECEIVED", "AXI1_RD_DATA_BEAT_RECEIVED", "AXI0_WR_DATA_BEAT_WRITTEN", "NPU_IDLE"),
    ("SRAM_RD_DATA_BEAT_RECEIVED", "SRAM_WR_DATA_BEAT_WRITTEN", "EXT_RD_DATA_BEAT_RECEIVED", "EXT_WR_DATA_BEAT_WRITTEN", "NPU_IDLE"),
)  # fmt: skip
_OTHERS = (
    "app_main: heartbeat seq={} heap_free=183264", "wifi: rssi=-{} dBm", "sensor0: sample {} mC", "sched: idle {} ticks",
    "mqtt: published topic=/dev/a/{} qos=1", "net: rx {} bytes dropped 0",
)  # fmt: skip
_COLOURS = ("\x1b[0;32m", "\x1b[0;33m", "\x1b[1;31m")


class Sums(NamedTuple):
    """What a reader of the whole capture must add up to, over the runs that were not cut."""

    runs: int = 0
    cut: int = 0
    npu_cycles: int = 0
    inference_cycles: int = 0
    method_used_bytes: int = 0
    pte_bytes: int = 0


class Capture(NamedTuple):
    """A capture in blocks, and where its sums are once all blocks were taken."""

    blocks: Iterator[bytes]
    sums: list[Sums]


def capture(kind: str, size_bytes: int, era: str = "classic", seed: int = 1) -> Capture:
    """A capture of at least this size."""
    sums: list[Sums] = []
    return Capture(_blocks(kind, size_bytes, era, random.Random(seed), sums), sums)


def write(path: Path, kind: str, size_bytes: int, era: str = "classic", seed: int = 1) -> Sums:
    """Write a capture to a file."""
    made = capture(kind, size_bytes, era, seed)
    with path.open("wb") as file:
        for block in made.blocks:
            file.write(block)
    return made.sums[0]


def _blocks(kind: str, size_bytes: int, era: str, rng: random.Random, sums: list[Sums]) -> Iterator[bytes]:
    values = [
        f"(float) {rng.gauss(0, 1.5):f}" if era == "current" else f"{rng.gauss(0, 1.5):f}" for _ in range(1 << 14)
    ]
    values *= 8
    total = Sums()
    clock = [0.0]
    done = 0
    while done < size_bytes:
        text, figures = _run(kind, era, rng, values)
        lines = text.split("\n")
        cut = kind == "noisy" and rng.random() < 0.02
        if cut:
            lines = lines[: 1 + int(rng.random() * (len(lines) - 3))]
        if kind == "noisy":
            block = _noise(lines, rng, clock)
        else:
            block = ("\n".join(lines) + "\n").encode()
        if cut:
            total = total._replace(cut=total.cut + 1)
        else:
            total = Sums(total.runs + 1, total.cut, *(a + b for a, b in zip(total[2:], figures, strict=True)))
        done += len(block)
        yield block
    sums.append(total)


def _run(kind: str, era: str, rng: random.Random, values: list[str]) -> tuple[str, tuple[int, int, int, int]]:
    events = _EVENTS[rng.random() < 0.2]
    pte = 4_425_968 + rng.randrange(64) * 16
    npu, operator, wait = (
        5_920_305 + rng.randrange(900_000),
        1_498_202 + rng.randrange(90_000),
        500 + rng.randrange(900),
    )
    cpu = 6_925_114 + rng.randrange(900_000)
    given = 602_116 + rng.randrange(99)
    used = PLANNED_BYTES + LOADED_BYTES + given
    counters = [rng.randrange(400_000) if rng.random() < 0.7 else 0 for _ in events]
    count = 10
    if kind == "heavy":
        count = int(1000 * 100 ** rng.random())
    elif kind == "noisy":
        count = 1 + rng.randrange(30)
    first = rng.randrange(1 << 14)
    outputs = "\n".join(map("Output[0][%d]: %s".__mod__, enumerate(values[first : first + count])))
    ratio = 100 * wait / cpu
    figures = {
        "pte": pte, "pool": POOL_BYTES, "planned": PLANNED_BYTES, "loaded": LOADED_BYTES, "given": given, "used": used,
        "free": POOL_BYTES - used, "percent": 100 * used // POOL_BYTES, "npu": npu, "operator": operator, "cpu": cpu,
        "wait": wait, "cpu_ratio": f"{100 - ratio:.2f}", "npu_ratio": f"{ratio:.2f}", "outputs": outputs,
        "events": ", ".join(f"ETHOSU_PMU_{name}" for name in events),
    }  # fmt: skip
    line = _COUNTER[era]
    figures["counters"] = "\n".join(line.format(i, value) for i, value in enumerate(counters))
    return _REPORT[era].format_map(figures), (npu, cpu, used, pte)


def _noise(lines: list[str], rng: random.Random, clock: list[float]) -> bytes:
    out: list[bytes] = []
    for line in lines:
        while rng.random() < 0.12:
            out.append(rng.choice(_OTHERS).format(rng.randrange(9999)).encode())
        shown = line.encode()
        chance = rng.random()
        if chance < 0.25:
            shown = rng.choice(_COLOURS).encode() + shown + b"\x1b[0m"
        elif chance < 0.27:
            out.append(bytes(rng.randrange(128, 256) for _ in range(1 + rng.randrange(12))))
        out.append(shown)
    out += (rng.choice(_OTHERS).format(rng.randrange(9999)).encode() for _ in range(rng.randrange(40)))
    stamped = []
    for shown in out:
        clock[0] += 0.001 + rng.random() * 0.02
        seconds, thousandths = divmod(int(clock[0] * 1000), 1000)
        day, rest = divmod(seconds, 86_400)
        at = f"[2026-01-{1 + day % 28:02} {rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}.{thousandths:03}] "
        stamped.append(at.encode() + shown + b"\r\n")
    return b"".join(stamped)


_COUNTER = {
    "classic": "I [executorch:arm_perf_monitor.cpp:171] ethosu_pmu_cntr{} : {}",
    "current": "I [executorch:arm_perf_monitor.cpp:217 StopMeasurements()] ethosu_pmu_cntr{0} : {1} ({1}.00 per inference)",
}
_REPORT = {
    "classic": """I [executorch:arm_executor_runner.cpp:364] Model in 0x70000000 $
I [executorch:arm_executor_runner.cpp:366] Model PTE file loaded. Size: {pte} bytes.
I [executorch:arm_executor_runner.cpp:376] Model buffer loaded, has 1 methods
I [executorch:arm_executor_runner.cpp:384] Running method forward
I [executorch:arm_executor_runner.cpp:395] Setup Method allocator pool. Size: {pool} bytes.
I [executorch:arm_executor_runner.cpp:412] Setting up planned buffer 0, size {planned}.
I [executorch:ArmBackendEthosU.cpp:79] ArmBackend::init 0x70000070
I [executorch:arm_executor_runner.cpp:445] Method loaded.
I [executorch:arm_executor_runner.cpp:447] Preparing inputs...
I [executorch:arm_executor_runner.cpp:461] Input prepared.
I [executorch:arm_executor_runner.cpp:463] Starting the model execution...
I [executorch:ArmBackendEthosU.cpp:118] ArmBackend::execute 0x70000070
I [executorch:arm_perf_monitor.cpp:120] NPU Inferences : 1
I [executorch:arm_perf_monitor.cpp:121] Profiler report, CPU cycles per operator:
I [executorch:arm_perf_monitor.cpp:125] ethos-u : cycle_cnt : {operator} cycles
I [executorch:arm_perf_monitor.cpp:132] Operator(s) total: {operator} CPU cycles
I [executorch:arm_perf_monitor.cpp:138] Inference runtime: {cpu} CPU cycles total
I [executorch:arm_perf_monitor.cpp:140] NOTE: CPU cycle values and ratio calculations require FPGA and identical CPU/NPU frequency
I [executorch:arm_perf_monitor.cpp:149] Inference CPU ratio: {cpu_ratio} %
I [executorch:arm_perf_monitor.cpp:153] Inference NPU ratio: {npu_ratio} %
I [executorch:arm_perf_monitor.cpp:162] cpu_wait_for_npu_cntr : {wait} CPU cycles
I [executorch:arm_perf_monitor.cpp:167] Ethos-U PMU report:
I [executorch:arm_perf_monitor.cpp:168] ethosu_pmu_cycle_cntr : {npu}
{counters}
I [executorch:arm_perf_monitor.cpp:178] Ethos-U PMU Events:[{events}]
I [executorch:arm_executor_runner.cpp:470] model_pte_loaded_size:     {pte} bytes.
I [executorch:arm_executor_runner.cpp:484] method_allocator_used:     {used} / {pool}  free: {free} ( used: {percent} % )
I [executorch:arm_executor_runner.cpp:491] method_allocator_planned:  {planned} bytes
I [executorch:arm_executor_runner.cpp:493] method_allocator_loaded:   {loaded} bytes
I [executorch:arm_executor_runner.cpp:494] method_allocator_input:    {given} bytes
I [executorch:arm_executor_runner.cpp:495] method_allocator_executor: 0 bytes
I [executorch:arm_executor_runner.cpp:498] temp_allocator_used:       0 / 1048576 free: 1048576 ( used: 0 % )
I executorch:arm_executor_runner.cpp:152] Model executed successfully.
I executorch:arm_executor_runner.cpp:156] 1 outputs:
{outputs}
I executorch:arm_executor_runner.cpp:177] Program complete, exiting.
I executorch:arm_executor_runner.cpp:179]\x04""",
    "current": """I [executorch:arm_executor_runner.cpp:1524 main()] PTE @ 0x70000000 [----ET12]
I [executorch:arm_executor_runner.cpp:679 runner_init()] PTE Model data loaded. Size: {pte} bytes.
I [executorch:arm_executor_runner.cpp:695 runner_init()] Model buffer loaded, has 1 methods
I [executorch:arm_executor_runner.cpp:703 runner_init()] Running method forward
I [executorch:arm_executor_runner.cpp:714 runner_init()] Setup Method allocator pool. Size: {pool} bytes.
I [executorch:arm_executor_runner.cpp:742 runner_init()] Setting up planned buffer with mem_id=0, size {planned}.
I [executorch:EthosUBackend.cpp:116 init()] data:0x70000070
I [executorch:arm_executor_runner.cpp:877 runner_init()] Method 'forward' loaded.
I [executorch:arm_executor_runner.cpp:879 runner_init()] Preparing inputs...
I [executorch:arm_executor_runner.cpp:950 runner_init()] Input prepared.
I [executorch:arm_executor_runner.cpp:1328 run_model()] Starting running 1 inferences...
I [executorch:arm_executor_runner.cpp:1352 run_model()] 1 inferences finished
I [executorch:arm_perf_monitor.cpp:150 StopMeasurements()] NPU Inferences : 1
I [executorch:arm_perf_monitor.cpp:151 StopMeasurements()] NPU delegations: 1 (1.00 per inference)
I [executorch:arm_perf_monitor.cpp:156 StopMeasurements()] Profiler report, CPU cycles per operator:
I [executorch:arm_perf_monitor.cpp:160 StopMeasurements()] ethos-u : cycle_cnt : {operator} cycles ({operator}.00 per inference)
I [executorch:arm_perf_monitor.cpp:168 StopMeasurements()] Operator(s) total: {operator} CPU cycles ({operator}.00 per inference)
I [executorch:arm_perf_monitor.cpp:175 StopMeasurements()] Inference runtime: {cpu} CPU cycles total ({cpu}.00 per inference)
I [executorch:arm_perf_monitor.cpp:181 StopMeasurements()] NOTE: CPU cycle values and ratio calculations require FPGA and identical CPU/NPU frequency
I [executorch:arm_perf_monitor.cpp:190 StopMeasurements()] Inference CPU ratio: {cpu_ratio} %
I [executorch:arm_perf_monitor.cpp:194 StopMeasurements()] Inference NPU ratio: {npu_ratio} %
I [executorch:arm_perf_monitor.cpp:203 StopMeasurements()] cpu_wait_for_npu_cntr : {wait} CPU cycles ({wait}.00 per inference)
I [executorch:arm_perf_monitor.cpp:209 StopMeasurements()] Ethos-U PMU report:
I [executorch:arm_perf_monitor.cpp:210 StopMeasurements()] ethosu_pmu_cycle_cntr : {npu} ({npu}.00 per inference)
{counters}
I [executorch:arm_perf_monitor.cpp:225 StopMeasurements()] Ethos-U PMU Events:[{events}]
I [executorch:arm_executor_runner.cpp:973 log_mem_status()] model_pte_loaded_size:     {pte} bytes.
I [executorch:arm_executor_runner.cpp:992 log_mem_status()] method_allocator_used:     {used} / {pool}  free: {free} ( used: {percent} % )
I [executorch:arm_executor_runner.cpp:1002 log_mem_status()] method_allocator_planned:  {planned} bytes
I [executorch:arm_executor_runner.cpp:1023 log_mem_status()] method_allocator_loaded:   {loaded} bytes
I [executorch:arm_executor_runner.cpp:1027 log_mem_status()] method_allocator_input:    {given} bytes
I [executorch:arm_executor_runner.cpp:1031 log_mem_status()] method_allocator_executor: 0 bytes
I [executorch:arm_executor_runner.cpp:1037 log_mem_status()] temp_allocator:            1048576
I [executorch:arm_executor_runner.cpp:1059 print_outputs()] 1 outputs:
{outputs}
I [executorch:arm_executor_runner.cpp:1543 main()] Model run: 1
I [executorch:arm_executor_runner.cpp:1550 main()] Program complete, exiting.
I [executorch:arm_executor_runner.cpp:1554 main()] \x04""",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("size_mb", type=float)
    parser.add_argument("file", type=Path)
    parser.add_argument("--era", choices=ERAS, default="classic")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(write(given.file, given.kind, int(given.size_mb * 1e6), given.era, given.seed))


if __name__ == "__main__":
    main()
