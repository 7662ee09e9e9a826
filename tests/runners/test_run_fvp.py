"""Traces and semihosting on an FVP: what it is given, what is left in the run folder, and what is refused before that."""

from __future__ import annotations

import gzip
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.runs.folder import list_runs, runs_root

from . import standin_fvp

U55, U85 = "FVP_Corstone_SSE-300_Ethos-U55", "FVP_Corstone_SSE-320"


def _cli(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "ethosu_tui.tui.cli", "run", *map(str, arguments)]
    return subprocess.run(argv, capture_output=True, text=True, timeout=120, **options)


@pytest.fixture
def place(tmp_path: Path, samples: Path) -> Path:
    """A folder with a blank in its name: runner, programs, an input, and FVPs that play a passed run."""
    place = tmp_path / "my work"
    place.mkdir()
    standin_fvp.elf(place / "runner.elf")
    (place / "net.pte").write_bytes(b"\x1c\0\0\0ET12" + bytes(40))
    (place / "net.bpte").write_bytes(b"\x1c\0\0\0BP08" + bytes(40))
    (place / "in.bin").write_bytes(b"input")
    for name in (U55, U85):
        standin_fvp.write(place / "fvp", name, (samples / "softmax.log").read_bytes())
    return place


def test_the_trace_is_in_the_run_folder_whatever_the_workspace_is_called(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ETHOSU_TUI_WORKSPACE", str(place / "my runs"))
    on = ("--on", "fvp", "--target", "ethos-u85-256", "--fvp", "fvp")
    done = _cli("runner.elf", *on, "--pmu-trace", cwd=place)
    assert done.returncode == 0, done.stderr
    (folder,) = list_runs(runs_root())
    assert gzip.decompress((folder.path / "pmu_trace.gz").read_bytes()) == b'{"traceEvents":[]}'
    refused = _cli("runner.elf", *on, "--pmu-trace", "--fast", cwd=place)
    assert refused.returncode == 2 and "counts nothing" in refused.stderr and len(list_runs(runs_root())) == 1


@pytest.mark.parametrize("target", ["ethos-u55-128", "ethos-u85-256"])
def test_a_runner_reads_its_program_and_inputs_as_files(place: Path, target: str) -> None:
    on = ("--on", "fvp", "--target", target, "--fvp", "fvp", "--elf", "runner.elf", "--semihosting")
    done = _cli("net.pte", *on, "--input", "in.bin", cwd=place)
    assert done.returncode == 0, done.stderr
    (folder,) = list_runs(runs_root())
    files = folder.path / "semihosting"
    assert (files / "program.pte").read_bytes() == (place / "net.pte").read_bytes()
    assert (files / "i0.bin").read_bytes() == b"input" and (files / "out-0.bin").is_file()
    line = next(word for word in folder.manifest["argv"] if "cmd_line" in word)
    assert line.endswith("semihosting-cmd_line=executor_runner -m program.pte -i i0.bin -o out")
    assert set(map(len, folder.manifest["hashes"].values())) == {64} and len(folder.manifest["hashes"]) == 3


def test_a_bundled_program_has_its_inputs(place: Path) -> None:
    on = ("--on", "fvp", "--target", "ethos-u55-128", "--fvp", "fvp", "--elf", "runner.elf", "--semihosting")
    assert _cli("net.bpte", *on, cwd=place).returncode == 0
    (folder,) = list_runs(runs_root())
    assert (folder.path / "semihosting" / "program.bpte").is_file()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("net.pte", "--elf", "runner.elf", "--semihosting"), "a file for each input"),
        (("net.pte", "--elf", "runner.elf", "--semihosting", "--address", "0x70000000"), "from memory"),
        (
            ("net.pte", "--elf", "runner.elf", "--address", "0x70000000", "--input", "in.bin"),
            "only for a runner with semihosting",
        ),
        (("net.pte", "--semihosting", "--input", "in.bin"), "needs a runner"),
        (("runner.elf", "--semihosting"), "no program was named"),
        (("net.pte", "--elf", "runner.elf", "--semihosting", *(("--input", "in.bin") * 40)), "cuts it at 256"),
        (("net.pte", "--elf", "runner.elf", "--semihosting", "--input", "gone.bin"), "gone.bin"),
    ],
)
def test_what_cannot_work_is_refused_before_there_is_a_run(
    place: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = _cli(*arguments, "--on", "fvp", "--target", "ethos-u55-128", "--fvp", "fvp", cwd=place)
    assert done.returncode in (2, 3) and message in done.stderr and "Traceback" not in done.stderr
    assert list_runs(runs_root()) == []


def test_the_time_of_earlier_runs_of_the_same_files_is_told(place: Path, samples: Path) -> None:
    standin_fvp.write(place / "fvp", U55, (samples / "softmax.log").read_bytes(), line_seconds=0.03)
    arguments = ("runner.elf", "--on", "fvp", "--target", "ethos-u55-128", "--fvp", "fvp", "-q")
    first = _cli(*arguments, cwd=place)
    assert first.returncode == 0 and "expected to take" not in first.stderr
    again = _cli(*arguments, cwd=place)
    (seconds,) = re.findall(r"expected to take ([\d.]+) s \(as the last run of the same files\)", again.stderr)
    known = list_runs(runs_root())[-1].manifest["seconds"]
    assert float(seconds) == pytest.approx(known, rel=0.05)
    (place / "runner.elf").write_bytes(b"\x7fELF another" + bytes(64))
    assert "expected to take" not in _cli(*arguments, cwd=place).stderr


def test_the_time_of_another_command_with_the_same_file_is_not_told(place: Path, samples: Path) -> None:
    log = shlex.quote(str(samples / "softmax.log"))

    def told(script: str) -> bool:
        done = _cli("runner.elf", "--on", "command", "-q", "--", "sh", "-c", script, "{artefact}", cwd=place)
        assert done.returncode == 0, done.stderr
        return "expected to take" in done.stderr

    script = f"cat {log}; sleep 1.2"
    assert not told(script) and told(script) and not told(f"true; {script}")


def test_the_etdump_of_a_run_is_kept_as_a_file(place: Path, samples: Path, tmp_path: Path) -> None:
    standin_fvp.write(place / "fvp", U55, (samples / "etd_plain.log").read_bytes())
    done = _cli("runner.elf", "--on", "fvp", "--target", "ethos-u55-128", "--fvp", "fvp", "-q", cwd=place)
    assert done.returncode == 0, done.stderr
    (folder,) = list_runs(runs_root())
    saved = tmp_path / "saved.etdp"
    command = [
        sys.executable,
        "-m",
        "ethosu_tui.tui.cli",
        "inspect",
        str(folder.console_path),
        "--save-etdump",
        str(saved),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    assert (folder.path / "etdump.etdp").read_bytes() == saved.read_bytes() != b""
