"""A large log read by several processes gives what one process makes of it, wherever it is divided, and whatever becomes of them."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.reading.spare import SpareCores
from ethosu_tui.runners.reading.spread import _Pool

from ..analysis.test_scan import damaged, made
from ..analysis.test_scan_genuine import night
from .keepers import wait_gone

VELA = (
    b"Accelerator configuration               Ethos_U85_256\nSystem configuration             Ethos_U85_SYS_DRAM_Mid\n"
)
FORMS = pytest.mark.parametrize("form", ["rows", "jsonl"])
SCRIPT = str(Path(__file__).with_name("halved.py"))


CORES = pytest.mark.parametrize("cores", [2, 4])


def came_of(folder: Path, form: str, data: bytes, *how: str, cores: int = 2) -> dict[str, Any]:
    """What `halved.py` says of a log read to this form; no process is left of it."""
    path = folder / "night.log"
    path.write_bytes(data)
    done = subprocess.run(
        [sys.executable, SCRIPT, str(path), form, str(cores), *how], capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["same"] and not found["left"]
    assert found["free"] == cores - 1 or not found["forks"] or how == ("pool",)
    return found


@FORMS
@pytest.mark.parametrize("kind", ["dense", "noisy"])
@pytest.mark.parametrize("era", ["classic", "current"])
@CORES
def test_both_halves_together_are_the_whole(form: str, kind: str, era: str, cores: int, tmp_path: Path) -> None:
    assert came_of(tmp_path, form, made(kind, era, 900_000, 3), cores=cores)["met"] == 1


@FORMS
@pytest.mark.parametrize("era", ["classic", "current"])
def test_whoever_is_done_first_is_given_more_of_a_slow_process(form: str, era: str, tmp_path: Path) -> None:
    """But for JSON lines: each process takes memory, and what is streamed is read by two, however many cores are free."""
    found = came_of(tmp_path, form, made("noisy", era, 900_000, 3), "slow", "first", cores=4)
    assert found["met"] == 1 and (found["forks"] == 1 if form == "jsonl" else found["forks"] > 1)


@pytest.mark.parametrize("era", ["classic", "current"])
def test_a_slow_copy_is_divided_once_more(era: str, tmp_path: Path) -> None:
    """JSON lines of a copy's copy would have to be counted twice: those are left to it."""
    found = came_of(tmp_path, "rows", made("noisy", era, 900_000, 3), "slow", "copies")
    assert found["met"] == 1 and found["forks_of_copies"]
    found = came_of(tmp_path, "jsonl", made("noisy", era, 900_000, 3), "slow", "copies")
    assert found["met"] == 1 and not found["forks_of_copies"]


def test_a_run_that_stands_across_the_middle_is_left_to_the_first(tmp_path: Path) -> None:
    """It is longer than what is looked at before the middle; the other begins with the run after it."""
    first = b"I [executorch:arm_executor_runner.cpp:364]"
    runs = made("heavy", "classic", 9_000_000, 3).split(first)[1:]
    long = first + next(run for run in runs if 60_000 < len(run) < 120_000)
    dense = made("dense", "classic", 430_000, 3)
    assert came_of(tmp_path, "rows", dense + long + dense)["met"] == 1


@FORMS
def test_a_worker_whose_siblings_have_nothing_to_do_divides_its_file(form: str, tmp_path: Path) -> None:
    assert came_of(tmp_path, form, made("noisy", "classic", 900_000, 3), "pool")["forks_of_copies"]


@FORMS
def test_runs_are_counted_on_where_first_lines_came_twice(form: str, tmp_path: Path) -> None:
    """How many runs stand before the middle is not known there."""
    first = b"I [executorch:arm_executor_runner.cpp:364]"
    runs = made("dense", "classic", 700_000, 5).split(first)[1:]
    data = b"".join(
        first + run.split(b"\n")[0] + b"\n" + first + run if n % 7 == 0 else first + run for n, run in enumerate(runs)
    )
    assert came_of(tmp_path, form, data)["met"] == 1


