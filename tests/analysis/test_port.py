"""What a capture says of its line and its board: a wrong baud rate with its share, and a board that starts for ever."""

from __future__ import annotations

import random
import re

import pytest

from ethosu_tui.analysis import CaptureReader, Outcome, read_capture
from ethosu_tui.analysis.post_mortem.followed import FollowedCapture
from ethosu_tui.analysis.report import Capture
from ethosu_tui.analysis.reread import reread
from ethosu_tui.analysis.scan import Scanner
from ethosu_tui.analysis.watching.live_reader import LiveReader

STOPPED = Outcome("timeout", None, "ended by us after the time limit of 5 s")
BOOT = (
    b"I [executorch:arm_executor_runner.cpp:364] Model in 0x70000000 $\n"
    b"I [executorch:arm_executor_runner.cpp:366] Model PTE file loaded. Size: 966 bytes.\n"
)


def read(data: bytes, outcome: Outcome | None, size: int = 777) -> Capture:
    reader = CaptureReader("board")
    for start in range(0, len(data), size):
        reader.feed(data[start : start + size], 0.0)
    return reader.finish(outcome)


def wrong_baud(data: bytes, seed: int = 1) -> bytes:
    """What a UART that samples twice too fast makes of text: each bit comes twice, cut into bytes of its own."""
    bits = []
    for byte in data:
        bits += [0, *(byte >> at & 1 for at in range(8)), 1]
    fast = [bit for bit in bits for _ in range(2)]
    found, at = bytearray(), 0
    while at + 10 <= len(fast):
        if fast[at]:
            at += 1
            continue
        found.append(sum(bit << place for place, bit in enumerate(fast[at + 1 : at + 9])))
        at += 10
    return bytes(found)


def rules(capture: Capture) -> list[str]:
    return [finding.rule for finding in capture.findings]


@pytest.mark.parametrize("seed", range(5))
def test_noise_is_told_with_its_share(seed: int) -> None:
    capture = read(random.Random(seed).randbytes(5000), STOPPED)
    (finding,) = [finding for finding in capture.findings if finding.rule == "undecodable-lines"]
    assert f"of {capture.lines:,} lines" in finding.title and "--baud" in finding.advice


def test_of_lines_that_are_no_text_none_counts_twice() -> None:
    told = [one for one in read(b"\r".join([b"\x80\xff\xfe"] * 50) + b"\n" + b"\x81\xff\n" * 3, STOPPED).findings]
    assert [one.title for one in told if one.rule == "undecodable-lines"] == [
        "4 of 4 lines are not readable text (100 %)"
    ]


def test_text_at_another_baud_rate_is_told() -> None:
    data = wrong_baud(BOOT * 20)
    assert "undecodable-lines" in rules(read(data, STOPPED))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        BOOT * 2,
        BOOT * 2 + b"\xff\xfe\x00\n",
        "Größe: 3 µs, fertig\n".encode() * 30,
        "Gr\u00f6\u00dfe der Messung ist fertig\n".encode("latin-1") * 30,
        b"\x1b[32mgreen\x1b[0m\x04\x07\b\n" * 9,
    ],
)
def test_text_is_not_called_noise(data: bytes) -> None:
    assert "undecodable-lines" not in rules(read(data, STOPPED))


def test_a_file_that_may_be_anything_is_not_called_a_port() -> None:
    noise = random.Random(1).randbytes(5000)
    assert rules(read(noise, None)) == []
    assert (
        rules(read(noise + b"\nI [executorch:arm_executor_runner.cpp:384] Running method forward\n" + noise, None))
        != []
    )
    chance = read(noise + b"\n#45 f()\n" + noise, None)
    assert chance.recognised and not chance.runs and rules(chance) == []


def test_the_time_limit_of_a_board_has_no_advice_for_simulators() -> None:
    board = Outcome("timeout", None, "ended by us after the time limit of 5 s", "serial")
    for outcome, simulated in ((board, False), (board._replace(kind="fvp"), True)):
        (finding,) = [one for one in read(BOOT, outcome).findings if one.rule == "time-limit"]
        assert "--timeout" in finding.advice and ("run_fvp.sh" in finding.advice) is simulated


@pytest.mark.parametrize("tail", [b"", b"I [executorch:arm_executor_runner.cpp:364] Model in 0x70000000 $\n"])
def test_a_board_that_starts_for_ever_is_told_with_the_count(tail: bytes) -> None:
    capture = read(BOOT * 7 + tail, STOPPED)
    (finding,) = [finding for finding in capture.findings if finding.rule == "boot-loop"]
    assert f"started {7 + bool(tail)} times" in finding.title and finding.lines == (1, 3, 5, 7, 9)


@pytest.mark.parametrize("times", [1, 2])
def test_a_start_or_two_are_no_loop(times: int) -> None:
    assert "boot-loop" not in rules(read(BOOT * times, STOPPED))


