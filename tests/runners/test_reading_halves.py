"""A large log read by two processes gives what one process makes of it, wherever it is divided, and whatever becomes of the other."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis import scan, seams
from ethosu_tui.analysis.report import Capture
from ethosu_tui.analysis.rows import RunRow
from ethosu_tui.runners.reading import blocks, digest, halves
from ethosu_tui.runners.reading.digest import Manner
from ethosu_tui.runners.reading.halves import SecondHalf
from ethosu_tui.runners.reading.harvest import Harvest, Remark

from ..analysis.test_scan import damaged, made
from ..analysis.test_scan_genuine import night
from .keepers import wait_gone

BLOCK_BYTES = 1 << 14
VELA = (
    b"Accelerator configuration               Ethos_U85_256\nSystem configuration             Ethos_U85_SYS_DRAM_Mid\n"
)


class Met:
    """How often another process's half was taken."""

    times = 0


@pytest.fixture(autouse=True)
def met(monkeypatch: pytest.MonkeyPatch) -> Iterator[Met]:
    """Files of some hundred kilobytes count as large; nothing is left running."""
    found = Met()
    honest = SecondHalf.met

    def counting(self: SecondHalf, *given: Any) -> Any:
        result = honest(self, *given)
        found.times += result is not None
        return result

    monkeypatch.setattr(SecondHalf, "met", counting)
    monkeypatch.setattr(scan, "PIECE_BYTES", 1024)
    monkeypatch.setattr(seams, "LOOKED_AT_BYTES", 2 * BLOCK_BYTES)
    monkeypatch.setattr(blocks, "_PLAIN_BYTES", BLOCK_BYTES)
    monkeypatch.setattr(halves, "BLOCK_BYTES", BLOCK_BYTES)
    monkeypatch.setattr(halves, "FIRST_BYTES", 4 * BLOCK_BYTES)
    monkeypatch.setattr(halves, "LEAST_BYTES", 4 * BLOCK_BYTES)
    monkeypatch.setattr(halves, "cores", lambda: 2)
    monkeypatch.setattr(digest, "LARGE_BYTES", 4 * BLOCK_BYTES)
    yield found
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def read(path: Path, halved: bool, full_runs: int = 3) -> tuple[list[RunRow], list[Capture], int, list[Remark]]:
    harvest = Harvest(Manner(full_runs, halves=halved), 1 << 40)
    harvest.read(str(path))
    return list(harvest.store), harvest.captures, harvest.code, harvest.remarks


def alike(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    assert read(path, halved=True) == read(path, halved=False)


@pytest.mark.parametrize("kind", ["dense", "noisy"])
@pytest.mark.parametrize("era", ["classic", "current"])
def test_both_halves_together_are_the_whole(kind: str, era: str, tmp_path: Path, met: Met) -> None:
    alike(tmp_path / "night.log", made(kind, era, 450_000, 3))
    assert met.times == 1


def test_runs_are_counted_on_where_first_lines_came_twice(tmp_path: Path, met: Met) -> None:
    """How many runs stand before the middle can only be guessed there."""
    runs = made("dense", "classic", 400_000, 5).split(b"I [executorch:arm_executor_runner.cpp:364]")[1:]
    first = b"I [executorch:arm_executor_runner.cpp:364]"
    data = b"".join(
        first + run.split(b"\n")[0] + b"\n" + first + run if n % 7 == 0 else first + run for n, run in enumerate(runs)
    )
    alike(tmp_path / "night.log", data)
    assert met.times == 1


@pytest.mark.parametrize("seed", range(3))
def test_damaged_captures_are_read_alike(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    nights = [b"".join(night(name, 12, seed)) for name in ("corrupt_bad_magic", "softmax", "mobilenet_v2_corstone320")]
    pieces = [made("noisy", "classic", 120_000, seed), made("dense", "current", 100_000, seed), *nights]
    rng.shuffle(pieces)
    data = damaged(b"".join(pieces), rng)
    alike(tmp_path / "night.log", data)


@pytest.mark.parametrize("place", [0.1, 0.45, 0.9])
def test_what_a_compile_says_between_runs_counts_for_both(place: float, tmp_path: Path) -> None:
    runs = night("mobilenet_v2_corstone320", 80)
    runs.insert(int(place * len(runs)), VELA)
    alike(tmp_path / "night.log", b"".join(runs))


def test_a_capture_that_ends_in_the_middle_of_a_run(tmp_path: Path, met: Met) -> None:
    data = made("noisy", "classic", 450_000, 3)
    alike(tmp_path / "night.log", data[: data.rindex(b"Operator(s) total") + 20])
    assert met.times == 1


def _dies_at_once(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _fails(*_: Any) -> None:
    raise MemoryError


@pytest.mark.parametrize("end", [_dies_at_once, _fails])
@pytest.mark.parametrize("where", ["_read_ahead", "_handed_over"])
def test_where_the_other_process_dies_this_one_reads_on(
    where: str, end: Callable[..., None], tmp_path: Path, met: Met, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is known of it, and after it was told to hand over what it has."""
    monkeypatch.setattr(halves, where, end)
    alike(tmp_path / "night.log", made("noisy", "classic", 450_000, 3))
    assert met.times == 0


def test_a_file_that_grows_is_said_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, met: Met) -> None:
    path = tmp_path / "night.log"
    path.write_bytes(made("dense", "classic", 450_000, 3))
    honest = Harvest.keep

    def growing(self: Harvest, rows: list[RunRow]) -> None:
        with path.open("ab") as file:
            file.write(b"more\n")
        honest(self, rows)

    monkeypatch.setattr(Harvest, "keep", growing)
    *_, remarks = read(path, halved=True)
    assert met.times == 0
    assert "grew while it was read" in remarks[0].text


def test_one_process_is_enough_where_it_was_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "night.log"
    path.write_bytes(made("dense", "classic", 450_000, 3))
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a process was started"))
    read(path, halved=False)
    monkeypatch.setattr(halves, "cores", lambda: 1)
    read(path, halved=True)


WAITS = f"""
import sys, time
from ethosu_tui.analysis import scan
from ethosu_tui.runners.reading import blocks, digest, halves
from ethosu_tui.runners.reading.digest import Manner
from ethosu_tui.runners.reading.harvest import Harvest
blocks._PLAIN_BYTES = halves.BLOCK_BYTES = {BLOCK_BYTES}
halves.FIRST_BYTES = halves.LEAST_BYTES = digest.LARGE_BYTES = {4 * BLOCK_BYTES}
halves.cores, scan.PIECE_BYTES = lambda: 2, 1024
def waits(half, scanner, pipe):
    pipe.recv()
    print(half._pid, flush=True)
    time.sleep(600)
halves.SecondHalf._compared = waits
Harvest(Manner(3, halves=True), 1 << 40).read(sys.argv[1])
"""


def test_the_other_process_ends_when_this_one_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "night.log"
    path.write_bytes(made("dense", "classic", 900_000, 3))
    with subprocess.Popen([sys.executable, "-c", WAITS, str(path)], stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdout is not None
        other = int(reader.stdout.readline())
        os.kill(other, 0)
        reader.kill()
    wait_gone(other)