@FORMS
@pytest.mark.parametrize("seed", range(3))
@CORES
def test_damaged_captures_are_read_alike(form: str, seed: int, cores: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    nights = [b"".join(night(name, 40, seed)) for name in ("corrupt_bad_magic", "softmax", "mobilenet_v2_corstone320")]
    pieces = [made("noisy", "classic", 300_000, seed), made("dense", "current", 200_000, seed), *nights]
    rng.shuffle(pieces)
    assert came_of(tmp_path, form, damaged(b"".join(pieces), rng), cores=cores)["forks"] >= 1


@FORMS
@pytest.mark.parametrize("place", [0.1, 0.45, 0.9])
def test_what_a_compile_says_between_runs_counts_for_both(form: str, place: float, tmp_path: Path) -> None:
    runs = night("mobilenet_v2_corstone320", 200)
    runs.insert(int(place * len(runs)), VELA)
    came_of(tmp_path, form, b"".join(runs))


@FORMS
def test_a_capture_that_ends_in_the_middle_of_a_run(form: str, tmp_path: Path) -> None:
    data = made("noisy", "classic", 900_000, 3)
    assert came_of(tmp_path, form, data[: data.rindex(b"Operator(s) total") + 20])["met"] == 1


@FORMS
@pytest.mark.parametrize("end", ["dies", "fails"])
@pytest.mark.parametrize("where", ["read_ahead", "handed_over"])
def test_where_the_other_process_dies_this_one_reads_on(form: str, where: str, end: str, tmp_path: Path) -> None:
    """Before anything is known of it, and after it was told to hand over what it has."""
    found = came_of(tmp_path, form, made("noisy", "classic", 900_000, 3), where, end)
    assert found["forks"] >= 1 and not found["met"]


def test_a_file_that_grows_is_said_to(tmp_path: Path) -> None:
    found = came_of(tmp_path, "rows", made("dense", "classic", 900_000, 3), "grows")
    assert found["forks"] >= 1 and not found["met"]
    assert "grew while it was read" in found["remarks"][0]


def test_one_process_is_enough_where_there_is_one_core(tmp_path: Path) -> None:
    assert came_of(tmp_path, "rows", made("dense", "classic", 900_000, 3), cores=1)["forks"] == 0


def test_the_other_process_ends_when_this_one_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "night.log"
    path.write_bytes(made("dense", "classic", 900_000, 3))
    with subprocess.Popen(
        [sys.executable, SCRIPT, str(path), "rows", "2", "waits"], stdout=subprocess.PIPE, text=True
    ) as reader:
        assert reader.stdout is not None
        other = int(reader.stdout.readline())
        os.kill(other, 0)
        reader.kill()
    wait_gone(other)


def test_a_copy_that_waits_for_its_own_ends_when_this_one_is_killed(tmp_path: Path) -> None:
    """What it waits for may take minutes.  On a machine that is busy a copy may see no need for one of its own."""
    path = tmp_path / "night.log"
    path.write_bytes(made("noisy", "classic", 900_000, 3))
    for _ in range(8):
        with subprocess.Popen(
            [sys.executable, SCRIPT, str(path), "rows", "2", "stalls"], stdout=subprocess.PIPE, text=True
        ) as reader:
            assert reader.stdout is not None
            said = reader.stdout.readline()
            if said.startswith("{"):
                continue
            waiting, last = map(int, said.split())
            reader.kill()
            try:
                wait_gone(waiting)
            finally:
                os.kill(last, signal.SIGKILL)
            return
    pytest.fail("no copy ever had one of its own")


def test_ctrl_c_in_a_copy_that_has_just_begun_is_not_taken_for_ours(tmp_path: Path) -> None:
    assert came_of(tmp_path, "rows", made("dense", "classic", 900_000, 3), "interrupted")["met"] == 1


def test_children_that_end_unseen_are_no_error(tmp_path: Path) -> None:
    """SIGCHLD is ignored where whoever started us ignores it."""
    assert came_of(tmp_path, "rows", made("dense", "classic", 900_000, 3), "children unseen")["met"] == 1


def test_cores_become_no_more_where_one_is_used_that_was_not_free() -> None:
    spare = SpareCores(1)
    assert spare.take()
    spare.use()
    spare.give()
    assert not spare.take()
    spare.give()
    assert spare.take() and not spare.take()
    spare.close()


def test_a_pool_has_no_more_cores_after_work_that_came_while_copies_used_all() -> None:
    with _Pool(1, multiprocessing.get_context("fork"), 2) as pool:
        spare = pool.spare
        assert spare is not None and spare.take() and spare.take()
        pool.submit(len, "").result()
        spare.give(2)
        pool.submit(len, "").result()
        pool.shutdown()
        assert spare.take() and spare.take() and not spare.take()
        spare.close()


def test_lines_are_not_set_aside_where_no_file_can_be_made(tmp_path: Path) -> None:
    found = came_of(tmp_path, "jsonl", made("dense", "classic", 900_000, 3), "no disk")
    assert (found["forks"], found["met"]) == (0, 0)
    assert found["lines"] > 100


def test_one_process_is_enough_where_no_pipe_can_be_made(tmp_path: Path) -> None:
    """As many files are open as may be."""
    assert came_of(tmp_path, "rows", made("dense", "classic", 900_000, 3), "no pipe")["forks"] == 0


def test_lines_that_find_no_room_are_made_here(tmp_path: Path) -> None:
    found = came_of(tmp_path, "jsonl", made("dense", "classic", 900_000, 3), "full disk")
    assert found["forks"] >= 1 and not found["met"]
