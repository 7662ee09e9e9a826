"""Boards and forks that print little of what the runners print: RT-Thread, the NPU driver alone, FreeRTOS, Arduino."""

from __future__ import annotations

import struct

import pytest

from .port_logs import lines, only, read

RTT = "[executorch] "
INIT = lines(
    RTT,
    "Ethos-U platform init start irq=7 base=0x44600000",
    "Ethos-U platform init ok  irq=7 base=0x44600000",
    "runtime_init model=kws pte=0x60001230 bytes=4096",
    "method=forward",
)
READY = lines(
    RTT,
    "input0=0x1000 bytes=64",
    "output0=0x2000 bytes=8",
    "init complete planned_buffers=2 method_pool=3000 temp_pool=2000",
)
EXECUTE = lines(
    RTT, "input0 filled with ones scalar_type=6 bytes=64", "execute start n_in=1 n_out=1", "pre-call tick=40"
)
VALUES = (-0.5, 2.25)


def results(status: int = 0) -> str:
    bits = [struct.unpack("<I", struct.pack("<f", value))[0] for value in VALUES]
    return lines(
        RTT,
        f"post-call tick=55 status={status}",
        f"execute done status={status}",
        "output0 scalar_type=6 numel=2 bytes=8",
        *(f"output0[{index}] float_bits={value:#010x}" for index, value in enumerate(bits)),
        "Ethos-U platform deinit ok",
    )


def test_rt_thread() -> None:
    run = only("msh />kws_run\n" + INIT + READY + EXECUTE + results() + "[KWS] inference PASS\n")
    assert (run.status, run.stage, run.runner.kind, run.target.platform) == ("passed", "complete", "other", "board")
    assert run.runner.executorch_version is None
    assert (run.model.pte_bytes, run.model.address, run.model.method) == (4_096, "0x60001230", "forward")
    assert run.memory.pools == {"method": (None, None, 3_000), "temp": (None, None, 2_000)}
    assert [(o.index, o.count, o.dtype, o.elided, o.first) for o in run.outputs] == [(0, 2, "float", False, VALUES)]
    assert [(i.index, i.count, i.dtype, i.elided) for i in run.inputs] == [(0, 16, "float", True)]
    for size in ("0", "-64", "63", "18446744073709551616"):
        assert only(INIT + READY + EXECUTE.replace("=64", f"={size}")).inputs == (), size


@pytest.mark.parametrize(
    ("base", "npu"), [("0x44600000", "ethos-u55"), ("0x54600000", "ethos-u55"), ("0x40001000", None)]
)
def test_rt_thread_says_where_its_npu_is(base: str, npu: str | None) -> None:
    run = only(INIT.replace("0x44600000", base) + READY)
    assert (run.target.npu_address, run.target.npu) == (base, npu)


@pytest.mark.parametrize(
    ("text", "status", "stage"),
    [
        (INIT, "truncated", "load"),
        (INIT + READY, "truncated", "plan"),
        (INIT + READY + EXECUTE, "hung", "execute"),
        (EXECUTE + results(), "truncated", "report"),
        (INIT + READY + EXECUTE + lines(RTT, "post-call tick=55 status=35"), "failed", "execute"),
        (INIT + READY + EXECUTE + results(1) + "[KWS] inference FAIL\n", "failed", "report"),
        (INIT + READY + EXECUTE + results() + "[KWS] inference FAIL\n", "failed", "report"),
        (INIT + "[KWS] inference PASS\n", "truncated", "load"),  # the runtime said nothing of it
    ],
)
def test_where_rt_thread_stops(text: str, status: str, stage: str) -> None:
    run = only(text)
    assert (run.status, run.stage) == (status, stage)


def test_rt_thread_starts_again() -> None:
    whole = INIT + READY + EXECUTE + results() + "[KWS] inference PASS\n"
    runs = read(whole + INIT + READY + whole).runs
    assert [run.status for run in runs] == ["passed", "truncated", "passed"]


def test_rt_thread_says_how_long_it_took() -> None:
    run = only(INIT + READY + EXECUTE + results() + "[KWS] inference PASS execute_ms=15 top1=1\n")
    assert (run.status, run.times.inference_seconds) == ("passed", 0.015)


def loop(*turns: tuple[int, int]) -> str:
    return "".join(
        f"[KWS] loop {number}/{len(turns)} status={status} execute_ms={ms} top1=1\n"
        for number, (status, ms) in enumerate(turns, 1)
    )


