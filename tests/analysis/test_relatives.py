"""The ml-embedded-evaluation-kit and TensorFlow Lite Micro, which print the same NPU's counters in forms of their own."""

from __future__ import annotations

import pytest

from .port_logs import END, LOADED, only, read

PROFILE = (
    "INFO - Profile for Inference:\nINFO - NPU ACTIVE: 7627 cycles\n"
    "INFO - NPU ETHOSU_PMU_SRAM_RD_DATA_BEAT_RECEIVED: 100 beats\nINFO - NPU IDLE: 3 cycles\nINFO - NPU TOTAL: 7630 cycles\n"
)


def test_the_evaluation_kit_on_a_u85() -> None:
    head = "INFO - \tMACs/cc:    256\nINFO - Allocating tensors\nINFO - Activation buffer (a.k.a tensor arena) size used: 641452\n"
    result = "INFO - Running inference on image 0 => cat.bmp\nINFO - 0) 283 (0.765625) -> tiger cat\nINFO - 1) 2 (0.1) -> shark\n"
    preparing = "INFO - Profile for pre-processing:\nINFO - NPU TOTAL: 5 cycles\n"
    run = only(head + result + preparing + PROFILE + result + PROFILE + "INFO - program terminating...\n")
    assert (run.status, run.runner.kind, run.target.name) == ("passed", "mlek", "ethos-u85-256")
    assert run.pmu is not None
    assert (run.pmu.npu_cycles, run.pmu.npu_cycles_per_inference, run.cycles.inferences) == (15_260, 7_630, 2)
    assert [c.event for c in run.pmu.counters] == [
        "ETHOSU_PMU_NPU_ACTIVE", "ETHOSU_PMU_SRAM_RD_DATA_BEAT_RECEIVED", "ETHOSU_PMU_NPU_IDLE",
    ]  # fmt: skip
    assert [(p.index, p.label) for p in run.predictions] == [(283, "tiger cat"), (2, "shark")]
    assert run.memory.pools["tensor_arena"].used_bytes == 641_452


def test_the_kit_s_run_begins_with_its_board() -> None:
    boot = (
        "INFO - Processor internal clock: 25000000Hz\nINFO - V2M-MPS3 revision C\n\nINFO - Application Note AN547, Revision B\n"
        "INFO - MPS3 build 2\nINFO - MPS3 core clock has been set to: 25000000Hz\nINFO - CPU ID: 0x410fd220\n"
        "INFO - CPU: Cortex-M55 r0p0\n\n"
    )
    rest = (
        "INFO - Ethos-U device initialised\nINFO - ARM ML Embedded Evaluation Kit\nINFO - Allocating tensors\n"
        "INFO - Running inference on image 0 => cat.bmp\n" + PROFILE + "INFO - Main loop terminated successfully.\n"
    )
    runs = read(2 * (boot + rest)).runs
    lines = (boot + rest).count("\n")
    assert [(run.first_line, run.status) for run in runs] == [(1, "passed"), (1 + lines, "passed")]
    (stopped,) = read(boot).runs
    assert (stopped.status, stopped.stage, stopped.runner.kind) == ("truncated", "start", "mlek")
    assert not read("INFO - Application Note AN547, Revision B\nINFO - CPU: Cortex-M55 r0p0\n").runs


def test_full_statistics_of_the_evaluation_kit() -> None:
    run = only(
        "INFO - Profile for Inference:\nINFO - Number of samples: 2\nINFO - Total / Avg./ Min / Max\n"
        "INFO - NPU AXI0_RD_DATA_BEAT_RECEIVED beats: 200/ 100 / 90 / 110 \n"
        "INFO - NPU TOTAL cycles: 811216/ 405608 / 405600 / 405616 \n"
    )
    assert run.pmu is not None
    assert (run.pmu.npu_cycles, run.pmu.npu_cycles_per_inference) == (811_216, 405_608)
    assert (run.pmu.npu_cycles_min, run.pmu.npu_cycles_max, run.cycles.inferences) == (405_600, 405_616, 2)
    assert run.pmu.counters[0].value == 200


def test_full_statistics_of_the_first_evaluation_kit() -> None:
    run = only(
        "[INFO] Running inference on image 0 => cat.bmp\n[INFO] Profile for Inference: \n\tSamples: 2\n"
        "\t                            Total / Avg./ Min / Max\n"
        "\tActive NPU cycles:          3000000 / 1.5e+06 / 1400000 / 1600000\n"
        "\tIdle NPU cycles:            90 / 45 / 40 / 50\n"
        "\tActive CPU cycles (approx): 700 / 350 / 340 / 360\n"
        "\tTime in ms:                 30 / 15 / 14 / 16\n"
        "[INFO] Main loop terminated.\n[INFO] program terminating...\n"
    )
    assert (run.status, run.cycles.inferences, run.times.inference_seconds) == ("passed", 2, 0.015)
    assert run.cycles.inference == 700
    assert run.pmu is not None
    assert [(c.event, c.value) for c in run.pmu.counters] == [
        ("ETHOSU_PMU_NPU_ACTIVE", 3_000_000), ("ETHOSU_PMU_NPU_IDLE", 90),
    ]  # fmt: skip


