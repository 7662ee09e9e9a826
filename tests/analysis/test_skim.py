"""Hours of other programs' lines are passed over, and everything comes to what the reader for every line comes to."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ethosu_tui.analysis.capture import CaptureReader
from ethosu_tui.analysis.fast.idle import FIRST_READ, LAST_READ, LEAST_LINES, IdleText
from ethosu_tui.analysis.lines import parse_line
from ethosu_tui.analysis.outcome import Outcome
from ethosu_tui.analysis.patterns import PATTERNS, TABLE
from ethosu_tui.analysis.patterns.errors import BEGINNINGS, is_error
from ethosu_tui.analysis.report import Capture, to_dict
from ethosu_tui.analysis.scan import Scanner

WORDS = (
    "heartbeat seq=%d", "wifi: rssi=-%d dBm", "usb 1-1: device at 0x%x", "", "   ", "\tat module+0x%x", "E%d retry",
    "adc=%d.5 V", "> %d", "\x1b[32mgreen %d\x1b[0m", "[wdt] kick %d", "- item %d", "{\"t\": %d}", "&lt;b%d&gt;", "a\rb %d",
    "caf\u00e9 %d", "task%d: stack left, in words, of all that was given to it at its very beginning", "x%d | y",
)  # fmt: skip
STAMPS = ("", "[%5d.000123] ", "[2026-01-01 00:00:%02d.000] ", "00:00:%02d.5 ", "Jan  1 00:00:%02d board app[7]: ")


def idle(count: int, text: str = "heartbeat seq=%d") -> bytes:
    return b"".join((text % number + "\n").encode() for number in range(count))


def noise(R: random.Random, stamp: str, end: str) -> bytes:
    words = R.sample(WORDS, R.randrange(1, 4))
    made = []
    for place in range(R.choice((5, 40, 150))):
        text, begin = R.choice(words), stamp % (place % 60) if stamp else ""
        made.append(begin + (text % R.randrange(10 ** R.randrange(1, 7)) if "%" in text else text) + end)
    return "".join(made).encode()


def mixture(R: random.Random, logs: list[bytes]) -> bytes:
    """Logs, whole or cut, with other programs' lines before, between and within them."""
    stamp, end, out = R.choice(STAMPS), R.choice(("\n", "\r\n")), [b""]
    for log in R.choices(logs, k=R.randrange(1, 5)):
        lines = log.split(b"\n")[: R.choice((None, -3, 20))]
        at = R.randrange(len(lines) + 1)
        out += [
            noise(R, stamp, end),
            b"\n".join(lines[:at]) + b"\n",
            noise(R, stamp, end),
            b"\n".join(lines[at:]) + b"\n",
        ]
    return b"".join(out)


def everything(data: bytes, jsonl: bool, block: int) -> tuple[object, ...]:
    scanner = Scanner("night.log", jsonl=jsonl)
    for begin in range(0, len(data), block):
        scanner.feed(data[begin : begin + block])
    scanner.finish()
    return scanner.rows(), scanner.json_lines(), to_dict(scanner.capture())


def skimmed(data: bytes) -> tuple[CaptureReader, int]:
    """The reader, and how many lines it has read."""
    reader = CaptureReader("night.log")
    read = sum(len(reader.skim(data[at : at + 20_000])) for at in range(0, len(data), 20_000))
    return reader, read


