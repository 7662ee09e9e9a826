"""The application for Zephyr that runs two programs at once: it never ends, and its test at the start is its verdict."""

from __future__ import annotations

from .port_logs import lines, only

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
