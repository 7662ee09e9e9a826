"""Each failing recording is explained by its root cause, on the line that says so, with the fix in its own numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethosu_tui.analysis import Capture, CaptureReader, Outcome, read_capture
from ethosu_tui.analysis.consequence import because, follows
from ethosu_tui.analysis.findings import ended_once
from ethosu_tui.analysis.report import Finding

ROOT_CAUSES = {
    "corrupt_bad_magic.log": ("program-load-failed", 3, "ET12"),
    "hang_u55_no_npu.log": ("hung", 11, "interrupt"),
    "hardfault_badaddr.log": ("hard-fault", 1, "address"),
    "host_missing_op.log": ("missing-operator", 23, "cortex_m::quantize_per_tensor.out"),
    "method_small_load.log": ("method-pool-too-small", 7, "at least 5264 bytes"),
    "method_small_planned.log": ("method-pool-too-small", 7, "at least 3920 bytes"),
    "missing_op_softmax.log": ("missing-operator", 20, "aten::_softmax.out"),
    "semi_no_such_file.log": ("input-file-missing", 7, "nope.pte"),
    "temp_small_topk.log": (
        "temp-pool-too-small",
        11,
        "by 960 bytes or more (-DET_ARM_BAREMETAL_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE",
    ),
    "u55_nobackend.log": ("backend-not-registered", 7, "EthosUBackend"),
}


@pytest.mark.parametrize("name", sorted(ROOT_CAUSES))
def test_root_cause_comes_first_and_alone(samples: Path, name: str) -> None:
    rule, line, word = ROOT_CAUSES[name]
    capture = read_capture(name, (samples / name).read_bytes())
    root = capture.findings[0]
    assert (root.rule, root.severity, root.run) == (rule, "error", 1)
    assert root.lines[0] == line
    assert word in root.title + root.detail + root.advice
    assert [f for f in capture.findings if f.severity == "error"] == [root]


def rules_of(log: bytes) -> dict[str, str]:
    return {f.rule: f.severity for f in read_capture("x", log).findings}


COMPLETE = b"I [executorch:arm_executor_runner.cpp:1 main()] Program complete, exiting.\n"


@pytest.mark.parametrize(
    ("log", "rule"),
    [
        (b"I [executorch:a.cpp:1] Loading of method forward failed with status 0x21\n", "method-pool-too-small"),
        (b"I [executorch:a.cpp:1] Loading of method forward failed with status 0x12\n", "method-load-failed"),
        (b"I [executorch:a.cpp:1] Execution of method forward failed with status 0x1\n", "execution-failed"),
        (b"E [executorch:a.cpp:1] TEST: BundleIO index[0] Test_result: FAIL\n", "bundleio-fail"),
        (b"Hard fault. irq=-13, pc=0x1, lr=0x2, xpsr=0x3, sp=0x4\n", "hard-fault"),
        (b"I [executorch:a.cpp:1] Model run: 0\n", "model-run-0"),
        (b"F [executorch:a.cpp:1] out of luck\n", "fatal-message"),
        (b"Application exit code: 3.\n" + b"I [executorch:a.cpp:1] x\n", None),
    ],
)
def test_failures_at_any_level_beat_a_completion_line(log: bytes, rule: str | None) -> None:
    capture = read_capture("x", b"I [executorch:a.cpp:1] Running method forward\n" + log + COMPLETE)
    if rule is not None:
        assert capture.runs[0].status == "failed"
        assert capture.findings[0].rule == rule


def test_zero_operator_cycles_of_0_6_are_no_measurement() -> None:
    log = b"NPU Inferences : 1\nethos-u : cycle_cnt : 0 cycles\nOperator(s) total: 0 CPU cycles\n"
    log += b"Inference runtime: 900 CPU cycles total\nethosu_pmu_cycle_cntr : 77\n" + COMPLETE
    capture = read_capture("x", log)
    run = capture.runs[0]
    assert run.cycles.operators[0].cycles is None
    assert run.cycles.operators_total is None
    assert run.cycles.inference == 900
    finding = next(f for f in capture.findings if f.rule == "operator-cycles-not-counted")
    assert "cycle_cnt : 0 cycles" in finding.detail


def test_zero_is_kept_where_the_log_means_it(samples: Path) -> None:
    run = read_capture("x", (samples / "softmax.log").read_bytes()).runs[0]
    assert run.cycles.operators[0].cycles == 0
    assert run.cycles.delegations == 0
    assert run.pmu is not None
    assert run.pmu.npu_cycles == 0


def test_a_runtime_that_was_not_counted_is_absent() -> None:
    log = b"Inference runtime: 0 CPU cycles total (0.00 per inference)\nInference CPU ratio: ?.?? %\nInference NPU ratio: ?.?? %\n"
    capture = read_capture("x", log + COMPLETE)
    assert capture.runs[0].cycles.inference is None
    assert capture.runs[0].cycles.cpu_ratio_percent is None
    assert "cpu-cycles-not-counted" in {f.rule for f in capture.findings}


def test_a_program_size_that_is_no_size_is_absent(samples: Path) -> None:
    capture = read_capture("x", (samples / "generic_softmax.log").read_bytes())
    assert capture.runs[0].model.pte_bytes is None
    assert capture.runs[0].model.loaded_bytes is None
    finding = next(f for f in capture.findings if f.rule == "program-size-unknown")
    assert "268435456" in finding.detail


def test_allocator_parts_that_do_not_add_up_are_said() -> None:
    log = b"method_allocator_used:     9000 / 10000  free: 1000 ( used: 90 % )\n"
    for part, size in (("planned: ", 100), ("loaded:  ", 20), ("input:   ", 3), ("executor:", 0)):
        log += b"method_allocator_%s %d bytes\n" % (part.encode(), size)
    assert rules_of(log + COMPLETE)["allocator-sum"] == "warning"


def test_a_time_limit_is_no_failure_after_the_end(samples: Path) -> None:
    limit = b"Info: Simulation is stopping. Reason: CPU time has been exceeded.\n"
    assert "time-limit" not in rules_of((samples / "softmax.log").read_bytes() + limit)
    cut = b"I [executorch:a.cpp:1] Running method forward\n" + limit
    assert rules_of(cut)["time-limit"] == "error"


RUN = b"I [executorch:a.cpp:1] Running method forward\n"


def capture_of(log: bytes, outcome: Outcome | None = None) -> Capture:
    reader = CaptureReader("x")
    reader.feed(log)
    return reader.finish(outcome)


def test_a_wrapped_total_is_repaired_and_the_original_quoted() -> None:
    new = b"NPU Inferences : 3\nethos-u : cycle_cnt : -1294967296 cycles (1000000000.00 per inference)\n"
    new += b"Inference runtime: -1294967296 CPU cycles total (1000000000.00 per inference)\n"
    old = b"NPU Inferences : 1\nethos-u : cycle_cnt : -1294967296 cycles\nInference runtime: -1294967296 CPU cycles total\n"
    for log in (new, old):
        capture = capture_of(log + COMPLETE)
        assert capture.runs[0].cycles.operators[0].cycles == 3_000_000_000
        assert capture.runs[0].cycles.inference == 3_000_000_000
        finding = next(f for f in capture.findings if f.rule == "wrapped-total")
        assert "-1294967296" in finding.detail


def test_a_total_that_agrees_with_its_value_per_inference_is_left_alone() -> None:
    log = b"NPU Inferences : 3\nethos-u : cycle_cnt : 1000 cycles (333.33 per inference)\n" + COMPLETE
    capture = capture_of(log)
    assert capture.runs[0].cycles.operators[0].cycles == 1000
    assert "wrapped-total" not in {f.rule for f in capture.findings}


def test_numbers_that_newlib_nano_shifted_are_left_out_and_quoted() -> None:
    capture = capture_of(RUN + b"ethosu_pmu_cycle_cntr : 77\nethosu_pmu_cntrzd : 0\n" + COMPLETE)
    assert capture.runs[0].pmu is not None
    assert capture.runs[0].pmu.counters == ()
    assert "cntrzd : 0" in next(f for f in capture.findings if f.rule == "newlib-nano-shift").detail


def test_without_a_running_cpu_counter_no_cpu_figure_is_left() -> None:
    log = b"NPU Inferences : 1\nethos-u : cycle_cnt : 0 cycles (0.00 per inference)\nOperator(s) total: 0 CPU cycles\n"
    log += b"Inference runtime: 0 CPU cycles total\nInference CPU ratio: ?.?? %\nInference NPU ratio: ?.?? %\n"
    log += b"cpu_wait_for_npu_cntr : 0 CPU cycles\nethosu_pmu_cycle_cntr : 500\n"
    capture = capture_of(log + COMPLETE)
    cycles = capture.runs[0].cycles
    assert (cycles.inference, cycles.cpu_wait_for_npu, cycles.operators_total, cycles.operators[0].cycles) == (
        None,
    ) * 4
    assert {"cpu-cycles-not-counted"} == {f.rule for f in capture.findings}


def test_the_fast_pool_is_told_from_the_method_pool() -> None:
    log = b"E [executorch:m.cpp:1 a()] Memory allocation failed: 70000B requested (adjusted for alignment), 65536B available\n"
    log += (
        b"F [executorch:a.cpp:1 f()] In function f(), assert failed (buffer != nullptr): Could not allocate memory for "
    )
    log += b"planned buffer with mem_id=3, size 70000 in FAST_MEMORY_REGION\n"
    finding = capture_of(RUN + log).findings[0]
    assert finding.rule == "fast-pool-too-small"
    assert "PLANNED_FAST_MEMORY_SIZE=70000" in finding.advice


def test_a_failing_testset_is_not_hidden_by_a_passing_one() -> None:
    log = b"".join(b"TEST: BundleIO index[%d] Test_result: %s\n" % row for row in ((0, b"FAIL"), (1, b"PASS")))
    capture = capture_of(RUN + log + COMPLETE)
    assert capture.runs[0].bundleio is not None
    assert (capture.runs[0].bundleio.result, capture.runs[0].bundleio.testset) == ("FAIL", 0)


def test_a_simulator_that_crashed_is_a_failed_run() -> None:
    capture = capture_of(RUN, Outcome("ended", -11, "ended by SIGSEGV"))
    assert capture.runs[0].status == "failed"
    assert capture.findings[0].rule == "emulator-aborted"
    assert "11" in capture.findings[0].title


@pytest.mark.parametrize(
    ("log", "rule"),
    [
        (b"", "never-started"),
        (b"something odd\n", "never-started"),
        (b"error: licence checkout failed\n", "licence-refused"),
        (b"ERROR: License check failed!\n", "licence-refused"),
        (b"Fatal: license error: the one found is assigned to another user.\n", "licence-refused"),
    ],
)
def test_a_launch_that_prints_nothing_of_a_runner_never_started(log: bytes, rule: str) -> None:
    capture = capture_of(log, Outcome("ended", 1, "exit status 1"))
    assert capture.runs[0].status == "not_started"
    assert capture.findings[0].rule == rule
    assert log.decode().strip() in capture.findings[0].detail
    assert rule == "licence-refused" or capture_of(log, Outcome("ended", None)).runs == ()


def test_a_check_of_licences_in_source_files_is_no_simulator() -> None:
    capture = capture_of(b"ERROR: License check failed: main.c has no header\n", Outcome("ended", None))
    assert [finding.rule for finding in capture.findings] == ["command-failed"]


@pytest.mark.parametrize(
    "line",
    [
        "[    2.100001] remoteproc remoteproc1: Direct firmware load for am62-dsp failed with error -2",
        "Running tests for windows is not supported",
        "  what():  Failed to open device /dev/video0",
    ],
)
def test_lines_of_others_that_look_like_a_launch_that_failed(line: str) -> None:
    """A kernel without firmware for another core, a script on another system, a camera."""
    assert capture_of(f"{line}\n".encode()).runs == ()
    passed = capture_of(f"{RUN.decode()}{COMPLETE.decode()}{line}\n".encode())
    assert [run.status for run in passed.runs] == ["passed"]


def test_firmware_that_linux_does_not_find_is_told_by_the_boot_that_failed_of_it() -> None:
    kernel = "[    2.10000%d] remoteproc remoteproc0: %s\n"
    said = ("powering up imx-rproc", "Direct firmware load for a.elf failed with error -2", "Boot failed: -2")
    capture = capture_of("".join(kernel % row for row in enumerate(said)).encode())
    assert ([run.status for run in capture.runs], capture.findings[0].rule) == (["not_started"], "firmware-refused")


def test_how_simulations_ended_before_0_3() -> None:
    log = b"I executorch:runner.cpp:121] Model executed successfully.\nOutput[0][0]: 0.5\nEXITTHESIM\n"
    log += b"Info: Simulation is stopping. Reason: CPU time has been exceeded.\n"
    assert capture_of(RUN + log).runs[0].status == "passed"


@pytest.mark.parametrize(
    ("torn", "path"),
    [
        (b"ethosu_pmu_cycle_cntr : 5920", "pmu.npu_cycles"),
        (b"temp_allocator: 1048", "memory.pools.temp.capacity_bytes"),
        (b"Output[0][0]: -0.74", "outputs.0"),
        (b"Ethos-U PMU Events:[ETHOSU_PMU", "target.npu"),
    ],
)
def test_a_figure_that_may_lack_digits_is_not_taken(torn: bytes, path: str) -> None:
    assert path not in capture_of(RUN + torn).runs[0].lines
    whole = capture_of(RUN + torn + b"\n").runs[0]
    assert path in whole.lines or path == "target.npu"


def test_a_failure_on_a_torn_line_still_fails_but_its_code_is_not_believed() -> None:
    capture = capture_of(RUN + b"I [executorch:a.cpp:1] Loading of method forward failed with status 0x2")
    assert capture.runs[0].status == "failed"
    assert "0x02" not in capture.findings[0].detail


def test_a_word_of_completion_alone_is_no_run() -> None:
    assert capture_of(b"see the MobileNetV2 Demo Complete\n").runs == ()


@pytest.mark.parametrize(
    ("failed", "reached"),
    [
        ("** Programming Failed **", "** Programming Finished **\n** Verified OK **\n** Resetting Target **"),
        ("Cannot connect to target.", "Found SW-DP with ID 0x6BA02477\nCortex-M55 identified."),
        (
            "[    3.100001] remoteproc remoteproc0: Boot failed: -22",
            "[    9.100001] remoteproc remoteproc0: remote processor imx-rproc is now up",
        ),
    ],
    ids=["openocd", "j-link", "remoteproc"],
)
def test_a_board_that_is_reached_by_a_second_try_was_started(failed: str, reached: str, samples: Path) -> None:
    run = (samples / "mnist_q.log").read_text()
    alone = read_capture("x", f"{failed}\n{reached}\n".encode())
    assert not alone.runs and not alone.findings
    for text in (f"{failed}\n{reached}\n{run}", f"{run}{failed}\n{reached}\n"):
        capture = read_capture("x", text.encode())
        assert [r.status for r in capture.runs] == ["passed"] and not [
            f for f in capture.findings if f.severity == "error"
        ]
    capture = read_capture("x", f"{run}{reached}\n{failed}\n".encode())
    assert [r.status for r in capture.runs] == ["passed", "not_started"]


def test_a_simulator_that_came_up_is_there() -> None:
    banner = b"telnetterminal0: Listening for serial connection on port 5000\n"
    (finding,) = read_capture("x", banner).findings
    assert finding.rule == "never-started" and "came up" in finding.title
    assert "PATH" not in finding.advice and finding.lines == (1,)
    stopped = b"\nInfo: /OSCI/SystemC: Simulation stopped by user.\n"
    (finding,) = read_capture("x", banner + stopped).findings
    assert "came up" in finding.title and finding.lines == (1,)
    missing = b"Error: FVP_MPS3_Corstone_SSE_300: Failed to open file: 'arm_executor_runner.elf'\n"
    (finding,) = read_capture("x", banner + missing).findings
    assert finding.rule == "launcher-not-found" and finding.lines == (2,) and "path of the ELF" in finding.advice


def test_inputs_that_fail_after_an_inference_did_not_make_it_fail() -> None:
    gave_up = "F [executorch:a.cpp:1240 run_model()] In function run_model(), assert failed (status == Error::Ok): Execution of method forward failed with status 0x1\n"
    inputs = "F [executorch:a.cpp:809 runner_init()] In function runner_init(), assert failed (status == Error::Ok): Failed to prepare inputs 0x12\n"
    for log, root in ((gave_up + inputs, "execution-failed"), (inputs + gave_up, "inputs-failed")):
        findings = read_capture("x", log.encode()).findings
        assert (findings[0].rule, findings[0].lines[0]) == (root, 1)
        assert [f.rule for f in findings if f.severity == "error"] == [root]
        assert {f.rule for f in findings} >= {"execution-failed", "inputs-failed"}


def test_an_error_of_an_unknown_program_is_no_failed_launch() -> None:
    log = b"Ethos-U rev 136b7d75 --- Apr 12 2023 13:44:01\nhello\nError: sensor FVP_DEMO gives 0\n"
    (finding,) = read_capture("x", b"telnetterminal0: Listening for serial connection on port 5000\n" + log).findings
    assert finding.rule == "other-program" and finding.lines == (3,)


def test_a_sentence_that_quotes_one_has_one_end() -> None:
    """What a runner says may end with a mark of its own; three dots are no end, and a name may begin with two."""
    for said, wanted in (
        ("kernel 'x' not found..", "kernel 'x' not found."),
        ("exiting!. It follows", "exiting! It follows"),
        ("Check failed (a):.", "Check failed (a)."),
        ("cd .. then wait...", "cd .. then wait..."),
    ):
        assert ended_once(Finding("x", "error", None, "", said, "")).detail == wanted


def test_what_follows_from_an_error_says_so_once_and_is_known_by_it() -> None:
    root = Finding("hard-fault", "error", 1, "A hard fault", "It crashed.", "Mend it.", (3,))
    detail = because("The method did not load.", root.title)
    assert detail == "The method did not load. It follows from: A hard fault." and because(detail, "B") == detail
    other = Finding("method-load-failed", "info", 1, "No method", detail, "Mend the other.", (4,))
    assert follows(other, [root, other])
    assert not follows(other, [root._replace(severity="warning"), other]), "what is no error brings nothing about"
    assert not follows(other, [root._replace(title="Another"), other])
    assert not follows(other._replace(severity="error"), [root, other]) and not follows(root, [root, other])


def test_errors_that_a_passed_run_printed_stand_before_what_is_wrong_with_its_outputs(samples: Path) -> None:
    log = (samples / "mnist_q.log").read_bytes()
    start = b"I [executorch:arm_executor_runner.cpp:1328 "
    said = b"E [executorch:EthosUBackend.cpp:1 f()] Something of the backend went wrong\n"
    equal = b"".join(
        line if b"Output[" not in line else line.rpartition(b": ")[0] + b": 0.000000\n"
        for line in log.splitlines(keepends=True)
    )
    capture = read_capture("a", equal.replace(start, said + start))
    assert capture.runs[0].status == "passed"
    assert [finding.rule for finding in capture.findings[:2]] == ["error-messages", "outputs-all-equal"]
