"""Applications of the CMSIS packs that look at a camera or at recordings that SDS plays back, and never end by themselves."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis.report_tables import outputs_table

from .port_logs import only, read
from .test_cmsis_pack import BANNER, ENDED, LOADED, PLAYED, STOPPED, TASK, failed, seen

KIT = "INFO - Added ethos-u support to op resolver\nINFO - Creating allocator using tensor arena at 0x31000000\n"
FOUND = "No object detected\nDetected objects :: [x=12, y=40, w=25, h=31]\n"


def test_recordings_that_were_played_back_to_their_end() -> None:
    run = only(TASK + LOADED + PLAYED + ENDED + STOPPED)
    assert (run.status, run.stage, run.target.name, run.target.platform) == (
        "passed",
        "complete",
        "ethos-u85-512",
        "fvp",
    )
    assert (run.target.fvp, run.memory.planned_buffers, run.model.method) == (
        "FVP_Corstone_SSE-320",
        (4096,),
        "forward",
    )
    assert only(LOADED).status == "truncated" and only(LOADED + ENDED).status == "truncated"
    assert (only(LOADED + PLAYED).status, only(LOADED + PLAYED).stage) == ("truncated", "report")
    bad = LOADED.replace("Method 'forward' l", "Loading of method forward failed with status 0x21\nMethod 'forward' l")
    assert only(bad + PLAYED + ENDED).status == "failed"


def test_the_newest_frame_of_a_live_classifier_counts() -> None:
    live = (
        LOADED + "SDS recording (#0) started\n" + seen("UNKNOWN", "99.51", "24.120") + seen("ROCK", "98.20", "24.118")
    )
    run = only(live)
    assert (run.status, run.stage, run.times.inference_seconds) == ("truncated", "report", pytest.approx(0.024118))
    assert [(p.index, p.label, p.score) for p in run.predictions] == [(None, "ROCK", 0.982)]
    assert [[cell.text for cell in row] for row in outputs_table(run).rows] == [["top 1", "ROCK", "", "0.982"]]
    assert only(f"{live}SDS recording (#0) stopped\n====\n").status == "passed"
    assert only(LOADED + seen("ROCK", "98.20", "24.118")).status == "passed", "no recording was asked for"


@pytest.mark.parametrize("done", ["Post Process time: 0.420", "Display time: 1.250", "Total usecase time: 41.900"])
def test_a_frame_without_a_class_is_an_inference_too(done: str) -> None:
    frame = f"Pre Processing time: 3.500 ms.\nInference time: 11.250 ms.\n{done} ms.\n"
    run = only(LOADED + frame * 2)
    assert (run.status, run.times.inference_seconds) == ("passed", pytest.approx(0.01125))
    lost = "F [executorch:arm_executor_runner.cc:1041 run_inference()] In function run_inference(), assert failed (status == "
    lost += "Error::Ok): Execution of method forward failed with status 0x1\n"
    assert failed(f"{LOADED}{frame}{lost}")[2] == "execution-failed"


def test_a_driver_that_says_nothing_is_to_be_asked() -> None:
    gave_up = "E [executorch:EthosUBackend.cpp:290 execute()] Ethos-U invocation failed error (-1)\n"
    silent = read(LOADED + gave_up).findings[0]
    assert silent.rule == "execution-failed" and "ETHOSU_LOG_ENABLE" in silent.advice
    told = read(f"{LOADED}E: NPU error(s) occured during inference. (ethosu_driver.c:265)\n{gave_up}").findings
    assert not any("ETHOSU_LOG_ENABLE" in finding.advice for finding in told)


def test_a_program_that_the_classifier_cannot_load() -> None:
    status, stage, rule, text = failed(
        f"{BANNER}SDS I/O USB interface initialized successfully\nProgram loading failed: 0x23\n"
    )
    assert (status, stage, rule) == ("failed", "load", "program-load-failed") and "InvalidProgram" in text


def test_what_stops_the_classifier_is_the_root_cause() -> None:
    log = (
        f"{LOADED}Input size (1024) and tensor size (4096) mismatch!\nFailed to update input tensors: 0x12\nF [executorch:"
        "arm_executor_runner.cc:1046 run_inference()] In function run_inference(), assert failed (status == Error::Ok): "
        "Execution of method forward failed with status 0x12\n"
    )
    status, _, rule, text = failed(log)
    assert (status, rule) == ("failed", "input-size-mismatch") and "four times too small" in text
    gone = "SDS I/O USB interface initialization failed or 'sdsio-server usb' unavailable!\n"
    assert failed(f"{BANNER}{gone}Ensure that it is running\n")[:3] == ("failed", "start", "sds-not-reached")


def test_a_recording_that_was_played_back_to_its_end_is_a_run_that_came_to_its_end() -> None:
    """Visual Studio Code's line before it names the FVP, of which the driver's words alone do not tell whether it has a U55."""
    task = "Executing task: FVP_Corstone_SSE-300_Ethos-U55 -f Board/fvp_config.txt -a out/AlgorithmTest.hex  \n\n"
    npu = BANNER.replace("v2.0.0", "v1.1.0").replace("512", "256")
    begun = f"{task}{npu}SDSIO VSI interface initialized successfully\n"
    for words in ("", KIT + FOUND):
        played = (
            f"{begun}{words}==== SDS playback started\n{FOUND if words else '3% idle'}\n==== SDS playback stopped\n"
        )
        run = only(played + STOPPED)
        assert (run.status, run.stage, run.target.name, run.target.fvp) == (
            "passed", "complete", "ethos-u55-256", "FVP_Corstone_SSE-300_Ethos-U55",
        )  # fmt: skip
    assert only(f"{begun}==== SDS playback started\n").status == "hung"


def test_a_detector_that_never_ends_has_passed_with_what_it_saw() -> None:
    run = only(
        f"SDSIO-Client USB interface initialized successfully\n{KIT}{FOUND}==== SDS recording started\n{FOUND}41% idle\n"
    )
    assert (run.status, run.stage, run.runner.kind, run.first_line) == ("passed", "complete", "mlek", 2)
    assert only(KIT).stage == "plan"
    assert read(FOUND + "==== SDS playback stopped\n").runs == ()
