"""What the tools of a bench put around a log: CI services, syslog, pages, copied screens, and sections that show it twice."""

from __future__ import annotations

import json

import pytest

from ethosu_tui.analysis import CaptureReader, read_capture
from ethosu_tui.analysis.lines import parse_line
from ethosu_tui.analysis.outputs.read import read_outputs
from ethosu_tui.analysis.report import Capture, Run

from .port_logs import only
from .test_report_figures import lines_of

LINES = (
    "I [executorch:lab.cpp:11 main()] Model buffer loaded, has 1 methods",
    "I [executorch:lab.cpp:12 main()] Running method forward",
    "1 outputs: ",
    "Output[0][0]: (float) 0.250000",
    "Output[0][1]: (float) -0.750000",
    "I [executorch:lab.cpp:13 main()] Program complete, exiting.",
)
FAILED = (
    LINES[0],
    LINES[1],
    "E [executorch:lab.cpp:25 get()] kernel 'lab::gelu.out' not found.",
    "E [executorch:lab.cpp:26 init()] Missing operator: [3] lab::gelu.out",
    "I [executorch:lab.cpp:27 main()] Loading of method forward failed with status 0x14",
)
KIT = (
    "INFO - Running inference on model lab",
    "INFO - Final results:",
    "INFO - Total number of inferences: 1",
    "INFO - Profile for Inference:",
    "INFO - NPU AXI0_RD_DATA_BEAT_RECEIVED beats: 1410",
    "INFO - NPU AXI0_WR_DATA_BEAT_WRITTEN beats: 377",
    "INFO - NPU AXI1_RD_DATA_BEAT_RECEIVED beats: 909",
    "INFO - NPU ACTIVE cycles: 4049",
    "INFO - NPU IDLE cycles: 63",
    "INFO - NPU TOTAL cycles: 4112",
)
NAMES = "ETHOSU_PMU_AXI0_RD_DATA_BEAT_RECEIVED, ETHOSU_PMU_AXI1_RD_DATA_BEAT_RECEIVED, ETHOSU_PMU_AXI0_WR_DATA_BEAT_WRITTEN, ETHOSU_PMU_NPU_IDLE"


@pytest.mark.parametrize(
    "carrier",
    [
        "[09:41:0{second}]W:\t [Step 2/3] {line}",
        "[09:41:0{second}] :\t [Step 2/3] {line}",
        "build\t07-Mar-2031 09:41:0{second}\t{line}",
        "error\t07-Mar-2031 09:41:0{second}\t{line}",
        "Mar  7 09:41:0{second} bench docker[402]: #033[0m{line}#015",
        "Mar  7 09:41:0{second} bench tio[402]: #033[1m[09:41:0{second}.250] #033[0m{line}#015",
        '<span class="timestamp"><b>09:41:0{second}</b> </span>{line}',
        '<span class="timestamp"><b>09:41:0{second}</b> </span><span style="display: none">[2031-03-07T08:41:00.1Z]</span> {line}',
    ],
)
def test_lines_without_a_prefix_are_read_behind_what_a_tool_puts_there(carrier: str) -> None:
    run = only("".join(carrier.format(second=at, line=line) + "\n" for at, line in enumerate(LINES)))
    assert run.status == "passed"
    assert run.outputs[0].first == (0.25, -0.75)


def test_a_number_behind_a_hash_is_the_lines_own_where_no_syslog_wrote_it() -> None:
    assert parse_line(1, b"[09:41:02] sample #012 of lab").message == "sample #012 of lab"


@pytest.mark.parametrize(
    ("opened", "closed"),
    [
        ("---- Opened the serial port COM7 ----", "---- Closed the serial port COM7 ----"),
        ("---- Opened the serial port /dev/ttyACM3 ----", "---- Closed the serial port /dev/ttyACM3 ----"),
        ("ser2net port 4004 device /dev/ttyUSB2 [115200 N81] (Debian GNU/Linux)", "Connection closed."),
    ],
)
def test_a_serial_port_that_was_opened_is_a_boards(opened: str, closed: str) -> None:
    assert only("\n".join((opened, *LINES, closed, ""))).target.platform == "board"


