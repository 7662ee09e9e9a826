"""Logs in the shapes in which people paste them: the kit on vendors' boards, command lines, drivers that name the NPU."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import only

KIT = (
    "INFO - Ethos-U device initialised\nINFO - Ethos-U version info:\nINFO - \tArch:       v1.1.0\nINFO - \tMACs/cc:    128\n"
    "INFO - Target system design: {design}\n"
)
PROFILE = "INFO - Profile for Inference:\nINFO - NPU ACTIVE cycles: {active}\nINFO - NPU IDLE cycles: {idle}\nINFO - NPU TOTAL cycles: 90210\n"


def test_a_kit_on_a_chip_tells_its_place_and_time() -> None:
    run = only(KIT.format(design="Ensemble") + "Preprocessing time = 7.250 ms\nInference time = 3.125 ms\n")
    assert (run.target.platform, run.times.inference_seconds) == ("board", 0.003125)
    assert only(KIT.format(design="Arm Corstone-310 - AN555")).target.platform is None


@pytest.mark.parametrize(
    ("active", "idle", "doubted"), [(90000, 209, False), (90000, 212, False), (90000, 400, True), (80000, 210, True)]
)
def test_counters_that_are_read_one_after_another_may_miss_the_total_by_some_cycles(
    active: int, idle: int, doubted: bool
) -> None:
    capture = read_capture("x", (KIT.format(design="Arm") + PROFILE.format(active=active, idle=idle)).encode())
    assert ("npu-cycles-sum" in {f.rule for f in capture.findings}) == doubted


@pytest.mark.parametrize(
    ("command", "npu"),
    [
        ("FVP_Corstone_SSE-300_Ethos-U65 -C ethosu.num_macs=256 -a a.elf", "ethos-u65"),
        ("$ /opt/fvp/FVP_Corstone_SSE-320 -a a.elf -C mps4_board.subsystem.ethosu.num_macs=256", "ethos-u85"),
        ("FVP_Corstone_SSE-300 -C ethosu.num_macs=256 -a a.elf", None),
    ],
)
def test_the_name_of_the_simulator_tells_the_npu(command: str, npu: str | None) -> None:
    run = only(f"{command}\nI [executorch:arm_executor_runner.cpp:1316 main()] PTE @ 0x70000000 [----ET12]\n")
    assert (run.target.npu, run.target.macs) == (npu, 256)


def test_a_driver_that_refuses_a_program_names_the_npu() -> None:
    run = only(
        "INFO - Ethos-U device initialised\nINFO - \tMACs/cc:    256\nINFO - Allocating tensors\n"
        "E: NPU config mismatch. npu.product=1, optimizer.product=0 (ethosu_device_u55_u65.c:300)\nERROR - Invoke failed.\n"
    )
    assert (run.status, run.target.name) == ("failed", "ethos-u65-256")


def test_a_failed_operator_is_told_with_its_reason() -> None:
    text = (
        "E [executorch:tensor_impl.cpp:135 internal_resize_contiguous()] Attempted to resize a static tensor. Expected shape (1, 8), but received (3, 8).\n"
        "E [executorch:op_mul.cpp:45 mul_out()] Check failed (resize_tensor(out, sizes) == Error::Ok): Failed to resize output tensor.\n"
        "E [executorch:method.cpp:1340 execute_instruction()] KernelCall failed at instruction 0:0 in operator aten::mul.out: 0x12\n"
    )
    (finding, *_) = read_capture("x", text.encode()).findings
    assert finding.rule == "operator-failed" and "Expected shape (1, 8), but received (3, 8)" in finding.detail
