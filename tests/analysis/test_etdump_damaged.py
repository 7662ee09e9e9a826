"""ETDump blocks with damage: what is sound is read, nothing is shown that a damaged byte may have a part in."""

from __future__ import annotations

import base64
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.etdump.decode import decode
from ethosu_tui.analysis.etdump.reader import EtdumpError
from ethosu_tui.analysis.etdump.tables import operators_table
from ethosu_tui.analysis.etdump.text import decode_block
from ethosu_tui.analysis.report import Capture, Finding

from .etdump_writer import DumpWriter, logged

LOG = (Path(__file__).resolve().parents[2] / "sample_logs" / "etd_plain.log").read_bytes()
TEXT = re.search(rb'echo "([^"]+)"', LOG)[1]  # type: ignore[index]
DUMP = base64.b64decode(TEXT)
LINE = LOG[: LOG.index(TEXT)].count(b"\n") + 1
STRANGER = b"I [executorch:arm_executor_runner.cpp:1352 run_model()] hello\n"


def _replaced(place: int, by: bytes) -> bytes:
    return TEXT[:place] + by + TEXT[place + len(by) :]


def _rows(text: bytes) -> bytes:
    return b"\n".join(text[i : i + 76] for i in range(0, len(text), 76))


def _read(text: bytes) -> tuple[Capture, Finding | None]:
    capture = read_capture("x", LOG.replace(TEXT, text))
    return capture, next((f for f in capture.findings if f.rule.startswith("etdump")), None)


def _events(capture: Capture) -> list[tuple[str, int | None]]:
    etdump = capture.runs[0].etdump
    return [(e.name, e.cycles) for e in etdump.events] if etdump is not None else []


WHOLE = _events(_read(TEXT)[0])


@pytest.mark.parametrize("by", [b"?", b"\xff", "é".encode(), b"$", b"%", b"*", b"~~~~", b"$%&#"])
@pytest.mark.parametrize("era", ["1.0", "0.6", "wrapped"])
def test_a_garbled_character_costs_what_it_stood_for(by: bytes, era: str) -> None:
    text = _replaced(500, by)
    if era == "0.6":
        lines = logged(DUMP, "0.6").encode().replace(TEXT.rstrip(b"="), text.rstrip(b"="))
        capture = read_capture("x", lines)
        finding = next(f for f in capture.findings if f.rule.startswith("etdump"))
        line = lines[: lines.index(text.rstrip(b"="))].count(b"\n") + 1
    else:
        capture, finding = _read(_rows(text) if era == "wrapped" else text)  # type: ignore[assignment]
        line = LINE + 500 // 76 if era == "wrapped" else LINE
    assert finding.rule == "etdump-damaged" and finding.lines == (line,)
    shown = len(by) if by != b"\xff" else 1
    assert finding.detail.startswith(f"{shown} character{'s are' if shown > 1 else ''}"[:11])
    assert f"on line {line}" in finding.detail and "14 of the 15 events" in finding.detail
    assert set(_events(capture)) < set(WHOLE) and len(_events(capture)) == 8
    etdump = capture.runs[0].etdump
    assert etdump is not None and etdump.bytes == 1240 and not etdump.complete


def test_sums_do_not_hide_an_event_that_is_missing() -> None:
    writer = DumpWriter()
    names = ["native_call_a_long_name_to_hit.out", "native_call_b.out"]
    events = [writer.profile(name, 100 * i, 100 * i + 60, instruction=i) for i, name in enumerate(names)]
    writer.run("Execute", [*events, writer.profile("Method::execute", 0, 200, chain=-1, instruction=0)])
    dump = writer.finish(sized=True)
    place = dump.index(b"a_long_name") * 4 // 3 + 4
    text = base64.b64encode(dump).decode()
    log = logged(dump)
    for marred in (log, log.replace(text, text[:place] + "?" + text[place + 1 :])):
        run = read_capture("x", marred.encode()).runs[0]
        names = [row[0].text for row in operators_table(run).rows]
        assert ("(between operators)" in names) == (marred is log)
        assert ("a_long_name_to_hit.out" in names) == (marred is log) and "b.out" in names


