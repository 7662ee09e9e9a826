"""What must hold for any bytes whatever; held by hypothesis in the tests and by the coverage-guided fuzz target."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

from ethosu_tui.analysis import Capture, CaptureReader, Report, read_capture
from ethosu_tui.analysis.patterns import TABLE
from ethosu_tui.analysis.scan import FIRST_RUNS, Scanner
from ethosu_tui.analysis.splitter import LineSplitter

_STEERING = {*range(0x20), *range(0x7F, 0xA0), 0xAD, 0x061C, 0xFEFF, *range(0x200B, 0x2010), *range(0x2028, 0x202F)}
_STEERING |= {*range(0x2060, 0x2070), *range(0xFFF9, 0xFFFC), *range(0xE0000, 0xE0080), *range(0xD800, 0xE000)}


REPEATED_BYTES = 4096
"""Longer inputs are not repeated: the same takes longer there and shows no more."""
COPIES = 10
"""Three runs are read line by line, two more are learnt from; what comes then may be read by layouts."""


SKIMMED_BYTES = 20_000
"""Into longer inputs no other program's lines are put."""
IDLE = (
    b"heartbeat seq=%d free=1%d\n",
    b"[  %d.000001] usb 1-%d: device found\r\n",
    b"Jan  1 00:00:01 board sshd[%d]: closed %d\n",
)


NOWHERE: dict[str, Any] = {"start_byte": 0, "end_byte": 0, "at": None}
"""Where a run stands that waited for another source's lines is known by the block that it began in, or not at all."""


def chunks(data: bytes, size: int) -> Iterator[bytes]:
    """The data in pieces of this size."""
    return (data[at : at + size] for at in range(0, len(data), size))


def assert_plain(text: str) -> None:
    """Nothing in this text could steer a terminal, reorder it or hide in it."""
    if not text.isascii() or not text.isprintable():
        found = [hex(ord(character)) for character in text if ord(character) in _STEERING]
        assert not found, (text[:200], found[:5])


def strings(value: Any) -> Iterator[str]:
    """Every string of a JSON document, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def document_of(capture: Capture) -> dict[str, Any]:
    """The report of a capture as another program reads it; it must be strict JSON."""
    document: dict[str, Any] = json.loads(json.dumps(Report((capture,)).to_dict(), allow_nan=False))
    return document["captures"][0]


def check(data: bytes) -> dict[str, Any]:
    """Read the data in every way that there is; all must agree and keep the promises of the report."""
    capture = read_capture("x", data)
    document = document_of(capture)
    assert capture.bytes == len(data)
    for text in strings(document):
        assert_plain(text)
    for run in document["runs"]:
        assert 1 <= run["first_line"] <= run["last_line"] <= capture.lines, (
            run["first_line"],
            run["last_line"],
            capture.lines,
        )
        errors = [f for f in document["findings"] if f["run"] == run["index"] and f["severity"] == "error"]
        assert not errors if run["status"] == "passed" else len(errors) == 1, (
            run["status"],
            [f["rule"] for f in errors],
        )
    for finding in document["findings"]:
        assert finding["title"] and all(1 <= line <= capture.lines for line in finding["lines"]), finding
    size = 1 + (len(data) * 7 + sum(data[:4])) % 193
    if len(data) < 20_000 or size > 20:
        _same(document, document_of(read_capture("x", chunks(data, size))), f"chunks of {size}")
        _watched(data, size)
    _scanned(data, document, size)
    if len(data) <= SKIMMED_BYTES:
        _skimmed(data, size)
    if document["runs"] and len(data) <= REPEATED_BYTES:
        check_repeated(data, size)
    return document


def _same(one: dict[str, Any], other: dict[str, Any], how: str) -> None:
    if one != other:
        different = {key: (one[key], other.get(key)) for key in one if one[key] != other.get(key)}
        raise AssertionError(f"{how}: {str(different)[:2000]}")


def _watched(data: bytes, size: int) -> None:
    """A live view: lines as they come, snapshots between, and the lines of the splitter alone."""
    reader, splitter = CaptureReader("x"), LineSplitter(lambda text: TABLE.match(text, 0) is not None)
    for number, chunk in enumerate(chunks(data, size)):
        lines = reader.feed(chunk)
        assert [line.text for line in lines] == [line.text for line in splitter.feed(chunk)]
        for line in lines:
            assert_plain(line.text)
            assert_plain(line.message)
        if number % 16 == 3:
            reader.snapshot()


def _scanned(data: bytes, document: dict[str, Any], size: int) -> None:
    """The scanner for huge captures finds the same runs, findings and counts."""
    scanner = Scanner("x", full_runs=1000)
    scanner.look_at(data)
    for chunk in chunks(data, 1 + size * 64):
        scanner.feed(chunk)
    scanner.finish()
    rows = scanner.rows()
    assert [(row.index, row.status, row.stage, row.first_line, row.last_line) for row in rows] == [
        (run["index"], run["status"], run["stage"], run["first_line"], run["last_line"]) for run in document["runs"]
    ]
    if len(rows) <= 1000:
        _same(document, document_of(scanner.capture()), "scanner")


def _skimmed(data: bytes, size: int) -> None:
    """With many lines of another program somewhere in the log, most of these are passed over, and nothing else changes."""
    at = data.find(b"\n", sum(data[:64]) % (len(data) + 1)) + 1
    text = IDLE[size % len(IDLE)]
    night = data[:at] + b"".join(text % (number, number % 7) for number in range(60)) + data[at:]
    reader = CaptureReader("x")
    reader.look_at(night)
    with patch("ethosu_tui.analysis.capture.SKIM_BYTES", 0):
        for chunk in chunks(night, len(night) // 2 + 1):
            reader.skim(chunk)
    _same(document_of(read_capture("x", night)), document_of(reader.finish()), "skimmed")


def check_repeated(data: bytes, size: int) -> int:
    """A night of this log, with other digits in each copy, is the same by layouts; how many runs were read by them."""
    night = b"".join(_copy(data, number) for number in range(COPIES))
    with_json = size % 2 == 0
    slow = Scanner("x", full_runs=1 << 60, jsonl=with_json)
    slow.feed(night)
    slow.finish()
    fast = Scanner("x", full_runs=1, jsonl=with_json)
    at = 0
    while at < len(night):
        step = 256 if fast.run_count < FIRST_RUNS else 1 + size * 64
        fast.feed(night[at : at + step])
        at += step
    fast.finish()
    for one, other in zip(slow.rows(), fast.rows(), strict=True):
        one, other = one._replace(**NOWHERE), other._replace(**NOWHERE)
        assert one == other, (one, other)
    assert slow.json_lines() == fast.json_lines()
    whole, part = slow.capture(), fast.capture()
    assert (whole.bytes, whole.lines, whole.compile) == (part.bytes, part.lines, part.compile)
    layouts = fast._layouts
    return sum(layout.taken for layout in layouts.layouts) if layouts is not None else 0


def _copy(data: bytes, number: int) -> bytes:
    """The log once more: from the third copy on with one of its long numbers changed wherever it stands."""
    figures = sorted(set(re.findall(rb"[ (](\d{4,9})(?=[ .)\r\n])", data)))
    if number > 1 and figures:
        figure = figures[(number + len(data)) % len(figures)]
        other = figure[:-1] + (b"%d" % number if number != COPIES - 1 else b"70")
        data = re.sub(rb"(?<=[ (])" + figure + rb"(?=[ .)\r\n])", other, data)
    return data if data.endswith(b"\n") else data + b"\n"
