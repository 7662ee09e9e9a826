"""The scanner gives what the reader for everything gives, whatever it reads by layouts: captures as they are, damaged, in pieces."""

from __future__ import annotations

import bisect
import importlib.util
import itertools
import json
import random
import re
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ethosu_tui.analysis import read_capture, scan
from ethosu_tui.analysis.fast.origin import Extent, Origin
from ethosu_tui.analysis.fast.tight import TightLayout
from ethosu_tui.analysis.meaning.derive import NOTHING, derive_run
from ethosu_tui.analysis.report import Capture, CompileSummary, Finding, Run
from ethosu_tui.analysis.rows import RunRow, run_object
from ethosu_tui.analysis.scan import Scanner

ROOT = Path(__file__).resolve().parents[2]
EVERY = 1 << 60
BOUND_SECONDS = 30


def _captures() -> Any:
    spec = importlib.util.spec_from_file_location("captures", ROOT / "benchmarks" / "captures.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["captures"] = module
    spec.loader.exec_module(module)
    return module


captures = _captures()


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Layouts are tried after the first runs that are kept whole, so those come in small pieces here."""
    monkeypatch.setattr(scan, "PIECE_BYTES", 1024)


def made(kind: str, era: str, size_bytes: int, seed: int = 1) -> bytes:
    return b"".join(captures.capture(kind, size_bytes, era, seed).blocks)


def completed(run: Run, findings: Sequence[Finding], summaries: Sequence[CompileSummary] = ()) -> Run:
    """The run with the figures that `--jsonl` derives."""
    rules = frozenset(finding.rule for finding in findings if finding.run == run.index)
    return derive_run(run, summaries, NOTHING, rules, judge=False).run


def scanned(
    data: bytes, full_runs: int, size: int, jsonl: bool = False, derived: bool = False
) -> tuple[list[RunRow], list[str], Capture, int]:
    complete = completed if derived else None
    scanner = Scanner("night.log", full_runs=full_runs, jsonl=jsonl, complete=complete)
    rows: list[RunRow] = []
    lines: list[str] = []
    for at in range(0, len(data), size):
        scanner.feed(data[at : at + size])
        rows += scanner.rows()
        lines += scanner.json_lines()
    scanner.finish()
    rows += scanner.rows()
    lines += scanner.json_lines()
    assert scanner.run_count == len(rows)
    fast = sum(layout.taken for layout in scanner._layouts.layouts) if scanner._layouts is not None else 0
    return rows, lines, scanner.capture(), fast


def agree(data: bytes, *sizes: int, jsonl: bool = False, both: bool = False) -> int:
    """As `agree_in`, for all sizes alike; `both`: with JSON lines and without, which are learnt in different ways."""
    return agree_in(data, *itertools.product(sizes, (False, True) if both else (jsonl,)))


def agree_in(data: bytes, *ways: tuple[int, bool]) -> int:
    """Compare the fast way, by blocks of each size, with the slow one; how many runs went the fast way at least."""
    jsonl = any(with_json for _, with_json in ways)
    slow, texts, whole, none = scanned(data, EVERY, 1 << 18, jsonl, jsonl)
    assert none == 0
    least = len(slow)
    for size, with_json in ways:
        rows, lines, capture, fast = scanned(data, 2, size, with_json, with_json)
        assert (rows, lines) == (slow, texts if with_json else [])
        assert (capture.bytes, capture.lines, capture.compile) == (whole.bytes, whole.lines, whole.compile)
        least = min(least, fast)
    return least


@pytest.mark.parametrize("kind", captures.KINDS)
@pytest.mark.parametrize("era", captures.ERAS)
def test_most_runs_are_read_by_layouts_and_alike(kind: str, era: str) -> None:
    data = made(kind, era, 2_000_000 if kind == "heavy" else 300_000)
    assert agree(data, 1 << 18, 30_011) > {"dense": 30, "noisy": 8, "heavy": -1}[kind]


@pytest.mark.parametrize("kind", captures.KINDS)
def test_sums_of_the_generator_come_out(kind: str) -> None:
    made_capture = captures.capture(kind, 500_000, "current", 7)
    data = b"".join(made_capture.blocks)
    rows, _, _, _ = scanned(data, 2, 1 << 16)
    passed = [row for row in rows if row.status == "passed"]
    sums = made_capture.sums[0]
    assert len(passed) == sums.runs
    assert sum(row.npu_cycles or 0 for row in passed) == sums.npu_cycles
    assert sum(row.inference_cycles or 0 for row in passed) == sums.inference_cycles
    assert sum(row.method_used_bytes or 0 for row in passed) == sums.method_used_bytes
    assert sum(row.pte_bytes or 0 for row in passed) == sums.pte_bytes


@pytest.mark.parametrize("kind", captures.KINDS)
@pytest.mark.parametrize("era", captures.ERAS)
def test_json_lines_by_layouts_are_those_of_the_reader(kind: str, era: str) -> None:
    data = made(kind, era, 1_500_000 if kind == "heavy" else 250_000, 4)
    _, slow, _, _ = scanned(data, EVERY, 1 << 18, jsonl=True)
    for size in (1 << 18, 30_011):
        _, lines, _, fast = scanned(data, 2, size, jsonl=True)
        assert lines == slow
        assert fast > 30 or kind != "dense"


def test_json_lines_of_runs_that_dump_several_tensors() -> None:
    """The values of each are a list of their own, which has its place among all that differs from run to run."""
    more = b"".join(
        b"Output[%d][%d]: %d.5\n" % (tensor, at, at) for tensor, most in ((1, 9), (2, 60)) for at in range(most)
    )
    ends = b"I executorch:arm_executor_runner.cpp:177] Program complete"
    data = made("dense", "classic", 300_000, 4).replace(ends, more + ends)
    assert agree(data, 1 << 18, 30_011, jsonl=True) > 20


@pytest.mark.parametrize("end", [b"^M", rb"\r\n"])
@pytest.mark.parametrize("era", captures.ERAS)
def test_line_ends_that_are_there_as_text(era: str, end: bytes) -> None:
    data = re.sub(rb"\r*\n", lambda _: end + b"\n", made("dense", era, 200_000, 3))
    agree(data, 1 << 18, 30_011, both=True)


def _samples() -> list[bytes]:
    return [path.read_bytes() for path in sorted((ROOT / "sample_logs").glob("*.log"))]


@pytest.mark.parametrize("size", [7, 1000, 1 << 18])
def test_every_sample_many_times_over(size: int) -> None:
    fast = 0
    for log in _samples():
        fast += agree((log if log.endswith(b"\n") else log + b"\n") * (4 if size == 7 else 8), size)
    assert fast or size == 7


def test_json_lines_and_full_runs_are_those_of_the_reader(samples: Path) -> None:
    data = b"".join(path.read_bytes() for path in sorted(samples.glob("*.log")))
    whole = read_capture("night.log", data)
    for size in (97, 1 << 18):
        rows, lines, capture, _ = scanned(data, EVERY, size, jsonl=True)
        said = [run_object(run, [one for one in whole.findings if one.run == run.index]) for run in whole.runs]
        assert lines == [json.dumps({"source": "night.log", **run}, allow_nan=False) for run in said]
        assert capture == whole
        assert [data[: row.start_byte].count(b"\n") + 1 for row in rows] == [run.first_line for run in whole.runs]


_INSERTED = (
    b"0", b"9", b"\n", b"\r", b"junk\n", b"\x00", b"\xff", b"E [executorch:x.cpp:1] bad\n", b"0000000000", b"-", b"[-",
    b"I [executorch:arm_executor_runner.cpp:364] Model in 0x70000000 $\n", b"Booting Zephyr OS build v4\n", b"NPU Inferences : 0\n",
)  # fmt: skip
_NUMBERS = (b"0", b"4294967296", b"2147483648", b"268435456", b"-5", b"nan", b"1e5", b"007", b"9" * 25, b"1.5", b"")


def damaged(data: bytes, rng: random.Random) -> bytes:
    """The same capture with a few wounds."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        at, way = rng.randrange(len(out)), rng.randrange(6)
        if way == 0:
            del out[at : at + rng.choice((1, 2, 10, 300, 3000))]
        elif way == 1:
            out[at:at] = rng.choice(_INSERTED)
        elif way == 2:
            numbers = list(re.finditer(rb"\d+", bytes(out[at : at + 400])))
            if numbers:
                number = rng.choice(numbers)
                out[at + number.start() : at + number.end()] = rng.choice((*_NUMBERS, b"%d" % rng.randrange(10**9)))
        elif way == 3:
            out[at] = rng.randrange(256)
        elif way == 4:
            begin = rng.randrange(len(out))
            out[at:at] = out[begin : begin + rng.randrange(5000)]
        else:
            lines = bytes(out).split(b"\n")
            first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[first], lines[second] = lines[second], lines[first]
            out = bytearray(b"\n".join(lines))
    return bytes(out)


_SOURCES = {(kind, era): made(kind, era, 60_000, 3) for kind in ("dense", "noisy") for era in captures.ERAS}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(10231285, ("dense", "classic"), 97)  # a second report in one run, without the line of a ratio
@given(st.integers(0, 1 << 30), st.sampled_from(sorted(_SOURCES)), st.sampled_from((97, 1000, 4096, 65536)))
def test_damaged_captures_are_read_alike(seed: int, source: tuple[str, str], size: int) -> None:
    agree(damaged(_SOURCES[source], random.Random(seed)), size, jsonl=seed % 2 == 0)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 1 << 30), st.integers(0, 1000), st.sampled_from((1000, 65536)))