@pytest.mark.parametrize("seed", range(60))
def test_mixtures_are_read_alike(seed: int, samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    R = random.Random(seed)
    logs = [path.read_bytes() for path in R.sample(sorted(samples.glob("*.log")), 3) if path.stat().st_size < 40_000]
    data = mixture(R, logs or [b"I [executorch:arm_executor_runner.cpp:364] Model in 0x70000000 $\n"])
    jsonl, block = R.random() < 0.3, R.choice((1 << 20, 10_007))
    found = everything(data, jsonl, block)
    monkeypatch.setattr(CaptureReader, "skim", CaptureReader.feed)
    assert found == everything(data, jsonl, block)


@pytest.mark.parametrize(
    "text", ["heartbeat seq=%d", "[%12d.000001] usb 1-1: device at 0xbeef%x", "Jan  1 00:00:01 board sshd[%d]: closed"]
)
def test_most_lines_are_passed_over(text: str) -> None:
    data = b"".join((text % ((number,) * text.count("%")) + "\r\n").encode() for number in range(100, 6_100))
    reader, read = skimmed(data)
    assert read < 400, "of 6,000"
    capture = reader.finish()
    assert (capture.lines, capture.bytes, capture.runs) == (6_000, len(data), ())


def test_lines_that_mean_something_are_read() -> None:
    data = idle(500) + b"I [executorch:arm_executor_runner.cpp:70] Model buffer loaded, has 1 methods\n" + idle(500)
    reader, _ = skimmed(data)
    assert [(run.first_line, run.last_line) for run in reader.finish().runs] == [(501, 501)]


@pytest.mark.parametrize(
    "text",
    [
        "I [executorch:runner.cpp:%d] Model buffer loaded", "Output[0][%d]: 1.5", "E: bus fault %d", "%d",
        "ethosu_pmu_cntr0 : %d", "make: *** [all] Error %d", "[E] something %d", "a.o: undefined reference to f%d", "r&amp;d %d",
    ],
)  # fmt: skip
def test_what_may_mean_something_is_never_passed_over(text: str) -> None:
    assert not list(IdleText().stretches(idle(1000, text)))


@pytest.mark.parametrize("before", ["", "<err> os: ", "Jan  1 00:00:01 board app[7]: "])
def test_what_some_pattern_or_error_says_is_never_passed_over(before: str) -> None:
    """Neither where its words hold digits, of which a shape keeps none."""
    said = [sample for pattern in PATTERNS for sample in pattern.samples]
    said += [f"{text} x" for text in (*BEGINNINGS, "Input 0 expected Integer (4 byte)")]
    passed = []
    for text in said:
        raw = f"{before}{text}\n".encode()
        message = parse_line(1, raw[:-1]).message
        if TABLE.match(message, 1) is None and not is_error(message):
            continue
        if list(IdleText().stretches(idle(40) + raw + idle(40)))[0].lines > 40:
            passed.append(text)
    assert not passed


def test_errors_between_idle_lines_are_in_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    start = b"Model PTE file loaded. Size: 960 bytes.\nModel buffer loaded, has 1 methods\n"
    fault = b"<err> os: ***** USAGE FAULT *****\n"
    address = b"<err> os: Faulting instruction address (r15/pc): 0x1001f4e2\n"
    said = idle(400) + b"Only batch size 1 is supported.\n" + idle(400) + fault + idle(400) + address + idle(400)
    found = everything(start + said, True, 1 << 20)
    monkeypatch.setattr(CaptureReader, "skim", CaptureReader.feed)
    assert found == everything(start + said, True, 1 << 20)
    assert "Only batch size 1" in str(found) and "0x1001f4e2" in str(found)


def test_an_open_table_or_dump_ends_where_it_ends(samples: Path) -> None:
    """Lines of another program stand where the next row of an operator table, or the rest of an ETDump, would."""
    dumped = (samples / "etd_plain.log").read_bytes()
    begin = dumped.index(b'echo "') + 40
    for at in (begin, dumped.index(b"\n", begin) + 1):
        data = dumped[:at] + b"\n" + idle(300) + dumped[at:]
        whole = CaptureReader("night.log")
        whole.feed(data)
        assert skimmed(data)[0].finish() == whole.finish()


def test_the_first_stamp_of_an_open_run_is_kept() -> None:
    start = b"I [executorch:arm_executor_runner.cpp:70] Model buffer loaded, has 1 methods\n"
    data = start + idle(100) + idle(100, "[%5d.000123] heartbeat") + start.replace(b"I ", b"[  900.000001] I ")
    rows = everything(data, False, 1 << 20)[0]
    assert isinstance(rows, list) and rows[0].at in (None, "[    0.000123]")
    stretches = list(IdleText().stretches(data))
    assert [found.lines for found in stretches] == [100 - FIRST_READ - LAST_READ]
    assert data[stretches[0].begin :].startswith(b"[    2.")


@pytest.mark.parametrize("blank", ["", "   ", "[  900.000001] "])
@pytest.mark.parametrize("stamp", ["", "[    1.000001] "])
def test_the_last_words_are_those_before_blank_lines(blank: str, stamp: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a target said last is told of a run that did not start."""
    data = (
        idle(3000, stamp + "heartbeat seq=%d") + f"{stamp}state: no memory left\n".encode() + f"{blank}\n".encode() * 40
    )

    def told() -> Capture:
        scanner = Scanner("night.log")
        scanner.feed(data)
        scanner.finish(Outcome("timeout", kind="serial"))
        return scanner.capture()

    found = told()
    assert "state: no memory left" in found.findings[0].detail
    monkeypatch.setattr(CaptureReader, "skim", CaptureReader.feed)
    assert found == told()


def test_few_lines_are_not_worth_it_and_many_kinds_are_not_judged() -> None:
    assert not list(IdleText().stretches(idle(LEAST_LINES - 1)))
    R = random.Random(1)
    letters = "abcdefgh"
    text = IdleText()
    for _ in range(5):
        lines = ("".join(R.choices(letters, k=30)) + "\n" for _ in range(2_000))
        list(text.stretches("".join(lines).encode()))
    assert len(text) < 10_000 // 16


@pytest.mark.parametrize(
    "line",
    [
        "<13>1 2026-11-27T10:04:29.%06d+00:00 lab evk7 25040 - -  INFO - NPU TOTAL: %d cycles",
        '{"dt": "2026-11-27T10:04:29.%06d", "msg": "\\u2502 aten_relu_%d \\u2502"}',
    ],
)
def test_digits_that_are_no_numbers_do_not_hide_what_a_line_means(line: str) -> None:
    text = b"".join((line % (number, number)).encode() + b"\n" for number in range(3 * LEAST_LINES))
    assert list(IdleText().stretches(text)) == []
