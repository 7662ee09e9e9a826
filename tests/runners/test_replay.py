"""Replays keep every byte and the pace that was asked for, and stop at once."""

from __future__ import annotations

import bz2
import gzip
import lzma
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from ethosu_tui import sample_logs
from ethosu_tui.runners import replay
from ethosu_tui.runners.job import Chunk, Exit, InputError, JobEvent, Progress
from ethosu_tui.runners.replay import Pace, ReplayJob, has_times
from ethosu_tui.runners.runs.folder import RunFolder

Play: TypeAlias = Callable[[Path, Pace], list[JobEvent]]
LOG = (Path(sample_logs.__file__).parent / "softmax.log").read_bytes()


def _output(events: list[JobEvent]) -> bytes:
    return b"".join(event.data for event in events if isinstance(event, Chunk))


def _arrivals(events: list[JobEvent]) -> list[tuple[bytes, float]]:
    return [(event.data, event.at) for event in events if isinstance(event, Chunk) and event.data]


class Clock(threading.Event):
    """A clock that only waiting moves, in place of the real one: no machine is too slow for a pace."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout is not None and timeout > 0
        self.now += timeout
        return False


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Play:
    """Play a log by a clock of its own."""

    def play(path: Path, pace: Pace) -> list[JobEvent]:
        clock = Clock()
        job = ReplayJob(path, pace)
        monkeypatch.setattr(replay, "time", clock)
        monkeypatch.setattr(job, "_stop", clock)
        return list(job.run())

    return play


@pytest.mark.parametrize(
    ("ending", "compress"), [("", bytes), (".gz", gzip.compress), (".xz", lzma.compress), (".bz2", bz2.compress)]
)
def test_at_once_and_every_byte(ending: str, compress: object, tmp_path: Path) -> None:
    path = tmp_path / f"log{ending}"
    path.write_bytes(compress(LOG * 100))  # type: ignore[operator]
    events = list(ReplayJob(path).run())
    assert _output(events) == LOG * 100
    assert isinstance(events[-1], Exit) and events[-1].reason == "ended"


def test_lines_per_second(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"".join(b"line %d\n" % n for n in range(9)))
    events = play(path, 20.0)
    assert _output(events) == path.read_bytes()
    assert [at for _, at in _arrivals(events)] == pytest.approx([n / 20 for n in range(9)], abs=0.001)
    path.write_bytes(b"x\n" * 20_000)
    events = play(path, 50_000.0)
    assert _output(events) == path.read_bytes()
    assert isinstance(events[-1], Exit) and events[-1].seconds == pytest.approx(0.4, abs=0.02)


def test_the_recorded_pace_of_a_run_folder(play: Play, tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "run", "x")
    with folder.console() as console:
        for data, at in ((b"one\n", 10.0), (b"two\n", 10.3), (b"three\n", 10.3), (b"four\n", 10.7)):
            console.write(data, at)
    for path in (folder.path, folder.console_path):
        events = play(path, "original")
        assert _output(events) == b"one\ntwo\nthree\nfour\n"
        arrivals = _arrivals(events)
        assert [at for data, at in arrivals if data.startswith(b"one")] == [0.0]
        assert [at for data, at in arrivals if b"two" in data] == pytest.approx([0.3], abs=0.001)
        assert [at for data, at in arrivals if b"four" in data] == pytest.approx([0.7], abs=0.001)


@pytest.mark.parametrize("junk", [b"", b"junk\n[1]\n[-5, 0]\n[1e99, 3]\n[true, 1]\n[0.1, 9999999]\n", b"[" * 9000])
def test_broken_times_lose_no_byte(junk: bytes, tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "run", "x")
    with folder.console() as console:
        console.write(LOG, 0.0)
    folder.times_path.write_bytes(junk)
    assert _output(list(ReplayJob(folder.path, "original").run())) == LOG


@pytest.mark.parametrize(
    ("stamps", "seconds"),
    [
        (("[2026-11-20T10:00:00.100] ", "[2026-11-20T10:00:00.500] "), 0.4),
        (("2026-11-20 23:59:59.900 ", "2026-11-21 00:00:00.200 "), 0.3),
        (("23:59:59.900 ", "00:00:00.200 "), 0.3),
        (("I 00:00:00.000100 executorch:", "I 00:00:00.400100 executorch:"), 0.4),
        (("[   12.000000] ", "[   12.400000] "), 0.4),
        (("10:00:00.900 ", "10:00:00.100 "), 0.0),
    ],
)
def test_the_pace_of_time_stamps(stamps: tuple[str, str], seconds: float, play: Play, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text(f"{stamps[0]}one\nmore\n{stamps[1]}two\n")
    assert has_times(path)
    events = play(path, "original")
    assert not [event for event in events if isinstance(event, Progress)]
    assert next(at for data, at in _arrivals(events) if b"more" in data) == 0.0
    assert next(at for data, at in _arrivals(events) if b"two" in data) == pytest.approx(seconds, abs=0.001)


def test_a_log_without_times_says_so_and_takes_a_stated_rate(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one\ntwo\nthree\n")
    events = list(ReplayJob(path, "original").run())
    (note,) = [event for event in events if isinstance(event, Progress)]
    assert note.stage == "no times in log: playing 50 lines a second" and _output(events) == path.read_bytes()


def test_stop_is_prompt_and_pauses_are_announced(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one\ntwo\n")
    job = ReplayJob(path, 0.01)
    events: list[JobEvent] = []
    began = time.monotonic()
    for event in job.run():
        events.append(event)
        if isinstance(event, Chunk) and not event.data:
            threading.Timer(0.1, job.stop).start()
    assert time.monotonic() - began < 60, "the next line was due after 100 s"
    assert isinstance(events[-1], Exit) and events[-1].reason == "stopped"
    assert [event.data for event in events if isinstance(event, Chunk)] == [b"one\n", b""]
    job = ReplayJob(path)
    job.stop()
    assert _output(list(job.run())) == b""


def test_what_cannot_be_read_says_so(tmp_path: Path) -> None:
    (tmp_path / "cut.gz").write_bytes(gzip.compress(LOG * 10)[:200])
    for path in (tmp_path / "gone", tmp_path, tmp_path / "cut.gz"):
        with pytest.raises(InputError, match=str(path)):
            list(ReplayJob(path).run())
