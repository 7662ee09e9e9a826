"""`run --repeat`: a folder a run, one process for all, and figures whose spread is known because the stand-in plays it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.keeping.claims import claim_of
from ethosu_tui.runners.keeping.stopping import ask_to_stop, wait_until_over
from ethosu_tui.runners.launch import launch
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.runs.folder import STOP, RunFolder, list_runs, runs_root
from ethosu_tui.runners.runs.series import END, NEXT, members, next_of, place_of

from . import standin_fvp
from .keepers import PATIENCE_SECONDS, wait_for, wait_gone, wait_said

U85 = "FVP_Corstone_SSE-320"
COMMAND = [sys.executable, "-m", "ethosu_tui.tui.cli"]
COUNTING = """#!/bin/sh
here="${0%/*}"
[ "$1" = --version ] && exec "$here/1/${0##*/}" "$@"
calls=$(($(cat "$here/calls") + 1))
echo $calls > "$here/calls"
exec "$here/$calls/${0##*/}" "$@"
"""


def _cli(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=120)


class Fvp:
    """A stand-in that plays another log at each call."""

    def __init__(self, folder: Path, samples: Path) -> None:
        self._folder = folder / "fvp"
        self._folder.mkdir()
        self._log = (samples / "mobilenet_v2_corstone320.log").read_bytes().rstrip(b"\x04\r\n") + b"\n\x04\n"
        self._executable = self._folder / U85
        self._executable.write_text(COUNTING)
        self._executable.chmod(0o755)
        (self._folder / "calls").write_text("0")
        self.elf = standin_fvp.elf(folder / "runner.elf")
        self._calls = 0

    def plays(self, cycles: int | None, **behaviour: object) -> Fvp:
        """At the next call a run of so many NPU cycles, or one that fails."""
        self._calls += 1
        log = self._log.replace(b"5920305", str(cycles).encode())
        if cycles is None:
            log = b"E [executorch:arm_executor_runner.cpp:1] Loading of method forward failed with status 0x1\n\x04\n"
        standin_fvp.write(self._folder / str(self._calls), U85, log, **behaviour)
        return self

    def command(self, *more: object) -> list[str]:
        where = ("--on", "fvp", "--target", "ethos-u85-256", "--fvp", self._executable)
        return ["run", str(self.elf), *map(str, (*where, *more))]

    def launch(self, repeat: int, **more: Any) -> RunFolder:
        exe = str(self._executable)
        request = RunRequest("fvp", str(self.elf), target="ethos-u85-256", fvp=exe, repeat=repeat, **more)
        folder = launch(request, runs_root()).folder
        assert folder is not None
        return folder


@pytest.fixture
def fvp(tmp_path: Path, samples: Path) -> Fvp:
    return Fvp(tmp_path, samples)


@contextlib.contextmanager
def _watching(arguments: list[str]) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen([*COMMAND, *arguments], stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def _first() -> RunFolder:
    def sound() -> list[RunFolder]:
        return [folder for folder in list_runs(runs_root()) if folder.problem is None]

    found = wait_for(sound)[-1]  # the second may be there already
    assert isinstance(found, RunFolder)
    return found


def _following(folder: RunFolder) -> RunFolder:
    found = wait_for(lambda: next_of(RunFolder.open(folder.path)), "no next run")
    assert isinstance(found, RunFolder)
    return found


def _over(folder: RunFolder) -> RunFolder:
    last = wait_until_over(folder.path, PATIENCE_SECONDS)
    assert last is not None
    return last


def test_each_repeat_is_a_run_and_the_spread_is_that_of_the_repeats(fvp: Fvp) -> None:
    fvp.plays(5000).plays(1000).plays(1200).plays(1100)
    done = _cli(*fvp.command("--repeat", 3, "--warm-up", 1, "--json", "-q"))
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["schema"] == "ethosu-tui/report/1"
    cycles = [capture["runs"][0]["pmu"]["npu_cycles"] for capture in report["captures"]]
    assert cycles == [5000, 1000, 1200, 1100]
    told = report["repeats"]
    figures = {figure["name"]: figure for figure in told["figures"]}
    npu = figures["pmu.npu_cycles"]
    assert (npu["n"], npu["mean"], npu["median"], npu["min"], npu["max"]) == (3, 1100, 1100, 1000, 1200)
    assert npu["standard_deviation"] == 100 and npu["relative_spread_percent"] == pytest.approx(9.0909, abs=1e-4)
    cpu = figures["cycles.inference"]
    assert cpu["equal"] and cpu["n"] == 3 and cpu["mean"] == 6925114 and cpu["standard_deviation"] == 0
    assert figures["host.seconds"]["n"] == 3 and figures["host.seconds"]["min"] > 0
    assert not any(name.startswith("derived.cpu_seconds") for name in figures)

    folders = sorted(list_runs(runs_root()), key=lambda folder: folder.created)
    assert [str(folder.path) for folder in folders] == [capture["source"] for capture in report["captures"]]
    assert [member["id"] for member in told["members"]] == [folder.id for folder in folders]
    assert [member["used"] for member in told["members"]] == [False, True, True, True]
    assert len({folder.manifest["pid"] for folder in folders}) == 1  # one process carried out all
    assert folders[0].manifest[NEXT] == folders[1].id and folders[-1].manifest[END] == "complete"
    assert "warm-up-1-of-1" in folders[0].id and folders[2].label.startswith("repeat 2 of 3, ")
    stored = json.loads(folders[2].report_path.read_bytes())
    assert stored["captures"][0]["runs"][0]["pmu"]["npu_cycles"] == 1200

    shown = _cli("runs", "attach", folders[1].id, "-q")
    assert shown.returncode == 0 and "equal in 3 runs" in shown.stdout and "1 warm-up left out" in shown.stdout
    (row,) = [line.split() for line in shown.stdout.splitlines() if line.startswith("pmu.npu_cycles ")]
    assert row[1:] == ["3", "1,100", "1,100", "1,000", "1,200", "100", "9.09", "%"]


def test_a_failure_ends_the_series_unless_it_is_to_be_ignored(fvp: Fvp) -> None:
    fvp.plays(1000).plays(None).plays(1000).plays(None).plays(3000)
    done = _cli(*fvp.command("--repeat", 3, "-q"))
    assert done.returncode == 5 and "repeat 2 of 3 did not pass" in done.stderr
    assert "1 of 3 runs passed" in done.stdout and len(list_runs(runs_root())) == 2
    done = _cli(*fvp.command("--repeat", 3, "--ignore-failure", "-q", "--json"))
    assert done.returncode == 5, done.stderr
    told = json.loads(done.stdout)["repeats"]
    assert [member["status"] for member in told["members"]] == ["passed", "failed", "passed"]
    (npu,) = [figure for figure in told["figures"] if figure["name"] == "pmu.npu_cycles"]
    assert (npu["n"], npu["mean"]) == (2, 2000) and told["ended_early"] is None


def test_stopping_any_run_stops_the_series(fvp: Fvp) -> None:
    fvp.plays(1000).plays(1000, hang_after="NPU Inferences").plays(1000)
    with _watching(fvp.command("--repeat", 3, "-q")) as watching:
        first = _first()
        second = _following(first)
        wait_said(second, "NPU Inferences")
        done = _cli("runs", "stop", first.id)
        assert done.returncode == 0 and f"{second.id} is stopped" in done.stderr, done.stderr
        _, said = watching.communicate(timeout=60)
    assert watching.returncode == 130 and "ended early: stopped" in said
    states = [folder.state for folder in members(first)]
    assert states == ["finished", "stopped"] and len(list_runs(runs_root())) == 2
    assert RunFolder.open(second.path).manifest[END] == "stopped"
    ask_to_stop(first)  # harmless: it is over
    assert _cli("runs", "stop", first.id).returncode == 0


def test_a_stop_that_comes_between_two_runs_is_not_lost(fvp: Fvp) -> None:
    fvp.plays(1000, line_seconds=0.02).plays(1000).plays(1000)
    first = fvp.launch(3)
    wait_said(first, "NPU Inferences")
    (first.path / STOP).touch()  # as of somebody who may not signal: seen now or when this run is over
    last = _over(first)
    assert last.manifest[END] == "stopped" and len(list_runs(runs_root())) < 3


def test_killed_it_leaves_what_was_true_and_no_later_run(fvp: Fvp) -> None:
    fvp.plays(1000).plays(1000, hang_after="NPU Inferences").plays(1000)
    with _watching(fvp.command("--repeat", 3, "-q")) as watching:
        first = _first()
        second = _following(first)
        wait_said(second, "NPU Inferences")
        os.kill(second.manifest["pid"], signal.SIGKILL)
        _, said = watching.communicate(timeout=60)
    assert watching.returncode == 5 and "1 of 3 repeats passed; ended early" in said
    assert [folder.state for folder in members(second)] == ["finished", "lost"]
    assert len(list_runs(runs_root())) == 2


def test_a_closed_terminal_leaves_the_series_going_on(fvp: Fvp) -> None:
    fvp.plays(1000, line_seconds=0.02).plays(1000).plays(1000)
    with _watching(fvp.command("--repeat", 3, "-q")) as watching:
        first = _first()
        wait_said(first, "NPU Inferences")
        watching.send_signal(signal.SIGHUP)
        _, said = watching.communicate(timeout=60)
    assert watching.returncode == 130 and "the series continues" in said
    last = _over(first)
    assert [folder.status for folder in members(last)] == ["passed"] * 3 and last.manifest[END] == "complete"
    wait_gone(last.manifest["pid"])


def test_what_only_one_may_use_is_kept_until_the_series_is_over(fvp: Fvp) -> None:
    fvp.plays(1000).plays(1000, hang_after="NPU Inferences")
    first = fvp.launch(2, slots=1)
    second = _following(first)
    wait_said(second, "NPU Inferences")
    claim = claim_of(RunRequest("fvp", slots=1))
    assert claim is not None and [holder.run for holder in claim.lock().holders()] == [first.id]  # never given back
    ask_to_stop(second)
    assert _over(second).manifest[END] == "stopped"  # which is said when it was given back
    lock = claim.lock()
    assert lock.take("")
    lock.release()


def test_a_file_that_changes_ends_the_series(fvp: Fvp) -> None:
    fvp.plays(1000, line_seconds=0.02).plays(1000)
    first = fvp.launch(2)
    wait_said(first, "NPU Inferences")
    fvp.elf.write_bytes(fvp.elf.read_bytes() + b"new")
    last = _over(first)
    assert last.id == first.id and "was changed" in last.manifest[END] and len(list_runs(runs_root())) == 1
    done = _cli("runs", "attach", first.id, "-q")
    assert done.returncode == 5 and "was changed" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--on", "replay:x.log", "--repeat", "2"),
        ("--on", "command", "--repeat", "0", "--", "true"),
        ("--on", "command", "--warm-up", "-1", "--", "true"),
        ("--on", "command", "--ignore-failure", "--", "true"),
    ],
)
def test_what_makes_no_series_is_refused(words: tuple[str, ...]) -> None:
    done = _cli("run", *words)
    assert done.returncode == 2 and "Traceback" not in done.stderr and not list_runs(runs_root())


def test_a_manifest_cannot_lead_out_of_the_workspace_or_in_circles(tmp_path: Path) -> None:
    root = tmp_path / "root"
    place = {"first": None, "index": 1, "warm_ups": 0, "repeats": 2, "warm_up": False}
    one = RunFolder.create(root, "run", "one", series=place, next="../outside")
    outside = RunFolder.create(tmp_path, "run", "outside", series={**place, "first": one.id, "index": 2})
    for name in (f"../{outside.id}", "..", "", one.id, None, 7):
        one.update(next=name)
        assert next_of(RunFolder.open(one.path)) is None
    assert [folder.id for folder in members(one)] == [one.id]
    for series in (None, [], {**place, "index": 3}, {**place, "index": True}, {**place, "repeats": "2"}):
        one.update(series=series)
        assert place_of(RunFolder.open(one.path)) is None