def test_damaged_samples_are_read_alike(seed: int, number: int, size: int) -> None:
    logs = _samples()
    log = logs[number % len(logs)]
    agree(damaged((log if log.endswith(b"\n") else log + b"\n") * 12, random.Random(seed)), size)


def _dense(changes: dict[int, dict[bytes, bytes]]) -> Iterator[bytes]:
    """Thirty runs of which some print something else; the keys are texts that every run has."""
    run = next(captures.capture("dense", 1, "classic", 5).blocks)
    for index in range(30):
        text = run
        for old, new in changes.get(index, {}).items():
            assert old in text
            text = text.replace(old, new)
        yield text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"NPU Inferences : 1", b"NPU Inferences : 0"),
        (b"0x70000000 $", b"0x70000010 $"),
        (b"free: ", b"free: 1"),
        (b"_planned:  752640", b"_planned:  75264"),
        (b"CPU cycles total", b"CPU cycles totl"),
        (b"Model executed successfully.", b"E [executorch:x.cpp:3] it failed"),
        (b"I executorch:arm_executor_runner.cpp:177] Program complete, exiting.\n", b""),
        (b"Output[0][1]: ", b"Output[0][7]: "),
        (b"Output[0][0]: ", b"Output[0][0]: nan"),
        (b"cpp:366]", b"cpp:367]"),
    ],
)
def test_a_run_that_differs_in_one_thing_is_not_taken_for_another(old: bytes, new: bytes) -> None:
    """What the rules make of one run says nothing of a run whose figures they would judge otherwise."""
    data = b"".join(_dense({index: {old: new} for index in (12, 13, 25)}))
    assert agree(data, 1 << 18, both=True) > 10


