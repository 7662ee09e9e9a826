"""What stands around ExecuTorch's own runners: terminals that name their port, banners that a screen broke, and what follows from a failure."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

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
