"""What stands around ExecuTorch's own runners: terminals that name their port, banners that a screen broke, and what follows from a failure."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.answers.of_capture import answers_to
from ethosu_tui.analysis.meaning.counters import counters_table
from ethosu_tui.analysis.meaning.derive import derive
from ethosu_tui.analysis.report_tables import cycles_table

from .port_logs import only, read

RUN = (
    "I [executorch:arm_executor_runner.cpp:1274 main()] PTE @ 0x80200000 [----ET12]\n"
    "I [executorch:arm_executor_runner.cpp:1292 main()] Program complete, exiting.\n"
)


@pytest.mark.parametrize(
    "banner",
    [
        "port is        : /dev/ttyACM2\nflowcontrol    : none\nTerminal ready\n",
        "[10:00:00.123] Connected to /dev/tty.usbmodem2101\n",
        "Welcome to minicom 2.9\nPort /dev/ttyUSB3, 12:13:14\n",
        "--- Miniterm on COM7  115200,8,N,1 ---\n",
        "--- Miniterm on /dev/ttyUSB0: 9600,8,N,1 ---\n",
        "--- Terminal on /dev/cu.usbserial-110 | 115200 8-N-1\n",
        "--- esp-idf-monitor 1.6.2 on /dev/ttyUSB1 115200\n",
    ],
)
def test_a_terminal_that_names_its_port_shows_a_board(banner: str) -> None:
    capture = read(banner + RUN + RUN)
    assert [run.target.platform for run in capture.runs] == ["board", "board"]
    assert {run.lines["target.platform"] for run in capture.runs} == {
        banner[: banner.index("/dev" if "/dev" in banner else "COM")].count("\n") + 1
    }


def test_a_port_that_is_no_cable_is_no_board() -> None:
    assert only("port is        : /dev/pts/4\n" + RUN).target.platform is None
    simulated = "port is        : /dev/ttyACM2\ntelnetterminal0: Listening for serial connection on port 5000\n"
    assert only(simulated + RUN).target.platform == "fvp"


@pytest.mark.parametrize("width", [80, 100, 120])
def test_the_call_of_a_simulator_that_a_screen_broke_tells_the_target(width: int) -> None:
    call = (
        "Running /home/somebody/work/executorch/arm_test/small_model/cmake-out/arm_executor_runner for ethos-u85-512 "
        "run with FVP:FVP_Corstone_SSE-320 num_macs:512 timeout:300"
    )
    rows = [call[at : at + width] for at in range(0, len(call), width)]
    run = only("-" * 80 + "\n" + "\n".join(rows) + "\n" + "-" * 80 + "\n" + RUN)
    assert (run.target.name, run.target.macs, run.target.fvp) == ("ethos-u85-512", 512, "FVP_Corstone_SSE-320")
    assert only("-" * 80 + f"\n{rows[0]}\nsomething else\n{RUN}").target.name is None


def test_the_simulator_that_zephyrs_build_calls_is_told_with_its_version() -> None:
    for call in ("[8/9] FVP_Corstone_SSE-320:", "[8/9] FVP_Corstone_SSE-320: 11.27"):
        run = only(f"{call}\n{RUN}")
        assert (run.target.npu, run.target.platform) == ("ethos-u85", "fvp")


def test_operator_cycles_that_were_never_counted_are_none_where_the_outputs_are_wrong() -> None:
    monitor = "I [executorch:arm_perf_monitor.cpp:{}] {}\n"
    log = "".join(
        monitor.format(place, text)
        for place, text in (
            (133, "NPU Inferences : 1"),
            (138, "ethos-u : cycle_cnt : 0 cycles"),
            (145, "Operator(s) total: 0 CPU cycles"),
            (151, "Inference runtime: 4107 CPU cycles total"),
            (175, "cpu_wait_for_npu_cntr : 288 CPU cycles"),
            (181, "ethosu_pmu_cycle_cntr : 612"),
        )
    )
    failed = "E [executorch:arm_executor_runner.cpp:741] TEST: BundleIO index[0] Test_result: FAIL\n"
    capture = read(log + failed)
    (run,) = capture.runs
    assert (run.status, run.cycles.operators[0].cycles, run.cycles.operators_total) == ("failed", None, None)
    assert run.cycles.cpu_wait_for_npu == 288
    assert "operator-cycles-not-counted" in {finding.rule for finding in capture.findings}
    uncalled = log.replace(": 612", ": 0").replace(": 288 ", ": 0 ") + failed
    assert only(uncalled).cycles.operators[0].cycles == 0


def test_outputs_of_an_inference_that_failed_are_no_riddle() -> None:
    log = "I [executorch:arm_executor_runner.cpp:740] {}\n" + "".join(
        f"Output[0][{n}]: (float) 0.000000\n" for n in range(10)
    )
    log += "I [executorch:arm_executor_runner.cpp:874] Program complete, exiting.\n"
    failed = read(log.format("Execution of method forward failed with status 0x23"))
    assert failed.runs[0].outputs[0].count == 10
    assert "outputs-all-equal" not in {finding.rule for finding in failed.findings}
    passed = read(log.format("Model executed successfully."))
    assert "outputs-all-equal" in {finding.rule for finding in passed.findings}


def test_equal_outputs_of_inputs_that_the_runner_fills_are_explained() -> None:
    values = "".join(f"Output[0][{n}]: (float) 0.250000\n" for n in range(8))
    log = "I [executorch:arm_executor_runner.cpp:740 main()] Model executed successfully.\n{}" + values
    log += "I [executorch:arm_executor_runner.cpp:874 main()] Program complete, exiting.\n"
    advice = {
        given: next(f.advice for f in read(log.format(given)).findings if f.rule == "outputs-all-equal")
        for given in (
            "",
            "I [executorch:arm_executor_runner.cpp:715 main()] input_file_allocator_used: 64 / 4096 free: 4032 ( used: 1 % ) \n",
        )
    }
    assert ["with ones" in text for text in advice.values()] == [True, False]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (("inf", "-inf", "1.000000"), "2 of its first 3"),
        (("nan",) * 9, "8 of its first 8"),
        (("nan", "1.000000"), None),  # one such line may be torn
        (("340282346638528859811704183484516925440.000000", "1.000000"), None),
    ],
)
def test_outputs_that_are_no_finite_numbers_are_said(values: tuple[str, ...], said: str | None) -> None:
    log = "I [executorch:arm_executor_runner.cpp:740 main()] {}\n"
    log += "".join(f"Output[0][{n}]: (float) {value}\n" for n, value in enumerate(values))
    log += "I [executorch:arm_executor_runner.cpp:874 main()] Program complete, exiting.\n"
    found = {f.rule: f for f in read(log.format("Model executed successfully.")).findings}
    assert ("outputs-not-finite" in found) is (said is not None)
    assert "outputs-all-equal" not in found
    if said is not None:
        assert said in found["outputs-not-finite"].detail
    failed = read(log.format("Execution of method forward failed with status 0x23"))
    assert "outputs-not-finite" not in {f.rule for f in failed.findings}


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("named_data_map is null", ""),
        ("Cannot retrieve external tensor with fqn: layers.0.wq.weight. The named_data_map is null; most likely no external .ptd file was provided.", "layers.0.wq.weight"),
    ],
)  # fmt: skip
def test_weights_in_a_file_that_was_not_given_are_asked_for(said: str, key: str) -> None:
    lines = (
        "I [executorch:executor_runner.cpp:476 main()] Model file m.pte is loaded.",
        f"E [executorch:method.cpp:333 parse_external_constants()] {said}",
        "F [executorch:executor_runner.cpp:600 main()] In function main(), assert failed (method.ok()): Loading of method forward failed with status 0x2",
    )
    found = read("".join(f"{line}\n" for line in lines)).findings[0]
    assert (found.rule, found.severity) == ("weights-not-given", "error")
    assert "--data_path=" in found.advice
    assert key in found.detail


def test_a_missing_fast_pool_is_asked_for_with_the_size_that_was_planned() -> None:
    place = "I [executorch:arm_executor_runner.cpp:740 runner_init()] "
    missing = (
        "F [executorch:arm_executor_runner.cpp:760 runner_init()] In function runner_init(), assert failed (false): Planned buffer 2 uses "
        "mem_id=3/FAST_MEMORY_REGION, but ET_ARM_BAREMETAL_PLANNED_FAST_MEMORY_SIZE is not set\n"
    )
    planned = "".join(
        f"{place}Setting up planned buffer with mem_id={n}, size {size}.\n"
        for n, size in ((1, 640), (2, 0), (3, 70_001))
    )
    assert "PLANNED_FAST_MEMORY_SIZE=70016 or more" in read(planned + missing).findings[0].advice
    cut = planned[planned.index("\n") + 1 :]
    assert "70001" not in read(cut + missing).findings[0].advice


def test_what_zephyr_prints_below_a_fault_is_no_message_of_the_runner() -> None:
    log = (
        "I [executorch:main.cpp:374 main()] Loading method...\nE: ***** HARD FAULT *****\nE:   Fault escalation (see below)\n"
        "E: ***** BUS FAULT *****\nE: r0/a1:  0x00000001  r1/a2:  0x00000002  r2/a3:  0x00000003\nE: EXC_RETURN: 0xffffffbc\n"
        "E: >>> ZEPHYR FATAL ERROR 25: Unknown error on CPU 0\nE: Current thread: 0x20001234 (main)\nE: Halting system\n"
    )
    assert [finding.rule for finding in read_capture("x", log.encode()).findings] == ["hard-fault"]


def test_a_program_for_the_cpu_has_no_npu_whatever_the_simulator_needs() -> None:
    call = "Running o.elf for cortex-m55 run with FVP:FVP_Corstone_SSE-300_Ethos-U55 num_macs:128 timeout:600\n"
    monitor = (
        "I [executorch:arm_perf_monitor.cpp:139 StopMeasurements()] NPU Inferences : 1\n"
        "I [executorch:arm_perf_monitor.cpp:140 StopMeasurements()] NPU delegations: 0 (0.00 per inference)\n"
    )
    start, end = RUN.splitlines(keepends=True)
    capture = read(call + start + monitor + end)
    target = capture.runs[0].target
    assert (target.name, target.npu, target.macs, target.platform) == ("cortex-m55", None, None, "fvp")
    assert "target.macs" not in capture.runs[0].lines
    assert capture.findings == ()
    delegated = read(call.replace("cortex-m55", "ethos-u55-128") + start + monitor + end)
    assert "npu-not-used" in {finding.rule for finding in delegated.findings}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "[ASAN] store1 of size 1 at 0x31200000 failed: address outside tracked regions (region=<unknown>)",
            "wrote 1 bytes at 0x31200000",
        ),
        ("[UBSAN] /w/kernels/op_c.cpp:52:20: shift exponent is too large", "shift exponent"),
        ("[UBSAN] unknown location: unreachable reached", "unreachable"),
    ],
)
def test_what_a_sanitizer_reports_is_the_cause_of_the_trap_below_it(said: str, told: str) -> None:
    fault = "Hard fault. irq=-13, pc=0x00012340, lr=0x00012331, xpsr=0x61000003, sp=0x2007f000\n            cfsr=0x00010000 bfar=0x00000000 mmfar=0x00000000\n"
    capture = read(RUN.splitlines(keepends=True)[0] + said + "\n" + fault)
    assert [run.status for run in capture.runs] == ["failed"]
    assert [(f.rule, f.severity) for f in capture.findings] == [("sanitizer-report", "error"), ("hard-fault", "info")]
    assert told in capture.findings[0].title
    assert read(f"{said}\n").runs == ()


def test_what_pytest_shows_of_tests_that_passed_is_no_failure() -> None:
    heading = "==================================== {} ====================================\n"
    test = "_________________ test_{}_u55_INT[a] _________________\n"
    log = (
        heading.format("PASSES")
        + test.format("abs")
        + RUN
        + test.format("add")
        + RUN
        + "=================== 2 passed in 3.21s ===================\n"
    )
    capture = read(log)
    assert [run.status for run in capture.runs] == ["passed", "passed"] and capture.findings == ()
    both = read(heading.format("FAILURES") + test.format("mul") + "E   ValueError: 3\n" + log)
    assert [f.title for f in both.findings if f.rule == "test-failed"] == ["The test test_mul_u55_INT[a] failed"]
    later = read(log + heading.format("FAILURES") + test.format("div"))
    assert [f.title for f in later.findings if f.rule == "test-failed"] == ["The test test_div_u55_INT[a] failed"]


def test_a_compile_that_a_test_of_a_model_calls_tells_what_the_runner_is_built_for() -> None:
    call = "CALL: python3 -m backends.arm.scripts.aot_arm_compiler --model_name=a --target=ethos-u85-1024 --system_config=Ethos_U85_SYS_DRAM_Low --memory_mode=Sram_Only\n"
    target = only(call + RUN).target
    assert (target.name, target.system_config, target.memory_mode) == (
        "ethos-u85-1024",
        "Ethos_U85_SYS_DRAM_Low",
        "Sram_Only",
    )


def test_an_image_of_another_size_is_the_cause_in_the_words_of_the_example() -> None:
    log = (
        "I [executorch:main.cpp:110 main()] Running method forward\nF [executorch:main.cpp:166 main()] In function main(), assert failed "
        "(expected_elems == image_elements): Input tensor expects 3072 elements, but image_data has 1024 elements\n"
    )
    finding = read(log).findings[0]
    assert finding.rule == "input-size-mismatch" and "1024" in finding.detail


@pytest.mark.parametrize("said", ["Execution of method forward", "Loading of method forward"])
def test_a_failure_whose_line_a_screen_broke_is_one_behind_any_mark(said: str) -> None:
    start, end = RUN.splitlines(keepends=True)
    for length in range(3, 23):
        left = " failed with status 0x"[:length]
        log = f"> {start}> I [executorch:arm_executor_runner.cpp:745 main()] {said}{left}\n> 21\n> {end}"
        assert only(log).status == "failed", left
    assert only(start + f"I [executorch:a.cpp:9 main()] {said} finished\n" + end).status == "passed"


def test_what_a_broken_assertion_says_is_read_whole() -> None:
    line = (
        "F [executorch:arm_executor_runner.cpp:760 runner_init()] In function runner_init(), assert failed (false): Planned buffer 2 uses "
        "mem_id=3/FAST_MEMORY_REGION, but ET_ARM_BAREMETAL_PLANNED_FAST_MEMORY_SIZE is not set"
    )
    for width in (80, 100, 120, 132):
        rows = "\n".join(line[at : at + width] for at in range(0, len(line), width))
        capture = read(
            f"{RUN.splitlines()[0]}\n{rows}\nHard fault. irq=-13, pc=0x00001230, lr=0x00001231, xpsr=0x61000003, sp=0x2007f000\n"
        )
        assert capture.findings[0].rule == "fast-pool-missing", width


def test_a_damaged_number_of_a_planned_buffer_names_no_size() -> None:
    line = (
        "E [executorch:arm_executor_runner.cpp:752 runner_init()] Planned buffer -1 uses mem_id=3/FAST_MEMORY_REGION, but "
        "ET_ARM_BAREMETAL_PLANNED_FAST_MEMORY_SIZE is not set"
    )
    missing = next(f for f in read(f"{RUN.splitlines()[0]}\n{line}\n").findings if f.rule == "fast-pool-missing")
    assert "BYTES" in missing.advice


def test_a_row_is_as_wide_as_its_characters() -> None:
    table = "\u2502" + " op ".center(78, "\u2500") + "\u2502"
    line = "I [executorch:arm_executor_runner.cpp:603 runner_init()] PTE Model data loaded. Size: 51232 bytes."
    rows = f"{line[:80]}\n{line[80:]}"
    assert len(table) == 80 and len(line[:80]) == 80
    assert only(f"{table}\n{RUN.splitlines()[0]}\n{rows}\n").model.pte_bytes == 51_232


def test_a_backend_that_zephyr_left_out_is_asked_for_by_its_option() -> None:
    missing = "E [executorch:method.cpp:72 Init()] Backend EthosUBackend is not registered.\n"
    zephyr = (
        "*** Booting Zephyr OS build v4.3.0 ***\nI [executorch:arm_executor_runner.cpp:312 main()] Loading method.\n"
    )
    assert "CONFIG_ETHOS_U=y" in read(zephyr + missing).findings[0].advice
    assert "whole-archive" in read(RUN.splitlines(keepends=True)[0] + missing).findings[0].advice


def test_calls_of_the_delegate_are_not_called_inferences() -> None:
    log = (
        "I [executorch:arm_executor_runner.cpp:489 main()] PTE in 0x70000000 < Size: 4096 bytes\n"
        "I [executorch:arm_executor_runner.cpp:514 main()] PTE Model data loaded. Size: 4096 bytes.\n"
        "I [executorch:arm_perf_monitor.cpp:133 StopMeasurements()] NPU Inferences : 3\n"
        "I [executorch:arm_perf_monitor.cpp:181 StopMeasurements()] ethosu_pmu_cycle_cntr : 9000\n"
        "I [executorch:arm_executor_runner.cpp:874 main()] Program complete, exiting.\n"
    )
    capture = derive(read(log))
    (run,) = capture.runs
    assert (run.cycles.inferences, run.derived["delegations_per_inference"].value) == (3, 3)
    assert "inferences" not in answers_to(capture, run)[0].reason
    assert cycles_table(run).rows[0][0].text == "Calls of the delegate"
    assert "3 calls of the delegate in one inference" in counters_table(run).note
    newer = "NPU Inferences : 3\nI [executorch:arm_perf_monitor.cpp:140 StopMeasurements()] NPU delegations: 3 (1.00 per inference)\n"
    capture = derive(read(log.replace("NPU Inferences : 3\n", newer)))
    assert "3 inferences were carried out" in answers_to(capture, capture.runs[0])[0].reason
    assert cycles_table(capture.runs[0]).rows[0][0].text == "Inferences"


def test_a_runner_that_is_called_behind_one_that_failed_has_a_run_of_its_own() -> None:
    wrong = (
        "I 00:00:00.000100 executorch:executor_runner.cpp:374] Model file a.bpte is loaded.\n"
        "E 00:00:00.000300 executorch:executor_runner.cpp:654] TEST: BundleIO index[0] Test_result: FAIL\n"
        "E 00:00:00.000310 executorch:executor_runner.cpp:655] Bundle verification failed with status 0x20\n"
    )
    missing = (
        "E 00:00:00.000040 executorch:file_data_loader.cpp:83] Failed to open b.pte: No such file or directory (2)\n"
        "F 00:00:00.000071 executorch:executor_runner.cpp:359] In function main(), assert failed (file_loader.ok()): FileDataLoader::from() failed: 0x22\n"
    )
    for call in (
        "$ ./cmake-out/executor_runner --model_path b.pte",
        "me@there:~/et$ build/executor_runner -model_path b.pte",
    ):
        capture = read(f"{wrong}{call}\n{missing}")
        assert [(run.status, run.stage) for run in capture.runs] == [("failed", "report"), ("failed", "load")]
        assert [f.rule for f in capture.findings if f.severity == "error"] == ["bundleio-fail", "input-file-missing"]


def test_a_check_of_memory_that_failed_is_told_beside_a_run_that_passed() -> None:
    checks = "[check] method_allocator_planned: 64 bytes <= 64 B -> OK\n[check] Total DRAM used: 0.08 KiB <= 0.06 KiB -> FAIL\n"
    capture = read(RUN + checks)
    assert [run.status for run in capture.runs] == ["passed"]
    (finding,) = capture.findings
    assert (finding.rule, finding.run, finding.lines) == ("memory-limit", None, (4,)) and "0.08 KiB" in finding.title
