"""A module with Alif's chip under Zephyr: one inference, or the mean of many, and a last line that tells how it went."""

from __future__ import annotations

import pytest

from .port_logs import only, read

HEAD = (
    "*** Booting Zephyr OS build v4.1.0 ***\n\n=== aen-npu-inference ===\nmodel      : tiny_int8 (2080 bytes)\n"
    "arena      : 65536 bytes @ SRAM0 (0x2010400)\nnpu ready  : 1 (Ethos-U85 @0x49042000)\n"
)
INPUT = "input      : 4 bytes (zero-filled)\n"
OUTPUT = "output     : 2 bytes, argmax=1 (val=34), first[0..1]=f8 22\n"
RAN = "RESULT PASS: NPU inference complete -- model=tiny_int8 Invoke=OK out_bytes=2 argmax=1 npu_ready=1\n"
MEAN = "RESULT PASS: 512400 cycles/inference (3.202500 ms) n=20 windows=1/1 arena_used=40012 B\n"


def test_one_inference_on_a_module() -> None:
    run = only(HEAD + INPUT + OUTPUT + RAN)
    assert (run.status, run.stage, run.target.npu, run.model.pte_bytes) == ("passed", "complete", "ethos-u85", 2080)
    assert run.memory.pools["tensor_arena"].capacity_bytes == 65_536
    assert only(HEAD + INPUT).status == "truncated"
    assert [r.status for r in read((HEAD + INPUT + OUTPUT + RAN) * 2).runs] == ["passed"] * 2


def test_the_mean_of_many_on_a_module() -> None:
    run = only(HEAD.replace("aen-npu-inference", "aen-inference-latency") + MEAN)
    assert (run.status, run.cycles.inferences, run.times.inference_seconds) == ("passed", 20, 0.0032025)
    assert run.memory.pools["tensor_arena"].used_bytes == 40_012


@pytest.mark.parametrize(
    ("said", "stage", "rule"),
    [
        ("AllocateTensors=1 (arena too small / op unresolved)", "plan", "tensors-not-allocated"),
        ("Invoke=1 (NPU dispatch failed / timed out)", "execute", "execution-failed"),
        ("warm-up Invoke=1 (NPU dispatch failed) npu_ready=1", "execute", "execution-failed"),
        ("window 0: Invoke() failed (windows ok 0/1) -- see ENERGY-WERR above", "execute", "execution-failed"),
        ("Invoke=0 out_bytes=2 nonzero=0 npu_ready=1 -- output not populated", "report", "outputs-not-expected"),
        ("model schema 2 != supported 3", "load", "run-failed"),
    ],
)
def test_how_a_module_fails(said: str, stage: str, rule: str) -> None:
    capture = read(f"{HEAD}RESULT FAIL: {said}\n")
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", stage)]
    assert capture.findings[0].rule == rule


def test_its_words_alone_are_nobodys_run() -> None:
    assert read(INPUT + RAN + MEAN + "RESULT FAIL: Invoke=1\narena : 9 bytes @ SRAM0\n").runs == ()
