"""The evaluation kit's own error lines: what it says last is true of every end, so its errors decide."""

from __future__ import annotations

import pytest

from .port_logs import lines, only, read

OPEN = lines(
    "INFO - ", "Ethos-U device initialised", "\tMACs/cc:    128", "Target system design: Arm Corstone-300 - AN552"
)
LAST = "INFO - program terminating...\n"
WORK = lines("INFO - ", "Running inference on image 0 => a.bmp", "0) 283 (0.7) -> tiger cat")


@pytest.mark.parametrize("last", ["", LAST, "INFO - Main loop terminated.\n"])
@pytest.mark.parametrize(
    "said",
    [
        "Failed to initialise platform MPS3",
        "IFM reserved buffer size insufficient",
        "KWS model has not been initialised",
    ],
)
def test_an_error_line_ends_a_run_that_did_not_begin_its_work(said: str, last: str) -> None:
    capture = read(f"{OPEN}ERROR - {said}\n{last}")
    assert [(run.status, run.last_line) for run in capture.runs] == [("failed", 4 + bool(last))]
    finding = capture.findings[0]
    assert (finding.rule, finding.detail, finding.lines) == ("run-failed", f"The log says: ERROR - {said}.", (4,))


def test_the_last_words_pass_what_has_worked() -> None:
    assert only(OPEN + WORK + LAST).status == "passed"
    assert only(OPEN + WORK + "INFO - Main loop terminated.\n").status == "passed"
    assert only(OPEN + LAST).status == "truncated"  # without any work, and without a reason
    display = read(OPEN + "ERROR - Invalid image size for given location!\n" + WORK + LAST)
    assert [run.status for run in display.runs] == ["passed"]
    assert "error-messages" not in {finding.rule for finding in display.findings}


def test_the_kit_gets_its_time_from_the_simulator_and_not_from_a_script_of_executorch() -> None:
    capture = read(OPEN + "Info: Simulation is stopping. Reason: CPU time has been exceeded.\n")
    advice = next(f.advice for f in capture.findings if f.rule == "time-limit")
    assert "--timelimit SECONDS of the simulator" in advice and "ethosu.extra_args" in advice
    assert "run_fvp.sh" not in advice


def test_the_mark_of_other_programs_is_not_the_kits() -> None:
    port = "Model buffer loaded, has 1 methods\nRunning method forward\n"
    assert only(port + "ERROR - cannot reach the broker\n").status == "truncated"
    assert read("2026-01-01 10:00:00,123 ERROR - cannot reach the broker\n").runs == ()


def test_a_heap_that_is_full_is_told() -> None:
    assert read(OPEN + "WARN - Out of heap\n").findings[0].rule == "heap-too-small"


@pytest.mark.parametrize(
    "missing", [" missing: 1000", " missing:", "\n     missing: 1000"]
)  # torn, or wrapped by somebody
@pytest.mark.parametrize("mark", ["", "TFLM - ", "00:00:07 TFLM - "])
@pytest.mark.parametrize("colon", ["", ":"])
def test_the_interpreter_speaks_behind_the_kits_mark(mark: str, colon: str, missing: str) -> None:
    said = f"{mark}Failed to resize buffer. Requested: 5000, available{colon} 4000,{missing}\n"
    capture = read(OPEN + said + "ERROR - tensor allocation failed!\nERROR - Failed to initialise model\n" + LAST)
    assert [run.status for run in capture.runs] == ["failed"]
    finding = capture.findings[0]
    assert (finding.rule, finding.lines) == ("arena-too-small", (4,))
    assert "at least 1000 bytes" in finding.advice
    assert [f.severity for f in capture.findings[1:]] == ["info", "info"]


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("Didn't find op for builtin opcode 'TANH' version '1'.", "missing-operator"),
        ("Failed to get registration from op code TANH", "missing-operator"),
        ("Node TANH (number 2f) failed to invoke with status 1", "operator-failed"),
    ],
)
def test_the_mark_changes_no_cause(said: str, rule: str) -> None:
    for mark in ("", "TFLM - "):
        assert read(f"{OPEN}{mark}{said}\nERROR - Inference failed.\n").findings[0].rule == rule


UNDER_ZEPHYR = (
    "*** Booting Zephyr OS build v4.1.0 ***\n"
    "<inf> app_kws: Activation buffer (a.k.a tensor arena) size used: 4096\n"
    "<wrn> app_kws: Press 'kws next' to resume audio clip inference one-shot\n"
)
HEARD = "<inf> app_kws: For timestamp: 0.500000 (inference #: 1); label: on, score: 0.9; threshold: 0.7\n"
PROFILE = "<inf> app_kws: NPU ACTIVE: 90 cycles\n<inf> app_kws: NPU TOTAL: 100 cycles\n"


