"""What may be named on the command line: members of archives, folders that nobody may list, names said twice."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "ethosu_tui.tui"]


def ethosu(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=cwd, stdin=subprocess.DEVNULL)


def unprivileged(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Root may list every folder, so it gives that up."""
    words = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    return subprocess.run([*words, *COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=120)


@pytest.fixture
def archive(samples: Path, tmp_path: Path) -> Path:
    place = tmp_path / "lab.zip"
    with zipfile.ZipFile(place, "w") as file:
        file.writestr("board[1]/../uart.log", (samples / "softmax.log").read_bytes())
        file.write(samples / "mnist_q.log", "b!2.log")
        file.write(samples / "etd_plain.log", "etd.log")
    return place


@pytest.fixture
def lab(samples: Path, tmp_path: Path) -> Iterator[Path]:
    """A folder with parts that may not be read."""
    for part in ("open", "locked", "listed"):
        (tmp_path / part).mkdir()
        shutil.copy(samples / "softmax.log", tmp_path / part / "a.log")
    (tmp_path / "locked").chmod(0o000)
    (tmp_path / "listed").chmod(0o444)
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("root may read everything")
    yield tmp_path
    (tmp_path / "locked").chmod(0o755)
    (tmp_path / "listed").chmod(0o755)


def test_a_member_is_an_input_of_every_reading_command(archive: Path) -> None:
    one, two = f"{archive}!board[1]/../uart.log", f"{archive}!b!2.log"
    done = ethosu("analyze", "--json", one, two)
    assert [c["source"] for c in json.loads(done.stdout)["captures"]] == [one, two], done.stderr
    assert [len(c["runs"]) for c in json.loads(done.stdout)["captures"]] == [1, 1]
    assert ethosu("analyze", "--json", one, two, "--jobs", "2").stdout == done.stdout
    done = ethosu("compare", "--json", one, two)
    assert [c["source"] for c in json.loads(done.stdout)["columns"]] == [one, two]
    done = ethosu("inspect", "--json", f"{archive}!etd.log")
    assert json.loads(done.stdout)["etdump"]["events"]
    assert "needs a terminal" in ethosu("open", one).stderr


def test_a_member_that_is_not_there(archive: Path) -> None:
    done = ethosu("analyze", f"{archive}!none.log")
    assert done.returncode == 3 and "no such log in the archive" in done.stderr
    done = ethosu("analyze", f"{archive}x!none.log")
    assert done.returncode == 3 and "no such file" in done.stderr


def test_folders_that_cannot_be_listed_are_named(lab: Path) -> None:
    done = unprivileged("analyze", "--json", lab)
    assert [c["source"] for c in json.loads(done.stdout)["captures"]] == [f"{lab}/open/a.log"]
    assert done.returncode == 3
    assert f"{lab}/locked: you have no permission to read it" in done.stderr
    assert f"{lab}/listed/a.log: you have no permission to read it" in done.stderr
    for argument in (lab / "locked", f"{lab}/locked/*.log", f"{lab}/loc*/*.log", f"{lab}/locked/**/*.log"):
        done = unprivileged("analyze", argument)
        assert (done.returncode, done.stdout) == (3, "")
        assert (
            done.stderr
            == f"ethosu-tui: {lab}/locked: you have no permission to read it; check its permissions (ls -l)\n"
        )
    done = unprivileged("analyze", "--json", f"{lab}/**/*.log")
    assert len(json.loads(done.stdout)["captures"]) == 1 and done.returncode == 3
    assert f"{lab}/locked: you have no permission to read it" in done.stderr
    assert "no permission to read" in unprivileged("open", lab).stderr


def test_a_file_that_may_not_be_read_is_named(lab: Path) -> None:
    for command, name in (("analyze", "secret.log"), ("inspect", "secret.pte"), ("compile", "secret.py")):
        secret = lab / name
        secret.write_text("x")
        secret.chmod(0)
        done = unprivileged(command, secret, *(("--target", "ethos-u55-128") if command == "compile" else ()))
        assert (done.returncode, done.stdout) == (3, ""), command
        assert str(secret) in done.stderr and "ermission" in done.stderr, command


def test_one_file_under_several_names_is_read_once(samples: Path, tmp_path: Path) -> None:
    log = Path(shutil.copy(samples / "softmax.log", tmp_path / "a.log"))
    (tmp_path / "x").mkdir()
    (tmp_path / "l.log").symlink_to(log)
    done = ethosu("analyze", "--json", "a.log", "x/../a.log", "./a.log", log, "l.log", tmp_path, cwd=tmp_path)
    assert [c["source"] for c in json.loads(done.stdout)["captures"]] == ["a.log"]
    done = ethosu("analyze", "--json", "a.log", "none/../a.log", cwd=tmp_path)
    assert done.returncode == 3 and "none/../a.log: no such file" in done.stderr


def test_a_name_with_brackets_is_waited_for(samples: Path, tmp_path: Path) -> None:
    place = tmp_path / "uart[1].log"
    child = subprocess.Popen(
        [*COMMAND, "analyze", "--follow", str(place)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stderr is not None and child.stdout is not None
    assert b"waiting for this file" in child.stderr.readline()
    place.write_bytes((samples / "softmax.log").read_bytes())
    assert b"passed" in child.stdout.readline()
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=60)
    assert child.returncode == 130
    done = ethosu("analyze", "--follow", tmp_path / "*.none")
    assert done.returncode == 3 and "no file matches" in done.stderr


@pytest.mark.parametrize("number", ["0", "-1"])
def test_runs_are_counted_from_one(samples: Path, number: str) -> None:
    done = ethosu("inspect", samples / "etd_plain.log", f"--run={number}")
    assert done.returncode == 2 and "counted from 1" in done.stderr
