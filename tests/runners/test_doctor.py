"""`ethosu-tui doctor` says what is there and the line that gets the rest; `ethosu-tui inspect` says what a file is."""

from __future__ import annotations

import gzip
import json
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.artefacts import identify
from ethosu_tui.runners.job import InputError
from ethosu_tui.tui.cli import main

from . import standin_fvp

U55 = "FVP_Corstone_SSE-300_Ethos-U55"


@pytest.fixture(autouse=True)
def _bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ETHOSU_TUI_FVP_PATH", "EXECUTORCH_ROOT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.chdir(tmp_path)


def _doctor(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, Any]]:
    assert main(["doctor", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "ethosu-tui/doctor/1"
    return {tool["name"]: tool for tool in document["tools"]}


def test_a_bare_machine_gets_a_line_for_everything_that_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    tools = _doctor(capsys)
    for name in (U55, "FVP_Corstone_SSE-320", "arm-none-eabi-gcc", "cmake", "tmux", "ExecuTorch checkout"):
        assert not tools[name]["found"] and tools[name]["install"], name
    assert "ARM_FVP_INSTALL_I_AGREE_TO_THE_CONTAINED_EULA" in tools[U55]["install"]
    assert tools["ethosu-tui"]["found"] and tools["workspace"]["found"]
    assert {"executorch", "torch", "ethos-u-vela"} <= tools.keys()
    for tool in tools.values():
        assert tool["found"] or tool["install"]
    assert main(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert "missing" in shown and shown.count("ARM_FVP_INSTALL_I_AGREE") == 1


def test_what_is_there_is_shown_with_its_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    standin_fvp.write(tmp_path / "bin", U55, b"")
    gcc = tmp_path / "bin" / "arm-none-eabi-gcc"
    gcc.write_text("#!/bin/sh\necho 'arm-none-eabi-gcc (Arm GNU Toolchain 13.3.Rel1) 13.3.1 20240614'\n")
    gcc.chmod(0o755)
    checkout = tmp_path / "executorch" / "examples" / "arm" / "arm-scratch"
    checkout.mkdir(parents=True)
    (checkout / "setup_path.sh").write_text("")
    tools = _doctor(capsys)
    assert tools[U55]["found"] and tools[U55]["detail"].startswith("11.27.42, ")
    assert tools["arm-none-eabi-gcc"]["detail"].startswith("13.3")
    assert tools["ExecuTorch checkout"]["found"] and str(checkout) in tools["ExecuTorch checkout"]["detail"]


def test_a_tool_that_hangs_or_breaks_is_given_up_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ethosu_tui.runners.doctor.tool.ANSWER_SECONDS", 3.0)
    (tmp_path / "bin").mkdir()
    for name, body in ((U55, "exec /bin/sleep 60"), ("cmake", "kill -9 $$"), ("FVP_Corstone_SSE-320", "\x00")):
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    tools = _doctor(capsys)
    assert not tools[U55]["found"] and "does not answer" in tools[U55]["detail"]
    assert not tools["cmake"]["found"] and "does not answer" in tools["cmake"]["detail"]


TOOLS = {
    "arm-none-eabi-gcc": ("arm-none-eabi-gcc (Arm GNU Toolchain 13.3.Rel1) 13.3.1 20240614", "13.3.Rel1"),
    "cmake": ("cmake version 3.31.6", "3.31.6"),
    "ninja": ("1.12.1", "1.12.1"),
    "git": ("git version 2.47.3", "2.47.3"),
    "g++": ("g++ (Debian 14.2.0) 14.2.0", "14.2.0"),
    "tmux": ("tmux 3.5a", "3.5a"),
    "ssh": ("OpenSSH_10.0p2 Debian-7, OpenSSL 3.5.1 1 Jul 2025", "10.0p2"),
}


@pytest.mark.parametrize("broken", TOOLS)
def test_each_tool_that_is_broken_gets_its_line(
    broken: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bin").mkdir()
    for name, (said, _) in TOOLS.items():
        path = tmp_path / "bin" / name
        path.write_text("#!/bin/sh\nkill -9 $$\n" if name == broken else f"#!/bin/sh\necho '{said}'\n")
        path.chmod(0o755)
    tools = _doctor(capsys)
    for name, (_, number) in TOOLS.items():
        assert tools[name]["found"] == (name != broken), name
        if name == broken:
            assert "does not answer" in tools[name]["detail"] and tools[name]["install"]
        else:
            assert tools[name]["detail"].startswith(f"{number}, ") and not tools[name]["install"]


def test_a_checkout_that_is_set_up_and_not_sourced_gets_the_line_to_source_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scratch = tmp_path / "my checkout" / "examples" / "arm" / "arm-scratch"
    scratch.mkdir(parents=True)
    (scratch / "setup_path.sh").write_text("")
    monkeypatch.setenv("EXECUTORCH_ROOT", str(tmp_path / "my checkout"))
    assert _doctor(capsys)["ExecuTorch checkout"]["install"] == f"source '{scratch}/setup_path.sh'"
    monkeypatch.setenv("PATH", str(scratch / "toolchain" / "bin"))
    assert _doctor(capsys)["ExecuTorch checkout"]["install"] == ""


def test_a_machine_with_little_memory_gets_the_number_of_jobs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1 << 20)
    tool = _doctor(capsys)["memory"]
    assert tool["install"].startswith("export CMAKE_BUILD_PARALLEL_LEVEL=") and "processors" in tool["detail"]


def test_where_systemd_ends_processes_at_a_logout_the_line_lets_them_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bin").mkdir()
    for name, said in (("busctl", "b true"), ("loginctl", "Linger=no")):
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\necho '{said}'\n")
        (tmp_path / "bin" / name).chmod(0o755)
    tool = _doctor(capsys)["runs after a logout"]
    assert not tool["found"] and tool["install"].startswith("sudo loginctl enable-linger ")
    (tmp_path / "bin" / "loginctl").write_text("#!/bin/sh\necho Linger=yes\n")
    assert _doctor(capsys)["runs after a logout"]["found"]


def test_imports_are_tried_when_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A torch that cannot be imported, in a Python of its own; what is not installed fails as well."""
    (tmp_path / "site" / "torch").mkdir(parents=True)
    (tmp_path / "site" / "torch" / "__init__.py").write_text("raise ImportError('libtorch_cpu.so: cannot open')")
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH={tmp_path}/site exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    assert main(["doctor", "--json", "--verify", "--python", str(python)]) == 0
    tools = {tool["name"]: tool for tool in json.loads(capsys.readouterr().out)["tools"]}
    assert not tools["import torch"]["found"] and "libtorch_cpu.so" in tools["import torch"]["detail"]
    assert tools["import torch"]["install"] and "import ethos-u-vela" in tools


def test_a_workspace_that_cannot_be_written_and_a_wrong_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ETHOSU_TUI_WORKSPACE", str(tmp_path / "file" / "runs"))
    monkeypatch.setenv("ETHOSU_TUI_PYTHON", "/nowhere/python")
    tools = _doctor(capsys)
    assert not tools["workspace"]["found"] and "ETHOSU_TUI_WORKSPACE" in tools["workspace"]["install"]
    assert not tools["python for compiling"]["found"]


SUMMARY = (
    "experiment,network,accelerator_configuration,system_config,memory_mode,core_clock,sram_memory_used,cycles_npu,"
    "cycles_total,inference_time,nn_macs\ndefault,out,Ethos_U55_128,Ethos_U55_High_End_Embedded,Shared_Sram,500000000.0,"
    "18.0,36000,138824,0.000278,1147936\n"
)
FILES = {
    "pte": b"\x1c\0\0\0ET12" + bytes(40),
    "bpte": b"\x1c\0\0\0BP08" + bytes(40),
    "etdump": struct.pack("<II", 60, 20) + b"ED00" + bytes(40),
    "tosa": b"\x1c\0\0\0TOSA" + bytes(40),
    "elf": b"\x7fELF" + bytes(40),
    "vela-summary": SUMMARY.encode(),
    "vela-per-layer": b"Original Operator,NNG Operator,Target,Staging Usage,Peak% (Staging),Op Cycles,NPU\n",
    "vela-debug": b'<?xml version="1.0" ?>\n<debug source="x"><table name="source"><![CDATA[',
    "pmu-trace": gzip.compress(b'{"traceEvents":[]}'),
    "etrecord": b"PK\x03\x04" + bytes(40),
}


@pytest.mark.parametrize("kind", FILES)
def test_files_are_known_by_their_content(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file.bin"
    path.write_bytes(FILES[kind])
    found = identify(str(path))
    assert (found.kind, found.bytes) == (kind, len(FILES[kind]))
    assert found.magic == {"pte": "ET12", "bpte": "BP08", "etdump": "ED00", "tosa": "TOSA"}.get(kind)


def test_inspect_prints_what_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.elf").write_bytes(FILES["elf"])
    assert main(["inspect", str(tmp_path / "m.elf")]) == 0
    assert "ELF executable" in capsys.readouterr().out
    assert main(["inspect", str(tmp_path / "m.elf"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["kind"] == "elf" and document["bytes"] == len(FILES["elf"]) and len(document["sha256"]) == 64
    (tmp_path / "m.pte").write_bytes(FILES["pte"])  # no more than its first bytes
    assert main(["inspect", str(tmp_path / "m.pte")]) == 3
    assert "cut or damaged" in capsys.readouterr().err
    (tmp_path / "s.csv").write_bytes(FILES["vela-summary"])
    assert main(["inspect", str(tmp_path / "s.csv"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["total_cycles"] == 138824
    assert main(["inspect", str(tmp_path / "s.csv")]) == 0
    assert "ethos-u55-128" in capsys.readouterr().out


@pytest.mark.parametrize("case", ["missing", "empty", "junk", "directory", "pipe", "log", "cut table"])
def test_what_it_does_not_know_is_one_sentence(
    case: str, tmp_path: Path, samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "it"
    if case == "log":
        path = samples / "softmax.log"
    elif case == "directory":
        path.mkdir()
    elif case == "pipe":
        subprocess.run([sys.executable, "-c", "import os, sys; os.mkfifo(sys.argv[1])", path], check=True)
    elif case != "missing":
        path.write_bytes({"empty": b"", "junk": bytes(range(200)), "cut table": SUMMARY.splitlines()[0].encode()}[case])
    assert main(["inspect", str(path)]) == 3
    shown = capsys.readouterr()
    assert shown.out == "" and str(path) in shown.err and "Traceback" not in shown.err
    if case != "cut table":
        with pytest.raises(InputError):
            identify(str(path))


def _python(tmp_path: Path, place: str, **versions: str) -> Path:
    """An interpreter with these packages by name and version, and the stand-in's executorch."""
    packages = tmp_path / f"packages of {place.replace('/', ' ')}"
    shutil.copytree(Path(__file__).with_name("standin_executorch"), packages)
    for package, number in versions.items():
        for stale in packages.glob(f"{package}-*.dist-info"):
            shutil.rmtree(stale)
        (packages / f"{package}-{number}.dist-info").mkdir()
        (packages / f"{package}-{number}.dist-info/METADATA").write_text(f"Name: {package}\nVersion: {number}\n")
    python = tmp_path / place
    python.parent.mkdir(parents=True, exist_ok=True)
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{packages}" exec "{sys.executable}" -S "$@"\n')
    python.chmod(0o755)
    return python


def test_versions_that_do_not_belong_together_and_other_pythons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = _python(tmp_path, "chosen", executorch="1.4.1", torch="2.13.0+cpu", ethos_u_vela="5.0.0")
    other = _python(tmp_path, ".venv/bin/python", executorch="1.6.0")
    monkeypatch.setenv("ETHOSU_TUI_PYTHON", str(chosen))
    tools = _doctor(capsys)
    assert not tools["versions together"]["found"]
    assert tools["versions together"]["detail"] == (
        "ExecuTorch 1.4.1 was made for ethos-u-vela 5.1.0, and 5.0.0 is installed"
    )
    assert tools["versions together"]["install"] == (
        f'{chosen} -m pip install "executorch[ethos-u]==1.4.1" "torch==2.13.0"'
    )
    assert tools["ahead-of-time script"]["detail"].endswith("aot_arm_compiler.py (our own route)")
    assert tools["python with ExecuTorch 1.6.0"]["detail"].startswith(f"{other}: executorch 1.6.0, torch unknown")
    monkeypatch.setenv("ETHOSU_TUI_PYTHON", str(other))
    tools = _doctor(capsys)
    assert tools["versions together"]["detail"] == "not known for this ExecuTorch"
    assert "run as it is: ExecuTorch 1.6.0 is no release of" in tools["ahead-of-time script"]["detail"]
