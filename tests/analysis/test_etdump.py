"""ETDump: our reader against the Inspector's own table, an independent writer, cut and garbled blocks, and any bytes."""

from __future__ import annotations

import base64
import re
import struct
from pathlib import Path

import pytest

from ethosu_tui.analysis import Capture, CaptureReader, read_capture
from ethosu_tui.analysis.etdump.decode import decode
from ethosu_tui.analysis.etdump.reader import AllocationEvent, DebugEvent, EtdumpError, ProfileEvent, Tensor
from ethosu_tui.analysis.etdump.tables import inspector_rows, inspector_table, operators_table, summary_of
from ethosu_tui.analysis.etdump.text import decode_base64

from .etdump_writer import DumpWriter, logged

EXPECTED = [  # by hand from the Inspector's table of the same dump: block, event, cycles, start
    ("Default", "Method::init", 40227, 174989),
    ("Default", "Program::load_method", 43497, 174384),
    ("Execute", "native_call_quantize_per_tensor.out", 2507, 241520),
    ("Execute", "native_call_quantized_depthwise_conv2d.out", 83131, 248499),
    ("Execute", "native_call_quantized_conv2d.out", 37038, 335648),
    ("Execute", "native_call__clone_dim_order.out", 24337, 376580),
    ("Execute", "native_call_quantized_linear.out", 4854, 404846),
    ("Execute", "native_call_dequantize_per_tensor.out", 295, 413558),
    ("Execute", "Method::execute", 176358, 240696),
]
INSTRUCTIONS = [None, None, 0, 1, 2, 3, 4, 5, None]


@pytest.fixture(scope="module")
def log() -> bytes:
    return (Path(__file__).resolve().parents[2] / "sample_logs" / "etd_plain.log").read_bytes()


@pytest.fixture(scope="module")
def dump(log: bytes) -> bytes:
    match = re.search(rb'echo "([^"]+)"', log)
    assert match is not None
    return base64.b64decode(match[1])


def _rules(capture: Capture) -> dict[str, str]:
    return {finding.rule: finding.detail for finding in capture.findings if finding.rule.startswith("etdump")}


def test_the_table_is_the_inspectors(dump: bytes) -> None:
    rows = inspector_rows(decode(dump))
    assert [(r.block, r.name, r.average, r.start_ticks[0]) for r in rows] == EXPECTED
    assert [r.instruction for r in rows] == INSTRUCTIONS
    assert all(set(summary_of(r).values()) == {r.average} for r in rows)


def test_the_table_is_the_recorded_one(dump: bytes, shared_logs: Path) -> None:
    """Every figure of the Inspector's printed table, where the recording stands beside the checkout."""
    recorded = shared_logs / "captures" / "etd_plain.inspector.txt"
    if not recorded.is_file():
        pytest.skip("the recorded table is not there")
    cells = [
        [c.strip() for c in line.split("│")[1:-1]] for line in recorded.read_text("utf-8").splitlines() if "│" in line
    ]
    head, *body = cells
    rows = inspector_rows(decode(dump))
    assert len(body) == len(rows)
    for said, row in zip(body, rows, strict=True):
        values = dict(zip(head, said, strict=True))
        assert values["event_block_name"] == row.block and values["event_name"] == row.name
        assert values["start_time"] == str(list(row.start_ticks)) and values["is_delegated_op"] == str(row.delegated)
        for name, value in summary_of(row).items():
            assert float(values[f"{name} (cycles)"]) == value


def test_a_log_gives_the_events(log: bytes) -> None:
    capture = read_capture("etd_plain.log", log)
    etdump = capture.runs[0].etdump
    assert etdump is not None and etdump.bytes == 1240 and etdump.debug_buffer_bytes is None
    assert [(e.block, e.name, e.cycles) for e in etdump.events] == [row[:3] for row in EXPECTED]
    assert [e.instruction for e in etdump.events] == INSTRUCTIONS
    assert etdump.events[2].operator == "quantize_per_tensor.out" and etdump.events[0].operator is None
    line = capture.runs[0].lines["etdump"]
    assert b"base64 -d >etdump.bin" in log.splitlines()[line - 1]
    assert not _rules(capture)


def test_a_size_in_front_is_optional(dump: bytes) -> None:
    with_size, without = decode(dump), decode(dump[4:])
    assert without.runs == with_size.runs and (with_size.announced_bytes, without.announced_bytes) == (1236, None)


def test_bytes_after_the_dump_are_not_part_of_it(dump: bytes) -> None:
    assert decode(dump + b"\xff" * 100).runs == decode(dump).runs


