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


@pytest.mark.parametrize(
    ("text", "rule", "words"),
    [
        (START + lines(DUAL, "NPU initialization failed"), "npu-not-responding", ""),
        (LOADED + lines(DUAL, "U85-VWW Program::load failed 0x00000023"), "program-load-failed", "0x23"),
        (LOADED + lines(DUAL, "U55-FACE planned buffer 0 failed (8192)"), "method-pool-too-small", "8192"),
        (LOADED + lines(DUAL, "U55-FACE load_method failed 0x00000021"), "method-pool-too-small", "kMethodMetadataPoolSize"),
        (LOADED + lines(DUAL, "U55-FACE load_method failed 0x00000030"), "method-load-failed", "0x30"),
        (LOADED + lines(DUAL, "preflight failed U55=0 U85=7"), "execution-failed", "Ethos-U85"),
        (TESTED + LIVE + lines(DUAL, "frame=31 inference failed U55=7 U85=0"), "execution-failed", "Ethos-U55"),
    ],
)  # fmt: skip
def test_how_it_fails(text: str, rule: str, words: str) -> None:
    capture = read(text)
    first = capture.findings[0]
    assert [run.status for run in capture.runs] == ["failed"]
    assert first.rule == rule
    assert words in f"{first.title} {first.detail} {first.advice}"


def test_a_log_that_ends_before_its_test_did_not_pass() -> None:
    assert only(LOADED).status == "truncated"
