"""Himax's classifier for the WE2: ExecuTorch's words without prefixes, pictures without end, and a memory of its own."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis.error_codes import code_of

from .port_logs import lines, only, read

SHAPES = lines(
    "",
    "wakeup_event=0x0,WakeupEvt1=0x0, freq=400000000",
    "Ethos-U55 device initialised",
    "Model buffer loaded, has 1 methods",
    "Running method forward",
    "Method has 1 inputs.",
    "Input 0 tag: 1",
    "Input 0 sizes: [1, 3, 64, 64, ] Type: 1",
    "Method has 1 outputs.",
    "Output 0 sizes: [1, 10, ] Type: 1",
    "Setup Method allocator pool. Size: 65536 bytes.",
    "Setting up planned buffer 0, size 12288.",
)
TEMP = "Setting up temporary allocator pool. Base: 34084000, size: 524288 bytes.\n"
READY = SHAPES + lines(
    "",
    "planned_buffers[0]=0x34081000  buffer_size: 12288 bytes",
    TEMP.rstrip(),
    "Corrected Allocation: method_allocator start: 0x34104000, size: 53248",
    "memory_manager!~~",
    "memory_manager.method_allocator: 0x34104000",
    "memory_manager.temp_allocator: 0x34084000",
    "",
    "ctx.method.value(): 0x34041000",
    "initial done",
)
PICTURE = lines(
    "",
    "~~~~",
    "Detected Input ScalarType: 1",
    "Inference Results:",
    "Output ScalarType: 1",
    "  Result is {} (Score: {})",
    "~~~~",
)


def test_a_picture_that_was_classified_is_a_run_that_passed() -> None:
    run = only(READY + PICTURE.format("truck", 64) + PICTURE.format("ship", 60))
    assert (run.status, run.runner.kind, run.target.npu, run.target.platform) == (
        "passed",
        "other",
        "ethos-u55",
        "board",
    )
    assert (run.first_line, run.last_line) == (2, READY.count("\n") + 11)
    assert run.memory.pools == {"method": (None, None, 65_536), "temp": (None, None, 524_288)}
    assert [tuple(prediction) for prediction in run.predictions] == [(None, "ship", 60.0)]
    many = lines("", "Inference Results:", "Top 5 Results:", "  Class 7 Score: 9.250", "  Class 3 (Score: 8)")
    assert [tuple(p) for p in only(READY + many).predictions] == [(7, None, 9.25), (3, None, 8.0)]
    assert only(READY).status == "truncated"
    assert read("Inference Results:\n  Class 7 (Score: 64)\n").runs == ()


@pytest.mark.parametrize(
    ("text", "rule", "stage", "words"),
    [
        (SHAPES + "Error: mm_reserve_align failed for planned buffer 0\n", "board-memory-full", "plan", "12.0 KiB"),
        (SHAPES + TEMP + "Error: Failed to allocate method_allocator pool (size 53248)\n", "board-memory-full", "plan", "52.0 KiB"),
        (READY + "Loading of method forward failed with status 0x35\n", "method-load-failed", "plan", "0x23 (InvalidProgram)"),
        (READY + "Detected Input ScalarType: 1\nmethod.value()->execute fail\n", "execution-failed", "execute", "execute fail"),
    ],
)  # fmt: skip
def test_how_it_fails(text: str, rule: str, stage: str, words: str) -> None:
    capture = read(text)
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", stage)]
    finding = capture.findings[0]
    assert finding.rule == rule and words in finding.title + finding.detail


def test_a_later_picture_may_fail() -> None:
    capture = read(READY + PICTURE.format("cat", 9) + "method.value()->execute fail\n")
    assert [run.status for run in capture.runs] == ["failed"] and capture.findings[0].rule == "execution-failed"


def test_its_fault_handler_prints_a_register_a_line() -> None:
    said = lines(
        "",
        "",
        "Entering HardFault interrupt!",
        "SCB->BFSR:PRECISERR fault: Precise data access error.",
        "Address that caused secure bus violation is 0x60000000.",
        "SCB->CFSR:0x00008200",
        "SCB->BFAR:0x60000000",
        "SCB->HFSR:0x40000000",
    )
    capture = read(READY + "Detected Input ScalarType: 1\n" + said)
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", "inputs")]
    finding = capture.findings[0]
    assert finding.rule == "hard-fault" and "precise data bus error" in finding.detail
    assert "Check pointers and memory regions around 0x60000000" in finding.advice
    assert read("Entering NMI_Handler interrupt!\n").findings[0].title.startswith("A non-maskable interrupt")


def test_a_code_behind_0x_may_be_decimal() -> None:
    assert [code_of(printed) for printed in (0x33, 0x35, 0x48)] == [0x21, 0x23, 0x30]
    assert [code_of(printed) for printed in (0x21, 0x20, 0x99, 0x804, 0xE)] == [0x21, 0x20, 0x99, 0x804, 0xE]


def test_applications_on_tensorflow() -> None:
    faces = "Ethos-U55 device initialised\ninitial done\nface detection invoke pass\nface mesh invoke {}\nface detection invoke pass\n"
    assert (only(faces.format("pass")).status, only(faces.format("pass")).last_line) == ("passed", 5)
    assert [run.status for run in read(faces.format("fail")).runs] == ["failed"]
    assert read("face detection invoke pass\n").runs == ()


def test_a_line_of_another_task_is_torn_by_the_start_of_the_npu() -> None:
    run = only("camera_Ethos-U55 device initialised\ninitial done\ninvoke pass\n")
    assert (run.status, run.target.npu, run.first_line) == ("passed", "ethos-u55", 1)
    for other in ("my Ethos-U55 device initialised", "LOG:Ethos-U55 device initialised"):
        assert not read(f"{other}\ninitial done\ninvoke pass\n").runs


def test_an_application_that_tells_of_its_model_in_a_sentence() -> None:
    run = only("Ethos-U55 device initialised\nModel invoked.\nClass 0 'none' = logit 4\n")
    assert (run.status, run.stage) == ("passed", "complete")
    assert not read("Model invoked.\n").runs


FRAME = "mb cls invoke pass\nTick for Invoke for uint8toint8 for mb cls:[77]\nTick for Invoke for MB_CLS:[{}]\n\nResult is cat\n"
START = "Ethos-U55 device initialised\nsome model's schema version 3\ninitial done\n"


def test_the_newest_inference_is_measured() -> None:
    run = only(f"waiting input key...\n{START}{FRAME.format(9000)}{FRAME.format(9001)}")
    assert (run.status, run.first_line, run.last_line, run.target.npu) == ("passed", 2, 12, "ethos-u55")
    assert run.cycles.inference == 9001
    assert only(START).status == "truncated"


def test_the_banner_of_the_npu_is_of_the_same_run() -> None:
    device, rest = START.split("\n", 1)
    run = only(f"{device}\nEthos-U version info:\n\tArch:       v1.0.6\n\tMACs/cc:    64\n{rest}{FRAME}")
    assert (run.status, run.target.name) == ("passed", "ethos-u55-64")


@pytest.mark.parametrize(
    "said", ["", "E: NPU config mismatch. npu.macs_per_cc=6, optimizer.macs_per_cc=8 (ethosu_device_u55_u65.c:300)\n"]
)
def test_an_inference_that_failed(said: str) -> None:
    capture = read(f"{START}{said}invoke fail\n")
    assert [run.status for run in capture.runs] == ["failed"]
    assert capture.findings[0].rule == ("npu-config-mismatch" if said else "execution-failed")


@pytest.mark.parametrize("line", ["invoke pass\n", "the invoke failed here\n", "initial done\n"])
def test_its_words_are_of_no_run_by_themselves(line: str) -> None:
    assert read(line).runs == ()


def test_places_of_a_longer_list_before_are_gone() -> None:
    many = lines("", "Inference Results:", "  Class 7 Score: 9.250", "  Class 3 (Score: 8)")
    run = only(READY + many + lines("", "Inference Results:", "  Class 5 Score: 4.500"))
    assert [prediction.index for prediction in run.predictions] == [5]
    assert [field for field in run.lines if field.startswith("predictions.")] == ["predictions.0"]


def test_what_is_sent_to_a_viewer_is_a_picture_that_was_worked_through() -> None:
    said = '{"type": 1, "name": "INVOKE", "code": 0, "data": {"count": 1, "algo_tick": [[31007]], "boxes": [], "image": "%s"}}\n'
    run = only("Ethos-U55 device initialised\nEvent loop start\n" + 3 * (said % ("A" * 5000)))
    assert (run.status, run.stage, run.target.npu, run.last_line) == ("passed", "complete", "ethos-u55", 5)


@pytest.mark.parametrize("gap", [" ", ""])
def test_seeed_s_firmware_says_how_long_an_inference_took(gap: str) -> None:
    asked = '{"type": 0, "name": "INVOKE", "code": 0, "data": {"model": {"id": 2, "type": 3}}}\n'
    answer = '{"type": 1, "name": "INVOKE", "code": 0, "data": {"count": 2, "perf": [9, 41, 1], "boxes": [[8, 8, 16, 16, 71, 0]]}}\n'
    run = only((asked + 2 * answer).replace(": ", f":{gap}").replace(", ", f",{gap}"))
    assert (run.status, run.times.inference_seconds, run.first_line, run.last_line) == ("passed", 0.041, 1, 3)


def test_seeed_s_firmware_sends_the_picture_before_the_time() -> None:
    answer = '{"type": 1, "name": "INVOKE", "code": 0, "data": {"count": 2, "image": "%s", "boxes": [], "perf": [9, 41, 1]}}\n'
    assert only(answer % ("A" * 9000)).times.inference_seconds == 0.041


def test_a_model_that_seeed_s_firmware_cannot_run_is_a_failure() -> None:
    capture = read('{"type": 0, "name": "INVOKE", "code": 5, "data": {}}\n')
    assert [run.status for run in capture.runs] == ["failed"]
    assert [(finding.rule, finding.severity) for finding in capture.findings] == [("execution-failed", "error")]


def test_what_its_memory_does_not_take_tells_of_the_board() -> None:
    log = (
        "Ethos-U55 device initialised\nModel buffer loaded, has 1 methods\nRunning method forward\nMethod has 1 inputs.\n"
        "Setup Method allocator pool. Size: 983040 bytes.\nSetting up planned buffer 0, size 2007040.\nError: mm_reserve_align failed for planned buffer 0\n"
    )
    run = only(log)
    assert (run.status, run.stage, run.runner.kind, run.target.platform) == ("failed", "plan", "other", "board")


@pytest.mark.parametrize(
    "said",
    [
        "OV5647 off by app fail",
        "IMX219 Init Stream by app fail ",
        "IMX708 Init by app fail (IMX708_mirror_setting)",
        "CIS Init fail",
    ],
)
def test_a_camera_that_does_not_answer_is_the_cause_and_not_the_npu(said: str) -> None:
    begun = "Ethos-U55 device initialised\ninitial done\n"
    capture = read(f"{begun}{said}\n")
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", "inputs")]
    assert [(found.rule, found.lines) for found in capture.findings] == [("camera-silent", (3,))]
    assert only(f"{begun}face detection invoke pass\n{said}\n").status == "passed", (
        "it is switched off behind the pictures"
    )
    assert not read(f"{said}\n").runs
