"""Captures whose parts are headed: what the fast paths read is what reading line by line gives."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import CaptureReader, read_capture
from ethosu_tui.analysis.capture import SKIM_BYTES
from ethosu_tui.analysis.report import Capture
from ethosu_tui.analysis.scan import Scanner

ELEMENTS = 900
RUN = (
    "I [executorch:bench.cpp:21 main()] Model buffer loaded, has 1 methods\n"
    "I [executorch:bench.cpp:22 main()] Running method forward\n"
    f"1 outputs: \n{''.join(f'Output[0][{at}]: (float) {at / 8:f}{chr(10)}' for at in range(ELEMENTS))}"
    "I [executorch:bench.cpp:23 main()] Program complete, exiting.\n"
)


def _section(name: str) -> str:
    return f"{f' Captured {name} call ':-^80}\n"


def _beats(count: int, mark: str = "") -> str:
    return "".join(f"heartbeat {at} ok{mark}\n" for at in range(count))


def _by_lines(data: bytes) -> Capture:
    reader = CaptureReader("x")
    reader.look_at(data[:SKIM_BYTES])
    for line in data.splitlines(keepends=True):
        reader.feed(line)
    return reader.finish()


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        (f"{_section('stdout')}{RUN}{_section('log')}{RUN}==== 1 failed ====\n{RUN}", 2),
        (f"{RUN * 9}{_section('stdout')}{RUN}{_section('log')}{RUN}==== 1 failed ====\n{RUN * 9}", 19),
        (f"{RUN}{_section('stdout')}{_beats(900)}{RUN}{_section('log')}{_beats(900, '.')}{RUN}==== x ====\n", 3),
        (f"{_beats(900)}==> a.log <==\n{_beats(900)}{RUN}==> b.log <==\n{_beats(900)}{RUN}{_beats(900)}", 2),
    ],
    ids=["dumps", "runs around them", "idle text", "files"],
)
def test_parts_are_read_alike_however_they_are_read(text: str, runs: int) -> None:
    data = text.encode()
    plain, skimmed, scanner = _by_lines(data), CaptureReader("x"), Scanner("x", full_runs=100)
    assert len(plain.runs) == runs
    skimmed.look_at(data)
    skimmed.skim(data)
    scanner.look_at(data)
    scanner.feed(data)
    scanner.finish()
    for other in (read_capture("x", data), skimmed.finish(), scanner.capture()):
        assert other.runs == plain.runs
        assert other.findings == plain.findings
