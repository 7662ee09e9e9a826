"""One line of each kind that runners print with figures, and the fields of the report that it must fill: these and no others.

Which line means what was written down from the runners' format strings, so nothing here asks the program's own tables. The
figures of a line differ from each other, so that two of them cannot change places unseen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.report import to_dict

ARM = "I [executorch:arm_executor_runner.cpp:1 main()] "
START = f"{ARM}PTE @ 0x70000000 [----ET12]"
LINUX = "I 00:00:01.000100 executorch:executor_runner.cpp:1] "
LINUX_START = f"{LINUX}Model file a.pte is loaded."
ZEPHYR = "I [executorch:main.cpp] "
ABOUT_THE_RUN = ("status", "stage", "index", "first_line", "last_line", "lines.", "runner.", "derived.")

LOADED: list[tuple[str, dict[str, Any]]] = [
    ("Model PTE file loaded. Size: 3708 bytes.", {"model.pte_bytes": 3708}),
    ("PTE Model data loaded. Size: 3708 bytes.", {"model.pte_bytes": 3708}),
    ("Model buffer loaded, has 2 methods", {"model.methods": 2}),
    ("Model loaded, has 2 methods", {"model.methods": 2}),
    ("Running method forward", {"model.method": "forward"}),
    ("Running method: forward", {"model.method": "forward"}),
    ("model_pte_program_size:     3708 bytes.", {"model.pte_bytes": 3708}),
    ("model_pte_loaded_size:      4720 bytes.", {"model.loaded_bytes": 4720}),
    ("model_pte_program_size:     268435456 bytes. (pte size unknown when not baked into elf)", {}),
    ("model_pte_loaded_size:      268435456 bytes. (pte size unknown when not baked into elf)", {}),
    ("data:0x70000070", {"model.delegates": 1}),
    ("EthosUBackend::init 0x70000070", {"model.delegates": 1}),
    ("ArmBackend::init 0x70000070", {"model.delegates": 1}),
    ("Method loaded.", {}),
    ("Method 'forward' loaded.", {}),
]  # fmt: skip
MEMORY: list[tuple[str, dict[str, Any]]] = [
    ("Setup Method allocator pool. Size: 62914560 bytes.", {"memory.pools.method.capacity_bytes": 62914560}),
    ("Method allocator pool size: 62914560 bytes.", {"memory.pools.method.capacity_bytes": 62914560}),
    ("Method allocator pool size: 62914560 bytes", {"memory.pools.method.capacity_bytes": 62914560}),
    ("Setting up planned buffer 0, size 752640.", {"memory.planned_buffers.0": 752640}),
    ("Setting up planned buffer with mem_id=1, size 752640.", {"memory.planned_buffers.0": 752640}),
    ("Setting up CPU planned buffer 0, size 752640.", {"memory.planned_buffers.0": 752640}),
    ("Setup planned FAST_MEMORY_REGION pool. Size: 4096 bytes.", {"memory.pools.planned_fast.capacity_bytes": 4096}),
    ("Computed planned buffer size=752640", {}),
    ("method_allocator_used:     342 / 1000  free: 658 ( used: 34 % ) ", {
        "memory.pools.method.used_bytes": 342, "memory.pools.method.capacity_bytes": 1000, "memory.pools.method.free_bytes": 658,
    }),
    ("method_allocator_planned:  32 bytes", {"memory.planned_bytes": 32}),
    ("method_allocator_loaded:   290 bytes", {"memory.loaded_bytes": 290}),
    ("method_allocator_input:    20 bytes", {"memory.input_bytes": 20}),
    ("method_allocator_executor: 7 bytes", {"memory.executor_bytes": 7}),
    ("planned_fast_allocator:    10 / 64 free: 54 ( used: 15 % ) ", {
        "memory.pools.planned_fast.used_bytes": 10, "memory.pools.planned_fast.capacity_bytes": 64,
        "memory.pools.planned_fast.free_bytes": 54,
    }),
    ("planned_fast_used:         10 bytes", {"memory.pools.planned_fast.used_bytes": 10}),
    ("input_file_allocator_used: 976 / 5000 free: 4024 ( used: 19 % ) ", {
        "memory.pools.input_file.used_bytes": 976, "memory.pools.input_file.capacity_bytes": 5000,
        "memory.pools.input_file.free_bytes": 4024,
    }),
    ("peak_temp_allocator:       12 / 2048 free: 2036 ( used: 0 % ) ", {
        "memory.pools.temp.used_bytes": 12, "memory.pools.temp.capacity_bytes": 2048, "memory.pools.temp.free_bytes": 2036,
    }),
    ("temp_allocator:            2097152", {"memory.pools.temp.capacity_bytes": 2097152}),
    ("ETDump_outputs_buffer:     100 / 4000 free: 3900 ( used: 2 % ) ", {
        "memory.pools.etdump_outputs.used_bytes": 100, "memory.pools.etdump_outputs.capacity_bytes": 4000,
        "memory.pools.etdump_outputs.free_bytes": 3900,
    }),
    ("ETDump: Allocated intermediate output buffer size: 4000 at 0x0x70000000", {
        "memory.pools.etdump_outputs.capacity_bytes": 4000,
    }),
]  # fmt: skip
MONITOR: list[tuple[str, dict[str, Any]]] = [
    ("NPU Inferences : 3", {"cycles.inferences": 3}),
    ("NPU delegations: 6 (2.00 per inference)", {"cycles.delegations": 6}),
    ("ethos-u : cycle_cnt : 900 cycles", {"cycles.operators.0.name": "ethos-u", "cycles.operators.0.cycles": 900}),
    ("ethos-u : cycle_cnt : 900 cycles (300.00 per inference)", {
        "cycles.operators.0.name": "ethos-u", "cycles.operators.0.cycles": 900, "cycles.operators.0.per_inference": 300.0,
    }),
    ("Operator(s) total: 960 CPU cycles (320.00 per inference)", {"cycles.operators_total": 960}),
    ("Inference runtime: 1200 CPU cycles total (400.00 per inference)", {"cycles.inference": 1200}),
    ("Inference runtime: 1200 CPU cycles total", {"cycles.inference": 1200}),
    ("Inference CPU ratio: 24.75 %", {"cycles.cpu_ratio_percent": 24.75}),
    ("Inference NPU ratio: 75.25 %", {"cycles.npu_ratio_percent": 75.25}),
    ("Inference CPU ratio: ?.?? %", {}),
    ("Inference NPU ratio: ?.?? %", {}),
    ("cpu_wait_for_npu_cntr : 690 CPU cycles (230.00 per inference)", {"cycles.cpu_wait_for_npu": 690}),
    ("ethosu_pmu_cycle_cntr : 810", {"pmu.npu_cycles": 810}),
    ("ethosu_pmu_cycle_cntr : 810 cycles", {"pmu.npu_cycles": 810}),
    ("ethosu_pmu_cycle_cntr :  810 (270.00 per inference)", {
        "pmu.npu_cycles": 810, "pmu.npu_cycles_per_inference": 270.0,
    }),
    ("ethosu_pmu_cntr2 : 45", {"pmu.counters.0.index": 2, "pmu.counters.0.value": 45}),
    ("ethosu_pmu_cntr2 : 45 (15.00 per inference)", {"pmu.counters.0.index": 2, "pmu.counters.0.value": 45}),
    ("Ethos-U delegate 1: 8 backend invocations, 9 NPU invocations", {
        "pmu.delegates.0.index": 1, "pmu.delegates.0.backend_invocations": 8, "pmu.delegates.0.npu_invocations": 9,
    }),
    ("Ethos-U delegate 1 PMU cycles: 700", {"pmu.delegates.0.index": 1, "pmu.delegates.0.npu_cycles": 700}),
    ("Ethos-U delegate 1 PMU counter 3: 50", {
        "pmu.delegates.0.index": 1, "pmu.delegates.0.counters.0.index": 3, "pmu.delegates.0.counters.0.value": 50,
    }),
]  # fmt: skip


def _value(side: str, index: int, dtype: str | None, value: float) -> dict[str, Any]:
    return {f"{side}.0.index": index, f"{side}.0.count": 1, f"{side}.0.dtype": dtype, f"{side}.0.elided": False,
            f"{side}.0.first.0": value}  # fmt: skip


PRINTED: list[tuple[str, dict[str, Any]]] = [
    ("Output[1][0]: (int) 7", _value("outputs", 1, "int", 7)),
    ("Output[1][0]: (float) 0.250000", _value("outputs", 1, "float", 0.25)),
    ("Output[1][0]: (char) -7", _value("outputs", 1, "char", -7)),
    ("Output[1][0]: (bool) true (0x1)", _value("outputs", 1, "bool", 1)),
    ("Output[1][0]: 0.250000", {k: v for k, v in _value("outputs", 1, None, 0.25).items() if v is not None}),
    ("Input[1][0]: (int) 7", _value("inputs", 1, "int", 7)),
    ("Input[1][0]: (float) 0.250000", _value("inputs", 1, "float", 0.25)),
    ("Input[1][0]: (char) -7", _value("inputs", 1, "char", -7)),
    ("Input[1][0]: (bool) false (0x0)", _value("inputs", 1, "bool", 0)),
    ("Output[1]: Not Tensor", {}),
    ("TEST: BundleIO index[2] Test_result: PASS", {"bundleio.result": "PASS", "bundleio.testset": 2}),
    ("TEST: BundleIO index[2] Test_result: FAIL", {"bundleio.result": "FAIL", "bundleio.testset": 2}),
    ("3 inferences finished", {"cycles.inferences": 3}),
    ("Model run: 1", {}),
    ("Starting running 3 inferences...", {}),
    ("Starting the model execution...", {}),
    ("Model executed successfully.", {}),
    ("Input testset[2] from bundled bpte", {}),
    ("Model output match expected BundleIO bpte ref data.", {}),
]  # fmt: skip
ON_LINUX: list[tuple[str, dict[str, Any]]] = [
    ("Using method forward", {"model.method": "forward"}),
    ("Setting up planned buffer 0, size 32.", {"memory.planned_buffers.0": 32}),
    ("Model loaded in 12.500000 ms.", {"times.load_seconds": 0.0125}),
    ("Model executed successfully 4 time(s) in 10.000000 ms.", {
        "cycles.inferences": 4, "times.total_seconds": 0.01, "times.inference_seconds": 0.0025,
    }),
    ("Ethos-U Linux delegate cycle counter: 810", {
        "pmu.npu_cycles": 810, "cycles.delegations": 1, "target.platform": "board",
    }),
]  # fmt: skip
ON_ZEPHYR: list[tuple[str, dict[str, Any]]] = [
    ("Model data loaded. Size: 3708 bytes.", {"model.pte_bytes": 3708}),
    ("Inference completed in 21 ms", {"times.inference_seconds": 0.021}),
    ("Inference time: 21 ms", {"times.inference_seconds": 0.021}),
    ("  [0] class 283: 0.7512", {"predictions.0.index": 283, "predictions.0.score": 0.7512}),
    ("Input tensor: scalar_type=Float, numel=12, nbytes=48", {
        "memory.input_bytes": 48, "inputs.0.index": 0, "inputs.0.count": 12, "inputs.0.dtype": "float", "inputs.0.elided": True,
    }),
    ("Output tensor: scalar_type=Float, numel=10", {
        "outputs.0.index": 0, "outputs.0.count": 10, "outputs.0.dtype": "float", "outputs.0.elided": True,
    }),
]  # fmt: skip
OF_THE_KIT: list[tuple[str, dict[str, Any]]] = [
    ("NPU TOTAL: 810 cycles", {"pmu.npu_cycles": 810}),
    ("NPU TOTAL cycles: 810", {"pmu.npu_cycles": 810}),
    *(
        (text, {"pmu.counters.0.index": 0, "pmu.counters.0.event": f"ETHOSU_PMU_{event}", "pmu.counters.0.value": 45})
        for text, event in (
            ("NPU ACTIVE: 45 cycles", "NPU_ACTIVE"),
            ("NPU IDLE: 45 cycles", "NPU_IDLE"),
            ("NPU AXI0_RD_DATA_BEAT_RECEIVED: 45 beats", "AXI0_RD_DATA_BEAT_RECEIVED"),
            ("NPU AXI1_RD_DATA_BEAT_RECEIVED beats: 45", "AXI1_RD_DATA_BEAT_RECEIVED"),
        )
    ),
]
ON_OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("Number of inferences: 3", {"cycles.inferences": 3}),
    ("Total CPU cycles: 1200 (400.00 per inference)", {"cycles.inference": 1200}),
    ("Total wall time: 900 us (300.00 us per inference)", {
        "times.total_seconds": 0.0009, "times.inference_seconds": 0.0003,
    }),
    ("Average inference time: 0.300 ms", {"times.inference_seconds": 0.0003}),
    ("Size of the model = 77", {"model.pte_bytes": 77}),
    ("Planned memory buffer_size 1 4096 bytes", {"memory.planned_buffers.0": 4096}),
    ("Preparing input: In use: 12B, Free: 99B", {}),
    ("Class 283 ( cat ) with score of 0.750000", {
        "predictions.0.index": 283, "predictions.0.label": "cat", "predictions.0.score": 0.75,
    }),
]  # fmt: skip
FORMS = (
    *(("INFO - Ethos-U device initialised", "INFO - ", *row) for row in OF_THE_KIT),
    *((START, ARM, *row) for row in ON_OTHERS),
    *((START, ARM, *row) for row in (*LOADED, *MEMORY, *MONITOR, *PRINTED)),
    *((LINUX_START, LINUX, *row) for row in ON_LINUX),
    *((START, ZEPHYR, *row) for row in ON_ZEPHYR),
)


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The plain values of a document, each with its path."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        yield from leaves(part, f"{path}.{name}" if path else str(name))
    if not isinstance(value, (dict, list)) and value is not None:
        yield path, value


def shown(*lines: str) -> dict[str, Any]:
    run = read_capture("x", "".join(f"{line}\n" for line in lines).encode()).runs[-1]
    found = leaves(json.loads(json.dumps(to_dict(run))))
    return {path: value for path, value in found if not path.startswith(ABOUT_THE_RUN)}


@pytest.mark.parametrize(("start", "prefix", "text", "fields"), FORMS, ids=[row[2][:60] for row in FORMS])
def test_a_line_fills_its_fields_and_no_others(start: str, prefix: str, text: str, fields: dict[str, Any]) -> None:
    plain = text.startswith(("Output[", "Input["))
    assert shown(start, text if plain else f"{prefix}{text}") == {**shown(start), **fields}


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        (f"{ARM}Model in 0x70000040 $", {"model.address": "0x70000040"}),
        (f"{ARM}PTE in 0x70000040 $ Size: 3708 bytes", {"model.address": "0x70000040", "model.pte_bytes": 3708}),
        (f"{ARM}PTE at 0x70000040 Size: 3708 bytes", {"model.address": "0x70000040", "model.pte_bytes": 3708}),
        (f"{ZEPHYR}Model PTE at 0x70000040, Size: 3708 bytes", {"model.address": "0x70000040", "model.pte_bytes": 3708}),
        (f"{ARM}PTE @ 0x70000040 [----BP08]", {"model.address": "0x70000040", "model.magic": "BP08"}),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "",
)  # fmt: skip
def test_the_first_line_of_a_run_fills_its_fields(line: str, fields: dict[str, Any]) -> None:
    assert shown(line) == fields


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mean_absolute_error", " mean_absolute_error: 0.125000"),
        ("max_absolute_error", " max_absolute_error:  0.125000"),
        ("mean_relative_error", " mean_relative_error: 0.125000"),
        ("max_relative_error", " max_relative_error:  0.125000"),
    ],
)
def test_error_statistics_stand_beside_the_verdict(name: str, text: str) -> None:
    verdict = f"{ARM}TEST: BundleIO index[0] Test_result: PASS"
    stats = f"{ARM}=== Error stats for testset 0 ==="
    assert shown(START, stats, f"{ARM}{text}", verdict) == {**shown(START, verdict), f"bundleio.{name}": 0.125}


@pytest.mark.parametrize(
    ("prefix", "npu", "events"),
    [
        ("ETHOSU_PMU_", None, "AXI0_RD_DATA_BEAT_RECEIVED AXI1_RD_DATA_BEAT_RECEIVED AXI0_WR_DATA_BEAT_WRITTEN NPU_IDLE"),
        ("ETHOSU_PMU_", "ethos-u85", "EXT0_RD_DATA_BEAT_RECEIVED EXT1_RD_DATA_BEAT_RECEIVED EXT0_WR_DATA_BEAT_WRITTEN NPU_IDLE"),
        ("ETHOSU_PMU_", "ethos-u85", "SRAM_RD_DATA_BEAT_RECEIVED SRAM_WR_DATA_BEAT_WRITTEN EXT_RD_DATA_BEAT_RECEIVED "
         "EXT_WR_DATA_BEAT_WRITTEN NPU_IDLE"),
        ("ETHOSU_PMU_", "ethos-u85", "SRAM_RD_DATA_BEAT_RECEIVED SRAM_WR_DATA_BEAT_WRITTEN EXT_RD_DATA_BEAT_RECEIVED "
         "EXT_WR_DATA_BEAT_WRITTEN NPU_IDLE MAC_ACTIVE WD_ACTIVE"),
    ],
    ids=["U55", "U85 of 2024", "U85 with 5", "U85 with 7"],
)  # fmt: skip
def test_each_counter_has_the_event_at_its_place(prefix: str, npu: str | None, events: str) -> None:
    names = [f"{prefix}{event}" for event in events.split()]
    values = [1000 + 7 * place for place in range(len(names))]
    lines = [f"{ARM}ethosu_pmu_cntr{i} : {value}" for i, value in enumerate(values)]
    run = read_capture(
        "x", "\n".join([START, f"{ARM}Ethos-U PMU Events:[{', '.join(names)}]", *lines, ""]).encode()
    ).runs[0]
    assert run.pmu is not None and run.target.npu == npu
    assert [(c.index, c.event, c.value) for c in run.pmu.counters] == [
        (i, name, value) for i, (name, value) in enumerate(zip(names, values, strict=True))
    ]
