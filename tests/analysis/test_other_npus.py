"""Examples for kits of other vendors that print everything in words of their own: Nordic's AXON, and Ambiq's Ethos-U85."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import lines, only, read

ZEPHYR = "[00:00:00.251,000] <inf> hello_axon: "
AXON = ("AXON NPU: enabled", "Loading model (4096 bytes)...", "Program loaded, 1 method(s)", "Method: forward",
        "AxonBackend::init (delegate 0, processed=36 bytes)", "Method loaded", "Running inference (x=1.57, expected sin~1.0)...")  # fmt: skip
ONE = ("Inference: 25600 cycles (200 us @ 128 MHz)", "output[0] = 0.875000", "Done.")
STEPS = (
    "  step 0: out=(-0.250, -0.125) 630 us",
    "  step 1: out=(-0.500, 0.250) 640 us",
    "=== AXON delegate profile ===",
    "handles bound: 1",
    "Done.",
)
NSX = "person_detect on atomiq110 Ethos-U85 (TFLM + Vela)\nModel: 4096 bytes (ethos-u85-256, 100% NPU offload)\n"
WINDOW = (
    "[zeros   ] 12 ms (580000 cycles)  no-person=90 person=-90 -> no-person",
    "[noise   ] 13 ms (600000 cycles)  no-person=50 person=-50 -> no-person",
)


@pytest.mark.parametrize("mark", ["", ZEPHYR, "I [executorch:inference.cpp:61 run_inference()] "])
def test_axon_s_example_passes_with_its_time_and_its_output(mark: str) -> None:
    run = only(lines(mark, *AXON, *ONE))
    assert (run.status, run.stage, run.model.pte_bytes, run.model.methods) == ("passed", "complete", 4096, 1)
    assert (run.times.inference_seconds, run.target.npu) == (0.0002, None)
    assert [tensor.first for tensor in run.outputs] == [(0.875,)]


def test_axon_s_steps_are_inferences_of_one_run() -> None:
    run = only(lines("", *AXON, *STEPS))
    assert (run.status, run.cycles.inferences, run.times.inference_seconds) == ("passed", 2, 0.00064)


def test_axon_s_example_that_only_loaded_did_not_pass() -> None:
    assert only(lines("", *AXON, "Done.")).status != "passed"


def test_a_chip_with_another_npu_is_not_said_to_have_none() -> None:
    first = read(lines(ZEPHYR, *AXON)).findings[0]
    assert (first.rule, "no NPU" in first.detail, "no Ethos-U" in first.detail) == ("hung", False, True)


def test_its_words_alone_are_anybody_s() -> None:
    assert not read_capture("x", lines("", *AXON[1:4], *ONE).encode()).runs
    assert not read_capture("x", lines("", "Arena: 1 / 2 bytes", *WINDOW).encode()).runs


@pytest.mark.parametrize(
    "text",
    [
        "AXON NPU: a small accelerator beside the CPU\nCPU: Cortex-M33\nDone.\n",
        f"{ZEPHYR}AXON NPU: enabled\n{ZEPHYR}waiting for a button\n",
        "# person_detect on the atomiq110 Ethos-U85 (TFLM + Vela)\n",
        "How to build it for an Ethos-U85 (TFLM + Vela) with make\n",
        "person_detect on atomiq110 Ethos-U85 (TFLM + Vela)\nBuild it with make.\n",
    ],
)
def test_a_chip_that_is_named_is_no_run(text: str) -> None:
    assert not read_capture("x", text.encode()).runs


@pytest.mark.parametrize(
    ("said", "stage", "rule"),
    [("set_input failed: 0x12", "inputs", "inputs-failed"), ("execute failed: 0x1", "execute", "execution-failed")],
)
def test_a_call_that_failed_in_axon_s_example(said: str, stage: str, rule: str) -> None:
    capture = read(lines(ZEPHYR, *AXON[:-1], said, "Inference failed: -6"))
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", stage)]
    assert capture.findings[0].rule == rule
    assert not read_capture("x", f"app: ready\n{said}\n".encode()).runs


@pytest.mark.parametrize("before", [(), WINDOW])
def test_an_inference_of_ambiq_s_example_that_failed(before: tuple[str, ...]) -> None:
    capture = read(
        NSX + lines("", "Arena: 1024 / 2048 bytes", *before, "[gradient] ERROR: Invoke() failed", "---", *before)
    )
    assert [run.status for run in capture.runs] == ["failed"]
    assert capture.findings[0].rule == "execution-failed"
    assert not read_capture("x", b"[job] ERROR: Invoke() failed\n").runs


def test_ambiq_s_pictures_are_inferences_of_one_run() -> None:
    run = only(NSX + lines("", "Ethos-U85 driver initialized.", "Arena: 1024 / 2048 bytes", *WINDOW, "---"))
    assert (run.status, run.target.name, run.model.pte_bytes) == ("passed", "ethos-u85-256", 4096)
    assert (run.cycles.inferences, run.cycles.inference, run.times.inference_seconds) == (2, 1_180_000, 0.013)
    pool = run.memory.pools["tensor_arena"]
    assert (pool.used_bytes, pool.capacity_bytes) == (1024, 2048)


def test_an_npu_that_ambiq_s_example_does_not_find_is_the_cause() -> None:
    capture = read(NSX + "ERROR: nsx_npu_init failed (rc=2).\nEthos-U85 init failed. On FPGA builds make sure\n")
    assert [run.status for run in capture.runs] == ["failed"]
    assert capture.findings[0].rule == "npu-not-responding"


def test_a_backend_that_began_is_not_advised_to_be_linked() -> None:
    log = "E [executorch:method.cpp:116 init()] Init failed for backend AxonBackend: 0x20\n"
    first = read(log + "E [executorch:inference.cpp:95 run_inference()] load_method failed: 0x20\n").findings[0]
    assert (first.rule, first.advice.startswith("The backend is linked")) == ("method-load-failed", True)
    missing = "E [executorch:method.cpp:100 init()] Backend AxonBackend is not registered.\n"
    assert "The backend is linked" not in str(
        read(missing + log.replace("Init failed for backend AxonBackend", "x")).findings
    )
