"""`ethosu-tui targets`, and `run --on NAME`: a real process on a named target, refusals before it, figures with its clock."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.reading.inputs import load
from ethosu_tui.runners.runs.folder import REQUEST, RunFolder, list_runs, runs_root
from ethosu_tui.runners.simulator import FVP_NAMES
from ethosu_tui.tui.cli import main
from ethosu_tui.tui.commands.on_target import say_notes
from ethosu_tui.tui.views import view_of

from ..programs import HERE
from . import standin_fvp

SCHEMA = "ethosu-tui/targets/1"


def document(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    main([*map(str, arguments), "--json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_list_says_where_each_stands_and_what_is_missing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = project / "ethosu-tui.toml"
    path.write_text(
        '[targets.lab]\nbase = "alif-e8-hp"\nurl = "/dev/\\u001b[31mnone"\n[targets.bad]\nkind = "nowhere"\n'
    )
    assert main(["targets"]) == 0
    shown = capsys.readouterr()
    assert "\x1b" not in shown.out and "/dev/none" in shown.out
    assert "corstone-320" in shown.out and "1 thing is wrong" in shown.err
    found = document(capsys, "targets")
    assert found["schema"] == SCHEMA
    entries = {entry["name"]: entry for entry in found["targets"]}
    lab = entries["lab"]
    assert (lab["kind"], lab["npu_target"], lab["board"]) == ("serial", "ethos-u55-256", "alif-e8-hp")
    assert lab["layer"] == "project" and lab["origin"] == str(path) and lab["ready"] is False
    assert entries["bad"]["problems"][0]["where"] == "[targets.bad] kind" and entries["bad"]["ready"] is False
    assert entries["psoc-edge-e84"]["unverified"] == ["clock", "macs"] and entries["corstone-320"]["npu_target"] is None
    assert [file["layer"] for file in found["files"]] == ["project", "shipped"]


def test_show_gives_each_value_with_who_says_so(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "ethosu-tui.toml").write_text(
        '[targets.lab]\nbase = "psoc-edge-e84"\nurl = "socket://lab:1"\nbaud = 9600\n'
    )
    (target,) = document(capsys, "targets", "show", "lab")["targets"]
    values = {value["key"]: value for value in target["values"]}
    assert values["baud"]["value"] == 9600 and values["baud"]["origin"].endswith("ethosu-tui.toml")
    assert values["title"]["origin"] == "shipped"
    assert (values["clock"]["value"], values["clock"]["verified"]) == (4e8, False)
    assert values["memories.sram"]["verified"] is True and values["memories.sram"]["source"]
    assert main(["targets", "show", "lab"]) == 0 and "(unverified)" in capsys.readouterr().out
    assert main(["targets", "show", "lap"]) == 2 and "did you mean lab?" in capsys.readouterr().err
    assert main(["targets", "show"]) == 2


def test_check_tells_everything_and_ends_with_3(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["targets", "check"]) == 0 and "No targets file" in capsys.readouterr().out
    path = project / "mine.toml"
    path.write_text('[targets.a]\nbase = "b"\n[targets.b]\nbase = "a"\n[targets.c]\nkind = "host"\nfoo = 1\n')
    assert main(["targets", "check", str(path)]) == 3
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 and all(line.startswith(str(path)) for line in lines)
    found = document(capsys, "targets", "check", path)
    assert {problem["where"] for problem in found["problems"]} == {
        "[targets.a] base", "[targets.b] base", "[targets.c] foo",
    }  # fmt: skip
    path.write_text('[targets.a]\nbase = "imx93"\nhost = "lab"\n')
    assert main(["targets", "check", str(path)]) == 0 and "1 target, nothing is wrong" in capsys.readouterr().out
    assert main(["targets", "check", str(project / "gone.toml")]) == 3
    pyproject = project / "pyproject.toml"
    pyproject.write_text("[tool.ethosu-tui.targets.x]\nkind = 3\n")
    assert main(["targets", "check"]) == 3
    assert f"{pyproject}: [tool.ethosu-tui.targets.x] kind: 3 is not a text" in capsys.readouterr().out


def test_the_template_of_the_command_is_sound(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["targets", "template"]) == 0
    (project / "ethosu-tui.toml").write_text(capsys.readouterr().out)
    assert main(["targets", "check"]) == 0


def test_ports_are_listed_or_their_library_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["targets", "ports", "--json"])
    shown = capsys.readouterr()
    if importlib.util.find_spec("serial") is None:
        assert code == 4 and "ethosu-tui[serial]" in shown.err
    else:
        found = json.loads(shown.out)
        assert code == 0 and found["schema"] == SCHEMA
        assert all(port["device"].startswith("/dev/") for port in found["ports"])
    assert main(["targets", "ports", "x"]) == 2


class Simulator:
    """A named target whose FVP is the stand-in."""

    def __init__(self, project: Path, samples: Path, log: str = "mobilenet_v2_corstone320.log", more: str = "") -> None:
        standin_fvp.write(project / "fvp", FVP_NAMES[2], (samples / log).read_bytes())
        standin_fvp.elf(project / "runner.elf")
        (project / "ethosu-tui.toml").write_text(
            '[targets.sim]\nbase = "corstone-320"\nfvp = "fvp"\nelf = "runner.elf"\naddress = 0x70000000\n' + more
        )


def _run(*arguments: object) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "ethosu_tui.tui.cli", *map(str, arguments)]
    return subprocess.run(argv, capture_output=True, text=True, timeout=60, env=dict(os.environ))


def test_a_run_on_a_named_target_has_its_settings_and_its_clock(
    project: Path, samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Simulator(project, samples, more='clock = "500MHz"\ntimeout_seconds = 50\n')
    pte = HERE / "adds_u85_512_dedicated.pte"
    done = _run("run", pte, "--on", "sim", "-q", "--json")
    assert done.returncode == 0, done.stderr
    (folder,) = list_runs(runs_root())
    facts = folder.manifest
    assert "mps4_board.subsystem.ethosu.num_macs=512" in facts["argv"]  # that of the program
    assert f"{pte}@0x70000000" in facts["argv"] and facts["argv"][facts["argv"].index("--timelimit") + 1] == "50"
    place = facts["place"]
    assert (place["name"], place["board"], place["npu_clock_hz"]) == ("sim", "corstone-320", 5e8)
    assert place["npu_clock_from"] == "targets.sim.clock" and place["origin"].endswith("ethosu-tui.toml")
    asked = json.loads((folder.path / REQUEST).read_text())["request"]
    assert asked["on"] == "sim" and asked["place"]["elf"] == str(
        project / "runner.elf"
    )  # who carries it out needs no file
    (run,) = json.loads(done.stdout)["captures"][0]["runs"]
    clock = run["derived"]["npu_clock"]
    assert (clock["value"], clock["from"]) == (5e8, ["targets.sim.clock"])
    expected = run["pmu"]["npu_cycles"] / run["cycles"]["inferences"] / 5e8
    assert run["derived"]["npu_seconds_per_inference"]["value"] == pytest.approx(expected)

    (project / "ethosu-tui.toml").unlink()  # what is recorded is enough
    (again,) = document(capsys, "analyze", folder.path)["captures"][0]["runs"]
    assert again["derived"] == run["derived"]
    main(["analyze", "--jsonl", str(folder.path)])
    assert json.loads(capsys.readouterr().out)["derived"]["npu_clock"] == clock
    main(["analyze", "--json", str(folder.path), "--npu-clock", "1GHz"])
    (other,) = json.loads(capsys.readouterr().out)["captures"][0]["runs"]
    assert other["derived"]["npu_clock"] == {**clock, "value": 1e9, "from": ["assumptions.npu_clock_hz"]}
    assert main(["runs", "show", "latest"]) == 0 and "targets.sim.clock" in capsys.readouterr().out
    cells = [cell.text for row in view_of(load(str(folder.path)), 0).tables["derived"].rows for cell in row]
    assert "targets.sim.clock" in cells and "500 MHz" in cells
    log = samples / "mobilenet_v2_corstone320.log"
    assert main(["compare", str(folder.path), str(log)]) == 0
    assert "NPU time each" in capsys.readouterr().out


def test_what_cannot_work_starts_nothing(project: Path, samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Simulator(project, samples)
    for arguments, words in (
        (
            (HERE / "two_parts_u55_128.pte", "--on", "sim"),
            "compiled for ethos-u55-128, and the target sim has an ethos-u85",
        ),
        (
            (HERE / "adds_u85_512_dedicated.pte", "--on", "sim", "--target", "ethos-u85-256"),
            "compiled for ethos-u85-512",
        ),
        (
            (HERE / "adds_u85_512_dedicated.pte", "--on", "fvp", "--target", "ethos-u85-256"),
            "compiled for ethos-u85-512",
        ),
        ((HERE / "adds_u85_512_dedicated.pte", "--on", "sim", "--target", "ethos-u55-256"), "is not what sim has"),
        ((HERE / "adds_u85_512_dedicated.pte", "--on", "slim"), "did you mean sim"),
    ):
        assert main(["run", *map(str, arguments)]) == 2
        said = capsys.readouterr().err
        assert words in said and len(said.splitlines()) == 1, said
    assert list_runs(runs_root()) == []


def test_what_is_worth_knowing_is_said_and_kept(project: Path, samples: Path) -> None:
    Simulator(project, samples, more='memories = { sram = "1KiB", ddr = "1MiB" }\n')
    done = _run("run", HERE / "adds_u85_512_dedicated.pte", "--on", "sim", "-q")
    assert done.returncode == 0 and "does not fit on the target sim" in done.stderr
    (folder,) = list_runs(runs_root())
    assert any("does not fit" in note for note in folder.manifest["notes"])


def test_notes_of_a_manifest_that_make_no_sense_are_passed_over(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for notes in (3, "x", [["a"], 3, "\x1b[31mred"], None):
        say_notes(RunFolder(project, {"notes": notes}))
    assert capsys.readouterr().err.splitlines() == ["ethosu-tui: red"]


def test_a_broken_file_stops_only_what_needs_a_target(project: Path, samples: Path) -> None:
    (project / "ethosu-tui.toml").write_text("[targets.x\n")
    log = samples / "softmax.log"
    assert main(["analyze", str(log)]) == 0
    assert main(["run", "--on", f"replay:{log}", "--pace", "instant", "-q", "--no-store"]) == 0
    assert main(["run", "--on", "x"]) == 3
    assert main(["targets"]) == 0


def test_a_replay_can_have_a_name(project: Path, samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = samples / "mobilenet_v2_corstone320.log"
    (project / "ethosu-tui.toml").write_text(f'[targets.old]\nkind = "replay"\nlog = "{log}"\nboard = "alif-e8-u85"\n')
    assert main(["run", "--on", "old", "--pace", "instant", "-q", "--json"]) == 0
    (run,) = json.loads(capsys.readouterr().out)["captures"][0]["runs"]
    assert run["derived"]["npu_clock"]["from"] == ["boards.alif-e8-u85.clock_hz"]
    log = project / "empty words.log"
    log.write_text("nothing here\n")
    (project / "ethosu-tui.toml").write_text('[targets.old]\nkind = "replay"\nlog = "empty words.log"\n')
    assert main(["run", "--on", "old", "--pace", "instant", "-q"]) == 3
