"""Lines of `arm_perf_monitor.cpp` (0.4 to main) and of the per-delegate profile that a pending change adds."""

from __future__ import annotations

from .table import Pattern as P

MONITOR: tuple[P, ...] = (
    P("inferences", "NPU Inferences : {count:int}", ("NPU Inferences : 1",), "0.4.."),
    P(
        "inferences",
        "============ NPU Inferences : {count:int} ============",
        ("============ NPU Inferences : 1 ============",),
        "printf ports",
    ),
    P(
        "delegations",
        "NPU delegations: {count:int}{? ({?{per_inference:float}?} per inference)?}",
        ("NPU delegations: 1 (1.00 per inference)", "NPU delegations: 0 (nan per inference)"),
        "1.0..",
    ),
    P("profile_start", "Profiler report, CPU cycles per operator:", ("Profiler report, CPU cycles per operator:",)),
    P(
        "operator_cycles",
        "ethos-u : cycle_cnt : {cycles:int} cycles{? ({?{per_inference:float}?} per inference)?}",
        ("ethos-u : cycle_cnt : 1498202 cycles", "ethos-u : cycle_cnt : 18301 cycles (18301.00 per inference)"),
        "0.4..",
    ),
    P(
        "operators_total",
        "Operator(s) total: {cycles:int} CPU cycles{? ({?{per_inference:float}?} per inference)?}",
        ("Operator(s) total: 1498202 CPU cycles", "Operator(s) total: 18301 CPU cycles (18301.00 per inference)"),
        "0.4..",
    ),
    P(
        "inference_cycles",
        "Inference runtime: {cycles:int} CPU cycles total{? ({?{per_inference:float}?} per inference)?}",
        (
            "Inference runtime: 6925114 CPU cycles total",
            "Inference runtime: 58092 CPU cycles total (inf per inference)",
        ),
        "0.4..",
    ),
    P(
        "ratio_note",
        "NOTE: CPU cycle values and ratio calculations require FPGA and identical CPU/NPU frequency",
        ("NOTE: CPU cycle values and ratio calculations require FPGA and identical CPU/NPU frequency",),
        "0.4..",
    ),
    P(
        "cpu_ratio",
        "Inference CPU ratio: {?{percent:float}?}{? %?}",
        ("Inference CPU ratio: 99.99 %", "Inference CPU ratio:  %", "Inference CPU ratio: 99.95"),
        "0.4..",
    ),
    P(
        "npu_ratio",
        "Inference NPU ratio: {?{percent:float}?}{? %?}",
        ("Inference NPU ratio: 0.01 %", "Inference NPU ratio: 0.05"),
        "0.4..",
    ),
    P(
        "cpu_ratio_unknown",
        "Inference CPU ratio: ?.??{? %?}",
        ("Inference CPU ratio: ?.?? %", "Inference CPU ratio: ?.??"),
        "0.4..",
    ),
    P(
        "npu_ratio_unknown",
        "Inference NPU ratio: ?.??{? %?}",
        ("Inference NPU ratio: ?.?? %", "Inference NPU ratio: ?.??"),
        "0.4..",
    ),
    P(
        "cpu_wait",
        "cpu_wait_for_npu_cntr : {cycles:int} CPU cycles{? ({?{per_inference:float}?} per inference)?}",
        ("cpu_wait_for_npu_cntr : 729 CPU cycles", "cpu_wait_for_npu_cntr : 505 CPU cycles (505.00 per inference)"),
        "0.4..",
    ),
    P("pmu_start", "Ethos-U PMU report:", ("Ethos-U PMU report:",)),
    P(
        "npu_cycles",
        "ethosu_pmu_cycle_cntr : {cycles:int}{? cycles?}{? ({?{per_inference:float}?} per inference)?}",
        (
            "ethosu_pmu_cycle_cntr : 5920305",
            "ethosu_pmu_cycle_cntr :  247553 (247553.00 per inference)",
            "ethosu_pmu_cycle_cntr : 134869 cycles",
            "ethosu_pmu_cycle_cntr : 247553 ( per inference)",
        ),
        "0.4..",
    ),
    P(
        "counter",
        "ethosu_pmu_cntr{index:int} : {value:int}{? ({?{per_inference:float}?} per inference)?}",
        ("ethosu_pmu_cntr0 : 359921", "ethosu_pmu_cntr3 : 501 (501.00 per inference)"),
        "0.4..",
    ),
    *(
        P(
            "counter_shifted",
            f"ethosu_pmu_cntr{letters} : {{value:int}}{{? ({{:text}} per inference)?}}",
            (f"ethosu_pmu_cntr{letters} : 0", f"ethosu_pmu_cntr{letters} : 3 (1.00 per inference)"),
            "newlib-nano",
        )
        for letters in ("zd", "zu")
    ),
    P(
        "counter_names",
        "Ethos-U PMU Events:[{names:text}{?]?}",
        ("Ethos-U PMU Events:[ETHOSU_PMU_AXI0_RD_DATA_BEAT_RECEIVED, ETHOSU_PMU_NPU_IDLE]",),
        "0.4..",
    ),
    P("delegate_report", "Ethos-U per-delegate PMU report:", ("Ethos-U per-delegate PMU report:",)),
    P(
        "delegate_invocations",
        "Ethos-U delegate {index:int}: {backend:int} backend invocations, {npu:int} NPU invocations",
        ("Ethos-U delegate 0: 1 backend invocations, 1 NPU invocations",),
    ),
    P(
        "delegate_cycles",
        "Ethos-U delegate {index:int} PMU cycles: {cycles:int}",
        ("Ethos-U delegate 0 PMU cycles: 247553",),
    ),
    P(
        "delegate_counter",
        "Ethos-U delegate {index:int} PMU counter {counter:int}: {value:int}",
        ("Ethos-U delegate 0 PMU counter 2: 42419",),
    ),
    P("etdump_setup", "Setting up ETDump", ("Setting up ETDump",)),
    P(
        "etdump_buffer",
        "ETDump: Allocated {?intermediate?} output buffer size: {size:int} at {address:word}",
        ("ETDump: Allocated intermediate output buffer size: 2097152 at 0x0x70100000",),
        "1.0..",
    ),
    P("etdump_generated", "ETDump data generated: {size:int} bytes", ("ETDump data generated: 1240 bytes",), "esp"),
    P("etdump_size", "[base64] buffer size: {size:int}", ("[base64] buffer size: 1656",), "1.0.."),
    P(
        "etdump_data",
        'echo "{data:text}" | base64 -d >{file:word}',
        ('echo "1AQAAAgAAABFRDAw" | base64 -d >etdump.bin',),
        "0.7..",
    ),
    P(
        "etdump_cut",
        'echo "{data:base64}"{:closing}',
        ('echo "1AQAAAgAAABFRDAw" | base6', 'echo "1AQAAAgAAABFRDAw"'),
        "0.7..",
    ),
    P("etdump_open", 'echo "{data:base64}', ('echo "1AQAAAgAAABFRDAw',), "0.7.."),
    P("etdump_heredoc", 'base64 -i -d <<<"{?\\?}', ('base64 -i -d <<<"\\',), "0.6"),
    P("etdump_close", '" >{file:word}', ('" >etdump.bin',), "0.6"),
    P("etdump_writing", "Writing {file:word} [base64]", ("Writing etdump.bin [base64]",), "0.6..0.7"),
    P("etdump_writing", "# Writing {file:word} [base64]", ("# Writing debug_buffer.bin [base64]",), "1.0.."),
    P("etdump_file", "Writing etdump to file: {path:rest}", ("Writing etdump to file: etdump.bin",), "0.6.."),
    P(
        "etdump_file",
        "Writing etdump debug_buffer to file: {path:rest}",
        ("Writing etdump debug_buffer to file: debug_buffer.bin",),
        "1.0..",
    ),
    P("etdump_fence", "#---", ("#---",), "0.6..0.7"),
    P("etdump_command", "# Generate cpu cycle table with:", ("# Generate cpu cycle table with:",), "1.0.."),
    P(
        "etdump_command",
        "python3 -m devtools.inspector.inspector_cli {:rest}",
        ("python3 -m devtools.inspector.inspector_cli --etdump_path etdump.bin  --source_time_scale cycles",),
        "0.6..",
    ),
    P("etdump_script", "#[RUN THIS]", ("#[RUN THIS]",), "1.0.."),
    P("etdump_end", "#[END]", ("#[END]",), "1.0.."),
)
