"""What is printed of an NPU before it works: architecture, driver, address; none of them where two NPUs differ."""

from __future__ import annotations

import pytest

from .port_logs import LOADED, only, read

_KIT = "INFO - Ethos-U device initialised\nINFO - Ethos-U version info:\nINFO - \tArch:       v1.1.0\nINFO - \tDriver:     v0.16.0\n"
_MACS = "INFO - \tMACs/cc:    128\nINFO - \tCmd stream: v0\n"


def test_the_kit_names_architecture_and_driver() -> None:
    run = only(_KIT + _MACS)
    assert (run.target.name, run.target.npu_architecture, run.target.npu_driver) == ("ethos-u55-128", "1.1.0", "0.16.0")
    assert (run.lines["target.npu_architecture"], run.lines["target.npu_driver"]) == (3, 4)
    task = (_KIT + _MACS).replace("INFO - ", "[INFO] ")
    assert only(task).target.npu_driver == "0.16.0"
    assert read("Driver:     v0.16.0\n").runs == () == read("Arch: v1.1.0\nDriver: v535.54.3\n").runs


def test_a_version_that_was_torn_is_none() -> None:
    run = only(_KIT.replace("v1.1.0", "v1.").replace("v0.16.0", "v0.16") + _MACS)
    assert (run.target.macs, run.target.npu_architecture, run.target.npu_driver) == (128, None, None)
    assert run.target.name == "ethos-u55-128"


@pytest.mark.parametrize("mark", ["", "INFO - ", "[INFO] "])
def test_the_driver_of_another_device_is_not_the_npu_s(mark: str) -> None:
    said = f"{mark}Driver: v535.104.05\n"
    assert read(said).runs == ()
    run = only(LOADED + said)
    assert run.target.npu_driver is None


@pytest.mark.parametrize(
    "message",
    ["ethosu_init. base_address={}", "Initializing NPU: base_address={}, fast_memory=0, secure=0, privileged=0"],
)
def test_the_driver_says_where_the_npu_is(message: str) -> None:
    one, other = (f"I: {message}\n".format(address) for address in ("0x48102000", "0x40000000"))
    assert only(one + LOADED).target.npu_address == "0x48102000"
    assert only(one * 2 + LOADED).target.npu_address == "0x48102000"
    run = only(one + other + one + LOADED)
    assert run.target.npu_address is None and "target.npu_address" not in run.lines
    assert run.target.npu is None


def test_a_second_npu_begins_no_second_run() -> None:
    found = "I: Initializing NPU: base_address={}, fast_memory=0x0, fast_memory_size=0, secure=1, privileged=1\n"
    left_out = (
        "E: Failed to initialize device. Driver has not been compiled for this product (ethosu_device_u85.c:96)\n"
    )
    log = (
        found.format("0x400e1000")
        + left_out
        + found.format("0x49042000")
        + "I: Soft reset NPU\n*** Booting Zephyr OS build v4.1.0 ***\n"
    )
    run = only(log + "sender 0: Sending inference. job=0x1000, name=a\nrunner 0: Received inference job. job=0x1000\n")
    assert (run.first_line, run.target.npu, run.target.npu_address) == (1, "ethos-u85", None)


def test_a_mismatch_names_all_that_the_driver_compared() -> None:
    said = "NPU config mismatch: npu.macs_per_cc=7 optimizer.macs_per_cc=8\nNPU config mismatch: npu.shram_size=24 optimizer.shram_size=48\n"
    (found, *_) = read(LOADED + said).findings
    assert (found.rule, found.lines) == ("npu-config-mismatch", (4, 5))
    assert "24 KiB" in found.detail and "48 KiB" in found.detail and "--accelerator-config" not in found.advice
    (alone, *_) = read(said).findings
    assert "--accelerator-config=ethos-u55-128" in alone.advice and "On a chip" in alone.advice
    assert "SHRAM" not in read(LOADED + said.splitlines(keepends=True)[0]).findings[0].detail


@pytest.mark.parametrize("word", ["ArmBackend::init ", "EthosUBackend::init ", "data:"])
def test_the_delegates_of_a_program_are_counted(word: str) -> None:
    first, second = (f"I [executorch:EthosUBackend.cpp:101 init()] {word}0x7000{at}\n" for at in ("0070", "1a40"))
    assert only(LOADED).model.delegates is None, "no line is no zero"
    run = only(LOADED + first)
    assert (run.model.delegates, run.lines["model.delegates"]) == (1, 4)
    assert only(LOADED + first + second).model.delegates == 2
    assert only(LOADED + first * 2).model.delegates == 1, "a copy of its line"
    for other in ("image/png", "2026"):
        assert only(f"{LOADED}I [executorch:a.cpp:1 f()] data:{other}\n").model.delegates is None


def test_a_report_has_the_counters_in_columns() -> None:
    rows = (
        "NPU ACTIVE                              1,114,227 cycles",
        "NPU IDLE                                      310 cycles",
        "NPU TOTAL                               1,114,537 cycles",
        "ETHOSU_PMU_SRAM_RD_DATA_BEAT_RECEIVED     163,085 beats",
        "NPU ETHOSU_PMU_EXT_RD_DATA_BEAT_RECEIVED      945 beats",
    )
    run = only("\n".join(rows) + "\n")
    assert run.pmu is not None and run.pmu.npu_cycles == 1_114_537
    assert [(c.event, c.value) for c in run.pmu.counters] == [
        ("ETHOSU_PMU_NPU_ACTIVE", 1_114_227),
        ("ETHOSU_PMU_NPU_IDLE", 310),
        ("ETHOSU_PMU_SRAM_RD_DATA_BEAT_RECEIVED", 163_085),
        ("ETHOSU_PMU_EXT_RD_DATA_BEAT_RECEIVED", 945),
    ]
    assert (run.target.npu, run.last_line, run.lines["pmu.npu_cycles"]) == ("ethos-u85", 5, 3)
    for other in (
        "NPU total 1,114,537 cycles",
        "NPU TOTAL 13.40 cycles",
        "The NPU TOTAL 12 cycles",
        "ETHOSU_PMU_CYCLE",
        "ETHOSU_PMU_SRAM_RD_DATA_BEAT_RECEIVED , beats",
        "ETHOSU_PMU_SRAM_RD_DATA_BEAT_RECEIVED 13,40 beats",
    ):
        assert read(f"{other}\n").runs == (), other


def test_a_count_below_the_profile_is_of_that_profile() -> None:
    one = "INFO - Profile for Inference:\nINFO - NPU TOTAL: 900 cycles\nINFO - Total number of inferences: 1\n"
    run = only(one + "INFO - Main loop terminated successfully.\n")
    assert (run.cycles.inferences, run.lines["cycles.inferences"]) == (1, 3)
    both = only(one * 2 + "INFO - Main loop terminated successfully.\n")
    assert (both.cycles.inferences, both.pmu.npu_cycles if both.pmu else None) == (2, 1800)
