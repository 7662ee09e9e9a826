"""The FVP's command line, how the FVP is found, and runs on a stand-in that is as strict about parameters as the real one."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from ethosu_tui import sample_logs
from ethosu_tui.analysis.targets import ETHOS_U_TARGETS
from ethosu_tui.runners.fvp_run import FvpJob, FvpRun, fvp_argv
from ethosu_tui.runners.job import Chunk, Exit, InputError, JobEvent, MissingTool, UsageError
from ethosu_tui.runners.simulator import Fvp, find_fvp, fvp_name

from . import standin_fvp

DATA = Path(sample_logs.__file__).parent


@pytest.fixture(autouse=True)
def _no_fvp_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("ETHOSU_TUI_FVP_PATH", "EXECUTORCH_ROOT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def test_corstone_300_command() -> None:
    assert fvp_argv("ethos-u55-128", "runner.elf", time_limit_seconds=30) == [
        *("FVP_Corstone_SSE-300_Ethos-U55", "-C", "ethosu.num_macs=128"),
        *("-C", "mps3_board.visualisation.disable-visualisation=1", "-C", "mps3_board.telnetterminal0.start_telnet=0"),
        *("-C", "mps3_board.uart0.out_file=-", "-C", "mps3_board.uart0.unbuffered_output=1"),
        *("-C", "mps3_board.uart0.shutdown_on_eot=1", "-a", "runner.elf", "--timelimit", "30"),
    ]


def test_corstone_320_command_with_data_and_extras() -> None:
    argv = fvp_argv(
        "ethos-u85-256", "r.elf", executable="/f/F", data=("m.pte", 0x70000000), fast=True, extra=("--stat",)
    )
    assert argv[0] == "/f/F" and "mps4_board.subsystem.ethosu.num_macs=256" in argv
    assert "mps4_board.subsystem.ethosu.extra_args=--fast" in argv and "vis_hdlcd.disable_visualisation=1" in argv
    assert argv[-6:] == ["r.elf", "--data", "m.pte@0x70000000", "--timelimit", "600", "--stat"]


def test_every_target_has_an_fvp_that_takes_its_command(tmp_path: Path) -> None:
    elf = str(standin_fvp.elf(tmp_path / "r.elf"))
    for target in (*(t.name for t in ETHOS_U_TARGETS), "cortex-m55"):
        exe = standin_fvp.write(tmp_path, fvp_name(target), (DATA / "softmax.log").read_bytes())
        events = list(FvpJob(FvpRun(target, elf, fast=True), Fvp(exe)).run())
        assert _end(events).code == 0, _output(events)
        assert b"Program complete" in _output(events)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": "ethos-u99"}, "no FVP models"),
        ({"target": "none"}, "no FVP models"),
        ({"data": ("a@b.pte", 0)}, "another meaning"),
        ({"elf": "a=b.elf"}, "another meaning"),
        ({"data": ("a.pte", 1 << 32)}, "32-bit"),
        ({"time_limit_seconds": 0}, "time limit"),
    ],
)
def test_nonsense_is_refused_before_anything_starts(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        fvp_argv(**{"target": "ethos-u55-128", "elf": "r.elf", **arguments})  # type: ignore[arg-type]


def _install(directory: Path) -> Path:
    path: Path = standin_fvp.write(directory, "FVP_Corstone_SSE-320", b"")
    return path


def test_where_an_fvp_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MissingTool) as caught:
        find_fvp("ethos-u85-128")
    for word in ("EULA", "ARM_FVP_INSTALL_I_AGREE_TO_THE_CONTAINED_EULA", "setup.sh", "setup_path.sh", "--fvp"):
        assert word in caught.value.hint
    assert caught.value.exit_code == 4 and "FVP_Corstone_SSE-320" in caught.value.message
    assert "ARM_FVP_INSTALL_I_AGREE_TO_THE_CONTAINED_EULA" not in os.environ

    arm = tmp_path / "executorch" / "examples" / "arm" / "arm-scratch" / "FVP-corstone320"
    other = "Linux64_GCC-9.3" if os.uname().machine == "aarch64" else "Linux64_armv8l_GCC-9.3"
    mine = "Linux64_armv8l_GCC-9.3" if os.uname().machine == "aarch64" else "Linux64_GCC-9.3"
    _install(arm / "models" / other)
    with pytest.raises(MissingTool):
        find_fvp("ethos-u85-128")
    checkout = _install(arm / "models" / mine)
    (arm / "python" / "lib").mkdir(parents=True)
    found = find_fvp("ethos-u85-128")
    assert found == Fvp(checkout, arm / "python" / "lib")
    assert found.environment()["LD_LIBRARY_PATH"].split(":")[0] == str(arm / "python" / "lib")

    on_path = _install(tmp_path / "bin")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    assert find_fvp("ethos-u85-128").path == on_path
    chosen = _install(tmp_path / "chosen")
    monkeypatch.setenv("ETHOSU_TUI_FVP_PATH", f"/nowhere:{tmp_path / 'chosen'}")
    assert find_fvp("ethos-u85-128").path == chosen
    option = _install(tmp_path / "option")
    assert find_fvp("ethos-u85-128", str(option)).path == option
    assert find_fvp("ethos-u85-128", str(option.parent)).path == option
    assert find_fvp("ethos-u85-128", "FVP_Corstone_SSE-320").path == on_path
    for missing in ("/nowhere/FVP", str(DATA / "softmax.log"), "FVP_other"):
        with pytest.raises(MissingTool, match="not an executable"):
            find_fvp("ethos-u85-128", missing)


def _job(tmp_path: Path, target: str = "ethos-u55-128", **behaviour: object) -> FvpJob:
    limit = behaviour.pop("limit", 20.0)
    silence = behaviour.pop("silence", None)
    exe = standin_fvp.write(tmp_path / "fvp", fvp_name(target), (DATA / "softmax.log").read_bytes(), **behaviour)
    model = tmp_path / "model.pte"
    model.write_bytes(b"x")
    elf = str(standin_fvp.elf(tmp_path / "runner.elf"))
    data = (str(model), 0x70000000)
    margin = behaviour.pop("margin", 0.5)
    return FvpJob(FvpRun(target, elf, data, limit, silence, margin_seconds=margin), Fvp(exe))  # type: ignore[arg-type]


def _output(events: list[JobEvent]) -> bytes:
    return b"".join(event.data for event in events if isinstance(event, Chunk))


def _end(events: list[JobEvent]) -> Exit:
    assert isinstance(events[-1], Exit)
    return events[-1]


def test_a_run_that_completes(tmp_path: Path) -> None:
    events = list(_job(tmp_path).run())
    assert (_end(events).code, _end(events).reason) == (0, "ended")
    assert (DATA / "softmax.log").read_bytes().split(b"\x04")[0] in _output(events)


def test_the_fvp_stops_at_its_own_time_limit(tmp_path: Path) -> None:
    events = list(_job(tmp_path, hang_after="Starting running", limit=1.0, margin=60.0).run())
    assert _end(events).reason == "ended" and b"CPU time has been exceeded" in _output(events)


def test_an_fvp_that_does_not_stop_is_stopped(tmp_path: Path) -> None:
    events = list(_job(tmp_path, hang_after="Starting running", limit=0.5, ignore_timelimit=True).run())
    assert (_end(events).reason, _end(events).code) == ("timeout", -15)


def test_silence_a_crash_and_a_refusal(tmp_path: Path) -> None:
    events = list(_job(tmp_path, hang_after="Starting running", silence=0.6).run())
    assert _end(events).reason == "silence"
    events = list(_job(tmp_path, crash_after="Starting running").run())
    assert (_end(events).reason, _end(events).text) == ("ended", "killed by SIGSEGV")
    events = list(_job(tmp_path, refuse="license checkout failed").run())
    assert _end(events).code == 1 and b"license checkout failed" in _output(events)


def test_the_standin_refuses_what_the_fvp_would(tmp_path: Path) -> None:
    job = _job(tmp_path)
    for broken in (["-C", "no.such=1"], ["--bogus", "x"], ["-C", "ethosu.num_macs=128"]):
        job_with = _job(tmp_path)
        job_with.argv = (*job.argv, *broken)
        assert _end(list(job_with.run())).code == 1
    job.argv = tuple(a for a in job.argv if not a.startswith("mps3_board.uart0.out_file"))
    assert _end(list(job.run())).code == 1


def test_files_are_checked_before_the_start(tmp_path: Path) -> None:
    fvp = Fvp(Path(sys.executable))
    with pytest.raises(InputError, match="cannot read"):
        FvpJob(FvpRun("ethos-u55-128", str(tmp_path / "gone.elf")), fvp)
    with pytest.raises(InputError, match="not an ELF"):
        FvpJob(FvpRun("ethos-u55-128", str(DATA / "softmax.log")), fvp)
    with pytest.raises(InputError, match="cannot read"):
        elf = str(standin_fvp.elf(tmp_path / "r.elf"))
        FvpJob(FvpRun("ethos-u55-128", elf, (str(tmp_path / "gone.pte"), 0)), fvp)
