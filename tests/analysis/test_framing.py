"""Logs around whose lines a tool that nobody knows here put something: found from what all lines have in common."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.carriers.framing import first_frame
from ethosu_tui.analysis.patterns import TABLE

from .port_logs import RUNNER, only

KIT = (
    "INFO - Running inference on random input",
    "INFO - Profile for Inference:",
    "INFO - NPU ACTIVE: 50381 cycles",
    "",
    "INFO - NPU IDLE: 6079 cycles",
    "INFO - NPU TOTAL: 56460 cycles",
    "INFO - Main loop terminated successfully.",
    "INFO - program terminating...",
)


def known(text: str) -> bool:
    return TABLE.match(text, 0) is not None


Carried = Callable[[int, str], str]
BOTH: dict[str, Carried] = {
    "clock and colon": lambda n, line: f"10:00:{n:02d}.123: {line}",
    "clock and semicolon": lambda n, line: f"10:00:{n:02d}.123;{line}",
    "American date": lambda n, line: f"3/1/2026 10:00:{n:02d} AM {line}",
    "short date": lambda n, line: f"03/01/26 10:00:{n:02d} {line}",
    "compact date": lambda n, line: f"20260301-1000{n:02d}.123 {line}",
    "milliseconds": lambda n, line: f"{1690000000000 + 137 * n} {line}",
    "milliseconds, comma": lambda n, line: f"{1690000000000 + 137 * n},{line}",
    "seconds": lambda n, line: f"{n * 0.137:.3f}s {line}",
    "seconds and colon": lambda n, line: f"{n * 0.137:.6f}: {line}",
    "angles": lambda n, line: f"<10:00:{n:02d}.123> {line}",
    "Docklight": lambda n, line: f"01.03.2026 10:00:{n:02d}.123 [RX] - {line}<CR><LF>",
    "marks of line ends": lambda n, line: f"{line}<\\r><\\n>",
    "TeamCity": lambda n, line: f"[10:11:{n:02d}]W:\t [Step 2/3] {line}",
    "JSON, message last": lambda n, line: json.dumps({"timestamp": f"2026-03-01T10:00:{n:02d}", "level": "info", "message": line}),
    "JSON, message first": lambda n, line: json.dumps({"msg": line, "ts": 1690000000.5 + n}),
    "journalctl -o json": lambda n, line: json.dumps({"_PID": "12", "MESSAGE": line, "PRIORITY": "6"}),
    "CSV": lambda n, line: f'{n},10:00:{n:02d}.123,"{line}"',
    "source code": lambda n, line: f'    "{line}\\n" +',
    "list of YAML": lambda n, line: f"  - '{line}'",
    "comment": lambda n, line: f" * {line}",
    "line numbers": lambda n, line: f"{n:>4} {line}",
    "line numbers, arrow": lambda n, line: f"{n:>5}\u2192{line}",
    "ends of a web page": lambda n, line: f"{line}<br/>",
    "RFC 5424": lambda n, line: f"<13{n % 7}>1 2026-03-01T10:00:{n:02d}.{137 * n:06d}Z lab ser2net 612 ID{n} - {line}",
    "RFC 5424, data": lambda n, line: f'<30>1 2026-03-01T10:00:{n:02d}+00:00 lab app - - [meta sequenceId="{n}"] {line}',
    "Renode": lambda n, line: f"10:00:{n:02d}.1234 [INFO] uart0: [host: {n}.1s (+{n}ms)|virt: 0.{n}s (+0.1s)] {line}",
    "two words": lambda n, line: f"SerialDriver main: {line}",
    "two names": lambda n, line: f"mps3-0  uart2  {line}",
    "name and bar": lambda n, line: f"board rx | {line}",
    "receiver's mark": lambda n, line: f"RX> {line}",
    "bar": lambda n, line: f"| {line}",
    "rows": lambda n, line: f"| {line} |",
    "rows of a box": lambda n, line: f"\u2502 {line:<60} \u2502",
    "rows with numbers": lambda n, line: f"| {n:>3} | {line} |",
    "number and colon": lambda n, line: f"1: {line}",
    "GDB/MI": lambda n, line: f'@"{line}\\r\\n"',
}  # fmt: skip
PREFIXED: dict[str, Carried] = {
    "port": lambda n, line: f"/dev/ttyUSB0: {line}",
    "receiver": lambda n, line: f"[2026-03-01 10:00:{n:02d}.123 R] {line}",
    "table": lambda n, line: f"| {n} | {line} |",
    "pyserial": lambda n, line: f"Received: b'{line}\\r\\n'",
    "ticks": lambda n, line: f"[{n * 137}] {line}",
    "elapsed": lambda n, line: f"+{n * 137}ms {line}",
}


@pytest.mark.parametrize("carried", [*BOTH.values(), *PREFIXED.values()], ids=[*BOTH, *PREFIXED])
def test_outputs_without_a_log_prefix_are_found_behind_what_stands_before_prefixes(carried: Carried) -> None:
    run = only("".join(f"{carried(number, line)}\n" for number, line in enumerate(RUNNER, 1)))
    assert (run.status, run.model.pte_bytes, run.model.methods) == ("passed", 960, 1)
    assert [(t.count, t.first) for t in run.outputs] == [(2, (0.5, 0.25))]


@pytest.mark.parametrize("carried", BOTH.values(), ids=BOTH)
def test_a_log_without_any_prefix_of_the_runtime_is_found_in_its_frame(carried: Carried) -> None:
    capture = read_capture("x", "".join(f"{carried(number, line)}\n" for number, line in enumerate(KIT, 1)).encode())
    (run,) = capture.runs
    assert (run.status, run.stage, run.runner.kind) == ("passed", "complete", "mlek")
    assert run.pmu is not None and run.pmu.npu_cycles == 56460


def test_a_box_may_stand_around_a_log() -> None:
    rows = "".join(f"\u2502 {line:<60} \u2502\n" for line in KIT)
    (run,) = read_capture("x", f"\u250c{62 * chr(0x2500)}\u2510\n{rows}\u2514{62 * chr(0x2500)}\u2518\n".encode()).runs
    assert run.status == "passed"
    assert run.pmu is not None and run.pmu.npu_cycles == 56460


def test_what_a_diff_takes_away_is_no_line_of_what_it_adds() -> None:
    added = "".join(f"+{line}\n" for line in KIT)
    gone = "".join(f"-{line}\n" for line in KIT).replace("56460", "99999").replace("50381", "93920")
    hunk = "diff --git a/notes.md b/notes.md\n--- a/notes.md\n+++ b/notes.md\n@@ -3,9 +3,9 @@ ## Results\n"
    for text, cycles in ((hunk + gone + added, 56460), (hunk + added, 56460), (hunk + gone, 99999)):
        (run,) = read_capture("x", text.encode()).runs
        assert run.status == "passed"
        assert run.pmu is not None and run.pmu.npu_cycles == cycles


def test_the_sign_of_a_number_in_a_diff_is_the_numbers() -> None:
    frame = first_frame(b"@@ -0,0 +1,2 @@\n+INFO - NPU IDLE: 1 cycles\n+-0.5, 0.25\n", known)
    assert frame is not None
    assert [frame.taken_off(line) for line in ("+-0.5, 0.25", "-0.5, 0.25", "- a point", "+INFO - a", "-INFO - a")] == [
        "-0.5, 0.25",
        "-0.5, 0.25",
        "- a point",
        "INFO - a",
        "",
    ]
    assert first_frame(b"@@ -1,2 +1,2 @@\n-int one(void);\n+int two(void);\n more\n", known) is None


def test_a_job_that_shows_a_diff_of_its_sources_before_it_runs_is_no_diff() -> None:
    shown = (
        "$ git diff\n--- a/notes.md\n+++ b/notes.md\n@@ -1,2 +1,3 @@\n # Notes\n+INFO - Ethos-U device initialised\n\n"
    )
    called = "+ ./FVP_Corstone_SSE-300_Ethos-U55 -C ethosu.num_macs=128 -a kit.axf\n"
    log = called + "".join(f"{line}\n" for line in KIT)
    (alone,), (run,) = (read_capture("x", text.encode()).runs for text in (log, shown + log))
    assert (run.target, run.pmu) == (alone.target, alone.pmu)
    assert (run.target.fvp, run.first_line) == ("FVP_Corstone_SSE-300_Ethos-U55", alone.first_line + shown.count("\n"))


def test_a_list_of_texts_in_a_log_is_no_output_of_a_cell() -> None:
    shown = "".join(f"build 12:00 runner | {line}\n" for line in ('{"text": ["a prompt"]}', *KIT))
    (run,) = read_capture("x", shown.encode()).runs
    assert run.pmu is not None and run.pmu.npu_cycles == 56460


def test_the_output_of_a_cell_is_read_without_the_rest_of_its_notebook() -> None:
    lines = [json.dumps(f"{line}\n") for line in KIT]
    text = '   "text": [\n    ' + ",\n    ".join(lines) + "\n   ]\n"
    (run,) = read_capture("x", text.encode()).runs
    assert run.status == "passed"
    assert run.pmu is not None and run.pmu.npu_cycles == 56460


@pytest.mark.parametrize("first", ["\n", "\r\n\r\n", "\ufeff"])
def test_empty_lines_and_a_byte_order_mark_may_stand_before_the_first_line(first: str) -> None:
    text = first + "".join(f"{BOTH['CSV'](number, line)}\n" for number, line in enumerate(KIT, 1))
    assert [run.status for run in read_capture("x", text.encode()).runs] == ["passed"]


@pytest.mark.parametrize(
    "text",
    [
        "INFO - a\nINFO - b\nINFO - c\n",
        "[0] = 0.500000\n[1] = 0.250000\n[2] = 0.250000\n",
        "2026-03-01 10:00:00 one line\n2026-03-01 10:00:01 another\n2026-03-01 10:00:02 a third\n",
        "10: a\n20: b\n",
        "\u2502 Node name \u2502 Target \u2502\n\u2502 a name \u2502 a target \u2502\n\u2502 others \u2502 b target \u2502\n",
        "| op | count |\n| conv | 12 |\n| addmm | 12 |\n",
        "7 900 [ML_TASK] [INFO] one\n8 950 [camera] [INFO] two\n9 990 [camera] [INFO] three\n",
        "[INFO] aaa\n[INFO] bbb\n[INFO] ccc\n",
        "a tool says INFO - a\na tool says INFO - b\na tool says INFO - c\n",
        "Building object a\nBuilding object b\nBuilding object c\n",
        "INFO - NPU IDLE: 1 cycles\nINFO - NPU ACTIVE: 2 cycles\nINFO - NPU TOTAL: 3 cycles\n",
        "I [executorch:a.cpp:1] Running method a\nI [executorch:a.cpp:1] Running method b\nI [executorch:a.cpp:1] Running method c\n",
        "",
    ],
)
def test_what_lines_say_by_themselves_is_no_frame(text: str) -> None:
    assert first_frame(text.encode(), known) is None


def test_a_frame_of_words_ends_where_the_prefix_of_the_log_begins() -> None:
    log = [f"I [executorch:a.cpp:1] Running method {name}" for name in "abc"]
    frame = first_frame("".join(f"{n},uart0,rx,{line}\n" for n, line in enumerate(log)).encode(), known)
    assert frame is not None
    assert [frame.taken_off(f"7,uart0,rx,{line}") for line in log] == log


def test_numbers_that_lines_begin_with_alone_are_no_stamp_where_the_lines_differ_in_them() -> None:
    frame = first_frame(b"12 abc: x\n13 abc: y\n1.5 abc: z\n", known)
    assert frame is None
    torn = "Output[0][3]: 1.0I [executorch:a.cpp:1] x\nOutput[0][4]: 1.0I [executorch:a.cpp:1] x\nOutput[0][5]: 1.0\n"
    assert all(len(run.outputs) <= 1 for run in read_capture("x", torn.encode()).runs)


def test_what_json_writes_for_characters_is_read_as_them() -> None:
    lines = ("INFO - \tMACs/cc:    256", *KIT, "INFO - \x1b[32mdone\x1b[0m & <done>")
    text = "".join(json.dumps({"log": f"{line}\r\n", "stream": "stdout"}) + "\n" for line in lines)
    capture = read_capture("x", text.encode())
    assert [(run.status, run.target.macs) for run in capture.runs] == [("passed", 256)]
    frame = first_frame(text.encode(), known)
    assert frame is not None
    assert frame.taken_off(r'{"log":"a \"b\" \u003cc\u003e \u0026 d\r\n","stream":"stdout"}') == 'a "b" <c> & d'
    assert (
        frame.taken_off(r'{"log":"\u00e9 \ud83c\udfaf C:\\u0041 a\/b\n","stream":"stdout"}')
        == "\u00e9 \U0001f3af C:\\u0041 a/b"
    )
    assert frame.taken_off(r'{"log":"a\u0007b\u202ec\u009b2Jd\ud83cx\n","stream":"stdout"}').isprintable(), (
        "nothing that steers"
    )


ELEMENTS = (
    "I [executorch:arm_executor_runner.cpp:219 main()] PTE Model data loaded. Size: 944 bytes.",
    "I [executorch:arm_executor_runner.cpp:232 main()] Model buffer loaded, has 1 methods",
    "I [executorch:arm_executor_runner.cpp:421 main()] Model executed successfully.",
    "output[0]: tensor scalar_type=Float numel=3",
    "[0] = 0.500000",
    "[1] = 0.250000",
    "[2] = 0.125000",
    "I [executorch:arm_executor_runner.cpp:450 main()] SUCCESS: Program complete, exiting.",
)


@pytest.mark.parametrize("stamp", ["[{}] ", "[{}]", "[{}] = ", "[{:5}.000] ", "({}) "])
@pytest.mark.parametrize("stamped", ["all", "with a prefix", "but for the values"])
def test_stamps_on_some_lines_take_no_index_off_the_others(stamp: str, stamped: str) -> None:
    def carried(number: int, line: str) -> str:
        bare = line[0] == "[" if stamped == "but for the values" else stamped != "all" and line[:3] != "I ["
        return line if bare else stamp.format(137 * number) + line

    run = only("".join(f"{carried(number, line)}\n" for number, line in enumerate(ELEMENTS, 1)))
    assert [(t.count, t.first) for t in run.outputs] == [(3, (0.5, 0.25, 0.125))]


def test_a_frame_of_the_first_lines_alone_takes_no_index_off_what_comes_later() -> None:
    head = "".join(f"[{number}] INFO - NPU IDLE: {number} cycles\n" for number in range(20))
    run = read_capture("x", (head + "\n".join(ELEMENTS) + "\n").encode()).runs[-1]
    assert [(t.count, t.first) for t in run.outputs] == [(3, (0.5, 0.25, 0.125))]


@pytest.mark.parametrize("carried", [PREFIXED["table"], BOTH["CSV"], BOTH["JSON, message last"], BOTH["source code"]])
@pytest.mark.parametrize("rest", [" ", '"', '",', '","a":1', "| "])
def test_a_long_line_in_a_frame_costs_no_more_than_its_length(carried: Carried, rest: str) -> None:
    head = "".join(f"{carried(number, line)}\n" for number, line in enumerate(RUNNER, 1))
    text = head + "".join(carried(number, "a" + rest * (20_000 // len(rest)))[:20_000] + "x|\n" for number in range(3))
    began = time.process_time()
    read_capture("x", text.encode())
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize("end", ["\r\n", "\r\r\n", "\n"])
def test_bytes_as_python_shows_them_lose_their_line_ends(end: str) -> None:
    text = "".join(f"{(line + end).encode()!r}\n" for line in ELEMENTS)
    run = only(text)
    assert run.status == "passed"
    assert [(t.count, t.first) for t in run.outputs] == [(3, (0.5, 0.25, 0.125))]