def test_another_npu_is_no_kit() -> None:
    assert read("NPU version: 0x1\nNPU active cycles: 9000\nboard result: PASS\n").runs == ()
    assert only("NPU ACTIVE cycles: 9000\nNPU IDLE cycles: 5\nNPU TOTAL cycles: 9005\n").pmu is not None


def test_statistics_of_others_are_no_profile() -> None:
    assert read("Samples: 2\nTime in ms: 30 / 15 / 14 / 16\n").runs == ()


def test_tflm_reports_one_after_another() -> None:
    report = "Ethos-U PMU report:\nethosu_pmu_cycle_cntr : 1000\nethosu_pmu_cntr0 : 90\nethosu_pmu_cntr1 : 4\n"
    run = only(report + report.replace("1000", "3000"))
    assert [b.pmu and b.pmu.npu_cycles for b in run.blocks] == [1_000, 3_000]
    assert run.pmu is not None
    assert (run.pmu.npu_cycles, run.pmu.counters[0].value) == (4_000, 180)


def test_core_software_under_an_fvp() -> None:
    run = only(
        "Info: FVP_MPS3_Corstone_SSE_300: Creating Ethos-U55 with config H128\n\n    Ethos-U rev 074befff --- Nov 25 2020 17:22:52\n"
        "Sending inference job\nReceived inference job. job=30073e90, name=a\nRunning inference job: a\n"
        "ethosu_pmu_cntr0 : 10\nethosu_pmu_cntr1 : 20\nethosu_pmu_cycle_cntr : 1000 cycles\narena_used_bytes : 1596\n"
        "Finished running job: a\nReceived inference job response. status=0\n"
        "Sending inference job\nReceived inference job. job=30073e90, name=b\nRunning inference job: b\n"
        "ethosu_pmu_cntr0 : 11\nethosu_pmu_cntr1 : 21\nethosu_pmu_cycle_cntr : 1200 cycles\n"
        "Finished running job: b\nReceived inference job response. status=0\n"
        "Application exit code: 0.\n\nEXITTHESIM\nInfo: /OSCI/SystemC: Simulation stopped by user.\n"
    )
    assert (run.status, run.target.name, run.target.platform, run.target.fvp) == (
        "passed", "ethos-u55-128", "fvp", "FVP_MPS3_Corstone_SSE_300",
    )  # fmt: skip
    assert [b.pmu and b.pmu.npu_cycles for b in run.blocks] == [1_000, 1_200]
    assert run.pmu is not None
    assert (run.pmu.npu_cycles, [c.value for c in run.pmu.counters]) == (2_200, [21, 41])
    assert run.memory.pools["tensor_arena"].used_bytes == 1_596


def test_counters_that_nobody_asked_for_say_nothing_of_the_traffic() -> None:
    counted = "ethosu_pmu_cntr0 : 0\nethosu_pmu_cntr1 : 0\nethosu_pmu_cycle_cntr : 1000 cycles\n"
    start = "Initialize Arm Ethos-U\nMsg: header magic=41457631, type=7, length=96\n"
    assert "npu-traffic-zero" not in {finding.rule for finding in read(start + counted).findings}
    assert "npu-traffic-zero" in {finding.rule for finding in read(start + "Ethos-U PMU report:\n" + counted).findings}


@pytest.mark.parametrize(("status", "verdict"), [(0, "passed"), (1, "failed")])
def test_jobs_of_zephyr_s_tensorflow_sample(status: int, verdict: str) -> None:
    job = "job=0x31000a10"
    run = only(
        "*** Booting Zephyr OS build v3.7.0 ***\n"
        f"sender 0: Sending inference. {job}, name=kws\nsender 0: Sending inference. {job}, name=kws\n"
        f"runner 0: Received inference job. {job}\nrunner 0: Sending inference response. {job}\n"
        f"sender 0: Received job response. {job}, status=0\nrunner 0: Received inference job. {job}\n"
        f"runner 0: Sending inference response. {job}\nsender 0: Received job response. {job}, status={status}\n"
    )
    assert (run.status, run.runner.kind) == (verdict, "zephyr")


