"""What does not fit between a job and its model is the cause, not the status with which the job ends."""

from __future__ import annotations

import pytest

from .port_logs import lines, only, read

ZEPHYR = lines(
    "",
    "*** Booting Zephyr OS build v4.1.0 ***",
    "sender 0: Sending inference. job=0x2050000, name=words",
    "runner 0: Received inference job. job=0x2050000",
)
ANSWER = "sender 0: Received job response. job=0x2050000, status={}\n"
ARM = lines(
    "", "Sending inference job", "Received inference job. job=30070000, name=words", "Running inference job: words"
)


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("Input tensor size mismatch. index=0, input=40, network=160", "input-size-mismatch"),
        ("E: Job input size does not match network input size: job=words, index=0, input=40, network=160", "input-size-mismatch"),
        ("Number of job and network inputs do not match. input=1, network=2", "inputs-failed"),
        ("Number of input buffers does not match number of non empty network tensors: input=1, network=2", "inputs-failed"),
        ("Tensor size mismatch (bytes): actual=24, expected=12.", "outputs-not-expected"),
        ("E: Output size mismatch: job=1, network=2", "outputs-not-expected"),
        ("Expected output tensor data mismatch. index=0, offset=4, expected=1f, network=20", "outputs-not-expected"),
        ("Expected output tensor data mismatch (tolerance=±3). index=0, offset=4, expected=1f, network=2f, diff=16", "outputs-not-expected"),
        ("E: Expected output tensor data mismatch: job=words, index=0, offset=4, expected=1f, network=20", "outputs-not-expected"),
        ("Expected number of output tensors mismatch: job=words, expected=1, network=2", "outputs-not-expected"),
        ("Model schema version unsupported: version=2, supported=3.", "model-schema"),
        ("Heap allocation failed. heap=0x20001000, buf=0x20002000, size=2048", "heap-too-small"),
    ],
)  # fmt: skip
def test_the_cause_is_what_does_not_fit(said: str, rule: str) -> None:
    for begun in (ZEPHYR, ARM):
        capture = read(f"{begun}{said}\n{ANSWER.format(1)}")
        assert [run.status for run in capture.runs] == ["failed"]
        assert capture.findings[0].rule == rule
    assert only(ZEPHYR + ANSWER.format(0)).status == "passed"


def test_the_status_of_other_inferences_is_no_run() -> None:
    for status in ("success", "failed"):
        assert read(f"Model discovered: a\nInference status: {status}\nhello\n").runs == ()
    assert only("Initialize Arm Ethos-U\nRunning inference job: job\nInference status: success\n").status == "passed"


FIRMWARE = "Initialize Arm Ethos-U\nRPMSG_LITE is link up\nNameservice sent, ready for incoming messages...\n"
LINUX = "Send Ping\nSend version request\nSend capabilities request\nCapabilities:\nproduct:{ major=6, minor=0, patch=0 }\nmacs_per_cc:8\n"
ASKED = f"{LINUX}Create network\nCreate inference\nWait for inference\nInference status: ok\n"


def test_the_firmware_that_linux_asks_is_of_the_same_run() -> None:
    """Both consoles in one text: what waits for Linux did not stop at its start."""
    run = only(f"{FIRMWARE}```\n\nAnd under Linux:\n```\n{ASKED}")
    assert (run.status, run.first_line, run.target.name) == ("passed", 1, "ethos-u65-256")
    assert [run.status for run in read(ASKED + ASKED).runs] == ["passed", "passed"]
    assert [run.status for run in read(FIRMWARE + ASKED + FIRMWARE + ASKED).runs] == ["passed", "passed"]


TRACE = (
    "{0}Initializing NPU: base_address=0x4a900000, fast_memory=0x0, fast_memory_size=0, secure=0, privileged=0\n",
    "{0}Msg: InferenceReq. user_arg=0xffff000000000040, network={{0xc0400000, 8192}}, ifm_count=1, ifm=[{{0xc0500000, 64}}]\n",
    "{0}Optimizer config. product=1, cmd_stream_version=0, macs_per_cc=8, shram_size=48, custom_dma=0\n"
    "{0}Ethos-U config. product=1, cmd_stream_version=0, macs_per_cc=8, shram_size=48, custom_dma=0\n",
    "{0}Sending inference response. userArg=0xffff000000000040, ofm_count=1, status={1}\n",
)


