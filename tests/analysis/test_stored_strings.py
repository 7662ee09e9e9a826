"""Logs that are stored in a string: in the results of a job, in YAML, in source code."""

from __future__ import annotations

import json

import pytest

from ethosu_tui.analysis import Report, read_capture
from ethosu_tui.analysis.capture import CaptureReader
from ethosu_tui.analysis.carriers.one_line import SoftEnds
from ethosu_tui.analysis.line_forms.host_prefix import HEAD_BYTES
from ethosu_tui.analysis.report import Run

from .bench_logs import read_text

_AT = "I [executorch:arm_executor_runner.cpp:1316 main()] "
RUNTIME = (
    f"{_AT}PTE @ 0x70000000 [----ET12]\n{_AT}PTE Model data loaded. Size: 4096 bytes.\n{_AT}ethosu_pmu_cycle_cntr : 1234\n"
    f"{_AT}Method 'forward' loaded.\n{_AT}1 outputs: \nOutput[0][0]: (float) 0.250000\nOutput[0][1]: (float) -0.500000\n"
)
KIT = (
    'INFO - Ethos-U device initialised\nINFO - \tMACs/cc:    256\nINFO - For timestamp: 0.0 (inference #: 0); label: "no", score: 0.75\n'
    "INFO - Profile for Inference:\nINFO - NPU ACTIVE: 900 cycles\nINFO - NPU IDLE: 100 cycles\nINFO - NPU TOTAL: 1000 cycles\n"
)


def figures(run: Run) -> object:
    """What the log says of the run, wherever its lines stand."""
    outputs = [(output.count, output.first) for output in run.outputs]
    return run.status, run.stage, run.target, run.model, run.memory, run.cycles, run.pmu, outputs


@pytest.mark.parametrize("log", [RUNTIME, KIT])
@pytest.mark.parametrize(
    "stored",
    [
        lambda log: json.dumps({"returncode": 0, "stdout": log, "stderr": ""}),
        lambda log: json.dumps({"returncode": 0, "stdout": log, "stderr": ""}, indent=2) + "\n",
        lambda log: json.dumps({"name": "a", "log": log.split("\n")}),
        lambda log: json.dumps([{"name": "a", "log": log.split("\n")}], indent=1) + "\n",
        lambda log: f"name: a\nlog: {json.dumps(log)}\n",
        lambda log: f"{log.encode()!r}\n",
        lambda log: "const char *a =\n" + "".join(f"  {json.dumps(line)}\n" for line in log.splitlines(keepends=True)) + ";\n",
    ],
    ids=["json", "pretty", "lines", "pretty lines", "yaml", "bytes", "source"],
)  # fmt: skip
def test_a_log_in_a_string_is_read(log: str, stored: object) -> None:
    assert callable(stored)
    (plain,), (run,) = read_capture("x", log.encode()).runs, read_capture("x", stored(log).encode()).runs
    assert figures(run) == figures(plain)


@pytest.mark.parametrize("before", ["", f"{_AT}PTE Model data loaded. Size: 4096 bytes.\n"])
@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize(
    "stored",
    [
        lambda log: json.dumps({"log": log}),
        lambda log: json.dumps({"log": log}, indent=2),
        lambda log: json.dumps([{"log": log.splitlines()}]) + "\n",
        lambda log: json.dumps(log),
    ],
    ids=["json", "pretty", "lines", "string"],
)
def test_a_line_or_two_in_a_string_are_whole(before: str, end: str, stored: object) -> None:
    assert callable(stored)
    log = f"{before}E [executorch:method.cpp:78 f()] Memory allocation failed: 100B requested (adjusted for alignment), 20B available"
    capture = read_capture("x", stored(log + end).encode())
    (finding,) = capture.findings
    assert capture.runs[0].status == "failed"
    assert "20 bytes were left" in finding.detail
    assert "cut off" not in finding.detail


@pytest.mark.parametrize(
    "text",
    [
        f"{RUNTIME}E [executorch:a.cpp:1 f()] a\\nb\\nc\\n1 outputs:\\n\n",
        '{"a": "b", "c": "d\\n", "e": "f\\n", "g": "h\\n"}\n',
        '{"expect": ["Program complete, exiting."], "fail": ["Hard fault."]}\n',
        'printf("Model executed successfully.\\n");\n' * 4 + 'puts("Program complete, exiting.");\n',
        'assert "Program complete, exiting." in out\n' * 3 + 'assert "Model executed successfully." in out\n',
        "printf(\"PTE Model data loaded. Size: %lu bytes.\\n\", size);\n" * 4,
    ],
)  # fmt: skip
def test_an_end_of_a_line_that_is_written_in_a_message_ends_none(text: str) -> None:
    reader = CaptureReader("x")
    reader.look_at(text.encode())
    assert [line.text for line in reader.feed(text.encode())] == [
        line.rstrip() for line in text.replace("\\n\n", "\n").splitlines()
    ]


