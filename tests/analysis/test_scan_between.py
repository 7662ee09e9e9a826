"""Runs between other programs' lines, read where they stand by one pattern: only what would be the same run when cleaned."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ethosu_tui.analysis import scan
from ethosu_tui.analysis.fast import noisy
from ethosu_tui.analysis.fast.cleaned import Shapes
from ethosu_tui.analysis.fast.noisy import Noise, Noisy, NoisyLayout

from .test_scan import agree, made, scanned
from .test_scan_noisy import _WOUNDS, RUN, STAMP, WAYS

pytestmark = pytest.mark.skipif(not noisy._POSSIBLE, reason="needs possessive repeats")


class Taken:
    """What was read by patterns of runs."""

    def __init__(self) -> None:
        self.runs = 0
        self.wrong = 0


@pytest.fixture(autouse=True)
def taken(monkeypatch: pytest.MonkeyPatch) -> Iterator[Taken]:
    """Patterns are made at once, and every run that they take is held against the reader for everything."""
    counted = Taken()
    take, drop = Noisy.take, Noisy.drop

    def checked(self: Noisy, *given: Any) -> Any:
        found = take(self, *given)
        self.to_check = found is not None
        counted.runs += found is not None
        return found

    def dropped(self: Noisy) -> None:
        counted.wrong += 1
        drop(self)

    monkeypatch.setattr(scan, "PIECE_BYTES", 1024)
    monkeypatch.setattr(noisy, "MISSES", 1)
    monkeypatch.setattr(noisy, "SAMPLES", 1)
    monkeypatch.setattr(Noisy, "take", checked)
    monkeypatch.setattr(Noisy, "drop", dropped)
    yield counted
    assert counted.wrong == 0


@pytest.fixture(scope="module")
def capture() -> bytes:
    return made("noisy", "classic", 400_000, 5)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__[1:])
def test_runs_are_read_alike_where_they_stand(way: Callable[[bytes], bytes], capture: bytes, taken: Taken) -> None:
    agree(way(capture), 30_011, both=True)
    few = ("_some_without", "_coarse", "_seconds_since_boot", "_blank_lines")
    assert taken.runs > (-1 if way.__name__ in few else 20)


@pytest.mark.parametrize("era", ["classic", "current"])
def test_runs_of_both_eras_with_few_and_many_outputs(era: str, taken: Taken) -> None:
    data = made("noisy", era, 300_000, 11)
    longer = re.sub(
        rb"(?m)^(.{26})(.*)(Program complete)",
        lambda found: b"".join(found[1] + b"Input[0][%d]: 0.5\r\n" % index for index in range(70)) + found[0],
        data,
    )
    agree(longer, 1 << 18, jsonl=True)
    assert taken.runs > 2


@pytest.mark.parametrize("seed", range(4))
def test_wounds_are_seen(seed: int, capture: bytes, taken: Taken) -> None:
    """Every other run is whole, so that patterns are there when a wounded one comes."""
    rng = random.Random(seed)
    runs = RUN.split(capture)[1:]
    for place in range(9, len(runs), 2):
        lines = runs[place].splitlines(keepends=True)
        at = rng.randrange(len(lines))
        if len(lines[at]) > 30:
            lines[at] = rng.choice(_WOUNDS)(lines[at], rng)
        runs[place] = b"".join(lines)
    agree(b"".join(runs), 1 << 16, jsonl=seed % 2 == 1)
    assert taken.runs > 5


_BITS = (
    b"\x1b[0m", b"\x1b[", b"m", b";", b"\r", b"\n", b"\x00", b"\xff", b" ", b"] ", b"[2026-01-01 00:00:00.001] ", b"0", b"7", b"-",
    b"Output[0][3]: 0.5", b"Output[0][99]: 0.5\r\n", b"net: rx 1 bytes dropped 0\r\n", b"net: rx 11111 bytes dropped 0\r\n",
    b"I [executorch:arm_executor_runner.cpp:364] Model in 0x70000000 $\r\n", "é".encode(), b"wifi: rssi=-6\xa00 dBm", b"\t",
)  # fmt: skip


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.sampled_from(_BITS), st.integers(0, 3)), min_size=1, max_size=12),
    st.sampled_from((4096, 1 << 17)),
)
def test_bytes_put_in_and_taken_out(wounds: list[tuple[float, bytes, int]], size: int) -> None:
    data = made("noisy", "classic", 110_000, 6)
    whole = len(data) // 2
    for place, bits, lost in wounds:
        at = whole + int(place * (len(data) - whole))
        data = data[:at] + bits + data[at + lost :]
    agree(data, size, jsonl=len(wounds) % 2 == 0)


def test_a_minute_may_end_within_a_run(capture: bytes, taken: Taken) -> None:
    """Then the pattern for runs within one minute does not do."""
    numbers = iter(range(1 << 30))
    data = STAMP.sub(lambda _: b"[2026-01-01 %02d:%02d:%02d.000] " % _clock(next(numbers) // 4), capture)
    agree(data, 1 << 18)
    assert taken.runs > 5


def _clock(second: int) -> tuple[int, int, int]:
    return second // 3600 % 24, second // 60 % 60, second % 60


def test_a_run_that_begins_at_the_instant_of_the_next_one_is_not_taken(capture: bytes, taken: Taken) -> None:
    data = STAMP.sub(b"[2026-01-01 00:00:00.000] ", capture)
    agree(data, 1 << 18)
    assert taken.runs == 0


def _shapes(*lines: bytes) -> Shapes:
    shapes = Shapes(b"[00:00:01] ", b"\r")
    for line in lines:
        shapes[re.sub(rb"\d", b"0", line)]
    return shapes


@pytest.mark.parametrize(
    ("line", "passed_over"),
    [
        (b"[00:00:09] wifi: rssi=-77 dBm\r\n", True),
        (b"[00:00:09] wifi: rssi=-7 dBm\r\n", True),
        (b"[00:00:09] wifi: rssi=-777 dBm\r\n", False),
        (b"[00:00:09] \x1b[1;31mwifi: rssi=-77 dBm\x1b[0m\r\n", True),
        (b"[00:00:09] \r\n", True),
        (b"[00:00:09] \xff\xfe\r\n", True),
        (b"[00:00:09] \xffwifi\r\n", False),
        (b"[00:00:9] wifi: rssi=-77 dBm\r\n", False),
        (b"[00:00:09] wifi: rssi=-77 dBm\n", False),
        (b"[00:00:09] two 11 numbers 2\r\n", True),
        (b"[00:00:09] two 1 numbers 22\r\n", True),
        (b"[00:00:09] two 11 numbers 22\r\n", False),
        (b"[00:00:09] I [executorch:a.cpp:1] x\r\n", False),
    ],
)
def test_only_lines_of_known_shapes_are_passed_over(line: bytes, passed_over: bool) -> None:
    """As many digits as were seen, in a range that was seen whole; colours and the host's stamp are no part of it."""
    shapes = _shapes(
        b"[00:00:01] wifi: rssi=-60 dBm\r\n", b"[00:00:01] \x1b[32mwifi: rssi=-6 dBm\x1b[0m\r\n", b"[00:00:01] two 1 numbers 22\r\n",
        b"[00:00:01] two 11 numbers 2\r\n", b"[00:00:01] I [executorch:a.cpp:1] x\r\n",
    )  # fmt: skip
    stamp = rb"\[\d\d:\d\d:\d\d\] "
    noise = Noise(shapes)
    pattern = re.compile(stamp + noise.colour + noise.passed_over(stamp))
    found = pattern.match(line + b"[00:00:10] ")
    assert (found is not None and found.end() > len(line)) == passed_over


def test_a_layout_that_is_wrong_is_given_up(monkeypatch: pytest.MonkeyPatch, capture: bytes, taken: Taken) -> None:
    """The check against the reader for everything is what finds it."""
    honest = NoisyLayout.take

    def wrong(self: NoisyLayout, *given: Any) -> Any:
        found = honest(self, *given)
        return found._replace(row=found.row._replace(npu_cycles=1)) if found is not None else None

    monkeypatch.setattr(NoisyLayout, "take", wrong)
    rows, *_ = scanned(capture, 2, 1 << 18)
    assert all(row.npu_cycles != 1 for row in rows)
    assert taken.wrong
    taken.wrong = 0
