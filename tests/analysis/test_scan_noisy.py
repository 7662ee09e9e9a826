"""Captures with stamps, colours and other programs' lines: the scanner cleans them, and comes to what the reader comes to."""

from __future__ import annotations

import itertools
import random
import re
import sys
from collections.abc import Callable

import pytest

from ethosu_tui.analysis import scan
from ethosu_tui.analysis.fast.cleaned import ODD, Cleaned, Numbers, Shapes

from .test_scan import EVERY, agree, made, scanned
from .test_scan_genuine import slowly_read

STAMP = re.compile(rb"^\[2026-01-01 (\d\d:\d\d:\d\d\.\d{3})\] ", re.MULTILINE)
RUN = re.compile(rb"(?m)^(?=\[[^\]]*\] (?:\x1b\[[\d;]*m)?I \[executorch:arm_executor_runner.cpp:364\])")


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "PIECE_BYTES", 1024)


@pytest.fixture(scope="module")
def noisy() -> bytes:
    return made("noisy", "classic", 1_000_000, 5)


def _as_it_is(data: bytes) -> bytes:
    return data


def _without_stamps(data: bytes) -> bytes:
    return STAMP.sub(b"", data)


def _seconds_since_boot(data: bytes) -> bytes:
    """Stamps whose length differs from line to line."""
    numbers = iter(range(1, 1 << 30))
    return STAMP.sub(lambda _: b"[%d.%03d] " % divmod(next(numbers) * 7, 1000), data)


def _coarse(data: bytes) -> bytes:
    """Stamps of whole seconds: many lines have the same one."""
    return STAMP.sub(lambda found: b"[2026-01-01 " + found[1][:8] + b"] ", data)


def _some_without(data: bytes) -> bytes:
    """Every seventh line lost its stamp."""
    lines = data.split(b"\n")
    lines[3::7] = [STAMP.sub(b"", line) for line in lines[3::7]]
    return b"\n".join(lines)


def _with_an_arrow(data: bytes) -> bytes:
    return re.sub(rb"(?m)^\[[\d-]* (\d\d:\d\d:\d\d\.\d\d\d)\] ", rb"\1 -> ", data)


def _of_a_container(data: bytes) -> bytes:
    return re.sub(rb"(?m)^\[([\d-]*) (\d\d:\d\d:\d\d\.\d\d\d)\] ", rb"\1T\g<2>000000Z stdout F ", data)


def _bare_line_ends(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def _blank_lines(data: bytes) -> bytes:
    return re.sub(rb"(Preparing inputs\.\.\.[^\n]*\n)", rb"\1\r\n", data)


WAYS: tuple[Callable[[bytes], bytes], ...] = (
    _as_it_is, _without_stamps, _seconds_since_boot, _coarse, _some_without, _bare_line_ends, _blank_lines, _with_an_arrow,
    _of_a_container,
)  # fmt: skip


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__[1:])
def test_cleaned_runs_are_read_alike(way: Callable[[bytes], bytes], noisy: bytes) -> None:
    data = way(noisy)
    runs = len(RUN.findall(noisy))
    fast = agree(data, 1 << 18, both=True)
    assert fast > runs // 2 or way is _some_without


@pytest.mark.parametrize("end", [b"^M", rb"\r\n"])
def test_line_ends_that_are_there_as_text(end: bytes, noisy: bytes) -> None:
    agree(re.sub(rb"\r*\n", lambda _: end + b"\n", noisy[:400_000]), 1 << 18, both=True)


@pytest.mark.parametrize("before", ["COM7: ", "DEBUG   - DEVICE: ", "\u6536\u2190\u25c6"])
def test_what_a_tool_puts_before_every_line_is_taken_off_alike(before: str, noisy: bytes) -> None:
    data = re.sub(rb"(?m)^(\[[^\]]*\] )?", lambda found: (found[1] or b"") + before.encode(), noisy[:300_000])
    agree(data, 1 << 18, both=True)
    if before == "COM7: ":  # the other port prints a lot of nothing between
        idle = b"".join(b"COM%d: heartbeat seq=%d\n" % (3 + at % 2 * 4, at) for at in range(600))
        lines = data.splitlines(keepends=True)
        agree(b"".join((*lines[:700], idle, *lines[700:], idle)), 1 << 18, 30_011, both=True)


