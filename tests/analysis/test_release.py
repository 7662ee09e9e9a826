"""Which release printed a log: by its source lines, by the shape of its lines, and honestly where neither tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.release.identify import identify, spell

FINGERPRINTS = {
    "0.4.0": ("I [executorch:{0}:{1}] {2}", 110, 158, 290, 424),
    "0.5.0": ("I [executorch:{0}:{1}] {2}", 135, 183, 366, 555),
    "0.6.0": ("I [executorch:{0}:{1}] {2}", 133, 181, 459, 783),
    "0.7.0": ("I [executorch:{0}:{1} main()] {2}", 133, 181, 514, 874),
    "1.0.0/1.0.1": ("I [executorch:{0}:{1} main()] {2}", 136, 196, 578, 1238),
    "1.1.0": ("I [executorch:{0}:{1} main()] {2}", 139, 199, 597, 1259),
    "1.2.0": ("I [executorch:{0}:{1} main()] {2}", 139, 199, 602, 1292),
    "1.3.0/1.3.1": ("I [executorch:{0}:{1} main()] {2}", 139, 199, 603, 1334),
    "1.4.0/1.4.1": ("I [executorch:{0}:{1} main()] {2}", 150, 210, 625, 1379),
    "main": ("I [executorch:{0}:{1} main()] {2}", 150, 210, 677, 1550),
}
"""Prefix, and the lines of `NPU Inferences`, the cycle counter, `data/file loaded` and `Program complete`."""


def log_of(release: str, drop: int = 0) -> str:
    prefix, inferences, cycles, loaded, complete = FINGERPRINTS[release]
    old = release < "0.6"
    entries = [
        (
            "arm_executor_runner.cpp",
            loaded,
            f"{'Model PTE file' if old else 'PTE Model data'} loaded. Size: 960 bytes.",
        ),
        ("arm_perf_monitor.cpp", inferences, "NPU Inferences : 1"),
        ("arm_perf_monitor.cpp", cycles, "ethosu_pmu_cycle_cntr : 100"),
        ("arm_executor_runner.cpp", complete, "Program complete, exiting."),
    ]
    return "".join(prefix.format(*entry) + "\n" for entry in entries[drop:])


def runner_of(text: str) -> tuple[str | None, str]:
    runner = read_capture("x", text.encode()).runs[0].runner
    return runner.executorch_version, runner.version_evidence or ""


@pytest.mark.parametrize("release", FINGERPRINTS)
def test_every_release_is_known_by_its_lines(release: str) -> None:
    version, evidence = runner_of(log_of(release))
    assert version == release
    assert "arm_executor_runner.cpp:" in evidence


@pytest.mark.parametrize("release", ["0.5.0", "0.6.0", "0.7.0", "1.1.0", "1.2.0", "1.3.0/1.3.1", "main"])
def test_the_last_lines_alone_tell_the_release(release: str) -> None:
    assert runner_of(log_of(release, drop=3))[0] == release


def test_the_evidence_names_lines_of_the_log() -> None:
    run = read_capture("x", b"noise\n" + log_of("1.1.0").encode()).runs[0]
    assert run.runner.version_evidence is not None
    assert "arm_executor_runner.cpp:597 (line 2)" in run.runner.version_evidence
    assert "4 of 4" in run.runner.version_evidence
    assert run.lines["runner.executorch_version"] == 2


def test_two_lines_of_different_releases_are_no_release() -> None:
    version, evidence = runner_of(log_of("0.6.0").splitlines(True)[0] + log_of("1.3.0/1.3.1").splitlines(True)[3])
    assert version is None
    assert "no release" in evidence


def test_a_snapshot_between_two_releases_is_called_so() -> None:
    lines = {948: "PTE in 0x70000000  Size: 4616 bytes", 473: "PTE Model data loaded. Size: 4616 bytes.",
             486: "Model buffer loaded, has 1 methods", 493: "Running method forward"}  # fmt: skip
    version, evidence = runner_of(
        "".join(f"I [executorch:arm_executor_runner.cpp:{n} main()] {t}\n" for n, t in lines.items())
    )
    assert version == "1.0-dev"
    assert "no release does" in evidence and "2025-08-11" in evidence


def test_a_fork_with_moved_lines_names_its_origin() -> None:
    text = "I [executorch:arm_executor_runner.cpp:{}] {}\n"
    lines = [(388, "Model PTE file loaded. Size: 960 bytes."), (406, "Running method forward"), (417, "Setup Method allocator pool. Size: 1024 bytes."),
             (434, "Setting up planned buffer 0, size 32."), (467, "Method loaded."), (469, "Preparing inputs..."), (577, "Program complete, exiting.")]  # fmt: skip
    version, evidence = runner_of("".join(text.format(*line) for line in lines))
    assert version == "0.5.0"
    assert "fork" in evidence and "22 lines below" in evidence


def test_a_core_line_tells_the_release_of_a_port_with_its_own_runner() -> None:
    log = "I [executorch:my_board.cpp:12] Loading of method forward failed with status 0x21\n"
    log += "E [executorch:memory_allocator.h:88] Memory allocation failed: 48B requested (adjusted for alignment), 44B available\n"
    log += "F [executorch:result.h:165] In function CheckOk(), assert failed: hasValue_\n"
    version, _ = runner_of(log)
    assert version is not None and version.startswith("0.")


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        ("PTE @ 0x70000000 [----ET12]\nSetting up planned buffer 0, size 32.\nModel run: 1\n", "1.0.0..1.4.1"),
        ("PTE @ 0x70000000 [----ET12]\nSetting up planned buffer with mem_id=1, size 32.\n", "main"),
        ("PTE in 0x70000000  Size: 944 bytes\npeak_temp_allocator:       0 / 2048 free: 2048 ( used: 0 % )\n", "0.7.0"),
        ("Running method forward\n", None),
        ("INFO - NPU TOTAL: 405608 cycles\n", None),
        ("ethosu_pmu_cycle_cntr : 134869\nethosu_pmu_cntr0 : 133577\n", None),
    ],
)
def test_without_line_numbers_the_shape_leaves_a_range(log: str, expected: str | None) -> None:
    assert runner_of(log)[0] == expected


def test_ranges_are_spelled_as_people_write_them() -> None:
    assert spell(["1.1.0"]) == "1.1.0"
    assert spell(["1.0.1", "1.0.0"]) == "1.0.0/1.0.1"
    assert spell(["1.2.0", "main", "1.3.0", "1.3.1", "1.4.0", "1.4.1"]) == "1.2.0..main"
    assert spell([]) is None
    assert identify({}, ()) == (None, None, None)


def test_lines_without_end_do_not_grow_the_evidence() -> None:
    log = "".join(f"I [executorch:arm_executor_runner.cpp:{n}] Running method forward\n" for n in range(5000))
    version, evidence = runner_of(log)
    assert len(evidence) < 400


WILD = {
    "001_v01_softmax_u55.log": "0.1.0", "003_v05_mv2_u85_128.log": "0.5-dev", "004_tinycnn_fvp_noprefix_u55.log": "1.0.0..1.4.1",
    "006_pico_softmax_cm_cpu_v05.log": "0.5.0", "008_pico_mv2_allocfail_v05.log": "0.5.0", "009_zephyr_fvp_u55_v07.log": None,
    "010_v06_add_u85_tail.log": "0.6.0", "013_zephyr_alif_e8_mv2_u55.log": "1.3.0..main", "015_imx93_cm33_u65_trace0.log": "1.0.0..main",
    "019_issue13399_kernel_not_found_v10dev.log": "1.0-dev", "021_ultralytics_method_pool_fail.log": "1.2.0..main",
    "028_alif_mv2_untrained_u55_v13.log": "1.3.0..main", "030_mlek_npu_config_mismatch_old.log": None,
}  # fmt: skip


@pytest.mark.parametrize("name", WILD)
def test_releases_of_third_party_logs(shared_logs: Path, name: str) -> None:
    runner = read_capture(name, (shared_logs / "wild" / name).read_bytes()).runs[0].runner
    assert runner.executorch_version == WILD[name], runner.version_evidence


def test_a_single_line_is_said_to_be_no_proof() -> None:
    places = {("arm_executor_runner.cpp", 783): ("Program complete, ex", 1)}
    one = identify(places, ())
    assert one.version is not None
    assert one.evidence is not None
    assert "no proof" in one.evidence
    two = identify({**places, ("arm_perf_monitor.cpp", 133): ("NPU Inferences : ", 2)}, ())
    assert two.version == "0.6.0"
    assert two.evidence is not None
    assert "no proof" not in two.evidence


def test_a_line_that_came_and_went_over_several_releases_names_none() -> None:
    """`program.cpp` had this text there on main in 2023 and in 2026, and in no release."""
    version, evidence = runner_of("E [executorch:program.cpp:153] Program identifier 'abcd' != expected 'ET12'\n")
    assert version is None
    assert "no release" in evidence


@pytest.mark.parametrize(
    ("around", "counters", "expected"),
    [
        ("{}Model executed successfully.\n", 4, "0.4.0..0.7.0"),
        ("{}Model executed successfully.\n", 5, "0.5.0..0.7.0"),
        ("PTE @ 0x70000000 [----ET12]\n{}", 5, "1.0.0/1.0.1"),
        ("PTE @ 0x70000000 [----ET12]\n{}", 6, "1.0.0..main"),
        ("PTE @ 0x70000000 [----ET12]\n{}", 7, "1.1.0..main"),
    ],
)
def test_the_number_of_counters_tells_eras_apart(around: str, counters: int, expected: str) -> None:
    lines = "".join(f"ethosu_pmu_cntr{index} : 13\n" for index in range(counters))
    assert runner_of(around.format(f"NPU Inferences : 1\nethosu_pmu_cycle_cntr : 134869\n{lines}"))[0] == expected
