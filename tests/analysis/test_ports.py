"""Ports, servers and applications, each as it prints: what is read of them, and whether they passed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethosu_tui.analysis import Capture, Run, read_capture
from ethosu_tui.analysis.patterns import PATTERNS
from ethosu_tui.analysis.run_tables import run_tables


def read(text: str) -> Capture:
    return read_capture("log", text.encode())


def only(text: str) -> Run:
    (run,) = read(text).runs
    return run


def lines(prefix: str, *messages: str) -> str:
    return "".join(f"{prefix}{message}\n" for message in messages)


ARM = "I [executorch:arm_executor_runner.cpp:1 main()] "
LOADED = lines(ARM, "PTE @ 0x70000000 [----ET12]", "PTE Model data loaded. Size: 960 bytes.", "Running method forward")
END = lines(ARM, "Model run: 1", "Program complete, exiting.")


def inference(index: int, npu: int) -> str:
    return (
        lines(ARM, "Starting running 1 inferences...")
        + perf_block(npu, 4 * npu, npu // 2)
        + lines(ARM, "1 inferences finished", "Model run: 1", f"SERVER_INFERENCE_DONE {index}")
    )


def perf_block(npu: int, runtime: int, wait: int, inferences: int = 1) -> str:
    each = 1 / inferences
    return lines(
        "I [executorch:arm_perf_monitor.cpp:150 StopMeasurements()] ",
        f"NPU Inferences : {inferences}",
        f"NPU delegations: {inferences} (1.00 per inference)",
        "Profiler report, CPU cycles per operator:",
        f"ethos-u : cycle_cnt : {npu + 10} cycles ({(npu + 10) * each:.2f} per inference)",
        f"Operator(s) total: {npu + 10} CPU cycles ({(npu + 10) * each:.2f} per inference)",
        f"Inference runtime: {runtime} CPU cycles total ({runtime * each:.2f} per inference)",
        f"Inference CPU ratio: {100 * (runtime - wait) / runtime:.2f} %",
        f"Inference NPU ratio: {100 * wait / runtime:.2f} %",
        f"cpu_wait_for_npu_cntr : {wait} CPU cycles ({wait * each:.2f} per inference)",
        "Ethos-U PMU report:",
        f"ethosu_pmu_cycle_cntr :  {npu} ({npu * each:.2f} per inference)",
        f"ethosu_pmu_cntr0 : {npu // 8} ({npu // 8 * each:.2f} per inference)",
        f"ethosu_pmu_cntr1 : {npu // 16} ({npu // 16 * each:.2f} per inference)",
        "Ethos-U PMU Events:[ETHOSU_PMU_AXI0_RD_DATA_BEAT_RECEIVED, ETHOSU_PMU_NPU_IDLE]",
    )


def test_a_server_keeps_the_block_of_every_inference() -> None:
    cycles = (8_000, 16_000, 24_000)
    run = only(
        LOADED + lines(ARM, "Running in semihosting server mode.") + "".join(map(inference, range(3), cycles)) + END
    )
    assert run.status == "passed"
    assert [b.pmu.npu_cycles for b in run.blocks if b.pmu] == list(cycles)
    assert [b.cycles.inferences for b in run.blocks] == [1, 1, 1]
    assert [b.pmu.counters[1].event for b in run.blocks if b.pmu] == ["ETHOSU_PMU_NPU_IDLE"] * 3
    assert (run.cycles.inferences, run.cycles.delegations, run.cycles.inference) == (3, 3, 4 * sum(cycles))
    assert run.pmu is not None
    assert (run.pmu.npu_cycles, run.pmu.npu_cycles_per_inference) == (sum(cycles), sum(cycles) / 3)
    assert [c.value for c in run.pmu.counters] == [sum(c // 8 for c in cycles), sum(c // 16 for c in cycles)]
    assert (run.cycles.cpu_ratio_percent, run.cycles.npu_ratio_percent) == (87.5, 12.5)


def test_a_figure_that_one_block_lacks_has_no_sum() -> None:
    torn = inference(1, 16_000).replace("ethosu_pmu_cycle_cntr", "ethosu_p")
    run = only(LOADED + inference(0, 8_000) + torn + inference(2, 24_000) + END)
    assert run.pmu is not None
    assert run.pmu.npu_cycles is None
    assert [b.pmu.npu_cycles if b.pmu else None for b in run.blocks] == [8_000, None, 24_000]
    assert run.cycles.inferences == 3


def test_a_block_printed_twice_counts_once() -> None:
    once = lines(ARM, "Starting running 1 inferences...") + perf_block(8_000, 32_000, 4_000)
    again = perf_block(8_000, 32_000, 4_000) + lines(ARM, "1 inferences finished")
    run = only(LOADED + once + again + END)
    assert run.blocks == ()
    assert (run.cycles.inferences, run.pmu and run.pmu.npu_cycles) == (1, 8_000)


def test_a_server_of_thousands_of_inferences_stays_bounded() -> None:
    run = only(LOADED + "".join(inference(i, 8_000) for i in range(1_500)) + END)
    assert len(run.blocks) == 1_000
    assert (run.cycles.inferences, run.pmu and run.pmu.npu_cycles) == (1_500, 1_500 * 8_000)


def test_esp32() -> None:
    esp = "I [executorch:esp_executor_runner.cpp:500 app_main()] "
    monitor = "I [executorch:esp_perf_monitor.cpp:40 StopMeasurements()] "
    run = only(
        "Starting executorch runner !\n"
        + lines(
            esp,
            "PTE @ 0x3c0a0020 [----ET12]",
            "PTE Model data loaded. Size: 960 bytes.",
            "Starting running 10 inferences...",
        )
        + lines(
            monitor,
            "Profiler report:",
            "Number of inferences: 10",
            "Total CPU cycles: 4800123 (480012.30 per inference)",
            "Total wall time: 20051 us (2005.10 us per inference)",
            "Average inference time: 2.005 ms",
            "Free heap: 301456 bytes",
            "Min free heap ever: 298000 bytes",
        )
        + lines(
            esp,
            "10 inferences finished",
            "Model run: 1",
            "ESP free PSRAM:            8380000 bytes",
            "Program complete.",
        )
    )
    assert (run.status, run.runner.kind, run.target.platform) == ("passed", "other", "board")
    assert (run.cycles.inferences, run.cycles.inference) == (10, 4_800_123)
    assert (run.times.total_seconds, run.times.inference_seconds) == (0.020051, 0.0020051)
    assert run.memory.pools["heap"].free_bytes == 301_456
    assert run.memory.pools["psram"].free_bytes == 8_380_000
    assert run.memory.heap_least_free_bytes == 298_000
    assert run.pmu is None


def test_linux_with_the_npu() -> None:
    posix = "I 00:00:01.000123 executorch:executor_runner.cpp:476] "
    npu = "I 00:00:02.000123 executorch:EthosUBackend_Cortex_A.cpp:300] Ethos-U Linux delegate cycle counter: "
    run = only(
        lines(
            posix,
            "Model file m.pte is loaded.",
            "Using method forward",
            "Setting up CPU planned buffer 0, size 752640.",
        )
        + f"{npu}1000\n{npu}1200\n"
        + lines(posix, "Model executed successfully 2 time(s) in 3.000000 ms.", "1 outputs: ")
        + "OutputX 0: tensor(sizes=[1, 2], [0.5, 0.25])\n"
    )
    assert (run.status, run.runner.kind, run.target.platform) == ("passed", "executor_runner", "board")
    assert run.pmu is not None
    assert (run.pmu.npu_cycles, run.pmu.npu_cycles_per_inference) == (2_200, 1_100)
    assert (run.cycles.inferences, run.cycles.delegations) == (2, 2)
    assert (run.times.total_seconds, run.times.inference_seconds) == (0.003, 0.0015)


PROFILE = (
    "INFO - Profile for Inference:\nINFO - NPU ACTIVE: 7627 cycles\n"
    "INFO - NPU ETHOSU_PMU_SRAM_RD_DATA_BEAT_RECEIVED: 100 beats\nINFO - NPU IDLE: 3 cycles\nINFO - NPU TOTAL: 7630 cycles\n"
)


def test_the_evaluation_kit_on_a_u85() -> None:
    head = "INFO - \tMACs/cc:    256\nINFO - Allocating tensors\nINFO - Activation buffer (a.k.a tensor arena) size used: 641452\n"
    result = "INFO - Running inference on image 0 => cat.bmp\nINFO - 0) 283 (0.765625) -> tiger cat\nINFO - 1) 2 (0.1) -> shark\n"
    preparing = "INFO - Profile for pre-processing:\nINFO - NPU TOTAL: 5 cycles\n"
    run = only(head + result + preparing + PROFILE + result + PROFILE + "INFO - program terminating...\n")
    assert (run.status, run.runner.kind, run.target.name) == ("passed", "mlek", "ethos-u85-256")
    assert run.pmu is not None
    assert (run.pmu.npu_cycles, run.pmu.npu_cycles_per_inference, run.cycles.inferences) == (15_260, 7_630, 2)
    assert [c.event for c in run.pmu.counters] == [
        "ETHOSU_PMU_NPU_ACTIVE", "ETHOSU_PMU_SRAM_RD_DATA_BEAT_RECEIVED", "ETHOSU_PMU_NPU_IDLE",
    ]  # fmt: skip
    assert [(p.index, p.label) for p in run.predictions] == [(283, "tiger cat"), (2, "shark")]
    assert run.memory.pools["tensor_arena"].used_bytes == 641_452


def test_full_statistics_of_the_evaluation_kit() -> None:
    run = only(
        "INFO - Profile for Inference:\nINFO - Number of samples: 2\nINFO - Total / Avg./ Min / Max\n"
        "INFO - NPU AXI0_RD_DATA_BEAT_RECEIVED beats: 200/ 100 / 90 / 110 \n"
        "INFO - NPU TOTAL cycles: 811216/ 405608 / 405600 / 405616 \n"
    )
    assert run.pmu is not None
    assert (run.pmu.npu_cycles, run.pmu.npu_cycles_per_inference) == (811_216, 405_608)
    assert (run.pmu.npu_cycles_min, run.pmu.npu_cycles_max, run.cycles.inferences) == (405_600, 405_616, 2)
    assert run.pmu.counters[0].value == 200


def test_tflm_reports_one_after_another() -> None:
    report = "Ethos-U PMU report:\nethosu_pmu_cycle_cntr : 1000\nethosu_pmu_cntr0 : 90\nethosu_pmu_cntr1 : 4\n"
    run = only(report + report.replace("1000", "3000"))
    assert [b.pmu and b.pmu.npu_cycles for b in run.blocks] == [1_000, 3_000]
    assert run.pmu is not None
    assert (run.pmu.npu_cycles, run.pmu.counters[0].value) == (4_000, 180)


def test_counters_by_delegate() -> None:
    run = only(
        LOADED
        + perf_block(8_000, 32_000, 4_000)
        + lines(
            ARM,
            "Ethos-U per-delegate PMU report:",
            "Ethos-U delegate 0: 2 backend invocations, 2 NPU invocations",
            "Ethos-U delegate 0 PMU cycles: 7000",
            "Ethos-U delegate 0 PMU counter 1: 42",
            "Ethos-U delegate 1: 2 backend invocations, 0 NPU invocations",
        )
        + END
    )
    assert run.pmu is not None
    first, second = run.pmu.delegates
    assert (first.backend_invocations, first.npu_cycles, first.counters[0].value) == (2, 7_000, 42)
    assert first.counters[0].event == "ETHOSU_PMU_NPU_IDLE"
    assert (second.index, second.npu_invocations, second.npu_cycles) == (1, 0, None)


NEUTRON = (
    "Started..\nModel file cifar.pte loaded\nProgram loaded\nUsing method (forward)...\nCreating MemoryAllocator...\n"
    "Setting up planned buffer 0, size 12288...\nCreating HierarchicalAllocator....\n"
)


def test_the_neutron_runner() -> None:
    run = only(NEUTRON + "Method loaded...\nMethod executed successfully...\nSaving file out/0.bin\nFinished...\n")
    assert (run.status, run.runner.kind, run.model.method) == ("passed", "other", "forward")
    assert run.memory.planned_buffers == (12_288,)
    failed = read(NEUTRON + "Loading of method (forward) failed with status 33...\n")
    assert (failed.runs[0].status, failed.runs[0].stage) == ("failed", "plan")
    assert failed.findings[0].severity == "error"
    assert failed.findings[0].rule == "method-pool-too-small"


def test_words_of_other_programs_complete_nothing() -> None:
    run = only(LOADED + "Finished...\nProgram complete.\nInference finished\n")
    assert run.status != "passed"
    assert not read("Finished...\nProgram loaded\nStarted..\nSaving file x\n").runs


def test_image_classification() -> None:
    example = "I [executorch:main.cpp:300 main()] "
    run = only(
        lines(
            example,
            "Runtime initialized",
            "Size of the model = 6241504",
            "Running method forward",
            "num_memory_planned_buffers = 1",
            "Planned memory buffer_size 0 752640 bytes",
            "Number of input tensors = 1",
            "Top 2 classes in descending order(highest probability is at the top)",
            "Class 207 ( golden retriever ) with score of 9.625000",
            "Class 2 ( great white shark, white shark ) with score of 1.500000",
        )
    )
    assert (run.status, run.runner.kind, run.model.pte_bytes) == ("passed", "other", 6_241_504)
    assert run.memory.planned_buffers == (752_640,)
    assert run.predictions[1].label == "great white shark, white shark"


def test_the_trace_of_the_cortex_m33_port() -> None:
    port = "I [arm_executor_runner.cpp:1440] "
    run = only(
        "CM33: ethosu_init done\nCM33: ExecuTorch runner started\n"
        + lines(port, "PTE @ 0xc0000000 [----ET12]", "Starting running 1 inferences...", "1 inferences finished")
        + "CM33: 2 output(s):\n  Output[0]: dtype=6, numel=20, nbytes=80\n    [0]=1073741824 (float raw)\n"
        "    [1]=0 (float raw)\n    ... (18 more elements)\n  Output[1]: dtype=1, numel=2, nbytes=2\n    [0]=-3\n    [1]=0x05\n"
        + lines(port, "Model run: 1", "Program complete, exiting.")
    )
    assert (run.status, run.target.platform, run.model.address) == ("passed", "board", "0xc0000000")
    assert [(t.count, t.dtype, t.elided, t.first) for t in run.outputs] == [
        (20, "float", True, (2.0, 0.0)),
        (2, "char", False, (-3, 5)),
    ]


def test_what_build_scripts_say_waits_for_the_run() -> None:
    call = "CALL python3 -m examples.arm.aot_arm_compiler --model_name=mv2 --target=ethos-u85-256 --delegate"
    build = "Build Arm arm-none-eabi executor_runner for ethos-u85-256 PTE: a.pte using Ethos_U85_SYS_DRAM_Mid Sram_Only  to 'x'"
    start = "Running r.elf for ethos-u85-256 run with FVP:FVP_Corstone_SSE-320 num_macs:256 timeout:600"
    assert read(f"{call}\n{build}\n").runs == ()
    run = only(f"{call} --system_config=Ethos_U85_SYS_DRAM_Low\n{build}\n{start}\n" + LOADED + END)
    target = run.target
    assert (target.name, target.macs, target.platform) == ("ethos-u85-256", 256, "fvp")
    assert (target.system_config, target.memory_mode) == ("Ethos_U85_SYS_DRAM_Mid", "Sram_Only")
    assert target.fvp == "FVP_Corstone_SSE-320"
    (first, second) = read(f"{call}\n" + LOADED + END + LOADED + END).runs
    assert (first.target.name, second.target.name) == ("ethos-u85-256", None)


@pytest.mark.parametrize(
    "message",
    [
        "ethosu_pmu_cycle_cntr : lu (0.00 per inference)",
        "ethosu_pmu_cntrzd : lu (0.00 per inference)",
        "method_allocator_used:     zu / zu  free: zu ( used: zu % ) ",
        "Setting up planned buffer zu, size zu.",
        "cpu_wait_for_npu_cntr : lu CPU cycles (3.00 per inference)",
        "3 inputs: zu",
    ],
)
def test_numbers_that_the_c_library_lost_are_absent(message: str) -> None:
    capture = read(LOADED + lines(ARM, message) + END)
    (run,) = capture.runs
    assert run.status == "passed"
    assert run.pmu is None
    assert run.memory.planned_buffers == ()
    assert "method" not in run.memory.pools
    assert run.cycles.cpu_wait_for_npu is None
    if "inputs" not in message:
        assert "newlib-nano-shift" in [finding.rule for finding in capture.findings]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([s for p in PATTERNS for s in p.samples]),
    st.sampled_from(["zu", "lu", "zd"]),
    st.sampled_from("IEF"),
)
def test_any_line_with_lost_numbers_gives_a_report(sample: str, letters: str, level: str) -> None:
    message = "".join(letters if c.isdigit() else c for c in sample.split("\n")[0])
    capture = read(LOADED + f"{level} [executorch:x.cpp:1 f()] {message}\n" + END)
    for run in capture.runs:
        assert run.pmu is None or run.pmu.npu_cycles is None


def test_core_software_under_an_fvp() -> None:
    run = only(
        "Info: FVP_MPS3_Corstone_SSE_300: Creating Ethos-U55 with config H128\n\n    Ethos-U rev 074befff --- Nov 25 2020 17:22:52\n"
        "Sending inference job\nReceived inference job. job=30073e90, name=a\nRunning inference job: a\n"
        "ethosu_pmu_cntr0 : 10\nethosu_pmu_cntr1 : 20\nethosu_pmu_cycle_cntr : 1000 cycles\narena_used_bytes : 1596\n"
        "Finished running job: a\nReceived inference job response. status=0\n"
        "Sending inference job\nReceived inference job. job=30073e90, name=b\nRunning inference job: b\n"
        "ethosu_pmu_cntr0 : 11\nethosu_pmu_cntr1 : 21\nethosu_pmu_cycle_cntr : 1200 cycles\n"
        "Finished running job: b\nReceived inference job response. status=0\n"
        "Application exit code: 0.\n\nEXITTHESIM\nInfo: /OSCI/SystemC: Simulation stopped by user.\n"
    )
    assert (run.status, run.target.name, run.target.platform, run.target.fvp) == (
        "passed", "ethos-u55-128", "fvp", "FVP_MPS3_Corstone_SSE_300",
    )  # fmt: skip
    assert [b.pmu and b.pmu.npu_cycles for b in run.blocks] == [1_000, 1_200]
    assert run.pmu is not None
    assert (run.pmu.npu_cycles, [c.value for c in run.pmu.counters]) == (2_200, [21, 41])
    assert run.memory.pools["tensor_arena"].used_bytes == 1_596


@pytest.mark.parametrize(("status", "verdict"), [(0, "passed"), (1, "failed")])
def test_jobs_of_zephyr_s_tensorflow_sample(status: int, verdict: str) -> None:
    job = "job=0x31000a10"
    run = only(
        "*** Booting Zephyr OS build v3.7.0 ***\n"
        f"sender 0: Sending inference. {job}, name=kws\nsender 0: Sending inference. {job}, name=kws\n"
        f"runner 0: Received inference job. {job}\nrunner 0: Sending inference response. {job}\n"
        f"sender 0: Received job response. {job}, status=0\nrunner 0: Received inference job. {job}\n"
        f"runner 0: Sending inference response. {job}\nsender 0: Received job response. {job}, status={status}\n"
    )
    assert (run.status, run.runner.kind) == (verdict, "zephyr")


def test_tables_show_every_inference_and_every_delegate() -> None:
    capture = read(
        LOADED + inference(0, 8_000) + inference(1, 16_000) + lines(ARM, "Ethos-U delegate 0 PMU cycles: 7000") + END
    )
    tables = run_tables(capture, capture.runs[0])
    assert [row[2].value for row in tables["inferences"].rows] == [8_000, 16_000]
    assert tables["inferences"].columns[-1].name == "NPU_IDLE"
    assert tables["delegates"].rows[0][3].value == 7_000
    plain = read(LOADED + inference(0, 8_000) + END)
    assert not {"inferences", "delegates"} & run_tables(plain, plain.runs[0]).keys()


@pytest.mark.parametrize(
    ("profile", "total"),
    [
        (
            "INFO - Profile for Inference :\nINFO - NPU ACTIVE cycles: 90\nINFO - NPU IDLE cycles: 10\nINFO - NPU total cycles: 100\n",
            100,
        ),
        (
            "[INFO] Profile for Inference:\n\tActive NPU cycles: 90\n\tIdle NPU cycles:   10\n\tTime in ms:        7\n",
            None,
        ),
        (
            "INFO - Profile for Inference:\nINFO - NPU ACTIVE: 90 cycles\nINFO - NPU IDLE: 10 cycles\nINFO - NPU TOTAL: 100 cycles\n",
            100,
        ),
    ],
)
def test_every_generation_of_the_evaluation_kit(profile: str, total: int | None) -> None:
    run = only("[INFO] Running inference on image 0 => cat.bmp\n" + profile)
    assert run.runner.kind == "mlek"
    assert run.pmu is not None
    assert (run.pmu.npu_cycles, [(c.event, c.value) for c in run.pmu.counters]) == (
        total,
        [("ETHOSU_PMU_NPU_ACTIVE", 90), ("ETHOSU_PMU_NPU_IDLE", 10)],
    )
    assert run.times.inference_seconds == (0.007 if total is None else None)


def test_floats_that_newlib_nano_leaves_out() -> None:
    bare = perf_block(8_000, 32_000, 4_000)
    for number in (
        "(1.00 per",
        "(8010.00 per",
        "(32000.00 per",
        "(4000.00 per",
        "(8000.00 per",
        "(1000.00 per",
        "(500.00 per",
    ):
        bare = bare.replace(number, "( per")
    bare = bare.replace("ratio: 87.50 %", "ratio:  %").replace("ratio: 12.50 %", "ratio:  %")
    capture = read(LOADED + bare + "Output[0][0]: (float) \nOutput[0][1]: (float) \n" + END)
    (run,) = capture.runs
    assert run.pmu is not None
    assert (run.pmu.npu_cycles, run.pmu.npu_cycles_per_inference) == (8_000, None)
    assert [c.value for c in run.pmu.counters] == [1_000, 500]
    assert (run.cycles.inference, run.cycles.cpu_ratio_percent) == (32_000, None)
    assert (run.outputs[0].count, run.outputs[0].dtype) == (2, "float")
    assert all(value != value for value in run.outputs[0].first)
    assert "newlib-nano-shift" in [finding.rule for finding in capture.findings]
