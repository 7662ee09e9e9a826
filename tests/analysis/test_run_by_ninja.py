"""Zephyr's target that runs the FVP, which ninja calls failed whenever the simulator ends with another status than 0."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

BOOT = "*** Booting Zephyr OS build v4.3.0 ***\n"
AT = "I [executorch:arm_executor_runner.cpp:{} main()] {}\n"
BEGUN = (
    "[0/1] To exit from FVP press Ctrl+C\ntelnetterminal0: Listening for serial connection on port 5000\n"
    + BOOT
    + AT.format(215, "PTE at 0x70000000 Size: 1024 bytes")
)
DONE = AT.format(485, "SUCCESS: Program complete, exiting.")
LIMIT = "\nInfo: Simulation is stopping. Reason: Simulated time has been exceeded.\n"
FAILED = "FAILED: [code=1] zephyr/CMakeFiles/run_armfvp /w/zephyr/CMakeFiles/run_armfvp \n"
STOPPED = (
    "cd /w && /opt/fvp/FVP_Corstone_SSE-300_Ethos-U55 -C ethosu.num_macs=128 -a /w/zephyr/zephyr.elf\nninja: build stopped: subcommand failed.\n"
    "FATAL ERROR: command exited with status 1: /usr/bin/cmake --build /w --target run\n"
)
LIBRARY = "/opt/fvp/FVP_Corstone_SSE-320: error while loading shared libraries: liba.so.1: cannot open shared object file: No such file or directory\n"


def test_a_run_that_was_complete_did_not_fail() -> None:
    capture = read_capture("x", f"{BEGUN}{DONE}{LIMIT}\n{FAILED}{STOPPED}".encode())
    assert [run.status for run in capture.runs] == ["passed"]
    assert "error" not in {finding.severity for finding in capture.findings}
    said = next(finding for finding in capture.findings if finding.rule == "fvp-run-failed")
    assert said.severity == "warning" and "The run above it was complete" in said.detail


def test_a_run_that_ran_out_of_time_is_the_reason() -> None:
    capture = read_capture("x", f"{BEGUN}{LIMIT}\n{FAILED}{STOPPED}".encode())
    errors = [finding.rule for finding in capture.findings if finding.severity == "error"]
    assert (capture.runs[0].status, errors) == ("timeout", ["time-limit"])
    assert all(finding.detail.count("It follows from") < 2 for finding in capture.findings)


@pytest.mark.parametrize("log", [LIBRARY + FAILED + STOPPED, FAILED + STOPPED.replace("\n", f"\n{LIBRARY}", 1)])
def test_a_launch_that_failed_is_the_reason(log: str) -> None:
    capture = read_capture("x", f"[0/1] To exit from FVP press Ctrl+C\n{log}".encode())
    errors = [finding.rule for finding in capture.findings if finding.severity == "error"]
    assert ([run.status for run in capture.runs], errors) == (["not_started"], ["library-missing"])


def test_the_time_that_a_script_gave_is_told() -> None:
    log = (
        "Running /w/arm_executor_runner for ethos-u55-128 run with FVP:FVP_Corstone_SSE-300_Ethos-U55 num_macs:128 timeout:45\n"
        "I [executorch:arm_executor_runner.cpp:1360 main()] PTE @ 0x70000000 [----ET12]\n"
        "\nInfo: Simulation is stopping. Reason: CPU time has been exceeded.\n"
    )
    finding = read_capture("x", log.encode()).findings[0]
    assert finding.rule == "time-limit" and "gave the simulator 45 seconds" in finding.detail


def test_a_user_who_stops_the_simulator_stops_no_build() -> None:
    stop = "^C\nStopping simulation...\n\nInfo: /OSCI/SystemC: Simulation stopped by user.\nninja: build stopped: interrupted by user.\n"
    assert not read_capture("x", f"{BEGUN}{DONE}{stop}".encode()).findings


def test_a_build_that_failed_long_behind_a_run_is_its_own() -> None:
    others = "".join(f"[{n}/90] Building C object a{n}.c.obj\n" for n in range(60))
    capture = read_capture("x", f"{BEGUN}{DONE}{LIMIT}{others}{FAILED}{STOPPED}".encode())
    assert "fvp-run-failed" in [finding.rule for finding in capture.findings if finding.severity == "error"]


def test_silicon_is_not_started_with_another_number_of_macs() -> None:
    log = (
        "INFO - Ethos-U55 device initialised\nINFO - Target system design: {}\nINFO - Allocating tensors\n"
        "E: ethosu_device_u55_u65.c:358: NPU config mismatch. npu.macs_per_cc=8, optimizer.macs_per_cc=6\nERROR - Invoke failed.\n"
    )
    board, fvp = (
        read_capture("x", log.format(name).encode()).findings[0] for name in ("Ensemble", "Arm Corstone-300 - AN552")
    )
    assert "num_macs" not in board.advice and "--target=ethos-u55-256" in board.advice
    assert "num_macs=64" in fvp.advice


def test_older_drivers_tell_the_npu_of_an_imx93() -> None:
    log = (
        "CM33: ExecuTorch runner started\nI [arm_executor_runner.cpp:801] Model buffer loaded, has 1 methods\n"
        "I: Ethos-U config cmd_stream_version: 0 macs_per_cc: 8 shram_size: 48 custom_dma: 0\nI: Ethos-U version: 1.0.6\n"
    )
    target = read_capture("x", log.encode()).runs[0].target
    assert (target.name, target.platform) == ("ethos-u65-256", "board")