@pytest.mark.parametrize(
    ("profile", "total"),
    [
        (
            "INFO - Profile for Inference :\nINFO - NPU ACTIVE cycles: 90\nINFO - NPU IDLE cycles: 10\nINFO - NPU total cycles: 100\n",
            100,
        ),
        (
            "[INFO] Profile for Inference:\n\tActive NPU cycles: 90\n\tIdle NPU cycles:   10\n\tTime in ms:        7\n",
            None,
        ),
        (
            "INFO - Profile for Inference:\nINFO - NPU ACTIVE: 90 cycles\nINFO - NPU IDLE: 10 cycles\nINFO - NPU TOTAL: 100 cycles\n",
            100,
        ),
    ],
)
def test_every_generation_of_the_evaluation_kit(profile: str, total: int | None) -> None:
    run = only("[INFO] Running inference on image 0 => cat.bmp\n" + profile)
    assert run.runner.kind == "mlek"
    assert run.pmu is not None
    assert (run.pmu.npu_cycles, [(c.event, c.value) for c in run.pmu.counters]) == (
        total,
        [("ETHOSU_PMU_NPU_ACTIVE", 90), ("ETHOSU_PMU_NPU_IDLE", 10)],
    )
    assert run.times.inference_seconds == (0.007 if total is None else None)


def test_every_operator_of_core_software() -> None:
    job = "Running inference job: a\nQUANTIZE : cycle_cnt : {} cycles\nCONV_2D : cycle_cnt : 30 cycles\nethos-u : cycle_cnt : 500 cycles\n"
    pmu = "ethos-u : ethosu_pmu_cntr0 : 7\nCONV_2D : cycle_cnt : 12 cycles\nFinished running job: a\n"
    run = only(job.format(5) + pmu)
    assert [(o.name, o.cycles) for o in run.cycles.operators] == [("ethos-u", 500), ("QUANTIZE", 5), ("CONV_2D", 42)]
    assert [run.lines[f"cycles.operators.{index}"] for index in range(3)] == [4, 2, 3]
    run = only(job.format(5) + pmu + job.format(6) + pmu)
    assert [[(o.name, o.cycles) for o in b.cycles.operators] for b in run.blocks] == [
        [("ethos-u", 500), ("QUANTIZE", quantize), ("CONV_2D", 42)] for quantize in (5, 6)
    ]
    assert [(o.name, o.cycles) for o in run.cycles.operators] == [("ethos-u", 1_000), ("QUANTIZE", 11), ("CONV_2D", 84)]


UNWRITTEN = (
    'Warning: Failed to write bytes at address range [0x20040000..0x2004FFFF] when loading image "out/app.axf".\n'
)
STARTED = "    Ethos-U rev 136b7d75 --- Apr 12 2023 13:44:01\n    (C) COPYRIGHT 2019-2023 Arm Limited\n"


def test_a_program_that_the_simulator_could_not_load_whole() -> None:
    stopped = "W: IRQ received but qread (8) not at end of stream (900).\nNode ethos-u (number 0) failed to invoke with status 1\n"
    capture = read(STARTED + UNWRITTEN + stopped)
    assert [(f.rule, f.severity) for f in capture.findings if f.severity != "info"] == [
        ("npu-stopped", "error"), ("image-not-loaded", "warning"),
    ]  # fmt: skip
    assert [f.rule for f in read(STARTED + UNWRITTEN).findings] == ["image-not-loaded"]
    cut = STARTED + UNWRITTEN + "INFO - Ethos-U device initialised\n"
    assert [(f.rule, f.severity) for f in read(cut).findings] == [
        ("truncated-log", "error"), ("image-not-loaded", "info"),
    ]  # fmt: skip
    (said,) = read(STARTED + UNWRITTEN + LOADED + END).findings  # programs with unused memory of that kind run well
    assert (said.rule, said.severity, said.lines) == ("image-not-loaded", "info", (3,))
    assert read(UNWRITTEN).runs == ()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("ERROR: ethosu_init() failed\n", "npu-not-responding"),
        ("ERROR: AllocateTensors() failed - try increasing kTensorArenaSize\n", "tensors-not-allocated"),
    ],
)
def test_a_small_program_of_tensorflow_lite_micro_fails(text: str, rule: str) -> None:
    capture = read(text)
    assert [run.status for run in capture.runs] == ["failed"]
    assert [f.rule for f in capture.findings if f.severity == "error"] == [rule]


def test_the_driver_in_a_firmware_that_marks_its_lines_with_words() -> None:
    boot = (
        "[0.000] Info: Starting the Ethos-U firmware...\n"
        "[0.001] Info: Initializing NPU: base_address=0x49c80000, fast_memory=0x0, fast_memory_size=0, secure=1, privileged=1\n"
        "[0.002] Info: Soft reset NPU\n"
        "[0.004] Info: New NPU driver registered (handle: 0x0x80089248, NPU: 0x0x49c80000)\n"
        "[0.006] Debug [remoteproc.cpp:init:124]: \n"
    )
    run = only(boot)
    assert (run.status, run.stage, run.first_line, run.last_line) == ("truncated", "start", 1, 4)
    run = only(boot + "[7.001] Info: Acquiring NPU driver handle\n")
    assert (run.stage, run.last_line) == ("execute", 6)
