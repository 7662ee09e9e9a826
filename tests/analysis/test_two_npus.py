"""The application for Zephyr that runs two programs at once: it never ends, and its test at the start is its verdict."""

from __future__ import annotations

import pytest

from .port_logs import lines, only, read

DUAL = "dual-et: "
START = "*** Booting Zephyr OS build v3.7.0 ***\n*** dual ExecuTorch parallel FACE(U55) + VWW(U85) ***\n"


def loaded(name: str, size: int) -> str:
    return lines(
        f"{DUAL}{name} ",
        f"loading PTE ({size} bytes)",
        "planned buffers=1 data-used=400 free=600",
        "temp after-load used=0 free=5000",
        "after-input data-used=500 metadata-used=70",
    )


LOADED = START + lines(DUAL, "starting parallel worker threads") + loaded("U55-FACE", 1_000) + loaded("U85-VWW", 234)
TESTED = LOADED + lines(
    DUAL, "isolated preflight U55 irqs=0/0", "isolated U55 done irqs=1/0 submit=1 irq=2",
    "startup self-test passed; switching to camera in 5 seconds",
)  # fmt: skip
LIVE = lines(DUAL, "live dual-NPU pipeline started",
             "PAR PERSON frame=1 sample=1 U55=900 U85=300 span=950 overlap=250 us avg U55/U85/span/overlap=900/300/950/250 us",
             "live frame=30 IRQs=31/31")  # fmt: skip


def test_what_both_programs_need_is_added_up() -> None:
    run = only(TESTED + LIVE)
    assert (run.status, run.stage, run.runner.kind, run.last_line) == ("passed", "complete", "zephyr", 17)
    assert run.model.pte_bytes == 1_234
    assert run.memory.planned_bytes == 800
    assert run.memory.pools == {"method": (1_000, None, 2_000), "temp": (None, None, 10_000)}
    assert run.times.inference_seconds == 0.00095


def test_a_log_that_ends_before_its_test_did_not_pass() -> None:
    assert only(LOADED).status == "truncated"


TFLM = lines("", "*** Booting Zephyr OS build v3.7.0 ***", "*** dual TFLite Micro parallel FACE(U55) + VWW(U85) ***") + lines(
    "dual-tflm: ", "models U55=0x80300000/4000 U85=0x80380000/3000 BMP=0x803f0000/100",
    "U55-FACE ready arena=0x02000000/600 input=0x02010000/36 outputs=2",
)  # fmt: skip
TFLM_READY = lines(
    "dual-tflm: ", "U85-VWW ready arena=0x02100000/500 input=0x02110000/9 outputs=1", "prepare U55=7 us U85=6 us"
)
TFLM_LIVE = lines(
    "dual-tflm: ", "startup self-test passed; switching to camera in 5 seconds", "live dual-NPU pipeline started",
    "PAR PERSON frame=1 U55=70 U85=30 span=80 overlap=20 us",
)  # fmt: skip


def test_two_models_of_tensorflow_lite_micro() -> None:
    run = only(TFLM + TFLM_READY + TFLM_LIVE)
    assert (run.status, run.last_line, run.model.pte_bytes) == ("passed", 9, 7_000)
    assert run.memory.pools["tensor_arena"].capacity_bytes == 1_100
    assert run.times.inference_seconds == 8e-05
    assert only(TFLM + TFLM_READY).status != "passed"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (TFLM + lines("dual-tflm: ", "U85-VWW AllocateTensors failed arena=0x02100000/500", "U85-VWW setup failed rc=3"), "tensors-not-allocated"),
        (TFLM + "dual-tflm: NPU initialization failed\n", "npu-not-responding"),
        (TFLM + TFLM_READY + "dual-tflm: preflight failed U55=0 U85=5\n", "execution-failed"),
        (TFLM + TFLM_READY + TFLM_LIVE + "dual-tflm: frame=2 inference failed U55=5 U85=0\n", "execution-failed"),
        (TFLM + "dual-tflm: payload invalid\n", "run-failed"),
    ],
)  # fmt: skip
def test_two_models_of_tensorflow_lite_micro_fail(text: str, rule: str) -> None:
    capture = read(text)
    assert [run.status for run in capture.runs] == ["failed"]
    assert capture.findings[0].rule == rule
