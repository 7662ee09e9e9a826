"""A night of genuine runs, each with figures of its own, is read by layouts, and comes to what the reader comes to."""

from __future__ import annotations

import base64
import random
import re
import struct
from pathlib import Path

import pytest

from ethosu_tui.analysis import scan
from ethosu_tui.analysis.capture import CaptureReader
from ethosu_tui.analysis.etdump.decode import decode
from ethosu_tui.analysis.etdump.reader import ProfileEvent
from ethosu_tui.analysis.lines import Line

from .etdump_writer import DumpWriter
from .test_scan import agree, scanned

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"
TERMINALS = b"".join(
    b"telnetterminal%d: Listening for serial connection on port %d\n" % (number, 5000 + number)
    for number in (0, 1, 2, 5)
)
STOPPED = b"\nInfo: /OSCI/SystemC: Simulation stopped by user.\n[warning ][main@0][01 ns] Simulation stopped by user\n"
_CHANGES = re.compile(
    rb"(?<=data loaded. Size: )\d+|(?<=Inference runtime: )\d+|(?<=cntr : )\d{4,}|(?<=\]: )-?\d+\.\d+"
)
_ECHO = re.compile(rb'(?<=echo ")[^"]+')


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "PIECE_BYTES", 1024)


def sample(name: str) -> bytes:
    return (SAMPLES / f"{name}.log").read_bytes().rstrip(b"\n") + b"\n"


def with_other_figures(log: bytes, rng: random.Random) -> bytes:
    """The same run another time: other cycles, another program's size, other outputs."""

    def other(found: re.Match[bytes]) -> bytes:
        shown = found[0]
        if b"." in shown:
            return b"%.6f" % rng.uniform(-2, 2)
        return b"%d" % (int(shown) + rng.randrange(1, 500))

    return _CHANGES.sub(other, log)


def night(name: str, runs: int = 60, seed: int = 1, before: bytes = b"", after: bytes = b"") -> list[bytes]:
    """So many runs, each with figures of its own."""
    rng, log = random.Random(seed), sample(name)
    return [before + with_other_figures(log, rng) + after for _ in range(runs)]


def slowly_read(data: bytes, monkeypatch: pytest.MonkeyPatch, jsonl: bool = False) -> float:
    """The share of all lines that the reader for everything was given."""
    given = 0

    def counting(self: CaptureReader, block: bytes, at: float | None = None) -> list[Line]:
        nonlocal given
        lines = feed(self, block, at)
        given += len(lines)
        return lines

    feed = CaptureReader.feed
    with monkeypatch.context() as patched:
        patched.setattr(CaptureReader, "feed", counting)
        rows, *_ = scanned(data, 2, 1 << 18, jsonl, jsonl)
    assert rows
    return given / data.count(b"\n")


FAILURES = (
    "corrupt_bad_magic", "hardfault_badaddr", "hang_u55_no_npu", "host_missing_op", "method_small_load",
    "method_small_planned", "missing_op_softmax", "semi_no_such_file", "temp_small_topk", "u55_nobackend",
)  # fmt: skip
SUCCESSES = (
    "bundleio_pass",
    "dbg_mnist",
    "etd_plain",
    "generic_softmax",
    "mnist_q",
    "mobilenet_v2_corstone320",
    "softmax",
)


@pytest.mark.parametrize("name", FAILURES + SUCCESSES)
def test_a_night_of_one_program_is_read_by_layouts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"".join(night(name))
    assert agree(data, 1 << 18, both=True) > 40
    assert slowly_read(data, monkeypatch) < 0.25
    assert slowly_read(data, monkeypatch, jsonl=True) < 0.25


def test_most_elements_that_a_dump_left_out_count_but_are_not_kept() -> None:
    """The mobilenet sample shows elements 0 to 2 and 996 to 999; other runs show more of them, or a thousand others."""
    runs = night("mobilenet_v2_corstone320")
    for place in range(5, 60, 7):
        runs[place] = runs[place].replace(b"...(Skipped)", b"Output[0][3]: 0.5\n...(Skipped)")
    for place in range(6, 60, 7):
        runs[place] = runs[place].replace(b"[0][999]", b"[0][1999]")
    for place in range(8, 60, 14):
        runs[place] = runs[place].replace(b"...(Skipped)\n", b"")
    data = b"".join(runs)
    assert agree(data, 1 << 18, 10_007, both=True) > 20