@pytest.mark.parametrize("log", [RUNTIME, KIT])
def test_a_log_in_an_exported_chat_is_read(log: str) -> None:
    chat = [{"user": "a", "text": ["It ran:", "see below"]}, {"user": "b", "text": ["here", log]}]
    (plain,), (run,) = (read_capture("x", text.encode()).runs for text in (log, json.dumps(chat, indent=1)))
    assert figures(run) == figures(plain)


@pytest.mark.parametrize("log", [RUNTIME, KIT])
@pytest.mark.parametrize("end", ["\x0b", "\u2028", "\x85", "<br>", "<br />", "&#10;", "&#xA;", "&#x0A;"])
def test_lines_may_end_as_word_processors_and_pages_end_them(log: str, end: str) -> None:
    (plain,), (run,) = read_capture("x", log.encode()).runs, read_capture("x", log.replace("\n", end).encode()).runs
    assert figures(run) == figures(plain)


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_such_ends_come_in_any_pieces(size: int) -> None:
    data = "a<br/>b<BR >c<brand>d\u2028e<b<br>\nf\x0b&#10;g&#xa;&#x0a;&amp;&#1;&<".encode()
    decoder = SoftEnds()
    pieces = [decoder.decode(data[at : at + size]) for at in range(0, len(data), size)]
    assert "".join([*pieces, decoder.decode(b"", final=True)]) == "a\rb\rc<brand>d\re<b\r\nf\r\rg\r\r&amp;&#1;&<"


def test_a_log_with_such_marks_among_its_lines_is_left_alone() -> None:
    text = RUNTIME + "note<br>\nnote\x0b\n" * 3
    reader = CaptureReader("x")
    reader.look_at(text.encode())
    assert len(reader.feed(text.encode())) == len(RUNTIME.splitlines()) + 6


def test_the_end_of_a_log_that_waits_for_its_rest_is_read() -> None:
    log = RUNTIME.replace("\n", "<br>") + "left <br"
    reader = CaptureReader("x")
    reader.look_at(log.encode())
    assert [line.text for line in (*reader.feed(log.encode()), *reader.flush())][-1] == "left <br"


def test_only_the_beginning_of_a_log_tells_how_its_lines_end() -> None:
    log = RUNTIME * 200 + "a<br>b" * 9000
    assert len(RUNTIME) * 200 > HEAD_BYTES
    whole, begun = CaptureReader("x"), CaptureReader("x")
    whole.look_at(log.encode())
    begun.look_at(log.encode()[:HEAD_BYTES])
    assert whole.feed(log.encode()) == begun.feed(log.encode())


def test_a_report_of_other_logs_is_no_log() -> None:
    log = "I [executorch:arm_executor_runner.cpp:1 main()] PTE Model data loaded. Size: 960 bytes.\nE: NPU config mismatch. npu.macs_per_cc=8, optimizer.macs_per_cc=7\n"
    capture = read_capture("uart.log", log.encode())
    assert capture.runs
    document = Report((capture,)).to_dict()
    for indent in (2, None):
        text = json.dumps(document, indent=indent) + "\n"
        again = read_capture("summary.txt", text.encode())
        assert not again.runs and not again.findings and again.lines == text.count("\n")
    run = json.dumps({"source": "uart.log", **document["captures"][0]["runs"][0]})  # type: ignore[index,call-overload]
    assert not read_capture("runs.txt", f"{run}\n{run}\n".encode()).runs


@pytest.mark.parametrize("log", [RUNTIME, KIT])
@pytest.mark.parametrize("indent", [None, 4])
@pytest.mark.parametrize("piece", [0, 1, 7])
@pytest.mark.parametrize("key", ["stdout", "stderr"])
def test_what_ansible_shows_of_a_command_is_one_run(log: str, indent: int | None, piece: int, key: str) -> None:
    other = {"stdout": "stderr", "stderr": "stdout"}[key]
    result = {"changed": True, key: log, f"{key}_lines": log.split("\n"), other: "", f"{other}_lines": []}
    shown = json.dumps(result, indent=indent, sort_keys=True)
    text = f"TASK [shell] ****\nok: [board] => {shown}\nfatal: [board]: FAILED! => {shown}\n"
    runs = read_text(text, piece).runs
    (plain,) = read_capture("x", log.encode()).runs
    assert [figures(run) for run in runs] == [figures(plain)] * 2


def test_lines_that_ansible_shows_without_the_output_are_read() -> None:
    shown = json.dumps({"out.stdout_lines": RUNTIME.split("\n")}, indent=4)
    (plain,), (run,) = (
        read_capture("x", RUNTIME.encode()).runs,
        read_capture("x", f"ok: [a] => {shown}\n".encode()).runs,
    )
    assert figures(run) == figures(plain)