@pytest.mark.parametrize("mark", ["", "I: ", "[0.120] Info: "])
def test_the_trace_of_the_firmware_tells_how_what_linux_asked_ended(mark: str) -> None:
    start, asked, under_way, answer = (text.format(mark, 0) for text in TRACE)
    refused = TRACE[3].format(mark, 1)
    for text, status in (
        (start + asked + under_way + answer, "passed"),
        (under_way + answer, "passed"),  # its buffer goes round
        (start + (asked + under_way + answer) * 3, "passed"),
        (start + asked + under_way + answer + asked + under_way, "truncated"),
        (start + asked + under_way + refused, "failed"),
        (start + asked + under_way, "hung"),
    ):
        assert [run.status for run in read(text).runs] == [status], text
        cut = "truncated" if status == "hung" else status
        assert [run.status for run in read(text.rstrip("\n")).runs] == [cut], text
    assert read(start + asked + under_way + refused).findings[0].title == "An inference job ended with status 1"


def test_firmware_that_answers_inside_a_runners_run_does_not_end_it() -> None:
    """The log of a Linux program, with the trace of the NPU's own core between its lines."""
    place = "I 00:00:00.000{0} executorch:executor_runner.cpp:1{0}] "
    head = place.format("100") + "Using method forward\n" + place.format("200") + "Method loaded.\n"
    end = (
        place.format("300")
        + "Model executed successfully 1 time(s) in 2.500000 ms.\n"
        + place.format("400")
        + "1 outputs: \n"
        "Output 0: tensor(sizes=[1], [2.])\n"
    )
    asked, answer = TRACE[1].format(""), TRACE[3].format("", 0)
    for inside in (asked + answer, answer):
        assert [run.status for run in read(head + inside + end).runs] == ["passed"]
        assert [run.status for run in read(head + inside).runs] == ["truncated"]


def test_firmware_with_words_for_its_levels_tells_why_the_npu_refused() -> None:
    log = (
        "[0.002] Info: Initializing NPU: base_address=0x49c80000, fast_memory=0x0, fast_memory_size=0, secure=1, privileged=1\n"
        "[41.230] Info: Ethos-U config. product=0, cmd_stream_version=0, macs_per_cc=8, shram_size=48, custom_dma=0\n"
        "[41.231] Error: NPU config mismatch. npu.macs_per_cc=8, optimizer.macs_per_cc=7\n"
        "[41.232] Error: Failed to invoke inference.\nNode ethos-u (number 0f) failed to invoke with status 1\n"
    )
    capture = read(log)
    assert [(run.status, run.target.name, run.target.platform) for run in capture.runs] == [
        ("failed", "ethos-u55-256", "board")
    ]
    assert [f.rule for f in capture.findings if f.severity == "error"] == ["npu-config-mismatch"]
    status = log.replace(
        "NPU config mismatch. npu.macs_per_cc=8, optimizer.macs_per_cc=7",
        "NPU status=0x00000804, qread=0, cmd_end_reached=0",
    )
    assert read(status).findings[0].rule == "npu-bus-error"


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("0x4a900000", ("ethos-u65", "board")),
        ("0x49042000", ("ethos-u85", "board")),
        ("0x48102000", (None, None)),
        ("0x0", (None, None)),
    ],
)
def test_the_address_of_the_npu_names_it_where_one_chip_alone_has_it_there(
    address: str, told: tuple[str | None, str | None]
) -> None:
    begin = (
        f"I: Initializing NPU: base_address={address}, fast_memory=0x0, fast_memory_size=0, secure=0, privileged=0\n"
    )
    (run,) = read(begin + "Inference runtime: 1234 CPU cycles total\n").runs
    assert (run.target.npu, run.target.platform) == told