@pytest.mark.parametrize(
    ("text", "status", "stage", "seconds"),
    [
        (loop((0, 15), (0, 17)), "truncated", "report", 0.017),
        (
            loop((0, 15), (0, 17)) + "[KWS] loop summary count=2 pass=2 fail=0 min_ms=15 max_ms=17 avg_ms=16 top1=1\n",
            "passed", "complete", 0.016,
        ),
        (
            loop((0, 15), (-5, 2)) + "[KWS] loop summary count=2 pass=1 fail=1 min_ms=15 max_ms=15 avg_ms=15 top1=1\n",
            "failed", "report", 0.015,
        ),
        (
            loop((0, 15), (0, 17)) + "[KWS] loop top1 changed: expected=1 got=0\n"
            "[KWS] loop summary count=2 pass=2 fail=1 min_ms=15 max_ms=17 avg_ms=16 top1=1\n",
            "failed", "report", 0.017,
        ),
    ],
)  # fmt: skip
def test_rt_thread_in_a_loop(text: str, status: str, stage: str, seconds: float) -> None:
    run = only(text)
    assert (run.status, run.stage, run.times.inference_seconds) == (status, stage, seconds)


def test_what_rt_thread_has_no_room_for_is_told() -> None:
    full = lines(RTT, "planned buffer count 5 exceeds RT_AI_EXECUTORCH_MAX_PLANNED_BUFFERS=4")
    capture = read(INIT + full + "[KWS] init failed: -22\n")
    (error,) = (f for f in capture.findings if f.severity == "error")
    assert [run.status for run in capture.runs] == ["failed"]
    assert "MAX_PLANNED_BUFFERS=4" in error.detail


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("ERROR: Failed to initialize Ethos-U driver: -1\n", "npu-not-responding"),
        ("ethosu_aie_get_output: ERROR: Failed to reserve Ethos-U driver\n", "npu-driver-missing"),
        ("ethosu_aie_get_output: ERROR: ethosu_invoke failed: -1\n", "execution-failed"),
    ],
)
def test_the_driver_of_nuttx_fails(text: str, rule: str) -> None:
    capture = read(text)
    assert [run.status for run in capture.runs] == ["failed"]
    assert [f.rule for f in capture.findings if f.severity == "error"] == [rule]


def test_a_verdict_alone_is_no_run() -> None:
    assert read("[SUITE] inference PASS\n").runs == ()


@pytest.mark.parametrize(
    ("prefix", "stage"),
    [
        ("I 00:00:00.000000 executorch:EthosUBackend.cpp:zu] ", "plan"),
        ("I [executorch:arm_executor_runner.cpp:325] ", "start"),
    ],
)
def test_a_prefix_of_the_runner_opens_a_run_whatever_follows(prefix: str, stage: str) -> None:
    run = only(f"{prefix}\u7c65:K\u533a \u5229a\n")
    assert (run.status, run.stage, run.first_line) == ("truncated", stage, 1)


def test_leading_lines_of_a_runner_belong_to_its_run() -> None:
    debug = "D [executorch:operator_registry.cpp:116 f()] Something that no row has\n"
    start = "I [executorch:arm_executor_runner.cpp:703 runner_init()] Running method forward\n"
    capture = read(debug * 3 + start)
    assert [run.first_line for run in capture.runs] == [1]
    assert "lines-doubled" not in {f.rule for f in capture.findings}


@pytest.mark.parametrize("file", ["program.cpp:134", "cpuinfo_utils.cpp:71", "XNNPACKBackend.cpp:7"])
def test_what_python_prints_on_the_host_is_no_run(file: str) -> None:
    assert read(f"I 00:00:00.000577 executorch:{file}] Some remark of the core runtime\n").runs == ()


def test_the_driver_alone() -> None:
    setup = (
        "I: Initializing NPU: base_address=0x48102000, fast_memory=0x0, fast_memory_size=0, secure=1, privileged=1\n"
        "I: Soft reset NPU\nI: New NPU driver registered (handle: 0x0x20000de0, NPU: 0x0x48102000)\n"
    )
    work = (
        "I: Acquiring NPU driver handle\nD: ethosu_reserve_driver(): NPU driver handle 0x20000de0 reserved\n"
        "D: ethosu_invoke_async(): OPTIMIZER_CONFIG\n"
        "I: Optimizer config. product=0, cmd_stream_version=0, macs_per_cc=8, shram_size=48, custom_dma=0\n"
        "I: Optimizer config. arch version: 1.0.6\n"
    )
    config = "I: Ethos-U config. product=0, cmd_stream_version=0, macs_per_cc=7, shram_size=24, custom_dma=0\n"
    end = "D: ethosu_invoke_async(): COMMAND_STREAM\nD: ethosu_wait(): Inference finished successfully...\nInference status: success\n"
    assert (only(setup).stage, only(setup).status) == ("start", "truncated")
    run = only(setup + work)
    assert (run.status, run.stage, run.target.macs) == ("hung", "execute", None)  # the model's, not the NPU's
    run = only(setup + work + config + end)
    assert (run.status, run.stage, run.target.name, run.last_line) == ("passed", "complete", "ethos-u55-128", 12)
    base = only("I: invoke_async: base_addr[0]=0x00000000_3ab80b40 size=3484864\n")
    assert base.stage == "execute"