@pytest.mark.parametrize("stamp", ["", "[00:00:01.234,000] ", "uart:~$ "])
def test_the_kit_under_zephyr(stamp: str) -> None:
    boot, *rest = (UNDER_ZEPHYR + HEARD + PROFILE).splitlines(keepends=True)
    run = only(boot + "".join(stamp + line for line in rest))
    assert (run.status, run.runner.kind, run.last_line) == ("passed", "zephyr", 6)
    assert run.memory.pools["tensor_arena"].used_bytes == 4_096
    assert run.pmu is not None
    assert run.pmu.npu_cycles == 100
    assert only(UNDER_ZEPHYR).status == "truncated"


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        (
            UNDER_ZEPHYR + HEARD + "<err> app_kws: Invoke failed.\n<err> app_kws: Inference failed.\n",
            "execution-failed",
        ),
        ("<err> app: tensor allocation failed!\n<err> app: Failed to initialise model\n", "tensors-not-allocated"),
    ],
)
def test_the_kit_fails_under_zephyr(said: str, rule: str) -> None:
    capture = read(said)
    assert [run.status for run in capture.runs] == ["failed"]
    assert [f.rule for f in capture.findings if f.severity == "error"] == [rule]


LISTENING = (
    'INFO - Method found "forward"\nINFO - Inputs allocated: 480000 bytes.\n'
    "<inf> UseCaseHandlerEt: Waiting for button press to start audio capture...\n"
)


def test_the_kit_listens_and_hears_for_ever() -> None:
    boot, used, _ = UNDER_ZEPHYR.splitlines(keepends=True)
    assert only(boot + used + HEARD).status == "passed"
    assert only(LISTENING).status == "truncated"
    assert only(LISTENING + "<inf> UseCaseHandlerEt: Decoded output: turn on the light\n").status == "passed"
    assert only(LISTENING + "<err> UseCaseHandlerEt: Inference failed.\n").status == "failed"
    assert read("Decoded output: turn on the light\n").runs == ()


def test_a_task_whose_npu_does_not_start() -> None:
    refused = "14 810 [ML_TASK] [ERROR] Failed to init arm npu\n16 812 [ML_TASK] [ERROR] prvMlInterfaceInit failed\n"
    assert (only(refused).status, only(refused).stage) == ("failed", "start")
    ready = (
        "9 700 [ML_TASK] [INFO] Ethos-U55 device initialised\n50 9554 [ML_TASK] [INFO] *** ML interface initialised\n"
    )
    assert only(ready + "53 9613 [ML_TASK] [ERROR] Inference failed.\n").status == "failed"


def test_what_others_say_under_zephyr_is_no_run() -> None:
    assert read("<err> app: Inference failed.\n<err> app: Failed to initialise model\n").runs == ()


CLOCK = "INFO - Processor internal clock: 32000000Hz\nINFO - V2M-MPS3 revision C\n\n"


@pytest.mark.parametrize("last", ["", LAST])
@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("CPU mismatch!", "-DTARGET_SUBSYSTEM"),
        ("TA_SRAM initialisation failed", "-DETHOS_U_NPU_TIMING_ADAPTER_ENABLED=OFF"),
        ("Failed to set power profiles!", "SETOOLS"),
    ],
)
def test_a_platform_that_is_not_ready_fails_a_run_that_began_with_its_clock(said: str, words: str, last: str) -> None:
    capture = read(f"{CLOCK}ERROR - {said}\nERROR - Failed to initialise platform Arm Corstone-310 - AN555\n{last}")
    assert [(run.status, run.stage, run.first_line) for run in capture.runs] == [("failed", "start", 1)]
    root = capture.findings[0]
    assert (root.rule, root.lines) == ("platform-not-ready", (4,))
    assert words in root.advice
    assert "error" not in {finding.severity for finding in capture.findings[1:]}


def test_a_chip_of_alif_s_that_is_not_ready_is_a_board() -> None:
    run = only(CLOCK + "INFO - platform_init: complete\nERROR - Failed to set power profiles!\n")
    assert (run.status, run.target.platform) == ("failed", "board")


@pytest.mark.parametrize(
    "clock",
    [
        "INFO - WARN - MPS3_SCC->CFG_ACLK reads 0. Assuming default clock of 32000000\nProcessor internal clock: 32000000Hz\n",
        "INFO - Processor internal clock: 32000000Hz\nWARN - MPS4_SCC->CFG_ACLK reads 0. Assuming default clock of 32000000\n",
    ],
)
def test_a_board_whose_clock_reads_zero_is_simulated(clock: str) -> None:
    run = only(clock + OPEN + WORK + LAST)
    assert (run.first_line, run.status, run.target.platform) == (1, "passed", "fvp")