@pytest.mark.parametrize("era", ["0.6", "0.7", "1.0"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_each_era_prints_it_in_its_own_way(era: str, ending: str, dump: bytes) -> None:
    capture = read_capture("x", logged(dump, era).replace("\n", ending).encode())
    etdump = capture.runs[0].etdump
    assert etdump is not None and [(e.name, e.cycles) for e in etdump.events] == [row[1:3] for row in EXPECTED]
    assert not _rules(capture)


def test_a_debug_buffer_before_it_is_told_apart(dump: bytes) -> None:
    capture = read_capture("x", logged(dump, "1.0", debug_buffer=bytes(range(200))).encode())
    etdump = capture.runs[0].etdump
    assert etdump is not None and etdump.debug_buffer_bytes == 200 and len(etdump.events) == 9


def test_stamps_and_broken_lines_inside_a_block(dump: bytes) -> None:
    text = base64.b64encode(dump).decode()
    pieces = [text[i : i + 77] for i in range(0, len(text), 77)]
    for prefix in ("", "[12:00:01.250] ", "2026-08-22T10:11:12.123Z ", "\t"):
        assert decode_base64("\r\n".join(prefix + piece for piece in pieces)) == (dump, 0)
    assert decode_base64(f'echo "{text}" | base64 -d >etdump.bin') == (dump, 0)
    assert decode_base64(text.rstrip("=")).data == dump


def test_text_that_is_no_base64_is_counted(dump: bytes) -> None:
    text = base64.b64encode(dump).decode()
    data, junk = decode_base64(f"{text[:400]}\nI [executorch:main.cpp:1] half way\n{text[400:]}")
    assert data == dump and junk > 20


@pytest.mark.parametrize("kept", [0, 4, 30, 100, 300, 500, 900, 1300, 1500, 1650])
def test_a_cut_block_gives_what_was_there(kept: int, log: bytes) -> None:
    start = log.index(b'echo "') + 6
    capture = read_capture("x", log[: start + kept])
    run = capture.runs[0]
    assert run.status == "truncated"
    assert "etdump-cut" in _rules(capture)
    truth = {(name, cycles) for _, name, cycles, _ in EXPECTED}
    events = run.etdump.events if run.etdump is not None else ()
    assert {(e.name, e.cycles) for e in events} <= truth, "nothing may be shown that the whole dump does not say"


def test_every_cut_gives_true_events_and_more_with_more_data(dump: bytes) -> None:
    truth = {event for run in decode(dump).runs for event in run.events}
    counts = []
    for size in range(12, len(dump)):
        try:
            found = decode(dump[:size])
        except EtdumpError as error:
            assert "cut" in str(error)
            continue
        assert found.cut
        events = [event for run in found.runs for event in run.events]
        assert set(events) <= truth
        counts.append(len(events))
    assert counts[len(counts) // 2] >= 4 and counts[-1] >= 14


def test_events_of_all_kinds() -> None:
    writer = DumpWriter(version=2)
    writer.run("Default", [writer.profile("Method::init", 5, 9, chain=-1, instruction=0)])
    tensor = writer.tensor(6, [1, 3], [3, 1], 128)
    events = [
        writer.profile("DELEGATE_CALL", 100, 900, instruction=2),
        writer.profile("EthosUBackend::execute()", 110, 890, instruction=2),
        writer.profile(None, 120, 200, instruction=2, delegate_id=7, metadata=b"\x01\x02"),
        writer.profile(None, 200, 300, instruction=2, delegate_id="conv"),
        writer.allocation(1, 4096),
        writer.debug("aten::add", instruction=1, tensors=[tensor]),
        writer.debug("aten::add", instruction=1, value=2.5),
        writer.debug("aten::add", instruction=1, value=-3),
        writer.debug("aten::add", instruction=1, value=True),
        writer.debug(None, instruction=1, tensors=[tensor, tensor], many=True, output=True),
    ]
    writer.run("Execute", events, allocators=["method", "temp"], bundled_input=3)
    for data in (writer.finish(), writer.finish(sized=True)):
        found = decode(data)
        assert found.version == 2 and found.unreadable == found.lost_runs == found.recovered == 0
        first, second = found.runs
        assert first.events == (ProfileEvent("Method::init", None, None, None, b"", 5, 9),)
        assert (second.name, second.bundled_input, second.allocators) == ("Execute", 3, ("method", "temp"))
        call, inside, numbered, named, allocation, one, real, whole, flag, output = second.events
        assert isinstance(call, ProfileEvent) and (call.instruction, call.ticks) == (2, 800)
        assert isinstance(inside, ProfileEvent) and inside.name == "EthosUBackend::execute()"
        assert isinstance(numbered, ProfileEvent) and (numbered.name, numbered.delegate_id) == ("7", 7)
        assert numbered.metadata == b"\x01\x02"
        assert isinstance(named, ProfileEvent) and (named.name, named.delegate_id) == ("conv", "conv")
        assert allocation == AllocationEvent(1, 4096)
        assert isinstance(one, DebugEvent) and one.tensors == (Tensor("float", (1, 3), (3, 1), 128),)
        assert [e.value for e in (real, whole, flag) if isinstance(e, DebugEvent)] == [2.5, -3, True]
        assert isinstance(output, DebugEvent) and output.output and len(output.tensors) == 2


def test_runs_with_the_same_events_are_put_together() -> None:
    writer = DumpWriter()
    for base in (0, 1000, 2000, 3000):
        events = [writer.profile("native_call_add.out", base, base + 10 + base // 100, instruction=0)]
        writer.run("Execute", events)
    writer.run("Execute", [writer.profile("native_call_mul.out", 1, 2, instruction=0)])
    rows = inspector_rows(decode(writer.finish()))
    assert [(r.name, r.ticks) for r in rows] == [
        ("native_call_add.out", (10, 20, 30, 40)),
        ("native_call_mul.out", (1,)),
    ]
    figures = summary_of(rows[0])
    assert figures == {"p10": 13.0, "p50": 25.0, "p90": 37.0, "avg": 25.0, "min": 10, "max": 40}
    assert "p90 (cycles)" in [c.name for c in inspector_table(decode(writer.finish()), "cycles").columns]


def test_a_mean_is_shown_with_the_digits_that_it_has() -> None:
    writer = DumpWriter()
    for took in (7001, 7002, 7001):
        writer.run("Execute", [writer.profile("native_call_add.out", 10, 10 + took, instruction=0)])
    (row,) = inspector_table(decode(writer.finish()), "cycles").rows
    assert [cell.text for cell in row][4:10] == ["7,001", "7,001", "7,001.80", "7,001.33", "7,001", "7,002"]


def test_a_counter_that_went_round_is_repaired_and_said() -> None:
    writer = DumpWriter()
    writer.run("Execute", [writer.profile("native_call_add.out", 2**32 - 10, 15, instruction=0)])
    capture = read_capture("x", logged(writer.finish(sized=True)).encode())
    etdump = capture.runs[0].etdump
    assert etdump is not None and etdump.events[0].cycles == 25
    assert "4,294,967,286" in _rules(capture)["etdump-wrapped"]


def test_ends_before_starts_are_no_figure() -> None:
    writer = DumpWriter()
    writer.run("Execute", [writer.profile("native_call_add.out", 2**40, 15, instruction=0)])
    event = decode(writer.finish()).runs[0].events[0]
    assert isinstance(event, ProfileEvent) and event.ticks is None


def test_a_runner_without_a_counter_measures_nothing() -> None:
    writer = DumpWriter()
    writer.run("Execute", [writer.profile("native_call_add.out", 0, 0, instruction=0)])
    capture = read_capture("x", logged(writer.finish(sized=True)).encode())
    etdump = capture.runs[0].etdump
    assert etdump is not None and etdump.events[0].cycles is None
    assert "etdump-untimed" in _rules(capture)


def test_the_delegate_stands_beside_the_npus_own_cycles() -> None:
    writer = DumpWriter()
    events = [
        writer.profile("native_call_quantize.out", 0, 100, instruction=0),
        writer.profile("OPERATOR_CALL", 0, 110, instruction=0),
        writer.profile("+EthosUBackend::execute()NPU", 130, 180, instruction=1),
        writer.profile("EthosUBackend::execute()", 125, 190, instruction=1),
        writer.profile("DELEGATE_CALL", 120, 200, instruction=1),
        writer.profile("Method::execute", 0, 300, chain=-1, instruction=0),
    ]
    writer.run("Execute", events)
    pmu = "ethosu_pmu_cycle_cntr : 4321"
    run = read_capture("x", logged(writer.finish(sized=True), before=pmu).encode()).runs[0]
    assert run.pmu is not None and run.etdump is not None
    calls = [e for e in run.etdump.events if e.name == "DELEGATE_CALL"]
    assert [e.operator for e in calls] == ["EthosUBackend"]
    rows = {row[0].text: [cell.value for cell in row[1:]] for row in operators_table(run).rows}
    assert rows["quantize.out"][2] == 100
    assert rows["DELEGATE_CALL (EthosUBackend)"] == [1, 1, 80, 80.0, pytest.approx(26.67, abs=0.01), 4321]
    assert rows["  EthosUBackend::execute()"][2] == 65
    assert rows["(between operators)"][2] == 300 - 100 - 80
    assert rows["Method::execute"][2] == 300


def test_names_cannot_steer_a_terminal() -> None:
    writer = DumpWriter()
    writer.run("Exe\x1b[2Jcute", [writer.profile("a\x1b]52;c;AAAA\x07b\u202e", 1, 2, instruction=0)])
    found = decode(writer.finish())
    assert found.runs[0].name == "Execute" and found.runs[0].events[0].name == "ab"  # type: ignore[union-attr]


def test_what_is_no_etdump_is_one_sentence() -> None:
    for data in (b"", b"ED00", bytes(64), b"\x00" * 4 + b"ED00", b"\xff" * 4 + b"ED00" + b"\xff" * 64):
        with pytest.raises(EtdumpError, match=r"^\S.*\S$"):
            decode(data)


def test_overlapping_lists_cost_no_more_than_honest_ones() -> None:
    """Many runs that share one long list of events: the budget ends it."""
    events = 4000
    runs = 4000
    head = struct.pack("<I4s", 16, b"ED00")
    vtables = struct.pack("<HHHH", 8, 12, 4, 8)
    body = bytearray(head + vtables)
    root = len(body)
    body += struct.pack("<iII", root - 8, 0, 4)
    vector = len(body)
    run_at = vector + 4 + 4 * runs + 12
    body += struct.pack("<I", runs)
    for i in range(runs):
        body += struct.pack("<I", run_at - (vector + 4 + 4 * i))
    body += struct.pack("<HHHHHH", 12, 8, 0, 0, 0, 4)
    assert len(body) == run_at
    body += struct.pack("<iI", 12, 4)
    body += struct.pack("<I", events) + struct.pack("<I", 8) * events + bytes(16)
    found = decode(bytes(body))
    assert sum(len(run.events) for run in found.runs) <= len(body) // 8
    assert found.lost_runs > 3000


def test_a_block_cut_by_a_reset_is_said_of_its_run(dump: bytes, log: bytes) -> None:
    start = log.index(b'echo "') + 6
    capture = read_capture("x", log[: start + 1300] + b"\n" + log)
    assert [finding.run for finding in capture.findings if finding.rule == "etdump-cut"] == [1]
    first, second = (run.etdump for run in capture.runs)
    assert first is not None and second is not None and 0 < len(first.events) < len(second.events) == 9


def test_a_block_that_is_still_coming_waits(log: bytes) -> None:
    start = log.index(b'echo "') + 6
    reader = CaptureReader("x")
    reader.feed(log[: start + 1300])
    assert reader.snapshot().runs[0].etdump is None
    reader.feed(log[start + 1300 :])
    run = reader.snapshot().runs[0]
    assert run.etdump is not None and len(run.etdump.events) == 9


@pytest.mark.parametrize("era", ["0.6", "0.7", "1.0"])
@pytest.mark.parametrize("change", [-400, -100, -4, 4, 100])
def test_a_gap_in_the_middle_leaves_no_event_to_trust(era: str, change: int, dump: bytes) -> None:
    text = logged(dump, era)
    place = text.index("RDAw") + 500
    text = text[: place + min(change, 0)] + text[place - max(change, 0) :]
    capture = read_capture("x", text.encode())
    etdump = capture.runs[0].etdump
    assert etdump is not None and etdump.events == ()
    assert "cannot be told" in _rules(capture)["etdump-damaged"]


@pytest.mark.parametrize("era", ["0.6", "0.7", "1.0"])
@pytest.mark.parametrize(
    "stamp", ["2026-08-22T10:11:12.1234567Z ", "[10:11:12.123] ", "Aug 22 10:11:12 ", "\x1b[32m", "[   12.345678] "]
)
@pytest.mark.parametrize("width", [None, 80])
def test_stamped_and_wrapped_logs_give_the_events(era: str, stamp: str, width: int | None, dump: bytes) -> None:
    lines = logged(dump, era, debug_buffer=b"xyz" * 30 if era == "1.0" else None).splitlines()
    if width is not None:
        lines = [line[i : i + width] for line in lines for i in range(0, max(1, len(line)), width)]
    capture = read_capture("x", "".join(f"{stamp}{line}\r\n" for line in lines).encode())
    etdump = capture.runs[0].etdump
    assert etdump is not None and [(e.name, e.cycles) for e in etdump.events] == [row[1:3] for row in EXPECTED]
    assert not _rules(capture)
