"""Consoles of vendors' boards and kits, and of the tools that show them."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis.answers.of_run import answers_of_run

from .port_logs import read

_LOADS = "I [executorch:arm_executor_runner.cpp:616 main()] Model buffer loaded, has 1 methods\n"
_ENDS = "I [executorch:arm_executor_runner.cpp:1041 main()] Program complete, exiting.\n"
_MISMATCH = "E: NPU config mismatch. npu.macs_per_cc=7, optimizer.macs_per_cc=8\n"
_FVP = "    Ethos-U rev 11111111 --- Jan  1 2025 10:00:00\n    (C) COPYRIGHT 2019-2025 Arm Limited\n\n"
_STATISTICS = "--- cpu_core statistics: ---\nSimulated time                          : 0.5s\nWall time                               : 2.5s\n"


@pytest.mark.parametrize("between", ["", _STATISTICS, f"{_STATISTICS} Show the output\n"])
def test_a_console_that_went_into_a_file_is_that_of_the_simulator_that_ended_before(between: str) -> None:
    (run,) = read(f"{_FVP}Info: /OSCI/SystemC: Simulation stopped by user.\n\n{between}{_LOADS}{_ENDS}").runs
    assert (run.status, run.first_line, run.target.platform) == ("passed", 1, "fvp")


def test_a_console_in_a_file_ends_where_the_limit_ended_the_simulator() -> None:
    limit = "Info: Simulation is stopping. Reason: Simulated time has been exceeded.\n"
    log = f"{_FVP}{limit}Info: /OSCI/SystemC: Simulation stopped by user.\n{_LOADS}"
    assert [run.status for run in read(log).runs] == ["timeout"]


@pytest.mark.parametrize("between", ["x\n" * 80, _FVP])
def test_a_runner_far_below_or_behind_another_simulator_is_another_run(between: str) -> None:
    runs = read(f"{_FVP}Info: /OSCI/SystemC: Simulation stopped by user.\n{between}{_LOADS}{_ENDS}").runs
    assert [run.status for run in runs] == ["not_started", "passed"]


def test_the_statistics_of_a_simulator_are_no_program() -> None:
    (found, *_) = read(f"{_FVP}Info: /OSCI/SystemC: Simulation stopped by user.\n\n{_STATISTICS}").findings
    assert found.rule == "never-started"


@pytest.mark.parametrize(
    "line",
    [
        "-- west flash: using runner openocd", "[2026-03-04 10:12:04.000] -- west flash: using runner jlink",
        "--- Miniterm on /dev/ttyACM3  921600,8,N,1 ---", "--- Miniterm on COM12  115200,8,N,1 ---",
        "SEGGER J-Link GDB Server V8.10 Command Line Version", "port is        : /dev/ttyUSB1", "Open On-Chip Debugger 0.12.0", 'Device "CORTEX-M55" selected.', "Connecting to target via SWD", "## Starting auxiliary core addr = 0x20000000...", "0001422 I GDB server listening on port 3333 (core 1) [gdbserver]",
    ],
)  # fmt: skip
def test_what_programs_a_board_or_listens_to_it_tells_that_it_is_one(line: str) -> None:
    (run,) = read(f"{line}\nready\n{_LOADS}{_ENDS}").runs
    assert (run.target.platform, run.lines["target.platform"]) == ("board", 1)
    (run,) = read(f"{line}\n{_FVP}{_LOADS}{_ENDS}").runs
    assert run.target.platform == "fvp"


@pytest.mark.parametrize(
    "line", ['Device "cuda:0" selected.', 'Device "GPU" selected.', "Connecting to target via ssh"]
)
def test_a_device_that_any_program_selects_is_no_board(line: str) -> None:
    (run,) = read(f"{line}\nready\n{_LOADS}{_ENDS}").runs
    assert run.target.platform is None


def test_the_npu_of_a_board_is_not_told_to_change() -> None:
    (found, *_) = read(f"--- Miniterm on /dev/ttyUSB0  115200,8,N,1 ---\n{_LOADS}{_MISMATCH}").findings
    assert found.rule == "npu-config-mismatch" and "num_macs" not in found.advice and "HE core" in found.advice
    (found, *_) = read(f"{_LOADS}{_MISMATCH}").findings
    assert "num_macs=256" in found.advice


def test_the_inference_runner_under_linux_adds_up_what_its_inferences_took() -> None:
    asked = "Send capabilities request\nproduct:{ major=6, minor=0, patch=0 }\nmacs_per_cc:8\n"
    each = "Inference status: running\nWait for inference\nInference status: ok\nPMUs : [ {} 7 ]\nCycle counter: {}\n"
    (run,) = read(f"{asked}{each.format(11, 1000)}{each.format(13, 1200)}").runs
    assert (run.status, run.target.name, run.target.platform) == ("passed", "ethos-u65-256", "board")
    assert run.cycles.inferences == 2 and run.pmu is not None
    assert (run.pmu.npu_cycles, run.pmu.npu_cycles_per_inference) == (2200, 1100)
    assert [counter.value for counter in run.pmu.counters] == [24, 14]
    assert not read("PMUs : [ 1 2 ]\nCycle counter: 12\n").runs


_IMPULSE = (
    "Hello from Edge Impulse on Alif Ensemble E7\nCompiled on Jan  1 2025 10:00:00\nARM ethos init\n> AT+RUNIMPULSE\n"
)


def test_edge_impulse_on_a_chip_with_an_ethos_u() -> None:
    took = "Predictions (DSP: 2 ms., Classification: {} ms., Anomaly: 0 ms.): \n"
    (run,) = read(f"{_IMPULSE}{took.format(10)}{took.format(20)}Inferencing stopped by user\n").runs
    assert (run.status, run.target.npu, run.target.platform, run.cycles.inferences) == (
        "passed",
        "ethos-u55",
        "board",
        2,
    )
    failed = read(f"{_IMPULSE}{_MISMATCH}Failed to run impulse (-3)\n")
    assert (failed.runs[0].status, failed.runs[0].target.name) == ("failed", "ethos-u55-128")
    assert failed.findings[0].rule == "npu-config-mismatch"
    assert not read(
        "Hello from Edge Impulse on Nothing Known\nPredictions (DSP: 2 ms., Classification: 3 ms., Anomaly: 0 ms.): \n"
    ).runs


_KIT = (
    "INFO - Target system: M55M1\nINFO - Allocating tensors\nINFO - Number of operators: 1\nINFO - Press 'n' to run next image inference \n"
    "INFO - Running inference on image 0 => rose.bmp\nINFO - Profile for Inference:\n"
)


@pytest.mark.parametrize(("rest", "status"), [("INFO - NPU TOTAL: 12 cycles\n", "passed"), ("", "truncated")])
def test_an_application_that_waits_for_a_key_has_done_what_its_whole_profile_tells(rest: str, status: str) -> None:
    (run,) = read(f"{_KIT}INFO - NPU ACTIVE: 10 cycles\nINFO - NPU IDLE: 2 cycles\n{rest}").runs
    assert run.status == status
    (run,) = read(f"{_KIT.replace('Press', 'Pass')}INFO - NPU ACTIVE: 10 cycles\nINFO - NPU TOTAL: 12 cycles\n").runs
    assert run.status == "truncated"


def test_the_figures_of_a_job_stay_together_where_each_job_prints_its_counters_last() -> None:
    job = (
        "ethos-u : cycle_cnt : {0} cycles\nethos-u : cycle_cnt : 5 cycles\n\nOperator(s) total: {1} CPU cycles\n\nInference runtime: {2} CPU cycles total\n\n"
        "ethosu_pmu_cntr0 : {0}\nethosu_pmu_cycle_cntr : {0} cycles\n"
    )
    begun = "I: Running inference job: one\n"
    log = f"{begun}{job.format(100, 105, 120)}{begun}{job.format(90, 95, 130)}Application exit code: 0.\n"
    (run,) = read(log).runs
    assert (run.status, run.cycles.inference, run.cycles.operators_total) == ("passed", 250, 200)
    assert [(operator.name, operator.cycles) for operator in run.cycles.operators] == [("ethos-u", 200)]
    assert [(block.cycles.inference, block.pmu and block.pmu.npu_cycles) for block in run.blocks] == [
        (120, 100),
        (130, 90),
    ]


@pytest.mark.parametrize(
    "reason",
    [
        "Warning: Unsupported TensorFlow Lite semantics for FULLY_CONNECTED 'a'. Placing on CPU instead\n"
        " - Input(s), Output and Weight tensors must have quantization parameters\n   Op has tensors with missing quantization parameters: a\n",
        "Warning (supported operators) operator: RELU, ofm: 'a'\nReason: Operation has tensor with unsupported DataType Float32 (a)\n",
    ],
)
def test_operators_that_vela_leaves_because_nothing_is_quantized(reason: str) -> None:
    (found, *_) = read(f"{reason}\n{reason}").findings
    assert found.rule == "vela-placed-on-cpu" and "int8" in found.advice and "accept the CPU" not in found.advice
    other = "Warning: PAD 'b' is not supported on the NPU. Placing on CPU instead\n - The pad tensor can only pad width and height\n"
    (found, *_) = read(f"{reason}{other}").findings
    assert "1 of them" in found.advice and "accept the CPU" in found.advice
    (found, *_) = read(other).findings
    assert "int8" not in found.advice


_CAPABLE = "Capabilities:\n\tversion_status:1\n\tproduct:{ major=6, minor=0, patch=0 }\n\tmacs_per_cc:8\n"


def test_the_interpreter_under_linux() -> None:
    (run,) = read(f"{_CAPABLE}\nDetected: rose, confidence:81\nCycle counter: 5000\n").runs
    assert (run.status, run.target.name, run.target.platform, run.pmu and run.pmu.npu_cycles) == (
        "passed",
        "ethos-u65-256",
        "board",
        5000,
    )
    capture = read(f"{_CAPABLE}Error: Only support models compiled by vela.\n{_CAPABLE}Error: Failed to invoke.\n")
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", "plan"), ("failed", "execute")]
    assert [found.rule for found in capture.findings] == ["model-not-compiled", "execution-failed"]


@pytest.mark.parametrize(
    "said", ["0) 12 (0.250000) -> rose, a flower", "0) (0.750000) -> Detection box: {x=1,y=2,w=3,h=4}"]
)
def test_what_the_kit_sees_under_zephyr_is_its_verdict(said: str) -> None:
    log = f"[00:00:01.500,000] <inf> UseCaseHandler: {said}\n"
    for begun in ("", "*** Booting Zephyr OS build v4.0.0 ***\n"):
        (run,) = read(begun + log * 2).runs
        assert run.status == "passed"


def test_a_mean_is_told_where_nothing_else_is_of_the_npus_cycles() -> None:
    stars = "*" * 18
    begun = f"{stars} PSOC Edge MCU: Machine Learning Profiler on CM55+U55 {stars}\n"
    mean = "PROFILE_INFO, MTB ML model profile, avg_npu_cyc=5000.25 , peak_npu_cyc=5100, peak_npu_frame=1, npu_freq_Mhz=400\n"
    (run,) = read(f"{begun}{mean}PASS with accuracy percentage =99.00, total_cnt=10\n").runs
    assert "5,000 NPU cycles an inference" in str(answers_of_run(run, ()))


def _job(cycles: int, status: int) -> str:
    done = f"ethos-u : cycle_cnt : {cycles} cycles\nOperator(s) total: {cycles} CPU cycles\n\nInference runtime: {cycles + 9} CPU cycles total\n\n"
    return f"{done}inferenceSenderTask: received response for job: one, status = {status}\n"


_SENT = "inferenceSenderTask: Sending inference job: job=0x61000000, name=one\n"


def test_jobs_that_are_sent_ahead_are_blocks_of_their_own() -> None:
    (run,) = read(f"{_FVP}{_SENT * 3}{_job(10, 0)}{_job(20, 0)}{_job(30, 0)}").runs
    assert (run.status, run.cycles.inference, run.cycles.operators_total) == ("passed", 87, 60)
    assert [block.cycles.inference for block in run.blocks] == [19, 29, 39]
    assert read(f"{_FVP}{_SENT * 2}{_job(10, 0)}").runs[0].status != "passed"
    assert read(f"{_FVP}{_SENT * 2}{_job(10, 1)}").runs[0].status == "failed"


@pytest.mark.parametrize(("word", "status"), [("Success", "passed"), ("Failed", "failed")])
def test_the_status_of_the_job_without_an_operating_system(word: str, status: str) -> None:
    (run,) = read(
        f"I: Running inference job: one\n{_job(10, 0).splitlines()[0]}\nStatus of executed job: {word}\n"
    ).runs
    assert run.status == status


def test_results_of_the_first_evaluation_kit() -> None:
    log = "[INFO] Running inference on audio clip 0 => a.wav\n[INFO] Profile for Inference:\n\tActive NPU cycles: 10\n\tIdle NPU cycles:   1\n\n"
    (run,) = read(f"{log}[INFO] Result for inf 0: and so\n[INFO] Final result: and so\n").runs
    assert (run.status, run.stage) == ("truncated", "report")