def _stored(text: str) -> Run:
    """The run of a log whose beginning is looked at first."""
    reader = CaptureReader("x")
    reader.look_at(text.encode())
    reader.feed(text.encode())
    (run,) = reader.finish().runs
    return run


def _rows(line: str, columns: int) -> list[str]:
    return [line[at : at + columns].rstrip() for at in range(0, len(line), columns)]


def test_a_copied_screen_has_lost_the_blank_of_its_last_column() -> None:
    head = "E [executorch:lab_pools.h:77 allocate()] Memory allocation failed: 700144B requested (adjusted for alignment), "
    head = head.replace("lab_pools", "lab_pools".ljust(9 + 120 - len(head), "s"))
    events = f"I [executorch:arm_perf_monitor.cpp:9 StopMeasurements()] Ethos-U PMU Events:[{NAMES}]"
    text = [*LINES[:2], events, head + "600000B available", FAILED[4]]
    findings = read_capture("x", "\n".join(row for line in text for row in _rows(line, 120)).encode()).findings
    (error,) = (finding for finding in findings if finding.severity == "error")
    assert "600000 bytes were left" in error.detail


def test_a_word_with_a_hyphen_goes_on_below() -> None:
    report = ["NPU Inferences : 1", "ethosu_pmu_cycle_cntr : 4321"]
    report += [f"ethosu_pmu_cntr{at} : {at + 20}" for at in range(4)] + [f"Ethos-U PMU Events:[{NAMES}]"]
    prefix = "[09:41:02.500] I [executorch:arm_perf_monitor.cpp:9 StopMeasurements()] "
    text = [f"[09:41:02.500] {line}" for line in LINES[:2]] + [prefix + line for line in report]
    text += [f"[09:41:02.500] {LINES[5]}"]
    run = only("\n".join(row for line in text for row in _rows(line, len(prefix) + 6)))
    assert run.pmu is not None
    assert [counter.event for counter in run.pmu.counters] == NAMES.split(", ")


def _test(name: str, phase: str, *sections: str) -> list[str]:
    said = [f"____ {name} ____", "", "lab/runner_utils.py:8: RuntimeError"]
    for section in sections:
        first = "ERROR:lab.utils:Lab failed:" if section == "stdout" else "ERROR    lab.utils:utils.py:8 Lab failed:"
        said += [f"{f' Captured {section} {phase} ':-^80}", first, *FAILED]
    return said


@pytest.mark.parametrize(
    ("sections", "runs"),
    [(("stdout", "log"), 1), (("log",), 1), (("stdout",), 1), (("stderr", "log"), 1)],
)
def test_what_a_test_shows_as_output_and_as_log_was_run_once(sections: tuple[str, ...], runs: int) -> None:
    once = _test("test_one", "call", *sections)
    capture = read_capture("x", "\n".join(once + _test("test_two", "call", *sections)).encode())
    assert [run.status for run in capture.runs] == ["failed"] * (2 * runs)


def test_another_run_in_the_log_of_a_test_is_one() -> None:
    said = _test("test_one", "call", "stdout", "log")
    other = [line.replace("gelu", "tanh") for line in FAILED[2:]]
    capture = read_capture("x", "\n".join([*said, FAILED[0].replace("has 1", "has 2"), *other]).encode())
    assert len(capture.runs) == 2


def _of(board: str, figure: float) -> list[str]:
    return [line.replace("0.250000", f"{figure:f}").replace("forward", board) for line in LINES]


@pytest.mark.parametrize("size", [1, 2, 5])
def test_each_file_that_tail_follows_has_runs_of_its_own(size: int) -> None:
    one, other = _of("one", 0.5), _of("other", 0.75)
    text: list[str] = []
    for at in range(0, len(LINES), size):
        for name, lines in (("one.log", one), ("lab/other.log", other)):
            text += [f"==> {name} <==", *lines[at : at + size], ""]
    runs = read_capture("x", "\n".join(text).encode()).runs
    assert [(run.status, run.model.method, run.outputs[0].first[0]) for run in runs] == [
        ("passed", "one", 0.5),
        ("passed", "other", 0.75),
    ]


