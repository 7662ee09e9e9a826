"""A bundle tells everything of a run but who ran it, and where."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest

from ethosu_tui.runners.replay import ReplayJob
from ethosu_tui.runners.runs.folder import RunFolder, runs_root
from ethosu_tui.runners.runs.redaction import Redaction
from ethosu_tui.runners.session import Session
from ethosu_tui.tui.cli import main

SECRETS = (b"jdoe-lab-7", b"quentin", b"0669FF485550755187", b"000440123456")
SAID = b"""\
Open On-Chip Debugger on jdoe-lab-7.example.org by quentin
J-Link S/N: 000440123456
opened /dev/serial/by-id/usb-ARM_DAPLink_0669FF485550755187-if01
loading /home/quentin/models/mobilenet.pte and /Users/quentin/x
telnetterminal0: Listening for serial connection on port 5000
"""


def test_a_bundle_is_analysed_as_the_run_is_and_names_nobody(
    samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("USER", "quentin")
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "log"
    log.write_bytes(SAID + (samples / "mnist_q.log").read_bytes())
    folder = RunFolder.create(
        runs_root(), "run", "mnist", on="serial:/dev/ttyACM0", hashes={"/home/quentin/models/x.elf": "0" * 64},
        argv=["tool", "--serial=0669FF485550755187", "/home/quentin/models/x.elf"],
    )  # fmt: skip
    folder.update(host="jdoe-lab-7")
    list(Session(ReplayJob(log), folder, str(folder.path)).events())
    folder.update(argv=["tool", "--serial=0669FF485550755187", "/home/quentin/models/x.elf"], host="jdoe-lab-7")
    (folder.path / "etdump.etdp").write_bytes(b"quentin")
    assert main(["runs", "bundle", folder.id, "-o", "x.zip"]) == 0
    shown = capsys.readouterr()
    assert shown.out.strip().endswith("x.zip") and "etdump.etdp" in shown.err
    with zipfile.ZipFile("x.zip") as archive:
        inside = {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
    assert set(inside) == {"manifest.json", "report.json", "console.log", "console.times"}
    for name, data in inside.items():
        for secret in SECRETS:
            assert secret not in data, f"{secret!r} in {name}"
    assert len(inside["console.log"]) == log.stat().st_size and b"port 5000" in inside["console.log"]
    assert b"/home/xxxxxxx/models/mobilenet.pte" in inside["console.log"]
    facts = json.loads(inside["manifest.json"])
    assert facts["status"] == "passed" and "host" not in facts and "boot" not in facts and facts["redacted"]
    figures = []
    for path in (str(folder.path), "x.zip"):
        assert main(["analyze", path, "--json"]) == 0
        figures.append(json.loads(capsys.readouterr().out)["captures"][0]["runs"])
    assert figures[0] == figures[1] and figures[0][0]["status"] == "passed"
    with zipfile.ZipFile("x.zip") as archive:
        archive.extractall("elsewhere")
    (unpacked,) = Path("elsewhere").iterdir()
    assert RunFolder.open(unpacked).state == "finished"
    assert main(["runs", "bundle", folder.id, "-o", "x.zip"]) == 2
    assert main(["runs", "bundle", folder.id, "-o", "x.zip", "--force", "--json"]) == 0
    assert main(["runs", "bundle", folder.id, "-o", "/nowhere/x.zip"]) in (2, 4)


def test_what_goes_on_or_is_no_run_is_not_bundled(capsys: pytest.CaptureFixture[str]) -> None:
    going = RunFolder.create(runs_root(), "run", "x")
    compiled = RunFolder.create(runs_root(), "compile", "y")
    compiled.finish("ok")
    (runs_root() / "broken").mkdir()
    for name in (going.id, compiled.id, "broken"):
        assert main(["runs", "bundle", name]) == 2
    assert "Traceback" not in capsys.readouterr().err
    going.update(pid=2**30)
    os.chdir(runs_root())
    assert main(["runs", "bundle", going.id]) == 0
    with zipfile.ZipFile(runs_root() / f"{going.id}.zip") as archive:
        assert json.loads(archive.read(f"{going.id}/manifest.json"))["state"] == "lost"


def test_names_that_mean_something_else_in_logs_stay() -> None:
    redaction = Redaction(["arm", "root", "pi", "bob", "", "josé"])
    for text in (
        "arm_executor_runner on arm, root of pi", "bobbin and kebob", "PMU serial connection: none", "ethosu_pmu_cycle_cntr : 1234567",
    ):  # fmt: skip
        assert redaction.text(text) == text
    assert redaction.text("bob's board, bob@lab") == "xxx's board, xxx@lab"
    assert redaction.value({"josé": ["josé", 5, None, {"a": "Serial Number: AB-1234"}]}) == {
        "xxxxx": ["xxxxx", 5, None, {"a": "Serial Number: xxxxxxx"}]
    }