def test_a_run_that_gets_further_is_no_loop(samples: object) -> None:
    from pathlib import Path

    log = (Path(str(samples)) / "softmax.log").read_bytes()
    assert "boot-loop" not in rules(read(BOOT * 5 + log, STOPPED))
    half = log[: len(log) * 2 // 3]
    assert "boot-loop" not in rules(read(BOOT * 5 + half, STOPPED))


RETURNED = [
    f"I [executorch:arm_executor_runner.cpp:{600 + at} main()] {text}"
    for at, text in enumerate(
        ("PTE Model data loaded. Size: 960 bytes.", "Model buffer loaded, has 1 methods", "Running method forward")
    )
]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("\r".join([*RETURNED, ""]), True),
        ("\r".join(["banner\n" + RETURNED[0], *RETURNED[1:], ""]), True),
        ("\r\n".join([*RETURNED, ""]), False),
        ("\n\r".join([*RETURNED, ""]), False),
        ("".join(f"{at}%\r" for at in range(50)) + "\n".join([*RETURNED, ""]), False),
        ("\n".join([*RETURNED, "a\rb\rc\rd"]), False),
        ("".join(RETURNED), False),
        ("".join(f"\r[{at}/50] Building C object a{at}.o" for at in range(50)) + "\n" + "\n".join([*RETURNED, ""]), False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("piece", [1, 7, 1 << 16])
def test_lines_that_only_carriage_returns_end_share_a_number(text: str, told: bool, piece: int) -> None:
    data = text.encode()
    capture = read(data, None, piece)
    assert ("lines-unnumbered" in {finding.rule for finding in capture.findings}) == told
    assert capture.runs[0].model.methods == 1


@pytest.mark.parametrize("piece", [1, 7, 1 << 16])
@pytest.mark.parametrize("end", ["\r", "\r\r"])
def test_lines_that_all_end_with_a_carriage_return_have_numbers_of_their_own(end: str, piece: int) -> None:
    data = end.join(["banner", *RETURNED, ""]).encode()
    scanner = Scanner("log")
    scanner.look_at(data)
    for start in range(0, len(data), piece):
        scanner.feed(data[start : start + piece])
    scanner.finish()
    for capture in (read_capture("log", data), scanner.capture()):
        assert "lines-unnumbered" not in {finding.rule for finding in capture.findings}
        assert (capture.runs[0].lines["model.methods"], capture.lines) == (1 + 2 * len(end), 4 * len(end))
    (row,) = scanner.rows()
    assert (
        data[row.start_byte : row.end_byte] == end.join([*RETURNED[:3], ""]).encode()[: row.end_byte - row.start_byte]
    )
    assert reread(row, data[row.start_byte :], 4).runs[0].lines["model.methods"] == 1 + 2 * len(end)


@pytest.mark.parametrize("piece", [1, 7, 1 << 16])
@pytest.mark.parametrize("end", ["\r", "\r\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_lines_have_the_same_numbers_in_other_encodings_and_while_they_come(
    encoding: str, end: str, piece: int
) -> None:
    text = end.join(["banner", *RETURNED, ""])
    plain, data = read_capture("log", text.encode()), text.encode(encoding)
    stored = read_capture("log", data)
    assert (stored.lines, stored.runs, stored.findings) == (plain.lines, plain.runs, plain.findings)
    live, followed = LiveReader("log"), FollowedCapture("log")
    pieces = [data[start : start + piece] for start in range(0, len(data), piece)]
    shown = [line for part in pieces for line in live.feed(part)]
    assert live.finish().runs == plain.runs
    assert [line.text for line in shown if line.text][:3] == ["banner", *RETURNED[:2]]
    rows = [run.row for part in pieces for run in followed.feed(part)] + [run.row for run in followed.finish()]
    assert [(row.first_line, row.last_line) for row in rows] == [(run.first_line, run.last_line) for run in plain.runs]


@pytest.mark.parametrize("end", ["\r", "\r\r", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
@pytest.mark.parametrize("pause", [1, 30, 200, 10_000])
def test_pauses_do_not_change_the_ends_of_lines_of_a_log_that_grows(encoding: str, end: str, pause: int) -> None:
    data = end.join(["banner", *RETURNED, "banner", *RETURNED, ""]).encode(encoding)
    plain, followed = read_capture("log", data), FollowedCapture("log")
    given = []
    for start in range(0, len(data), pause):
        given += [*followed.feed(data[start : start + pause]), *followed.quiet()]
    rows = [run.row for run in (*given, *followed.finish())]
    assert [(row.index, row.first_line) for row in rows] == [(run.index, run.first_line) for run in plain.runs]


def test_a_display_of_progress_before_a_live_log_is_one_line() -> None:
    display = "".join(
        f"\r[{at}/50] Building C object a{at}.o with several other words beside quite some flags" for at in range(50)
    )
    live = LiveReader("log")
    for part in (display, "\n", "\n".join(["banner", *RETURNED, ""])):
        live.feed(part.encode())
    assert live.finish().runs[0].lines["model.methods"] == 4


@pytest.mark.parametrize("between", [rb"\Z", rb"(?<=\r)"])
def test_both_ends_of_a_line_are_one_where_only_returns_came_before(between: bytes) -> None:
    begun = "".join(f"row {at} of another program that ends its lines so\r" for at in range(2000)).replace(
        "row", "alpha sigma gamma delta omega kappa theta"
    )
    data = (begun + "\r\n".join([*RETURNED, ""])).encode()
    pieces = re.split(between, data)
    scanner = Scanner("log")
    scanner.look_at(data)
    for part in pieces:
        scanner.feed(part)
    scanner.finish()
    for capture in (read_capture("log", iter(pieces)), scanner.capture()):
        assert (capture.runs[0].lines["model.methods"], capture.lines) == (2002, 2003)


@pytest.mark.parametrize(
    "progress",
    [
        "".join(f"model.pte {at}%[=> ] {at}.5M 300KB/s eta {at}s\r" for at in range(900)),
        "".join(
            f"\r[{at}/900] Building C object one/two/three/name{at}/wordier.{'o' * (at % 9 + 5)}\x1b[K"
            for at in range(900)
        ),
    ],
)
def test_a_long_display_of_progress_is_one_line(progress: str) -> None:
    capture = read_capture("log", (progress + "\n" + "\n".join([*RETURNED, ""])).encode())
    assert capture.runs[0].lines["model.methods"] == 3
