"""Several programs on several places: only what fits runs, the reason for the rest is said, and all take turns by slots."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ethosu_tui.runners.job import InputError, UsageError
from ethosu_tui.runners.reading.programs import programs_of
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.runs.folder import list_runs, runs_root
from ethosu_tui.runners.several import product, sorted_out

from . import standin_fvp
from .keepers import end_all, wait_for

PROGRAMS = Path(__file__).parents[1] / "programs"
U55, U85 = "two_parts_u55_128.pte", "adds_u85_512_dedicated.pte"


def _cli(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "ethosu_tui.tui.cli", "run", *map(str, arguments)]
    return subprocess.run(argv, capture_output=True, text=True, timeout=240, cwd=cwd)


@pytest.fixture
def place(tmp_path: Path, samples: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two simulators with a runner each, as entries of a file of targets."""
    standin_fvp.two_places(tmp_path, (samples / "softmax.log").read_bytes())
    monkeypatch.setenv("ETHOSU_TUI_FVP_PATH", str(tmp_path / "fvp"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_each_program_runs_where_it_fits_and_nowhere_else(place: Path) -> None:
    on = ("--on", "small", "--on", "large")
    plan = _cli(PROGRAMS / U55, PROGRAMS / U85, *on, "--dry-run", "--json", cwd=place)
    assert plan.returncode == 0 and list_runs(runs_root()) == []
    runs = json.loads(plan.stdout)["runs"]
    assert [(Path(run["artefact"]).name, run["on"], run["target"]) for run in runs] == [
        (U55, "small", "ethos-u55-128"),
        (U85, "large", "ethos-u85-512"),
    ]
    assert plan.stderr.count("left out: ") == 2 and f"{U85} was compiled for ethos-u85-512" in plan.stderr
    done = _cli(PROGRAMS / U55, PROGRAMS / U85, *on, cwd=place)
    assert done.returncode == 0, done.stderr
    assert "2 of 2 runs ended well" in done.stdout and "[2 of 2] passed: " in done.stderr
    stored = list_runs(runs_root())
    assert {(run.manifest["model"], run.manifest["target"], run.status) for run in stored} == {
        (U55[:-4], "ethos-u55-128", "passed"),
        (U85[:-4], "ethos-u85-512", "passed"),
    }
    again = json.loads(_cli(PROGRAMS / U55, PROGRAMS / U85, *on, "--dry-run", "--json", cwd=place).stdout)
    assert all(run["earlier_seconds"] > 0 for run in again["runs"])


def test_a_folder_stands_for_its_programs_and_one_bad_end_is_the_exit_code(place: Path, samples: Path) -> None:
    out = place / "out" / "deep"
    out.mkdir(parents=True)
    (place / "out" / "a.pte").write_bytes((PROGRAMS / U55).read_bytes())
    (out / "b.pte").write_bytes((PROGRAMS / U85).read_bytes())
    failing = (samples / "missing_op_softmax.log").read_bytes()
    standin_fvp.write(place / "fvp", "FVP_Corstone_SSE-320", failing)
    done = _cli("out", "--on", "small", "--on", "large", "--json", "--repeat", "2", cwd=place)
    assert done.returncode == 5, done.stderr
    captures = json.loads(done.stdout)["captures"]
    assert [capture["runs"][0]["status"] for capture in captures] == [
        "passed",
        "passed",
        "failed",
    ]  # a series ends there
    assert "[3 of 3]" in done.stderr or "3 of 3" in done.stderr


def test_runs_for_one_port_stand_in_line(place: Path, samples: Path) -> None:
    log = (samples / "softmax.log").read_bytes()
    served = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def board() -> None:
            while len(served) < 2:
                connection, _ = server.accept()
                with connection:
                    connection.sendall(log)
                    served.append(connection.recv(1))

        threading.Thread(target=board, daemon=True).start()
        port = f"serial:socket://127.0.0.1:{server.getsockname()[1]}"
        try:
            started = _cli(PROGRAMS / U55, PROGRAMS / "softmax_float.pte", "--on", port, "--detach", cwd=place)
            assert started.returncode == 0 and len(started.stdout.split()) == 2, started.stderr
            over = wait_for(lambda: [run for run in list_runs(runs_root()) if run.state == "finished"][1:])
        finally:
            end_all(runs_root())
    runs = list_runs(runs_root())
    assert over and [run.status for run in runs] == ["passed", "passed"] and len(served) == 2
    asked = [json.loads((run.path / "request.json").read_text())["request"] for run in runs]
    assert all(one["wait"] for one in asked), "whichever process comes first, none ends because of the other"


def test_options_of_one_kind_of_place_do_not_trouble_another(place: Path) -> None:
    request = RunRequest("fvp", elf=str(place / "runner.elf"), address="0x70000000")
    programs = [str(PROGRAMS / U55), str(PROGRAMS / "softmax_float.pte")]
    several = sorted_out(product(request, programs, ("fvp", "host"), ("ethos-u55-128",)))
    told = [(Path(str(one.artefact)).name, one.on, one.elf is not None) for one in several.requests]
    assert told == [(U55, "fvp", True), ("softmax_float.pte", "fvp", True), ("softmax_float.pte", "host", False)]
    (left_out,) = several.left_out
    assert left_out.request.on == "host" and "parts for an Ethos-U" in left_out.reason


def test_what_nobody_can_run_is_said_before_anything_starts(place: Path) -> None:
    with pytest.raises(UsageError, match="ethos-u85-512"):
        sorted_out(product(RunRequest("small"), [str(PROGRAMS / U85)], ("small",)))
    done = _cli(PROGRAMS / U55, place / "none.pte", "--on", "small", cwd=place)
    assert done.returncode == 3 and "none.pte" in done.stderr and list_runs(runs_root()) == []
    mixed = _cli(PROGRAMS / U55, "--on", "replay:x.log", "--on", "small", cwd=place)
    assert mixed.returncode in (2, 3) and list_runs(runs_root()) == []


def test_a_program_without_and_with_reference_data_is_one(tmp_path: Path) -> None:
    for name in ("b.pte", "a.pte", "a.bpte", "c.bpte", ".hidden.pte", "notes.txt"):
        (tmp_path / name).write_bytes(b"x")
    assert [Path(path).name for path in programs_of(str(tmp_path))] == ["a.pte", "b.pte", "c.bpte"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no program"):
        programs_of(str(tmp_path / "empty"))
