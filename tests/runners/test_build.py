"""`ethosu-tui build`: a runner is built once for each configuration, what fails is explained, nothing is agreed to for the user."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis.host.build_progress import build_progress
from ethosu_tui.runners.runs.folder import list_runs, runs_root

from . import standin_checkout

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("cmake", "cc", "git", "bash"))), reason="needs cmake, a C compiler and git"
)
COMMAND = [sys.executable, "-m", "ethosu_tui.tui.cli", "build"]
TARGET = ("--target", "ethos-u55-128")


def build(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    checkout = standin_checkout.write(tmp_path / "executorch")
    monkeypatch.setenv("EXECUTORCH_ROOT", str(checkout))
    monkeypatch.chdir(tmp_path)
    return checkout


@pytest.fixture
def pte(tmp_path: Path) -> Path:
    path = tmp_path / "net.pte"
    path.write_bytes((Path(__file__).parent.parent / "programs" / "softmax_float.pte").read_bytes())
    return path


def built(*arguments: object) -> dict[str, Any]:
    done = build(*arguments, "--json", "-q")
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    assert document["schema"] == "ethosu-tui/build/1" and document["status"] == "ok"
    return document


def test_a_runner_is_built_once_and_again_when_anything_of_it_changes(checkout: Path, pte: Path) -> None:
    first = built(pte, *TARGET)
    elf = Path(first["elf"])
    assert elf.read_bytes()[:4] == b"\x7fELF" and not first["cached"]
    (folder,) = list_runs(runs_root())
    assert (folder.kind, folder.state, folder.status) == ("build", "finished", "ok")
    assert b"Built target arm_executor_runner" in folder.console_path.read_bytes()
    again = built(pte, *TARGET)
    assert again["cached"] and again["sha256"] == first["sha256"] and len(list_runs(runs_root())) == 1
    (checkout / "runner" / "main.c").write_text("int main(void) { return 1; }\n")
    changed = built(pte, *TARGET)
    assert not changed["cached"] and changed["sha256"] != first["sha256"]
    standin_checkout.commit(checkout)
    assert not built(pte, *TARGET)["cached"]  # the same bytes by another commit: built again rather than believed
    pte.write_bytes(pte.read_bytes() + b"\0")
    assert not built(pte, *TARGET)["cached"]
    (checkout / "new.c").write_text("")
    assert not built(pte, *TARGET)["cached"]
    elf.write_bytes(b"\x7fELF damaged")
    mended = built(pte, *TARGET)
    assert not mended["cached"] and elf.read_bytes() != b"\x7fELF damaged"
    assert built(pte, *TARGET)["cached"] and not built(pte, *TARGET, "--rebuild")["cached"]


def test_the_script_gets_the_options_of_the_configuration(checkout: Path, pte: Path) -> None:
    argv = built(
        *("--address", "0x70000000", "--target", "ethos-u85-256", "--memory-mode", "Sram_Only", "--flag=-DA=1"),
        *("--etdump", "--ops-of", pte),
    )["argv"]
    assert argv[0] == str(checkout / "backends/arm/scripts/build_executor_runner.sh")
    for word in (
        "--pte=0x70000000",
        "--target=ethos-u85-256",
        "--memory_mode=Sram_Only",
        "--etdump",
        "--extra_build_flags=-DA=1",
    ):
        assert word in argv
    assert any(word.startswith("--system_config=Ethos_U85_") for word in argv)
    assert any(word.startswith("--select_ops_list=") and "::" in word for word in argv)


def test_configurations_do_not_share_a_folder(checkout: Path) -> None:
    first, second = built("--semihosting", *TARGET), built("--semihosting", "--target", "ethos-u55-256")
    assert Path(first["elf"]).parent != Path(second["elf"]).parent


def test_an_overflow_is_explained(checkout: Path, pte: Path) -> None:
    (checkout / "overflow").write_text("")
    done = build(pte, *TARGET)
    assert done.returncode == 1 and "region ITCM overflows by 1,234 bytes" in done.stdout
    assert "exit status 1" in done.stderr and "overflowed by 1,234" in done.stderr
    (folder,) = list_runs(runs_root())
    assert folder.status == "failed"
    shown = subprocess.run([*COMMAND[:-1], "runs", "show", "latest"], capture_output=True, text=True, timeout=60)
    assert shown.returncode == 0 and "ITCM" in shown.stdout


def test_a_script_that_leaves_no_runner_has_failed(checkout: Path, pte: Path) -> None:
    (checkout / "nothing").write_text("")
    done = build(pte, *TARGET, "-q")
    assert done.returncode == 1 and "it produced no arm_executor_runner" in done.stderr and "ERROR" not in done.stdout


def test_ctrl_c_ends_the_build_and_all_of_its_processes(checkout: Path, pte: Path) -> None:
    (checkout / "slow").write_text("")
    process = subprocess.Popen([*COMMAND, str(pte), *TARGET], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("Build Arm"):
            break
    (folder,) = list_runs(runs_root())
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130 and "stopped" in said
    assert list_runs(runs_root())[0].state == "stopped"
    deadline = time.monotonic() + 30
    while b"sleep\x0060" in _commands() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert str(folder.path) in str(list_runs(runs_root())[0].path)


def _commands() -> bytes:
    return b"\n".join(path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists())


def test_what_cannot_be_built_is_one_sentence(checkout: Path, pte: Path, tmp_path: Path) -> None:
    cases: list[tuple[tuple[object, ...], int, str]] = [
        (TARGET, 2, "where is the program to come from"),
        ((pte, "--address", "0x1", *TARGET), 2, "where is the program to come from"),
        ((tmp_path / "gone.pte", *TARGET), 3, "gone.pte"),
        ((pte, "--target", "ethos-u99"), 2, "ethos-u99"),
        ((pte, *TARGET, "--memory-mode", "Dedicated_Sram"), 2, "Dedicated_Sram"),
        ((pte, *TARGET, "--flag=-DA=1 -DB=2; rm -rf /"), 2, "no definition for CMake"),
        (("--address", "70000000; true", *TARGET), 2, "not an address"),
        ((pte, *TARGET, "--executorch", tmp_path), 4, "build_executor_runner.sh"),
    ]
    for arguments, code, message in cases:
        done = build(*arguments)
        assert done.returncode == code and message in done.stderr and "Traceback" not in done.stderr, done.stderr
    assert list_runs(runs_root()) == []


def test_a_checkout_that_is_not_set_up_names_the_variable_and_sets_nothing(checkout: Path, pte: Path) -> None:
    (checkout / "examples/arm/arm-scratch/setup_path.sh").unlink()
    done = build(pte, *TARGET)
    assert done.returncode == 4
    assert "ARM_FVP_INSTALL_I_AGREE_TO_THE_CONTAINED_EULA=True yourself" in done.stderr and "setup.sh" in done.stderr


def test_a_blank_in_a_path_is_refused_because_the_script_would_break(tmp_path: Path, pte: Path) -> None:
    checkout = standin_checkout.write(tmp_path / "my executorch")
    done = build(pte, *TARGET, "--executorch", checkout)
    assert done.returncode == 2 and "breaks on the blank" in done.stderr


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[ 42%] Building C object a.c.obj", (42, 100)),
        ("[100%] Built target arm_executor_runner", (100, 100)),
        ("[12/345] Building CXX object b.cpp.obj", (12, 345)),
        ("[346/345] no", None),
        ("[12/0] no", None),
        ("[101%] no", None),
        ("I [executorch:a.cpp:12] no", None),
    ],
)
def test_progress_of_cmake(line: str, expected: tuple[int, int] | None) -> None:
    found = build_progress(line)
    assert (found if found is None else tuple(found)) == expected