def test_freertos_puts_number_tick_and_task_before_a_line() -> None:
    run = only(
        "7 900 [ML_TASK] [INFO] Activation buffer (a.k.a tensor arena) size used: 1000\n"
        "8 950 [camera] [INFO] Running inference on image 0\n9 990 [camera] [INFO] Total number of inferences: 3\n"
    )
    assert run.memory.pools["tensor_arena"].used_bytes == 1_000
    assert (run.cycles.inferences, run.stage) == (3, "report")


@pytest.mark.parametrize("mark", ["", "ET| "])
def test_a_fork_with_a_short_tag(mark: str) -> None:
    capture = read(
        f"{mark}E [ET:memory_allocator.h:105] Memory allocation failed: 180B requested (adjusted for alignment), 4B available\n"
        "FAIL: method 0x21\n"
    )
    (run,) = capture.runs
    assert (run.status, run.stage) == ("failed", "plan")
    assert capture.findings[0].rule == "method-pool-too-small"
    assert "180" in capture.findings[0].title


KIT = "INFO - Profile for Inference:\nINFO - NPU ACTIVE cycles: {}\nINFO - NPU IDLE cycles: 10\nINFO - NPU TOTAL cycles: {}\n"
ARENA = "INFO - Activation buffer (a.k.a tensor arena) size used: 1000\n"
KEYWORD, SPEECH = KIT.format(90, 100), KIT.format(2_990, 3_000)


@pytest.mark.parametrize("line", ["INFO - Allocating tensors\n", ARENA, ARENA.removeprefix("INFO - ")])
def test_a_kit_that_sets_its_model_up_plans(line: str) -> None:
    run = only(
        f"INFO - Ethos-U device initialised\n{line}INFO - Number of operators: 1\nINFO - \tOperator 0: ethos-u\n"
    )
    assert (run.status, run.stage) == ("truncated", "plan")


@pytest.mark.parametrize(
    "text",
    [
        "INFO - Running KWS inference on audio clip 0 => a.wav\n" + KEYWORD + "INFO - Keyword spotted\n" + SPEECH,
        "INFO - Activation buffer (a.k.a tensor arena) size used: 1000\n"
        "INFO - Activation buffer (a.k.a tensor arena) size used: 2000\n" + KEYWORD + SPEECH,
        "INFO - Allocating tensors\nINFO - Activation buffer (a.k.a tensor arena) size used: 1000\n"
        "INFO - Allocating tensors\nINFO - Activation buffer (a.k.a tensor arena) size used: 1000\n" + KEYWORD + SPEECH,
        "INFO - Running KWS inference on audio clip 0 => a.wav\n"
        + KEYWORD
        + "INFO - Running ASR inference on audio clip 0 => a.wav\n"
        + SPEECH,
        KEYWORD + SPEECH,  # nothing names a model, and no model takes thirty times the cycles
    ],
)
def test_blocks_of_different_models_have_no_sum(text: str) -> None:
    run = only(text)
    assert run.pmu is None
    assert run.cycles.inferences is None
    assert [b.pmu and b.pmu.npu_cycles for b in run.blocks] == [100, 3_000]
    assert not [path for path in run.lines if path.startswith(("pmu.", "cycles."))]
    assert "several-models" in [finding.rule for finding in read(text).findings]


def test_inferences_of_one_model_are_added_up() -> None:
    run = only(f"INFO - Allocating tensors\n{ARENA}INFO - Running KWS inference on a\n{KEYWORD}{ARENA}"
               f"INFO - Running KWS inference on b\n{KIT.format(95, 105)}")  # fmt: skip
    assert run.pmu is not None and run.pmu.npu_cycles == 205
    assert run.cycles.inferences == 2


def test_applications_of_the_evaluation_kit_one_after_the_other_are_two_runs() -> None:
    boot = "INFO - Ethos-U device initialised\nINFO - Activation buffer (a.k.a tensor arena) size used: {}\nINFO - Running inference on a\n"
    runs = read(boot.format(1_000) + KEYWORD + boot.format(2_000) + SPEECH).runs
    assert [run.pmu and run.pmu.npu_cycles for run in runs] == [100, 3_000]