def test_stamps_that_come_and_go_between_runs_are_read_by_layouts(
    noisy: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lab's file goes on without the tool that stamped it, and with it again: the first lines say the same otherwise."""
    monkeypatch.setattr(scan, "HELD_BYTES", 1 << 16)
    plain = made("dense", "classic", 400_000, 7)
    data = noisy[:400_000] + plain + noisy[400_000:800_000] + plain
    assert agree(data, 1 << 16, 1 << 18, both=True) > len(RUN.findall(noisy[:800_000])) * 0.7 + 200
    assert slowly_read(data, monkeypatch) < 0.4


def test_runs_that_were_cut_short_get_layouts_too() -> None:
    """Every third run is cut, at one of six places."""
    rng = random.Random(2)
    runs = RUN.split(made("noisy", "classic", 900_000, 8))[1:]
    for place in range(0, len(runs), 3):
        lines = runs[place].splitlines(keepends=True)
        runs[place] = b"".join(lines[: rng.choice((6, 9, 20, 31, 40, 50))])
    data = b"".join(runs)
    assert agree(data, 1 << 18, both=True) > len(runs) // 2


_WOUNDS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    lambda line, rng: line + line,
    lambda line, rng: line[: rng.randrange(len(line))] + line,
    lambda line, rng: line.replace(b"] ", b"] \x1b[35m", 1),
    lambda line, rng: line.replace(b" : ", b" : -"),
    lambda line, rng: re.sub(rb"\d(?=\D*\n)", lambda _: b"%d" % rng.randrange(10), line),
    lambda line, rng: line.rstrip(b"\r\n") + b"   \r\n",
    lambda line, rng: line[:27] + "é".encode() + line[27:],
    lambda line, rng: line[:26] + b"E [executorch:method.cpp:12] something failed\r\n" + line,
    lambda line, rng: line[:26] + b"I [executorch:arm_executor_runner.cpp:364] Model in 0x70000000 $\r\n" + line,
    lambda line, rng: line.replace(b"\r\n", b"\r\r\n"),
    lambda line, rng: line[:26] + b"\x00" + line[26:],
    lambda line, rng: line[:26] + b"net: rx 1 bytes dropped 0 \r" + line[26:],
    lambda line, rng: line[:26] + b"Info: Simulation is stopped. Reason: 3\r\n" + line,
    lambda line, rng: b"",
)


@pytest.mark.parametrize("seed", range(12))
def test_wounds_between_other_lines_are_read_alike(seed: int, noisy: bytes) -> None:
    rng = random.Random(seed)
    lines = noisy[:350_000].splitlines(keepends=True)
    for _ in range(30):
        place = rng.randrange(len(lines))
        if len(lines[place]) > 30:
            lines[place] = rng.choice(_WOUNDS)(lines[place], rng)
    agree(b"".join(lines), 1 << 16, jsonl=seed % 2 == 1)


def test_the_same_message_at_two_times_is_no_copy() -> None:
    """Lines that are alike but for their stamps stand side by side once what is between them is gone."""
    runs = RUN.split(made("noisy", "classic", 300_000, 3))[1:]
    for place in range(0, len(runs), 2):
        lines = runs[place].splitlines(keepends=True)
        copy = STAMP.sub(b"[2026-01-01 23:59:59.999] ", lines[1])
        runs[place] = b"".join([*lines[:2], lines[0][:26] + b"net: rx 1 bytes dropped 0\r\n", copy, *lines[2:]])
    agree(b"".join(runs), 1 << 18)