def test_files_that_are_shown_one_after_another_have_their_runs() -> None:
    text = ["==> one.log <==", *FAILED[:2], "", "==> two.log <==", *_of("two", 0.5), "", "==> three.log <==", *FAILED]
    runs = read_capture("x", "\n".join(text).encode()).runs
    assert sorted((run.first_line, run.status, run.model.method) for run in runs) == [
        (2, "truncated", "forward"),
        (6, "passed", "two"),
        (14, "failed", "forward"),
    ]


def _in_pieces(data: bytes, size: int) -> Capture:
    """What is read of a stored log that comes in pieces of so many bytes."""
    reader = CaptureReader("x")
    reader.look_at(data)
    for at in range(0, len(data), size):
        reader.feed(data[at : at + size])
    return reader.finish()


def _recorded(text: str, size: int) -> bytes:
    events = [json.dumps([at / 8, "o", text[at : at + size]]) for at in range(0, len(text), size)]
    return "\n".join(['{"version": 2, "width": 90, "height": 30}', '[0.0, "i", "\\r"]', *events, ""]).encode()


@pytest.mark.parametrize("size", [1, 7, 61, 1000])
@pytest.mark.parametrize("piece", [5, 1 << 20])
def test_what_a_recorded_terminal_got_is_read_in_whatever_pieces(size: int, piece: int) -> None:
    data = _recorded("\r\n".join(("\x1b[1m$ ./lab\x1b[0m", *LINES, "")), size)
    capture = _in_pieces(data, piece)
    (run,) = capture.runs
    assert (run.status, run.outputs[0].first) == ("passed", (0.25, -0.75))
    assert abs(capture.lines - data.count(b"\n")) <= 1
    lines = data.decode().split("\n")
    told = "".join(json.loads(line)[2] for line in lines[2 : run.lines["outputs.0"]])
    assert "Running method" in told and "Program complete" not in told[: told.rfind("Output[0][0]") + 1]


def test_a_damaged_recording_gives_what_is_left_of_it() -> None:
    lines = _recorded("\r\n".join((*LINES, "")), 40).split(b"\n")
    capture = read_capture("x", b"\n".join([*lines[:4], b'[0.5, "o", [[[', b'{"o": 1}', *lines[5:]]))
    assert capture.runs


@pytest.mark.parametrize("piece", [3, 1 << 20])
@pytest.mark.parametrize("log", [LINES, FAILED])
def test_a_log_behind_a_recording_in_the_same_file_is_read_as_well(log: tuple[str, ...], piece: int) -> None:
    recorded = _recorded("\r\n".join((*LINES, "")), 50)
    data = recorded + "\n".join(log).encode()
    capture = _in_pieces(data, piece)
    assert [run.status for run in capture.runs] == ["passed", only("\n".join(log)).status]
    assert capture.runs[1].first_line == recorded.count(b"\n") + 1
    assert capture.lines == data.count(b"\n") + 1


def test_lines_that_a_program_keeps_as_its_data_are_read() -> None:
    text = "".join(
        json.dumps({"t": at, "port": "/dev/ttyUSB3", "data": f"{line}\r\n"}) + "\n" for at, line in enumerate(LINES)
    )
    assert only(text).outputs[0].first == (0.25, -0.75)


def test_a_counter_that_a_second_printer_cut_is_not_taken_for_the_whole() -> None:
    each = (
        "4321 (4321.00 per inference)",
        "210 (210.00 per inference)",
        "1765 (1765.00 per inference)",
        "33 (33.00 per inference)",
    )
    names = ("ethosu_pmu_cycle_cntr", "ethosu_pmu_cntr0", "ethosu_pmu_cntr1", "ethosu_pmu_cntr2")
    prefix = "I [executorch:arm_perf_monitor.cpp:9 StopMeasurements()] "
    report = "\n".join(
        [f"{prefix}NPU Inferences : 1", *(f"{prefix}{name} : {value}" for name, value in zip(names, each, strict=True))]
    )
    for cut, kept in (("1765 (1765", [210, 33]), ("4321 (4321", [210, 1765, 33])):
        torn = report.replace(cut, f"{cut[:2]}\n[   12.345678] lab: link is up\n{cut[2:]}")
        capture = read_capture("x", "\n".join((*LINES[:2], torn, LINES[5])).encode())
        (run,) = capture.runs
        assert run.pmu is not None
        assert [counter.value for counter in run.pmu.counters] == kept
        assert run.pmu.npu_cycles == (None if len(kept) > 2 else 4321)
        assert "figure-cut" in [finding.rule for finding in capture.findings]


