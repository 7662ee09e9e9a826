"""Ports, servers and applications, each as it prints: what is read of them, and whether they passed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.answers.of_run import answers_of_run
from ethosu_tui.analysis.outputs.read import read_outputs
from ethosu_tui.analysis.patterns import PATTERNS
from ethosu_tui.analysis.report_tables import run_tables

from .port_logs import ARM, END, LOADED, inference, lines, only, perf_block, read
from .test_report_figures import lines_of


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


def test_esp32_with_its_last_lines_left_out() -> None:
    esp = "I [executorch:esp_executor_runner.cpp:500 app_main()] "
    done = lines(
        esp,
        "ESP32 ExecuTorch runner initialized. Free heap: 301456 bytes.",
        "Running method forward",
        "1 inferences finished",
    )
    assert only(done).status == "truncated"
    assert only(done + lines(esp, "Program complete.")).status == "passed"


def test_a_chip_without_an_npu_that_falls_silent_is_not_sent_to_look_for_one() -> None:
    esp = "I [executorch:esp_executor_runner.cpp:500 app_main()] "
    said = lines(esp, "PTE Model data loaded. Size: 960 bytes.", "Starting running 1 inferences...")
    (found, *_) = read_capture("x", f"Starting executorch runner !\n{said}".encode()).findings
    assert found.rule == "hung" and "no NPU" in found.detail and "interrupt" not in found.advice


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


def test_a_capture_that_lost_all_counters_but_those_of_a_delegate() -> None:
    capture = read(LOADED + lines(ARM, "Ethos-U delegate 0 PMU cycles: 7000") + END)
    (run,) = capture.runs
    assert run.pmu is not None and run.pmu.npu_cycles is None
    assert [delegate.npu_cycles for delegate in run.pmu.delegates] == [7_000]
    limit = next(answer for answer in answers_of_run(run, capture.findings) if answer.key == "limit")
    assert limit.reason == "the log does not say how many cycles the NPU took"


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


def test_bits_of_floats_that_were_printed_with_a_sign() -> None:
    text = (
        "I: Ethos-U config. product=1, cmd_stream_version=0, macs_per_cc=8, shram_size=48, custom_dma=0\n"
        "I: Test Case 17: handle_optimizer_config: NPU arch match\n1 inferences finished\nOutput[0]: dtype=6, numel=9, nbytes=36\n"
        "    [0]=0 (float raw)\n    [1]=-1073741824 (float raw)\n    [2]=1073741824 (float raw)\n    ... (9 total values)\n"
        "Model run: 1\nProgram complete, exiting.\n"
    )
    run = only(text)
    assert (run.status, run.target.name) == ("passed", "ethos-u65-256")
    assert [(t.count, t.dtype, t.elided, t.first) for t in run.outputs] == [(9, "float", True, (0.0, -2.0, 2.0))]
    (output,) = read_outputs(lines_of(text.encode()), run)
    assert list(output.values) == [0.0, -2.0, 2.0]


def test_a_tensor_of_which_no_value_is_printed_is_left_out() -> None:
    begin = "I: Initializing NPU: base_address=0x4a900000, fast_memory=0, secure=0, privileged=0\n"
    run = only(f"{begin}1 inferences finished\nOutput[0]: dtype=6, numel=9, nbytes=36\nProgram complete, exiting.\n")
    assert (run.status, run.first_line) == ("passed", 1)
    assert [(t.count, t.elided, t.first) for t in run.outputs] == [(9, True, ())]


def test_audiomark_ends_with_its_score() -> None:
    text = (
        "Initializing\nINFO - Ethos-U device initialised\nINFO - \tMACs/cc:    128\nINFO - Allocating tensors\n"
        "INFO - Number of operators: 1\nComputing run speed\nMeasuring\nTotal runtime    : 11.000 seconds\n"
        "Total iterations : 10 iterations\n"
    )
    score = "Score            : 500.250000 AudioMarks\n"
    assert (only(text + score).status, only(text + score).stage) == ("passed", "complete")
    assert only(text).status == "truncated"
    assert read_capture("x", score.encode()).runs == ()


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


def test_the_size_that_a_script_says_of_the_program_is_that_of_its_run() -> None:
    said = "pte_data_size:  3809584 /a/mv2.pte\n"
    begun = "I [executorch:arm_executor_runner.cpp:693 runner_init()] Model buffer loaded, has 1 methods\n"
    loaded = "I [executorch:arm_executor_runner.cpp:677 runner_init()] PTE Model data loaded. Size: {} bytes.\n"
    assert only(said + begun).model.pte_bytes == 3809584
    assert only(said + loaded.format(960) + begun).model.pte_bytes == 960
    assert only(said + loaded.format(0x10000000) + begun).model.pte_bytes == 3809584
    assert only(said.replace(".pte", ".bpte") + begun).model.pte_bytes is None  # its test data count, too
    assert read(said).runs == ()


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


GUIDE = (
    "I: Ethos-U config. product=1, cmd_stream_version=0, macs_per_cc=8, shram_size=48, custom_dma=0\n"
    "I: Test Case 17: handle_optimizer_config: NPU arch match\nI: Test Case 14: cmd_end_reached 0x1\n"
    "I: Test Case 10: bus_status_error 0x0\n"
)  # fmt: skip
GUIDE_END = "1 inferences finished\nOutput[0]: dtype=6, numel=1, nbytes=4\n    [0]=0 (float raw)\nModel run: 1\nProgram complete, exiting.\n"


def test_a_log_that_ends_where_the_npu_was_done_does_not_wait_for_it() -> None:
    for log, done in ((GUIDE, True), (GUIDE.replace("cmd_end_reached 0x1", "cmd_end_reached 0x0"), False)):
        capture = read(log)
        assert (capture.runs[0].status, capture.findings[0].rule) == ("hung", "hung")
        assert (
            "the NPU had finished" in capture.findings[0].title,
            "waits for the NPU" in capture.findings[0].detail,
        ) == (
            done,
            False,
        )
    again = GUIDE + "I: Optimizer config. product=1, cmd_stream_version=0, macs_per_cc=8, shram_size=48\n"
    assert "the NPU had finished" not in read(again).findings[0].title


@pytest.mark.parametrize("prefix", ["I: Test Case 10: ", ""])
def test_a_bus_error_without_the_register_is_told(prefix: str) -> None:
    log = GUIDE.replace("I: Test Case 10: ", prefix)
    bad = log.replace("bus_status_error 0x0", "bus_status_error 0x1")
    assert read(log + GUIDE_END).findings == () and only(log + GUIDE_END).status == "passed"
    capture = read(bad + GUIDE_END)
    assert [(f.rule, f.severity, f.lines) for f in capture.findings] == [("npu-bus-error", "warning", (4,))]
    assert capture.runs[0].status == "passed"
    capture = read(bad)
    assert (capture.runs[0].status, capture.runs[0].stage) == ("failed", "execute")
    assert [f.rule for f in capture.findings if f.severity == "error"] == ["npu-bus-error"]
    both = bad + "I: Test Case 10: bus_status_error 0x1, status 0x8004\n" + GUIDE_END
    assert [f.detail.split(":")[0] for f in read(both).findings] == ["The NPU's status is 0x00008004"]