def test_the_early_linux_runner_ends_with_its_outputs() -> None:
    early = lines(
        "I 00:00:00.000526 executorch:executor_runner.cpp:82] ",
        "Model file add.pte is loaded.",
        "Using method forward",
        "Setting up planned buffer 0, size 48.",
        "Method loaded.",
        "Inputs prepared.",
        "Model executed successfully.",
        "2 outputs: ",
    )
    run = only(early + "Output 0: tensor(sizes=[1, 2], [2., -0.5])\nOutput 1: tensor(sizes=[1], [7.])\n")
    assert (run.status, run.runner.kind) == ("passed", "executor_runner")
    assert [(o.count, o.first) for o in run.outputs] == [(2, (2.0, -0.5)), (1, (7.0,))]
    assert only(early + "Output 0: tensor(sizes=[1, 2], [2., -0.5])\n").status == "truncated"
    closed_twice = only(early.replace("2 outputs", "1 outputs") + "Output 0: tensor(sizes=[1], [8.]))\n")
    assert [(o.count, o.elided, o.first) for o in closed_twice.outputs] == [(1, False, (8.0,))]


@pytest.mark.parametrize(("percent", "rule"), [(200, "pool-counts-requests"), (20, "pool-sum")])
def test_pools_in_hexadecimal_and_decimal(percent: int, rule: str) -> None:
    capture = read(
        lines(
            "",
            "Running method forward",
            "Starting the model execution...",
            "Model executed successfully.",
            "method_allocator_used: Total 0x80000 (524288 B); Used 0xdb9 (3513 B); Used/Total 0 %",
            f"temp_allocator_used: Total 0x80000 (524288 B); Used 0x100000 (1048576 B); Used/Total {percent} %",
            "Model Addr: 0x20430000 - 0x20448d60",
            "Model Size: 0x18d60 (101728 B)",
            "Inference time: 1072 us",
            "Program complete, exiting.",
        )
    )
    (run,) = capture.runs
    assert run.memory.pools == {"method": (3_513, None, 524_288), "temp": (None, None, 524_288)}
    assert "1048576 used of 524288" in next(f.detail for f in capture.findings if f.rule == rule)
    assert (run.model.address, run.model.pte_bytes, run.times.inference_seconds) == ("0x20430000", 101_728, 0.001072)


@pytest.mark.parametrize(
    ("said", "stage", "rule"),
    [
        ("Program::load failed: 0x23", "load", "program-load-failed"),
        ("method_meta('forward') failed: 0x20", "load", "method-missing"),
        ("load_method('forward') failed: 0x14", "plan", "missing-operator"),
        ("prepare_input_tensors failed: 0x12", "inputs", "inputs-failed"),
        ("execute() failed for 'forward': 0x12", "execute", "execution-failed"),
        ("get_outputs() failed for 'forward': 0x12", "report", "run-failed"),
    ],
)
def test_a_runner_that_names_the_call_which_failed(said: str, stage: str, rule: str) -> None:
    capture = read(
        f"I 00:00:00.000010 executorch:b_runner.cpp:95] Model buffer loaded, has 1 methods\nE 00:00:00.000020 executorch:b_runner.cpp:96] {said}\n"
    )
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", stage)]
    assert capture.findings[0].rule == rule


def test_a_runner_that_starts_in_words_of_its_own_stands_still() -> None:
    run = only("I 00:00:00.000010 executorch:b_runner.cpp:95] Starting model execution...\n")
    assert (run.status, run.stage) == ("hung", "execute")


def test_the_times_of_renesas_demos() -> None:
    block = "Processing time:\n  Camera image capture vsync period :   20 ms,   50 fps\n  AI inference time                 :{:5} ms,{:5} fps\n"
    run = only(block.format(5, 200) + block.format(4, 250))
    assert (run.status, run.target.platform, run.target.npu, run.times.inference_seconds) == (
        "passed",
        "board",
        None,
        0.004,
    )
    named = only("  AI inference time (Ethos-U55)     : 2500 us,  400 fps\n")
    assert (named.status, named.target.npu, named.times.inference_seconds) == ("passed", "ethos-u55", 0.0025)
    idle = only("  AI inference time (Ethos-U55)     :    0 us,    0 fps\n")
    assert (idle.status, idle.times.inference_seconds) == ("truncated", None)  # no model is in it


def test_faults_that_secure_firmware_and_micropython_print() -> None:
    (finding,) = read("[Sec Handler] Oops... Secure fault!!! You're not going anywhere!\n").findings
    assert finding.rule == "hard-fault" and finding.title.startswith("Secure fault")
    (finding,) = read(">>> import net\n\nFATAL ERROR:\n            MemManage\n").findings
    assert finding.rule == "hard-fault" and finding.title.startswith("Memory management fault")
    assert not read("MemManage\nFATAL ERROR:\nsomething else\nHardFault\n").runs