@pytest.mark.parametrize(
    "before",
    [
        "lab-job\tRun it\t2031-02-03T04:05:0{at}.1234567Z [ {at}0] ",
        "lab-job\tRun it\t2031-02-03T04:05:0{at}.1234567Z pod-{at} lab ",
        "lab-job\tRun it\t2031-02-03T04:05:0{at}.1234567Z +{at}.250 ",
        "lab-job\tRun it\t2031-02-03T04:05:0{at}.1234567Z 192.0.2.7: ",
    ],
)
def test_more_may_stand_behind_the_names_of_a_job(before: str) -> None:
    for lines in (LINES, KIT):
        run = _stored("".join(before.format(at=at) + line + "\n" for at, line in enumerate(lines)))
        plain = _stored("\n".join((*lines, "")))
        assert (run.status, run.pmu, run.outputs) == (plain.status, plain.pmu, plain.outputs)


def test_a_counter_of_lines_that_is_padded_grows_wider() -> None:
    run = _stored("".join(f"[{at * 70 + 20:6d}] {line}\n" for at, line in enumerate(KIT)))
    assert run.pmu is not None and run.pmu.npu_cycles == 4112


def test_a_message_among_pairs_of_names_and_values_is_the_line() -> None:
    pairs = "time=2031-02-03T04:05:0{at}Z level=info msg={line} port=ttyUSB3\n"
    run = _stored("".join(pairs.format(at=at, line=json.dumps(line)) for at, line in enumerate(LINES)))
    assert run.outputs[0].first == (0.25, -0.75)


@pytest.mark.parametrize("between", ["", "[   12.345678] lab: link is up\n"])
def test_the_rest_of_a_number_that_was_broken_leaves_the_number_out(between: str) -> None:
    pools = "I [executorch:lab.cpp:14 main()] temp_allocator:            2097152"
    text = "\n".join((*LINES[:5], pools, LINES[5], ""))
    run = only(text.replace("-0.750000", f"-0.7\n{between}50000").replace("2097152", f"209\n{between}7152"))
    assert run.status == "passed"
    first, broken = run.outputs[0].first
    assert first == 0.25 and broken != broken
    assert "temp" not in run.memory.pools
    whole = only(text.replace("-0.750000", f"-0.750000\n{between}3"))
    assert whole.outputs[0].first == (0.25, -0.75)
    short = only(text.replace("-0.750000", f"-0.75\n{between}3"))  # of another format, above a figure of its own
    assert short.outputs[0].first == (0.25, -0.75)
    assert whole.memory.pools["temp"].capacity_bytes == 2097152


@pytest.mark.parametrize("encoding", ["utf-8", "gbk"])
@pytest.mark.parametrize("piece", [1, 9, 1 << 20])
@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_a_line_goes_on_behind_the_stamp_of_a_packet(encoding: str, piece: int, end: str) -> None:
    packets = [f"{LINES[0]}{end}{LINES[1][:40]}", f"{LINES[1][40:]}{end}", f"{LINES[2]}{end}", f"{LINES[3]}{end}"]
    packets += [f"{LINES[4]}{end}{LINES[5]}{end}", end]
    text = end.join(f"[09:41:0{at}.250]\u6536\u2190\u25c6{packet}" for at, packet in enumerate(packets))
    data = text.encode(encoding)
    capture = _in_pieces(data, piece)
    (run,) = capture.runs
    assert (run.status, run.model.method, run.outputs[0].first) == ("passed", "forward", (0.25, -0.75))
    assert LINES[3] in text.split("\n")[run.lines["outputs.0"] - 1]
    assert capture.lines == data.count(b"\n")