def test_a_platform_that_became_ready_has_other_reasons() -> None:
    worked = read(CLOCK + OPEN + "WARN - TA_SRAM initialisation failed\n" + WORK + LAST)
    assert [run.status for run in worked.runs] == ["passed"]
    full = read(CLOCK + OPEN + "ERROR - TA_SRAM initialisation failed\nERROR - tensor allocation failed!\n")
    assert full.findings[0].rule == "tensors-not-allocated"
    assert read("ERROR - CPU mismatch!\nERROR - TA_SRAM initialisation failed\n").runs == ()


HEARD_LIVE = (
    "Preprocessing time = 3.500 ms\nInference time = 1.080 ms\nPostprocessing time = 0.020 ms\n"
    "INFO - Total number of inferences: {count}\nINFO - For timestamp: 0.000000 (inference #: {index}); label: yes, score: 0.98; threshold: 0.7\n"
    "INFO - Profile for Inference:\nINFO - NPU ACTIVE: 400 cycles\nINFO - NPU IDLE: 14 cycles\nINFO - NPU TOTAL: 414 cycles\n"
)


def test_a_live_demonstration_passes_by_what_it_heard_and_counts_each_profile_once() -> None:
    run = only(OPEN + HEARD_LIVE.format(count=1, index=0) + HEARD_LIVE.format(count=2, index=1))
    assert (run.status, run.cycles.inferences) == ("passed", 2)
    assert [block.cycles.inferences for block in run.blocks] == [1, None]  # the history has two, the profile is of one
    assert run.pmu is not None and (run.pmu.npu_cycles, run.pmu.npu_cycles_per_inference) == (828, 414)
    assert only(OPEN + HEARD_LIVE.format(count=1, index=0) + "ERROR - Inference failed.").status == "failed"
    assert read(HEARD_LIVE.format(count=1, index=0).split("INFO", 1)[0]).runs == ()


def test_a_picture_that_could_not_be_computed_fails_what_saw_others_under_zephyr() -> None:
    boot = UNDER_ZEPHYR.splitlines(keepends=True)[0]
    seen = "<inf> UseCaseHandler: 0) 620 (0.187500) -> lampshade, lamp shade\n"
    assert only(boot + seen).status == "passed"
    failed = read(boot + seen + "<err> UseCaseHandler: Inference failed.\n<inf> Main: program terminating...\n")
    assert [run.status for run in failed.runs] == ["failed"]
    assert failed.findings[0].rule == "execution-failed"


SEEN = (
    "INFO - Final results:\nINFO - Total number of inferences: 1\nINFO - 0)  (0.900000) -> Detection box: {{x=88,y=18,w=41,h=56}}\n"
    "INFO - Profile for Inference:\nINFO - NPU ACTIVE: 400 cycles\nINFO - NPU IDLE: 14 cycles\nINFO - NPU TOTAL: {total} cycles\n"
)


def test_a_camera_demonstration_on_a_board_passes_with_its_second_picture() -> None:
    board = OPEN.replace("Arm Corstone-300 - AN552", "Alif")
    first, second = SEEN.format(total=414), SEEN.format(total=416)
    assert only(board + first + second).status == "passed"
    assert only(board + first).status == "truncated"
    assert only(OPEN + first + second).status == "truncated"  # clips and pictures of a simulation have an end
    assert only(board + first + second + "ERROR - hal_camera_get_captured_frame failed\n").status == "truncated"


KIT = "INFO - Ethos-U device initialised\nINFO - MACs/cc:    256\nINFO - Allocating tensors\nINFO - Activation buffer (a.k.a tensor arena) size used: 75280\n"
ALONE = f"{KIT}INFO - Number of operators: 1\nINFO - \tOperator 0: CONV_2D\n"
ZERO = (
    "INFO - Final results:\nINFO - Total number of inferences: 1\nINFO - Profile for Inference:\nINFO - NPU ACTIVE: 0 cycles\n"
    "INFO - NPU AXI0_RD_DATA_BEAT_RECEIVED: 0 beats\nINFO - NPU IDLE: 0 cycles\nINFO - NPU TOTAL: 0 cycles\nINFO - Inference completed.\nINFO - program terminating...\n"
)


def test_an_npu_that_counted_nothing_was_not_used() -> None:
    capture = read(ALONE + ZERO)
    assert [run.status for run in capture.runs] == ["passed"]
    (told,) = [finding for finding in capture.findings if finding.rule == "npu-not-used"]
    assert told.severity == "warning" and told.lines == (13,)
    worked = read(ALONE + ZERO.replace("TOTAL: 0", "TOTAL: 41877"))
    assert "npu-not-used" not in {finding.rule for finding in worked.findings}


def test_a_kit_that_stands_still_behind_its_operators_may_wait_for_the_npu() -> None:
    capture = read(ALONE)
    assert capture.runs[0].status == "truncated" and "interrupt" in capture.findings[0].advice