def test_the_time_of_a_run_whose_first_line_lost_its_stamp_is_that_of_the_next_stamp(noisy: bytes) -> None:
    """Wherever blocks end, and whether or not the lines up to there mean something."""
    runs = RUN.split(noisy[:300_000])[1:]
    for place in range(3, len(runs), 3):
        lines = runs[place].splitlines(keepends=True)
        runs[place] = b"".join([STAMP.sub(b"", lines[0]), lines[0][:26] + b"sched: idle 7 ticks\r\n", *lines[1:]])
    data = b"".join(runs)
    agree(data, 1 << 18, 977)
    rows, *_ = scanned(data, EVERY, 977)
    assert [row.at for row in rows] == [
        found[0].decode().strip() for found in (STAMP.search(run) for run in runs) if found
    ]


def test_a_cleaned_run_lets_go_of_its_data_at_once(noisy: bytes) -> None:
    """Not when somebody looks for garbage: each holds a whole block."""
    first, second = (found.start() for found in itertools.islice(RUN.finditer(noisy), 2))
    shapes = Shapes(noisy[first : first + 26], b"\r")
    before = sys.getrefcount(noisy)
    rest = Cleaned(shapes, noisy, first, second, 1, 0)
    assert rest.origin.numbers is rest and sys.getrefcount(noisy) > before
    del rest
    assert sys.getrefcount(noisy) == before


RUNNING = b"I [executorch:arm_executor_runner.cpp:384] Running method forward"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"[2026-01-01 00:00:00.020] wifi: rssi=-60 dBm\r\n", None),
        (b"[2026-01-01 00:00:00.020] \r\n", None),
        (b"[2026-01-01 00:00:00.020] \xff\xfe\x81\r\n", None),
        (b"[2026-01-01 00:00:00.020] " + RUNNING + b"\r\n", RUNNING),
        (b"[2026-01-01 00:00:00.020] \x1b[32m" + RUNNING + b"\x1b[0m\r\n", RUNNING),
        (b"[2026-01-01 00:00:00.020] " + RUNNING + b"\n", RUNNING),
        (b"[2026-01-01 00:00:00.020] E: NPU config mismatch\r\n", b"E: NPU config mismatch"),
        (RUNNING + b"\r\n", RUNNING),
        (b"[2026-01-01 00:00:00.020] net: rx " + RUNNING + b"\r\n", b""),
        (b"[2026-01-01 00:00:00.020] a\rb\r\n", b""),
        (b"[2026-01-01 00:00:00.020] a\x00b\r\n", b""),
        (b"[2026-01-01 00:00:00.020] " + b"x" * 5000 + b"\r\n", b""),
    ],
)  # fmt: skip
def test_what_is_the_message_of_a_line(line: bytes, message: bytes | None) -> None:
    """None: it means nothing; empty: it may need more than a look, which is said each time that it is looked up."""
    shapes = Shapes(b"[2026-01-01 00:00:00.020] ", b"\r")
    for _ in range(2):
        shapes.met_odd = False
        cut = shapes[re.sub(rb"\d", b"0", line)]
        assert (None if cut is None else line[cut]) == message
        assert shapes.met_odd == (cut is ODD) == (message == b"")


@pytest.mark.parametrize("odd", [b"\x1b[0;33m-- Build files have been written to: /x\x1b[0m", b"a\rb"])
def test_lines_are_not_numbered_where_one_is_odd(odd: bytes) -> None:
    """A pattern may have passed over it, being sure that it means nothing; by its shape alone nobody is."""
    stamp = b"[11:59:22] "
    lines = [stamp + RUNNING, stamp + b"-- Build files have been written to: /x", stamp + RUNNING]
    data = b"\r\n".join([*lines, b""])
    assert Numbers(Shapes(stamp, b"\r"), data, 0, len(data), 7)[:] == [7, 9]
    data = b"\r\n".join([*lines, stamp + odd, b""])
    with pytest.raises(ValueError, match="odd"):
        Numbers(Shapes(stamp, b"\r"), data, 0, len(data), 7)[0]