@pytest.mark.parametrize(
    ("text", "events", "said"),
    [
        (_replaced(5, b"?"), 0, "at the beginning already"),
        (_replaced(500, b"?")[:900] + TEXT[901:], 0, "cannot be told"),
        (TEXT[:500] + b"~~" + TEXT[500:], 9, "stand between the others"),
        (_replaced(600, b"\xe2\x82"), 2, "only the 446 of the 1,236 bytes before"),
        (TEXT[:-1] + b"?", 9, "15 of the 15 events"),
        (b"$(touch_a_file)", 0, "no base64"),
        (bytes(63 if i % 5 == 3 else c for i, c in enumerate(TEXT)), 0, "no base64"),
    ],
)
def test_what_is_behind_is_used_where_its_place_is_certain(text: bytes, events: int, said: str) -> None:
    capture, finding = _read(text)
    assert finding is not None and finding.rule == "etdump-damaged" and said in finding.detail
    assert set(_events(capture)) <= set(WHOLE) and len(_events(capture)) == events


def test_a_block_that_is_cut_behind_the_damage_gives_what_stands_before_it() -> None:
    start = LOG.index(TEXT)
    capture = read_capture("x", LOG[:start] + _replaced(700, b"?")[:1000])
    (finding,) = (f for f in capture.findings if f.rule.startswith("etdump"))
    assert finding.rule == "etdump-damaged" and "only the 521 of the 1,236 bytes" in finding.detail
    assert _events(capture) and set(_events(capture)) < set(WHOLE)


@pytest.mark.parametrize(
    "text",
    [
        TEXT[:600] + b"\n" + STRANGER + TEXT[600:],
        TEXT[:600] + STRANGER + TEXT[600:],
        _rows(TEXT[:760]) + b"\n" + STRANGER + _rows(TEXT[760:]),
        _rows(TEXT[:780]) + STRANGER + _rows(TEXT[780:]),
        TEXT[:600] + b"\n" + STRANGER.replace(b"hello", b"Model executed successfully.") + TEXT[600:],
    ],
)
def test_a_line_of_another_printer_inside_is_left_out(text: bytes) -> None:
    capture, finding = _read(text)
    assert _events(capture) == WHOLE
    assert finding is not None and (finding.rule, finding.severity) == ("etdump-interleaved", "info")
    lines = LOG.replace(TEXT, text).splitlines()
    assert b"executorch:" in lines[finding.lines[0] - 1] and "1,236 bytes" in finding.detail


def test_a_long_block_on_one_line_may_be_broken_into() -> None:
    data = DUMP + bytes(60_000)
    data = (len(data) - 4).to_bytes(4, "little") + data[4:]
    text = base64.b64encode(data)
    capture, finding = _read(text[:30_000] + STRANGER + text[30_000:])
    assert _events(capture) == WHOLE and finding is not None and finding.rule == "etdump-interleaved"


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(16, len(TEXT) - 3), st.sampled_from(b"?$~*%&#_-!")), min_size=1, max_size=12))
def test_nothing_is_shown_that_the_whole_dump_does_not_say(changes: list[tuple[int, int]]) -> None:
    text = bytearray(TEXT)
    for place, value in changes:
        text[place] = value
    found = decode_block(text, complete=True)
    assert len(found.data) == len(DUMP) and found.odd == len({place for place, _ in changes})
    wrong = {at for at, (a, b) in enumerate(zip(found.data, DUMP, strict=True)) if a != b}
    assert wrong <= {at for start, end in found.damage for at in range(start, end)}
    truth = [event for run in decode(DUMP).runs for event in run.events]
    noise = random.Random(len(changes))
    seen = []
    for _ in range(3):  # whatever stands at the damaged places, the same is read
        data = bytearray(found.data)
        for start, end in found.damage:
            data[start:end] = noise.randbytes(end - start)
        try:
            dump = decode(bytes(data), found.damage)
        except EtdumpError:
            seen.append(None)
            continue
        seen.append(dump)
        assert all(event in truth for run in dump.runs for event in run.events)
    assert seen[0] == seen[1] == seen[2]


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300), st.booleans())
def test_any_text_gives_a_block(held: bytes, complete: bool) -> None:
    found = decode_block(bytearray(held), complete=complete)
    assert len(found.data) <= len(held) and all(0 <= start < end <= len(found.data) for start, end in found.damage)
    decode_block(TEXT[:40] + held, complete=complete)