def test_lines_after_a_run_count_neither_for_it_nor_for_the_next() -> None:
    """What the console says when all is over, with blank lines and without."""
    for after in (b"\n\n", b"[host] board 3 released\n\n", b"\x04\r\n", b"D [executorch:platform.cpp:12] idle\n\n"):
        data = b"".join(night("u55_nobackend", after=after))
        assert agree(data, 1 << 18, both=True) > 40
        rows, *_ = scanned(data, 2, 1 << 18)
        assert {data[row.end_byte - 12 : row.end_byte].strip() for row in rows} == {b"EXITTHESIM"}


@pytest.mark.parametrize("name", ["u55_nobackend", "softmax", "etd_plain"])
def test_runs_that_a_simulator_begins_are_read_by_layouts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"".join(night(name, before=TERMINALS, after=STOPPED))
    assert agree(data, 1 << 18, 10_007, both=True) > 40
    assert slowly_read(data, monkeypatch) < 0.3


def with_other_ticks(log: bytes, rng: random.Random) -> bytes:
    """The same dump with later ticks, changed in its bytes without regard to how they are laid out."""

    def other(found: re.Match[bytes]) -> bytes:
        data = base64.b64decode(found[0])
        ticks = {e.start_ticks for run in decode(data).runs for e in run.events if isinstance(e, ProfileEvent)}
        ticks |= {e.end_ticks for run in decode(data).runs for e in run.events if isinstance(e, ProfileEvent)}
        late = rng.randrange(1, 1000)
        for tick in ticks:
            assert data.count(struct.pack("<Q", tick)) >= 1
        for tick in sorted(ticks, reverse=True):
            data = data.replace(struct.pack("<Q", tick), struct.pack("<Q", tick + late + tick // 100 % 7))
        return base64.b64encode(data)

    changed = _ECHO.sub(other, log)
    assert changed != log
    return changed


def test_etdumps_with_other_ticks_are_read_by_layouts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(3)
    runs = [with_other_ticks(run, rng) for run in night("etd_plain")]
    data = b"".join(runs)
    assert agree(data, 1 << 18, both=True) > 40
    assert slowly_read(data, monkeypatch) < 0.25
    assert slowly_read(data, monkeypatch, jsonl=True) < 0.25
    _, texts, *_ = scanned(data, 2, 1 << 18, jsonl=True)
    assert len({re.search(r'"etdump": .*', text)[0] for text in texts}) > 50  # type: ignore[index]


def dump_of(events: list[tuple[str, int, int]], name: str = "Execute") -> bytes:
    writer = DumpWriter()
    writer.run(name, [writer.profile(kind, start, end, instruction=at) for at, (kind, start, end) in enumerate(events)])
    return base64.b64encode(writer.finish(sized=True))


def test_a_dump_that_says_something_else_is_judged_by_itself() -> None:
    """Ticks that went round, none at all, other events, more of them, a damaged text, a text that was cut."""
    rng = random.Random(4)
    runs = []
    for index, run in enumerate(night("etd_plain", 80)):
        ticks = sorted(rng.sample(range(1000, 100_000), 4))
        events = [("native_call_add.out", ticks[0], ticks[1]), ("DELEGATE_CALL", ticks[2], ticks[3]), ("load", 5, 9)]
        if index % 9 == 4:
            events[0] = ("native_call_add.out", (1 << 32) - 5, 7)
        elif index % 9 == 5:
            events = [(name, 0, 0) for name, _, _ in events]
        elif index % 9 == 6:
            events[1] = ("OPERATOR_CALL", ticks[2], ticks[3])
        elif index % 18 == 7:
            events += [("native_call_mul.out", ticks[3], ticks[3] + 5)]
        elif index % 18 == 16:
            events[1] = ("DELEGATE_CALL", 1 << 63, 5)
        text = bytearray(dump_of(events))
        if index % 18 == 8:
            text[len(text) // 2] ^= 1
        elif index % 18 == 17:
            del text[-9:]
        runs.append(_ECHO.sub(bytes(text), run))
    data = b"".join(runs)
    assert agree(data, 1 << 18, 10_007, both=True) > 30
    rows, *_ = scanned(data, 2, 1 << 18)
    said = {rule for row in rows for rule in row.rules if rule.startswith("etdump")}
    assert said >= {"etdump-wrapped", "etdump-untimed", "etdump-damaged"}


@pytest.mark.parametrize("seed", range(4))
def test_failed_cut_and_other_runs_in_one_night(seed: int) -> None:
    rng = random.Random(seed)
    names = (
        "mobilenet_v2_corstone320",
        "u55_nobackend",
        "etd_plain",
        "temp_small_topk",
        "corrupt_bad_magic",
        "dbg_mnist",
    )
    runs = []
    for _ in range(90):
        run = with_other_figures(sample(rng.choice(names[: 2 + seed])), rng)
        if rng.random() < 0.2:
            lines = run.splitlines(keepends=True)
            run = b"".join(lines[: rng.randrange(1, len(lines))])
        if rng.random() < 0.1:
            at = rng.randrange(len(run))
            run = (
                run[:at]
                + rng.choice((b"9", b"\n", b"E [executorch:x.cpp:1] bad\n", b"junk\n", b"\x04", b"-"))
                + run[at:]
            )
        runs.append(run)
    assert agree(b"".join(runs), 1 << 18, 10_007, both=seed % 2 == 0) > 20


def test_another_shape_of_the_first_line_makes_no_other_release() -> None:
    """A run that is looked at twice has the same release both times: the first line's prefix tells of it, too."""
    log = b"".join(
        b"I [executorch:arm_executor_runner.cpp:%d] %s\n" % line
        for line in (
            (386, b"Model in 200014B0 <"),
            (388, b"Model PTE file loaded. Size: 175008 bytes."),
            (398, b"Model buffer loaded, has 1 methods"),
            (406, b"Running method forward"),
            (417, b"Setup Method allocator pool. Size: 1024 bytes."),
        )
    )
    assert agree(log * 60, 1 << 18, both=True) > 40


def test_a_night_of_many_programs_is_read_by_layouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run may be followed by the first line of any other program's; the reader is given few of their lines."""
    rng = random.Random(5)
    names = [name for name in FAILURES + SUCCESSES if not name.startswith("host_")]
    data = b"".join(with_other_figures(sample(rng.choice(names)), rng) for _ in range(500))
    rows, *_ = scanned(data, 1 << 30, 1 << 18)
    assert agree(data, 1 << 18) > 350
    assert slowly_read(data, monkeypatch) < 0.4
    assert len({row.cause for row in rows}) >= 7


def test_more_than_two_dozen_programs_in_one_night_are_read_by_layouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """All begin alike, and each goes on in lines of its own."""
    rng, log = random.Random(7), sample("mnist_q")
    head, rest = log[: log.index(b"\n") + 1], log[log.index(b"\n") + 1 :]
    programs = [
        head + re.sub(rb"(?<=cpp:)\d+", lambda found, by=by: b"%d" % (int(found[0]) + by), rest)  # type: ignore[misc]
        for by in range(40)
    ]
    data = b"".join(with_other_figures(rng.choice(programs), rng) for _ in range(600))
    assert agree(data, 1 << 18) > 400
    assert slowly_read(data, monkeypatch) < 0.3


def test_what_a_first_line_ends_depends_on_the_run_before_it() -> None:
    """A program that was loaded goes on with a fault; one that is over does not, and the fault is a run of its own."""
    rng = random.Random(6)
    loaded = b"".join(sample("softmax").splitlines(keepends=True)[:6])
    runs = []
    for _ in range(60):
        runs += [
            sample("softmax"),
            sample("hardfault_badaddr"),
            loaded,
            sample("hardfault_badaddr"),
            loaded,
            sample("mnist_q"),
        ]
    rng.shuffle(runs)
    assert agree(b"".join(runs), 1 << 18, 10_007) > 100


@pytest.mark.parametrize("dtype", [b"int", b"char"])
def test_whole_numbers_of_a_dump_stay_whole_in_json_lines(dtype: bytes) -> None:
    rng = random.Random(7)
    whole = re.compile(rb"(?<=\]: )\(float\) -?\d+\.\d+")
    runs = [whole.sub(lambda _: b"(%s) %d" % (dtype, rng.randrange(-128, 128)), run) for run in night("mnist_q", 40)]
    assert runs[0] != sample("mnist_q") and dtype in runs[0]
    assert agree(b"".join(runs), 1 << 18, jsonl=True) > 20