_ODD = (
    b"0", b"007", b"00", b"2147483648", b"4294967296", b"268435456", b"99999999999999999", b"9" * 25, b"1.50", b"-5",
)  # fmt: skip


@pytest.mark.parametrize("era", captures.ERAS)
def test_an_odd_value_in_each_field_is_read_alike(era: str) -> None:
    """Leading zeros, wraps and endless digits, in one number of a run at a time, between plain runs."""
    rng = random.Random(9)
    plain = itertools.cycle(itertools.islice(captures.capture("dense", 1 << 20, era, 8).blocks, 40))
    runs = [next(plain) for _ in range(40)]
    for place in range(len(re.findall(rb"\d+", next(plain)))):
        run = next(plain)
        number = list(re.finditer(rb"\d+", run))[place]
        runs += [run[: number.start()] + rng.choice(_ODD) + run[number.end() :], next(plain)]
    data = b"".join(runs)
    assert agree(data, 1 << 18, jsonl=True) > len(runs) // 3


@pytest.mark.parametrize(
    "value", [b"0.000000", b"-0.000000", b"0.000012", b"12.500000", b"1234567890123456789.5", b"100", b"1.10"]
)
def test_elements_are_shown_as_json_shows_them(value: bytes) -> None:
    """The text of an element in a log is not always that of its number."""
    data = b"".join(
        re.sub(rb"(Output\[0\]\[%d\]: ).*" % (i % 10), b"\\g<1>" + value, run) for i, run in enumerate(_dense({}))
    )
    assert agree(data, 1 << 18, jsonl=True) > 5 or b"." not in value


def _with_long_dumps(data: bytes) -> bytes:
    """The same runs with 60 to 259 elements each."""
    rng = random.Random(3)

    def longer(found: re.Match[bytes]) -> bytes:
        more = range(10, rng.randrange(60, 260))
        return found[0] + b"".join(
            b"Output[0][%d]: %s0.%06d\n" % (i, found[1] or b"", rng.randrange(10**6)) for i in more
        )

    return re.sub(rb"Output\[0\]\[9\]: (\(float\) )?.*\n", longer, data)