def test_packets_without_empty_lines_between_are_lines() -> None:
    text = "\r\n".join(f"[09:41:0{at}.250]\u6536\u2190\u25c6{line}" for at, line in enumerate(LINES))
    assert _stored(text + "\r\n").outputs[0].first == (0.25, -0.75)


@pytest.mark.parametrize(
    "before", ["fvp-1  | [{at:6d}] ", "Mar  7 09:41:02 bench lab[402]: [{at:6d}] ", "COM7: [{at:6d}] "]
)
def test_a_source_keeps_its_run_once_what_stands_behind_its_name_is_known(before: str) -> None:
    pools = ("I [executorch:lab.cpp:14 main()] Setup Method allocator pool. Size: 4096 bytes.",)
    lines = (*LINES[:2], *pools, *LINES[2:])
    run = _stored("".join(before.format(at=at * 70 + 20) + line + "\n" for at, line in enumerate(lines)))
    assert (run.status, run.outputs[0].first) == ("passed", (0.25, -0.75))
    assert run.memory.pools["method"].capacity_bytes == 4096


POSIX = "I 00:00:0{at}.004321 executorch:{file}] {said}\n"
CALLS = "EthosUBackend_Cortex_A.cpp:296", "Ethos-U Linux delegate cycle counter: {cycles}"


def _iterations(calls: int) -> str:
    lines = [(CALLS[0], CALLS[1].format(cycles=7100 + at)) for at in range(calls)]
    lines += [("executor_runner.cpp:9", "Model executed successfully 2 time(s) in 31.500000 ms.")]
    return "".join(POSIX.format(at=at, file=file, said=said) for at, (file, said) in enumerate(lines))


@pytest.mark.parametrize(("calls", "total"), [(2, 14201), (4, 28406), (1, None), (3, None)])
def test_no_total_is_made_of_what_is_left_of_the_calls(calls: int, total: int | None) -> None:
    capture = read_capture("x", _iterations(calls).encode())
    (run,) = capture.runs
    assert (run.pmu.npu_cycles if run.pmu is not None else None) == total
    assert ("npu-calls-missing" in [finding.rule for finding in capture.findings]) is (total is None)


@pytest.mark.parametrize("at", range(0, len(CALLS[1]) + 12))
def test_a_kernel_may_print_inside_a_line_of_the_runner(at: int) -> None:
    text = _iterations(2)
    place = text.index("Ethos-U", text.index("Ethos-U") + 1) + at
    broken = f"{text[:place]}[   88.120044] ethosu 4a900000.ethosu: Inference create.\n{text[place:]}"
    (run,) = read_capture("x", broken.encode()).runs
    assert run.pmu is None or run.pmu.npu_cycles == 14201


def test_a_number_that_was_broken_is_said_and_is_among_no_values() -> None:
    dump = [f"Output[0][{place}]: (float) {place}.125000" for place in range(12)]
    begun = [line for line in LINES if not line.startswith("Output[")]
    at = next(place for place, line in enumerate(begun) if "1 outputs" in line) + 1
    dump[9:10] = ["Output[0][9]: (float) 9.1", "25000"]
    text = "\n".join((*begun[:at], *dump, *begun[at:], "")).encode()
    capture = read_capture("lab.log", text)
    (finding,) = [finding for finding in capture.findings if finding.rule == "number-broken"]
    assert "(float) 9.1\u2026 25000" in finding.detail
    (output,) = read_outputs(lines_of(text), capture.runs[0])
    assert (output.count, len(output.values), list(output.places)[8:]) == (12, 11, [8, 10, 11])


def test_a_figure_in_brackets_is_no_stamp_of_the_kernel() -> None:
    said = "I [executorch:lab.cpp:12 main()] mean error [0.000123] is below the limit [1.500000] of it"
    reader = CaptureReader("x")
    (line,) = reader.feed(f"{said}\n".encode())
    assert line.message == said.partition("] ")[2]