@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("era", captures.ERAS)
def test_lines_taken_out_of_a_capture_keep_their_places(long: bool, era: str) -> None:
    """A layout that reads the lines which count, without what stood between them, tells where each of them stood."""
    rng = random.Random(11)
    lesson, clean = (made("dense", era, size, 6).replace(b"\x04\n", b"\n") for size in (200_000, 40_000))
    if long:
        lesson, clean = _with_long_dumps(lesson), _with_long_dumps(clean)
    teacher = Scanner("night.log", full_runs=2, jsonl=True)
    for begin in range(0, len(lesson), 1 << 14):
        teacher.feed(lesson[begin : begin + (1 << 14)])
    assert teacher._layouts is not None
    known = [layout for layout in teacher._layouts.layouts if isinstance(layout, TightLayout)]
    lines: list[bytes] = []
    numbers: list[int] = []
    for line in clean.splitlines(keepends=True):
        lines += [b"mqtt: published\n"] * rng.choice((0, 0, 1, 2))
        numbers.append(len(lines) + 1)
        lines.append(line)
    ends = [0, *itertools.accumulate(map(len, lines))]
    slow, texts, _, _ = scanned(b"".join(lines), EVERY, 1 << 18, jsonl=True)

    def extent(place: int, count: int, trailing: int) -> Extent:
        assert not trailing
        first, last, behind = numbers[place], numbers[place + count - 1], numbers[place + count]
        return first, last, ends[first - 1], ends[last], f"at {place}", ends[behind - 1], behind - first

    begins = [found.start() for found in re.finditer(rb"^I .*(?:Model in|PTE @) 0x", clean, re.M)]
    assert len(begins) == len(slow)
    read = 0
    for index, begin in enumerate(begins):
        place = clean.count(b"\n", 0, begin)
        origin = Origin(numbers, partial(extent, place))
        found = ((layout, layout.take(clean, begin, "night.log", index + 1, place, 0, origin)) for layout in known)
        layout, taken = next(((by, one) for by, one in found if one is not None), (None, None))
        if layout is not None and taken is not None:
            assert taken.row == slow[index]._replace(at=f"at {place}")
            assert taken.json == texts[index]
            assert layout.stop == begins[index + 1]
            assert lines[bisect.bisect_right(ends, taken.end) - 1] == clean[layout.stop :].splitlines(keepends=True)[0]
            assert taken.lines == sum(ends[i] < taken.end for i in range(len(ends))) - numbers[place] + 1
            read += 1
    assert read > 5


def test_a_total_that_wrapped_is_found_among_plain_ones() -> None:
    runs = [re.sub(rb"Inference runtime: \d+ CPU", b"Inference runtime: -%d CPU" % (5 + index), run) if index % 7 == 6 else run
            for index, run in enumerate(_dense({}))]  # fmt: skip
    rows, _, _, _ = scanned(b"".join(runs), 2, 1 << 18)
    assert [row.rules != rows[0].rules for row in rows] == [index % 7 == 6 for index in range(30)]


@pytest.mark.parametrize(
    "data",
    [
        b"I [executorch:arm_executor_runner.cpp:364] Model in 0x70000000 $\n" * 3_000,
        b"x" * 2_000_000,
        b"\0" * 2_000_000,
        b"Output[0][0]: 1.5\n" * 10_000,
        b"I [executorch:a.cpp:1] 1 outputs:\n" + b"".join(b"Output[0][%d]: 1.5\n" % i for i in range(100_000)),
        b'echo "' + b"QUJD" * 400_000,
    ],
    ids=["boot loop", "no line end", "NULs", "one element for ever", "dump without end", "half a block of base64"],
)  # fmt: skip
def test_worst_cases_are_linear(data: bytes) -> None:
    start = time.process_time()
    agree(data, 1 << 18, 4001)
    assert time.process_time() - start < BOUND_SECONDS


def test_where_a_failure_stands_follows_the_lines_before_it() -> None:
    """A failed run after dumps of different lengths: its cause is on another line each time."""
    runs = []
    for index, run in enumerate(_dense({})):
        head, _, tail = run.partition(b"Output[0][9]")
        _, _, tail = tail.partition(b"\n")
        dump = b"".join(b"Output[0][%d]: 0.%d\n" % (i, i) for i in range(9, 10 + index % 5))
        runs.append(head + dump + tail.replace(b"Program complete, exiting.", b"Model run: 0"))
    agree(b"".join(runs), 1 << 18)
    stamped = b"".join(
        b"".join(
            b"[12:00:%02d.%03d] " % (i // 1000, i % 1000) + line + b"\n"
            for i, line in enumerate(run.split(b"\n")[:-1], n)
        )
        for n, run in enumerate(runs)
    )
    agree(stamped, 1 << 18)


@pytest.mark.parametrize("seed", [1, 2])
def test_first_lines_that_repeat_are_read_alike(seed: int) -> None:
    """A boot loop prints its first line again and again: the second of a pair is no run of its own."""
    rng = random.Random(seed)
    first = b"I [executorch:arm_executor_runner.cpp:364] Model in 0x70000000 $\n"
    reports = [run[len(first) :] for run in _dense({})]
    loop = b"".join(
        first * rng.choice((1, 1, 2, 2, 3, 4, 5)) + rng.choice((b"", reports[rng.randrange(30)])) for _ in range(300)
    )
    assert agree(loop, 1 << 18) > 30
    agree(first * 1001, 30_011)
